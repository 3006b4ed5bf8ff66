"""States and values of counting without listing."""

PAIRS = 16
"""Pairs of points that are taken through a frontier's graph together."""

LANES = 2 * PAIRS
"""Two lines of a cache: fewer waste what was fetched, more gain little."""
