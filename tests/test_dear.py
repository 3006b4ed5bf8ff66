"""The list of tests of which every run takes some cases names tests that exist."""

from __future__ import annotations

from pathlib import Path

from tests.dear import SAMPLED


def test_each_sampled_test_exists() -> None:
    for name in SAMPLED:
        file, _, function = name.partition("::")
        assert f"def {function}(" in (Path(__file__).parent / file).read_text(), name
