"""The published numbers computed again: by counting, by solving and by play."""
