"""The weak game by brute force, sharing nothing with the package: sets of cells, one mark at a time."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product


def random_lines(dice: random.Random, *, cells: int | None = None) -> tuple[int, list[list[int]]]:
    """Return a number of cells and some random lines on them, of one to five cells."""
    cells = cells or dice.randint(3, 9)
    sizes = [min(cells, dice.choice((1, 2, 2, 3, 3, 3, 3, 4, 4, 5))) for _ in range(dice.randint(1, 3 * cells // 2))]
    if dice.random() < 0.7:
        sizes = [size for size in sizes if size > 2] or [3]
    return cells, [dice.sample(range(cells), min(size, cells)) for size in sizes]


def maker_fills(cells: int, lines: list[list[int]], *, maker_moves: bool) -> bool:
    """Tell whether Maker can fill a line of some, by trying every move of both."""
    goal = [sum(1 << cell for cell in set(line)) for line in lines]
    full = (1 << cells) - 1

    @cache
    def fills(maker: int, breaker: int, makers_turn: bool) -> bool:
        if any(line & maker == line for line in goal):
            return True
        if all(line & breaker for line in goal) or maker | breaker == full:
            return False
        moves = [1 << cell for cell in range(cells) if not (maker | breaker) >> cell & 1]
        if makers_turn:
            return any(fills(maker | move, breaker, False) for move in moves)
        return all(fills(maker, breaker | move, True) for move in moves)

    return fills(0, 0, maker_moves)


# A judge of sections `stop`, written from the text of the format: it shares nothing with the package.

Family = frozenset[frozenset[int]]


class Wrong(Exception):
    """The section proves nothing."""


def closure(generators: list[tuple[int, ...]], cells: int) -> list[tuple[int, ...]]:
    """Return all permutations that some generate."""
    found = {tuple(range(cells))}
    fresh = list(found)
    while fresh:
        made = {tuple(g[image] for image in p) for p, g in product(fresh, generators)} - found
        found |= made
        fresh = list(made)
    return sorted(found)


def least(sets: Iterable[frozenset[int]]) -> Family:
    every = set(sets)
    return frozenset(member for member in every if not any(other < member for other in every))


def struck(family: Family) -> Family:
    while True:
        on: dict[int, frozenset[frozenset[int]]] = {
            cell: frozenset(member for member in family if cell in member) for member in family for cell in member
        }
        groups: dict[frozenset[frozenset[int]], list[int]] = {}
        for cell, members in on.items():
            groups.setdefault(members, []).append(cell)
        gone = [members for members, cells in groups.items() if len(cells) > 1]
        if not gone:
            return family
        family = family.difference(*gone)


def weights(family: Family, pairs: list[frozenset[int]]) -> tuple[Fraction, Fraction]:
    """Return the weight of the members that no pair lies on, and of the heaviest cell."""
    used = frozenset().union(*pairs)
    total = Fraction(0)
    by_cell: dict[int, Fraction] = {}
    for member in family:
        if not any(pair <= member for pair in pairs):
            rest = member - used
            worth = Fraction(1, 2 ** len(rest))
            total += worth
            for cell in rest:
                by_cell[cell] = by_cell.get(cell, Fraction(0)) + worth
    return total, max(by_cell.values(), default=Fraction(0))


class Judge:
    """Reads one section, from the first line on; `rest` is what it leaves."""

    def __init__(self, cells: int, generators: list[tuple[int, ...]], lines: list[str]) -> None:
        self.cells = cells
        self.elements = closure(generators, cells)
        self.rest = list(lines)
        self.proved: set[tuple[tuple[int, ...], ...]] = set()
        self.read = 0

    def key(self, family: Family) -> tuple[tuple[int, ...], ...]:
        return min(tuple(sorted(tuple(sorted(p[c] for c in m)) for m in family)) for p in self.elements)

    def judge(self, lines: Iterable[Iterable[int]], *, maker_moves: bool) -> None:
        """Raise Wrong where the section does not show that Breaker hits every line."""
        family = least(map(frozenset, lines))
        self.node(struck(family), must_pass=maker_moves)
        if self.rest:
            raise Wrong("something follows the end of the tree")

    def node(self, family: Family, *, must_pass: bool = False) -> None:
        if frozenset() in family or (not must_pass and sum(len(member) == 1 for member in family) > 1):
            raise Wrong("Maker fills a line")
        self.proved.add(self.key(family))
        if not self.rest:
            raise Wrong("a line is missing")
        answer, _, listed = self.rest.pop(0).partition(":")
        self.read += 1
        taken = set() if answer.strip() == "-" else {int(answer)}
        if must_pass and taken:
            raise Wrong("Maker is to move")
        numbers = list(map(int, listed.split()))
        used = [*taken, *numbers]
        if len(numbers) % 2 or len(set(used)) < len(used) or any(not 0 <= cell < self.cells for cell in used):
            raise Wrong("pairs are disjoint")
        pairs = [frozenset(numbers[i : i + 2]) for i in range(0, len(numbers), 2)]
        family = struck(frozenset(member for member in family if not member & taken))
        total, heaviest = weights(family, pairs)
        if total + heaviest < 1:
            return
        for move in self.moves(family):
            after = least(member - {move} for member in family)
            if frozenset() in after or sum(len(member) == 1 for member in after) > 1:
                raise Wrong(f"Maker takes {move} and fills a line")
            after = struck(after)
            if not after or self.key(after) in self.proved:
                continue
            if weights(after, [pair for pair in pairs if move not in pair])[0] < 1:
                continue
            self.node(after)

    def moves(self, family: Family) -> list[int]:
        """Return the cells that no other dominates, rising."""
        cells = sorted(frozenset().union(*family))
        return [
            cell for cell in cells if len(frozenset.intersection(*(member for member in family if cell in member))) == 1
        ]
