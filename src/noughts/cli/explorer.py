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
    """Serve the explorer: boards, positions, games, numbers and an opponent, as pages with links.

    It prints the address, needs no network, and stops at Ctrl-C. It answers this machine only, unless --host says
    otherwise, as in --host 0.0.0.0; then --allow-host names the name under which others reach it. --bot, which may be
    given several times, names a policy file that says its board: an opponent of the name of the file.
    """

    forms = ()

    host: str = option("The address to listen on; this machine's own.", "127.0.0.1", metavar="HOST")
    port: int = option("The port; 0 takes any that is free.", 8000, metavar="N")
    allow_hosts: tuple[str, ...] = option("Answer under this name, too.", (), name="allow_host", metavar="NAME")
    bots: tuple[str, ...] = option("Let people play this bot, too.", (), name="bot", metavar="FILE.json")
    open_browser: bool = option("Open it in the browser.", False, name="open")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return that pages name cells otherwise."""
        return (
            (are_numbered(), "--cells numbers has no place with serve, whose pages name cells a1 to c3: leave it out"),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Serve until the program is interrupted."""

        def tell(address: str) -> None:
            at_rest()
            print(address, flush=True)
            if not is_loopback(self.host):
                print(f"noughts: everybody who reaches {self.host} can ask this server", file=sys.stderr, flush=True)

        serve(self.host, self.port, started=tell, **self.parts("allow_hosts", "bots", "open_browser"))
        return VerbAnswer(None, {})


@dataclass(frozen=True, kw_only=True)
class SiteRequest(RuledRequest, Shared):
    """Write every position of BOARD as linked pages that open without server, network or JavaScript.

    They are the pages of noughts serve: the board, how many games under every convention, opening theory, endings, the
    reduced tree, a page for each ply and each position; each with its data as JSON. With --moves, --x-moves, --o-moves
    and --end (line or decided): the pages of what players who keep to these rules reach, with the games that go
    through each.
    """

    forms = ()

    board: str | Board = argument(default="3x3")
    output: str = option("The folder to make.", MISSING, short="-o", metavar="DIR")
    force: bool = option("Replace a site that is there.", False)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return what was written."""
        makers = None if self.workers is None and self.on is None else caller.workers(self.workers, self.on)
        how = {"force": self.force, "progress": caller.progress, "workers": makers, **self.play}
        written = site(self.board, self.output, **how)
        return VerbAnswer(written, {"": lambda: as_text(site_report(written), caller.look)})
