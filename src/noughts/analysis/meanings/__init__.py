"""What a number can mean: numbers that are quick to compute, published numbers, and known slips."""
