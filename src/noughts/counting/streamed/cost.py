"""What streaming costs: reckoned from samples, before any set of X is found."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from math import comb

from noughts.counting.question import Question
from noughts.counting.streamed.shapes import LayerSize
from noughts.counting.streamed.values import are_packed, looks_at_values
from noughts.machine.budget import Estimate, Limits, format_size

__all__ = ["estimate"]

SAMPLES = 400
START_SECONDS = 2.0
"""Seconds to load the compiled kernels, or to compile them where that has to be."""
SECONDS_A_SET = 3e-6
"""Seconds to find a canonical set of X, for each symmetry."""
SECONDS_AN_ADDITION = 6e-9
"""Seconds for a number to be collected from a parent, on a busy core; under rules up to `RULED` times that."""
RULED = 3
SECONDS_A_VALUE = 3e-8
"""Seconds for the value of a position, where a rule asks for it."""
SECONDS_AN_END = 4e-8
"""Seconds to tell how play can end from a position, under any rules."""
BASE_BYTES = 300_000_000
ITEM_BYTES = 700_000_000
"""What the items that are under way hold at a time, with two workers."""


@dataclass(frozen=True)
class _Work:
    """All layers up to the last ply: their bytes, the largest two neighbours, and the additions that make them.

    And the entries of a table of all positions.
    """

    numbers: int
    whole: int
    pair: int
    additions: int
    sets: int
    positions: int


def estimate(question: Question, order: int, limits: Limits) -> Estimate:
    """Return the cost: with the layers on disk where the limits have room for them there, in memory otherwise.

    Not reckoned further where the start alone takes longer than may be.
    """
    if limits.seconds < START_SECONDS:
        return Estimate(BASE_BYTES, START_SECONDS, "its kernels are loaded first", at_least=True)
    work = _work(question, order)
    factor = 1 if question.x_moves == question.o_moves == "any" else RULED
    seconds = START_SECONDS + work.sets * order * SECONDS_A_SET + work.additions * SECONDS_AN_ADDITION * factor
    valued, decided = looks_at_values(question), question.end == "decided"
    seconds += work.positions * (SECONDS_A_VALUE * valued + SECONDS_AN_END * decided)
    quarters = valued * (1 if are_packed(question) else 4) + decided
    cells = question.board.cells
    tables = BASE_BYTES + work.positions // 4 * quarters + 40 * comb(cells, cells // 2) + 16 * work.sets
    items = min(ITEM_BYTES, 4 * work.whole)
    detail = f"about {work.numbers:,} numbers of paths"
    on_disk = Estimate(tables + items, seconds, detail, disk=work.pair)
    if limits.disk:
        return on_disk
    in_memory = Estimate(tables + items + work.pair, seconds, detail)
    if limits.allow(in_memory) or work.pair < ITEM_BYTES:
        return in_memory
    more = f"; with --resume DIR {format_size(on_disk.memory)}, and {format_size(on_disk.disk)} of disk"
    return replace(in_memory, detail=detail + more)


def _work(question: Question, order: int) -> _Work:
    board, last = question.board, question.last_ply
    shares = _shares(question)
    sizes, additions, sets = [], 0, 0
    blocks_with = [int(comb(board.cells, marks) * share) // order + 1 for marks, share in enumerate(shares)]
    for marks, blocks in enumerate(blocks_with[: (last + 1) // 2 + 1]):
        sets += blocks
        if marks:
            additions += blocks * comb(board.cells - marks, marks - 1) * marks
        if 2 * marks <= last:
            sizes.append(LayerSize.of(board.cells, marks, blocks))
            additions += sizes[-1].blocks * sizes[-1].size * marks
    plies = range(board.cells + 1)
    positions = sum(blocks_with[(ply + 1) // 2] * comb(board.cells - (ply + 1) // 2, ply // 2) for ply in plies)
    numbers = sum(size.blocks * size.size for size in sizes)
    pair = max(a.bytes + b.bytes for a, b in zip(sizes, [*sizes[1:], sizes[-1]], strict=True))
    return _Work(numbers, sum(size.bytes for size in sizes), pair, additions, sets, positions)


def _shares(question: Question) -> list[float]:
    """Return for each number of marks how many of its sets are line-free: sampled, always the same samples."""
    board, dice = question.board, random.Random(1)
    samples = SAMPLES if board.cells >= 12 else SAMPLES // 4
    shares = []
    for marks in range((board.cells + 1) // 2 + 1):
        free = 0
        for _ in range(samples):
            free += not board.has_line(sum(1 << cell for cell in dice.sample(range(board.cells), marks)))
        shares.append((free + 1) / (samples + 1))
    return shares
