"""The weak game: the search against brute force, zones and all, and the compiled tools against the plain ones."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from noughts.rules.board import Board
from noughts.rules.marks import cells_of, mask_of
from noughts.rules.symmetry import Group
from noughts.solving.weak.breaker import Breaker, WeakNode, tools_for
from noughts.solving.weak.compiled import CompiledTools
from noughts.solving.weak.family import Tools, least_sets, settled_by_pairs, struck, unit_of
from noughts.solving.weak.stopper import stop_lines
from tests.solving.weakgame import Judge, Wrong, maker_fills, random_lines

TOOLS: dict[str, Callable[[Group, list[int]], Tools]] = {"plain": Tools, "compiled": CompiledTools}


def breaker_for(cells: int, lines: list[list[int]], tools: str, symmetries: Group | None = None) -> Breaker:
    return Breaker(TOOLS[tools](symmetries or Group.trivial(cells), list(map(mask_of, lines))))


def nodes(breaker: Breaker) -> list[tuple[WeakNode, bool]]:
    """Return all nodes that were settled by search, each with whether Maker moves there."""
    tables = ((breaker._maker, True), (breaker._breaker, False))
    return [(node, moves) for table, moves in tables for node in table.values() if node.key and node.is_settled]


def lists(masks: list[int]) -> list[list[int]]:
    return [list(cells_of(mask)) for mask in masks]


def check(seed: int, tools: str) -> None:
    dice = random.Random(seed)
    cells, lines = random_lines(dice)
    moves = bool(seed % 2)
    turned = random.Random(seed).sample(range(cells), cells)
    group = Group(cells, [tuple(turned)] if seed % 3 == 0 else [])
    breaker = breaker_for(cells, lines, tools, group)
    held = breaker.holds(map(mask_of, lines), maker_moves=moves)
    assert held is not maker_fills(cells, lines, maker_moves=moves), (seed, lines)
    for node, maker in nodes(breaker)[:40]:
        family = lists(list(breaker.tools.family(node.key)))
        assert maker_fills(cells, family, maker_moves=maker) is (node.disproof == 0), (seed, lines, family)
        if not node.disproof:
            inside = [line for line in family if not mask_of(line) & ~node.zone]
            assert maker_fills(cells, inside, maker_moves=maker), (seed, family, node.zone)


@pytest.mark.parametrize("tools", TOOLS)
@pytest.mark.parametrize("block", range(4))
def test_random_hypergraphs_and_their_zones(block: int, tools: str) -> None:
    for seed in range(100 * block, 100 * block + 100):
        check(seed, tools)


def test_pairs_never_promise_what_maker_can_prevent() -> None:
    settled = 0
    for seed in range(400):
        cells, lines = random_lines(random.Random(seed))
        family = struck(least_sets(map(mask_of, lines)))
        unit = unit_of(family)
        for moves in (True, False):
            tools = Tools(Group.trivial(cells), family)
            least, pairs = tools.pairs(tuple(family), maker_moves=moves)
            if least < 1 << unit:
                settled += 1
                assert not maker_fills(cells, lists(family), maker_moves=moves), (seed, family, pairs)
                assert settled_by_pairs(family, pairs, unit) < 1 << unit
    assert settled > 100


@pytest.mark.parametrize(
    ("spec", "holds", "most"),
    [
        ("3x3", False, 100),
        ("4x4:4", True, 10),
        ("5x5:4", False, 10_000),
        ("6x6:5", True, 37),
        ("6x7:5", True, 1_000),
        ("8x8:6", True, 65),
    ],
)
def test_known_boards(spec: str, holds: bool, most: int) -> None:
    board = Board.parse(spec)
    breaker = Breaker(CompiledTools(board.group("board"), board.line_masks))
    assert breaker.holds(board.line_masks, maker_moves=True) is holds
    assert breaker.opened <= most


# Proofs of Breaker as text, before a judge of the tests' own; of mutated ones none that is wrong passes.


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
        breaker = Breaker(Tools(group, masks))
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
        breaker = Breaker(Tools(Group.trivial(cells), masks))
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
