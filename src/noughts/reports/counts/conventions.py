"""The page of all conventions: games by the three questions, positions from naive to exact; what is counted first."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from noughts.counting.conventions.answers import WORTH_KNOWING, Answers
from noughts.counting.conventions.ladder import Rung, ladder
from noughts.counting.conventions.matrix import Entry, matrix
from noughts.counting.offers import Run
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.witness import Opinion, quick_second_opinion
from noughts.counting.words import end_words, moves_words, sameness_words
from noughts.domain.board import Board
from noughts.domain.digits import digit_count
from noughts.domain.errors import BudgetError
from noughts.domain.frozen import short
from noughts.domain.rules import END_RULES
from noughts.domain.sizes import require_size
from noughts.machine.budget import Limits
from noughts.reports.counts.leftout import left_out
from noughts.reports.forms import Forms, report_forms, table_forms
from noughts.reports.page import Block, How, Look, Paragraph, Report, try_next
from noughts.reports.tables import Table, grouped

__all__ = ["NO_CHART", "Conventions", "bots_words", "forms", "legend", "report", "survey"]

NO_CHART = (
    "all conventions at once have no chart: ask for one, as with --same labelled, or write the table as .json, .csv, "
    ".md or .txt"
)
"""Why there is no picture of all conventions."""

FIRST_SECONDS = 60.0
"""What the count of the plain games, and that of their classes, may take each: they are what the page is about."""

OTHER_SECONDS = 20.0
"""What all the other conventions may take together."""


@dataclass(frozen=True, repr=False)
class Conventions:
    """All conventions of a board: finished games by the three questions, positions from naive to exact.

    `second` is another engine that gives the first number too, where one was quick to ask.
    """

    board: Board
    games: tuple[Entry, ...]
    positions: tuple[Rung, ...]
    second: Opinion | None

    def __repr__(self) -> str:
        return f"<Conventions of {short(self.board)}: {len(self.games)} of games, {len(self.positions)} of positions>"

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers as a record: decimal strings, with reasons and commands where they were left out."""
        return {
            "board": self.board.spec,
            "games": [entry.as_dict() for entry in self.games],
            "positions": [rung.as_dict() for rung in self.positions],
        }


def survey(board: Board, limits: Limits, run: Run) -> Conventions:
    """Return the numbers of a board under all conventions that fit the budget, the plain games and classes first.

    A time that is given bounds all of them together; else each of the first two counts has its own, and all others
    together. Raises BudgetError on boards of more than 4,096 cells.
    """
    require_size(board)
    given = limits.seconds < inf
    if given:
        answers = Answers(limits, run, worth=min(limits.seconds, WORTH_KNOWING), strict=True)
        answers.share(limits.seconds)
    else:
        answers = Answers(replace(limits, seconds=FIRST_SECONDS), run)
    for question in (Question(board), Question(board, "symmetry")):
        with suppress(BudgetError):  # the page says what it would cost
            answers.census(question)
    if not given:
        answers.share(OTHER_SECONDS)
    games, positions = matrix(board, answers), ladder(board, answers)
    second = None
    if games[0].finished is not None:
        second = quick_second_opinion(answers.census(games[0].question), limits)
    return Conventions(board, games, positions, second)


def forms(found: Conventions, look: Look) -> Forms:
    """Return the page of all conventions in every form."""
    return {
        **report_forms(lambda: report(found), found.as_dict, look),
        **table_forms(lambda form: [_one_table(found)] if form == "csv" else _two_tables(found)),
    }


def _two_tables(found: Conventions) -> list[Table]:
    rows = [
        [entry.question.x_moves, entry.question.end, entry.question.same, grouped(entry.finished)]
        for entry in found.games
    ]
    games = Table(["moves", "end", "same", "finished"], rows, frozenset({0, 1, 2}))
    return [games, _position_table(found.positions)]


def _one_table(found: Conventions) -> Table:
    """Return games and positions as one table for other programs: a row for each number, with its meaning in words."""
    rows = []
    for entry in found.games:
        question = entry.question
        names = ["games", "finished", question.x_moves, question.end, question.same]
        rows.append([*names, grouped(entry.finished), entry.convention])
    for rung in found.positions:
        rows.append(["positions", rung.name, "", "", "", grouped(rung.count), rung.meaning])
    headings = ["what", "name", "moves", "end", "same", "count", "meaning"]
    return Table(headings, rows, frozenset(range(len(headings))) - {5})


def _game_table(games: Sequence[Entry]) -> Table:
    """Return the games in a matrix for people: moves and end by sameness, the rows that have a number."""
    rows = []
    for start in range(0, len(games), len(SAMENESSES)):
        entries = games[start : start + len(SAMENESSES)]
        if all(entry.finished is None for entry in entries):
            continue  # named below the table
        question = entries[0].question
        rows.append([question.x_moves, question.end, *(grouped(entry.finished) for entry in entries)])
    return Table(["moves", "end", *SAMENESSES], rows, frozenset({0, 1}))


def _position_table(positions: Sequence[Rung]) -> Table:
    rows = [[grouped(rung.count), rung.name, rung.meaning] for rung in positions]
    return Table(["count", "positions", "meaning"], rows, frozenset({1, 2}))


def report(found: Conventions) -> Report:
    """Return what there is to say about a board: its numbers under all conventions, and what was left out."""
    known = [entry for entry in found.games if entry.finished is not None]
    games: list[Sequence[Block | str]] = []
    if known:
        games = [["Games, by the three questions:"], [_game_table(found.games)], _legend(found.board, known)]
    return Report.of(
        [_headline(found.board, found.games)],
        *games,
        ["Positions, from naive to exact:"],
        [_position_table([rung for rung in found.positions if rung.count is not None])],
        bots_words(found.positions),
        *left_out(found.games, found.positions),
        [How(_how_we_know(found)), try_next(*_next_commands(found.games))],
    )


def bots_words(positions: Sequence[Rung]) -> list[str]:
    """Say how many bots differ, or how long the number is; JSON has all its digits."""
    known = [(rung.bots, rung.name) for rung in positions if rung.bots is not None and rung.bots > 1]
    if not known:
        return []
    said = _joined([f"{_number(bots)} over the {name}" for bots, name in known])
    return [f"Bots that differ, with one of the distinct choices at each: {said}; --format json has every digit."]


def _number(count: int) -> str:
    return f"{count:,}" if count < 10**15 else f"a number of {digit_count(count):,} digits"


def _headline(board: Board, games: Sequence[Entry]) -> str:
    if not _has_lines(board):
        line = "line" if board.k is None else f"line of {board.k}"
        return (
            f"{board}: the board has no {line}, so every game is drawn and fills the board: "
            f"{_games(games[0].finished)} (cells distinguishable)."
        )
    first = games[0]
    if first.finished is None:
        return f"{board}: the number of games is out of reach of this call ({first.reason}); what is not is below."
    return f"{board}: {_games(first.finished)} ({first.convention}). Other conventions give other numbers:"


def _games(count: int | None) -> str:
    return f"{grouped(count)} game{'s' * (count != 1)}"


def _has_lines(board: Board) -> bool:
    return board.cells > 1000 or bool(board.lines)


def _legend(board: Board, games: Sequence[Entry]) -> list[Block]:
    return [Paragraph(f"  {word:9} {meaning}", " " * 12) for word, meaning in legend(board, games)]


def legend(board: Board, games: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return the words in the table of games, each with what it means."""
    said: list[tuple[str, str]] = []
    for rule in dict.fromkeys(entry.question.x_moves for entry in games):
        said.append((rule, moves_words(rule, rule)))
    for end in [end for end in END_RULES if end in {entry.question.end for entry in games}]:
        said.append((end, end_words(end)))
    said += [(same, sameness_words(same)) for same in SAMENESSES]
    if board.misere:
        said.append(("misere", "the player who completes a line loses"))
    return said


def _how_we_know(found: Conventions) -> str:
    known = [entry for entry in found.games if entry.finished is not None]
    if not known:
        return "these positions are counted by formula; see noughts verify for the published numbers."
    engines = sorted({entry.engine for entry in known if entry.engine})
    by = f"counted by the engine{'s' * (len(engines) > 1)} {_joined(engines)}"
    by += f", the first number by {known[0].engine} and by {found.second}" if found.second is not None else ""
    return (
        f"{by}; every labelled number passed its conservation law; add --check to a question for a second engine, and "
        "see noughts verify for the published numbers."
    )


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _next_commands(games: Sequence[Entry]) -> list[str]:
    """Return commands that can be answered: the classes by ply, and how the first number comes about."""
    board = games[0].question.board
    given = {entry.question.same for entry in games if entry.finished is not None}
    commands = [f"noughts count {board} --same {same}" for same in ("choices", "symmetry") if same in given][:1]
    if games[0].finished is not None:
        commands.append(f"noughts count {board} --same labelled --explain")
    return commands or [f"noughts count {board} --to-ply 4"]
