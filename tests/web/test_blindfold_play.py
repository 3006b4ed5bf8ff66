"""Blindfold play by links: nothing is seen that was not said, and what is said are the words of the terminal."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest

from noughts.blindfold.game.referee import Referee, Truth
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.session import play_blindfold
from noughts.cli.main import main
from noughts.domain.board import Board
from noughts.reports.blindfold.spoken import Spoken
from noughts.web.addresses import read_address
from noughts.web.answering import answer

pytestmark = pytest.mark.usefixtures("remembered")

RULES = [
    "blind=X",
    "blind=X&opponent=hostile",
    "blind=X&told=nothing",
    "blind=X&told=nothing&collision=lose-turn",
    "blind=X&told=all",
    "blind=X&told=last-move&collision=lose-turn",
    "blind=O",
    "blind=O&opening_told=1",
    "blind=O&collision=lose-turn&opponent=hostile",
]


def get(address: str) -> str:
    path, _, query = address.partition("?")
    reply = answer(read_address(path, query))
    assert reply.status == 200, reply.body.decode()
    return reply.body.decode()


def record(address: str) -> dict[str, Any]:
    path, _, query = address.partition("?")
    found: dict[str, Any] = json.loads(answer(read_address(f"{path}.json", query)).body)
    return found


def cells(page: str) -> dict[str, str]:
    return {name: unescape(to) for to, name in re.findall(r'<a href="([^"]+)" data-swap id="cell-([^"]+)"', page)}


def marks(page: str) -> dict[str, str]:
    """Return the marks that the page shows, by the names of their cells."""
    found = re.findall(
        r'class="cell taken[^"]*" id="cell-([^"]+)"[^>]*aria-label="\w+, row \d, column \d, ([XO])', page
    )
    return dict(found)


def heard(page: str) -> list[str]:
    return [unescape(words) for words in re.findall(r"<li>([^<]+)</li>", page)]


def button(page: str, name: str) -> str | None:
    found = re.search(rf'href="([^"]+)" data-swap id="{name}"', page)
    return unescape(found[1]) if found else None


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", ["0", "5"])
def test_a_whole_game_without_seeing(rules, seed):
    address = f"/3x3/play?{rules}&seed={seed}"
    blind = "X" if "blind=X" in rules else "O"
    told: dict[str, str] = {}
    while True:
        page, state = get(address), record(address)
        if state["over"]:
            break
        links = cells(page)
        assert sorted(links) == sorted(state["open"])
        assert (state["position"], state["revealed"]) == (None, None)
        shown = marks(page)
        if "told=nothing" in rules:
            assert shown == {}
        else:
            for words in heard(page):
                for name in re.findall(r"\b[abc][123]\b", words):
                    told[name] = blind if "is yours" in words else {"X": "O", "O": "X"}[blind]
            assert shown == told, "the board shows what was said, and nothing else"
        address = links[sorted(links)[len(links) // 2]]
    assert f"{len(marks(page))}" == f"{sum(each['placed'] for each in state['revealed'])}"
    assert re.search(r"All revealed: [XO] [abc][123]", page)
    assert re.search(r"(A draw|[XO] wins: you (win|lose))\.", page)
    assert not cells(page)


@pytest.mark.parametrize("blind", ["X", "O"])
def test_a_whole_game_against_the_strategy(blind):
    address = f"/3x3/play?blind={blind}&as=sighted"
    while not (state := record(address))["over"]:
        page = get(address)
        assert len(marks(page)) + len(cells(page)) == 9
        address = cells(page)[state["open"][0]]
    assert blind == "O" or state["outcome"] in ("win", "draw"), "its strategy as X never loses"


@pytest.fixture
def terminal(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit):
            main(["blindfold", "play", *arguments])
        return capsys.readouterr().out

    return call


def test_the_words_are_those_of_the_terminal(terminal, monkeypatch):
    for rules, options in (
        ({}, ()),
        ({"told": "all"}, ("--told", "all")),
        ({"told": "last-move", "collision": "lose-turn"}, ("--told", "last-move", "--collision", "lose-turn")),
        ({"blind": "O", "opening_told": True}, ("--blind", "O", "--opening-told")),
        ({"told": "nothing"}, ("--told", "nothing")),
    ):
        board, chosen = Board.parse("3x3"), BlindRules(**rules)
        given: tuple[int, ...] = ()
        session = play_blindfold(board, chosen, "blind", (), "4")
        while not session.is_over:
            given = (*given, session.open_cells[-1])
            session = play_blindfold(board, chosen, "blind", given, "4")
        replies = iter([act.cell for act in session.acts if act.who == chosen.opponent])
        monkeypatch.setattr("noughts.cli.blindfold.play.random_reply", lambda *_, replies=replies: next(replies))
        typed = iter([str(cell + 1) for cell in given])
        monkeypatch.setattr("builtins.input", lambda _, typed=typed: next(typed))
        out = terminal(*options)
        words = Spoken(board, chosen)
        lines = [line.strip() for line in out.splitlines() if line.startswith("  ") and not line.startswith("    ")]
        assert lines == words.heard(session.acts, blind=True)
        assert session.truth.outcome is not None
        assert words.result(session.truth.outcome, chosen.blind) in out
        assert words.begin() in " ".join(out.split())
        events = [(act.who, act.cell, act.placed) for act in session.acts]
        assert words.revealed(events) in " ".join(out.split())


def test_the_words_to_who_sees_are_those_of_the_terminal(terminal, monkeypatch):
    board, rules = Board.parse("3x3"), BlindRules()
    session = play_blindfold(board, rules, "sighted", (), "0")
    while not session.is_over:
        session = play_blindfold(board, rules, "sighted", (*session.chosen, session.open_cells[0]), "0")
    typed = iter([str(cell + 1) for cell in session.chosen])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    out = terminal("--as", "sighted")
    calls = [line for line in out.splitlines() if line.startswith("X calls")]
    assert calls == Spoken(board, rules).heard(session.acts, blind=False)


def test_showing_the_board_ends_the_blindfold():
    page = get("/3x3/play?blind=X&g=b2-a1")
    shown = button(page, "show")
    assert shown == "/3x3/play?blind=X&g=b2-a1&show=1"
    page = get(shown)
    assert len(marks(page)) == 4
    assert not cells(page)
    assert "All revealed: X b2, O " in page
    assert button(page, "show") is None
    assert button(page, "undo") == "/3x3/play?blind=X&g=b2"
    assert record(shown)["position"].count("X") == 2


def test_undo_takes_back_ones_own_call():
    assert button(get("/3x3/play?blind=X&g=b2-a1"), "undo") == "/3x3/play?blind=X&g=b2"
    assert button(get("/3x3/play?blind=X"), "undo") is None


def test_the_other_role():
    page = get("/3x3/play?blind=X&g=b2&opponent=hostile")
    sighted = button(page, "role")
    assert sighted == "/3x3/play?as=sighted&blind=X&seed=1"
    assert "You see, " in get(sighted)
    assert button(get(sighted), "role") == "/3x3/play?blind=X&seed=2"


def test_what_the_program_says_where_no_strategy_reaches_the_goal():
    page = get("/3x3/play?blind=O&as=sighted")
    assert "There is no strategy to never lose: the program plays to win often." in page
    assert "There is no strategy" not in get("/3x3/play?blind=X&as=sighted")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("blind=X&g=b2-b2", "b2 was called or told already: call another cell"),
        ("blind=X&as=sighted&g=b2", "b2 is not blank: choose another cell"),
        ("blind=both", "both"),
        ("blind=X&x=easy", "x has no place in blindfold play"),
        ("told=all", "told is of blindfold play"),
        ("blind=X&as=sighted&opponent=hostile", "leave out as=sighted"),
        ("blind=X&goal=win-often", "add as=sighted"),
        ("blind=X&opening_told=1", "only a blind O"),
        ("blind=X&g=zz", "zz"),
    ],
)
def test_what_makes_no_sense_is_refused(query, words):
    reply = _reply(query)
    assert reply.status == 400
    assert words in unescape(reply.body.decode())


def _reply(query):
    from noughts.domain.errors import NoughtsError
    from noughts.web.answering import failure
    from noughts.web.ask import Ask

    try:
        return answer(read_address("/3x3/play", query))
    except NoughtsError as error:
        return failure(error, Ask("start"))


def test_acts_after_the_end_are_refused():
    state = record("/3x3/play?blind=X&told=nothing&g=a1-b1-c1-a2-b2-c2-a3-b3-c3&seed=1")
    assert state["ok"] is False
    assert "the game is over before" in state["error"]


def test_the_hostile_opponent_takes_a_line():
    board, rules = Board.parse("3x3"), BlindRules()
    found = [play_blindfold(board, rules, "blind", (1, 3), str(seed), opposition="hostile") for seed in range(20)]
    referee = Referee(board, rules)
    for session in found:
        for n, act in enumerate(session.acts):
            before = [each.cell for each in session.acts[:n] if each.who == "O"]
            wins = [
                cell
                for cell in referee.blanks(_truth(session, n))
                if any(set(line) <= {*before, cell} for line in board.lines)
            ]
            assert act.who == "X" or not wins or act.cell in wins


def _truth(session: Any, n: int) -> Truth:
    own = frozenset(act.cell for act in session.acts[:n] if act.who == "X" and act.placed)
    return Truth(own=own, other=frozenset(act.cell for act in session.acts[:n] if act.who == "O"))
