"""Blindfold play on a page: one calls cells without seeing, or sees and replies to the program's strategy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, cast

from noughts.blindfold.game.rules import BlindRules, Collision, Goal, Told
from noughts.blindfold.session import Session, play_blindfold
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InputError
from noughts.domain.position import Position
from noughts.reports.blindfold.spoken import Spoken
from noughts.reports.forms import as_json
from noughts.web.addresses import game_slug
from noughts.web.ask import Ask
from noughts.web.boards import BoardView, CellNote, board_view, spoken
from noughts.web.links import Links
from noughts.web.page import PageAnswer

__all__ = ["answer_blindplay", "is_blind", "rules_of"]

_ONLY_BLIND = ("told", "collision", "opening_told", "goal", "as", "opponent", "show")
_ONLY_SEEN = ("x", "o", "hint")


def is_blind(ask: Ask) -> bool:
    """Return whether a game is played blindfold. Raises InputError for parameters that the other kind has."""
    blind = ask.given("blind") is not None
    stray = next((name for name in (_ONLY_SEEN if blind else _ONLY_BLIND) if ask.given(name) is not None), None)
    if stray is not None and blind:
        raise InputError(f"{stray} has no place in blindfold play, where as=blind or as=sighted says who you are")
    if stray is not None:
        raise InputError(f"{stray} is of blindfold play: add blind=X or blind=O, or leave it out")
    return blind


def rules_of(ask: Ask) -> BlindRules:
    """Return the rules of blindfold play in an address. Raises InvalidQuestion where they contradict each other."""
    return BlindRules(
        cast(Any, ask.given("blind") or "X"),
        ask.given("opening_told") is not None,
        cast(Collision, ask.given("collision") or "retry"),
        cast(Told, ask.given("told") or "collision"),
    )


def answer_blindplay(ask: Ask) -> PageAnswer:
    """Return a blindfold game as it stands: all of it comes from the person's acts and the seed in the address."""
    assert ask.board is not None
    board, rules = ask.board, rules_of(ask)
    role = cast(Literal["blind", "sighted"], ask.given("as") or "blind")
    _require_sense(ask, role)
    opposition = cast(Literal["random", "hostile"], ask.given("opponent") or "random")
    goal = cast(Goal, ask.given("goal") or "never-lose")
    cells = tuple(parse_cell(board, name) for name in (ask.given("g") or "").split("-") if name)
    session = play_blindfold(board, rules, role, cells, ask.given("seed") or "0", opposition=opposition, goal=goal)
    shown = ask.given("show") is not None

    def record() -> dict[str, object]:
        heard = Spoken(board, rules).heard(session.acts, blind=role == "blind")
        return {**session.as_dict(revealed=shown), "seed": ask.given("seed") or "0", "said": heard}

    return PageAnswer(
        "blindplay.html",
        "Blindfold play",
        lambda links: _context(links, ask, session, shown, goal),
        {"json": lambda: as_json(record())},
    )


def _require_sense(ask: Ask, role: str) -> None:
    if role == "sighted" and ask.given("opponent") is not None:
        raise InputError("opponent replies to a blind player: leave out as=sighted")
    if role == "blind" and ask.given("goal") is not None:
        raise InputError("goal is what the strategy against you is for: add as=sighted")


def _link(links: Links, ask: Ask, **other: Any) -> str | None:
    """Return the link to this game with other parameters; None takes one away."""
    assert ask.board is not None
    query = {**dict(ask.query), **other}
    if isinstance(query.get("g"), tuple):
        query["g"] = game_slug(ask.board, query["g"])
    kept = {key: str(value) for key, value in query.items() if value not in (None, "")}
    return links.to(Ask("play", ask.board, "", tuple(sorted(kept.items()))))


def _context(links: Links, ask: Ask, session: Session, shown: bool, goal: Goal) -> dict[str, Any]:
    said = Spoken(session.board, session.rules)
    open_now = shown or session.is_over
    heard = said.heard(session.acts, blind=session.role == "blind")
    fresh = int(ask.given("seed") or "0") + 1
    other_role = "sighted" if session.role == "blind" else None
    rest = {"opponent": None, "goal": None, "g": None, "show": None}
    undone = session.chosen[:-1] if session.chosen else None
    events = [(act.who, act.cell, act.placed) for act in session.acts]
    sentence = _sentence(session, shown, said)
    return {
        "session": session,
        "open_now": open_now,
        "begin": said.begin(),
        "instead": said.otherwise(goal) if session.goal not in (None, goal) else "",
        "heard": heard,
        "sentence": sentence,
        "revealed": said.revealed(events) if open_now else "",
        "view": _board(links, ask, session, shown, " ".join([*heard[-2:], sentence])),
        "to": {
            "undo": None if undone is None else _link(links, ask, g=undone, show=None),
            "show": None if open_now or session.role == "sighted" else _link(links, ask, show=1),
            "new": _link(links, ask, g=None, show=None, seed=fresh),
            "role": _link(links, ask, **{**rest, "as": other_role, "seed": fresh}),
            "theory": _theory(links, ask),
        },
    }


def _theory(links: Links, ask: Ask) -> str | None:
    names = ("told", "collision", "opening_told", "blind")
    query = tuple((name, value) for name, value in ask.query if name in names and (name, value) != ("blind", "X"))
    return links.to(Ask("blindfold", ask.board, "", query))


def _sentence(session: Session, shown: bool, said: Spoken) -> str:
    if session.truth.outcome is not None:
        return said.result(session.truth.outcome, session.person)
    if shown:
        return "The blindfold is off."
    return f"You play {session.person}: {'call a cell' if session.role == 'blind' else 'it is your move'}."


def _board(links: Links, ask: Ask, session: Session, shown: bool, live: str) -> BoardView:
    """Return the board as the person may see it; all of it where the game is over or the blindfold off."""
    board, sees = session.board, shown or session.is_over or session.role == "sighted"
    position = session.position if sees else session.known
    free = () if shown else session.open_cells

    def to(cell: Cell) -> str | None:
        return _link(links, ask, g=(*session.chosen, cell)) if cell in free else None

    unsaid = [] if sees or session.rules.told != "nothing" else session.called
    view = board_view(
        position,
        to=to,
        notes={cell: [CellNote("value", "called")] for cell in unsaid},
        says=dict.fromkeys(unsaid, "called"),
        last=session.acts[-1].cell if sees and session.acts else None,
        label=f"{board}, {'the whole board' if sees else 'what you know'}",
        live=live,
        unkeyed=dict.fromkeys(
            ("best", "hint"), "There are no hints in blindfold play: what can be done is on its page."
        ),
    )
    return replace(view, said=_in_words(board, position, sees, unsaid))


def _in_words(board: Board, position: Position, sees: bool, called: Any) -> str:
    words = spoken(position)
    known = f"{'' if sees else 'You know: '}{words}"
    names = ", ".join(cell_name(board, cell) for cell in called)
    return f"{known[0].upper()}{known[1:]}." if not names else f"You called {names}."
