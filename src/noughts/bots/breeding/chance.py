"""Chance in breeding: draws from a seed that are the same on every machine and with any number of workers.

The numbers are those of PCG64, whose stream NumPy keeps as it is between versions. A draw below n takes one of them, of
64 bits: its upper 32 times n, divided by 2^32. Draws are taken in one thread, in a fixed order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Dice"]


class Dice:
    """Draws from a seed, a whole number from 0."""

    def __init__(self, seed: int) -> None:
        from numpy.random import PCG64

        self._source = PCG64(seed)

    def below(self, limits: int | NDArray[Any], *shape: int) -> NDArray[Any]:
        """Return an array of draws, each below its limit, which is at least 1 and below 2^31; int64."""
        import numpy as np

        size = int(np.prod(shape, dtype=np.int64))
        raw = np.asarray(self._source.random_raw(size), np.uint64).reshape(shape)
        return ((raw >> np.uint64(32)) * np.asarray(limits, np.uint64) >> np.uint64(32)).astype(np.int64)

    def happens(self, chance: float, *shape: int) -> NDArray[Any]:
        """Return an array that is True with a chance, to 16 bits: four draws from each number, the low bits first."""
        import numpy as np

        size = int(np.prod(shape, dtype=np.int64))
        raw = np.asarray(self._source.random_raw(-(-size // 4)), np.uint64).astype("<u8").view("<u2")
        found: NDArray[Any] = raw[:size].reshape(shape) < round(chance * 2**16)
        return found
