"""Proofs as text, for `noughts check`, and those of empty boards that the package carries.

A proof names the board, the position if it is not the empty board, what it claims, the symmetries that its sections may
use, and has a section for each part of the claim. What a line means is in the reference page on proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from noughts.known import boards, proofs
from noughts.machine.budget import format_duration
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Outcome
from noughts.rules.position import Position, format_position
from noughts.rules.symmetry import Permutation, compose, is_identity
from noughts.rules.values import short
from noughts.solving.problem import SEARCHED_CELLS
from noughts.solving.published import LONG, lyings
from noughts.solving.solution import Evaluation

HEAD = "noughts proof 1"
STEALING = "stop O by stealing"
"""A section without lines: the second player of an empty board never wins, as the first could play so too."""
SYMMETRY_LIMIT = 200
"""Symmetries are listed where a board has at most so many: those by which the searches merge positions."""
FOUND_AT_ONCE = 0.5
"""Values that took fewer seconds are found anew: a search tells of all moves, a proof of one."""
SMALL_CELLS = 30
"""Boards of so many cells are solved as a whole, or within a second."""
_OUTCOMES: dict[str, Outcome] = {"X wins": "X", "draw": "draw"}


@dataclass(frozen=True)
class Section:
    """A part of a proof: `win X`, `stop O` or `stop O by stealing`, and its lines."""

    title: str
    lines: Sequence[str] = ()

    @property
    def size(self) -> int:
        """The bytes of its lines."""
        return sum(len(line) + 1 for line in self.lines)


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


@dataclass(frozen=True)
class CarriedProof:
    """What the package says of an empty board; `first` is the move that wins where X does.

    The certificate may be about the same board turned; `first` is a cell of the board that was asked about. Of a draw
    whose certificate is too long to carry only the value is known, and `proof` is None.
    """

    proof: Proof | None
    evaluation: Evaluation
    first: Cell | None


def symmetries_of(board: Board) -> tuple[Permutation, ...]:
    """Return the symmetries of a board that a proof lists: some that generate all, none where they are many.

    Positions of the sections `stop` and `play` are merged by them; they need not keep the position where these begin.
    """
    group = board.group("board")
    return group.generators if 1 < group.order <= SYMMETRY_LIMIT else ()


def attack_symmetries(board: Board) -> tuple[Permutation, ...]:
    """Return the symmetries that merge positions of an attack: isometries; of a solid board all that keep the lines."""
    for by_lines in (True, False):
        if not by_lines or (board.is_solid and board.cells <= SEARCHED_CELLS):
            group = board.group("lines" if by_lines else "board")
            if group.order <= SYMMETRY_LIMIT:
                return group.elements
    return (tuple(range(board.cells)),)


def generators(elements: tuple[Permutation, ...]) -> list[Permutation]:
    """Return some elements of a group that generate it: each is none of those that the others before it generate."""
    found: list[Permutation] = []
    known = {element for element in elements if is_identity(element)}
    for element in elements:
        if element not in known:
            found.append(element)
            fresh = known
            while fresh:
                fresh = {compose(one, by) for one in fresh for by in found} - known
                known = known | fresh
    return found


def proof_text(position: Position, claim: str, sections: Iterable[Section], symmetries: Sequence[Permutation]) -> str:
    """Return the text of a proof: `claim` as in `X wins`, `draw`, `X stopped`."""
    lines = [HEAD, f"board {position.board.spec}"]
    if position.ply:
        lines.append(f"from {format_position(position)}")
    lines.append(f"claim {claim}")
    if symmetries:
        lines += ["symmetries", *(" ".join(map(str, permutation)) for permutation in symmetries)]
    for section in sections:
        lines += [section.title, *section.lines]
    return "".join(f"{line}\n" for line in lines)


def carried_proof(start: Position) -> CarriedProof | None:
    """Return the proof that the package carries about an empty board that takes long to solve; None without one.

    A proof of the board that lies another way, as 4x9:4 for 9x4:4, will do. It is not judged here: `noughts check` and
    `noughts verify` do so. Cost: milliseconds.
    """
    board = start.board
    if start.ply or not SMALL_CELLS < board.cells <= SEARCHED_CELLS or board.misere:
        return None
    rows = {row["board"]: row for row in boards() if row.get("seconds", 0.0) >= FOUND_AT_ONCE}
    for spec, turn in lyings(board):
        text = next((text for _, text in proofs() if f"\nboard {spec}\n" in text[:200]), None)
        if text is not None and spec in rows:
            return _read(start, text, rows[spec], turn)
        if spec in rows and rows[spec]["seconds"] >= LONG and rows[spec]["value"] == "draw":
            row = rows[spec]
            why = (
                f"draw, found before by {row['engine']} in {row['positions']:,} positions and "
                f"{format_duration(row['seconds'])}: --engine "
                f"{row['engine']} finds it again, and --proof FILE writes a proof"
            )
            return CarriedProof(None, Evaluation("draw", board.cells, why), None)
    return None


def _read(start: Position, text: str, row: dict[str, Any], turn: Permutation) -> CarriedProof:
    """Return what a certificate says of an empty board: its own, or the same turned so that its cells are these."""
    board, spec, lines = start.board, row["board"], text.splitlines()
    claim = next(line.removeprefix("claim ") for line in lines if line.startswith("claim "))
    titles = [(number, line) for number, line in enumerate(lines) if line.split()[0] in ("win", "stop", "play")]
    ends = [*(number for number, _ in titles[1:]), len(lines)]
    sections = tuple((title, end - number - 1) for (number, title), end in zip(titles, ends, strict=True))
    about = start if spec == board.spec else Position(Board.parse(spec))
    proof = Proof(about, _OUTCOMES[claim], sections, text)
    whose, writes = "a proof", "--proof FILE"
    if spec != board.spec:
        whose, writes = f"a proof of {spec}, which is this board turned,", f"noughts solve {spec} --proof FILE"
    why = (
        f"by {whose} of {text.count(chr(10)):,} lines that the package carries, found by {row['engine']} in "
        f"{row['positions']:,} positions: {writes} writes it, and noughts check FILE judges it"
    )
    if proof.outcome == "draw":
        return CarriedProof(proof, Evaluation("draw", board.cells, f"draw, {why}"), None)
    first = int(next(after for title, after in pairwise(lines) if title == "win X").split()[0])
    return CarriedProof(proof, Evaluation("X", None, f"X wins, {why}", at_most=row["at_most"]), turn.index(first))
