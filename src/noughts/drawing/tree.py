"""A tree of boards to be drawn, as data: its boards, its links, and both as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from noughts.drawing.board import layer_rows, position_text
from noughts.rules.position import Position
from noughts.rules.symmetry import Shape

_WORDS: Mapping[str, str] = {"X": "X wins", "O": "O wins", "draw": "draw", "": "open"}


@dataclass(frozen=True)
class TreeBoard:
    """A board of a tree. `outcome` is X, O, draw, or "" while open; `captions` are short lines under the board."""

    id: int
    marks: str
    outcome: str = ""
    captions: Sequence[str] = ()
    fork: bool = False
    last: int | None = None
    lines: Sequence[Sequence[int]] = ()
    page: int = 0
    """The page on which its branch goes on, counted from 1; 0 where it does not end here."""
    best: bool = False
    """Whether it stands out, as one of the boards of a best game."""
    call: int | None = None
    """A cell with a dot: where the next mark is meant to go."""


@dataclass(frozen=True)
class TreeLink:
    """A move from one board to another, `times` the number of moves it stands for, `label` a word at the link.

    `best` draws it heavy, as a move of a best game.
    """

    source: int
    target: int
    times: int = 1
    label: str = ""
    best: bool = False


@dataclass(frozen=True)
class TreePicture:
    """A tree with merged nodes: a node may be reached by several links; the first that leads to it carries it.

    The others are the symmetric links: a number at their foot says which board they lead to. Cells are counted in
    reading order.
    """

    shape: Shape
    nodes: Sequence[TreeBoard]
    links: Sequence[TreeLink]
    title: str = ""
    note: str = ""
    numbered: frozenset[int] = frozenset()
    """Nodes that get their number printed besides those that symmetric links lead to."""
    places: Mapping[int, int] = field(default_factory=dict)
    """For nodes that are drawn on other pages: their page."""
    words: Mapping[str, str] = field(default_factory=lambda: _WORDS)
    """What the key says of each outcome, in the words that stand on the boards; "" is an open board."""
    best: str = ""
    """What the key calls the boards and moves that stand out; empty where none does."""
    call: str = ""
    """What the key calls the cells with a dot; empty where none has one."""
    names: bool = False
    """Whether the roots have the names of their cells at the edges, or their numbers in them."""
    apart: frozenset[int] = frozenset()
    """Nodes drawn alone, as on a page: the picture has no link to them."""

    @cached_property
    def by_id(self) -> dict[int, TreeBoard]:
        """The nodes by their number."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def carried(self) -> list[TreeLink]:
        """The links that carry their target: the first to each node, but to those that stand apart."""
        seen = set(self.apart)
        found = []
        for link in self.links:
            if link.target not in seen and link.target in self.by_id and link.source in self.by_id:
                seen.add(link.target)
                found.append(link)
        return found

    @cached_property
    def symmetric(self) -> list[TreeLink]:
        """All other links."""
        carried = set(map(id, self.carried))
        return [link for link in self.links if id(link) not in carried]

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The nodes that each node carries, in the order of the links."""
        found: dict[int, list[int]] = {}
        for link in self.carried:
            found.setdefault(link.source, []).append(link.target)
        return found

    @cached_property
    def roots(self) -> list[int]:
        """The nodes that no link carries."""
        targets = {link.target for link in self.carried}
        return [node.id for node in self.nodes if node.id not in targets]


def tree_text(tree: TreePicture) -> str:
    """The tree in text: one line a board, indented by ply; a board that stands elsewhere is named by its number."""
    lines: list[str] = []
    links: dict[int, list[TreeLink]] = {}
    for link in tree.links:
        links.setdefault(link.source, []).append(link)
    carried = set(map(id, tree.carried))
    merged = {link.target for link in tree.symmetric}
    work: list[tuple[int, int, str, bool]] = [(root, 0, "", True) for root in reversed(tree.roots)]
    while work:
        node_id, depth, move, own = work.pop()
        indent = "  " * depth
        if not own:
            lines.append(f"{indent}{move}= #{node_id}")
            continue
        node = tree.by_id[node_id]
        words = [f"#{node_id}"] * (node_id in merged) + [position_text(tree.shape, node.marks)]
        words += ["; ".join([*node.captions, *["best game"] * node.best])] * bool(node.captions or node.best)
        lines.append(indent + move + "  ".join(words))
        for link in reversed(links.get(node_id, [])):
            times = f" ×{link.times}" if link.times > 1 else ""
            word = f"{link.label}{times} ".lstrip() if link.label or times else ""
            work.append((link.target, depth + 1, word, id(link) in carried))
    return "\n".join(lines)


# A tree in the language of Graphviz, for those who want to lay it out themselves.

_SHAPES = {"X": "box", "O": "ellipse", "draw": "octagon", "": "plaintext"}
_STYLES = {"X": "bold", "O": "bold", "draw": "dashed", "": "solid"}


def tree_dot(tree: TreePicture) -> str:
    """The tree as a DOT digraph: boards as labels, outcomes by shape and word, symmetric links dashed and red."""
    lines = [
        "digraph noughts {",
        f"  label={_quoted(tree.title)}; labelloc=t; rankdir=TB;",
        '  node [fontname="monospace"]; edge [fontname="sans-serif"];',
    ]
    for node in tree.nodes:
        rows = [row for layer in layer_rows(tree.shape, node.marks) for row in [*layer, ""]][:-1]
        label = _quoted("\n".join([*rows, *node.captions]))
        twice = ", peripheries=2" if node.fork else ""
        twice += ", penwidth=5" if node.best else ""
        lines.append(
            f"  n{node.id} [label={label}, shape={_SHAPES[node.outcome]}, style={_STYLES[node.outcome]}{twice}];"
        )
    carried = set(map(id, tree.carried))
    for link in tree.links:
        words = " ".join([link.label] * bool(link.label) + [f"×{link.times}"] * (link.times > 1))
        options = [f"label={_quoted(words)}"] * bool(words)
        options += [] if id(link) in carried else ["style=dashed", 'color="#b3003c"', "constraint=false"]
        options += ["penwidth=5"] * link.best
        lines.append(f"  n{link.source} -> n{link.target}{' [' + ', '.join(options) + ']' if options else ''};")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


# The words for outcomes in pictures: one for a frame, on the board as in the key.


def verdict(outcome: str | None, position: Position) -> str:
    """Return what stands under a board: who won, or who can win; `draw` for both."""
    if outcome is None:
        return "not found"
    if outcome == "draw":
        return "draw"
    winner = position.board.rules.labels[outcome == "O"]
    return f"{winner} wins" if position.is_terminal else f"{winner} can win"


def key_words(nodes: Iterable[TreeBoard]) -> dict[str, str]:
    """Return for each outcome the words that stand first under its boards: what the key says of it."""
    found: dict[str, list[str]] = {"": ["open"]}
    for node in nodes:
        words = found.setdefault(node.outcome, [])
        if node.outcome and node.captions and node.captions[0] not in words:
            words.append(node.captions[0])
    return {outcome: ", ".join(sorted(words, reverse=True)) for outcome, words in found.items()}
