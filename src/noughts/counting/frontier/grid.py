"""The points of a count, its primes, and the counts that follow from the values at the points.

Let A(p, q) be the number of positions with p marks of the first player and q of the other. If their marks weigh s w and
s / w, all positions together weigh F = sum of A(p, q) s^(p + q) w^(p - q). Divide F by w^d and sum over all w with
w^M = -1. Only those A(p, q) remain where p - q leaves the remainder d modulo M. If M is large enough, these are for
d = 0 and 1 the A(p, q) with p - q = d. So each s gives the values of two polynomials in s, one even and one odd. Enough
values give their coefficients (Newton's interpolation). The w come in pairs w and 1 / w, which give the points (x, y)
and (y, x). A count below the product of the first primes needs no later primes. So later primes have fewer unknowns,
and need fewer values of s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from noughts.counting.bounds import States
from noughts.counting.patterns import Pattern, balanced_fillings, is_prime, recombine
from noughts.counting.sweeps import Cost
from noughts.kernels.frontier import LANES, PAIRS
from noughts.rules.marks import cells_of

_PRIMES_BELOW = 1 << 31
_DOUBT = Fraction(1001, 1000)
_EDGE_BYTES = 12
_STATE_SECONDS, _VISIT_SECONDS = 6e-7, 1.5e-7
"""Measured on one core: seconds to find the successors of a state, and to push a batch of points through it."""


@dataclass(frozen=True)
class Survey:
    """Pairs of a mark's weight and the weight of all positions; and the largest difference of the players' marks."""

    sums: tuple[tuple[float, float], ...]
    difference: int

    def most_positions(self, marks: int) -> int:
        """Return an upper bound on the number of positions with `marks` marks in all, for any split of them."""
        return min(int(Fraction(weight) * _DOUBT / Fraction(scale) ** marks) + 1 for scale, weight in self.sums)


class Point(NamedTuple):
    """The weights x and y of the two players' marks modulo a prime."""

    prime: int
    x: int
    y: int


@dataclass(frozen=True)
class Grid:
    """The points that determine the balanced counts by number of marks.

    `known[t]` are the counts that are known beforehand; each other count is at most `bounds[t]`. The numbers of the
    players' marks differ by less than `order`, an even number.
    """

    known: tuple[int, ...]
    order: int
    bounds: tuple[int, ...]

    @classmethod
    def of(cls, pattern: Pattern, survey: Survey | None = None, *, won: bool = False) -> Grid:
        """Return the grid for the open positions of a pattern; a survey of its graph makes it smaller.

        Without a survey the counts of a pattern without lines are the bounds. With `won` the grid serves won positions
        as well; each is an open position with one more cell.
        """
        weights = pattern.weights
        known = tuple(balanced_fillings(weights, t) for t in range(known_up_to(pattern) + 1))
        bounds = known + tuple(balanced_fillings(weights, t) for t in range(len(known), pattern.total + 1))
        if survey is not None:
            bounds = tuple(min(bound, survey.most_positions(t)) for t, bound in enumerate(bounds))
            difference = survey.difference
        else:
            difference = widest_difference(pattern) + (max(weights, default=0) if won else 0)
        return cls(known, difference + 2 + difference % 2, bounds)

    def of_won(self) -> Grid:
        """Return the grid for the won positions at the same points: the known counts are zero."""
        return replace(
            self, known=(0,) * len(self.known), bounds=(0,) * len(self.known) + self.bounds[len(self.known) :]
        )

    @cached_property
    def primes(self) -> tuple[int, ...]:
        """The largest primes below 2^31 with roots of unity of twice the order, as many as the bounds need."""
        found, product = [], 1
        candidate = (_PRIMES_BELOW - 2) // (2 * self.order) * (2 * self.order) + 1
        most = max(self.bounds[len(self.known) :], default=0)
        while product <= most:
            if is_prime(candidate):
                found.append(candidate)
                product *= candidate
            candidate -= 2 * self.order
        return tuple(found)

    @cached_property
    def spans(self) -> tuple[range, ...]:
        """For each prime, the numbers of marks whose counts the earlier primes do not determine."""
        found, product = [], 1
        for prime in self.primes:
            unknown = [t for t in range(len(self.known), len(self.bounds)) if self.bounds[t] >= product]
            found.append(range(unknown[0], unknown[-1] + 1))
            product *= prime
        return tuple(found)

    @property
    def batches(self) -> int:
        """The number of batches of points for the kernels."""
        return -(-self.pairs // PAIRS)

    @property
    def pairs(self) -> int:
        """The number of pairs of points, for all primes together."""
        return sum(_scales(span) for span in self.spans) * self.order // 2

    def points(self) -> list[Point]:
        """Return one point of each pair, ordered by prime, by s, and by the odd powers of a root."""
        found = []
        for prime, span in zip(self.primes, self.spans, strict=True):
            root = root_of_unity(prime, 2 * self.order)
            for s in range(1, _scales(span) + 1):
                for j in range(1, self.order, 2):
                    w = pow(root, j, prime)
                    found.append(Point(prime, s * w % prime, s * pow(w, -1, prime) % prime))
        return found

    def counts(self, values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Return the balanced counts by number of marks, from the values at the points and their twins in order."""
        found = [*self.known, *[0] * (len(self.bounds) - len(self.known))]
        product, begin = 1, 0
        for prime, span in zip(self.primes, self.spans, strict=True):
            end = begin + _scales(span) * self.order // 2
            for t, remainder in self._remainders(prime, span, found, values[begin:end]).items():
                found[t] = recombine((found[t], remainder), (product, prime))
            product, begin = product * prime, end
        assert all(count <= bound for count, bound in zip(found, self.bounds, strict=True)), (
            "no count exceeds its bound"
        )
        return tuple(found)

    def _remainders(
        self, prime: int, span: range, known: Sequence[int], values: Sequence[tuple[int, ...]]
    ) -> dict[int, int]:
        """Return the counts in a span modulo a prime; those outside it are known."""
        root, many = root_of_unity(prime, 2 * self.order), self.order // 2
        whole = pow(self.order, -1, prime)
        sums: tuple[list[int], list[int]] = ([], [])
        for i in range(_scales(span)):
            row = values[i * many : (i + 1) * many]
            for d in (0, 1):
                up = pow(root, d, prime)
                total = sum(
                    here * pow(up, -2 * j - 1, prime) + there * pow(up, 2 * j + 1, prime)
                    for j, (here, there) in enumerate(row)
                )
                sums[d].append(total * whole % prime)
        found: dict[int, int] = {}
        for d in (0, 1):
            inside = [t for t in span if t % 2 == d]
            outside = [(t, n) for t, n in enumerate(known) if t % 2 == d and t not in span]
            found |= zip(inside, _coefficients(prime, sums[d], inside, outside), strict=True)
        return found


def _scales(span: range) -> int:
    """Return the number of values of s: the unknown counts for even or for odd numbers of marks, the larger number."""
    return (len(span) + 1) // 2


def _coefficients(prime: int, sums: Sequence[int], inside: Sequence[int], outside: list[tuple[int, int]]) -> list[int]:
    """Return the coefficients of s^t, t in `inside`, of the polynomial with the values `sums` at 1, 2, 3, ...

    The coefficients `outside` are given.
    """
    if not inside:
        return []
    rest = []
    for s, total in enumerate(sums, start=1):
        known = sum(n * pow(s, t, prime) for t, n in outside)
        rest.append((total - known) * pow(s, -inside[0], prime) % prime)
    found = _interpolated([s * s % prime for s in range(1, len(sums) + 1)], rest, prime)
    assert not any(found[len(inside) :]), "the values are those of a polynomial"
    return found[: len(inside)]


def known_up_to(pattern: Pattern) -> int:
    """Return the largest number of balanced marks with which neither player can have a line."""
    x, o = (_shortest(pattern, number) - 1 for number in (0, 1))
    return min(2 * x, 2 * o + 1, pattern.total)


def _shortest(pattern: Pattern, number: int) -> int:
    """Return the marks on the shortest line of one player; without a line, one more than all marks."""
    lines = (pattern.first, pattern.second)[number]
    weights = pattern.weights
    return min((sum(weights[c] for c in cells_of(line.trigger)) for line in lines), default=pattern.total + 1)


def widest_difference(pattern: Pattern) -> int:
    """Return an upper bound on the difference of the players' marks while neither player has a line.

    Each of several disjoint lines lacks a mark of the player with more marks.
    """
    weights = pattern.weights
    most = 0
    for lines in (pattern.first, pattern.second):
        taken = lacking = 0
        for line in sorted(lines, key=lambda line: (line.trigger.bit_count(), line)):
            if not line.trigger & taken:
                taken |= line.trigger
                lacking += min(weights[cell] for cell in cells_of(line.trigger))
        most = max(most, pattern.total - lacking)
    return most


def root_of_unity(prime: int, order: int) -> int:
    """Return a root of unity of exactly this order modulo a prime."""
    factors = [d for d in range(2, order + 1) if order % d == 0 and all(d % e for e in range(2, d))]
    for base in range(2, prime):
        root = pow(base, (prime - 1) // order, prime)
        if all(pow(root, order // factor, prime) != 1 for factor in factors):
            return root
    raise AssertionError("a prime has primitive roots")


def _interpolated(at: Sequence[int], values: Sequence[int], prime: int) -> list[int]:
    """Return the coefficients, the lowest first, of the polynomial of least degree with these values."""
    differences = list(values)
    for width in range(1, len(at)):
        for i in range(len(at) - 1, width - 1, -1):
            step = pow(at[i] - at[i - width], -1, prime)
            differences[i] = (differences[i] - differences[i - 1]) * step % prime
    found: list[int] = []
    for place, difference in zip(reversed(at), reversed(differences), strict=True):
        shifted = [0, *found]
        for i, coefficient in enumerate(found):
            shifted[i] = (shifted[i] - place * coefficient) % prime
        shifted[0] = (shifted[0] + difference) % prime
        found = shifted
    return found


@dataclass(frozen=True)
class PointCost:
    """The cost of finding a graph and pushing batches of points through it, `together` at a time, step by step.

    The survey counts as one more batch. A branch to won positions takes the memory of a state, and a third of its time.
    """

    batches: int
    together: int = 1

    def __call__(self, states: States, step: int) -> Cost:
        """Return the cost of one step."""
        before, now = sum(states[step - 1][:2]), sum(states[step][:2])
        branches = states[step][2]
        seconds = (before + branches // 3) * (_STATE_SECONDS + (1 + self.batches) * _VISIT_SECONDS)
        return Cost(_EDGE_BYTES * (before + branches), self.together * values_bytes(now), seconds, now)


def values_bytes(widest: int) -> int:
    """Return the most bytes of the values of one batch, with two layers at a time."""
    return 8 * LANES * widest
