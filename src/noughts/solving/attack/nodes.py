"""Nodes of the proof-number search for a win, and how their numbers follow from what is known of the moves."""

from __future__ import annotations

from noughts.domain.bits import Cell
from noughts.kernels.search import quiet
from noughts.solving.attack.arena import Picture

__all__ = ["FIRST_TURN", "INFINITE", "REST", "AttackedNode", "AttackingMove", "doubt", "likely", "promise", "update"]

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
            self.proof, self.disproof, self.tries = INFINITE, 0, []
        else:
            self.proof, self.disproof, self.tries = 0, INFINITE, [AttackingMove(move, quiet.WON, ())]


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
