"""The referee: holds the truth of one blindfold game, says who is to act, and answers calls by the rules.

Plain sets of cells and the board's lines, nothing shared with the engines, so that the judge can rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.rules import BlindRules
from noughts.domain.bits import Cell, cells_of, mask_of
from noughts.domain.board import Board

__all__ = ["Outcome", "Referee", "Truth"]

START = Answer("start")

Outcome = Literal["win", "draw", "loss"]
"""For the blind player."""


@dataclass(frozen=True)
class Truth:
    """What only the referee knows: both players' marks, the opponent's last move, whose act it is, the outcome.

    `known` are the cells that the blind player may not call (again): those called, and those told to be taken.
    `answer` is what the blind player is to hear before the next call.
    """

    own: frozenset[Cell] = frozenset()
    other: frozenset[Cell] = frozenset()
    known: frozenset[Cell] = frozenset()
    last: Cell | None = None
    blind_to_act: bool = True
    outcome: Outcome | None = None
    answer: Answer = START


class Referee:
    """The rules of blindfold play on one board, as moves from truth to truth."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board = board
        self.rules = rules
        self.lines = tuple(frozenset(line) for line in board.lines)
        self.cells = frozenset(range(board.cells))

    def start(self, opening: Cell | None = None) -> Truth:
        """Return the empty board, X to act; or the board after X's opening, against a blind O."""
        first = Truth(blind_to_act=self.rules.blind == "X")
        return first if opening is None else self.reply(first, opening)

    def blanks(self, truth: Truth) -> list[Cell]:
        """Return the blank cells, in reading order."""
        return sorted(self.cells - truth.own - truth.other)

    def _over(self, own: frozenset[Cell], other: frozenset[Cell], marks: frozenset[Cell]) -> Outcome | None:
        if any(line <= marks for line in self.lines):
            return "win" if (marks is own) != self.board.misere else "loss"
        return "draw" if len(own) + len(other) == len(self.cells) else None

    def call(self, truth: Truth, cell: Cell) -> Truth:
        """Return the truth after the blind player calls a cell not yet called: placed or a collision."""
        known = truth.known | {cell}
        if cell in truth.other:
            answer = Answer("next") if self.rules.told == "nothing" else Answer("taken", self._told(truth))
            known |= frozenset(cells_of(answer.told))
            return replace(truth, known=known, answer=answer, blind_to_act=not self.rules.loses_turn)
        own = truth.own | {cell}
        answer = Answer("next" if self.rules.told == "nothing" else "free")
        over = self._over(own, truth.other, own)
        return replace(truth, own=own, known=known, answer=answer, blind_to_act=False, outcome=over)

    def _told(self, truth: Truth) -> int:
        if self.rules.told == "all":
            return mask_of(truth.other)
        if self.rules.told == "last-move" and truth.last is not None:
            return 1 << truth.last
        return 0

    def reply(self, truth: Truth, cell: Cell) -> Truth:
        """Return the truth after the opponent marks a blank cell."""
        other = truth.other | {cell}
        answer, known = truth.answer, truth.known
        if not truth.other and self.rules.opening_told:
            answer, known = Answer("opening", 1 << cell), known | {cell}
        over = self._over(truth.own, other, other)
        return replace(truth, other=other, known=known, last=cell, blind_to_act=True, outcome=over, answer=answer)
