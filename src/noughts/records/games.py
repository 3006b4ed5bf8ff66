"""Are two games the same: move by move, up to one symmetry, or in the choices made; and where do they part?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.counting.question import Sameness
from noughts.domain.arguments import wrong_type
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.frozen import short
from noughts.domain.notation import parse_game
from noughts.domain.position import Position
from noughts.domain.symmetry import Permutation
from noughts.records.comparison import Comparison, same, sorted_by_words, words_for

__all__ = ["GameComparison", "Parting", "same_games"]


@dataclass(frozen=True, repr=False)
class Parting:
    """Where two games part: the number of the first move that differs, and what each plays there.

    A cell is None where that game has no such move. `positions` are those after the move, or the last of a game that
    has stopped.
    """

    ply: int
    cells: tuple[Cell | None, Cell | None]
    positions: tuple[Position, Position]

    def __repr__(self) -> str:
        return f"<Parting at move {self.ply}: {' and '.join(self.names)}>"

    @property
    def names(self) -> tuple[str, str]:
        """The cells by name; `no move` for none."""
        board = self.positions[0].board
        first, second = ("no move" if cell is None else cell_name(board, cell) for cell in self.cells)
        return first, second

    def as_dict(self) -> dict[str, object]:
        """Return where the games part for JSON; a cell is null where a game has stopped."""
        moves = [None if cell is None else name for cell, name in zip(self.cells, self.names, strict=True)]
        return {"ply": self.ply, "moves": moves, "positions": [str(position) for position in self.positions]}


@dataclass(frozen=True, repr=False)
class GameComparison:
    """Two games of one board, finished or not, as sequences of cells, and where they part in each of three senses.

    `labelled`: the cells are the same, one by one. `symmetry`: one symmetry takes each move to the other game's.
    `choices`: after every move the positions are of the same class. Each is None where the games are the same in that
    sense. `symmetries` take the moves before `symmetry` parts to each other, or the whole games.
    """

    board: Board
    first: tuple[Cell, ...]
    second: tuple[Cell, ...]
    labelled: Parting | None
    symmetry: Parting | None
    choices: Parting | None
    symmetries: tuple[Permutation, ...]

    def __repr__(self) -> str:
        said = ", ".join(self.same) or "in no sense"
        return (
            f"<GameComparison on {short(self.board, 30)}: {len(self.first)} and {len(self.second)} moves, same {said}>"
        )

    @property
    def same(self) -> tuple[Sameness, ...]:
        """The senses in which the two are one game, the strictest first."""
        parts: tuple[tuple[Sameness, Parting | None], ...] = (
            ("labelled", self.labelled),
            ("symmetry", self.symmetry),
            ("choices", self.choices),
        )
        return tuple(sense for sense, part in parts if part is None)

    @property
    def boards(self) -> Comparison:
        """The positions that the games lead to, compared."""
        first, second = (_after(self.board, cells) for cells in (self.first, self.second))
        return same(self.board, first, second)

    @property
    def words(self) -> tuple[str, ...]:
        """The symmetries in words."""
        return tuple(map(words_for(self.board), self.symmetries))

    def as_dict(self) -> dict[str, object]:
        """Return the comparison of the last positions for JSON, and under `games` that of the games.

        `part` has for each sense where the games part, null where they are the same.
        """
        parts = {"labelled": self.labelled, "symmetry": self.symmetry, "choices": self.choices}
        games: dict[str, object] = {
            "first": [cell_name(self.board, cell) for cell in self.first],
            "second": [cell_name(self.board, cell) for cell in self.second],
            "same": list(self.same),
            "part": {sense: None if part is None else part.as_dict() for sense, part in parts.items()},
            "symmetries": list(self.words),
        }
        return {**self.boards.as_dict(), "games": games}


def same_games(
    board: Board | str, first: str | Sequence[Cell | str], second: str | Sequence[Cell | str]
) -> GameComparison:
    """Return whether two games are the same by labels, up to symmetry and by choices, and where they part.

    A game is a text of moves such as `a1 b2 c3`, or its cells in order; it need not be finished. Cost: one image of
    each game for each symmetry. Raises InvalidCell, and InvalidPosition where a cell is taken or the game was over.

    >>> same_games("3x3", "a1 b2 c1 b1", "c3 b2 a3 b3").same
    ('symmetry', 'choices')
    >>> same_games("3x3", "a1 b2 c3", "a1 b2 c1").labelled
    <Parting at move 3: c3 and c1>
    """
    on = Board.parse(board)
    one, other = (_cells(on, game) for game in (first, second))
    group = on.group()
    classes = [
        [group.canonical(position.x, position.o) for position in _positions(on, game)[1:]] for game in (one, other)
    ]
    agree = {element: _common([element[cell] for cell in one], other) for element in group.elements}
    longest = max(agree.values())
    kept = sorted_by_words(on, [element for element, moves in agree.items() if moves == longest])

    def part(moves: int) -> Parting | None:
        return None if moves == len(one) == len(other) else _parting(on, one, other, moves)

    labelled, choices = part(_common(one, other)), part(_common(*classes))
    return GameComparison(on, one, other, labelled, part(longest), choices, tuple(kept))


def _cells(board: Board, game: str | Sequence[Cell | str]) -> tuple[Cell, ...]:
    if isinstance(game, str):
        return parse_game(board, game)
    if isinstance(game, bytes) or not isinstance(game, Sequence):
        raise wrong_type("a game", game, "text such as 'a1 b2 c3', or a list of cells")
    return parse_game(board, " ".join(cell_name(board, parse_cell(board, cell)) for cell in game))


def _common(first: Sequence[object], second: Sequence[object]) -> int:
    """Return in how many places from the front two sequences agree."""
    pairs = zip(first, second, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def _positions(board: Board, cells: Sequence[Cell]) -> list[Position]:
    found = [Position(board)]
    for cell in cells:
        found.append(found[-1].play(cell))
    return found


def _after(board: Board, cells: Sequence[Cell]) -> Position:
    return _positions(board, cells)[-1]


def _parting(board: Board, one: Sequence[Cell], other: Sequence[Cell], moves: int) -> Parting:
    """Return the parting after so many moves that agree."""
    first, second = (game[moves] if moves < len(game) else None for game in (one, other))
    positions = _after(board, one[: moves + 1]), _after(board, other[: moves + 1])
    return Parting(moves + 1, (first, second), positions)
