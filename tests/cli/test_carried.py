"""Counts that the package carries: the same numbers as engines give, at once, through every door."""

import json

import pytest

import noughts
from noughts.counting.carried import carried_census
from noughts.counting.engines import ask
from noughts.rules.errors import InputError

GAMES = 97871940875685332573397168531035470849666132340933665687392000
POSITIONS, CLASSES = 28827193669108725408298, 3603399209550273743340


def test_a_count_of_minutes_is_given_at_once() -> None:
    found = noughts.count("7x7:5")
    assert (found.totals.finished, found.totals.positions, found.plies) == (GAMES, POSITIONS, ())
    assert sum(getattr(found.totals, column) for column in ("x_wins", "o_wins", "draws")) == GAMES
    assert noughts.count("7x7:5", same="symmetry").totals.positions == CLASSES
    assert noughts.count("7x7:5", same="symmetry").totals.finished is None
    assert noughts.count("8x6:4").totals == noughts.count("6x8:4").totals
    with pytest.raises(InputError, match="name the engine frontier"):
        found.column("finished")


@pytest.mark.parametrize("change", ["+misere", "+torus", " --to-ply 3", " --moves win", " --from a1", " --starts O"])
def test_another_question_is_not_answered_from_what_is_carried(run, change: str) -> None:
    found = run("count", *f"7x7:5{change}".split(), "--same", "labelled", "--format", "json", "--time", "1s")
    assert "carried" not in found.out
    assert found.code in (0, 3)


def test_a_named_engine_and_a_check_count_again(run) -> None:
    for words in (["--engine", "frontier"], ["--check"], ["--explain"], ["--format", "csv"]):
        found = run("count", "7x7:5", "--same", "labelled", "--time", "1s", *words)
        assert (found.code, found.out) == (3, "")


@pytest.mark.parametrize("spec", ["5x5:4", "5x6:5", "4x7:5", pytest.param("3x3x3", marks=pytest.mark.slow)])
def test_what_is_carried_is_what_engines_count(spec: str) -> None:
    counted, found = noughts.count(spec).totals, carried_census(ask(spec), least=0.0)
    assert found is not None
    assert found.plies == ()
    for column in ("finished", "x_wins", "o_wins", "draws"):
        assert getattr(found.totals, column) == getattr(counted, column)


@pytest.mark.parametrize("board", ["5x5:4", "5x5:5"])
def test_values_by_ply_that_are_carried_add_up_to_the_classes(run, board: str) -> None:
    found = json.loads(run("solve", board, "--by-ply", "--same", "symmetry", "--format", "json").out)
    outcomes = ("x_wins", "draws", "o_wins")
    total = sum(int(row[outcome]) for row in found["plies"] for outcome in outcomes)
    classes = json.loads(run("count", board, "--same", "symmetry", "--format", "json").out)["totals"]["positions"]
    assert str(total) == classes
    assert found["carried"].startswith("computed by noughts solve")
    assert found["plies"][0]["draws"] == "1"
