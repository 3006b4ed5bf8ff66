"""docs/reference/numbers.md: every number we claim, with the command that prints it, computed on the spot.

python scripts/number_page.py             print the page
python scripts/number_page.py --write     write it
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.cli.main import main as noughts

PAGE = ROOT / "docs" / "reference" / "numbers.md"

HEAD = """\
# Numbers

Counts with the command that prints each. Its options are the convention, which it prints in words. Without options
every order of moves counts, and play stops at a line. `scripts/number_page.py` makes this page by running the commands.
"""

GAMES = (
    ("Tic-tac-toe", ["count 3x3 --same labelled", "count 3x3 --same symmetry", "count 3x3 --same choices"]),
    (
        "Tic-tac-toe, other rules of moving and ending",
        [
            "count 3x3 --end decided",
            "count 3x3 --same choices --end decided",
            "count 3x3 --end full",
            "count 3x3 --moves win",
            "count 3x3 --same choices --moves win",
            "count 3x3 --moves win --end decided",
            "count 3x3 --same choices --moves win --end decided",
            "count 3x3 --same choices --moves block --end decided",
            "count 3x3 --moves perfect",
            "count 3x3 --moves perfect --end decided",
            "count 3x3 --x-moves perfect --o-moves any",
        ],
    ),
    ("Openings of tic-tac-toe", ["count 3x3 --from a1", "count 3x3 --from b1", "count 3x3 --from b2"]),
    (
        "Relatives",
        [
            "count 3x3+misere --same labelled",
            "count 3x3+torus --same labelled",
            "count 3x3+torus --same symmetry",
            "count 3x3+torus --same symmetry --symmetry lines",
            "count 3x3+torus --moves block",
            "count 2x2x2 --same labelled",
            "count 3x4 --same labelled",
            "count 4x4 --same labelled",
            "count 4x4 --same symmetry",
            "count 4x4 --same choices",
        ],
    ),
)
"""Headings, and under each the questions whose totals are shown."""

LADDERS = ("3x3", "3x3+torus")


def answer(command: str) -> dict[str, object]:
    """Return what a command prints as JSON."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        noughts([*shlex.split(command), "--format", "json"])
    found = json.loads(printed.getvalue())
    assert isinstance(found, dict)
    return found


def grouped(count: object) -> str:
    """Return a decimal string in groups of three digits."""
    return f"{int(str(count)):,}"


def aligned(rows: list[list[str]], numbers: int) -> list[str]:
    """Return rows as a block of text whose first columns, so many, are numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = [
        [
            cell.rjust(width) if at < numbers else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]
    return ["```text", *("  ".join(row).rstrip() for row in cells), "```"]


def game_rows(commands: list[str]) -> list[str]:
    """Return a block with a row for each question."""
    rows = [["games", "X wins", "O wins", "drawn", "positions", "command"]]
    for command in commands:
        record = answer(command)
        totals = record["totals"]
        assert isinstance(totals, dict)
        counts = [grouped(totals[key]) for key in ("finished", "x_wins", "o_wins", "draws", "positions")]
        rows.append([*counts, f"noughts {command}"])
    return aligned(rows, 5)


def ladder_rows(boards: tuple[str, ...]) -> list[str]:
    """Return a block with a row for each rung of the ladder of positions, with a column for each board."""
    ladders = []
    for board in boards:
        rungs = answer(f"count {board}")["positions"]
        assert isinstance(rungs, list)
        ladders.append(rungs)
    rows = [[*boards, "positions", "meaning"]]
    for rungs in zip(*ladders, strict=True):
        (name, meaning), *others = {(rung["name"], rung["meaning"]) for rung in rungs}
        assert not others, "a rung means the same on every board"
        rows.append([*(grouped(rung["count"]) for rung in rungs), name, meaning])
    return aligned(rows, len(boards))


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for heading, commands in GAMES:
        parts.append("\n".join([f"## {heading}", "", *game_rows(commands), ""]))
    both = " and ".join(f"`noughts count {board}`" for board in LADDERS)
    parts.append("\n".join(["## Positions, from naive to exact", "", f"{both}:", "", *ladder_rows(LADDERS), ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
