"""One sink for all verbs: the form, the file, the message, and what does not fit together."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

from noughts.cli.command import command_for
from noughts.verbs.table import VERBS
from tests.cli.conftest import Result

pytestmark = pytest.mark.usefixtures("remembered")

BOT = Path(__file__).parent.parent.parent / "examples" / "bots" / "centre_first.py"
CALLS = {
    "count": ["count", "3x3", "--same", "choices"],
    "solve": ["solve", "3x3", "--by-ply"],
    "whatis": ["whatis", "765"],
    "explain": ["explain", "3x3", "a1"],
    "openings": ["openings", "2x3:2"],
    "tree": ["tree", "3x3", "--kind", "openings"],
    "patterns": ["patterns", "3x3"],
    "payoff": ["payoff", "3x3"],
    "breed": ["breed", "2x3:2", "--population", "8"],
    "match": ["match", "3x3", "--x", "random"],
    "evaluate": ["evaluate", "block", "--board", "2x3:2"],
    "menace": ["menace", "2x3", "--games", "20"],
    "crib": ["crib", "3x3"],
    "positions": ["positions", "3x3", "--ply", "2"],
    "same": ["same", "3x3", "a1", "c3"],
    "puzzle": ["puzzle", "3x3", "--number", "2"],
    "sheet": ["sheet", "3x3", "--number", "2"],
    "review": ["review", "3x3", "a1", "b1", "a2", "a3"],
    "draw": ["draw", "3x3", "a1"],
    "query": ["query", "3x3"],
    "blindfold": ["blindfold", "3x3"],
    "referee": ["referee", "3x3:2", sys.executable, str(BOT), "--as", "X"],
    "check": ["check", str(files("noughts.known").joinpath("proofs", "3x3-3.proof"))],
    "verify": ["verify", "--time", "10ms"],
}
"""A quick call of every verb that answers; `site` and `export` write files of their own, `draw` only
pictures, `serve` serves, and `engine` answers what it is asked."""
ENDINGS = {
    "table": "txt",
    "text": "txt",
    "bfile": "txt",
    "oeis": "txt",
    "markdown": "md",
    "latex": "tex",
}
MAGIC = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<svg", "dot": b"digraph"}


def forms(verb: str) -> list[str]:
    """Return the forms that a verb says it can write."""
    found = command_for(verb)
    assert isinstance(found, click.Command)
    return next(str(option.metavar).split("|") for option in found.params if option.name == "form")


def test_every_verb_that_answers_is_called_here():
    assert CALLS.keys() == VERBS.keys() - {"site", "export", "serve", "engine", "play"}


@pytest.mark.parametrize("verb", sorted(CALLS.keys() - {"verify"}))
def test_every_form_is_written_to_a_file_and_said_once(run, tmp_path, verb):
    for form in forms(verb):
        path = tmp_path / f"{form}.{ENDINGS.get(form, form)}"
        result = run(*CALLS[verb], "--format", form, "-o", str(path))
        assert (result.code, result.out, result.err) == (0, "", f"wrote {path}\n")
        assert path.read_bytes().startswith(MAGIC.get(form, b""))
        assert path.stat().st_size > 0
        if form == "json":
            json.loads(path.read_text())


@pytest.mark.parametrize("verb", sorted(CALLS.keys() - {"verify"}))
def test_a_file_says_what_the_terminal_says_and_replaces_what_was_there(run, tmp_path, verb):
    path = tmp_path / "answer"
    path.write_text("old")
    assert run(*CALLS[verb], "-o", str(path)).code == 0
    assert path.read_text() == run(*CALLS[verb]).out
    assert [each.name for each in tmp_path.iterdir()] == ["answer"]


@pytest.mark.parametrize("verb", sorted(CALLS))
@pytest.mark.parametrize("name", ["answer.bmp", "answer.tar.gz", "svg.old"])
def test_an_ending_that_nobody_writes_names_those_that_are(run, verb, name):
    message = run(*CALLS[verb], "-o", name).one_sentence()
    assert f"cannot tell the format from '{name}'" in message
    assert all(f".{ENDINGS.get(form, form)}" in message for form in forms(verb))
    assert "--format" in message


@pytest.mark.parametrize("verb", sorted(CALLS))
def test_an_ending_of_another_form_is_refused(run, verb):
    known = {ENDINGS.get(form, form) for form in forms(verb)}
    for ending in {"svg", "png", "pdf", "dot", "csv", "jsonl", "md", "tex"} - known:
        result = run(*CALLS[verb], "-o", f"answer.{ending}")
        assert result.code == 2
        assert f"answer.{ending}" in result.one_sentence()
        assert all(f".{each}" in result.err for each in known)
    form = "text" if verb == "draw" else "json"
    result = run(*CALLS[verb], "--format", form, "-o", "answer.svg")
    assert result.code == 2
    assert f"--format {form} contradicts the name 'answer.svg'" in result.one_sentence()


@pytest.mark.parametrize("verb", sorted(CALLS))
def test_an_unknown_format_lists_all_there_are(run, verb):
    result = run(*CALLS[verb], "--format", "gif")
    assert result.code == 2
    assert f"--format 'gif' is not known: use one of {', '.join(forms(verb))}" in result.one_sentence()


@pytest.mark.parametrize("verb", ["explain", "positions", "count", "blindfold"])
@pytest.mark.parametrize("form", ["png", "pdf"])
def test_bytes_do_not_go_to_a_terminal(run, monkeypatch, verb, form):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    result = run(*CALLS[verb], "--format", form)
    assert result.code == 2
    assert "-o FILE" in result.one_sentence()


@pytest.mark.parametrize("verb", ["explain", "positions"])
def test_bytes_go_through_a_pipe(verb):
    asked = [sys.executable, "-m", "noughts", *CALLS[verb], "--format", "png"]
    assert subprocess.run(asked, capture_output=True, check=True).stdout.startswith(MAGIC["png"])


def test_where_a_file_goes_is_known_before_the_work_starts(run):
    assert "there is no folder" in run("solve", "9x9:5", "-o", "/nowhere/answer.txt").one_sentence()


def test_a_device_is_written_to():
    done = subprocess.run(
        [sys.executable, "-m", "noughts", "explain", "3x3", "--format", "png", "-o", "/dev/fd/1"],
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"\x89PNG")


def test_a_second_file_is_told_too(run, tmp_path):
    best, proof = tmp_path / "best.json", tmp_path / "proof.json"
    assert run("match", "3x3", "--x", "best", "--save", str(best)).err == f"wrote {best}\n"
    rules = ["--blind", "O", "--opening-told", "--opening", "b2"]
    assert run("blindfold", "3x3", *rules, "--proof", str(proof)).err == f"wrote {proof}\n"


# The verb draw, as a user calls it.


def said(picture: str) -> str:
    root = ElementTree.fromstring(picture)
    return str(next(element.text for element in root if element.tag.endswith("desc")))


@pytest.mark.parametrize("board", ["3x3", "3x3x3", "4x5:4+torus", "1x1"])
def test_the_verb_draws_so_many_pixels(run: Callable[..., Result], tmp_path: Path, board: str) -> None:
    file = tmp_path / "board.png"
    corner = "a1.1" if board == "3x3x3" else "a1"
    assert run("draw", board, corner, "--caption", "One mark.", "--size", "800", "-o", str(file)).code == 0
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    assert width == 800
    svg = run("draw", board, corner, "--caption", "One mark.", "--size", "800").out
    assert abs(height - float(str(ElementTree.fromstring(svg).get("height")))) < 1


def test_the_verb_writes_svg_pdf_and_text(run: Callable[..., Result], tmp_path: Path) -> None:
    svg = run("draw", "3x3", "a1", "b2", "c3", "--arrows", "a1-c3", "--title", "The trap", "--theme", "dark").out
    assert said(svg).startswith("The trap\nO to move.\n")
    assert run("draw", "3x3", "XXX/OO./...", "--format", "text").out == (
        "3x3:3: X has won with the line a1-b1-c1.\n\n  a b c\n1 X X X\n2 O O .\n3 . . .\n"
    )
    assert run("draw", "3x3", "-o", str(tmp_path / "board.pdf")).code == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")
    for wrong, words in (
        (["--arrows", "a1"], "is no arrow"),
        (["--arrows", "a1-d4"], "'d4' is no cell"),
        (["--size", "5"], "give a size from 40 to 10,000"),
        (["a1", "a1"], "plays a1 twice"),
        (["a1", "a2", "b1", "b2", "c1", "c2"], "after the game was over, won by X"),
    ):
        result = run("draw", "3x3", *wrong)
        assert result.code == 2
        assert words in result.one_sentence()


@pytest.mark.parametrize("moves", ["a1 b2 c3", "1,5,9", "１ ５ ９", "A1B2C3"])
def test_the_last_of_the_moves_is_pointed_out(run: Callable[..., Result], moves: str) -> None:
    plain = run("draw", "3x3", "X../.O./..X").out
    corners_and_key = 4 + 4 + 1
    assert run("draw", "3x3", moves).out.count("<path") == plain.count("<path") + corners_and_key
    assert run("draw", "3x3", "X |   |   /   | O |   /   |   | X").out == plain


def drawn_strokes(picture: str) -> list[str]:
    return [str(path.get("d")) for path in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}path")]


BOX = "0 0L0 -10L5.6 -10L5.6 0Z"


@pytest.mark.parametrize(
    ("text", "plain"),
    [("“quotes” — ‘one’", '"quotes" – ’one’'), ("Straße łøđ æ", "Strasse lod ae"), ("ﬁne\u00a0³", "fine 3")],
)
def test_signs_without_strokes_are_written_by_the_nearest(
    run: Callable[..., Result], tmp_path: Path, text: str, plain: str
) -> None:
    assert run("draw", "3x3", "--caption", text).out == run("draw", "3x3", "--caption", plain).out
    for ending in ("png", "pdf"):
        path = tmp_path / f"board.{ending}"
        assert run("draw", "3x3", "--caption", text, "-o", str(path)).code == 0
        assert path.stat().st_size


def test_accents_are_drawn_on_their_letters(run: Callable[..., Result]) -> None:
    bare = drawn_strokes(run("draw", "3x3", "a1", "--caption", "Große e n ı C").out)
    accented = drawn_strokes(run("draw", "3x3", "a1", "--caption", "Größe é ñ í Ç").out)
    assert bare[:-1] == accented[:-1]
    # The same letters, and a stroke or two for each accent.
    assert accented[-1].count("M") == bare[-1].count("M") + 2 + 1 + 1 + 1 + 1
    assert all(stroke in accented[-1].split("M") for stroke in bare[-1].split("M"))
    composed, apart = (run("draw", "3x3", "--title", text).out for text in ("é", "e\u0301"))
    assert drawn_strokes(composed) == drawn_strokes(apart)


def test_every_letter_of_the_latin_languages_can_be_drawn(run: Callable[..., Result]) -> None:
    letters = "".join(map(chr, [*range(33, 127), *range(0xC0, 0x180)]))
    assert run("draw", "3x3", "--caption", letters).code == 0


@pytest.mark.parametrize("option", ["--caption", "--title"])
def test_what_cannot_be_drawn_is_refused(run: Callable[..., Result], option: str) -> None:
    refused = run("draw", "3x3", option, "see 日本 and ♞")
    assert refused.code == 2
    assert f"the {option[2:]} has 日, 本, ♞, and pictures are written in Latin letters" in refused.one_sentence()


def test_text_has_the_title_and_the_caption(run: Callable[..., Result]) -> None:
    text = ["draw", "3x3", "a1 b2", "--format", "text"]
    plain = run(*text).out
    assert plain.startswith("3x3:3: X to move.\n\n")
    board = plain.partition("\n\n")[2]
    found = run(*text, "--title", "The centre", "--caption", "A reply.")
    assert found.out == f"The centre\n\nX to move.\n\n{board}\nA reply.\n"
    assert run(*text, "--title", "").out == f"X to move.\n\n{board}"


@pytest.mark.parametrize("option", ["--arrows a1-c3,b2-b3", "--size 300"])
def test_what_text_cannot_show_is_refused(run: Callable[..., Result], option: str) -> None:
    result = run("draw", "3x3", "a1 b2", *option.split(), "--format", "text")
    assert result.code == 2
    assert f"{option.split()[0]} has no place in --format text" in result.one_sentence()
