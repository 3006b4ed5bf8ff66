"""Small parts of the room, each by its definition: kinds of cells, what came before, chances, kept answers, hints."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from noughts.analysis.explain.facts import (
    cell_kind,
    counted,
    in_moves,
    moves_to_win,
    previous_positions,
    ways_by_choices,
    ways_to,
)
from noughts.analysis.explain.openings import openings
from noughts.analysis.policies.playing import hint_at
from noughts.analysis.policies.policy import RememberingPolicy
from noughts.analysis.policies.reading import CallablePolicy, policy
from noughts.analysis.solutions import winning_chances
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.game import Game
from noughts.rules.marks import cells_of
from noughts.rules.position import Position, parse_position
from noughts.solving.classgraph import ClassGraph
from tests.analysis.oracle import oracle

KINDS = ["corner", "edge", "corner", "edge", "centre", "edge", "corner", "edge", "corner"]


@pytest.mark.parametrize(
    ("spec", "kinds"),
    [
        ("3x3", KINDS),
        ("3x3+misere", KINDS),
        ("3x3:2", KINDS),
        *((spec, None) for spec in ("3x3+torus", "3x4", "4x3", "4x4", "2x2", "3x3x3")),
    ],
)
def test_only_a_flat_board_of_three_by_three_has_kinds_of_cells(spec: str, kinds: list[str] | None) -> None:
    board = Board.parse(spec)
    found = [cell_kind(board, cell) for cell in range(board.cells)]
    assert found == kinds if kinds else not any(found)
    assert cell_kind(Board.from_lines(board.cells, board.lines), 0) is None


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


def test_a_policy_that_remembers_is_asked_once() -> None:
    asked: list[str] = []

    def first(position: Position) -> list[int]:
        asked.append(str(position))
        return [next(cells_of(position.blanks)), 8]

    board = Board.parse("3x3")
    kept = RememberingPolicy(CallablePolicy("first", first))
    at = parse_position(board, "a1")
    for _ in range(3):
        assert kept.probabilities(at, None) == {1: Fraction(1, 2), 8: Fraction(1, 2)}
        assert kept.moves(at, None) == 1 << 1 | 1 << 8
    assert asked == ["X../.../..."]
    assert kept.moves(Position(board), None) == 1 << 0 | 1 << 8
    assert (kept.name, kept.is_symmetric, kept.needs_values, kept.board) == ("first", False, False, None)
    named = RememberingPolicy(policy(board, "easy"), "mine")
    assert (named.name, named.is_symmetric, named.needs_values) == ("mine", True, True)
    table = policy(board, {".../.../...": "b2"})
    assert RememberingPolicy(table).board == board


@pytest.mark.parametrize(
    ("spec", "at", "said", "best"),
    [
        ("3x3", "a1", "Play b2. Only b2 keeps the draw.", "b2"),
        (
            "3x3",
            "a1 b1 a2",
            "Play a3. X threatens to complete a line at a3: block there, but X can still force a win.",
            "a3",
        ),
        ("3x3+misere", "b2 b1", "Play b3. a1, c1, a2, c2, a3 and c3 lose.", "b3"),
        ("3x3", "a1 b1", "Play b2. Play a2", "b2"),
    ],
)
def test_a_hint(spec: str, at: str, said: str, best: str) -> None:
    position = parse_position(spec, at)
    sentence, cells = hint_at(position)
    if (spec, at) == ("3x3", "a1 b1"):
        assert sentence.startswith(f"Play {cell_name(position.board, cells[0])}. ")
        return
    assert (sentence, [cell_name(position.board, cell) for cell in cells]) == (said, [best])


def test_lengths_in_words() -> None:
    assert [moves_to_win(plies) for plies in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [in_moves(plies) for plies in (1, 2, 3, 1999)] == ["in 1 move", "in 1 move", "in 2 moves", "in 1,000 moves"]
    assert [in_moves(plies, "full") for plies in (1, 2, 1000)] == ["in 1 ply", "in 2 plies", "in 1,000 plies"]
    assert [in_moves(plies, "decided") for plies in (1, 2)] == ["(decided in 1 ply)", "(decided in 2 plies)"]
    assert [in_moves(plies, at_most=True) for plies in (1, 3, 1999)] == [
        *("in at most 1 move", "in at most 2 moves", "in at most 1,000 moves"),
    ]
    plain, misere = Board.parse("3x3"), Board.parse("3x3+misere")
    assert counted(plain) == "the moves of the side that wins"
    assert counted(misere) == "the moves of the side that has to complete a line, and so loses"
    assert counted(misere, "full") == counted(plain, "full") == "plies until the board is full"
    assert counted(misere, "decided") == counted(plain, "decided") == "plies until the outcome is decided"


def test_how_the_last_moves_and_the_ends_are_summed_up() -> None:
    assert openings("1x3:1").summary == "2 first moves up to symmetry, each of which ends the game"
    assert openings("1x1").summary == "1 first move: the last"
    assert openings("1x2:1").summary == "1 first move: the last"
    assert openings("1x3:1").advice == (
        "With best play X wins in 1 move; any first move keeps the win.",
        "After a1, the game is over.",
        "After b1, the game is over.",
    )
    assert openings("1x2:1").advice == ("With best play X wins in 1 move.", "After a1, the game is over.")
