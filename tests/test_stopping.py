"""An exception of the function that receives progress ends the work, whichever verb and engine does it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.analysis import force, secure
from noughts.training import learn

FIRST = Path(__file__).parent.parent / "examples" / "bots" / "centre_first.py"


class Stopped(Exception):
    pass


def stop(done: int, whole: int, what: str) -> None:
    assert 0 <= done <= whole
    assert what
    raise Stopped


def count(board: str, engine: str | None = None, **more: Any) -> Callable[[Path], object]:
    return lambda _: noughts.count(board, engine=engine, progress=stop, **more)


WORK: dict[str, Callable[[Path], object]] = {
    "count plain": count("3x4:3", "plain"),
    "count plain, symmetry": count("3x4:3", "plain", same="symmetry"),
    "count played": count("3x3", "played", x_moves={".../.../...": "b2", "otherwise": "block"}),
    "count layered": count("4x4", "layered", same="choices"),
    "count streamed": count("4x4", "streamed", same="choices"),
    "count frontier": count("4x4", "frontier"),
    "count subset": count("4x4", "subset"),
    "count transfer": count("4x4", "transfer"),
    "count inclusion": count("5x5", "inclusion"),
    "count stacked": count("4x4:3+gravity", "stacked"),
    "crib": lambda _: noughts.crib("3x4:4", progress=stop),
    "export": lambda folder: noughts.export("3x3", folder / "all.csv", progress=stop),
    "force": lambda _: force("3x4", progress=stop),
    "learn": lambda _: learn("3x3", games=2000, progress=stop),
    "match": lambda _: noughts.match("3x4:4", ["random", "block", "perfect"], progress=stop),
    "menace": lambda _: noughts.menace("3x3", games=20_000, progress=stop),
    "patterns": lambda _: noughts.patterns("3x4:4", progress=stop),
    "payoff": lambda _: noughts.payoff("3x4:4", progress=stop),
    "puzzles": lambda _: noughts.puzzles("4x4:3", 2, progress=stop),
    "query": lambda _: noughts.query("1x4:2", "select count(*) from classes", progress=stop),
    "referee": lambda _: noughts.referee("3x3", [sys.executable, str(FIRST)], start_time=60, progress=stop),
    "secure": lambda _: secure("3x4", progress=stop),
    "site": lambda folder: noughts.site("2x2", folder / "site", progress=stop),
    "solve": lambda _: noughts.solve("4x4", progress=stop),
    "verify": lambda _: noughts.verify(progress=stop),
    "whatis": lambda _: noughts.whatis(1234567, progress=stop),
}


@pytest.mark.parametrize("work", WORK)
def test_it_stops(work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("noughts.solving.classgraph._cache", {})  # a graph that is there takes no time to report
    with pytest.raises(Stopped):
        WORK[work](tmp_path)
    assert not (tmp_path / "all.csv").exists()
