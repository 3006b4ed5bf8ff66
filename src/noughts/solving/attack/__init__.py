"""Wins by threats: a proof-number search over the attacker's moves, and the proof as a tree."""
