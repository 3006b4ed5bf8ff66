"""Tables over all pairs of marks of a blind game."""
