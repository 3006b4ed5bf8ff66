"""At which points a count is taken, modulo which primes, and the counts behind the values there.

Let A(p, q) be the positions with p marks of the first player and q of the other. Where a mark weighs s w and s / w, all
of them weigh F = sum of A(p, q) s^(p + q) w^(p - q). Summed over the w with w^M = -1, each divided by w^d, those
A(p, q) remain for which p - q leaves the remainder d modulo M: if M is large enough, for d = 0 and 1 only those with
p - q = d. So each s gives the value of two polynomials in s, one even and one odd, and enough of these give their
coefficients (Newton's interpolation). Those w come in pairs w, 1 / w, which are (x, y) and (y, x). A count
that is below the product of the first primes needs no more of them: the later primes have fewer unknowns, and fewer s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.counting.frontier.forecast import RECKONING, least_by_walks
from noughts.counting.frontier.graph import Edges, Exploration, StateGraph, pieces_of
from noughts.counting.frontier.order import Growth, least_states
from noughts.counting.frontier.sweep import Route
from noughts.counting.patterns import Pattern, balanced_fillings, is_prime, recombine
from noughts.counting.sweeps import Checkpoints, Cost, Found, Report
from noughts.kernels.frontier.values import LANES, PAIRS, push, push_branches
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, Workers, cuts, silent, workers_for
from noughts.rules.marks import Mask, cells_of

if TYPE_CHECKING:
    from noughts.counting.frontier.graph import Survey


_PRIMES_BELOW = 1 << 31


class Point(NamedTuple):
    """The weights x and y of the two players' marks modulo a prime."""

    prime: int
    x: int
    y: int


@dataclass(frozen=True)
class Grid:
    """The points at which the balanced counts of up to `total` marks can be told.

    `known[t]` are those that are known beforehand, by the number of marks; each of the others is at most `bounds[t]`.
    The marks of the players differ by less than `order`, an even number.
    """

    known: tuple[int, ...]
    order: int
    bounds: tuple[int, ...]

    @classmethod
    def of(cls, pattern: Pattern, survey: Survey | None = None) -> Grid:
        """Return the grid for the positions of a pattern that nobody has won; a survey of its graph makes it smaller.

        Without one the counts are bounded by those without lines.
        """
        weights = pattern.weights
        known = tuple(balanced_fillings(weights, t) for t in range(known_up_to(pattern) + 1))
        bounds = known + tuple(balanced_fillings(weights, t) for t in range(len(known), pattern.total + 1))
        difference = widest_difference(pattern)
        if survey is not None:
            bounds = tuple(min(bound, survey.most_positions(t)) for t, bound in enumerate(bounds))
            difference = survey.difference
        return cls(known, difference + 2 + difference % 2, bounds)

    @classmethod
    def with_won(cls, pattern: Pattern, survey: Survey | None = None) -> Grid:
        """Return the grid that serves the won positions as well, each a position of nobody's and one more cell."""
        grid = cls.of(pattern, survey)
        more = max(pattern.weights, default=0)
        return grid if survey is not None else replace(grid, order=grid.order + more + more % 2)

    def of_won(self) -> Grid:
        """Return the grid for the won positions at the same points: of the fewest marks there are none."""
        return replace(
            self, known=(0,) * len(self.known), bounds=(0,) * len(self.known) + self.bounds[len(self.known) :]
        )

    @cached_property
    def primes(self) -> tuple[int, ...]:
        """The largest primes below 2^31 that have roots of unity of twice the order, as many as the bounds ask for."""
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
        """For each prime the numbers of marks whose counts the primes before it do not tell."""
        found, product = [], 1
        for prime in self.primes:
            unknown = [t for t in range(len(self.known), len(self.bounds)) if self.bounds[t] >= product]
            found.append(range(unknown[0], unknown[-1] + 1))
            product *= prime
        return tuple(found)

    @property
    def batches(self) -> int:
        """How many batches of points the kernels take them in."""
        return -(-self.pairs // PAIRS)

    @property
    def pairs(self) -> int:
        """How many pairs of points there are for all primes."""
        return sum(_scales(span) for span in self.spans) * self.order // 2

    def points(self) -> Iterator[Point]:
        """Yield one point of each pair: prime by prime, s by s, and then by the odd powers of a root."""
        for prime, span in zip(self.primes, self.spans, strict=True):
            root = _root(prime, 2 * self.order)
            for s in range(1, _scales(span) + 1):
                for j in range(1, self.order, 2):
                    w = pow(root, j, prime)
                    yield Point(prime, s * w % prime, s * pow(w, -1, prime) % prime)

    def counts(self, values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Return the balanced counts by number of marks from the values at the points and at their twins, in order."""
        found = [*self.known, *[0] * (len(self.bounds) - len(self.known))]
        product, begin = 1, 0
        for prime, span in zip(self.primes, self.spans, strict=True):
            end = begin + _scales(span) * self.order // 2
            for t, remainder in self._remainders(prime, span, found, values[begin:end]).items():
                found[t] = recombine((found[t], remainder), (product, prime))
            product, begin = product * prime, end
        assert all(count <= bound for count, bound in zip(found, self.bounds, strict=True)), "more than there can be"
        return tuple(found)

    def _remainders(
        self, prime: int, span: range, known: Sequence[int], values: Sequence[tuple[int, ...]]
    ) -> dict[int, int]:
        """Return the counts in a span modulo a prime; those outside it are known."""
        root, many = _root(prime, 2 * self.order), self.order // 2
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
    """Return how many values of s are needed: the counts of even numbers of marks, or of odd ones if more."""
    return (len(span) + 1) // 2


def _coefficients(prime: int, sums: Sequence[int], inside: Sequence[int], outside: list[tuple[int, int]]) -> list[int]:
    """Return the coefficients of s^t, t `inside`, of the polynomial that takes these values at 1, 2, 3, ...

    Those `outside` are given.
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
    """Return up to how many marks neither player can have a line, marks being balanced."""
    x, o = (_shortest(pattern, number) - 1 for number in (0, 1))
    return min(2 * x, 2 * o + 1, pattern.total)


def _shortest(pattern: Pattern, number: int) -> int:
    """Return the marks on the shortest line of one player; more than there are if there is none."""
    lines = (pattern.first, pattern.second)[number]
    weights = pattern.weights
    return min((sum(weights[c] for c in cells_of(line.trigger)) for line in lines), default=pattern.total + 1)


def widest_difference(pattern: Pattern) -> int:
    """Return a number that the marks of the two players differ by at most while nobody has a line.

    Of lines without a common cell each lacks a mark, whoever of the two it is that has more.
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


def _root(prime: int, order: int) -> int:
    """Return a root of unity of exactly this order."""
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


# What counting at points costs, reckoned while the states are being found.

_EDGE_BYTES = 12
_STATE_SECONDS = 6e-7
_VISIT_SECONDS = 1.5e-7
"""Measured on one core: to find the successors of a state, and to take a batch of points through it."""

_PLACES = 32
"""At so many steps at most the states are bounded, those half-way first."""


class Tariff:
    """What a graph costs whose cells are visited in this order, with a batch for the survey and those of its grid.

    `most` batches at a time may be under way.
    """

    def __init__(self, pattern: Pattern, grid: Grid, order: Sequence[int], most: int) -> None:
        self.batches = grid.batches
        self.pattern, self.order = pattern, tuple(order)
        self.most = most
        self.growth = Growth(pattern, order)

    def together(
        self, sizes: Sequence[int], peak: int, limits: Limits, branches: int = 0, on_disk: bool = False
    ) -> int:
        """Return how many batches at a time fit the limits; at least one."""
        costs = ((n, self.cost(sizes, peak, n, branches, on_disk)) for n in range(self.most, 0, -1))
        return next((n for n, cost in costs if not cost.exceeds(limits)), 1)

    def cost(
        self, sizes: Sequence[int], peak: int, together: int = 1, branches: int = 0, on_disk: bool = False
    ) -> Cost:
        """Return what layers of these sizes cost, where `peak` bytes are taken while they are found.

        A branch to won positions is as much as a state to keep, and a third of one to take points through.
        """
        edges, states = _EDGE_BYTES * (sum(sizes) + branches), sum(sizes) + branches // 3
        kept = 0 if on_disk else edges
        top = max(peak - kept, together * values_bytes(sizes))
        seconds = states * (_STATE_SECONDS + (1 + self.batches) * _VISIT_SECONDS)
        return Cost(kept, top, seconds, max(sizes), edges - kept)

    def forecast(self, sizes: Sequence[int], peak: int, branches: int = 0, on_disk: bool = False) -> Cost:
        """Return the same, with what the widest layer is expected to be, while there are cells to visit."""
        known = self.cost(sizes, peak, 1, branches, on_disk)
        growth = self.growth.further(sizes)
        return replace(known, top=int(known.top * growth), seconds=known.seconds * growth)


def values_bytes(sizes: Sequence[int]) -> int:
    """Return the bytes that the values of one batch take, two layers of these at a time."""
    return 4 * LANES * (max(sizes[::2], default=0) + max(sizes[1::2], default=0))


def hopeless_at_points(tariff: Tariff, limits: Limits) -> Cost | None:
    """Return what a graph in its order costs at least, where that exceeds the limits; else None.

    Cost: milliseconds, in proportion to lines times lines under way.
    """
    pattern, order = tariff.pattern, tariff.order
    size = len(order)
    steps = {size * number // _PLACES for number in range(1, _PLACES)}
    for step in sorted(steps, key=lambda step: (abs(2 * step - size), step)):
        cost = tariff.cost([least_states(pattern, order[:step])], 0)
        if cost.exceeds(limits):
            return cost
    return None


def hopeless_by_walks(tariff: Tariff, limits: Limits) -> Cost | None:
    """Return what a graph in its order costs at least, nearly surely, where that exceeds the limits; else None."""
    return least_by_walks(tariff.pattern, tariff.order, limits, lambda sizes: tariff.cost(sizes, 0))


# Which order of the cells gives the smallest graph: they are found side by side, and the first to end is taken.

_WORTH_WALKS = 300_000
"""States found from which on walks are worth their time, which show that there are far more."""


def smallest_graph(
    pattern: Pattern,
    tariffs: Sequence[Tariff],
    limits: Limits,
    shared: dict[Mask, int] | None = None,
    progress: Progress = silent,
) -> tuple[tuple[tuple[int, ...], StateGraph] | None, Cost]:
    """Return the order with the fewest states and its graph, or None where all exceed the limits; and the cost.

    There is a tariff for each order. With the `shared` sets of a route won positions come too. Of several graphs the
    one with the fewest states goes on by a cell, so that no other ever has many more than the smallest; an order that
    exceeds the limits goes on with its edges on disk, if there is a folder for them, and is out if it still does.
    """
    runs = [(Exploration(Route(pattern, tariff.order, shared)), tariff) for tariff in tariffs]
    peak = 0
    walked: set[Exploration] = set()
    while True:
        run, tariff = min(runs, key=lambda pair: pair[0].visited)
        others = sum(other.kept for other, _ in runs if other is not run)
        on_disk = run.file is not None
        reckoned = [tariff.forecast(run.sizes, peak, run.branched, on_disk)]
        if run.visited > _WORTH_WALKS and run not in walked and not reckoned[0].exceeds(limits):
            walked.add(run)
            least = hopeless_by_walks(tariff, limits)
            if least is not None:
                runs.remove((run, tariff))
                if not runs:
                    return None, least
                continue

        def goes_on(
            states: int,
            tariff: Tariff = tariff,
            sizes: Sequence[int] = run.sizes,
            least: int = max(peak, others),
            branches: int = run.branched,
            on_disk: bool = on_disk,
            told: list[Cost] = reckoned,
        ) -> bool:
            told.append(tariff.forecast([*sizes, states], least, branches, on_disk))
            return not told[-1].exceeds(limits)

        went_on = run.advance(goes_on)
        progress(len(run.edges), pattern.size, RECKONING)
        peak = max(peak, others + run.peak)
        if went_on and run.is_done:
            return (run.route.order, run.graph()), tariff.cost(run.sizes, peak, 1, run.branched, on_disk)
        if not went_on and limits.folder is not None and not (on_disk or reckoned[-1].moved().exceeds(limits)):
            run.move_to_disk(limits.folder)
        elif not went_on:
            runs.remove((run, tariff))
            if not runs:
                return None, reckoned[-1]


# Batches of points: what they find in a graph, one by one or several at a time, each kept when it is done.

_SAMPLE = 1 << 10
"""Rows of edges that tell where the targets of all of them lie."""
_WORTH_SENDING = 10**7
"""Visits to a state by a batch from which on they are worth sending to other processes: a second or two."""

Lanes = NDArray[np.uint32]
Values = list[tuple[int, ...]]
"""For each point the value there and the one at its twin, for each of the last states of a graph."""


def batches_of(points: Iterator[Point]) -> list[list[Point]]:
    """Return the points in batches of up to `PAIRS`."""
    rest = list(points)
    return [rest[i : i + PAIRS] for i in range(0, len(rest), PAIRS)]


class Halt:
    """Tells those at work to stop."""

    called = False


def values_at(
    graph: StateGraph,
    batches: Sequence[Sequence[Point]],
    together: int,
    workers: Workers,
    store: Checkpoints | None,
    key: str,
    report: Report,
) -> Values:
    """Return the values at all points and at their twins (y, x), in order.

    With a store each batch is kept under the key when it is done. No more than `together` are under way at a time.
    Workers in other processes are given all at once; in this one threads that have no batch of their own help with one.
    `report` is called with the batches done. An interruption ends those under way in this process at their next cell.
    """
    keys = [f"points {key} {[tuple(point) for point in batch]}" for batch in batches]
    known = [store.result(key) if store is not None else None for key in keys]
    found = {
        number: [tuple(map(int, values)) for values in record["values"]]
        for number, record in enumerate(known)
        if record is not None
    }
    missing = [number for number in range(len(batches)) if number not in found]
    widest = max(graph.sizes)
    if len(missing) * sum(graph.sizes) < _WORTH_SENDING:
        workers = workers.here
    together = workers.together(together, graph.nbytes, values_bytes(graph.sizes))
    halt, hands = Halt(), workers.count // together if workers is workers.here else 1
    try:
        for begin in range(0, len(missing), together):
            report(len(found), widest)
            several = missing[begin : begin + together]
            swept = workers.map(sweep_batch, (graph, halt, max(1, hands)), [batches[number] for number in several])
            for number, values in zip(several, swept, strict=True):
                if store is not None:
                    store.keep_result(keys[number], {"values": values})
                found[number] = values
                report(len(found), widest)
    finally:
        halt.called = True
    return [values for number in range(len(batches)) for values in found[number]]


def sweep_batch(shared: tuple[StateGraph, Halt, int], batch: Sequence[Point]) -> Values:
    """Return the values at up to `PAIRS` points and at their twins, by so many threads; nothing after a call to halt.

    A work item: the graph is shared by all batches, a batch is a few numbers, and so is what comes back.
    """
    graph, halt, threads = shared
    hands = workers_for(threads)
    padded = [*batch, *[batch[-1]] * (PAIRS - len(batch))]
    prime = np.array([point.prime for point in padded] * 2, dtype=np.uint32)
    sizes = graph.sizes
    room = [_room(max(sizes[parity::2], default=0)) for parity in (0, 1)]
    scales = {weight: _weights(padded, weight) for weight in set(graph.weights)}
    room[0][0] = _halved(np.ones_like(prime), prime) if graph.is_merged else 1
    with np.errstate(over="ignore"):
        for step, edges in enumerate(graph.edges):
            sources, targets = room[step % 2], room[1 - step % 2]
            for _ in hands.map(_emptied, targets, cuts(sizes[step + 1], threads)):
                pass
            given, begin = (*scales[graph.weights[step]], prime), 0
            for piece in pieces_of(edges):
                if halt.called:
                    return []
                _shared_out(
                    hands, push, piece, _some(piece) >> 1, (targets, sources[begin : begin + len(piece)], *given)
                )
                begin += len(piece)
            for piece in pieces_of(graph.branches[step]) if graph.branches else ():
                _shared_out(hands, push_branches, piece, _some(piece)[:, 1], (targets, sources, *given))
            if graph.is_merged:
                targets[0] = _halved(_with_twin(targets[0], prime), prime)
    last = room[len(graph.edges) % 2][: graph.ends]
    if graph.is_merged:
        last[0] = _with_twin(last[0], prime)
    return [tuple(int(end[lane]) for end in last for lane in (j, PAIRS + j)) for j in range(len(batch))]


def _emptied(values: Lanes, stretch: tuple[int, int]) -> None:
    values[slice(*stretch)] = 0


_Given = tuple[Lanes, Lanes, Lanes, Lanes, Lanes]
"""Targets, sources, weights, quotients and primes."""
_Followed = tuple[Callable[..., None], Edges, _Given]


def _some(edges: Edges) -> Edges:
    return edges[:: 1 + len(edges) // _SAMPLE]


def _shared_out(hands: Workers, follow: Callable[..., None], edges: Edges, leading: Edges, given: _Given) -> None:
    """Follow edges by several threads, each to the targets of a stretch, so that as many of those given lie in each."""
    rising = np.sort(leading[leading >= 0], axis=None)
    inner = [int(rising[len(rising) * i // hands.count]) for i in range(1, hands.count) if len(rising)]
    ends = [0, *inner, len(given[0])]
    for _ in hands.map(_follow, (follow, edges, given), pairwise(ends)):
        pass


def _follow(shared: _Followed, stretch: tuple[int, int]) -> None:
    follow, edges, (targets, sources, weights, quotients, prime) = shared
    room = np.empty((2, LANES), dtype=np.uint32)
    follow(targets, sources, edges, weights, quotients, prime, room, *stretch)


def _room(states: int) -> Lanes:
    """Return room for values; those of a state begin where a line of a cache does, which saves one in ten seconds."""
    plain = np.empty((states + 1) * LANES, dtype=np.uint32)
    begin = -plain.ctypes.data % (4 * LANES) // 4
    return plain[begin : begin + states * LANES].reshape(states, LANES)


def _weights(points: Sequence[Point], weight: int) -> tuple[Lanes, Lanes]:
    """Return what a mark on a cell that stands for `weight` cells weighs, and the quotients that go with it."""
    lanes = [(point.prime, pow(point.x, weight, point.prime), pow(point.y, weight, point.prime)) for point in points]
    straight, exchanged = ([lane[i] for lane in lanes] for i in (1, 2))
    weights = [straight + exchanged, exchanged + straight]
    quotients = [[(w << 32) // lanes[j % PAIRS][0] for j, w in enumerate(row)] for row in weights]
    return np.array(weights, dtype=np.uint32), np.array(quotients, dtype=np.uint32)


def _with_twin(value: Lanes, prime: Lanes) -> Lanes:
    """Return the whole value of the state that is its own twin from the sum of what leads to it as if it were not.

    It counts half: so its own edges, which lead to twins, are right as they stand.
    """
    wide = value.astype(np.uint64) + np.roll(value, PAIRS, axis=-1).astype(np.uint64)
    return (wide % prime.astype(np.uint64)).astype(np.uint32)


def _halved(value: Lanes, prime: Lanes) -> Lanes:
    wide = value.astype(np.uint64)
    odd = wide & np.uint64(1)
    return ((wide + odd * prime.astype(np.uint64)) // np.uint64(2)).astype(np.uint32)


# From a pattern to its counts by values at points.


def counted_at_points(
    pattern: Pattern,
    graph: StateGraph,
    grid: Grid,
    together: int,
    workers: Workers,
    store: Checkpoints | None,
    key: str,
    report: Report,
) -> Found:
    """Return the balanced positions of a pattern that nobody has won and, as far as the graph has them, the others.

    Their batches are kept under the pattern and the key. For the others see `values_at`.
    """
    values = values_at(graph, batches_of(grid.points()), together, workers, store, f"{pattern} {key}", report)
    counts = grid.counts([each[:2] for each in values])
    won = grid.of_won().counts([each[2:] for each in values]) if graph.ends > 1 else ()
    pairs = [((t + 1) // 2, t // 2) for t in range(pattern.total + 1)]
    return Found(dict(zip(pairs, counts, strict=True)), dict(zip(pairs, won, strict=False)))


def explored(pattern: Pattern, order: tuple[int, ...], shared: dict[Mask, int] | None = None) -> StateGraph:
    """Return the graph of a pattern, however large; with the `shared` sets of a route that of won positions too."""
    exploration = Exploration(Route(pattern, order, shared))
    while not exploration.is_done:
        exploration.advance(lambda states: True)
    return exploration.graph()
