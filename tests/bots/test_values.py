"""Players are values: a learned, bred or table policy is saved, copied, asked for a move, and played."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts.analysis.policies.policy import Policy
from noughts.analysis.policies.reading import policy
from noughts.bots.arrays import observation
from noughts.rules.position import parse_position

BOARD = noughts.Board.parse("2x3:2")


def first_blank(seen: np.ndarray) -> np.ndarray:
    return -np.arange(len(seen))


def mixed(at: noughts.Position) -> dict[int, Fraction]:
    cells = [int(move) for move in at.moves()]
    return {cells[0]: Fraction(1, 3), cells[-1]: Fraction(2, 3)} if len(cells) > 1 else {cells[0]: Fraction(1)}


def observed() -> dict[tuple[int, ...], list[Fraction]]:
    """The usual dict of an agent that learned as both: what the side to move sees, and a chance for each cell."""
    rows = {}
    for record in noughts.analysis.catalogue(BOARD).labelled():
        if not record.is_terminal:
            chances = mixed(record.position)
            rows[tuple(observation(record.position).tolist())] = [chances.get(cell, Fraction(0)) for cell in range(6)]
    return rows


PLAYERS: dict[str, Callable[[], Policy]] = {
    "learned": lambda: noughts.training.learn(BOARD, games=300, looks=[]).policy,
    "bred": lambda: noughts.breed(BOARD, generations=2, population=9).policy,
    "menace": lambda: noughts.menace(BOARD, as_="O", games=20).policy,
    "crib": lambda: noughts.crib("3x3", as_="O").policy,
    "a table": lambda: policy(BOARD, {"moves": {".../...": ["b1"]}, "otherwise": "random"}),
    "a table by rule": lambda: policy(BOARD, {"moves": {".../...": ["b1"]}, "otherwise": "medium"}),
    "a function": lambda: policy(BOARD, mixed),
    "an agent": lambda: noughts.bots.array_policy(BOARD, first_blank, greedy=True),
    "rows": lambda: noughts.bots.array_policy(BOARD, observed()),
    "a rule": lambda: policy(BOARD, "block"),
    "with values": lambda: policy(BOARD, "trap:random"),
}


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_is_saved_copied_and_played(name: str, tmp_path: Path) -> None:
    made, file = PLAYERS[name](), tmp_path / "mine.json"
    board = made.board or BOARD
    made.save(file, board)
    assert json.loads(file.read_text()) == made.as_dict(board)
    copy = pickle.loads(pickle.dumps(made))
    read = policy(board, str(file))
    other = "random" if board == BOARD else {"moves": {".../.../...": ["a1"]}, "otherwise": "random"}
    results = [noughts.match(board, x=other, o=each) for each in (made, copy, read, str(file))]
    assert len({(found.x_wins, found.draws, found.o_wins) for found in results}) == 1
    assert noughts.check(file).error is None or "can lose" in str(noughts.check(file).error)
    if made.board is not None:
        by_value, by_file = (noughts.check(given).as_dict()["found"] for given in (made, file))
        assert by_value["sides"] == by_file["sides"]


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_is_asked_without_further_arguments(name: str) -> None:
    made = PLAYERS[name]()
    assert isinstance(made, Policy)
    at = parse_position(made.board or BOARD, "a1")
    chances = made.probabilities(at)
    assert sum(chances.values()) == 1
    drawn = {made.move(at, seed) for seed in range(60)}
    assert drawn == set(chances) == {cell for cell in range(9) if made.moves(at) >> cell & 1}
    assert made.move(at) == made.move(at, 0)
    assert str(made.move(at))[0] in "abc"
