"""What a number can mean: an index of everything that is quick to compute, the published numbers and the slips."""
