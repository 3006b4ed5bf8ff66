"""Trees against a naive recomputation, the published numbers, and the twins on 3x4."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest

import noughts
from noughts.analysis.forks_ahead import ForkAhead, fork_in_sight
from noughts.analysis.trees import KINDS, GameTree, Link, tree
from noughts.drawing.trees import tree_picture
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.game import Game
from noughts.rules.marks import cells_of
from noughts.rules.position import Position
from noughts.solving.classgraph import ClassGraph
from tests.analysis.oracle import Oracle, oracle
from tests.dear import dear


@pytest.mark.parametrize("opening", ["a1", "b1", "b2"])
def test_the_forced_wins_of_an_opening_are_those_of_its_losing_replies(opening: str) -> None:
    """Each losing reply with the tree of its forced wins; every end is a fork, marked and with its threats named."""
    board, found = oracle(3, 3, 3), tree("3x3", opening=opening, kind="forced-wins")
    start = str(found.start).replace("/", "")
    losing = {board.canonical(t) for t in (board.put(start, c) for c in board.blanks(start)) if board.value(t) == "X"}
    first = [found.nodes[link.target].position for link in found.children[0]]
    assert {board.canonical(str(position).replace("/", "")) for position in first} == losing
    assert (found.root.outcome, {node.outcome for node in found.nodes[1:]}) == ("draw", {"X"})
    assert {node.score for node in found.nodes} == {None}, "the replies that hold are left out"
    whole = {str(node.position) for each in first for node in tree("3x3", each, kind="forced-wins").nodes}
    assert {str(node.position) for node in found.nodes[1:]} == whole
    made = tree_picture(found)
    assert made.names
    for node, drawn in zip(found.nodes, made.nodes, strict=True):
        assert node.fork == drawn.fork == (node.end == "forced win") == board.is_fork(drawn.marks)
        if node.fork:
            named = " and ".join(board.name(cell) for cell in board.threats(drawn.marks, "X"))
            assert drawn.captions == ["X can win", f"fork: {named}"]
    for link in made.carried:
        above, below = (made.by_id[number].marks for number in (link.source, link.target))
        assert board.put(above, [board.name(c) for c in range(9)].index(link.label)) == below


@pytest.mark.parametrize("start", ["", "a1 b2", "b2 a1"])
def test_where_no_move_allows_a_fork_the_tree_begins_with_moves_and_the_replies_that_do(start: str) -> None:
    """By the oracle: every reply after which X wins, below every move that has one; the ends are the forks."""
    board, found = oracle(3, 3, 3), tree("3x3", start or None, kind="forced-wins")
    marks = str(found.start).replace("/", "")
    after = {board.put(marks, cell) for cell in board.blanks(marks)}
    replies = {board.put(each, cell) for each in after for cell in board.blanks(each)}
    lost = {board.canonical(each) for each in replies if board.value(each) == "X" and not board.threats(each, "X")}
    second = {str(node.position).replace("/", "") for node in found.nodes if node.position.ply == found.start.ply + 2}
    assert lost <= {board.canonical(each) for each in second}
    assert {board.value(each) for each in second} == {"X"}
    for node in found.nodes:
        assert node.outcome == {"X": "X", "O": "O"}.get(board.value(str(node.position).replace("/", "")), "draw")
        assert node.fork == (node.end == "forced win")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "bushy"}, "unknown kind of tree 'bushy': choose reduced, full, openings, forced-wins, policy"),
        ({"kind": "forced-wins", "start": "X.O/OOX/XX."}, "neither player can force a fork"),
        ({"kind": "reduced", "depth": 3}, "remove --depth"),
        ({"opening": "z9"}, "3x3:3 has no cell"),
        ({"start": "XXX/OO./..."}, "the game is over"),
        ({"start": "X../.../...", "opening": "a1"}, "a1 is not blank"),
        ({"kind": "policy", "x": "clever"}, "unknown policy 'clever'"),
    ],
)
def test_bad_questions(arguments, words):
    with pytest.raises(InputError, match=words):
        tree("3x3", **arguments)


@pytest.mark.parametrize("board", ["5x5:5", "8x8:8", "5x5:5+torus", "6x6:6+misere"])
def test_a_tree_far_too_large_is_refused_before_it_is_grown(board):
    with pytest.raises(BudgetError, match=r"has at least [0-9,]{7,} nodes"):
        tree(board, kind="full", limit=100_000)


@pytest.mark.parametrize("depth", [None, 0, 1, 2, 3, 4])
def test_the_least_size_is_no_more_than_the_size(depth):
    for board, start in (("3x3", None), ("2x4:3", None), ("3x3", "a1 b2"), ("2x5:4", "a1")):
        size = len(tree(board, start, kind="full", depth=depth).nodes)
        assert len(tree(board, start, kind="full", depth=depth, limit=size).nodes) == size


@pytest.mark.parametrize(
    ("spec", "plies", "many"),
    [
        ("3x3", 9, 145),
        ("3x3+torus", 6, 24),
        ("2x5:3", 7, 490),
        ("3x4:3", 5, 1205),
        pytest.param("4x4:4", 3, 256, marks=pytest.mark.slow),
    ],
)
def test_a_fork_in_sight_is_ahead(spec, plies, many):
    """In so many classes it is seen: kept, as where fewer are seen it takes longer to know how large a tree is."""
    board, ahead, seen = Board.parse(spec), ForkAhead(), 0
    for node in ClassGraph(Game(board), to_ply=plies).nodes:
        position = Position(board, node.state.x, node.state.o)
        if node.outcome is None and fork_in_sight(position):
            seen += 1
            assert ahead(position), position
    assert seen == many


# Every kind of tree, whole and cut, grown once more on strings; and what is read off it.

BOARDS_KINDS_OF_TREES = {
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
    board, start = oracle(*BOARDS_KINDS_OF_TREES[spec]), oracle(*BOARDS_KINDS_OF_TREES[spec]).empty
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
    for number, move in zip(game[1:], found.moves_of(game)[len(found.played) :], strict=True):
        s = board.put(s, names[move])
        assert board.canonical(s) == board.canonical(str(found.nodes[number].position).replace("/", ""))


# Every capability on boards of every kind: tiny ones, without lines, on the torus, solid, misere, given by lines.

BOARDS_ODD_BOARDS = [
    *map(noughts.Board.parse, ("1x1:1", "1x2:1", "1x1:2", "2x2:3", "1x5:2", "2x2:2", "3x3+torus", "2x2x2:2", "2x3:1")),
    *map(noughts.Board.parse, ("3x3+misere", "1x6:3+misere")),
    noughts.Board.from_lines(5, [(0, 1), (1, 2, 3), (3, 4)]),
    noughts.Board.from_lines(4, []),
    noughts.Board.from_lines(4, [(0, 1)], misere=True, name="pair"),
]


@pytest.mark.parametrize("board", dear(BOARDS_ODD_BOARDS, *BOARDS_ODD_BOARDS[1:6], *BOARDS_ODD_BOARDS[8:11]), ids=str)
def test_everything_answers_or_refuses(board):
    for ask in (noughts.explain, noughts.openings, noughts.patterns):
        found = ask(board)
        json.dumps(found.as_dict())
        ET.fromstring(noughts.draw(found))
    json.dumps(noughts.payoff(board).as_dict())
    json.dumps(noughts.match(board).as_dict())
    assert noughts.explain(board).sentences
    for kind in KINDS:
        try:
            drawn = noughts.tree(board, kind=kind)
        except noughts.InputError:
            assert kind in ("forced-wins", "reduced")
        else:
            ET.fromstring(noughts.draw(drawn))
