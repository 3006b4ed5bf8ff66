"""What a kind of page answers: the page for people, and its forms for programs, made only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from noughts.reports.forms import Forms
from noughts.web.links import Links

__all__ = ["PageAnswer"]


@dataclass(frozen=True)
class PageAnswer:
    """What a kind of page answers: a `template` with what `context` gives it, and `forms` as on the command line.

    `command` is what gives the same on the command line, where it is not the command of the address. `context` and
    `forms` are made only when they are asked for. `exact` where the same address always gives the same bytes.
    `location` is where the page is to be found instead, if anywhere.
    """

    template: str = ""
    title: str = ""
    context: Callable[[Links], Mapping[str, Any]] = lambda links: {}
    forms: Forms = field(default_factory=dict)
    command: str | None = None
    exact: bool = True
    location: str | None = None
