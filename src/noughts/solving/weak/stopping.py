"""Breaker's proof as text: a tree of his answers with pairs, which a section `stop` of a certificate holds.

The search has settled the root; here its answers are walked again, in the cells of the board, and each is written with
the pairs that leave the fewest replies over. What a line says and which replies need one is in the reference page on
proofs; a judge follows the text alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import itemgetter, or_

from noughts.domain.bits import Cell, Mask, cells_of, mask_of
from noughts.domain.symmetry import Permutation, compose, inverse
from noughts.solving.weak.breaker import Breaker
from noughts.solving.weak.family import after_breaker, least_sets, settled_by_pairs, weight
from noughts.solving.weak.tools import Key

__all__ = ["PASS", "pairs_line", "stop_lines"]

PASS = "-"
"""Written where Breaker takes nothing, as Maker moves first."""

CHILD_COST, PAIR_COST = 25, 6
"""What a line and a pair take up, about, in characters."""


def stop_lines(breaker: Breaker, lines: Iterable[Mask], *, maker_moves: bool) -> Iterator[str]:
    """Yield the lines of a section that proves that Breaker hits every one of some sets of cells.

    The search must have said that he holds; what it has forgotten it finds again.
    """
    walk = _Writing(breaker)
    key, element = breaker.tools.key(least_sets(lines))
    turn = walk.back[element]
    return walk.after_answer(None, key, turn) if maker_moves else walk.answer(key, turn)


_Reply = tuple[Cell, Cell, Key, int]
"""A move of Maker on the board and in the key before it, the key after it, and the symmetry that makes that."""


def pairs_line(pairs: Sequence[Mask], answer: Cell | None = None) -> str:
    """Return the one line of a section that is a pairing, after Breaker's answer if one is given."""
    last = max([*pairs, 0 if answer is None else 1 << answer])
    return _line(answer, pairs, range(last.bit_length()))


class _Writing:
    """Where the walk is: a key with the permutation that takes its cells to those of the board; and what is proved."""

    def __init__(self, breaker: Breaker) -> None:
        self.tools = breaker.tools
        self.breaker = breaker
        self.back: list[Permutation] = [inverse(element) for element in breaker.tools.group.elements]
        self.proved: set[Key] = set()

    def answer(self, key: Key, turn: Permutation) -> Iterator[str]:
        """Yield the lines of a family with Breaker to move."""
        self.proved.add(key)
        family = self.tools.family(key)
        least, pairs = self.tools.pairs(key, maker_moves=False)
        if least < 1 << self.tools.unit:
            cell = _heaviest(family, pairs, self.tools.unit)
            left = family if cell is None else after_breaker(family, cell)
            used = [pair for pair in pairs if any(member & pair == pair for member in left)]
            yield _line(None if cell is None else turn[cell], used if cell is not None else pairs, turn)
            return
        cell = self._best_answer(key)
        after, element, _ = self.tools.child(key, cell, by_maker=False)
        yield from self.after_answer(turn[cell], after, compose(self.back[element], turn))

    def _best_answer(self, key: Key) -> Cell:
        """Return a cell that holds: one after which pairs settle all, if there is one, else that of the search."""
        for cell in self.tools.moves(key):
            after, _, _ = self.tools.child(key, cell, by_maker=False)
            if self.tools.least_weight(after, maker_moves=True) < 1 << self.tools.unit:
                return cell
        node = self.breaker.node(key, maker_moves=False)
        if node.answer is None:
            self.breaker.holds(self.tools.family(key), maker_moves=False)
            node = self.breaker.node(key, maker_moves=False)
        assert node.answer is not None, "a family that is not held has no proof"
        return node.answer

    def after_answer(self, cell: Cell | None, key: Key, turn: Permutation) -> Iterator[str]:
        """Yield the line of Breaker's answer, a cell of the board, and those of the replies that it leaves over."""
        least, pairs = self.tools.pairs(key, maker_moves=True)
        if least < 1 << self.tools.unit:
            yield _line(cell, pairs, turn)
            return
        replies: list[_Reply] = []
        for move in self.tools.moves(key):
            after, element, _ = self.tools.child(key, move, by_maker=True)
            if self.tools.family(after) and after not in self.proved:
                replies.append((turn[move], move, after, element))
        left = [reply for reply in replies if not self._settle(pairs, reply)]
        if CHILD_COST * (len(replies) - len(left)) <= PAIR_COST * len(pairs):
            pairs = []
            left = [reply for reply in replies if not self._settle(pairs, reply)]
        yield _line(cell, pairs, turn)
        for _, _, after, element in sorted(left, key=itemgetter(0)):
            if after not in self.proved:
                yield from self.answer(after, compose(self.back[element], turn))

    def _settle(self, pairs: list[Mask], reply: _Reply) -> bool:
        """Tell whether the pairs that a reply leaves settle the family after it, Breaker to move."""
        _, move, after, element = reply
        image = self.tools.group.elements[element]
        family = self.tools.family(after)
        left = [pair for pair in pairs if not pair >> move & 1]
        moved = [mask_of(image[cell] for cell in cells_of(pair)) for pair in left]
        return settled_by_pairs(family, moved, self.tools.unit) < 1 << self.tools.unit


def _heaviest(family: Sequence[Mask], pairs: list[Mask], unit: int) -> Cell | None:
    """Return the heaviest cell of the members that no pair lies on; None where there is none."""
    taken = reduce(or_, pairs, 0)
    weights: dict[Cell, int] = {}
    for member in family:
        if not any(member & pair == pair for pair in pairs):
            for cell in cells_of(member & ~taken):
                weights[cell] = weights.get(cell, 0) + weight(member & ~taken, unit)
    return max(sorted(weights), key=weights.__getitem__, default=None)


def _line(cell: Cell | None, pairs: Sequence[Mask], turn: Sequence[Cell]) -> str:
    answer = PASS if cell is None else str(cell)
    if not pairs:
        return answer
    return f"{answer} : {' '.join(f'{turn[a]} {turn[b]}' for a, b in map(cells_of, pairs))}"
