"""The engine that counts by the marks that still matter: its patterns, numbers and states, against trying."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.counting.patterns import Pattern, PatternLine
from noughts.counting.sweeps import Found
from noughts.counting.transfer.engine import CELL_LIMIT, order_of
from noughts.counting.transfer.marks import PRIME, band_of, largest_counts, moduli_of
from noughts.counting.transfer.sweep import build, number_behind, swept
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import SERIAL
from noughts.rules.board import Board
from tests.counting.comparing import pattern_of


def decisively_won(fillings: tuple[int, ...], pattern: Pattern) -> int | None:
    """Return 0 for a filling (0 blank, 1 or 2) without a line, 1 where the first player won, else None."""
    taken = [sum(1 << i for i, mark in enumerate(fillings) if mark == player) for player in (1, 2)]
    if any(line.trigger & ~taken[1] == 0 for line in pattern.second):
        return None
    cores = [line.core for line in pattern.first if line.trigger & ~taken[0] == 0]
    shared = -1
    for core in cores:
        shared &= core
    return (1 if cores else 0) if shared else None


def tried(pattern: Pattern, to_ply: int) -> Found:
    """Return what a sweep finds, by trying all fillings."""
    found = Found({}, {})
    for p in range(to_ply + 1):
        for q in range(max(0, p - 1), min(p + 1, to_ply - p) + 1):
            found.open[p, q] = found.won[p, q] = 0
    for filling in product(range(3), repeat=pattern.size):
        p, q = (sum(w for w, mark in zip(pattern.weights, filling, strict=True) if mark == player) for player in (1, 2))
        kind = decisively_won(filling, pattern)
        if kind is not None and (p, q) in found.open:
            found[kind][p, q] += 1
    return found


PATTERNS = st.integers(1, 6).flatmap(
    lambda size: st.builds(
        lambda weights, first, second: Pattern(
            tuple((1 << weight) - 1 << 3 * cell for cell, weight in enumerate(weights)),
            tuple(PatternLine(trigger, trigger & core) for trigger, core in sorted(first)),
            tuple(PatternLine(trigger, trigger) for trigger in sorted(second)),
        ),
        st.lists(st.integers(1, 3), min_size=size, max_size=size),
        st.frozensets(st.tuples(st.integers(1, (1 << size) - 1), st.integers(0, (1 << size) - 1)), max_size=8),
        st.frozensets(st.integers(1, (1 << size) - 1), max_size=4),
    )
)


@given(PATTERNS, st.randoms(use_true_random=False), st.integers(0, 12))
@settings(max_examples=120, deadline=None)
def test_any_pattern_in_any_order_counts_as_tried(pattern: Pattern, random: Random, to_ply: int) -> None:
    """Weights, cores smaller than their lines, lines of one player only, and any order of the cells."""
    order = list(range(pattern.size))
    random.shuffle(order)
    graph = build(pattern, order, True)
    assert graph is not None
    to_ply = min(to_ply, pattern.total)
    assert swept(graph, to_ply, SERIAL, Checkpoints(None), "", lambda cells, states: None) == tried(pattern, to_ply)
    games = build(pattern, order, False)
    assert games is not None
    assert (
        swept(games, to_ply, SERIAL, Checkpoints(None), "", lambda cells, states: None).open
        == tried(pattern, to_ply).open
    )


def test_moduli_tell_apart_all_counts() -> None:
    assert all(pow(base, PRIME - 1, PRIME) == 1 for base in (2, 3, 5, 7, 11))
    assert PRIME.bit_length() == 63
    assert 3**CELL_LIMIT < PRIME << 64
    assert largest_counts((1,) * 6)[-1] == 90
    assert largest_counts((2, 1)) == (1, 1, 1)
    assert [len(moduli_of((1,) * cells)) for cells in (44, 45)] == [1, 2]
    assert len(moduli_of((1,) * 64)) == 2
    for number in (0, 1, 2**64 - 1, 2**64, 3**64):
        moduli = (1 << 64, PRIME)
        assert number_behind([number % m for m in moduli], moduli) == number


def test_bands_hold_what_can_still_be_balanced() -> None:
    weights = (1, 2, 1, 3)
    for step, to_ply in product(range(5), (2, 4, 7)):
        left, visited = sum(weights[step:]), sum(weights[:step])
        spans = band_of(weights, step, to_ply)
        pairs = {(p, q) for p, (begin, end) in enumerate(spans) for q in range(begin, end)}
        assert pairs == {
            (p, q)
            for p, q in product(range(visited + 1), repeat=2)
            if p + q <= min(visited, to_ply) and abs(p - q) <= left + 1
        }


@pytest.mark.parametrize("specs", [("2x4x4:3", "4x2x4:3", "4x4x2:3"), ("3x7:3", "7x3:3"), ("2x7:3", "7x2:3")])
def test_a_board_turned_is_visited_in_the_same_good_order(specs: tuple[str, ...]) -> None:
    widest = set()
    for spec in specs:
        board = Board.parse(spec)
        pattern = pattern_of(spec)
        order = order_of(pattern, board.shape)
        assert sorted(order) == list(range(board.cells))
        graph = build(pattern, order, True)
        assert graph is not None
        widest.add(max(graph.states))
    assert len(widest) == 1
    assert max(widest) < 6000
