"""`noughts solve 9+infinite`, and that every other verb refuses such a board in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from noughts.cli.main import command
from tests.cli.conftest import Result

Run = Callable[..., Result]


def test_the_answer_comes_first_in_words(run: Run) -> None:
    out = run("solve", "9+infinite").out
    assert out.startswith("9+infinite: Draw. Neither player can force 9 in a row, however long they play.\n")
    assert "Each cell points to its partner" in out
    assert "How we know:" in out
    drawn = [line.split(" ") for line in out.splitlines() if set(line) <= set("→←↑↓↗↘↙↖ ") and line]
    assert [len(line) for line in drawn] == [8] * 8
    won = run("solve", "infinite:4").out
    assert won.startswith("4+infinite: X wins with best play, in at most ")
    assert run("solve", "1+infinite").out.startswith("1+infinite: X wins with best play, in 1 move.")
    unknown = run("solve", "5+infinite").out
    assert unknown.startswith("5+infinite: Open. Whether X can force 5 in a row is not known here.\n")
    assert "Allis" in unknown
    published = " ".join(run("solve", "8+infinite").out.split())
    assert "published, and not proved here" in published
    assert "Zetters" in published


def test_arrows_meet(run: Run) -> None:
    ways = {
        "→": (0, 1),
        "←": (0, -1),
        "↓": (1, 0),
        "↑": (-1, 0),
        "↘": (1, 1),
        "↖": (-1, -1),
        "↙": (1, -1),
        "↗": (-1, 1),
    }
    out = run("solve", "9+infinite", "--format", "markdown").out
    square = [line.split(" ") for line in out.split("```")[1].splitlines()[1:]]
    for row in range(8):
        for column in range(8):
            down, right = ways[square[row][column]]
            back = ways[square[(row + down) % 8][(column + right) % 8]]
            assert back == (-down, -right)


def test_json(run: Run) -> None:
    found = json.loads(run("solve", "9+infinite", "--format", "json").out)
    assert found["board"] == "9+infinite"
    assert (found["outcome"], found["value"], found["known"], found["period"]) == ("draw", "draw", "proved", 8)
    assert len(found["pairs"]) == 32
    unknown = json.loads(run("solve", "7+infinite", "--format", "json").out)
    assert (unknown["outcome"], unknown["value"], unknown["known"]) == (None, None, "open")


def test_the_proof_is_a_file_that_check_judges(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "nine.proof")
    assert "noughts solve 9+infinite --proof nine.proof" in run("solve", "9+infinite").out
    result = run("solve", "9+infinite", "--proof", path)
    assert f"wrote {path}" in result.err
    assert f"Try next:\n  noughts check {path}\n" in result.out
    assert "--proof nine.proof" not in result.out
    assert run("check", path).code == 0
    text = Path(path).read_text(encoding="ascii")
    Path(path).write_text(text.replace("9+infinite", "8+infinite"), encoding="ascii")
    assert run("check", path).code == 1
    none = str(tmp_path / "none.proof")
    refused = run("solve", "8+infinite", "--proof", none)
    assert (refused.code, Path(none).exists()) == (3, False)
    assert "a proof is written from 9+infinite on" in refused.one_sentence()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a1",), "a position has no place with 9+infinite"),
        (("--by-ply",), "--by-ply has no place"),
        (("--engine", "search"), "--engine has no place"),
        (("--format", "csv"), "--format csv has no place"),
        (("--time", "1s"), "--time has no place"),
        (("--values-only",), "--remoteness/--values-only has no place"),
    ],
)
def test_what_has_no_place(run: Run, arguments: tuple[str, ...], words: str) -> None:
    result = run("solve", "9+infinite", *arguments)
    assert result.code == 2
    assert words in result.one_sentence()


_MORE = {
    "export": ("-o", "a.csv"),
    "query": ("select 1",),
    "referee": ("--", "true"),
    "same": ("a1", "b2"),
    "site": ("-o", "folder"),
}


def takers() -> list[str]:
    """Return the verbs whose first argument is a board."""
    found = []
    context = click.Context(command)
    for name in command.list_commands(context):
        verb = command.get_command(context, name)
        assert verb is not None
        first = next((p for p in verb.params if isinstance(p, click.Argument)), None)
        if first is not None and first.name in ("board", "board_text") and name != "solve":
            found.append(name)
    return found


def test_there_are_verbs_that_take_boards() -> None:
    assert len(takers()) > 8


@pytest.mark.parametrize("verb", takers())
def test_every_other_verb_refuses_it(run: Run, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    more = _MORE.get(verb, ())
    result = run(verb, "9+infinite", *more)
    assert result.code == 2
    assert "'9+infinite' is an infinite board, which only noughts solve takes" in result.one_sentence()
