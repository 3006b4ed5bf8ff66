"""A win by threats as lines of text, which a judge reads."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.domain.position import Player, Position
from noughts.domain.symmetry import Permutation, compose, is_identity
from noughts.solving.attack.arena import symmetries
from noughts.solving.attack.tree import AttackTree

__all__ = ["certificate", "generators"]


def certificate(tree: AttackTree, position: Position, attacker: Player) -> Iterator[str]:
    """Yield the certificate that a player wins a position, line by line."""
    yield "noughts proof 1"
    yield f"board {position.board}"
    if position.ply:
        yield f"from {position}"
    yield f"claim {attacker} wins"
    few = generators(symmetries(position.board))
    if few:
        yield "symmetries"
        for permutation in few:
            yield " ".join(map(str, permutation))
    yield f"win {attacker}"
    yield from tree.text()


def generators(elements: tuple[Permutation, ...]) -> list[Permutation]:
    """Return some elements of a group that generate it: each is none of those that the others before it generate."""
    found: list[Permutation] = []
    known = {element for element in elements if is_identity(element)}
    for element in elements:
        if element not in known:
            found.append(element)
            fresh = known
            while fresh:
                fresh = {compose(one, by) for one in fresh for by in found} - known
                known = known | fresh
    return found
