"""How far long work has come, by the bounds on its layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from noughts.machine.progress import Progress

__all__ = ["Meter"]


class Meter:
    """Turns the classes done of each layer into progress: work done, work in all, what is being done.

    `passes` is how often the layers will be walked through. The work is measured by the layers' bounds, so it moves
    evenly however much smaller the layers turn out.
    """

    def __init__(self, progress: Progress | None, first_ply: int, bounds: Sequence[int], passes: int) -> None:
        self._progress = progress
        self._first_ply = first_ply
        self._bounds = bounds
        self._whole = sum(bounds) * passes
        self._done = 0

    def begin(self, what: str, ply: int, size: int) -> Callable[[int], None]:
        """Return a function to call with each number of classes done, of the `size` classes of a ply."""
        before, share, seen = self._done, self._bounds[ply - self._first_ply], 0
        self._done += share

        def tick(count: int) -> None:
            nonlocal seen
            seen += count
            if self._progress is not None:
                self._progress(min(before + share * seen // size, self._whole - 1), self._whole, f"{what} of ply {ply}")

        return tick

    def finish(self) -> None:
        """Say that all is done."""
        if self._progress is not None:
            self._progress(self._whole, self._whole, "done")
