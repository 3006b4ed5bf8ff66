"""Puzzles: positions in which only one move reaches the goal, with grades, hints and explanations."""
