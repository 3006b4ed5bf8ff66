"""The record of a position: its facts as typed values and as plain data; and selections of records."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

from noughts.analysis.explain.facts import PositionFacts, ValuedMove, is_fork
from noughts.analysis.explain.wording import LABELS, read_label
from noughts.rules.arguments import flag, integer, offered, text_of
from noughts.rules.board import Board
from noughts.rules.cells import Move, move_name, moves_on
from noughts.rules.errors import InputError, InvalidQuestion, shown
from noughts.rules.game import on_moves
from noughts.rules.marks import Cell, Outcome, cells_of, mask_of
from noughts.rules.play import EndRule
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation
from noughts.rules.values import FrozenDict, record, short
from noughts.solving.solution import value_for
from noughts.solving.values import Value


@dataclass(frozen=True, repr=False)
class RecordMove(ValuedMove):
    """A move to a distinct child class, with all cells that lead there, in reading order; `position` is the class.

    A `best` move keeps the value and, among such moves, wins soonest or loses latest.
    """

    label: str
    outcome: Outcome
    remoteness: int
    best: bool
    keys = "cells class=position label outcome remoteness best"


@dataclass(frozen=True, slots=True)
class RandomPlay:
    """The exact probabilities of the outcomes when both sides choose every move at random from here on."""

    x_wins: Fraction
    draw: Fraction
    o_wins: Fraction

    def as_dict(self) -> dict[str, str]:
        """Return the probabilities for JSON."""
        chances = {"X": self.x_wins, "draw": self.draw, "O": self.o_wins}
        return {outcome: fraction_text(chance) for outcome, chance in chances.items()}

    def as_row(self) -> dict[str, float | int]:
        """Return the probabilities as floats, then their numerators and the least common denominator."""
        chances = {"random_x": self.x_wins, "random_draw": self.draw, "random_o": self.o_wins}
        common = lcm(*(chance.denominator for chance in chances.values()))
        row: dict[str, float | int] = {name: float(chance) for name, chance in chances.items()}
        row |= {f"{name}_numerator": int(chance * common) for name, chance in chances.items()}
        return row | {"random_denominator": common}


_COUNTS = "ways ways_by_choices finishes finishes_by_choices games games_by_choices"
_STRINGS = f"orbit stabiliser {_COUNTS}".split()
"""What JSON has as decimal strings."""


@dataclass(frozen=True, repr=False)
class ClassFacts(PositionFacts):
    """The facts of a position with its class: the canonical position, and the number of boards in the class."""

    canonical: Position
    orbit: int
    row_keys = ""
    """The keys of a row of a table, as in `keys`."""

    def as_row(self) -> dict[str, Any]:
        """Return the record as a row of a table: counts as integers, cells as a list."""
        return record(self, self.row_keys)

    def as_dict(self) -> dict[str, Any]:
        """Return the record for JSON: counts as decimal strings, probabilities as p/q, undefined values as null."""
        return {key: str(value) if key in _STRINGS else value for key, value in super().as_dict().items()}

    @property
    def ply(self) -> int:
        """The number of marks."""
        return self.position.ply

    @property
    def stabiliser(self) -> int:
        """The number of symmetries that keep the position."""
        return self.board.group().order // self.orbit


def of_playable(text: str) -> str:
    """Return a text about blank cells for rules under which not each of them is one move, such as gravity or wild."""
    return text.replace("more than one blank cell", "more than one move").replace("blank cell", "playable cell")


FRAME_KINDS = {"fork": "bool", "pattern": "other"}
"""What the columns of a data frame hold that may have no known value: none under misere, or before the last ply."""


@dataclass(frozen=True, repr=False)
class Record(ClassFacts):
    """The facts that the catalogue has about a class, or about one labelled board.

    `canonical` identifies the class. Cells refer to `position`; for a class the two are the same. In a catalogue with
    rules of play every fact but the marks is within the rules. `outcome` (absolute) and `remoteness` (plies to the end)
    are under best play. `threats` and `forks` map a player to the blank cells that complete a line, or on which a mark
    would create two threats; under misere they and `is_fork` are None. `ways` counts the paths to any board of the
    class, or to this labelled board; `finishes` the ways to finish the game from one board. In names, `by_choices`
    means that each distinct child class is one choice. `pattern` names a drawn full board, else it is None.
    """

    label: str
    outcome: Outcome
    remoteness: int
    moves: tuple[RecordMove, ...]
    decided: bool
    ways: int
    ways_by_choices: int
    finishes: int
    finishes_by_choices: int
    random_play: RandomPlay
    pattern: str | None
    predecessors: tuple[Position, ...]
    row_keys = (
        "position class=canonical ply orbit stabiliser to_move terminal=is_terminal outcome value remoteness label "
        f"decided fork=is_fork trap=is_trap best_moves {_COUNTS}"
    )
    keys = row_keys.replace("fork=", "threats forks fork=") + " random_play pattern predecessors moves"

    def __repr__(self) -> str:
        return f"<Record of {short(self.position)} on {short(self.board)}: {self.label}>"

    @property
    def is_fork(self) -> bool | None:
        """Whether the last mover has two or more threats."""
        return is_fork(self.position) if self.board.rules.has_threats else None

    @property
    def value(self) -> Value:
        """The outcome for the player to move."""
        return value_for(self.to_move, self.outcome)

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The cells of the best moves, in reading order; none in a finished game."""
        return tuple(sorted(cell for move in self.moves if move.best for cell in move.cells))

    @property
    def games(self) -> int:
        """Finished games through this position: ways to reach it times ways to finish."""
        return self.ways * self.finishes

    @property
    def games_by_choices(self) -> int:
        """Finished games through the class when games are paths of distinct choices."""
        return self.ways_by_choices * self.finishes_by_choices

    def turned(self, permutation: Permutation) -> Record:
        """Return the record of the image of this class under a symmetry, with the ways to this labelled board only."""

        board, canonical = self.board, self.canonical
        x, o = (mask_of(permutation[cell] for cell in cells_of(marks)) for marks in (canonical.x, canonical.o))
        turn = on_moves(board, permutation)
        moves = [replace(move, cells=moves_on(board, sorted(turn[cell] for cell in move.cells))) for move in self.moves]
        return replace(self, position=Position(board, x, o), ways=self.ways // self.orbit, moves=tuple(moves))

    def names(self, cells: Iterable[Cell]) -> list[str]:
        """Return the names of cells in reading order."""
        return [move_name(self.board, cell) for cell in sorted(cells)]

    def as_row(self) -> dict[str, Any]:
        """Return the record as a row of a table: counts as integers, moves as text.

        A probability is a float, with its exact numerator and denominator in columns of their own.
        """
        row = super().as_row()
        row["best_moves"] = " ".join(row["best_moves"])
        return row | self.random_play.as_row() | {"pattern": self.pattern}


def fraction_text(value: Fraction) -> str:
    """Return a fraction as text, always with its denominator."""
    return f"{value.numerator}/{value.denominator}"


# Selections: conditions on records, and the same in words.


@dataclass(frozen=True, init=False, repr=False)
class Selection:
    """Conditions on records by name; all must hold. Raises InputError for an unknown condition.

    `ply` is a number of marks. `terminal`: the game is over; `unfinished`: it is not; `drawn`: it is a draw.
    `decision`: unfinished, with more than one blank cell. `real_decision`: a decision in which neither side threatens
    to complete a line. `matchbox`: a decision with X to move, as in MENACE. `trap`: the side to move has a move that
    loses and another that does not. `fork`: the last mover has two or more threats. `symmetric`: a symmetry other than
    the identity keeps the position. `won` is a player, or `any` for either; `label` is one of LABELS, or
    another word for it: X control, O control, force tie, tie. `to_move` is
    implied by the marks, in finished games too.
    """

    conditions: FrozenDict[str, Any]
    """The given conditions, in the order of the reference; ply 0 counts."""

    def __init__(self, **given: Any) -> None:
        for name, value in given.items():
            if name not in _TESTS:
                raise InputError(f"unknown condition {shown(name)}: choose from {offered(name, list(_TESTS))}")
            if value is None:
                continue
            if name == "ply":
                integer("the ply", value)
            elif name == "label":
                given[name] = read_label(text_of(name, value))
                if given[name] is None:
                    raise InputError(f"unknown label {shown(value)}: use one of {offered(value, LABELS)}")
            elif name in _PLAYERS:
                if text_of(name, value) not in ("X", "O", *_PLAYERS[name]):
                    use = "X, O, or any for either" if _PLAYERS[name] else "X or O"
                    raise InputError(f"{name} {shown(value)} is not a player: use {use}")
            else:
                flag(name, value)
        named = ((name, given.get(name)) for name in _TESTS)
        found = FrozenDict((name, value) for name, value in named if value is not None and value is not False)
        object.__setattr__(self, "conditions", found)

    def __repr__(self) -> str:
        return f"Selection({', '.join(f'{name}={given!r}' for name, given in self.conditions.items())})"

    def as_dict(self) -> dict[str, object]:
        """Return the conditions that are given, for JSON."""
        return dict(self.conditions)

    def on(self, board: Board) -> Selection:
        """Return this selection. Raises InvalidQuestion if a condition has no meaning on the board."""
        ply = self.conditions.get("ply", 0)
        if not 0 <= ply <= board.cells:
            raise InputError(f"{board} has no ply {ply}: its plies are 0 to {board.cells}")
        for name in ("real_decision", "fork"):
            if not board.rules.has_threats and name in self.conditions:
                why = "a completed line loses" if board.rules.alternating else board.rules.places
                raise InvalidQuestion(f"{name.replace('_', ' ')} has no meaning on {board}, where {why}: remove it")
        return self

    def admits(self, record: ClassFacts) -> bool:
        """Return whether a record meets all conditions. Assumes that `on` has passed its board."""
        return all(_TESTS[name](record, given) for name, given in self.conditions.items())

    def words(self, board: Board, end: EndRule = "line") -> list[str]:
        """Return the conditions in words, in the order of the fields, for games under an end rule."""
        rules = board.rules
        words = _WORDS | (_DECIDED if end == "decided" else _MISERE if board.misere else {})
        words |= _FULL if end == "full" else {}
        if not rules.alternating and end == "line":
            words |= {"won": _WORDS["won"], "won by any": "won by either player"}
        if not rules.any_blank:
            words = {name: of_playable(text) for name, text in words.items()}

        return [
            words["won by any" if given == "any" else name].format(rules.named(str(given)), rules.players[given == "X"])
            for name, given in self.conditions.items()
        ]


def _decision(record: ClassFacts) -> bool:
    return not record.is_terminal and record.position.playable.bit_count() > 1


_PLAYERS = {"won": ("any",), "to_move": ()}
"""The conditions that name a player, and what else they take."""
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "ply": lambda record, ply: record.ply == ply,
    "terminal": lambda record, _: record.is_terminal,
    "unfinished": lambda record, _: not record.is_terminal,
    "won": lambda record, player: (
        record.is_terminal and record.outcome in (("X", "O") if player == "any" else (player,))
    ),
    "drawn": lambda record, _: record.is_terminal and record.outcome == "draw",
    "decision": lambda record, _: _decision(record),
    "real_decision": lambda record, _: _decision(record) and not any((record.threats or {}).values()),
    "to_move": lambda record, player: record.to_move == player,
    "label": lambda record, word: record.label == record.board.rules.named(word),
    "trap": lambda record, _: record.is_trap is True,
    "fork": lambda record, _: bool(record.is_fork),
    "symmetric": lambda record, _: record.stabiliser > 1,
    "matchbox": lambda record, _: _decision(record) and record.to_move == "X",
}

_WORDS = {
    "ply": "ply {0}",
    "terminal": "the game is over",
    "unfinished": "the game is not over",
    "won": "{0} has won",
    "won by any": "won: a line is completed",
    "drawn": "drawn: full, without a line",
    "decision": "a decision: unfinished, more than one blank cell",
    "real_decision": "a real decision: unfinished, more than one blank cell, no win to take or to block",
    "to_move": "{0}'s turn by the marks",
    "label": 'labelled "{0}"',
    "trap": "a trap: the side to move has a move that loses and another that does not",
    "fork": "a fork: the last mover has two or more threats",
    "symmetric": "symmetric: a turn or flip keeps it",
    "matchbox": "a matchbox, as in MENACE: unfinished, X to move, more than one blank cell",
}
_MISERE = {
    "won": "{0} has won, as {1} has completed a line",
    "won by any": "won: the other player has completed a line",
}
_FULL = {"won": "full: {0} has won, in any order", "won by any": "full: one player has lines"}
_DECIDED = {
    "won": "over: {0} has won, or wins however both play on",
    "won by any": "over: a player has won, or wins however both play on",
    "drawn": "over: drawn, or a draw however both play on",
}
