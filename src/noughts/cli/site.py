"""`noughts site`: the whole catalogue as static pages."""

from __future__ import annotations

import click

from noughts.cli.progress import progress_line
from noughts.cli.screen import screen
from noughts.cli.verb import Verb

__all__ = ["site"]


@click.command(cls=Verb, short_help="The whole catalogue as pages to open from a folder.")
@click.argument("board", default="3x3")
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder to make.")
@click.option("--force", is_flag=True, help="Replace a site that is there.")
def site(board: str, output: str, force: bool) -> None:
    """Write every position of BOARD as linked pages that open without server, network or JavaScript.

    An index with the census and all conventions, a page for each ply and each position class, opening theory, the
    endings and the reduced tree; each with its data as JSON.
    """
    from noughts.exporting.api import site as ask
    from noughts.reports.catalogue.written import site_report
    from noughts.reports.text import as_text

    written = ask(board, output, force=force, progress=progress_line())
    print(as_text(site_report(written), screen()), end="")
