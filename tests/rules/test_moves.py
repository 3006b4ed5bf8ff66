"""Moves come back as they went out: each result's moves are taken by every function, and as text they mean the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import noughts
from noughts.rules.errors import InvalidCell, InvalidPosition, InvalidType
from noughts.rules.position import parse_position

BOARD = "3x4:3"
RESULTS: dict[str, Callable[[], Any]] = {
    "play": lambda: noughts.play(BOARD, "b2 c2", x="human", o="human").moves,
    "a reply": lambda: noughts.play(BOARD, "b2", x="human", o="random").moves,
    "before": lambda: noughts.play(BOARD, "b2 c2 a1", x="human", o="human").undone,
    "best line": lambda: (noughts.solve(BOARD).line() or ())[:3],
    "same": lambda: noughts.analysis.same_games(BOARD, "b2 c2", "b2 a1").first,
    "image": lambda: noughts.analysis.same_games(BOARD, "b2 c2", "b2 a1").image,
    "review": lambda: tuple(move.cell for move in noughts.review(BOARD, "b2 c2 a1").moves),
    "wrong": lambda: noughts.puzzles(BOARD, 1).puzzles[0].wrong[:2],
}
TAKES: dict[str, Callable[[Any], Any]] = {
    "parse_position": lambda moves: parse_position(BOARD, moves),
    "explain": lambda moves: noughts.explain(BOARD, moves).position,
    "solve": lambda moves: noughts.solve(BOARD, moves).outcome(moves),
    "play": lambda moves: noughts.play(BOARD, moves, x="human", o="human").position,
    "review": lambda moves: noughts.review(BOARD, moves).position,
    "same_games": lambda moves: noughts.analysis.same_games(BOARD, moves, moves).first,
    "same": lambda moves: noughts.same(BOARD, moves, moves).as_dict(),
    "tree": lambda moves: noughts.tree(BOARD, moves, kind="full", depth=1).start,
    "count": lambda moves: noughts.count(BOARD, moves).totals,
}


@pytest.mark.parametrize("result", RESULTS)
def test_moves_of_every_result_print_as_cells_and_are_taken_everywhere(result: str) -> None:
    moves = RESULTS[result]()
    text = " ".join(map(str, moves))
    assert text == " ".join(f"{move}" for move in moves) == str(moves).strip("(),").replace(",", "")
    assert text[0] in "abcd"
    for name, take in TAKES.items():
        assert take(moves) == take(list(moves)) == take(text) == take([int(move) for move in moves]), name


def test_moves_that_do_not_fit_are_refused() -> None:
    moves = noughts.play("3x3", "c2", x="human", o="human").moves
    with pytest.raises(InvalidPosition, match="c2 is a move of 3x3:3, not of 3x4:3"):
        noughts.explain(BOARD, moves)
    with pytest.raises(InvalidPosition, match="twice"):
        noughts.explain(BOARD, (1, 1))
    with pytest.raises(InvalidCell, match="no cell 99"):
        noughts.review(BOARD, [0, 99])
    with pytest.raises(InvalidType, match="a float"):
        noughts.play(BOARD, [1.5])  # type: ignore[list-item]
    with pytest.raises(InvalidType, match="one by one"):
        noughts.review(BOARD, b"a1")
