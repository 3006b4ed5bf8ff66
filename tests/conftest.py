"""One profile for hypothesis: the same examples on every run, so that a failure is a failure for everybody."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("noughts", derandomize=True, deadline=None, database=None)
settings.load_profile("noughts")
