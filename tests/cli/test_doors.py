"""One question, one answer, through every door: Python, the command line and the page of all conventions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

import noughts
from noughts.counting.engines import opinions, quick_second_opinion, second_opinion
from noughts.judge.bench import Bench
from noughts.machine.budget import Limits
from noughts.rules.errors import BudgetError
from tests.cli.conftest import Result
from tests.dear import dear

Run = Callable[..., Result]

GAMES = 24203167611239775171145021460352


@pytest.mark.slow
def test_games_alone_where_the_positions_do_not_fit(run: Run) -> None:
    """Positions of 5x6:4 take some 250 MB by values at points and 2 GB by tables, the games alone less than 200 MB."""
    census = noughts.count("5x6:4", memory="200MB")
    assert (census.engine, census.totals.finished, census.totals.positions) == ("frontier", GAMES, None)
    found = run("count", "5x6:4", "--memory", "200MB", "--format", "json", "--same", "labelled")
    record = json.loads(found.out)
    assert (found.code, record["engine"], record["totals"]["finished"]) == (0, "frontier", str(GAMES))
    assert record["totals"]["positions"] is None


@pytest.mark.slow
def test_the_page_of_conventions_has_the_games_alone(run: Run) -> None:
    page = json.loads(run("count", "5x6:4", "--memory", "200MB", "--format", "json").out)
    entry = next(e for e in page["games"] if (e["moves"], e["end"], e["same"]) == ("any", "line", "labelled"))
    assert (entry["engine"], entry["finished"]) == ("frontier", str(GAMES))
    reachable = next(rung for rung in page["positions"] if rung["name"] == "reachable")
    assert (reachable["count"], reachable["reason"]) == (None, "the count that fits the budget gives only games")


def test_an_engine_asked_by_its_own_name_gives_all_or_nothing(run: Run) -> None:
    with pytest.raises(BudgetError, match="by the engine frontier, over the budget of 200 MB"):
        noughts.count("5x6:4", engine="frontier", memory="200MB")
    words = ("count", "5x6:4", "--same", "labelled", "--memory", "200MB", "--engine", "frontier")
    assert run(*words).code == 3


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


@pytest.mark.parametrize("spec", dear(["40x40:5", "30x30:5", "20x20:5", "4x4x4"], "40x40:5", "20x20:5"))
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


FUNCTIONS: dict[str, Callable[[], Any]] = {
    "solve 2x4:3": lambda: noughts.solve("2x4:3"),
    "solve 4x4x4": lambda: noughts.solve("4x4x4"),
    "solve 3x3+misere X../.O./...": lambda: noughts.solve("3x3+misere", "X../.O./..."),
    "count 3x4 --same choices --moves block": lambda: noughts.count("3x4", same="choices", moves="block"),
    "explain 3x4 a1": lambda: noughts.explain("3x4", "a1"),
    "openings 3x3": lambda: noughts.openings("3x3"),
    "review 3x3 a1,b1,a2": lambda: noughts.review("3x3", "a1 b1 a2"),
    "tree 3x3": lambda: noughts.tree("3x3"),
    "patterns 3x3": lambda: noughts.patterns("3x3"),
    "payoff 3x3": lambda: noughts.payoff("3x3"),
    "same 3x4 X.../..../.... ..../..../...X": lambda: noughts.same("3x4", "a1", "d3"),
    "same 3x4 a1,b2 d3,c2": lambda: noughts.analysis.same_games("3x4", "a1 b2", "d3 c2"),
    "positions 2x3:2 --terminal": lambda: noughts.positions("2x3:2", terminal=True),
    "whatis 26830": lambda: noughts.whatis(26830),
    "match 3x3 --x block --o random": lambda: noughts.match("3x3", x="block", o="random"),
    "evaluate 3x3 block": lambda: noughts.evaluate("3x3", "block"),
    "breed 3x3 --generations 3 --population 9": lambda: noughts.breed("3x3", generations=3, population=9),
    "crib 3x3 --as O": lambda: noughts.crib("3x3", as_="O"),
    "menace 3x3 --games 50": lambda: noughts.menace("3x3", games=50),
    "puzzle 3x3 --number 2": lambda: noughts.puzzles("3x3", 2),
    "sheet 3x3 --kind same --seed 0": lambda: noughts.sheet("3x3", "same"),
    "blindfold 2x3:2": lambda: noughts.solve_blindfold("2x3:2"),
}


@pytest.mark.parametrize("words", FUNCTIONS)
def test_a_verb_and_its_function_give_one_answer_in_about_the_same_time(words: str, run: Run) -> None:
    verb, *rest = words.split()
    before = process_time()
    said = run(verb, *(word.replace(",", " ") for word in rest), "--format", "json")
    between = process_time()
    result = FUNCTIONS[words]()
    found = json.loads(json.dumps(result.as_dict()))
    assert (said.code, json.loads(said.out)) == (0, found)
    assert process_time() - between < between - before + 2
