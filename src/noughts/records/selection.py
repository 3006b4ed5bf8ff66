"""Which records are asked for: conditions that combine, and the selection in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Literal

from noughts.domain.arguments import flag, integer, text_of
from noughts.domain.board import Board
from noughts.domain.errors import InputError, InvalidQuestion, shown
from noughts.domain.position import Player, opponent
from noughts.domain.rules import EndRule
from noughts.domain.spelling import offered
from noughts.records.record import Record
from noughts.strategy.labels import LABELS

__all__ = ["Selection"]


@dataclass(frozen=True, repr=False)
class Selection:
    """Conditions on records; all that are given must hold. Raises InputError for values that do not exist.

    `decision`: unfinished, more than one blank. `real_decision`: a decision in which neither side threatens to complete
    a line, so that there is no win to take or to block. `matchbox`: a decision with X to move, as in MENACE. `trap`:
    the side to move has a move that loses and another that does not. `fork`: the last mover has two or more threats.
    `symmetric`: some symmetry besides the identity keeps the position. `won` is a player, or `any` for either.
    `to_move` goes by the marks, finished games included.
    """

    ply: int | None = None
    terminal: bool = False
    unfinished: bool = False
    won: Player | Literal["any"] | None = None
    drawn: bool = False
    decision: bool = False
    real_decision: bool = False
    to_move: Player | None = None
    label: str | None = None
    trap: bool = False
    fork: bool = False
    symmetric: bool = False
    matchbox: bool = False

    @classmethod
    def of(cls, conditions: dict[str, Any]) -> Selection:
        """Return the selection with these conditions. Raises InputError for one that does not exist."""
        names = [field.name for field in fields(cls)]
        for name in conditions.keys() - set(names):
            raise InputError(f"there is no condition {shown(name)}: choose from {offered(name, names)}")
        return cls(**conditions)

    def __repr__(self) -> str:
        return f"Selection({', '.join(f'{name}={given!r}' for name, given in self.conditions.items())})"

    def as_dict(self) -> dict[str, object]:
        """Return the conditions that are given, for JSON."""
        return dict(self.conditions)

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.type == "bool":
                flag(field.name, getattr(self, field.name))
        if self.ply is not None:
            integer("the ply", self.ply)
        for name in ("won", "to_move", "label"):
            if getattr(self, name) is not None:
                text_of(name, getattr(self, name))
        if self.won not in (None, "X", "O", "any"):
            raise InputError(f"won {shown(str(self.won))} is no player: use X, O, or any for either")
        if self.to_move not in (None, "X", "O"):
            raise InputError(f"to_move {shown(str(self.to_move))} is no player: use X or O")
        if self.label is not None and self.label not in LABELS:
            raise InputError(f"there is no label {shown(self.label)}: use one of {offered(self.label, LABELS)}")

    def on(self, board: Board) -> Selection:
        """Return this selection, or raise InvalidQuestion where a condition has no meaning on the board."""
        if self.ply is not None and not 0 <= self.ply <= board.cells:
            raise InputError(f"{board} has no ply {self.ply}: its plies are 0 to {board.cells}")
        for name in ("real_decision", "fork"):
            if board.misere and getattr(self, name):
                raise InvalidQuestion(
                    f"{name.replace('_', ' ')} has no meaning on {board}, where a completed line loses: leave it out"
                )
        return self

    @property
    def is_empty(self) -> bool:
        """Whether everything is admitted."""
        return not self.conditions

    @property
    def conditions(self) -> dict[str, Any]:
        """The conditions that are given, by name; ply 0 is one."""
        everything = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: given for name, given in everything.items() if given is not None and given is not False}

    def admits(self, record: Record) -> bool:
        """Return whether a record meets all conditions. Assumes that `on` has passed its board."""
        return all(_TESTS[name](record, given) for name, given in self.conditions.items())

    def words(self, board: Board, end: EndRule = "line") -> list[str]:
        """Return the conditions in words, in the order of the fields, where games end by a rule."""
        if end == "decided":
            return [(_WORDS | _DECIDED)[name].format(given) for name, given in self._said.items()]
        return [
            _won(board.misere, given) if name == "won" else _WORDS[name].format(given)
            for name, given in self.conditions.items()
        ]

    @property
    def _said(self) -> dict[str, Any]:
        """The conditions, for `won` who that can be."""
        return self.conditions | ({"won": "somebody"} if self.won == "any" else {})


def _decision(record: Record) -> bool:
    return not record.is_terminal and record.position.blanks.bit_count() > 1


def _real_decision(record: Record) -> bool:
    return _decision(record) and record.threats is not None and not any(record.threats.values())


_TESTS: dict[str, Callable[[Record, Any], bool]] = {
    "ply": lambda record, ply: record.ply == ply,
    "terminal": lambda record, _: record.is_terminal,
    "unfinished": lambda record, _: not record.is_terminal,
    "won": lambda record, player: (
        record.is_terminal and record.outcome in (("X", "O") if player == "any" else (player,))
    ),
    "drawn": lambda record, _: record.is_terminal and record.outcome == "draw",
    "decision": lambda record, _: _decision(record),
    "real_decision": lambda record, _: _real_decision(record),
    "to_move": lambda record, player: record.to_move == player,
    "label": lambda record, word: record.label == word,
    "trap": lambda record, _: record.is_trap,
    "fork": lambda record, _: bool(record.is_fork),
    "symmetric": lambda record, _: record.stabiliser > 1,
    "matchbox": lambda record, _: _decision(record) and record.to_move == "X",
}

_WORDS = {
    "ply": "ply {0}",
    "terminal": "the game is over",
    "unfinished": "play goes on",
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
_DECIDED = {
    "won": "over, and {0} has won or wins however both play on",
    "drawn": "over, and drawn or a draw however both play on",
}


def _won(misere: bool, player: Player | Literal["any"]) -> str:
    """Return who has won in words, and under misere by what."""
    if player == "any":
        return "won: the other player has completed a line" if misere else "won: a line is completed"
    return f"{player} has won" + (f", as {opponent(player)} has completed a line" if misere else "")
