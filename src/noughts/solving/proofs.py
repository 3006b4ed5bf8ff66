"""Proofs as text: the file that anybody can judge. What a line means is in the reference page on proofs.

A proof names the board, the position if it is not the empty board, what it claims, the symmetries that its sections may
use, and has a section for each part of the claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from noughts.domain.board import Board
from noughts.domain.notation import format_position
from noughts.domain.position import Position
from noughts.domain.symmetry import Permutation, is_identity

__all__ = ["HEAD", "STEALING", "Section", "proof_text", "symmetries_of"]

HEAD = "noughts proof 1"
STEALING = "stop O by stealing"
"""A section without lines: the second player of an empty board never wins, as the first could play so too."""

SYMMETRY_LIMIT = 200
"""Symmetries are listed where a board has at most so many."""


@dataclass(frozen=True)
class Section:
    """A part of a proof: `win X`, `stop O` or `stop O by stealing`, and its lines."""

    title: str
    lines: Sequence[str] = ()


def symmetries_of(position: Position) -> tuple[Permutation, ...]:
    """Return symmetries of the board that generate those that keep a position, which a proof lists."""
    group = position.board.group("board")
    if group.order > SYMMETRY_LIMIT:
        return ()
    if position.ply == 0:
        return group.generators
    return tuple(element for element in group.keeping(position.x, position.o) if not is_identity(element))


def proof_text(position: Position, claim: str, sections: Iterable[Section]) -> Iterator[str]:
    """Yield the text of a proof, line by line: `claim` as in `X wins`, `draw`, `X stopped`."""
    board: Board = position.board
    yield f"{HEAD}\n"
    yield f"board {board.spec}\n"
    if position.ply:
        yield f"from {format_position(position)}\n"
    yield f"claim {claim}\n"
    symmetries = symmetries_of(position)
    if symmetries:
        yield "symmetries\n"
        for permutation in symmetries:
            yield " ".join(map(str, permutation)) + "\n"
    for section in sections:
        yield f"{section.title}\n"
        for line in section.lines:
            yield f"{line}\n"
