"""What is said of positions, games, strategies and puzzles: sentences that were read one by one, each kind of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.review import review
from noughts.analysis.payoff.guarantee import Guarantee
from noughts.analysis.payoff.patterns import force
from noughts.analysis.payoff.points import secure
from noughts.analysis.puzzles.finding import puzzles
from noughts.analysis.puzzles.puzzle import Puzzle
from noughts.rules.board import Board
from noughts.solving.api import solve
from noughts.solving.solution import Solution

SOLVED: dict[str, Solution] = {}


def solved(spec: str) -> Solution | None:
    """The values of a board, for all that is asked about it; None of a larger one, asked about late positions."""
    if spec not in SOLVED and Board.parse(spec).cells <= 12:
        SOLVED[spec] = solve(spec)
    return SOLVED.get(spec)


def position(spec: str, start: str) -> list[str]:
    """The label, and what to play and why."""
    found = explain(spec, start, solution=solved(spec))
    return [str(found.label), *found.sentences]


def game(spec: str, moves: str) -> list[str]:
    """Each move, how the game stands, and which moves were mistakes."""
    found = review(spec, moves, solution=solved(spec))
    told = [f"{move.name} {move.verdict}" for move in found.moves]
    lessons = [sentence for lesson in found.lessons for sentence in lesson.why]
    return ["; ".join(told), found.outlook, *filter(None, [found.threatened]), *found.sentences, *lessons]


def strategy(spec: str, asked: str) -> list[str]:
    """A strategy for a pattern or for points."""
    what, player, start = f"{asked} ".split(" ", 2)
    found: Guarantee
    if what == "points":
        found = secure(spec, start.strip() or None, player=player)
    else:
        found = force(spec, start.strip() or None, pattern=what, player=player)
    return [f"{found.player} {found.purpose}", *("> " * step.depth + step.text for step in found.sentences)]


def puzzle(spec: str, asked: str) -> list[str]:
    """Some puzzles: what is asked, the hints, and the answer."""
    number, seed, theme = f"{asked} ".split(" ", 2)
    return [line for each in puzzles(spec, int(number), seed=seed, theme=theme.strip() or None) for line in _of(each)]


def _of(each: Puzzle) -> list[str]:
    hard = f"grade {each.grade}, depth {each.depth}, lures {len(each.lures)}"
    kind = f"{each.position}: {hard}; {', '.join(each.themes) or 'none'}"
    return [kind, each.question, *each.hints, *each.explanation]


KINDS = {each.__name__: each for each in (position, game, strategy, puzzle)}
READ: dict[str, list[str]] = {}
for _line in (Path(__file__).parent / "said.txt").read_text(encoding="utf-8").splitlines():
    if _line.startswith(" "):
        READ[list(READ)[-1]].append(_line.strip())
    else:
        READ[_line] = []


def said(asked: str) -> list[str]:
    """What is said of something, as the file has it."""
    kind, spec, rest = f"{asked} ".split(" ", 2)
    return KINDS[kind](spec, rest.strip())


@pytest.mark.parametrize("kind", KINDS)
def test_the_sentences_that_were_read(kind: str) -> None:
    asked = [each for each in READ if each.startswith(f"{kind} ")]
    assert asked
    for each in asked:
        assert said(each) == READ[each], each


def test_every_board_that_is_asked_about_is_small() -> None:
    assert all(Board.parse(each.split()[1]).cells <= 16 for each in READ)
