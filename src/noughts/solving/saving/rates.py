"""What a core takes for each kind of work of a table, fitted to measurements on small boards.

`python benchmarks/layers.py rates` measures again and prints these constants, and how well those of the small boards
foretell the larger ones.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FACTOR", "FORETOLD", "MEASURED", "RATES", "Rates"]


class Rates(NamedTuple):
    """Seconds of one core: for an entry of a layer in which X is to move, and for each move that may be looked up.

    The same where O is to move; for each entry of the tables that turn a block; for each position that X has won; and
    for each image of a set of X under a symmetry.
    """

    x_entry: float
    x_look: float
    o_entry: float
    o_look: float
    turning: float
    won: float
    image: float


RATES = Rates(
    x_entry=1.43e-08,
    x_look=5.34e-09,
    o_entry=1.51e-08,
    o_look=1.97e-09,
    turning=1.02e-08,
    won=6.28e-09,
    image=9.59e-08,
)

MEASURED: dict[str, float] = {"3x6:4": 0.9, "4x5:3": 1.4, "4x5:4": 5.5, "4x5:5": 8.5}
"""CPU seconds of all layers of the boards that the rates are fitted to, values only."""
FORETOLD: dict[str, float] = {"3x7:3": 4.1, "3x7:4": 19.9, "3x7:5": 28.2}
"""The same of larger boards, which the rates know nothing of."""
FACTOR = 1.5
"""What the rates foretell lies within this factor of what was measured, either way."""
