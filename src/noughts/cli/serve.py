"""`noughts serve`: the explorer in a browser."""

from __future__ import annotations

import sys

import click

from noughts.cli.options import Verb
from noughts.cli.progress import at_rest
from noughts.rules.cells import are_numbered
from noughts.rules.errors import InputError

__all__ = ["serve"]


@click.command(cls=Verb, short_help="Look, explore and play in a browser.")
@click.option("--host", default="127.0.0.1", metavar="HOST", help="The address to listen on; this machine's own.")
@click.option("--port", default=8000, type=int, metavar="N", help="The port; 0 takes any that is free.")
@click.option("--allow-host", "allow_hosts", multiple=True, metavar="NAME", help="Answer under this name, too.")
@click.option("--bot", "bots", multiple=True, metavar="FILE.json", help="Let people play this bot, too.")
@click.option("--open", "open_browser", is_flag=True, help="Open it in the browser.")
def serve(host: str, port: int, allow_hosts: tuple[str, ...], bots: tuple[str, ...], open_browser: bool) -> None:
    """Serve the explorer: boards, positions, games, numbers and an opponent, as pages with links.

    It prints the address, needs no network, and stops at Ctrl-C. It answers this machine only, unless --host says
    otherwise, as in --host 0.0.0.0; then --allow-host names the name under which others reach it. --bot, which may be
    given several times, names a policy file that says its board: an opponent of the name of the file.
    """
    if are_numbered():
        raise InputError("--cells numbers has no place with serve, whose pages name cells a1 to c3: leave it out")
    from noughts.web.server import is_loopback
    from noughts.web.server import serve as start

    def tell(address: str) -> None:
        at_rest()
        print(address, flush=True)
        if not is_loopback(host):
            print(f"noughts: everybody who reaches {host} can ask this server", file=sys.stderr, flush=True)

    start(host, port, allow_hosts=allow_hosts, bots=bots, open_browser=open_browser, started=tell)
