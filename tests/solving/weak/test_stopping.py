"""Proofs of Breaker as text, before a judge of the tests' own; of mutated ones none that is wrong passes."""

from __future__ import annotations

import random

import pytest

from noughts.domain.bits import mask_of
from noughts.domain.board import Board
from noughts.domain.symmetry import Group
from noughts.solving.weak.breaker import Breaker
from noughts.solving.weak.stopping import stop_lines
from noughts.solving.weak.toolbox import tools_for
from noughts.solving.weak.tools import PlainTools
from tests.solving.weak.judge import Judge, Wrong
from tests.solving.weak.weakgame import maker_fills, random_lines


def proof(board: Board, *, maker_moves: bool = True) -> list[str]:
    breaker = Breaker(tools_for(board.group("board"), board.line_masks))
    assert breaker.holds(board.line_masks, maker_moves=maker_moves)
    return list(stop_lines(breaker, board.line_masks, maker_moves=maker_moves))


def judge(board: Board, lines: list[str], *, maker_moves: bool = True) -> Judge:
    found = Judge(board.cells, list(board.group("board").generators), lines)
    found.judge(board.lines, maker_moves=maker_moves)
    return found


@pytest.mark.parametrize(
    ("spec", "most_bytes"),
    [("4x4:4", 200), ("5x5:5", 200), ("6x6:5", 1_000), ("8x8:6", 2_000), ("6x7:5", 20_000), ("5x5:5+torus", 2_000)],
)
def test_boards(spec: str, most_bytes: int) -> None:
    board = Board.parse(spec)
    lines = proof(board)
    assert sum(len(line) + 1 for line in lines) <= most_bytes
    assert judge(board, lines).read == len(lines)


@pytest.mark.slow
def test_seven_by_seven() -> None:
    board = Board.parse("7x7:5")
    lines = proof(board)
    assert sum(len(line) + 1 for line in lines) <= 200_000
    judge(board, lines)


def test_random_hypergraphs() -> None:
    """Every proof of a random hypergraph is accepted; what brute force says can be filled has none."""
    proofs = 0
    for seed in range(1_500):
        dice = random.Random(seed)
        cells, lines = random_lines(dice, cells=dice.randint(5, 9))
        masks = list(map(mask_of, lines))
        turned = [tuple(dice.sample(range(cells), cells))] if seed % 3 == 0 else []
        group = Group(cells, turned)
        moves = bool(seed % 2)
        breaker = Breaker(PlainTools(group, masks))
        if not breaker.holds(masks, maker_moves=moves):
            continue
        proofs += 1
        text = list(stop_lines(breaker, masks, maker_moves=moves))
        Judge(cells, turned if group.order <= 200 else [], text).judge(lines, maker_moves=moves)
    assert proofs > 300


def mutated(lines: list[str], dice: random.Random, cells: int) -> list[str]:
    """Return a section with one thing changed."""
    found = list(lines)
    place = dice.randrange(len(found))
    words = found[place].split()
    kind = dice.randrange(5)
    if kind == 0:
        del found[place]
    elif kind == 1:
        found.insert(place, dice.choice(found))
    elif kind == 2 and len(words) > 1:
        found[place] = " ".join(words[:-2])
    else:
        number = dice.randrange(len(words))
        if words[number] != ":":
            words[number] = str(dice.randrange(cells))
        found[place] = " ".join(words)
    return found


def test_mutated_proofs_prove_nothing_wrong() -> None:
    """A section said to stop a Maker who can fill a line, by brute force, is never accepted."""
    accepted = refused = 0
    for seed in range(400):
        dice = random.Random(seed)
        cells, lines = random_lines(dice, cells=7)
        masks = list(map(mask_of, lines))
        breaker = Breaker(PlainTools(Group.trivial(cells), masks))
        if not breaker.holds(masks, maker_moves=True):
            continue
        text = list(stop_lines(breaker, masks, maker_moves=True))
        for _ in range(10):
            others = [*lines, dice.sample(range(cells), 3)] if dice.random() < 0.5 else lines
            try:
                Judge(cells, [], mutated(text, dice, cells)).judge(others, maker_moves=True)
            except (Wrong, ValueError):
                refused += 1
            else:
                accepted += 1
                assert not maker_fills(cells, others, maker_moves=True)
    assert accepted > 20
    assert refused > 100
