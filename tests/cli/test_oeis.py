"""Drafts for the OEIS and the sequences that are carried: every line is what its own program prints."""

from __future__ import annotations

import json
import shlex

import pytest

import noughts
from noughts import InputError, InvalidType
from noughts._version import __version__
from noughts.known import load, numbers
from noughts.meanings.sequences import is_sequence, known_sequences
from tests.dear import dear

DRAFTS = [
    ("count 1x1..8x8 --column finished", 1, "nonn,more", "a(8) from _Your Name_, by the engine "),
    ("count 1x1..3x3 --moves perfect", 1, "nonn,more", "none, as A061530 has all these terms"),
    ("count 1x1..40x40 --column draws", 1, "nonn", "a(8)-a("),
    ("count 2x2..3x3 --same choices --symmetry lines --end decided", 2, "nonn,more", "none, as no sequence"),
    ("count 3x3 --same symmetry --column positions", 0, "nonn,fini,full", "none, as A008907 has all these terms"),
    ("count 3x3 --same symmetry --column terminal_positions", 0, "nonn,fini,full", "none, as A048245"),
    ("count 3x3 --same symmetry --column positions --to-ply 4", 0, "nonn,more", "none, as A008907"),
    ("count 3x3 --from b2 --starts X", 1, "nonn,fini,full", "none, as no sequence"),
    ("count 3x3+misere --starts either", 0, "nonn,fini,full", "none, as no sequence"),
    ("solve 3x3 --by-ply --same symmetry --column x_wins", 0, "nonn,fini,full", "none, as A317401"),
    ("solve 3x3 --by-ply --same symmetry --column o_wins", 0, "nonn,fini,full", "none, as A317402"),
    ("solve 2x3 --by-ply", 0, "nonn,fini,full", "none, as no sequence"),
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
    assert "The terms begin with number 2." in run("whatis", "24, 255168").out
    assert [each["id"] for each in json.loads(run("whatis", "A317575", "--format", "json").out)["matches"]] == [
        "A317575 row 4",
        "A317575 row 5 (known part)",
    ]
    assert run("whatis", "A000001").out.startswith("A000001 is in none of the sequences that noughts carries: A008907")
    assert run("whatis", "1, 2, 3, 4").out.startswith("1, 2, 3, 4 is in none of the sequences")
    assert "--all and --quick are about one number" in run("whatis", "A061526", "--all").one_sentence()


def test_grouped_digits_are_one_number_and_no_terms():
    for text in (
        "31,896",
        "255,168",
        "1,000,000",
        "26830",
        "9!",
        "501/560",
        "0.89",
        "A12",
        "1,2a",
        "255 168",
        "1 000 000",
        "24,,5",
        "1 2a",
    ):
        assert not is_sequence(text)
    for text in ("A061526", "1, 24", "1,24", "31, 896", "0,0,77904", "A8907", "1 3 12", "1, 3 12"):
        assert is_sequence(text)


def test_sequences_from_python():
    [(found, place)] = noughts.look_up_sequence([24, 255168]).matches
    assert (found.id, place, found.offset) == ("A061526", 2, 1)
    assert found.terms[:7] == found.published
    with pytest.raises(InputError, match="one term tells too little"):
        noughts.look_up_sequence([24])
    with pytest.raises(InputError, match="is no sequence"):
        noughts.look_up_sequence("games")
    with pytest.raises(InvalidType, match="a list of whole numbers"):
        noughts.look_up_sequence([1.5, 2])  # type: ignore[list-item]


def test_every_published_sequence_is_carried():
    published = {entry["id"]: tuple(map(int, entry["terms"])) for entry in numbers("sequence")}
    carried = {each.id: each.published for each in known_sequences() if each.published}
    assert carried == published


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


def test_further_rows_obey_the_laws():
    games = [EXTENDED[f"A06152{i}"].further for i in range(6, 10)]
    assert all(total == sum(parts) for total, *parts in zip(*games, strict=True))
    row = next(each for each in known_sequences() if each.id.startswith("A317575 row 5"))
    ended, x, o = (EXTENDED[f"{number} row 5"].further for number in ("A317576", "A317573", "A317574"))
    assert all(a + b <= total for a, b, total in zip(x, o, row.terms, strict=True))
    assert ended[25] == row.terms[25]
    rows = {table["board"]: table["rows"] for table in load("values.toml")["table"]}["5x5:5"]
    assert [sum(split) for _, *split in rows] == list(row.terms)
    assert ([split[1] for split in rows], [split[3] for split in rows]) == (list(x), list(o))
