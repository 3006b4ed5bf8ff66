"""What a later version wrote is refused in one sentence, and never guessed at."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.counting.checkpoints import FORMAT
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.position import Position
from noughts.machine.reading import FILE_VERSION
from noughts.solving.attacking import AttackSolution
from noughts.solving.blockfile import checked_json, sealed_json
from noughts.solving.unfinished import keep_search, resume_search
from noughts.verification.certificates.cribs import is_crib
from noughts.verification.certificates.policies import has_moves
from tests.cli.conftest import Result, run
from tests.cli.test_sink import CALLS, forms
from tests.dear import dear

__all__ = ["run"]

WRITTEN = {
    "policy": ("versus 2x2 --x best --o random --save it.json", "versus 2x2 --x it.json --o random"),
    "machine": ("menace 2x2 --games 3 --seed 1 --save it.json", "menace 2x2 --load it.json --games 1"),
    "crib": ("crib 2x3 --format json -o it.json", "check it.json"),
    "value": ("blindfold 1x3 --proof it.json", "check it.json"),
    "value of the blind": ("blindfold 1x3 --proof it.json", "blindfold check it.json"),
    "strategy": ("blindfold 2x2 --format json -o it.json", "check it.json"),
}


@pytest.mark.parametrize("what", sorted(WRITTEN))
@pytest.mark.parametrize("version", [2, 99, 10**30, 0, -1, "1", "2", None, True, 1.0, 1.5, [1]])
def test_what_has_another_version_is_refused(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, version: object
) -> None:
    monkeypatch.chdir(tmp_path)
    writes, reads = WRITTEN[what]
    assert run(*writes.split()).code == 0
    assert run(*reads.split()).code == 0
    whole = json.loads(Path("it.json").read_text())
    content = whole["strategy"] if what == "strategy" else whole
    assert content["version"] == 1, "what is written says so"
    content["version"] = version
    Path("it.json").write_text(json.dumps(whole))
    result = run(*reads.split())
    assert result.code == 2
    if type(version) is int and version > 1:
        said = version if version < 100 else shown(version)
        assert (
            f"is of version {said}, and this noughts reads version 1: install a newer noughts" in result.one_sentence()
        )
    else:
        damaged = (
            f"gives {shown(version)} as its version, which is no whole number from 1: it is damaged, so write it anew"
        )
        assert damaged in result.one_sentence()
    content["version"] = 1
    Path("it.json").write_text(json.dumps(whole))
    assert run(*reads.split()).code == 0


def _replace(path: str, before: str, after: str) -> None:
    text = Path(path).read_text()
    assert before in text
    Path(path).write_text(text.replace(before, after))


def test_a_later_table_and_a_later_proof(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("solve", "2x3", "--proof", "it.proof").code == 0
    _replace("it.proof", "noughts proof 1", "noughts proof 2")
    assert "its first line has to be 'noughts proof 1'" in run("check", "it.proof").one_sentence()
    assert run("blindfold", "2x2", "--format", "text", "-o", "it.txt").code == 0
    _replace("it.txt", "noughts-blindfold-strategy 1", "noughts-blindfold-strategy 2")
    assert "begins with noughts-blindfold-strategy 1" in run("check", "it.txt").one_sentence()
    assert run("solve", "2x3", "--save", "table").code == 0
    about = checked_json(Path("table/table.json").read_text().rstrip("\n"), "table")
    Path("table/table.json").write_text(sealed_json({**about, "format": "noughts table 4"}) + "\n")
    result = run("solve", "2x3", "--table", "table")
    assert result.code == 2
    assert "is of the format 'noughts table 4' and this program reads 'noughts table 3'" in result.one_sentence()


def test_a_search_of_another_format(tmp_path: Path) -> None:
    start, path = Position(Board.parse("3x3")), tmp_path / "kept"
    solution = AttackSolution(start.board)
    keep_search(path, start, solution)
    content = checked_json(path.read_text().rstrip("\n"), path)
    path.write_text(sealed_json({**content, "kind": "noughts search 2"}) + "\n")
    with pytest.raises(InputError, match="is of the format 'noughts search 2', and this noughts reads"):
        resume_search(path, start, solution)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"{'a0' * 12}.npz", "2 or before"),
        (f"{'a0' * 12}-2.json", "2"),
        (f"{'a0' * 12}-4.json", "4"),
        (f"{'a0' * 12}-4.paths", "4"),
    ],
)
def test_work_of_another_format_is_not_gone_on_with(
    run: Callable[..., Result], tmp_path: Path, name: str, said: str
) -> None:
    """Not by beginning anew beside it either, which nobody who resumes has asked for."""
    (tmp_path / name).touch()
    words = ("count", "3x3", "--engine", "frontier", "--resume", str(tmp_path))
    result = run(*words)
    assert result.code == 2
    assert f"keeps work of format {said}, and this noughts reads format {FORMAT}:" in result.one_sentence()
    (tmp_path / name).rename(tmp_path / "notes.json")
    assert run(*words).code == 0
    assert all(f"-{FORMAT}." in path.name for path in tmp_path.iterdir() if path.name != "notes.json")


def test_a_later_site_is_not_replaced(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("site", "1x1", "-o", "pages").code == 0
    content = json.loads(Path("pages/site.json").read_text())
    assert content["version"] == FILE_VERSION
    Path("pages/site.json").write_text(json.dumps({**content, "version": 2}))
    result = run("site", "1x1", "-o", "pages", "--force")
    assert result.code == 2
    assert "is of version 2, and this noughts reads version 1" in result.one_sentence()


def test_a_policy_without_a_version_is_of_the_first(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People write policies by hand, and the positions may stand alone."""
    monkeypatch.chdir(tmp_path)
    for content in ({"..": "a1"}, {"version": 1, "..": "a1"}, {"moves": {"..": "a1"}}):
        Path("it.json").write_text(json.dumps(content))
        assert run("versus", "1x2", "--x", "it.json").code == 0
    for inner in ({"version": 2, "..": "a1"}, {"moves": {}, "otherwise": {"version": 2, "..": "a1"}}):
        Path("it.json").write_text(json.dumps(inner))
        assert "is of version 2" in run("versus", "1x2", "--x", "it.json").one_sentence()


KEEPERS = {
    "noughts.cli.blindfold.answer": "noughts-blindfold-value",
    "noughts.cli.infinite": "noughts proof 1",
    "noughts.cli.policies": "version",
    "noughts.cli.proving": "noughts proof 1",
    "noughts.counting.checkpoints": "the format in the names of its files",
    "noughts.exporting.kept": "made anew by another version of noughts",
    "noughts.solving.blockfile": "noughts block file 1",
    "noughts.solving.saved": "noughts table 3",
    "noughts.solving.unfinished": "noughts search 1",
    "noughts.web.folder": "version",
}
"""Who writes what is read again, and what says of which format it is."""

SHOWN = {
    "noughts.cli.menace",
    "noughts.cli.sink",
    "noughts.cli.streams",
    "noughts.drawing.files",
    "noughts.exporting.writing",
}
"""Who writes what only others read, or nobody; or what the ones above have made."""


def test_whoever_writes_a_file_says_of_which_format_it_is() -> None:
    """Who is new here writes a version, and a test above that another one is refused."""
    source = Path(noughts.__file__).parent
    wrote = re.compile(r"\b(?:put_file|write_file|writing_file|writing_folder|writing_stream)\(|\bopen\([^)]*[\"']w")
    found = {
        ".".join(path.relative_to(source.parent).with_suffix("").parts)
        for path in source.rglob("*.py")
        if wrote.search(path.read_text(encoding="utf-8"))
    }
    assert found - {"noughts.machine.files"} == KEEPERS.keys() | SHOWN


_READ_AGAIN = ("blindfold", "breed", "crib")


@pytest.mark.parametrize("verb", dear(sorted(CALLS), *(set(CALLS) - set(_READ_AGAIN))))
def test_json_that_is_read_again_has_a_version(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if "json" not in forms(verb):
        return
    record = json.loads(run(*CALLS[verb], "--format", "json").out)
    if isinstance(record, dict) and (_may_be_policy(record) or is_crib(record) or "strategy" in record):
        assert record.get("strategy", record)["version"] == 1
    else:
        assert verb not in _READ_AGAIN


def _may_be_policy(record: dict[str, Any]) -> bool:
    """Tell whether a record is read as a policy: what is told of moves in a list, as by `explain`, is refused."""
    return has_moves(record) and not isinstance(record.get("moves"), list)
