"""Is my program correct? The results of a program on every line that its answers allow."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import cast

from noughts.analysis.policies.programs import MOVE_SECONDS, START_SECONDS, ExternalPlayer, Foul, command_of
from noughts.analysis.solutions import Outcomes
from noughts.bots.lines import (
    EarlierAnswers,
    FoulPlay,
    History,
    Interval,
    LineRecord,
    TwoAnswers,
    clopper_pearson,
    most_questions,
    play_every_line,
    play_games,
)
from noughts.machine.budget import format_duration, seconds_of
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, one_of, whole_number
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import BudgetError, CheckError, InputError
from noughts.rules.marks import Mask, Outcome, Player
from noughts.rules.position import Position
from noughts.rules.values import Reported, for_json, record, roughly, short
from noughts.solving.search import SearchSolution
from noughts.solving.values import Value

_WORTH: dict[Value, int] = {"loss": 0, "draw": 1, "win": 2}


@dataclass(frozen=True)
class Blunder:
    """A move that makes the value under best play worse for its player; values are the player's.

    `better` are all moves that keep the value. `lines` counts the sequences of moves in which it was made.
    """

    position: Position
    move: Move
    before: Value
    after: Value
    better: tuple[Move, ...]
    lines: int

    def as_dict(self) -> dict[str, object]:
        """Return the blunder for JSON, cells by name."""
        return {**record(self, "position", "move", "before", "after", "better"), "met": self.lines}


def _blunders_of(
    board: Board, role: Player, moves: Mapping[tuple[Mask, Mask, Move], int]
) -> tuple[Blunder, ...] | None:
    """Return the blunders among moves, the earliest first; None if the board cannot be valued."""
    outcomes = Outcomes(Position(board))
    try:
        if isinstance(outcomes.solution, SearchSolution):
            return None  # it values one position at a time, and here there are many
    except BudgetError:
        return None
    known: dict[tuple[Mask, Mask], Outcome] = {}

    def value(position: Position) -> Value:
        key = (position.x, position.o)
        if key not in known:
            known[key] = outcomes.outcome(position)
        return "draw" if known[key] == "draw" else "win" if known[key] == role else "loss"

    found = []
    for (x, o, cell), lines in sorted(moves.items(), key=lambda item: ((item[0][0] | item[0][1]).bit_count(), item)):
        position = Position(board, x, o)
        before, after = value(position), value(position.play(cell))
        if _WORTH[after] < _WORTH[before]:
            better = tuple(each for each in position.moves() if value(position.play(each)) == before)
            found.append(Blunder(position, cell, before, after, better, lines))
    return tuple(found)


class _Ends:
    """The ends of lines, or of games where its answers vary, from the program's viewpoint."""

    wins: int
    draws: int
    losses: int
    illegal: int

    @property
    def lines(self) -> int:
        """The number of lines, or of games."""
        return self.wins + self.draws + self.losses + self.illegal


@dataclass(frozen=True)
class SideTrial(_Ends):
    """The results of a program as X or as O. Ends are counted in lines, from the program's viewpoint.

    `illegal` counts the lines that ended with a foul, `fouls` lists them. `games` is the number of games against random
    replies, None if every line was played. `two_answers` is a question that got another answer when repeated, or None.
    `blunders` is None if the board cannot be valued. `complete` means that the trial was not broken off. `walked` has
    the results of every line if an answer varied only afterwards, else None. `questions` and `fouls` belong to the
    counted lines or games, `first_questions` and `first_fouls` to the few games before. `asked_again` questions were
    repeated, and `asked` is the number of all questions.
    """

    role: Player
    wins: int
    draws: int
    losses: int
    illegal: int
    questions: int
    shortest_loss: History | None
    fouls: tuple[FoulPlay, ...]
    blunders: tuple[Blunder, ...] | None
    two_answers: TwoAnswers | None
    games: int | None
    complete: bool
    asked_again: int
    walked: SideTrial | None = None
    first_questions: int = 0
    first_fouls: tuple[FoulPlay, ...] = ()
    asked: int = 0

    @property
    def consistent(self) -> bool:
        """Whether every repeated question got the same answer."""
        return self.two_answers is None

    @property
    def known_consistent(self) -> bool | None:
        """Whether repeated questions got the same answers; None if none was repeated."""
        return None if self.consistent and not self.asked_again else self.consistent

    @property
    def erred_again(self) -> bool:
        """Whether a repeated question got a foul."""
        return self.two_answers is not None and self.two_answers.then is None

    @property
    def moves_made(self) -> int:
        """How many of its answers were moves."""
        return self.questions - len(self.fouls)

    @property
    def every_foul(self) -> tuple[FoulPlay, ...]:
        """The fouls of the first games, of `walked`, and of the counted lines or games."""
        return (*self.first_fouls, *(() if self.walked is None else self.walked.fouls), *self.fouls)

    @property
    def passed(self) -> bool:
        """Whether it had neither a loss nor a foul in anything that was played or repeated."""
        clean = not self.losses and not self.illegal and not self.erred_again and not self.first_fouls
        return clean and (self.walked is None or self.walked.passed)

    @property
    def chance_of_loss(self) -> Interval | None:
        """The bounds of its chance of a loss or a foul against random replies; None if every line was played."""
        return None if self.games is None or not self.lines else clopper_pearson(self.losses + self.illegal, self.lines)

    def as_dict(self) -> dict[str, object]:
        """Return the side for JSON."""
        return {
            **record(self, "lines", "wins", "draws", "losses", "illegal", "shortest_loss"),
            "consistent": self.known_consistent,
            **record(self, "asked_again", "complete", "questions", "games"),
            "chance_not_to_pass": for_json(self.chance_of_loss),
            "two_answers": self.two_answers and self.two_answers.as_dict(),
            **record(self, "walked", "asked", "first_questions", "first_fouls", "fouls", "blunders"),
        }


@dataclass(frozen=True, repr=False)
class Trial(_Ends, Reported):
    """The results of a program on a board. `same` says whether histories or positions are the questions.

    `wins`, `draws`, `losses` and `illegal` (the lines that end with a foul) count the lines of both sides.
    """

    board: Board
    command: tuple[str, ...]
    name: str
    author: str
    same: str
    seed: int
    move_seconds: float
    sides: tuple[SideTrial, ...]
    wins: int
    draws: int
    losses: int
    illegal: int

    def __repr__(self) -> str:
        return (
            f"<Trial of {short(self.title, 30)} on {short(self.board)}: {self.lines:,} lines, {self.wins:,} won, "
            f"{self.draws:,} drawn, {self.losses:,} lost, {self.illegal:,} illegal>"
        )

    @property
    def title(self) -> str:
        """The name that the program gave, else its command."""
        return self.name or shlex.join(self.command)

    @property
    def shortest_loss(self) -> History | None:
        """The moves of a shortest loss among all that was played, lines or games; None without losses."""
        sides = [*self.sides, *(side.walked for side in self.sides if side.walked is not None)]
        found = [side.shortest_loss for side in sides if side.shortest_loss is not None]
        return min(found, key=lambda moves: (len(moves), moves), default=None)

    @property
    def consistent(self) -> bool:
        """Whether every repeated question got the same answer."""
        return all(side.consistent for side in self.sides)

    @property
    def passed(self) -> bool:
        """Whether the program had neither a loss nor a foul in anything that was played or repeated."""
        return all(side.passed for side in self.sides)

    def as_dict(self) -> dict[str, object]:
        """Return the trial for JSON: both sides together, then each, from the program's viewpoint."""
        known = any(side.known_consistent is not None for side in self.sides)
        return {
            "board": self.board.spec,
            "program": self.title,
            **record(self, "author", "command"),
            "as": self.sides[0].role if len(self.sides) == 1 else "both",
            **record(self, "lines", "wins", "draws", "losses", "illegal", "shortest_loss"),
            "consistent": self.consistent if known else None,
            **record(self, "passed", "same", "seed", "move_seconds"),
            "sides": {side.role: side.as_dict() for side in self.sides},
        }


ROLES = ("both", "X", "O")
SAME = ("history", "position")
MOST_QUESTIONS = 4_000_000
"""The default limit on questions; games that end early need far fewer."""
_A_SECOND = 7000
"""Questions that a quick program answers in a second."""
_AGAIN = 200
"""The number of repeated questions of each side."""
GAMES = 1000
"""The number of games of each side if its answers vary."""
_FIRST_GAMES = 4
"""Games whose questions are asked twice before all others, so that varying answers show at once."""
_MANY = 40
"""If more questions are repeated, the program is started again half way."""


def referee(
    board: Board | str,
    command: str | Sequence[str],
    *,
    as_: str = "both",
    move_time: float | str = MOVE_SECONDS,
    start_time: float | str = START_SECONDS,
    same: str = "history",
    games: int | None = None,
    seed: int = 1,
    limit: int = MOST_QUESTIONS,
    progress: Progress | None = None,
) -> Trial:
    """Return the results of a program on every line that its answers allow.

    Each sequence of moves is one question. Some questions are repeated: if an answer differs, games against random
    replies replace the lines.

    Parameters
    ----------
    board
        The board, or its name.
    command
        A list of words, or a text that is split like a shell command; no shell runs. The program uses the protocol of
        the reference.
    as_
        `X`, `O` or `both`.
    move_time, start_time
        Time limits: seconds, or text such as `500ms`.
    same
        `history`, or `position` for programs that do not use the order of moves: each set of marks is one question.
    games
        Play so many games against random replies instead of every line.
    seed
        The random seed.
    limit
        The most questions.
    progress
        Receives the number of lines or games played.

    Raises
    ------
    InputError
        The command cannot run.
    CheckError
        The program does not greet.
    BudgetError
        More than `limit` questions may be needed.
    """
    board = Board.parse(board)
    one_of("the side", as_, ROLES)
    one_of("the sameness", same, SAME)
    limit, seed = whole_number("the limit", limit, 1), whole_number("the seed", seed, 0)
    if games is not None:
        games = whole_number("the number of games", games, 1)
    function_or_none("progress", progress)
    move_seconds, start_seconds = _patience("move", move_time), _patience("start", start_time)
    words = command_of(command)
    roles = cast(tuple[Player, ...], ("X", "O") if as_ == "both" else (as_,))
    if games is None:
        _require_few(board, roles, same, limit)
    with ExternalPlayer(board, words, move_seconds, start_seconds) as player:
        by_position, receiver = same == "position", progress or silent
        sides = tuple(_Asking(board, player, role, by_position, seed, receiver).side(games) for role in roles)
        ends = [sum(getattr(side, end) for side in sides) for end in ("wins", "draws", "losses", "illegal")]
        return Trial(board, words, player.name, player.author, same, seed, move_seconds, sides, *ends)


def _patience(what: str, given: float | str) -> float:
    seconds = seconds_of(given)
    if not seconds:
        raise InputError(f"the {what} time cannot be 0: give a program some time, such as 500ms")
    return seconds


def _require_few(board: Board, roles: tuple[Player, ...], same: str, limit: int) -> None:
    by = {way: sum(most_questions(board, role, by_position=way == "position") for role in roles) for way in SAME}
    if by[same] > limit:
        time = format_duration(min(by[same], 10**40) / _A_SECOND)
        once = f", --same position ({by['position']:,} questions)" if by["position"] <= limit else ""
        raise BudgetError(
            f"every line on {board} may take {roughly(by[same])} questions ({time}), over {limit:,}: "
            f"use --games 1000{once}, or raise --limit"
        )


class _Asking:
    """The trial of a program on a board as X or O. It stops repeating questions once one got two answers."""

    def __init__(
        self, board: Board, player: ExternalPlayer, role: Player, by_position: bool, seed: int, progress: Progress
    ) -> None:
        self._board, self._player, self._role, self._by_position = board, player, role, by_position
        self._seed, self._progress = seed, progress
        self._earlier, self._questions_again, self._again = EarlierAnswers(), 0, f"{seed} {role} kept"

    def side(self, games: int | None) -> SideTrial:
        """Return the results on every line, or in games if `games` are given or answers vary."""
        before = self._player.questions
        first = LineRecord(self._player, self._role, self._earlier, MOST_QUESTIONS, "", patience=1)
        play_games(self._board, first, _FIRST_GAMES, f"{self._seed} {self._role} first")
        varies = self._varies(first.answers, by_position=False)
        if varies is None and games is None:
            asked = LineRecord(self._player, self._role, self._earlier, _AGAIN, self._again)
            play_every_line(self._board, asked, by_position=self._by_position, progress=self._progress)
            varies = self._varies([] if asked.broken_off else asked.answers, by_position=self._by_position)
            found = self._found(asked, varies, None)
            if varies is not None and found.complete:
                found = replace(self._sample(GAMES, varies), walked=found)
        else:
            found = self._sample(games or GAMES, varies)
        return replace(
            found,
            first_questions=first.questions,
            first_fouls=tuple(first.fouls),
            asked=self._player.questions - before,
        )

    def _sample(self, games: int, varies: TwoAnswers | None) -> SideTrial:
        trial = LineRecord(self._player, self._role, self._earlier, _AGAIN, self._again)
        play_games(self._board, trial, games, f"{self._seed} {self._role} games", self._progress)
        varies = varies or self._varies([] if trial.broken_off else trial.answers, by_position=False)
        return self._found(trial, varies, games)

    def _varies(self, answers: Sequence[tuple[History, Move]], *, by_position: bool) -> TwoAnswers | None:
        """Return a question with two different answers if one is known; else repeat these questions in another order.

        The program is started again before, and half way if they are many. By positions another sequence of moves
        leads to the same position. A foul counts as a different answer.
        """
        if self._earlier.varies is not None:
            return self._earlier.varies
        before, random, questions = self._player.questions, Random(f"{self._seed} again"), list(answers)
        random.shuffle(questions)
        found = None
        for number, (history, cell) in enumerate(questions):
            line = _otherwise(self._board, history, random) if by_position else history
            try:
                if number == 0 or (len(questions) > _MANY and number == len(questions) // 2):
                    self._player.restart()
                now = Move(self._board, self._player.reply(line))
            except (Foul, CheckError) as failed:
                found = TwoAnswers(line, cell, None, str(failed))
                break
            if now != cell:
                found = TwoAnswers(line, cell, now, f"it played {now}")
                break
        self._questions_again += self._player.questions - before
        return found

    def _found(self, trial: LineRecord, varies: TwoAnswers | None, games: int | None) -> SideTrial:
        return SideTrial(
            trial.role,
            trial.ends["win"],
            trial.ends["draw"],
            trial.ends["loss"],
            trial.ends["illegal"],
            trial.questions,
            trial.shortest_loss,
            tuple(trial.fouls),
            _blunders_of(self._board, trial.role, trial.moves),
            varies,
            games,
            not trial.broken_off,
            self._questions_again,
        )


def _otherwise(board: Board, history: History, random: Random) -> History:
    """Return the moves in another order, each player's among themselves, or as they are where that is illegal."""
    x, o = list(history[::2]), list(history[1::2])
    random.shuffle(x)
    random.shuffle(o)
    other = tuple((x if n % 2 == 0 else o)[n // 2] for n in range(len(history)))
    if not board.rules.any_blank:
        at = Position(board)
        for move in other:
            if at.is_terminal or not at.playable >> move & 1:
                return history
            at = at.play(move)
    return other
