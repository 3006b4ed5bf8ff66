"""Groups: axioms, orders, orbits and canonical forms; isometries and automorphisms against trying everything."""

from __future__ import annotations

import pickle
import time
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.rules.board import Board, SymmetryName
from noughts.rules.errors import BudgetError, InvalidType
from noughts.rules.marks import cells_of
from noughts.rules.symmetry import (
    ELEMENT_LIMIT,
    Group,
    Permutation,
    automorphism_group,
    compose,
    identity,
    inverse,
    is_identity,
    isometries,
    isometry_generators,
    isometry_order,
    next_turn,
)
from tests import naive
from tests.boards import HYPERGRAPHS, SMALL, small

SPECS = ["3x3", "3x4:3", "1x5:3", "2x2x2:2", "2x3+torus", "3x3+torus", "4x4:4", "2x3x2:2"]


def closure(degree: int, generators: tuple[Permutation, ...]) -> set[Permutation]:
    found = {tuple(range(degree))}
    waiting = list(found)
    while waiting:
        element = waiting.pop()
        for generator in generators:
            product_ = tuple(generator[image] for image in element)
            if product_ not in found:
                found.add(product_)
                waiting.append(product_)
    return found


def image(mask: int, p: Permutation) -> int:
    return sum(1 << p[cell] for cell in cells_of(mask))


@pytest.mark.parametrize("torus", [False, True])
def test_isometries_are_those_of_the_oracle(torus: bool) -> None:
    for shape in product(range(1, 5), range(1, 5), range(1, 4)):
        if shape[0] * shape[1] * shape[2] > 24 and torus:
            continue
        listed = isometries(shape, torus)
        assert listed == naive.isometries(*shape, torus), shape
        assert isometry_order(shape, torus) == len(listed), shape


@pytest.mark.parametrize("name", SMALL)
def test_isometries_keep_the_lines(name: str) -> None:
    on = small(name)
    assert set(on.isometries) <= set(naive.automorphisms(on.game))
    assert set(on.board.group().elements) == set(on.isometries)


@pytest.mark.parametrize("symmetry", ["board", "lines"])
@pytest.mark.parametrize("spec", SPECS)
def test_group_axioms(spec: str, symmetry: SymmetryName) -> None:
    board = Board.parse(spec)
    group = board.group(symmetry)
    if group.order > ELEMENT_LIMIT:
        with pytest.raises(BudgetError):
            _ = group.elements
        return
    elements = set(group.elements)
    assert len(elements) == len(group.elements) == group.order
    assert group.elements[0] == identity(board.cells)
    assert all(inverse(p) in elements for p in elements)
    few = list(group.elements)[:: max(1, group.order // 40)]
    assert all(compose(p, q) in elements for p in few for q in few)
    assert all(is_identity(compose(p, inverse(p))) for p in few)
    assert closure(board.cells, group.generators) == elements
    assert len(group.generators) <= 12


@pytest.mark.parametrize(
    ("spec", "board_order", "lines_order"),
    [
        ("3x3", 8, 8),
        ("3x4:3", 4, 4),
        ("4x3:3", 4, 4),
        ("4x4:4", 8, 32),
        ("4x4:3", 8, 8),
        ("5x5:5", 8, 32),
        ("5x5:4", 8, 8),
        ("6x6:6", 8, 192),
        ("3x3x3", 48, 48),
        ("4x4x4", 48, 192),
        ("3x3+torus", 72, 432),
        ("3x3+misere", 8, 8),
        ("2x2:2", 8, 24),
        ("5x5:6", 8, factorial(25)),
        ("8x8:9", 8, factorial(64)),
        ("1x6:6", 2, 720),
        ("2x6:6", 4, 720 * 720 * 2),
    ],
)
def test_known_orders_within_a_second(spec: str, board_order: int, lines_order: int) -> None:
    board = Board.parse(spec)
    assert board.group("board").order == board_order
    started = time.process_time()
    assert board.group("lines").order == lines_order
    assert time.process_time() - started < 5, "meant to take less than one second; five leave room for a busy machine"


def test_four_by_four_torus_has_128_isometries() -> None:
    assert Board.parse("4x4+torus").group().order == 128


hypergraphs = st.integers(1, 6).flatmap(
    lambda cells: st.tuples(
        st.just(cells), st.sets(st.frozensets(st.integers(0, cells - 1), min_size=1, max_size=cells), max_size=7)
    )
)


@settings(max_examples=150, deadline=None)
@given(hypergraphs)
def test_automorphisms_of_random_hypergraphs_are_those_found_by_trying_all(
    given_: tuple[int, set[frozenset[int]]],
) -> None:
    cells, lines = given_
    by_trying = {
        p for p in permutations(range(cells)) if {frozenset(p[cell] for cell in line) for line in lines} == lines
    }
    group = automorphism_group(cells, [tuple(sorted(line)) for line in lines])
    assert group.order == len(by_trying)
    assert set(group.elements) == by_trying


@pytest.mark.parametrize("name", HYPERGRAPHS)
def test_automorphisms_of_named_hypergraphs(name: str) -> None:
    on = small(name)
    assert set(on.board.group("lines").elements) == set(naive.automorphisms(on.game))


pairs = st.tuples(st.integers(0, 511), st.integers(0, 511)).map(lambda pair: (pair[0], pair[1] & ~pair[0]))


@settings(deadline=None)
@given(pair=pairs, spec=st.sampled_from(["3x3", "3x3+torus", "1x9:3"]), symmetry=st.sampled_from(["board", "lines"]))
def test_orbits_stabilisers_and_canonical_forms(pair: tuple[int, int], spec: str, symmetry: SymmetryName) -> None:
    group = Board.parse(spec).group(symmetry)
    x, o = pair
    by_trying = {(image(x, p), image(o, p)) for p in group.elements}
    assert group.orbit(x, o) == tuple(sorted(by_trying))
    stabiliser = group.stabiliser(x, o)
    assert stabiliser.order * len(by_trying) == group.order
    assert set(stabiliser.elements) == {p for p in group.elements if (image(x, p), image(o, p)) == (x, o)}
    assert group.canonical(x, o) == min(by_trying)
    assert all(group.canonical(*other) == min(by_trying) for other in by_trying)
    canonical_x, canonical_o, p = group.to_canonical(x, o)
    assert p == next(p for p in group.elements if (image(x, p), image(o, p)) == min(by_trying)), "the first"
    assert [f(x) for f in group.images] == [image(x, p) for p in group.elements]
    assert [bits[-1] for bits in group.cell_images] == [1 << cell for cell in group.elements[-1]]
    assert (image(x, p), image(o, p)) == (canonical_x, canonical_o) == min(by_trying)
    pointwise = group.pointwise_stabiliser(x | o)
    assert set(pointwise.elements) == {p for p in group.elements if all(p[cell] == cell for cell in cells_of(x | o))}


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2:3", "1x8:3", "3x3+torus"])
def test_burnside_counts_the_orbits_that_listing_finds(spec: str) -> None:
    board = Board.parse(spec)
    group = board.group()
    if board.cells <= 9:
        fillings = ["".join(marks) for marks in product(".XO", repeat=board.cells)]
        masks = [tuple(sum(1 << i for i, m in enumerate(f) if m == mark) for mark in "XO") for f in fillings]
        listed = {group.canonical(x, o) for x, o in masks}
    else:
        listed = {group.canonical(x, 0) for x in range(2**board.cells)}
    colours = 3 if board.cells <= 9 else 2
    fixed = [colours ** len({min(cycle(p, cell)) for cell in range(board.cells)}) for p in group.elements]
    assert sum(fixed) == group.order * len(listed)


def cycle(p: Permutation, cell: int) -> set[int]:
    found = {cell}
    while p[cell] not in found:
        cell = p[cell]
        found.add(cell)
    return found


def test_large_groups_have_an_order_and_generators_but_no_list() -> None:
    group = Board.parse("4x4:5").group("lines")
    assert group.order == factorial(16)
    assert all(sorted(p) == list(range(16)) for p in group.generators)
    with pytest.raises(BudgetError, match="20,922,789,888,000 elements") as caught:
        group.canonical(1, 2)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("shape", [(3, 3, 1), (1, 6, 1), (1, 1, 1), (2, 2, 2), (2, 3, 3), (1, 3, 3), (2, 4, 1)])
@pytest.mark.parametrize("torus", [False, True])
def test_a_few_isometries_generate_them_all(shape: tuple[int, int, int], torus: bool) -> None:
    cells = shape[0] * shape[1] * shape[2]
    assert closure(cells, isometry_generators(shape, torus)) == set(isometries(shape, torus))


def test_a_group_too_large_to_list_still_has_generators() -> None:
    group = Board.parse("12x12x12+torus").group()
    assert group.order == 12**3 * 48
    assert len(group.generators) == 9
    with pytest.raises(BudgetError):
        _ = group.elements


def test_only_what_moves_nothing_is_the_identity() -> None:
    assert [p for p in permutations(range(3)) if is_identity(p)] == [(0, 1, 2)] == [identity(3)]
    assert all(inverse(p)[p[cell]] == cell for p in permutations(range(4)) for cell in range(4))
    assert compose((1, 2, 0), (0, 2, 1)) == (2, 1, 0)


def test_sets_are_mapped_alike_with_tables_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one table, of two and of more, and cell by cell where the tables would be too large."""
    for degree in (1, 8, 9, 10, 18, 19, 30):
        turned = (*range(1, degree), 0)
        sets = [0, 1, (1 << degree) - 1, 0x2AAAAAAA & (1 << degree) - 1, 0x13579BDF & (1 << degree) - 1]
        expected = [image(each, turned) for each in sets]
        for tables in (False, True):
            monkeypatch.setattr("noughts.rules.symmetry._LOOKED_UP", degree * degree - 1 + tables)
            group = Group(degree, [turned])
            mapped = group.images[group.elements.index(turned)]
            assert ("by_cell" not in mapped.__qualname__) == tables
            assert [mapped(each) for each in sets] == expected


def test_generators_are_permutations_of_the_cells():
    make: Any = Group
    assert make(3, [[2, 1, 0]]) == Group(3, [(2, 1, 0)])
    for wrong in (3, [3], [(1, 0)], [(0, 0, 1)], ["abc"], [(1, 2, 3)]):
        with pytest.raises(InvalidType, match="permutations of the cells 0 to 2"):
            make(3, wrong)
    with pytest.raises(InvalidType, match="the degree of a group cannot be a str"):
        make("3", [])


# A board turned step by step: through all its images and back, positions and games alike.

Parts = list[list[int]]


def images(group: Group, parts: Parts) -> set[tuple[tuple[int, ...], ...]]:
    return {tuple(tuple(sorted(g[cell] for cell in part)) for part in parts) for g in group.elements}


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("3x3", [[0, 5], [7]]),
        ("3x3", [[0], [5], [7]]),
        ("3x3", [[1], [4]]),
        ("2x3", [[1], []]),
        ("3x3+torus", [[0, 1], [5]]),
        ("2x2x2", [[0, 3], [5]]),
    ],
)
def test_turning_goes_through_all_images_in_one_order_and_back(spec: str, parts: Parts) -> None:
    group = Board.parse(spec).group()
    wanted = images(group, parts)
    here = tuple(tuple(sorted(part)) for part in parts)
    trail = [here]
    while len(trail) <= len(wanted):
        turn = next_turn(group, trail[-1])
        assert turn in group.elements
        here = tuple(tuple(sorted(turn[cell] for cell in part)) for part in here)
        trail.append(here)
    assert trail[-1] == trail[0]
    assert set(trail) == wanted
    first = trail.index(min(wanted))
    assert trail[first + 1] == next(  # from the least on, in the order of the symmetries that lead there
        image
        for g in group.elements
        if (image := tuple(tuple(sorted(g[cell] for cell in part)) for part in trail[first])) != trail[first]
    )


def test_a_turn_moves_what_it_turns() -> None:
    turn = next_turn(Board.parse("3x3").group(), [[0], []])
    assert turn is not None
    assert not is_identity(turn)


@pytest.mark.parametrize("spec", ["1x3:2+notakto*2", "1x2:2+notakto*3", "2x2:2+notakto*2"])
def test_the_least_image_of_several_boards_is_that_among_all_elements(spec: str) -> None:
    """Every set of cells, and each with a second set, against the list of all elements; also after a copy."""
    group = Board.parse(spec).group()
    listed = Group(group.degree, group.generators)
    assert (listed.order, listed.elements) == (group.order, group.elements)
    copy = pickle.loads(pickle.dumps(group))
    assert copy == group
    for x in range(1 << group.degree):
        o = ~x & 0b101101 & (1 << group.degree) - 1
        assert group.canonical(x, o) == listed.canonical(x, o) == copy.canonical(x, o)
