"""Why a player cannot win, by the weak game: a pairing or the search of Breaker; and the proof of it.

The proof is a tree of Breaker's answers with pairs, for a section `stop` of a proof. The search has settled the root.
Here its answers are followed again, in the cells of the board. Each is written with the pairs that leave the fewest
replies open. docs/reference/proofs.md says what a line means; a judge needs the text only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, itemgetter

from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Mask, Player, cells_of, mask_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation, compose
from noughts.solving.bounds import live_lines
from noughts.solving.problem import MOST_CELLS, SEARCHED_CELLS
from noughts.solving.weak.breaker import Breaker, Known, tools_for
from noughts.solving.weak.family import Key, after_breaker, cell_weights, least_sets, settled_by_pairs, unpaired
from noughts.solving.weak.pairing import is_guarded, is_short_of_cells, pairing_by_program, periodic_pairing

PASS = "-"
"""Written where Breaker takes nothing, as Maker moves first."""

CHILD_COST, PAIR_COST = 25, 6
"""What a line and a pair of a proof take up, about, in characters."""


def stop_lines(breaker: Breaker, lines: Iterable[Mask], *, maker_moves: bool) -> Iterator[str]:
    """Yield the lines of a section that proves that Breaker hits every one of some sets of cells.

    The search must have said that he holds; what it has forgotten it finds again.
    """
    walk = _Writing(breaker)
    key, element = breaker.tools.key(least_sets(lines))
    turn = walk.tools.back[element]
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
        self.tools, self.breaker = breaker.tools, breaker
        self.proved: set[Key] = set()

    def answer(self, key: Key, turn: Permutation) -> Iterator[str]:
        """Yield the lines of a family with Breaker to move."""
        self.proved.add(key)
        family = self.tools.family(key)
        least, pairs = self.tools.pairs(key, maker_moves=False)
        if least < 1 << self.tools.unit:
            weights = cell_weights(unpaired(family, pairs), self.tools.unit)
            cell = max(sorted(weights), key=weights.__getitem__, default=None)
            left = family if cell is None else after_breaker(family, cell)
            used = [pair for pair in pairs if any(member & pair == pair for member in left)]
            yield _line(None if cell is None else turn[cell], used if cell is not None else pairs, turn)
            return
        cell = self._best_answer(key)
        after, element, _ = self.tools.child(key, cell, by_maker=False)
        yield from self.after_answer(turn[cell], after, compose(self.tools.back[element], turn))

    def _best_answer(self, key: Key) -> Cell:
        """Return a cell that holds: one after which pairs settle all, if there is one, else that of the search."""
        for cell in self.tools.moves(key):
            after, _, _ = self.tools.child(key, cell, by_maker=False)
            if self.tools.least_weight(after, maker_moves=True) < 1 << self.tools.unit:
                return cell
        if self.breaker.node(key, maker_moves=False).answer is None:
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
                yield from self.answer(after, compose(self.tools.back[element], turn))

    def _settle(self, pairs: list[Mask], reply: _Reply) -> bool:
        """Tell whether the pairs that a reply leaves settle the family after it, Breaker to move."""
        _, move, after, element = reply
        image = self.tools.group.elements[element]
        moved = [mask_of(image[cell] for cell in cells_of(pair)) for pair in pairs if not pair >> move & 1]
        return settled_by_pairs(self.tools.family(after), moved, self.tools.unit) < 1 << self.tools.unit


def _line(cell: Cell | None, pairs: Sequence[Mask], turn: Sequence[Cell]) -> str:
    answer = PASS if cell is None else str(cell)
    if not pairs:
        return answer
    return f"{answer} : {' '.join(f'{turn[a]} {turn[b]}' for a, b in map(cells_of, pairs))}"


PROGRAM_SECONDS = 5.0
"""What one program that looks for a pairing may take; there are up to four."""

PROGRAM_FAMILIES = 128
"""What a program takes is about what so many families take; where none is likely to help, less is spent without one."""

FEW_MARKS = 4
"""Up to this number of marks, each is removed to see whether the result holds for the position before it too."""

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
    """Finds whether the opponent can keep a player from every line, without lines of the opponent; not under misere.

    Remembers its results. `opened` counts the families that the search opened.
    """

    def __init__(self, board: Board, progress: Progress = silent) -> None:
        self.board, self._progress = board, progress
        self._held: list[Stopping] = []
        self._is_short: bool | None = None
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

        None after `limit` families without an answer, or soon after the `deadline` on the monotonic clock, and always
        under misere. False does not mean that the player wins: threats of the opponent may help.
        """
        if self.board.misere or self.board.cells > MOST_CELLS:
            return None
        family, maker_moves = _family(position, maker)
        found = self.known(position, maker)
        if found is None and self._may_pair(limit):
            found = self._by_pairing(family, deadline)
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
        self._is_short = is_short_of_cells(self.board.line_masks) if self._is_short is None else self._is_short
        return not self._is_short

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

    @cached_property
    def _search(self) -> Breaker:
        return Breaker(tools_for(self.board.group("board"), self.board.line_masks), self._progress)


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
