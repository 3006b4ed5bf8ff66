"""The place and the format of an answer, by one rule for all verbs."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from noughts.cli.progress import at_rest
from noughts.present.report import PIPE, Look, Table
from noughts.rules.errors import InputError, shown

if TYPE_CHECKING:
    from noughts.present.forms import Forms
    from noughts.verbs.request import VerbRequest

_WIDEST = 110
"""Most columns of a sentence."""


def screen() -> Look:
    """Return the layout of text on standard output; in a pipe COLUMNS bounds tables, too."""
    if not sys.stdout.isatty():
        is_pipe = False  # to another program, which may show it on a terminal
        with suppress(AttributeError, ValueError, OSError):
            is_pipe = stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
        if not is_pipe:
            return PIPE
        given = os.environ.get("COLUMNS", "").lstrip("0")
        if given.isdigit():
            return replace(PIPE, width=min(int(given), _WIDEST), columns=int(given))
        return replace(PIPE, width=min(PIPE.width, _size(sys.stderr).columns)) if sys.stderr.isatty() else PIPE
    columns, rows = _size(sys.stdout)
    fancy = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return Look(min(columns, _WIDEST), columns, _framed if fancy else None, rows=rows)


def _size(stream: TextIO) -> os.terminal_size:
    """Return the columns and rows of a terminal, by COLUMNS and LINES where they are set; else 100 and 24."""
    columns, rows = 100, 24
    with suppress(AttributeError, ValueError, OSError):
        columns, rows = os.get_terminal_size(stream.fileno())
    given = [os.environ.get(name, "") for name in ("COLUMNS", "LINES")]
    return os.terminal_size(
        int(text) if text.isdigit() and int(text) else n
        for text, n in zip(given, (columns or 100, rows or 24), strict=True)
    )


def _framed(table: Table, width: int) -> str:
    """Return a table with a frame for a terminal."""
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


_ENDINGS = {
    ".txt": ("text", "table", "bfile", "oeis"),
    ".text": ("text", "table"),
    ".json": ("json",),
    ".jsonl": ("jsonl",),
    ".ndjson": ("jsonl",),
    ".csv": ("csv",),
    ".md": ("markdown",),
    ".markdown": ("markdown",),
    ".tex": ("latex",),
    ".svg": ("svg",),
    ".png": ("png",),
    ".pdf": ("pdf",),
    ".dot": ("dot",),
    ".gv": ("dot",),
}
"""The forms for each ending of a file name; the first that the verb can write is taken."""

PICTURES = ("svg", "png", "pdf")
_BINARY = ("png", "pdf")


@dataclass(frozen=True)
class Sink:
    """The form, the file (None for standard output) and the layout of an answer."""

    form: str
    output: Path | None
    look: Look

    def write(self, forms: Forms) -> None:
        """Make and write the answer: text piece by piece as it becomes known, a file as a whole."""
        if not forms:
            return
        made = forms[self.form]()
        if self.output is not None:
            from noughts.machine.files import write_file

            write_file(self.output, made if isinstance(made, bytes) else "".join(made).encode("utf-8"))
            at_rest()
            print(f"wrote {self.output}", file=sys.stderr)
        elif isinstance(made, bytes):
            at_rest()
            sys.stdout.buffer.write(made)
        else:
            for piece in [made] if isinstance(made, str) else made:
                at_rest()
                print(piece, end="", flush=not isinstance(made, str))


def sink_for(
    request: type[VerbRequest],
    form: str | None = None,
    output: str | None = None,
    theme: str | None = None,
    paper: str | None = None,
    usual: str | None = None,
) -> Sink:
    """Return the sink of an answer; `usual` is the form if neither a form nor a file is named.

    Raises InputError for a form that the verb lacks and for conflicting options.
    """
    path = None if output is None or output == "-" else Path(output)
    if not request.forms:
        return Sink("", None, screen())
    form = form or usual or request.forms[0] if path is None else _form(request.forms, form, path)
    if theme is not None and form not in PICTURES:
        raise InputError("--theme needs a picture: add --format svg, png or pdf")
    if paper is not None:
        paper = paper.lower()
        if paper not in request.papers:
            raise InputError(f"unknown paper {shown(paper)}: choose {' or '.join(request.papers)}")
        if form not in (PICTURES if request.is_paged else ("pdf",)):
            raise InputError(request.paper_wants)
    if form in _BINARY:
        from noughts.drawing.svg import require_maker

        require_maker(form)
    if path is not None:
        from noughts.machine.files import require_writable

        require_writable(path)
    elif form in _BINARY and sys.stdout.isatty():
        raise InputError(f"a terminal cannot show a {form} file: name a file with -o FILE")
    return Sink(form, path, replace(screen() if path is None else PIPE, theme=theme or "light", paper=paper))


def _form(forms: Sequence[str], form: str | None, path: Path) -> str:
    """Return the form: as given, else by the ending of the file, else the default of the verb."""
    ending = path.suffix.lower()
    if not ending:
        return form or forms[0]
    if form is not None and (ending not in _ENDINGS or form in _ENDINGS[ending]):
        return form
    if form is not None:
        raise InputError(f"--format {form} contradicts the name {shown(str(path))}: {_names(forms)}")
    fitting = [each for each in _ENDINGS.get(ending, ()) if each in forms]
    if not fitting:
        more = "" if ending in _ENDINGS else ", or add --format"
        raise InputError(f"cannot tell the format from {shown(str(path))}: {_names(forms)}{more}")
    return fitting[0]


def _names(forms: Sequence[str]) -> str:
    """Return the endings that a verb can write."""
    endings = [ending for ending, held in _ENDINGS.items() if any(form in held for form in forms)]
    return f"end it in {', '.join(endings[:-1])} or {endings[-1]}"
