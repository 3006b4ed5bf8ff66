"""`noughts engine`: our players behind the protocol of other programs, on standard input and output."""

from __future__ import annotations

import sys

import click

from noughts.cli.options import Verb
from noughts.cli.progress import at_rest
from noughts.rules.cells import are_numbered
from noughts.rules.errors import InputError

__all__ = ["engine"]

_STRENGTH = "easy|medium|hard|perfect|random|...|FILE.json|genome:..."


@click.command(cls=Verb, short_help="Play over standard input and output.")
@click.argument("board", default="3x3")
@click.option("--strength", metavar=_STRENGTH, default="perfect", help="How it plays: any policy (perfect).")
@click.option("--seed", metavar="TEXT", help="Play the same move whenever asked the same.")
def engine(board: str, strength: str, seed: str | None) -> None:
    """Speak the protocol UGI: ugi, isready, position startpos moves a1 b2, go, quit; one order a line.

    Other programs can play ours by it, on any board and at any strength. The same can be set by setoption, as Board,
    Strength and Seed.
    """
    from noughts.bots.engine import engine as make

    if are_numbered():
        raise InputError("the protocol names cells a1, b1, ...: leave out --cells numbers")
    made = make(board, strength, seed=seed)
    at_rest()
    if sys.stdin.isatty():
        print("noughts: type ugi, then position startpos moves a1, go; quit ends", file=sys.stderr)
    made.run(sys.stdin.buffer, sys.stdout.buffer)
