"""`noughts blindfold`: the question, the judge, and the game."""
