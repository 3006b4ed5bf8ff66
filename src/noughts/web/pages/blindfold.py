"""The page of blindfold play: what can be done without seeing, and a strategy to walk through, call by call."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from noughts.blindfold.answer import BlindAnswer
from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.game.calls import Answer as Heard
from noughts.blindfold.game.endings import Ending
from noughts.blindfold.game.rules import BlindRules, Goal
from noughts.blindfold.game.spelling import names
from noughts.blindfold.walk import WalkPlace, answer_slug, read_walk, walk
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import BudgetError, InvalidQuestion
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.thumbnail import thumbnail
from noughts.reports.blindfold.answer import forms, report
from noughts.reports.blindfold.strategy import strategy_blocks
from noughts.reports.page import PIPE
from noughts.web.ask import Ask
from noughts.web.blocks import blocks_of
from noughts.web.boards import spoken
from noughts.web.links import Links
from noughts.web.page import PageAnswer
from noughts.web.pages.blindplay import rules_of

__all__ = ["answer_blindfold"]


@lru_cache(maxsize=16)
def _solved(
    board: Board, rules: BlindRules, goal: Goal, first: Cell | None, opening: Cell | None, safe: bool
) -> BlindAnswer:
    return solve_blindfold(board, rules, goal, first=first, opening=opening, never_lose_too=safe)


def answer_blindfold(ask: Ask) -> PageAnswer:
    """Return what can be done blind. Raises InvalidQuestion, BudgetError."""
    assert ask.board is not None
    board, goal = ask.board, cast(Goal, ask.given("goal") or "never-lose")
    safe = ask.given("safe") is not None
    if safe and goal != "win-often":
        raise InvalidQuestion("safe goes with goal=win-often: the other goals never lose anyway")
    first, opening = ask.given("first"), ask.given("opening")
    found = _solved(board, rules_of(ask), goal, _cell(board, first), _cell(board, opening), safe)

    return PageAnswer("blindfold.html", "Without seeing", lambda links: _context(links, ask, found), forms(found, PIPE))


def _cell(board: Board, text: str | None) -> Cell | None:
    return None if text is None else parse_cell(board, text)


def _link(links: Links, ask: Ask, **other: str | None) -> str | None:
    query = {**dict(ask.query), **other}
    return links.to(Ask("blindfold", ask.board, "", tuple(sorted((k, v) for k, v in query.items() if v))))


def _context(links: Links, ask: Ask, found: BlindAnswer) -> dict[str, Any]:
    sections = [blocks_of(part, links) for part in report(found).sections]
    told = len(strategy_blocks(found))
    walked, too_many = _walk(links, ask, found)
    return {
        "found": found,
        "verdict": sections[0],
        "claim": sections[1 : 1 + told],
        "rest": sections[1 + told :],
        "walk": walked,
        "too_many": too_many,
        "often": _link(links, ask, goal="win-often", walk=None) if found.rules.blind != "both" else None,
        "goal": found.goal,
        "play": _play(links, ask, found, None),
        "see": _play(links, ask, found, "sighted"),
    }


def _play(links: Links, ask: Ask, found: BlindAnswer, role: str | None) -> str | None:
    if found.rules.blind == "both":
        return None
    query = {name: value for name, value in ask.query if name in ("told", "collision", "opening_told")}
    query |= {"blind": found.rules.blind} | ({"as": role} if role else {})
    if role and found.goal != "never-lose":
        query["goal"] = found.goal
    return links.to(Ask("play", ask.board, "", tuple(sorted(query.items()))))


def _walk(links: Links, ask: Ask, found: BlindAnswer) -> tuple[dict[str, Any] | None, str]:
    """Return the place that is looked at and the ways on from it, or why there is none."""
    if found.strategy is None:
        return None, ""
    try:
        place = walk(found.strategy, read_walk(found.strategy, ask.given("walk") or ""))
    except BudgetError as error:
        return None, str(error)
    strategy = place.strategy

    def link(heard: tuple[Heard, ...]) -> str | None:
        return _link(links, ask, walk="-".join(answer_slug(strategy, each) for each in heard))

    words = _Words(place)
    trail = [(words.step(step.call, step.answer), link(place.heard[: n + 1])) for n, step in enumerate(place.steps)]
    return {
        "number": len([step for step in place.steps if step.call is not None]) + 1,
        "picture": words.picture(),
        "call": None if place.call is None else cell_name(strategy.board, place.call),
        "knows": words.knows(),
        "trail": trail,
        "again": link(()) if place.steps else None,
        "back": link(place.heard[:-1]) if place.steps else None,
        "onward": [(words.heard(answer, place.call), link((*place.heard, answer))) for answer in place.onward],
        "ends": [words.end(end) for end in place.ends],
    }, ""


class _Words:
    """What is said at a place."""

    def __init__(self, place: WalkPlace) -> None:
        self.place, self.board, self.rules = place, place.strategy.board, place.strategy.rules

    def picture(self) -> str:
        """Return the board that the player knows, the cell to call pointed out."""
        at, call = self.place.position, self.place.call
        label = self.knows() + ("" if call is None else f" Call {cell_name(self.board, call)}.")
        return thumbnail(shape_of(self.board), marks_of(at), label, last=[] if call is None else [call])

    def knows(self) -> str:
        """Return the marks that the player knows of, in words."""
        if self.rules.told == "nothing":
            called = [cell_name(self.board, step.call) for step in self.place.steps if step.call is not None]
            return f"{self.rules.blind} has called {', '.join(called)}." if called else "Nothing was called yet."
        at = self.place.position
        return f"{self.rules.blind} knows: {spoken(at)}." if at.ply else f"{self.rules.blind} knows of no mark yet."

    def step(self, call: Cell | None, answer: Heard) -> str:
        """Return a step of the way here: `b2 free`."""
        if call is None:
            return f"X opens at {names(self.board, answer.told)}"
        return f"{cell_name(self.board, call)} {self._said(answer)}"

    def heard(self, answer: Heard, call: Cell | None) -> str:
        """Return an answer after which the player calls again."""
        if call is None:
            return f"X opens at {names(self.board, answer.told)}"
        name = cell_name(self.board, call)
        return f"{name} is {self._said(answer)}" if answer.kind != "next" else "The next call"

    def _said(self, answer: Heard) -> str:
        told = names(self.board, answer.told)
        if answer.kind == "next":
            return "called"
        return f"{answer.kind} ({told})" if told else answer.kind

    def end(self, end: Ending) -> tuple[str, str]:
        """Return how the game can be over before the next call, and for whom: X, O or draw."""
        who = {"win": self.rules.blind, "loss": self.rules.opponent}.get(end.outcome)
        how = "a draw" if who is None else f"{who} wins"
        call = self.place.call
        assert call is not None
        name = cell_name(self.board, call)
        by = "" if self._is_own(end) else f" after {self.rules.opponent}'s reply"
        said = name if end.answer.kind == "next" else f"{name} is {self._said(end.answer)}"
        return f"{said}: {how}{by}", who or "draw"

    def _is_own(self, end: Ending) -> bool:
        """Return whether the call itself ended the game."""
        return not end.truth.blind_to_act
