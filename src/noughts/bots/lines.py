"""What a player's answers came to: how the lines end, the shortest loss, what was no move, which moves were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from noughts.analysis.policies.programs import Foul
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board, require_playable
from noughts.rules.cells import cell_name
from noughts.rules.game import layer_bounds
from noughts.rules.marks import Cell, Mask, Player, cells_of
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict

ENDS = ("win", "draw", "loss", "illegal")
"""How a line can end, seen from the player: `illegal` where it gave no move, or none in time."""

History = tuple[Cell, ...]


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


class Score:
    """How the lines of one side ended so far. `role` is what the player plays, X or O."""

    def __init__(self, role: Player) -> None:
        self.role = role
        self.asked = 0
        self.fouls: list[FoulPlay] = []
        self.shortest_loss: History | None = None
        self.moves: dict[tuple[Mask, Mask, Cell], int] = {}
        """In how many histories each move was made, by position."""
        self._ends = dict.fromkeys(ENDS, 0)

    @property
    def ends(self) -> FrozenDict[str, int]:
        """The number of lines by how they ended."""
        return FrozenDict(self._ends)

    @property
    def lines(self) -> int:
        """The number of lines that have ended."""
        return sum(self._ends.values())

    def finish(self, position: Position, history: History, lines: int) -> None:
        """Take note of a finished game, which so many lines reach."""
        outcome = position.outcome
        end = "draw" if outcome == "draw" else "win" if outcome == self.role else "loss"
        self._ends[end] += lines
        if end == "loss" and (self.shortest_loss is None or _length(history) < _length(self.shortest_loss)):
            self.shortest_loss = history

    def foul(self, position: Position, history: History, kind: str, said: str, lines: int) -> None:
        """Take note that so many lines end with what is no move."""
        self._ends["illegal"] += lines
        self.fouls.append(FoulPlay(position, history, kind, said, lines))

    def note(self, position: Position, cell: Cell, lines: int) -> None:
        """Take note of a move."""
        key = (position.x, position.o, cell)
        self.moves[key] = self.moves.get(key, 0) + lines


def _length(history: History) -> tuple[int, History]:
    return len(history), history


# What a player answered when it was asked the same before: the first question that came to something else.

_MOST = 10_000
"""So many questions are remembered: the first, to which games come back."""


class TwoAnswers(NamedTuple):
    """A question that got two answers: after which moves, the cell played first and then, None for no move."""

    history: History
    first: Cell | None
    then: Cell | None
    said: str


class EarlierAnswers:
    """The answers to the first questions. `varies` is the first that came to something else, None where none did."""

    def __init__(self, board: Board) -> None:
        self.varies: TwoAnswers | None = None
        self._board = board
        self._answers: dict[History, Cell | None] = {}

    def note(self, history: History, cell: Cell | None, said: str = "") -> None:
        """Take note of an answer; where it is no move, cell is None and `said` tells what it was."""
        if len(self._answers) < _MOST:
            self._answers.setdefault(history, cell)
        first = self._answers.get(history, cell)
        if first != cell and self.varies is None:
            then = said if cell is None else f"it played {cell_name(self._board, cell)}"
            self.varies = TwoAnswers(history, first, cell, then)


# Every line that a player's answers allow: it is asked, and against its answer every reply is tried.
#
# By histories each sequence of moves is asked for itself. By positions each set of marks is asked once, told by the
# first sequence that leads to it, and its answer stands for all sequences, whose number is carried along.

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


# Games against replies at random, and what they say about all games: Clopper-Pearson intervals, which are exact.

CONFIDENCE = 0.99
"""How sure an interval is: in so many of all samples, at least, it holds the chance."""


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
    from scipy.special import betaincinv

    rest = (1 - confidence) / 2
    low = 0.0 if seen == 0 else float(betaincinv(seen, games - seen + 1, rest))
    high = 1.0 if seen == games else float(betaincinv(seen + 1, games - seen, 1 - rest))
    return Interval(low, high)


def play_games(
    board: Board, score: Score, questions: Questions, games: int, seed: str, progress: Progress = silent
) -> None:
    """Play so many games against replies at random, each as likely as the others, and take note in `score`."""
    random = Random(seed)
    for number in range(games):
        if questions.broken_off:
            return
        at: Position = Position(board)
        history: History = ()
        while not at.is_terminal:
            if at.to_move == score.role:
                cell = questions.ask(score, at, history)
                if cell is None:
                    break
            else:
                cell = random.choice(at.moves())
            at, history = at.play(cell), (*history, cell)
        else:
            score.finish(at, history, 1)
        progress(number + 1, games, "games played")
