"""`noughts solve --proof`: the file of a proof, and the search that is saved beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from noughts.machine.budget import format_size
from noughts.machine.files import write_file
from noughts.machine.workers import silent
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.position import Position
from noughts.solving.proofs import STEALING, Proof
from noughts.solving.proving import proof_by
from noughts.solving.solution import Solution
from noughts.verbs.request import Caller, writable


def proof_path(name: str, start: Position, caller: Caller) -> Path:
    """Return the path of a proof, checked before any work. Raises InputError, FileError."""
    path = Path(name)
    if caller.output is not None and caller.output.resolve() == path.resolve():
        raise InputError(f"{name} cannot hold both the answer and its proof: give -o and --proof two names")
    if start.is_terminal:
        raise InputError(f"the game is over in {start}: there is nothing to prove; remove --proof")
    writable(name)
    return path


@contextmanager
def saving_proof(path: Path, start: Position, solution: Solution, caller: Caller, *, resume: bool) -> Iterator[None]:
    """Save the state of the search beside the proof, every few seconds and when it stops; or resume from it."""
    from noughts.solving.resume import Keeper, keep_search, resume_search

    state_file, stages = path.with_name(f"{path.name}.search"), getattr(solution, "stages", None)
    if stages is None:
        if resume:
            raise InputError(f"the engine {solution.engine} has no search to resume: remove --resume")
        yield
        return
    if resume:
        resume_search(state_file, start, stages)
    keeper = Keeper(state_file, start, stages)
    try:
        yield
    except BaseException as stopped:
        if isinstance(stopped, Exception) and not isinstance(stopped, BudgetError):
            raise
        many = keep_search(state_file, start, stages)
        if isinstance(stopped, BudgetError):
            settled = f"{many:,} settled states are in {state_file}: add --resume to continue"
            raise BudgetError(f"{stopped}; {settled}") from None
        caller.note(f"wrote {state_file}")
        raise
    if resume or keeper.has_saved:
        state_file.unlink(missing_ok=True)


def write_proof(
    path: Path, solution: Solution, start: Position, deadline: float | None, caller: Caller
) -> WrittenProof:
    """Write the proof of the value of a position, and return its description. Raises BudgetError."""
    proof = proof_by(solution, start, deadline=deadline, progress=caller.progress or silent)
    write_file(path, proof.text.encode("ascii"))
    return WrittenProof(proof, path)


@dataclass(frozen=True)
class WrittenProof:
    """A proof and its file."""

    proof: Proof
    path: Path

    def as_dict(self) -> dict[str, Any]:
        """Return what the file proves and how long it is."""
        return {"file": str(self.path), **self.proof.as_dict()}

    @property
    def sentence(self) -> str:
        """The file of the proof, its size, and what each of its sections proves."""
        named = self.proof.position.board.rules.named
        parts = "; ".join(named(_says(title, lines)) for title, lines in self.proof.sections)
        return f"Proof: {self.path}, {format_size(self.proof.size)}: {parts}."

    @property
    def command(self) -> str:
        """The command that checks it."""
        return f"noughts check {quote(str(self.path))}"


def _says(title: str, lines: int) -> str:
    if title == STEALING:
        return "O never wins, because X could use the same strategy first (strategy stealing)"
    kind, player, *_ = title.split()
    counted = f"({lines:,} line{'s' * (lines != 1)})"
    if title.endswith("by mirroring"):
        return f"{player} cannot win: the opponent answers every move by its mirror image"
    if kind == "win":
        return f"{player} wins by threats {counted}"
    if kind == "stop":
        how = ", and threatens" * title.endswith("threats")
        return f"{player} cannot win: the opponent blocks every line{how} {counted}"
    if title.endswith("win"):
        return f"{player} wins against every reply {counted}"
    return f"{player} does not lose against any reply {counted}"
