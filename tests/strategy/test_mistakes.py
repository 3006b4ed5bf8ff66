"""Where a finished game was given away, against the oracle on strings."""

from __future__ import annotations

import random
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.notation import parse_game
from noughts.solving.api import solve
from noughts.strategy.explain import explain
from noughts.strategy.mistakes import course
from tests.strategy.oracle import Oracle, oracle

BOARDS = {
    "3x3:3": (3, 3, 3),
    "2x4:3": (2, 4, 3),
    "2x3:2": (2, 3, 2),
    "1x6:3": (1, 6, 3),
    "3x3:3+misere": (3, 3, 3, True),
}


def random_game(board: Oracle, rng: random.Random) -> list[int]:
    s, cells = board.empty, []
    while not board.over(s):
        cells.append(rng.choice(list(board.blanks(s))))
        s = board.put(s, cells[-1])
    return cells


def judged(board: Oracle, cells: list[int]) -> list[tuple[int, int, str, str, list[int]]]:
    """Every move after which its player can hope for less: its number, cell, both values, and what keeps the first."""
    found, s = [], board.empty
    for number, cell in enumerate(cells, 1):
        t = board.put(s, cell)
        if board.value(t) != board.value(s):
            keep = [c for c in board.blanks(s) if board.value(board.put(s, c)) == board.value(s)]
            found.append((number, cell, board.value(s), board.value(t), keep))
        s = t
    return found


@pytest.mark.parametrize("spec", sorted(BOARDS))
def test_mistakes_agree_with_the_oracle(spec):
    board, on = oracle(*BOARDS[spec]), Board.parse(spec)
    rng = random.Random(5)
    for _ in range(40):
        cells = random_game(board, rng)
        facts = explain(spec, " ".join(cell_name(on, cell) for cell in cells))
        made = judged(board, cells)
        assert facts.course is not None
        assert [(m.number, m.cell, m.due, m.after, list(m.better)) for m in facts.course.mistakes] == made
        record: Any = facts.as_dict()
        assert [m["move"] for m in record["mistakes"]] == [m[0] for m in made]
        said = " ".join(facts.sentences[1:])
        assert ("Nobody made a mistake" in said) == (not made)
        assert ("lost it" in said) == (bool(made) and facts.outcome != "draw")
        assert all(f"ove {m[0]}, {'OX'[m[0] % 2]} on {cell_name(on, m[1])}, " in said for m in made)
        if "cancelled" in said:
            last = made[-1] if facts.outcome != "draw" else None
            assert made[0][2] == (last[2] if last else "draw")


@pytest.mark.parametrize(
    ("spec", "game", "said"),
    [
        (
            "3x3",
            "a1 b2 c3 c1 a3 b3 a2",
            ["Move 4, O on c1, lost it: b1, a2, c2 and b3 would have held the draw."],
        ),
        (
            "3x3",
            "a1 c3 b1 c1 a2 a3 c2 b2",
            [
                "Move 3, X on b1, lost it: c1 and a3 would have won.",
                "Before that: move 2, O on c3, lost (only b2 would have held the draw).",
            ],
        ),
        ("3x3", "a1 b2 c3 b1 b3 a3 c1 c2 a2", ["Nobody made a mistake: every move kept the draw."]),
        (
            "3x3+torus",
            "a1 b2 b1 a2 c1",
            ["Nobody made a mistake: X could force the win from the beginning."],
        ),
        (
            "2x3:2",
            "a1 b1 b2",
            ["Nobody made a mistake: X could force the win from the beginning."],
        ),
    ],
)
def test_what_is_said_of_a_game(spec, game, said):
    assert list(explain(spec, game).sentences[1:]) == said


def test_only_a_game_that_is_over_and_given_as_its_moves_is_judged():
    assert explain("3x3", "X.O/XO./XOX").course is None
    assert "mistakes" not in explain("3x3", "X.O/XO./XOX").as_dict()
    assert explain("3x3", "a1 b2").course is None


def test_under_misere_and_when_mistakes_cancel():
    said = " ".join(explain("3x3+misere", "a1 b2 c3 c1 a3 b3 a2").sentences)
    assert "Move 7, X on a2, lost it: only c2 would have held the draw." in said
    assert "The mistakes before it cancelled: move 1, X on a1, lost (only b2 would have held the draw);" in said
    drawn = explain("3x3", "a1 b1 b3 b2 a3 a2 c2 c3 c1").sentences[1]
    assert drawn.startswith(
        "The mistakes cancelled: move 2, O on b1, lost (only b2 would have held the draw); move 3, X on b3, "
    )


def test_a_game_too_large_to_value_is_still_told():
    facts = explain("10x10:3", "a1 a2 b1 b2 c1")
    assert (facts.course, facts.outcome) == (None, "X")


def test_a_game_that_goes_on_has_a_course():
    board, solution = Board.parse("3x3"), solve("3x3")
    found = course(board, parse_game(board, "a1 b1 b2 c3"), solution)
    assert not found.finished
    assert found.outcomes == ("draw", "draw", "X", "X", "X")
    assert found.remoteness == (9, 8, 5, 4, 3)
    assert [each.number for each in found.mistakes] == [2]
    assert found.sentences == ("Move 2, O on b1, lost: only b2 would have held the draw.",)
    assert course(board, parse_game(board, "a1 b2"), solution).sentences == ("So far nobody has made a mistake.",)
    assert course(board, (), solution).sentences == ()
    assert course(board, parse_game(board, "a1 b1 b2 c3 a3 c1 a2"), solution).finished
