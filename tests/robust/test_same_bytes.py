"""The same question gives the same bytes, whatever Python's hashes are seeded with, on any threads, compiled or not.

That other Pythons give them too is held by scripts/installs.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_sink import CALLS, forms
from tests.robust.sameness import ALL, KERNELS, bytes_of

_QUICK = ("count", "explain", "openings", "tree", "payoff", "positions", "match", "check")


def test_quick_verbs_under_two_seeds_on_one_and_two_threads_compiled_and_not(tmp_path: Path) -> None:
    calls = [[*CALLS[verb], "--format", form] for verb in _QUICK for form in ("text", "json") if form in forms(verb)]
    calls += [words.split() for words in KERNELS[:3]]
    *first, shared = bytes_of(tmp_path, calls, 1, threads=2)
    assert int(shared) >= 2, "threads were at work"
    *second, alone = bytes_of(tmp_path, calls, 2, threads=1, compiled=False)
    assert first == second
    assert int(alone) == 0
    assert all(int(row.split()[1]) > 20 for row in first), "each has said something"


@pytest.mark.slow
@pytest.mark.parametrize("what", ALL)
def test_all_forms_and_files_under_twenty_seeds_on_one_and_two_threads_compiled_and_not(
    what: str, tmp_path: Path
) -> None:
    *first, _ = bytes_of(tmp_path, ALL[what], 0)
    assert all(int(row.split()[1]) > 20 for row in first), "each has said or written something"
    for seed in range(1, 20):
        *again, _ = bytes_of(tmp_path, ALL[what], seed, threads=1 + seed % 2, compiled=seed % 4 > 1)
        assert again == first, (seed, 1 + seed % 2, seed % 4 > 1)
