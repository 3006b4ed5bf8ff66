"""Puzzles on the command line: sheets with the answers apart, lines of JSON, and what is refused."""

from __future__ import annotations

import re

import noughts


def test_the_answers_stand_apart_and_hints_only_where_asked(run):
    found = noughts.puzzles("3x3", 4, seed=9)
    out = run("puzzle", "3x3", "--number", "4", "--seed", "9", "--answers").out
    assert "Answers" not in run("puzzle", "3x3", "--number", "4", "--seed", "9").out
    questions, _, rest = out.partition("Answers\n")
    answers = rest.partition("How we know")[0]
    for number, each in enumerate(found, 1):
        assert f"{number}. {each.question} (grade {each.grade})" in questions
        assert f"{number}. {each.answer} " in answers
        assert not [theme for theme in each.themes if theme in questions]
    assert "Hint" not in out
    hinted = run("puzzle", "3x3", "--number", "4", "--seed", "9", "--hints", "2").out
    assert "Hint 2: Not" in hinted
    assert "Hint 3" not in hinted


def test_a_sheet_to_print_has_the_answers_on_a_page_of_their_own(run, tmp_path):
    path = tmp_path / "sheet.pdf"
    assert run("puzzle", "3x3", "-o", str(path)).code == 0
    assert len(re.findall(rb"/Type\s*/Page\b", path.read_bytes())) == 2
    picture = run("puzzle", "3x3+misere", "--format", "svg").out

    assert "1. " in picture
    assert "Answers" in picture
    assert "The player who completes a line loses. One move alone does it: which?" in picture
