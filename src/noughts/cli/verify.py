"""`noughts verify`: every known number computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from noughts.cli.options import budget_options, is_typed, limits_of, require_sense
from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb

if TYPE_CHECKING:
    from noughts.verification.verdict import NumberCheck

__all__ = ["verify"]

T = TypeVar("T")


@click.command(cls=Verb, short_help="Re-derive every known number.")
@click.argument("directory", required=False)
@answers("table", "json")
@budget_options("10s")
def verify(directory: str | None, memory: str | None, time: str | None, to: Sink) -> None:
    """Compute every published number again, one line each; exit with 1 if any differs.

    --memory and --time bound each single computation; what does not fit is named as out of reach. With a DIRECTORY
    written by noughts solve --save: derive every value in it again from its successors.
    """
    from noughts.reports.counts.checks import forms
    from noughts.verification.checks import verdicts

    if directory is not None:
        for name in ("memory", "time"):
            require_sense(
                (
                    is_typed(name),
                    f"--{name} has no place with a DIRECTORY, every value of which is derived: leave it out",
                )
            )
        _verify_table(directory, to)
    known: list[NumberCheck] = []
    to.write(forms(_kept(verdicts(limits_of(memory, time or "10s")), known)))
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
    from noughts.reports.counts.checks import audit_forms
    from noughts.solving.audit import Finding, audit

    known: list[Finding] = []
    to.write(audit_forms(directory, _kept(audit(Path(directory), workers_for()), known)))
    raise SystemExit(0 if all(finding.ok for finding in known) else 1)
