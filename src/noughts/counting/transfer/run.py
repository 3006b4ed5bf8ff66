"""A whole sweep of the engine `transfer` over its graph, once for each modulus, with checkpoints."""

from __future__ import annotations

import numpy as np

from noughts.counting.checkpoints import Checkpoints
from noughts.counting.sweeps import ByMarks, Found, Report
from noughts.counting.transfer.graph import Graph
from noughts.counting.transfer.values import StateCounts, advance, band_of, first_counts, moduli_of, number_behind
from noughts.machine.workers import Workers

__all__ = ["swept"]


def swept(graph: Graph, to_ply: int, workers: Workers, store: Checkpoints | None, key: str, report: Report) -> Found:
    """Return the positions of up to `to_ply` marks. With `store` the values are kept under the key after every cell.

    `report` is called with the cells visited over all moduli.
    """
    moduli = moduli_of(graph.weights)
    parts = []
    for number, modulus in enumerate(moduli):

        def later(cells: int, states: int, before: int = number * len(graph.edges)) -> None:
            report(before + cells, states)

        parts.append(_remainders(graph, to_ply, modulus, workers, store, key, later))

    def joined(tables: list[ByMarks]) -> ByMarks:
        return {pair: number_behind([table[pair] for table in tables], moduli) for pair in tables[0]}

    return Found(joined([part.open for part in parts]), joined([part.won for part in parts]))


def _remainders(
    graph: Graph,
    to_ply: int,
    modulus: int,
    workers: Workers,
    store: Checkpoints | None,
    key: str,
    report: Report,
) -> Found:
    key = f"transfer {key} {to_ply} {modulus}"
    known = store.result(key) if store is not None else None
    if known is not None:
        return Found(_read(known["open"]), _read(known["won"]))
    counts = _stored(store, key) or first_counts()
    with np.errstate(over="ignore"):  # 2^64 is a modulus
        while counts.step < len(graph.edges):
            report(counts.step, graph.states[counts.step])
            counts = advance(graph, counts, to_ply, modulus, workers)
            if store is not None:
                rows = {str(p): row for p, row in enumerate(counts.rows)}
                store.keep_arrays(key, {"step": np.array(counts.step), **rows})
    found = _last(graph, counts, to_ply, modulus)
    if store is not None:
        store.keep_result(key, {"open": _written(found.open), "won": _written(found.won)})
    return found


def _last(graph: Graph, counts: StateCounts, to_ply: int, modulus: int) -> Found:
    """Return the values of the states after the last cell."""
    tables: tuple[ByMarks, ByMarks] = {}, {}
    for p, (begin, end) in enumerate(band_of(graph.weights, counts.step, to_ply).spans):
        for q in range(begin, end):
            column = [int(n) for n in counts.rows[p][:, q - begin]]
            for won in (False, True):
                parts = [n for n, has_line in zip(column, graph.won, strict=True) if has_line is won]
                tables[won][p, q] = sum(parts) % modulus
    return Found(*tables)


def _stored(store: Checkpoints | None, key: str) -> StateCounts | None:
    arrays = store.arrays(key, ("step", "0")) if store is not None else None
    if arrays is None:
        return None
    return StateCounts(int(arrays["step"]), [arrays[str(p)] for p in range(len(arrays) - 1)])


def _written(table: ByMarks) -> dict[str, str]:
    return {f"{p} {q}": str(n) for (p, q), n in table.items()}


def _read(table: dict[str, str]) -> ByMarks:
    return {(int(p), int(q)): int(n) for (p, q), n in ((pair.split(), n) for pair, n in table.items())}
