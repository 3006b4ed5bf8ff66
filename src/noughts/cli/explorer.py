"""`noughts serve` and `noughts site`: the explorer as pages of a server, and as pages in a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import MISSING, dataclass

from noughts.cli.progress import at_rest
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.cells import are_numbered
from noughts.verbs.export import site_report
from noughts.verbs.request import Caller, RuledRequest, Shared, VerbAnswer, VerbRequest, argument, option
from noughts.web.folder import site
from noughts.web.server import is_loopback, serve


@dataclass(frozen=True, kw_only=True)
class ServeRequest(VerbRequest):
    """Explorer in a browser: boards, positions, games, numbers and an opponent, as linked pages.

    It prints the address, works without a network, and stops at Ctrl-C. It answers this machine only, unless --host
    names another address, as in --host 0.0.0.0. Then --allow-host gives the name that other machines use. --bot adds a
    policy as an opponent: a file that names its board, or any policy with a name, such as mine=program:./bot.
    """

    forms = ()

    host: str = option("Address to listen on", "127.0.0.1", metavar="HOST")
    port: int = option("Port; 0 for any free one", 8000, metavar="N")
    allow_hosts: tuple[str, ...] = option(
        "Additional host name of this server; repeat for more", (), name="allow_host", metavar="NAME"
    )
    bots: tuple[str, ...] = option(
        "Additional opponent; repeat for more", (), name="bot", metavar="FILE.json|NAME=POLICY"
    )
    open_browser: bool = option("Browser opened at the start", False, name="open")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            (
                are_numbered(),
                "--cells numbers cannot be used with serve, whose pages use the names a1 to c3: remove --cells",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Serve until an interrupt."""

        def tell(address: str) -> None:
            at_rest()
            print(address, flush=True)
            if not is_loopback(self.host):
                print(f"noughts: everyone who can reach {self.host} can use this server", file=sys.stderr, flush=True)

        serve(self.host, self.port, started=tell, **self.parts("allow_hosts", "bots", "open_browser"))
        return VerbAnswer(None, {})


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
