"""Hold the games that one engine counted against the frontier of the same board, at random points modulo two primes.

python scripts/at_points.py BOARD ENGINE ...   such as 10x10 inclusion

A count at every point would give the games again. Two points cost a fraction of that: the polynomial of the positions
without a line, by marks, is compared at a random number modulo each prime. A wrong count goes unnoticed with a
probability below cells / prime for each, 10^-14 for both on 10x10.
"""

from __future__ import annotations

import sys
import time
from math import factorial
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.counting.census import Census
from noughts.counting.engines import answer, ask
from noughts.counting.frontier.batches import survey_of, values_at
from noughts.counting.frontier.graph import Exploration
from noughts.counting.frontier.grid import Grid, Point, root_of_unity
from noughts.counting.frontier.sweep import Route
from noughts.counting.patterns import Pattern, is_prime
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import workers_for
from noughts.rules.board import Board

PRIMES = 2


def without_line(census: Census) -> list[int]:
    """Return the positions of each ply without a line: one with p and q marks has p! q! paths."""
    found = []
    for row in census.plies:
        assert row.paths is not None
        assert row.x_wins is not None
        assert row.o_wins is not None
        orders = factorial((row.ply + 1) // 2) * factorial(row.ply // 2)
        whole, rest = divmod(row.paths - row.x_wins - row.o_wins, orders)
        assert rest == 0, "paths come in all orders of the marks"
        found.append(whole)
    return found


def primes_for(order: int) -> list[int]:
    """Return the largest primes below 2^31 that have roots of unity of twice the order."""
    candidates = range((2**31 - 2) // (2 * order) * 2 * order + 1, 1, -2 * order)
    return [prime for prime, _ in zip(filter(is_prime, candidates), range(PRIMES), strict=False)]


def differing(board: Board, census: Census) -> list[tuple[int, int]]:
    """Return the primes, each with the parity of the marks, where a census and the frontier disagree."""
    pattern = Pattern.of(board.cells, board.line_masks)
    graph = Exploration(Route(pattern, range(pattern.size), None)).graph()
    order = Grid.of(pattern, survey_of(graph)).order
    at = [(prime, Random(f"{board} {prime}").randrange(2, prime)) for prime in primes_for(order)]
    points = []
    for prime, s in at:
        powers = [pow(root_of_unity(prime, 2 * order), j, prime) for j in range(1, order, 2)]
        points += [Point(prime, s * w % prime, s * pow(w, -1, prime) % prime) for w in powers]
    values = values_at(graph, points, 1, workers_for(1), Checkpoints(None), str(board), lambda *_: None)
    counts, many = without_line(census), order // 2
    return [
        (prime, parity)
        for number, (prime, s) in enumerate(at)
        for parity in (0, 1)
        if _sum(prime, order, parity, values[number * many : (number + 1) * many])
        != sum(count * pow(s, t, prime) for t, count in enumerate(counts) if t % 2 == parity) % prime
    ]


def _sum(prime: int, order: int, parity: int, row: list[tuple[int, ...]]) -> int:
    """Return the polynomial of the positions in which the first player has `parity` marks more, as Grid has it."""
    up = pow(root_of_unity(prime, 2 * order), parity, prime)
    total = sum(
        here * pow(up, -2 * j - 1, prime) + there * pow(up, 2 * j + 1, prime) for j, (here, there) in enumerate(row)
    )
    return total * pow(order, -1, prime) % prime


if __name__ == "__main__":
    if len(sys.argv) % 2 == 0 or len(sys.argv) == 1 or not set(sys.argv[2::2]) <= {"inclusion", "subset", "transfer"}:
        raise SystemExit("give boards, each with inclusion, subset or transfer, such as 10x10 inclusion")
    for spec, engine in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        census, begin = answer(ask(spec), engine=engine, columns="games", carried=False), time.process_time()
        wrong = differing(Board.parse(spec), census)
        took = time.process_time() - begin
        print(f"{spec}: {engine} and frontier {'disagree' if wrong else 'agree'}, {took:.0f} s", flush=True)
        if wrong:
            raise SystemExit(1)
