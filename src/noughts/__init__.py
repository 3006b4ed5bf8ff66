"""Exact analysis of tic-tac-toe and its relatives: counts, values and strategy, with the convention in words.

>>> import noughts
>>> noughts.count("3x3", same="choices").totals.finished
26830

The verbs are functions here, beside boards, positions, moves and errors. The rooms have the result types and less
frequent names, such as `noughts.rules.parse_position`. Every name is imported at its first use, so `import noughts` is
quick. `__init__.pyi`, here and in each room, lists the names and their modules.
"""

from __future__ import annotations

import sys

from noughts._names import homes, lazily

_GONE = {
    "versus": "match(board, x=bot, o=bot)",
    "Breeding": "breed(board, ...)",
    "MoveExplanation": "analysis.ValuedMove",
}
"""Replacements of names that were removed in 0.3."""


def _moved(name: str) -> str:
    """Return the new place of a moved name, or its replacement."""
    if name in _GONE:
        return f": use noughts.{_GONE[name]}"
    rooms = [room for room, home in homes(__path__[0]).items() if home == __name__]
    room = next((room for room in rooms if name in homes(f"{__path__[0]}/{room}")), None)
    return "" if room is None else f": it is noughts.{room}.{name}"


__getattr__, __dir__ = lazily(__name__, __path__[0], _moved)

if "IPython" in sys.modules:
    from noughts.notebook import register

    register()
