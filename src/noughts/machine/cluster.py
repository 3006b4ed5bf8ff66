"""A cluster: work items done by the workers of Dask distributed, in other processes, on this machine or on many.

Nothing here says what is computed: an item is what it is for threads (see `workers`). What all items share travels to
one worker, and from there to the others as they need it. Workers may die, hang and join at any moment: an item has no
side effect, so that it is done again elsewhere, and results come in the order of the items. The scheduler needs
neither noughts nor NumPy: whatever passes it is bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cached_property
from itertools import chain, islice
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from noughts.domain.errors import BudgetError, ClusterError
from noughts.machine.budget import format_size
from noughts.machine.errands import Errand, makings
from noughts.machine.lots import Job, Lot
from noughts.machine.workers import Workers, workers_for

if TYPE_CHECKING:
    from distributed import Client
    from numpy.typing import NDArray

__all__ = ["Cluster"]

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

_COUNTED = 2.0
"""Seconds for which the number of workers is taken to be what it was."""
_BETWEEN = 0.1
"""Seconds between two looks at a connection that is being made again."""


class Cluster:
    """Workers of Dask distributed; to be closed in the end, or used in a `with` statement.

    No more items are under way at a time than twice the threads of all workers. Where there is but one item, this
    process does it.
    """

    def __init__(
        self, client: Client, held: ExitStack, address: str, page: str, heal: Callable[[], object] | None = None
    ) -> None:
        self.address = address
        self.page = page
        """Where the scheduler tells a browser how far the work is."""
        self.sent = 0
        """Bytes of items, and of what they share, that left this process."""
        self.received = 0
        """Bytes of results that came back."""
        self._client = client
        self._held = held
        self._heal = heal
        self._count, self._counted = 0, -_COUNTED

    @property
    def count(self) -> int:
        """How many items are done at a time: the threads of all workers there are now, or 1."""
        if monotonic() - self._counted >= _COUNTED:
            self.require_alive()
            self._count, self._counted = sum(self._client.nthreads().values()), monotonic()
            if not self._count and self._heal is not None:
                self._heal()
        return max(1, self._count)

    @cached_property
    def here(self) -> Workers:
        """Threads of this process, for what is not worth sending."""
        return workers_for()

    def together(self, here: int, shared: int, item: int) -> int:
        """Return how many items may be under way at a time, with so many bytes of what they share, and each.

        Raises BudgetError where a worker may not take so much memory.
        """
        for address, worker in self._client.scheduler_info(n_workers=-1)["workers"].items():
            threads, limit = worker["nthreads"], worker["memory_limit"]
            needed = shared + threads * item
            if limit and needed > limit:
                raise BudgetError(
                    f"the worker at {address} may take {format_size(limit)} of memory and would need "
                    f"{format_size(needed)} for {threads} threads: start it with fewer (--nthreads) or let it have "
                    "more (--memory-limit)"
                )
        return sys.maxsize

    def map(self, work: Callable[[S, T], R], shared: S, items: Iterable[T]) -> Iterator[R]:
        """Yield the results."""
        for result, _ in self._in_order(work, shared, ((item, None) for item in items)):
            yield result

    def fill(
        self,
        work: Callable[[S, T, NDArray[Any]], R],
        shared: S,
        items: Iterable[T],
        cuts: Iterable[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[R]:
        """Yield the results as the parts of the array come back, each of which was written by a worker."""
        rows = list(cuts)
        rooms = [((end - begin, *target.shape[1:]), target.dtype.str) for begin, end in rows]
        for row, (result, part) in zip(rows, self._in_order(work, shared, zip(items, rooms, strict=True)), strict=True):
            target[slice(*row)] = part
            yield result

    def _in_order(self, work: Callable[..., R], shared: object, jobs: Iterator[Job]) -> Iterator[tuple[R, Any]]:
        errand = Errand(work, shared, makings())
        head = list(islice(jobs, 2))
        if len(head) == 1:
            yield errand.done(*head.pop())
            return
        lot = Lot(self, self._client, errand)
        try:
            yield from lot.results(chain(head, jobs))
        finally:
            lot.drop()

    def require_alive(self) -> None:
        """Wait while the connection to the scheduler is being made again. Raises ClusterError where it is lost."""
        while self._client.status == "connecting":
            sleep(_BETWEEN)
        if self._client.status != "running":
            raise ClusterError(
                f"the scheduler at {self.address} is gone: start it and its workers again, and then the same command, "
                "which goes on from what --resume kept"
            )

    def close(self) -> None:
        """Let go of the cluster; one that was started for this process ends, with all its processes."""
        self._held.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
