"""Whatever a terminal can write, no answer ends in a traceback: the nearest characters of ASCII stand for others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from noughts.cli.encoding import nearest
from tests.cli.conftest import Result


def said(encoding: str, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "noughts", *words],
        input=given,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-16", "shift_jis"])
def test_a_tree_is_printed_in_every_encoding(encoding: str) -> None:
    whole = said("utf-8", "tree", "3x3", "--format", "text").stdout.decode()
    assert "×" in whole
    found = said(encoding, "tree", "3x3", "--format", "text")
    assert (found.returncode, found.stderr) == (0, b"")
    text = found.stdout.decode(encoding)
    assert text.replace("x", "×") == whole.replace("x", "×")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_cannot_be_read_or_told_back_ends_in_a_sentence(encoding: str) -> None:
    found = said(encoding, "count", "3⊗3")
    assert found.returncode == 2
    assert b"Traceback" not in found.stderr
    lines = said(encoding, "solve", "3x3", "-", given="a1 b2\n□⊗\n".encode())
    assert lines.returncode == 2
    assert b"Traceback" not in lines.stderr
    assert len(lines.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("given", "plain"),
    [("×", "x"), ("–", "-"), ("→", "->"), ("─", "-"), ("┃", "|"), ("╭", "+"), ("█", "#"), ("½", "1/2"), ("²", "2"),
     ("é", "e"), ("…", "..."), ("Ⅷ", "VIII"), ("\U0001f600", "?")],
)  # fmt: skip
def test_the_nearest_characters(given: str, plain: str) -> None:
    assert nearest(given) == plain


NAMING = (
    "draw 3x3 -o", "export 3x3 -o", "solve 3x3 --save", "solve 3x3 --table", "solve 3x3 --proof", "crib 3x3 -o",
    "count 3x3 --same choices --engine layered --resume", "site 2x2 -o", "evaluate 3x3 random -o",
)  # fmt: skip
READING = ("tree 3x3", "query 3x3", "review 3x3", "versus 3x3 --x", "count", "solve 3x3 --table", "explain 3x3")


@pytest.mark.parametrize(
    ("words", "given"),
    [*product(NAMING, ["\0", "a\0b"]), *product(READING, ["\0", "\x1b[31m"]), ("query 3x3", "\udcff")],
)
def test_what_is_no_text_is_bad_input_and_told_back_in_print(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, given: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words.split(), given)
    assert result.code == 2
    assert result.one_sentence().rstrip("\n").isprintable()
    assert list(tmp_path.iterdir()) == []
