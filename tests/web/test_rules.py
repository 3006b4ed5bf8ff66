"""The gallery of the rules: a board of each, its value, its games by another engine, and links that begin a game."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import noughts
from noughts.counting.engines import answer
from noughts.counting.question import Question
from noughts.rules.registry import RULES
from noughts.web.addresses import board_slug
from noughts.web.pages.rules import gallery
from tests.web.site import page


def test_every_rule_of_play_has_a_board() -> None:
    shown = [each.board.rules for each in gallery()]
    there = {type(rules) for rules in shown}
    assert all(kind in there or issubclass(kind, tuple(there)) for kind in RULES.values())
    assert any(rules.misere for rules in shown)
    assert any(rules.exact for rules in shown)
    assert any(rules.boards > 1 for rules in shown)


def test_values_and_games_are_those_of_other_engines() -> None:
    text = unescape(page("/rules"))
    for each in gallery():
        board = each.board
        engine = "layered" if board.rules.is_marking else "classes"
        games = answer(Question(board), engine=engine).totals.finished
        assert f">{games:,} games<" in text, board
        assert each.value.outcome == noughts.solve(board, engine="retrograde").outcome(), board
        assert each.verdict in text


def test_a_click_on_a_cell_begins_a_game() -> None:
    text = unescape(page("/rules"))
    for each in gallery():
        begun = re.findall(rf'href="(/{re.escape(board_slug(each.board))}/play\?g=[^"]+)"', text)
        assert len(begun) == (16 if each.board.rules.by_column else each.board.cells), each.board
        assert "plays" in page(begun[0])
    assert not [name for name, times in Counter(re.findall(r' id="([^"]+)"', text)).items() if times > 1]


def test_the_start_page_leads_there() -> None:
    assert 'href="/rules"' in page("/")
