"""The kernels of streaming, and whole sums by them small enough to run uncompiled with checked bounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from noughts.counting.question import Question
from noughts.counting.streamed.items import PathBlocks, TwoPlies, stream_blocks
from noughts.counting.streamed.numbers import MemoryPart, PathLayer, room_for
from noughts.counting.streamed.shapes import LayerSize, LeadSets
from noughts.domain.board import Board
from noughts.kernels.index.ranks import subsets, subsets_below
from noughts.kernels.paths.records import PathNumbers
from tests.counting.comparing import counted


def test_subsets_below_by_hand() -> None:
    for n, q in ((4, 1), (5, 3), (6, 6)):
        below = list(combinations(range(n), q - 1))
        below.sort(key=lambda cells: sum(1 << cell for cell in cells))
        for t, marks in enumerate(subsets(n, q).tolist()):
            cells = [cell for cell in range(n) if marks >> cell & 1]
            without = [tuple(cell for cell in cells if cell != gone) for gone in cells]
            assert [below[rank] for rank in subsets_below(n, q)[:, t]] == without


@pytest.mark.parametrize("spec", ["2x2:2", "2x3:2", "1x5:3", "2x3:3+misere", "1x1:1", "2x2:3"])
def test_whole_sums(spec: str) -> None:
    board = Board.parse(spec)
    rules = ["any"] if board.misere else ["any", "win", "block", "fork"]
    for same, rule in product(("choices", "labelled", "symmetry"), rules):
        question = Question(board, same, rule, rule)  # type: ignore[arg-type]
        assert counted("streamed", question).plies == counted("plain", question).plies, question


def test_rules_of_two_players() -> None:
    question = Question(Board.parse("2x4:3"), "choices", "fork", "block", to_ply=6)
    assert counted("streamed", question).plies == counted("plain", question).plies


def a_step(spec: str, marks: int, high: int, number: int) -> tuple[TwoPlies, PathBlocks]:
    """Return a step from a layer that holds the same number everywhere, in 4 and `high` bytes, and all its blocks."""
    board = Board.parse(spec)
    group = board.group("board")
    sets = LeadSets(board.cells, board.line_masks, group.elements)
    source, target = (LayerSize.of(board.cells, m, len(sets.layers[m][0])) for m in (marks, marks + 1))
    numbers = room_for(source.blocks, source.size, high)
    numbers.low[:] = number & 0xFFFFFFFF
    for byte in range(high):
        numbers.high[:, byte] = number >> 32 + 8 * byte & 255
    layer = PathLayer([(source.blocks, MemoryPart(numbers))], source.size, high)
    leads = sets.layers[marks][0]
    step = TwoPlies(
        board.cells, sets.lines, sets.permutations, (0, 0), False, False, leads, layer, replace(target, high=8)
    )
    return step, PathBlocks(sets.layers[marks + 1][0], False)


def whole(numbers: PathNumbers) -> list[list[int]]:
    """Return the numbers as integers."""
    found = []
    for low, high in zip(numbers.low.tolist(), numbers.high.tolist(), strict=True):
        parts = zip(low, *high, strict=True)
        found.append([first + sum(byte << 32 + 8 * w for w, byte in enumerate(rest)) for first, *rest in parts])
    return found


@pytest.mark.parametrize("number", [2**32 - 1, 2**50 + 12345, 2**56 - 1, 2**63 + 2**31 + 7, 2**79 - 3])
def test_numbers_of_two_limbs_are_exact(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are linear: what comes of a number everywhere is that number times what comes of ones."""
    monkeypatch.setattr("noughts.counting.streamed.items.bytes_above", lambda marks: 8)
    for spec in ("2x3:3", "3x3:3"):
        ones, many = (stream_blocks(*a_step(spec, 1, high, n)) for high, n in ((0, 1), (6, number)))
        assert isinstance(ones.part, MemoryPart)
        assert isinstance(many.part, MemoryPart)
        expected = [[number * n for n in block] for block in whole(ones.part.numbers)]
        assert whole(many.part.numbers) == expected
        assert many.o_open.paths == number * ones.o_open.paths
        assert many.x.paths == number * ones.x.paths
        assert (many.x.positions, many.o_open.classes) == (ones.x.positions, ones.o_open.classes)
