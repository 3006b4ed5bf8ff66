"""The bots of ten lines: the page shows the files, and all of them that can be run here get the same report."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import noughts
from tests import naive
from tests.bots.test_referee import lines_of

ROOT = Path(__file__).parent.parent.parent
BOTS = ROOT / "examples" / "bots"
ORDER = [4, 0, 2, 6, 8, 1, 3, 5, 7]
INTERPRETERS = {"py": sys.executable, "sh": shutil.which("sh"), "js": shutil.which("node")}
HERE = sorted(ending for ending, path in INTERPRETERS.items() if path is not None)
"""What can be run here: a machine without node has no test of that bot, rather than one that passes."""


def test_python_and_a_shell_are_here():
    assert {"py", "sh"} <= set(HERE) <= {path.suffix[1:] for path in BOTS.iterdir()}


@pytest.mark.parametrize("ending", HERE)
def test_each_bot_gets_the_report_of_brute_force(ending):
    ends, _, _ = lines_of(naive.grid(3, 3, 3), "X", lambda moves: next(cell for cell in ORDER if cell not in moves))
    command = [str(INTERPRETERS[ending]), str(BOTS / f"centre_first.{ending}")]
    found = noughts.referee("3x3", command, as_="X", move_time=10, start_time=60)
    assert (found.name, found.consistent, found.illegal) == ("centre first", True, 0)
    assert (found.wins, found.losses, found.draws) == (ends["wins"], ends["losses"], ends["draws"])


@pytest.mark.parametrize("ending", ["py", "sh", "js"])
def test_the_page_shows_the_bots_as_they_are(ending):
    text = (BOTS / f"centre_first.{ending}").read_text()
    assert f"\n{text}```\n" in (ROOT / "docs" / "reference" / "protocol.md").read_text()
    assert len(text.splitlines()) <= 16
