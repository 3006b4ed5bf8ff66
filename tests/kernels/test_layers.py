"""The kernels together: whole censuses against the oracle and against the definition, compiled or not."""

from __future__ import annotations

import random
import sys
from dataclasses import asdict
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from noughts.counting.layered.walk import compiled_rows
from noughts.counting.question import SAMENESSES, SYMMETRIES, Question
from noughts.kernels.layers import advance
from noughts.kernels.layers.advance import (
    NO_CHILDREN,
    children_of,
    count_digits,
    expand_slice,
    limbs_for,
    make_child_table,
    merge_rows,
    prefix_start,
    scatter,
    sort_rows,
    start_layer,
    take_groups,
)
from noughts.kernels.layers.tables import (
    ANY,
    FULL,
    LEAD_TABLE_CELLS,
    LIMB_BITS,
    LINE,
    PERFECT,
    UNSET,
    WIN,
    Children,
    Groups,
    RuleTerms,
    add_number,
    cell_count,
    element_to_least,
    enter_child,
    find_row,
    image,
    inverse_elements,
    least_image,
    make_geometry,
    next_set,
    prepare_leads,
    stabiliser,
)
from noughts.machine.workers import workers_for
from noughts.rules.board import Board
from noughts.rules.play import END_RULES
from noughts.rules.position import Position
from noughts.rules.symmetry import ELEMENT_LIMIT, inverse
from tests import naive
from tests.boards import SMALL, small
from tests.counting.comparing import counted
from tests.dear import dear


@pytest.mark.parametrize("name", dear(SMALL, "fano"))
def test_rows_are_those_of_the_oracle(name: str) -> None:
    on = small(name)
    rules = on.board.rules.move_rules
    rng = random.Random(name)
    for end, same in product(END_RULES, SAMENESSES):
        x_moves, o_moves, symmetry = rng.choice(rules), rng.choice(rules), rng.choice(SYMMETRIES)
        expected = naive.census(on.game, same, x_moves, o_moves, end, on.group(symmetry), None, None)
        question = Question(on.board, same, x_moves, o_moves, end, symmetry)
        assert [asdict(row) for row in compiled_rows(question)] == expected, question


def random_question(board: Board, rng: random.Random) -> Question:
    rules = board.rules.move_rules
    start = Position(board)
    for _ in range(rng.randrange(board.cells)):
        if not start.is_terminal:
            start = start.play(rng.choice([cell for cell in range(board.cells) if start.blanks >> cell & 1]))
    return Question(
        board,
        rng.choice(SAMENESSES),
        rng.choice(rules),
        rng.choice(rules),
        rng.choice(END_RULES),
        rng.choice(SYMMETRIES),
        rng.choice((None, start)),
        rng.choice((None, None, max(start.ply, rng.randrange(board.cells)))),
    )


TRIANGLE = Board.from_lines(6, [(0, 1, 2), (2, 3, 4), (4, 5, 0)], symmetries=[(2, 3, 4, 5, 0, 1)])
WIDER = ["3x3", "3x3:2", "3x3:4", "2x4:3", "4x2:3", "2x2x2", "3x3+torus", "2x4:3+misere", "1x9:3", "2x4+torus"]


@pytest.mark.parametrize("name", dear([*WIDER, "triangle"], "1x9:3", "3x3+torus", "3x3:4"))
def test_rows_are_those_of_the_definition(name: str) -> None:
    """Any rules, any start, any last ply; weights of one word and of many, one thread and two."""
    board = TRIANGLE if name == "triangle" else Board.parse(name)
    rng = random.Random(name)
    asked = [random_question(board, rng) for _ in range(12)]
    for question in asked:
        if question.group.order > ELEMENT_LIMIT:
            continue
        limb_bits, threads = rng.choice((63, 5, 2)), rng.choice((1, 2))
        rows = compiled_rows(question, limb_bits=limb_bits, workers=workers_for(threads))
        assert rows == counted("plain", question).plies, (question, limb_bits, threads)


# What stands around the expansion of a layer: its arrays, their sizes and their order, against plain Python.


def layer_of(groups: list[tuple[int, list[int]]], words: int = 1) -> Groups:
    """A layer of leads with their others; weights are numbered from 1, so that each word is known."""
    others = [other for _, some in groups for other in some]
    offsets = [0, *np.cumsum([len(some) for _, some in groups]).tolist()]
    return Groups(
        np.array([lead for lead, _ in groups], np.uint64),
        np.array(offsets, np.int64),
        np.array(others, np.uint64),
        np.arange(1, 1 + words * len(others), dtype=np.uint64),
    )


def listed(layer: Groups | Children) -> list[list[int] | list[list[int]]]:
    return [array.tolist() for array in layer]


LAYER = [(0b011, [0b100, 0b1000]), (0b101, [0b10]), (0b110, [1, 8, 16])]


@pytest.mark.parametrize("words", [1, 3])
def test_groups_are_taken_with_their_classes_and_weights(words: int) -> None:
    whole = layer_of(LAYER, words)
    assert listed(take_groups(whole, 0, 3)) == listed(whole)
    for begin, end in combinations(range(4), 2):
        taken = take_groups(whole, begin, end)
        first = sum(len(some) for _, some in LAYER[:begin])
        wanted = layer_of(LAYER[begin:end], words)
        assert listed(taken)[:3] == listed(wanted)[:3]
        assert taken.weights.tolist() == [first * words + weight for weight in wanted.weights.tolist()]


def test_children_are_those_of_the_groups_taken() -> None:
    """Some groups have no unfinished child: they are left out of what is known."""
    known = Children(
        np.array([0b011, 0b110, 0b1001], np.uint64),
        np.array([0, 2, 3, 5], np.int64),
        np.array([10, 11, 12, 13, 14], np.uint64),
        np.array([20, 21, 22, 23, 24], np.uint16),
    )
    whole = layer_of(LAYER)
    assert listed(children_of(take_groups(whole, 0, 2), known)) == [[0b011], [0, 2], [10, 11], [20, 21]]
    assert listed(children_of(take_groups(whole, 2, 3), known)) == [[0b110], [0, 1], [12], [22]]
    assert listed(children_of(take_groups(whole, 1, 2), known)) == [[], [0], [], []]
    assert listed(children_of(whole, NO_CHILDREN)) == [[], [0], [], []]


def test_words_hold_every_number_up_to_the_total() -> None:
    for bits in (1, 2, 5, 63):
        for total in (0, 1, 2, 3, 31, 32, 2**63 - 1, 2**63, 2**126 - 1, 2**126):
            words = limbs_for(total, bits)
            assert total < 1 << bits * words
            assert words == 1 or total >= 1 << bits * (words - 1)


@pytest.mark.parametrize("columns", [1, 2, 5, 6, 13])
def test_a_child_table_is_at_most_half_full_and_never_much_larger(columns: int) -> None:
    for children in (0, 1, 8, 9, 16, 17, 100):
        scratch = make_child_table(children, columns, 12)
        row = 1 << int(scratch.shift)
        assert row >= 3 + columns > row // 2, "a key, a stamp and a state besides the weight"
        capacity = scratch.order.size
        assert scratch.table.size == capacity * row
        assert capacity == max(16, 1 << (2 * children - 1).bit_length())
        assert capacity >= 2 * children
        assert (scratch.stabiliser.size, scratch.clock.tolist()) == (12, [0])
        assert not scratch.table.any()


def test_keys_go_to_the_places_that_two_odd_factors_give_them() -> None:
    """The halves of a key times a prime near 2**32 over the golden ratio and times another, folded by 29 bits."""
    table, rng = np.zeros(1 << 12, np.uint64), random.Random(6)
    golden, prime = 2654435761, 2246822519
    assert abs(golden - 2**32 / ((1 + 5**0.5) / 2)) < 9
    for key in [0, 1, 1 << 31, 1 << 32, (1 << 64) - 1, *(rng.getrandbits(64) for _ in range(50))]:
        mixed = (key & 0xFFFFFFFF) * golden ^ (key >> 32) * prime
        place = (mixed ^ mixed >> 29) % (1 << 9)
        assert int(find_row(table, np.uint64(3), np.uint64(key), np.uint64(1))) == 8 * place


def test_a_row_that_is_taken_is_passed_over_and_the_last_is_followed_by_the_first() -> None:
    table, shift, first = np.zeros(16 << 2, np.uint64), np.uint64(2), np.uint64(9)
    keys = [key for key in range(400) if int(find_row(table, shift, np.uint64(key), first)) == 15 << 2][:3]
    for key, place in zip(keys, (15, 0, 1), strict=True):
        row = int(find_row(table, shift, np.uint64(key), first))
        assert row == place << 2
        table[row], table[row + 1] = key, first
    table[1 + (0 << 2)] = 8  # an older stamp: the row is empty again
    assert int(find_row(table, shift, np.uint64(keys[2]), first)) == 0


@pytest.mark.parametrize(("low", "high"), [(0, 5), (0, 12), (0, 13), (7, 30), (3, 40), (0, 64), (9, 9)])
@pytest.mark.parametrize("columns", [1, 3])
def test_rows_are_sorted_by_the_bits_asked_for_and_else_left_as_they_were(low: int, high: int, columns: int) -> None:
    rng = np.random.default_rng(7)
    leads = rng.integers(0, 1 << high, 300, dtype=np.uint64) if high < 64 else rng.integers(0, 1 << 64, 300, np.uint64)
    others, weights = np.arange(300, dtype=np.uint64), np.arange(300 * columns, dtype=np.uint64)
    given = [array.copy() for array in (leads, others, weights)]
    found = sort_rows((leads, others, weights), columns, low, high)
    keys = [int(lead) >> low & (1 << high - low) - 1 for lead in leads]
    order = sorted(range(300), key=lambda i: keys[i])
    assert found[0].tolist() == [int(leads[i]) for i in order]
    assert found[1].tolist() == order
    assert found[2].reshape(300, columns).tolist() == weights.reshape(300, columns)[order].tolist()
    assert all((one == other).all() for one, other in zip(given, (leads, others, weights), strict=True))


@pytest.mark.parametrize("columns", [1, 2])
def test_rows_of_slices_become_one_layer(columns: int) -> None:
    rng = np.random.default_rng(8)
    slices = []
    for number, size in enumerate((40, 1, 25)):
        leads = rng.choice(np.array([3, 5, 6, 1 << 20, 1 << 40, 1 << 63], np.uint64), size)
        others = np.arange(100 * number, 100 * number + size, dtype=np.uint64)
        slices.append((leads, others, np.repeat(others, columns)))
    rows = [(int(lead), int(other)) for leads, others, _ in slices for lead, other in zip(leads, others, strict=True)]
    rows.sort(key=lambda row: row[0])
    layer = merge_rows(columns, slices)
    assert layer.others.tolist() == [other for _, other in rows]
    assert layer.weights.tolist() == [other for _, other in rows for _ in range(columns)]
    assert layer.leads.tolist() == sorted({lead for lead, _ in rows})
    assert layer.offsets.dtype == np.int64
    for lead, begin, end in zip(layer.leads.tolist(), layer.offsets[:-1], layer.offsets[1:], strict=True):
        assert [one for one, _ in rows[begin:end]] == [lead] * (end - begin)
    assert layer.offsets[-1] == len(rows)


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "1x8:3", "2x2x2", "3x3+torus", "8x8:8", "1x1:1"])
def test_a_geometry_takes_no_more_room_than_it_says(spec: str) -> None:
    board = Board.parse(spec)
    group = board.group()
    geometry = make_geometry(board.cells, board.line_masks, group.elements)
    assert geometry.images.shape == (group.order, (board.cells + 7) // 8, 256)
    assert int(geometry.full) == board.full
    assert cell_count(geometry) == board.cells
    assert geometry.lines.tolist() == list(board.line_masks)
    fixed = [sum(1 << cell for cell, image in enumerate(g) if cell == image) for g in group.elements]
    assert geometry.fixed.tolist() == fixed
    assert geometry.lead_table.size == (1 << board.cells if group.order > 1 and board.cells < 27 else 0)
    assert LEAD_TABLE_CELLS == 26
    assert (geometry.lead_table == UNSET).all()
    prepare_leads(geometry, 1)
    if geometry.lead_table.size:
        assert (geometry.lead_table != UNSET).sum() == board.cells
    trivial = make_geometry(board.cells, board.line_masks, group.elements[:1])
    assert trivial.lead_table.size == 0


def terms(cells: int = 6, **given: object) -> RuleTerms:
    parts = {"x_rule": ANY, "o_rule": WIN, "end": LINE, "lined": (2, 0), "distinct": False, "start_x": 1, "start_o": 4}
    return RuleTerms(cells, **{**parts, **given})  # type: ignore[arg-type]


def test_the_terms_of_each_move() -> None:
    asked = terms(limb_bits=7)
    assert (asked.start_ply, asked.any_values) == (2, False)
    assert (asked.sides(0), asked.sides(1), asked.sides(2)) == ((4, 1), (1, 4), (4, 1))
    for ply in range(6):
        for emit in (False, True):
            play = asked.play(ply, 3, emit=emit)
            by_x = ply % 2 == 0
            assert (play.rule, play.graph_rule) == ((ANY, ANY) if by_x else (WIN, WIN))
            assert (play.x_moves, play.lined_outcome) == ((1, 2) if by_x else (0, 0))
            assert play.final == (ply == 5)
            assert play.emit == (emit and ply < 5)
            assert (play.end, play.distinct, int(play.start)) == (LINE, 0, 5)
            assert (int(play.limbs), int(play.columns), int(play.limb_bits)) == (3, 3, 7)
        graph = asked.graph_play(ply)
        assert graph == asked.play(ply, 1, emit=True)._replace(limb_bits=np.uint64(LIMB_BITS), emit=2 * (ply < 5))
    full = terms(end=FULL, distinct=True).play(0, 3, emit=True)
    assert (int(full.columns), full.distinct) == (6, 1)
    assert terms(end=FULL).graph_play(0).columns == 1
    assert terms(end=FULL).graph_play(0).end == LINE
    ahead = terms(x_rule=PERFECT)
    assert ahead.any_values
    assert [(ahead.play(ply, 1, emit=True).rule, ahead.play(ply, 1, emit=True).graph_rule) for ply in (0, 1)] == [
        (PERFECT, ANY),
        (WIN, ANY),
    ]
    assert [ahead.graph_play(ply).rule for ply in (0, 1)] == [ANY, ANY]
    assert LIMB_BITS == terms().limb_bits == 63


@pytest.mark.parametrize("limbs", [1, 2, 4])
def test_weights_are_widened_to_the_words_of_the_play(limbs: int) -> None:
    for end in (LINE, FULL):
        columns = 2 if end == FULL else 1
        layer = layer_of(LAYER, columns)
        wider = advance._widen(layer, terms(end=end).play(2, limbs, emit=True))
        assert listed(wider)[:3] == listed(layer)[:3]
        wanted = [[word] + [0] * (limbs - 1) for word in layer.weights.tolist()]
        assert wider.weights.reshape(-1, limbs).tolist() == wanted
        assert (wider is layer) == (limbs == 1)


@pytest.mark.parametrize("emit", [0, 1, 2])
def test_a_slice_leaves_its_children_by_lead_and_as_they_were_met(emit: int) -> None:
    """From one X on 2x3:3, where O moves: the children are O's cells, each once under the symmetries that keep X."""
    board = Board.parse("2x3:3")
    group = board.group()
    geometry = make_geometry(6, board.line_masks, group.elements)
    for marked in (0b001, 0b010):
        prepare_leads(geometry, 1)
        play = terms(o_rule=ANY, start_x=0, start_o=0).play(1, 1, emit=bool(emit))._replace(emit=emit)
        counts, chunk = expand_slice((geometry, play), (start_layer(marked, 0, [3]), NO_CHILDREN))
        cells = [cell for cell in range(6) if not marked >> cell & 1]
        keeping = [g for g in group.elements if sum(1 << g[c] for c in range(6) if marked >> c & 1) == marked]
        classes = sorted({min(1 << g[cell] for g in keeping) for cell in cells})
        assert counts.classes == (0, 0, 0, len(classes))
        assert counts.paths == (0, 0, 0, 3 * len(cells))
        assert counts.boards == (0, 0, 0, len(cells) * group.order // len(keeping))
        found = [(int(lead), int(other)) for lead, other in zip(*chunk.rows[:2], strict=True)]
        turned = [min((1 << g[o.bit_length() - 1], 1 << g[marked.bit_length() - 1]) for g in group.elements)
                  for o in classes]  # fmt: skip
        assert sorted(lead for lead, _ in found) == (sorted(lead for lead, _ in turned) if emit else [])
        assert [lead >> prefix_start(6) for lead, _ in found] == sorted(lead >> prefix_start(6) for lead, _ in found)
        assert chunk.masks.tolist() == (classes if emit == 2 else [])
        assert chunk.ends.tolist() == ([len(classes)] if emit == 2 else [])
        if emit == 2:
            assert sorted(chunk.rows[2].tolist()) == list(range(len(classes)))
        elif emit:
            assert sum(chunk.rows[2].tolist()) == 3 * len(cells)


BOARDS = ["3x3", "3x4:3", "4x3:3", "2x2x2", "3x3+torus", "8x8:8", "1x9:3"]


def sets(cells: int) -> list[int]:
    rng = random.Random(2)
    return [0, (1 << cells) - 1, 1 << cells - 1, *(rng.getrandbits(cells) for _ in range(20))]


@pytest.mark.parametrize("spec", BOARDS)
def test_images_are_those_of_the_group(spec: str) -> None:
    board = Board.parse(spec)
    group = board.group()
    geometry = make_geometry(board.cells, board.line_masks, group.elements)
    assert geometry.images.dtype == np.uint64
    everything = np.arange(group.order)
    for mask in sets(board.cells):
        expected = [moved(mask) for moved in group.images]
        found = [image(geometry.images, g, np.uint64(mask)) for g in range(group.order)]
        assert [int(other) for other in found] == expected
        assert int(least_image(geometry.images, everything, group.order, np.uint64(mask))) == min(expected)
        assert expected[int(element_to_least(geometry.images, np.uint64(mask)))] == min(expected)
        kept = np.zeros(group.order, np.int64)
        count = int(stabiliser(geometry.images, np.uint64(mask), kept))
        assert list(kept[:count]) == [g for g, other in enumerate(expected) if other == mask]
    assert [group.elements[g] for g in inverse_elements(geometry)] == [inverse(e) for e in group.elements]


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2", "3x3+torus"])
def test_lead_table_leads_to_the_least_image(spec: str) -> None:
    board = Board.parse(spec)
    geometry = make_geometry(board.cells, board.line_masks, board.group().elements)
    for size in (0, 2, board.cells // 2):
        prepare_leads(geometry, size)
        of_size = [mask for mask in range(1 << board.cells) if mask.bit_count() == size]
        for mask in of_size:
            turned = image(geometry.images, int(geometry.lead_table[mask]), np.uint64(mask))
            assert int(turned) == min(moved(mask) for moved in board.group().images)
    assert (geometry.lead_table == UNSET).any()


def test_sets_of_one_size_in_order() -> None:
    mask = np.uint64(0b111)
    seen = [int(mask)]
    for _ in range(comb(9, 3) - 1):
        mask = np.uint64(next_set(mask))
        seen.append(int(mask))
    assert seen == [mask for mask in range(512) if mask.bit_count() == 3]


def test_table_finds_what_was_entered_and_forgets_by_stamp() -> None:
    rng = random.Random(3)
    columns, shift = np.uint64(4), np.uint64(3)
    table = np.zeros(64 << 3, np.uint64)
    for first in map(np.uint64, (1, 2, 5)):
        masks = [rng.getrandbits(64) for _ in range(32)]
        places = {}
        for mask in masks:
            row = int(find_row(table, shift, np.uint64(mask), first))
            assert row % 8 == 0
            assert table[row + 1] < first
            enter_child(table, np.uint64(row), np.uint64(mask), np.uint64(7), columns)
            assert table[row + 2 : row + 7].tolist() == [7, 0, 0, 0, 0]
            table[row + 1] = first
            table[row + 3 : row + 7] = first
            places[mask] = row
        assert len(set(places.values())) == 32
        assert all(int(find_row(table, shift, np.uint64(mask), first)) == row for mask, row in places.items())


def value(words: list[int], bits: int) -> int:
    return sum(word << bits * j for j, word in enumerate(words))


def test_sums_carry_from_word_to_word() -> None:
    rng = random.Random(4)
    for bits, limbs in ((63, 1), (63, 2), (63, 3), (7, 4), (1, 5)):
        target = np.zeros(limbs + 2, np.uint64)
        whole = 0
        for _ in range(20):
            number = rng.getrandbits(bits * limbs)
            source = np.array([0, *(number >> bits * j & (1 << bits) - 1 for j in range(limbs))], np.uint64)
            add_number(target, np.uint64(1), source, np.uint64(1), np.uint64(limbs), np.uint64(bits))
            whole += number
            assert value(target[1:].tolist(), bits) == whole
            assert all(word < 1 << bits for word in target[1:-1].tolist())
        assert target[0] == 0


def test_scatter_is_a_stable_sort_of_one_digit() -> None:
    rng = np.random.default_rng(5)
    keys = rng.integers(0, 1 << 63, 500, dtype=np.uint64)
    others = np.arange(500, dtype=np.uint64)
    shift, digit = np.uint64(50), np.uint64(15)
    counts = np.zeros(16, np.int64)
    count_digits(keys, shift, digit, counts)
    digits = (keys >> shift & digit).astype(np.int64)
    assert counts.tolist() == np.bincount(digits, minlength=16).tolist()
    order = np.argsort(digits, kind="stable")
    for weights in (others[:, None], np.stack([others, keys, others], axis=1)):
        moved = np.empty_like(keys), np.empty_like(others), np.empty(weights.size, np.uint64)
        places = np.cumsum(counts) - counts
        scatter(keys, others, weights.ravel(), weights.shape[1], shift, digit, places, *moved)
        assert moved[0].tolist() == keys[order].tolist()
        assert moved[1].tolist() == order.tolist()
        assert moved[2].tolist() == weights[order].ravel().tolist()


def test_kernels_keep_no_references() -> None:
    """Kernels are compiled without reference counts: what they are given is let go all the same."""
    keys, counts = np.zeros(10, np.uint64), np.zeros(16, np.int64)
    before = sys.getrefcount(keys), sys.getrefcount(counts)
    for _ in range(3):
        count_digits(keys, np.uint64(0), np.uint64(15), counts)
    assert counts[0] == 30
    assert (sys.getrefcount(keys), sys.getrefcount(counts)) == before
