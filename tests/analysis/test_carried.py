"""What is carried is found again: every number of a published table by its ply, every bead of a machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.analysis.meanings.known import published_readings
from noughts.known import load, tables
from noughts.rules.errors import InputError
from tests.dear import dear


def test_every_number_of_a_carried_table_is_read_with_its_ply() -> None:
    found: dict[tuple[int, str], list[str]] = {}
    for reading in published_readings():
        found.setdefault((int(reading.value), reading.board.partition("+")[0]), []).append(reading.what)
    carried: list[dict[str, Any]] = [*tables(), *load("values.toml")["table"], *load("choices.toml")["table"]]
    numbers = 0
    for table in carried:
        board = noughts.Board.parse(table["board"]).spec.partition("+")[0]
        for ply, *counts in table["rows"]:
            for count in filter(None, map(int, counts)):
                numbers += 1
                meanings = found.get((count, board), [])
                assert any(f"at ply {ply} " in f"{what} " for what in meanings), (table["board"], ply, count)
    assert numbers > 300


@pytest.mark.parametrize("every", dear([3, 1], 1))
def test_a_large_number_of_games_or_positions_that_is_carried_is_read_at_once(every: int) -> None:
    columns = {"games": "games (", "x": "games that X wins", "o": "games that O wins", "draws": "games that are drawn"}
    columns |= {"positions": "reachable positions", "classes": "position classes"}
    asked = 0
    for row in (*load("games.toml")["board"][:: 20 * every], *load("games.toml")["positions"][:: 3 * every]):
        for column in {*row} & {*columns}:
            if int(row[column]) >= 10**9:
                [*found] = noughts.whatis(row[column], board=row["board"], carried=True).matches
                assert any(each.what.startswith(columns[column]) and each.own for each in found), (row["board"], column)
                asked += 1
    assert asked > 15 // every
    assert not any(each.own for each in noughts.whatis(10**9 + 1, board="2x2", quick=True).matches)


@pytest.mark.parametrize("bad", [3, None, ["a1"], "a1"])
def test_a_machine_with_one_box_that_is_none_is_refused(tmp_path: Path, bad: object) -> None:
    made = noughts.menace("2x3:2", games=5, seed=1).saved_as_dict()
    whole: dict[str, Any] = json.loads(json.dumps(made))
    assert len(whole["beads"]) > 2
    for text in whole["beads"]:
        file = tmp_path / "machine.json"
        file.write_text(json.dumps({**whole, "beads": {**whole["beads"], text: bad}}))
        with pytest.raises(InputError, match="beads"):
            noughts.match("2x3:2", x=str(file))
