"""How results show themselves in a notebook: registered by name, so that nothing is imported before it is shown."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["DISPLAYS", "register"]

Display = Callable[[Any], str]


def _census(census: Any) -> str:
    from noughts.reports.counts.census import census_table, headline
    from noughts.reports.tables import as_html

    return as_html(census_table(census), headline(census))


def _drawn(thing: Any) -> str:
    from noughts.reports.pictures import picture

    return picture(thing)


def _said(room: str) -> Display:
    """Return the display of a result that is words and tables: its report, by a module of `reports`, as HTML."""

    def display(thing: Any) -> str:
        from noughts.reports.markup import html

        return html(importlib.import_module(f"noughts.reports.{room}").report(thing))

    return display


DISPLAYS: dict[tuple[str, str], tuple[str, Display]] = {
    ("noughts.blindfold.answer", "BlindAnswer"): ("text/html", _said("blindfold.answer")),
    ("noughts.bots.menace.machine", "Menace"): ("text/html", _said("bots.menace")),
    ("noughts.counting.census", "Census"): ("text/html", _census),
    ("noughts.meanings.meaning", "Meanings"): ("text/html", _said("counts.lookup")),
    ("noughts.domain.board", "Board"): ("image/svg+xml", _drawn),
    ("noughts.domain.position", "Position"): ("image/svg+xml", _drawn),
    ("noughts.records.catalogue", "Catalogue"): ("image/svg+xml", _drawn),
    ("noughts.records.comparison", "Comparison"): ("text/html", _said("catalogue.comparison")),
    ("noughts.records.record", "Record"): ("image/svg+xml", _drawn),
    ("noughts.reports.counts.conventions", "Conventions"): ("text/html", _said("counts.conventions")),
    ("noughts.solving.solution", "PositionValue"): ("text/html", _said("play.solution")),
    ("noughts.solving.solution", "Solution"): ("image/svg+xml", _drawn),
    ("noughts.strategy.explain", "Explanation"): ("image/svg+xml", _drawn),
    ("noughts.strategy.gametree", "GameTree"): ("image/svg+xml", _drawn),
    ("noughts.strategy.openings", "OpeningTheory"): ("image/svg+xml", _drawn),
    ("noughts.strategy.patterns", "Patterns"): ("image/svg+xml", _drawn),
    ("noughts.strategy.payoff", "Payoff"): ("image/svg+xml", _drawn),
    ("noughts.strategy.versus", "Match"): ("image/svg+xml", _drawn),
}
"""For each type, by module and name, the kind of display and the function that makes it."""


def register(shell: Any = None) -> bool:
    """Register the displays with a running IPython, or with `shell`; return whether there was one to register with."""
    if shell is None and "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
    if shell is None:
        return False
    for (module, name), (kind, display) in DISPLAYS.items():
        shell.display_formatter.formatters[kind].for_type_by_name(module, name, display)
    return True
