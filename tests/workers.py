"""Workers that stand for a cluster: whatever goes to an item and comes back from it is pickled on the way."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noughts.machine.workers import Workers

__all__ = ["Pickled"]

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class Pickled(Workers):
    """One item after the other; nothing that an item is given or gives back is shared with anybody."""

    def __init__(self, count: int = 2, here: Workers | None = None) -> None:
        self.count = count
        self._here = here
        self.items = 0

    @property
    def here(self) -> Workers:
        return self._here or self

    def together(self, here: int, shared: int, item: int) -> int:
        return 1000

    def map(self, work: Callable[[S, T], R], shared: S, items: Iterable[T]) -> Iterator[R]:
        """Yield the results."""
        sent = pickle.dumps((work, shared))
        for item in items:
            self.items += 1
            there, with_all = pickle.loads(sent)
            yield pickle.loads(pickle.dumps(there(with_all, pickle.loads(pickle.dumps(item)))))

    def fill(
        self,
        work: Callable[[S, T, NDArray[Any]], R],
        shared: S,
        items: Iterable[T],
        cuts: Iterable[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[R]:
        """Yield the results; each part comes back as an array of its own, which starts as nonsense."""
        sent = pickle.dumps((work, shared))
        for item, cut in zip(items, cuts, strict=True):
            self.items += 1
            there, with_all = pickle.loads(sent)
            part = np.full_like(target[slice(*cut)], 77)
            result = there(with_all, pickle.loads(pickle.dumps(item)), part)
            target[slice(*cut)] = pickle.loads(pickle.dumps(part))
            yield pickle.loads(pickle.dumps(result))
