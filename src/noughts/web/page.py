"""What a kind of page answers: the page for people, and its forms for programs, made only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from noughts.reports.forms import Forms
from noughts.web.links import Links

__all__ = ["PageAnswer", "PageView"]


@dataclass(frozen=True)
class PageView:
    """A page for people: its template, its title, and what the template is given."""

    template: str
    title: str
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PageAnswer:
    """What a kind of page answers: `view` makes the page, `forms` the same as the command line, by their names there.

    `command` is what gives the same on the command line. Everything is made only when it is asked for. `exact` where
    the same address always gives the same bytes. `location` is where the page is to be found instead, if anywhere.
    """

    view: Callable[[Links], PageView]
    forms: Forms = field(default_factory=dict)
    command: str = ""
    exact: bool = True
    location: str | None = None
