"""How results show themselves in a notebook: registered by name, so that nothing is imported before it is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

__all__ = ["DISPLAYS", "register"]

Display = Callable[[Any], str]


def _census(census: Any) -> str:
    from noughts.reports.census import census_table, headline
    from noughts.reports.tables import as_html

    return as_html(census_table(census), headline(census))


def _drawn(thing: Any) -> str:
    from noughts.drawing.draw import draw

    return str(draw(thing, "auto"))


def _solution(solution: Any) -> str:
    """The board with the value of each first move; alone where every value is a search of its own."""
    from noughts.domain.position import Position
    from noughts.strategy.explain import explanation
    from noughts.strategy.values import SolvedValues

    start = Position(solution.board)
    return _drawn(start if solution.engine == "search" else explanation(start, SolvedValues(solution)))


def _record(record: Any) -> str:
    from noughts.drawing.draw import draw

    return str(draw(record.position, "auto"))


_DRAWN_CLASSES = 5_000
"""Classes up to which a catalogue shows the first of all; a larger one shows those of ply 2."""


def _catalogue(catalogue: Any) -> str:
    from noughts.records.selection import Selection
    from noughts.reports.listing import rendered

    shown = Selection() if len(catalogue) <= _DRAWN_CLASSES else Selection(ply=2)
    return str(rendered(catalogue, shown, "svg", limit=200))


DISPLAYS: dict[tuple[str, str], tuple[str, Display]] = {
    ("noughts.counting.census", "Census"): ("text/html", _census),
    ("noughts.domain.board", "Board"): ("image/svg+xml", _drawn),
    ("noughts.domain.position", "Position"): ("image/svg+xml", _drawn),
    ("noughts.records.catalogue", "Catalogue"): ("image/svg+xml", _catalogue),
    ("noughts.records.record", "Record"): ("image/svg+xml", _record),
    ("noughts.solving.solution", "Solution"): ("image/svg+xml", _solution),
    ("noughts.strategy.explain", "Explanation"): ("image/svg+xml", _drawn),
    ("noughts.strategy.gametree", "GameTree"): ("image/svg+xml", _drawn),
    ("noughts.strategy.openings", "OpeningTheory"): ("image/svg+xml", _drawn),
    ("noughts.strategy.patterns", "Patterns"): ("image/svg+xml", _drawn),
    ("noughts.strategy.payoff", "Payoff"): ("image/svg+xml", _drawn),
    ("noughts.strategy.versus", "Match"): ("image/svg+xml", _drawn),
}
"""For each type, by module and name, the kind of picture and the function that draws it."""


def register(shell: Any = None) -> bool:
    """Register the displays with a running IPython, or with `shell`; return whether there was one to register with."""
    if shell is None and "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
    if shell is None:
        return False
    for (module, name), (kind, display) in DISPLAYS.items():
        shell.display_formatter.formatters[kind].for_type_by_name(module, name, display)
    return True
