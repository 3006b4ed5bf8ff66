"""Boards, symmetries, positions and rules: plain Python, no arrays."""
