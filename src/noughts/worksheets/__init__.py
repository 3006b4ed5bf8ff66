"""Exercises for a page: questions about boards, with the answers computed."""
