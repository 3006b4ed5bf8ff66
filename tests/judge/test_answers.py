"""What an answer about a blind player prints beside its strategy is solved again when the file is checked."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.blindfold.game import BlindRules

ASKED: dict[str, dict[str, Any]] = {
    "3x3": {},
    "2x3": {"goal": "win-often", "first": "b1"},
    "2x3:2": {"goal": "always-win", "parts": ["value", "strategies"]},
    "2x2": {"rules": BlindRules(told="nothing"), "goal": "win-often"},
}


def _written(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(noughts.solve_blindfold(name, **ASKED[name]).as_dict()))
    return found


def _altered(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield copies of an answer with one printed entry altered each."""
    for key, value in record.items():
        if isinstance(value, bool):
            yield key, {**record, key: not value}
        elif key in ("histories", "strategies", "value") and value is not None:
            yield key, {**record, key: value + "0" if value != "0" else "1/7"}
        elif key in ("smallest_strategy", "win_probability", "information_sets"):
            changed = copy.deepcopy(record)
            inner = next((each for each in changed[key].values() if isinstance(each, dict)), changed[key])
            for name in [name for name, each in inner.items() if each is not None][:1]:
                inner[name] = 99 if isinstance(inner[name], int) else "1/97"
                yield key, changed


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_that_was_altered_is_told_from_one_that_was_not(name: str, tmp_path: Path) -> None:
    record, path = _written(name), tmp_path / "answer.json"
    path.write_text(json.dumps(record))
    assert noughts.check(path).error is None
    tried = 0
    for key, changed in _altered(record):
        if key != "opening_told":
            path.write_text(json.dumps(changed))
            found = noughts.check(path)
            assert found.error is not None, key
            assert key in str(found.error), key
            tried += 1
    assert tried >= 4
