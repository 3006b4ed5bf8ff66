"""What is asked becomes bytes: the one function behind the server, its workers, and the pages in a folder."""

from __future__ import annotations

import json
import re
import sys
import traceback
from importlib import import_module

from noughts.domain.errors import BudgetError, NoughtsError
from noughts.strategy.outsiders import no_programs
from noughts.web.addresses import framed_as
from noughts.web.ask import MEDIA, Ask, Form, PageReply
from noughts.web.commands import command_of
from noughts.web.errors import NotFound, Unreachable, status_of
from noughts.web.kinds import RULE_NAMES, kind_named
from noughts.web.links import Links, ServerLinks
from noughts.web.page import PageAnswer
from noughts.web.render import render
from noughts.web.spoken import spoken

__all__ = ["answer", "body_of", "failure", "found_for", "mistake", "safe_answer"]

_FORM_NAMES = {"md": "markdown", "tex": "latex", "txt": "text"}
_DOWNLOADED = ("csv", "md", "tex", "pdf")
"""Forms that a browser keeps as files."""
_BY_RULES = {"board", "position"}
"""Kinds of page that are others where rules bind play."""
_HEADINGS = {
    400: "That cannot be read",
    404: "There is no such page",
    405: "Pages are only read here",
    413: "That is too much at once",
    414: "That address is too long",
    421: "Not served under this name",
    422: "Too much for a page",
    503: "Everybody is busy",
}


def found_for(ask: Ask) -> PageAnswer:
    """Return the answer of the kind of page that is asked for. Raises NoughtsError."""
    kind = kind_named(ask.page)
    by_rules = ask.page in _BY_RULES and any(name in RULE_NAMES for name, _ in ask.query)
    module = import_module(f"noughts.web.pages.{'ruled' if by_rules else kind.module}")
    found: PageAnswer = getattr(module, f"answer_{'ruled' if by_rules else kind.name}")(ask)
    return found


def answer(ask: Ask, links: Links | None = None) -> PageReply:
    """Return the page or the data that is asked for; what goes wrong comes back as a page or as data too.

    Whatever an address says, no program is run for it.
    """
    with no_programs():
        return _answer(ask, links or ServerLinks(ask))


def _answer(ask: Ask, links: Links) -> PageReply:
    try:
        found = found_for(ask)
        if found.location is not None:
            return PageReply(303, MEDIA["html"], b"", found.exact, framed_as(ask, found.location))
        body = body_of(found, ask.form, links)
        return PageReply(200, MEDIA[ask.form], body, found.exact, headers=_named(ask))
    except NoughtsError as error:
        return failure(error, ask, links)


def _named(ask: Ask) -> dict[str, str]:
    """Return the name under which data are kept by who downloads them: `noughts-3x3-count-same-choices.csv`."""
    if ask.form not in _DOWNLOADED:
        return {}
    words = [ask.board.spec if ask.board else "", ask.page, ask.what, *(f"{name}-{text}" for name, text in ask.query)]
    name = re.sub(r"[^A-Za-z0-9_+.]+", "-", "-".join(["noughts", *filter(None, words)]))[:120].strip("-.")
    return {"content-disposition": f'inline; filename="{name}.{ask.form}"'}


def body_of(found: PageAnswer, form: Form, links: Links) -> bytes:
    """Return an answer as a page, or in one of its forms. Raises NoughtsError."""
    if form == "html":
        there = [each for each in kind_named(links.here.page).forms if _FORM_NAMES.get(each, each) in found.forms]
        command = command_of(links.here) if found.command is None else found.command
        return render(found.template, found.title, found.context(links), links, command, there).encode()
    name = _FORM_NAMES.get(form, form)
    if name not in found.forms:
        raise NotFound(f"this is not to be had as .{form}: {', '.join(f'.{each}' for each in found.forms)} are")
    made = found.forms[name]()
    if isinstance(made, bytes):
        return made
    return (made if isinstance(made, str) else "".join(made)).encode()


def safe_answer(ask: Ask) -> PageReply:
    """Return the page or the data; where this program has a mistake, a page that says so, and the trace to stderr."""
    try:
        return answer(ask)
    except MemoryError:
        return failure(BudgetError("there is not enough memory for this: ask about a smaller board"), ask)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return mistake(ask)


def mistake(ask: Ask) -> PageReply:
    """Return what is said where this program has failed."""
    sentence = "this program has made a mistake here: the log of the server says which, and a report is welcome"
    return failure(NoughtsError(sentence), ask, status=500)


def failure(error: NoughtsError, ask: Ask, links: Links | None = None, status: int | None = None) -> PageReply:
    """Return what went wrong, in one sentence: as a page where a page was asked for, else as JSON."""
    status = status or status_of(error)
    sentence = spoken(str(error), ask)
    exact = status in (400, 404)
    if ask.form != "html":
        return PageReply(status, MEDIA["json"], (json.dumps({"ok": False, "error": sentence}) + "\n").encode(), exact)
    links = links or ServerLinks(ask)
    heading, ways = _HEADINGS.get(status, "Something went wrong"), []
    if isinstance(error, Unreachable):
        heading = "That cannot be had on this board"
        ways = [(words, links.to(way)) for words, way in error.ways]
    context = {"status": status, "sentence": sentence, "ways": ways}
    command = command_of(ask) if status == 422 else ""
    return PageReply(status, MEDIA["html"], render("failure.html", heading, context, links, command).encode(), exact)
