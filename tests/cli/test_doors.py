"""One question, one answer, through every door: Python, the command line and the page of all conventions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import noughts
from noughts.counting.engines import opinions, quick_second_opinion, second_opinion
from noughts.judge.bench import Bench
from noughts.machine.budget import Limits
from noughts.rules.errors import BudgetError
from tests.cli.conftest import Result

Run = Callable[..., Result]

GAMES = 24203167611239775171145021460352


def test_games_alone_where_the_positions_do_not_fit(run: Run) -> None:
    """Positions of 5x6:4 take some 250 MB by values at points and 2 GB by tables, the games alone less than 200 MB."""
    census = noughts.count("5x6:4", memory="200MB")
    assert (census.engine, census.totals.finished, census.totals.positions) == ("frontier", GAMES, None)
    words = ("count", "5x6:4", "--memory", "200MB", "--format", "json")
    found = run(*words, "--same", "labelled")
    record = json.loads(found.out)
    assert (found.code, record["engine"], record["totals"]["finished"]) == (0, "frontier", str(GAMES))
    assert record["totals"]["positions"] is None
    page = json.loads(run(*words).out)
    entry = next(e for e in page["games"] if (e["moves"], e["end"], e["same"]) == ("any", "line", "labelled"))
    assert (entry["engine"], entry["finished"]) == ("frontier", str(GAMES))
    reachable = next(rung for rung in page["positions"] if rung["name"] == "reachable")
    assert (reachable["count"], reachable["reason"]) == (None, "the count that fits the budget gives only games")


def test_an_engine_asked_by_its_own_name_gives_all_or_nothing(run: Run) -> None:
    with pytest.raises(BudgetError, match="by the engine frontier, over the budget of 200 MB"):
        noughts.count("5x6:4", engine="frontier", memory="200MB")
    words = ("count", "5x6:4", "--same", "labelled", "--memory", "200MB", "--engine", "frontier")
    assert run(*words).code == 3


def test_positions_of_a_question_by_choices_where_the_games_do_not_fit(run: Run) -> None:
    """The games by choices of 4x5:4 need the class graph, the positions do not: everybody is told as much."""
    census = noughts.count("4x5:4", same="choices", memory="300MB")
    assert census.totals.finished is None
    assert census.totals.positions is not None
    words = ("count", "4x5:4", "--memory", "300MB", "--format", "json")
    record = json.loads(run(*words, "--same", "choices").out)
    assert record["engine"] == census.engine
    assert record["totals"]["positions"] == str(census.totals.positions)
    page = json.loads(run(*words).out)
    entry = next(e for e in page["games"] if (e["moves"], e["end"], e["same"]) == ("any", "line", "choices"))
    assert (entry["finished"], entry["engine"]) == (None, None)
    assert entry["reason"].startswith("about ")


def test_all_second_opinions_are_of_one_kind() -> None:
    census = noughts.count("4x4:3")
    first = second_opinion(census, Limits.of())
    assert first.engine != census.engine
    assert first.columns == tuple(name for name in first.columns if census.column(name) == first.census.column(name))
    quick = quick_second_opinion(census, Limits.of())
    assert quick is None or quick.engine == first.engine
    names = [opinion.engine for opinion in opinions(census, Limits.of(None, 2.0))]
    assert [found.engine for found in Bench(Limits.of()).censuses(census.question)] == [census.engine, *names]
    assert first.engine in names


GUARD = 6.0
"""Seconds of a processor: no measurement, see benchmarks."""


@pytest.mark.parametrize("spec", ["40x40:5", "30x30:5", "20x20:5", "4x4x4"])
@pytest.mark.parametrize("same", [(), ("--same", "labelled")])
def test_what_is_hopeless_is_refused_at_once(spec: str, same: tuple[str, ...]) -> None:
    """In a second or two; compiling or exploring would take many more than the guard, a slow machine would not."""
    command = [sys.executable, "-m", "noughts", "count", spec, *same]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    with process.stdout:
        told = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == (3 if same else 0)
    assert (
        ("needs more than" in told or "no engine can answer" in told)
        if same
        else "the number of games is out of reach" in told
    )
    assert usage.ru_utime + usage.ru_stime < GUARD
