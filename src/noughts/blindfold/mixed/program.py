"""Linear programs solved to as many digits as asked, by HiGHS and exact residuals.

HiGHS works in floating point. Its solution tells which columns are zero and which prices are: that leaves two systems
of linear equations, one for the columns and one for the prices. They are solved again and again for what is still
missing, computed exactly and blown up by a power of two; each round adds some ten digits (*iterative refinement*, after
Gleixner, Steffy and Wolter, 2016). Numbers are integers over 2^BITS. Nothing here is proof: the result is checked.
"""

from __future__ import annotations

from typing import Any

from noughts.domain.errors import InputError
from noughts.machine.packages import package

__all__ = ["BITS", "Program", "Vector"]

BITS = 640
"""Numbers are kept as multiples of 2 to the power -BITS."""

_STEP = 44
"""What is missing is blown up by at most 2^_STEP more than before."""

_CLEAR = 30
"""A column or price counts as zero up to 2^-_CLEAR."""

Vector = list[int]


class Program:
    """Minimise cost * x subject to rows * x = right, with x >= 0 for the columns in `signed`.

    Rows are given as {column: integer}; a row that is an inequality (<=) gets a slack column of its own. The solution
    is in `primal`, one number a column, and `dual`, one price a row.
    """

    def __init__(self) -> None:
        self.width = 0
        self.signed: set[int] = set()
        self.cost: dict[int, int] = {}
        self.rows: list[dict[int, int]] = []
        self.right: list[int] = []
        self.primal: Vector = []
        self.dual: Vector = []

    def column(self, *, signed: bool) -> int:
        """Add a column and return its number."""
        self.width += 1
        if signed:
            self.signed.add(self.width - 1)
        return self.width - 1

    def row(self, coefficients: dict[int, int], right: int = 0, *, equal: bool = False) -> int:
        """Add a row and return its number."""
        if not equal:
            coefficients = {**coefficients, self.column(signed=True): 1}
        self.rows.append(coefficients)
        self.right.append(right)
        return len(self.rows) - 1

    def solve(self) -> None:
        """Solve in floating point, and note which columns and prices are zero.

        Raises InputError where the solver finds no optimum.
        """
        self._matrix = self._sparse()
        cost = [float(self.cost.get(j, 0)) for j in range(self.width)]
        limits = [(0.0 if j in self.signed else None, None) for j in range(self.width)]
        found = _linprog(cost, self._matrix, [float(value) for value in self.right], limits)
        if found.status != 0:
            raise InputError(f"the linear program was not solved ({found.message}): try a smaller board")
        self.primal = [_integer(value, 0) for value in found.x]
        self.dual = [_integer(value, 0) for value in found.eqlin.marginals]
        prices = self._missing_cost()
        small = 1 << (BITS - _CLEAR)
        self._zero = {j for j in self.signed if self.primal[j] <= small}
        self._priced = [j for j in range(self.width) if j not in self.signed or prices[j] <= small]
        self._transposed = self._matrix.T.tocsr()[self._priced]
        self._scales = [0, 0]
        for j in self._zero:
            self.primal[j] = 0

    def refine(self) -> None:
        """Add some digits to the solution."""
        self._refine_primal()
        self._refine_dual()

    def _refine_primal(self) -> None:
        missing = self._missing_right()
        up = self._next_scale(0, missing)
        limits = [(0.0, 0.0) if j in self._zero else (None, None) for j in range(self.width)]
        found = _linprog([0.0] * self.width, self._matrix, [_float(value, up) for value in missing], limits)
        if found.status == 0:
            self.primal = [old + _integer(value, up) for old, value in zip(self.primal, found.x, strict=True)]
            self._scales[0] = up

    def _refine_dual(self) -> None:
        prices = self._missing_cost()
        missing = [prices[j] for j in self._priced]
        up = self._next_scale(1, missing)
        count = len(self.rows)
        limits: list[tuple[float | None, float | None]] = [(None, None)] * count
        found = _linprog([0.0] * count, self._transposed, [_float(value, up) for value in missing], limits)
        if found.status == 0:
            self.dual = [old + _integer(value, up) for old, value in zip(self.dual, found.x, strict=True)]
            self._scales[1] = up

    def _next_scale(self, which: int, missing: Vector) -> int:
        wrong = max((abs(value) for value in missing), default=0)
        return max(0, min(BITS - wrong.bit_length(), self._scales[which] + _STEP))

    def _missing_right(self) -> Vector:
        return [
            (right << BITS) - sum(value * self.primal[j] for j, value in row.items())
            for right, row in zip(self.right, self.rows, strict=True)
        ]

    def _missing_cost(self) -> Vector:
        missing = [self.cost.get(j, 0) << BITS for j in range(self.width)]
        for price, row in zip(self.dual, self.rows, strict=True):
            if price:
                for j, value in row.items():
                    missing[j] -= value * price
        return missing

    def _sparse(self) -> Any:
        sparse = package("scipy.sparse", "the value in mixed strategies")
        rows = [i for i, row in enumerate(self.rows) for _ in row]
        columns = [j for row in self.rows for j in row]
        values = [float(value) for row in self.rows for value in row.values()]
        return sparse.csr_matrix((values, (rows, columns)), shape=(len(self.rows), self.width))


def _linprog(cost: list[float], matrix: Any, right: list[float], limits: Any) -> Any:
    optimize = package("scipy.optimize", "the value in mixed strategies")
    return optimize.linprog(cost, None, None, matrix, right, limits, method="highs-ds")


def _float(value: int, shift: int) -> float:
    return value / (1 << (BITS - shift))


def _integer(value: float, shift: int) -> int:
    numerator, denominator = float(value).as_integer_ratio()
    return (numerator << (BITS - shift)) // denominator
