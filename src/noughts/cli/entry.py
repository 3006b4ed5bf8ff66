"""Where the process of the command line begins: an interrupt ends it without a word until somebody attends to it."""

from __future__ import annotations

import signal
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and exit, as `noughts.cli.main.main`.

    Python says with a traceback where it was interrupted while modules are imported; the system ends a process quietly.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from noughts.cli.main import main as run

    run()
