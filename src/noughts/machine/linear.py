"""Linear programmes, over real or whole numbers, solved by HiGHS.

HiGHS computes in floating point: nothing here is proof, and callers check what they use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from noughts.machine.packages import package
from noughts.rules.errors import InputError

INFINITY = float("inf")
Range = tuple[float, float]


class Optimum(NamedTuple):
    """What HiGHS found: the value of each column, None where it found none, and the price of each row.

    No solution costs less than `bound`, which only programmes over whole numbers have; `status` says how it ended.
    """

    values: list[float] | None
    prices: list[float]
    bound: float
    status: str


def minimise(
    cost: Sequence[float],
    rows: Sequence[Mapping[int, float]],
    right: Sequence[Range],
    limits: Sequence[Range],
    *,
    by_column: bool = False,
    whole: bool = False,
    seconds: float = INFINITY,
    seed: int = 0,
) -> Optimum:
    """Return columns of least cost, each within its limits, with which each row lies within its range on the right.

    A row maps columns to their coefficients; `by_column` gives for each column the rows instead. `whole` asks for whole
    numbers, and ends after so many seconds with the best so far. Raises InputError where HiGHS is not installed.
    """
    highs = package("highspy", "a linear programme")
    programme = highs.HighsLp()
    matrix = programme.a_matrix_
    programme.num_col_ = matrix.num_col_ = len(cost)
    programme.num_row_ = matrix.num_row_ = len(right)
    programme.col_cost_ = cost
    programme.col_lower_, programme.col_upper_ = map(list, zip(*limits, strict=True))
    programme.row_lower_, programme.row_upper_ = map(list, zip(*right, strict=True)) if right else ([], [])
    matrix.format_ = highs.MatrixFormat.kColwise if by_column else highs.MatrixFormat.kRowwise
    matrix.start_ = [0, *accumulate(map(len, rows))]
    matrix.index_ = list(chain.from_iterable(rows))
    matrix.value_ = list(chain.from_iterable(row.values() for row in rows))
    if whole:
        programme.integrality_ = [highs.HighsVarType.kInteger] * len(cost)
    solver = highs._Highs()  # what `Highs` adds writes to standard output
    for name, value in {"output_flag": False, "threads": 1, "time_limit": seconds, "random_seed": seed}.items():
        solver.setOptionValue(name, value)
    solver.setOptionValue("simplex_scale_strategy", 0)  # coefficients are small whole numbers: scaling would round them
    solver.passModel(programme)
    solver.run()
    status, info = solver.getModelStatus(), solver.getInfo()
    feasible = info.primal_solution_status == highs.SolutionStatus.kSolutionStatusFeasible
    found = solver.getSolution()
    values = list(found.col_value) if feasible and (whole or status == highs.HighsModelStatus.kOptimal) else None
    return Optimum(values, list(found.row_dual), info.mip_dual_bound, solver.modelStatusToString(status))


# Linear programmes solved to as many digits as asked, by HiGHS and exact residuals.
#
# HiGHS tells which columns are zero and which prices are: that leaves two systems of linear equations, one for the
# columns and one for the prices. They are solved again and again for what is still missing, computed exactly and blown
# up by a power of two; each round adds some ten digits (*iterative refinement*, after Gleixner, Steffy and Wolter,
# 2016). Numbers are integers over 2^BITS.

BITS = 640
"""Numbers are kept as multiples of 2 to the power -BITS."""

_STEP = 44
"""What is missing is blown up by at most 2^_STEP more than before."""

_CLEAR = 30
"""A column or price counts as zero up to 2^-_CLEAR."""

_NONNEGATIVE, _FREE, _ZERO = (0.0, INFINITY), (-INFINITY, INFINITY), (0.0, 0.0)


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
        self.primal: list[int] = []
        self.dual: list[int] = []

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

    def solve(self, seed: int = 0) -> None:
        """Solve in floating point, with random numbers of that seed, and note which columns and prices are zero.

        Raises InputError where the solver finds no optimum.
        """
        cost = [float(self.cost.get(j, 0)) for j in range(self.width)]
        limits = [_NONNEGATIVE if j in self.signed else _FREE for j in range(self.width)]
        found = minimise(cost, self.rows, [(value, value) for value in self.right], limits, seed=seed)
        if found.values is None:
            raise InputError(f"the linear program was not solved ({found.status}): try a smaller board")
        self.primal = [_integer(value, 0) for value in found.values]
        self.dual = [_integer(value, 0) for value in found.prices]
        self._scales = {"primal": 0, "dual": 0}
        small = 1 << (BITS - _CLEAR)
        zero = {j for j in self.signed if self.primal[j] <= small}
        self._limits = [_ZERO if j in zero else _FREE for j in range(self.width)]
        self.primal = [0 if j in zero else value for j, value in enumerate(self.primal)]
        prices = self._missing_cost()
        self._priced = [j for j in range(self.width) if j not in self.signed or prices[j] <= small]
        number = {j: i for i, j in enumerate(self._priced)}
        self._price_columns = [{number[j]: value for j, value in row.items() if j in number} for row in self.rows]

    def refine(self) -> None:
        """Add some digits to the solution."""
        missing = [
            (right << BITS) - sum(value * self.primal[j] for j, value in row.items())
            for right, row in zip(self.right, self.rows, strict=True)
        ]
        self.primal = self._refined("primal", self.rows, missing, self._limits)
        prices = self._missing_cost()
        missing = [prices[j] for j in self._priced]
        self.dual = self._refined("dual", self._price_columns, missing, [_FREE] * len(self.rows))

    def _refined(
        self, which: str, matrix: list[dict[int, int]], missing: list[int], limits: Sequence[Range]
    ) -> list[int]:
        """Return one part of the solution with what is missing on the right added, where HiGHS finds it."""
        before: list[int] = getattr(self, which)
        wrong = max((abs(value) for value in missing), default=0)
        scale = max(0, min(BITS - wrong.bit_length(), self._scales[which] + _STEP))
        right = [value / (1 << (BITS - scale)) for value in missing]
        by_column = which == "dual"
        cost = [0.0] * len(before)
        found = minimise(cost, matrix, [(value, value) for value in right], limits, by_column=by_column).values
        if found is None:
            return before
        self._scales[which] = scale
        return [old + _integer(value, scale) for old, value in zip(before, found, strict=True)]

    def _missing_cost(self) -> list[int]:
        missing = [self.cost.get(j, 0) << BITS for j in range(self.width)]
        for price, row in zip(self.dual, self.rows, strict=True):
            if price:
                for j, value in row.items():
                    missing[j] -= value * price
        return missing


def _integer(value: float, scale: int) -> int:
    numerator, denominator = value.as_integer_ratio()
    return (numerator << (BITS - scale)) // denominator
