"""What stands in a cell or a title stays there: bars, line breaks, markup, and characters that no XML may hold."""

from __future__ import annotations

from xml.dom import minidom

from noughts.drawing.svg import Canvas
from noughts.reports.tables import Table, as_markdown


def test_cells_of_markdown() -> None:
    table = Table(["x|y", "n"], [["a|b\nc\r\nd", "1"], ["", "2"]], frozenset({0}))
    assert as_markdown(table).split("\n") == [
        r"| x\|y | n |",
        "| --- | ---: |",
        r"| a\|b<br>c<br>d | 1 |",
        "|  | 2 |",
    ]


def test_titles_of_pictures() -> None:
    title = "<b>&\x00\x01\x1b[31m]]>\ud800\ufffe x"
    found = Canvas().picture(10, 10, title, title)
    document = minidom.parseString(found.encode())
    for name in ("title", "desc"):
        (node,) = document.getElementsByTagName(name)
        assert node.toxml() == f"<{name}>&lt;b&gt;&amp;???[31m]]&gt;?? x</{name}>"
