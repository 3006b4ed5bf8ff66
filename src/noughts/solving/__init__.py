"""From a board to the value of its positions."""
