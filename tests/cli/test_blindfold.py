"""`noughts blindfold`: answers, certificates and their judge, games in the terminal, and every mistake."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from noughts.blindfold.inquiry import PARTS

pytestmark = pytest.mark.usefixtures("remembered")


def record(run, *arguments):
    result = run("blindfold", *arguments, "--format", "json")
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def test_the_contract_of_json(run):
    found = record(run, "3x3")
    assert found["board"] == "3x3:3"
    assert (found["blind"], found["collision"], found["told"]) == ("X", "retry", "collision")
    assert found["never_lose"] is True
    assert found["safe_first_calls"] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    assert set(found["information_sets"]) == {"all", "safe", "all_classes", "safe_classes"}
    assert all(isinstance(count, str) and int(count) > 0 for count in found["information_sets"].values())
    assert all(isinstance(count, int) for count in found["smallest_strategy"].values())
    assert int(found["strategies"]) > 10**6
    for key in ("never_lose", "any"):
        assert all(0 < Fraction(chance) < 1 for chance in found["win_probability"][key].values())
    assert Fraction(found["value"]) == 0
    assert found["strategy"]["plan"]["call"] in found["safe_first_calls"]


def test_parts_that_take_long_are_absent_until_asked(run):
    found = record(run, "4x4:3")
    assert found["never_lose"] is True
    assert found["information_sets"]["all"] is None
    assert found["win_probability"] == {"never_lose": None, "any": None}
    assert "smallest_strategy" in found["left_out"]


@pytest.mark.parametrize("form", ["json", "text"])
def test_check_accepts_what_is_written(run, tmp_path, form):
    file = tmp_path / f"strategy.{form}"
    assert run("blindfold", "3x3", "--first", "a1", "--format", form, "-o", str(file)).code == 0
    result = run("blindfold", "check", str(file))
    assert result.code == 0
    assert result.out.startswith("Yes: the strategy never loses.")
    verdict = json.loads(run("blindfold", "check", str(file), "--format", "json").out)
    assert verdict["holds"] is True
    assert verdict["losses"] == "0"
    assert int(verdict["games"]) == int(verdict["wins"]) + int(verdict["draws"])


def test_check_shows_the_game_that_is_lost(run, tmp_path):
    file = tmp_path / "strategy.json"
    run("blindfold", "3x3", "--goal", "win-often", "--format", "json", "-o", str(file))
    assert run("blindfold", "check", str(file)).code == 0
    result = run("blindfold", "check", str(file), "--goal", "never-lose")
    assert result.code == 1
    assert "A game that is lost:" in result.out
    assert result.err.startswith("noughts: the claim never-lose is false")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("content", ["", "{", "nonsense", '{"format": "noughts-blindfold-strategy"}', "\x00\x01"])
def test_check_refuses_broken_files(run, tmp_path, content):
    file = tmp_path / "broken.json"
    file.write_text(content)
    result = run("blindfold", "check", str(file))
    assert result.code == 2
    result.one_sentence()


def test_both_blind_gives_sizes_and_bounds(run):
    found = record(run, "3x3", "--blind", "both")
    assert found["sizes"] == {"X": "3683314", "O": "2307355"}
    assert found["value"] is None
    assert found["value_bounds"][0] == "0"


def answers(monkeypatch, *lines):
    given = iter(lines)

    def read(prompt=""):
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


def test_play_blind_to_the_end(run, monkeypatch):
    answers(monkeypatch, "b2", "zz", "b2", "a1", "c3", "b1", "a2", "c1", "a3", "c2", "b3")
    for opponent in ("random", "hostile"):
        answers(monkeypatch, "b2", "zz", "b2", "a1", "c3", "b1", "a2", "c1", "a3", "c2", "b3")
        result = run("blindfold", "play", "--opponent", opponent, "--seed", "3")
        assert result.code == 0
        assert "has no cell 'zz'" in result.out
        assert "b2 was already called or named" in result.out
        assert "All revealed: X b2, O " in result.out


def test_play_against_the_strategy(run, monkeypatch):
    answers(monkeypatch, "b2", "a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3", *"123456789" * 3)
    result = run("blindfold", "play", "--as", "sighted")
    assert result.code == 0
    assert "X calls b2: placed." in result.out
    assert "is not blank" in result.out
    assert "X wins: you lose." in result.out or "A draw." in result.out


@pytest.mark.parametrize("board", [["blindfold", "3x3"], ["solve", "infinite:4"]])
def test_a_proof_that_could_not_be_written_is_refused_before_the_work(run, board):
    result = run(*board, "--proof", "/nowhere/proof.json")
    assert result.code == 4
    assert "the folder '/nowhere' does not exist" in result.one_sentence()
    assert result.out == ""


def test_a_proof_of_a_value_is_written_and_judged(run, tmp_path):
    file = tmp_path / "proof.json"
    rules = ["--blind", "O", "--opening-told", "--opening", "b2"]
    assert run("blindfold", "3x3", *rules, "--proof", str(file)).code == 0
    result = run("blindfold", "check", str(file))
    assert result.code == 0
    assert result.out.startswith("Yes: for the blind O on 3x3:3, X opening at b2, the value is -4/5.")
    document = json.loads(file.read_text())
    file.write_text(json.dumps({**document, "lower": "0"}))
    result = run("blindfold", "check", str(file), "--format", "json")
    assert result.code == 1
    assert json.loads(result.out)["holds"] is False
    assert result.err.count("\n") == 1


def offered_parts(run):
    helped = " ".join(run("blindfold", "--help").out.split())
    return helped.split("with commas between: ")[1].split(" --")[0].replace(" or ", " ").replace(" ", "").split(",")


def test_every_part_that_the_help_offers_is_worked_out(run):
    parts = offered_parts(run)
    assert parts == [*PARTS, "all"]
    for part in parts:
        found = record(run, "2x2:2", "--with", part)
        asked = set(PARTS) if part == "all" else {part}
        assert all(found[name] for name in asked)
        assert not asked & set(found["left_out"])


# `noughts blindfold`: what it suggests is the game and the strategy that were asked for.


def test_the_most_moves_and_calls_stand_below_the_information_sets(run):
    """On 3x3 with the slip of a writing; elsewhere without."""
    three = " ".join(run("blindfold", "3x3").out.split())
    assert "X makes at most 5 moves, and O at most 4. X calls each of the 9 cells at most once." in three
    assert "A slip: 9, printed as the most moves" in three
    other = run("blindfold", "2x3:2", "--blind", "O").out
    assert "X makes at most 3 moves, and O at most 3. O calls each of the 6 cells at most once." in other
    assert "A slip" not in other
    losing = run("blindfold", "3x3", "--collision", "lose-turn", "--with", "information_sets").out
    assert "By x own marks" in losing
    assert "X makes at most" not in losing
    assert "A slip" not in losing
