"""How many points are taken through a frontier's graph together; in a file of its own, which loads no compiler."""

from __future__ import annotations

__all__ = ["LANES", "PAIRS"]

PAIRS = 16
LANES = 2 * PAIRS
"""Two lines of a cache: fewer waste what was fetched, more gain little."""
