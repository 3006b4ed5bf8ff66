"""What layers of a table cost: `python benchmarks/layers.py [rates] [5x5:5 ...]`.

rates     CPU seconds of every layer of small boards, values only, the rates that fit them (`solving.saving.rates`), and
          what these foretell of larger boards against what is measured there; asserted within FACTOR
BOARD     a larger board more, against the rates of the package; 5x5:5 takes a quarter of an hour

The sets of X, layers and won positions of each are asserted to be as many as the plan says.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from noughts.rules.board import Board
from noughts.solving.index import PerfectIndex, ply_marks
from noughts.solving.saving.plan import FACTOR, RATES, Rates, SavingPlan, plan_saving
from noughts.solving.tables import BackwardPass

SMALL = ("3x6:3", "3x6:4", "4x5:3", "4x5:4", "4x5:5")
LARGER = ("3x7:3", "3x7:4", "3x7:5", "2x11:4")
LEAST = 1e-3
"""Seconds that are added to what a layer takes where its share in a fit is weighed."""


class Measured(NamedTuple):
    """CPU seconds of a board: for the sets of X, for each layer, and for the positions that X has won by ply."""

    plan: SavingPlan
    sets: float
    layers: dict[int, float]
    won: dict[int, float]

    @property
    def seconds(self) -> float:
        return self.sets + sum(self.layers.values()) + sum(self.won.values())


def measure(spec: str) -> Measured:
    """Make all layers of a board once, two at a time."""
    board = Board.parse(spec)
    plan = plan_saving(board, packed=True)
    begin = time.process_time()
    index = PerfectIndex(board)
    assert index.layers
    sets = time.process_time() - begin
    backward = BackwardPass(index, packed=True)
    table, layers, won = None, {}, {}
    for work in plan.layers:
        begin = time.process_time()
        table = backward.layer(work.ply, table, count_won=False)
        layers[work.ply] = time.process_time() - begin
        begin = time.process_time()
        backward.won(work.ply)
        won[work.ply] = time.process_time() - begin
        shape = table.shape
        assert (shape.blocks, shape.entries, len(table.data)) == (work.blocks, work.entries, work.bytes)
        if work.ply % 2:
            assert len(index.layers[ply_marks(work.ply)[0] - 1].won) * shape.size == work.won
    return Measured(plan, sets, layers, won)


def rows(found: Measured) -> Iterator[tuple[list[float], float]]:
    """Yield equations: how much of each rate, and the seconds."""
    units = np.eye(len(Rates._fields)).tolist()
    parts = [plan_saving(found.plan.board, packed=True, rates=Rates(*unit)) for unit in units]
    yield [part.sets_seconds for part in parts], found.sets
    for number, work in enumerate(found.plan.layers):
        seconds = found.layers[work.ply] + found.won[work.ply]
        if work.entries + work.won > 10_000:
            yield [part.layers[number].seconds for part in parts], seconds


def fit(measured: list[Measured]) -> Rates:
    """Return the rates that fit best, none below nothing; the large layers weigh most."""
    from scipy.optimize import nnls

    equations = [row for found in measured for row in rows(found)]
    weights = np.array([1 / np.sqrt(seconds + LEAST) for _, seconds in equations])
    matrix = np.array([row for row, _ in equations]) * weights[:, None]
    found, _ = nnls(matrix, np.array([seconds for _, seconds in equations]) * weights)
    return Rates(*(float(f"{rate:.3g}") for rate in found))


def tell(found: Measured, rates: Rates) -> float:
    foretold = plan_saving(found.plan.board, packed=True, rates=rates).core_seconds
    print(f"{found.plan.board}: {found.seconds:.1f} s of CPU, foretold {foretold:.1f} s", flush=True)
    return foretold / found.seconds


def rates() -> None:
    measure("3x4:3")
    small = [measure(spec) for spec in SMALL]
    fitted = fit(small)
    print(f"RATES = {fitted}")
    for found in small:
        tell(found, fitted)
    for spec in LARGER:
        assert 1 / FACTOR < tell(measure(spec), fitted) < FACTOR


if __name__ == "__main__":
    for word in sys.argv[1:] or ["rates"]:
        if word == "rates":
            rates()
        else:
            measure("3x4:3")
            tell(measure(word), RATES)
