"""Small parts of the room, each by its definition: kinds of cells, what came before, chances, kept answers, hints."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from noughts.analysis.explain.facts import previous_positions, ways_by_choices, ways_to
from noughts.analysis.policies.playing import hint_at
from noughts.analysis.solutions import winning_chances
from noughts.rules.board import Board
from noughts.rules.game import Game
from noughts.rules.position import parse_position
from noughts.solving.classgraph import ClassGraph
from tests.analysis.oracle import oracle


@pytest.mark.parametrize(
    ("spec", "shape"),
    [("3x3", (3, 3, 3)), ("3x3+misere", (3, 3, 3, True)), ("2x4:3", (2, 4, 3)), ("1x5:2", (1, 5, 2))],
)
def test_what_came_before(spec: str, shape: tuple[Any, ...]) -> None:
    """By taking back each mark of the last mover; boards after which the game had been over are none."""
    board = oracle(*shape)
    for s in board.reachable()[::19]:
        mover = board.other(board.mover(s))
        wanted: dict[str, list[int]] = {}
        for cell in range(board.cells):
            t = f"{s[:cell]}.{s[cell + 1 :]}"
            if s[cell] == mover and not board.over(t):
                wanted.setdefault(board.canonical(t), []).append(cell)
        found = previous_positions(parse_position(spec, board.slashed(s)))
        assert [list(cells) for _, cells in found] == sorted(wanted.values())
        for earlier, cells in found:
            assert str(earlier).replace("/", "") == f"{s[: cells[0]]}.{s[cells[0] + 1 :]}"


@pytest.mark.parametrize(
    ("spec", "shape"), [("3x3", (3, 3, 3)), ("2x3:2", (2, 3, 2)), ("2x3:2+misere", (2, 3, 2, True))]
)
def test_ways_to_a_position_are_those_of_all_games(spec: str, shape: tuple[Any, ...]) -> None:
    """By playing every game forward, with cells distinguishable and with each class as one choice."""
    board = oracle(*shape)
    start = "." * board.cells
    ways, choices, layer, classes = {start: 1}, {start: 1}, [start], [start]
    while layer:
        after = [(s, board.put(s, cell)) for s in layer if not board.over(s) for cell in board.blanks(s)]
        edges = {(s, board.canonical(board.put(s, c))) for s in classes if not board.over(s) for c in board.blanks(s)}
        for s, t in after:
            ways[t] = ways.get(t, 0) + ways[s]
        for s, t in edges:
            choices[t] = choices.get(t, 0) + choices[s]
        layer, classes = list({t for _, t in after}), list({t for _, t in edges})
    for s in board.reachable()[::7]:
        at = parse_position(spec, board.slashed(s))
        assert (ways_to(at), ways_by_choices(at)) == (ways[s], choices[board.canonical(s)]), s


def test_ways_by_choices_are_absent_where_they_take_long() -> None:
    moves = "a1 b1 c1 a3 b3 c3 d1 d3 a2 b2 c2"
    assert ways_by_choices(parse_position("4x4", moves)) is None
    assert ways_to(parse_position("4x4", moves)) == 720 * 120


@pytest.mark.parametrize(
    ("spec", "shape"), [("2x3:2", (2, 3, 2)), ("3x3+misere", (3, 3, 3, True)), ("1x5:2", (1, 5, 2))]
)
def test_chances_against_random_play(spec: str, shape: tuple[Any, ...]) -> None:
    board, graph = oracle(*shape), ClassGraph(Game(Board.parse(spec)))
    known: dict[tuple[str, str], Fraction] = {}

    def chance(s: str, player: str) -> Fraction:
        if (s, player) not in known:
            if board.over(s):
                known[s, player] = Fraction(board.winner(s) == player)
            else:
                below = [chance(board.put(s, cell), player) for cell in board.blanks(s)]
                known[s, player] = max(below) if board.mover(s) == player else sum(below, Fraction(0)) / len(below)
        return known[s, player]

    for player in ("X", "O"):
        found = winning_chances(graph, player)
        for node, mine in zip(graph.nodes, found, strict=True):
            s = "".join(
                "X" if node.state.x >> n & 1 else "O" if node.state.o >> n & 1 else "." for n in range(board.cells)
            )
            assert mine == chance(s, player)


@pytest.mark.parametrize(
    ("board", "moves", "told"),
    [
        ("3x3", "a1", "Play b2. Only b2 keeps the draw."),
        ("3x3", "a1 a2 b1 b2", "Play c1. Complete your line at c1: you win at once."),
        ("3x3+misere", "b2 a1", "Play c3. b1, c1, a2, c2, a3 and b3 lose."),
    ],
)
def test_a_hint_names_the_best_move_and_why(board: str, moves: str, told: str) -> None:
    assert hint_at(parse_position(board, moves))[0] == told
