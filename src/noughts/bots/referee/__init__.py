"""Referee: programs of any language play every line that their answers allow."""
