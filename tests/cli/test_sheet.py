"""Sheets on the command line: exercises and answers apart, pages in every form, and what is refused."""

from __future__ import annotations

import json
import shlex

import pytest

import noughts


def test_the_answers_stand_apart_and_are_those_of_the_worksheet(run):
    found = noughts.sheet("3x3", "count", 3, seed="a b")
    out = run("sheet", "3x3", "--kind", "count", "--number", "3", "--seed", "a b").out
    questions, _, rest = out.partition("Answers\n")
    for number, each in enumerate(found.exercises, 1):
        assert f"{number}. {each.answer}" in rest
        assert each.answer not in questions
    assert "noughts sheet 3x3:3 --kind count --number 3 --seed 'a b' -o sheet.pdf" in out


def test_the_record_has_the_exercises_with_their_facts(run):
    record = json.loads(run("sheet", "3x3", "--kind", "same", "--seed", "0", "--format", "json").out)
    assert list(record) == ["board", "kind", "seed", "rules", "exercises"]
    assert len(record["exercises"]) == 6
    assert {"positions", "question", "answer", "same"} == set(record["exercises"][0])
    assert record == noughts.sheet("3x3", "same").as_dict()


def test_sheets_differ_each_time_and_their_command_repeats_them(run):
    first, second = (run("sheet", "3x3", "--kind", "count").out for _ in range(2))
    assert first != second
    command = next(line for line in first.splitlines() if line.endswith("-o sheet.pdf"))
    assert run(*shlex.split(command.removesuffix("-o sheet.pdf"))[1:]).out == first
    assert run("sheet", "3x3", "--kind", "blank").out == run("sheet", "3x3", "--kind", "blank").out


@pytest.mark.parametrize("kind", ["crib", "labels", "poster-endings", "poster-tree"])
def test_cards_labels_and_posters_answer_in_words_and_as_a_record(run, kind):
    assert run("sheet", "2x3", "--kind", kind).code == 0
    assert json.loads(run("sheet", "2x3", "--kind", kind, "--format", "json").out)


def test_the_card_is_the_picture_that_crib_draws(run, tmp_path):
    sheet, card = tmp_path / "sheet.svg", tmp_path / "card.svg"
    assert run("sheet", "3x3", "--kind", "crib", "-o", str(sheet)).code == 0
    assert run("crib", "3x3", "-o", str(card)).code == 0
    assert sheet.read_text(encoding="utf-8") == card.read_text(encoding="utf-8")
