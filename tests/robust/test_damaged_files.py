"""Damage to every kind of file that is read: it is noticed, or it changes nothing; no answer is ever wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

import noughts
from noughts.counting.layers.checkpoint import Checkpoint
from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.question import Question, Sameness
from noughts.counting.streamed import walk
from noughts.domain.board import Board
from noughts.domain.errors import InputError, NoughtsError
from noughts.domain.position import Position
from noughts.exporting.kept import cache_folder
from noughts.machine.files import require_free_folder
from noughts.solving.attacking import AttackSolution
from noughts.solving.unfinished import keep_search, resume_search
from tests.cli.conftest import Result, run
from tests.counting.comparing import counted

__all__ = ["run"]

Run = Callable[..., Result]

many = pytest.mark.parametrize("times", [5, pytest.param(1000, marks=pytest.mark.slow)])


def damaged(content: bytes, dice: Random) -> bytes:
    """Return other bytes: a bit flipped, the end lost, some bytes wiped, something behind it, or nothing at all."""
    at, what = dice.randrange(len(content)), dice.randrange(10)
    if what < 6:
        return content[:at] + bytes([content[at] ^ 1 << dice.randrange(8)]) + content[at + 1 :]
    if what < 8:
        return content[:at]
    if what < 9:
        wiped = bytes(min(16, len(content) - at))
        found = content[:at] + wiped + content[at + len(wiped) :]
        return found if found != content else content + b"\0"
    return content + content[at:] + b"\1"


def damages(folder: Path, times: int, about: str) -> Iterator[tuple[str, bytes, bytes]]:
    """Damage one file of a folder after the other, and mend it again: its name, what it was and what it is."""
    whole = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size}
    dice = Random(about)
    for _ in range(times):
        path = dice.choice(list(whole))
        content = damaged(whole[path], dice)
        path.write_bytes(content)
        yield path.name, whole[path], content
        path.write_bytes(whole[path])


CERTIFICATES = {
    "proof": "solve 2x3 --proof kept/it.proof",
    "weak": "solve 3x3 --proof kept/it.proof",
    "crib": "crib 2x3 --format json -o kept/it.json",
    "value": "blindfold 1x4:3 --proof kept/it.json",
    "strategy": "blindfold 2x2 --format json -o kept/it.json",
}


@many
@pytest.mark.parametrize("what", sorted(CERTIFICATES))
def test_a_certificate_is_what_it_was_or_is_not_accepted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, times: int
) -> None:
    """What is accepted all the same says nothing else: a space, or a number that is said but not relied on."""
    monkeypatch.chdir(tmp_path)
    Path("kept").mkdir()
    assert run(*CERTIFICATES[what].split()).code == 0
    (path,) = (str(path) for path in Path("kept").iterdir())
    right = run("check", path)
    assert right.code == 0
    for _, _, content in damages(Path("kept"), times, what):
        found = run("check", path)
        assert "Traceback" not in found.err
        assert found.code in (0, 1, 2, 4), content
        assert found.code != 0 or found.out == right.out, content


def test_a_claim_that_was_weakened_is_answered_with_what_is_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One bit makes an upper bound of 1 one of 9, which holds as well; the answer is still the value."""
    monkeypatch.chdir(tmp_path)
    assert run("blindfold", "1x3", "--proof", "it.json").code == 0
    right, text = run("check", "it.json"), Path("it.json").read_text()
    assert '"upper": "1"' in text
    Path("it.json").write_text(text.replace('"upper": "1"', '"upper": "9"'))
    assert run("check", "it.json") == right
    Path("it.json").write_text(text.replace('"upper": "1"', '"upper": "0"'))
    assert run("check", "it.json").code == 1


PLAYERS = {
    "policy": ("versus 2x2 --x best --o random --save kept/it.json", "versus 2x2 --x kept/it.json --o random"),
    "machine": ("menace 2x2 --games 3 --seed 1 --save kept/it.json", "menace 2x2 --load kept/it.json --games 1"),
}


@many
@pytest.mark.parametrize("what", sorted(PLAYERS))
def test_a_policy_is_read_or_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, times: int
) -> None:
    """A policy is anybody's to write, so another one is as good: what is read is played as it stands."""
    monkeypatch.chdir(tmp_path)
    Path("kept").mkdir()
    writes, reads = PLAYERS[what]
    assert run(*writes.split()).code == 0
    for _, _, content in damages(Path("kept"), times, what):
        found = run(*reads.split())
        assert "Traceback" not in found.err
        assert found.code in (0, 2, 4), content
        if found.code:
            assert len(found.one_sentence()) < 700, content


@many
@pytest.mark.parametrize("kind", ["--remoteness", "--values-only"])
def test_a_table_is_never_believed_wrongly(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, times: int
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("solve", "2x4:3", "--save", "table", kind).code == 0
    asked = [("solve", "2x4:3", moves, "--table", "table", "--format", "json") for moves in ("a1", "a1 b1 c1 d1 a2")]
    right = [run(*words).out for words in asked]
    for name, _, content in damages(Path("table"), times, kind):
        for words, truth in zip(asked, right, strict=True):
            found = run(*words)
            assert "Traceback" not in found.err
            assert found.code in (0, 1, 2, 4), (name, content)
            assert found.code != 0 or found.out == truth, (name, content)
        assert run("verify", "table").code != 0, (name, content)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "\xe9"])
def test_a_table_that_is_no_json_is_damaged(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("solve", "2x2", "--save", "table").code == 0
    Path("table/table.json").write_text(text, "latin-1")
    for words in ("solve 2x2 --table table", "verify table", "solve 2x2 --save table --resume"):
        found = run(*words.split())
        assert (found.code, "damaged" in found.one_sentence()) == (1, True), words


def test_no_file_is_read_as_json_without_bounds() -> None:
    """What a name stands for may be nested without end: `machine.reading` alone calls the parser."""
    package = Path(noughts.__file__).parent
    calls = [path for path in package.rglob("*.py") if "json.load" in path.read_text("utf-8")]
    assert [path.relative_to(package).as_posix() for path in calls] == ["machine/reading.py"]


def test_the_list_of_a_folder_that_is_nested_without_end_lists_nothing(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match="is not empty"):
        require_free_folder(tmp_path, force=False, marker="list.json")


@many
def test_a_database_is_built_again(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    asked = ("query", "1x3", "select sum(finishes), sum(games), group_concat(position) from classes", "--format", "csv")
    right = run(*asked)
    assert right.code == 0
    assert [path.suffix for path in cache_folder().iterdir()] == [".sqlite"]
    for name, _, content in damages(tmp_path, times, "database"):
        assert run(*asked) == right, (name, content)


class Killed(Exception):
    """Stands for a kill."""


STATES: dict[str, tuple[str, Sameness]] = {
    "layered": ("3x3", "choices"),
    "frontier": ("3x3", "labelled"),
    "transfer": ("3x3", "symmetry"),
    "points": ("3x4:3", "labelled"),
    "streamed": ("3x3", "choices"),
}
"""For each engine that can be resumed a question, which is killed half-way."""


def _plies(engine: str, question: Question, **run: Any) -> object:
    """Return what an engine counts; boards as small as these are not kept by `layered` unless its kernels walk."""
    return compiled_rows(question, **run) if engine == "layered" else counted(engine, question, **run).plies


@many
@pytest.mark.parametrize("engine", sorted(STATES))
def test_no_state_is_gone_on_with_wrongly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, times: int
) -> None:
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))
    monkeypatch.setattr(walk, "ITEM_BYTES", 500)
    spec, same = STATES[engine]
    question, said = Question(Board.parse(spec), same), list[object]()
    right = _plies(engine, question, progress=lambda *what: said.append(what))
    half, kept, work = len(said) // 2, tmp_path / "kept", tmp_path / "work"
    said.clear()

    def report(*what: object) -> None:
        said.append(what)
        if len(said) == half:
            raise Killed

    with suppress(Killed):
        _plies(engine, question, progress=report, resume=kept)
    assert any(path.stat().st_size for path in kept.iterdir())
    noticed = 0
    for name, _, content in damages(kept, times, engine):
        shutil.copytree(kept, work)
        try:
            found = _plies(engine, question, resume=work)
        except NoughtsError:
            noticed += 1
        else:
            assert found == right, (name, content)
        shutil.rmtree(work)
    assert noticed > 0


@many
def test_no_search_is_gone_on_with_wrongly(tmp_path: Path, times: int) -> None:
    start, path = Position(Board.parse("5x6:4")), tmp_path / "kept"
    solution = AttackSolution(start.board)
    outcome = solution.outcome()
    keep_search(path, start, solution)
    for _, _, content in damages(tmp_path, times, "search"):
        again = AttackSolution(start.board)
        with suppress(NoughtsError):
            resume_search(path, start, again)
            assert json.loads(path.read_text()) == json.loads(content), "nothing but the space between its words"
            assert again.outcome() == outcome


def test_a_crib_with_a_key_that_none_has_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be judged for another claim than it was made for, or as a policy."""
    monkeypatch.chdir(tmp_path)
    for asked in ("--as X", "--as both", "--as O --opening b1"):
        record = json.loads(run("crib", "2x3:3", *asked.split(), "--format", "json").out)
        Path("it.json").write_text(json.dumps(record))
        assert run("check", "it.json").code == 0
        for key in record:
            renamed = {f"{name}_" if name == key else name: value for name, value in record.items()}
            Path("it.json").write_text(json.dumps(renamed))
            assert run("check", "it.json").code == 2, key
            assert len(run("check", "it.json").one_sentence()) < 200
