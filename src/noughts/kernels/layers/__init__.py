"""From the position classes of one ply to those of the next, and back."""
