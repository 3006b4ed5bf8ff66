"""Sheets on the command line: exercises and answers apart, pages in every form, and what is refused."""

from __future__ import annotations

import shlex

import noughts


def test_the_answers_stand_apart_and_are_those_of_the_worksheet(run):
    found = noughts.sheet("3x3", "count", 3, seed="a b")
    out = run("sheet", "3x3", "--kind", "count", "--number", "3", "--seed", "a b").out
    questions, _, rest = out.partition("Answers\n")
    for number, each in enumerate(found.exercises, 1):
        assert f"{number}. {each.answer}" in rest
        assert each.answer not in questions
    assert "noughts sheet 3x3:3 --kind count --number 3 --seed 'a b' -o sheet.pdf" in out


def test_sheets_differ_each_time_and_their_command_repeats_them(run):
    first, second = (run("sheet", "3x3", "--kind", "count").out for _ in range(2))
    assert first != second
    command = next(line for line in first.splitlines() if line.endswith("-o sheet.pdf"))
    assert run(*shlex.split(command.removesuffix("-o sheet.pdf"))[1:]).out == first
    assert run("sheet", "3x3", "--kind", "blank").out == run("sheet", "3x3", "--kind", "blank").out
