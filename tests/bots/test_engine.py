"""The engine behind the protocol: each order, any strength and board, whatever comes in."""

from __future__ import annotations

import subprocess
import sys

import pytest

import noughts
from noughts.bots.engine import Engine
from tests import naive
from tests.bots.programs import cell_names

ENGINE = [sys.executable, "-m", "noughts", "engine"]
SESSION = """ugi
isready
uginewgame
position startpos moves a1 b2
query p1turn
go
query gameover
position board XX./OO./... moves a3
query p1turn
go movetime 100
position startpos moves a1 b1 a2 b2 a3
query result
go
stop
quit
go
"""
ANSWERS = """id name noughts VERSION perfect
id author The noughts authors
option name Board type string default 3x3:3
option name Strength type string default perfect
option name Seed type string default <empty>
ugiok
readyok
response true
bestmove b1
response false
response false
bestmove c2
response p1win
info string no move is possible: the game is over
bestmove none
"""


def told(engine: Engine, *lines: str) -> list[str]:
    return [answer for line in lines for answer in engine.answer(line)]


def test_a_session_word_for_word():
    done = subprocess.run(ENGINE, input=SESSION, capture_output=True, text=True)
    assert done.stdout == ANSWERS.replace("VERSION", noughts.__version__)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_end_of_the_input_is_the_end():
    done = subprocess.run(ENGINE, input="isready", capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "readyok\n", "")


@pytest.mark.parametrize("strength", ["random", "win", "block", "fork", "perfect", "quickest", "trap:block"])
def test_each_strength_plays_its_own_moves(strength):
    game = naive.grid(3, 3, 3)
    rule = {"random": "any", "trap:block": "perfect"}.get(strength, strength)
    names = cell_names()
    for seed in (None, 1, 2):
        engine = noughts.engine("3x3", strength, seed=seed)
        for moves in [(), (0,), (0, 4), (0, 1), (0, 4, 8), (0, 1, 4, 8), (4, 0, 8, 2), (0, 1, 2, 3, 4)]:
            position = "." * 9
            for cell in moves:
                position = naive.play(position, cell)
            (answer,) = told(engine, f"position startpos moves {' '.join(names[cell] for cell in moves)}", "go")
            assert names.index(answer.removeprefix("bestmove ")) in naive.moves(game, position, rule)


def test_options_change_board_strength_and_seed_and_bad_ones_leave_all_as_it_was():
    engine = noughts.engine("3x3")
    assert told(engine, "setoption name Board value 2x3:2", "setoption name strength value block") == []
    assert told(engine, "ugi")[2:4] == [
        "option name Board type string default 2x3:2",
        "option name Strength type string default block",
    ]
    for bad in (
        "name Board value 0x0",
        "name Strength value bloc",
        "name Colour value red",
        "name Board value 3x3+misere",
    ):
        (answer,) = told(engine, f"setoption {bad}")
        assert answer.startswith("info string ")
    assert told(engine, "position startpos moves a1 a2 b1", "query result") == ["response p1win"]
    assert told(engine, "setoption name Seed value 5", "ugi")[4] == "option name Seed type string default 5"


def test_a_board_of_too_many_cells_is_refused_and_the_one_before_is_kept():
    engine = noughts.engine("2x3:2")
    said = "info string 64x65:64 has 4,160 cells: choose a board of up to 4,096"
    assert told(engine, "setoption name Board value 64x65", "isready", "ugi")[:2] == [said, "readyok"]
    assert told(engine, "ugi")[2] == "option name Board type string default 2x3:2"
    assert told(engine, "position startpos moves a1 c2", "go") == told(
        noughts.engine("2x3:2"), "position startpos moves a1 c2", "go"
    )
    with pytest.raises(noughts.BudgetError, match=r"1000x1000:1000 has 1,000,000 cells"):
        noughts.engine("1000x1000")


@pytest.mark.slow
def test_an_engine_passes_the_referee_and_one_at_random_is_found_out():
    found = noughts.referee("3x3", ENGINE)
    assert found.passed
    assert found.consistent
    assert all(side.blunders == () for side in found.sides)
    assert found.name == f"noughts {noughts.__version__} perfect"
    seeded = noughts.referee("2x3:2", [*ENGINE, "2x3:2", "--strength", "random", "--seed", "4"], as_="O")
    assert seeded.consistent
    assert seeded.losses
    assert not noughts.referee("2x3:2", [*ENGINE, "2x3:2", "--strength", "random"], as_="O").consistent
