"""Ranges of boards, and what the OEIS wants."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable

import pytest

from noughts._version import __version__
from noughts.analysis.meanings.known import known_sequences
from noughts.rules.errors import InputError
from noughts.verbs.sequences import parse_range
from tests.cli.conftest import Result
from tests.dear import dear

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("text", "specs", "first"),
    [
        ("1x1..3x3", ["1x1:1", "2x2:2", "3x3:3"], 1),
        ("3x1..3x3", ["3x1:1", "3x2:2", "3x3:3"], 1),
        ("2x4:3..2x6:3", ["2x4:3", "2x5:3", "2x6:3"], 4),
        ("2x2:1..3x3:2+torus", [], 0),
        ("3x3:2..4x4:3", ["3x3:2", "4x4:3"], 3),
        ("2x3+misere..3x4+misere", ["2x3:2+misere", "3x4:3+misere"], 2),
        ("2x2x2..3x3x3", ["2x2x2:2", "3x3x3:3"], 2),
        ("3x3..3x3", ["3x3:3"], 3),
    ],
)
def test_ranges_of_boards(text: str, specs: list[str], first: int) -> None:
    if not specs:
        with pytest.raises(InputError):
            parse_range(text)
        return
    found = parse_range(text)
    assert [board.spec for board in found.boards] == specs
    assert found.first == first


@pytest.mark.parametrize(
    ("words", "said", "unsaid"),
    [
        (["1x1:3..3x3:3", "--column", "x_wins"], "games that X wins on an n X n board with 3 in a row: ", "no line"),
        (["1x1:3..2x2:3"], ", no board has a line, so every game is drawn", "the board has"),
        (["1x1..3x3", "--to-ply", "2"], "counted up to ply 2", "no line"),
        (["2x2..3x3", "--to-ply", "9"], "n X n board", "counted up to"),
        (["1x1..3x3", "--from", "a1"], "play starts with X on a1, ", "from X"),
        (["2x2..3x3", "--from", "a1 b2"], "play starts with X on a1 and O on b2, ", "from X"),
        (["2x2..3x3", "--from", "a2"], "play starts with X on a2, ", "from"),
        (["3x1..3x4"], "a 3 X n board with as many in a row as its shortest side has cells: ", "no line"),
        (["2x3..3x4"], "an n X (n + 1) board with n in a row: ", "no line"),
        (["3x3:2..4x4:3+torus"], "", ""),
        (
            ["3x3:2+misere..4x4:2+misere"],
            "with 2 in a row: every order of moves counted, X starts, play stops at two in a row, which loses",
            "no line",
        ),
    ],
)
def test_the_name_of_a_sequence_says_what_holds_on_every_board(
    words: list[str], said: str, unsaid: str, run: Run
) -> None:
    found = run("count", *words, "--format", "oeis")
    if not said:  # from one kind of board to another: no range
        assert found.code == 2
        return
    name = found.out.splitlines()[0]
    assert name.startswith("Name: Number of games ")
    assert said in name
    assert unsaid not in name
    in_json = name.split(": ", 2)[2].replace("X starts, ", "", 1)  # the name says it, elsewhere it goes without saying
    assert in_json in json.loads(run("count", *words, "--format", "json").out)["convention"]


# Drafts for the OEIS and the sequences that are carried: every line is what its own program prints.

DRAFTS = [
    ("count 1x1..8x8 --column finished", 1, "nonn,more", "a(8) from _Your Name_, by the engine "),
    ("count 1x1..3x3 --moves perfect", 1, "nonn,more", "none, because A061530 has all these terms"),
    ("count 1x1..40x40 --column draws", 1, "nonn", "a(8)-a("),
    ("count 2x2..3x3 --same choices --symmetry lines --end decided", 2, "nonn,more", "none, because no sequence"),
    ("count 3x3 --same symmetry --column positions", 0, "nonn,fini,full", "none, because A008907 has all these terms"),
    ("count 3x3 --same symmetry --column terminal", 0, "nonn,fini,full", "none, because A048245"),
    ("count 3x3 --same symmetry --column positions --to-ply 4", 0, "nonn,more", "none, because A008907"),
    ("count 3x3 --from b2 --starts X", 1, "nonn,fini,full", "none, because no sequence"),
    ("count 3x3+misere --starts either", 0, "nonn,fini,full", "none, because no sequence"),
    ("solve 3x3 --by-ply --same symmetry --column x_wins", 0, "nonn,fini,full", "none, because A317401"),
    ("solve 3x3 --by-ply --same symmetry --column o_wins", 0, "nonn,fini,full", "none, because A317402"),
    ("solve 2x3 --by-ply", 0, "nonn,fini,full", "none, because no sequence"),
]


@pytest.mark.parametrize(("words", "first", "keywords", "extension"), DRAFTS)
def test_a_draft_has_all_lines_and_its_program_prints_its_terms(run, words, first, keywords, extension):
    lines = run(*words.split(), "--format", "oeis").out.splitlines()
    fields = [line.partition(": ")[0] for line in lines]
    expected = ["Name", "Data", "Offset", "Links", "Links", "Program", "Crossrefs", "Keywords", "Extensions"]
    assert fields == [field for field in expected if field != "Crossrefs" or "no sequence" not in extension]
    said = dict(line.split(": ", 1) for line in lines)
    assert said["Name"].startswith("Number of ")
    assert said["Offset"].startswith(f"{first},")
    assert said["Keywords"] == keywords
    assert said["Extensions"].startswith(extension)
    command, _, version = said["Program"].removeprefix("(Shell) ").partition(" # noughts ")
    assert version == __version__
    if "40x40" in words:
        return
    rows = [row.split() for row in run(*shlex.split(command)[1:]).out.splitlines()]
    data = said["Data"].split(", ")
    assert [row[1] for row in rows][: len(data)] == data
    assert [int(row[0]) for row in rows] == list(range(first, first + len(rows)))
    assert lines[3] == f"Links: Table of n, a(n) for n = {first}..{rows[-1][0]} (the b-file is what the program prints)"


def test_a_number_of_the_oeis_and_terms_lead_to_the_sequence(run):
    for words in (
        ["A061526"],
        ["a061526"],
        ["24, 255168"],
        ["1,24,255168"],
        ["1,", "24,", "255168"],
        ["A61526"],
        ["1", "24", "255168"],
    ):
        out = run("whatis", *words).out
        assert out.startswith("A061526: finished games on n x n, n in a row.")
        assert "terms 1 to 7: 1, 24, 255168" in out
        assert "Computed here, terms 8 to 10" in out
    assert "The given terms begin at number 2." in run("whatis", "24, 255168").out
    assert [each["id"] for each in json.loads(run("whatis", "A317575", "--format", "json").out)["matches"]] == [
        "A317575 row 4",
        "A317575 row 5 (known part)",
    ]
    assert run("whatis", "A000001").out.startswith("A000001 is not in the sequences of noughts: A008907")
    assert run("whatis", "1, 2, 3, 4").out.startswith("1, 2, 3, 4 is not in the sequences of noughts")
    assert (
        "--all, --quick and --time cannot be used with a sequence" in run("whatis", "A061526", "--all").one_sentence()
    )
    assert run("whatis", "A061526", "--time", "5s").code == 2


EXTENDED = {each.id: each for each in known_sequences() if each.further}
QUICK = [
    (name, command)
    for name, each in EXTENDED.items()
    for command in each.commands
    if "--format bfile" in command and not command.startswith("noughts solve 5x5")
]
assert len(QUICK) == 12


@pytest.mark.parametrize(("name", "command"), dear(QUICK, *[pair for pair in QUICK if "inclusion" not in pair[1]]))
def test_the_further_terms_are_what_their_commands_print(run, name, command):
    each = EXTENDED[name]
    rows = dict(line.split() for line in run(*shlex.split(command)[1:]).out.splitlines())
    first = each.offset + len(each.published)
    further = {str(number): str(term) for number, term in enumerate(each.further, first)}
    assert rows
    assert {number: further[number] for number in rows if number in further} == {
        number: term for number, term in rows.items() if int(number) >= first
    }
    for number, term in enumerate(each.published, each.offset):
        assert rows.get(str(number), str(term)) == str(term)
