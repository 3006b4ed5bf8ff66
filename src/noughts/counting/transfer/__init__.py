"""Counting by the marks that can still matter, cell by cell."""
