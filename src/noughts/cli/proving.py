"""The proof that `noughts solve --proof` writes: where it goes, and what is kept of a search that was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from noughts.cli.progress import progress_line
from noughts.cli.signals import Stopped
from noughts.cli.sink import Sink, tell

__all__ = ["kept_unfinished", "proof_path", "write_proof"]


@contextmanager
def kept_unfinished(path: Path, start: Any, solution: Any, *, resume: bool) -> Iterator[None]:
    """Keep what the search has settled beside the proof, every few seconds and where it is stopped; or go on."""
    from noughts.domain.errors import BudgetError, InputError
    from noughts.solving.unfinished import Keeper, Searched, keep_search, resume_search

    kept = path.with_name(f"{path.name}.search")
    if resume:
        if not isinstance(solution, Searched):
            raise InputError(
                f"the engine {solution.engine} searches nothing that could be gone on with: leave out --resume"
            )
        resume_search(kept, start, solution)
    keeper = None
    if isinstance(solution, Searched):
        (keeper := Keeper(kept, start, solution)).attend()
    try:
        yield
    except (BudgetError, KeyboardInterrupt, Stopped) as stopped:
        if not isinstance(solution, Searched):
            raise
        many = keep_search(kept, start, solution)
        told = f"what was settled, {many:,} states, is in {kept}: add --resume to go on"
        if isinstance(stopped, BudgetError):
            raise BudgetError(f"{stopped}; {told}") from None
        tell(kept)
        raise
    if resume or (keeper is not None and keeper.has_kept):
        kept.unlink(missing_ok=True)


def proof_path(name: str, start: Any, to: Sink) -> Path:
    """Return where a proof goes, after it was found that there can be one. Raises InputError, FileError."""
    from noughts.domain.errors import InputError
    from noughts.machine.files import require_writable

    path = Path(name)
    if to.output is not None and to.output.resolve() == path.resolve():
        raise InputError(f"{name} cannot hold both the answer and its proof: give -o and --proof two names")
    if start.is_terminal:
        raise InputError(f"the game is over in {start}: there is nothing left to prove; leave out --proof")
    require_writable(path)
    return path


def write_proof(path: Path, solution: Any, start: Any, deadline: float | None) -> Any:
    """Write the proof of what a solution says of a position, and return it as it is told of. Raises BudgetError."""
    from noughts.machine.files import write_file
    from noughts.machine.progress import silent
    from noughts.reports.play.proof import WrittenProof
    from noughts.solving.proving import proof_by

    proof = proof_by(solution, start, deadline=deadline, progress=progress_line() or silent)
    write_file(path, proof.text.encode("ascii"))
    return WrittenProof(proof, path)
