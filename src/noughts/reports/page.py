"""A report: what there is to say about a result, as plain data that any front end can lay out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from noughts.reports.tables import Table

__all__ = ["PIPE", "Block", "Commands", "How", "Look", "Paragraph", "Pictures", "Report", "Verbatim", "try_next"]


@dataclass(frozen=True)
class Paragraph:
    """Sentences to be wrapped: `indent` goes before the first line, `hang` before the others."""

    text: str
    hang: str = ""
    indent: str = ""


@dataclass(frozen=True)
class Verbatim:
    """Lines that stay as they are: a board drawn in characters, a list."""

    text: str


@dataclass(frozen=True)
class Pictures:
    """Small drawings of characters, each of lines of one width: side by side as far as there is room."""

    drawings: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class How:
    """How the answer is known."""

    text: str


@dataclass(frozen=True)
class Commands:
    """Commands to type, one a line under a heading if there is any, or all in the line of the heading."""

    commands: tuple[str, ...]
    heading: str = ""
    indent: str = "  "
    inline: bool = False


Block = Paragraph | Verbatim | Pictures | Table | How | Commands


@dataclass(frozen=True)
class Report:
    """Sections of blocks: the answer first, in words; then what supports it, how it is known, and what to try next."""

    sections: tuple[tuple[Block, ...], ...]

    @classmethod
    def of(cls, *sections: Sequence[Block | str]) -> Report:
        """Return the report of these sections, plain text as paragraphs; those without a block are left out."""
        blocks = (tuple(Paragraph(each) if isinstance(each, str) else each for each in part) for part in sections)
        return cls(tuple(part for part in blocks if part))

    @property
    def headline(self) -> str:
        """The first sentence or sentences: the answer."""
        return next(block.text for part in self.sections for block in part if isinstance(block, Paragraph))


def try_next(*commands: str) -> Commands:
    """Return commands that a reader may want to try after this answer."""
    return Commands(commands, "Try next:")


@dataclass(frozen=True)
class Look:
    """What an answer is laid out for: a pipe unless given.

    Sentences are wrapped to `width`. `columns` is how wide a table may be, None where anything fits; `frame` draws a
    table with a frame that fits a width, None where tables have none. Pictures take colours by `theme`, and pages of a
    PDF are `paper` (a3 or a4), or as large as their picture.
    """

    width: int = 100
    columns: int | None = None
    frame: Callable[[Table, int], str] | None = None
    theme: str = "light"
    paper: str | None = None


PIPE = Look()
