"""Pages of games: played on by links, with undo, redo and lines left, their course against the solver, their data."""

from __future__ import annotations

import json
import re
from html import unescape
from random import Random

import pytest

from noughts import Board, Position, explain, solve
from noughts.analysis.explain.wording import verdict
from noughts.rules.cells import cell_name
from noughts.web.addresses import game_slug, position_slug, read_address
from noughts.web.replies import answer


def page(path, query=""):
    reply = answer(read_address(path, query))
    return reply.status, unescape(reply.body.decode())


def link(html, identity):
    """Return where the link with an id leads."""
    return re.findall(rf'<a class="button" href="([^"]*)" data-swap id="{identity}"', html)


def cell_link(html, cell):
    return re.findall(rf'<a href="([^"]*)" data-swap id="cell-{cell}"', html)[0]


def follow(address):
    path, _, query = address.partition("?")
    return page(path, query)


def test_a_game_is_played_on_by_links():
    status, html = page("/3x3/g/-")
    assert status == 200
    for cell in ("a1", "b1", "b2", "c3", "a2"):
        status, html = follow(cell_link(html, cell))
        assert status == 200
    assert "a1 b1 b2 c3 a2" in html
    assert 'aria-label="a2, row 2, column 1, X, last move"' in html
    status, html = follow(cell_link(html, "c2"))
    status, html = follow(cell_link(html, "a3"))
    assert "X has won with the line a1-a2-a3" in html
    assert 'id="cell-c1"' in html
    assert not re.findall(r'<a href="[^"]*" data-swap id="cell-', html)


def test_undo_and_redo_keep_the_line_in_the_link():
    _, html = page("/3x3/g/a1-b2-c3")
    assert link(html, "redo") == []
    [undo] = link(html, "undo")
    assert undo == "/3x3/g/a1-b2?line=a1-b2-c3"
    _, html = follow(undo)
    assert link(html, "redo") == ["/3x3/g/a1-b2-c3"]
    assert cell_link(html, "c3") == "/3x3/g/a1-b2-c3"
    assert cell_link(html, "c1") == "/3x3/g/a1-b2-c1?also=a1-b2-c3"
    assert link(html, "to-start") == ["/3x3/g/-?line=a1-b2-c3"]


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/3x3/g/a1-a1", "", 404),
        ("/3x3/g/z9", "", 404),
        ("/3x3/g/a1-b1-a2-b2-a3-c3", "", 404),
        ("/3x3/g/a1", "line=b1-b2", 400),
        ("/3x3/g/a1", "also=" + ",".join(["a1"] * 7), 400),
        ("/3x3/g/a1", "also=<b>", 404),
        ("/3x3/g/<script>", "", 404),
    ],
)
def test_what_is_no_game_is_refused_and_nothing_of_it_becomes_html(path, query, status):
    reply = answer(read_address(path, query))
    assert reply.status == status
    assert b"<script>" not in reply.body
    assert b"<b>" not in reply.body


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "1x6:3", "2x2x2", "2x3:2+torus", "2x2:3"])
def test_the_moves_of_games_are_judged_as_the_solver_judges_them(spec):
    board, random, solution = Board.parse(spec), Random(7), solve(spec)
    for _ in range(12):
        position, moves, expected = Position(board), list[int](), list[str]()
        while position.moves() and len(moves) < random.randrange(2, board.cells + 1):
            cell = random.choice(position.moves())
            due, after = solution.outcome(position), position.play(cell)
            found = solution.evaluate(after)
            word, _, length = verdict(position.to_move, due, found.outcome, found.remoteness).partition(" ")
            wins = f"({found.outcome} wins {length})"
            told = {"loses": f"loses {wins}", "lost": f"was lost already {wins}"}
            expected.append(told.get(word, f"{word} {length}".strip()))
            moves.append(cell)
            position = after
        status, html = page(f"/{spec}/g/{game_slug(board, moves)}")
        assert status == 200
        rows = re.findall(r'data-swap id="move-\d+".*?</th><td class="w">(.*?)</td>', html)
        assert [re.sub(r"<[^>]*>", "", row).strip() for row in rows] == expected
        assert f"<code>{' '.join(cell_name(board, cell) for cell in moves)}</code>" in html
        assert f"/p/{position_slug(position)}" in html
        assert "style=" not in html


def test_a_finished_game_says_which_move_gave_it_away_and_why():
    _, html = page("/3x3/g/a1-b1-b2-c3-a3-c1-a2")
    assert html.count("Move 2, O on b1, lost it: only b2 would have held the draw.") == 1
    assert html.index("Move 2, O on b1, lost it") < html.index('id="cell-')  # above the board, in sight on a telephone
    assert "What should have been played" in html
    assert "After b1, X plays a2" in html
    assert "O would have held the draw only with b2." in html
    assert '<path class="a"' in html
    assert html.count("Try again from there") == 1
    assert '/3x3/play?g=a1&o=human&x=medium"' in html
    assert html.index("What should have been played") < html.index('<svg class="tug"')


def test_a_game_of_ones_own_can_be_entered_on_the_page_of_a_game_and_of_a_board():
    for at in ("/3x3/g/a1-b1", "/3x3"):
        assert '<form action="/go"' in page(at)[1]
        assert 'name="moves"' in page(at)[1]
    assert answer(read_address("/go", "board=3x3&moves=a1+b2,c3")).location == "/3x3/g/a1-b2-c3"
    wrong = answer(read_address("/go", "board=3x3&moves=a1+a1"))
    assert wrong.status == 400
    assert "a1" in wrong.body.decode()


@pytest.mark.parametrize("text", ["a1 b1 b2 c3 a3 c1 a2", "a1 b2", "a1 b2 c3 a2 c2 c1 a3 b3 b1"])
@pytest.mark.parametrize("spec", ["3x3", "3x3+misere"])
def test_the_data_are_those_of_the_command_line(spec, text):
    expected = explain(spec, text)
    reply = answer(read_address(f"/{spec}/g/{text.replace(' ', '-')}.json"))
    assert json.loads(reply.body) == json.loads(json.dumps(expected.as_dict()))


def test_a_quiz_tells_nothing_of_the_game_until_it_is_over():
    _, html = page("/3x3/g/a1-b1", "quiz=1")
    main = html[html.index("<main") : html.index("</main>")]
    for hidden in ("loses", "wins", "draw", "in-value", "tug"):
        assert hidden not in main, hidden
    assert cell_link(html, "c1") == "/3x3/g/a1-b1-c1?quiz=1"
    _, html = page("/3x3/g/a1-b1-b2-c3-a3-c1-a2", "quiz=1")
    assert "lost it" in html


# A game as a story: all of it while one steps back, the place where it was given away, what if, and every mark a step.

STORY = "a1-b1-b2-c3-a3-c1-a2"


def test_stepping_back_keeps_the_whole_story_in_sight():
    _, html = page("/3x3/g/a1-b1", f"line={STORY}")
    assert re.findall(r'id="move-(\d)"', html) == list("1234567")
    assert html.count("loses (X wins in 3 moves)") == 1
    assert '<rect class="here"' in html
    assert "Move 2, O on b1, lost.</b> This move gave it away. After b1, X plays a2" in html
    assert "gave it away" not in page("/3x3/g/a1-b1-b2", f"line={STORY}")[1]
    assert 'data-shows="XO......."' in html


def test_every_mark_leads_back_to_before_it():
    _, html = page("/3x3/g/a1-b2-c3")
    back = re.findall(r'<a class="back" href="([^"]+)" data-swap id="cell-([^"]+)"', html)
    assert ("/3x3/g/a1?line=a1-b2-c3", "b2") in back
    assert ("/3x3/g/-?line=a1-b2-c3", "a1") in back


def test_a_line_that_was_left_says_where_it_leaves_and_how_it_ends():
    _, html = page("/3x3/g/a1-b2-c1", "also=a1-b1-b2")
    found = re.search(r'What if, at move 2: <a href="([^"]*)">b1 b2</a>\s*<span class="soft">\(([^)]*)\)', html)
    assert found
    assert found.groups() == ("/3x3/g/a1-b1-b2?also=a1-b2-c1", "X wins")
    assert "X wins" not in page("/3x3/g/a1-b2", "also=a1-b1-b2&quiz=1")[1]
