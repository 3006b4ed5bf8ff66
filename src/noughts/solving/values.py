"""Values as numbers: outcomes by how good they are for X."""

from __future__ import annotations

from noughts.domain.players import Outcome

__all__ = ["OUTCOME_OF_VALUE", "VALUE_OF_OUTCOME"]

VALUE_OF_OUTCOME: dict[Outcome, int] = {"X": 1, "draw": 0, "O": -1}
OUTCOME_OF_VALUE: dict[int, Outcome] = {value: outcome for outcome, value in VALUE_OF_OUTCOME.items()}
