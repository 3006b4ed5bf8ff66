"""No line is wider than the terminal: every verb, at 40, 60 and 80 columns, with frames and without."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from noughts.cli import sink as screen
from noughts.cli.main import main
from noughts.present.report import (
    Report,
    Table,
)
from noughts.present.text import as_text, fold_command, laid_out
from noughts.verbs.table import VERBS
from tests.dear import dear

pytestmark = pytest.mark.usefixtures("remembered")

BOT = Path(__file__).parent.parent.parent / "examples" / "bots" / "centre_first.sh"
PROOF = str(files("noughts.known").joinpath("proofs", "6x6-5.proof"))
CALLS = {
    "count": ["3x3", "3x3 --same choices --explain", "4x4:3 --same symmetry --moves block --end decided", "6x6",
              "8x8", "1x1..4x4 --column positions", "6x6:4 --to-ply 3"],
    "solve": ["3x3", "3x3 a1 b1 --line", "4x4:3 --by-ply --same symmetry", "3x3x3"],
    "whatis": ["26830", "7"],
    "explain": ["3x3 a1 c3", "4x4:3 a1 b2", "3x3+misere a1", "3x3 --format text"],
    "openings": ["3x3", "3x3+misere", "3x3 --format text"],
    "tree": ["3x3", "3x3 --format text", "3x3 --kind policy", "3x3 --kind forced-wins --from a1 b1"],
    "patterns": ["3x3", "3x3 --format text"],
    "payoff": ["3x3", "3x3 --points X=3-0,O=0-5,Island=0-1"],
    "breed": ["2x3:2 --population 8", "3x3 --genes real --population 40", "3x3+torus --as O --generations 3"],
    "match": ["2x3:2 random block perfect best", "3x3 --x best", "3x3 --x random --format text"],
    "evaluate": ["3x3 block --against medium", "perfect --board 2x3:2"],
    "menace": ["3x3", "2x3 --games 30 --expect 1", "2x3 --games 9 --runs 3", "1x1"],
    "crib": ["3x3", "3x3 --as both --goal perfect", "3x3+misere --as X --count all"],
    "positions": ["3x3 --ply 2", "3x3 --terminal --limit 5", "4x4:3 --ply 3 --limit 9"],
    "same": ["3x3 a1 c3", "3x3x3 a1.1 c3.1"],
    "sheet": ["3x3 --kind count --number 2 --seed 1", "3x3 --kind poster-endings", "3x3x3 --kind same --seed 1"],
    "puzzle": ["3x3 --number 2 --hints 3", "3x3x3 --number 1", "3x3+misere --number 2"],
    "review": ["3x3 a1 b1 a2 a3 c1", "3x3x3 a1.1 b2.2", "3x3+misere a1 b1 c1"],
    "site": ["2x2 --force -o"],
    "export": ["3x3 -o"],
    "query": ["3x3", "3x3 'select * from classes limit 3'"],
    "blindfold": ["3x3", "3x3 --blind O --opening-told", "3x3 --goal win-often"],
    "referee": ["3x3:2 --as X -- sh bot.sh"],
    "check": ["bot.proof", "./bot.proof bot.proof"],
    "verify": ["--time 1s"],
}  # fmt: skip
"""Calls of every verb; a certificate (`blindfold --format text`) is a file for `check`, whose lines stay whole."""


def test_every_verb_that_answers_in_text_is_here() -> None:
    assert VERBS.keys() - CALLS.keys() <= {"draw", "serve", "engine", "play"}


DEAR = ("blindfold 3x3", "solve 4x4:3")
"""What takes seconds to answer is looked at as narrow as can be, and in all widths among the slow tests."""
DEARER = "count 8x8"
"""Among the slow tests only: `count 6x6` has numbers that are wider than 40 columns too."""
ALL = [f"{verb} {words}" for verb, calls in CALLS.items() if verb != "verify" for words in calls]


@pytest.mark.parametrize(
    ("call", "columns"),
    [
        pytest.param(
            call, columns, marks=[pytest.mark.slow] * (call == DEARER or (columns > 40 and call.startswith(DEAR)))
        )
        for call in ALL
        for columns in (40, 80)
    ],
)
def test_no_line_is_wider_than_the_terminal(run, monkeypatch, tmp_path, call, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.sh").symlink_to(BOT)
    (tmp_path / "bot.proof").symlink_to(PROOF)
    words = shlex.split(call)
    if words[-1] == "-o":
        words.append("x.csv" if words[0] == "export" else "x")
    if (ALL.index(call) % 2 == 0) == (columns == 40):  # every call in colours, and every width
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)
    else:
        monkeypatch.setenv("NO_COLOR", "1")
    result = run(*words)
    assert result.code == 0, result.err
    lines = re.sub(r"\x1b\[[0-9;]*m", "", result.out).splitlines()
    assert [line for line in lines if len(line) > columns] == []
    assert result.out.strip()


def test_a_command_stays_one_that_a_shell_reads() -> None:
    command = "noughts query 3x3:3 'select ply, outcome, count(*) from classes group by 1, 2'"
    folded = fold_command(command, 40, "  ")
    assert max(map(len, folded.splitlines())) <= 40
    words = shlex.split(folded.replace("\\\n", " "))
    assert [" ".join(word.split()) for word in words] == shlex.split(command)


def test_words_are_wrapped_before_numbers_are_cut_and_rows_stacked_at_last() -> None:
    table = Table(["what it is", "count"], [["a long way of saying it", "1,234,567"]], frozenset({0}))
    text = laid_out(table, 20)[1]
    assert max(map(len, text.splitlines())) <= 20
    assert "1,234,567" in text
    assert " ".join(text.split()).startswith("what it is count")
    narrow = laid_out(Table(["name", "n"], [["unbreakable", "123,456"]], frozenset({0})), 12)[1]
    assert narrow.splitlines() == ["name:", "  unbreakabl", "  e", "n: 123,456"]


# Tables for people: what a narrow terminal does to them.

WIDE = Table(
    ["ply", "who", "paths", "finished"],
    [["1", "X", "9", "12,345,678,901,234"], ["2", "O", "1,234,567", "0"]],
    frozenset({1}),
)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)


def shown() -> str:
    return as_text(Report.of([WIDE]), screen.screen())


def test_a_pipe_gets_all_digits() -> None:
    out = shown()
    assert "12,345,678,901,234" in out
    assert "cut short" not in out


@pytest.mark.parametrize(
    "command", [("count", "4x4", "--same", "labelled"), ("evaluate", "block"), ("match", "random", "block")]
)
def test_eighty_columns_show_every_column_and_digit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit):
        main([*command])
    whole = capsys.readouterr().out
    on_a_terminal(monkeypatch, 80)
    with pytest.raises(SystemExit):
        main([*command])
    narrow = capsys.readouterr().out
    assert max(map(len, narrow.splitlines())) <= 80
    assert "Left out" not in narrow
    assert "cut short" not in narrow
    assert set(whole.split()) - set(narrow.split()) <= {each for each in whole.split() if set(each) == {"-"}}


# What stands in a cell or a title stays there: bars, line breaks, markup, and characters that no XML may hold.


@pytest.mark.parametrize("columns", dear([60, 130], 130))
def test_a_pipe_is_as_wide_as_columns_says(columns):
    command = [sys.executable, "-m", "noughts", "count", "3x3"]

    def widest(**given):
        env = {key: text for key, text in os.environ.items() if key != "COLUMNS"} | given
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return max(map(len, done.stdout.splitlines()))

    assert columns - 25 < widest(COLUMNS=str(columns)) <= columns
    assert widest(COLUMNS="0") == widest(COLUMNS="wide") == widest()
