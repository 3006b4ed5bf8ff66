"""Readings of numbers from blindfold play: what a player sees and how often it wins."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.game.rules import BlindRules
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.meanings.meaning import Meaning, complexity_of
from noughts.meanings.play import opening_cells

__all__ = ["blind_readings"]


def blind_readings(board: Board) -> Iterator[Meaning]:
    """Yield the numbers of blindfold play by the usual rules: X sees nothing, then O."""
    for blind in ("X", "O"):
        found = solve_blindfold(board, BlindRules(blind=blind))
        command = f"noughts blindfold {board.spec}" + ("" if blind == "X" else " --blind O")
        plain = complexity_of(board) + 8 + (blind == "O")
        numbers: dict[str, Fraction | int | None] = {
            "histories": found.histories,
            "strategies that never lose": found.strategies,
        }
        for name, sets in (found.information_sets or {}).items():
            numbers[f"information sets ({name.replace('_', ', ')})"] = sets
        for goal, chances in (found.win_probability or {}).items():
            if chances is None:
                continue
            for cell in sorted(chances.keys() & set(opening_cells(board))):
                aim = "who never loses " if goal == "never_lose" else ""
                numbers[f"best chance to win {aim}against random replies, after the call {cell_name(board, cell)}"] = (
                    chances[cell]
                )
        for what, value in numbers.items():
            if value is not None:
                yield Meaning(value, board.spec, f"blindfold, {blind} sees nothing: {what}", "", command, plain)
