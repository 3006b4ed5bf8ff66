"""The kernels of the engine `transfer`, and whole sweeps by them small enough to run uncompiled with checked bounds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from noughts.counting.api import ask
from noughts.kernels.frontier.transfer import (
    expand,
    push,
    push_modulo,
    reenter,
    shared_cells,
    still_alive,
    still_relevant,
)
from tests.counting.comparing import counted

ALL = (1 << 64) - 1


def masks(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.uint64)


def test_lines_that_are_complete_share_their_cores() -> None:
    ends, cores = masks(0b0111, 0b1101, 1 << 63), masks(0b0011, 0b1001, 1 << 63)
    for marks, shared in ((0b0110, ALL), (0b0111, 0b0011), (0b1111, 0b0001), (1 << 63 | 0b111, 0)):
        found = shared_cells(np.uint64(marks), ends, cores)
        assert int(found) == shared
        assert isinstance(found, (int, np.uint64))


def test_marks_on_dead_lines_are_forgotten() -> None:
    parts = masks(0b0011, 0b0110, 1 << 63)
    for marks, kept in ((0b0011, 0b0011), (0b0101, 0), (0b0111, 0b0111), (1 << 63 | 0b1010, 1 << 63)):
        assert int(still_alive(np.uint64(marks), parts)) == kept
    assert int(still_alive(np.uint64(7), masks())) == 0


def alike(x: int, common: int, parts: list[int], cores: list[int]) -> set[tuple[int, ...]]:
    """Return the sets of lines under way that may be completed by later marks, as far as marks and cells tell."""
    alive = [j for j, part in enumerate(parts) if not part & ~x]
    allowed = set()
    for chosen in range(1 << len(alive)):
        several = [j for i, j in enumerate(alive) if chosen >> i & 1]
        shared = common
        for j in several:
            shared &= cores[j]
        if shared or not several:
            allowed.add(tuple(several))
    return allowed


def test_what_is_forgotten_of_a_won_position_never_mattered() -> None:
    """By trial: each set of lines may be completed afterwards iff it might before, lines not watched left aside."""
    rng = random.Random(7)
    forgotten = 0
    for _ in range(300):
        lines = [rng.getrandbits(8) | 1 << rng.randrange(8) for _ in range(rng.randrange(6))]
        parts = [line & 0b11111 or 1 for line in lines]
        cores = [part & rng.getrandbits(8) for part in parts]
        x, common = rng.getrandbits(5), rng.getrandbits(5)
        out = masks(0, 0)
        still_relevant(np.uint64(x), np.uint64(common), masks(*parts), masks(*cores), out)
        kept, near = int(out[0]), int(out[1])
        assert kept & ~x == 0
        assert near & ~common == 0
        forgotten += kept != x
        before, after = alike(x, common, parts, cores), alike(kept, near, parts, cores)
        watched = [j for j, part in enumerate(parts) if not part & ~kept]
        assert after == {several for several in before if all(j in watched for j in several)}
        for several in before:
            # a line that is no longer watched must be free to complete, with whatever else may be
            assert tuple(j for j in several if j in watched) in after
        for several in after:
            free = [j for j, part in enumerate(parts) if not part & ~x and j not in watched]
            assert tuple(sorted([*several, *free])) in before
    assert forgotten > 50


def test_states_are_found_once_and_edges_lead_to_them() -> None:
    """Two cells, one line of both: the first leaves 3 states; at the second two marks of a kind are refused."""
    nothing = masks()
    table, found = np.full(32, -1, np.int32), np.zeros((9, 3), np.uint64)
    edges, key = np.empty((3, 1), np.int32), masks(0, 0, 0)
    start = np.array([[0, 0, ALL]], np.uint64)
    with np.errstate(over="ignore"):
        lines = (nothing, nothing, nothing, masks(1), masks(0), masks(1))
        assert expand(start, 0, 1, np.uint64(1), *lines, table, found, 0, edges, key) == 3
        assert edges.tolist() == [[0], [1], [2]]
        assert found[:3].tolist() == [[0, 0, ALL], [1, 0, ALL], [0, 1, ALL]]
        again, other = np.zeros((9, 3), np.uint64), np.full(32, -1, np.int32)
        reenter(other, found, 3, again)
        assert (again[:3] == found[:3]).all()
        after, last = np.empty((3, 3), np.int32), np.zeros((9, 3), np.uint64)
        for core, states, reached in ((0, 1, [[0, 0, 0], [0, -1, 0], [0, 0, -1]]), (3, 2, None)):
            table[:] = -1
            lines = (masks(3), masks(core), masks(3), nothing, nothing, nothing)
            assert expand(found, 0, 3, np.uint64(2), *lines, table, last, 0, after, key) == states
            assert reached is None or after.tolist() == reached
        assert after.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, -1]]
        assert last[1].tolist() == [0, 0, 0]


@pytest.mark.parametrize("words", [(np.uint32, np.uint32), (np.uint32, np.uint64), (np.uint64, np.uint64)])
def test_values_are_added_where_edges_lead(words: tuple[type, type]) -> None:
    source: npt.NDArray[Any] = np.array([[1, 2, 3], [10, 20, 30], [100, 200, 300]], words[0])
    edges = np.array([1, -1, 1], np.int32)
    target: npt.NDArray[Any] = np.ones((2, 4), words[1])
    push(target, source, edges, 1, 2, 2)
    assert target.tolist() == [[1, 1, 1, 1], [1, 1, 203, 304]]
    target = np.ones((2, 4), words[1])
    push_modulo(target, source, edges, 1, 2, 2, np.uint64(303))
    assert target.tolist() == [[1, 1, 1, 1], [1, 1, 203, 1]]
    top = np.full((1, 1), (1 << 63) - 26, np.uint64)
    twice = top.copy()
    push_modulo(twice, top, np.zeros(1, np.int32), 0, 0, 1, np.uint64((1 << 63) - 25))
    assert int(twice[0, 0]) == (1 << 63) - 27
    one = np.ones((1, 1), np.uint64)
    push_modulo(one, top, np.zeros(1, np.int32), 0, 0, 1, np.uint64((1 << 63) - 25))
    assert int(one[0, 0]) == 0, "the modulus itself is nothing"


@pytest.mark.parametrize("spec", ["2x3:2", "1x5:4", "2x2:2", "3x3:3", "1x7:3+torus"])
def test_sweeps_within_bounds(spec: str) -> None:
    question = ask(spec, same="symmetry")
    assert counted("transfer", question).plies == counted("plain", question).plies
