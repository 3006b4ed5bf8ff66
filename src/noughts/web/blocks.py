"""A report as a page lays it out: paragraphs, tables, and commands as links where pages answer them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from noughts.reports.page import Block, Commands, How, Paragraph, Verbatim
from noughts.reports.tables import Table
from noughts.web.asked import ask_of_command
from noughts.web.links import Links

__all__ = ["HtmlBlock", "blocks_of", "command_link"]


@dataclass(frozen=True)
class HtmlBlock:
    """One block: `kind` is text, verbatim, table, commands or how; the others are what that kind needs."""

    kind: str
    text: str = ""
    depth: int = 0
    table: Table | None = None
    commands: tuple[tuple[str, str | None], ...] = ()


def command_link(command: str, links: Links) -> str | None:
    """Return the link to the page that answers a command, None where there is none."""
    ask = ask_of_command(command)
    return None if ask is None else links.to(ask)


_PAGES = re.compile(r" \(docs/[\w/-]+\.md\)")
"""Pages of the documentation named in a sentence: on a page there is no link to them."""


def blocks_of(blocks: Iterable[Block | str], links: Links) -> list[HtmlBlock]:
    """Return blocks of a report for the macro `report` of the templates."""
    return [_block(block, links) for block in blocks]


def _block(block: Block | str, links: Links) -> HtmlBlock:
    if isinstance(block, str):
        return HtmlBlock("text", block)
    if isinstance(block, Table):
        return HtmlBlock("table", table=block)
    if isinstance(block, Commands):
        commands = tuple((command, command_link(command, links)) for command in block.commands)
        return HtmlBlock("commands", block.heading, commands=commands)
    if isinstance(block, How):
        return HtmlBlock("how", _PAGES.sub("", block.text))
    if isinstance(block, Paragraph):
        plain = block.text.lstrip(" ")
        return HtmlBlock("text", plain, (len(block.text) - len(plain) + len(block.indent)) // 2)
    assert isinstance(block, Verbatim)
    return HtmlBlock("verbatim", block.text)
