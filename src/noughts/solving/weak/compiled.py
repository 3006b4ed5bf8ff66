"""The tools of the weak game by compiled kernels, up to 64 cells: keys are bytes, eight for each member of a family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import image_tables
from noughts.kernels.search import weak as kernels
from noughts.rules.marks import Cell, Mask
from noughts.rules.symmetry import Group
from noughts.solving.weak.family import Answer, Child, Key, Reply, Tools, struck


def family_scratch(lines: int) -> kernels.FamilyScratch:
    """Return room for families of up to so many lines."""
    words = max(lines, 1)
    return kernels.FamilyScratch(
        lines=np.zeros(words, np.uint64),
        image=np.zeros(words, np.uint64),
        other=np.zeros(words, np.uint64),
        common=np.zeros(64, np.uint64),
        by_size=np.zeros(65, np.uint64),
        least=np.zeros(65, np.uint64),
        weights=np.zeros(64, np.int64),
        moves=np.zeros(64, np.int64),
        cells=np.zeros(64, np.int64),
        together=np.zeros((64, 64), np.int64),
        pairs=np.zeros((32, 2), np.int64),
    )


class CompiledTools(Tools):
    """The tools for families of parts of some lines, on at most 64 cells; one thread at a time."""

    def __init__(self, group: Group, lines: Sequence[Mask]) -> None:
        super().__init__(group, lines)
        self._images = image_tables(self.group.elements)
        self._longest = max(map(int.bit_count, lines), default=0)
        words = max(len(lines), 1)
        self._bench = family_scratch(len(lines))
        self._replies = kernels.ReplyScratch(
            keys=np.zeros(64 * words, np.uint64),
            sizes=np.zeros(64, np.int64),
            elements=np.zeros(64, np.int64),
            weights=np.zeros(64, np.int64),
        )

    def key(self, family: Iterable[Mask]) -> tuple[Key, int]:
        """See `Tools`."""
        members = np.array(struck(family), np.uint64)
        element = kernels.canonical(members, members.size, self._images, self._longest, self._bench)
        return self._bench.image[: members.size].tobytes(), element

    def family(self, key: Key) -> Sequence[Mask]:
        """See `Tools`."""
        return list(_masks(key).tolist())

    def child(self, key: Key, cell: Cell, *, by_maker: bool) -> Child:
        """See `Tools`."""
        bench = self._bench
        count, element, fork = kernels.child(_masks(key), cell, by_maker, self._images, self._longest, bench)
        return bench.image[:count].tobytes(), element, int(fork)

    def replies(self, key: Key) -> Iterator[Reply]:
        """Yield what Maker's moves lead to, up to the first that wins at once; all are found at the first."""
        bench, replies = self._bench, self._replies
        count, fork = kernels.list_replies(_masks(key), self.unit, self._images, self._longest, bench, replies)
        cells = bench.moves[: count + 1].tolist()
        sizes, elements, weights = (
            part[:count].tolist() for part in (replies.sizes, replies.elements, replies.weights)
        )
        keys, start = replies.keys[: sum(sizes)].tobytes(), 0
        for cell, size, element, least in zip(cells, sizes, elements, weights, strict=False):
            yield cell, keys[start : start + 8 * size], element, least, 0
            start += 8 * size
        if fork:
            yield cells[count], b"", 0, 0, int(fork)

    def answer(self, key: Key, cell: Cell) -> Answer:
        """See `Tools`."""
        bench = self._bench
        count, element, single, least = kernels.answer(_masks(key), cell, self.unit, self._images, self._longest, bench)
        return bench.image[:count].tobytes(), element, int(single), least

    def moves(self, key: Key) -> list[Cell]:
        """See `Tools`."""
        count = kernels.list_moves(_masks(key), self.unit, self._bench)
        return list(self._bench.moves[:count].tolist())

    def pairs(self, key: Key, *, maker_moves: bool) -> tuple[int, list[Mask]]:
        """See `Tools`."""
        members = _masks(key)
        least, count = kernels.shared_pairs(members, members.size, self.unit, maker_moves, self._bench)
        return least, [1 << a | 1 << b for a, b in self._bench.pairs[:count].tolist()]


def _masks(key: Key) -> npt.NDArray[np.uint64]:
    assert isinstance(key, bytes)
    masks: npt.NDArray[np.uint64] = np.frombuffer(key, np.uint64)
    return masks
