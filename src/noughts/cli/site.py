"""`noughts site`: the whole catalogue as static pages."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import click

from noughts.cli.options import Verb, rule_options, worker_options, workers_of
from noughts.cli.progress import at_rest, progress_line
from noughts.cli.sink import screen

__all__ = ["site"]


@click.command(cls=Verb, short_help="The whole catalogue as pages to open from a folder.")
@click.argument("board", default="3x3")
@rule_options()
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder to make.")
@click.option("--force", is_flag=True, help="Replace a site that is there.")
@worker_options
def site(board: str, output: str, force: bool, workers: int | None, on: str | None, **rules: Any) -> None:
    """Write every position of BOARD as linked pages that open without server, network or JavaScript.

    They are the pages of noughts serve: the board, how many games under every convention, opening theory, endings, the
    reduced tree, a page for each ply and each position; each with its data as JSON. With --moves, --x-moves, --o-moves
    and --end (line or decided): the pages of what players who keep to these rules reach, with the games that go
    through each.
    """
    from noughts.present.text import as_text
    from noughts.verbs.export import site_report
    from noughts.web.folder import site as ask

    with nullcontext() if workers is None and on is None else workers_of(workers, on) as makers:
        written = ask(board, output, force=force, progress=progress_line(), workers=makers, **rules)
    at_rest()
    print(as_text(site_report(written), screen()), end="")
