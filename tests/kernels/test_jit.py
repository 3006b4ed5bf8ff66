from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noughts.kernels import jit
from noughts.kernels.bits import completing_cells, has_line
from noughts.kernels.layers.advance import count_digits
from noughts.rules.board import Board
from tests.kernels.conftest import UNCOMPILED

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

UNHURRIED = (
    "not (oracle or workers_make or fewest_places or on_a_grid or 2x2x3 or survey or 2x4:3 or definition and not torus)"
)
"""Without what takes a second in plain Python; that every kernel is still reached is looked at in conftest.py."""
compiled_only = pytest.mark.skipif(UNCOMPILED, reason="this is about compiled kernels")


def run_tests(kernels: str, *chosen: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--assert", "plain", str(HERE), *chosen]
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


def tally(keys: Any, shift: Any = 0, digit: Any = 15) -> list[int]:
    counts = np.zeros(16, np.int64)
    count_digits(keys, shift, digit, counts)
    return [int(count) for count in counts]


KEYS = np.arange(12, dtype=np.uint64)


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


def test_masks_stay_unsigned() -> None:
    """The last of 64 cells is the top bit: an int64 on the way would make the mask negative."""
    board = Board.parse("8x8:8")
    lines = np.array(board.line_masks, np.uint64)
    diagonal = sum(1 << 9 * i for i in range(8))
    found = completing_cells(np.uint64(diagonal ^ 1 << 63), np.uint64(1 << 63), lines)
    assert type(found) in (np.uint64, int)
    assert int(found) == 1 << 63
    assert has_line(np.uint64(diagonal), lines)
