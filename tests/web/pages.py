"""What tests of pages share: an address answered, its links, and what the command line says."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from click.testing import CliRunner

from noughts.cli.main import command
from noughts.domain.errors import InputError
from noughts.web.addresses import read_address
from noughts.web.answering import answer
from noughts.web.ask import PageReply

__all__ = ["get", "links_in", "page", "printed", "refused", "text_of", "twin"]


def get(address: str) -> PageReply:
    parts = urlsplit(address)
    return answer(read_address(parts.path, parts.query))


def page(address: str) -> str:
    reply = get(address)
    assert reply.status == 200, reply.body.decode()
    return reply.body.decode()


def refused(address: str) -> str:
    """Return the one sentence with which parameters are refused, whether they are read or answered."""
    parts = urlsplit(address)
    try:
        reply = answer(read_address(parts.path, parts.query))
    except InputError as error:
        return str(error)
    assert reply.status == 400
    return reply.body.decode()


def text_of(html: str) -> str:
    """Return what a reader sees, spaces joined."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def links_in(html: str) -> list[str]:
    """Return the addresses that a page leads to, each once, its own parts, shared files and the manual left out."""
    found = dict.fromkeys(unescape(to) for to in re.findall(r'href="([^"]*)"', html))
    return [to for to in found if not to.startswith(("#", "/static/", "/docs/", "http"))]


def printed(*words: str) -> str:
    result = CliRunner().invoke(command, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def twin(address: str, *words: str) -> Any:
    """Check that the data of an address are what the command prints, and return them."""
    reply = get(address)
    assert reply.status == 200, reply.body.decode()
    assert reply.body.decode() == printed(*words)
    return json.loads(reply.body) if reply.media == "application/json" else reply.body
