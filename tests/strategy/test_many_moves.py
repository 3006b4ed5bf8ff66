"""Sentences about few moves and many: all are named up to eight, else the others where these are few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Outcome, Position
from noughts.strategy.facts import Facts, MoveExplanation
from noughts.strategy.mistakes import Course, Mistake
from noughts.strategy.reviewing import Review
from noughts.strategy.sentences import advice

BOARD = Board.parse("5x5+misere")
EMPTY = Position(BOARD)
NAMES = [cell_name(BOARD, cell) for cell in range(25)]


def listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def facts(outcome: Outcome, outcomes: Sequence[Any]) -> Facts:
    """Facts that nobody has found out: what the moves come to is made up."""
    moves = tuple(MoveExplanation(cell, "", each, 3, None, EMPTY) for cell, each in enumerate(outcomes))
    return Facts(EMPTY, "X can force a win" if outcome == "X" else "either can force a draw", outcome, 5, moves)


@pytest.mark.parametrize("bad", range(1, 25))
def test_the_moves_that_lose_are_named_or_the_others(bad: int) -> None:
    rule, best, *rest = advice(facts("draw", ["draw"] * (25 - bad) + ["O"] * bad))
    assert rule == "Whoever completes a line loses."
    assert best == f"To keep the draw, play {listed(NAMES[: 25 - bad]).replace(' and ', ' or ')}."
    if bad > 8 and 25 - bad <= 8:
        assert rest == [f"Every move but {listed(NAMES[: 25 - bad])} loses."]
    else:
        assert rest == [f"{listed(NAMES[25 - bad :])} {'lose' if bad > 1 else 'loses'}."]


@pytest.mark.parametrize(("slack", "bad"), [(1, 1), (1, 3), (8, 8), (9, 9), (17, 1), (18, 6), (16, 1), (7, 17)])
def test_moves_that_give_up_the_win_come_first(slack: int, bad: int) -> None:
    win = 25 - slack - bad
    _, best, *rest = advice(facts("X", ["X"] * win + ["draw"] * slack + ["O"] * bad))
    assert best == f"To win, play {listed(NAMES[:win]).replace(' and ', ' or ')}."
    said = []
    for first, many, verbs in (
        (win, slack, ("gives up the win", "give up the win")),
        (25 - bad, bad, ("loses", "lose")),
    ):
        named, others = NAMES[first : first + many], NAMES[:first] + NAMES[first + many :]
        few = many > 8 and len(others) <= 8
        said.append(f"Every move but {listed(others)} {verbs[0]}." if few else f"{listed(named)} {verbs[many > 1]}.")
    assert rest == said


@pytest.mark.parametrize("good", range(25))
@pytest.mark.parametrize("complete", [True, False])
def test_what_would_have_been_better_is_named_up_to_eight_moves(good: int, complete: bool) -> None:
    for due, after, did, kept in (
        ("draw", "O", "lost", "held the draw"),
        ("X", "draw", "gave up the win", "won"),
        ("X", "O", "lost", "won"),
    ):
        made = Mistake(1, EMPTY, 24, due, after, tuple(range(good)), complete)  # type: ignore[arg-type]
        worse = NAMES[good:]
        if not good:
            words = ""
        elif good == 1 and complete:
            words = "only a1"
        elif good <= 8:
            words = listed(NAMES[:good])
        elif len(worse) <= 8 and complete:
            words = f"every move but {listed(worse)}"
        else:
            words = f"a1 and {good - 1} other moves"
        instead = f"{words} would have {kept}" if good else "what would have been better was not found"
        assert made.better_words == words
        assert made.loses == (did == "lost")
        assert made.sentence == f"Move 1, X on e5, {did}: {instead}."
        assert made.what("lost it") == f"move 1, X on e5, {did.replace('lost', 'lost it')}"
        record = made.as_dict()
        assert (record["move"], record["cell"], record["player"]) == (1, "e5", "X")
        assert (record["before"], record["after"], record["better"]) == (due, after, NAMES[:good])
        assert ("better_complete" in record) == (not complete)
        assert record.get("better_complete", True) == complete


def test_a_review_without_values_says_so() -> None:
    said = ("Which moves were mistakes was not found: no engine values this board.",)
    for course in (None, Course((), 2, (), False, ())):
        found = Review(BOARD, (0, 1), course, "X is to move; who wins was not found.", ())
        assert found.sentences == said
        assert [(move.due, move.outcome, move.remoteness, move.verdict) for move in found.moves] == [
            (None, None, None, "not found")
        ] * 2
    found = Review(BOARD, (0, 1), Course(("draw", "draw"), 1, (), False, (24, None)), "", ())
    assert found.sentences == ("Nobody has made a mistake since values are known.",)
    assert [(move.due, move.outcome, move.remoteness) for move in found.moves] == [
        (None, "draw", 24),
        ("draw", "draw", None),
    ]


@pytest.mark.parametrize(
    ("course", "said"),
    [
        (Course(("draw",), 0, (), False), ()),
        (Course(("draw",), 3, (), False), ()),
        (Course(("draw", "draw"), 0, (), False), ("So far nobody has made a mistake.",)),
        (Course(("draw", "draw"), 3, (), False), ("Nobody has made a mistake since values are known.",)),
        (Course(("draw", "draw"), 0, ()), ("Nobody made a mistake: every move kept the draw.",)),
        (Course(("O", "O"), 0, ()), ("Nobody made a mistake: O could force the win from the beginning.",)),
        (
            Course(("O", "O", "O"), 2, ()),
            ("The last 2 moves changed nothing; who would have won before them was not found.",),
        ),
    ],
)
def test_courses_without_mistakes(course: Course, said: tuple[str, ...]) -> None:
    assert course.sentences == said


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        (("X",), "Which moves were mistakes was not found."),
        (("X", "X"), "The last move changed nothing; who would have won before it was not found."),
        (("X", "X", "X"), "The last 2 moves changed nothing; who would have won before them was not found."),
    ],
)
def test_a_game_whose_beginning_nobody_values(outcomes: tuple[Outcome, ...], said: str) -> None:
    assert Course(outcomes, 9, ()).sentences == (said,)


LOST = Mistake(3, EMPTY, 0, "draw", "O", (1,))
SLACK = Mistake(4, Position(BOARD, 1, 0), 1, "O", "draw", (2, 3))
AGAIN = Mistake(7, EMPTY, 2, "draw", "O", (4,))


@pytest.mark.parametrize(
    ("end", "made", "first", "said"),
    [
        ("O", (LOST,), 0, ["Move 3, X on a1, lost it: only b1 would have held the draw."]),
        (
            "O",
            (LOST, SLACK, AGAIN),
            0,
            [
                "Move 7, X on c1, lost it: only e1 would have held the draw.",
                "The mistakes before it cancelled: move 3, X on a1, lost (only b1 would have held the draw); move 4, "
                "O on b1, gave up the win (c1 and d1 would have won).",
            ],
        ),
        (
            "O",
            (SLACK, AGAIN),
            2,
            [
                "Move 7, X on c1, lost it: only e1 would have held the draw.",
                "Before that: move 4, O on b1, gave up the win (c1 and d1 would have won).",
                "Who would have won before move 3 was not found.",
            ],
        ),
        (
            "draw",
            (LOST, SLACK),
            0,
            [
                "The mistakes cancelled: move 3, X on a1, lost (only b1 would have held the draw); move 4, O on b1, "
                "gave up the win (c1 and d1 would have won).",
            ],
        ),
        ("draw", (SLACK,), 0, ["Move 4, O on b1, gave up the win: c1 and d1 would have won."]),
    ],
)
def test_mistakes_of_finished_games(end: Outcome, made: tuple[Mistake, ...], first: int, said: list[str]) -> None:
    assert list(Course(("draw", end), first, made).sentences) == said
