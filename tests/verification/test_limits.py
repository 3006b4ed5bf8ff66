"""What a verification may take is asked for before each number, and holds for the proofs too."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from noughts.domain.errors import BudgetError
from noughts.machine.budget import Limits
from noughts.machine.progress import silent
from noughts.verification.checks import verdicts
from noughts.verification.derived import derived_values, proved_outcome


def test_limits_are_asked_for_before_each_number() -> None:
    given = chain([Limits(10**9, 5.0)], repeat(Limits(1, 5.0)))
    found = verdicts(lambda: next(given))
    assert [next(found).status, next(found).status] == ["ok", "out of reach"]


def test_proofs_are_held_to_the_memory() -> None:
    assert proved_outcome("4x4", "search", 60.0, memory="2GB") == "draw"
    with pytest.raises(BudgetError, match="over the budget of 1 MB of memory"):
        proved_outcome("4x4", "search", 60.0, memory="1MB")
    one = next(found for found in derived_values("1kB", None, silent) if found.status != "ok")
    assert one.status == "out of reach"
