"""How many games and positions: one convention in full, or without a question all conventions side by side.

A convention in full has the answer in words, bars ply by ply, its derivation and the sources that agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import log10
from typing import Any, NamedTuple

from noughts.counting.census import Census
from noughts.counting.conventions import Entry
from noughts.counting.derivation import derivation, sums
from noughts.counting.engines import Opinion
from noughts.counting.offers import Run
from noughts.counting.question import (
    SAMENESSES,
    STARTS,
    Question,
    command_of,
    end_words,
    legend_words,
    moves_words,
    sameness_words,
)
from noughts.machine.budget import Limits
from noughts.present.report import DIGITS, PIPE, How
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, NoughtsError
from noughts.rules.play import END_RULES, EndRule, MoveRule
from noughts.verbs.conventions import Conventions, bots_words, forms, left_out, report, survey
from noughts.verbs.count import headline, how_we_know, is_cut, slips_of
from noughts.verbs.reports import for_print
from noughts.web.boards import blocks_of, command_link
from noughts.web.kinds import caller_of, request_for
from noughts.web.links import Links, PageAnswer
from noughts.web.request import LONG, REQUEST, SMALL_BOARD, Ask

_PARTS = 10_000
"""The unit of lengths: a hundredth of a percent of the whole width."""


class Bar(NamedTuple):
    """A bar in parts, on a linear and a logarithmic scale; each part has a name, a start and a length in percent.

    On the logarithmic scale the length follows the digits of the total; the parts keep their linear shares.
    """

    linear: tuple[tuple[str, str, str], ...]
    logarithmic: tuple[tuple[str, str, str], ...]


def longest_of(numbers: Sequence[int | None]) -> int:
    """Return the number whose bar has the full width: the largest known one, at least 1."""
    return max((number for number in numbers if number), default=1)


def bar_of(parts: Sequence[tuple[str, int]], longest: int) -> Bar:
    """Return the bar of a sum of parts; parts of 0 are omitted."""
    whole = sum(number for _, number in parts)
    lengths = (whole * _PARTS // longest, _digits(whole) * _PARTS // _digits(longest))
    return Bar(*(_parts(parts, whole, length) for length in lengths))


def _digits(number: int) -> int:
    """Return 1,000 times one more than the decimal logarithm of a number; 0 for 0."""
    return 1000 + round(1000 * log10(number)) if number > 0 else 0


def _parts(parts: Sequence[tuple[str, int]], whole: int, length: int) -> tuple[tuple[str, str, str], ...]:
    found, at, past = [], 0, 0
    for name, number in parts:
        past += number
        end = past * length // whole if whole else 0
        if number:
            found.append((name, _percent(at), _percent(max(end - at, 15))))
        at = end
    return tuple(found)


def _percent(parts: int) -> str:
    return f"{parts // 100}.{parts % 100:02}%"


_WHOLE_DATA = 12
"""Cells of a board whose data may take as long as on the command line; the page omits slow counts."""
_FOR_TERMINALS = (
    ("; --format json has every digit", ""),
    (". Add --check to one count for a second engine; noughts verify checks the published numbers", ""),
    ("; noughts verify checks the published numbers", ""),
)
"""What reports say about commands, which readers of pages do not type."""


def answer_conventions(ask: Ask) -> PageAnswer:
    """Return the page of all conventions. Raises BudgetError for a board without any count in time."""
    request_for(ask)  # refuses a chart
    as_data = ask.form != "html" and ask.on.cells <= _WHOLE_DATA
    limits = Limits(LONG.memory) if ask.on.cells <= SMALL_BOARD or as_data else REQUEST
    found = survey(ask.on, limits, Run(progress=ask.progress))
    whole = all(entry.finished is not None for entry in found.games)
    command = f"noughts count {ask.on}" + f" --time {limits.seconds:g}s" * (limits is REQUEST)

    return PageAnswer(
        "conventions.html",
        "How many games?",
        lambda links: _context(found, links),
        forms(found, PIPE),
        command,
        exact=whole,
    )


def _context(found: Conventions, links: Links) -> dict[str, Any]:
    reported = report(found)
    by_rule: dict[str, list[Entry]] = {}
    for entry in found.games:
        by_rule.setdefault(entry.question.x_moves, []).append(entry)
    hows = [block.text for part in reported.sections for block in part if isinstance(block, How)]
    longest = longest_of([rung.count for rung in found.positions])
    counts = [*(entry.finished for entry in found.games), *(rung.count for rung in found.positions)]
    return {
        "headline": reported.headline,
        "rules": [_rule(entries, links) for entries in by_rule.values()],
        "sames": {each.question.same: legend_words(each.question)[1] for each in found.games}.items(),
        "known": [(each, command_link(each.command, links)) for each in found.games if each.finished is not None],
        "rungs": [
            (found.board.rules.labelled(rung.name), rung, bar_of([("all", rung.count or 0)], longest))
            for rung in found.positions
        ],
        "bots": [_for_readers(words) for words in bots_words(found.positions)],
        "has_brief": any(count is not None and count >= 10 ** DIGITS[0] for count in counts),
        "digits": links.twin("json"),
        "left_out": [blocks_of(part, links) for part in left_out(found.games, found.positions)],
        "hows": [_for_readers(how) for how in hows],
        "whatis": links.to(Ask("whatis")),
    }


def _for_readers(words: str) -> str:
    """Return the sentences of a report without its advice on commands."""
    for given, instead in _FOR_TERMINALS:
        words = words.replace(given, instead)
    return words


def _rule(entries: Sequence[Entry], links: Links) -> dict[str, Any]:
    """Return the rows of one rule of moving: for each end of the game the entries by sameness."""
    rule = entries[0].question.x_moves
    ends: dict[EndRule, list[tuple[Entry, str | None]]] = {}
    for entry in entries:
        ends.setdefault(entry.question.end, []).append((entry, command_link(entry.command, links)))
    rows = [(end, legend_words(cells[0][0].question)[0], cells) for end, cells in ends.items()]
    return {"name": rule, "words": moves_words(rule, rule), "rows": rows}


_DERIVED_CELLS = 12
"""Maximum cells for a page that shows the derivation by itself."""
_OTHER_BOARDS = ("2x2", "2x3", "3x3", "3x4", "4x4", "3x3+torus", "3x3+misere")
_OUTCOMES = (("x", "x_wins"), ("draw", "draws"), ("o", "o_wins"))


def answer_census(ask: Ask) -> PageAnswer:
    """Return the count under one convention. Raises InputError, InvalidQuestion, InvalidPosition, BudgetError."""
    request = request_for(ask)
    answer = request.answer(caller_of(ask))
    found, second = answer.result

    command = command_of(found.question) + " --explain" * request.explain + " --check" * request.check
    return PageAnswer(
        "census.html",
        "How many games?",
        lambda links: _context_census(ask, found, second, explain=request.explain, links=links),
        answer.forms,
        command,
    )


def _context_census(ask: Ask, found: Census, second: Opinion | None, *, explain: bool, links: Links) -> dict[str, Any]:
    question = found.question
    return {
        "headline": headline(found),
        "answer": None if is_cut(found) else found.totals.finished,
        "census": found,
        "printed": [] if is_cut(found) else for_print(question, found.totals.finished),
        "rows": _rows(found),
        "how": how_we_know(found, second),
        "slips": slips_of(found),
        "derived": _derived(found) if explain or question.board.cells <= _DERIVED_CELLS else [],
        "explain": explain,
        "explained": links.to(ask.changed(explain=1)) if question.starts == "X" and not found.carried else None,
        "checked": None if ask.given("check") or found.carried else links.to(ask.changed(check=1)),
        "form": _form(ask, question),
        "all": links.page("count"),
        "others": _others(ask, question, links),
        "symmetries": _symmetries(ask, question, links),
        "start": question.start,
        "whatis": links.to(Ask("whatis", query=(("n", str(found.totals.finished)),)))
        if found.totals.finished
        else None,
    }


def _rows(found: Census) -> list[dict[str, Any]]:
    """Return the rows of the table, each with the bar of the games that end there, else of its positions."""
    games = found.totals.finished is not None
    longest = longest_of([row.finished if games else row.positions for row in found.plies])
    rows = []
    for counts in found.plies:
        parts = [(name, getattr(counts, column) or 0) for name, column in _OUTCOMES]
        rows.append({"counts": counts, "bar": bar_of(parts if games else [("all", counts.positions or 0)], longest)})
    return rows


def _derived(found: Census) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return the derivation: for each ply and sum its heading and lines, each with its indentation."""
    if found.question.starts != "X" or found.totals.paths is None:
        return []

    def placed(line: str) -> tuple[int, str]:
        return (len(line) - len(line.lstrip())) // 2, line.strip()

    parts = (*derivation(found), *sums(found))
    return [(part.heading, [placed(line) for line in part.lines]) for part in parts]


def _form(ask: Ask, question: Question) -> dict[str, Any]:
    """Return the three questions as switches: the choices of each in words, and the current one."""
    board, lines = question.board, question.board.cells > 1000 or bool(question.board.lines)
    rules: tuple[MoveRule, ...] = board.rules.all_move_rules
    moves = ask.given("moves") or "any"
    return {
        "moves": [(rule, moves_words(rule, rule).removeprefix("both "), rule == moves) for rule in rules],
        "end": [
            (end, end_words(end, misere=board.misere, lines=lines).removeprefix("a game "), end == question.end)
            for end in END_RULES
        ],
        "same": [(same, sameness_words(same, question.symmetry), same == question.same) for same in SAMENESSES],
        "players": [(name, ask.given(f"{name}_moves"), rules) for name in ("x", "o")],
        "starts": [(who, who == question.starts) for who in STARTS],
        "from": ask.given("from") or "",
        "to_ply": ask.given("to_ply") or "",
        "symmetry": ask.given("symmetry"),
        "more": any(ask.given(name) for name in ("x_moves", "o_moves", "from", "to_ply", "starts")),
    }


def _others(ask: Ask, question: Question, links: Links) -> list[tuple[str, str]]:
    """Return links to the same question on other boards, if it makes sense there."""
    found = []
    for board in map(Board.parse, _OTHER_BOARDS):
        with suppress(NoughtsError):
            replace(question, board=board, start=None)
            to = links.to(replace(ask.changed(**{"from": None}, check=None, explain=None), board=board))
            found += [(str(board), to)] if to and board != question.board else []
    return found


def _symmetries(ask: Ask, question: Question, links: Links) -> list[tuple[str, int, str | None]]:
    """Return the symmetry groups to choose from, each with its order and a link; empty if they are equal."""
    if question.same == "labelled":
        return []
    try:
        orders = {name: question.board.group(name).order for name in ("board", "lines")}
    except BudgetError:
        return []
    if orders["board"] == orders["lines"]:
        return []
    ways = (("board", None, "the symmetries of the board"), ("lines", "lines", "all symmetries of the lines"))
    return [
        (words, orders[name], None if name == question.symmetry else links.to(ask.changed(symmetry=symmetry)))
        for name, symmetry, words in ways
    ]


def answer_count(ask: Ask) -> PageAnswer:
    """Return the counts under one convention, or under all conventions if the address names none.

    Raises InputError for parameters that contradict each other, BudgetError for work beyond the limit of a page.
    """
    return answer_census(ask) if ask.query else answer_conventions(ask)
