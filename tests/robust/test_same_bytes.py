"""The same question gives the same bytes, whatever Python's hashes are seeded with."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cli.test_sink import CALLS, forms

_SCRIPT = """
import contextlib, hashlib, io, json, sys
from noughts.cli.main import main
for call in json.load(sys.stdin):
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(call)
    print(hashlib.sha256(out.buffer.getvalue()).hexdigest(), len(out.buffer.getvalue()), *call)
"""
_QUICK = (
    "count",
    "explain",
    "openings",
    "tree",
    "payoff",
    "versus",
    "positions",
    "same",
    "puzzle",
    "query",
    "match",
    "check",
)
_UNLIKE = {"verify": "does what it can in the time", "referee": "says how long a program took"}
"""Verbs whose answer is another every time, and why."""


def _bytes(seed: int, calls: list[list[str]]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
    )
    found = done.stdout.splitlines()
    assert len(found) == len(calls), done.stderr
    return found


def test_quick_verbs_under_two_seeds() -> None:
    calls = [[*CALLS[verb], "--format", form] for verb in _QUICK for form in ("text", "json") if form in forms(verb)]
    first = _bytes(1, calls)
    assert first == _bytes(2, calls)
    assert all(int(row.split()[1]) > 20 for row in first), "each has said something"


@pytest.mark.slow
@pytest.mark.parametrize("verb", sorted(CALLS.keys() - _UNLIKE.keys()))
def test_every_form_of_every_verb_under_twenty_seeds(verb: str) -> None:
    calls = [[*CALLS[verb], "--format", form] for form in forms(verb) if form not in ("pdf", "anki")]
    first = _bytes(0, calls)
    for seed in range(1, 20):
        assert _bytes(seed, calls) == first
