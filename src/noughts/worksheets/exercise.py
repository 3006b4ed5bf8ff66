"""An exercise: the boards that are shown, what is asked, and the answer, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from noughts.analysis.explain.facts import completing_moves
from noughts.rules.board import Board
from noughts.rules.marks import Cell, cells_of, mask_of
from noughts.rules.position import Position, completing_cells
from noughts.rules.values import Result, drawn, frozen

Thing = TypeVar("Thing")

MOST_PRINTED = 64
"""Maximum cells of a board for exercises."""
DRAWS = 100
"""Maximum number of random draws for one exercise."""
MOST_BLANK = 900
"""Cells of the largest boards that are printed blank: of 30x30 one fills a page, with cells of 6 mm."""


@dataclass(frozen=True)
class Knot:
    """A board of a game tree: the number of its parent, its position, the winner from there, and whether it is given.

    `outcome` is X, O or draw under best play. The pupil fills in the other boards.
    """

    parent: int | None
    position: Position
    outcome: str
    is_given: bool
    last: Cell | None = None


@dataclass(frozen=True, repr=False)
class Exercise(Result):
    """One exercise.

    `boards` are shown side by side; `blanks` are words, each before a line to write on, and `below` those before a long
    one; `choices` are answers of which one is to be ticked. `answer` is the key in words and `facts` the same for
    programs. `solved` is drawn in the key, with its cell `last` pointed out. `tree` is a game tree to be finished, its
    root first; empty in other exercises. Those of less `effort` come first on a worksheet.
    """

    question: str
    boards: Sequence[Position]
    answer: str
    facts: Mapping[str, Any]
    blanks: Sequence[str] = ()
    below: Sequence[str] = ()
    choices: Sequence[str] = ()
    solved: Position | None = None
    last: Cell | None = None
    tree: Sequence[Knot] = field(default=())
    effort: int = 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, frozen(value))

    keys = "positions=boards question answer"

    def as_dict(self) -> dict[str, Any]:
        """Return the exercise for JSON: positions, question, answer in words, and its facts."""
        return {**super().as_dict(), **self.facts}


@dataclass(frozen=True, repr=False)
class Worksheet(Result):
    """Exercises of one kind on one board, the easiest first; `seed` is the random seed.

    `rules` are lines that the exercises are about, such as a strategy to follow; empty for most kinds.
    """

    board: Board
    kind: str
    seed: str
    exercises: Sequence[Exercise]
    rules: Sequence[str] = ()

    keys = "board kind seed rules exercises"

    def __len__(self) -> int:
        return len(self.exercises)


def open_position(board: Board, blanks: int, subseed: str) -> Position | None:
    """Return an unfinished position with so many blank cells, of a random game without a completed line.

    None where this random game must complete a line. The same seed gives the same position on every machine.
    """
    at = Position(board)
    for ply in range(board.cells - blanks):
        if board.rules.alternating:
            cells = list(cells_of(at.playable & ~completing_cells(board, at.marks(at.to_move), at.playable)))
        else:
            cells = sorted(set(at.moves()) - set(completing_moves(at)))
        if not cells:
            return None
        at = at.play(cells[drawn(len(cells), f"{subseed} {ply}")])
    return None if at.is_terminal else at


def shuffled(board: Board, subseed: str) -> list[Cell]:
    """Return the cells of a board in a random order."""
    left, found = list(range(board.cells)), []
    while left:
        found.append(left.pop(drawn(len(left), f"{subseed} {len(left)}")))
    return found


def image(position: Position, subseed: str) -> Position:
    """Return a position turned or mirrored at random."""
    elements = position.board.group().elements
    turn = elements[drawn(len(elements), f"{subseed} turn")]
    return Position(position.board, *(mask_of(turn[c] for c in cells_of(side)) for side in (position.x, position.o)))


def class_of(position: Position) -> Hashable:
    """Return a key that is equal for positions equal up to the symmetries of the board."""
    return position.board.group().canonical(position.x, position.o)


def distinct(subseed: str, draw: Callable[[str], Thing | None], key: Callable[[Thing], Hashable]) -> Iterator[Thing]:
    """Yield random results with distinct keys, until many draws in a row give nothing new."""
    met: set[Hashable] = set()
    idle = number = 0
    while idle <= DRAWS:
        found = draw(f"{subseed} {number}")
        is_new = found is not None and key(found) not in met
        idle, number = 0 if is_new else idle + 1, number + 1
        if found is not None and is_new:
            met.add(key(found))
            yield found
