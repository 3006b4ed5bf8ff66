"""Matchboxes that learn: a box for each position class, beads for its moves, rewards after each game."""
