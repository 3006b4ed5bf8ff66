"""All conventions of a board: games by the three questions, positions from naive to exact."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from noughts.analysis.explain.wording import listed
from noughts.counting.carried import carried_census
from noughts.counting.conventions import ESTIMATED_SECONDS, Answers, Entry, Rung, ladder
from noughts.counting.conventions import matrix as games_of
from noughts.counting.engines import Opinion, quick_second_opinion
from noughts.counting.offers import Run
from noughts.counting.question import (
    SAMENESSES,
    SOURCE,
    Question,
    command_of,
    end_rules,
    in_print,
    legend_words,
    moves_words,
)
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent, workers_for
from noughts.present.forms import Forms, chart_forms, report_forms, table_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, grouped, try_next, without_empty
from noughts.rules.arguments import function_or_none
from noughts.rules.board import Board, require_size
from noughts.rules.errors import BudgetError
from noughts.rules.values import Result, digit_count
from noughts.verbs.reports import for_print

if TYPE_CHECKING:
    from noughts.drawing.svg import Svg

FIRST_SECONDS = 60.0
"""Seconds for each of the two main counts: games, and games up to symmetry."""
OTHER_SECONDS = 20.0
"""Seconds for all other conventions together."""
BESIDE_CARRIED = 1.0
"""Seconds for them on boards whose number of games the package carries; most are out of reach there."""
WORTH_TRYING = 100 * 10**9, 86400.0
"""Bytes and seconds up to which the report offers the command."""


@dataclass(frozen=True, repr=False)
class Conventions(Result):
    """All conventions of a board: finished games by the three questions, positions from naive to exact.

    `second` is a second engine that confirms the first number, or None.
    """

    board: Board
    games: tuple[Entry, ...]
    positions: tuple[Rung, ...]
    second: Opinion | None

    keys = "board games positions"

    @property
    def known(self) -> list[Entry]:
        """The entries with a number."""
        return [entry for entry in self.games if entry.finished is not None]


def matrix(
    board: Board | str = "3x3",
    *,
    memory: int | str | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Conventions:
    """Return the games of a board under every convention, and its positions from naive to exact.

    Parameters
    ----------
    board, memory, time, threads, progress
        As in `count`. Without `time` the two main counts have 60 s each and all others 20 s together.

    Returns
    -------
    Conventions
        An entry over the budget has its estimated cost in place of a number.

    Raises
    ------
    InvalidBoard
        If `board` is not a board.
    BudgetError
        If the board has more than 4,096 cells.

    Examples
    --------
    >>> [entry.finished for entry in matrix("3x3").games][:3]
    [255168, 31896, 26830]
    """
    on = Board.parse(board)
    function_or_none("progress", progress)
    return survey(on, Limits.of(memory, time), Run(workers_for(threads), progress or silent))


def survey(board: Board, limits: Limits, run: Run) -> Conventions:
    """Return the numbers of a board under all conventions that fit the budget.

    A given time limit holds for all counts together. Raises BudgetError on boards of more than 4,096 cells.
    """
    require_size(board)
    if carried_census(Question(board)) is not None:
        limits = replace(limits, seconds=min(limits.seconds, BESIDE_CARRIED))
    is_given = limits.seconds < inf
    if is_given:
        answers = Answers(limits, run, estimated=min(limits.seconds, ESTIMATED_SECONDS), strict=True)
        answers.share(limits.seconds)
    else:
        answers = Answers(replace(limits, seconds=FIRST_SECONDS), run)
    for question in (Question(board), Question(board, "symmetry")):
        with suppress(BudgetError):  # the report has the estimate
            answers.census(question)
    if not is_given:
        answers.share(OTHER_SECONDS)
    games, positions = games_of(board, answers), ladder(board, answers)
    first = answers.census(games[0].question) if games[0].finished is not None else None
    second = quick_second_opinion(first, limits) if first is not None and first.carried is None else None
    return Conventions(board, games, positions, second)


def forms(found: Conventions, look: Look) -> Forms:
    """Return all conventions in every form; the picture is the tree of three questions with the first answer lit."""
    return {
        **chart_forms(lambda: picture(found, look.theme), look=look),
        **report_forms(lambda: report(found), found.as_dict, look),
        **table_forms(lambda form: _tables(found, form)),
    }


def picture(found: Conventions, theme: str = "light") -> Svg:
    """Return the tree of three questions with the first answer lit."""
    from noughts.drawing.questions import draw_questions

    numbers: dict[tuple[str, ...], int | None] = {tuple(_names(entry)): entry.finished for entry in found.games}
    first = found.games[0]
    note = in_print(first.question, first.finished or 0) if for_print(first.question, first.finished) else ""
    where = "of tic-tac-toe are there" if found.board.spec == "3x3:3" else f"are there on {found.board}"
    source = f"Source: {SOURCE}."
    return draw_questions(numbers, f"How many games {where}?", note, tuple(_names(first)), theme, source)


def _tables(found: Conventions, form: str) -> list[Table]:
    """Return games and positions as two tables, or for programs as one, with a row and a meaning for each number."""
    if form == "csv":
        rows = [["games", "finished", *_names(each), grouped(each.finished), each.convention] for each in found.games]
        rows += [["positions", each.name, "", "", "", grouped(each.count), each.meaning] for each in found.positions]
        headings = ["what", "name", "moves", "end", "same", "count", "meaning"]
        return [Table(headings, rows, frozenset({0, 1, 2, 3, 4, 6}))]
    rows = [[*_names(entry), grouped(entry.finished)] for entry in found.games]
    games = Table(["moves", "end", "same", "finished"], rows, frozenset({0, 1, 2}))
    return [games, _position_table(found.board, found.positions)]


def _names(entry: Entry) -> list[str]:
    return [entry.question.x_moves, entry.question.end, entry.question.same]


def _game_table(games: Sequence[Entry]) -> Table:
    """Return the games as a matrix, moves and end by sameness; rows without a number are omitted."""
    by_rule: dict[tuple[str, str], list[Entry]] = {}
    for entry in games:
        by_rule.setdefault((entry.question.x_moves, entry.question.end), []).append(entry)
    rows = [
        [*rule, *(grouped(entry.finished) for entry in entries)]
        for rule, entries in by_rule.items()
        if any(entry.finished is not None for entry in entries)  # a section below lists the others
    ]
    return Table(["moves", "end", *SAMENESSES], rows, frozenset({0, 1}))


def _position_table(board: Board, positions: Sequence[Rung]) -> Table:
    rows = [[grouped(rung.count), board.rules.labelled(rung.name), rung.meaning] for rung in positions]
    return Table(["count", "positions", "meaning"], rows, frozenset({1, 2}))


def report(found: Conventions) -> Report:
    """Return the report: the numbers under all conventions, and what was left out."""
    games: list[Sequence[Block | str]] = []
    if found.known:
        legend = [Paragraph(f"  {word:9} {meaning}", " " * 12) for word, meaning in _legend(found)]
        games = [["Games, by the three questions:"], [_game_table(found.games)], legend]
    known = [rung for rung in found.positions if rung.count is not None]
    positions: list[Sequence[Block | str]] = []
    if known:
        positions = [["Positions, from naive to exact:"], [_position_table(found.board, known)]]
    return Report.of(
        [_headline(found.board, found.games[0])],
        *games,
        *positions,
        bots_words(found.positions),
        *left_out(found.games, found.positions),
        for_print(found.games[0].question, found.games[0].finished),
        [How(_how_we_know(found)), try_next(*_next_commands(found))],
    )


def bots_words(positions: Sequence[Rung]) -> list[str]:
    """Return the number of different bots, or its number of digits; JSON has all digits."""
    known = [(rung.bots, rung.name) for rung in positions if rung.bots is not None and rung.bots > 1]
    if not known:
        return []
    numbers = [f"{bots:,}" if bots < 10**15 else f"a number of {digit_count(bots):,} digits" for bots, _ in known]
    bots_listed = listed([f"{number} over the {name}" for number, (_, name) in zip(numbers, known, strict=True)])
    return [f"Different bots (one choice at each decision): {bots_listed}; --format json has every digit."]


def _headline(board: Board, first: Entry) -> str:
    games = f"{grouped(first.finished)} game{'s' * (first.finished != 1)}"
    if board.cells <= 1000 and not board.lines:
        line = "line" if board.k is None else f"line of {board.k}"
        none = f"the board has no {line}, so every game is drawn and fills the board"
        return f"{board}: {none}: {games} (every order of moves counted)."
    if first.finished is None:
        return f"{board}: the number of games is out of reach ({first.reason}). Numbers within reach are below."
    return f"{board}: {games} ({first.convention}). Other conventions give other numbers:"


def _legend(found: Conventions) -> list[tuple[str, str]]:
    """Return the words in the table of games, each with its definition."""
    rules = dict.fromkeys(entry.question.x_moves for entry in found.known)
    ends = {entry.question.end: legend_words(entry.question)[0] for entry in found.known}
    sames = {entry.question.same: legend_words(entry.question)[1] for entry in found.games}
    meanings: list[tuple[str, str]] = [(rule, moves_words(rule, rule)) for rule in rules]
    meanings += [(end, ends[end]) for end in end_rules(found.board) if end in ends]
    meanings += [(same, sames[same]) for same in SAMENESSES if same in sames]
    return [*meanings, *[("misere", "the player who completes a line loses")] * found.board.misere]


def _how_we_know(found: Conventions) -> str:
    known = found.known
    if not known:
        return "formulas count these positions; noughts verify checks the published numbers."
    engines = sorted({entry.engine for entry in known if entry.engine})
    by = f"counted by the engine{'s' * (len(engines) > 1)} {listed(engines)}"
    by += f", the first number by {known[0].engine} and by {found.second}" if found.second is not None else ""
    if carried_census(known[0].question) is not None:
        return f"{by} before this release; the package carries the numbers. See {command_of(known[0].question)}."
    law = (
        "every labelled number satisfies its conservation law"
        if found.board.rules.is_marking
        else "the outcomes add up"
    )
    return f"{by}; {law}. Add --check to one count for a second engine; noughts verify checks the published numbers."


def _next_commands(found: Conventions) -> list[str]:
    """Return commands within the budget: the classes by ply, and the derivation of the first number."""
    board = found.board
    known = {entry.question.same for entry in found.known}
    commands = [f"noughts count {board} --same {same}" for same in ("choices", "symmetry") if same in known][:1]
    if found.games[0].finished is not None and carried_census(found.games[0].question) is None:
        commands.append(f"noughts count {board} --same labelled --explain")
    return commands or [f"noughts count {board}{' --same labelled' if found.known else ' --to-ply 4'}"]


def left_out(games: Sequence[Entry], positions: Sequence[Rung]) -> list[list[Block | str]]:
    """Return sections on what does not fit the budget, with the commands that compute it."""
    absent = [entry for entry in games if entry.finished is None]
    unknown = [entry for entry in absent if entry.cost is not None and entry.cost.at_least]
    memory, seconds = WORTH_TRYING
    costed = [(entry, entry.cost) for entry in absent if entry not in unknown and entry.cost is not None]
    near = [entry for entry, cost in costed if cost.memory <= memory and cost.seconds <= seconds]
    far = [entry for entry in absent if entry not in unknown and entry not in near]
    found: list[list[Block | str]] = []
    if near:
        found.append(["Left out, over the budget; these commands compute them:"])
        found.append([without_empty(["command", "cost", "also with"], _merged(near))])
    for entries, why in (
        (unknown, "Over the budget, at a cost that is not known"),
        (far, "Out of reach, because they need a list of the classes"),
    ):
        if entries:
            found.append([f"{why}{_least(entries)}:"])
            found.append([without_empty(["command", "also with"], _commands(entries))])
    return [*found, _rungs(games[0].question.board, positions)]


def _also(option: str, values: Sequence[str]) -> str:
    """Return the other values of an option, or nothing."""
    return f"{option} {listed(list(values), 'or')}" if values else ""


def _merged(entries: Sequence[Entry]) -> list[tuple[str, str, str]]:
    """Return commands, their costs and their variants; commands that differ in --same only are one."""
    alike: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        alike.setdefault((entry.question.x_moves, entry.question.end, entry.reason or ""), []).append(entry)
    return [
        (some[0].command, reason, _also("--same", [entry.question.same for entry in some[1:]]))
        for (_, _, reason), some in alike.items()
    ]


def _least(entries: Sequence[Entry]) -> str:
    costs = [entry.cost for entry in entries if entry.cost is not None]
    if not costs:
        return ""
    least = min(costs, key=lambda cost: (cost.seconds, cost.memory))
    return f" ({least.words}{' or more' * (len(set(costs)) > 1 and not least.at_least)})"


def _commands(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return the questions as a few commands, each with the other values that it covers."""
    board = entries[0].question.board
    missing: dict[str, dict[str, list[str]]] = {}
    for entry in entries:
        question = entry.question
        missing.setdefault(question.x_moves, {}).setdefault(question.end, []).append(question.same)
    whole = [
        rule for rule, ends in missing.items() if all(ends.get(end) == list(SAMENESSES) for end in end_rules(board))
    ]
    parts = [(f"--moves {whole[0]}", _also("--moves", whole[1:]))] if whole else []
    for rule, ends in missing.items():
        if rule in whole:
            continue
        alike: dict[tuple[str, ...], list[str]] = {}
        for end, by_same in ends.items():
            alike.setdefault(tuple(by_same), []).append(end)
        for sames, under in alike.items():
            few = list(sames) != list(SAMENESSES)
            also = [_also("--end", under[1:]), _also("--same", sames[1:] if few else ())]
            by = f" --same {sames[0]}" if few else ""
            parts.append((f"--moves {rule} --end {under[0]}{by}", " and ".join(filter(None, also))))
    return [(f"noughts count {board} {options}", also) for options, also in parts]


def _rungs(board: Board, positions: Sequence[Rung]) -> list[Block | str]:
    """Return the positions that were left out, grouped by reason."""
    reasons: dict[tuple[str | None, str | None], list[str]] = {}
    for rung in positions:
        if rung.count is None:
            reasons.setdefault((rung.reason, rung.command), []).append(board.rules.labelled(rung.name))
    return [
        Paragraph(f"Left out, {'; '.join(names)}: {reason}{f'; {command}' if command else ''}", "  ")
        for (reason, command), names in reasons.items()
    ]
