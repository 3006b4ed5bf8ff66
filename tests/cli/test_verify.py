"""`noughts verify`: one line for each known number, and exit code 1 when one is wrong."""

from __future__ import annotations

import json

import pytest

from noughts import known
from tests.dear import dear

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.fixture(autouse=True)
def _small_tables_alone(monkeypatch):
    """Tables of large boards take seconds each, and have tests of their own."""
    monkeypatch.setattr("noughts.judge.numbers.choices_held", lambda bench: iter(()))


@pytest.mark.parametrize("time", dear(["0.02s", "1s"], "1s"))
def test_every_known_number_has_a_line(run, time):
    result = run("verify", "--time", time)
    entries = len(known.tables()) + len(known.numbers("sequence")) + len(known.numbers("number"))
    entries += len(known.further())
    lines = result.out.splitlines()
    assert result.code == 0, result.out
    assert len(lines) > entries
    assert all(line.startswith(("ok", "out of reach")) for line in lines[:-1])
    assert " 0 differ" in lines[-1]
    assert "numbers inside the others not reached; " in lines[-1]
    assert lines[-1].endswith(" numbers by one engine only")


def test_a_wrong_number_is_found(run, monkeypatch):
    entry = {
        "value": "766",
        "what": "position classes, misprinted",
        "source": "nobody",
        "checks": [{"kind": "total", "board": "3x3", "same": "symmetry", "column": "positions", "expect": "766"}],
    }
    monkeypatch.setattr("noughts.judge.numbers.tables", list)
    monkeypatch.setattr("noughts.judge.numbers.numbers", lambda kind: [entry] if kind == "number" else [])
    monkeypatch.setattr("noughts.judge.numbers.boards", list)
    monkeypatch.setattr("noughts.judge.numbers.further", list)
    monkeypatch.setattr("noughts.judge.values.proofs", list)
    result = run("verify")
    assert result.code == 1
    assert "differs" in result.out
    assert "published 766, computed 765" in result.out
    record = json.loads(run("verify", "--format", "json").out)
    assert record["counts"] == {"ok": 0, "differs": 1, "out of reach": 0}


def test_terms_beyond_those_published_are_computed_again_and_a_wrong_one_is_found(run, monkeypatch):
    entries = [dict(entry) for entry in known.further() if entry["id"] in ("A061528", "A061529")]
    entries[1]["terms"] = [*entries[1]["terms"][:2], "9"]
    monkeypatch.setattr("noughts.judge.numbers.tables", list)
    monkeypatch.setattr("noughts.judge.numbers.numbers", lambda kind: [])
    monkeypatch.setattr("noughts.judge.numbers.boards", list)
    monkeypatch.setattr("noughts.judge.numbers.further", lambda: entries)
    monkeypatch.setattr("noughts.judge.values.proofs", list)
    result = run("verify", "--format", "json")
    assert result.code == 1
    good, bad = json.loads(result.out)["entries"]
    assert (good["status"], good["compared"]) == ("ok", ["8x8", "9x9", "10x10"])
    assert good["source"] == "computed here"
    assert bad["status"] == "differs"
    assert bad["compared"][:2] == ["8x8", "9x9"]
    assert bad["compared"][2].startswith("10x10: published 9, computed 909149418645528573251450639460891607482589")


def test_the_certificates_that_are_carried_are_judged_and_a_wrong_one_is_found(run, monkeypatch):
    monkeypatch.setattr("noughts.judge.numbers.tables", list)
    monkeypatch.setattr("noughts.judge.numbers.numbers", lambda kind: [])
    monkeypatch.setattr("noughts.judge.numbers.further", list)
    monkeypatch.setattr("noughts.judge.numbers.boards", list)
    result = run("verify")
    names = [name for name, _ in known.proofs()]
    assert all(f"certificate {name}: " in result.out for name in names)
    assert (result.code, result.out.count("out of reach certificate")) == (0, 2)
    wrong = dict(known.proofs())["5x6-4.proof"].replace("\n14\n", "\n15\n", 1)
    monkeypatch.setattr("noughts.judge.values.proofs", lambda: [("wrong.proof", wrong)])
    result = run("verify")
    assert result.code == 1
    assert "differs      certificate wrong.proof" in result.out
    assert "which is taken" in result.out


def test_values_of_boards_are_computed_again_and_a_wrong_one_is_found(run, monkeypatch):
    monkeypatch.setattr("noughts.judge.numbers.tables", list)
    monkeypatch.setattr("noughts.judge.numbers.numbers", lambda kind: [])
    monkeypatch.setattr("noughts.judge.numbers.further", list)
    monkeypatch.setattr("noughts.judge.values.proofs", list)
    rows = [row for row in known.boards() if row["board"] in ("4x4:4", "5x5:3", "8x8:5")]
    assert len(rows) == 3
    monkeypatch.setattr("noughts.judge.numbers.boards", lambda: rows)
    result = run("verify", "--time", "60s", "--format", "json")
    assert result.code == 0
    record = json.loads(result.out)
    assert {name for entry in record["entries"] for name in entry["out_of_reach"]} == {"8x8:5"}
    assert {name for entry in record["entries"] for name in entry["compared"]} == {
        "4x4:4 by blocking",
        "5x5:3 by threats",
    }
    assert all(
        "the judge" in entry["engines"] and not entry["one_engine"] for entry in record["entries"] if entry["compared"]
    )
    wrong = [row | {"value": "draw"} for row in rows if row["board"] == "5x5:3"]
    monkeypatch.setattr("noughts.judge.numbers.boards", lambda: wrong)
    result = run("verify", "--time", "60s")
    assert result.code == 1
    assert "published draw, computed X" in result.out


def test_all_derives_values_again_and_judges_their_proofs(run, monkeypatch):
    monkeypatch.setattr("noughts.judge.numbers.tables", list)
    monkeypatch.setattr("noughts.judge.numbers.numbers", lambda kind: [])
    monkeypatch.setattr("noughts.judge.numbers.further", list)
    monkeypatch.setattr("noughts.judge.values.proofs", list)
    monkeypatch.setattr("noughts.judge.numbers.boards", list)
    rows = [
        {"board": "3x4:3", "value": "X", "engine": "threats", "seconds": 0.01},
        {"board": "4x4:4", "value": "draw", "engine": "blocking", "seconds": 0.03},
        {"board": "3x3:3", "value": "X", "engine": "search", "seconds": 0.0},
        {"board": "7x8:5", "value": "draw", "engine": "blocking", "seconds": 9999.0},
        {"board": "8x8:5", "value": "draw"},
    ]
    monkeypatch.setattr("noughts.judge.values.boards", lambda: rows)
    result = run("verify", "--all", "--time", "2000s", "--format", "json")
    assert result.out, result.err
    found = json.loads(result.out)["entries"]
    assert [(one["name"], one["status"]) for one in found] == [
        ("proof 3x4:3", "ok"),
        ("proof 4x4:4", "ok"),
        ("proof 3x3:3", "differs"),
        ("proof 7x8:5", "out of reach"),
    ]
    assert "published 3x3:3 X wins, computed 3x3:3 draw" in found[2]["compared"][0]
    assert found[0]["engines"] == ["the judge", "threats"]
    assert result.code == 1
    assert "proof 4x4:4" not in run("verify", "--time", "100s").out
    assert "--all has no place with a DIRECTORY" in run("verify", "there", "--all").one_sentence()
