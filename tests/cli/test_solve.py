"""`noughts solve` as people and programs call it."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from noughts.cli.main import command
from noughts.known import numbers
from tests.analysis.oracle import oracle
from tests.cli.conftest import Result

Run = Callable[..., Result]


def test_json_by_the_contract(run: Run) -> None:
    result = run("solve", "3x3", "X../.O./...", "--format", "json")
    assert result.code == 0
    found = json.loads(result.out)
    for key, value in {
        "board": "3x3:3",
        "position": "X../.O./...",
        "to_move": "X",
        "outcome": "draw",
        "value": "draw",
        "remoteness": 7,
        "decided": False,
        "engine": "retrograde",
    }.items():
        assert found[key] == value
    assert {"cell": "b1", "outcome": "draw", "value": "draw", "remoteness": 6, "best": True} in found["moves"]
    assert len(found["line"]) == 7


def test_a_finished_game(run: Run) -> None:
    out = run("solve", "3x3", "XXX/OO./...").out
    assert out.startswith("3x3:3: The game is over: X has won with the line a1-b1-c1.")
    assert "How we know: a check of every line on the board." in out
    assert "Try next:\n  noughts explain 3x3:3 'XXX/OO./...'\n" in out
    drawn = run("solve", "3x3", "XOX/XOO/OXX").out
    assert drawn.startswith(
        "3x3:3: The game is over: it is a draw, because the board is full and neither player has a line."
    )
    won = run("solve", "3x3+misere", "XXX/OO./...").out
    assert "O has won: X has completed the line a1-b1-c1, which loses under" in won
    lost = run("solve", "3x3+misere", "XXX/OO./...", "--format", "json")
    found = json.loads(lost.out)
    assert (found["outcome"], found["value"], found["remoteness"], found["decided"]) == ("O", "win", 0, True)
    assert found["moves"] == []
    assert found["line"] == []


def test_values_by_ply_are_those_published(run: Run) -> None:
    known = {entry["id"]: entry["terms"] for entry in numbers("sequence")}
    for board, x_id, o_id in (("3x3", "A317401", "A317402"), ("4x4", "A317573 row 4", "A317574 row 4")):
        found = json.loads(run("solve", board, "--by-ply", "--same", "symmetry", "--format", "json").out)
        assert [row["x_wins"] for row in found["plies"]] == known[x_id]
        assert [row["o_wins"] for row in found["plies"]] == known[o_id]
        assert [row["ply"] for row in found["plies"]] == list(range(len(known[x_id])))


def test_positions_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("X../.O./...\n\na1 b2 c3\n...\nXXX/OOO/...\n"))
    result = run("solve", "3x3", "-")
    records = [json.loads(line) for line in result.out.splitlines()]
    assert [record.get("outcome") for record in records] == ["draw", "draw", None, None]
    assert "both have a line" in records[3]["error"]
    assert result.code == 2


def test_saving_and_reading(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "table")
    assert run("solve", "3x3", "--save", folder).code == 0
    found = run("solve", "3x3", "a1 b2", "--table", folder, "--format", "json")
    fresh = run("solve", "3x3", "a1 b2", "--format", "json")
    for key in ("outcome", "remoteness", "moves", "line"):
        assert json.loads(found.out)[key] == json.loads(fresh.out)[key]
    assert run("solve", "3x3", "--by-ply", "--table", folder).out == run("solve", "3x3", "--by-ply").out
    assert run("verify", folder).code == 0
    assert "add --resume" in run("solve", "3x3", "--save", folder).one_sentence()
    assert run("solve", "3x3", "--save", folder, "--resume").code == 0
    layer = tmp_path / "table" / "layer-03.values"
    damaged = bytearray(layer.read_bytes())
    damaged[4100] ^= 16
    layer.write_bytes(bytes(damaged))
    result = run("verify", folder)
    assert result.code == 1
    assert "wrong    ply 3" in result.out
    assert run("solve", "3x3", "a1 b2 c3", "--table", folder).code == 1
    told = json.loads(run("verify", folder, "--format", "json").out)
    assert told["ok"] is False


def test_all_reasons_are_given(run: Run) -> None:
    sentence = run("solve", "3x3", "XXX/OOO/X..").one_sentence()
    assert "both have a line" in sentence
    assert "O has a line and yet" not in sentence or "both" in sentence
    sentence = run("solve", "3x3", "XXX/X../XXX").one_sentence()
    assert "too many X" in sentence
    assert "share no cell" in sentence


def test_search_answers_on_a_large_board(run: Run) -> None:
    found = json.loads(run("solve", "5x6:4", "c3 c4", "--format", "json").out)
    assert found["engine"] == "search"
    assert found["outcome"] == "X"
    assert found["remoteness"] is None
    assert found["nodes"] > 0
    assert found["at_most"] == 11
    assert len(found["line"]) <= 11


def test_a_proof_is_written_told_of_and_judged(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("a proof")
    found = run("solve", "3x3", "--proof", str(path))
    said = " ".join(found.out.split())
    size = path.stat().st_size
    assert f"{path}, {size} bytes: O does not lose against every reply (23 lines);" in said
    assert f"noughts check '{path}'" in said
    assert run("check", str(path)).code == 0
    told = json.loads(run("solve", "3x3", "X../.O./...", "--format", "json", "--proof", str(path)).out)["certificate"]
    assert (told["file"], told["size"], told["outcome"]) == (str(path), path.stat().st_size, "draw")
    assert [part["section"] for part in told["sections"]] == ["play O not to lose", "play X not to lose"]
    assert path.read_text().splitlines()[2] == "from X../.O./..."
    assert "Proof: " in run("solve", "3x3+misere", "--format", "markdown", "--proof", str(path)).out
    assert run("check", str(path)).code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("3x3", "XXX/OO./...", "--proof", "p"), 2, "nothing to prove"),
        (("3x3", "--by-ply", "--proof", "p"), 2, "needs one position"),
        (("3x3", "-", "--proof", "p"), 2, "needs one position"),
        (("3x3", "--proof", "p", "-o", "p"), 2, "two names"),
        (("3x3", "--proof", "no/such/p"), 4, "no/such"),
    ],
)
def test_a_proof_that_cannot_be_is_refused_before_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("solve", *arguments)
    assert (found.code, found.out) == (code, "")
    assert words in found.err
    assert len(found.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


KILLED = """
import functools, os, signal, sys
from noughts.cli.main import main
from noughts.solving import resume

keep = resume.keep_search

def keep_and_die(*about):
    if keep(*about) > 10:
        os.kill(os.getpid(), signal.SIGKILL)

resume.keep_search = keep_and_die
resume.Keeper = functools.partial(resume.Keeper, seconds=0)
main(sys.argv[1:])
"""
"""Solves, and is killed as soon as some states were kept."""


def test_a_proof_whose_search_was_killed_is_gone_on_with(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("solve", "6x6:4", "--proof", "whole").code == 0
    killed = subprocess.run([sys.executable, "-c", KILLED, "solve", "6x6:4", "--proof", "p"], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.search", "whole"]
    assert run("solve", "6x6:4", "--proof", "p", "--resume").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p", "whole"]
    assert (tmp_path / "p").read_bytes() == (tmp_path / "whole").read_bytes()


# `solve --by-ply` in every form: the numbers of all, recounted from the rules alone.


@pytest.mark.parametrize(("spec", "shape"), [("3x3", (3, 3, 3)), ("2x4:3", (2, 4, 3)), ("3x3+misere", (3, 3, 3, True))])
def test_csv_bfile_and_oeis_hold_the_recounted_numbers(run, spec, shape):
    board, wanted = oracle(*shape), dict[int, Counter[str]]()
    for s in board.reachable():
        wanted.setdefault(board.cells - s.count("."), Counter())[board.value(s)] += 1
    result: Result = run("solve", spec, "--by-ply", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [int(row["ply"]) for row in rows] == sorted(wanted)
    for row in rows:
        split = wanted[int(row["ply"])]
        told = [int(row[name]) for name in ("x_wins", "draws", "o_wins", "positions")]
        assert told == [split["X"], split["draw"], split["O"], split.total()]
    for column, outcome in (("x_wins", "X"), ("draws", "draw"), ("o_wins", "O")):
        terms = [wanted[ply][outcome] for ply in sorted(wanted)]
        lines = run("solve", spec, "--by-ply", "--format", "bfile", "--column", column).out.splitlines()
        assert lines == [f"{ply} {term}" for ply, term in enumerate(terms)]
        oeis = run("solve", spec, "--by-ply", "--format", "oeis", "--column", column).out.splitlines()
        assert oeis[1] == f"Data: {', '.join(map(str, terms))}"


# `noughts solve 9+infinite`, and that every other verb refuses such a board in one sentence.


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


@pytest.mark.parametrize("verb", takers())
def test_every_other_verb_refuses_it(run: Run, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    more = _MORE.get(verb, ())
    result = run(*verb.split(), "9+infinite", *more)
    assert result.code == 2
    assert "only noughts solve takes the infinite board '9+infinite', without a position" in result.one_sentence()


# `noughts solve BOARD --save DIR` beyond a small table: its plan.


def test_a_plan_is_data_too(run: Run) -> None:
    found = json.loads(run("solve", "3x3", "--save", "table", "--dry-run", "--format", "json").out)
    assert found["entries"] == str(sum(int(layer["entries"]) for layer in found["layers"]))
    assert found["values_only"] is False
    assert run("solve", "3x3", "--save", "table", "--dry-run", "--format", "markdown").code == 0


@pytest.mark.parametrize(
    ("spec", "x", "o"),
    [
        ("3x3", "O's reply to any first move holds the draw: the centre, if it is blank, else a corner", True),
        ("5x5", "Erdos-Selfridge: the lines weigh 1/2, less than 1", True),
        ("4x4+torus", "", True),
        ("3x3+misere", "", False),
        ("3x3+wild", "", False),
        ("3x3 b2 a1", "", False),
        ("3x3+torus", "", False),
    ],
)
def test_a_drawn_board_says_why(run, spec, x, o):
    """For each player, as far as a short reason is known; neither where the position is won or not empty."""
    board, *moves = spec.split()
    said = " ".join(run("solve", board, *[" ".join(moves)] * bool(moves)).out.split())
    assert (f"Why X cannot force a win: {x}." in said) == bool(x)
    assert ("Why X" in said) == bool(x)
    assert ("Why O cannot force a win: X could use the same strategy first (strategy stealing)." in said) == o


def test_the_rule_against_x_holds_every_draw():
    """By all games from the nine replies of the centre, if it is blank, else a corner."""
    lines = [
        *[(3 * i, 3 * i + 1, 3 * i + 2) for i in range(3)],
        *[(i, i + 3, i + 6) for i in range(3)],
        (0, 4, 8),
        (2, 4, 6),
    ]

    def value(board, mover):
        if any({board[cell] for cell in line} == {"O" if mover == "X" else "X"} for line in lines):
            return -1
        played = [-value(board[:i] + mover + board[i + 1 :], "XO"[mover == "X"]) for i in range(9) if board[i] == "."]
        return max(played, default=0)

    for first in range(9):
        board = "." * first + "X" + "." * (8 - first)
        for reply in [4] if first != 4 else [0, 2, 6, 8]:
            assert value(board[:reply] + "O" + board[reply + 1 :], "X") == 0
