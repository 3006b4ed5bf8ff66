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


def test_both_players_mixes_prove_the_value(run, tmp_path):
    file = tmp_path / "proof.json"
    result = run("blindfold", "2x3:3", "--blind", "both", "--proof", str(file))
    assert "The value for X (win +1, draw 0, loss -1) is 0, by mixed strategies" in result.out
    assert "X takes one of the 4 symmetries of the board at random. With chance 1:" in result.out
    assert "O has one plan." in " ".join(result.out.split())
    proof = json.loads(file.read_text())
    for command in (["check"], ["blindfold", "check"]):
        result = run(*command, str(file))
        assert result.out.startswith("Yes: with both players blind on 2x3:3, the value for X is 0.")
        assert "O's strategy limits X to at most 0 against every call." in " ".join(result.out.split())
    file.write_text(json.dumps({**proof, "lower": "1/9"}))
    result = run("check", str(file))
    assert (result.code, "it claims 1/9 to 0, but its strategies guarantee 0 to 0" in result.err) == (1, True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--first", "a1"], "--first needs one blind player"),
        (["--goal", "win-often"], "--goal needs one blind player"),
        (["--with", "value,strategies"], "--with strategies needs one blind player"),
        (["-o", "x.svg"], "strategies are mixes: use --proof FILE"),
        (["--told", "last-move", "--proof", "x.json"], "needs --told collision"),
    ],
)
def test_what_two_blind_players_cannot_have_is_refused_at_once(run, monkeypatch, options, words):
    monkeypatch.setattr("noughts.blindfold.session.both_blind", None)
    result = run("blindfold", "3x3", "--blind", "both", *options)
    assert (result.code, words in result.err) == (2, True)


def test_open_eyes_get_at_most_the_known_value(run):
    result = run("blindfold", "4x4")
    assert "Value for X (win +1, draw 0, loss -1): between -1 and 0." in result.out
    assert "full histories" not in " ".join(result.out.split())


def test_check_shows_the_game_that_is_lost(run, tmp_path):
    file = tmp_path / "strategy.json"
    run("blindfold", "3x3", "--goal", "win-often", "--format", "json", "-o", str(file))
    assert run("blindfold", "check", str(file)).code == 0
    result = run("blindfold", "check", str(file), "--goal", "never-lose")
    assert result.code == 1
    assert "A game that is lost:" in result.out
    assert result.err.startswith("noughts: the claim never-lose is false")
    assert result.err.count("\n") == 1


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
    for opponent in ("random", "hostile", "blind"):
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


def test_a_proof_of_a_value_is_written_and_judged(run, tmp_path):
    file = tmp_path / "proof.json"
    rules = ["--blind", "O", "--opening-told", "--opening", "b2"]
    result = run("blindfold", "3x3", *rules, "--proof", str(file))
    assert "Value for O with mixed strategies (win +1, draw 0, loss -1): -4/5" in result.out
    assert "A slip" not in result.out
    told = run("blindfold", "2x2", "--blind", "O", "--opening-told").out
    assert "By the first move of X, which O knows. Chances are against random replies:" in told
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
