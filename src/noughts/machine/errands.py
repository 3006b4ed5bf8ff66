"""Errands: what is sent to a worker of a cluster once, for all items of a call, and what it does with an item there."""

from __future__ import annotations

import pickle
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from noughts._version import __version__
from noughts.domain.errors import ClusterError

__all__ = ["Errand", "Makings", "Room", "makings"]

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
