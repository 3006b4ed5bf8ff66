from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from noughts.machine.workers import SERIAL, Threads, Workers, cuts, workers_for
from tests.workers import Pickled

ALL: list[Workers] = [SERIAL, Threads(2), Threads(3), Threads(7), Pickled()]


def slow_square(shared: int, item: int) -> int:
    """The first items take longest, so that on threads the later ones are done before them."""
    time.sleep(0.002 * (item < 3))
    return shared + item * item


def write_squares(shared: int, item: int, part: NDArray[np.int64]) -> int:
    part[:] = shared + item
    return len(part)


@pytest.mark.parametrize("workers", ALL)
def test_results_come_in_the_order_of_the_items(workers: Workers) -> None:
    for count in (0, 1, 2, 3, 50):
        assert list(workers.map(slow_square, 5, range(count))) == [5 + i * i for i in range(count)]
        some = cuts(100, count) if count else []
        target = np.full(100, -1, np.int64)
        assert list(workers.fill(write_squares, 5, range(len(some)), some, target)) == [b - a for a, b in some]
        assert target.tolist() == ([5 + i for i, (a, b) in enumerate(some) for _ in range(a, b)] or [-1] * 100)


def test_threads_begin_at_the_call_and_stop_where_nobody_wants_the_results() -> None:
    begun: list[int] = []

    def work(shared: float, item: int) -> int:
        begun.append(item)
        time.sleep(shared)
        return item

    workers = Threads(2)
    results = workers.map(work, 0.05, range(50))
    deadline = time.monotonic() + 60
    while len(begun) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    later = workers.map(work, 0.0, range(100, 102))
    assert list(results) == [*range(50)]
    assert list(later) == [100, 101]
    assert begun.index(100) < begun.index(49), "what is begun later waits for what was submitted, not for the rest"
    begun.clear()
    del results
    workers.map(work, 0.05, range(50))  # its results are dropped at once
    time.sleep(0.3)
    assert len(begun) <= 4


def test_cuts() -> None:
    for count in range(12):
        for parts in (1, 2, 3, 7, 20):
            found = cuts(count, parts)
            assert [i for a, b in found for i in range(a, b)] == list(range(count))
            assert len(found) == min(parts, count)
            assert not found or max(b - a for a, b in found) - min(b - a for a, b in found) <= 1


class Log:
    """Which items were begun, by any thread."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.lock = threading.Lock()

    def begin(self, item: int) -> None:
        with self.lock:
            self.begun.append(item)


def fail_at_five(log: Log, item: int) -> int:
    log.begin(item)
    if item == 5:
        raise ValueError("five")
    time.sleep(0.001)
    return item


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_first_error_ends_it(count: int) -> None:
    log, workers = Log(), workers_for(count)
    seen: list[int] = []
    results = workers.map(fail_at_five, log, range(1000))
    with pytest.raises(ValueError, match="five"):
        seen.extend(results)
    assert seen == [0, 1, 2, 3, 4]
    time.sleep(0.01)
    assert len(log.begun) <= 6 + 2 * count
    assert list(workers.map(slow_square, 0, range(9))) == [i * i for i in range(9)]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_interrupt_leaves_no_work_behind(count: int) -> None:
    log, workers = Log(), workers_for(count)
    results = workers.map(slow_and_logged, log, range(1000))

    def interrupted() -> None:
        for result in results:
            if result == 3:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    time.sleep(0.05)
    assert len(log.begun) <= 4 + 2 * count


def slow_and_logged(log: Log, item: int) -> int:
    log.begin(item)
    time.sleep(0.001)
    return item


def test_items_do_not_pile_up() -> None:
    drawn = 0

    def items() -> Iterator[int]:
        nonlocal drawn
        for item in range(100):
            drawn += 1
            yield item

    for done, _ in enumerate(Threads(3).map(slow_square, 0, items())):
        assert drawn <= done + 7


def test_threads_end_with_their_workers() -> None:
    before = set(threading.enumerate())
    workers = Threads(3)
    list(workers.map(slow_square, 0, range(9)))
    new = set(threading.enumerate()) - before
    assert 1 <= len(new) <= 3
    assert pickle.loads(pickle.dumps(workers)).count == 3
    del workers
    for thread in new:
        thread.join(10)
        assert not thread.is_alive()
