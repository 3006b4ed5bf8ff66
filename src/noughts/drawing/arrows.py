"""Arrows on a board as people write them: `a1-c3`, several with commas or spaces between."""

from __future__ import annotations

import re
from collections.abc import Iterable

from noughts.domain.arguments import wrong_type
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InputError, shown
from noughts.domain.spelling import plain

__all__ = ["parse_arrows"]

_JOINT = re.compile(r"\s*(?:->|-|>|→)\s*")


def parse_arrows(board: Board, given: str | Iterable[object]) -> tuple[tuple[Cell, Cell], ...]:
    """Return the arrows of a text such as `a1-c3, b2-b3`, or of pairs of cells; each from a cell to another.

    Raises InputError for what is no arrow, InvalidType for another type, and InvalidCell for a cell that there is not.
    """
    if isinstance(given, str):
        joined = _JOINT.sub("-", plain(given.replace("→", "-")))
        return tuple(_of_text(board, word) for word in re.split(r"[\s,;]+", joined) if word)
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise wrong_type("arrows", given, "text such as a1-c3, or pairs of cells")
    return tuple(_of_text(board, each) if isinstance(each, str) else _of_pair(board, each) for each in given)


def _of_text(board: Board, text: str) -> tuple[Cell, Cell]:
    parts = _JOINT.split(plain(text.replace("→", "-")).strip())
    if len(parts) != 2:
        raise _no_arrow(board, text)
    return _between(board, parts[0], parts[1])


def _of_pair(board: Board, pair: object) -> tuple[Cell, Cell]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise _no_arrow(board, pair if isinstance(pair, str) else repr(pair))
    return _between(board, pair[0], pair[1])


def _between(board: Board, start: str | Cell, end: str | Cell) -> tuple[Cell, Cell]:
    first, last = parse_cell(board, start), parse_cell(board, end)
    if first == last:
        raise InputError(f"an arrow from {cell_name(board, first)} to itself goes nowhere: give two different cells")
    return first, last


def _no_arrow(board: Board, text: str) -> InputError:
    ends = f"{cell_name(board, 0)}-{cell_name(board, board.cells - 1)}"
    return InputError(f"{shown(text)} is no arrow on {board}: write two cells with a dash between, as in {ends}")
