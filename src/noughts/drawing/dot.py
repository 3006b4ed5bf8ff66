"""A tree in the language of Graphviz, for those who want to lay it out themselves."""

from __future__ import annotations

from noughts.drawing.text import layer_rows
from noughts.drawing.tree import TreePicture

__all__ = ["tree_dot"]

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
