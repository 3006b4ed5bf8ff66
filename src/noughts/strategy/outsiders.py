"""May what is read here start a program? Yes on the command line and from Python; not what files and addresses say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from noughts.domain.errors import InputError

__all__ = ["no_programs", "require_programs"]

_ALLOWED: ContextVar[bool] = ContextVar("_ALLOWED", default=True)


@contextmanager
def no_programs() -> Iterator[None]:
    """Let nothing that is read within start a program: it came from a file, an address, or another program."""
    token = _ALLOWED.set(False)
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def require_programs() -> None:
    """Raise InputError where no programs are run."""
    if not _ALLOWED.get():
        raise InputError("a policy that is a program is not run here: give it on the command line or from Python")
