"""`noughts solve BOARD --save DIR` beyond a small table: its plan."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Result

Run = Callable[..., Result]


def test_a_plan_is_printed_and_nothing_is_made(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    result = run("solve", "5x6:4", "--save", str(folder), "--values-only", "--dry-run")
    assert result.code == 0
    assert result.out.startswith("5x6:4, values only, as a table of all positions: 6,495,239,962,017 entries and 1.62")
    assert "Nothing was solved" in result.out
    assert "1,047,670,907,140" in result.out  # entries of ply 20
    assert f"noughts solve 5x6:4 --save {folder} --values-only" in result.out.replace("\n", "").replace("    ", " ")
    assert not folder.exists()


def test_a_plan_is_data_too(run: Run) -> None:
    found = json.loads(run("solve", "3x3", "--save", "table", "--dry-run", "--format", "json").out)
    assert found["entries"] == str(sum(int(layer["entries"]) for layer in found["layers"]))
    assert [row["cores"] for row in found["on"]] == [16, 64, 256]
    assert found["values_only"] is False
    assert run("solve", "3x3", "--save", "table", "--dry-run", "--format", "markdown").code == 0


def test_what_one_core_does_at_once_is_not_shared_out(run: Run) -> None:
    small = run("solve", "4x4", "--save", "table", "--dry-run").out
    assert "nothing to share out. Nothing was solved" in small.replace("\n", " ")
    assert "busy" not in small
    assert "under 1 ms on" not in small
    assert "of them busy" in run("solve", "4x5:4", "--save", "table", "--dry-run").out


def test_a_board_that_no_table_takes_is_planned_on_paper(run: Run) -> None:
    out = run("solve", "6x6:6", "--save", "table", "--values-only", "--dry-run").out
    assert "On paper only: tables go up to 30 cells, and 6x6:6 has 36." in out
    assert "--save table" not in out.split("Try next:")[1]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--dry-run"], "add --save DIR"),
        (["a1", "--save", "t", "--dry-run"], "the position has no place with --dry-run"),
        (["--save", "t", "--dry-run", "--resume"], "--resume has no place with --dry-run"),
        (["--save", "t", "--dry-run", "--by-ply"], "--by-ply has no place with --dry-run"),
    ],
)
def test_options_that_a_plan_leaves_nothing_to_do(run: Run, more: list[str], said: str) -> None:
    result = run("solve", "3x3", *more)
    assert result.code == 2
    assert said in result.one_sentence()
