"""Counting by listing: position classes ply by ply."""
