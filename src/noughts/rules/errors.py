"""The errors of the package, each with the exit code of the command line.

- `NoughtsError`, exit code 1
  - `InputError`, exit code 2: the input cannot be read or contradicts itself
    - `InvalidType`, also a TypeError: a value has a wrong type
    - `InvalidBoard`, `InvalidCell`, `InvalidPosition`, `InvalidQuestion`
  - `BudgetError`, exit code 3: the request needs more memory, time or cells than allowed
  - `CheckError`, exit code 1: a result or a file fails a check
  - `FileError`, exit code 4: a file or disk cannot be read or written
  - `ClusterError`, exit code 4: workers in other processes fail
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
    """Any error that the package raises on purpose; its message is one sentence for people."""

    exit_code = 1


class InputError(NoughtsError, ValueError):
    """The input cannot be read or contradicts itself; the message says what works."""

    exit_code = 2


class InvalidBoard(InputError):
    """No board has this specification."""


class InvalidCell(InputError):
    """The board has no such cell."""


class InvalidPosition(InputError):
    """The text is not a position of the board, or the position cannot arise in play."""


class InvalidQuestion(InputError):
    """The parts of a question contradict each other."""


class InvalidType(InputError, TypeError):
    """A value has a wrong type; the message says which type works."""


class BudgetError(NoughtsError):
    """The request needs more memory, time or cells than allowed."""

    exit_code = 3


class CheckError(NoughtsError):
    """A result contradicts a law, another engine or a published number."""

    exit_code = 1


class FileError(NoughtsError, OSError):
    """A file or a disk failed; the message names the path and the remedy. No half-written file is left."""

    exit_code = 4

    def __str__(self) -> str:
        return str(self.args[0])


class ClusterError(NoughtsError):
    """Workers in other processes failed; the message says where, and what to do. Saved work can be resumed."""

    exit_code = 4


_WRITTEN = 200
"""Most bits of an integer in a message; Python refuses to write more than 4,300 digits."""


def shown(given: object, limit: int = 40) -> str:
    """Return a value quoted for a message of one line: escaped, and cut after `limit` characters."""
    if isinstance(given, int) and given.bit_length() > _WRITTEN:
        return f"{type(given).__name__} of {given.bit_length():,} bits"
    text = given if isinstance(given, str) else repr(given)
    if len(text) > limit:
        return ascii(text[:limit])[:-1] + "...' (" + f"{len(text):,} characters)"
    return ascii(text)
