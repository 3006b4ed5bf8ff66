"""The perfect index and the backward pass over it."""
