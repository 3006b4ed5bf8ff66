"""Reviews: what each move was worth, by the oracle, on boards of all kinds; the same words through all doors."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import noughts
from noughts.analysis.explain.refutation import reasons, refutation
from noughts.analysis.explain.review import review
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError
from noughts.rules.position import Position
from noughts.solving.problem import SearchBudget
from noughts.solving.proofs import carried_proof
from noughts.solving.search import SearchSolution
from tests import naive

GAMES = {
    "3x3": naive.grid(3, 3, 3),
    "3x3+misere": naive.grid(3, 3, 3, misere=True),
    "3x3+torus": naive.grid(3, 3, 3, torus=True),
    "2x3:3": naive.grid(2, 3, 3),
    "2x2x2": naive.grid(2, 2, 2, layers=2),
    "1x2": naive.grid(1, 2, 1),
    "3x3:4": naive.grid(3, 3, 4),
}
WORTH = {1: "X", 0: "draw", -1: "O"}


def games(name: str, number: int) -> list[list[int]]:
    """Some games by lot, half of them broken off."""
    game, dice, found = GAMES[name], random.Random(5), []
    for n in range(number):
        at, cells = "." * game.cells, list[int]()
        while naive.line_outcome(game, at) is None and not (n % 2 and cells and dice.random() < 0.2):
            cells.append(dice.choice(naive.blanks(at)))
            at = naive.play(at, cells[-1])
        found.append(cells)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_each_move_is_worth_what_the_oracle_says(name):
    board, game = Board.parse(name), GAMES[name]
    for cells in games(name, 6):
        found = review(name, " ".join(cell_name(board, cell) for cell in cells))
        at = "." * game.cells
        for move, cell in zip(found.moves, cells, strict=True):
            after = naive.play(at, cell)
            due, worth = naive.value(game, at), naive.value(game, after)
            assert (move.player, move.cell, move.number) == (naive.mover(at), cell, game.cells - at.count(".") + 1)
            assert (move.due, move.outcome) == (WORTH[due], WORTH[worth])
            assert move.remoteness == naive.remoteness(game, after)
            better = [c for c in naive.blanks(at) if naive.value(game, naive.play(at, c)) == due]
            assert move.is_mistake == (due != worth)
            if move.is_mistake:
                assert list(move.better) == better
                assert move.as_dict()["better"] == [cell_name(board, c) for c in better]
                lesson = next(each for each in found.lessons if each.number == move.number)
                assert lesson.why[0].startswith(f"After {cell_name(board, cell)}, ")
                assert all(cell_name(board, c) in lesson.why[1] for c in better) or "every move but" in lesson.why[1]
                refuted(game, after, refutation(lesson.after), naive.value(game, after))
            lengths = {c: naive.remoteness(game, naive.play(at, c)) for c in naive.blanks(at)}
            longest = [c for c in lengths if lengths[c] == max(lengths.values())]
            is_short = move.quality == "lost before" and cell not in longest
            assert list(move.longer) == (longest if is_short else [])
            at = after
        assert str(found.position).replace("/", "").replace("|", "") == at
        over = naive.line_outcome(game, at)
        assert found.as_dict()["outcome"] == over
        assert ("is to move" in found.outlook) == (over is None)
        assert len(found.lessons) == sum(move.is_mistake for move in found.moves)


def refuted(game, at, found, worth):
    """Check a refutation with the oracle: each block is forced, and the end is a line or two threats."""

    def completing(here, mark):
        cells = [here[:c] + mark + here[c + 1 :] for c in naive.blanks(here)]
        return {c for c, then in zip(naive.blanks(here), cells, strict=True) if naive.has_line(game, then, mark)}

    winner = naive.mover(at)
    if game.misere or not found.moves:
        assert not found.moves
        assert not found.lines
        assert not found.arrows
        assert not found.words
        return
    assert WORTH[worth] == winner
    for number, cell in enumerate(found.moves):
        if number % 2:
            assert completing(at, winner) == {cell}
        at = at[:cell] + "XO"[(winner == "O") ^ number % 2] + at[cell + 1 :]
    if naive.has_line(game, at, winner):
        assert len(found.moves) == 1
        assert [cell for cell, _ in found.lines] == list(found.moves)
        assert "completes the line " + "-".join(str(cell) for cell in found.lines[0][1]) in found.words
    else:
        assert not completing(at, "XO"[winner == "X"])
        assert {cell for cell, _ in found.lines} == completing(at, winner)
        assert len({cell for cell, _ in found.lines}) > 1
    for cell, line in found.lines:
        assert cell in line
        assert all(at[each] == winner for each in line if each != cell)
    assert all(head in dict(found.lines) for _, head in found.arrows)


def test_in_lost_games_of_3x3_each_lesson_names_the_move_that_was_made_and_what_refutes_it():
    dice, lost = random.Random(3), 0
    while lost < 120:
        cells = dice.sample(range(9), 9)
        at, played = "." * 9, list[int]()
        for cell in cells:
            at = naive.play(at, cell)
            played.append(cell)
            if naive.line_outcome(GAMES["3x3"], at) is not None:
                break
        found = review("3x3", " ".join(cell_name("3x3", cell) for cell in played))
        if naive.line_outcome(GAMES["3x3"], at) == "draw":
            continue
        lost += 1
        for lesson in found.lessons:
            assert lesson.why[0].startswith(f"After {lesson.name}, {lesson.after.to_move} ")
            assert lesson.after.is_terminal or refutation(lesson.after).moves or lesson.outcome == "draw"
            assert str(lesson.better[0]) in lesson.why[1]


@pytest.mark.parametrize(
    ("board", "moves", "why"),
    [
        ("3x3", "a1 b2 b1 c1 b3 a3", "b3, O completes the line c1-b2-a3. X would have held the draw only with a3: it "
         "blocks that line."),
        ("3x3", "a1 b1", "b1, X plays a2, O has to block at a3, and X plays b2 and threatens to complete a line at c2 "
         "and c3. O would have held the draw only with b2."),
        ("3x3", "a1 b1 a2 a3 c3", "c3, O plays b2 and threatens to complete a line at c1 and b3. X would have won only "
         "with b2: it makes two or more threats at once."),
        ("3x3", "a1 b1 c1", "c1, O can hold the draw, but only with b2. X would have won with a2, b2 or a3."),
        ("3x3+misere", "a1", "a1, O can make X complete a line in 4 moves. X would have held the draw only with b2."),
    ],
)  # fmt: skip
def test_the_last_mistake_is_explained(board, moves, why):
    assert " ".join(review(board, moves).lessons[-1].why) == f"After {why}"


def test_a_game_that_is_over_has_nobody_to_move():
    assert review("3x3", "a1 b1").as_dict()["to_move"] == "X"
    assert review("3x3", "a1 a2 b1 b2 c1").as_dict()["to_move"] is None


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("", "none are given"),
        ("X.O/.../...", "has none: write them in order"),
        ("a1 a1", "twice"),
        ("a1 d9", "d9"),
        ("a1 a2 b1 b2 c1 c2", "after the game was over"),
    ],
)
def test_what_is_no_game_is_said_in_a_sentence(moves, words):
    with pytest.raises(InputError, match=words) as caught:
        review("3x3", moves)
    assert "\n" not in str(caught.value)


def test_a_mistake_whose_better_moves_were_not_found_has_what_follows_it():
    [made] = review("3x3", "a1 b1").lessons
    found, solution = refutation(made.after), noughts.solve("3x3")
    assert len(reasons(made, found, solution)) == 2
    assert reasons(replace(made, better=()), found, solution) == reasons(made, found, solution)[:1]


def test_the_first_moves_have_carried_values_where_the_search_finds_none_for_later_ones():
    """The value of the last position is not carried, and the budget of this search is nothing."""
    board = Board.parse("7x7:5")
    least = SearchBudget(position=1, moves=1, whole=1)
    values = SearchSolution(board, carried=carried_proof(Position(board)), openings=True, budget=least)
    found = review(board, "b1 d4 a1", solution=values)
    assert [move.outcome for move in found.moves] == ["draw", "draw", None]
    assert found.course is not None
    assert (found.course.outcomes, found.course.has_last) == (("draw",) * 3, False)
    assert found.sentences == (
        "The values from move 3 on were not found.",
        "Neither player made a mistake before that.",
    )
    assert found.outlook == "O is to move; who wins was not found."
    assert review(board, "b1 d4", solution=values).outlook == "X is to move: either can force a draw."
