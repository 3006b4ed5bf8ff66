"""The search for one position."""
