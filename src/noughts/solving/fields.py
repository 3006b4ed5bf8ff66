"""How much room a board with gravity takes: the bits of its columns, and bounds on its positions."""

from __future__ import annotations

from math import comb

from noughts.rules.board import Board


def bits_needed(board: Board) -> int:
    """Return the length of the word that holds the columns of a board, with a bit more for each."""
    rows, columns, _ = board.shape or (1, board.cells, 1)
    return columns * (rows + 1)


WORD_BITS, SEARCHED_CELLS = 64, 60
"""Bits of a word, and cells of the largest board whose scores fit into an entry of the table of a search."""


def is_searched(board: Board) -> bool:
    """Tell whether a board with gravity is small enough for the engine `columns`."""
    return bits_needed(board) <= WORD_BITS and board.cells <= SEARCHED_CELLS


def layer_bounds(board: Board) -> list[int]:
    """Return for each ply how many ways there are to fill the columns and to give out the marks, lines or not."""
    rows, columns, _ = board.shape or (1, board.cells, 1)
    heights = [1]
    for _ in range(columns):
        sums = [0] * (len(heights) + rows)
        for ply, ways in enumerate(heights):
            for height in range(rows + 1):
                sums[ply + height] += ways
        heights = sums
    return [ways * comb(ply, ply // 2) for ply, ways in enumerate(heights)]
