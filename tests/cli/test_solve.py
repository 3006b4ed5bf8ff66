"""`noughts solve` as people and programs call it."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from noughts.cli.main import command
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


def test_the_estimate_of_a_table_says_what_it_takes_on_some_workers(run: Run) -> None:
    said = run("solve", "3x3", "--save", "t", "--dry-run", "--workers", "2").out
    for words in ("On 2 workers it takes", "of memory each; at most", "6.5 % more in processes"):
        assert words in " ".join(said.split())
    assert "At most 1 worker can share a layer." in " ".join(said.split())
    found = json.loads(run("solve", "3x3", "--save", "t", "--dry-run", "--workers", "1", "--format", "json").out)
    work = found["on_workers"]
    assert (work["workers"], work["bytes_written"]) == (1, found["disk_bytes"])
    assert "on_workers" not in json.loads(run("solve", "3x3", "--save", "t", "--dry-run", "--format", "json").out)
    assert "takes" not in run("solve", "6x6:4", "--save", "t", "--dry-run", "--workers", "2").out  # beyond tables
