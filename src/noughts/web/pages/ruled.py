"""A board and its positions where the players are bound by rules: what such play reaches, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from noughts.counting.api import ask as question_of
from noughts.counting.census import Census
from noughts.counting.conventions.answers import Answers
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.words import command_of, play_words
from noughts.domain.errors import BudgetError
from noughts.domain.position import Position
from noughts.machine.budget import Limits
from noughts.records.api import catalogue
from noughts.records.catalogue import Catalogue
from noughts.records.positions import alike
from noughts.records.record import Record
from noughts.reports.forms import as_json
from noughts.strategy.lengths import counted, in_moves
from noughts.web.addresses import read_position
from noughts.web.ask import Ask
from noughts.web.boards import board_view, spoken
from noughts.web.links import Links
from noughts.web.listed import rules_of
from noughts.web.page import PageAnswer
from noughts.web.recorded import Recorded, plural, title_of

__all__ = ["answer_ruled"]

_MEMORY = 2_000_000_000
_SECONDS = 2.0


def answer_ruled(ask: Ask) -> PageAnswer:
    """Return the page of a board or a position within rules.

    Raises NotFound, InvalidQuestion, BudgetError for boards of too many classes.
    """
    question = _question(ask)
    found = catalogue(question.board, x_moves=question.x_moves, o_moves=question.o_moves, end=question.end)
    page = {"board": _board, "position": _position}[ask.page]
    return page(ask, found)


def _question(ask: Ask) -> Question:
    assert ask.board is not None
    return question_of(ask.board, same="choices", **rules_of(ask))  # type: ignore[arg-type]


def _link(links: Links, page: str, parameters: dict[str, str]) -> str | None:
    return links.to(Ask(page, links.here.board, query=tuple(sorted(parameters.items()))))


def _options(question: Question) -> str:
    return command_of(question).partition(" --same choices ")[2]


def _command(question: Question, more: str = "") -> str:
    return f"noughts positions {question.board} {_options(question)}{more}"


def _rules_data(question: Question) -> dict[str, object]:
    return {"board": question.board.spec, "x_moves": question.x_moves, "o_moves": question.o_moves, "end": question.end}


def _position(ask: Ask, found: Catalogue) -> PageAnswer:
    assert ask.board is not None
    position = read_position(ask.board, ask.what)
    record = found.of_board(position)

    title = f"{title_of(record)}, {position}"

    def context(links: Links) -> dict[str, Any]:
        told = Recorded(found, position, links, **rules_of(ask))
        turn = "game over" if record.is_terminal else f"{record.to_move} to move"
        board = board_view(
            position, to=told.free, notes=told.notes(), best=record.best_moves, label=f"{ask.board}; {turn}"
        )
        said = spoken(position)
        return {
            "told": told,
            "board_view": replace(board, said=f"{said[0].upper()}{said[1:]}; {turn}."),
            "rules": play_words(found.question),
            "counted": counted(found.board, found.question.end),
            "whole": _link(links, "board", rules_of(ask)),
        }

    def data() -> str:
        return as_json({**_rules_data(found.question), **record.as_dict()})

    return PageAnswer(
        "ruled-position.html", title, context, {"json": data}, _command(found.question, f" --ply {position.ply}")
    )


def _board(ask: Ask, found: Catalogue) -> PageAnswer:
    question, start = found.question, found[Position(found.board)]
    answers = Answers(Limits(_MEMORY, _SECONDS))

    def context(links: Links) -> dict[str, Any]:
        rules = rules_of(ask)
        censuses = {same: census for same in SAMENESSES if (census := _census(question, same, answers)) is not None}
        told = Recorded(found, start.position, links, **rules)
        return {
            "rules": play_words(question),
            "board_view": board_view(start.position, to=told.free, notes=told.notes(), best=start.best_moves),
            "told": told,
            "sentence": _sentence(found, start),
            "is_decided": question.end == "decided",
            "censuses": censuses,
            "plies": [(ply, _link(links, "positions", {"ply": str(ply), **rules})) for ply in range(found.plies)],
            "endings": _link(links, "endings", rules),
        }

    def data() -> str:
        sizes = {"classes": str(len(found)), "games": str(start.finishes)}
        words = {"games_by_choices": str(start.finishes_by_choices), "rules": play_words(question)}
        return as_json({**_rules_data(question), **sizes, **words})

    title = f"Every position of {found.board} by rules"
    return PageAnswer("ruled-board.html", title, context, {"json": data}, _command(question))


def _census(question: Question, same: str, answers: Answers) -> Census | None:
    """Return the counts by ply, the same on every machine; None where they cost too much."""
    try:
        return answers.census(replace(question, same=same))  # type: ignore[arg-type]
    except BudgetError:
        return None


def _sentence(found: Catalogue, start: Record) -> str:
    ends = sum(record.is_terminal for record in found)
    best = {"X": "X wins", "O": "O wins", "draw": "the game is a draw"}[start.outcome]
    length = "" if start.outcome == "draw" else f" {in_moves(start.remoteness, found.question.end)}"
    together = alike(found.board).replace("Boards", "boards")
    return (
        f"Within these rules {found.board} has {plural(len(found), 'position class', 'position classes')} "
        f"({plural(found.boards, 'board')}; {together} count once), {ends:,} of them "
        f"{'an ending' if ends == 1 else 'endings'}, and {plural(start.finishes, 'game')}. "
        f"With best play within them {best}{length}."
    )
