"""Reads a certificate and says what it proves, or at which line it fails. (The format: docs/reference/proofs.md.)"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from noughts.domain.errors import FileError, InputError, shown
from noughts.domain.frozen import short
from noughts.verification.proofs.ground import Ground, closure, marks_of, read_ground
from noughts.verification.proofs.plane import judge_plane, plane_k
from noughts.verification.proofs.script import Script
from noughts.verification.proofs.stops import judge_stop
from noughts.verification.proofs.tables import mover
from noughts.verification.proofs.wins import judge_win

__all__ = ["ProofVerdict", "judge_proof", "read_proof"]

FIRST = "noughts proof 1"
_CLAIMS = {
    "X wins": ["win X"],
    "O wins": ["win O"],
    "X stopped": ["stop X"],
    "O stopped": ["stop O"],
    "draw": ["stop X", "stop O"],
}
_LARGEST = 64 * 2**20


@dataclass(frozen=True, repr=False)
class ProofVerdict:
    """What a certificate proves: the board, the position, the claim, and how many states each section settles."""

    board: str
    position: str | None
    claim: str
    sections: tuple[tuple[str, int], ...]
    symmetries: int

    def __repr__(self) -> str:
        return f"<ProofVerdict on {short(self.board)}: {self.claim}>"

    def as_dict(self) -> dict[str, object]:
        """Return the verdict for JSON."""
        sections = [{"section": name, "states": states} for name, states in self.sections]
        return {**vars(self), "sections": sections, "holds": True}


def read_proof(path: str | Path) -> str:
    """Return the text of a certificate. Raises FileError, and InputError for what is none."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise FileError(f"cannot read {shown(str(path))}: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise InputError(f"{shown(str(path))} has more than {_LARGEST:,} bytes: no certificate is as long")
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        raise InputError(f"{shown(str(path))} is no certificate: it holds bytes that are no ASCII text") from None
    return text


def judge_proof(text: str) -> ProofVerdict:
    """Return what a certificate proves, when every reply has been played.

    Raises InputError for what cannot be read as a certificate and ProofFault, with the line, for one that does not
    hold. Cost: for each line of the certificate all blank cells, each against its sequences.
    """
    script = Script(text.splitlines())
    if script.peek() != FIRST:
        raise InputError(f"this is no proof: its first line has to be {FIRST!r}")
    script.next_line("head")
    head = _head(script)
    if "board" not in head or "claim" not in head:
        raise InputError("the certificate does not say its board and its claim in its first lines")
    k = plane_k(head["board"])
    if k is not None:
        return _plane(script, head, k)
    ground = read_ground(head["board"])
    script.cell_count = ground.cells
    if ground.is_misere:
        raise InputError("who completes a line loses on this board: lines that are made or stopped prove nothing there")
    if head["claim"] not in _CLAIMS:
        raise InputError(f"{shown(head['claim'])} is no claim: choose {', '.join(_CLAIMS)}")
    marks = marks_of(head["from"], ground) if "from" in head else (0, 0)
    movers = [mover(each) for each in closure(_generators(script), ground)]
    found: dict[str, int] = {}
    while script.peek() is not None:
        name, states = _section(script, ground, marks, movers)
        if name in found:
            script.fault(f"a second section {name}")
        found[name] = states
    missing = [name for name in _CLAIMS[head["claim"]] if name not in found]
    if missing:
        script.fault(f"the claim {head['claim']!r} needs a section {missing[0]}, and there is none")
    return ProofVerdict(head["board"], head.get("from"), head["claim"], tuple(found.items()), len(movers))


def _plane(script: Script, head: dict[str, str], k: int) -> ProofVerdict:
    """Judge a certificate on the infinite board."""
    if "from" in head:
        raise InputError("a proof on the infinite board is about the empty board: leave out the line from")
    if head["claim"] not in ("draw", "X stopped", "O stopped"):
        raise InputError(f"{shown(head['claim'])} is no claim on the infinite board: choose draw, X stopped, O stopped")
    return ProofVerdict(head["board"], None, head["claim"], (("pairs", judge_plane(script, k)),), 1)


def _head(script: Script) -> dict[str, str]:
    found: dict[str, str] = {}
    while (line := script.peek()) is not None and (word := line.partition(" ")[0]) in ("board", "from", "claim"):
        script.next_line("head")
        if word in found:
            raise InputError(f"the certificate says its {word} twice")
        found[word] = line.partition(" ")[2].strip()
    return found


def _generators(script: Script) -> list[list[int]]:
    found: list[list[int]] = []
    if script.peek() != "symmetries":
        return found
    script.next_line("head")
    while (line := script.peek()) is not None and line[:1].isdigit():
        found.append(script.cells(script.next_line("symmetries")))
    return found


def _section(script: Script, ground: Ground, marks: tuple[int, int], movers: list) -> tuple[str, int]:  # type: ignore[type-arg]
    line = script.next_line("head")
    x, o = marks
    x_moves = x.bit_count() == o.bit_count()
    if line == "stop O by stealing":
        if x or o:
            script.fault("the second player's win is excluded by stealing the strategy on the empty board only")
        return "stop O", 0
    words = line.split()
    if len(words) != 2 or words[0] not in ("win", "stop") or words[1] not in ("X", "O"):
        script.fault("here a section begins, with the words win X, win O, stop X or stop O")
    own, other = (x, o) if words[1] == "X" else (o, x)
    to_move = x_moves == (words[1] == "X")
    judge = judge_win if words[0] == "win" else judge_stop
    return line, judge(script, ground, own, other, to_move, movers)
