"""Reports about blindfold play: what is known of a game, and the verdicts of the judges."""
