"""Data to take away: tables, databases, graphs and the static site."""
