"""Trees as pictures: cards with boards on them, links, and a key to the shapes of the frames.

The picture is one sheet, or pages, or part of a web page. On pages, a board names the page that continues its branch.
On a web page, each board is a link and branches fold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape

from noughts.drawing.board import (
    Frame,
    Key,
    draw_cells,
    draw_dot,
    draw_keys,
    draw_small_names,
    keys_width,
    position_text,
    shapes,
)
from noughts.drawing.glyphs import number, text_width
from noughts.drawing.layout import Forest, Measures, Placed, Point, arrange, best_stack
from noughts.drawing.svg import Canvas, Svg, element, paper_size
from noughts.drawing.tree import TreeBoard, TreePicture, tree_text

_CELL = 15.0
CAPTION, SMALL = 7.8, 5.6
_PAD, _LINE = 6.0, 12.5
_REFERENCES = 40.0
_HEAVY = 3.6
MARGIN, HEAD, FOOT = 24.0, 50.0, 52.0


def measures(tree: TreePicture, cell: float = _CELL) -> Measures:
    """Return the sizes of the cards, wide enough for the widest caption."""
    frame = Frame(tree.shape, 0, 0, cell, cell * 0.5)
    lines = max((len(node.captions) + bool(node.page) for node in tree.nodes), default=0)
    widest = max((text_width(text, CAPTION) for node in tree.nodes for text in node.captions), default=0.0)
    words = max((len(_wrapped(found)) for found in _references(tree).values()), default=0)
    room = 33.0 if any(link.label for link in tree.links) else 26.0
    width, height = max(frame.width, widest) + 2 * _PAD, frame.height + 2 * _PAD + lines * _LINE
    stacked = 19.0 if any(node.fork for node in tree.nodes) else 15.0
    return Measures(width, height, below=room + words * 1.5 * (SMALL + 2), stacked=stacked)


def forest(tree: TreePicture, size: Measures) -> Forest:
    """Return the input of the layout: the tree's links, and the room for references to symmetric boards."""
    words = {}
    for node, found in _references(tree).items():
        lines = _wrapped(found)
        words[node] = (max(text_width(line, SMALL) for line in lines) + 6, len(lines) * (SMALL + 2) + 4)
    return Forest(tree.roots, tree.children, words)


def draw_tree(tree: TreePicture, theme: str = "light", ratio: float = 1.414) -> Svg:
    """Return the tree as one picture, its stacks of leaves as high as fits a page of this ratio of width to height."""
    size = measures(tree)
    woods = forest(tree, size)
    return _draw(tree, arrange(woods, size, best_stack(woods, size, ratio)), size, theme)


def _references(tree: TreePicture) -> dict[int, list[str]]:
    """For each source of symmetric links the numbers of its targets, with the page if it is another.

    A star marks the targets in a best game.
    """
    found: dict[int, list[str]] = {}
    for link in tree.symmetric:
        page = tree.places.get(link.target, 0)
        word = f"#{link.target}" + (f" p. {page}" if page else "") + "*" * link.best
        if link.source in tree.by_id and word not in found.setdefault(link.source, []):
            found[link.source].append(word)
    return found


def _wrapped(words: Sequence[str]) -> list[str]:
    """References in lines, narrow enough to keep the boards close together."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else f"→ {word}"
        if lines and text_width(longer, SMALL) > _REFERENCES:
            lines.append(word)
        else:
            lines[-1:] = [longer]
    return lines


def _draw(tree: TreePicture, placed: Placed, size: Measures, theme: str) -> Svg:
    """Return the tree with its nodes in given places."""
    canvas, keys = Canvas(theme), _keys(tree)
    widths = placed.width, keys_width(keys, 7), text_width(tree.title, 12), text_width(tree.note, 7)
    width, height = max(widths) + 2 * MARGIN, placed.height + 2 * MARGIN + HEAD + FOOT
    left, top = (width - placed.width) / 2, MARGIN + HEAD

    def moved(points: Sequence[Point]) -> list[Point]:
        return [(x + left, y + top) for x, y in points]

    corners = dict(zip(placed.corners, moved([*placed.corners.values()]), strict=True))
    canvas.text(MARGIN, MARGIN + 12, tree.title, 12, anchor="start", bold=True)
    canvas.text(MARGIN, MARGIN + 28, tree.note, 7, role="soft", anchor="start")
    for bar in placed.bars:
        canvas.line(moved(bar), "soft", 1.2)
    for link in tree.carried:
        if link.best and link.target in placed.ways:
            canvas.line(moved(placed.ways[link.target]), "ink", _HEAVY)
    cards = _Cards(canvas, tree, size)
    for node in tree.nodes:
        cards.draw(node, *corners[node.id])
    for link in tree.carried:
        words = f"{link.label} ×{link.times}".strip() if link.times > 1 else link.label
        if words:
            x, y = corners[link.target]
            way = placed.ways.get(link.target)
            beside = way is not None and way[-2][0] + left < x  # hangs on a bar at its left
            own = text_width(f"#{link.target}", SMALL) if link.target in cards.numbered else 0.0
            cards.label(x + max(own, 0.0 if beside else size.card_width / 2) + 3, _above(tree, link.target, y), words)
    draw_keys(canvas, keys, MARGIN, height - MARGIN - 14, 7)
    return canvas.picture(width, height, tree.title or "Tree", tree_text(tree))


def _above(tree: TreePicture, node: int, y: float) -> float:
    """The height of the words above a card, outside its further frames."""
    return y - (7.0 if tree.by_id[node].fork else 3.4) - (3.4 if tree.by_id[node].best else 0.0)


class _Cards:
    """Draws the cards of a tree."""

    def __init__(self, canvas: Canvas, tree: TreePicture, size: Measures) -> None:
        self.canvas, self.tree, self.size = canvas, tree, size
        self.numbered = {link.target for link in tree.symmetric} | tree.numbered
        self.away = _references(tree)

    def draw(self, node: TreeBoard, x: float, y: float) -> None:
        """Draw a card from its top left corner."""
        canvas, tree, width, height = self.canvas, self.tree, self.size.card_width, self.size.card_height
        canvas.open_group(_description(tree, node))
        _frame(canvas, node, x, y, width, height)
        named = tree.names and node.id in tree.roots
        frame = Frame(tree.shape, 0, 0, _CELL, _CELL * 0.5)
        down = _PAD + (3.0 if named else 0.0)
        frame = Frame(tree.shape, x + (width - frame.width) / 2, y + down, _CELL, _CELL * 0.5)
        draw_cells(canvas, frame, node.marks, node.lines, node.last)
        if named:
            blanks = [cell for cell, mark in enumerate(node.marks) if mark == "." and cell != node.call]
            draw_small_names(canvas, frame, blanks)
        if node.call is not None:
            draw_dot(canvas, *frame.centre(node.call), _CELL)
        for i, text in enumerate([*node.captions, *[f"→ page {node.page}"] * bool(node.page)]):
            canvas.text(x + width / 2, frame.y + frame.height + (i + 1) * _LINE - 0.6, text, CAPTION)
        if node.id in self.numbered:
            self.label(x, _above(tree, node.id, y), f"#{node.id}", "second")
        for i, text in enumerate(_wrapped(self.away.get(node.id, []))):
            self.label(x + width / 2 + 3, y + height + 3 + (i + 1) * (SMALL + 2), text, "second")
        canvas.close_group()

    def label(self, x: float, y: float, text: str, role: str = "soft") -> None:
        """A small text on a patch of paper, so that the links behind it do not cross the letters."""
        self.canvas.rectangle(x - 1, y - SMALL - 0.8, text_width(text, SMALL) + 2, SMALL + 1.6, fill="paper")
        self.canvas.text(x, y, text, SMALL, role=role, anchor="start")


def _description(tree: TreePicture, node: TreeBoard) -> str:
    words = ", ".join([*node.captions, *["best game"] * node.best]) or "open"
    return f"{position_text(tree.shape, node.marks)}: {words}"


def _frame(canvas: Canvas, node: TreeBoard, x: float, y: float, width: float, height: float) -> None:
    """The frame of an outcome; a fork has a ground of its own and a second frame, a best game a heavy one."""
    if node.best:
        canvas.rectangle(x - 2.8, y - 2.8, width + 5.6, height + 5.6, stroke="ink", pen=_HEAVY, radius=4)
    outcome_frame(canvas, node.outcome, x, y, width, height)
    if node.fork:
        canvas.rectangle(x + 2.2, y + 2.2, width - 4.4, height - 4.4, fill="fork-tint", radius=2)
        out = 6.4 if node.best else 3.4
        canvas.rectangle(x - out, y - out, width + 2 * out, height + 2 * out, stroke="ink", pen=1.0, radius=out + 0.6)


def outcome_frame(
    canvas: Canvas, outcome: str, x: float, y: float, width: float, height: float, scale: float = 1.0
) -> None:
    """Draw the frame for an outcome, with scaled pens.

    Its shape shows the outcome: sharp and thick for X, round for O, dashed for a draw, thin and grey for an open one.
    """
    if outcome == "X":
        canvas.rectangle(x, y, width, height, stroke="x", fill="x-tint", pen=2.4 * scale)
    elif outcome == "O":
        radius = min(width, height) * 0.22
        canvas.rectangle(x, y, width, height, stroke="o", fill="o-tint", pen=2.4 * scale, radius=radius)
    elif outcome == "draw":
        dash, pen = f"{number(5 * scale)} {number(3 * scale)}", 1.4 * scale
        canvas.rectangle(x, y, width, height, stroke="ink", fill="draw-tint", pen=pen, radius=3 * scale, dash=dash)
    else:
        canvas.rectangle(x, y, width, height, stroke="faint", fill="paper", pen=scale, radius=3 * scale)


def _keys(tree: TreePicture) -> list[Key]:
    """Return the key to frames, dots and references."""

    def framed(**kind: object) -> Callable[[Canvas, float, float], None]:
        board = TreeBoard(0, "", **kind)  # type: ignore[arg-type]
        return lambda canvas, x, y: _frame(canvas, board, x - 9, y - 7, 18, 14)

    def reference(canvas: Canvas, x: float, y: float) -> None:
        canvas.text(x + 12, y + 3.5, "→ #", 7, role="second", anchor="end")

    kinds = {node.outcome for node in tree.nodes}
    shown = [outcome for outcome in ("X", "O", "draw", "") if outcome in kinds and tree.words.get(outcome)]
    keys = [Key(tree.words[outcome], framed(outcome=outcome)) for outcome in shown]
    starred = "; at * it goes on elsewhere" if any(link.best for link in tree.symmetric) else ""
    keys += [Key("fork: two threats", framed(fork=True))] * any(node.fork for node in tree.nodes)
    keys += [Key(tree.best + starred, framed(best=True))] * bool(tree.best)
    keys += [Key(tree.call, lambda canvas, x, y: draw_dot(canvas, x, y, 15.0))] * bool(tree.call)
    return keys + [Key("the same board, turned or mirrored, drawn elsewhere", reference)] * bool(tree.symmetric)


# A tree cut into pages. No board is ever cut by the edge of a page. Pages are filled from the top: as many levels of a
# branch as fit at the wanted scale, then each branch that was left on a page of its own, small ones together.

_SCALE = 0.26
"""Millimetres on paper for a picture unit, so that captions have about 8 points."""
_PAGE_MARGIN = 10.0


def tree_pages(tree: TreePicture, paper: str = "a4", theme: str = "light") -> list[Svg]:
    """Return the pages of a tree in landscape. Cost: about pages times nodes of a page, squared."""
    # Room for the words that name pages is kept everywhere, as it is not known yet where they will be needed.
    full = replace(tree, nodes=[replace(n, page=99) for n in tree.nodes], places={n.id: 99 for n in tree.nodes})
    size = measures(full)
    width, height = (side - 2 * _PAGE_MARGIN for side in paper_size(paper, landscape=True))
    room = (width / _SCALE - 2 * MARGIN, height / _SCALE - 2 * MARGIN - HEAD - FOOT)
    whole = forest(full, size)
    plans = _packed(_plan(full, whole, size, room), whole, size, room)
    pages = {root: at for at, plan in enumerate(plans, 1) for root in plan.roots}
    home = {node: at for at, plan in enumerate(plans, 1) for node in plan.nodes - plan.cut}
    numbered = frozenset({link.target for link in tree.symmetric} | set(pages) - set(tree.roots))
    drawn = []
    for at, plan in enumerate(plans, 1):
        part = replace(
            plan.part(tree, pages),
            note=f"{tree.note}{'; ' if tree.note else ''}page {at} of {len(plans)}",
            numbered=numbered & plan.nodes,
            places={node: page for node, page in home.items() if page != at},
        )
        woods = forest(part, size)
        placed = _fits(Forest(plan.roots, woods.children, woods.words), size, (1.414, 1.0))[1]
        drawn.append(_draw(part, placed, size, theme))
    return drawn


class _Page:
    """The trees of one page: their roots, all nodes on it, and those whose branches continue on other pages."""

    def __init__(self, roots: Sequence[int], nodes: set[int], cut: set[int]) -> None:
        self.roots, self.nodes, self.cut = list(roots), nodes, cut

    def forest(self, whole: Forest) -> Forest:
        children = {n: whole.children[n] for n in self.nodes - self.cut if whole.children.get(n)}
        return Forest(self.roots, children, {n: whole.words[n] for n in children if n in whole.words})

    def part(self, tree: TreePicture, pages: dict[int, int]) -> TreePicture:
        """Return the part of the tree on this page, its links first."""
        nodes = [
            replace(node, page=pages[node.id] if node.id in self.cut else 0)
            for node in tree.nodes
            if node.id in self.nodes
        ]
        links = [link for link in [*tree.carried, *tree.symmetric] if link.source in self.nodes - self.cut]
        best = tree.best if any(node.best for node in nodes) else ""
        return replace(tree, nodes=nodes, links=links, best=best, apart=frozenset(self.roots))


def _fits(woods: Forest, size: Measures, room: Point) -> tuple[bool, Placed]:
    placed = arrange(woods, size, best_stack(woods, size, room[0] / room[1]))
    return placed.width <= room[0] and placed.height <= room[1], placed


def _plan(tree: TreePicture, whole: Forest, size: Measures, room: Point) -> list[_Page]:
    """Cut the tree: grow each page from its root, node by node in order of ply, while it fits."""
    waiting, pages = list(tree.roots), []

    def further(nodes: Sequence[int]) -> set[int]:
        return {n for n in nodes if whole.children.get(n)}

    while waiting:
        root = waiting.pop(0)
        first = whole.children.get(root, [])
        page, tried = _Page([root], {root, *first}, further(first)), set[int]()
        while (node := next((n for n in whole.children if n in page.cut - tried), None)) is not None:
            tried.add(node)
            below = whole.children[node]
            grown = _Page([root], page.nodes | set(below), page.cut - {node} | further(below))
            if _fits(grown.forest(whole), size, room)[0]:
                page = grown
        pages.append(page)
        waiting += [node.id for node in tree.nodes if node.id in page.cut]
    return pages


def _packed(pages: list[_Page], whole: Forest, size: Measures, room: Point) -> list[_Page]:
    """Put small pages together, in their order, as long as they fit side by side."""
    packed = pages[:1]
    for page in pages[1:]:
        last = packed[-1]
        both = _Page(last.roots + page.roots, last.nodes | page.nodes, (last.cut | page.cut) - set(page.roots))
        # A page keeps its stubs: joining must not bring a branch back onto the page that sends the reader away.
        if not last.cut & set(page.roots) and _fits(both.forest(whole), size, room)[0]:
            packed[-1] = both
        else:
            packed.append(page)
    return packed


# A tree for a web page: every board a link, with what a script needs to fold branches and to light them. Shapes have
# classes and no colours: the style sheet of the page has these. Groups have the number of their board, of that above
# them, and of those that are the same elsewhere.

_LIVE_CELL = 14.0
_STACKED = 300
"""Maximum number of boards for which the shape of the page determines the height of stacks."""


def draw_live_tree(tree: TreePicture, to: Callable[[int], str | None]) -> str:
    """Return a tree as an inline SVG element; `to` gives the link of a board by its number, None if it has none."""
    size = measures(tree, _LIVE_CELL)
    woods = forest(tree, size)
    placed = arrange(woods, size, best_stack(woods, size, 1.8) if len(tree.nodes) <= _STACKED else 6)
    width, height = number(placed.width + 2 * MARGIN), number(placed.height + 2 * MARGIN + 12)
    above = {link.target: link.source for link in tree.carried}
    best = {(link.source, link.target) for link in tree.links if link.best}
    ways = []
    for child, points in placed.ways.items():
        path = "M" + "L".join(f"{number(x + MARGIN)} {number(y + MARGIN)}" for x, y in points)
        lit = " best" * ((above[child], child) in best)
        ways.append(f'<path class="way{lit}" data-to="{child}" d="{path}"/>')
    alike: dict[int, set[int]] = defaultdict(set)
    for link in tree.symmetric:
        alike[link.source].add(link.target)
    numbered, nodes = {link.target for link in tree.symmetric}, []
    labels = {
        link.target: f'<text class="label" x="{number(size.card_width / 2 + 4)}" y="-5">{escape(link.label)}</text>'
        for link in tree.carried
        if link.label
    }
    for node in tree.nodes:
        x, y = (number(at + MARGIN) for at in placed.corners[node.id])
        same = sorted(alike[node.id])
        kind = {"X": "of-x", "O": "of-o", "draw": "of-draw"}.get(node.outcome, "of-none")
        data = f'class="{" ".join(["node", kind, *["fork"] * node.fork, *["best"] * node.best])}" id="n{node.id}" '
        data += f'data-node="{node.id}"' + (f' data-above="{above[node.id]}"' if node.id in above else "")
        data += f' data-same="{" ".join(map(str, same))}"' if same else ""
        inside = "".join(_live_node(tree, node, size, to(node.id), same, is_numbered=node.id in numbered))
        inside += labels.get(node.id, "")
        nodes.append(f'<g {data} transform="translate({x} {y})">{inside}</g>')
    head = (
        f'<svg class="live-tree" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="group" aria-label="{escape(tree.title)}" fill="none" '
        'stroke="currentColor">'
    )
    return "\n".join([head, f'<g class="ways">{"".join(ways)}</g>', *nodes, "</svg>"])


def _live_node(
    tree: TreePicture, node: TreeBoard, size: Measures, to: str | None, same: Sequence[int], *, is_numbered: bool
) -> Iterator[str]:
    """Yield the parts of a board: its card in a link, its number, links to equal boards, and its fold control."""
    label = escape(_description(tree, node))
    yield f'<a href="{escape(to)}" tabindex="-1" aria-label="{label}">' if to else "<g>"
    yield f"<title>{label}</title>"
    yield from _live_card(tree, node, size)
    yield "</a>" if to else "</g>"
    if is_numbered:
        yield f'<text class="number" x="0" y="-5">#{node.id}</text>'
    middle, foot = size.card_width / 2, size.card_height
    if same:
        words = "".join(f'<a href="#n{each}" tabindex="-1">#{each}</a> ' for each in same)
        yield f'<text class="number" x="{number(middle + 8)}" y="{number(foot + 10)}">= {words}</text>'
    if tree.children.get(node.id):
        place = f'transform="translate({number(middle)} {number(foot + 5)})"'
        yield f'<g class="fold" {place}><circle r="5.5"/><path d="M-3 0h6"/><path class="more" d="M0 -3v6"/></g>'


def _live_card(tree: TreePicture, node: TreeBoard, size: Measures) -> Iterator[str]:
    """Yield the frames, the board and the captions: sharp corners for X, round ones for O, dashes for a draw."""
    width, height = size.card_width, size.card_height
    radius = {"X": 0.0, "O": min(width, height) * 0.22}.get(node.outcome, 3.0)
    frames = [("heavy", 3.0, 4.0)] * node.best + [("second", 6.0 if node.best else 3.4, 4.0)] * node.fork
    for name, out, round_ in [*frames, ("frame", 0.0, radius)]:
        sides = {"x": -out, "y": -out, "width": width + 2 * out, "height": height + 2 * out}
        yield element("rect", {"class": name, **sides, "rx": round_})
    frame = Frame(tree.shape, 0, 0, _LIVE_CELL, _LIVE_CELL * 0.5)
    board = shapes(tree.shape, node.marks, lines=node.lines, last=[] if node.last is None else [node.last])
    left = number((width - frame.width) / 2)
    yield f'<g transform="translate({left} {number(_PAD)}) scale({number(_LIVE_CELL / 10)})">{board}</g>'
    for line, text in enumerate(node.captions, 1):
        base = number(_PAD + frame.height + line * _LINE - 0.6)
        yield f'<text x="{number(width / 2)}" y="{base}">{escape(text)}</text>'
