"""Bots judged on every line: all against all, and one by itself."""
