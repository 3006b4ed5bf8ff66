"""`noughts verify`: every known number computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from noughts.cli.options import Verb, budget_options, is_typed, limits_of, require_sense, time_budget
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

if TYPE_CHECKING:
    from noughts.judge.bench import NumberCheck

__all__ = ["verify"]

T = TypeVar("T")


@click.command(cls=Verb, short_help="Re-derive every known number.")
@click.argument("directory", required=False)
@answers("table", "json")
@budget_options("10s")
@click.option("--all", "everything", is_flag=True, help="Derive every board's value anew too, and judge its proof.")
def verify(directory: str | None, memory: str | None, time: str | None, everything: bool, to: Sink) -> None:
    """Compute every published number again, and the terms that go beyond them; exit with 1 if any differs.

    --memory and --time bound each single computation; what does not fit is named as out of reach. The proofs that come
    with noughts are judged, and what one engine gave alone is named; with --all a second is asked also where none is
    quick, and every value in the table of boards is derived again with its proof, which is judged, however long each
    takes unless --time is given. With a DIRECTORY written by noughts solve --save: derive every value in it again from
    its successors.
    """
    from noughts.judge.numbers import verdicts
    from noughts.judge.values import derived_values
    from noughts.machine.budget import Limits
    from noughts.machine.workers import silent
    from noughts.verbs.verify import forms

    if directory is not None:
        for name, option in {"memory": "memory", "time": "time", "everything": "all"}.items():
            require_sense(
                (
                    is_typed(name),
                    f"--{option} has no place with a DIRECTORY, every value of which is derived: leave it out",
                )
            )
        _verify_table(directory, to)
    known: list[NumberCheck] = []
    limits_of(memory, time)  # what is more than is free is said once
    found = verdicts(lambda: Limits.of(memory, time or "10s"), patient=everything)
    if everything:
        seconds = time_budget(time) if is_typed("time") else None
        found = chain(found, derived_values(memory, seconds, progress_line() or silent))
    to.write(forms(_kept(found, known)))
    raise SystemExit(1 if any(verdict.status == "differs" for verdict in known) else 0)


def _kept(found: Iterable[T], known: list[T]) -> Iterator[T]:
    """Yield what is found, and keep it: the exit code follows from it."""
    for each in found:
        known.append(each)
        yield each


def _verify_table(directory: str, to: Sink) -> NoReturn:
    """Check a table on disk, one line for each part of it; exit with 1 if one is wrong."""
    from pathlib import Path

    from noughts.machine.workers import workers_for
    from noughts.solving.saved import Finding, audit
    from noughts.verbs.verify import audit_forms

    known: list[Finding] = []
    to.write(audit_forms(directory, _kept(audit(Path(directory), workers_for()), known)))
    raise SystemExit(0 if all(finding.ok for finding in known) else 1)
