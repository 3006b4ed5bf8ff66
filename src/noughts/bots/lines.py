"""Lines of play with a program: every line that its answers allow, or games against random replies.

By histories each sequence of moves is a question. By positions each set of marks is one question, given by the first
sequence that leads to it. Its answer counts for all sequences to that position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import comb, exp, log, log1p
from random import Random
from typing import NamedTuple

from noughts.analysis.policies.programs import ExternalPlayer, Foul
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board, require_playable
from noughts.rules.cells import Move
from noughts.rules.game import layer_bounds
from noughts.rules.marks import Mask, Player
from noughts.rules.position import Position
from noughts.rules.values import for_json, record

History = tuple[Move, ...]
BROKEN_OFF = 10
"""After so many missing answers, each of which costs its time limit or a new start, the trial stops."""
COSTLY = ("late", "ended", "garbled")
"""Kinds of missing answers."""
CONFIDENCE = 0.99
"""The confidence of an interval: at least this share of all samples gives one that contains the chance."""
_REMEMBERED = 10_000
"""So many questions are stored: the first ones, which games repeat."""
_NEGLIGIBLE = 1e-17
"""A part of a sum that changes no digit of it."""


@dataclass(frozen=True)
class FoulPlay:
    """A foul: the moves before it, its kind (illegal, late, ended, garbled), and a description.

    `lines` is the number of lines with this foul: 1, unless each position is one question.
    """

    position: Position
    history: History
    kind: str
    said: str
    lines: int

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        moves = {"position": str(self.position), "moves": for_json(self.history)}
        return {**moves, **record(self, "kind", "said", "lines")}


class TwoAnswers(NamedTuple):
    """A question with two different answers: the moves, and both cells, None for a foul."""

    history: History
    first: Move | None
    then: Move | None
    said: str

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        return {"moves": for_json(self.history), **record(self, "first", "then", "said")}


class EarlierAnswers:
    """The answers to the first questions. `varies` is the first question with two different answers, or None."""

    def __init__(self) -> None:
        self.varies: TwoAnswers | None = None
        self._answers: dict[History, Move | None] = {}

    def note(self, history: History, cell: Move | None, text: str = "") -> None:
        """Store an answer. For a foul, `cell` is None and `text` describes it."""
        if len(self._answers) < _REMEMBERED:
            self._answers.setdefault(history, cell)
        first = self._answers.get(history, cell)
        if first != cell and self.varies is None:
            self.varies = TwoAnswers(history, first, cell, text if cell is None else f"it played {cell}")


class LineRecord:
    """The questions to a player in one role and the results of its answers, from the player's viewpoint.

    `ends` counts lines by win, draw, loss and illegal (a foul). `moves` counts the histories with each move, by
    position. `answers` is a random sample of all answers. `broken_off` means that `patience` answers did not come;
    `earlier` stores all answers.
    """

    def __init__(
        self,
        player: ExternalPlayer,
        role: Player,
        earlier: EarlierAnswers,
        keep: int,
        seed: str,
        patience: int = BROKEN_OFF,
    ) -> None:
        self.role = role
        self.questions = 0
        self.ends = dict.fromkeys(("win", "draw", "loss", "illegal"), 0)
        self.fouls: list[FoulPlay] = []
        self.shortest_loss: History | None = None
        self.moves: Counter[tuple[Mask, Mask, Move]] = Counter()
        self.answers: list[tuple[History, Move]] = []
        self.broken_off = False
        self._player, self._earlier, self._patience = player, earlier, patience
        self._keep, self._random = keep, Random(seed)
        self._answered = self._costly = 0

    def ask(self, position: Position, history: History, lines: int = 1) -> Move | None:
        """Return and store the answer; None for a foul."""
        self.questions += 1
        try:
            cell = Move(position.board, self._player.reply(history))
        except Foul as foul:
            self.ends["illegal"] += lines
            self.fouls.append(FoulPlay(position, history, foul.kind, str(foul), lines))
            self._earlier.note(history, None, str(foul))
            self._costly += foul.kind in COSTLY
            self.broken_off = self._costly >= self._patience
            return None
        self.moves[position.x, position.o, cell] += lines
        self._earlier.note(history, cell)
        self._answered += 1
        if len(self.answers) < self._keep:
            self.answers.append((history, cell))
        elif (at := self._random.randrange(self._answered)) < self._keep:
            self.answers[at] = (history, cell)
        return cell

    def finish(self, position: Position, history: History, lines: int = 1) -> None:
        """Count a finished game, which so many lines reach."""
        end = "draw" if position.outcome == "draw" else "win" if position.outcome == self.role else "loss"
        self.ends[end] += lines
        shortest = self.shortest_loss
        if end == "loss" and (shortest is None or (len(history), history) < (len(shortest), shortest)):
            self.shortest_loss = history


def most_questions(board: Board, role: Player, *, by_position: bool) -> int:
    """Return an upper bound on the questions to a player with one answer to each, as if lines did not end games.

    The player has one move at each turn, so only replies multiply.
    """
    require_playable(board)
    positions, marks = layer_bounds(Position(board), 1), 2 if board.rules.chooses_mark else 1
    histories, total = 1 if role == "X" else board.move_count, 0
    for ply in range(role == "O", board.cells, 2):
        total += min(histories, positions[ply]) if by_position else histories
        histories *= marks * (board.cells - ply - 1)
    return total


class _LineTurn(NamedTuple):
    """A position in which the player is to move, one history that leads to it, and the number of all that do."""

    position: Position
    history: History
    lines: int


def play_every_line(board: Board, trial: LineRecord, *, by_position: bool, progress: Progress = silent) -> None:
    """Play every line that the answers allow. Stops early if the trial is broken off."""
    start = _LineTurn(Position(board), (), 1)
    waiting = list(_played(start, start.position.moves(), trial)) if trial.role == "O" else [start]
    if by_position:
        while waiting and not trial.broken_off:
            waiting = _merged(_following(_merged(waiting), trial, progress))
        return
    waiting.reverse()
    while waiting and not trial.broken_off:
        waiting += list(_following([waiting.pop()], trial, progress))[::-1]


def _following(turns: list[_LineTurn], trial: LineRecord, progress: Progress) -> Iterator[_LineTurn]:
    """Yield the turns after an answer and any reply."""
    for turn in turns:
        if trial.broken_off:
            return
        cell = trial.ask(*turn)
        for each in _played(turn, () if cell is None else (cell,), trial):
            yield from _played(each, each.position.moves(), trial)
        progress(sum(trial.ends.values()), 0, "lines played")


def _played(turn: _LineTurn, cells: Iterable[Move], trial: LineRecord) -> Iterator[_LineTurn]:
    """Yield the unfinished turns after some moves, and count the finished games."""
    for cell in cells:
        after = _LineTurn(turn.position.play(cell), (*turn.history, cell), turn.lines)
        if after.position.is_terminal:
            trial.finish(*after)
        else:
            yield after


def _merged(turns: Iterable[_LineTurn]) -> list[_LineTurn]:
    """Return the turns with those of one position merged."""
    first, lines = dict[tuple[Mask, Mask], _LineTurn](), Counter[tuple[Mask, Mask]]()
    for turn in turns:
        lines[turn.position.x, turn.position.o] += turn.lines
        first.setdefault((turn.position.x, turn.position.o), turn)
    return [turn._replace(lines=lines[key]) for key, turn in first.items()]


def play_games(board: Board, trial: LineRecord, games: int, seed: str, progress: Progress = silent) -> None:
    """Play so many games against random replies, each equally likely."""
    random = Random(seed)
    for number in range(games):
        if trial.broken_off:
            return
        at, history = Position(board), History()
        while not at.is_terminal:
            cell = trial.ask(at, history) if at.to_move == trial.role else random.choice(at.moves())
            if cell is None:
                break
            at, history = at.play(cell), (*history, cell)
        else:
            trial.finish(at, history)
        progress(number + 1, games, "games played")


@dataclass(frozen=True)
class Interval:
    """The bounds of a chance, with the confidence CONFIDENCE, from the results of games."""

    low: float
    high: float

    def as_dict(self) -> dict[str, object]:
        """Return the bounds for JSON, with the confidence."""
        return {"low": self.low, "high": self.high, "confidence": CONFIDENCE, "method": "Clopper-Pearson"}


def clopper_pearson(seen: int, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934) for a chance seen so often.

    It contains the chance in at least that share of samples, for any chance, without a normal approximation.
    """
    rest = (1 - confidence) / 2
    return Interval(_least_chance(seen, games, rest), 1 - _least_chance(games - seen, games, rest))


def _least_chance(seen: int, games: int, share: float) -> float:
    """Return the chance with which something is seen at least so often in that share of samples, by bisection."""
    if not seen:
        return 0.0
    ways = log(comb(games, seen))
    low, high = 0.0, seen / games
    while low < (chance := (low + high) / 2) < high:
        term = total = exp(ways + seen * log(chance) + (games - seen) * log1p(-chance))
        for number in range(seen, games):
            term *= (games - number) / (number + 1) * chance / (1 - chance)
            total += term
            if term < total * _NEGLIGIBLE:
                break
        low, high = (chance, high) if total < share else (low, chance)
    return low
