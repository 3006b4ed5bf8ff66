"""Are two boards or games the same up to a turn or a flip, and which one shows it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.analysis.explain.facts import along
from noughts.counting.question import Sameness
from noughts.rules.board import Board
from noughts.rules.cells import Move, cell_name, moves_on
from noughts.rules.game import on_moves
from noughts.rules.position import Moves, Position, PositionLike, parse_game, parse_position
from noughts.rules.symmetry import Permutation
from noughts.rules.turns import IMAGE_LIMIT, images, sorted_by_words, words_for
from noughts.rules.values import Result, short


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Two positions of one board, and the symmetries that map the first to the second; none if they differ.

    The symmetry with the shortest words comes first; p[i] is the image of cell i.
    """

    first: Position
    second: Position
    symmetries: tuple[Permutation, ...]
    keys = "board first second same=is_same classes=canonical symmetries=named_symmetries images"

    def __repr__(self) -> str:
        verdict = "the same" if self.is_same else "different"
        return (
            f"<Comparison on {short(self.board, 30)}: {short(self.first, 30)} and {short(self.second, 30)}, {verdict}>"
        )

    @property
    def board(self) -> Board:
        """The board."""
        return self.first.board

    @property
    def is_same(self) -> bool:
        """Whether some symmetry maps the first position to the second."""
        return bool(self.symmetries)

    @property
    def words(self) -> tuple[str, ...]:
        """The symmetries in words."""
        return tuple(map(words_for(self.board), self.symmetries))

    @property
    def canonical(self) -> tuple[Position, Position]:
        """The canonical forms of the two positions."""
        group = self.board.group()
        first, second = (
            Position(self.board, *group.canonical(position.x, position.o)) for position in (self.first, self.second)
        )
        return first, second

    @property
    def images(self) -> dict[str, Position] | None:
        """The images of the first position, as `images` gives them; None for more than IMAGE_LIMIT symmetries."""
        return images(self.board, self.first) if self.board.group().order <= IMAGE_LIMIT else None

    @property
    def named_symmetries(self) -> list[dict[str, object]]:
        """The symmetries in words, each with the image of every cell."""
        names = [cell_name(self.board, cell) for cell in range(self.board.cells)]
        return [
            {"words": words, "cells": {name: names[image] for name, image in zip(names, symmetry, strict=True)}}
            for words, symmetry in zip(self.words, self.symmetries, strict=True)
        ]


def same(board: Board | str, first: PositionLike, second: PositionLike) -> Comparison:
    """Return whether two positions are the same up to the symmetries of the board, and which symmetries show it.

    Parameters
    ----------
    board
        The board, or its name.
    first, second
        Two positions, which play need not reach.

    Returns
    -------
    Comparison
        The symmetries that map the first to the second, in words and as permutations.

    Raises
    ------
    InvalidPosition
        A position cannot be read.

    Notes
    -----
    Cost: one image for each symmetry.

    >>> same("3x3", "X../.O./...", "..X/.O./...").words[0]
    'flip left to right'
    """
    on = Board.parse(board)
    one, other = (parse_position(on, position) for position in (first, second))
    group = on.group()
    found = [
        element
        for element, image in zip(group.elements, group.images, strict=True)
        if (image(one.x), image(one.o)) == (other.x, other.o)
    ]
    return Comparison(one, other, tuple(sorted_by_words(on, found)))


# Are two games the same: move by move, up to one symmetry, or by choices; and where do they first differ?


@dataclass(frozen=True, repr=False)
class Parting(Result):
    """The first move in which two games differ: its number, and the cell of each game.

    A cell is None if the game has no such move. `positions` are those after the move, or the last one of a shorter
    game.
    """

    ply: int
    cells: tuple[Move | None, Move | None]
    positions: tuple[Position, Position]
    keys = "ply moves=cells positions"

    def __repr__(self) -> str:
        return f"<Parting at move {self.ply}: {' and '.join(self.names)}>"

    @property
    def names(self) -> tuple[str, str]:
        """The cells by name; `no move` for none."""
        first, second = ("no move" if move is None else str(move) for move in self.cells)
        return first, second


@dataclass(frozen=True, repr=False)
class GameComparison(Result):
    """Two games of one board, finished or not, as sequences of cells, and where they first differ in three senses.

    `labelled`: the cells are the same, one by one. `symmetry`: one symmetry maps each move to that of the other game.
    `choices`: after every move the positions are of the same class. Each is None if the games are the same in that
    sense. `symmetries` map the games to each other as far as `symmetry` agrees.
    """

    board: Board
    first: tuple[Move, ...]
    second: tuple[Move, ...]
    labelled: Parting | None
    symmetry: Parting | None
    choices: Parting | None
    symmetries: tuple[Permutation, ...]
    keys = "first second same part symmetries=words image"

    def __repr__(self) -> str:
        senses = f"same {', '.join(self.same) or 'in no sense'}"
        return f"<GameComparison on {short(self.board, 30)}: {len(self.first)} and {len(self.second)} moves, {senses}>"

    @property
    def same(self) -> tuple[Sameness, ...]:
        """The senses in which the games are the same, the strictest first."""
        return tuple(sense for sense, part in self.part.items() if part is None)

    @property
    def part(self) -> dict[Sameness, Parting | None]:
        """For each sense the first difference, None if the games are the same."""
        return {"labelled": self.labelled, "symmetry": self.symmetry, "choices": self.choices}

    @property
    def boards(self) -> Comparison:
        """The positions that the games lead to, compared."""
        first, second = (along(Position(self.board), cells)[-1] for cells in (self.first, self.second))
        return same(self.board, first, second)

    @property
    def words(self) -> tuple[str, ...]:
        """The symmetries in words."""
        return tuple(map(words_for(self.board), self.symmetries))

    @property
    def image(self) -> tuple[Move, ...]:
        """The cells to which the first of `symmetries` maps the moves of the first game."""
        image = on_moves(self.board, self.symmetries[0])
        return moves_on(self.board, (image[move] for move in self.first))

    def as_dict(self) -> dict[str, object]:
        """Return the comparison of the last positions for JSON, and under `games` that of the games."""
        return {**self.boards.as_dict(), "games": super().as_dict()}


def same_games(board: Board | str, first: Moves, second: Moves) -> GameComparison:
    """Return whether two games are the same by labels, up to symmetry and by choices, and where they first differ.

    Parameters
    ----------
    board
        The board, or its name.
    first, second
        Two games, finished or not: a text of moves such as `a1 b2 c3`, or the cells in order.

    Returns
    -------
    GameComparison
        The ways in which they are the same, and for the others the move at which they differ.

    Raises
    ------
    InvalidCell
        The board does not have a cell.
    InvalidPosition
        A cell is taken, or the game was over.

    Notes
    -----
    Cost: one image of each game for each symmetry.

    >>> same_games("3x3", "a1 b2 c1 b1", "c3 b2 a3 b3").same
    ('symmetry', 'choices')
    >>> same_games("3x3", "a1 b2 c3", "a1 b2 c1").labelled
    <Parting at move 3: c3 and c1>
    """
    on = Board.parse(board)
    one, other = games = [parse_game(on, game) for game in (first, second)]
    group = on.group()
    classes = [[group.canonical(at.x, at.o) for at in along(Position(on), game)[1:]] for game in games]
    agree = {element: _common([on_moves(on, element)[move] for move in one], other) for element in group.elements}
    longest = max(agree.values())
    best = sorted_by_words(on, [element for element, moves in agree.items() if moves == longest])

    def part(moves: int) -> Parting | None:
        """Return the difference after so many equal moves, None at the end of both games."""
        if moves == len(one) == len(other):
            return None
        cell, then = (game[moves] if moves < len(game) else None for game in games)
        at, after = (along(Position(on), game[: moves + 1])[-1] for game in games)
        return Parting(moves + 1, (cell, then), (at, after))

    labelled, choices = part(_common(one, other)), part(_common(*classes))
    return GameComparison(on, one, other, labelled, part(longest), choices, tuple(best))


def _common(first: Sequence[object], second: Sequence[object]) -> int:
    """Return the length of the longest common prefix."""
    pairs = zip(first, second, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
