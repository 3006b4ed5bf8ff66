"""scripts/python: which Python is used to make .venv, and the one sentence where none will do."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

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
