"""The class graph for users of other tools: GraphML, DOT and NetworkX.

Nodes are position classes, by canonical position; an edge leads to a distinct child class and stands for `times` moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from noughts.domain.board import Board
from noughts.exporting.columns import CLASSES, MOVES, Column, TableSchema, fits_63_bits
from noughts.exporting.rows import Source
from noughts.exporting.sources import source_for
from noughts.machine.packages import package

if TYPE_CHECKING:
    import networkx

__all__ = ["to_networkx", "write_dot", "write_graphml"]

_KEYS = ("position", "class", "child")


def write_graphml(source: Source, file: IO[str]) -> int:
    """Write the class graph as GraphML, with the columns of the tables as data, and return the number of nodes."""
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for table, owner in ((CLASSES, "node"), (MOVES, "edge")):
        for column in _attributes(table):
            kind = _graphml_type(column, source.board)
            key = f'<key id="{owner[0]}-{column.name}" for="{owner}" attr.name="{column.name}" attr.type="{kind}">'
            file.write(f"{key}<desc>{escape(column.meaning)}</desc></key>\n")
    file.write(f'<graph id={quoteattr(source.board.spec)} edgedefault="directed">\n')
    nodes = 0
    for row in _rows(source, CLASSES):
        file.write(f"<node id={quoteattr(str(row['position']))}>{_data(CLASSES, row, 'n', source.board)}</node>\n")
        nodes += 1
    for row in _rows(source, MOVES):
        ends = f"source={quoteattr(str(row['class']))} target={quoteattr(str(row['child']))}"
        file.write(f"<edge {ends}>{_data(MOVES, row, 'e', source.board)}</edge>\n")
    file.write("</graph>\n</graphml>\n")
    return nodes


def _attributes(table: TableSchema) -> list[Column]:
    return [column for column in table.columns if column.name not in _KEYS]


def _graphml_type(column: Column, board: Board) -> str:
    if column.kind in ("int", "count"):
        return "long" if column.kind == "int" or fits_63_bits(board) else "string"
    return "boolean" if column.kind == "bool" else "string"


def _data(table: TableSchema, row: dict[str, object], owner: str, board: Board) -> str:
    parts = []
    for column in _attributes(table):
        value = row[column.name]
        if value is not None:
            text = ("true" if value else "false") if column.kind == "bool" else escape(str(value))
            parts.append(f'<data key="{owner}-{column.name}">{text}</data>')
    return "".join(parts)


def _rows(source: Source, table: TableSchema) -> Iterator[dict[str, object]]:
    for chunk in source.chunks(table):
        for row in zip(*chunk, strict=True):
            yield dict(zip(table.names, row, strict=True))


_SHAPES = {"X": "box", "O": "ellipse", "draw": "diamond"}


def write_dot(source: Source, file: IO[str]) -> int:
    """Write the class graph for Graphviz and return the number of nodes.

    A node shows its board; its shape tells the outcome: a box X, an ellipse O, a diamond a draw; finished games have a
    double line. A label on an edge counts the moves it stands for.
    """
    file.write(f'digraph "{source.board.spec}" {{\n  node [fontname="monospace"];\n')
    nodes = 0
    for row in _rows(source, CLASSES):
        name = str(row["position"])
        board = name.replace("/", "\\n").replace("|", "\\n\\n")
        over = ", peripheries=2" if row["terminal"] else ""
        shape = _SHAPES[str(row["outcome"])]
        file.write(f'  "{name}" [label="{board}", shape={shape}{over}, tooltip="{row["label"]}"];\n')
        nodes += 1
    for row in _rows(source, MOVES):
        times = f' [label="{row["times"]}"]' if row["times"] != 1 else ""
        file.write(f'  "{row["class"]}" -> "{row["child"]}"{times};\n')
    file.write("}\n")
    return nodes


def to_networkx(board: Board | str = "3x3") -> networkx.DiGraph[str]:
    """Return the class graph as a networkx.DiGraph: nodes are canonical positions as text.

    Nodes have the columns of the table `classes` as attributes, edges those of `moves`, counts as exact integers; what
    is null is None. Cost: some 30 microseconds an edge. Raises InputError where networkx is not
    installed.

    >>> to_networkx("3x3").number_of_nodes()
    765
    """
    made_by = package("networkx", "a graph for NetworkX", "export to .graphml")
    source = source_for(Board.parse(board))
    graph: networkx.DiGraph[str] = made_by.DiGraph(board=source.board.spec)
    for row in _rows(source, CLASSES):
        graph.add_node(row.pop("position"), **row)
    for row in _rows(source, MOVES):
        graph.add_edge(row.pop("class"), row.pop("child"), **row)
    return graph
