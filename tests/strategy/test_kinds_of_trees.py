"""Every kind of tree, whole and cut, grown once more on strings; and what is read off it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest

from noughts.domain.bits import cells_of
from noughts.strategy.gametree import GameTree, Link
from noughts.strategy.trees import tree
from tests.strategy.oracle import Oracle, oracle

BOARDS = {
    "3x3": (3, 3, 3),
    "3x3+misere": (3, 3, 3, True),
    "3x3+torus": (3, 3, 3, False, True),
    "2x4:3": (2, 4, 3),
    "1x6:3": (1, 6, 3),
    "2x3:2+misere": (2, 3, 2, True),
}


def moves_by(board: Oracle, kind: str, players: tuple[str, str]) -> Callable[[str], list[int]]:
    """The moves that a kind of tree has in a position."""
    if kind == "policy":
        return lambda s: board.moves_of(s, players["XO".index(board.mover(s))])
    return board.blanks


def grown(
    board: Oracle, start: str, moves: Callable[[str], list[int]], depth: int | None
) -> tuple[list[str], dict[tuple[str, str], set[int]], bool]:
    """The classes ply by ply, the cells along each edge, of the representative first met, and whether it was cut."""
    order, edges, cut = [board.canonical(start)], dict[tuple[str, str], set[int]](), False
    for s in order:
        if board.over(s):
            continue
        if depth is not None and s.count(".") <= start.count(".") - depth:
            cut = True
            continue
        for cell in moves(s):
            child = board.canonical(board.put(s, cell))
            edges.setdefault((s, child), set()).add(cell)
            if child not in order:
                order.append(child)
    return order, edges, cut


def scores(
    board: Oracle, order: list[str], edges: dict[tuple[str, str], set[int]], distinct: bool
) -> dict[str, Fraction]:
    """The averages over all moves, or over the distinct classes."""
    found: dict[str, Fraction] = {}
    for s in reversed(order):
        below = [(child, 1 if distinct else len(cells)) for (at, child), cells in edges.items() if at == s]
        if not below:
            found[s] = Fraction({"X": 1, "O": -1, "draw": 0}[board.winner(s) or "draw"])
        else:
            found[s] = sum((found[child] * n for child, n in below), Fraction(0)) / sum(n for _, n in below)
    return found


def asked(name: str) -> tuple[Oracle, GameTree, str, str, tuple[str, str], int | None]:
    """A tree and what it is of, from text: `2x4:3 a1 full 2`, `3x3 - policy block/random`."""
    spec, moves, kind, *rest = name.split(" ")
    board, start = oracle(*BOARDS[spec]), oracle(*BOARDS[spec]).empty
    for cell in [] if moves == "-" else moves.split(","):
        start = board.put(start, [board.name(c) for c in range(board.cells)].index(cell))
    x, _, o = rest[0].partition("/") if kind == "policy" else ("random", "", "random")
    cut = rest[-1] if rest and rest[-1].isdigit() else None
    depth = None if cut is None else int(cut)
    found = tree(spec, board.slashed(start), kind=kind, x=x, o=o, depth=depth)
    return board, found, start, kind, (x, o), 2 if kind == "openings" and depth is None else depth


TREES = (
    "3x3 a1,b2 full",
    "3x3 a1,b2,c3,b1 full 1",
    "3x3 a1,b2,c3,b1 full 2",
    "3x3 a1,b2,b1,c1 full 4",
    "3x3 a1,b2,b1,c1 full 5",
    "3x3 - full 0",
    "3x3 - openings",
    "3x3 a1,b1,a2 openings",
    "3x3 b1 openings 3",
    "3x3+misere b2,a1 full",
    "3x3+misere a1,b2,c1,a3 full 2",
    "3x3+misere a1,b1,c2 policy perfect/random",
    "3x3+torus a1,b1 full",
    "3x3+torus a1 policy block/random",
    "2x4:3 a1 full",
    "2x4:3 - full 3",
    "1x6:3 b1 full",
    "1x6:3 - openings",
    "2x3:2+misere - full",
    "2x3:2+misere - openings 1",
    "3x3 a1 policy block/perfect",
    "3x3 b1 policy perfect/win",
    "3x3 b1 policy fork/block 4",
    "3x3 a1,b2,c3 policy win/random 2",
)


@pytest.mark.parametrize("name", TREES)
def test_a_tree_is_the_one_that_is_grown_on_strings(name: str) -> None:
    board, found, start, kind, players, depth = asked(name)
    order, edges, cut = grown(board, start, moves_by(board, kind, players), depth)
    mine = [board.canonical(str(node.position).replace("/", "")) for node in found.nodes]
    assert sorted(mine) == sorted(order)
    assert [s.count(".") for s in mine] == sorted((s.count(".") for s in mine), reverse=True), "by plies"
    assert [node.id for node in found.nodes] == list(range(len(mine)))
    assert {(mine[link.source], mine[link.target]): link.moves.bit_count() for link in found.links} == {
        edge: len(cells) for edge, cells in edges.items()
    }
    for link in found.links:
        s = str(found.nodes[link.source].position).replace("/", "")
        assert {board.canonical(board.put(s, cell)) for cell in cells_of(link.moves)} == {mine[link.target]}
    plain, distinct = (None, None) if cut else (scores(board, order, edges, each) for each in (False, True))
    for s, node in zip(mine, found.nodes, strict=True):
        assert node.end == ("over" if board.over(s) else None)
        assert node.outcome == board.value(s)
        assert node.fork == (not board.misere and board.is_fork(s))
        assert node.score == (plain and plain[s])
        assert node.score_distinct == (distinct and distinct[s])


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("scoring", ["score", "score_distinct"])
def test_best_games_are_those_of_the_scores(name: str, scoring) -> None:
    """X goes where the score is highest, O where it is lowest; without scores nobody goes anywhere."""
    _, found, *_ = asked(name)
    below = {node.id: [link.target for link in found.links if link.source == node.id] for node in found.nodes}

    def games(at: int) -> list[list[int]]:
        worth = {child: getattr(found.nodes[child], scoring) for child in below[at]}
        if not worth or None in worth.values():
            assert found.best_children(at, scoring) == []
            return [[at]]
        best = (max if found.nodes[at].position.to_move == "X" else min)(worth.values())
        chosen = [child for child in below[at] if worth[child] == best]
        assert found.best_children(at, scoring) == chosen
        return [[at, *rest] for child in chosen for rest in games(child)]

    wanted = games(0)
    assert found.best_games(scoring) == wanted
    pairs = {pair for game in wanted for pair in pairwise(game)}
    assert found.best_moves(scoring) == (pairs, len(wanted))


@pytest.mark.parametrize("name", TREES)
def test_each_node_is_shown_as_the_one_above_it_and_a_mark_more(name: str) -> None:
    board, found, start, *_ = asked(name)
    shown = found.placed()
    assert shown.keys() == {node.id for node in found.nodes}
    assert (str(shown[0][0]).replace("/", ""), shown[0][1]) == (start, None)
    first: dict[int, Link] = {}
    for link in found.links:
        first.setdefault(link.target, link)
    for number, link in first.items():
        position, last = shown[number]
        above = str(shown[link.source][0]).replace("/", "")
        same = board.canonical(str(found.nodes[number].position).replace("/", ""))
        leading = [cell for cell in board.blanks(above) if board.canonical(board.put(above, cell)) == same]
        assert last == leading[0], "the first of the moves that lead there"
        assert board.put(above, last) == str(position).replace("/", "")
    [game, *_] = found.best_games()
    names = {board.name(cell): cell for cell in range(board.cells)}
    s = start
    for number, move in zip(game[1:], found.moves_of(game), strict=True):
        s = board.put(s, names[move])
        assert board.canonical(s) == board.canonical(str(found.nodes[number].position).replace("/", ""))
