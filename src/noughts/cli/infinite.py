"""`noughts solve 9+infinite`: who wins on the infinite board."""

from __future__ import annotations

from typing import Any

from noughts.cli.options import is_typed, require_sense
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, put_file, writable

__all__ = ["answer_infinite"]

_FORMS = ("table", "json", "markdown")
_TAKEN = ("board", "proof")
_NAMES = {"position": "a position", "remoteness": "--remoteness/--values-only"}


def answer_infinite(given: dict[str, Any], to: Sink) -> None:
    """Say who wins, and write the proof where one is asked for; no other option has a place here."""
    from noughts.domain.infinite import format_infinite, infinite_k
    from noughts.reports.play.infinite import infinite_forms
    from noughts.solving.infinite import solve_infinite

    board = format_infinite(infinite_k(given["board"]))
    left_out = [name for name in given if name not in _TAKEN and is_typed(name)]
    require_sense(
        *(
            (True, f"{_NAMES.get(name, '--' + name.replace('_', '-'))} has no place with {board}: leave it out")
            for name in left_out
        ),
        (to.form not in _FORMS, f"--format {to.form} has no place with {board}: use {', '.join(_FORMS)}"),
    )
    proof_file = writable(given.get("proof"))
    value = solve_infinite(board, progress=progress_line())
    if proof_file is not None:
        put_file(proof_file, ("\n".join(value.proof_lines()) + "\n").encode())
    to.write(infinite_forms(value, to.look, proof=given.get("proof")))
