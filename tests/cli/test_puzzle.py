"""Puzzles on the command line: sheets with the answers apart, lines of JSON, and what is refused."""

from __future__ import annotations

import json
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


def test_the_commands_to_try_next_give_the_same_puzzles(run):
    for words in (["--number", "2", "--seed", "a b", "--about", "who-can-force"], ["--daily", "2026-11-22"]):
        out = run("puzzle", "3x3", *words, "--answers").out
        command = next(line.strip() for line in out.splitlines() if "noughts puzzle" in line)
        assert command.endswith(" -o sheet.pdf")
        again = run(*_words(command)[:-2], "--answers").out
        assert re.findall("grade.*", again) == re.findall("grade.*", out)
        assert out.partition("Answers")[2].partition("Try")[0] == again.partition("Answers")[2].partition("Try")[0]


def _words(command: str) -> list[str]:
    import shlex

    return shlex.split(command)[1:]


def test_lines_of_json_have_seven_fields(run):
    lines = run("puzzle", "3x3+misere", "--number", "5", "--format", "jsonl").out.splitlines()
    assert len(lines) == 5
    for line in lines:
        record = json.loads(line)
        assert list(record) == ["board", "position", "to_move", "goal", "solution", "grade", "themes"]
        assert record["goal"] in ("win", "not lose")
        assert len(record["solution"]) == 1


def test_a_sheet_to_print_has_the_answers_on_a_page_of_their_own(run, tmp_path):
    path = tmp_path / "sheet.pdf"
    assert run("puzzle", "3x3", "-o", str(path)).code == 0
    assert len(re.findall(rb"/Type\s*/Page\b", path.read_bytes())) == 2
    picture = run("puzzle", "3x3+misere", "--format", "svg").out

    assert "1. " in picture
    assert "Answers" in picture
    assert "The player who completes a line loses. One move alone does it: which?" in picture
