"""All conventions of a board side by side, and which of them gives a number."""
