"""The page of a board: who wins, how many games, the empty board to start on, whatever its size."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape
from random import Random

import pytest

from noughts import Board, Position, solve
from noughts.analysis import catalogue
from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.wording import counted, in_moves
from noughts.analysis.solutions import winning_chances
from noughts.rules.cells import cell_name, parse_move
from noughts.rules.errors import InputError
from noughts.rules.play import EndRule, MoveRule
from noughts.verbs.solve import sentence
from noughts.web.addresses import position_slug, read_address, read_position
from noughts.web.records import ended, short
from noughts.web.replies import answer, failure
from noughts.web.request import Ask, NotFound
from tests.web.site import page, text_of


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "3x3+torus", "2x2:3", "1x1", "1x7:3", "2x2x2"])
def test_a_board_says_who_wins(spec):
    value = solve(spec).answer(Position(Board.parse(spec)))
    html = page(f"/{spec}")
    assert sentence(value) in html
    assert html.count('role="gridcell"') == Board.parse(spec).cells
    assert "style=" not in html


def test_a_board_says_how_many_games_with_its_convention():
    html = page("/3x3")
    assert "255,168 games and 5,478 positions" in html
    assert "Every order of moves counted, play stops at three in a row." in html
    assert "1 game and 2 positions" in page("/1x1")


@pytest.mark.parametrize("spec", ["3x3", "2x3:2+misere", "1x1"])
def test_the_data_of_a_board_are_those_of_solve(spec):
    reply = answer(read_address(f"/{spec}.json"))
    board = Board.parse(spec)
    assert json.loads(reply.body) == json.loads(json.dumps(solve(board, Position(board)).answer().as_dict()))


@pytest.mark.parametrize("spec", ["20x20:5", "40x40:5", "100x100:5"])
def test_large_boards_answer_with_what_is_known(spec):
    html = page(f"/{spec}")
    assert "Finding who wins with best play takes longer than a page may" in html
    assert "How many games there are takes longer than a page may." in html
    assert len(html) < 1_500_000


@pytest.mark.parametrize("spec", ["3x3x3", "5x5:4", "4x4+misere"])
def test_each_cell_says_who_wins_after_the_first_move_on_it(spec):
    board = Board.parse(spec)
    said = re.findall(r'id="cell-([^"]+)".*?</a>', html := page(f"/{spec}"), re.DOTALL)
    cells = dict(zip(said, re.split(r'id="cell-', html)[1:], strict=True))
    moves = [each for each in solve(board, Position(board)).answer().moves if each.outcome is not None]
    assert len(moves) == len(cells) == board.cells
    for move in moves:
        words = "a draw" if move.outcome == "draw" else f"{move.outcome} wins"
        assert words in cells[cell_name(board, int(move.cell))].partition("</a>")[0]


def test_the_empty_board_leads_on_as_it_lies():
    assert re.findall(r'<a href="([^"]*)" data-swap id="cell-c1"', page("/3x3")) == ["/3x3/p/__X-___-___"]


# Pages of positions: what each cell says against the solver, rules of play, quizzes, and what is hostile.


def page_position(board, position, query=""):
    reply = answer(read_address(f"/{board}/p/{position_slug(position)}", query))
    return reply.status, reply.body.decode()


def labels(html):
    """Return what is read aloud of each cell while its value is shown, in reading order."""
    cells = re.split(r'role="gridcell"', html[html.index('role="grid"') : html.index("</section>")])[1:]
    return [label(cell) for cell in cells]


def label(cell, *overlays):
    """Return what is read aloud of a cell while an overlay is shown, the values unless another is named."""
    named = re.findall(r'aria-label="((?:[a-z]\d|cell)[^"]*)"', cell)
    if named:
        return unescape(named[0])
    [(always, notes)] = re.findall(r'<span class="unseen">([^<]*)((?:<span.*?</span>)*)</span>', cell)
    said = dict(re.findall(r'<span class="said ([a-z-]+)">([^<]*)</span>', notes))
    return unescape(always + "".join(said.get(each, "") for each in overlays or ["in-value"]))


def expected(solution, position, cell):
    """Return what happens on a cell, by the solver alone."""
    after = position.play(cell)
    found = solution.evaluate(after)
    if found.outcome == "draw":
        gives_up = solution.evaluate(position).outcome == position.to_move
        return "a draw, which gives up the win" if gives_up else "a draw"
    remoteness = "" if found.remoteness is None else f" {in_moves(found.remoteness + 1)}"
    return f"{found.outcome} wins{remoteness}"


def answered(board, position):
    """Check that a position has a page and data, and return the page."""
    status, html = page_position(board, position)
    assert status == 200, position
    data = answer(read_address(f"/{board}/p/{position_slug(position)}.json"))
    assert data.status == 200, position
    assert json.loads(data.body)["position"] == str(position)
    return html


def check(board, solution, position):
    html = answered(board, position)
    said = labels(html)
    assert len(said) == position.board.cells
    assert "style=" not in html
    for cell, label in enumerate(said):
        mark = position.mark_at(cell)
        if mark:
            assert f", {mark}" in label, (position, cell)
        elif position.is_terminal:
            assert label.endswith("blank"), (position, cell)
        else:
            assert label.endswith(f"blank: {expected(solution, position, cell)}"), (position, cell)


def everything(board):
    """Return all positions of a board, once each."""
    seen, queue = {(0, 0)}, [Position(board)]
    for position in queue:
        for cell in position.moves():
            after = position.play(cell)
            if (after.x, after.o) not in seen:
                seen.add((after.x, after.o))
                queue.append(after)
    return queue


def test_every_class_of_3x3_says_on_each_cell_what_the_solver_says():
    solution = solve("3x3")
    for record in list(catalogue("3x3"))[::3]:
        check("3x3", solution, record.position)


@pytest.mark.slow
def test_every_position_of_3x3_says_on_each_cell_what_the_solver_says():
    board = Board.parse("3x3")
    positions = everything(board)
    assert len(positions) == 5478
    solution = solve("3x3")
    for position in positions:
        check("3x3", solution, position)


def at_random(board, random):
    """Return a position that some moves at random lead to."""
    position = Position(board)
    for _ in range(random.randrange(board.cells + 1)):
        moves = position.moves()
        if not moves:
            break
        position = position.play(random.choice(moves))
    return position


_OTHERS = pytest.mark.parametrize(
    ("spec", "number"),
    [
        ("3x3+misere", 300),
        ("3x3+torus", 250),
        ("2x2x2", 150),
        ("2x3x2:3", 150),
        ("1x7:3", 250),
        ("1x1", 10),
        ("2x2:3", 100),
        ("2x4:3+torus+misere", 290),
        ("5x1:2", 150),
        ("3x4:3", 200),
        ("2x5:2+misere", 150),
    ],
)


@_OTHERS
def test_some_positions_of_other_boards_say_what_the_solver_says(spec, number):
    check_at_random(spec, number // 20)


@pytest.mark.slow
@_OTHERS
def test_two_thousand_positions_of_other_boards_say_what_the_solver_says(spec, number):
    check_at_random(spec, number)


def check_at_random(spec, number):
    board, random, solution = Board.parse(spec), Random(13), solve(spec)
    for _ in range(number):
        check(spec, solution, at_random(board, random))


@pytest.mark.parametrize("text", ["...../.....", "XO.X./.O...", "XXX../OO..."])
@pytest.mark.parametrize("spec", ["2x5:3", "2x5:3+misere"])
def test_the_data_are_those_of_the_command_line(spec, text):
    position = Position(Board.parse(spec)) if "X" not in text else explain(spec, text).position
    reply = answer(read_address(f"/{spec}/p/{position_slug(position)}.json"))
    assert json.loads(reply.body) == json.loads(json.dumps(explain(spec, text).as_dict()))


def test_the_chance_against_random_play_is_that_of_trying_everything():
    found = catalogue("2x3:2")

    def chance(position, player):
        if position.is_terminal:
            return Fraction(position.outcome == player)
        parts = [chance(position.play(cell), player) for cell in position.moves()]
        return max(parts) if position.to_move == player else sum(parts, Fraction(0)) / len(parts)

    for player in ("X", "O"):
        table = winning_chances(found.graph, player)  # type: ignore[attr-defined]
        for record in found:
            number = found.graph.number_of(found.graph.game.start._replace(x=record.position.x, o=record.position.o))  # type: ignore[attr-defined]
            assert table[number] == chance(record.position, player)


def test_a_move_tried_in_a_quiz_is_right_or_not_and_a_right_one_leads_on():
    position = Position(Board.parse("3x3")).play(0).play(1)  # X wins with a2, b2 and a3 only
    wrong, right = (page_position("3x3", position, f"quiz=1&shown={cell}")[1] for cell in ("c1", "b2"))
    assert "Not that one. c1: gives up the win." in wrong
    assert "more-puzzles" not in wrong
    assert "Right. b2: wins in 3 moves." in right
    assert re.search(r'href="/3x3/puzzles\?seed=\d+" id="more-puzzles"', right)
    lost = position.play(3)
    assert "Right." not in page_position("3x3", lost, "quiz=1&shown=c3")[1]


def test_a_quiz_hides_every_answer_until_it_is_asked():
    position = explain("3x3", "X../.../...").position
    _, html = page_position("3x3", position, "quiz=1")
    main = html[html.index("<main") : html.index("</main>")]
    for hidden in ("draw", "wins", "loses", "best play", "in-value", "in-games"):
        assert hidden not in main, hidden
    assert labels(html)[1] == "b1, row 1, column 2, blank: choose it to see its value"
    _, html = page_position("3x3", position, "quiz=1&shown=b1-b2")
    assert labels(html)[1] == "b1, row 1, column 2, blank: X wins in 3 moves"
    assert labels(html)[4] == "b2, row 2, column 2, blank: a draw"
    assert labels(html)[2].endswith("choose it to see its value")
    assert 'href="/3x3/p/XO_-___-___?quiz=1"' in html
    assert 'href="/3x3/p/X__-___-___?quiz=1&amp;shown=b1-b2-c1"' in html
    _, html = page_position("3x3", position, "quiz=1&shown=all")
    assert "in-value" in html
    assert "quiz=1" in re.findall(r'<a href="([^"]*)" data-swap id="cell-b1"', html)[0]
    assert answer(read_address("/3x3/p/X__-___-___", "quiz=1&shown=z9")).status == 400


@pytest.mark.parametrize("slug", ["<script>", "XOX", "XXX-XXX-XXX", "OOO-___-___", "X__-___-__%22", "_" * 16, "X__"])
def test_what_is_no_position_is_not_found_and_nothing_of_it_becomes_html(slug):
    with pytest.raises(NotFound) as caught:
        read_position(Board.parse("3x3"), slug)
    html = failure(caught.value, Ask("start")).body.decode()
    assert "<script>" not in html
    assert answer(Ask("position", Board.parse("3x3"), slug)).status == 404


@pytest.mark.parametrize("spec", ["2x2:2", "2x3", "4x4:4", "4x4:3", "1x5:3", "4x3:2+torus"])
@pytest.mark.parametrize("number", [1, pytest.param(200, marks=pytest.mark.slow)])
def test_positions_of_more_boards_have_a_page_and_data(spec, number):
    board, random = Board.parse(spec), Random(13)
    for _ in range(number):
        answered(spec, at_random(board, random))


# Pages within rules of play: what is said of them holds within the rules, and nobody wins without a line.


@pytest.mark.parametrize(
    ("spec", "moves", "end"),
    [
        ("3x3", "block", "decided"),
        ("2x3:2+misere", "any", "decided"),
        ("2x3:2", "any", "decided"),
        ("2x2:3", "any", "decided"),
        ("2x3:2", "win", "line"),
        ("3x3+torus", "win", "line"),
        ("3x3", "concede", "line"),
    ],
)
def test_who_has_no_line_has_not_won(spec: str, moves: MoveRule, end: EndRule) -> None:
    for record in catalogue(spec, moves=moves, end=end):
        said, position = short(record, end), record.position
        lined = bool(position.completed_lines("X") or position.completed_lines("O"))
        assert ("has won" in said) == lined
        if record.is_terminal:
            assert said == ended(record, end)
            assert said.startswith("decided") == (not lined and position.blanks != 0 and moves != "concede")
            assert said.endswith(" concedes") == (not lined and position.blanks != 0 and moves == "concede")
            if said.endswith(" concedes"):
                assert {said[0], record.outcome} == {"X", "O"}
        elif end == "decided" and record.outcome != "draw":
            assert "decided in" in said


def test_cells_lead_on_only_where_the_rules_allow_it() -> None:
    forced = page("/3x3/p/XX_-_O_-___?moves=block")
    assert forced.count('<div role="gridcell" class="cell blank"') == 6
    assert len(re.findall('<div role="gridcell" class="cell blank"><a', forced)) == 1
    assert "A blank cell leads on where the rules allow it." in forced
    assert "A blank cell leads on" not in page("/3x3/p/X__-___-___?moves=block")
    assert "moves=block" in re.findall(r'<a href="(/3x3/p/XXO[^"]*)"', forced)[0]


def test_what_the_rules_do_not_reach_is_refused_in_one_sentence() -> None:
    reply = answer(read_address("/3x3/p/X_O-___-___.json", "moves=perfect"))
    assert reply.status == 400
    assert b"is not reached on 3x3:3 where" in reply.body
    with pytest.raises(InputError, match="end cannot be 'full': choose line, decided"):
        read_address("/3x3.json", "end=full")


# The value in a bar, what a length counts, how many moves do what, and one line of play as long as the length says.


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "3x3+torus", "3x3+gravity", "3x3+wild", "3x3+notakto", "2x2x2"])
def test_the_line_of_best_play_is_as_long_as_the_length_says(spec):
    board = Board.parse(spec)
    first = next(iter(Position(board).moves()))
    position = Position(board).play(first)
    html = page(f"/{spec}/p/{position_slug(position)}")
    found = re.findall(r'data-copy="([^"]*)"', html)[-1].split()
    at = position
    for name in found:
        at = at.play(parse_move(board, name))
    assert at.is_terminal
    assert len(found) == solve(spec).evaluate(position).remoteness
    assert 'class="evaluation noprint"' in html
    assert f"a length counts {counted(board)}" in html


def test_the_numbers_of_moves_add_up():
    html = page("/3x3/p/XO_-_X_-__O")
    table = re.findall(r'<table class="spread noprint">.*?</table>', html, re.DOTALL)[0]
    assert text_of(table) == "How many moves do what wins in 2 2 draws 3"
    assert "Counted: the moves of the side that wins." in html
    assert 'class="spread noprint"' not in page("/3x3/p/___-___-___")


def test_a_line_of_play_can_be_stepped_through():
    html = page("/3x3/p/XO_-_X_-__O")
    found = re.findall(r'href="(/3x3/g/a1-b1-b2-c3\?line=[^"]+)"', html)
    assert len(found) == 1
    assert "Redo" in page(found[0])
