"""scripts/python: which Python is used to make .venv, and the one sentence where none will do."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.test_sessions import script

SCRIPT = Path(__file__).parent.parent / "scripts" / "python"


def _stub(folder: Path, name: str, body: str) -> None:
    stub = folder / name
    stub.write_text(f"#!/bin/sh\n{body}\n")
    stub.chmod(0o755)


def _run(path: Path | str, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{path}", **extra}
    return subprocess.run(["/bin/sh", SCRIPT], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo old 3.9.2", ["python3 is Python 3.9.2", "needs Python 3.11 to 3.15", "make PYTHON="]),
        ("echo new 3.16.0", ["python3 is Python 3.16.0", "needs Python 3.11 to 3.15", "make PYTHON="]),
        ("echo bare 3.11.2", ["lacks ensurepip", "apt install python3-venv", "make PYTHON="]),
        ("exit 127", ["python3 is no Python that runs", "make PYTHON="]),
    ],
)
def test_one_sentence_says_what_is_wrong_and_what_would_work(tmp_path: Path, body: str, words: list[str]) -> None:
    _stub(tmp_path, "python3", body)
    done = _run(tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("noughts: ")
    assert all(word in done.stderr for word in words)


def test_the_pages_are_not_called_tested_where_there_is_no_browser(tmp_path: Path) -> None:
    (tmp_path / "dirname").symlink_to(shutil.which("dirname") or "/usr/bin/dirname")
    _stub(tmp_path, "id", "echo 1000")
    _stub(tmp_path, "python", "echo the tests would run")
    for named in ({}, {"NOUGHTS_BROWSER": "/nowhere/chromium"}):
        command, paths = ["/bin/sh", f"{SCRIPT.parent}/test-browser"], {"PATH": f"{tmp_path}", **named}
        done = subprocess.run(command, env=paths, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stdout == ""
        assert "apt install chromium" in done.stderr


def test_continuous_integration_calls_targets_that_there_are() -> None:
    root = SCRIPT.parent.parent
    called = re.findall(r"make ([\w-]+)", (root / ".ci" / "run").read_text())
    assert called == ["test", "test-browser"]
    for target in called:
        done = subprocess.run(["make", "-n", target], cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert f"scripts/{target}" in done.stdout


# The changes that scripts/mutants.py makes: each one is small, in the place that is named, and a test notices it.

mutating = script("mutating")
mutants = script("mutants")
SAMPLE = '''"""A text."""
from __future__ import annotations

LEAST: int | None = 3
__all__ = ["LEAST", "least"]


@kernel(cache=True)
def least(cells: list[int], more: bool = False) -> int:
    """Another text: 1 < 2."""
    found = 0
    for cell, _ in zip(cells, cells, strict=True):
        if cell < LEAST and not more:
            continue
        found += min(cell, 7)
    if found:
        raise ValueError(f"{found + 1} of " + "them")
    return found
'''


def told() -> set[tuple[int, str]]:
    return {(change.line, mutating.changed(SAMPLE, change)[2]) for change in mutating.changes(SAMPLE)}


def test_what_is_changed_and_what_is_not() -> None:
    assert told() == {
        (4, "LEAST: int | None = 4"),
        (9, "def least(cells: list[int], more: bool=True) -> int:"),
        (11, "found = 1"),
        (13, "if cell < LEAST or not more:"),
        (13, "if cell <= LEAST and (not more):"),
        (13, "if cell >= LEAST and (not more):"),
        (13, "if cell < LEAST and more:"),
        (14, "break"),
        (15, "pass"),
        (15, "found -= min(cell, 7)"),
        (15, "found += max(cell, 7)"),
        (15, "found += min(cell, 8)"),
        (16, "if not found:"),
        (17, "pass"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("place", ["in a function", "outside functions"])
@pytest.mark.parametrize("fate", ["lives", "noticed", "endless"])
def test_a_change_is_judged_in_a_copy(tmp_path: Path, place: str, fate: str) -> None:
    (tmp_path / "src").mkdir()
    module = tmp_path / "src" / "sums.py"
    source = {
        "in a function": "def least(a: int) -> int:\n    return max(a, 3)\n",
        "outside functions": "MOST = max(2, 3)\ndef least(a: int) -> int:\n    return MOST\n",
    }[place]
    module.write_text(source)
    asked = {"lives": "least(3) >= 2", "noticed": "least(2) == 3", "endless": "least(2) == 3 or forever()"}[fate]
    forever = "def forever():\n    while True:\n        pass\n"
    (tmp_path / "test_sums.py").write_text(
        f"from sums import least\n\n{forever}\ndef test_least():\n    assert {asked}\n"
    )
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    group = mutants.Group("sums", ("src/*.py",), ("test_sums.py",), 1, ())
    number = next(n for n, change in enumerate(mutating.changes(source)) if isinstance(change.new, ast.Name))
    (found,) = mutants.judged(tmp_path, [(group, module, number)])
    assert (found.fate, found.by) == (fate, "test_sums.py::test_least" if fate == "noticed" else "")
    assert ("max" in found.before, "min" in found.after) == (True, True)
    assert module.read_text() == source
