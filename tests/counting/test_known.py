"""Published numbers, row by row, by every engine that can: read here from the data, without our code that verifies."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

import noughts
from noughts.counting.conventions.ladder import ladder
from noughts.counting.engines import ENGINES, answer
from noughts.counting.offers import CountingOffer
from noughts.counting.question import Question, Sameness
from noughts.domain.board import Board
from noughts.domain.game import MarkingGame
from noughts.domain.rules import MoveRule
from noughts.machine.budget import Limits
from noughts.solving.classgraph import ClassGraph
from tests.counting.comparing import offered

DATA = files("noughts.known")
TABLES: list[dict[str, Any]] = tomllib.loads((DATA / "mathrec-3x3.toml").read_text())["table"]
NUMBERS: dict[str, list[dict[str, Any]]] = tomllib.loads((DATA / "numbers.toml").read_text())


def rows_by_every_engine(question: Question, column: str, *, seconds: float = 30.0) -> list[list[int]]:
    """Return one column from each engine that answers quickly and gives that column: two at least."""
    found = []
    for row in ENGINES:
        offer = offered(row.name, question, Limits(seconds=seconds))
        if isinstance(offer, CountingOffer):
            counts = [count for count in offer.count().column(column) if count is not None]
            if counts:
                found.append(counts)
    assert len(found) >= 2
    return found


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['same']}-{table['moves']}-{table['end']}")
def test_published_tables(table: dict[str, Any]) -> None:
    question = Question(Board.parse(table["board"]), table["same"], table["moves"], table["moves"], table["end"])
    for position, column in enumerate(("ply", "positions", "terminal_positions", "paths", "finished")):
        published = [row[position] for row in table["rows"]]
        for counts in rows_by_every_engine(question, column):
            assert counts == published, column
    totals = answer(question).totals
    assert {name: getattr(totals, name) for name in table["totals"]} == table["totals"]


THREE = Board.parse("3x3")
BY_PLY: dict[str, tuple[Question, str, int]] = {
    "A061221": (Question(THREE), "finished", 1),
    "A008907": (Question(THREE, "symmetry"), "positions", 0),
    "A048245": (Question(THREE, "symmetry"), "terminal_positions", 0),
}
"""For a sequence by ply: the question, the column and the first ply."""

TOTALS = {"A061526": "finished", "A061527": "x_wins", "A061528": "o_wins", "A061529": "draws", "A061530": "finished"}
"""For a sequence by size of the board: the column whose total is the term."""

VALUES = {"A317401": 1, "A317402": -1}
"""For a sequence of 3x3 classes by value: the value for X."""

LARGE = {
    "A317575 row 4",
    "A317575 row 5 (known part)",
    "A317576 row 4",
    "A317573 row 4",
    "A317574 row 4",
}
"""Sequences on boards that are too large for two engines here; `noughts verify` reaches them."""


@pytest.mark.parametrize("entry", NUMBERS["sequence"], ids=lambda entry: entry["id"])
def test_published_sequences(entry: dict[str, Any]) -> None:
    name, terms = entry["id"], [int(term) for term in entry["terms"]]
    if name in BY_PLY:
        question, column, first = BY_PLY[name]
        if name == "A061221":
            terms[8] += 46080
        for counts in rows_by_every_engine(question, column):
            assert counts[first:] == terms
    elif name in TOTALS:
        rule: MoveRule = "perfect" if name == "A061530" else "any"
        for side, term in enumerate(terms[:3], 1):
            question = Question(Board.grid(side, side), "labelled", rule, rule)
            assert {sum(counts) for counts in rows_by_every_engine(question, TOTALS[name])} == {term}
    elif name in VALUES:
        graph = ClassGraph(MarkingGame(THREE))
        assert [sum(graph.values[n] == VALUES[name] for n in layer) for layer in graph.layers] == terms
    else:
        assert name in LARGE, f"say how the new sequence {name} is tested"


def total(board: str, same: Sameness, column: str, **parts: Any) -> set[int]:
    question = Question(Board.parse(board), same, **parts)
    return {sum(counts) for counts in rows_by_every_engine(question, column)}


def rung(name: str) -> set[int]:
    return {step.count for step in ladder(THREE) if step.name == name and step.count is not None}


def smallest(player: str, opening: str | None = None) -> set[int]:
    found = (
        noughts.crib("3x3", as_=player, opening=opening, goal="perfect", count="all", engine=engine)
        for engine in ("search", "programme")
    )
    return {crib.entries if crib.proved else 0 for crib in found}


SINGLE: dict[str, Any] = {
    "41": lambda: smallest("X", "b2"),
    "56": lambda: smallest("X", "a1"),
    "94": lambda: smallest("X", "b1"),
    "127": lambda: smallest("O"),
    "19683": lambda: rung("fillings"),
    "986409": lambda: rung("sequences"),
    "549946": lambda: total("3x3", "labelled", "paths"),
    "6046": lambda: total("3x3", "labelled", "positions", end="full") & rung("balanced"),
    "5890": lambda: rung("not both lined"),
    "5478": lambda: total("3x3", "labelled", "positions") & rung("reachable"),
    "593": lambda: rung("decisions"),
    "96": lambda: rung("real decisions"),
    "138": lambda: total("3x3", "symmetry", "terminal_positions"),
    "304": lambda: rung("matchboxes"),
    "31896": lambda: total("3x3", "symmetry", "finished"),
    "5194": lambda: total("3x3+torus", "labelled", "positions"),
    "1728": lambda: total("3x3+torus", "labelled", "finished", x_moves="block", o_moves="block"),
}
"""For each published single number how it is computed here."""

NO_COUNT = {"5812", "287", "737/1260, 121/420, 8/63"}
"""A misprint, a count whose rule gives another number, and probabilities."""


@pytest.mark.parametrize("entry", NUMBERS["number"], ids=lambda entry: entry["value"])
def test_published_single_numbers(entry: dict[str, Any]) -> None:
    if entry["value"] in NO_COUNT:
        return
    assert entry["value"] in SINGLE, f"say how the new number {entry['value']} is tested"
    assert SINGLE[entry["value"]]() == {int(entry["value"])}


def test_what_the_notes_beside_the_numbers_say() -> None:
    assert total("3x3", "symmetry", "positions", end="full") == {850}
    assert total("3x3", "symmetry", "terminal_x") == {91}
    assert total("3x3", "symmetry", "terminal_o") == {44}
    assert total("3x3", "symmetry", "terminal_draw") == {3}
    assert total("3x3", "labelled", "terminal_positions") == {958}
    assert total("3x3", "labelled", "terminal_x") == {626}
    assert total("3x3", "labelled", "terminal_o") == {316}
    assert total("3x3", "labelled", "terminal_draw") == {16}
    torus = {column: total("3x3+torus", "labelled", column) for column in ("finished", "x_wins", "o_wins", "draws")}
    assert torus == {"finished": {204336}, "x_wins": {103248}, "o_wins": {101088}, "draws": {0}}
    assert total("3x3+torus", "symmetry", "positions") == {102}
    torus_block = Question(Board.parse("3x3+torus"), "labelled", "block", "block")
    for counts in rows_by_every_engine(torus_block, "finished"):
        assert [ply for ply, count in enumerate(counts) if count] == [7]


@pytest.mark.parametrize(
    ("board", "parts", "games"),
    [
        ("3x3", {"start": "b2"}, 25872),
        ("3x3", {"x_moves": "win", "o_moves": "win", "end": "decided", "same": "choices"}, 4590),
        ("3x3", {"x_moves": "block", "o_moves": "block", "end": "decided", "same": "choices"}, 1145),
        ("3x3", {"end": "full"}, 362880),
        ("2x2:3", {}, 24),
        ("1x1", {}, 1),
        ("3x3:4", {"end": "decided"}, 1),
        ("3x3", {"x_moves": "perfect", "o_moves": "perfect", "end": "decided"}, 1),
    ],
)
def test_numbers_of_the_literature_and_edges(board: str, parts: dict[str, Any], games: int) -> None:
    from noughts import count

    assert count(board, **parts).totals.finished == games
