"""Why a player cannot win, by the weak game: a pairing or the search of Breaker; and the proof of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Player, Position, opponent
from noughts.machine.progress import Progress, silent
from noughts.solving.bounds import live_lines
from noughts.solving.problem import MOST_CELLS, SEARCHED_CELLS
from noughts.solving.weak.breaker import Breaker
from noughts.solving.weak.family import least_sets
from noughts.solving.weak.nodes import Known
from noughts.solving.weak.pairings import is_guarded, is_short_of_cells, pairing_by_program, periodic_pairing
from noughts.solving.weak.stopping import pairs_line, stop_lines
from noughts.solving.weak.toolbox import tools_for

__all__ = ["Stopper", "Stopping"]

PROGRAM_SECONDS = 5.0
"""What one program that looks for a pairing may take; there are up to four."""

PROGRAM_FAMILIES = 128
"""What a program takes is about what so many families take; where none is likely to help, less is spent without one."""

FEW_MARKS = 4
"""Up to so many marks each is taken back, to see whether what was found tells of the position before it."""

PAIRED = "a pairing of cells, shared between lines, guards every line"
STOPPED = "blocking alone stops every line"
WEIGHED = "pairs of cells leave its lines a weight below 1"


@dataclass(frozen=True)
class Stopping:
    """Breaker holds a family: `why` in words, and the pairs where they are a pairing."""

    family: tuple[Mask, ...]
    maker_moves: bool
    why: str
    pairs: tuple[Mask, ...] | None = None

    def covers(self, lines: Sequence[Mask]) -> bool:
        """Tell whether Breaker who holds the family hits each of some lines as well."""
        if self.pairs is not None:
            return is_guarded(lines, self.pairs)
        return all(line in self._members or any(part & line == part for part in self.family) for line in lines)

    @cached_property
    def _members(self) -> frozenset[Mask]:
        return frozenset(self.family)


class Stopper:
    """Answers whether a player can be kept from every line, whatever the other's own lines are; not under misere.

    Remembers what it has found. `opened` counts the families whose moves were looked at.
    """

    def __init__(self, board: Board, progress: Progress = silent) -> None:
        self.board = board
        self.progress = progress
        self._held: list[Stopping] = []
        self._lost: set[tuple[tuple[Mask, ...], bool]] = set()
        self._tried: set[tuple[Mask, ...]] = set()
        self._begun: dict[tuple[tuple[Mask, ...], bool], int] = {}

    @property
    def opened(self) -> int:
        """Families whose moves were looked at so far."""
        return self._search.opened if "_search" in vars(self) else 0

    def known(self, position: Position, maker: Player) -> Stopping | None:
        """Return why a player cannot win, where what was found before tells.

        Of lines that are all there and more, or were before one of the player's marks: Breaker has an answer to it.
        """
        if self.board.misere or not self._held:
            return None
        family, maker_moves = _family(position, maker)
        before = [] if maker_moves else _before_a_mark(position, maker)
        for held in self._held:
            if maker_moves and not held.maker_moves:
                continue
            if held.covers(family) or (held.maker_moves and any(map(held.covers, before))):
                return held
        return None

    def stops(
        self, position: Position, maker: Player, *, limit: int | None = None, deadline: float | None = None
    ) -> Stopping | bool | None:
        """Return why a player cannot win, False where blocking alone does not stop them, or None.

        None where there is no answer after `limit` families, or soon after the `deadline` on the monotonic clock, and
        under misere. False does not say that the player wins: the other's own threats may help.
        """
        if self.board.misere or self.board.cells > MOST_CELLS:
            return None
        family, maker_moves = _family(position, maker)
        found = self.known(position, maker) or (self._by_pairing(family, deadline) if self._may_pair(limit) else None)
        if found is not None:
            return found
        if (family, maker_moves) in self._lost:
            return False
        before = self._begun.setdefault((family, maker_moves), self.opened)
        held = self._search.holds(family, maker_moves=maker_moves, limit=limit, deadline=deadline)
        if held:
            opened = self.opened - before
            return self._keep(family, maker_moves, f"{STOPPED}, {opened:,} positions searched" if opened else WEIGHED)
        if held is False:
            self._lost.add((family, maker_moves))
        return held

    def _keep(self, family: tuple[Mask, ...], maker_moves: bool, why: str, pairs: list[Mask] | None = None) -> Stopping:
        self._held.append(Stopping(family, maker_moves, why, None if pairs is None else tuple(pairs)))
        return self._held[-1]

    def _may_pair(self, limit: int | None) -> bool:
        """Tell whether a pairing is worth looking for beside a search within so many families.

        Where the cells of the whole board do not suffice for one, they hardly ever do in a position with few marks.
        """
        if limit is None or limit >= PROGRAM_FAMILIES or self.board.cells > SEARCHED_CELLS:
            return True
        return not self._is_short

    @cached_property
    def _is_short(self) -> bool:
        return is_short_of_cells(self.board.line_masks)

    def _by_pairing(self, family: tuple[Mask, ...], deadline: float | None) -> Stopping | None:
        """Return the pairing that guards every line, if one is found; each family is tried once."""
        if family in self._tried:
            return None
        self._tried.add(family)
        pairs = periodic_pairing(self.board)
        if pairs is None or not is_guarded(family, pairs):
            pairs = pairing_by_program(self.board, family, deadline=deadline, seconds=PROGRAM_SECONDS)
        return None if pairs is None else self._keep(family, True, PAIRED, pairs)

    def section(self, position: Position, maker: Player) -> Iterator[str]:
        """Yield the lines of the section `stop` of a certificate that a player cannot win.

        Raises BudgetError where that was not found out before.
        """
        found = self.known(position, maker)
        if found is None:
            raise BudgetError(f"nothing shows that {maker} can be stopped in {position}: solve the position first")
        family, maker_moves = _family(position, maker)
        line = None if found.pairs is None else _with_pairs(family, found.pairs, may_answer=not maker_moves)
        if line is not None:
            yield line
            return
        self._search.holds(family, maker_moves=maker_moves)
        yield from stop_lines(self._search, family, maker_moves=maker_moves)

    def found(self) -> list[Known]:
        """Return the families that were settled by search, each with what shows it."""
        return self._search.found() if "_search" in vars(self) else []

    def learn(self, found: Iterable[Known]) -> None:
        """Go on from what another search of this board has found."""
        self._search.learn(found)

    def _report(self, done: int, whole: int, what: str) -> None:
        self.progress(done, whole, what)

    @cached_property
    def _search(self) -> Breaker:
        return Breaker(tools_for(self.board.group("board"), self.board.line_masks), self._report)


def _family(position: Position, maker: Player) -> tuple[tuple[Mask, ...], bool]:
    return tuple(sorted(least_sets(live_lines(position, maker)))), position.to_move == maker


def _before_a_mark(position: Position, maker: Player) -> list[tuple[Mask, ...]]:
    """Return the lines of a player as they were before each of the player's marks, if these are few."""
    own, other = position.marks(maker), position.marks(opponent(maker))
    if own.bit_count() > FEW_MARKS:
        return []
    free = [line for line in position.board.line_masks if not line & other]
    return [tuple(line & ~(own & ~(1 << cell)) for line in free) for cell in cells_of(own)]


def _with_pairs(family: Sequence[Mask], pairs: Sequence[Mask], *, may_answer: bool) -> str | None:
    """Return the line of a proof by a pairing, after one answer where Breaker is to move; None where there is none."""
    if is_guarded(family, pairs):
        return pairs_line([pair for pair in pairs if any(line & pair == pair for line in family)])
    open_cells = reduce(and_, [line for line in family if not is_guarded([line], pairs)])
    for cell in cells_of(open_cells) if may_answer else ():
        left = [line for line in family if not line >> cell & 1]
        others = [pair for pair in pairs if not pair >> cell & 1]
        if is_guarded(left, others):
            return pairs_line([pair for pair in others if any(line & pair == pair for line in left)], cell)
    return None
