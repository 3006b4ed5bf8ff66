"""The lines of a certificate, read one by one, with the number of the line for whoever finds a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, NoReturn, TypeVar

from noughts.domain.errors import CheckError, shown

__all__ = ["ProofFault", "Script", "SectionCount", "judged"]

State = TypeVar("State")


class ProofFault(CheckError):
    """A certificate does not prove what it claims; the text names the line."""


class SectionCount(NamedTuple):
    """What a section settles: positions that have a line of their own, and replies to all of them."""

    positions: int = 0
    replies: int = 0


class Script:
    """The lines of a certificate; `cell_count` is the number of cells of its board."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at, self.cell_count = lines, 0, 0

    def fault(self, why: str) -> NoReturn:
        """Raise ProofFault about the line that was read last."""
        written = f" ({shown(self.lines[self.at - 1])})" if 0 < self.at <= len(self.lines) else ""
        raise ProofFault(f"line {self.at:,}{written}: {why}")

    def peek(self) -> str | None:
        """Return the next line, None at the end."""
        return self.lines[self.at] if self.at < len(self.lines) else None

    def next_line(self, section: str) -> str:
        """Return the next line of a section, which has to be there."""
        if self.at >= len(self.lines):
            self.fault(f"the certificate ends in the middle of a section {section}")
        self.at += 1
        return self.lines[self.at - 1]

    def cell(self, text: str) -> int:
        """Return the number of a cell."""
        text = text.strip()
        if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) < self.cell_count):
            self.fault(f"{shown(text)} is no cell: cells are 0 to {self.cell_count - 1}")
        return int(text)

    def cells(self, text: str) -> list[int]:
        """Return the numbers of several cells."""
        return [self.cell(each) for each in text.split()]


def judged(first: Iterator[State], opened: Callable[[State], Iterator[State]]) -> None:
    """Open some states, and whatever they leave to be opened, in preorder.

    `opened` reads the line of a state when it is called, and returns what needs lines after it.
    """
    waiting = [first]
    while waiting:
        following = next(waiting[-1], None)
        if following is None:
            waiting.pop()
        else:
            waiting.append(opened(following))
