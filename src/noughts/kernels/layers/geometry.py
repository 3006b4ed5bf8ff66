"""From lines and permutations, as plain numbers, to the arrays that kernels read."""

from collections.abc import Sequence

import numpy as np

from noughts.kernels.layers.images import UNSET, fill_lead_table
from noughts.kernels.layers.records import Geometry, Ints, Masks

__all__ = ["cell_count", "inverse_elements", "make_geometry", "prepare_leads"]

LEAD_TABLE_CELLS = 26
"""Boards up to this size look the canonical set of the lead up, in a table of two bytes for each set of cells."""


def make_geometry(cells: int, lines: Sequence[int], elements: Sequence[Sequence[int]]) -> Geometry:
    """The arrays of a board with `lines` as masks and a group given by all its permutations, the identity first.

    Assumes at most 64 cells and fewer than 65,535 elements. Cost: 2 KB per element and 8 cells, and the lead table.
    """
    group = np.array(elements, dtype=np.int64).reshape(len(elements), cells)
    cell_bits = np.uint64(1) << np.arange(cells, dtype=np.uint64)
    return Geometry(
        full=np.uint64((1 << cells) - 1),
        lines=np.array(lines, dtype=np.uint64),
        images=_image_tables(group),
        fixed=((group == np.arange(cells)) * cell_bits).sum(axis=1, dtype=np.uint64),
        lead_table=np.full(1 << cells if _has_lead_table(cells, len(elements)) else 0, UNSET, dtype=np.uint16),
    )


def _has_lead_table(cells: int, order: int) -> bool:
    return order > 1 and cells <= LEAD_TABLE_CELLS


def _image_tables(group: Ints) -> Masks:
    """uint64[elements, chunks, 256]: the images of all sets of each eight cells, doubled up cell by cell."""
    order, cells = group.shape
    images = np.zeros((order, -(-cells // 8), 256), dtype=np.uint64)
    for cell in range(cells):
        chunk, size = cell // 8, 1 << cell % 8
        bit = np.uint64(1) << group[:, cell].astype(np.uint64)
        images[:, chunk, size : 2 * size] = images[:, chunk, :size] | bit[:, None]
    return images


def prepare_leads(geometry: Geometry, size: int) -> None:
    """Fill the lead table, if the board has one, for the sets of `size` cells."""
    if geometry.lead_table.shape[0]:
        fill_lead_table(geometry.images, inverse_elements(geometry), cell_count(geometry), size, geometry.lead_table)


def cell_count(geometry: Geometry) -> int:
    """The number of cells of the board."""
    return int(geometry.full).bit_length()


def inverse_elements(geometry: Geometry) -> Ints:
    """int64[elements]: the number of the inverse of each element."""
    cells = cell_count(geometry)
    bits = np.array([geometry.images[:, cell // 8, 1 << cell % 8] for cell in range(cells)]).T
    elements = [tuple(int(bit).bit_length() - 1 for bit in row) for row in bits]
    number = {element: g for g, element in enumerate(elements)}
    return np.array([number[tuple(np.argsort(element))] for element in elements], dtype=np.int64)
