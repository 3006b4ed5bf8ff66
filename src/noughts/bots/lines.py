"""Lines of play with a player that is asked: every line that its answers allow, or games against replies at random.

By histories each sequence of moves is asked for itself. By positions each set of marks is asked once, told by the first
sequence that leads to it, and its answer stands for all sequences, whose number is carried along.
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
"""After so many answers that did not come, each of which costs its time limit or a new start, no more is asked."""
COSTLY = ("late", "ended", "garbled")
"""Kinds of answers that did not come."""
CONFIDENCE = 0.99
"""How sure an interval is: in so many of all samples, at least, it holds the chance."""
_REMEMBERED = 10_000
"""So many questions are remembered: the first, to which games come back."""
_NEGLIGIBLE = 1e-17
"""A part of a sum that changes no digit of it."""


@dataclass(frozen=True)
class FoulPlay:
    """What was no move: after which moves, of which kind (illegal, late, ended, garbled), and in words.

    `lines` is in how many lines it happens: 1, but for players that are asked once for each position.
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
    """A question that got two answers: after which moves, the cell played first and then, None for no move."""

    history: History
    first: Move | None
    then: Move | None
    said: str

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        return {"moves": for_json(self.history), **record(self, "first", "then", "said")}


class EarlierAnswers:
    """The answers to the first questions. `varies` is the first that came to something else, None where none did."""

    def __init__(self) -> None:
        self.varies: TwoAnswers | None = None
        self._answers: dict[History, Move | None] = {}

    def note(self, history: History, cell: Move | None, said: str = "") -> None:
        """Take note of an answer; where it is no move, cell is None and `said` tells what it was."""
        if len(self._answers) < _REMEMBERED:
            self._answers.setdefault(history, cell)
        first = self._answers.get(history, cell)
        if first != cell and self.varies is None:
            self.varies = TwoAnswers(history, first, cell, said if cell is None else f"it played {cell}")


class LineAsked:
    """What a player was asked in one role, and what its answers came to: ends of lines are seen from the player.

    `ends` counts lines by win, draw, loss and illegal, where it gave no move or none in time; `moves` in how many
    histories each move was made, by position. `kept` are some answers, drawn from all with the same chance for each.
    `broken_off` says that too many answers did not come, as many as `patience`; `earlier` takes note of all answers.
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
        self.kept: list[tuple[History, Move]] = []
        self.broken_off = False
        self._player, self._earlier, self._patience = player, earlier, patience
        self._keep, self._random = keep, Random(seed)
        self._answered = self._costly = 0

    def ask(self, position: Position, history: History, lines: int = 1) -> Move | None:
        """Return the answer, and take note of it; None where it is no move."""
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
        if len(self.kept) < self._keep:
            self.kept.append((history, cell))
        elif (at := self._random.randrange(self._answered)) < self._keep:
            self.kept[at] = (history, cell)
        return cell

    def finish(self, position: Position, history: History, lines: int = 1) -> None:
        """Take note of a finished game, which so many lines reach."""
        end = "draw" if position.outcome == "draw" else "win" if position.outcome == self.role else "loss"
        self.ends[end] += lines
        shortest = self.shortest_loss
        if end == "loss" and (shortest is None or (len(history), history) < (len(shortest), shortest)):
            self.shortest_loss = history


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


class _LineTurn(NamedTuple):
    """A position in which the player is to move, one history that leads to it, and the number of all that do."""

    position: Position
    history: History
    lines: int


def play_every_line(board: Board, asked: LineAsked, *, by_position: bool, progress: Progress = silent) -> None:
    """Play every line that the answers allow. Ends early where the asking is broken off."""
    start = _LineTurn(Position(board), (), 1)
    waiting = list(_played(start, start.position.moves(), asked)) if asked.role == "O" else [start]
    if by_position:
        while waiting and not asked.broken_off:
            waiting = _merged(_following(_merged(waiting), asked, progress))
        return
    waiting.reverse()
    while waiting and not asked.broken_off:
        waiting += list(_following([waiting.pop()], asked, progress))[::-1]


def _following(turns: list[_LineTurn], asked: LineAsked, progress: Progress) -> Iterator[_LineTurn]:
    """Yield the turns after an answer and any reply."""
    for turn in turns:
        if asked.broken_off:
            return
        cell = asked.ask(*turn)
        for each in _played(turn, () if cell is None else (cell,), asked):
            yield from _played(each, each.position.moves(), asked)
        progress(sum(asked.ends.values()), 0, "lines played")


def _played(turn: _LineTurn, cells: Iterable[Move], asked: LineAsked) -> Iterator[_LineTurn]:
    """Yield what follows some moves while the game goes on, and take note of games that are over."""
    for cell in cells:
        after = _LineTurn(turn.position.play(cell), (*turn.history, cell), turn.lines)
        if after.position.is_terminal:
            asked.finish(*after)
        else:
            yield after


def _merged(turns: Iterable[_LineTurn]) -> list[_LineTurn]:
    """Return the turns, those of one position as one."""
    found: dict[tuple[Mask, Mask], _LineTurn] = {}
    for turn in turns:
        key = (turn.position.x, turn.position.o)
        first = found.get(key)
        found[key] = turn if first is None else first._replace(lines=first.lines + turn.lines)
    return list(found.values())


def play_games(board: Board, asked: LineAsked, games: int, seed: str, progress: Progress = silent) -> None:
    """Play so many games against replies at random, each as likely as the others."""
    random = Random(seed)
    for number in range(games):
        if asked.broken_off:
            return
        at, history = Position(board), History()
        while not at.is_terminal:
            cell = asked.ask(at, history) if at.to_move == asked.role else random.choice(at.moves())
            if cell is None:
                break
            at, history = at.play(cell), (*history, cell)
        else:
            asked.finish(at, history)
        progress(number + 1, games, "games played")


@dataclass(frozen=True)
class Interval:
    """Between which bounds a chance lies, with the confidence CONFIDENCE, given how often something was seen."""

    low: float
    high: float

    def as_dict(self) -> dict[str, object]:
        """Return the bounds for JSON, with the confidence."""
        return {"low": self.low, "high": self.high, "confidence": CONFIDENCE, "method": "Clopper-Pearson"}


def clopper_pearson(seen: int, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934) for a chance seen so often.

    It holds the chance in at least that share of samples, whatever the chance: no approximation by a normal curve.
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
