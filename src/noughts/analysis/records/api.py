"""The catalogue of a board, and its positions that meet conditions, as function calls."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any, Literal, cast

from noughts.analysis.records.catalogue import (
    ARRAY_CELLS,
    ARRAY_CLASSES,
    Catalogue,
    GraphCatalogue,
    about_classes,
    is_for_plain_python,
    require_few,
    require_listable,
)
from noughts.analysis.records.full import full_records, require_marks_alone
from noughts.analysis.records.record import FRAME_KINDS, Record, Selection
from noughts.counting.engines import ask
from noughts.counting.question import Question, end_words, is_ruled, rules_words
from noughts.machine.packages import Framed
from noughts.rules.arguments import one_of
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import Position
from noughts.rules.values import Reported, decimal_digits, roughly, short


@lru_cache(maxsize=2)
def _catalogue(question: Question) -> Catalogue:
    board = question.board
    require_listable(board)
    classes = about_classes(board)
    if is_ruled(question) or is_for_plain_python(board, classes):
        return GraphCatalogue(question)
    if classes > ARRAY_CLASSES:
        # Files are written from arrays, layer by layer, which need a board of at most ARRAY_CELLS cells.
        file = "write them to a file with noughts export, or " if board.cells <= ARRAY_CELLS else ""
        raise BudgetError(
            f"{board} has about {roughly(classes)} position classes, and a catalogue in memory holds up to "
            f"{ARRAY_CLASSES:,}: {file}ask about a smaller board"
        )
    from noughts.analysis.records.layers import LayerCatalogue

    return LayerCatalogue(question)


def catalogue(
    board: Board | str = "3x3",
    *,
    moves: MoveRule = "any",
    x_moves: MoveRule | None = None,
    o_moves: MoveRule | None = None,
    end: EndRule = "line",
) -> Catalogue:
    """Return the catalogue of a board: a record for every position class, cached.

    Cost: 20 ms for 3x3. Large boards of up to 20 cells are arrays, 3 s and 0.3 GB for 4x4:4; each record is made on
    request.

    Parameters
    ----------
    board
        The board, or its name.
    moves, x_moves, o_moves, end
        The rules of play, as in `count`; `end` is `line` or `decided`. The catalogue has the classes that such play
        reaches, and every record is within the rules.

    Raises
    ------
    InvalidBoard
    BudgetError
        There are more than ARRAY_CLASSES classes, or with rules more than LISTED_CLASSES; or the arrays do not fit
        three quarters of the free memory.

    >>> len(catalogue("3x3")), catalogue("3x3")["X.O/.X./..O"].label
    (765, 'either can force a draw')
    >>> len(catalogue("3x3", moves="block", end="decided"))
    230
    """
    return _catalogue(ask(board, same="choices", moves=moves, x_moves=x_moves, o_moves=o_moves, end=end))


# The positions of a board that meet conditions.


def alike(board: Board) -> str:
    """Return in words which boards are in one class."""
    if board.shape is None:
        return "Boards alike up to a symmetry of the board"
    if not board.rules.any_blank and board.group().order <= 2:
        return "Boards alike up to a flip left to right"
    return f"Boards alike up to {'a turn, flip or shift' if board.torus else 'a turn or flip'}"


@dataclass(frozen=True, repr=False)
class Positions(Reported, Framed):
    """The positions that a selection admits, in order: one of each class (`symmetry`), or every board (`labelled`).

    `question` has the rules of the play that reaches them. `all` is the number of positions without conditions;
    `start_games` is the number of all games, counted as `games` does. Iterating gives the records.
    """

    board: Board
    same: Literal["labelled", "symmetry"]
    question: Question
    selection: Selection
    all: int
    start_games: int
    records: tuple[Record, ...]
    frame_kinds = FRAME_KINDS

    def __repr__(self) -> str:
        return f"<Positions of {short(self.board)}, {self.same}: {len(self):,} of {self.all:,}>"

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __getitem__(self, number: int) -> Record:
        return self.records[operator.index(number)]

    def frame_rows(self) -> list[dict[str, object]]:
        """Return a row for each position, for `to_pandas` and `to_polars`."""
        return [record.as_row() for record in self.records]

    @property
    def bots(self) -> int:
        """The number of bots that differ at these positions: the product of the numbers of choices.

        A class has one choice for each distinct class to move to, a labelled board one for each blank cell. Finished
        games do not count. Source: B. Shourd, 2012.
        """
        by_cell = self.same == "labelled"
        return prod(
            each.position.playable.bit_count() if by_cell else len(each.moves) for each in self if not each.is_terminal
        )

    @property
    def heading(self) -> str:
        """The count in words, split by outcome if all games are over."""
        words = "; ".join([*self._rules(), *self.selection.words(self.board, self.question.end)])
        how = f"{alike(self.board)} count once" if self.same == "symmetry" else "Cells are distinguishable"
        if self.same == "symmetry" and self.board.group().order == 1:
            how = "The board has no symmetry but to leave it as it is, so every board counts"
        return f"{self.board}: {self._number()}{f' ({words})' if words else ''}{self._split()}. {how}."

    def _rules(self) -> list[str]:
        """Return the rules of play in words; empty for free play to a line or a full board."""
        question = self.question
        found = [] if question.is_free else [rules_words(question)]
        return found if question.end == "line" else [*found, end_words(question.end, misere=self.board.misere)]

    @property
    def is_ruled(self) -> bool:
        """Whether the rules of play are not free moves to a line or a full board."""
        return is_ruled(self.question)

    def games(self, record: Record) -> int:
        """Return the number of games through a position: by choices for a class, by sequences of cells for a board."""
        return record.games_by_choices if self.same == "symmetry" else record.games

    def _number(self) -> str:
        noun, many = ("position", "s") if self.same == "labelled" else ("position class", "es")
        if not self.selection.conditions:
            return f"{self.all:,} {noun}{many * (self.all != 1)}"
        return f"{len(self):,} of {self.all:,} {noun}{many}"

    def _split(self) -> str:
        if not self.records or not all(record.is_terminal for record in self.records):
            return ""
        x, o = self.board.rules.players
        words = {"X": f"won by {x}", "O": f"won by {o}", "draw": "drawn", None: "with lines of both"}
        number = {outcome: sum(record.outcome == outcome for record in self.records) for outcome in words}
        parts = [f"{number[outcome]:,} {word}" for outcome, word in words.items() if number[outcome]]
        return ": " + " + ".join(parts) if len(parts) > 1 else ""

    def summary(self) -> dict[str, object]:
        """Return the request and the number of positions, without the records."""
        rules = {name: getattr(self.question, name) for name in ("x_moves", "o_moves", "end")}
        found: dict[str, object] = {"board": self.board.spec, "same": self.same, **rules}
        found |= {"where": self.selection.as_dict(), "heading": self.heading}
        return found | {"count": str(len(self)), "bots": decimal_digits(self.bots)}

    def as_dict(self) -> dict[str, object]:
        """Return the positions for JSON, each with its record."""
        return {**self.summary(), "positions": [record.as_dict() for record in self.records]}


def positions(
    board: Board | str = "3x3",
    *,
    same: Literal["labelled", "symmetry"] = "symmetry",
    moves: MoveRule = "any",
    x_moves: MoveRule | None = None,
    o_moves: MoveRule | None = None,
    end: EndRule = "line",
    **conditions: Any,
) -> Positions:
    """Return the positions of a board that meet conditions, with a record of each: one of each class, or every board.

    Cost: that of `catalogue`.

    Parameters
    ----------
    board
        The board, or its name.
    same
        `symmetry` for one position of each class, `labelled` for every board.
    moves, x_moves, o_moves, end
        The rules of play, as in `catalogue`: ways, games, moves and predecessors are within the rules. With the end
        `full` no line ends the game, and each record is a `FullRecord`, which has no values.
    conditions
        Those of `Selection`, such as `terminal=True` or `won="X"`; all must hold.

    Raises
    ------
    InputError
        A condition does not exist or is not defined on the board.
    BudgetError
        There are too many positions.

    >>> len(positions("3x3", terminal=True)), len(positions("3x3", same="labelled", won="O"))
    (138, 316)
    >>> len(positions("3x3", moves="block", end="decided"))
    230
    >>> len(positions("3x3", same="labelled", end="full", ply=9))
    126
    """
    on = Board.parse(board)
    one_of("same", same, ("labelled", "symmetry"))
    selection = Selection(**conditions).on(on)
    question = ask(on, same="choices", moves=moves, x_moves=x_moves, o_moves=o_moves, end=end)
    if question.end == "full":
        return _to_full(on, same, selection, question)
    found = _catalogue(question)
    classes = found.where(selection)
    start = found[Position(on)]
    if same == "symmetry":
        return Positions(on, same, found.question, selection, len(found), start.finishes_by_choices, tuple(classes))
    return Positions(on, same, found.question, selection, found.boards, start.finishes, tuple(found.labelled(classes)))


def _to_full(on: Board, same: Literal["labelled", "symmetry"], selection: Selection, question: Question) -> Positions:
    """Return the positions of play to the full board, whose records are FullRecords."""
    require_marks_alone(on, selection)
    require_few(on)
    every = list(full_records(question))
    first, found = every[0], [record for record in every if selection.admits(record)]
    count, games = len(every), first.games_by_choices
    if same == "labelled":
        count, games = sum(record.orbit for record in every), first.games
        found = [board for record in found for board in record.boards]
    return Positions(on, same, question, selection, count, games, tuple(cast("list[Record]", found)))
