"""What was written to a file or a folder for other programs."""

from __future__ import annotations

from pathlib import Path

from noughts.domain.board import Board
from noughts.exporting.writing import FORMATS, SINGLE
from noughts.machine.budget import format_size
from noughts.reports.page import Report, try_next

__all__ = ["file_report", "site_report"]


def file_report(board: Board, path: Path, form: str, table: str, rows: int, size: int) -> Report:
    """Return what there is to say about a catalogue in a file of `size` bytes; `form` as its ending says."""
    noun = "classes" if form in ("graphml", "dot") else "rows"
    what = f"the table {table}" if form in SINGLE else FORMATS[form]
    commands = try_next(
        f"noughts query {board}   # lists the columns",
        f"noughts query {board} 'select ply, outcome, count(*) from classes group by 1, 2'",
    )
    return Report.of([f"{board}: wrote {rows:,} {noun} to {path} ({what}; {format_size(size)}).", commands])


def site_report(board: Board, folder: Path, pages: int, size: int) -> Report:
    """Return what there is to say about a site of `size` bytes."""
    said = f"{board}: wrote {pages:,} pages to {folder} ({size / 1e6:.1f} MB). Open {folder / 'index.html'}."
    commands = try_next(
        f"noughts positions {board} --terminal",
        f"noughts export {board} -o {str(board).partition(':')[0]}.sqlite",
    )
    return Report.of([said, commands])
