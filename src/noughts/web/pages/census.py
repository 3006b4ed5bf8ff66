"""One question about games in full: the answer in words, ply by ply with bars, how it is derived and who agrees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from noughts.counting.api import ask as question_of
from noughts.counting.census import Census
from noughts.counting.engines import answer as count
from noughts.counting.question import SAMENESSES, STARTS, Question
from noughts.counting.witness import Opinion, quick_second_opinion, second_opinion
from noughts.counting.words import end_words, moves_words, sameness_words
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, NoughtsError
from noughts.domain.rules import END_RULES, MoveRule, move_rules
from noughts.machine.budget import Limits
from noughts.machine.workers import SERIAL
from noughts.reports.counts.census import asked, forms, headline, how_we_know
from noughts.reports.page import PIPE
from noughts.web.ask import Ask
from noughts.web.bars import bar_of, longest_of
from noughts.web.links import Links
from noughts.web.page import PageAnswer

__all__ = ["answer_census"]

_DERIVED_CELLS = 12
"""Cells up to which the derivation stands on the page unasked."""
_OTHER_BOARDS = ("2x2", "2x3", "3x3", "3x4", "4x4", "3x3+torus", "3x3+misere")
_OUTCOMES = (("x", "x_wins"), ("draw", "draws"), ("o", "o_wins"))


def answer_census(ask: Ask, given: dict[str, Any], limits: Limits) -> PageAnswer:
    """Return the count under one convention. Raises InputError, InvalidQuestion, InvalidPosition, BudgetError."""
    question = question_of(
        ask.board or "3x3",
        given["from"],
        same=given["same"],
        moves=given["moves"] or "any",
        x_moves=given["x_moves"],
        o_moves=given["o_moves"],
        end=given["end"] or "line",
        symmetry=given["symmetry"] or "board",
        to_ply=None if given["to_ply"] is None else int(given["to_ply"]),
        starts=given["starts"],
    )
    found = count(question, limits=limits, workers=SERIAL, progress=ask.progress)
    second = second_opinion(found, limits) if given["check"] else None
    command = asked(question) + " --explain" * given["explain"] + " --check" * given["check"]

    def context(links: Links) -> dict[str, Any]:
        opinion = second or quick_second_opinion(found, limits)
        return _context(ask, found, opinion, explain=given["explain"], links=links)

    return PageAnswer(
        "census.html", "How many games?", context, forms(found, PIPE, explain=given["explain"], second=second), command
    )


def _context(ask: Ask, found: Census, second: Opinion | None, *, explain: bool, links: Links) -> dict[str, Any]:
    question = found.question
    return {
        "headline": headline(found),
        "answer": found.totals.finished if found.plies[-1].paths == found.plies[-1].finished else None,
        "census": found,
        "rows": _rows(found),
        "how": how_we_know(found, second),
        "derived": _derived(found) if explain or question.board.cells <= _DERIVED_CELLS else [],
        "explain": explain,
        "explained": links.to(_with(ask, explain="1")) if question.starts == "X" else None,
        "checked": None if ask.given("check") else links.to(_with(ask, check="1")),
        "form": _form(ask, question),
        "all": links.page("count"),
        "others": _others(ask, question, links),
        "symmetries": _symmetries(ask, question, links),
        "start": question.start,
        "whatis": links.to(Ask("whatis", query=(("n", str(found.totals.finished)),)))
        if found.totals.finished
        else None,
    }


def _with(ask: Ask, **changed: str | None) -> Ask:
    """Return what is asked with other parameters; those that become None are left out."""
    given = {**dict(ask.query), **changed}
    return replace(
        ask, query=tuple(sorted((name, text) for name, text in given.items() if text is not None)), form="html"
    )


def _rows(found: Census) -> list[dict[str, Any]]:
    """Return the rows of the table, each with the bar of the games that end there, else of its positions."""
    games = found.totals.finished is not None
    longest = longest_of(found.column("finished" if games else "positions"))
    rows = []
    for counts in found.plies:
        parts = [(name, getattr(counts, column) or 0) for name, column in _OUTCOMES]
        rows.append({"counts": counts, "bar": bar_of(parts if games else [("all", counts.positions or 0)], longest)})
    return rows


def _derived(found: Census) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return the derivation: for each ply its heading and lines, each with how far it is moved in."""
    from noughts.counting.derivation import derivation

    if found.question.starts != "X" or found.totals.paths is None:
        return []
    return [
        (step.heading, [((len(line) - len(line.lstrip())) // 2, line.strip()) for line in step.lines])
        for step in derivation(found)
    ]


def _form(ask: Ask, question: Question) -> dict[str, Any]:
    """Return the three questions as switches: for each its choices, in words, and which is taken."""
    board, lines = question.board, question.board.cells > 1000 or bool(question.board.lines)
    rules: tuple[MoveRule, ...] = move_rules(board)
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
    """Return links to the same question on other boards, where it has a meaning there."""
    found = []
    for spec in _OTHER_BOARDS:
        board = Board.parse(spec)
        to = _asked_of(ask, question, board, links)
        if to is not None and board != question.board:
            found.append((str(board), to))
    return found


def _asked_of(ask: Ask, question: Question, board: Board, links: Links) -> str | None:
    try:
        replace(question, board=board, start=None)
    except NoughtsError:
        return None
    return links.to(replace(_with(ask, **{"from": None, "check": None, "explain": None}), board=board))


def _symmetries(ask: Ask, question: Question, links: Links) -> list[tuple[str, int, str | None]]:
    """Return the groups that sameness can refer to, each with its order and a link; nothing where they are one."""
    if question.same == "labelled":
        return []
    try:
        orders = {name: question.board.group(name).order for name in ("board", "lines")}
    except BudgetError:
        return []
    if orders["board"] == orders["lines"]:
        return []
    words = {"board": "the symmetries of the board", "lines": "all symmetries of the lines"}
    return [
        (
            words[name],
            order,
            None if name == question.symmetry else links.to(_with(ask, symmetry=name if name == "lines" else None)),
        )
        for name, order in orders.items()
    ]
