"""`noughts whatis`: a number, its conventions, its neighbours."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from noughts import whatis
from noughts.analysis.meanings.known import published_readings
from noughts.analysis.meanings.meaning import Meaning, computed
from tests.dear import dear

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.mark.parametrize(
    ("number", "command"),
    [
        ("26830", "noughts count 3x3:3 --same choices --moves any --end line"),
        ("31,896", "noughts count 3x3:3 --same symmetry --moves any --end line"),
        ("9!", "noughts count 3x3:3 --same labelled --moves any --end full"),
        ("1145", "noughts count 3x3:3 --same choices --moves block --end decided"),
        ("204336", "noughts count 3x3:3+torus --same labelled --moves any --end line"),
    ],
)
def test_first_reading(run, number, command):
    record = json.loads(run("whatis", number, "--format", "json").out)
    assert record["matches"][0]["command"] == command
    assert record["nearest"] == []


@pytest.mark.parametrize("spelling", ["255168", "255,168", "255_168", "255 168", "2 * 127584", "  255168 "])
def test_spellings(run, spelling):
    assert "255,168 on 3x3:3 is: finished games" in run("whatis", spelling).out


@pytest.mark.parametrize("text", ["", "x", "-3", "1e9", "9" * 300, "10000!", "٣", "1/0", "1.2.3", "1/2/3"])
def test_errors(run, text):
    result = run("whatis", "--", text)
    assert result.code == 2
    if text == "1/0":
        assert "divides by zero" in result.one_sentence()
        return
    said = "is negative, but counts are not: write it as" if text == "-3" else " is not a number: write it as"
    assert said in result.one_sentence()


FREE = "noughts count 3x3:3 --same {} --moves any --end line"


@pytest.mark.parametrize(
    ("number", "what", "command"),
    [
        ("360", "partial games at ply 4", FREE.format("choices")),
        ("12", "position classes at ply 2", FREE.format("symmetry")),
        ("41,472", "games that X wins at ply 9 by one row or column", "noughts count 3x3:3 --explain"),
        ("34992", "games that X wins at ply 7 by one row or column", "noughts count 3x3:3 --explain"),
        ("12960", "games that X wins at ply 7 by one diagonal", "noughts count 3x3:3 --explain"),
        ("27648", "games that X wins at ply 9 by one diagonal", "noughts count 3x3:3 --explain"),
        ("12672", "games that X wins at ply 9 by two lines at once", "noughts count 3x3:3 --explain"),
        ("135", "terminal position classes won by either", FREE.format("symmetry")),
        ("627", "unfinished position classes", FREE.format("symmetry")),
        ("4520", "unfinished positions", FREE.format("labelled")),
        ("549946", "partial games, the empty one included", FREE.format("labelled")),
        ("549945", "moves of the game tree", FREE.format("labelled")),
        ("16167", "moves between reachable boards", "noughts query 3x3:3 'select sum(orbit * times)"),
        ("16168", "calls of a minimax", "noughts query 3x3:3 'select sum(orbit * times)"),
        ("2096", "moves between position classes", "noughts tree 3x3:3 --kind full"),
        ("115", "position classes of the reduced tree", "noughts tree 3x3:3"),
        ("0.89", "score of the reduced tree after a1", "noughts tree 3x3:3 --opening a1"),
        ("501/560", "score of the reduced tree after a1", "noughts tree 3x3:3 --opening a1"),
        ("58.5%", "chance that X wins when X plays random and O plays random", "noughts match 3x3:3"),
        ("51.4%", "games that X wins, as a part of all", FREE.format("labelled")),
        ("30.5%", "games that O wins, as a part of all", FREE.format("labelled")),
        ("46,080/255,168", "games that are drawn, as a part of all", FREE.format("labelled")),
        ("304", "unfinished classes with more than one blank cell and X to move", "noughts count 3x3:3"),
        ("448", "position classes", "noughts count 3x3:3 --same symmetry --moves block --end line"),
    ],
)
def test_the_simplest_reading_leads(run, number, what, command):
    first = json.loads(run("whatis", number, "--format", "json").out)["matches"][0]
    assert first["board"] == "3x3:3"
    assert first["what"].startswith(what)
    assert first["command"].startswith(command)


@pytest.mark.parametrize(
    ("number", "what"),
    [("95", "position classes of the reduced tree after b1"), ("448", "finished games"), ("287", "Michie's own count")],
)
def test_other_readings_are_there(run, number, what):
    matches = json.loads(run("whatis", number, "--format", "json").out)["matches"]
    assert any(what in reading["what"] for reading in matches)


@pytest.mark.parametrize(
    ("board", "number", "what"),
    [
        ("3x4", "28275", "reachable boards up to the symmetries of the board"),
        ("3x4", "151,188,768", "finished games"),
        ("4x4", "9 722 011", "boards that can arise in play"),
        ("3x3+torus", "473", "finished games"),
        ("2x2", "4!", "finished games"),
    ],
)
def test_a_number_on_a_board(run, board, number, what):
    record = json.loads(run("whatis", board, *number.split(), "--format", "json").out)
    assert record["matches"][0]["what"].startswith(what)
    assert {reading["board"].partition(":")[0] + "+torus" * reading["board"].endswith("+torus")
            for reading in record["matches"]} == {board}  # fmt: skip


@pytest.mark.slow
def test_nearest_is_near(run):
    record = json.loads(run("whatis", "27000", "--format", "json").out)
    assert [near["value"] for near in record["nearest"]] == ["26830"]
    assert record["matches"] == []
    assert "No known number is near it." in run("whatis", "2x2", "12345").out
    assert json.loads(run("whatis", "2x2", "12345", "--format", "json").out)["nearest"] == []


@pytest.mark.parametrize(
    "number", ["360", "5478", "41472", "135", "627", "16167", "2096", "115", "95", "2936", "204336"]
)
def test_the_command_prints_what_the_number_comes_from(run, number):
    """Every number of the reading that leads is in the output of its command, or the two that it is the sum of."""
    first = json.loads(run("whatis", number, "--format", "json").out)["matches"][0]
    out = run(*shlex.split(first["command"])[1:]).out
    found = {int(one.replace(",", "")) for one in re.findall(r"[0-9][0-9,]*", out)}
    value = int(number)
    assert value in found or any(abs(one - other) == value or one + other == value for one in found for other in found)


def test_a_board_file_and_a_number(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bow.lines").write_text("1 2 3\n3 4 5\n", encoding="utf-8")
    games = run("count", "bow.lines", "--format", "oeis").out.splitlines()
    total = sum(int(term) for term in games[1].removeprefix("Data: ").split(", "))
    assert f"{total:,} on bow.lines is: " in run("whatis", "bow.lines", str(total)).out
    lonely = run("whatis", "bow.lines")
    assert lonely.code == 2
    assert "is a board: add the number" in lonely.one_sentence()
    assert run("whatis", "none.lines", "5").code == run("solve", "none.lines").code != 0


def test_a_point_between_thousands_is_asked_about(run):
    result = run("whatis", "255.168")
    assert "did you mean 255,168?" in " ".join(result.out.split())
    assert "noughts whatis 255168" in result.out
    assert "a chance or score is at most 1" in " ".join(run("whatis", "1.5").out.split())
    assert "did you mean" not in run("whatis", "0.585").out


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6!/3!", 120),
        ("9! \u2013 162,432 + 54,720", 255168),
        ("5!/2!", 60),
        ("9!/6! * 2", 1008),
        ("5,760 - 432", 5328),
        ("51840-3888", 47952),
        ("8\u00b73!\u00b76\u00b75", 1440),
        ("9 \u22c5 8 \u22c5 7", 504),
        ("6 \u00d7 72", 432),
        ("5!/2! x 2 + 3", 123),
        ("1,440+5,328+47,952", 54720),
    ],
)
def test_a_formula_of_a_writing_is_a_number(text, value):
    assert whatis(text, carried=True).value == value


@pytest.mark.parametrize("text", ["9! -", "5!/0", "3! - 4!", "9!!", "2000!/3!", "5,8%"])
def test_formulas_without_a_value(run, text):
    assert run("whatis", "--", text).code == 2
    assert run("whatis", "--", text).one_sentence()


@pytest.mark.parametrize("text", ["9!", "3^9", "9! - 162,432 + 54,720"])
def test_a_formula_needs_no_verb(run, text):
    assert run(text).out == run("whatis", text).out


def test_a_label_leads_to_its_boards(run):
    result = run("whatis", "X control")
    assert result.code == 2
    command = result.one_sentence().partition(": try noughts ")[2]
    assert run(*shlex.split(command), "--limit", "0").out.startswith("3x3:3: 265 of 765")


def test_a_carried_number_is_not_searched_unless_all_is_asked(run):
    assert "Further meanings: noughts whatis 765 --all" in run("whatis", "765").out
    assert "Further meanings" not in run("whatis", "765", "--all").out
    assert "searching" not in run("whatis", "162432").err


@pytest.mark.parametrize(
    ("number", "what", "command"),
    [
        ("138", "terminal position classes", "noughts count 3x3:3 --same choices"),
        ("958", "terminal positions", "noughts count 3x3:3 --same labelled"),
        ("31896", "games up to one symmetry of the board", "noughts count 3x3 --same symmetry"),
        ("593", "position classes that neither player has won", "noughts positions 3x3:3 --decision"),
        ("126", "full boards with five X and four O", "noughts positions 3x3 --ply 9 --end full"),
        ("96", "position classes that neither player has won", "noughts positions 3x3:3 --real-decision"),
        ("54,720", "games that end before ply 8", "noughts count 3x3 --explain"),
        ("432", "sequences in which O completes a line at ply 6 after", "noughts count 3x3 --explain"),
    ],
)
def test_a_published_number_leads_to_the_command_that_prints_it(run, number, what, command):
    [first, *_] = whatis(number, carried=True).matches
    assert first.what.startswith(what)
    assert first.command.startswith(command)
    assert f"{whatis(number, carried=True).value:,}" in run(*shlex.split(first.command)[1:]).out


@pytest.mark.parametrize("every", dear([36, 1], 1))
def test_each_command_that_a_carried_number_names_prints_it(run, every):
    readings: dict[str, list[Meaning]] = {}
    for reading in published_readings():
        readings.setdefault(reading.command, []).append(reading)
    assert {str(each.value) for each in readings.pop("") if not each.slip} >= {"54", "648", "200", "500000", "287"}
    for command, each in [*readings.items()][every // 3 :: every]:
        program, *words = shlex.split(command)
        result = run(*words)
        assert (program, result.code) == ("noughts", 0), command
        printed = set(re.findall(r"[\d/]*\d", result.out.replace(",", "")))
        printed |= {"/".join(parts) for parts in re.findall(r"(\d+) of (\d+)", result.out)}
        for reading in each:
            assert str(reading.value) in printed, (command, reading.what)


@pytest.mark.parametrize(("formula", "value"), [("6 * 5 / 2", "15"), ("5 / 2 - 1", "3/2")])
def test_a_formula_is_a_whole_number_or_a_fraction(formula, value):
    assert str(computed(formula)) == value
    assert isinstance(computed(formula), int) == value.isdecimal()


def test_terms_of_a_sequence_are_numbered_from_one():
    terms = [each for each in published_readings() if each.what.endswith(" of A061526") and ": term " in each.what]
    assert [each.what.split()[-3] for each in terms] == [str(n) for n in range(1, len(terms) + 1)]
