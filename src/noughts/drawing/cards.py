"""A tree as a picture: cards with boards on them, links, and what the shapes of the frames mean."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.drawing.board import Frame, draw_cells, draw_dot, draw_small_names
from noughts.drawing.glyphs import number, text_width
from noughts.drawing.joins import WIDEST_LANE, joins
from noughts.drawing.layout import Forest, Measures, Placed, arrange, best_stack
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.text import position_text
from noughts.drawing.tree import TreeBoard, TreePicture, tree_text

__all__ = ["FOOT", "HEAD", "MARGIN", "SMALL", "draw_placed", "draw_tree", "forest", "measures", "outcome_frame"]

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
