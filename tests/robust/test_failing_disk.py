"""A disk that fails at any moment: one sentence with the path and exit code 4, and nothing half written."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from noughts.counting.layers.checkpoint import Checkpoint
from tests.cli.conftest import Result, run
from tests.cli.test_sink import CALLS as ANSWERS
from tests.dear import dear
from tests.robust.test_killed import RESUMABLE

__all__ = ["run"]

_WRITING = {
    "count": ("count 2x2 --format json -o out.json", "out.json"),
    "draw": ("draw 2x2 a1 -o out.png", "out.png"),
    "tree": ("tree 2x3 -o out.svg", "out.svg"),
    "export": ("export 2x2 -o out.csv", "out.csv"),
    "database": ("export 2x2 -o out.sqlite", "out.sqlite"),
    "site": ("site 1x2 -o pages", "pages"),
    "save": ("versus 2x2 --x best --o random --save bot.json", "bot.json"),
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


@pytest.mark.parametrize("what", dear(sorted(CALLS), *DEAR))
def test_a_disk_that_is_full_after_so_many_bytes(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    command, name = CALLS[what]
    monkeypatch.setenv("NOUGHTS_CACHE", "cache")
    (tmp_path / "good").mkdir()
    monkeypatch.chdir(tmp_path / "good")
    assert run(*command).code == 0
    whole = _content(Path(name))
    for size in (0, 1, 40):
        folder = tmp_path / str(size)
        folder.mkdir()
        monkeypatch.chdir(folder)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            result = run(*command)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert result.code == 4, (size, result)
        assert "Traceback" not in result.err
        _require_clean(folder, name, whole, what in _PARTLY)


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
