"""Programs whose answers vary are found out and sampled, with an interval that holds what it says."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import pytest

import noughts
from noughts.bots.referee.sampling import clopper_pearson
from noughts.reports.bots.referee import report
from tests.bots.programs import hashed, playing, program


def test_moves_at_random_are_found_out_and_sampled(tmp_path):
    found = noughts.referee("3x3", program(tmp_path, playing("random.choice(blanks)")), games=None)
    assert not found.consistent
    assert [side.games for side in found.sides] == [1000, 1000]
    assert found.lines == 2000
    assert found.wins + found.draws + found.losses == 2000
    for side in found.sides:
        assert side.two_answers is not None
        assert side.chance_of_loss is not None
        exact = noughts.versus("3x3")  # both at random
        loses = exact.o_wins if side.role == "X" else exact.x_wins
        assert side.chance_of_loss.low < loses < side.chance_of_loss.high
        assert side.shortest_loss is not None
        assert len(side.shortest_loss) == (6 if side.role == "X" else 5)


def test_one_answer_that_varies_late_in_the_game_is_found(tmp_path):
    body = f"salt = str(os.getpid())\n{hashed('moves if len(moves) < 6 else [*moves, salt]')}"
    found = noughts.referee("3x3", program(tmp_path, body), as_="X")
    assert not found.consistent
    assert found.sides[0].two_answers is not None
    assert len(found.sides[0].two_answers.history) >= 6


def test_answers_that_change_while_it_runs_are_found(tmp_path):
    body = "asked = []\n" + hashed("[*moves, str(len(asked) // 30)]").replace("def answer(moves, blanks): ",
            "def answer(moves, blanks):\n    asked.append(1)\n    ")  # fmt: skip
    assert not noughts.referee("3x3", program(tmp_path, body), as_="O").consistent


def test_the_same_seed_draws_the_same_games(tmp_path):
    command = program(tmp_path, hashed())
    first, again, other = (noughts.referee("3x3", command, games=40, as_="X", seed=seed) for seed in (1, 1, 2))
    assert first.as_dict() == again.as_dict()
    assert (first.wins, first.draws, first.losses) != (other.wins, other.draws, other.losses)
    assert first.consistent


@pytest.mark.parametrize(("seen", "games"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 1000), (129, 200)])
def test_the_interval_is_where_the_tails_are_half_of_what_is_left(seen, games):
    found = clopper_pearson(seen, games, 0.99)

    def tail(chance: float, least: int, most: int) -> float:
        return float(sum(comb(games, k) * chance**k * (1 - chance) ** (games - k) for k in range(least, most + 1)))

    assert found.low <= seen / games <= found.high
    assert tail(found.low, seen, games) == pytest.approx(0.005) if seen else found.low == 0
    assert tail(found.high, 0, seen) == pytest.approx(0.005) if seen < games else found.high == 1


def test_a_line_lost_before_the_answers_were_found_to_vary_is_held_against_it(tmp_path):
    """Its answers vary after one opening, which the first few games do not meet; and games may miss what it lost."""
    body = f"salt = str(os.getpid())\n{hashed('[*moves, salt] if moves[0] == OPENING else moves')}".replace(
        "OPENING", "'b2'"
    )
    found = noughts.referee("3x3", program(tmp_path, body), as_="O")
    side = found.sides[0]
    assert side.walked is not None
    assert side.walked.losses
    assert side.walked.games is None
    assert found.as_dict()["sides"] == {"O": side.as_dict(found.board)}
    clean = replace(side, wins=side.lines, draws=0, losses=0, shortest_loss=None)
    trial = replace(found, sides=(clean,))
    assert trial.losses == 0
    assert not trial.passed
    assert trial.shortest_loss == side.walked.shortest_loss
    assert f"before its answers were found to vary, it lost {side.walked.losses:,} of " in report(trial).headline
    assert replace(trial, sides=(replace(clean, walked=None),)).passed
