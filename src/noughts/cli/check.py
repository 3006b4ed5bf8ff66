"""`noughts check`: certificates judged by playing every reply."""

from __future__ import annotations

from time import monotonic

import click

from noughts.cli.options import Verb, time_budget
from noughts.cli.sink import Sink, answers

__all__ = ["check"]


@click.command(cls=Verb, short_help="Judge certificates: proofs, strategies, cribs, policies.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@answers("table", "json")
@click.option("--time", metavar="TIME", help="Give up what is not judged by then, of all files: 10s, 5m.")
def check(files: tuple[str, ...], time: str | None, to: Sink) -> None:
    """Judge the certificate in each FILE (- for standard input) by playing every reply.

    Reads proofs (noughts solve --proof), blindfold strategies and values, cribs and policies. Exit code 0 where all
    hold; else that of the first that does not: 1 if it is wrong, 2 if it is no certificate, 3 if --time is over, 4 if
    it cannot be read.
    """
    from noughts.judge.certificates import check as judge
    from noughts.rules.errors import InputError
    from noughts.verbs.check import failure, forms

    if files.count("-") > 1:
        raise InputError("standard input can be read once: name - one time only")
    seconds = time_budget(time)
    deadline = None if seconds is None else monotonic() + seconds
    found = [judge(file, time=None if deadline is None else max(0.0, deadline - monotonic())) for file in files]
    failing = [each.error for each in found if each.error is not None]
    if len(found) > 1 or not failing or found[0].found is not None or failing[0].exit_code == 1:
        to.write(forms(found, to.look))
    if failing:
        raise type(failing[0])(failure(found))
