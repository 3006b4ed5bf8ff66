"""Every line that a player's answers allow: it is asked, and against its answer every reply is tried.

By histories each sequence of moves is asked for itself. By positions each set of marks is asked once, told by the first
sequence that leads to it, and its answer stands for all sequences, whose number is carried along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Protocol

from noughts.bots.referee.earlier import EarlierAnswers
from noughts.bots.referee.score import History, Score
from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.extent import layer_bounds
from noughts.domain.position import Player, Position
from noughts.domain.sizes import require_playable
from noughts.machine.progress import Progress, silent
from noughts.strategy.external import Foul

__all__ = ["BROKEN_OFF", "COSTLY", "AskedPlayer", "Questions", "most_questions", "play_every_line"]

BROKEN_OFF = 10
"""After so many answers that did not come, each of which costs its time limit or a new start, no more is asked."""
COSTLY = ("late", "ended", "garbled")
"""Kinds of answers that did not come."""


class AskedPlayer(Protocol):
    """A player that is asked for moves."""

    def reply(self, moves: History) -> Cell:
        """Return the move after these. Raises Foul."""

    def restart(self) -> None:
        """Begin anew, as if nothing had been asked."""


class Questions:
    """What a player was asked, and some of its answers, drawn from all with the same chance for each.

    `broken_off` says that too many answers did not come, as many as `patience`; `earlier` is told all of them.
    """

    def __init__(
        self, player: AskedPlayer, earlier: EarlierAnswers, keep: int, seed: str, patience: int = BROKEN_OFF
    ) -> None:
        self.player = player
        self.kept: list[tuple[History, Cell]] = []
        self.broken_off = False
        self._earlier, self._patience = earlier, patience
        self._keep, self._random = keep, Random(seed)
        self._answered = self._costly = 0

    def ask(self, score: Score, position: Position, history: History, lines: int = 1) -> Cell | None:
        """Return the answer, and take note of it; None where it is no move."""
        score.asked += 1
        try:
            cell = self.player.reply(history)
        except Foul as foul:
            score.foul(position, history, foul.kind, str(foul), lines)
            self._earlier.note(history, None, str(foul))
            self._costly += foul.kind in COSTLY
            self.broken_off = self._costly >= self._patience
            return None
        score.note(position, cell, lines)
        self._earlier.note(history, cell)
        self._answered += 1
        if len(self.kept) < self._keep:
            self.kept.append((history, cell))
        elif (at := self._random.randrange(self._answered)) < self._keep:
            self.kept[at] = (history, cell)
        return cell


@dataclass(frozen=True)
class _Turn:
    """A position in which the player is to move, one history that leads to it, and the number of all that do."""

    position: Position
    history: History
    lines: int


def most_questions(board: Board, role: Player, *, by_position: bool) -> int:
    """Return at most how many questions a player is asked that answers each in one way, as if no line ended a game.

    It has but one move at each turn, so that only replies multiply.
    """
    require_playable(board)
    positions = layer_bounds(Position(board), 1)
    histories = 1 if role == "X" else board.cells
    total = 0
    for ply in range(0 if role == "X" else 1, board.cells, 2):
        total += min(histories, positions[ply]) if by_position else histories
        histories *= board.cells - ply - 1
    return total


def play_every_line(
    board: Board, score: Score, questions: Questions, *, by_position: bool, progress: Progress = silent
) -> None:
    """Play every line that the answers allow, and take note in `score`. Ends early where `questions` are broken off."""
    start = _Turn(Position(board), (), 1)
    layer = _replies(start, score) if score.role == "O" else _unfinished(start, score)
    if not by_position:
        _by_histories(list(layer)[::-1], score, questions, progress)
        return
    waiting = _merged(layer)
    while waiting and not questions.broken_off:
        waiting = _merged(_after(waiting, score, questions, progress))


def _by_histories(stack: list[_Turn], score: Score, questions: Questions, progress: Progress) -> None:
    while stack and not questions.broken_off:
        stack.extend(list(_after([stack.pop()], score, questions, progress))[::-1])


def _after(turns: list[_Turn], score: Score, questions: Questions, progress: Progress) -> Iterator[_Turn]:
    """Yield the turns after an answer and any reply."""
    for turn in turns:
        if questions.broken_off:
            return
        cell = questions.ask(score, turn.position, turn.history, turn.lines)
        if cell is not None:
            made = _Turn(turn.position.play(cell), (*turn.history, cell), turn.lines)
            for each in _unfinished(made, score):
                yield from _replies(each, score)
        progress(score.lines, 0, "lines played")


def _replies(turn: _Turn, score: Score) -> Iterator[_Turn]:
    for cell in cells_of(turn.position.blanks):
        yield from _unfinished(_Turn(turn.position.play(cell), (*turn.history, cell), turn.lines), score)


def _unfinished(turn: _Turn, score: Score) -> Iterator[_Turn]:
    """Yield the turn, unless its game is over."""
    if turn.position.is_terminal:
        score.finish(turn.position, turn.history, turn.lines)
    else:
        yield turn


def _merged(turns: Iterator[_Turn]) -> list[_Turn]:
    """Return the turns, those of one position as one."""
    found: dict[tuple[Mask, Mask], _Turn] = {}
    for turn in turns:
        key = (turn.position.x, turn.position.o)
        if key in found:
            first = found[key]
            turn = _Turn(first.position, first.history, first.lines + turn.lines)
        found[key] = turn
    return list(found.values())
