"""`noughts menace` at the command line: what it says, writes and refuses."""

from __future__ import annotations

import json
from fractions import Fraction


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
        result = run("menace", "3x3", "-o", str(path))
        assert (result.code, result.err) == (0, f"wrote {path}\n")
        assert path.read_bytes().startswith(begins)
    sheet = (tmp_path / "labels.svg").read_text()
    assert sheet.count("<g><title>") == 304
    assert "2: XO./.../...; G green on c1, B blue on a2" in sheet
    assert "3 of each" in sheet


def test_what_is_offered_can_be_had(run, tmp_path):
    assert "labels" not in run("menace", "1x1").out
    assert "-o labels.pdf" in run("menace", "1x2").out
    labels = str(tmp_path / "labels.pdf")
    assert run("menace", "2x2", "-o", labels, "--paper", "a3").code == 0
    assert "-o has the labels" in run("menace", "2x2", "--labels", labels).one_sentence()
