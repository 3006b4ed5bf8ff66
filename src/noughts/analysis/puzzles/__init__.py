"""Puzzles: positions in which one move alone reaches the goal, how hard they are, hints, and the explanation."""
