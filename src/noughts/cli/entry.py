"""The start of the process: an interrupt ends it quietly until the command line handles signals."""

from __future__ import annotations

import signal
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and exit, as `noughts.cli.main.main`.

    With the default handler Python would print a traceback for an interrupt during the imports.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from noughts.cli.main import main as run

    run()
