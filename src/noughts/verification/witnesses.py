"""Second engines for what no census holds, the ladder and classes by value, each held against the first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

from noughts.counting.api import ask
from noughts.counting.layers.valued import unfinished_by_value
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, CheckError
from noughts.domain.players import OUTCOMES
from noughts.solving.plies import PlyValues
from noughts.verification.listing import Listing
from noughts.verification.verdict import Bench

__all__ = ["also_listed", "also_valued"]

_listing = lru_cache(maxsize=4)(Listing)
Valued = dict[int, dict[str, int]]
"""For each ply how many classes each player wins, or are drawn, finished ones included."""


def also_listed(board: str, by: str, counted: int, ask_listing: Callable[[Listing], int]) -> list[str]:
    """Return who gave a number: `by`, and the listing where it takes the board.

    Raises CheckError where the listing counts otherwise.
    """
    try:
        listed = ask_listing(_listing(board))
    except BudgetError:
        return [by]
    if listed != counted:
        raise CheckError(f"{by} gives {counted:,} on {board}, and the listing of all fillings {listed:,}")
    return [by, Listing.name]


def also_valued(board: Board, by: str, rows: tuple[PlyValues, ...], bench: Bench) -> list[str]:
    """Return who gave the classes by value: `by`, the layers and the listing where they take the board.

    Raises CheckError where one counts otherwise.
    """
    first = {row.ply: {"X": row.symmetry.x_wins, "O": row.symmetry.o_wins, "draw": row.symmetry.draws} for row in rows}
    names = [by]
    for name, value in (("layered", _by_layers), (Listing.name, _by_listing)):
        with suppress(BudgetError):
            if value(board, bench) != first:
                raise CheckError(f"{by} and {name} give other numbers of classes by value on {board}")
            names.append(name)
    return names


def _by_listing(board: Board, bench: Bench) -> Valued:
    found = _listing(board.spec).classes_by_value()
    return {ply: {outcome: counts[outcome] for outcome in OUTCOMES} for ply, counts in found.items()}


def _by_layers(board: Board, bench: Bench) -> Valued:
    """Unfinished classes by value from layers that are listed and hashed, finished ones from a census."""
    columns = {"X": "terminal_x", "O": "terminal_o", "draw": "terminal_draw"}
    found: Valued = {}
    for outcome, column in columns.items():
        for ply, count in bench.column(ask(board, same="symmetry"), [column])[0]:
            found.setdefault(ply, {})[outcome] = count
    for ply, (o_wins, drawn, x_wins) in unfinished_by_value(board, bench.limits).items():
        for outcome, count in (("O", o_wins), ("draw", drawn), ("X", x_wins)):
            found[ply][outcome] += count
    return found
