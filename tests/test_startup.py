"""Small things answer at once: nothing heavy is imported on the way to them."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"numpy", "numba", "llvmlite", "rich", "highspy", "resvg_py", "typst", "pyarrow", "duckdb", "asyncio"}
HEAVY |= {"gymnasium", "pettingzoo", "pyspiel", "open_spiel", "dask", "distributed"}


PYTHON = [
    "noughts.count('3x3', same='choices')",
    "noughts.count('3x3', moves='perfect', end='decided')",
    "noughts.Board.parse('3x3').group('lines').elements",
]
LISTS = [
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
]


def test_nothing_heavy_is_imported() -> None:
    """By one process that does it all: what none of them may import has not been imported after the last."""
    asked = [*PYTHON, *(f"ended({arguments!r})" for arguments in LISTS)]
    code = f"""
import sys, noughts
def ended(arguments):
    from noughts.cli.main import main
    try:
        main(arguments)
    except SystemExit as done:
        assert not done.code, done.code
for asked in {asked!r}:
    eval(asked)
    loaded = {HEAVY!r} & {{name.partition('.')[0] for name in sys.modules}}
    assert not loaded, (asked, loaded)
print("done")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("done\n")


def test_importing_the_package_imports_no_room() -> None:
    code = "import sys, noughts; print([name for name in sys.modules if name.startswith('noughts.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['noughts._names']", "which knows where names are"


def test_help_loads_no_verb_and_a_page_of_a_game_nothing_of_blindfold_play() -> None:
    code = (
        "import sys; from noughts.cli.main import main\ntry: main(['--help'])\nfinally: print({*sys.modules} & UNUSED)"
    )
    page = "import sys; from noughts.web.replies import answer; from noughts.web.addresses import read_address\n"
    page += "print(answer(read_address('/3x3/g/a1-b1', '')).status, {*sys.modules} & UNUSED)"
    unused = {"noughts.verbs.request", "noughts.rules.board", "noughts.present.report"}
    for asked, modules, end in ((code, unused, "set()"), (page, {"noughts.blindfold"}, "200 set()")):
        words = [sys.executable, "-c", asked.replace("UNUSED", repr(modules))]
        assert subprocess.run(words, capture_output=True, text=True, check=False).stdout.splitlines()[-1] == end
