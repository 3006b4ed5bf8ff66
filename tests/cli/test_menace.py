"""`noughts menace` at the command line: what it says, writes and refuses."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import noughts


def test_the_boxes_are_counted_and_the_other_counts_explained(run):
    out = run("menace").out
    assert out.startswith("3x3:3, MENACE as X: 304 boxes with 1,720 beads at the start")
    assert "   3    4    108                     2    984" in out
    assert "D. Michie wrote of 287 boxes in 1961 without a list. The rule that he states gives 304." in " ".join(
        out.split()
    )
    for board in ("3x3+misere", "3x3+torus", "2x3"):
        assert "Michie" not in run("menace", board).out
    assert "Michie" not in run("menace", "3x3", "--as", "O").out


def test_chances_are_those_of_python(run):
    made = noughts.menace("2x3:2", games=40, seed=3, as_="O")
    record = json.loads(run("menace", "2x3:2", "--games", "40", "--seed", "3", "--as", "O", "--format", "json").out)
    assert record == made.as_dict()
    last = record["lessons"][0]["marks"][-1]
    assert Fraction(last["win"]) == made.chances.o_wins
    rows = list(
        csv.DictReader(
            io.StringIO(run("menace", "2x3:2", "--games", "40", "--as", "O", "--runs", "2", "--format", "csv").out)
        )
    )
    assert {row["seed"] for row in rows} == {"0", "1"}
    assert all(Fraction(row["win"]) + Fraction(row["draw"]) + Fraction(row["loss"]) == 1 for row in rows)


def test_a_saved_machine_goes_on(run, tmp_path):
    path = tmp_path / "machine.json"
    assert run("menace", "2x3:2", "--games", "20", "--save", str(path)).code == 0
    again = json.loads(run("menace", "2x3:2", "--load", str(path), "--games", "10", "--format", "json").out)
    assert again["games"] == 30
    held = json.loads(path.read_text())
    assert held["as"] == "X"
    assert all(sum(map(Fraction, moves.values())) == 1 for moves in held["moves"].values())


def test_labels_are_pages_and_a_sheet(run, tmp_path):
    for name, begins in (("labels.pdf", b"%PDF"), ("labels.svg", b"<svg")):
        path = tmp_path / name
        result = run("menace", "3x3", "--labels", str(path))
        assert (result.code, result.err) == (0, f"wrote {path}\n")
        assert path.read_bytes().startswith(begins)
    sheet = (tmp_path / "labels.svg").read_text()
    assert sheet.count("<g><title>") == 304
    assert "2: XO./.../...; G green on c1, B blue on a2" in sheet
    assert "3 of each" in sheet


def test_what_is_offered_can_be_had(run, tmp_path):
    assert "--labels" not in run("menace", "1x1").out
    assert "--labels labels.pdf" in run("menace", "1x2").out
    labels = str(tmp_path / "labels.svg")
    result = run("menace", "2x2", "--labels", labels, "--paper", "a3")
    assert "labels are always A4" in result.one_sentence()
    result = run("menace", "2x2", "--labels", labels, "--paper", "a3", "--format", "pdf")
    assert "or remove --format and -o for labels alone" in result.one_sentence()
