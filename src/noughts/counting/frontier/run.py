"""A whole sweep of a frontier, from the first cell to the last, with checkpoints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from noughts.counting.checkpoints import Checkpoints
from noughts.counting.frontier.route import Route
from noughts.counting.frontier.sweep import Front, advance, finish, first_front

__all__ = ["swept"]

Tallied = tuple[list[int], list[int], list[int]]

_RESULTS = ("open", "won", "other")
_MODULI = "moduli"
_ARRAYS = ("step", "states", "values", "won", "won_values", _MODULI)


def swept(
    route: Route, to_ply: int, threads: int, store: Checkpoints | None, report: Callable[[int, int], None]
) -> Tallied:
    """Return the counts of a pattern by number of marks t up to `to_ply`, in three lists.

    Positions in which nobody has a line, with half of the marks, rounded up, the first player's; then those that the
    first player has won, with the same numbers of marks, and with those numbers exchanged (so that where t is odd
    only the first list of the two stands for wins on the last move, and where t is even either).
    """
    key = f"{route.pattern} {route.order} {route.has_won} {to_ply}"
    if store is not None:
        known = store.result(key)
        if known is not None:
            columns = [[int(n) for n in known[name]] for name in _RESULTS]
            return columns[0], columns[1], columns[2]
    front = _stored(store, key) or first_front(route)
    with np.errstate(over="ignore"):
        while front.step < route.pattern.size:
            report(front.step, len(front.states) + len(front.won))
            front = advance(route, front, to_ply, threads)
            if store is not None:
                _keep(store, key, front)
    still_open, won = finish(route, front, to_ply)
    last = min(to_ply, route.pattern.total)
    found = (
        [still_open[(t + 1) // 2, t // 2] for t in range(last + 1)],
        [won[(t + 1) // 2, t // 2] for t in range(last + 1)],
        [won[t // 2, (t + 1) // 2] for t in range(last + 1)],
    )
    if store is not None:
        names = zip(_RESULTS, found, strict=True)
        store.keep_result(key, {name: [str(n) for n in column] for name, column in names})
    return found


def _stored(store: Checkpoints | None, key: str) -> Front | None:
    arrays = store.arrays(key, _ARRAYS) if store is not None else None
    if arrays is None:
        return None
    moduli = tuple(int(m) for m in arrays[_MODULI])
    states, values, won, won_values = (arrays[name] for name in _ARRAYS[1:5])
    return Front(int(arrays["step"]), states, values, won, won_values, moduli)


def _keep(store: Checkpoints, key: str, front: Front) -> None:
    store.keep_arrays(
        key,
        {
            "step": np.array(front.step),
            "states": front.states,
            "values": front.values,
            "won": front.won,
            "won_values": front.won_values,
            _MODULI: np.array([str(m) for m in front.moduli]),
        },
    )
