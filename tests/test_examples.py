"""The scripts of `examples/` run as they stand, and what they print agrees with brute force."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from noughts.rules.position import Position, parse_position
from tests import naive

EXAMPLES = Path(__file__).parent.parent / "examples"
GAME = naive.grid(3, 3, 3)
Answer = Callable[[str], int]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], tuple[dict[str, Any], str]]:
    """Run a script in an empty folder; return its names and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))

    def ran(name: str) -> tuple[dict[str, Any], str]:
        names = runpy.run_path(str(EXAMPLES / f"{name}.py"))
        return names, capsys.readouterr().out

    return ran


def at(text: str) -> Position:
    return parse_position("3x3", "/".join(text[row : row + 3] for row in (0, 3, 6)))


def loses(answer: Answer, role: str, position: str = "." * 9) -> bool:
    """Whether some play against a bot beats it, by every line."""
    outcome = naive.line_outcome(GAME, position)
    if outcome:
        return outcome == naive.other(role)
    cells = [answer(position)] if naive.mover(position) == role else naive.blanks(position)
    return any(loses(answer, role, naive.play(position, cell)) for cell in cells)


@cache
def games(position: str) -> int:
    """The games that go on from a position."""
    after = [naive.play(position, cell) for cell in naive.blanks(position)]
    return 1 if naive.line_outcome(GAME, position) else sum(map(games, after))


def test_there_is_one_for_each_role_and_it_is_short() -> None:
    scripts = sorted(path.name for path in EXAMPLES.glob("*.py"))
    assert scripts == ["bot_author.py", "data_analyst.py", "learning.py", "library.py"]
    for name in scripts:
        lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        assert lines[0] == "# %% [markdown]"
        assert 15 <= sum(bool(line) and line[0] != "#" for line in lines) <= 40, name


def test_a_bot_author(run: Callable[[str], tuple[dict[str, Any], str]]) -> None:
    names, said = run("bot_author")
    assert all(loses(lambda text: int(names["first_try"](at(text))), role) for role in "XO")
    lost = [loses(lambda text: int(names["second_try"](at(text))), role) for role in "XO"]
    assert f"\nnever loses: {not any(lost)}\n" in said
    played = re.search(r"as O in (\S+) it plays (\S+): (\w+) becomes (\w+)", said)
    assert played
    before = played[1].replace("/", "")
    after = naive.play(before, int(at(before).moves()[[str(move) for move in at(before).moves()].index(played[2])]))
    words = {1: "X", 0: "draw", -1: "O"}
    assert (played[3], played[4]) == (words[naive.value(GAME, before)], words[naive.value(GAME, after)])
    assert played[3] != played[4]


@pytest.mark.slow
def test_a_researcher(run: Callable[[str], tuple[dict[str, Any], str]]) -> None:
    pytest.importorskip("gymnasium")
    names, said = run("learning")
    table = names["table"]

    def greedy(text: str) -> int:
        own = naive.mover(text)
        row = table[tuple(0 if mark == "." else 1 if mark == own else -1 for mark in text)]
        return max(naive.blanks(text), key=lambda cell: (row[cell], -cell))

    lost = {role: loses(greedy, role) for role in "XO"}
    assert {role: names["judged"][role].greatest_loss > 0 for role in "XO"} == lost
    assert f"never loses: {not any(lost.values())} " in said
    strong = [float(number) for number in re.findall(r": (\S+) against random", said)]
    assert len(strong) == 2
    assert min(strong) > 0.3


def test_a_data_analyst(run: Callable[[str], tuple[dict[str, Any], str]]) -> None:
    pytest.importorskip("pandas")
    _, said = run("data_analyst")

    @cache
    def x_wins(position: str) -> Fraction:
        outcome = naive.line_outcome(GAME, position)
        if outcome:
            return Fraction(outcome == "X")
        cells = naive.blanks(position)
        return sum((x_wins(naive.play(position, cell)) for cell in cells), Fraction(0)) / len(cells)

    shown = [Fraction(word) for word in re.findall(r"\d+/\d+", said)]
    assert shown == [x_wins("." * cell + "X" + "." * (8 - cell)) for cell in (4, 0, 1)]
    boards = naive.reachable(GAME)
    won = sum(naive.sole_outcome(GAME, text, "any", "any") == "X" for text in boards)
    assert re.search(rf"\nX wins +{won} +{won}\.0 +1\.0\n", said)
    traps = sum(not naive.line_outcome(GAME, text) and _is_trap(text) for text in boards)
    assert said.endswith(f"\n({len(boards)}, {traps})\n")


def _is_trap(text: str) -> bool:
    mine = 1 if naive.mover(text) == "X" else -1
    values = {mine * naive.value(GAME, naive.play(text, cell)) for cell in naive.blanks(text)}
    return -1 in values and values != {-1}


def test_a_user_of_the_library(run: Callable[[str], tuple[dict[str, Any], str]]) -> None:
    names, said = run("library")
    wide = naive.grid(3, 4, 3)
    assert naive.value(wide, "O....XX.....") == 1
    assert f"best play: X in {naive.remoteness(wide, 'O....XX.....')} plies" in said
    assert names["position"].winner == "X"
    assert f"labelled  {games('.' * 9):,}\n" in said
    for sentence in ("Move 2, O on b1, lost it: only b2 would have held the draw.", "3x3:3 has no cell 'd1': "):
        assert sentence in said
