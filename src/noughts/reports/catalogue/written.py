"""What was written to a file or a folder for other programs."""

from __future__ import annotations

from noughts.exporting.api import Written
from noughts.exporting.writing import FORMATS, SINGLE
from noughts.machine.budget import format_size
from noughts.reports.page import Report, try_next

__all__ = ["file_report", "site_report"]


def file_report(written: Written) -> Report:
    """Return what there is to say about a catalogue in a file."""
    board = written.board
    noun = "classes" if written.form in ("graphml", "dot") else "rows"
    what = f"the table {written.table}" if written.form in SINGLE else FORMATS[written.form]
    size = format_size(written.size)
    commands = try_next(
        f"noughts query {board}   # lists the columns",
        f"noughts query {board} 'select ply, outcome, count(*) from classes group by 1, 2'",
    )
    return Report.of([f"{board}: wrote {written.rows:,} {noun} to {written.path} ({what}; {size}).", commands])


def site_report(written: Written) -> Report:
    """Return what there is to say about a site."""
    board, size = written.board, format_size(written.size)
    said = f"{board}: wrote {written.rows:,} pages to {written.path} ({size}). Open {written.path / 'index.html'}."
    if written.rules:
        commands = try_next(
            f"noughts positions {board} {written.rules} --terminal",
            f"noughts count {board} --same choices {written.rules}",
        )
    else:
        commands = try_next(
            f"noughts positions {board} --terminal",
            f"noughts export {board} -o {str(board).partition(':')[0]}.sqlite",
        )
    return Report.of([said, commands])
