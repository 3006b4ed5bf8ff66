"""Counting by the status of the winning lines under way, cell by cell."""
