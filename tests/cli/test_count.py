"""`noughts count`: each format, each option, each error."""

from __future__ import annotations

import json
import re

import pytest

import noughts
from noughts._version import __version__

COLUMNS = [
    "positions",
    "terminal",
    "terminal_x",
    "terminal_o",
    "terminal_draw",
    "paths",
    "finished",
    "x_wins",
    "o_wins",
    "draws",
]


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


def test_either_player_may_start(run):
    record = json.loads(run("count", "3x3", "--same", "choices", "--starts", "either", "--format", "json").out)
    assert record["starts"] == "either"
    assert record["plies"][1]["paths"] == "6"
    assert record["totals"]["finished"] == str(2 * 26830)
    text = run("count", "3x3", "--starts", "either").out
    assert " ".join(text.split()).startswith(
        "3x3:3: 510,336 games (every order of moves counted, either player starts "
        "(a position reached both ways counts once)"
    )
    assert "--explain" not in text
    assert run("count", "1x1..3x3", "--starts", "either", "--format", "bfile").out.endswith("3 510336\n")
    assert "remove --starts" in run("count", "3x3", "--starts", "O", "--explain").one_sentence()
    assert "remove who starts" in run("count", "3x3", "--starts", "O", "--from", "a1").one_sentence()
    assert run("count", "3x3", "--starts", "o", "--check").out.startswith(
        "3x3:3: 255,168 games (every order of moves counted, O"
    )


def test_a_slip_about_a_start_is_named_where_the_games_are_counted(run):
    """Under every sameness, for each turned or flipped image and its moves; nowhere else."""

    def slip(*asked):
        return "A slip: 7, printed as" in run("count", *asked).out

    for start in ("XO./.X./XO.", "X.X/OXO/...", "a1 b1 b2 b3 a3"):
        for same in ("labelled", "choices"):
            assert slip("3x3", "--from", start, "--same", same)
    (said,) = json.loads(run("count", "3x3", "--from", "XO./.X./XO.", "--format", "json").out)["slips"]
    assert "there are 8: of 7" in said
    for other in (["--from", "XO./.X./OX."], ["--from", "XO./.X./XO.", "--end", "decided"], ["--same", "labelled"]):
        assert not slip("3x3", *other)
    assert not slip("3x3+misere", "--from", "XO./.X./XO.")
    assert "slips" not in json.loads(run("count", "3x3", "--from", "a1", "--format", "json").out)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            "3x3 --same labelled",
            "There are 255,168 games of tic-tac-toe, with every order of moves counted, if play stops at three in a ",
        ),
        (
            "3x3+misere --same symmetry --end full",
            "on 3x3:3+misere, with symmetric games counted once, if play fills the board, and the first line loses.",
        ),
        (
            "1x2 --same choices",
            "There is 1 game on 1x2:1, with moves to equivalent boards counted once, if play stops ",
        ),
        (
            "3x3 --from a1 --end decided",
            "if play starts from X../.../..., and play stops when only one outcome is left.",
        ),
    ],
)
def test_a_number_has_a_sentence_to_print_with_its_source(run, asked, sentence):
    printed = next(part for part in run("count", *asked.split()).out.split("\n\n") if part.startswith("To print: "))
    assert sentence in " ".join(printed.split())
    assert " ".join(printed.split()).endswith(f" Source: noughts {__version__}, an exact count.")


def test_partial_games_and_endless_numbers_have_no_sentence_to_print(run):
    assert "To print: There are 255,168 games of tic-tac-toe, with" in " ".join(run("count", "3x3").out.split())
    assert "To print" not in run("count", "3x3", "--to-ply", "4").out
    assert "To print: There are 255,168" in run("count", "3x3", "--to-ply", "9").out
    assert "To print" not in run("count", "8x8", "--columns", "games").out


def test_pictures_have_the_number(run, tmp_path):
    """The chart in its title and on a linear scale; the tree of questions at the end of a lit way."""
    charts = {
        "--same labelled": "255,168 games",
        "--same choices --to-ply 3": "66 partial games",
        "--to-ply 0": "1 partial game",
    }
    for asked, title in charts.items():
        run("count", "3x3", *asked.split(), "-o", str(tmp_path / "g.svg"))
        chart = (tmp_path / "g.svg").read_text(encoding="utf-8")
        assert f"<title>3x3:3: {title}</title>" in chart
        assert "logarithmic" not in chart
    run("count", "3x3", "--same", "labelled", "-o", str(tmp_path / "g.svg"))
    chart = (tmp_path / "g.svg").read_text(encoding="utf-8")
    bars = [float(wide) for wide in re.findall(r'<rect x="64" y="[^"]*" width="([^"]*)"', chart)]
    expected = [row.finished for row in noughts.count("3x3").plies if row.finished]
    assert bars == pytest.approx([360 * games / max(expected) for games in expected], abs=0.5)
    run("count", "3x3", "-o", str(tmp_path / "tree.svg"))
    tree = (tmp_path / "tree.svg").read_text(encoding="utf-8")
    assert "<desc>There are 255,168 games of tic-tac-toe, with every order of moves counted" in tree
    assert tree.count('stroke-width="3"') == 4
    for picture in (chart, tree):
        assert f"Source: noughts {noughts.__version__}, an exact count.</desc>" in picture


def test_a_dry_run_gives_the_engine_s_estimate(run, monkeypatch):
    monkeypatch.setattr("noughts.counting.offers.CountingOffer.count", None)
    said = " ".join(run("count", "4x4:3", "--dry-run", "--workers", "2").out.split())
    assert "by the engine subset. Nothing was counted. The engine subset counts in one process" in said
    found = json.loads(run("count", "5x5:4", "--same", "choices", "--dry-run", "--format", "json").out)
    assert found["engine"] == "frontier"
    assert found["estimate"]["missing"] == ["paths", "finished", "x_wins", "o_wins", "draws"]
    assert not found["estimate"]["at_least"]
    found = json.loads(
        run("count", "8x8:6", "--dry-run", "--memory", "200MB", "--engine", "transfer", "--format", "json").out
    )
    assert (found["engine"], found["estimate"]["at_least"]) == ("transfer", True)
    assert "model" not in found


def test_a_dry_run_has_a_model_where_the_estimate_stops_and_for_workers(run, monkeypatch):
    monkeypatch.setattr("noughts.counting.frontier.widths.EXPLORED", 90_000)
    said = " ".join(run("count", "8x8:3", "--dry-run", "--memory", "300MB", "--workers", "400").out.split())
    assert re.search(r"games and positions take .* of CPU time and .* of memory by the engine frontier", said)
    assert re.search(r"On 400 workers: .* More than \d+ workers do not help\.", said)
    assert "8x4:3" in said
    found = json.loads(
        run("count", "8x8:3", "--columns", "games", "--dry-run", "--memory", "300MB", "--format", "json").out
    )
    assert (found["model"]["games_only"], "on_workers" in found, "estimate" in found) == (True, False, False)
    assert found["model"]["method"] == "values at points"
    assert int(found["model"]["states"][0]) < int(found["model"]["states"][1])
