"""Tables for people: what a narrow terminal does to them."""

from __future__ import annotations

import sys

import pytest

from noughts.cli import screen
from noughts.reports.page import Report
from noughts.reports.tables import Table, shortened
from noughts.reports.text import as_text

WIDE = Table(
    ["ply", "who", "paths", "finished"],
    [["1", "X", "9", "12,345,678,901,234"], ["2", "O", "1,234,567", "0"]],
    frozenset({1}),
    narrower=((0, 2),),
)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)


def test_numbers_are_cut_by_their_digits() -> None:
    assert shortened(WIDE, 42) == WIDE
    assert shortened(WIDE, 9).rows[0] == ["1", "X", "9", "~1.23e+13"]
    assert shortened(Table(["n"], [["999,999"], ["1,000,000"], ["-"]]), 6).rows == [["999,999"], ["~1.00e+6"], ["-"]]


def shown() -> str:
    return as_text(Report.of([WIDE]), screen.screen())


def test_a_pipe_gets_all_digits() -> None:
    out = shown()
    assert "12,345,678,901,234" in out
    assert "cut short" not in out


@pytest.mark.parametrize(
    ("columns", "has", "lacks", "note"),
    [
        (40, "12,345,678,901,234", "~", None),
        (30, "~1.23e+13", "12,345,678,901,234", "cut short to fit"),
        (20, "paths", "finished  ", "Left out to fit: who,"),
    ],
)
def test_a_narrow_terminal_gets_what_fits(
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
    has: str,
    lacks: str,
    note: str | None,
) -> None:
    on_a_terminal(monkeypatch, columns)
    out = shown()
    assert has in out
    assert lacks not in out
    assert (note or "") in " ".join(out.split())
    table = out.split("A number")[0].split("Left out")[0]
    assert max(map(len, table.splitlines())) <= columns
