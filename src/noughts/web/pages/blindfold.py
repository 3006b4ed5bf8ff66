"""Pages about blindfold play: one to play, blind or sighted, and one about what a blind player can achieve."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from noughts.blindfold.both import carried_proof
from noughts.blindfold.game import NO_CELL, START, names, state_text
from noughts.blindfold.game import Answer as Heard
from noughts.blindfold.inquiry import BlindAnswer
from noughts.blindfold.session import Session, WalkPlace, answer_slug, play_blindfold, read_walk, walk
from noughts.blindfold.truths import Ending
from noughts.drawing.board import thumbnail
from noughts.drawing.figures import marks_of, shape_of
from noughts.present.forms import as_json
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell
from noughts.rules.values import begun
from noughts.verbs.blindfold_play import BlindPlay, Spoken
from noughts.verbs.blindfold_report import report, strategy_blocks
from noughts.verbs.request import Caller, VerbAnswer, VerbRequest
from noughts.web.addresses import game_slug
from noughts.web.boards import BoardView, CellNote, blocks_of, board_view, spoken
from noughts.web.kinds import request_for
from noughts.web.links import Links, PageAnswer
from noughts.web.request import LONG, Ask

_RULES = ("told", "collision", "opening_told")
_NO_HINTS = "Blindfold play has no hints: the page about blindfold play shows what each player can achieve."


def answer_blindplay(ask: Ask) -> PageAnswer:
    """Return a blindfold game, derived from the person's acts and the seed in the address."""
    request: BlindPlay = request_for(ask)
    board, rules, role = ask.on, request.rules, request.as_
    _require_sense(ask, role)
    seed = ask.given("seed") or "0"
    cells = tuple(parse_cell(board, name) for name in (ask.given("g") or "").split("-") if name)
    session = play_blindfold(board, rules, role, cells, seed, opposition=request.opponent, goal=request.goal)
    shown = ask.given("show") is not None

    def data() -> str:
        heard = Spoken(board, rules).heard(session.acts, blind=role == "blind")
        return as_json({**session.as_dict(revealed=shown), "seed": seed, "said": heard})

    return PageAnswer(
        "blindplay.html", "Blindfold play", lambda links: _context(links, ask, session, shown, request), {"json": data}
    )


def _require_sense(ask: Ask, role: str) -> None:
    if role == "sighted" and ask.given("opponent") is not None:
        raise InputError("opponent replies to a blind player: remove as=sighted")
    if role == "blind" and ask.given("goal") is not None:
        raise InputError("goal needs a strategy against you: add as=sighted")


def _link(links: Links, ask: Ask, **other: Any) -> str | None:
    """Return the link to this game with other parameters; None removes one."""
    if "g" in other:
        other["g"] = game_slug(ask.on, other["g"] or ())
    return links.to(ask.changed(**other))


def _context(links: Links, ask: Ask, session: Session, shown: bool, request: BlindPlay) -> dict[str, Any]:
    referee = Spoken(session.board, session.rules)
    open_now, is_blind = shown or session.is_over, session.role == "blind"
    heard = referee.heard(session.acts, blind=is_blind)
    fresh = {"g": None, "show": None, "seed": int(ask.given("seed") or "0") + 1}
    other_role = {"opponent": None, "goal": None, "as": "sighted" if is_blind else None}
    sentence = _sentence(session, shown, referee)
    return {
        "session": session,
        "open_now": open_now,
        "begin": referee.begin(request.opponent),
        "instead": referee.otherwise(request.goal) if session.goal not in (None, request.goal) else "",
        "heard": heard,
        "sentence": sentence,
        "revealed": referee.revealed(session.acts) if open_now else "",
        "view": _board(links, ask, session, shown, " ".join([*heard[-2:], sentence])),
        "to": {
            "undo": _link(links, ask, g=session.chosen[:-1], show=None) if session.chosen else None,
            "show": _link(links, ask, show=1) if is_blind and not open_now else None,
            "new": _link(links, ask, **fresh),
            "role": _link(links, ask, **fresh, **other_role),
            "theory": links.page("blindfold", **_question(ask)),
            "here": links.page("blindfold", **_question(ask), from_=_state(session))
            if is_blind and not open_now and session.called
            else None,
        },
    }


def _question(ask: Ask) -> dict[str, Any]:
    """Return the parameters of the page about blindfold play for the rules of a game."""
    return {"blind": "O" if ask.given("blind") == "O" else None, **_hearing_parameters(ask)}


def _state(session: Session) -> str:
    """Return what the blind player knows, as a question begins with it."""
    board, rules = session.board, session.rules
    opened = next((act.heard for act in session.acts if act.heard.kind == "opening"), START)
    calls = ((act.cell, act.heard) for act in session.acts if act.who == rules.blind)
    return state_text(board, rules, ((NO_CELL, opened), *calls))


def _hearing_parameters(ask: Ask) -> dict[str, Any]:
    """Return the parameters about what a blind player hears."""
    return {name: ask.given(name) for name in _RULES}


def _sentence(session: Session, shown: bool, referee: Spoken) -> str:
    if session.truth.outcome is not None:
        return referee.result(session.truth.outcome, session.person)
    if shown:
        return "The blindfold is off."
    return f"You play {session.person}: {'call a cell' if session.role == 'blind' else 'it is your move'}."


def _board(links: Links, ask: Ask, session: Session, shown: bool, live: str) -> BoardView:
    """Return the board as the person may see it; the whole board after the game or without the blindfold."""
    board, sees = session.board, shown or session.is_over or session.role == "sighted"
    position = session.position if sees else session.known
    free = () if shown else session.open_cells

    def to(cell: Cell) -> str | None:
        return _link(links, ask, g=(*session.chosen, cell)) if cell in free else None

    unsaid = [] if sees or not session.rules.is_silent else session.called
    view = board_view(
        position,
        to=to,
        notes={cell: [CellNote("value", "called")] for cell in unsaid},
        says=dict.fromkeys(unsaid, "called"),
        last=session.acts[-1].cell if sees and session.acts else None,
        label=f"{board}, {'the whole board' if sees else 'what you know'}",
        live=live,
        unkeyed=dict.fromkeys(("best", "hint"), _NO_HINTS),
    )
    known = f"{'' if sees else 'You know: '}{spoken(position)}"
    sentence = f"You called {', '.join(cell_name(board, cell) for cell in unsaid)}" if unsaid else known
    return replace(view, aloud=f"{begun(sentence)}.")


@lru_cache(maxsize=16)
def _solved(request: VerbRequest) -> VerbAnswer:
    return request.answer(Caller(bounds=LONG))


def answer_blindfold(ask: Ask) -> PageAnswer:
    """Return what a blind player can achieve. Raises InvalidQuestion, BudgetError."""
    found = _solved(replace(request_for(ask), form="table"))

    return PageAnswer(
        "blindfold.html", "Without seeing", lambda links: _context_blindfold(links, ask, found.result), found.forms
    )


def _context_blindfold(links: Links, ask: Ask, found: BlindAnswer) -> dict[str, Any]:
    sections = [blocks_of(part, links) for part in report(found).sections]
    claims = len(strategy_blocks(found))
    walked, too_many = _walk(links, ask, found)
    return {
        "found": found,
        "verdict": sections[0],
        "claim": sections[1 : 1 + claims],
        "rest": sections[1 + claims :],
        "walk": walked,
        "too_many": too_many,
        "often": links.to(ask.changed(goal="win-often", walk=None)) if found.rules.blind != "both" else None,
        "goal": found.goal,
        "start": found.start or "",
        "begin": links.to(ask.changed(**{"from": None, "walk": None, "first": None})) if found.start else None,
        "play": _play(links, ask, found, None),
        "see": _play(links, ask, found, "sighted"),
    }


def _play(links: Links, ask: Ask, found: BlindAnswer, role: str | None) -> str | None:
    if found.rules.blind == "both":
        is_played = role is None and carried_proof(found.board, found.rules) is not None
        return links.page("play", blind="X", opponent="blind") if is_played else None
    if found.start is not None:
        return None
    goal = found.goal if role and found.goal != "never-lose" else None
    return links.page("play", blind=found.rules.blind, as_=role, goal=goal, **_hearing_parameters(ask))


def _walk(links: Links, ask: Ask, found: BlindAnswer) -> tuple[dict[str, Any] | None, str]:
    """Return the current step of the strategy and the links to the next, or why there is none."""
    if found.strategy is None:
        return None, ""
    try:
        place = walk(found.strategy, read_walk(found.strategy, ask.given("walk") or ""))
    except BudgetError as error:
        return None, str(error)
    strategy = place.strategy

    def link(heard: tuple[Heard, ...]) -> str | None:
        return links.to(ask.changed(walk="-".join(answer_slug(strategy, each) for each in heard)))

    words = _Words(place)
    trail = [(words.step(step.call, step.answer), link(place.heard[: n + 1])) for n, step in enumerate(place.steps)]
    return {
        "number": len([step for step in place.steps if step.call is not None]) + 1,
        "picture": words.picture(),
        "call": None if place.call is None else cell_name(strategy.board, place.call),
        "all": None if place.call is None or not place.steps else links.to(_from_here(ask, place)),
        "knows": words.knows(),
        "trail": trail,
        "again": link(()) if place.steps else None,
        "back": link(place.heard[:-1]) if place.steps else None,
        "onward": [(words.heard(answer, place.call), link((*place.heard, answer))) for answer in place.onward],
        "ends": [words.end(end) for end in place.ends],
    }, ""


def _from_here(ask: Ask, place: WalkPlace) -> Ask:
    """Return the question about all calls at a place."""
    strategy = place.strategy
    history = (*strategy.history, *((NO_CELL if step.call is None else step.call, step.answer) for step in place.steps))
    if not strategy.history and history[0][0] != NO_CELL:
        history = ((NO_CELL, START), *history)
    state = state_text(strategy.board, strategy.rules, history)
    return ask.changed(**{"from": state, "walk": None, "first": None, "opening": None})


class _Words:
    """The page's words and links at one step of the strategy."""

    def __init__(self, place: WalkPlace) -> None:
        self.place, self.board, self.rules = place, place.strategy.board, place.strategy.rules

    def picture(self) -> str:
        """Return the board that the player knows, with the cell to call marked."""
        at, call = self.place.position, self.place.call
        label = self.knows() + ("" if call is None else f" Call {cell_name(self.board, call)}.")
        return thumbnail(shape_of(self.board), marks_of(at), label, last=[] if call is None else [call])

    def knows(self) -> str:
        """Return the marks that the player knows, in words."""
        if self.rules.is_silent:
            calls = [*(cell for cell, _ in self.place.strategy.history), *(step.call for step in self.place.steps)]
            called = [cell_name(self.board, call) for call in calls if call is not None and call != NO_CELL]
            return f"{self.rules.blind} has called {', '.join(called)}." if called else "You have called no cell yet."
        at = self.place.position
        return f"{self.rules.blind} knows: {spoken(at)}." if at.ply else f"{self.rules.blind} knows no mark yet."

    def step(self, call: Cell | None, answer: Heard) -> str:
        """Return an earlier step in words: `b2 free`."""
        return (
            self.heard(answer, call) if call is None else f"{cell_name(self.board, call)} {self._answer_text(answer)}"
        )

    def heard(self, answer: Heard, call: Cell | None) -> str:
        """Return an answer after which the player calls again."""
        if call is None:
            return f"X opens at {names(self.board, answer.cells)}"
        name = cell_name(self.board, call)
        return f"{name} is {self._answer_text(answer)}" if answer.kind != "next" else "The next call"

    def _answer_text(self, answer: Heard) -> str:
        cells = names(self.board, answer.cells)
        if answer.kind == "next":
            return "called"
        return f"{answer.kind} ({cells})" if cells else answer.kind

    def end(self, end: Ending) -> tuple[str, str]:
        """Return how the game can end before the next call, and who wins: X, O or draw."""
        who = {"win": self.rules.blind, "loss": self.rules.opponent}.get(end.outcome)
        how = "a draw" if who is None else f"{who} wins"
        call = self.place.call
        assert call is not None
        name = cell_name(self.board, call)
        by = f" after {self.rules.opponent}'s reply" if end.truth.blind_to_act else ""
        result = name if end.answer.kind == "next" else f"{name} is {self._answer_text(end.answer)}"
        return f"{result}: {how}{by}", who or "draw"
