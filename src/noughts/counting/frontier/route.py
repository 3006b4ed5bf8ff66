"""The route of a frontier sweep: in which order cells are visited, and what each visit does to the open lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noughts.counting.patterns.pattern import Pattern, PatternLine
from noughts.counting.patterns.residues import filling_bound, moduli_for
from noughts.domain.bits import Mask, cells_of

__all__ = ["Clears", "Route", "Visit"]

Words = NDArray[np.uint64]

_WORD = 64


@dataclass(frozen=True)
class Clears:
    """For the bit `slots[j]` the bits of the lines that need no watching while that one is alive, `masks[j]`."""

    slots: NDArray[np.int32]
    masks: Words


@dataclass(frozen=True)
class Visit:
    """What visiting one cell does; see `noughts.kernels.frontier.states` for the arrays.

    `strict` are the clears of each player while the first completed line is still to come, `loose` those after it.
    `freed` and `factors` are the lines let off and the weight, for each shared set that a line closing here holds.
    """

    cell: int
    weight: int
    masks: Words
    strict: tuple[Clears, Clears]
    loose: tuple[Clears, Clears]
    freed: Words
    factors: NDArray[np.int32]


@dataclass(frozen=True)
class _Bits:
    """Where the lines of one player are kept: the bit of each line, and the steps of its first and last cell."""

    lines: Sequence[PatternLine]
    first: list[int]
    last: list[int]
    slot: list[int]

    @classmethod
    def assign(cls, lines: Sequence[PatternLine], place: Sequence[int]) -> _Bits:
        spans = [sorted(place[cell] for cell in cells_of(line.trigger)) for line in lines]
        first, last = [span[0] for span in spans], [span[-1] for span in spans]
        slot = [-1] * len(lines)
        free: list[int] = []
        top = 0
        begun, ended = _by_step(first, len(place)), _by_step(last, len(place))
        for step in range(len(place)):
            for i in begun[step]:
                if free:
                    slot[i] = free.pop()
                else:
                    slot[i] = top
                    top += 1
            free += [slot[i] for i in ended[step]]
            free.sort(reverse=True)
        return cls(lines, first, last, slot)

    @property
    def top(self) -> int:
        return max(self.slot, default=-1) + 1

    def mask(self, chosen: Sequence[int], words: int) -> Words:
        bits = np.zeros(words, dtype=np.uint64)
        for i in chosen:
            bits[self.slot[i] // _WORD] |= np.uint64(1 << self.slot[i] % _WORD)
        return bits

    def open_after(self, step: int) -> list[int]:
        return [i for i in range(len(self.lines)) if self.first[i] <= step < self.last[i]]

    def clears(self, step: int, future: Mask, words: int, watch_cores: bool) -> Clears:
        """Find the lines that are superfluous while another, with no cell left that they lack, is alive.

        While wins may still come (`watch_cores`) no shared set may let the stricter line off without the other.
        """
        alive = self.open_after(step)
        rest = {i: self.lines[i].trigger & future for i in alive}
        core = {i: self.lines[i].core if watch_cores else 0 for i in alive}

        def implies(i: int, j: int) -> bool:
            return rest[i] & rest[j] == rest[i] and core[i] & self.lines[j].core == core[i]

        slots, masks = [], []
        for i in alive:
            dropped = [j for j in alive if j != i and implies(i, j) and (i < j or not implies(j, i))]
            if dropped:
                slots.append(self.slot[i])
                masks.append(self.mask(dropped, words))
        return Clears(
            np.array(slots, dtype=np.int32),
            np.array(masks, dtype=np.uint64).reshape(len(masks), words),
        )


def _by_step(steps: Sequence[int], many: int) -> list[list[int]]:
    """Return for each step the numbers of the lines that have it."""
    lines: list[list[int]] = [[] for _ in range(many)]
    for i, step in enumerate(steps):
        lines[step].append(i)
    return lines


class Route:
    """The steps of a sweep over a pattern in a given order of its cells.

    `shared` are the weighted sets of `shared_sets`, for the first player's wins; without them only positions in which
    nobody has a line are counted.
    """

    def __init__(self, pattern: Pattern, order: Sequence[int], shared: dict[Mask, int] | None = None) -> None:
        self.pattern = pattern
        self.order = tuple(order)
        self.shared = shared
        self._visits: dict[int, Visit] = {}
        place = [0] * pattern.size
        for step, cell in enumerate(order):
            place[cell] = step
        self._bits = (_Bits.assign(pattern.first, place), _Bits.assign(pattern.second, place))
        self.words = max(1, *(-(-bits.top // _WORD) for bits in self._bits))
        self.weights = tuple(pattern.weights[cell] for cell in order)

    @cached_property
    def moduli(self) -> tuple[int, ...]:
        """The moduli with which all counts are exact."""
        return moduli_for(filling_bound(self.weights))

    @property
    def has_won(self) -> bool:
        """Whether the sweep counts won positions too."""
        return self.shared is not None

    def visit(self, step: int) -> Visit:
        """Return what visiting the cell number `step` of the order does."""
        if step not in self._visits:
            self._visits[step] = self._made(step)
        return self._visits[step]

    def _made(self, step: int) -> Visit:
        cell = self.order[step]
        future = sum(1 << later for later in self.order[step + 1 :])
        masks = np.zeros((6, self.words), dtype=np.uint64)
        for half, bits in enumerate(self._bits):
            indices = range(len(bits.lines))
            masks[3 * half] = bits.mask([i for i in indices if bits.lines[i].trigger >> cell & 1], self.words)
            masks[3 * half + 1] = bits.mask([i for i in indices if bits.first[i] == step], self.words)
            masks[3 * half + 2] = bits.mask([i for i in indices if bits.last[i] == step], self.words)
        x_bits = self._bits[0]
        here = {i for i in range(len(x_bits.lines)) if x_bits.first[i] <= step <= x_bits.last[i]}
        closing = [line.core for i, line in enumerate(x_bits.lines) if x_bits.last[i] == step]
        chosen = [(t, w) for t, w in (self.shared or {}).items() if any(t & core == t for core in closing)]
        freed = [
            x_bits.mask([i for i, line in enumerate(x_bits.lines) if line.core & t == t and i in here], self.words)
            for t, _ in chosen
        ]
        strict, loose = self._clears(step, future)
        return Visit(
            cell,
            self.pattern.weights[cell],
            masks,
            strict,
            loose,
            np.array(freed, dtype=np.uint64).reshape(len(freed), self.words),
            np.array([w for _, w in chosen], dtype=np.int32),
        )

    def _clears(self, step: int, future: Mask) -> tuple[tuple[Clears, Clears], tuple[Clears, Clears]]:
        """Return the strict and the loose clears of each player; those that are the same are found once."""
        x_bits, o_bits = self._bits
        x = x_bits.clears(step, future, self.words, False)
        loose = (x, x if self.pattern.is_symmetric else o_bits.clears(step, future, self.words, False))
        if not self.has_won:
            return loose, loose
        strict = x_bits.clears(step, future, self.words, True)
        return (strict, strict if self.pattern.is_symmetric else loose[1]), loose
