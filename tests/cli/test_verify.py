"""`noughts verify`: one line for each known number, and exit code 1 when one is wrong."""

from __future__ import annotations

import json

import pytest

import noughts
from noughts import known
from noughts.judge import numbers

pytestmark = pytest.mark.usefixtures("remembered")

LISTS = (
    *(f"numbers.{name}" for name in ("tables", "writings", "numbers", "further", "boards")),
    *(f"values.{name}" for name in ("proofs", "phantoms", "boards", "falling", "ruled", "openings")),
)


@pytest.fixture(autouse=True)
def _small_tables_alone(monkeypatch):
    """Tables of large boards take seconds each, and have tests of their own."""
    monkeypatch.setattr("noughts.judge.numbers.choices_lines", lambda: iter(()))


@pytest.fixture
def only(monkeypatch):
    """Let nothing be known but what is given, by the name of its list."""

    monkeypatch.setattr("noughts.judge.numbers.sampled_lines", lambda: ())
    monkeypatch.setattr("noughts.judge.values.load", lambda name: {} if name == "variants.toml" else known.load(name))

    def known_alone(**given):
        for place in LISTS:
            found = given.get(place.replace(".", "_"), [])
            monkeypatch.setattr(
                f"noughts.judge.{place}", lambda kind="number", found=found: found if kind == "number" else []
            )

    return known_alone


@pytest.mark.slow
@pytest.mark.parametrize("time", ["0.02s", "1s"])
def test_every_known_number_has_a_line(run, monkeypatch, time):
    """Values of boards of up to 9 cells, and those of all among the slow tests."""
    if time == "0.02s":
        small = [row for row in known.boards() if row["board"].startswith(("1x", "2x2", "3x3:"))]
        monkeypatch.setattr("noughts.judge.numbers.boards", lambda: small)
    result = run("verify", "--time", time)
    entries = len(known.tables()) + len(known.numbers("sequence")) + len(known.numbers("number"))
    entries += len(known.further()) + len(known.writings())
    lines = result.out.splitlines()
    assert result.code == 0, result.out
    assert len(lines) > entries
    assert all(line.startswith(("ok", "out of reach")) for line in lines[:-1])
    assert " 0 differ" in lines[-1]
    assert "numbers inside the others not reached; " in lines[-1]
    assert lines[-1].endswith(" numbers by one engine only in this run")


def test_a_wrong_number_is_found(run, only):
    entry = {
        "value": "766",
        "what": "position classes, misprinted",
        "source": "nobody",
        "checks": [{"kind": "total", "board": "3x3", "same": "symmetry", "column": "positions", "expect": "766"}],
    }
    only(numbers_numbers=[entry])
    result = run("verify")
    assert result.code == 1
    assert "differs" in result.out
    assert "published 766, computed 765" in result.out
    record = json.loads(run("verify", "--format", "json").out)
    assert record["counts"] == {"ok": 0, "differs": 1, "out of reach": 0}


WRONG = [
    ({"kind": "totals", "boards": ["1x1", "2x2"], "column": "finished"}, "published 25, computed 24"),
    ({"kind": "plies", "board": "2x2", "columns": ["positions"], "to_ply": 1}, "published 25, computed 4"),
    ({"kind": "at ply", "board": "2x2", "column": "positions", "ply": 1, "expect": "25"}, "published 25, computed 4"),
    ({"kind": "rung", "board": "3x3", "rung": "fillings", "expect": "25"}, "published 25, computed 19683"),
    ({"kind": "order", "board": "2x3:2", "symmetry": "board", "expect": "25"}, "published 25, computed 4"),
    ({"kind": "absent", "board": "2x2", "expect": "24"}, "published 0 conventions, computed "),
    ({"kind": "formula", "formula": "4!", "expect": "25"}, "published 25, computed 24"),
    ({"kind": "values by ply", "board": "1x2:2", "outcome": "draw"}, "published 25, computed 1"),
    (
        {"kind": "smallest table", "board": "2x2", "player": "X", "goal": "perfect", "count": "all", "expect": "25"},
        "published 25, computed 5",
    ),
]


def test_each_kind_of_check_finds_a_wrong_number(run, only):
    entry = {"value": "25", "what": "misprinted", "source": "nobody", "terms": ["1", "25", "1"]}
    only(numbers_numbers=[{**entry, "checks": [check]} for check, _ in WRONG])
    found = json.loads(run("verify", "--format", "json").out)["entries"]
    for each, (check, computed) in zip(found, WRONG, strict=True):
        assert each["status"] == "differs", check
        assert any(computed in text for text in each["compared"]), each["compared"]


@pytest.mark.parametrize("column", range(1, 5))
def test_a_wrong_entry_of_a_table_is_found(run, only, column):
    rows = [[0, 1, 0, 1, 0], [1, 4, 0, 4, 0], [2, 12, 0, 12, 0], [3, 12, 12, 24, 24]]
    table = {"board": "2x2", "same": "labelled", "moves": "any", "end": "line", "source": "nobody", "rows": rows}
    only(numbers_tables=[table])
    assert run("verify").code == 0
    rows[3][column] += 1
    assert run("verify").code == 1


def test_a_wrong_value_under_gravity_is_found(run, only):
    row = {"board": "4x4:4+gravity", "value": "draw", "plies": 15, "engine": "columns", "seconds": 0.01}
    only(values_falling=[row])
    result = run("verify")
    assert (result.code, "published draw, ply 15, computed draw, ply 16" in " ".join(result.out.split())) == (1, True)


def test_a_stopped_check_resumes_and_ends_the_same(run, only, monkeypatch, tmp_path):
    formula = {"kind": "formula", "formula": "4!"}
    entries = [
        {"value": value, "what": "orders", "source": "nobody", "checks": [{**formula, "expect": value}]}
        for value in ("24", "25", "26")
    ]
    only(numbers_numbers=entries)
    whole, done = run("verify"), []

    def stop_at(value):
        def check(entry, check, bench, verdict):
            if entry["value"] == value:
                raise KeyboardInterrupt
            done.append(entry["value"])
            verdict.hold(check["expect"], check["expect"], "24", ["arithmetic"])

        monkeypatch.setitem(numbers.CHECKS, "formula", check)

    stop_at("26")
    assert run("verify", "--resume", str(tmp_path)).code == 130
    assert run("verify", "--resume", str(tmp_path)).code == 130
    stop_at(None)
    found = run("verify", "--resume", str(tmp_path))
    assert (found.code, found.out.splitlines()[-1]) == (1, whole.out.splitlines()[-1])
    assert done == ["24", "25", "26"]
    assert run("verify", "--resume", str(tmp_path), "--time", "3s").code == 1
    assert done == ["24", "25", "26"] * 2, "other limits"


def test_chances_that_two_ways_give_differently_are_an_error(run, only, monkeypatch):
    entries = [
        each for each in known.numbers("number") if each["checks"][:1] and each["checks"][0]["kind"] == "random play"
    ]
    assert len(entries) == 1
    only(numbers_numbers=entries)
    assert run("verify").code == 0
    other = noughts.match("3x3+misere")
    monkeypatch.setattr("noughts.judge.numbers.versus", lambda board: other)
    result = run("verify")
    assert result.code != 0
    assert "but the games by ply give 737/1260, 121/420, 8/63" in result.out + result.err


def test_a_wrong_number_of_a_derivation_is_found(run, only):
    rows = [{"n": "162433", "what": "misprinted", "by": "1440 * 4! + 5328 * 3! + 47952 * 2!"},
            {"n": "95", "what": "right"}, {"n": "100", "what": "a bound", "near": "115"}]  # fmt: skip
    part = {"source": "nobody", "board": "3x3", "command": "noughts tree 3x3", "rows": rows}
    only(numbers_writings=[part])
    result = run("verify")
    assert (result.code, "published 162433, computed 162432" in result.out) == (1, True)
    only(numbers_writings=[{**part, "rows": rows[2:]}])
    assert run("verify").code == 0
    only(numbers_writings=[{**part, "board": "2x2", "rows": [{"n": "5812", "what": "no count"}]}])
    assert "published True, computed False" in run("verify").out


def test_terms_beyond_those_published_are_computed_again_and_a_wrong_one_is_found(run, only):
    entries = [
        {**entry, "terms": entry["terms"][:1]} for entry in known.further() if entry["id"] in ("A061528", "A061529")
    ]
    entries[1]["terms"] = ["9"]
    only(numbers_further=entries)
    result = run("verify", "--format", "json")
    assert result.code == 1
    good, bad = json.loads(result.out)["entries"]
    assert (good["status"], good["compared"]) == ("ok", ["8x8"])
    assert good["source"] == "computed here"
    assert bad["status"] == "differs"
    assert bad["compared"][0].startswith("8x8: published 9, computed ")


def test_the_certificates_that_are_carried_are_judged_and_a_wrong_one_is_found(run, only):
    only(values_proofs=list(known.proofs()))
    result = run("verify")
    names = [name for name, _ in known.proofs()]
    assert all(f"certificate {name}: " in result.out for name in names)
    assert (result.code, result.out.count("out of reach certificate")) == (0, 2)
    wrong = dict(known.proofs())["5x6-4.proof"].replace("\n14\n", "\n15\n", 1)
    only(values_proofs=[("wrong.proof", wrong)])
    result = run("verify")
    assert result.code == 1
    assert "differs      certificate wrong.proof" in result.out
    assert "which is taken" in result.out
    only(values_phantoms=[{**known.phantoms()[0], "upper": "1/2"}])
    assert "differs      certificate 3x3:3, both blind" in run("verify").out


def test_values_of_boards_are_computed_again_and_a_wrong_one_is_found(run, only):
    rows = [row for row in known.boards() if row["board"] in ("4x4:4", "5x5:3", "8x8:5")]
    assert len(rows) == 3
    only(numbers_boards=rows)
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
    only(numbers_boards=wrong)
    result = run("verify", "--time", "60s")
    assert result.code == 1
    assert "published draw, computed X" in result.out


def test_all_derives_values_again_and_judges_their_proofs(run, only):
    rows = [
        {"board": "3x4:3", "value": "X", "engine": "threats", "seconds": 0.01, "bytes": 125},
        {"board": "4x4:4", "value": "draw", "engine": "blocking", "seconds": 0.03, "bytes": 192},
        {"board": "3x3:3", "value": "X", "engine": "search", "seconds": 0.0, "bytes": 208},
        {"board": "7x8:5", "value": "draw", "engine": "blocking", "seconds": 9999.0, "bytes": 14727017},
        {"board": "8x8:5", "value": "draw"},
    ]
    only(values_boards=rows)
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
    assert "--all cannot be used with a DIRECTORY" in run("verify", "there", "--all").one_sentence()
