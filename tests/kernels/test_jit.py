from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noughts.kernels import jit
from noughts.kernels.bits import completing_cells, has_line
from noughts.kernels.layers.advance import count_digits
from noughts.kernels.layers.moves import forking_cells
from noughts.rules.board import Board
from noughts.rules.game import forking_cells as forking_cells_in_python
from noughts.rules.position import completing_cells as completing_cells_in_python
from tests.kernels.conftest import UNCOMPILED

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

UNHURRIED = (
    "not (oracle or workers_make or fewest_places or on_a_grid or 2x2x3 or survey or 2x4:3 or definition and not torus)"
)
"""Without what takes a second in plain Python; that every kernel is still reached is looked at in conftest.py."""
compiled_only = pytest.mark.skipif(UNCOMPILED, reason="this is about compiled kernels")


def run_tests(kernels: str, *chosen: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(HERE), *chosen]
    environment = {**os.environ, "NOUGHTS_KERNELS": kernels}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@compiled_only
@pytest.mark.skipif("NOUGHTS_KERNELS" in os.environ, reason="this is that run")
def test_kernels_pass_uncompiled_which_notices_indices_out_of_range() -> None:
    run_tests("plain", "-k", UNHURRIED)


@pytest.mark.slow
def test_all_tests_of_kernels_pass_uncompiled() -> None:
    run_tests("plain")


@pytest.mark.slow
def test_kernels_pass_with_checked_bounds_and_for_older_processors() -> None:
    command = [sys.executable, "-m", "build_kernels", "--bounds"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    run_tests(built.stdout.strip())
    run_tests("v2")


COUNT: Any = count_digits


def tally(keys: Any, shift: Any = 0, digit: Any = 15) -> list[int]:
    counts = np.zeros(16, np.int64)
    count_digits(keys, shift, digit, counts)
    return [int(count) for count in counts]


KEYS = np.arange(12, dtype=np.uint64)


def test_numbers_may_be_of_python_or_of_numpy() -> None:
    assert tally(KEYS, np.uint64(0), np.uint64(15)) == [1] * 12 + [0] * 4
    if not UNCOMPILED:
        assert tally(KEYS, 0, np.int64(15)) == [1] * 12 + [0] * 4


@compiled_only
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tally(KEYS.astype(np.int64)), r"argument 1 \(keys\) has to be a C-ordered, writable array of uint64 "
         "with 1 axis, not one of int64 with 1"),
        (lambda: tally(KEYS.reshape(3, 4)), "not one of uint64 with 2"),
        (lambda: tally(KEYS[::2]), "not one of uint64 with 1, in another order"),
        (lambda: tally(KEYS.astype(">u8")), "not one of another type with 1"),
        (lambda: tally(np.frombuffer(bytes(16), np.uint64)), "not one of uint64 with 1, read-only"),
        (lambda: tally([1, 2]), "writable array of uint64 with 1 axis, not list"),
        (lambda: tally(KEYS, "1"), r"argument 2 \(shift\) has to be a whole number from 0 to below 2\^64, not str"),
        (lambda: tally(KEYS, 0.0), "not float"),
        (lambda: COUNT(KEYS), "count_digits takes more than 1 arguments"),
        (lambda: COUNT(KEYS, 0, 1, np.zeros(2, np.int64), 1), "count_digits takes 4 arguments, not 5"),
    ],
)  # fmt: skip
def test_what_a_kernel_does_not_take_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_numbers_at_odd_places_are_taken() -> None:
    """As Dask gives what came to it in one piece."""
    odd = np.frombuffer(bytearray(8 * KEYS.size + 1), np.uint64, offset=1)
    odd[:] = KEYS
    assert not odd.flags.aligned
    assert tally(odd) == tally(KEYS)


@compiled_only
@pytest.mark.parametrize("number", [-1, 1 << 64])
def test_a_number_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(OverflowError, match=r"argument 2 \(shift\) has to be a whole number from 0 to below 2\^64"):
        tally(KEYS, number)


@compiled_only
def test_every_kernel_is_compiled_and_keeps_its_python_function() -> None:
    written = {f"{each.__module__}.{each.__name__}" for each in jit._written.values()}
    assert written <= {f"noughts.kernels.{name}" for name in jit._compiled()}
    assert jit.plain(count_digits) is not count_digits
    counts = np.zeros(16, np.int64)
    jit.plain(count_digits)(KEYS, np.uint64(0), np.uint64(15), counts)
    assert list(counts) == tally(KEYS)


@compiled_only
@pytest.mark.slow
def test_a_checkout_without_compiled_kernels_gives_the_same_numbers_and_says_so(tmp_path: Path) -> None:
    said = [
        subprocess.run(
            [sys.executable, "-m", "noughts", "count", "3x4:3", "--same", "choices"],
            env={**os.environ, "NOUGHTS_KERNELS": kernels, "NOUGHTS_KERNEL_CACHE": cache},
            capture_output=True,
            text=True,
            check=True,
        )
        for kernels, cache in ((os.environ.get("NOUGHTS_KERNELS", ""), ""), ("plain", ""), ("", str(tmp_path)))
    ]
    assert len({each.stdout for each in said}) == 1
    assert [each.stderr for each in said] == ["", "", f"noughts: {jit.UNCOMPILED}\n"]


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
        assert int(forks) == forking_cells_in_python(board, own, board.full & ~(own | blank), blank)


def test_masks_stay_unsigned() -> None:
    """The last of 64 cells is the top bit: an int64 on the way would make the mask negative."""
    board = Board.parse("8x8:8")
    lines = np.array(board.line_masks, np.uint64)
    diagonal = sum(1 << 9 * i for i in range(8))
    found = completing_cells(np.uint64(diagonal ^ 1 << 63), np.uint64(1 << 63), lines)
    assert type(found) in (np.uint64, int)
    assert int(found) == 1 << 63
    assert has_line(np.uint64(diagonal), lines)
