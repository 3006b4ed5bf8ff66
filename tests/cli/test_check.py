"""`noughts check`: every kind of certificate, what is said of it, and its exit code."""

from __future__ import annotations

import io
import json
import os
import sys
from importlib.resources import files

import pytest

from noughts.judge.certificates import judge_text
from noughts.machine.reading import read_text
from tests.dear import dear

PROOFS = files("noughts.known").joinpath("proofs")


def shipped(name: str) -> str:
    return PROOFS.joinpath(name).read_text(encoding="ascii")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """One certificate of every kind, as the package writes it."""
    from noughts.cli.main import main

    folder = tmp_path_factory.mktemp("certificates")
    for name, words in {
        "crib.json": ["crib", "3x3", "--as", "both", "--format", "json"],
        "strategy.txt": ["blindfold", "3x3", "--format", "text"],
        "strategy.json": ["blindfold", "2x3:2", "--goal", "always-win", "--format", "json"],
        "value.json": ["blindfold", "2x2", "--proof"],
        "policy.json": ["match", "3x3", "--x", "best", "--o", "random", "--save"],
    }.items():
        told = [] if words[-1].startswith("--") else ["-o"]
        with pytest.raises(SystemExit):
            main([*words, *told, str(folder / name)])
    (folder / "draw.proof").write_text(shipped("6x6-5.proof"))
    (folder / "win.proof").write_text(shipped("5x6-4.proof"))
    (folder / "pairs.proof").write_text(shipped("9-infinite.proof"))
    return folder


SAID = {
    "win.proof": ("X wins on 5x6:4 from the empty board against every reply of O. Judged: 45 positions", "proof"),
    "draw.proof": ("the game is drawn on 6x6:5 from the empty board: neither player can force a win.", "proof"),
    "pairs.proof": ("the game is drawn on 9+infinite", "proof"),
    "crib.json": ("with this table X never loses on 3x3:3 against every reply and with this", "crib"),
    "strategy.txt": ("the strategy never loses.", "blindfold strategy"),
    "strategy.json": ("the strategy always wins.", "blindfold strategy"),
    "value.json": ("for the blind X on 2x2:2, the value is 1.", "blindfold value"),
    "policy.json": ("the policy plays 3x3:3 to the end, and as X it never loses.", "policy"),
}


@pytest.mark.parametrize("name", SAID)
def test_every_kind_is_judged_through_one_door(run, written, name):
    result = run("check", str(written / name))
    said, kind = SAID[name]
    assert (result.code, result.err) == (0, "")
    assert " ".join(result.out.split()).startswith(f"Yes: {said}")
    assert "How we know:" in result.out
    record = json.loads(run("check", str(written / name), "--format", "json").out)
    assert record["holds"]
    assert [(each["kind"], each["exit_code"]) for each in record["certificates"]] == [(kind, 0)]


def test_a_draw_by_threats_is_told_from_one_by_stealing(run, tmp_path):
    file = tmp_path / "threats.proof"
    head = "noughts proof 1\nboard 3x3\nfrom X../.../...\nclaim X stopped\n"
    file.write_text(f"{head}stop X by threats\n4 : 2 1\n1\n3\n1\n")
    assert "X cannot win: O blocks every line, and threatens" in " ".join(run("check", str(file)).out.split())


def test_several_are_told_apart_and_the_first_that_fails_gives_the_code(run, written, tmp_path):
    wrong = tmp_path / "wrong.proof"
    wrong.write_text(shipped("5x6-4.proof").replace("\n14\n", "\n15\n", 1))
    result = run("check", str(written / "win.proof"), str(wrong), str(tmp_path / "nothing"), str(written / "crib.json"))
    assert result.code == 1
    assert result.out.startswith("2 of 4 certificates hold.\n")
    assert "No: line 9" in " ".join(result.out.split())
    assert "Not judged: it cannot be read" in " ".join(result.out.split())
    assert "; 1 more of 4 fail" in result.err
    assert run("check", str(written / "win.proof"), str(written / "crib.json")).out.startswith("All 2 certificates")


def test_standard_input_is_read_once(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(shipped("4x4-4.proof").encode())))
    assert run("check", "-").out.startswith("Yes: the game is drawn on 4x4:4")
    assert "standard input can be read only once" in run("check", "-", "-").one_sentence()


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", 2, "empty"),
        ("hello", 2, "not a certificate"),
        ("[1, 2]", 2, "not a certificate"),
        ("{}", 2, "not a certificate"),
        ('{"board": "3x3"}', 2, "not a certificate"),
        ('{"board": 3, "moves": {}}', 2, "must be text"),
        ('{"board": "3x3", "moves": {}}', 2, "no moves for"),
        ('{"board": "3x3", "moves": 4}', 2, "'moves' without positions"),
        ("{" + '"a":{' * 100_000, 2, "nested too deeply"),
        ("noughts proof 2\n", 2, "not a proof"),
        ("noughts proof 1\nboard 1000x1000\nclaim draw\nstop X\n-\n", 2, "1,000,000 cells"),
        ("noughts proof 1\nboard 9x9x9\nclaim draw\nstop X\n-\n", 2, "729 cells"),
        ("noughts proof 1\nboard 20x20:999999999\nclaim draw\n", 1, "needs a section"),
        ("noughts proof 1\nboard 7x7x8:392+torus\nclaim draw\n", 1, "needs a section"),
        ("noughts proof 1\nboard 3x3\nclaim draw\n" + "stop O by stealing\n" * 100_000, 1, "second section"),
        ("noughts proof 1\nboard 20x20:3\nclaim draw\nwin X\n" + "0\n" * 10, 1, "ends in the middle|taken"),
        ("noughts proof 1\nboard 20x20:5\nclaim X wins\nwin X\n0 : " + "1 / " * 99_999 + "1\n", 1, "100,000 seq"),
    ],
)
def test_what_is_none_or_hostile_gets_one_sentence(run, tmp_path, text, code, words):
    path = tmp_path / "given"
    path.write_text(text)
    result = run("check", str(path))
    assert result.code == code
    assert len(result.err) < 600
    assert result.err.count("\n") == 1
    import re

    assert re.search(words, result.err), result.err


def test_files_that_are_none(run, tmp_path, monkeypatch):
    monkeypatch.setitem(read_text.__kwdefaults__, "patience", 0.2)
    assert run("check", str(tmp_path)).code == 2
    assert run("check", str(tmp_path / "nothing")).code == 4
    (tmp_path / "bytes").write_bytes(bytes(range(256)))
    assert run("check", str(tmp_path / "bytes")).code == 2
    os.mkfifo(tmp_path / "pipe")
    said = run("check", str(tmp_path / "pipe")).one_sentence()
    assert "it is a pipe, and no program writes to it: name a file" in said
    assert said.count(str(tmp_path)) == 1
    assert "it has more than 64 MB" in run("check", "/dev/zero").one_sentence()
    assert run("check").code == 2


@pytest.mark.parametrize(
    "name", dear(sorted(each.name for each in PROOFS.iterdir() if each.name != "7x7-5.proof"), "4x4x4.proof")
)
def test_what_is_shipped_holds(name):
    found = judge_text(shipped(name))
    assert found.holds, found.error
    if len(shipped(name)) < 900 and "infinite" not in name and "\npartners\n" not in shipped(name):  # in test_partners
        from tests.judge.playjudge import accepts

        assert accepts(shipped(name))
