"""Exact analysis of tic-tac-toe and its relatives: counts, values, strategy, with the convention said in words.

>>> import noughts
>>> noughts.count("3x3", same="choices").totals.finished
26830

The verbs are functions here, beside boards, positions, moves and errors; what they return and what is used less often
is in the rooms, as in `noughts.rules.parse_position`. Everything is imported when it is first used, so that
`import noughts` costs next to nothing. The names, and where they live, are those of `__init__.pyi` here and in each
room.
"""

from __future__ import annotations

import sys

from noughts._names import homes, lazily

_GONE = {
    "versus": "match(board, x=bot, o=bot)",
    "Breeding": "breed(board, ...)",
    "MoveExplanation": "analysis.ValuedMove",
}
"""What to use in place of names that were here before 0.3."""


def _moved(name: str) -> str:
    """Return where a name is that is not here any more, or what to use instead."""
    if name in _GONE:
        return f": use noughts.{_GONE[name]}"
    rooms = [room for room, home in homes(__path__[0]).items() if home == __name__]
    room = next((room for room in rooms if name in homes(f"{__path__[0]}/{room}")), None)
    return "" if room is None else f": it is noughts.{room}.{name}"


__getattr__, __dir__ = lazily(__name__, __path__[0], _moved)

if "IPython" in sys.modules:
    from noughts.notebook import register

    register()
