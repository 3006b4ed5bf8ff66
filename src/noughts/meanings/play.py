"""Readings of numbers from play: trees with their scores, values ply by ply, chances when policies meet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import add

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Position
from noughts.meanings.meaning import Meaning, complexity_of
from noughts.solving.engines import count_values
from noughts.solving.plies import Split
from noughts.solving.problem import Problem
from noughts.strategy.trees import tree
from noughts.strategy.versus import versus

__all__ = ["chance_readings", "opening_cells", "tree_readings", "value_readings"]

_POLICIES = ("random", "win", "block", "fork", "perfect")


def opening_cells(board: Board) -> tuple[Cell, ...]:
    """Return the first moves up to symmetry, each by its first cell."""
    orbit = board.group().orbit
    return tuple(cell for cell in range(board.cells) if 1 << cell == min(x for x, _ in orbit(1 << cell, 0)))


def tree_readings(board: Board) -> Iterator[Meaning]:
    """Yield the sizes and the scores of the reduced trees: of the board, and after each first move up to symmetry."""
    plain = complexity_of(board) + 6
    start = Position(board)
    firsts = [cell_name(board, cell) for cell in opening_cells(board) if not start.play(cell).is_terminal]
    for opening in (None, *firsts):
        found = tree(board, opening=opening)
        if len(found.nodes) < 2:
            continue
        of = "the reduced tree" + (f" after {opening}" if opening else "")
        command = f"noughts tree {board.spec}" + (f" --opening {opening}" if opening else "")
        yield Meaning(len(found.nodes), board.spec, f"position classes of {of}", "", command, plain)
        yield Meaning(len(found.links), board.spec, f"edges of {of}", "", command, plain + 1)
        ends = sum(node.end is not None for node in found.nodes)
        yield Meaning(ends, board.spec, f"ends of {of}", "", command, plain + 1)
        for score, how in ((found.root.score, "move"), (found.root.score_distinct, "distinct class")):
            if score is not None:
                said = f"score of {of} for X, every {how} counted once"
                yield Meaning(score, board.spec, said, "", command, plain + (how != "move"))


def value_readings(board: Board) -> Iterator[Meaning]:
    """Yield how many positions each side wins with best play, ply by ply and in all, as boards and as classes."""
    rows = count_values(Problem(board, None, remoteness=False, counts_only=True))
    whole = reduce(add, rows)
    for ply, row in ((None, whole), *((row.ply, row) for row in rows)):
        yield from _split(board, ply, "labelled", row.labelled)
        yield from _split(board, ply, "symmetry", row.symmetry)


def _split(board: Board, ply: int | None, same: str, split: Split) -> Iterator[Meaning]:
    noun = "positions" if same == "labelled" else "position classes"
    where = "" if ply is None else f" at ply {ply}"
    command = f"noughts solve {board.spec} --by-ply --same {same}"
    more = 5 + (same != "labelled") + 3 * (ply is not None)
    words = {"x_wins": "that X wins with best play", "draws": "drawn with best play",
             "o_wins": "that O wins with best play"}  # fmt: skip
    for name, said in words.items():
        if value := getattr(split, name):
            what = f"{noun}{where} {said}, finished ones included"
            yield Meaning(value, board.spec, what, "", command, complexity_of(board) + more)


def chance_readings(board: Board) -> Iterator[Meaning]:
    """Yield the exact chances when simple policies meet."""
    for x, o in product(_POLICIES, _POLICIES):
        found = versus(board, x=x, o=o)
        chances = {"that X wins": found.x_wins, "that O wins": found.o_wins, "of a draw": found.draws}
        more = 4 + 2 * (x != "random") + 2 * (o != "random") + (x != o)
        for said, chance in chances.items():
            what = f"chance {said} when X plays {x} and O plays {o}, each choosing evenly among its moves"
            command = f"noughts versus {board.spec} --x {x} --o {o}"
            yield Meaning(chance, board.spec, what, "", command, complexity_of(board) + more)
