"""What many tests ask for is computed once in a process: `pytestmark = pytest.mark.usefixtures("remembered")`.

For tests of words, pages and files, which look at an answer and not at how it is found: blindfold answers, and the
readings that `whatis` looks through. Both depend on nothing but what is given here as their key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from noughts.analysis.meanings import sources
from noughts.analysis.meanings.meaning import Meaning, Query
from noughts.blindfold.inquiry import BlindAnswer, Inquiry
from noughts.rules.board import Board

__all__ = ["remember"]

_answers: dict[object, BlindAnswer] = {}
_readings: dict[object, list[Meaning]] = {}
_answer, _stages = Inquiry.answer, sources.stages


def _answered(inquiry: Inquiry) -> BlindAnswer:
    asked = (inquiry.board, inquiry.rules, inquiry.goal, frozenset(inquiry.wanted), inquiry.first, inquiry.opening)
    key = (*asked, inquiry.history, inquiry.never_lose_too)
    if key not in _answers:
        _answers[key] = _answer(inquiry)
    return _answers[key]


def _looked_through(make: Any) -> list[Meaning]:
    assert isinstance(make, partial)
    key = (make.func, make.args, *sorted(make.keywords.items()))
    if key not in _readings:
        _readings[key] = list(make())
    return _readings[key]


def _stages_kept(asked: Query, board: Board | None) -> Iterator[Any]:
    for stage in _stages(asked, board):
        yield [(name, partial(_looked_through, make)) for name, make in stage]


def remember(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blindfold answers and the readings of numbers be those that an earlier test of the process has asked for."""
    monkeypatch.setattr(Inquiry, "answer", _answered)
    monkeypatch.setattr(sources, "stages", _stages_kept)
