"""What X threatens after each move, as sets of the blanks of a block: what the rule fork asks for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import lead

__all__ = ["threats_after"]

Ints = npt.NDArray[np.int64]


def threats_after(lines: Sequence[int], before: Ints, blanks: Ints, more: Ints | None = None) -> Ints:
    """Return what sets of X, (n, m), threaten after a move on each blank, (n, b): (n, m, b), as sets of the blanks.

    Of one cell ``more`` for each of the sets, (n, m) as masks, it is told as if that were one blank more, the last.
    """
    after = before[:, :, None] | (np.int64(1) << blanks)[:, None, :]
    threats = lead.threat_table(after.ravel(), lines).reshape(after.shape).astype(np.int64)
    seen = np.zeros(after.shape, np.int64)
    for j in range(blanks.shape[1]):
        seen |= (threats >> blanks[:, None, j, None] & 1) << j
    if more is not None:
        seen |= np.where(threats & more[:, :, None], 1 << blanks.shape[1], 0)
    return seen
