"""Each column is what its sentence says: the sentence stands beside its check, which asks the oracle alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import pytest

from noughts.exporting.columns import CLASSES, MOVES, POSITIONS, TableSchema
from noughts.exporting.files import source_for
from noughts.rules.board import Board
from tests import naive

BOARDS = {
    "3x3:3": (3, 3, 3, {}),
    "2x4:3": (2, 4, 3, {}),
    "3x2:2": (3, 2, 2, {}),
    "2x3:2": (2, 3, 2, {"misere": True}),
    "2x3:3": (2, 3, 3, {"torus": True}),
}
LABELS = {"X": ("X can force a win", "X wins"), "O": ("O can force a win", "O wins")}
LABELS["draw"] = ("either can force a draw", "draw")


class Sight:
    """What the oracle sees of one board; positions are strings, one character for each cell."""

    def __init__(self, rows: int, columns: int, k: int, how: dict[str, bool]) -> None:
        self.game = naive.grid(rows, columns, k, **how)
        self.group = naive.isometries(rows, columns, torus=how.get("torus", False))
        self.rows, self.width = rows, columns
        self.reachable = naive.reachable(self.game)
        self.after, self.name = cache(self._after), cache(self._name)
        self.ways, self.ends, self.chance = cache(self._ways), cache(self._ends), cache(self._chance)
        self.choices, self.end_choices = cache(self._choices), cache(self._end_choices)
        self.classes = {self.name(s) for s in self.reachable}
        self.parents: dict[str, set[str]] = {name: set() for name in self.classes}
        for name in self.classes:
            for child in {self.name(after) for after in self.after(name)}:
                self.parents[child].add(name)

    def over(self, s: str) -> str | None:
        return naive.line_outcome(self.game, s)

    def _after(self, s: str) -> tuple[str, ...]:
        return () if self.over(s) else tuple(naive.play(s, cell) for cell in naive.blanks(s))

    def _name(self, s: str) -> str:
        """The canonical position: the least image as the sets of X and then of O."""
        images = {naive.image(s, p) for p in self.group}
        return min(images, key=lambda t: [sum(1 << i for i, mark in enumerate(t) if mark == who) for who in "XO"])

    def orbit(self, s: str) -> set[str]:
        return {naive.image(s, p) for p in self.group}

    def outcome(self, s: str) -> str:
        return {1: "X", 0: "draw", -1: "O"}[naive.value(self.game, s)]

    def decided(self, s: str) -> bool:
        return naive.sole_outcome(self.game, s, "any", "any") is not None

    def label(self, s: str) -> str:
        return LABELS[self.outcome(s)][self.decided(s)]

    def wins(self, s: str, who: str) -> list[int]:
        return [] if self.over(s) else naive.winning_cells(self.game, s, who)

    def forks(self, s: str, who: str) -> list[int]:
        open_cells = [] if self.over(s) else [c for c in naive.blanks(s) if c not in self.wins(s, who)]
        return [c for c in open_cells if len(naive.winning_cells(self.game, naive.put(s, c, who), who)) > 1]

    def lost(self, s: str) -> list[bool]:
        return [self.outcome(t) == naive.other(naive.mover(s)) for t in self.after(s)]

    def best(self, s: str) -> list[int]:
        return [] if self.over(s) else [cell for cell in naive.blanks(s) if self.is_best(s, naive.play(s, cell))]

    def is_best(self, s: str, after: str) -> bool:
        equal = {t: naive.remoteness(self.game, t) for t in self.after(s) if self.outcome(t) == self.outcome(s)}
        soonest = self.outcome(s) == naive.mover(s)
        return after in equal and equal[after] == (min if soonest else max)(equal.values())

    def decision(self, s: str) -> bool:
        return not self.over(s) and len(naive.blanks(s)) > 1

    def _ways(self, s: str) -> int:
        last = naive.other(naive.mover(s))
        before = [s[:i] + "." + s[i + 1 :] for i, mark in enumerate(s) if mark == last]
        return sum(self.ways(t) for t in before if not self.over(t)) if before else 1

    def _ends(self, s: str) -> int:
        return sum(self.ends(t) for t in self.after(s)) if self.after(s) else 1

    def _choices(self, name: str) -> int:
        return sum(map(self.choices, self.parents[name])) if self.parents[name] else 1

    def _end_choices(self, name: str) -> int:
        children = {self.name(t) for t in self.after(name)}
        return sum(map(self.end_choices, children)) if children else 1

    def _chance(self, s: str, who: str) -> float:
        after = self.after(s)
        return sum(self.chance(t, who) for t in after) / len(after) if after else float(self.over(s) == who)

    def text(self, s: str) -> str:
        return "/".join(s[i : i + self.width] for i in range(0, len(s), self.width))

    def cells(self, cells: list[int]) -> str:
        return " ".join(f"{'abcdefgh'[cell % self.width]}{cell // self.width + 1}" for cell in cells)


FORKS = "blank cells that complete no line for {}, but threaten two or more; none if the game is over"
Row = dict[str, Any]
Check = Callable[[Sight, str, Row], object]


def whole(column: str) -> Check:
    """The exact fraction of a probability: it is the probability, and in the least terms that the three share."""

    def is_exact(b: Sight, s: str, row: Row) -> object:
        exact = row[f"{column}_numerator"] / row["random_denominator"]
        return row[f"{column}_numerator"] if exact == row[column] else f"{exact} is not {row[column]}"

    return is_exact


def least(b: Sight, s: str, row: Row) -> object:
    common, parts = row["random_denominator"], [row[f"random_{who}_numerator"] for who in ("x", "draw", "o")]
    shared = any(common % d == 0 and all(part % d == 0 for part in parts) for d in range(2, common + 1))
    return common if sum(parts) == common and not shared else f"{parts} over {common}"


OF_POSITIONS: dict[str, Check] = {
    "rows from the top joined by /, layers by |; . is a blank": lambda b, s, _: b.text(s),
    "its position class: the canonical position, a key into classes": lambda b, s, _: b.text(b.name(s)),
    "number of marks": lambda b, s, _: len(s) - s.count("."),
    "X or O: whose turn the marks imply, in finished games too": lambda b, s, _: naive.mover(s),
    "the game is over: a line, or a full board": lambda b, s, _: b.over(s) is not None,
    "X, O or draw under best play; of a finished game, who won": lambda b, s, _: b.outcome(s),
    "win, draw or loss: the outcome as the player to_move sees it": lambda b, s, _: {
        naive.mover(s): "win",
        "draw": "draw",
    }.get(b.outcome(s), "loss"),
    "plies to the end: the winner hurries, the loser delays, a draw fills the board": lambda b, s, _: naive.remoteness(
        b.game, s
    ),
    "X wins, X can force a win, draw, either can force a draw, O can force a win or O wins. `wins` and `draw` hold "
    "however both play": lambda b, s, _: b.label(s),
    "every continuation has the same outcome": lambda b, s, _: b.decided(s),
    "the game goes on, and on two or more blank cells the last mover would complete a line": lambda b, s, _: (
        not b.over(s) and len(naive.winning_cells(b.game, s, naive.other(naive.mover(s)))) >= 2
    ),
    "the side to move has a move that loses and another that does not": lambda b, s, _: len(set(b.lost(s))) == 2,
    "the moves that keep the value and, of these, win soonest or lose latest": lambda b, s, _: b.cells(b.best(s)),
    "paths from the empty board to this board": lambda b, s, _: b.ways(s),
    "ways to finish the game from here": lambda b, s, _: b.ends(s),
    "finished games through this board: ways times finishes": lambda b, s, _: b.ways(s) * b.ends(s),
}
OF_CLASSES = OF_POSITIONS | {
    "the canonical position, least of its images as the sets of X and then of O": lambda b, s, _: b.text(b.name(s)),
    "number of boards in the class": lambda b, s, _: len(b.orbit(s)),
    "number of symmetries that keep the position": lambda b, s, _: sum(naive.image(s, p) == s for p in b.group),
    "unfinished with more than one blank cell": lambda b, s, _: b.decision(s),
    "a decision with no win to take and none to block": lambda b, s, _: (
        b.decision(s) and not b.wins(s, "X") and not b.wins(s, "O")
    ),
    "blank cells that complete a line for X; none if the game is over": lambda b, s, _: b.cells(b.wins(s, "X")),
    "blank cells that complete a line for O; none if the game is over": lambda b, s, _: b.cells(b.wins(s, "O")),
    FORKS.format("X"): lambda b, s, _: b.cells(b.forks(s, "X")),
    FORKS.format("O"): lambda b, s, _: b.cells(b.forks(s, "O")),
    "paths from the empty board to any board of the class": lambda b, s, _: sum(map(b.ways, b.orbit(s))),
    "paths to the class, each distinct child class being one choice": lambda b, s, _: b.choices(s),
    "ways to finish the game from one board of the class": lambda b, s, _: b.ends(s),
    "ways to finish the game, each distinct child class being one choice": lambda b, s, _: b.end_choices(s),
    "finished games through the class: ways times finishes": lambda b, s, _: sum(map(b.ways, b.orbit(s))) * b.ends(s),
    "finished games through the class, by choices": lambda b, s, _: prod((b.choices(s), b.end_choices(s))),
    "probability that X wins when every move is chosen at random": lambda b, s, _: pytest.approx(b.chance(s, "X")),
    "probability of a draw when every move is chosen at random": lambda b, s, _: pytest.approx(b.chance(s, "draw")),
    "probability that O wins when every move is chosen at random": lambda b, s, _: pytest.approx(b.chance(s, "O")),
    "random_x is exactly this over random_denominator": whole("random_x"),
    "random_draw is exactly this over random_denominator": whole("random_draw"),
    "random_o is exactly this over random_denominator": whole("random_o"),
    "least common denominator of the three probabilities": least,
    "name of a drawn full board": lambda b, s, row: row["pattern"] or "a name",
    "number of classes with a move to this one": lambda b, s, _: len(b.parents[s]),
    "number of distinct child classes": lambda b, s, _: len({b.name(t) for t in b.after(s)}),
}


def leading(b: Sight, s: str, child: str) -> list[int]:
    return [cell for cell in naive.blanks(s) if b.text(b.name(naive.play(s, cell))) == child]


def reached(b: Sight, row: Row) -> str:
    return str(row["child"]).replace("/", "")


OF_MOVES: dict[str, Check] = {
    "the position class in which the move is made, a key into classes": lambda b, s, _: b.text(b.name(s)),
    "cells of the canonical position that lead to the child class": lambda b, s, row: (
        b.cells(leading(b, s, row["child"])) or "no cell"
    ),
    "number of these cells": lambda b, s, row: len(leading(b, s, row["child"])),
    "the child class, a key into classes": lambda b, s, row: b.text(b.name(reached(b, row))),
    "X, O or draw under best play after the move": lambda b, s, row: b.outcome(reached(b, row)),
    "plies to the end after the move": lambda b, s, row: naive.remoteness(b.game, reached(b, row)),
    "the label of the child": lambda b, s, row: b.label(reached(b, row)),
    "the move keeps the value and, of those that do, wins soonest or loses latest": lambda b, s, row: all(
        b.is_best(s, naive.play(s, cell)) for cell in leading(b, s, row["child"])
    ),
}


@cache
def sight(name: str) -> Sight:
    return Sight(*BOARDS[name])


@pytest.mark.parametrize(("table", "checks"), [(POSITIONS, OF_POSITIONS), (CLASSES, OF_CLASSES), (MOVES, OF_MOVES)])
@pytest.mark.parametrize("name", BOARDS)
def test_each_column_is_what_its_sentence_says(name: str, table: TableSchema, checks: dict[str, Check]) -> None:
    b, misere = sight(name), "misere" in BOARDS[name][3]
    source = source_for(Board.parse(name + "+misere" * misere + "+torus" * ("torus" in BOARDS[name][3])))
    count = 0
    for chunk in source.chunks(table):
        for values in zip(*chunk, strict=True):
            row = dict(zip(table.names, values, strict=True))
            s = str(values[0]).replace("/", "")
            count += 1
            for column in table.columns:
                drawn = "." not in s and b.over(s) == "draw"
                absent = {"under misere": misere, "unless the b": not drawn}.get(column.null[:12], False)
                wanted = None if absent else checks[column.meaning](b, s, row)
                assert row[column.name] == wanted, (column.name, s)
    edges = {(name, b.name(t)) for name in b.classes for t in b.after(name)}
    assert count == len({"positions": b.reachable, "classes": b.classes, "moves": edges}[table.name])
