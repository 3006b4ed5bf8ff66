"""Small things answer at once: nothing heavy is imported on the way to them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "numba", "llvmlite", "rich", "highspy", "resvg_py", "typst", "pyarrow", "duckdb", "asyncio"}
HEAVY |= {"gymnasium", "pettingzoo", "pyspiel", "open_spiel", "dask", "distributed"}


def imported_by(statement: str) -> set[str]:
    """Return the top-level modules that are loaded after a statement has run in a fresh interpreter."""
    code = f"import sys\ntry:\n    {statement}\nexcept SystemExit as done:\n    assert not done.code, done.code\n"
    code += "print('|' + ' '.join({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("|")[2].split())


@pytest.mark.parametrize(
    "statement",
    [
        "import noughts",
        "import noughts; noughts.count('3x3', same='choices')",
        "import noughts; noughts.count('3x3', moves='perfect', end='decided')",
        "import noughts; noughts.Board.parse('3x3').group('lines').elements",
    ]
    + [
        f"from noughts.cli.main import main; main({arguments!r})"
        for arguments in (
            ["--help"],
            ["--version"],
            ["count", "--help"],
            ["count", "3x3"],
            ["count", "3x3", "--same", "choices", "--format", "json"],
            ["whatis", "26830"],
            ["positions", "3x3"],
            ["positions", "3x3", "--terminal", "--format", "json"],
            ["same", "3x3", "a1", "c3"],
            ["explain", "3x3", "a1 b1"],
            ["tree", "3x3", "--format", "svg"],
            ["match", "3x3", "--x", "random"],
        )
    ],
)
def test_nothing_heavy_is_imported(statement: str) -> None:
    assert imported_by(statement) & HEAVY == set()


def test_importing_the_package_imports_no_room() -> None:
    code = "import sys, noughts; print([name for name in sys.modules if name.startswith('noughts.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['noughts._names']", "which knows where names are"
