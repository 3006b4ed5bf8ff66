"""Workers: who does the work items of an engine, one after the other, on threads, or elsewhere.

A work item is a call `work(shared, item)` of a function at the top of a module with values that can be pickled, and
what it gives back can be pickled too. `shared` is the same for all items of a call and is sent once. Results merge in
the order of the items, by addition or into a slice of an array, so that any number of workers gives the same bytes.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice, pairwise
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from noughts.domain.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SERIAL", "Serial", "Threads", "Workers", "cuts", "workers_for"]

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class Workers(Protocol):
    """Those who do work items."""

    @property
    def count(self) -> int:
        """How many items are done at a time."""

    def map(self, work: Callable[[S, T], R], shared: S, items: Sequence[T]) -> Iterator[R]:
        """Yield `work(shared, item)` for each item, in their order. The first error ends it."""

    def fill(
        self,
        work: Callable[[S, tuple[int, int], NDArray[Any]], None],
        shared: S,
        cuts: Sequence[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[tuple[int, int]]:
        """Let `work(shared, cut, part)` write `part`, the rows from `cut[0]` to `cut[1]` of `target`, for each cut.

        Yields the cuts as they are done, in their order. No two cuts may overlap.
        """


class Serial:
    """One item after the other, in this thread."""

    count = 1

    def map(self, work: Callable[[S, T], R], shared: S, items: Sequence[T]) -> Iterator[R]:
        """Yield the results."""
        for item in items:
            yield work(shared, item)

    def fill(
        self,
        work: Callable[[S, tuple[int, int], NDArray[Any]], None],
        shared: S,
        cuts: Sequence[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[tuple[int, int]]:
        """Fill the parts of an array."""
        for cut in cuts:
            work(shared, cut, target[slice(*cut)])
            yield cut


SERIAL = Serial()


class Threads:
    """Items on several threads of this process; kernels let go of the interpreter's lock, so all cores work.

    The pool is made with the first item and kept; leaving a `with` block ends it. No more items are under way at a time
    than twice the number of threads, so that results do not pile up.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def map(self, work: Callable[[S, T], R], shared: S, items: Sequence[T]) -> Iterator[R]:
        """Yield the results."""
        return self._ordered([partial(work, shared, item) for item in items])

    def fill(
        self,
        work: Callable[[S, tuple[int, int], NDArray[Any]], None],
        shared: S,
        cuts: Sequence[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[tuple[int, int]]:
        """Fill the parts of an array, which the threads share."""

        def filled(cut: tuple[int, int]) -> tuple[int, int]:
            work(shared, cut, target[slice(*cut)])
            return cut

        return self._ordered([partial(filled, cut) for cut in cuts])

    def _ordered(self, jobs: Sequence[Callable[[], R]]) -> Iterator[R]:
        if len(jobs) == 1:
            yield jobs[0]()
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count)
        waiting = iter(jobs)
        under_way: deque[Future[R]] = deque(self._pool.submit(job) for job in islice(waiting, 2 * self.count))
        try:
            while under_way:
                result = under_way.popleft().result()
                under_way.extend(self._pool.submit(job) for job in islice(waiting, 1))
                yield result
        finally:
            for future in under_way:
                future.cancel()


def cuts(count: int, parts: int) -> list[tuple[int, int]]:
    """Return `range(count)` cut into so many parts of nearly equal length, or fewer where there are not so many."""
    ends = [count * i // parts for i in range(parts + 1)]
    return [cut for cut in pairwise(ends) if cut[0] < cut[1]]


def workers_for(threads: int | None = None) -> Workers:
    """Return workers on so many threads; on as many as this process has cores unless given. Raises InputError."""
    if threads is None:
        threads = _cores()
    if threads < 1:
        raise InputError(f"{threads} threads cannot work: take 1 or more")
    return SERIAL if threads == 1 else Threads(threads)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
