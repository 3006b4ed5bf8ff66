"""The options --workers and --on: who does the work, and where it is to be watched."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from noughts.cli.progress import QUIET

if TYPE_CHECKING:
    from noughts.machine.workers import Workers

__all__ = ["worker_options", "workers_of"]

F = TypeVar("F", bound=Callable[..., Any])


def worker_options(function: F) -> F:
    """Add --workers and --on."""
    function = click.option(
        "--on", metavar="ADDRESS", help="Work on the cluster whose scheduler is there: tcp://host:8786."
    )(function)
    return click.option(
        "--workers", type=click.IntRange(min=1), metavar="N", help="Work in so many processes of this machine."
    )(function)


@contextmanager
def workers_of(workers: int | None, on: str | None) -> Iterator[Workers]:
    """Give the workers of --workers or --on, else threads; say where the page of a cluster is."""
    from noughts.machine.joining import working

    with working(workers, on) as found:
        page = getattr(found, "page", None)
        if page is not None and not os.environ.get(QUIET):
            threads = "1 thread" if found.count == 1 else f"{found.count} threads"
            print(f"noughts: {threads} of workers, to be watched at {page}", file=sys.stderr, flush=True)
        yield found
