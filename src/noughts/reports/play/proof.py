"""A proof that was written, in words: where it is, what it proves, how long it is, and how to have it judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from noughts.machine.budget import format_size
from noughts.solving.proofs import STEALING, Proof

__all__ = ["WrittenProof"]


@dataclass(frozen=True)
class WrittenProof:
    """A proof and the file that it is in."""

    proof: Proof
    path: Path

    def as_dict(self) -> dict[str, Any]:
        """Return what the file proves and how long it is."""
        return {"file": str(self.path), **self.proof.as_dict()}

    @property
    def sentence(self) -> str:
        """Where the proof is, how long it is and what each of its sections says."""
        parts = "; ".join(_says(title, lines) for title, lines in self.proof.sections)
        return f"Proof: {self.path}, {format_size(self.proof.size)}: {parts}."

    @property
    def command(self) -> str:
        """The command that judges it."""
        return f"noughts check {quote(str(self.path))}"


def _says(title: str, lines: int) -> str:
    if title == STEALING:
        return "O never wins, as X could play so too (strategy stealing)"
    kind, player, *_ = title.split()
    counted = f"({lines:,} line{'s' * (lines != 1)})"
    if kind == "win":
        return f"{player} wins by threats {counted}"
    if kind == "stop":
        return f"{player} is stopped by blocking alone {counted}"
    return f"{player} {'wins' if title.endswith('win') else 'does not lose'}, whatever the replies {counted}"
