"""A tree as a picture: cards with boards on them, links, and what the shapes of the frames mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from noughts.drawing.board import Frame, draw_cells, draw_dot, draw_small_names, position_text, shapes
from noughts.drawing.glyphs import number, text_width
from noughts.drawing.layout import WIDEST_LANE, Forest, Measures, Placed, arrange, best_stack, joins
from noughts.drawing.svg import Canvas, Svg, paper_size
from noughts.drawing.tree import TreeBoard, TreePicture, tree_text

CAPTION = 7.8
SMALL = 5.6
_PAD = 6.0
_REFERENCES = 40.0
_HEAVY = 3.6
_LINE = 12.5
MARGIN = 24.0
HEAD = 50.0
FOOT = 52.0


def measures(tree: TreePicture, cell: float = 15.0) -> Measures:
    """Sizes of the cards, wide enough for the widest caption."""
    frame = Frame(tree.shape, 0, 0, cell, cell * 0.5)
    lines = max((len(node.captions) + bool(node.page) for node in tree.nodes), default=0)
    widest = max((text_width(text, CAPTION) for node in tree.nodes for text in node.captions), default=0.0)
    width = max(frame.width, widest) + 2 * _PAD
    words = max((len(_wrapped(found)) for found in _references(tree).values()), default=0)
    room = 33.0 if any(link.label for link in tree.links) else 26.0
    height, below = frame.height + 2 * _PAD + lines * _LINE, room + words * 1.5 * (SMALL + 2)
    if not tree.joined:
        return Measures(width, height, below=below)
    between = WIDEST_LANE + 3.0  # the lines that join boards run here
    return Measures(width, height, beside=between, below=max(below, 2 * between), stacked=between)


def forest(tree: TreePicture, size: Measures) -> Forest:
    """What there is to lay out: the links that carry, and the room for the references to symmetric boards."""
    words = {}
    for node, found in _references(tree).items():
        lines = _wrapped(found)
        words[node] = (max(text_width(line, SMALL) for line in lines) + 6, len(lines) * (SMALL + 2) + 4)
    return Forest(tree.roots, tree.children, words)


def draw_tree(tree: TreePicture, theme: str = "light", ratio: float = 1.414, cell: float = 15.0) -> Svg:
    """The tree as one picture, its stacks of leaves as high as fits a page of this ratio of width to height best."""
    size = measures(tree, cell)
    woods = forest(tree, size)
    placed = arrange(woods, size, best_stack(woods, size, ratio))
    return draw_placed(tree, placed, size, theme, cell)


def draw_placed(tree: TreePicture, placed: Placed, size: Measures, theme: str, cell: float) -> Svg:
    """The tree with its nodes in given places."""
    canvas = Canvas(theme)
    left, top = MARGIN, MARGIN + HEAD
    width = max(
        placed.width + 2 * MARGIN, _legend(None, tree, 0, 0) + 2 * MARGIN, text_width(tree.title, 12) + 2 * MARGIN
    )
    width = max(width, text_width(tree.note, 7) + 2 * MARGIN)
    height = placed.height + 2 * MARGIN + HEAD + FOOT
    left += (width - 2 * MARGIN - placed.width) / 2
    corners = {node: (x + left, y + top) for node, (x, y) in placed.corners.items()}
    canvas.text(MARGIN, MARGIN + 12, tree.title, 12, anchor="start", bold=True)
    canvas.text(MARGIN, MARGIN + 28, tree.note, 7, role="soft", anchor="start")
    if tree.joined:
        pairs = [(ln.source, ln.target) for ln in tree.symmetric if ln.source in corners and ln.target in corners]
        for join in joins(corners, pairs, size):
            canvas.line(join, "second", 1.0, "4 3")
    for bar in placed.bars:
        canvas.line([(x + left, y + top) for x, y in bar], "soft", 1.2)
    for link in tree.carried:
        if link.best and link.target in placed.ways:
            canvas.line([(x + left, y + top) for x, y in placed.ways[link.target]], "ink", _HEAVY)
    numbered = {link.target for link in tree.symmetric} | tree.numbered
    away = _references(tree)
    for node in tree.nodes:
        _card(canvas, tree, node, corners[node.id], size, cell, node.id in numbered, away.get(node.id, []))
    for link in tree.carried:
        if link.times > 1 or link.label:
            x, y = corners[link.target]
            words = f"{link.label} ×{link.times}".strip() if link.times > 1 else link.label
            way = placed.ways.get(link.target)
            beside = way is not None and way[-2][0] + left < x  # hangs on a bar at its left
            own = (
                text_width(f"#{link.target}", SMALL) if link.target in numbered else 0.0
            )  # the number stands at the left
            x += max(own, 0.0 if beside else size.card_width / 2) + 3
            _label(canvas, x, _above(tree.by_id[link.target], y), words, "soft")
    _legend(canvas, tree, MARGIN, height - MARGIN - 12)
    return canvas.picture(width, height, tree.title or "Tree", tree_text(tree))


def _references(tree: TreePicture) -> dict[int, list[str]]:
    """For each source of symmetric links the numbers it leads to, with the page where that is another.

    A star is at those that a best game goes to.
    """
    found: dict[int, list[str]] = {}
    for link in tree.symmetric:
        page = tree.places.get(link.target, 0)
        word = f"#{link.target}" + (f" p. {page}" if page else "") + "*" * link.best
        if link.source in tree.by_id and word not in found.setdefault(link.source, []):
            found[link.source].append(word)
    return found


def _card(
    canvas: Canvas,
    tree: TreePicture,
    node: TreeBoard,
    corner: tuple[float, float],
    size: Measures,
    cell: float,
    numbered: bool,
    away: list[str],
) -> None:
    x, y = corner
    said = ", ".join([*node.captions, *["best game"] * node.best]) or "open"
    canvas.open_group(f"{position_text(tree.shape, node.marks)}: {said}")
    _frame(canvas, node.outcome, node.fork, x, y, size.card_width, size.card_height, node.best)
    frame = Frame(tree.shape, 0, 0, cell, cell * 0.5)
    frame = Frame(tree.shape, x + (size.card_width - frame.width) / 2, y + _PAD, cell, cell * 0.5)
    draw_cells(canvas, frame, node.marks, node.lines, node.last)
    if tree.names and node.id in tree.roots:
        blanks = [cell for cell, mark in enumerate(node.marks) if mark == "." and cell != node.call]
        draw_small_names(canvas, frame, blanks)
    if node.call is not None:
        draw_dot(canvas, *frame.centre(node.call), cell)
    base = y + _PAD + frame.height
    texts = [*node.captions, *([f"→ page {node.page}"] if node.page else [])]
    for i, text in enumerate(texts):
        canvas.text(x + size.card_width / 2, base + (i + 1) * _LINE - 0.6, text, CAPTION)
    if numbered:
        _label(canvas, x, _above(node, y), f"#{node.id}", "second")
    for i, text in enumerate(_wrapped(away)):
        line = y + size.card_height + 3 + (i + 1) * (SMALL + 2)
        _label(canvas, x + size.card_width / 2 + 3, line, text, "second")
    canvas.close_group()


def _above(node: TreeBoard, y: float) -> float:
    """The line on which the words above a card stand, clear of the second frame of a fork."""
    return y - (7.0 if node.fork else 3.4) - (3.4 if node.best else 0.0)


def _label(canvas: Canvas, x: float, y: float, text: str, role: str) -> None:
    """A small text on a patch of paper, so that the links behind it do not cross the letters."""
    canvas.rectangle(x - 1, y - SMALL - 0.8, text_width(text, SMALL) + 2, SMALL + 1.6, fill="paper")
    canvas.text(x, y, text, SMALL, role=role, anchor="start")


def _wrapped(words: Sequence[str]) -> list[str]:
    """References in lines of a width that does not push the boards far apart."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else f"→ {word}"
        if lines and text_width(longer, SMALL) > _REFERENCES:
            lines.append(word)
        else:
            lines[-1:] = [longer]
    return lines


def _frame(
    canvas: Canvas, outcome: str, fork: bool, x: float, y: float, width: float, height: float, best: bool = False
) -> None:
    """The frame tells the outcome by its shape: sharp and thick X, round O, dashed a draw, thin and grey open.

    A fork has a second, thin frame, and a board of a best game a heavy one.
    """
    if best:
        canvas.rectangle(x - 2.8, y - 2.8, width + 5.6, height + 5.6, stroke="ink", pen=_HEAVY, radius=4)
    outcome_frame(canvas, outcome, x, y, width, height)
    if fork:
        out = 6.4 if best else 3.4
        canvas.rectangle(x - out, y - out, width + 2 * out, height + 2 * out, stroke="ink", pen=1.0, radius=out + 0.6)


def outcome_frame(
    canvas: Canvas, outcome: str, x: float, y: float, width: float, height: float, scale: float = 1.0
) -> None:
    """Draw the frame that tells an outcome, X, O, draw or none for open, its pens this many times as wide."""
    if outcome == "X":
        canvas.rectangle(x, y, width, height, stroke="x", fill="x-tint", pen=2.4 * scale)
    elif outcome == "O":
        radius = min(width, height) * 0.22
        canvas.rectangle(x, y, width, height, stroke="o", fill="o-tint", pen=2.4 * scale, radius=radius)
    elif outcome == "draw":
        dash = f"{number(5 * scale)} {number(3 * scale)}"
        canvas.rectangle(
            x, y, width, height, stroke="ink", fill="draw-tint", pen=1.4 * scale, radius=3 * scale, dash=dash
        )
    else:
        canvas.rectangle(x, y, width, height, stroke="faint", fill="paper", pen=scale, radius=3 * scale)


def _legend(canvas: Canvas | None, tree: TreePicture, x: float, y: float) -> float:
    """Draw the key of frames and links, or with no canvas only measure it; return its width."""
    start = x
    kinds = {node.outcome for node in tree.nodes}
    for outcome in ("X", "O", "draw", ""):
        if outcome in kinds and tree.words.get(outcome):
            if canvas:
                _frame(canvas, outcome, False, x, y - 10, 22, 16)
                canvas.text(x + 30, y + 1.5, tree.words[outcome], 7, anchor="start")
            x += 30 + text_width(tree.words[outcome], 7) + 24
    entries = [("fork", "fork: two threats")] * any(node.fork for node in tree.nodes)
    starred = "; at * it goes on elsewhere" if any(link.best for link in tree.symmetric) else ""
    entries += [("best", tree.best + starred)] * bool(tree.best)
    entries += [("call", tree.call)] * bool(tree.call)
    entries += [("link", "the same board, turned or mirrored, drawn elsewhere")] * bool(tree.symmetric)
    for kind, text in entries:
        if canvas and kind == "fork":
            _frame(canvas, "", True, x + 4, y - 9, 18, 14)
        elif canvas and kind == "call":
            draw_dot(canvas, x + 20, y - 2, 15.0)
        elif canvas and kind == "best":
            _frame(canvas, "", False, x + 4, y - 9, 18, 14, best=True)
        elif canvas and tree.joined:
            canvas.path(f"M{number(x)} {number(y - 2)}L{number(x + 24)} {number(y - 2)}", stroke="second", dash="4 3")
        elif canvas:
            canvas.text(x + 24, y + 1.5, "→ #", 7, role="second", anchor="end")
        if canvas:
            canvas.text(x + 32, y + 1.5, text, 7, anchor="start")
        x += 32 + text_width(text, 7) + 24
    return x - start - 24


# A tree cut into pages: every page is a tree by itself, and a board whose branch goes on says on which page.
#
# No board is ever cut by the edge of a page. Pages are filled from the top: as many levels of a branch as fit at the
# wanted scale, then each branch that was left on a page of its own, small ones together.

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


# A tree of boards for a web page: every board a link, with what a script needs to fold branches and to light them.
#
# Shapes have classes and no colours: the style sheet of the page has these. Without it they are outlines. Groups have
# the number of their board, of that above them, and of those that are the same elsewhere.

_CELL = 14.0
_MARGIN = 24.0
_STACKED = 300
"""Boards up to which the height of stacks is chosen for the shape of the page."""


def draw_live_tree(tree: TreePicture, to: Callable[[int], str | None]) -> str:
    """Return a tree as an inline SVG element; `to` gives the link of a board by its number, None where it has none."""
    size = measures(tree, _CELL)
    woods = forest(tree, size)
    placed = arrange(woods, size, best_stack(woods, size, 1.8) if len(tree.nodes) <= _STACKED else 6)
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN + 12
    above = {link.target: link.source for link in tree.carried}
    best = {(link.source, link.target) for link in tree.links if link.best}
    numbered = {link.target for link in tree.symmetric}
    ways = [
        f'<path class="way{" best" * ((above[child], child) in best)}" data-to="{child}" d="{_path(points)}"/>'
        for child, points in placed.ways.items()
    ]
    nodes = [
        _node(tree, node, _Place(placed.corners[node.id], size, above.get(node.id), to(node.id)), numbered)
        for node in tree.nodes
    ]
    head = (
        f'<svg class="live-tree" xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(width)} {number(height)}" role="group" aria-label="{escape(tree.title)}" fill="none" '
        'stroke="currentColor">'
    )
    return "\n".join([head, f'<g class="ways">{"".join(ways)}</g>', *nodes, "</svg>"])


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x + _MARGIN)} {number(y + _MARGIN)}" for x, y in points)


@dataclass(frozen=True)
class _Place:
    """Where a board stands, how large its card is, the board above it, and where it leads."""

    corner: tuple[float, float]
    size: Measures
    above: int | None
    to: str | None


def _node(tree: TreePicture, node: TreeBoard, place: _Place, numbered: set[int]) -> str:
    """Return a board as a group: its frame and marks in a link, its number, and those of the same boards elsewhere."""
    x, y = (number(at + _MARGIN) for at in place.corner)
    said = ", ".join([*node.captions, *["best game"] * node.best]) or "open"
    label = escape(f"{position_text(tree.shape, node.marks)}: {said}")
    same = sorted({link.target for link in tree.symmetric_from.get(node.id, ())})
    kind = {"X": "of-x", "O": "of-o", "draw": "of-draw"}.get(node.outcome, "of-none")
    classes = " ".join(["node", kind, *["fork"] * node.fork, *["best"] * node.best])
    data = f'id="n{node.id}" data-node="{node.id}"'
    data += f' data-above="{place.above}"' if place.above is not None else ""
    data += f' data-same="{" ".join(map(str, same))}"' if same else ""
    begin, end = "<g>", "</g>"
    if place.to:
        begin, end = f'<a href="{escape(place.to)}" tabindex="-1" aria-label="{label}">', "</a>"
    parts = [begin, f"<title>{label}</title>", _card_livetree(tree, node, place.size), end]
    if node.id in numbered:
        parts.append(f'<text class="number" x="0" y="-5">#{node.id}</text>')
    parts += _at_foot(place.size, same, bool(tree.children.get(node.id)))
    return f'<g class="{classes}" {data} transform="translate({x} {y})">{"".join(parts)}</g>'


def _at_foot(size: Measures, same: list[int], has_children: bool) -> Iterator[str]:
    """Yield what stands at the foot of a card: links to the same boards elsewhere, and what folds the branch."""
    middle, foot = size.card_width / 2, size.card_height
    if same:
        words = "".join(f'<a href="#n{each}" tabindex="-1">#{each}</a> ' for each in same)
        yield f'<text class="number" x="{number(middle + 8)}" y="{number(foot + 10)}">= {words}</text>'
    if has_children:
        place = f'transform="translate({number(middle)} {number(foot + 5)})"'
        yield f'<g class="fold" {place}><circle r="5.5"/><path d="M-3 0h6"/><path class="more" d="M0 -3v6"/></g>'


def _card_livetree(tree: TreePicture, node: TreeBoard, size: Measures) -> str:
    """Return the frame, the board and the captions: sharp corners for X, round ones for O, dashes for a draw."""
    width, height = size.card_width, size.card_height
    radius = {"X": 0.0, "O": min(width, height) * 0.22}.get(node.outcome, 3.0)
    parts = []
    if node.best:
        parts.append(_rectangle("heavy", 3.0, width, height, 4.0))
    if node.fork:
        parts.append(_rectangle("second", 6.0 if node.best else 3.4, width, height, 4.0))
    parts.append(_rectangle("frame", 0.0, width, height, radius))
    frame = Frame(tree.shape, 0, 0, _CELL, _CELL * 0.5)
    board = shapes(tree.shape, node.marks, lines=node.lines, last=[] if node.last is None else [node.last])
    left = (width - frame.width) / 2
    parts.append(f'<g transform="translate({number(left)} {number(_PAD)}) scale({number(_CELL / 10)})">{board}</g>')
    for line, text in enumerate(node.captions, 1):
        base = number(_PAD + frame.height + line * _LINE - 0.6)
        parts.append(f'<text x="{number(width / 2)}" y="{base}">{escape(text)}</text>')
    return "".join(parts)


def _rectangle(name: str, out: float, width: float, height: float, radius: float) -> str:
    sides = (
        f'x="{number(-out)}" y="{number(-out)}" width="{number(width + 2 * out)}" height="{number(height + 2 * out)}"'
    )
    return f'<rect class="{name}" {sides} rx="{number(radius)}"/>'
