"""Errands: what is sent to a worker of a cluster once, for all items of a call, and what it does with an item there."""

from __future__ import annotations

import operator
import pickle
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from noughts._version import __version__
from noughts.rules.errors import BudgetError, ClusterError

if TYPE_CHECKING:
    from distributed import Client


Room = tuple[tuple[int, ...], str]
"""The shape of an array, and the kind of its numbers."""


class Makings(NamedTuple):
    """What must be the same in all processes that share work."""

    noughts: str
    python: str

    def __str__(self) -> str:
        return f"noughts {self.noughts} on Python {self.python}"


def makings() -> Makings:
    """Return what this process is made of."""
    return Makings(__version__, f"{sys.version_info.major}.{sys.version_info.minor}")


@dataclass(frozen=True)
class Errand:
    """A function of a module, what all its items share, and what the process that sends it is made of."""

    work: Callable[..., Any]
    shared: Any
    made_of: Makings

    def __call__(self, packed: bytes, room: Room | None) -> tuple[bytes, Any]:
        """Return the pickled result of a pickled item, and the array that it wrote. Raises ClusterError."""
        if makings() != self.made_of:
            here = f"the worker on {socket.gethostname()} has {makings()}"
            raise ClusterError(f"{here}, this is {self.made_of}: all must have the same")
        result, part = self.done(pickle.loads(packed), room)
        return pickle.dumps(result, protocol=5), part

    def done(self, item: Any, room: Room | None) -> tuple[Any, Any]:
        """Return the result of an item, and the array of which it was to write all, if any."""
        if room is None:
            return self.work(self.shared, item), None
        import numpy as np

        part = np.empty(room[0], np.dtype(room[1]))
        return self.work(self.shared, item, part), part


# A lot: the items of one call on their way through a cluster, each sent again where it was lost.

Future = Any
"""A future of Dask."""


_MOST_DEATHS = 3
"""So many times Dask may give up an item whose workers died, some four of them each time, before it is to blame."""
_MOST_LOSSES = 20
"""So many times in a row what is shared may be lost with no item done in between."""
_LOOK = 0.5
"""Seconds between two looks at the scheduler while nothing comes back."""
_AT_ONCE = 2
_AHEAD = 8
"""Items under way, and items whose results wait for an earlier one, for each thread of the workers."""

Job = tuple[Any, Room | None]
Done = tuple[Any, Any]


class Post(Protocol):
    """What a lot has to do with its cluster."""

    sent: int
    received: int

    @property
    def count(self) -> int:
        """How many items are done at a time, by now."""

    def require_alive(self) -> None:
        """Raise ClusterError where the scheduler is gone for good."""


@dataclass
class _Parcel:
    """An item on its way: pickled, with the future of its result and that of the errand it goes with."""

    packed: bytes
    room: Room | None
    future: Future = None
    errand: Future = None
    deaths: int = 0

    @property
    def state(self) -> str:
        """What Dask calls it: `finished`, `error`, or that it is void."""
        return str(self.future.status)


class Lot:
    """The items of one call; results come in their order."""

    def __init__(self, post: Post, client: Client, errand: Errand) -> None:
        self._post = post
        self._client = client
        self._errand = errand
        self._size = 0
        self._there: Future | None = None
        """The errand, as long as some worker is believed to have it."""
        self._losses = 0
        self._under_way: dict[int, _Parcel] = {}
        self._done: dict[int, Done] = {}
        self._events: SimpleQueue[tuple[int, Future]] = SimpleQueue()

    def results(self, jobs: Iterator[Job]) -> Iterator[Done]:
        """Yield the result of each item, with the array that it wrote. The first error ends it."""
        drawn = 0
        for number in count():
            while True:
                for item, room in islice(jobs, self._free(drawn - number)):
                    self._under_way[drawn] = _Parcel(pickle.dumps(item, protocol=5), room)
                    self._send(drawn)
                    drawn += 1
                if number in self._done or number == drawn:
                    break
                self._wait()
            if number == drawn:
                return
            yield self._done.pop(number)

    def drop(self) -> None:
        """Let nothing more be begun; what is being done is done to its end, for nobody."""
        futures = [parcel.future for parcel in self._under_way.values()]
        self._under_way.clear()
        self._there = None
        if futures and self._client.status == "running":
            with suppress(Exception):  # an error that is on its way matters more than this one
                self._client.cancel(futures, force=True)

    def _free(self, ahead: int) -> int:
        """Return how many more items may be begun."""
        return max(0, min(_AT_ONCE * self._post.count - len(self._under_way), _AHEAD * self._post.count - ahead))

    def _send(self, number: int) -> None:
        """Send an item; the errand first where no worker has it."""
        parcel = self._under_way[number]
        parcel.errand = self._errand_there()
        call = self._client.submit(
            operator.call,
            parcel.errand,
            parcel.packed,
            parcel.room,
            key=f"{self._errand.work.__name__}-{id(self):x}-{number}-{parcel.errand.key[-8:]}-{parcel.deaths}",
            pure=False,
        )
        parcel.future = call
        self._post.sent += len(parcel.packed)
        call.add_done_callback(lambda future: self._events.put((number, future)))

    def _errand_there(self) -> Future:
        while self._there is None:
            self._post.require_alive()
            try:
                self._there = self._client.scatter(self._errand, hash=False)
            except (OSError, TimeoutError):  # no worker is there now
                continue
            self._size = self._size or len(pickle.dumps(self._errand, protocol=5))
            self._post.sent += self._size
        return self._there

    def _wait(self) -> None:
        """Take note of the items that are done by now, or lost; wait for one."""
        try:
            events = [self._events.get(timeout=_LOOK)]
        except Empty:
            self._post.require_alive()
            return
        with suppress(Empty):
            while True:
                events.append(self._events.get_nowait())
        ended = [(number, parcel) for number, future in events if (parcel := self._awaited(number, future))]
        finished = [pair for pair in ended if pair[1].state == "finished"]
        for number, parcel in ended:
            if parcel.state == "error":
                self._fail(number, parcel)
            elif parcel.state != "finished":
                self._lose(number, parcel)
        self._receive(finished)

    def _awaited(self, number: int, future: Future) -> _Parcel | None:
        """Return the parcel whose future this is, unless it is one that was void before."""
        parcel = self._under_way.get(number)
        return parcel if parcel is not None and parcel.future is future else None

    def _receive(self, finished: list[tuple[int, _Parcel]]) -> None:
        """Fetch results, all in one go."""
        from distributed import CancelledError

        try:
            results = self._client.gather([parcel.future for _, parcel in finished])
        except (CancelledError, OSError):  # whoever had one of them is gone, too
            for number, parcel in finished:
                self._lose(number, parcel)
            return
        for (number, _), (packed, part) in zip(finished, results, strict=True):
            self._losses = 0
            del self._under_way[number]
            self._post.received += len(packed) + (0 if part is None else part.nbytes)
            self._done[number] = pickle.loads(packed), part

    def _fail(self, number: int, parcel: _Parcel) -> None:
        from distributed import KilledWorker

        error = parcel.future.exception()
        if isinstance(error, KilledWorker):
            parcel.deaths += 1
            if parcel.deaths == _MOST_DEATHS:
                raise BudgetError(
                    f"workers ended over and over while they did the same item ({self._errand.work.__name__}): "
                    "they may need more memory, by fewer threads each (--nthreads) or a higher --memory-limit"
                )
            self._send(number)
        elif isinstance(error, ImportError):
            raise ClusterError(
                f"a worker of the cluster lacks {error.name or 'a package'}: install noughts where it runs"
            ) from error
        else:
            assert error is not None
            raise error

    def _lose(self, number: int, parcel: _Parcel) -> None:
        """Send an item again whose future is void: nobody has what it needs, or the scheduler is another."""
        self._post.require_alive()
        if parcel.errand is self._there:
            self._there = None
            self._losses += 1
            if self._losses == _MOST_LOSSES:
                raise ClusterError(
                    "workers ended over and over before they had done anything: what they share may be too large for "
                    "their memory (--memory-limit), or look at what they say"
                )
        self._send(number)
