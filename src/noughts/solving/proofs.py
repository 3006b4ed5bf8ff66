"""Proofs as text: the file that anybody can judge. What a line means is in the reference page on proofs.

A proof names the board, the position if it is not the empty board, what it claims, the symmetries that its sections may
use, and has a section for each part of the claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.rules.board import Board
from noughts.rules.marks import Outcome
from noughts.rules.position import Position, format_position
from noughts.rules.symmetry import Permutation
from noughts.rules.values import short

__all__ = ["HEAD", "STEALING", "Proof", "Section", "proof_text", "symmetries_of"]

HEAD = "noughts proof 1"
STEALING = "stop O by stealing"
"""A section without lines: the second player of an empty board never wins, as the first could play so too."""


SYMMETRY_LIMIT = 200
"""Symmetries are listed where a board has at most so many: those by which the searches merge positions."""


@dataclass(frozen=True)
class Section:
    """A part of a proof: `win X`, `stop O` or `stop O by stealing`, and its lines."""

    title: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, repr=False)
class Proof:
    """A proof that a position has an outcome under best play: `text` is the file, `sections` their titles and lines."""

    position: Position
    outcome: Outcome
    sections: tuple[tuple[str, int], ...]
    text: str

    def __repr__(self) -> str:
        return f"<Proof of {short(self.position)} on {short(self.position.board)}: {self.outcome}, {self.size:,} bytes>"

    @property
    def size(self) -> int:
        """The bytes of the file."""
        return len(self.text)

    def as_dict(self) -> dict[str, Any]:
        """Return what it proves and how long it is, without its text."""
        return {
            "board": self.position.board.spec,
            "position": str(self.position),
            "outcome": self.outcome,
            "sections": [{"section": title, "lines": lines} for title, lines in self.sections],
            "size": self.size,
        }


def symmetries_of(board: Board) -> tuple[Permutation, ...]:
    """Return the symmetries of a board that a proof lists: some that generate all, none where they are many.

    Positions of the sections `stop` and `play` are merged by them; they need not keep the position where these begin.
    """
    group = board.group("board")
    return group.generators if 1 < group.order <= SYMMETRY_LIMIT else ()


def proof_text(
    position: Position, claim: str, sections: Iterable[Section], symmetries: Sequence[Permutation]
) -> Iterator[str]:
    """Yield the text of a proof, line by line: `claim` as in `X wins`, `draw`, `X stopped`."""
    board: Board = position.board
    yield f"{HEAD}\n"
    yield f"board {board.spec}\n"
    if position.ply:
        yield f"from {format_position(position)}\n"
    yield f"claim {claim}\n"
    if symmetries:
        yield "symmetries\n"
        for permutation in symmetries:
            yield " ".join(map(str, permutation)) + "\n"
    for section in sections:
        yield f"{section.title}\n"
        for line in section.lines:
            yield f"{line}\n"
