"""Lists of positions and of endings as pages: what they show is what the records hold, the data are the command's."""

from __future__ import annotations

import re
from html import unescape

import pytest

from noughts.records.positions import positions
from noughts.web.addresses import position_slug
from tests.web.pages import get, links_in, page, refused, text_of, twin

CONDITIONS = [
    ("", ""),
    ("ply=5&trap=1", "--ply 5 --trap"),
    ("same=labelled&won=O&ply=6", "--same labelled --won O --ply 6"),
    ("won=any", "--won any"),
    ("label=X+can+force+a+win&to_move=O", "--label|X can force a win|--to-move|O"),
    ("real_decision=1&limit=3", "--real-decision --limit 3"),
    ("moves=block&end=decided&ply=3", "--moves block --end decided --ply 3"),
    ("x_moves=win&terminal=1", "--x-moves win --terminal"),
    ("drawn=1&symmetric=1&page=1&sort=most-boards", "--drawn --symmetric"),
]


def options(text):
    return text.split("|") if "|" in text else text.split()


@pytest.mark.parametrize(("query", "typed"), CONDITIONS)
def test_data_are_those_of_the_command(query, typed):
    for form, name in (("json", "json"), ("csv", "csv"), ("md", "markdown")):
        twin(f"/3x3/positions.{form}?{query}", "positions", "3x3", *options(typed), "--format", name)


@pytest.mark.parametrize("board", ["3x3", "2x3:2", "3x3+misere", "1x1", "2x2:3"])
def test_data_of_endings_are_those_of_the_command(board):
    for form, name in (("json", "json"), ("csv", "csv"), ("svg", "svg")):
        twin(f"/{board}/endings.{form}", "positions", board, "--terminal", "--format", name)


def boards_on(html):
    return [unescape(to).split("?")[0].rpartition("/")[2] for to in re.findall(r'<li><a href="(/[^"]*/p/[^"]*)"', html)]


def test_a_list_shows_each_position_once_with_its_link():
    found = positions("3x3", ply=5, trap=True)
    html = page("/3x3/positions?ply=5&trap=1")
    assert found.heading in text_of(html)
    assert sorted(boards_on(html)) == sorted(position_slug(record.position) for record in found)
    assert len(found) == 93


def test_pages_of_a_list_hold_all_of_it_in_order():
    found = positions("3x3")
    shown = []
    for number in range(1, 8):
        shown += boards_on(page(f"/3x3/positions?page={number}"))
    assert shown == [position_slug(record.position) for record in found]
    assert get("/3x3/positions?page=8").status == 404
    assert get("/3x3/positions?page=0").status == 404


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("most-games", lambda record: -record.games),
        ("most-boards", lambda record: -record.orbit),
        ("x-likely", lambda record: -record.random_play.x_wins),
        ("o-likely", lambda record: -record.random_play.o_wins),
        ("soonest", lambda record: (record.outcome == "draw", record.remoteness * (record.outcome != "draw"))),
    ],
)
def test_lists_are_sorted(sort, key):
    html = page(f"/3x3/positions?ply=4&sort={sort}")
    assert boards_on(html) == [position_slug(r.position) for r in sorted(positions("3x3", ply=4), key=key)]


def test_what_is_said_under_a_board_is_its_record():
    html = text_of(page("/3x3/positions?ply=4&sort=most-games"))
    best = max(positions("3x3", ply=4), key=lambda record: record.games)
    assert f"{best.games:,} games {best.label}" in html
    grouped = text_of(page("/3x3/positions?ply=4"))
    labels = [record.label for record in positions("3x3", ply=4)]
    for label in set(labels):
        assert f"{label[0].upper()}{label[1:]} ({labels.count(label)})" in grouped
    assert "Game over: X has won (21)" in text_of(page("/3x3/positions?ply=5"))


def test_filters_keep_what_was_asked():
    html = page("/3x3/positions?trap=1&ply=5&sort=soonest")
    assert re.findall(r'id="f-([a-z_]*)" value="1" checked', html) == ["trap"]
    assert "<option selected>5</option>" in html
    assert '<option value="soonest" selected>' in html
    assert "sort=soonest" in dict.fromkeys(re.findall(r'href="([^"]*ply=4[^"]*)"', html)).__iter__().__next__()


def test_filters_without_meaning_are_not_offered_and_refused():
    html = page("/3x3+misere/positions?ply=3")
    assert "f-fork" not in html
    assert 'id="f-trap"' in html
    assert get("/3x3+misere/positions?fork=1").status == 400
    assert "There is none." in page("/3x3/positions?terminal=1&unfinished=1")
    assert "there are" in refused("/3x3/positions?label=nobody")
    assert "its plies are 0 to 9" in refused("/3x3/positions?ply=10")


def test_endings_are_shown_by_outcome_and_ply():
    html = page("/3x3/endings")
    found = positions("3x3", terminal=True)
    assert "3x3:3: 138 endings, boards alike counted once: 91 won by X, 44 won by O and 3 drawn." in html
    assert sorted(boards_on(html)) == sorted(position_slug(record.position) for record in found)
    for outcome, heading in (("X", "X has won"), ("O", "O has won"), ("draw", "Drawn")):
        part = [record for record in found if record.outcome == outcome]
        assert f"{heading} ({len(part)})" in html
        for ply in {record.ply for record in part}:
            assert f"Ply {ply} ({sum(record.ply == ply for record in part)})" in html
    for name in ("Island", "Scorpion", "Arrow"):
        assert name in html


def test_endings_within_rules_are_decided_where_nobody_has_a_line():
    html = page("/3x3/endings?moves=block&end=decided")
    assert "Decided for X (" in html
    assert "X has won (" not in html
    assert "Drawn patterns to force" not in html
    assert all("moves=block" in to for to in links_in(html) if "/p/" in to)
    assert get("/3x3/endings?end=full").status == 400


@pytest.mark.parametrize("board", ["1x1", "1x3", "2x2:3", "3x3+misere", "2x2x2", "2x3+torus"])
def test_other_boards_answer(board):
    assert "ending" in text_of(page(f"/{board}/endings"))
    assert "position class" in text_of(page(f"/{board}/positions"))


def test_links_of_lists_resolve():
    for address in ("/3x3/positions?ply=2&moves=win", "/3x3/positions?page=2"):
        found = [to for to in links_in(page(address)) if "/positions" in to or "/p/" in to]
        assert len(found) > 10
        for to in found[:40]:
            assert get(to).status == 200, to


def test_larger_boards_are_refused_with_the_command():
    reply = get("/5x5/positions")
    assert reply.status == 422
    assert "noughts positions 5x5:5" in unescape(reply.body.decode())
