"""Permutations of the cells at work: on sets of cells, a byte at a time, and on whole pictures of a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["AlikePictures", "Mover", "Permutation", "drawn", "mover"]

Permutation = tuple[int, ...]
Mover = Callable[[int], int]
"""Takes a set of cells to where a permutation takes them."""


def mover(permutation: Sequence[int]) -> Mover:
    """Return the permutation as a function of sets."""
    tables = []
    for low in range(0, len(permutation), 8):
        table = [0]
        for to in permutation[low : low + 8]:
            table += [image | 1 << to for image in table]
        tables.append(table)

    def move(cells: int) -> int:
        found, at = 0, 0
        while cells:
            found |= tables[at][cells & 255]
            cells >>= 8
            at += 1
        return found

    return move


class AlikePictures:
    """Pictures of a board, a byte for each cell, which are alike when a permutation of a group takes one to the other.

    `add` keeps one, and `in` tells whether a picture is like one that was kept.
    """

    def __init__(self, group: Sequence[Permutation]) -> None:
        self._cells = len(group[0])
        self._turns = [bytes(each) for each in group] if self._cells <= 256 else []
        self._group = group
        self._kept: set[bytes] = set()

    def add(self, picture: bytes) -> None:
        """Keep a picture."""
        self._kept.add(self.least(picture))

    def __contains__(self, picture: bytes) -> bool:
        return self.least(picture) in self._kept

    def least(self, picture: bytes) -> bytes:
        """Return the least of the images of a picture.

        For each permutation that is the picture whose cell c holds what cell permutation[c] holds: as the permutations
        are a group, these are all images.
        """
        if not self._turns:
            return min(bytes(map(picture.__getitem__, each)) for each in self._group)
        table = picture + bytes(256 - self._cells)
        return min(turn.translate(table) for turn in self._turns)


def drawn(cells: int, own: int, other: int, dead: int = 0) -> bytes:
    """Return the picture of a position: for each cell 0 where it is blank, 1 own, 2 the other's, 3 dead."""
    return bytes(3 if dead >> c & 1 else own >> c & 1 or (other >> c & 1) * 2 for c in range(cells))
