"""Positions from naive to exact, and the matrix of games, against the oracle on boards nobody has published."""

from __future__ import annotations

from itertools import product

import pytest

from noughts.counting.conventions import answers
from noughts.counting.conventions.answers import GRACE_SECONDS, LEAST_SECONDS, Answers
from noughts.counting.conventions.ladder import ladder
from noughts.counting.conventions.matrix import matrix
from noughts.counting.engines import offers
from noughts.counting.offers import Request, Run
from noughts.counting.question import Question
from noughts.domain.board import Board
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal
from noughts.reports.counts.conventions import survey
from tests import naive
from tests.boards import SMALL, Small, small


def rungs(on: Small) -> dict[str, int]:
    """Every rung by its definition, from all fillings and all reachable positions as strings."""
    game, group = on.game, on.isometries
    fillings = ["".join(marks) for marks in product(".XO", repeat=game.cells)]
    balanced = [text for text in fillings if text.count("X") - text.count("O") in (0, 1)]
    reachable = naive.reachable(game)
    classes = {naive.position_class(text, group) for text in reachable}
    ends = {text: naive.line_outcome(game, text) for text in reachable}
    endings = [ends[text] for text in classes if ends[text]]
    decisions = [text for text in classes if not ends[text] and text.count(".") > 1]
    sequences, ways = 0, 1
    for taken in range(game.cells):
        ways *= game.cells - taken
        sequences += ways
    found = {
        "fillings": len(fillings),
        "sequences": sequences,
        "balanced": len(balanced),
        "not both lined": sum(
            not (naive.has_line(game, text, "X") and naive.has_line(game, text, "O")) for text in balanced
        ),
        "reachable": len(reachable),
        "terminal": sum(1 for outcome in ends.values() if outcome),
        "classes": len(classes),
        "decisions": len(decisions),
        "matchboxes": sum(naive.mover(text) == "X" for text in decisions),
        "endings": len(endings),
        "endings, X wins": endings.count("X"),
        "endings, O wins": endings.count("O"),
        "endings, draws": endings.count("draw"),
    }
    if not game.misere:
        found["real decisions"] = sum(
            not naive.winning_cells(game, text, "X") and not naive.winning_cells(game, text, "O") for text in decisions
        )
    return found


@pytest.mark.parametrize("name", SMALL)
def test_ladder(name: str) -> None:
    on = small(name)
    counted = {rung.name: rung.count for rung in ladder(on.board) if rung.count is not None}
    assert counted == rungs(on)


@pytest.mark.parametrize(
    ("spec", "torus", "misere"), [("3x3", False, False), ("3x3+torus", True, False), ("3x3+misere", False, True)]
)
def test_ladder_of_nine_cells(spec: str, torus: bool, misere: bool) -> None:
    game = naive.grid(3, 3, 3, torus=torus, misere=misere)
    on = Small(Board.parse(spec), game, naive.isometries(3, 3, torus=torus))
    assert {rung.name: rung.count for rung in ladder(on.board) if rung.count is not None} == rungs(on)


@pytest.mark.parametrize("name", ["2x3:2", "1x6:3", "2x3:3+misere", "loose", "nothing", "1x1:1"])
def test_matrix(name: str) -> None:
    on = small(name)
    entries = matrix(on.board, Answers())
    assert len(entries) == (27 if on.board.misere else 54)
    for entry in entries:
        question = entry.question
        rows = naive.census(on.game, question.same, question.x_moves, question.o_moves, question.end, on.isometries)
        assert entry.finished == sum(row["finished"] or 0 for row in rows), question
        assert entry.convention


def test_a_given_time_bounds_all_conventions_together(monkeypatch):
    """Neither a count nor the reckoning of what another would cost is allowed more than is left of it."""
    allowed = []

    def asked(request, limits):
        allowed.append(limits.seconds)
        return offers(request, limits)

    monkeypatch.setattr(answers, "offers", asked)
    found = survey(Board.parse("5x5:4"), Limits.of("20GB", 0.3), Run())
    assert any(entry.finished is None for entry in found.games)
    assert max(allowed) <= 0.3
    assert allowed[-1] < 0.3


@pytest.mark.parametrize("strict", [False, True])
def test_what_is_left_out_when_the_time_is_up_is_not_reckoned_any_further(
    monkeypatch: pytest.MonkeyPatch, strict: bool
) -> None:
    """Unless there is time for it: an estimate takes a third of what it may reckon up to."""
    asked = list[float]()

    def none(request: Request, limits: Limits) -> tuple[None, list[Refusal]]:
        asked.append(limits.seconds)
        return None, [Refusal("frontier", "it takes too long", Estimate(1, limits.seconds, "", at_least=True))]

    monkeypatch.setattr("noughts.counting.conventions.answers.offers", none)
    found = Answers(Limits.of(None, 20.0), worth=20.0, strict=strict)
    found.share(0)
    found.cost(Question(Board.parse("3x3")))
    assert asked == ([LEAST_SECONDS, LEAST_SECONDS] if strict else [LEAST_SECONDS, 20.0])


@pytest.mark.parametrize("strict", [False, True])
def test_small_sums_are_counted_for_a_while_after_a_given_time(monkeypatch: pytest.MonkeyPatch, strict: bool) -> None:
    """A table of many small sums ends within a second of it; without a time all are counted."""
    now = [0.0]
    monkeypatch.setattr("noughts.counting.conventions.answers.clock.monotonic", lambda: now[0])
    found = Answers(Limits.of(None, 20.0), strict=strict)
    found.share(2.0)
    now[0] = 2.0 + GRACE_SECONDS - 0.01
    assert found.limits.seconds == LEAST_SECONDS
    assert found.census(Question(Board.parse("2x2:2"))).totals.finished == 24
    now[0] = 2.0 + GRACE_SECONDS + 0.01
    assert found.limits.seconds == (0.0 if strict else LEAST_SECONDS)
