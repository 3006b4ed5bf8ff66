from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from noughts.kernels import jit
from noughts.kernels.bits import completing_cells, has_line
from noughts.kernels.headroom import _left, require_headroom
from noughts.kernels.keeping import KernelFiles
from noughts.kernels.layers.moves import forking_cells
from noughts.rules.board import Board
from noughts.rules.game import forking_cells as forking_cells_in_python
from noughts.rules.position import completing_cells as completing_cells_in_python
from tests.kernels.conftest import UNCOMPILED

HERE = Path(__file__).parent
SCRIPT = "import numpy; from noughts.kernels.layers.tables import next_set; print(next_set(numpy.uint64(3)))"


@pytest.mark.skipif(UNCOMPILED, reason="this is that run")
@pytest.mark.parametrize(
    ("variable", "files"),
    [
        ("NUMBA_DISABLE_JIT", ["."]),
        ("NUMBA_BOUNDSCHECK", ["test_bounds.py"]),
        pytest.param("NUMBA_BOUNDSCHECK", ["."], marks=pytest.mark.slow),
    ],
)
def test_kernels_pass_uncompiled_which_notices_indices_out_of_range_and_with_checked_bounds(
    variable: str, files: list[str]
) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(str(HERE / file) for file in files)]
    environment = {**os.environ, variable: "1", "PYTEST_ADDOPTS": "-k 'not checked_bounds'"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_what_an_earlier_version_compiled_is_not_looked_into(tmp_path: Path) -> None:
    """It may name records that are no more; it is compiled again, and kept instead."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
        )
        assert (run.stdout, run.stderr) == ("5\n", "")
        (index,) = tmp_path.rglob("*.nbi")
        with index.open("rb") as file:
            assert pickle.load(file)[0] == numba.__version__
        index.write_bytes(pickle.dumps(numba.__version__) + b"cnoughts.kernels.layers.records\nNoSuchRecord\n.")


def test_every_change_to_what_is_kept_is_seen(tmp_path: Path) -> None:
    files = KernelFiles(str(tmp_path), "kernel-1.py311", "stamp")
    files.save("integers", b"machine code " * 5)
    files.save("floats", b"more of it")
    assert files.load("integers") == b"machine code " * 5
    dice = random.Random(1)
    for path in tmp_path.iterdir():
        whole = path.read_bytes()
        flips = [bytearray(whole) for _ in range(150)]
        for bad in flips:
            bad[dice.randrange(len(bad))] ^= 1 << dice.randrange(8)
        others = [other.read_bytes() for other in tmp_path.iterdir() if other != path]
        for content in (b"", whole[:-1], whole + b"\0", *others, *map(bytes, flips)):
            path.write_bytes(content)
            assert None in (files.load("integers"), files.load("floats"))
        path.unlink()
        assert None in (files.load("integers"), files.load("floats"))
        path.write_bytes(whole)
    assert files.load("floats") == b"more of it"
    assert KernelFiles(str(tmp_path), "kernel-1.py311", "another stamp").load("floats") is None


def test_two_kinds_of_arguments_under_one_name_are_told_apart(tmp_path: Path) -> None:
    """As when two processes save at once: the index of the last, and of each file the last that was written."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, key in ((one, "integers"), (other, "floats")):
        folder.mkdir()
        KernelFiles(str(folder), "kernel", "stamp").save(key, key)
    (data,) = other.glob("*.nbc")
    (one / data.name).write_bytes(data.read_bytes())
    assert KernelFiles(str(one), "kernel", "stamp").load("integers") is None


def test_a_damaged_kernel_is_compiled_again(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        assert (run.stdout, run.stderr) == ("5\n", "")
        (data,) = tmp_path.rglob("*.nbc")
        whole = bytearray(data.read_bytes())
        assert whole[:1] == b"\x80"
        whole[len(whole) // 2 : len(whole) // 2 + 200] = bytes(200)
        data.write_bytes(bytes(whole))


def test_what_cannot_be_kept_is_compiled_each_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiled = jit._njit

    def no_place(**options: bool) -> object:
        if options["cache"]:
            raise RuntimeError("cannot cache function 'twice': no locator available for file 'nowhere.py'")
        return compiled(**options)

    monkeypatch.setattr(jit, "_njit", no_place)
    assert jit.kernel(lambda number: 2 * number)(21) == 42
    files = KernelFiles(str(tmp_path / "nowhere"), "kernel", "stamp")
    files.save("integers", b"code")
    assert files.load("integers") is None


def test_without_room_for_the_compiler_it_is_not_loaded() -> None:
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (4 * 10**8,) * 2)\n"
        "try:\n    import noughts.kernels.jit\n"
        "except MemoryError as error:\n    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.stdout.startswith("the compiler takes some 550 MB of address space, and the limit of this process")
    assert run.stderr == ""


def test_where_nothing_limits_the_process_nobody_asks() -> None:
    left = _left()
    assert left is None or left > 0
    require_headroom()


BOARDS = ["3x4:3", "4x3:3", "8x8:8", "4x4x4", "1x3:1", "3x3+torus", "2x2:3"]


def marks(board: Board, rng: random.Random, chance: float) -> tuple[int, int]:
    own = sum(1 << cell for cell in range(board.cells) if rng.random() < chance)
    other = sum(1 << cell for cell in range(board.cells) if rng.random() < 0.3) & ~own
    return own, board.full & ~own & ~other


@pytest.mark.parametrize("spec", BOARDS)
def test_lines_and_threats_are_those_of_the_domain(spec: str) -> None:
    board = Board.parse(spec)
    lines = np.array(board.line_masks, np.uint64)
    rng = random.Random(1)
    for chance in (0.2, 0.5, 0.8, 0.8, 0.95, 1.0):
        own, blank = marks(board, rng, chance)
        found = completing_cells(np.uint64(own), np.uint64(blank), lines)
        assert int(found) == completing_cells_in_python(board, own, blank)
        assert bool(has_line(np.uint64(own), lines)) == board.has_line(own)
        forks = forking_cells(np.uint64(own), np.uint64(blank), lines)
        assert int(forks) == forking_cells_in_python(board, own, blank)


def test_masks_stay_unsigned() -> None:
    """The last of 64 cells is the top bit: an int64 on the way would make the mask negative."""
    board = Board.parse("8x8:8")
    lines = np.array(board.line_masks, np.uint64)
    diagonal = sum(1 << 9 * i for i in range(8))
    found = completing_cells(np.uint64(diagonal ^ 1 << 63), np.uint64(1 << 63), lines)
    assert type(found) in (np.uint64, int)
    assert int(found) == 1 << 63
    assert has_line(np.uint64(diagonal), lines)
