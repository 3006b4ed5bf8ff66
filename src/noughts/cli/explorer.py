"""`noughts serve` and `noughts site`: the explorer as pages of a server, and as pages in a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import MISSING, dataclass
from io import StringIO
from textwrap import fill

from noughts.cli.progress import at_rest
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.cells import are_numbered
from noughts.verbs.export import site_report
from noughts.verbs.request import Caller, RuledRequest, Shared, VerbAnswer, VerbRequest, argument, option
from noughts.web.folder import site
from noughts.web.server import is_loopback, network_address, serve


@dataclass(frozen=True, kw_only=True)
class ServeRequest(VerbRequest):
    """Explorer in a browser: boards, positions, games, numbers and an opponent, as linked pages.

    It prints the address, works without a network, and stops at Ctrl-C. It answers this machine only, unless --host
    names another address, as in --host 0.0.0.0. Then --allow-host gives the name that other machines use. --share opens
    it to the local network, for a class in a room, with a QR code of the address. --bot adds a policy as an opponent: a
    file that names its board, or any policy with a name, such as mine=program:./bot.
    """

    forms = ()

    host: str = option("Address to listen on", "127.0.0.1", metavar="HOST")
    share: bool = option("Open to the local network, with a QR code of the address", False)
    port: int = option("Port; 0 for any free one", 8000, metavar="N")
    allow_hosts: tuple[str, ...] = option(
        "Additional host name of this server; repeat for more", (), name="allow_host", metavar="NAME"
    )
    public: str = option("Public address of this server, for codes on sheets", "", metavar="URL")
    bots: tuple[str, ...] = option(
        "Additional opponent; repeat for more", (), name="bot", metavar="FILE.json|NAME=POLICY"
    )
    open_browser: bool = option("Browser opened at the start", False, name="open")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            (self.share and "host" in self.given, "--share listens on all addresses: remove --host"),
            (
                are_numbered(),
                "--cells numbers cannot be used with serve, whose pages use the names a1 to c3: remove --cells",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Serve until an interrupt."""

        host = "0.0.0.0" if self.share else self.host

        def tell(address: str) -> None:
            at_rest()
            print(_invitation(address.splitlines()) if self.share else address, flush=True)
            if not self.share and not is_loopback(host):
                print(f"noughts: everyone who can reach {host} can use this server", file=sys.stderr, flush=True)

        serve(host, self.port, started=tell, **self.parts("allow_hosts", "public", "bots", "open_browser"))
        return VerbAnswer(None, {})


def _invitation(addresses: list[str]) -> str:
    """Return the address in the local network, its QR code on a terminal that can print it, and what it opens."""
    numbered = network_address(addresses)
    if not numbered:
        return f"{addresses[0]}\nThis machine has no network: only it can open the pages."
    words = (
        "Everyone in this network can open the pages: play, ask, print. They cannot change or read anything on this "
        "machine, and nothing about them is stored. Ctrl-C ends it."
    )
    code = StringIO()
    if sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf"):
        import segno  # only here

        segno.make_qr(numbered).terminal(code, compact=True)
    return f"{code.getvalue()}{numbered}\n{fill(words, 78)}"


@dataclass(frozen=True, kw_only=True)
class SiteRequest(RuledRequest, Shared):
    """Linked pages for every position of BOARD, which work without server, network and JavaScript.

    They are the pages of noughts serve: the board, the games under every convention, opening theory, endings, the
    reduced tree, and every ply and position, each with its data as JSON. With --moves, --x-moves, --o-moves or --end
    (line or decided) they cover the positions reachable under these rules, with the number of games through each.
    """

    forms = ()

    board: str | Board = argument(default="3x3")
    output: str = option("New folder", MISSING, short="-o", metavar="DIR")
    end: str = option("End of the game", "line", choices=("line", "decided"))
    force: bool = option("Replacement of an existing site", False)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Write the pages, and return their description."""
        makers = None if self.workers is None and self.on is None else caller.workers(self.workers, self.on)
        how = {"force": self.force, "progress": caller.progress, "workers": makers, **self.play}
        written = site(self.board, self.output, **how)
        return VerbAnswer(written, {"": lambda: as_text(site_report(written), caller.look)})
