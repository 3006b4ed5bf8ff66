"""Records of positions as small boards on a page: in groups under headings, each with its link and what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from noughts.records.record import Record
from noughts.web.ask import Ask
from noughts.web.boards import picture
from noughts.web.kinds import RULE_NAMES
from noughts.web.links import Links
from noughts.web.recorded import Drawn, ended

__all__ = ["BoardGroup", "drawn_records", "grouped_by", "label_of", "rules_of"]


@dataclass(frozen=True)
class BoardGroup:
    """Some boards under a heading, with how many there are in all, of which these may be a part."""

    heading: str
    number: int
    boards: Sequence[Drawn]


def rules_of(ask: Ask) -> dict[str, str]:
    """Return the rules of play that an address gives."""
    return {name: value for name, value in ask.query if name in RULE_NAMES}


def label_of(record: Record) -> str:
    """Return the heading under which a record stands: `Game over: X has won`, or its label."""
    label = f"game over: {ended(record)}" if record.is_terminal else record.label
    return f"{label[0].upper()}{label[1:]}"


def drawn_records(
    records: Iterable[Record],
    links: Links,
    rules: Mapping[str, str],
    words: Callable[[Record], str],
    head: Callable[[Record], str] = lambda record: "",
) -> list[Drawn]:
    """Return records as small boards, each with a `head` in bold and the name of its pattern, or `words`."""
    return [
        Drawn(
            picture(record.position),
            links.position(record.position, **rules),
            head(record),
            record.pattern or words(record),
        )
        for record in records
    ]


def grouped_by(records: Sequence[Record], name: Callable[[Record], str]) -> dict[str, list[Record]]:
    """Return records by the names of their groups, which keep the order in which they are met."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(name(record), []).append(record)
    return found
