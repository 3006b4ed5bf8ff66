"""A test that hangs fails by its name, the tests after it are run, and nothing that it started keeps the run alive."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
WAITING = """
import subprocess, threading, time
from concurrent.futures import ThreadPoolExecutor

MARK = {mark!r}

def test_waits_for_a_process_that_waits_for_another():
    with ThreadPoolExecutor(1) as pool:  # waits for its thread, and that for the processes
        pool.submit(subprocess.run, ["sh", "-c", "sleep 300 & sleep 300; : " + MARK], capture_output=True).result()

def test_leaves_a_process():
    subprocess.Popen(["sh", "-c", "sleep 300; : " + MARK], stdout=subprocess.DEVNULL).wait()

def test_after_it():
    pass
"""


def outcome(folder: Path, code: str, *options: str) -> tuple[int, str]:
    """Return the exit code and what was said of a run of these tests, each with 0.3 s to end in."""
    (folder / "test_it.py").write_text(code.format(mark=folder.name))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NOUGHTS_TEST_GRACE": "2"}
    command = [sys.executable, "-m", "pytest", "-v", "-p", "tests.overdue", "-c", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [*command, "--rootdir", str(folder), "--timeout", "0.3", "-p", "no:cacheprovider", *options, "test_it.py"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout


def living(mark: str) -> list[str]:
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in found if mark in line and "sleep" in line]


def test_a_test_that_hangs_fails_by_its_name_and_what_it_started_is_ended(tmp_path: Path) -> None:
    code, said = outcome(tmp_path, WAITING)
    assert code == 1
    assert "2 failed, 1 passed" in said
    names = re.findall(r"FAILED test_it\.py::(\w+) - Failed", said)
    assert names == ["test_waits_for_a_process_that_waits_for_another", "test_leaves_a_process"]
    assert living(tmp_path.name) == []
