"""`noughts count`: each format, each option, each error."""

from __future__ import annotations

import csv
import json
import re

import pytest

from noughts.known import tables

COLUMNS = [
    "positions",
    "terminal_positions",
    "terminal_x",
    "terminal_o",
    "terminal_draw",
    "paths",
    "finished",
    "x_wins",
    "o_wins",
    "draws",
]


@pytest.mark.parametrize("table", tables(), ids=lambda t: f"{t['same']}-{t['moves']}-{t['end']}")
def test_json_gives_the_published_tables(run, table):
    result = run(
        "count", "3x3", "--same", table["same"], "--moves", table["moves"], "--end", table["end"], "--format", "json"
    )
    record = json.loads(result.out)
    assert result.code == 0
    rows = [
        [row["ply"], *(int(row[name]) for name in ("positions", "terminal_positions", "paths", "finished"))]
        for row in record["plies"]
    ]
    assert rows == table["rows"]
    for name, total in table["totals"].items():
        assert record["totals"][name] == str(total)


def test_json_contract(run):
    record = json.loads(
        run("count", "3x4:3", "--x-moves", "block", "--same", "symmetry", "--symmetry", "lines", "--format", "json").out
    )
    assert list(record) == [
        "board", "same", "x_moves", "o_moves", "end", "symmetry", "engine", "convention", "plies", "totals",
    ]  # fmt: skip
    assert (record["board"], record["x_moves"], record["o_moves"]) == ("3x4:3", "block", "any")
    assert list(record["plies"][0]) == ["ply", *COLUMNS]
    assert list(record["totals"]) == COLUMNS
    assert record["plies"][0]["ply"] == 0
    assert record["plies"][0]["positions"] == "1"


def test_a_column_that_cannot_be_given_is_null(run):
    record = json.loads(run("count", "2x3", "--end", "full", "--format", "json").out)
    assert record["totals"]["terminal_x"] is None
    assert record["totals"]["finished"] == "720"


def test_csv_reads_back(run):
    rows = list(csv.DictReader(run("count", "3x3", "--same", "labelled", "--format", "csv").out.splitlines()))
    assert list(rows[0]) == ["ply", *COLUMNS]
    assert sum(int(row["finished"]) for row in rows) == 255168


def test_openings_add_up(run):
    def games(cell):
        return int(json.loads(run("count", "3x3", "--from", cell, "--format", "json").out)["totals"]["finished"])

    assert games("b2") + 4 * games("a1") + 4 * games("b1") == 255168


def test_to_ply_stops(run):
    record = json.loads(run("count", "6x6:4", "--same", "choices", "--to-ply", "2", "--format", "json").out)
    assert [row["ply"] for row in record["plies"]] == [0, 1, 2]


def test_explain_derives_the_numbers_of_the_literature(run):
    out = run("count", "3x3", "--explain").out
    for number in ("1,440", "5,328", "47,952", "72,576", "81,792", "46,080", "5,760", "- 432"):
        assert number in out


def test_explain_up_to_symmetry_is_burnsides_lemma(run):
    out = " ".join(run("count", "3x3", "--same", "symmetry", "--explain").out.split())
    assert "Ply 3: (504 + 4 x 6) / 8 = 66 paths (3 of the 8 symmetries fix none)." in out


def test_matrix_as_json(run):
    record = json.loads(run("count", "3x3", "--format", "json").out)
    assert len(record["games"]) == 54
    found = {(e["moves"], e["end"], e["same"]): e["finished"] for e in record["games"]}
    assert found["any", "line", "labelled"] == "255168"
    assert found["perfect", "decided", "labelled"] == "1"
    assert {rung["name"]: rung["count"] for rung in record["positions"]}["real decisions"] == "96"


def test_what_does_not_fit_is_named_with_its_command(run):
    out = run("count", "4x5:4", "--memory", "50MB").out
    command = "noughts count 4x5:4 --same labelled --moves win --end line"
    assert re.search(rf"{command} +about [^-]+ --same symmetry or choices\n", out)
    assert "Left out, real decisions" in out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["3y3"], 2, "'3y3' is no board"),
        (["0x3"], 2, "side outside 1 to 1,000"),
        (["999999x999999"], 2, "side outside"),
        (["2x2x2x2"], 2, "4 sides"),
        (["3x3:0"], 2, "0 in a row"),
        ([""], 2, "'' is no board"),
        (["3" * 10000], 2, "(10,000 characters)"),
        (["3÷3"], 2, "is no board"),
        (["3x3+tours"], 2, "+tours"),
        (["3x3+torus+torus"], 2, "twice"),
        (["3x3", "--moves", "sometimes"], 2, "'sometimes'"),
        (["3x3", "--x-moves", ""], 2, "--x-moves '' is not known"),
        (["3x3", "--end", "never"], 2, "'never'"),
        (["3x3", "--same", ""], 2, "--same '' is not known"),
        (["3x3", "--from", "X" * 12], 2, "is no position"),
        (["3x3", "--from", "XX./X../..O"], 2, "too many X"),
        (["3x3", "--from", "XXX/OOO/..."], 2, "both have a line"),
        (["3x3", "--from", ""], 2, "is no position"),
        (["3x3", "--from", "d4"], 2, "no cell"),
        (["3x3", "--from", "é"], 2, "is no position"),
        (["3x3", "--from", "a1 b1 a2 b2 a3 b3"], 2, "after the game was over, won by X with a1-a2-a3"),
        (["3x3", "--format", "xml"], 2, "'xml'"),
        (["3x3", "--column", "games"], 2, "'games'"),
        (["3x3", "--engine", "magic"], 2, "'magic'"),
        (["3x3", "--memory", "lots"], 2, "'lots'"),
        (["3x3", "--time", "soon"], 2, "'soon'"),
        (["3x3", "--to-ply", "-1"], 2, "-1"),
        (["3x3", "--explain", "--format", "csv"], 2, "--explain"),
        (["3x3+misere", "--moves", "win"], 2, "has no meaning"),
        (["5x5:4", "--same", "choices", "--moves", "win", "--memory", "100MB"], 3, "over the budget of 100 MB"),
        (["4x4:5", "--same", "symmetry", "--symmetry", "lines", "--moves", "win"], 3, "20,922,789,888,000"),
        (["1000x1000"], 3, "1,000,000 cells"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else None,
)
def test_errors_are_one_sentence(run, arguments, code, says):
    result = run("count", *arguments)
    assert result.code == code
    assert says in result.one_sentence()


def test_either_player_may_start(run):
    record = json.loads(run("count", "3x3", "--same", "choices", "--starts", "either", "--format", "json").out)
    assert record["starts"] == "either"
    assert record["plies"][1]["paths"] == "6"
    assert record["totals"]["finished"] == str(2 * 26830)
    text = run("count", "3x3", "--starts", "either").out
    assert " ".join(text.split()).startswith(
        "3x3:3: 510,336 games (cells distinguishable, either player starts (a position reached both ways counts once)"
    )
    assert "--explain" not in text
    assert run("count", "1x1..3x3", "--starts", "either", "--format", "bfile").out.endswith("3 510336\n")
    assert "leave out --starts" in run("count", "3x3", "--starts", "O", "--explain").one_sentence()
    assert "leave out who starts" in run("count", "3x3", "--starts", "O", "--from", "a1").one_sentence()
    assert run("count", "3x3", "--starts", "o", "--check").out.startswith(
        "3x3:3: 255,168 games (cells distinguishable, O"
    )
