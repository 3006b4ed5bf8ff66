"""A second engine for the numbers of a small board: lists every filling and applies the rules to it.

It is plain Python on dictionaries and tuples, slow and easy to read. It shares no code with counting and solving. It
steps over the board to find lines, and turns the board to find symmetries. Play reaches a filling if removing a mark
of the last mover gives an unfinished filling that play reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import permutations, product

from noughts.rules.board import Specification, parse_specification
from noughts.rules.errors import BudgetError

_MOST_CELLS = 9
"""Largest number of cells whose fillings and permutations are listed in about a second."""
Filling = tuple[str, ...]
"""A mark for each cell in reading order: X, O or a blank."""
Place = tuple[int, ...]


class Listing:
    """All fillings of a board, and counts of them. Raises BudgetError beyond nine cells.

    Cost: about a second for 3x3, for all counts together.
    """

    name = "listing"

    def __init__(self, board: str) -> None:
        self._rules: Specification = parse_specification(board)
        self._places = list(product(*map(range, self._rules.sides)))
        if len(self._places) > _MOST_CELLS:
            raise BudgetError(f"{board} has {len(self._places)} cells: a listing takes up to {_MOST_CELLS}")

    @cached_property
    def _lines(self) -> list[frozenset[int]]:
        """k cells in a row, from every cell in every direction."""
        number, found = {place: i for i, place in enumerate(self._places)}, set()
        for place, step in product(self._places, product((-1, 0, 1), repeat=len(self._rules.sides))):
            walk = [self._walked(place, step, far) for far in range(self._rules.k)]
            line = frozenset(number[each] for each in walk if each in number)
            if any(step) and len(line) == self._rules.k:
                found.add(line)
        return sorted(found, key=sorted)

    def _walked(self, place: Place, step: Place, far: int) -> Place:
        where = tuple(at + far * by for at, by in zip(place, step, strict=True))
        if self._rules.torus:
            where = tuple(at % side for at, side in zip(where, self._rules.sides, strict=True))
        return where

    @cached_property
    def symmetries(self) -> set[tuple[int, ...]]:
        """Turns and mirrors, and shifts on the torus: for each cell the one whose mark it takes."""
        sides, number = self._rules.sides, {place: i for i, place in enumerate(self._places)}
        shifts = list(product(*map(range, sides))) if self._rules.torus else [(0,) * len(sides)]
        found = set()
        for axes, mirrored, shift in product(
            permutations(range(len(sides))), product((0, 1), repeat=len(sides)), shifts
        ):
            if any(sides[axis] != side for axis, side in zip(axes, sides, strict=True)):
                continue
            images = []
            for place in self._places:
                turned = [sides[axis] - 1 - place[axis] if mirrored[axis] else place[axis] for axis in axes]
                images.append(
                    number[tuple((at + by) % side for at, by, side in zip(turned, shift, sides, strict=True))]
                )
            found.add(tuple(images))
        return found

    @cached_property
    def line_symmetries(self) -> int:
        """Number of permutations of the cells that map lines to lines, tried one by one."""
        lines = set(self._lines)
        return sum(
            all(frozenset(images[cell] for cell in line) in lines for line in self._lines)
            for images in permutations(range(len(self._places)))
        )

    def _has_line(self, filling: Filling, player: str) -> bool:
        return any(all(filling[cell] == player for cell in line) for line in self._lines)

    def _result(self, filling: Filling) -> str | None:
        """Return X, O or draw where the game is over."""
        for player, other in (("X", "O"), ("O", "X")):
            if self._has_line(filling, player):
                return other if self._rules.misere else player
        return None if " " in filling else "draw"

    @cached_property
    def _fillings(self) -> list[Filling]:
        return list(product("XO ", repeat=len(self._places)))

    @cached_property
    def _balanced(self) -> list[Filling]:
        return [each for each in self._fillings if each.count("X") - each.count("O") in (0, 1)]

    @cached_property
    def _not_both_lined(self) -> list[Filling]:
        return [each for each in self._balanced if not (self._has_line(each, "X") and self._has_line(each, "O"))]

    @cached_property
    def _reached(self) -> dict[Filling, str | None]:
        """The fillings that play reaches, by ply, each with its result; None while the game goes on."""
        reached: dict[Filling, str | None] = {}
        for filling in sorted(self._balanced, key=lambda each: -each.count(" ")):
            last = "X" if filling.count("X") > filling.count("O") else "O"
            before = (_with(filling, cell, " ") for cell, mark in enumerate(filling) if mark == last)
            if set(filling) == {" "} or any(reached.get(each, "never") is None for each in before):
                reached[filling] = self._result(filling)
        return reached

    def _classes(self, fillings: list[Filling]) -> list[Filling]:
        """Return one filling of each class."""
        return [each for each in fillings if each == self._canonical(each)]

    def _canonical(self, filling: Filling) -> Filling:
        return max(tuple(filling[cell] for cell in images) for images in self.symmetries)

    @cached_property
    def _decisions(self) -> list[Filling]:
        """Unfinished classes with more than one blank cell."""
        return [
            each for each in self._classes(list(self._reached)) if self._reached[each] is None and each.count(" ") > 1
        ]

    def _is_quiet(self, filling: Filling) -> bool:
        """Whether no mark of either player, on any one blank cell, completes a line."""
        blanks = [cell for cell, mark in enumerate(filling) if mark == " "]
        return not any(self._has_line(_with(filling, cell, player), player) for cell in blanks for player in "XO")

    def rung(self, name: str) -> int:
        """Return a count of the ladder by its name. Raises KeyError for an unknown name."""
        if name == "sequences":
            cells = range(len(self._places))
            return sum(1 for length in cells for _ in permutations(cells, length + 1))
        if name == "real decisions" and self._rules.misere:
            raise BudgetError("a misere board does not have wins to take or to block")
        counted: dict[str, Callable[[], list[Filling]]] = {
            "fillings": lambda: self._fillings,
            "balanced": lambda: self._balanced,
            "not both lined": lambda: self._not_both_lined,
            "reachable": lambda: list(self._reached),
            "terminal": lambda: [each for each, result in self._reached.items() if result],
            "classes": lambda: self._classes(list(self._reached)),
            "decisions": lambda: self._decisions,
            "real decisions": lambda: [each for each in self._decisions if self._is_quiet(each)],
            "matchboxes": lambda: [each for each in self._decisions if each.count("X") == each.count("O")],
            "endings": lambda: self._classes([each for each, result in self._reached.items() if result]),
        }
        return len(counted[name]())

    def not_both_lined_classes(self) -> int:
        """Return the number of classes of balanced fillings where at most one player has a line."""
        return len(self._classes(self._not_both_lined))

    @cached_property
    def _values(self) -> dict[Filling, str]:
        """The outcome with best play from each filling that play reaches, computed from the last ply to the first."""
        values: dict[Filling, str] = {}
        for filling in sorted(self._reached, key=lambda each: each.count(" ")):
            player, other = ("X", "O") if filling.count("X") == filling.count("O") else ("O", "X")
            found = {values[_with(filling, cell, player)] for cell in self._moves(filling)}
            best = next((wish for wish in (player, "draw", other) if wish in found), None)
            values[filling] = self._reached[filling] or best or "draw"
        return values

    def _moves(self, filling: Filling) -> Iterator[int]:
        if self._reached[filling] is None:
            yield from (cell for cell, mark in enumerate(filling) if mark == " ")

    def classes_by_value(self) -> dict[int, Counter[str]]:
        """Return for each ply the number of classes by outcome with best play; finished classes count too."""
        found: dict[int, Counter[str]] = {}
        for filling in self._classes(list(self._reached)):
            ply = len(filling) - filling.count(" ")
            found.setdefault(ply, Counter())[self._values[filling]] += 1
        return found


def _with(filling: Filling, cell: int, mark: str) -> Filling:
    return (*filling[:cell], mark, *filling[cell + 1 :])
