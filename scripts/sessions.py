"""The sessions shown in README.md and docs/: run them and compare, or refresh what they show.

    python scripts/sessions.py [PAGE...]            say which sessions differ, on these pages or on all
    python scripts/sessions.py --write [PAGE...]    replace the output shown by the output there is

A session is a fenced block marked `console`: lines that begin with `$ ` are commands, the lines below each are what it
prints, on either stream, to the letter. A line `...` stands for any number of lines, and ` ...` at the end of one for
the rest of it. A block marked `pycon` is a doctest. A comment `<!-- slow -->` above a block keeps it out of the quick
run. Blocks marked `sh` are not run.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

os.environ["NOUGHTS_QUIET"] = "1"  # a slow machine would say that it is still at work
ROOT = Path(__file__).resolve().parent.parent
ELISION = "..."
SHELL_WORDS = ("echo", "printf", "cat", "head", "tail", "ls")


@dataclass
class Block:
    """A fenced block: its language, the lines inside, the number of its first line counted from 0, and its speed."""

    language: str
    lines: list[str]
    first: int
    slow: bool


def pages() -> list[Path]:
    """Return the pages that may show sessions."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if lines[at].startswith("```"):
            language, first = lines[at][3:].strip(), at + 1
            end = next(i for i in range(first, len(lines)) if lines[i].startswith("```"))
            before = next((line for line in reversed(lines[:at]) if line), "")
            yield Block(language, lines[first:end], first, before.strip() == "<!-- slow -->")
            at = end
        at += 1


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """Return the commands of a session with the lines shown below each."""
    found: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError(f"a session begins with a command, not with {line!r}")
    return found


def output_of(command: str) -> list[str]:
    """Return the lines that a command prints; the program runs in this process unless the shell is needed."""
    words = shlex.split(command)
    if words[0] != "noughts" and words[0] not in SHELL_WORDS:
        raise ValueError(f"only noughts and {', '.join(SHELL_WORDS)} are run: mark the block of {command!r} with sh")
    if words[0] != "noughts" or set("<>;&$") & set(command):
        return _by_shell(command)
    first, *filters = (list(part) for is_bar, part in groupby(words, lambda word: word == "|") if not is_bar)
    printed, said = _in_process(first[1:], together=not filters)
    for each in filters:
        printed = subprocess.run(each, input=printed, stdout=subprocess.PIPE, text=True, check=False).stdout
    return _lines(said + printed)


def _in_process(arguments: list[str], together: bool) -> tuple[str, str]:
    """Return what is printed on standard output and, unless together with it, on standard error."""
    from noughts.cli.main import main

    printed, said = io.StringIO(), io.StringIO()
    errors = printed if together else said
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors), contextlib.suppress(SystemExit):
        main(arguments)
    return printed.getvalue(), said.getvalue()


def _by_shell(command: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "noughts"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m noughts "$@"\n')
        program.chmod(0o755)
        source = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "COLUMNS": "", "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": source}
        done = subprocess.run(
            command,
            shell=True,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    return _lines(done.stdout)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip("\n").split("\n")] if text else []


def matches(shown: list[str], printed: list[str]) -> bool:
    """Tell whether what is shown is what is printed, `...` standing for any number of lines."""
    if not shown:
        return not printed
    if shown[0] == ELISION:
        return any(matches(shown[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and _is_line(shown[0], printed[0]) and matches(shown[1:], printed[1:])


def _is_line(shown: str, printed: str) -> bool:
    """Tell whether a line is the one shown; one that ends with ` ...` shows only how it begins."""
    return printed == shown or (shown.endswith(f" {ELISION}") and printed.startswith(shown.removesuffix(ELISION)))


def _trimmed(shown: list[str]) -> list[str]:
    while shown and not shown[-1]:
        shown = shown[:-1]
    return shown


def refreshed(shown: list[str], printed: list[str]) -> list[str]:
    """Return what to show: all that is printed; where the middle was left out, as many lines at both ends.

    What is true as it stands is left alone.
    """
    if matches(_trimmed(shown), printed):
        return _trimmed(shown)
    if ELISION not in shown:
        return printed
    head = shown.index(ELISION)
    tail = len(_trimmed(shown)) - head - 1
    return [*printed[:head], ELISION, *(printed[len(printed) - tail :] if tail else [])]


@contextlib.contextmanager
def _in_an_empty_folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


def differences(block: Block) -> list[str]:
    """Return in words where a block shows something else than what happens."""
    if block.language == "pycon":
        return _doctest(block)
    if block.language != "console":
        return []
    found = []
    with _in_an_empty_folder():
        for command, shown in commands(block):
            printed = output_of(command)
            if not matches(_trimmed(shown), printed):
                found.append("\n".join([f"$ {command}", *printed]))
    return found


def _doctest(block: Block) -> list[str]:
    test = doctest.DocTestParser().get_doctest("\n".join(block.lines) + "\n", {}, "session", None, block.first)
    said = io.StringIO()
    with _in_an_empty_folder():
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.write)
    return [said.getvalue()] if said.getvalue() else []


def refresh(text: str) -> str:
    """Return a page with the output of every `console` block as it is now."""
    lines = text.split("\n")
    for block in reversed(list(blocks(text))):
        if block.language != "console":
            continue
        fresh: list[str] = []
        with _in_an_empty_folder():
            for number, (command, shown) in enumerate(commands(block)):
                gap = [""] if number and fresh[-1:] != [""] and not fresh[-1].startswith("$ ") else []
                fresh += [*gap, f"$ {command}", *refreshed(shown, output_of(command))]
        lines[block.first : block.first + len(block.lines)] = fresh
    return "\n".join(lines)


def main() -> int:
    """Compare all sessions, or refresh them; the exit code is 1 where some differ."""
    sys.path.insert(0, str(ROOT / "src"))
    failed = 0
    named = [Path(word).resolve() for word in sys.argv[1:] if not word.startswith("--")]
    for page in named or pages():
        text = page.read_text(encoding="utf-8")
        if "--write" in sys.argv:
            page.write_text(refresh(text), encoding="utf-8")
            continue
        for block in blocks(text):
            for difference in differences(block):
                failed = 1
                print(f"{page.relative_to(ROOT)}:{block.first}: prints\n{difference}\n")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
