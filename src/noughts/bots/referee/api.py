"""The question `referee`: a program on every line that its answers allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from noughts.bots.referee.again import asked_again
from noughts.bots.referee.blunders import blunders_of
from noughts.bots.referee.earlier import EarlierAnswers, TwoAnswers
from noughts.bots.referee.lines import Questions, most_questions, play_every_line
from noughts.bots.referee.sampling import play_games
from noughts.bots.referee.score import History, Score
from noughts.bots.referee.trial import SideTrial, Trial
from noughts.domain.arguments import function_or_none, one_of, whole_number
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.position import Player
from noughts.machine.budget import format_duration, seconds_of
from noughts.machine.progress import Progress, silent
from noughts.strategy.external import MOVE_SECONDS, START_SECONDS, ExternalPlayer, command_of

__all__ = ["AGAIN", "GAMES", "MOST_QUESTIONS", "ROLES", "SAME", "referee"]

ROLES = ("both", "X", "O")
SAME = ("history", "position")
MOST_QUESTIONS = 4_000_000
"""Up to so many questions a program is asked unless more are allowed; far fewer come up where games end early."""
_A_SECOND = 7000
"""Questions that a quick program answers in a second."""
AGAIN = 200
"""So many questions of each side are asked again."""
GAMES = 1000
"""So many games of each side are played where its answers vary."""
_FIRST_GAMES = 4
"""Games whose questions are asked twice before all others, so that answers that vary are found at once."""


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
    """Return what the answers of a program come to on every line that they allow, as X, as O or as both.

    The command is a list of words, or a text that is split as a shell splits it; no shell is run. The program speaks
    the protocol of the reference. Each sequence of moves is asked once; with `same="position"` each set of marks, for
    programs that do not look at the order. Some questions are asked again: where an answer differs, and where `games`
    are asked for, so many games against replies at random stand for the lines.

    Raises InputError for a command that cannot be run, CheckError for a program that does not greet, and BudgetError
    where more than `limit` questions may have to be asked.
    """
    board = Board.parse(board)
    one_of("the side", as_, ROLES)
    one_of("the sameness", same, SAME)
    whole_number("the limit", limit, 1)
    whole_number("the seed", seed, 0)
    if games is not None:
        whole_number("the number of games", games, 1)
    function_or_none("progress", progress)
    move_seconds, start_seconds = _patience("move", move_time), _patience("start", start_time)
    words = command_of(command)
    roles = cast(tuple[Player, ...], ("X", "O") if as_ == "both" else (as_,))
    if games is None:
        _require_few(board, roles, same, limit)
    with ExternalPlayer(board, words, move_seconds, start_seconds) as player:
        asking = _Asking(board, player, same == "position", seed, games, progress or silent)
        sides = tuple(asking.side(each) for each in roles)
        return Trial(board, words, player.name, player.author, same, seed, move_seconds, sides)


def _patience(what: str, given: float | str) -> float:
    seconds = seconds_of(given)
    if not seconds:
        raise InputError(f"the {what} time cannot be 0: give a program some time, as in 500ms")
    return seconds


def _require_few(board: Board, roles: tuple[Player, ...], same: str, limit: int) -> None:
    by = {way: sum(most_questions(board, role, by_position=way == "position") for role in roles) for way in SAME}
    if by[same] > limit:
        time = format_duration(min(by[same], 10**40) / _A_SECOND)
        once = f", --same position asks at most {by['position']:,}" if by["position"] <= limit else ""
        raise BudgetError(
            f"every line on {board} may take {roughly(by[same])} questions, {time} for a quick program, "
            f"and up to {limit:,} are asked: --games 1000 plays as many games at random{once}, --limit allows more"
        )


class _Asking:
    """How a program is asked on a board."""

    def __init__(
        self, board: Board, player: ExternalPlayer, by_position: bool, seed: int, games: int | None, progress: Progress
    ) -> None:
        self._board, self._player, self._by_position = board, player, by_position
        self._seed, self._games, self._progress = seed, games, progress
        self._earlier = EarlierAnswers(board)
        self._again_asked = 0

    def side(self, role: Player) -> SideTrial:
        """Return what its answers as X or O come to."""
        asked = self._player.asked
        self._earlier, self._again_asked = EarlierAnswers(self._board), 0
        first, questions = Score(role), Questions(self._player, self._earlier, MOST_QUESTIONS, "", patience=1)
        play_games(self._board, first, questions, _FIRST_GAMES, f"{self._seed} {role} first")
        varies = self._varies(questions.kept, by_position=False)
        found = self._every_line(role) if varies is None and self._games is None else self._sample(role, varies)
        return replace(
            found, first_questions=first.asked, first_fouls=tuple(first.fouls), asked=self._player.asked - asked
        )

    def _every_line(self, role: Player) -> SideTrial:
        score, questions = self._begin(role)
        play_every_line(self._board, score, questions, by_position=self._by_position, progress=self._progress)
        varies = self._varies(_whole(questions), by_position=self._by_position)
        every = self._found(score, questions, varies, None)
        return every if varies is None or not every.complete else replace(self._sample(role, varies), walked=every)

    def _sample(self, role: Player, varies: TwoAnswers | None) -> SideTrial:
        score, questions = self._begin(role)
        games = self._games or GAMES
        play_games(self._board, score, questions, games, f"{self._seed} {role} games", self._progress)
        return self._found(score, questions, varies or self._varies(_whole(questions), by_position=False), games)

    def _begin(self, role: Player) -> tuple[Score, Questions]:
        return Score(role), Questions(self._player, self._earlier, AGAIN, f"{self._seed} {role} kept")

    def _varies(self, answers: Sequence[tuple[History, Cell]], *, by_position: bool) -> TwoAnswers | None:
        """Return a question that got two answers, as far as is known; else these are asked again."""
        if self._earlier.varies is not None:
            return self._earlier.varies
        asked = self._player.asked
        found = asked_again(self._board, self._player, answers, f"{self._seed} again", by_position=by_position)
        self._again_asked += self._player.asked - asked
        return found

    def _found(self, score: Score, questions: Questions, varies: TwoAnswers | None, games: int | None) -> SideTrial:
        ends = score.ends
        return SideTrial(
            score.role,
            ends["win"],
            ends["draw"],
            ends["loss"],
            ends["illegal"],
            score.asked,
            score.shortest_loss,
            tuple(score.fouls),
            blunders_of(self._board, score.role, score.moves),
            varies,
            games,
            not questions.broken_off,
            asked_again=self._again_asked,
            asked=score.asked,
        )


def _whole(questions: Questions) -> list[tuple[History, Cell]]:
    """Return the answers to ask for again: none where the asking was broken off."""
    return [] if questions.broken_off else questions.kept
