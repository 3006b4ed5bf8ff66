"""How long work says how far it has come."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from noughts.rules.arguments import integer
from noughts.rules.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from numpy.typing import NDArray


Progress = Callable[[int, int, str], None]
"""Called with the work done, the work in all, and what is being done."""


def silent(done: int, whole: int, what: str) -> None:
    """Say nothing."""


# Workers: who does the work items of an engine, one after the other, on threads, or elsewhere.
#
# A work item is a call `work(shared, item)` of a function at the top of a module with values that can be pickled, and
# what it gives back can be pickled too. `shared` is the same for all items of a call and is sent once. Results merge in
# the order of the items, by addition or into a slice of an array, so that any number of workers gives the same bytes.

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class Workers:
    """Those who do work items: here one after the other, in this thread."""

    count = 1
    """How many items are done at a time."""

    @property
    def here(self) -> Workers:
        """Those of this process: themselves, or threads where the others would have to be sent too much."""
        return self

    def together(self, here: int, shared: int, item: int) -> int:
        """Return how many items may be under way at a time: `here` where they share the memory of this process.

        `shared` are the bytes that they share, `item` those that each takes. Raises BudgetError where other processes
        may not take so much.
        """
        return here

    def map(self, work: Callable[[S, T], R], shared: S, items: Iterable[T]) -> Iterator[R]:
        """Yield `work(shared, item)` for each item, in their order. The first error ends it."""
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

        Yields what `work` returns, in the order of the items, each when its part is written. No two cuts may overlap,
        and `work` must write all of its part.
        """
        pairs = zip(items, cuts, strict=True)
        return self._in_order(partial(work, shared, item, target[slice(*cut)]) for item, cut in pairs)

    def _in_order(self, jobs: Iterator[Callable[[], R]]) -> Iterator[R]:
        return (job() for job in jobs)


SERIAL = Workers()


class Threads(Workers):
    """Items on several threads of this process; kernels let go of the interpreter's lock, so all cores work.

    The pool is made when it is first needed and kept. No more items are under way at a time than twice the number of
    threads, so that neither items nor results pile up. Where there is but one item, this thread does it. Copies and
    pickles have pools of their own.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None

    def __reduce__(self) -> tuple[type[Threads], tuple[int]]:
        return Threads, (self.count,)

    def _in_order(self, jobs: Iterator[Callable[[], R]]) -> Iterator[R]:
        head = list(islice(jobs, 2))
        if len(head) == 1:
            yield head.pop()()
            return
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self.count)
        under_way: deque[Future[R]] = deque()
        try:
            under_way.extend(self._pool.submit(job) for job in chain(head, islice(jobs, 2 * self.count - 2)))
            head.clear()
            while under_way:
                result = under_way.popleft().result()
                under_way.extend(self._pool.submit(job) for job in islice(jobs, 1))
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
    if integer("the number of threads", threads) < 1:
        raise InputError(f"{threads} threads cannot work: take 1 or more")
    return SERIAL if threads == 1 else Threads(threads)


def own_thread(name: str) -> ThreadPoolExecutor:
    """Return a thread of one's own that does what it is handed, one thing after the other. Shut it down in the end."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, name)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
