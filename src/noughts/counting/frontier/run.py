"""A whole sweep of a frontier, from the first cell to the last, with checkpoints."""

from __future__ import annotations

import numpy as np

from noughts.counting.checkpoints import Checkpoints
from noughts.counting.frontier.route import Route
from noughts.counting.frontier.sweep import Front, advance, finish, first_front
from noughts.counting.sweeps import Found, Report
from noughts.machine.workers import Workers

__all__ = ["swept"]

_RESULTS = ("open", "won", "other")
_MODULI = "moduli"
_ARRAYS = ("step", "states", "values", "won", "won_values", _MODULI)


def swept(route: Route, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
    """Return the positions of a pattern of up to `to_ply` marks: those nobody has won, and the first player's wins.

    With a store the front is kept there after every cell and taken up again from there.
    """
    key = f"{route.pattern} {route.order} {route.has_won} {to_ply}"
    if store is not None:
        known = store.result(key)
        if known is not None:
            return _read(known)
    front = _stored(store, key) or first_front(route)
    with np.errstate(over="ignore"):
        while front.step < route.pattern.size:
            report(front.step, len(front.states) + len(front.won))
            front = advance(route, front, to_ply, workers)
            if store is not None:
                _keep(store, key, front)
    found = finish(route, front, to_ply)
    if store is not None:
        store.keep_result(key, _written(found, min(to_ply, route.pattern.total)))
    return found


def _written(found: Found, last: int) -> dict[str, list[str]]:
    """Return what is kept: by number of marks the open positions, and those won with either number of marks."""
    pairs = [((t + 1) // 2, t // 2) for t in range(last + 1)]
    columns = (
        [found.open[p, q] for p, q in pairs],
        [found.won[p, q] for p, q in pairs],
        [found.won[q, p] for p, q in pairs],
    )
    return {name: [str(n) for n in column] for name, column in zip(_RESULTS, columns, strict=True)}


def _read(known: dict[str, list[str]]) -> Found:
    found = Found({}, {})
    for t, (still_open, won, other) in enumerate(zip(*(map(int, known[name]) for name in _RESULTS), strict=True)):
        p, q = (t + 1) // 2, t // 2
        found.open[p, q], found.won[p, q], found.won[q, p] = still_open, won, other
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
