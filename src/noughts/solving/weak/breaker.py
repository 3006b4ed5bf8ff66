"""Can Breaker hit every line? Proof-number search of the weak game, depth first with a table.

A node is a family and the player to move. One good move proves a node of Breaker; a node of Maker needs an answer to
every move. The proof number estimates how many nodes must still be proved for Breaker to hold. The disproof number
estimates how many must be disproved for Maker to complete a line. The search follows the smallest (Allis 1994; Nagai's
df-pn 2002).

- Where pairs shared between lines leave little weight, Breaker holds. Otherwise the first proof number is estimated
  from this weight.
- Breaker tries the heaviest cells first, WIDTH at a time.
- *Zones*: a win of Maker has a set of cells such that the members inside it are enough. Where Breaker took a cell and
  lost, every other cell outside the zone of that win loses too. So only moves in the zones of all failed moves are
  left. Where none is left, Maker wins within the union of the zones.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from operator import attrgetter

from noughts.machine.workers import Progress, silent
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.symmetry import Group
from noughts.solving.weak.family import Key, Tools, least_sets

INFINITE = 1 << 60

Known = tuple[Key, bool, Cell | None, Mask | None]
"""A settled family by its key: whether Maker moves, the answer by which Breaker holds, the zone where he does not."""


class WeakNode:
    """A family with one side to move. `proof` 0 says that Breaker holds, `disproof` 0 that Maker wins within `zone`.

    `answer` is the cell that Breaker takes where he holds by it. `moves`, `must`, `kids` are those still looked at.
    """

    __slots__ = ("answer", "disproof", "key", "kids", "moves", "must", "proof", "zone")

    def __init__(self, key: Key, proof: int, disproof: int, zone: Mask = 0) -> None:
        self.key, self.proof, self.disproof, self.zone = key, proof, disproof, zone
        self.answer: Cell | None = None
        self.moves: list[Cell] | None = None
        self.must: Mask = -1
        self.kids: dict[Cell, tuple[WeakNode, int]] = {}

    @property
    def is_settled(self) -> bool:
        """Whether it is known who wins."""
        return not self.proof or not self.disproof

    def settle(self, proof: int, disproof: int) -> None:
        """Say who wins, and forget how it was found out."""
        self.proof, self.disproof = proof, disproof
        self.moves, self.kids = None, {}


HELD = WeakNode((), 0, INFINITE)
"""Every node that pairs alone settle for Breaker."""


def tools_for(group: Group, lines: Sequence[Mask]) -> Tools:
    """Return tools for families of parts of some lines: the compiled ones where there are at most 64 cells."""
    if group.degree > 64:
        return Tools(group, lines)
    from noughts.solving.weak.compiled import CompiledTools

    return CompiledTools(group, lines)


WIDTH = 5
STEEPNESS = 20
"""Proof numbers of new nodes: so many for each unit of weight that the pairs leave above nine tenths."""
SLACK = 8
"""A node is left when another is better by more than this part of it: leaving it at once would cost returning."""
LOOK = 64
"""Nodes from one look at the clock to the next."""


class _Spent(Exception):
    """The limit or the deadline is reached."""


class Breaker:
    """Answers whether Breaker can hit every member of a family, remembering what it has settled.

    `opened` counts the families whose moves were looked at so far. Memory: about 400 bytes for each family met.
    """

    def __init__(self, tools: Tools, progress: Progress = silent) -> None:
        self.tools, self._progress, self._whole = tools, progress, 1 << tools.unit
        self.opened = 0
        self._maker: dict[Key, WeakNode] = {}
        self._breaker: dict[Key, WeakNode] = {}
        self._root = HELD
        self._stop: int | None = None
        self._deadline: float | None = None

    def holds(
        self, lines: Iterable[Mask], *, maker_moves: bool, limit: int | None = None, deadline: float | None = None
    ) -> bool | None:
        """Tell whether Breaker can hit every one of some sets of cells.

        None after `limit` opened families without an answer, or soon after the `deadline` on the monotonic clock; the
        next call resumes the search.
        """
        family = least_sets(lines)
        if 0 in family or (not maker_moves and sum(member.bit_count() == 1 for member in family) > 1):
            return False
        self._root = node = self.node(self.tools.key(family)[0], maker_moves=maker_moves)
        self._stop, self._deadline = None if limit is None else self.opened + limit, deadline
        try:
            (self._press if maker_moves else self._defend)(node, INFINITE, INFINITE)
        except _Spent:
            return None
        return node.proof == 0

    def node(self, key: Key, *, maker_moves: bool) -> WeakNode:
        """Return the node of a key; of a new one what one look tells.

        Assumes that no member is empty, and Breaker not forked.
        """
        table = self._maker if maker_moves else self._breaker
        if key not in table:
            singles = (member for member in self.tools.family(key) if not member & (member - 1))
            single = next(singles, 0) if maker_moves else 0
            least = 0 if single else self.tools.least_weight(key, maker_moves=maker_moves)
            table[key] = self._new(key, single, least)
        return table[key]

    def found(self) -> list[Known]:
        """Return the families that were settled by search, each with what shows it."""
        return [
            (key, maker_moves, node.answer if node.proof == 0 else None, node.zone if node.disproof == 0 else None)
            for table, maker_moves in ((self._maker, True), (self._breaker, False))
            for key, node in table.items()
            if node is not HELD and node.is_settled
        ]

    def learn(self, found: Iterable[Known]) -> None:
        """Go on from what another search of this board has found."""
        for key, maker_moves, answer, zone in found:
            held = zone is None
            node = WeakNode(key, 0 if held else INFINITE, INFINITE if held else 0, zone or 0)
            node.answer = answer
            (self._maker if maker_moves else self._breaker)[key] = node

    def _new(self, key: Key, single: Mask, least: int) -> WeakNode:
        """Return a new node, by the member of one cell that Maker takes next, else by the weight that pairs leave."""
        if single:
            return WeakNode(key, INFINITE, 0, single)
        whole = self._whole
        if least < whole:
            return HELD
        return WeakNode(key, max(1, (10 * least - 9 * whole) * STEEPNESS // (10 * whole) + 1), 1)

    def _count(self) -> None:
        """Count a node that is opened, or raise _Spent."""
        if self._stop is not None and self.opened >= self._stop:
            raise _Spent
        if self.opened % LOOK == 0:
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise _Spent
            self._progress(
                self.opened, 0, f"positions opened (to prove {self._root.proof:,}, to disprove {self._root.disproof:,})"
            )
        self.opened += 1

    # Breaker moves

    def _defend(self, node: WeakNode, proof_limit: int, disproof_limit: int) -> None:
        """Search a node with Breaker to move until it is settled or one of its numbers reaches its limit."""
        if node.is_settled or node.proof >= proof_limit or node.disproof >= disproof_limit:
            return
        if node.moves is None:
            self._open_breaker(node)
        while True:
            kids = self._breaker_kids(node)
            if kids is None:
                return
            kids.sort(key=attrgetter("proof"))
            best = kids[0]
            node.proof, node.disproof = best.proof, min(INFINITE, sum([kid.disproof for kid in kids]))
            if node.proof >= proof_limit or node.disproof >= disproof_limit:
                return
            second = kids[1].proof if len(kids) > 1 else INFINITE
            most = min(proof_limit, second + 1 + second // SLACK)
            self._press(best, most, disproof_limit - node.disproof + best.disproof)

    def _open_breaker(self, node: WeakNode) -> None:
        self._count()
        single = mask_of(member.bit_length() - 1 for member in self.tools.family(node.key) if not member & (member - 1))
        if single:
            node.zone, node.must = single, single
        node.moves = list(cells_of(single)) or self.tools.moves(node.key)

    def _breaker_kids(self, node: WeakNode) -> list[WeakNode] | None:
        """Return what the moves to be tried now lead to, unsettled all of them; None where the node is settled."""
        found: list[WeakNode] = []
        assert node.moves is not None
        place = 0
        while place < len(node.moves) and len(found) < WIDTH:
            cell = node.moves[place]
            if cell not in node.kids:
                key, element, single, least = self.tools.answer(node.key, cell)
                met = self._maker.get(key)
                if met is None:
                    met = self._maker[key] = self._new(key, single, least)
                node.kids[cell] = met, element
            kid, element = node.kids[cell]
            if not kid.proof:
                node.answer = cell
                node.settle(0, INFINITE)
                return None
            if not kid.disproof:
                zone = self.tools.cells_before(kid.zone, element)
                node.zone |= zone
                node.must &= zone
                del node.kids[cell]
                node.moves = [move for move in node.moves if node.must >> move & 1]
                found, place = [], 0
                continue
            found.append(kid)
            place += 1
        if not found:
            node.settle(INFINITE, 0)
            return None
        return found

    # Maker moves

    def _press(self, node: WeakNode, proof_limit: int, disproof_limit: int) -> None:
        """Search a node with Maker to move until it is settled or one of its numbers reaches its limit."""
        if node.is_settled or node.proof >= proof_limit or node.disproof >= disproof_limit:
            return
        if node.moves is None and not self._open_maker(node):
            return
        while True:
            kids = self._maker_kids(node)
            if kids is None:
                return
            best, second = kids[0], INFINITE
            total = 0
            for kid in kids:
                total += kid.proof
                if kid is best:
                    continue
                if (kid.disproof, -kid.proof) < (best.disproof, -best.proof):
                    best, second = kid, best.disproof
                elif kid.disproof < second:
                    second = kid.disproof
            node.proof, node.disproof = min(total, INFINITE - 1), best.disproof
            if node.proof >= proof_limit or node.disproof >= disproof_limit:
                return
            most = min(disproof_limit, second + 1 + second // SLACK)
            self._defend(best, proof_limit - node.proof + best.proof, most)

    def _open_maker(self, node: WeakNode) -> bool:
        """Look at the replies to Maker's moves; return whether the node is still unsettled."""
        self._count()
        kids: dict[Cell, tuple[WeakNode, int]] = {}
        met: set[Key] = set()
        for cell, key, element, least, fork in self.tools.replies(node.key):
            if fork:
                self._maker_wins(node, cell, fork)
                return False
            kid = self._breaker.get(key)
            if kid is None:
                kid = self._breaker[key] = self._new(key, 0, least)
            if not kid.disproof:
                self._maker_wins(node, cell, self.tools.cells_before(kid.zone, element))
                return False
            if kid.proof and key not in met:
                met.add(key)
                kids[cell] = kid, element
        node.moves, node.kids = list(kids), kids
        return True

    def _maker_kids(self, node: WeakNode) -> list[WeakNode] | None:
        """Return what Maker's moves lead to that Breaker has not answered yet; None where the node is settled."""
        found: list[WeakNode] = []
        for cell, (kid, element) in list(node.kids.items()):
            if not kid.disproof:
                self._maker_wins(node, cell, self.tools.cells_before(kid.zone, element))
                return None
            if kid.proof:
                found.append(kid)
            else:
                del node.kids[cell]
        if not found:
            node.settle(0, INFINITE)
            return None
        return found

    def _maker_wins(self, node: WeakNode, cell: Cell, zone: Mask) -> None:
        node.zone = zone | 1 << cell
        node.settle(INFINITE, 0)
