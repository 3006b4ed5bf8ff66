"""Damage to every kind of file that is read: it is noticed, or it changes nothing; no answer is ever wrong."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts.counting.layered.walk import compiled_rows
from noughts.counting.question import Question, Sameness
from noughts.counting.saved import Checkpoint
from noughts.counting.streamed import walk
from noughts.exporting.files import cache_folder
from noughts.machine.checkpoints import FORMAT
from noughts.rules.board import Board
from noughts.rules.errors import NoughtsError, shown
from noughts.rules.position import Position
from noughts.solving.resume import keep_search, resume_search
from noughts.solving.search import SearchSolution
from tests.cli.conftest import Result
from tests.cli.test_sink import CALLS as ANSWERS
from tests.counting.comparing import counted
from tests.dear import dear
from tests.robust.test_killed import RESUMABLE

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


PLAYERS = {
    "policy": ("match 2x2 --x best --o random --save kept/it.json", "match 2x2 --x kept/it.json --o random"),
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
    solution = SearchSolution(start.board, stage="threats")
    outcome = solution.outcome()
    keep_search(path, start, solution.stages)
    for _, _, content in damages(tmp_path, times, "search"):
        again = SearchSolution(start.board, stage="threats")
        with suppress(NoughtsError):
            resume_search(path, start, again.stages)
            assert json.loads(path.read_text()) == json.loads(content), "nothing but the space between its words"
            assert again.outcome() == outcome


# A disk that fails at any moment: one sentence with the path and exit code 4, and nothing half written.

_WRITING = {
    "count": ("count 2x2 --format json -o out.json", "out.json"),
    "draw": ("draw 2x2 a1 -o out.png", "out.png"),
    "tree": ("tree 2x3 -o out.svg", "out.svg"),
    "export": ("export 2x2 -o out.csv", "out.csv"),
    "database": ("export 2x2 -o out.sqlite", "out.sqlite"),
    "site": ("site 1x2 -o pages", "pages"),
    "save": ("match 2x2 --x best --o random --save bot.json", "bot.json"),
    "menace": ("menace 2x2 --games 3 --seed 1 --save machine.json", "machine.json"),
    "proof": ("solve 2x3 --proof out.proof", "out.proof"),
    "table": ("solve 2x3 --save table", "table"),
    "patterns": ("patterns 3x3 --force Arrow --save out.json", "out.json"),
    "payoff": ("payoff 3x3 --strategy O --save out.json", "out.json"),
    "breed": ("breed 2x3:2 --population 8 --generations 2 --seed 1 --save out.json", "out.json"),
    "blindfold": ("blindfold 1x3 --proof out.json", "out.json"),
    "query": ("query 1x3 values(1)", "cache"),
}
_ANSWERS = {
    f"{verb} -o": ([*words, "-o", name], name)
    for verb, words in ANSWERS.items()
    if verb not in ("referee", "verify")  # says how long it took; another answer every time
    for name in ["out.svg" if verb == "draw" else "out.json"]
}
CALLS = {**{what: (words.split(), name) for what, (words, name) in _WRITING.items()}, **_ANSWERS}
"""A quick call of each way to write, and the name that it gives to what it writes."""
DEAR = ("site", "table", "patterns", "payoff", "breed", "blindfold", "query", *_ANSWERS)
_PARTLY = ("table", "query")
"""What is written file by file."""
FAILURES = (errno.ENOSPC, errno.EIO, errno.EACCES)
_CHANGING = ("fsync", "replace", "mkdir", "chmod")


class _Failing:
    """Counts the calls that change a disk, of which the k-th fails; 0 for none."""

    def __init__(self, at: int, code: int) -> None:
        self.at, self.code, self.calls = at, code, 0

    def around(self, call: Callable[..., Any], *, opens: bool = False) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            if not opens or (len(given) > 1 and given[1] & os.O_CREAT):
                self.calls += 1
                if self.calls == self.at:
                    raise OSError(self.code, os.strerror(self.code), str(given[0]))
            return call(*given, **named)

        return called


@contextmanager
def _failing(at: int, code: int) -> Iterator[_Failing]:
    found = _Failing(at, code)
    with pytest.MonkeyPatch.context() as patch:
        for name in _CHANGING:
            patch.setattr(os, name, found.around(getattr(os, name)))
        patch.setattr(os, "open", found.around(os.open, opens=True))
        yield found


def _content(path: Path) -> object:
    """Return what is under a name: bytes, or the bytes of each file of a folder, or None."""
    if path.is_dir():
        return {str(each.relative_to(path)): each.read_bytes() for each in path.rglob("*") if each.is_file()}
    return path.read_bytes() if path.exists() else None


def _require_clean(folder: Path, name: str, whole: object, partly: bool) -> None:
    """Assert that what has the name is whole or not there, and that there is nothing else."""
    found = _content(folder / name)
    if partly and isinstance(found, dict):
        assert isinstance(whole, dict)
        assert all(whole[each] == found[each] for each in found), "a part of the table, to go on from"
    else:
        assert found is None or name.endswith(".sqlite") or found == whole
    assert not [each for each in folder.rglob("*") if "noughts-part" in each.name]
    assert {each.name for each in folder.iterdir()} <= {name}


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("what", dear(sorted(CALLS), *DEAR))
def test_every_call_that_may_fail(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, every: bool
) -> None:
    command, name = CALLS[what]
    monkeypatch.setenv("NOUGHTS_CACHE", "cache")
    (tmp_path / "good").mkdir()
    monkeypatch.chdir(tmp_path / "good")
    assert run(*command).code == 0  # what is made once only, such as compiled kernels, is there now
    (tmp_path / "again").mkdir()
    monkeypatch.chdir(tmp_path / "again")
    with _failing(0, 0) as counted:
        assert run(*command).code == 0
    whole = _content(Path(name))
    assert counted.calls > 1
    most = counted.calls
    for at in range(1, most + 1) if every or most < 30 else sorted({*range(1, 10), *range(10, most, most // 8), most}):
        folder = tmp_path / str(at)
        folder.mkdir()
        monkeypatch.chdir(folder)
        with _failing(at, FAILURES[at % len(FAILURES)]) as failing:
            result = run(*command)
        assert failing.calls >= at
        assert "Traceback" not in result.err
        if result.code == 0:  # a folder that was there could not be made
            assert _content(Path(name)) == whole
            continue
        assert result.code == 4, (at, result)
        last = result.err.splitlines()[-1]
        assert last.startswith("noughts: ")
        assert name in last
        _require_clean(folder, name, whole, what in _PARTLY)


_TOO_LARGE = {
    "out.csv": "export 2x3 -o out.csv",
    "out.sqlite": "export 2x3 -o out.sqlite",
    "out.svg": "tree 2x3 -o out.svg",
    "out.json": "count 3x3 --same choices --format json -o out.json",
    "table": "solve 4x4:3 --save table",
    "state": "count 4x4:3 --same choices --engine layered --resume state",
}


@pytest.mark.parametrize("name", sorted(_TOO_LARGE))
def test_a_disk_without_room_leaves_what_was_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The system itself refuses the bytes, as a full disk does: no file may have more than 1,000."""
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))
    monkeypatch.chdir(tmp_path)
    place = tmp_path / name if "." in name else tmp_path / "beside"
    place.write_text("before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        result = run(*_TOO_LARGE[name].split())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert result.code == 4, result
    assert name in result.one_sentence()
    assert "I/O error" in result.err if name == "out.sqlite" else "File too large; raise the limit" in result.err
    assert place.read_text() == "before"
    assert not [each for each in tmp_path.rglob("*") if "noughts-part" in each.name]


@pytest.mark.parametrize("what", dear(sorted(RESUMABLE), *(RESUMABLE.keys() - {"streamed"})))
def test_what_a_failing_disk_has_ended_is_gone_on_with(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """One sentence, and the same command gives the same bytes afterwards."""
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))
    words = RESUMABLE[what].split()
    (tmp_path / "good").mkdir()
    monkeypatch.chdir(tmp_path / "good")
    with _failing(0, 0) as counted:
        assert run(*words).code == 0
    whole = _content(tmp_path / "good")
    failed = 0
    for at in range(1, counted.calls + 1, max(1, counted.calls // 12)):
        folder = tmp_path / str(at)
        folder.mkdir()
        monkeypatch.chdir(folder)
        with _failing(at, FAILURES[at % len(FAILURES)]):
            result = run(*words)
        assert result.code in (0, 4), (at, result)
        assert "Traceback" not in result.err
        failed += result.code == 4
        if result.code == 4:
            assert "kept" in result.err or "answer.json" in result.err
        assert run(*words).code == 0
        assert _content(folder) == whole, at
    assert failed > 3


# What a later version wrote is refused in one sentence, and never guessed at.

WRITTEN = {
    "policy": ("match 2x2 --x best --o random --save it.json", "match 2x2 --x it.json --o random"),
    "machine": ("menace 2x2 --games 3 --seed 1 --save it.json", "menace 2x2 --load it.json --games 1"),
    "crib": ("crib 2x3 --format json -o it.json", "check it.json"),
    "value": ("blindfold 1x3 --proof it.json", "check it.json"),
    "value of the blind": ("blindfold 1x3 --proof it.json", "blindfold check it.json"),
    "strategy": ("blindfold 2x2 --format json -o it.json", "check it.json"),
}


@pytest.mark.parametrize("what", sorted(WRITTEN))
def test_what_has_another_version_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    writes, reads = WRITTEN[what]
    assert run(*writes.split()).code == 0
    whole = json.loads(Path("it.json").read_text())
    content = whole["strategy"] if what == "strategy" else whole
    assert content["version"] == 1, "what is written says so"
    versions = (2, 99, 10**30, 0, -1, "1", "2", None, True, 1.0, 1.5, [1])
    for version in versions:
        content["version"] = version
        Path("it.json").write_text(json.dumps(whole))
        result = run(*reads.split())
        assert result.code == 2
        said = f"is damaged: its version {shown(version)} is not a whole number from 1; write the file again"
        if type(version) is int and version > 1:
            number = version if version < 100 else shown(version)
            said = f"has version {number}, but this noughts reads version 1: install a newer noughts"
        assert said in result.one_sentence()
    content["version"] = 1
    Path("it.json").write_text(json.dumps(whole))
    assert run(*reads.split()).code == 0


@pytest.mark.parametrize(("name", "said"), [(f"{'a0' * 12}.npz", "2 or before"), (f"{'a0' * 12}-3.json", "3")])
def test_work_of_another_format_is_not_gone_on_with(
    run: Callable[..., Result], tmp_path: Path, name: str, said: str
) -> None:
    """Not by beginning anew beside it either, which nobody who resumes has asked for."""
    (tmp_path / name).touch()
    words = ("count", "3x3", "--engine", "frontier", "--resume", str(tmp_path))
    result = run(*words)
    assert result.code == 2
    assert f"has work of format {said}, but this noughts reads format {FORMAT}:" in result.one_sentence()
    (tmp_path / name).rename(tmp_path / "notes.json")
    assert run(*words).code == 0
    assert all(f"-{FORMAT}." in path.name for path in tmp_path.iterdir() if path.name != "notes.json")


@pytest.mark.parametrize("verb", ["blindfold", "breed", "crib"])
def test_json_that_is_read_again_has_a_version(run: Run, verb: str) -> None:
    record = json.loads(run(*ANSWERS[verb], "--format", "json").out)
    assert record.get("strategy", record)["version"] == 1
