"""The judge of pairings on the infinite board: what it accepts stops every line, walked on a piece of the plane."""

from __future__ import annotations

import random
from itertools import product

import pytest

from noughts.judge.proofs.judge import judge_proof
from noughts.rules.errors import CheckError, InputError
from noughts.solving.infinite import solve_infinite

Pairs = list[list[int]]


def written(pairs: Pairs, period: tuple[int, int] = (8, 8), k: int = 9) -> str:
    lines = ["noughts proof 1", f"board {k}+infinite", "claim draw", f"pairs {period[0]} {period[1]}"]
    return "\n".join([*lines, *(" ".join(map(str, pair)) for pair in pairs)]) + "\n"


def is_right(pairs: Pairs, period: tuple[int, int], k: int) -> bool:
    """Lay the pairs out far around one period and walk its lines."""
    rows, columns = period
    partner: dict[tuple[int, int], tuple[int, int]] = {}
    for a, b, c, d in pairs:
        for down, right in product(range(-6 * rows, 7 * rows, rows), range(-6 * columns, 7 * columns, columns)):
            one, other = (a + down, b + right), (c + down, d + right)
            if one == other or one in partner or other in partner:
                return False
            partner[one], partner[other] = other, one
    for row, column, (down, right) in product(range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))):
        line = {(row + i * down, column + i * right) for i in range(k)}
        if not any(partner.get(place) in line for place in line):
            return False
    return True


@pytest.fixture(scope="module")
def nine() -> Pairs:
    return [list(map(int, line.split())) for line in solve_infinite("9+infinite").proof_lines()[4:]]


@pytest.mark.parametrize("k", [9, 12, 1_000_000])
def test_what_solve_writes_holds(k: int) -> None:
    verdict = judge_proof("\n".join(solve_infinite(f"{k}+infinite").proof_lines()) + "\n")
    assert (verdict.board, verdict.claim, verdict.positions) == (f"{k}+infinite", "draw", 32)


@pytest.mark.parametrize("claim", ["X stopped", "O stopped"])
def test_either_player_is_stopped(claim: str, nine: Pairs) -> None:
    assert judge_proof(written(nine).replace("claim draw", f"claim {claim}")).claim == claim


def test_a_pair_may_lie_anywhere(nine: Pairs) -> None:
    moved = [[a + 8 * i, b - 16, c + 8 * i, d - 16] for i, (a, b, c, d) in enumerate(nine)]
    turned = [[c, d, a, b] for a, b, c, d in nine]
    for pairs in (moved, turned, nine[::-1]):
        judge_proof(written(pairs))


@pytest.mark.parametrize("period", [(2, 2), (2, 4), (4, 4), (3, 5)])
def test_random_pairs_of_small_periods(period: tuple[int, int]) -> None:
    """Judge and walk agree on both answers where lines are long."""
    lots = random.Random(sum(period))
    answers = set()
    for _ in range(150):
        rest = [tuple(place) for place in product(range(period[0]), range(period[1]))]
        lots.shuffle(rest)
        pairs = []
        while len(rest) > 1:
            (a, b), (c, d) = rest.pop(), rest.pop()
            pairs.append([a, b, c + lots.choice((0, 0, period[0])), d - lots.choice((0, 0, period[1]))])
        k = lots.choice((4, 6, 11, 14))
        try:
            found = bool(judge_proof(written(pairs, period, k)))
        except CheckError:
            found = False
        assert found == is_right(pairs, period, k)
        answers.add(found)
    assert False in answers


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("claim draw", "claim X wins", "unknown claim .* on the infinite board"),
        ("claim draw", "from X\nclaim draw", "remove the line .from."),
        ("board 9+infinite", "board 9x9+infinite", "cannot have the board"),
        ("board 9+infinite", "board 99999999+infinite", "cannot have the board"),
        ("pairs 8 8", "pairs 800 8", "period over 64"),
    ],
)
def test_what_cannot_be_read(old: str, new: str, words: str, nine: Pairs) -> None:
    with pytest.raises(InputError, match=words):
        judge_proof(written(nine).replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("pairs 8 8", "stop X", "must begin with .pairs"),
        ("pairs 8 8", "pairs 0 8", "must begin with .pairs"),
        ("pairs 8 8\n", "pairs 8 8\n1 2 3\n", "row column row column"),
        ("pairs 8 8\n", "pairs 8 8\n1 2 3 99999\n", "row column row column"),
        ("pairs 8 8\n", "pairs 8 8\n0 0 0 8\n", "shares a place with itself"),
        ("9+infinite", "8+infinite", "the line of 8 from row .* holds no pair"),
    ],
)
def test_what_does_not_hold(old: str, new: str, words: str, nine: Pairs) -> None:
    with pytest.raises(CheckError, match=words):
        judge_proof(written(nine).replace(old, new))
