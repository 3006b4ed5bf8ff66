"""The display of results in a notebook, registered by name, so that each module is imported only when needed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

__all__ = ["DISPLAYS", "register"]

Display = Callable[[Any], str]


def _census(census: Any) -> str:
    from noughts.present.report import as_html
    from noughts.verbs.count import census_table, headline

    return as_html(census_table(census), headline(census))


def _drawn(thing: Any) -> str:
    from noughts.verbs.pictures import picture

    return picture(thing)


def _report(thing: Any) -> str:
    from noughts.present.forms import html
    from noughts.verbs.reports import report_of

    return html(report_of(thing))


def html_of(thing: Any) -> str | None:
    """Return the report of a result as HTML; None where it is drawn, or has no report."""
    from noughts.verbs.reports import REPORTS

    kinds = [(kind.__module__, kind.__name__) for kind in type(thing).__mro__]
    is_drawn = any(kind in DISPLAYS and DISPLAYS[kind][0] == "image/svg+xml" for kind in kinds)
    return None if is_drawn or not any(name in REPORTS for _, name in kinds) else _report(thing)


DISPLAYS: dict[tuple[str, str], tuple[str, Display]] = {
    ("noughts.blindfold.inquiry", "BlindAnswer"): ("text/html", _report),
    ("noughts.bots.menace", "Menace"): ("text/html", _report),
    ("noughts.counting.census", "Census"): ("text/html", _census),
    ("noughts.analysis.meanings.meaning", "Meanings"): ("text/html", _report),
    ("noughts.rules.board", "Board"): ("image/svg+xml", _drawn),
    ("noughts.rules.position", "Position"): ("image/svg+xml", _drawn),
    ("noughts.analysis.records.catalogue", "Catalogue"): ("image/svg+xml", _drawn),
    ("noughts.analysis.records.comparison", "Comparison"): ("text/html", _report),
    ("noughts.analysis.records.record", "Record"): ("image/svg+xml", _drawn),
    ("noughts.verbs.conventions", "Conventions"): ("text/html", _report),
    ("noughts.solving.solution", "PositionValue"): ("text/html", _report),
    ("noughts.solving.solution", "Solution"): ("image/svg+xml", _drawn),
    ("noughts.analysis.explain.explanation", "Explanation"): ("image/svg+xml", _drawn),
    ("noughts.analysis.trees", "GameTree"): ("image/svg+xml", _drawn),
    ("noughts.analysis.explain.openings", "OpeningTheory"): ("image/svg+xml", _drawn),
    ("noughts.analysis.payoff.patterns", "Patterns"): ("image/svg+xml", _drawn),
    ("noughts.analysis.payoff.points", "Payoff"): ("image/svg+xml", _drawn),
    ("noughts.analysis.payoff.playout", "Match"): ("image/svg+xml", _drawn),
    ("noughts.analysis.policies.playing", "Playing"): ("image/svg+xml", lambda game: _drawn(game.position)),
    ("noughts.training.learning", "Learned"): ("image/svg+xml", lambda learned: str(learned.chart())),
}
"""The kind of display and its function for each type, by module and name; other results show their reports."""


def register(shell: Any = None) -> bool:
    """Register the displays with a running IPython, or with `shell`; return whether one was found."""
    if shell is None and "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
    if shell is None:
        return False
    for (module, name), (kind, display) in DISPLAYS.items():
        shell.display_formatter.formatters[kind].for_type_by_name(module, name, display)
    return True
