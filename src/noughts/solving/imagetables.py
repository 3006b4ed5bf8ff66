"""Symmetries as tables for kernels: the image of a set of cells by one look-up for each eight of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from noughts.domain.symmetry import Permutation

__all__ = ["image_tables"]


def image_tables(elements: Sequence[Permutation]) -> npt.NDArray[np.uint64]:
    """Return the tables of permutations of at most 64 cells: see `kernels.search.survey.image_of`."""
    images = np.zeros((len(elements), 8, 256), np.uint64)
    for number, permutation in enumerate(elements):
        for cell, image in enumerate(permutation):
            with_cell = (np.arange(256) >> (cell % 8)) & 1 == 1
            images[number, cell // 8, with_cell] |= np.uint64(1 << image)
    return images
