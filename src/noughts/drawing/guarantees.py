"""The picture of a strategy that makes sure of something: one move of its player, all replies, and what it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.domain.cells import cell_name
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture
from noughts.drawing.verdicts import key_words

if TYPE_CHECKING:
    from noughts.strategy.guarantee import Guarantee

__all__ = ["guarantee_picture"]


def guarantee_picture(found: Guarantee) -> TreePicture:
    """Return the strategy as a tree of boards, moves on the links, endings under the boards that settle them."""
    tree = found.tree
    shown = tree.placed()
    nodes = [
        TreeBoard(
            node.id,
            marks_of(shown[node.id][0]),
            "" if node.end is None else node.outcome or "",
            [] if node.end is None else [_ending(e) for e in found.endings[node.id]],
            last=shown[node.id][1],
            lines=lines_of(shown[node.id][0]),
        )
        for node in tree.nodes
    ]
    links = []
    for link in tree.links:
        cell = shown[link.target][1]
        assert cell is not None
        links.append(TreeLink(link.source, link.target, link.moves.bit_count(), cell_name(tree.board, cell)))
    start = "" if not found.start.ply else f" from {found.start}"
    title = f"{tree.board}: {found.player} {found.purpose}{start}"
    other = "O" if found.player == "X" else "X"
    note = (
        f"{len(nodes):,} boards: one move of {found.player} at each turn, every reply of {other} up to symmetry, "
        "as far as the ending is open"
    )
    return TreePicture(shape_of(tree.board), nodes, links, title, note, words=key_words(nodes))


def _ending(ending: str) -> str:
    return f"{ending} wins" if ending in ("X", "O") else ending
