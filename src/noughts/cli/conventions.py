"""How the matrix of all conventions is printed: games by the three questions, positions from naive to exact."""

from __future__ import annotations

import json
from collections.abc import Sequence

from noughts.cli.census import quick_second_opinion
from noughts.cli.tables import SHORTENED, Table, as_csv, as_latex, as_markdown, grouped, shortened, show, wrapped
from noughts.counting.answers import NO_ENGINE, Answers
from noughts.counting.ladder import Rung, ladder, require_size
from noughts.counting.matrix import Entry, matrix
from noughts.counting.question import SAMENESSES
from noughts.counting.words import end_words, moves_words, sameness_words
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.rules import END_RULES

__all__ = ["print_conventions", "require_form"]

_FORMS = ("table", "json", "csv", "markdown", "latex")


GAMES_SHARE = 0.75
"""The share of the time that the games may take; what is left is for the positions, most of which come with them."""


def require_form(form: str) -> None:
    """Raise InputError unless the format exists."""
    if form not in _FORMS:
        raise InputError(f"--format {shown(form)} is not known: use one of {', '.join(_FORMS)}, bfile")


def print_conventions(board: Board, form: str, *, memory: int, time: float) -> None:
    """Print both matrices of a board within the budget, in the format asked for."""
    require_size(board)
    answers = Answers(memory, time * GAMES_SHARE, in_all=True)
    games = matrix(board, answers)
    answers.extend(time * (1 - GAMES_SHARE))
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
    """Return the games in a matrix for people: moves and end by sameness."""
    rows = []
    for start in range(0, len(games), len(SAMENESSES)):
        entries = games[start : start + len(SAMENESSES)]
        question = entries[0].question
        rows.append([question.x_moves, question.end, *(shortened(entry.finished) for entry in entries)])
    return Table(["moves", "end", *SAMENESSES], rows, frozenset({0, 1}))


def _position_table(positions: Sequence[Rung], *, short: bool = False) -> Table:
    written = shortened if short else grouped
    rows = [[written(rung.count), rung.name, rung.meaning] for rung in positions]
    return Table(["count", "positions", "meaning"], rows, frozenset({1, 2}))


def _print_for_people(board: Board, games: Sequence[Entry], positions: Sequence[Rung], answers: Answers) -> None:
    print(wrapped(_headline(board, games)))
    print()
    print("Games, by the three questions:")
    print()
    show(_game_table(games))
    print()
    _print_legend(board, games)
    print("Positions, from naive to exact:")
    print()
    table = _position_table([rung for rung in positions if rung.count is not None], short=True)
    show(table)
    if any(row[0].startswith("~") for row in table.rows):
        print(SHORTENED)
    print()
    _print_left_out(games, positions)
    print(wrapped(_how_we_know(games, answers)))
    print("Try next:")
    for command in _next_commands(board):
        print(f"  {command}")


def _headline(board: Board, games: Sequence[Entry]) -> str:
    if not _has_lines(board):
        return (
            f"{board}: the board has no line of {board.k}, so every game is drawn and fills the board: "
            f"{grouped(games[0].finished)} games (cells distinguishable)."
        )
    first = games[0]
    if first.finished is None:
        return f"{board}: the number of games does not fit the budget; what does is below."
    noun = "game" if first.finished == 1 else "games"
    return f"{board}: {first.finished:,} {noun} ({first.convention}). Other conventions give other numbers:"


def _has_lines(board: Board) -> bool:
    return board.cells > 1000 or bool(board.lines)


def _print_legend(board: Board, games: Sequence[Entry]) -> None:
    rules = dict.fromkeys(entry.question.x_moves for entry in games)
    for rule in rules:
        print(wrapped(f"  {rule:9} {moves_words(rule, rule)}", " " * 12))
    for end in END_RULES:
        print(wrapped(f"  {end:9} {end_words(end)}", " " * 12))
    for same in SAMENESSES:
        print(wrapped(f"  {same:9} {sameness_words(same)}", " " * 12))
    if board.misere:
        print("  misere    the player who completes a line loses")
    print()


def _print_left_out(games: Sequence[Entry], positions: Sequence[Rung]) -> None:
    """Name what does not fit the budget, with the command that would compute it."""
    absent = [entry for entry in games if entry.finished is None and entry.reason != NO_ENGINE]
    hopeless = sum(entry.reason == NO_ENGINE for entry in games)
    if hopeless:
        print(wrapped(f"Left out: {hopeless} conventions that no engine can count on so large a board."))
        print()
    if absent:
        print("Left out, over the budget of this call; these commands compute them:")
        print()
        show(Table(["command", "cost"], [[entry.command, entry.reason or ""] for entry in absent], frozenset({0, 1})))
        print()
    without = [rung for rung in positions if rung.count is None]
    for rung in without:
        command = f"; {rung.command}" if rung.command else ""
        print(wrapped(f"Left out, {rung.name} ({rung.meaning}): {rung.reason}{command}", "  "))
    if without:
        print()


def _how_we_know(games: Sequence[Entry], answers: Answers) -> str:
    engines = sorted({entry.engine for entry in games if entry.engine})
    by = f"counted by the engine{'s' * (len(engines) > 1)} {_joined(engines)}" if engines else "by formula"
    if games[0].finished is not None:
        second = quick_second_opinion(answers.census(games[0].question), memory=answers.memory)
        by += f", the first number also by {second}" if second is not None else ""
    return (
        f"How we know: {by}; every labelled number passed its conservation law; add --check to a question for a second "
        "engine, and see noughts verify for the published numbers."
    )


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _next_commands(board: Board) -> list[str]:
    return [f"noughts count {board} --same choices", f"noughts count {board} --same labelled --explain"]
