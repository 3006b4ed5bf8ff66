"""Files of moves, and policies by name, at the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import noughts
from tests.cli.conftest import Result

Run = Callable[..., Result]
CENTRE = {"moves": {".../.../...": {"b2": "1/3", "a1": "2/3"}}, "otherwise": "block"}


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.json").write_text(json.dumps(CENTRE), encoding="utf-8")
    return "bot.json"


def test_count_the_games_of_a_bot(run: Run, bot: str) -> None:
    for option in ("--x-moves", "--o-moves", "--moves"):
        found = run("count", "3x3", option, bot)
        assert found.code == 0
        assert "plays by bot.json" in " ".join(found.out.split())
        parts = {option[2:].replace("-", "_"): CENTRE}
        record = json.loads(run("count", "3x3", option, bot, "--format", "json").out)
        assert record["totals"] == noughts.count("3x3", **parts).totals.as_dict()  # type: ignore[arg-type]
    assert record["x_moves"] == record["o_moves"] == bot
    for same in ("symmetry", "choices"):
        found = run("count", "3x3", "--x-moves", bot, "--o-moves", "hard", "--same", same, "--explain")
        assert found.code == 0
        assert "X plays by bot.json, O plays by hard" in " ".join(found.out.split())


def test_serve_takes_bots_that_are_some(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "perfect.json"
    path.write_text(json.dumps({"board": "3x3", "moves": {}}), encoding="utf-8")
    result = run("serve", "--port", "0", "--bot", str(path))
    assert result.code == 2
    assert "cannot play as perfect, but that name is taken: rename it" in result.one_sentence()


def test_a_bot_of_another_board_is_refused_before_the_size_of_the_board(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bot.json"
    path.write_text(json.dumps({"board": "3x3:3", **CENTRE}), encoding="utf-8")
    assert "is for 3x3:3, not for 4x4:4" in run("evaluate", "4x4", str(path)).one_sentence()
