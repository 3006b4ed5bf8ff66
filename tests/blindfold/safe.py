"""Which calls are safe, from the words of the puzzle: a call is safe if no reply loses and each state after it has one.

Sets of cells are integers. Nothing is imported from the package, and no state is reached by play: for each state all
marks of the other player are listed.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations


class Safe:
    """`lead` is 1 where the blind player moves second, and `win_only` counts a draw as a loss."""

    def __init__(
        self, cells: int, lines: list[tuple[int, ...]], *, misere: bool, lead: int, win_only: bool = False
    ) -> None:
        self.cells, self.misere, self.lead, self.win_only = cells, misere, lead, win_only
        self.lines = [sum(1 << cell for cell in line) for line in lines]
        self.calls = cache(self._calls)
        self.others = cache(self._others)

    def lined(self, marks: int) -> bool:
        return any(marks & line == line for line in self.lines)

    def blanks(self, *marks: int) -> list[int]:
        return [1 << cell for cell in range(self.cells) if not sum(marks) >> cell & 1]

    def _others(self, own: int, known: int) -> list[int]:
        """The marks that the other player may have before a call."""
        more = own.bit_count() + self.lead - known.bit_count()
        if more < 0:
            return []
        found = [known + sum(chosen) for chosen in combinations(self.blanks(own, known), more)]
        return [other for other in found if not self.lined(other)]

    def states(self) -> list[tuple[int, int]]:
        """Every pair of own and known marks at which a game can go on."""
        found = []
        for own in range(1 << self.cells):
            if not self.lined(own) and 2 * own.bit_count() + self.lead < self.cells:
                found += [(own, known) for known in range(1 << self.cells) if not own & known]
        return [(own, known) for own, known in found if self.others(own, known)]

    def _calls(self, own: int, known: int) -> list[int]:
        return [cell for cell in self.blanks(own, known) if self.is_safe(own, known, cell)]

    def is_safe(self, own: int, known: int, cell: int) -> bool:
        return all(self._holds(own, known, cell, other) for other in self.others(own, known))

    def _holds(self, own: int, known: int, cell: int, other: int) -> bool:
        if other & cell:
            return bool(self.calls(own, known | cell))
        mine = own | cell
        if self.lined(mine):
            return not self.misere
        blanks = self.blanks(mine, other)
        for reply in blanks:
            if self.lined(other | reply):
                good = self.misere
            elif len(blanks) == 1:
                good = not self.win_only
            else:
                good = bool(self.calls(mine, known))
            if not good:
                return False
        return bool(blanks) or not self.win_only
