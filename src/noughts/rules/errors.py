"""The errors of the package, each with the exit code that the command line gives it.

NoughtsError                 exit code 1
 ├── InputError              exit code 2: what was given cannot be read or makes no sense
 │    ├── InvalidType         also a TypeError: not the kind of thing that was asked for
 │    ├── InvalidBoard
 │    ├── InvalidCell
 │    ├── InvalidPosition
 │    └── InvalidQuestion
 ├── BudgetError             exit code 3: refused before work starts, with the estimate
 ├── CheckError              exit code 1: a result or a file failed a check
 ├── FileError               exit code 4: a file or disk that cannot be read or written
 └── ClusterError            exit code 4: a cluster that cannot be reached, is made of something else, or is gone
"""

from __future__ import annotations

__all__ = [
    "BudgetError",
    "CheckError",
    "ClusterError",
    "FileError",
    "InputError",
    "InvalidBoard",
    "InvalidCell",
    "InvalidPosition",
    "InvalidQuestion",
    "InvalidType",
    "NoughtsError",
    "shown",
]


class NoughtsError(Exception):
    """Any error that the package raises on purpose; its text is one sentence for people."""

    exit_code = 1


class InputError(NoughtsError, ValueError):
    """What was given cannot be read or makes no sense; the text says what would work."""

    exit_code = 2


class InvalidBoard(InputError):
    """No board has this specification."""


class InvalidCell(InputError):
    """The board has no such cell."""


class InvalidPosition(InputError):
    """The text is no position of the board, or the position cannot arise in play."""


class InvalidQuestion(InputError):
    """The parts of a question contradict each other."""


class InvalidType(InputError, TypeError):
    """What was given is not the kind of thing that was asked for; the text says what kind would work."""


class BudgetError(NoughtsError):
    """The request needs more memory, time or cells than allowed; nothing was started."""

    exit_code = 3


class CheckError(NoughtsError):
    """A result contradicts a law, another engine or a published number."""

    exit_code = 1


class FileError(NoughtsError, OSError):
    """A file or a disk failed; the text names the path and the remedy, and nothing half written was left."""

    exit_code = 4

    def __str__(self) -> str:
        return str(self.args[0])


class ClusterError(NoughtsError):
    """Workers in other processes failed; the text says where and the remedy, and what was kept is gone on with."""

    exit_code = 4


def shown(given: object, limit: int = 40) -> str:
    """Return what was given, quoted for a one-line message: escaped, and cut after `limit` characters."""
    text = given if isinstance(given, str) else repr(given)
    if len(text) > limit:
        return ascii(text[:limit])[:-1] + "...' (" + f"{len(text):,} characters)"
    return ascii(text)
