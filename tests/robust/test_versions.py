"""What a later version wrote is refused in one sentence, and never guessed at."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from noughts.domain.errors import shown
from tests.cli.conftest import Result, run

__all__ = ["run"]

WRITTEN = {
    "policy": ("versus 2x2 --x best --o random --save it.json", "versus 2x2 --x it.json --o random"),
    "machine": ("menace 2x2 --games 3 --seed 1 --save it.json", "menace 2x2 --load it.json --games 1"),
    "crib": ("crib 2x3 --format json -o it.json", "check it.json"),
    "value": ("blindfold 1x3 --proof it.json", "check it.json"),
}


@pytest.mark.parametrize("what", sorted(WRITTEN))
@pytest.mark.parametrize("version", [2, 99, "2", None, True, 1.5, [1]])
def test_what_has_another_version_is_refused(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, version: object
) -> None:
    monkeypatch.chdir(tmp_path)
    writes, reads = WRITTEN[what]
    assert run(*writes.split()).code == 0
    assert run(*reads.split()).code == 0
    content = json.loads(Path("it.json").read_text())
    Path("it.json").write_text(json.dumps({**content, "version": version}))
    result, said = run(*reads.split()), version if version in (2, 99) else shown(version)
    assert result.code == 2
    assert f"is of version {said}, and this noughts reads version 1: install a newer noughts" in (result.one_sentence())
    Path("it.json").write_text(json.dumps({**content, "version": 1}))
    assert run(*reads.split()).code == 0


def test_a_later_table_and_a_later_proof(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("solve", "2x3", "--proof", "it.proof").code == 0
    Path("it.proof").write_text(Path("it.proof").read_text().replace("noughts proof 1", "noughts proof 2"))
    assert "its first line has to be 'noughts proof 1'" in run("check", "it.proof").one_sentence()
    assert run("solve", "2x3", "--save", "table").code == 0
    about = Path("table/table.json")
    about.write_text(about.read_text().replace("noughts table 3", "noughts table 4"))
    result = run("solve", "2x3", "--table", "table")
    assert result.code in (1, 2, 4)
    assert "table" in result.one_sentence()
