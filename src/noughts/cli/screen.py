"""What standard output is: a terminal so wide, with colours or without, or a pipe."""

from __future__ import annotations

import os
import shutil
import sys

from noughts.reports.page import PIPE, Look
from noughts.reports.tables import Table

__all__ = ["screen"]

_WIDEST = 110
"""Columns to which sentences are wrapped at most."""


def screen() -> Look:
    """Return what text on standard output is laid out for."""
    if not sys.stdout.isatty():
        return PIPE
    columns = shutil.get_terminal_size((100, 24)).columns
    fancy = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return Look(min(columns, _WIDEST), columns, _framed if fancy else None)


def _framed(table: Table, width: int) -> str:
    """Return a table in a frame, as the terminal shows it."""
    from rich.box import ROUNDED
    from rich.console import Console
    from rich.table import Table as Framed

    framed = Framed(box=ROUNDED)
    for i, heading in enumerate(table.headings):
        framed.add_column(heading, justify="left" if i in table.words else "right", no_wrap=True)
    for row in table.rows:
        framed.add_row(*row)
    console = Console(width=width)
    with console.capture() as captured:
        console.print(framed)
    return captured.get().rstrip("\n")
