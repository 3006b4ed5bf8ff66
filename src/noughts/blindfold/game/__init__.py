"""The game: rules, calls, the referee, and what a blind player knows."""
