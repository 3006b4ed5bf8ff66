"""Transcripts: commands with what they say, kept as text, one file a verb; the middle of what is long is left out.

A line begins with what it is: `#` a family of boards, `$` a command, `<` what is typed into it, `>` standard output,
`!` standard error, `=` an exit code other than 0, `+` a file that was written, with the first lines of a text.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from noughts._version import __version__
from noughts.cli.main import main

__all__ = ["FAMILIES", "FOLDER", "Step", "played", "steps"]

FOLDER = Path(__file__).parent / "transcripts"
FAMILIES = ("plain", "k smaller", "misere", "torus", "3-D", "gravity", "other rules", "won position", "bad input")
_HEAD = 6
"""Lines of a written file that are shown."""
_WIDTH = 120
"""Characters of such a line."""
_SIZE = re.compile(r"\d[\d.,]* (?:[kMGT]B|bytes|pages)\b")
_FIRST, _LAST = 12, 6
"""Lines that are shown of what is longer than both together."""
_FILES = 3
"""Files that are shown; of more than these the names of the first and the last."""


@dataclass
class Step:
    """The heading of a family, or a command with what is typed into it."""

    family: str = ""
    command: str = ""
    typed: list[str] = field(default_factory=list)


def steps(text: str) -> list[Step]:
    """Return what a transcript asks; what it was answered is passed over."""
    found: list[Step] = []
    for line in text.splitlines():
        if line.startswith("# "):
            found.append(Step(family=line[2:]))
        elif line.startswith("$ "):
            found.append(Step(command=line[2:]))
        elif line.startswith("<"):
            found[-1].typed.append(line[2:])
    return found


def played(text: str, folder: Path) -> str:
    """Return the transcript as its commands answer now, in a folder that is empty."""
    rows: list[str] = []
    for step in steps(text):
        if step.family:
            rows += ["", f"# {step.family}"] if rows else [f"# {step.family}"]
        else:
            rows += [f"$ {step.command}", *_marked("<", "\n".join(step.typed)), *_answered(step, folder)]
    return "\n".join(rows) + "\n"


def _marked(mark: str, text: str) -> list[str]:
    return [f"{mark} {line}".rstrip() for line in text.splitlines()]


def _answered(step: Step, folder: Path) -> list[str]:
    words, before = shlex.split(step.command), _written(folder)
    assert words[0] == "noughts", step.command
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    typed = io.TextIOWrapper(io.BytesIO("".join(f"{line}\n" for line in step.typed).encode()), encoding="utf-8")
    code: object = 0
    with _in_folder(folder), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", typed)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main(words[1:])
            except SystemExit as done:
                code = done.code
    rows = _marked(">", _shortened(_text(out.buffer.getvalue()))) + _marked("!", _text(err.buffer.getvalue()))
    if code != 0:
        rows.append(f"= {code}")
    after = _written(folder)
    changed = sorted(name for name in after if after[name] != before.get(name))
    if len(changed) > _FILES:
        return rows + _marked("+", f"{changed[0]} and others, to {changed[-1]}")
    for name in changed:
        rows += _marked("+", f"{name}\n" + "\n".join(line[:_WIDTH] for line in _text(after[name]).splitlines()[:_HEAD]))
    return rows


def _text(content: bytes) -> str:
    """Return what is written as text, or that it is none; sizes and the version are no part of what is kept."""
    if b"\0" in content:
        return "(bytes)"
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return "(bytes)"
    return _SIZE.sub("SIZE", text).replace(f"noughts {__version__}", "noughts VERSION")


def _shortened(text: str) -> str:
    lines = text.splitlines()
    more = len(lines) - _FIRST - _LAST
    return "\n".join([*lines[:_FIRST], f"... {more} more lines", *lines[-_LAST:]]) if more > 1 else text


def _written(folder: Path) -> dict[str, bytes]:
    files = (each for each in sorted(folder.rglob("*")) if each.is_file())
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


@contextlib.contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    """Work there, as on a pipe 80 columns wide, whatever the terminal is."""
    usual = Path.cwd()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        patch.setenv("NOUGHTS_QUIET", "1")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(usual)
