"""Worksheets as one function call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from noughts.domain.arguments import text_of, whole_number, wrong_type
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError, shown
from noughts.domain.position import Position
from noughts.domain.spelling import offered
from noughts.worksheets import kinds
from noughts.worksheets.exercise import MOST_BLANK, MOST_PRINTED, Exercise, Worksheet
from noughts.worksheets.trees import trees

__all__ = ["KINDS", "sheet", "usual"]

KINDS = {
    "win": "find the winning move",
    "tree": "finish the tree",
    "same": "which boards are the same?",
    "count": "count the endings",
    "possible": "is this position possible?",
    "who-wins": "who wins?",
    "blindfold": "play blindfold by a strategy",
    "blank": "blank boards",
    "flash-cards": "cards with a board on one side and the answer on the other",
}
"""The kinds of worksheets, and what each asks."""
_USUAL = {"win": 6, "tree": 2, "same": 6, "count": 6, "possible": 6, "who-wins": 6, "blindfold": 4, "blank": 6}
_USUAL_CARDS = 16
_MOST = 200
_LEAST = 2
"""Cells of a board on which there is something to ask."""


def sheet(
    board: Board | str = "3x3", kind: str = "win", number: int | None = None, *, seed: int | str = 0
) -> Worksheet:
    """Return exercises of one kind, with their answers, the same for the same seed on every machine.

    Kinds: `win`, `tree`, `same`, `count`, `possible`, `who-wins`, `blindfold`, `blank`, `flash-cards`. No two exercises
    are the same up to the symmetries of the board. Where no number is given it is what fits a page or two, or as many
    as there are. Cost: well below a second on small boards. Raises InputError where a board has no such exercises, or
    fewer than asked for, and BudgetError for boards of more than 64 cells, blank
    ones of more than 900.

    >>> sheet("3x3", "count", 1, seed=1).exercises[0].question
    'X to move.'
    """
    on = Board.parse(board)
    name = text_of("the kind", kind)
    if name not in KINDS:
        raise InputError(f"there is no worksheet {shown(name)}: choose {offered(name, list(KINDS))}")
    if number is not None:
        whole_number("the number of exercises", number, 1)
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise wrong_type("the seed", seed, "a number, or a text")
    _require_printable(on, kind, number)
    found, rules = _found(on, kind, number, str(seed))
    wanted = number or usual(kind)
    exercises = sorted(islice(found, wanted), key=lambda each: each.effort)
    if not exercises or (number is not None and len(exercises) < number):
        raise InputError(_too_few(on, kind, len(exercises)))
    return Worksheet(on, kind, str(seed), tuple(exercises), rules)


def usual(kind: str) -> int:
    """Return how many exercises of a kind there are unless a number is given."""
    return _USUAL.get(kind, _USUAL_CARDS)


def _require_printable(board: Board, kind: str, number: int | None) -> None:
    """Raise where a board cannot be printed, or nothing can be asked about it."""
    if board.shape is None:
        raise InputError(f"{board} is given by its lines and has no shape to print: ask for a board such as 3x3")
    what, most = (
        ("blank boards have", MOST_BLANK) if kind == "blank" else ("worksheets are for boards of", MOST_PRINTED)
    )
    if board.cells > most:
        smaller = "ask for a smaller board" + (
            ", or for a blank one" if kind != "blank" and board.cells <= MOST_BLANK else ""
        )
        raise BudgetError(f"{board} has {board.cells:,} cells, and {what} up to {most}: {smaller}")
    if board.cells < _LEAST and kind != "blank":
        raise InputError(f"{board} has one cell, and nothing to ask about: try 3x3")
    if number is not None and number > _MOST:
        raise InputError(f"{number:,} exercises are more than the {_MOST} that are made at once: ask for fewer")


def _found(board: Board, kind: str, number: int | None, seed: str) -> tuple[Iterator[Exercise], tuple[str, ...]]:
    """Return the exercises as they are found, and the lines that they are about."""
    if kind == "blank":
        return (Exercise("", [Position(board)], "", {}) for _ in range(number or _USUAL[kind])), ()
    if kind in ("win", "flash-cards"):
        goal, usual = ("win", _USUAL["win"]) if kind == "win" else (None, _USUAL_CARDS)
        return kinds.puzzling(board, number, seed, goal, usual), ()
    if kind == "blindfold":
        from noughts.blindfold.pure.instructions import instructions
        from noughts.worksheets.blind import followed, strategy_of

        strategy = strategy_of(board)
        return followed(strategy, seed), tuple(instructions(strategy))
    drawn: dict[str, Callable[[Board, str], Iterator[Exercise]]] = {
        "tree": trees,
        "same": kinds.pairs,
        "count": kinds.counting,
        "possible": kinds.possible,
        "who-wins": kinds.verdicts,
    }
    return drawn[kind](board, seed), ()


def _too_few(board: Board, kind: str, found: int) -> str:
    what = f"exercise{'s' * (found != 1)} of the kind {kind}"
    if found:
        return (
            f"only {found:,} {what} that differ{'s' * (found == 1)} were found on {board}: ask for {found:,} or fewer"
        )
    return f"no {what} were found on {board}: ask for another kind or board, such as 3x3"
