"""The smallest table that a player needs: one move for every board that it lets happen."""
