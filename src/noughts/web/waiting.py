"""The page that a reader sees while long work is under way: how far it is, and the command that does it locally."""

from __future__ import annotations

from noughts.machine.budget import format_duration
from noughts.web.ask import MEDIA, Ask, PageReply
from noughts.web.commands import command_of
from noughts.web.limits import LONG
from noughts.web.links import ServerLinks
from noughts.web.render import render
from noughts.web.worker import State

__all__ = ["waiting"]

_SOUGHT = {
    "board": "who wins, and how many games there are",
    "position": "what happens after each move",
    "game": "who wins after each move",
    "play": "how the game can go on",
    "count": "how many games there are",
    "openings": "what each first move and each reply is worth",
    "tree": "how the moves branch",
    "patterns": "which full boards have no line",
    "endings": "how a game can end",
    "positions": "which boards can come up in a game",
    "blindfold": "what can be done without seeing the board",
}
"""What a page is worked out for, so that a child can follow it."""


def waiting(ask: Ask, state: State | None, seconds: float, place: int | None) -> PageReply:
    """Return the page: `place` is the place in the queue, None where the work has begun `seconds` ago."""
    done, whole, what = state or (0, 0, "")
    context = {
        "sought": _SOUGHT.get(ask.page, ""),
        "board": ask.board,
        "place": place,
        "time": format_duration(round(seconds)) if seconds >= 1 else "",
        "bound": format_duration(LONG.seconds),
        "doing": f"{what[:1].upper()}{what[1:]}",
        "page": f"{ask.board}: the {ask.page} page" if ask.board else "The page",
        "done": done,
        "whole": whole,
        "share": f"{100 * done // whole}%" if whole else "",
    }
    page = render("waiting.html", "Working on it", context, ServerLinks(ask), command_of(ask))
    return PageReply(202, MEDIA["html"], page.encode(), exact=False, headers={"retry-after": "1"})
