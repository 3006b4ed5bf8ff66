"""What is said of first moves and replies: sentences on small boards that were read one by one, and on the unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from noughts.domain.board import Board
from noughts.domain.position import Outcome, Position
from noughts.strategy.openingadvice import advice, errors, summary
from noughts.strategy.openings import openings
from noughts.strategy.quality import Quality
from noughts.strategy.replies import FirstMoves, Opening, Reply

READ: dict[str, list[str]] = {}
for _line in (Path(__file__).parent / "advice.txt").read_text(encoding="utf-8").splitlines():
    if _line.startswith(" "):
        READ[list(READ)[-1]].append(_line.strip())
    else:
        READ[_line] = []


@pytest.mark.parametrize("asked", READ)
def test_the_sentences_that_were_read(asked: str) -> None:
    spec, _, start = asked.partition(" ")
    theory = openings(spec, start or None)
    assert [theory.summary, *theory.advice] == READ[asked]


def made(*does: Quality | None, outcome: Outcome | None = None, worth: Outcome | None = None) -> FirstMoves:
    """A theory of 1x9:9 with one first move and some replies; of what None does the outcome was not found."""
    start = Position(Board.parse("1x9:9"))
    worths: dict[Quality | None, Outcome | None] = {"keeps": worth, "loses": "X", "gives up a win": "draw", None: None}
    first = start.play(0)
    replies = tuple(
        Reply(cell, 1 << cell, None, worths[each], None, each, first.play(cell)) for cell, each in enumerate(does, 1)
    )
    opening = Opening(0, 1, None, worth, None, "keeps" if worth else None, first, replies)
    return FirstMoves(start, outcome, None, (opening,))


def test_what_was_not_found_is_said() -> None:
    nobody = made(None, None)
    assert advice(nobody) == ("Who wins with best play was not found.", "What a1 is worth was not found.")
    assert summary(nobody) == "1 first move up to symmetry, 2 replies: of 2 it was not found"
    some = made("keeps", None, "loses", outcome="draw", worth="draw")
    assert advice(some)[1] == "After a1, b1 holds; of the others, one loses and of one it was not found."
    assert errors(some.openings[0].replies) == "1 loses and of 1 it was not found"
    assert (
        advice(made("keeps", None, outcome="draw", worth="draw"))[1] == "After a1, b1 holds; of one it was not found."
    )
    none = made(None, "loses", outcome="draw", worth="draw")
    assert advice(none)[1] == (
        "After a1, no reply was found to hold; of the others, one loses and of one it was not found."
    )


def test_errors_are_counted_by_kind() -> None:
    told: tuple[tuple[tuple[Quality, ...], str], ...] = (
        (("loses",), "1 loses"),
        (("loses", "loses", "gives up a win"), "2 lose and 1 gives up a win"),
        (("gives up a win", "gives up a win"), "2 give up a win"),
        (("keeps",), "none loses"),
        (("lost before",), "lost before"),
        (("lost before", "lost before"), "all of them lost before"),
        (("lost before", "keeps"), "none loses"),
    )
    for does, said in told:
        replies = [Reply(1, 2, None, "X", None, each, Position(Board.parse("1x3:3"))) for each in does]
        assert errors(replies) == said
