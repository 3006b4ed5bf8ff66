"""Counting over sets: of cells, and of lines."""
