"""How the matrix of all conventions is printed: games by the three questions, positions from naive to exact."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from noughts.counting.conventions.answers import Answers
from noughts.counting.conventions.ladder import Rung, ladder, require_size
from noughts.counting.conventions.matrix import Entry, matrix
from noughts.counting.engines import Progress
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.words import end_words, moves_words, sameness_words
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError, shown
from noughts.domain.rules import END_RULES
from noughts.reports.census import quick_second_opinion
from noughts.reports.leftout import print_left_out
from noughts.reports.tables import Table, as_csv, as_latex, as_markdown, grouped, show, wrapped

__all__ = ["print_conventions", "require_form"]

_FORMS = ("table", "json", "csv", "markdown", "latex")


FIRST_SECONDS = 60.0
"""What the count of the plain games, and that of their classes, may take each: they are what the page is about."""

OTHER_SECONDS = 20.0
"""What all the other conventions may take together."""


def require_form(form: str) -> None:
    """Raise InputError unless the format exists."""
    if form not in _FORMS:
        raise InputError(f"--format {shown(form)} is not known: use one of {', '.join(_FORMS)}, bfile")


def print_conventions(
    board: Board, form: str, *, memory: int, time: float | None, progress: Progress | None = None
) -> None:
    """Print both matrices of a board within the budget, in the format asked for.

    `time` in seconds bounds each of the first two counts, and all others together.
    """
    require_size(board)
    answers = Answers(memory, FIRST_SECONDS if time is None else time, progress=progress)
    for question in (Question(board), Question(board, "symmetry")):
        with suppress(BudgetError):  # the page says what it would cost
            answers.census(question)
    answers.share(OTHER_SECONDS if time is None else time)
    games = matrix(board, answers)
    positions = ladder(board, answers)
    if form == "json":
        print(json.dumps(_record(board, games, positions), indent=1))
    elif form == "table":
        _print_for_people(board, games, positions, answers)
    else:
        writer = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}[form]
        print(writer(_flat_games(games)))
        print()
        print(writer(_position_table(positions)))


def _record(board: Board, games: Sequence[Entry], positions: Sequence[Rung]) -> dict[str, object]:
    return {
        "board": board.spec,
        "games": [
            {
                "moves": entry.question.x_moves,
                "end": entry.question.end,
                "same": entry.question.same,
                "convention": entry.convention,
                "finished": None if entry.finished is None else str(entry.finished),
                "engine": entry.engine,
                "command": entry.command,
                **({"reason": entry.reason} if entry.reason else {}),
            }
            for entry in games
        ],
        "positions": [
            {
                "name": rung.name,
                "meaning": rung.meaning,
                "count": None if rung.count is None else str(rung.count),
                **({"reason": rung.reason} if rung.reason else {}),
                **({"command": rung.command} if rung.command else {}),
            }
            for rung in positions
        ],
    }


def _flat_games(games: Sequence[Entry]) -> Table:
    rows = [
        [entry.question.x_moves, entry.question.end, entry.question.same, grouped(entry.finished)] for entry in games
    ]
    return Table(["moves", "end", "same", "finished"], rows, frozenset({0, 1, 2}))


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


def _print_for_people(board: Board, games: Sequence[Entry], positions: Sequence[Rung], answers: Answers) -> None:
    print(wrapped(_headline(board, games)))
    print()
    known = [entry for entry in games if entry.finished is not None]
    if known:
        print("Games, by the three questions:")
        print()
        show(_game_table(games))
        print()
        _print_legend(board, known)
    print("Positions, from naive to exact:")
    print()
    show(_position_table([rung for rung in positions if rung.count is not None]))
    print()
    print_left_out(games, positions)
    print(wrapped(_how_we_know(games, answers)))
    print("Try next:")
    for command in _next_commands(games):
        print(f"  {command}")


def _headline(board: Board, games: Sequence[Entry]) -> str:
    if not _has_lines(board):
        return (
            f"{board}: the board has no line of {board.k}, so every game is drawn and fills the board: "
            f"{grouped(games[0].finished)} games (cells distinguishable)."
        )
    first = games[0]
    if first.finished is None:
        return f"{board}: the number of games is out of reach of this call ({first.reason}); what is not is below."
    noun = "game" if first.finished == 1 else "games"
    return f"{board}: {first.finished:,} {noun} ({first.convention}). Other conventions give other numbers:"


def _has_lines(board: Board) -> bool:
    return board.cells > 1000 or bool(board.lines)


def _print_legend(board: Board, games: Sequence[Entry]) -> None:
    """Explain the words in the table."""
    for rule in dict.fromkeys(entry.question.x_moves for entry in games):
        print(wrapped(f"  {rule:9} {moves_words(rule, rule)}", " " * 12))
    for end in [end for end in END_RULES if end in {entry.question.end for entry in games}]:
        print(wrapped(f"  {end:9} {end_words(end)}", " " * 12))
    for same in SAMENESSES:
        print(wrapped(f"  {same:9} {sameness_words(same)}", " " * 12))
    if board.misere:
        print("  misere    the player who completes a line loses")
    print()


def _how_we_know(games: Sequence[Entry], answers: Answers) -> str:
    known = [entry for entry in games if entry.finished is not None]
    if not known:
        return "How we know: these positions are counted by formula; see noughts verify for the published numbers."
    engines = sorted({entry.engine for entry in known if entry.engine})
    by = f"counted by the engine{'s' * (len(engines) > 1)} {_joined(engines)}"
    if games[0].finished is not None:
        second = quick_second_opinion(answers.census(games[0].question), memory=answers.memory)
        by += f", the first number also by {second}" if second is not None else ""
    return (
        f"How we know: {by}; every labelled number passed its conservation law; add --check to a question for a second "
        "engine, and see noughts verify for the published numbers."
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
