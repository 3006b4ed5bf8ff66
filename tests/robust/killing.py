"""Runs of the command line that are killed, each a child of this process: `python -m tests.robust.killing` with JSON.

Of each order `words` is run in the folder `within`, and killed: after so many `seconds`, or before the `call`-th call
that changes a disk. With `others` it is stopped there instead, while those are run; then it goes on. With `warm` it is
run here, so that the children have everything loaded. The answer is one JSON line for each order: how each run ended
(a code, or the negative number of a signal), and how long it took. What may be kept now and then is kept every time.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NoReturn

from noughts.cli.main import main
from noughts.counting.saved import Checkpoint

_CHANGING = ("fsync", "replace", "unlink")


def _at_call(number: int, what: int) -> None:
    """Send a signal to this process before the call of that number that changes a disk."""
    made = 0

    def around(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            nonlocal made
            made += 1
            if made == number:
                os.kill(os.getpid(), what)
            return call(*given, **named)

        return called

    for name in _CHANGING:
        setattr(os, name, around(getattr(os, name)))


def _code(words: list[str], within: str) -> int:
    """Return how words end that are run in a folder."""
    os.chdir(within)
    try:
        main(words)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0


def _run(words: list[str], within: str, log: str, call: int, what: int) -> NoReturn:
    """Be the child: run the words and end."""
    code = 70
    try:
        for descriptor in (1, 2):
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), descriptor)
        if call:
            _at_call(call, what)
        code = _code(words, within)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _begun(order: dict[str, Any], log: str, what: int = signal.SIGKILL) -> int:
    child = os.fork()
    if child == 0:
        _run(order["words"], order["within"], log, order.get("call", 0), what)
    return child


def _ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _killed(order: dict[str, Any], log: str) -> int:
    child = _begun(order, log)
    if "seconds" in order:
        time.sleep(order["seconds"])
        os.kill(child, signal.SIGKILL)
    return _ended(child)


def _stopped(order: dict[str, Any], log: str) -> list[int]:
    """Return how a run ended that was stopped for a while, and how those ended that came meanwhile."""
    child = _begun(order, log, signal.SIGSTOP)
    _, status = os.waitpid(child, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        return [os.waitstatus_to_exitcode(status)]
    others = [_ended(_begun({"words": words, "within": order["within"]}, log)) for words in order["others"]]
    os.kill(child, signal.SIGCONT)
    return [_ended(child), *others]


def _ends(order: dict[str, Any]) -> list[int]:
    if "warm" in order:
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            return [_code(order["words"], order["within"])]
    return _stopped(order, order["log"]) if "others" in order else [_killed(order, order["log"])]


if __name__ == "__main__":
    Checkpoint.__init__.__defaults__ = (0.0,)
    for row in sys.stdin:
        begun = time.monotonic()
        found = _ends(json.loads(row))
        print(json.dumps({"ended": found, "seconds": time.monotonic() - begun}), flush=True)
