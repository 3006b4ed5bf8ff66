"""Policy files that were made to break: each ends in one sentence, soon, whatever it holds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.domain.board import Board
from noughts.machine.reading import read_text
from noughts.strategy.policies import policy
from noughts.strategy.policyfile import read_json
from noughts.strategy.tablepolicy import FilePolicy
from noughts.verification.certificates.door import judge_text
from tests.effort import AT_ONCE, counted_calls

BOARD = Board.parse("3x3")
EMPTY = ".../.../..."
HOSTILE: tuple[Any, ...] = (
    None, True, 0, -1, 10**400, 1e308, "", " ", "\0", "\ud800", "X" * 100_000, "../" * 1000, "a1 " * 50_000,
    [], [[]], {}, {"a1": {}}, {"": ""}, {"a1": None}, ["a1", None], [{"a1": 1}], {"a1": "1/3", "b2": ["2/3"]},
    {"a1": "1" * 5000}, {"a1": "1e99999999"}, {"a1": "\uff11"}, {"\u0661": "1"}, ".json", "nowhere.json",
    "program:rm", "genome:", "genome:" + "9" * 5000, "any", "perfect",
)  # fmt: skip


def _said_soon(given: Any) -> None:
    """Assert that a policy is read, or refused in one short sentence, and soon."""
    with counted_calls() as effort:
        try:
            policy(BOARD, given)
            said = "read"
        except noughts.InputError as error:
            said = str(error)
    assert re.fullmatch(".{4,600}", said)
    assert effort.calls < AT_ONCE


@pytest.mark.parametrize(
    "place", ["board", "otherwise", "by", "moves", "bot", EMPTY, "whole", "key", "cells", "beads", "bead"]
)
def test_any_value_in_any_place(tmp_path: Path, place: str) -> None:
    path = tmp_path / "bot.json"
    for value in HOSTILE:
        if place == "whole":
            data = value
        elif place == "key":
            data = {"moves": {str(value): "b2"}}
        elif place == "cells":
            data = {"moves": {EMPTY: [value, "b2"]}}
        elif place == "bead":
            data = {"moves": {EMPTY: {"b2": "1/3", "a1": "2/3"}}, "beads": {EMPTY: {"b2": 1, "a1": value}}}
        else:
            data = {"moves": {EMPTY: "b2"}} | {place: value}
        path.write_text(json.dumps(data))
        _said_soon(str(path))
        if isinstance(data, dict):
            _said_soon(data)


@pytest.mark.parametrize("depth", [20, 100, 400, 900, 5_000, 100_000])
def test_nesting(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "bot.json"
    for opening, inner, closing in (
        ("[", '"b2"', "]"), ('{"a1": ', '"b2"', "}"), ('{"otherwise": ', '"random"', "}"),
        ('{"moves": {}, "otherwise": ', '"random"', "}"), ('{"board": ', '"3x3"', "}"),
    ):  # fmt: skip
        nested = opening * depth + inner + closing * depth
        for text in (nested, f'{{"{EMPTY}": {nested}}}', f'{{"moves": {{}}, "otherwise": {nested}}}'):
            path.write_text(text)
            with pytest.raises(noughts.InputError):
                policy(BOARD, str(path))
            _said_soon(str(path))


def _names(path: Path, other: object, cell: str = "b2") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"board": "3x3", "moves": {EMPTY: cell}, "otherwise": other}))
    return str(path)


OUTSIDE = "which is not in its folder or below: put it there, and name it from there"


@pytest.mark.parametrize("from_within", [False, True])
def test_a_file_names_files_in_its_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_within: bool
) -> None:
    """Wherever the command runs: a name in a file is taken from the folder of that file, and so on below."""
    inside = tmp_path / "inside"
    _names(inside / "o.json", "random")
    _names(inside / "deep" / "o.json", "deeper/o.json")
    _names(inside / "deep" / "deeper" / "o.json", "perfect")
    outside = _names(tmp_path / "outside" / "o.json", "random")
    (inside / "link.json").symlink_to(outside)
    (inside / "linked").symlink_to(tmp_path / "outside")
    (inside / "near.json").symlink_to("deep/o.json")
    monkeypatch.chdir(inside if from_within else tmp_path)
    bot = "bot.json" if from_within else "inside/bot.json"
    for good in ("o.json", "./o.json", "deep/o.json", "near.json", {"moves": {EMPTY: "a1"}, "otherwise": "o.json"}):
        _names(inside / "bot.json", good)
        assert isinstance(policy(BOARD, bot), FilePolicy)
        assert isinstance(policy(BOARD, str(inside / "bot.json")), FilePolicy)
        assert noughts.check(bot).kind == "policy"
        assert not isinstance(noughts.check(bot).error, noughts.InputError)
    for bad in (
        outside, str(inside / "o.json"), "../outside/o.json", "../inside/o.json", "deep/../o.json", "link.json",
        "linked/o.json", {"moves": {EMPTY: "a1"}, "otherwise": "../outside/o.json"},
    ):  # fmt: skip
        _names(inside / "bot.json", bad)
        with pytest.raises(noughts.InputError, match=OUTSIDE):
            policy(BOARD, bot)
        assert OUTSIDE in str(noughts.check(bot).error)
    _names(inside / "bot.json", "deep/o.json")
    _names(inside / "deep" / "o.json", "../o.json")
    with pytest.raises(noughts.InputError, match=r"deep/o\.json' names '\.\./o\.json'"):
        policy(BOARD, bot)


def test_what_is_in_no_file_names_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text has no folder; a dict is as free as whoever writes it in Python."""
    outside = _names(tmp_path / "outside" / "o.json", "random")
    data = {"board": "3x3", "moves": {EMPTY: "b2"}, "otherwise": outside}
    assert policy(BOARD, data).otherwise.name == outside  # type: ignore[attr-defined]
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    assert policy(BOARD, {**data, "otherwise": "../outside/o.json"})
    found = judge_text(json.dumps({**data, "otherwise": "../outside/o.json"}))
    assert "is in no file itself: write there what that file holds" in str(found.error)


def test_files_that_name_each_other(tmp_path: Path) -> None:
    for number in range(20):
        _names(tmp_path / f"{number}.json", f"{(number + 1) % 20}.json")
    with pytest.raises(noughts.InputError, match="one within the other"):
        policy(BOARD, str(tmp_path / "0.json"))
    for itself in ("0.json", "./0.json", "link.json", {"moves": {EMPTY: "a1"}, "otherwise": "0.json"}):
        _names(tmp_path / "0.json", itself)
        if itself == "link.json":
            (tmp_path / "link.json").symlink_to("0.json")
        with pytest.raises(noughts.InputError, match="names itself"):
            policy(BOARD, str(tmp_path / "0.json"))
        assert "names itself" in str(noughts.check(tmp_path / "0.json").error)
    cyclic: dict[str, object] = {"moves": {EMPTY: "b2"}}
    cyclic["otherwise"] = cyclic
    with pytest.raises(noughts.InputError, match="one within the other"):
        policy(BOARD, cyclic)


def test_files_without_end(tmp_path: Path) -> None:
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    with pytest.raises(noughts.InputError, match="has more than 64 MB"):
        policy(BOARD, str(tmp_path / "zero.json"))
    (tmp_path / "number.json").write_text(f'{{"games": {"9" * 3_000_000}}}')
    with pytest.raises(noughts.InputError, match="a number of 3,000,000 digits"):
        read_json(tmp_path / "number.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(noughts.InputError, match="cannot read the policy"):
        policy(BOARD, str(tmp_path / "folder.json"))


def test_pipes(tmp_path: Path) -> None:
    """One that nobody writes to is given up; what somebody writes is read to its end, however slowly."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(noughts.InputError, match="nobody writes to it"):
        read_text(pipe, nobody=0.3)
    script = (
        "import sys, time\n"
        "with open(sys.argv[1], 'w') as file:\n"
        "    file.write('b2 '); file.flush(); time.sleep(0.2); file.write('a1')"
    )
    writer = subprocess.Popen([sys.executable, "-c", script, str(pipe)])
    try:
        assert read_text(pipe, nobody=20) == "b2 a1"
    finally:
        writer.kill()
        writer.wait()


def test_every_reader_of_files_has_bounds(tmp_path: Path) -> None:
    """The files that people name on the command line, each a device without end."""
    for words in (
        ["versus", "3x3", "zero.json", "random"],
        ["blindfold", "check", "zero.json"],
        ["menace", "3x3", "--load", "zero.json"],
        ["solve", "zero.lines"],
    ):
        for ending in (".json", ".lines"):
            link = tmp_path / f"zero{ending}"
            link.unlink(missing_ok=True)
            link.symlink_to("/dev/zero")
        done = subprocess.run(
            [sys.executable, "-m", "noughts", *words], cwd=tmp_path, capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 2, (words, done.stderr)
        assert re.fullmatch(r"noughts: .{,500}\n", done.stderr), done.stderr
