"""The sources that a search for a number reads, in stages: 3x3, then small boards, then larger ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from noughts.analysis.meanings.meaning import Meaning, Query, complexity_of
from noughts.analysis.meanings.readings import (
    FIRST,
    LARGER,
    SMALL,
    chance_readings,
    large_readings,
    opening_cells,
    readings_of,
    small_readings,
)
from noughts.blindfold.game import BlindRules
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board
from noughts.rules.cells import cell_name

_CHANCES, _BLINDFOLD = "the chances when policies meet", "blindfold play"
UNBOARDED = (_CHANCES, _BLINDFOLD)
"""The sources that are not named after a board."""

Source = tuple[str, Callable[[], Iterator[Meaning]]]
"""The name of a source of readings, and the function that yields them."""


def stages(query: Query, board: Board | None) -> Iterator[list[Source]]:
    """Yield the sources of readings in stages.

    Chances and scores do not exceed 1, so a greater fraction is searched only among published numbers.
    """
    if isinstance(query.value, Fraction) and query.value > 1:
        return
    first = Board.parse(FIRST) if board is None else board
    for make in readings_of(first):
        yield [(first.spec, make)]
    if board is not None:
        return
    if isinstance(query.value, Fraction):
        yield [(_CHANCES, partial(chance_readings, first))]
        yield [(_BLINDFOLD, partial(blind_readings, first))]
        return
    yield [(spec, partial(small_readings, Board.parse(spec))) for spec in SMALL]
    larger: list[Source] = [(spec, partial(large_readings, Board.parse(spec))) for spec in LARGER]
    yield [*larger, (_BLINDFOLD, partial(blind_readings, first))]


def blind_readings(board: Board) -> Iterator[Meaning]:
    """Yield the numbers of blindfold play under the usual rules, for a blindfolded X and for a blindfolded O."""
    for blind in ("X", "O"):
        found = solve_blindfold(board, BlindRules(blind=blind))
        command = f"noughts blindfold {board.spec}" + ("" if blind == "X" else " --blind O")
        numbers: dict[str, Fraction | int | None] = {
            "histories": found.histories,
            "strategies that never lose": found.strategies,
        }
        for name, sets in (found.information_sets or {}).items():
            numbers[f"information sets ({name.replace('_', ', ')})"] = sets
        for goal, chances in (found.win_probability or {}).items():
            aim = "who never loses " if goal == "never_lose" else ""
            for cell in sorted((chances or {}).keys() & set(opening_cells(board))):
                call = f"best chance to win {aim}against random replies, after the call {cell_name(board, cell)}"
                numbers[call] = (chances or {})[cell]
        plain = complexity_of(board) + 8 + (blind == "O")
        for what, value in numbers.items():
            if value is not None:
                yield Meaning(value, board.spec, f"blindfold, {blind} sees nothing: {what}", "", command, plain)
