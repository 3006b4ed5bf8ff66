"""A whole sweep of a frontier, from the first cell to the last, with checkpoints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from noughts.counting.checkpoints import Checkpoints
from noughts.counting.frontier.plan import Plan
from noughts.counting.frontier.sweep import Layer, advance, finish, first_layer

__all__ = ["swept"]

Tallied = tuple[list[int], list[int], list[int]]

_RESULTS = ("open", "won", "other")
_MODULI = "moduli"
_ARRAYS = ("step", "states", "values", "won", "won_values", _MODULI)


def swept(
    plan: Plan, to_ply: int, threads: int, store: Checkpoints | None, report: Callable[[int, int], None]
) -> Tallied:
    """Return the counts of a pattern by number of marks t up to `to_ply`, in three lists.

    Positions in which nobody has a line, with half of the marks, rounded up, the first player's; then those that the
    first player has won, with the same numbers of marks, and with those numbers exchanged (so that where t is odd
    only the first list of the two stands for wins on the last move, and where t is even either).
    """
    key = f"{plan.pattern} {plan.order} {plan.has_won} {to_ply}"
    if store is not None:
        known = store.result(key)
        if known is not None:
            columns = [[int(n) for n in known[name]] for name in _RESULTS]
            return columns[0], columns[1], columns[2]
    layer = _stored(store, key) or first_layer(plan)
    with np.errstate(over="ignore"):
        while layer.step < plan.pattern.size:
            report(layer.step, len(layer.states) + len(layer.won))
            layer = advance(plan, layer, to_ply, threads)
            if store is not None:
                _keep(store, key, layer)
    still_open, won = finish(plan, layer, to_ply)
    last = min(to_ply, plan.pattern.total)
    found = (
        [still_open[(t + 1) // 2, t // 2] for t in range(last + 1)],
        [won[(t + 1) // 2, t // 2] for t in range(last + 1)],
        [won[t // 2, (t + 1) // 2] for t in range(last + 1)],
    )
    if store is not None:
        names = zip(_RESULTS, found, strict=True)
        store.keep_result(key, {name: [str(n) for n in column] for name, column in names})
    return found


def _stored(store: Checkpoints | None, key: str) -> Layer | None:
    arrays = store.arrays(key, _ARRAYS) if store is not None else None
    if arrays is None:
        return None
    moduli = tuple(int(m) for m in arrays[_MODULI])
    states, values, won, won_values = (arrays[name] for name in _ARRAYS[1:5])
    return Layer(int(arrays["step"]), states, values, won, won_values, moduli)


def _keep(store: Checkpoints, key: str, layer: Layer) -> None:
    store.keep_arrays(
        key,
        {
            "step": np.array(layer.step),
            "states": layer.states,
            "values": layer.values,
            "won": layer.won,
            "won_values": layer.won_values,
            _MODULI: np.array([str(m) for m in layer.moduli]),
        },
    )
