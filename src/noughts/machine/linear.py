"""Linear programmes over real or whole numbers, solved by HiGHS.

HiGHS computes in floating point: its results are not proofs, and callers check what they use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, chain
from threading import Event, Thread
from typing import Any, NamedTuple

from noughts.machine.packages import package
from noughts.rules.errors import InputError

INFINITY = float("inf")
Range = tuple[float, float]
_BETWEEN = 0.1


class Optimum(NamedTuple):
    """The result of HiGHS: the value of each column, None without a solution, and the price of each row.

    No solution costs less than `bound`, which only programmes over whole numbers have. `status` is the status in words.
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
    meanwhile: Callable[[], object] | None = None,
) -> Optimum:
    """Return the columns of least cost, such that each column and each row stays within its range.

    Parameters
    ----------
    cost
        The cost of each column.
    rows
        For each row its coefficients by column; with `by_column` for each column its coefficients by row.
    right
        The lowest and the highest value of each row.
    limits
        The lowest and the highest value of each column.
    whole
        Require whole numbers. After `seconds` the search ends with the best solution so far.
    meanwhile
        Called several times a second while a programme over whole numbers is solved.

    Raises
    ------
    InputError
        HiGHS is not installed.
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
    if whole:
        _run_until_left(solver, highs.cb.HighsCallbackType, meanwhile)
    else:
        solver.run()
    status, info = solver.getModelStatus(), solver.getInfo()
    feasible = info.primal_solution_status == highs.SolutionStatus.kSolutionStatusFeasible
    found = solver.getSolution()
    values = list(found.col_value) if feasible and (whole or status == highs.HighsModelStatus.kOptimal) else None
    return Optimum(values, list(found.row_dual), info.mip_dual_bound, solver.modelStatusToString(status))


def _run_until_left(solver: Any, kinds: Any, meanwhile: Callable[[], object] | None) -> None:
    """Run HiGHS in a thread, so that this thread receives signals; an exception here stops HiGHS, too.

    `kinds` are its kinds of callbacks.
    """
    is_left, over = Event(), Event()

    def heed(kind: object, message: object, given: object, answer: Any, user: object) -> None:
        answer.user_interrupt = is_left.is_set()

    def run() -> None:
        try:
            solver.run()
        finally:
            over.set()

    solver.setCallback(heed, None)
    for kind in (kinds.kCallbackMipInterrupt, kinds.kCallbackSimplexInterrupt):
        solver.startCallback(kind)
    try:
        Thread(target=run, daemon=True).start()
    except RuntimeError:  # this machine has no further thread
        run()
    try:
        while not over.wait(_BETWEEN):
            if meanwhile is not None:
                meanwhile()
    except BaseException:
        is_left.set()
        over.wait()
        raise


# Linear programmes solved to any number of digits, by HiGHS and exact residuals.
#
# HiGHS finds which columns and which prices are zero. This leaves two systems of linear equations, one for the columns
# and one for the prices. Each round computes the residual exactly, scales it up by a power of two and solves for it,
# which adds some ten digits (*iterative refinement*, after Gleixner, Steffy and Wolter, 2016). Numbers are integers
# over 2^BITS.

BITS = 640
"""Numbers are multiples of 2 to the power -BITS."""

_STEP = 44
"""Each round scales the residual up by at most 2^_STEP more than the round before."""

_CLEAR = 30
"""A column or price of at most 2^-_CLEAR counts as zero."""

_NONNEGATIVE, _FREE, _ZERO = (0.0, INFINITY), (-INFINITY, INFINITY), (0.0, 0.0)


class Program:
    """Minimise cost * x subject to rows * x = right, with x >= 0 for the columns in `signed`.

    A row maps columns to integers; an inequality (<=) gets its own slack column. The solution is in `primal`, one
    number per column, and in `dual`, one price per row.
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
        """Add a row, by default an inequality (<=), and return its number."""
        if not equal:
            coefficients = {**coefficients, self.column(signed=True): 1}
        self.rows.append(coefficients)
        self.right.append(right)
        return len(self.rows) - 1

    def solve(self, seed: int = 0) -> None:
        """Solve in floating point with a random seed, and note which columns and prices are zero.

        Raises InputError where the solver does not find an optimum.
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
        """Correct one part of the solution by its residual `missing`; return it unchanged if HiGHS fails."""
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
