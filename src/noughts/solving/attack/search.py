"""Nodes of the proof-number search for a win, and how their numbers follow from what is known of the moves."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from noughts.kernels.search import replies as quiet
from noughts.kernels.search import threats as field
from noughts.machine.workers import Progress, silent
from noughts.rules.marks import Cell
from noughts.solving.attack.board import AttackBoard, Lookahead, Picture

INFINITE = 1 << 40
REST = 1_000_000
"""The proof number of moves that were not tried yet, the attacker having others: these are gone into first."""
AFTER_QUIET, AFTER_OPEN = 3, 20
"""The proof number of a position that was not opened yet, after a move that threatens some sequence, and any other."""
FIRST_TURN = 16
"""After so many positions opened below one it is asked again."""


class AttackingMove:
    """A move of the attacker: children are listed when it is first followed."""

    __slots__ = ("cell", "children", "disproof", "kind", "proof", "replies")

    def __init__(self, cell: Cell, kind: int, replies: tuple[Cell, ...]) -> None:
        self.cell, self.kind, self.replies = cell, kind, replies
        self.proof, self.disproof = (0, INFINITE) if kind == quiet.WON else (len(replies) * likely(kind), 1)
        self.children: list[AttackedNode] | None = None


class AttackedNode:
    """A position with the attacker to move; `tries` is None until it is opened, `rest` what is to be tried later.

    Where plain search tells that it is won `tries` is None, too, unless it is to be `shown` how. `below` counts the
    positions opened below it.
    """

    __slots__ = ("below", "disproof", "next_look", "picture", "proof", "rest", "shown", "tries")

    def __init__(self, picture: Picture, proof: int = 1) -> None:
        self.picture, self.proof, self.disproof = picture, proof, 1
        self.tries: list[AttackingMove] | None = None
        self.rest: list[Cell] = []
        self.below, self.next_look = 0, FIRST_TURN
        self.shown = False

    def settle(self, move: Cell | None) -> None:
        """Take it for won by a move, or for lost."""
        if move is None:
            self.proof, self.disproof, self.tries, self.rest = INFINITE, 0, [], []
        else:
            self.proof, self.disproof, self.tries = 0, INFINITE, [AttackingMove(move, quiet.WON, ())]

    def winner(self) -> AttackingMove:
        """Return the move that wins, of a position that is won."""
        return next(move for move in self.tries or () if move.proof == 0)


def likely(kind: int) -> int:
    """Return the proof number with which a position after a move of a kind begins."""
    return AFTER_OPEN if kind == quiet.OPEN else AFTER_QUIET


def promise(move: AttackingMove) -> tuple[int, int]:
    """Return a key that puts first the move that is proved soonest."""
    return move.proof, move.disproof


def doubt(node: AttackedNode) -> tuple[int, int]:
    """Return a key that puts first the position that is disproved soonest."""
    return node.disproof, -node.proof


def update(node: AttackedNode) -> None:
    """Bring proof and disproof numbers up to date with what is known of the moves."""
    if node.tries is None:
        return
    proof, hardest, open_moves = INFINITE, 0, 0
    for move in node.tries:
        if move.children is not None:
            _weigh(move)
        proof = min(proof, move.proof)
        if move.disproof:
            hardest = max(hardest, move.disproof)
            open_moves += 1
    if node.rest:
        proof = min(proof, REST)
        hardest = max(hardest, 1)
        open_moves += 1
    disproof = hardest + open_moves - 1 if open_moves else 0
    node.proof, node.disproof = (0, INFINITE) if proof == 0 else (proof if disproof else INFINITE, disproof)


def _weigh(move: AttackingMove) -> None:
    """Bring a move's numbers up to date with those of the positions after its replies."""
    assert move.children is not None
    total = sum([child.proof for child in move.children])
    disproof = min([INFINITE, *[child.disproof for child in move.children]])
    if disproof == 0:
        move.proof, move.disproof = INFINITE, 0
    elif total:
        move.proof, move.disproof = min(total, INFINITE - 1), disproof
    else:
        move.proof, move.disproof = 0, INFINITE


# Proof-number search for a win: the attacker's moves are weighed by the replies that threat sequences leave open.
#
# Allis (1994) for the search; of the positions only their pictures are kept, so that marks of no use do not tell them
# apart. A node is a position with the attacker to move. The proof number of a move is the sum of those of its replies;
# its disproof number that of the reply that refutes it soonest. Where a position is opened it begins with what such
# positions take on average, so that a move does not look worse the more is known of it.

WIDTH = 12
"""So many moves are tried at a time, best first; no more than BATCH."""
FORCED, FORCED_MORE = 1.5, 3
"""What a forcing move leaves is about as hard as what it was played in: so many times the easiest move, and so much."""
GLANCE, LOOK = 500, 3000
"""Positions of plain search before a position is opened, and after."""
GROWTH, SHARE = 3, 10_000
"""After FIRST_TURN positions opened below one it is asked again, SHARE for each; then after GROWTH times as many."""
RECALL = 5000
"""Positions that plain search needs at most to tell again what it has just found."""


class AttackSearch:
    """Tells whether the attacker wins a position by moves that leave few replies, and by which.

    `opened` counts the attacker's positions. What has been settled is kept, 1 to 5 kB a position.
    """

    def __init__(
        self,
        arena: AttackBoard,
        *,
        progress: Progress = silent,
        lookahead: Lookahead | None = None,
        known: Mapping[Picture, Cell | None] | None = None,
    ) -> None:
        self.arena = arena
        self.opened = 0
        self.progress = progress
        self.lookahead = lookahead or Lookahead(arena.board)
        self._known = known or {}
        self._nodes: dict[Picture, AttackedNode] = {}

    def wins(self, picture: Picture, *, limit: int | None = None, deadline: float | None = None) -> bool | None:
        """Tell whether the attacker, to move, wins a canonical picture.

        None after `limit` positions without an answer, or soon after the deadline on the monotonic clock. False is
        exact: no move wins.
        """
        root = self._node(picture)
        stop = None if limit is None else self.opened + limit
        while root.proof and root.disproof:
            if (stop is not None and self.opened >= stop) or (deadline is not None and time.monotonic() > deadline):
                return None
            if self.opened & 255 == 0:
                self.progress(
                    self.opened, 0, f"positions opened (to prove {root.proof:,}, to disprove {root.disproof:,})"
                )
            self._step(root)
        return root.proof == 0

    def opened_below(self, picture: Picture) -> int:
        """Return about how many positions were opened below a canonical picture."""
        return self._nodes[picture].below if picture in self._nodes else 0

    def winning_move(self, picture: Picture) -> Cell | None:
        """Return the move that was found to win a canonical picture, which plain search may have to be shown."""
        node = self._nodes.get(picture)
        if node is None or node.proof:
            return None
        if not node.tries:
            self._show(node)
        return node.winner().cell

    def _show(self, node: AttackedNode) -> None:
        """Find a winning move in a position that plain search found to be won."""
        node.shown, node.proof, node.disproof, node.below, node.next_look = True, 1, 1, 0, FIRST_TURN
        while node.proof:
            self._step(node)

    def won(self) -> Iterator[tuple[Picture, Cell]]:
        """Yield the canonical pictures found to be won, each with the move, for a later search."""
        for picture, node in self._nodes.items():
            if node.proof == 0 and node.tries:
                yield picture, node.winner().cell

    def lost(self) -> Iterator[Picture]:
        """Yield the canonical pictures in which no move was found to win."""
        return (picture for picture, node in self._nodes.items() if node.disproof == 0)

    def learn(self, won: Iterable[tuple[Picture, Cell]], lost: Iterable[Picture] = ()) -> None:
        """Take over the won and lost canonical pictures of another search of this board."""
        for picture, cell in won:
            self._node(picture).settle(cell)
        for picture in lost:
            self._node(picture).settle(None)

    def found(self, root: Picture) -> dict[Picture, Cell | None]:
        """Return the canonical pictures that were settled and not known before, each with the winning move or None.

        They include the root if it is settled. For each won picture they include the positions after the move and any
        reply, unless these were known before. They leave out other pictures that only plain search has won.
        """
        found: dict[Picture, Cell | None] = {}
        nodes = self._nodes.items()
        left = [node for picture, node in nodes if node.proof == 0 and (node.tries or picture == root)]
        while left:
            node = left.pop()
            if node.picture not in found and node.picture not in self._known:
                if not node.tries:
                    self._show(node)
                move = node.winner()
                found[node.picture] = move.cell
                left += move.children or ()
        return found | {picture: None for picture in self.lost() if picture not in self._known}

    def _node(self, picture: Picture, proof: int = 1) -> AttackedNode:
        node = self._nodes.get(picture)
        if node is None:
            node = self._nodes[picture] = AttackedNode(picture, proof)
            if picture in self._known:
                node.settle(self._known[picture])
        return node

    def _step(self, root: AttackedNode) -> None:
        """Open the position that would prove most, and bring those that led to it up to date."""
        path = [root]
        node = root
        while node.tries is not None:
            update(node)
            if not node.proof or not node.disproof:
                break
            move = min((move for move in node.tries if move.disproof), key=promise, default=None)
            if move is None or (node.rest and move.proof > REST):
                self._widen(node)
                break
            if move.children is None:
                self._follow(node, move)
                continue
            node = min((child for child in move.children if child.proof), key=doubt)
            path.append(node)
        else:
            self._open(node)
        for node in reversed(path):
            update(node)
            node.below += 1
            if node.below > node.next_look and node.proof and node.disproof:
                node.next_look *= GROWTH
                self._look(node, node.below * SHARE)

    def _open(self, node: AttackedNode) -> None:
        self.opened += 1
        node.tries = []
        if not node.shown and self._look(node, GLANCE):
            return
        node.rest = self.arena.candidates(np.frombuffer(node.picture, np.int8))
        if node.rest:
            self._widen(node)
        if not node.shown and all(move.proof for move in node.tries):
            self._look(node, LOOK)

    def _look(self, node: AttackedNode, limit: int) -> bool:
        """Ask plain search who wins a position; return whether that has settled it."""
        found = self.lookahead.wins(np.frombuffer(node.picture, np.int8), moves=True, limit=limit)
        if found is None:
            return False
        if not found:
            node.settle(None)
        elif node.shown:
            self._take_apart(node, limit)
        else:
            node.proof, node.disproof, node.tries, node.rest = 0, INFINITE, None, []
        return node.proof == 0 or node.disproof == 0

    def _take_apart(self, node: AttackedNode, limit: int) -> None:
        """Find the move by which plain search has just won a position: the answers to it are known, or soon found."""
        while node.rest:
            self._widen(node)
        assert node.tries is not None
        for move in sorted(node.tries, key=promise):
            owner = np.frombuffer(node.picture, np.int8).copy()
            owner[move.cell] = field.ATTACKER
            if self.lookahead.wins(owner, moves=False, limit=RECALL):
                if move.children is None:
                    self._follow(node, move)
                assert move.children is not None
                if all(not child.proof or self._look(child, limit) for child in move.children):
                    break
        update(node)

    def _widen(self, node: AttackedNode) -> None:
        """Try the next few moves."""
        assert node.tries is not None
        owner = np.frombuffer(node.picture, np.int8)
        now, node.rest = node.rest[:WIDTH], node.rest[WIDTH:]
        tried = self.arena.attempt(owner, self.arena.unlike(owner, now))
        moves = [AttackingMove(trial.cell, trial.kind, trial.replies) for trial in tried if trial.kind != quiet.LOSES]
        if moves and moves[-1].kind == quiet.WON:
            node.tries, node.rest = [moves[-1]], []
            return
        fewest = min((move.proof for move in moves if move.kind != quiet.FORCES), default=0)
        for move in moves:
            if move.kind == quiet.FORCES:
                move.proof = int(fewest * FORCED) + FORCED_MORE
        node.tries += moves

    def _follow(self, node: AttackedNode, move: AttackingMove) -> None:
        """List the positions after the replies to a move."""
        owner = np.frombuffer(node.picture, np.int8).copy()
        owner[move.cell] = field.ATTACKER
        begins = move.proof if move.kind == quiet.FORCES else likely(move.kind)
        pictures = dict.fromkeys(self.arena.after(owner, move.replies, field.DEFENDER))
        move.children = [self._node(picture, begins) for picture in pictures]
