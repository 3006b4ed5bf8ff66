"""Workers, which do the work items of an engine, and the progress that long work reports."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from noughts.machine.budget import format_duration
from noughts.rules.arguments import integer
from noughts.rules.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from numpy.typing import NDArray


Progress = Callable[[int, int, str], None]
"""Called with the work done, the total work, and what is being done."""


def silent(done: int, whole: int, what: str) -> None:
    """Report nothing."""


def in_words(seconds: float) -> str:
    """Return a time in whole seconds, at least one, or in a larger unit: `5 s`, `12 min`."""
    return f"{max(1, round(seconds))} s" if seconds < 120 else format_duration(seconds)


class Pace:
    """How long work may still take, by its pace in the present part: while the total stays and the done grows."""

    _SOONEST = 0.5
    """Seconds of a part before its pace counts."""

    def __init__(self) -> None:
        self._total = self._first = self._last = 0
        self._began = 0.0
        self._end: float | None = None

    def hear(self, done: int, whole: int) -> None:
        """Record the progress; a total of 0 is not known."""
        now = time.monotonic()
        if whole != self._total or done < self._last:
            self._total, self._first, self._began, self._end = whole, done, now, None
        self._last = done
        if whole and done > self._first and now - self._began >= self._SOONEST:
            self._end = now + (now - self._began) * (whole - done) / (done - self._first)

    @property
    def words(self) -> str:
        """The time that is left, as in `about 20 s left`; empty where that is not known."""
        left = 0.0 if self._end is None else self._end - time.monotonic()
        return f"about {in_words(left)} left" if left > 0 else ""


# A work item is a call `work(shared, item)` of a module's function; arguments and result can be pickled. `shared` is
# the same for all items and is sent once. Results merge in the order of the items, by addition or into a slice of an
# array, so that any number of workers gives the same bytes.

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class Workers:
    """Workers do the work items of an engine: this class one after the other, in this thread."""

    count = 1
    """How many items are done at a time."""

    @property
    def here(self) -> Workers:
        """The workers of this process: these, or threads where sending the data would cost too much."""
        return self

    def together(self, here: int, shared: int, item: int) -> int:
        """Return how many items may be under way at a time: `here` where they share the memory of this process.

        `shared` is the bytes that all items share, `item` the bytes of each item. Raises BudgetError where this exceeds
        the memory limit of another process.
        """
        return here

    def map(self, work: Callable[[S, T], R], shared: S, items: Iterable[T]) -> Iterator[R]:
        """Yield `work(shared, item)` for each item, in order; stop at the first error.

        Other threads and processes begin at the call, not where the first result is wanted.
        """
        return self._in_order(partial(work, shared, item) for item in items)

    def fill(
        self,
        work: Callable[[S, T, NDArray[Any]], R],
        shared: S,
        items: Iterable[T],
        cuts: Iterable[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[R]:
        """Let `work(shared, item, part)` write `part`, the rows from `cut[0]` to `cut[1]` of `target`, for each item.

        Yields the results of `work` in the order of the items, each after its part is written. Cuts must not overlap,
        and `work` must fill its part.
        """
        pairs = zip(items, cuts, strict=True)
        return self._in_order(partial(work, shared, item, target[slice(*cut)]) for item, cut in pairs)

    def _in_order(self, jobs: Iterator[Callable[[], R]]) -> Iterator[R]:
        return (job() for job in jobs)


SERIAL = Workers()

BEGUN: Any = None
"""The first value of a generator that has submitted its first jobs."""


def begun(results: Iterator[R]) -> Iterator[R]:
    """Let a generator submit its first jobs; return it with its results to come."""
    next(results)
    return results


class Threads(Workers):
    """Workers on several threads of this process; kernels release the interpreter's lock, so all cores work.

    The first use creates the pool. At most two items per thread are under way at a time, which bounds the memory for
    items and results. The calling thread does a single item itself. Copies and pickles create their own pools.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None

    def __reduce__(self) -> tuple[type[Threads], tuple[int]]:
        return Threads, (self.count,)

    def _in_order(self, jobs: Iterator[Callable[[], R]]) -> Iterator[R]:
        return begun(self._submitted(jobs))

    def _submitted(self, jobs: Iterator[Callable[[], R]]) -> Iterator[R]:
        head = list(islice(jobs, 2))
        if len(head) == 1:
            yield BEGUN
            yield head.pop()()
            return
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self.count)
        under_way: deque[Future[R]] = deque()
        try:
            under_way.extend(self._pool.submit(job) for job in chain(head, islice(jobs, 2 * self.count - 2)))
            head.clear()
            yield BEGUN
            while under_way:
                result = under_way.popleft().result()
                under_way.extend(self._pool.submit(job) for job in islice(jobs, 1))
                yield result
        finally:
            for future in under_way:
                future.cancel()


def cuts(count: int, parts: int) -> list[tuple[int, int]]:
    """Return `range(count)` cut into `parts` parts of nearly equal length; empty parts are omitted."""
    ends = [count * i // parts for i in range(parts + 1)]
    return [cut for cut in pairwise(ends) if cut[0] < cut[1]]


def workers_for(threads: int | None = None) -> Workers:
    """Return workers on `threads` threads, by default one per core of this process. Raises InputError."""
    if threads is None:
        threads = _cores()
    if integer("the number of threads", threads) < 1:
        raise InputError(f"the number of threads cannot be {threads}: give 1 or more")
    return SERIAL if threads == 1 else Threads(threads)


def own_thread(name: str) -> ThreadPoolExecutor:
    """Return an executor with one thread, for tasks in sequence. The caller shuts it down."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, name)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
