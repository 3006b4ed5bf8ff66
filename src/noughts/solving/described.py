"""What a folder of tables says of itself, and which files belong to it: each names its table and its place in it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from noughts._version import __version__
from noughts.domain.board import Board
from noughts.domain.errors import CheckError, InputError
from noughts.machine.reading import read_text
from noughts.solving.blockfile import BlockFile, checked_json, sealed_json

__all__ = [
    "DESCRIPTION",
    "belonging",
    "board_of",
    "description",
    "is_table_of",
    "layer_path",
    "leads_path",
    "read_description",
    "table_id",
]

DESCRIPTION = "table.json"
FORMAT = "noughts table 3"

_LAYOUT = (
    "A layer of ply t holds the positions with p = ceil(t/2) X and q = floor(t/2) O in which X has no line. Block b "
    "belongs to the b-th set of leads-pp.sets (cells as bits, in reading order); entry r of a block to the q-set of O "
    "of colexicographic rank r among the cells that X leaves, numbered in reading order. A position is turned first by "
    "a symmetry that makes its X set the least of its images. A layer is one file, or several named "
    "layer-tt.nnnn.values, each of which says in its header which is its first block and how many it has."
)
_CODES = {
    True: "two bits an entry, lowest first, blocks start on a byte; for the side to move: 0 loss, 1 draw, 2 win, 3 no",
    False: "one byte an entry; for the side to move: r loss in r plies, 100 draw, 200 - r win in r plies, 255 none",
}


def layer_path(folder: Path, ply: int, portion: int | None = None) -> Path:
    """Return the file of a layer, or of a portion of it."""
    return folder / (f"layer-{ply:02}.values" if portion is None else f"layer-{ply:02}.{portion:04}.values")


def leads_path(folder: Path, marks: int) -> Path:
    """Return the file of the canonical sets of so many X."""
    return folder / f"leads-{marks:02}.sets"


def description(board: Board, packed: bool) -> dict[str, Any]:
    """Return what the table says of itself."""
    return {
        "format": FORMAT,
        "written_by": f"noughts {__version__}",
        "board": board.spec,
        "cells": board.cells,
        "lines": [list(line) for line in board.lines],
        "symmetries": [list(permutation) for permutation in board.group("board").generators],
        "misere": board.misere,
        "rules": "any blank cell may be played; the game ends at a line or a full board",
        "packed": packed,
        "codes": _CODES[packed],
        "layout": _LAYOUT,
    }


def read_description(folder: Path) -> dict[str, Any]:
    """Return what a table says of itself. Raises InputError where there is none, CheckError where it is damaged."""
    path = folder / DESCRIPTION
    if not path.is_file():
        raise InputError(f"{folder} holds no table: write one with noughts solve BOARD --save {folder}")
    try:
        text = read_text(path)
    except UnicodeDecodeError:
        raise CheckError(f"the header of {path} is damaged: write the table again") from None
    found = checked_json(text.removesuffix("\n"), path)
    if found.get("format") != FORMAT:
        raise InputError(
            f"{path} is of the format {found.get('format')!r} and this program reads {FORMAT!r}: write the table again "
            "in a new folder"
        )
    return found


def table_id(about: dict[str, Any]) -> str:
    """Return what stands for a table in the header of each of its files: a digest of all that it says of itself."""
    said = {key: value for key, value in about.items() if key != "written_by"}
    return hashlib.sha256(sealed_json(said).encode()).hexdigest()[:24]


def belonging(path: Path, about: dict[str, Any], **expected: int) -> BlockFile:
    """Return a file of the table that is described so, if its header says so and has these numbers.

    Raises CheckError where it is damaged, or was written for another table or another place in one.
    """
    file = BlockFile(path)
    if file.about.get("of") != table_id(about):
        raise CheckError(f"{path} belongs to another table than the one that it is kept with: write the table again")
    file.require(**expected)
    return file


def board_of(about: dict[str, Any]) -> Board:
    """Return the board that a table describes."""
    try:
        board = Board.parse(about["board"])
        if description(board, about["packed"])["lines"] == about["lines"]:
            return board
    except InputError:
        pass
    return Board.from_lines(
        about["cells"], about["lines"], about["symmetries"], misere=about["misere"], name=about["board"]
    )


def is_table_of(about: dict[str, Any], board: Board) -> bool:
    """Tell whether a description is of the table of a board, whatever the board is called."""
    own = description(board, about["packed"])
    return all(about[key] == own[key] for key in ("cells", "lines", "misere", "symmetries"))
