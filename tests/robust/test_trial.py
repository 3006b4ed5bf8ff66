"""Random requests to a server in its own process: no mistake of ours, no word in the log, and memory that stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from noughts.web.kinds import KINDS
from tests.robust.trial import TINY, Trial, request, run

MOST = 250
"""MiB that a server may have with its workers, whatever they do."""


@pytest.mark.parametrize(
    ("count", "trial"),
    [(40, Trial(60.0, TINY)), pytest.param(20_000, Trial(), marks=pytest.mark.slow)],
    ids=["short", "long"],
)
def test_random_requests_find_no_mistake_and_leave_little_memory(tmp_path: Path, count: int, trial: Trial) -> None:
    found = run(trial, range(count), tmp_path / "log")
    assert found.wrong == []
    assert sum(found.statuses.values()) == count
    assert found.statuses[200] > count // 10
    assert found.statuses[0] == 0 or trial.boards is not TINY
    assert 30 < found.idle < MOST
    assert max(found.memory) < MOST


def test_the_requests_reach_every_kind_of_page_and_every_parameter() -> None:
    addresses = [request(seed) for seed in range(6000)]
    assert [request(seed) for seed in range(100)] == addresses[:100]
    named = {name for address in addresses for name in re.findall(r"[?&](\w+)=", address)}
    assert named == {each.name for kind in KINDS.values() for each in kind.parameters}
    paths = [re.escape(kind.path).replace(r"\{board\}", "[^/]+").replace(r"\{what\}", ".+") for kind in KINDS.values()]
    assert all(any(re.match(path + r"($|\.|\?)", address) for address in addresses) for path in paths)
