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


def test_every_verb_of_policies_takes_a_bot_with_chances(run: Run, bot: str) -> None:
    """The same chances through a match, a running score, a payoff and a tree."""
    both = {"x": CENTRE, "o": "random"}
    found = json.loads(run("match", "3x3", "--x", bot, "--format", "json").out)
    assert found["x_wins"] == str(noughts.match("3x3", x=CENTRE, o="random").x_wins)
    assert run("match", "3x3", "--x", bot, "--games", "3").code == 0
    points = json.loads(run("payoff", "3x3", "--x", bot, "--o", "random", "--format", "json").out)
    assert points["difference"] == str(noughts.payoff("3x3", **both).difference)  # type: ignore[arg-type]
    tree = json.loads(run("tree", "3x3", "--kind", "policy", "--x", bot, "--o", "perfect", "--format", "json").out)
    assert {node["ply"] for node in tree["nodes"]} >= {0, 1, 2}


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ({".../.../...": {"b2": "1/2"}}, "sum to 1/2: give chances that sum to 1"),
        ({"XXX/OO./...": ["c2"]}, "where the game is over: remove it"),
        ({"X../.../...": ["a1"]}, "plays a1 in X../.../..., which is taken"),
        ({"X../.../...": ["b2"]}, "has no moves for .../.../...: add its class"),
    ],
)
def test_bad_bots_get_one_sentence_and_exit_code_2(run: Run, tmp_path: Path, moves: object, said: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({"moves": moves}), encoding="utf-8")
    for verb in (["match", "--x"], ["count", "--x-moves"], ["payoff", "--x"], ["tree", "--kind", "policy", "--x"]):
        result = run(verb[0], "3x3", *verb[1:], str(path))
        assert result.code == 2
        assert said in result.one_sentence()


def test_serve_takes_bots_that_are_some(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "perfect.json"
    path.write_text(json.dumps({"board": "3x3", "moves": {}}), encoding="utf-8")
    result = run("serve", "--port", "0", "--bot", str(path))
    assert result.code == 2
    assert "cannot play as perfect, but that name is taken: rename it" in result.one_sentence()


def test_a_board_too_large_for_exact_chances_has_a_sample(run: Run) -> None:
    pair = ("match", "5x5:4", "--x", "random", "--o", "block")
    refused = run(*pair)
    assert refused.code == 3
    assert "or add --sample 10000" in refused.err
    found = run(*pair, "--sample", "20")
    assert found.code == 0
    assert "an estimate: of 20 sampled games" in " ".join(found.out.split())
    assert "not exact" in found.out
    assert json.loads(run(*pair, "--sample", "20", "--format", "json").out)["is_exact"] is False
    for more in (["--games", "3"], ["--save", "a.json"]):
        assert run(*pair, "--sample", "20", *more).code == 2
    assert run("match", "3x3", "--x", "best", "--o", "random", "--sample", "20").code == 2
