"""A tree cut into pages: every page is a tree by itself, and a board whose branch goes on says on which page.

No board is ever cut by the edge of a page. Pages are filled from the top: as many levels of a branch as fit at the
wanted scale, then each branch that was left on a page of its own, small ones together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from noughts.drawing.cards import FOOT, HEAD, MARGIN, draw_placed, forest, measures
from noughts.drawing.files import paper_size
from noughts.drawing.layout import Forest, Measures, Placed, arrange, best_stack
from noughts.drawing.svg import Svg
from noughts.drawing.tree import TreePicture

__all__ = ["tree_pages"]

SCALE = 0.26
"""Millimetres on paper for a picture unit: captions are then set in about 8 point."""
_PAGE_MARGIN = 10.0


def tree_pages(tree: TreePicture, paper: str = "a4", theme: str = "light", cell: float = 15.0) -> list[Svg]:
    """Return the pages of a tree in landscape. Cost: about pages times nodes of a page, squared."""
    # Room for the words that name pages is kept everywhere, as nobody knows yet where they will be needed.
    tree = replace(tree, nodes=[replace(node, page=0) for node in tree.nodes])
    full = replace(tree, nodes=[replace(n, page=99) for n in tree.nodes], places={n.id: 99 for n in tree.nodes})
    size = measures(full, cell)
    width, height = (side - 2 * _PAGE_MARGIN for side in paper_size(paper, landscape=True))
    room = (width / SCALE - 2 * MARGIN, height / SCALE - 2 * MARGIN - HEAD - FOOT)
    plans = _packed(_plan(full, size, room), full, size, room)
    pages = {root: number for number, plan in enumerate(plans, 1) for root in plan.roots}
    home = {node: number for number, plan in enumerate(plans, 1) for node in plan.nodes if node not in plan.cut}
    return [
        _draw(tree, plan, number, len(plans), pages, home, size, theme, cell) for number, plan in enumerate(plans, 1)
    ]


class _Page:
    """The trees of one page: their roots, all nodes on it, and those whose branches go on elsewhere."""

    def __init__(self, roots: Sequence[int], nodes: set[int], cut: set[int]) -> None:
        self.roots, self.nodes, self.cut = list(roots), nodes, cut

    def forest(self, whole: Forest) -> Forest:
        children = {n: whole.children[n] for n in self.nodes - self.cut if whole.children.get(n)}
        return Forest(self.roots, children, {n: whole.words[n] for n in children if n in whole.words})


def _fits(woods: Forest, size: Measures, room: tuple[float, float]) -> tuple[bool, Placed]:
    placed = arrange(woods, size, best_stack(woods, size, room[0] / room[1]))
    return placed.width <= room[0] and placed.height <= room[1], placed


def _plan(tree: TreePicture, size: Measures, room: tuple[float, float]) -> list[_Page]:
    """Cut the tree: grow each page from its root, node by node in order of ply, while it fits."""
    whole, waiting, pages = forest(tree, size), list(tree.roots), []
    while waiting:
        root = waiting.pop(0)
        first = whole.children.get(root, [])
        nodes = {root, *first}
        page = _Page([root], nodes, {n for n in first if whole.children.get(n)})
        tried: set[int] = set()
        while candidates := [n for n in whole.children if n in page.cut and n not in tried]:
            node = candidates[0]
            tried.add(node)
            below = whole.children[node]
            grown = _Page(
                [root], page.nodes | set(below), page.cut - {node} | {n for n in below if whole.children.get(n)}
            )
            if _fits(grown.forest(whole), size, room)[0]:
                page = grown
        pages.append(page)
        waiting += [node.id for node in tree.nodes if node.id in page.cut]
    return pages


def _packed(pages: list[_Page], tree: TreePicture, size: Measures, room: tuple[float, float]) -> list[_Page]:
    """Put small pages together, in their order, as long as they fit side by side."""
    whole, packed = forest(tree, size), pages[:1]
    for page in pages[1:]:
        last = packed[-1]
        both = _Page(last.roots + page.roots, last.nodes | page.nodes, (last.cut | page.cut) - set(page.roots))
        # A page keeps its stubs: joining must not bring a branch back onto the page that sends the reader away.
        if not last.cut & set(page.roots) and _fits(both.forest(whole), size, room)[0]:
            packed[-1] = both
        else:
            packed.append(page)
    return packed


def _draw(
    tree: TreePicture,
    page: _Page,
    number: int,
    count: int,
    pages: dict[int, int],
    home: dict[int, int],
    size: Measures,
    theme: str,
    cell: float,
) -> Svg:
    nodes = [
        replace(node, page=pages[node.id] if node.id in page.cut else 0) for node in tree.nodes if node.id in page.nodes
    ]
    carried = {id(link) for link in tree.carried}
    inside = [ln for ln in tree.links if id(ln) in carried and ln.source in page.nodes - page.cut]
    aside = [ln for ln in tree.links if id(ln) not in carried and ln.source in page.nodes - page.cut]
    part = replace(
        tree,
        nodes=nodes,
        links=inside + aside,
        note=f"{tree.note}{'; ' if tree.note else ''}page {number} of {count}",
        numbered=frozenset({link.target for link in tree.symmetric} | set(pages) - set(tree.roots)) & page.nodes,
        places={node: home[node] for node in home if home[node] != number},
        best=tree.best if any(node.best for node in nodes) else "",
        apart=frozenset(page.roots),
    )
    woods = forest(part, size)
    woods = Forest(page.roots, woods.children, woods.words)
    placed = _fits(woods, size, (1.414, 1.0))[1]
    return draw_placed(part, placed, size, theme, cell)
