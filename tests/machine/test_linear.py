"""Linear and integer programmes whose optima are known, and an interval of chances that SciPy knows too."""

from __future__ import annotations

import random
import signal
import threading
from fractions import Fraction

import pytest

from noughts.bots.lines import clopper_pearson
from noughts.machine.linear import BITS, INFINITY, Program, minimise

TRIANGLE = [{0: 1.0, 1: 1.0}, {1: 1.0, 2: 1.0}, {0: 1.0, 2: 1.0}]


@pytest.mark.parametrize(("whole", "least"), [(False, 1.5), (True, 2.0)])
def test_covering_a_triangle_takes_two_corners_or_three_halves(least: float, *, whole: bool) -> None:
    found = minimise([1.0] * 3, TRIANGLE, [(1.0, INFINITY)] * 3, [(0.0, 1.0)] * 3, whole=whole, seconds=60.0)
    assert found.values is not None
    assert sum(found.values) == pytest.approx(least)
    assert found.status == "Optimal"
    if whole:
        assert sorted(found.values) == pytest.approx([0.0, 1.0, 1.0])
        assert found.bound == pytest.approx(2.0)


def test_a_signal_stops_an_integer_programme() -> None:
    """Splitting markets, which takes hours and has no limit here; without the interrupt the test exceeds its own."""

    def leave(*_: object) -> None:
        raise KeyboardInterrupt

    chance = random.Random(3)
    rows = [{j: float(chance.randrange(1, 100)) for j in range(40)} for _ in range(5)]
    half = [(sum(row.values()) // 2,) * 2 for row in rows]
    threads, before = threading.active_count(), signal.signal(signal.SIGALRM, leave)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            minimise([0.0] * 40, rows, half, [(0.0, 1.0)] * 40, whole=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert threading.active_count() == threads


def test_digits_are_added_until_the_solution_is_known() -> None:
    """The game with payoffs 3 and -1 on the diagonal, -2 and 5 beside it: 13/11 by 7/11 against 6/11."""
    game = Program()
    mix = [game.column(signed=True), game.column(signed=True)]
    value = game.column(signed=False)
    game.cost = {value: -1}
    rows = [game.row({value: 1, mix[0]: -3, mix[1]: 2}), game.row({value: 1, mix[0]: 1, mix[1]: -5})]
    game.row({mix[0]: 1, mix[1]: 1}, 1, equal=True)
    game.solve()
    for _ in range(8):
        game.refine()
    wanted = [Fraction(7, 11), Fraction(4, 11), Fraction(13, 11)]
    answer = [Fraction(6, 11), Fraction(5, 11)]
    found = [Fraction(game.primal[j], 1 << BITS) for j in (*mix, value)]
    assert all(abs(one - other) < Fraction(1, 10**80) for one, other in zip(found, wanted, strict=True))
    prices = [Fraction(-game.dual[row], 1 << BITS) for row in rows]
    assert all(abs(one - other) < Fraction(1, 10**80) for one, other in zip(prices, answer, strict=True))


@pytest.mark.parametrize(
    ("seen", "games", "confidence", "low", "high"),
    [
        (0, 1, 0.99, 0.0, 0.995),
        (1, 1, 0.99, 0.005, 1.0),
        (0, 1000, 0.99, 0.0, 0.005284306039497442),
        (1, 1000, 0.99, 5.01252926077751e-06, 0.007406286938352937),
        (3, 10, 0.95, 0.0667395111777345, 0.6524528500599973),
        (10, 10, 0.95, 0.6915028921812392, 1.0),
        (500, 1000, 0.99, 0.45885255330704494, 0.5411474466929551),
        (999, 1000, 0.99, 0.992593713061647, 0.9999949874707392),
        (17, 300, 0.9, 0.03642479234364139, 0.08378881306171114),
        (4321, 10000, 0.99, 0.4193250640162943, 0.44493986740453645),
    ],
)
def test_an_interval_holds_what_scipy_gives(seen: int, games: int, confidence: float, low: float, high: float) -> None:
    found = clopper_pearson(seen, games, confidence)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-13, abs=0)
