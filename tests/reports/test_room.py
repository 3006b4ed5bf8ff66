"""The room `reports` turns results into words without input or output, and holds a report for every kind of result."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import noughts.reports
from noughts.reports.markup import html, markdown
from noughts.reports.page import Commands, How, Look, Paragraph, Pictures, Report, Verbatim, try_next
from noughts.reports.tables import Table
from noughts.reports.text import as_text

ROOM = Path(str(noughts.reports.__file__)).parent
FORBIDDEN = {"sys", "os", "shutil", "subprocess", "tempfile", "click", "rich", "noughts.cli"}


def outside(source: str) -> list[str]:
    """Return what a module does with the world: imports that reach it, and calls of print, input and open."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [str(node.module)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found += [node.func.id] if node.func.id in ("print", "input", "open") else []
        found += [name for name in names if any(f"{name}.".startswith(f"{word}.") for word in FORBIDDEN)]
    return found


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOM)))
def test_no_module_reads_or_writes_anything(path: Path) -> None:
    assert outside(path.read_text(encoding="utf-8")) == []


def test_what_reads_or_writes_is_noticed() -> None:
    assert outside("import os.path\nfrom sys import stdout\nprint(1)") == ["os.path", "sys", "print"]


REPORT = Report.of(
    ["3x3 has <one> answer.", Paragraph("Another sentence that goes on and on.", "  ")],
    [],
    [Verbatim("X . O"), Pictures((("X.", "a "), ("O.", "b ")))],
    [Table(["who", "games"], [["X", "1,234,567"]], frozenset({0}))],
    [How("it was counted."), try_next("noughts count 3x3"), Commands(("a", "b"), "Next:", inline=True)],
)


def test_a_report_as_text() -> None:
    assert REPORT.headline == "3x3 has <one> answer."
    assert as_text(REPORT, Look(width=24)) == (
        "3x3 has <one> answer.\nAnother sentence that\n  goes on and on.\n\nX . O\nX.   O.\na    b\n\n"
        "who      games\n---  ---------\nX    1,234,567\n\n"
        "How we know: it was\ncounted.\nTry next:\n  noughts count 3x3\nNext: a;  b\n"
    )


def test_a_report_as_markdown_and_html() -> None:
    text = markdown(REPORT)
    assert "| X | 1,234,567 |" in text
    assert "```text\nX . O\n```" in text
    assert text.index("How we know") < text.index("noughts count 3x3")
    page = html(REPORT)
    assert "<p>3x3 has &lt;one&gt; answer.</p>" in page
    assert "<pre>X . O</pre>" in page
    assert ">1,234,567</td>" in page
    assert "<li><code>noughts count 3x3</code></li>" in page


def test_text_is_as_wide_as_it_may_be() -> None:
    pictures = Report.of([Pictures(tuple((f"{i}.",) for i in range(10)))])
    assert as_text(pictures, Look(columns=12)).splitlines()[0] == "0.   1.   2."
    assert len(as_text(pictures).splitlines()) == 1
