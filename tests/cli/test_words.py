"""What a table, a heading or a file says about itself is so, and options that mean nothing are refused."""

from __future__ import annotations

import csv
import io
import itertools
import re
import shlex
from collections.abc import Callable

import pytest

import noughts
from noughts.analysis.policies.playing import hint_at
from noughts.counting.question import convention
from noughts.drawing.svg import Canvas
from noughts.present.report import Table, as_csv, as_latex, as_markdown
from noughts.rules.board import Board
from noughts.rules.position import parse_position
from tests.cli.conftest import Result

pytestmark = pytest.mark.usefixtures("remembered")

Run = Callable[..., Result]


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (("--to-ply", "3"), "504 partial games of 3 plies"),
        (("--to-ply", "3"), "no game is over by then. 334 positions."),
        (("--to-ply", "6"), "54,720 partial games of 6 plies"),
        (("--to-ply", "6"), "6,768 games are over by then: 1,440 won by X, 5,328 won by O, 0 drawn."),
        (("--to-ply", "1", "--from", "a1"), "1 partial game of 1 ply ("),
        (("--to-ply", "9"), "3x3:3: 255,168 games ("),
        (("--same", "labelled"), "3x3:3: 255,168 games ("),
    ],
)
def test_games_that_go_on_are_not_said_to_be_none(run: Run, question: tuple[str, ...], said: str) -> None:
    out = flat(run("count", "3x3", *question).out)
    assert said in out
    assert " 0 games" not in out
    assert ("finished or open" in out) == ("by then" in out)


def test_all_conventions_are_one_table_for_a_reader_of_csv(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("count", "3x3", "--format", "csv").out), strict=True))
    assert all(None not in row and None not in row.values() for row in rows)
    found = noughts.matrix("3x3")
    games = {(r["moves"], r["end"], r["same"]): (int(r["count"]), r["meaning"]) for r in rows if r["what"] == "games"}
    asked = [(entry.question, entry.finished) for entry in found.games]
    assert games == {(q.x_moves, q.end, q.same): (count, convention(q)) for q, count in asked}
    positions = [(r["name"], int(r["count"]), r["meaning"]) for r in rows if r["what"] == "positions"]
    assert positions == [(rung.name, rung.count, rung.meaning) for rung in found.positions]
    assert len(rows) == len(games) + len(positions)


def bare(latex: str) -> str:
    """Return what is left of LaTeX without its commands, escaped signs, mathematics and the columns of a table."""
    text = re.sub("^%.*$", "", latex, flags=re.MULTILINE)  # a comment
    text = re.sub(r"\\(begin|end)\{tabular\}(\{[lr]+\})?|\\hline|\\\\$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\\text[a-z]+\{\}|\\[&%#_${}]|\{,\}", "", text)
    text = re.sub(r"\$[^$\n]*\$", "", text)
    return text.replace(" & ", " ")


@pytest.mark.parametrize(
    "question", [("3x3",), ("3x3", "--same", "choices"), ("1x1..4x4", "--column", "x_wins"), ("2x2+torus",)]
)
def test_latex_has_no_bare_sign(run: Run, question: tuple[str, ...]) -> None:
    found = bare(run("count", *question, "--format", "latex").out)
    assert not set(found) & set("^_&%#~\\{}$<>|"), found


def test_latex_escapes_whatever_a_cell_holds() -> None:
    hostile = Table(["a_b", "c"], [["50% & #1 {x} $ ~ \\ <y> |", "x^2 3^N ^ a_1"]], frozenset({0, 1}))
    latex = as_latex(hostile)
    assert not set(bare(latex)) & set("^_&%#~\\{}$<>|"), latex
    assert "$x^{2}$ $3^{N}$" in latex


def test_markdown_keeps_its_columns_whatever_a_cell_holds() -> None:
    assert r"| X.|.O |".replace(".|.", r".\|.") in as_markdown(Table(["p"], [["X.|.O"]], frozenset({0})))
    assert as_csv(Table(["p"], [['a,"b"\nc']], frozenset({0}))) == 'p\n"a,""b""\nc"'


@pytest.mark.parametrize("question", [("--moves", "win"), ("--same", "choices"), ("--from", "b2"), ("--to-ply", "4")])
def test_a_chart_says_its_convention(run: Run, question: tuple[str, ...]) -> None:
    picture = run("count", "3x3", *question, "--format", "svg").out
    plain = run("count", "3x3", "--same", "labelled", "--format", "svg").out
    said = re.search(r"<desc>(.*?)\n", picture)
    assert said is not None
    assert said[1] in flat(run("count", "3x3", *question).out)
    assert picture.count("<path") > plain.count("<path") or question[0] in ("--from", "--to-ply")


def test_a_listing_counts_what_there_is_not_what_is_shown(run: Run) -> None:
    assert "Ply 1: 3, 2 of them shown\n" in run("positions", "3x3", "--ply", "1", "--limit", "2").out
    whole = run("positions", "3x3", "--limit", "6").out
    assert [line for line in whole.splitlines() if line.startswith("Ply")] == [
        "Ply 0: 1", "Ply 1: 3", "Ply 2: 12, 2 of them shown",
    ]  # fmt: skip
    assert "Ply 1: 3\n" in run("positions", "3x3", "--ply", "1", "--limit", "3").out


@pytest.mark.parametrize("start", ["c2", "b3", "a2", "c3 b2 a1", "b1 b2", "a3 b2"])
def test_the_children_of_a_tree_are_its_root_and_one_mark(run: Run, start: str) -> None:
    board = Board.parse("3x3")
    root = noughts.tree("3x3", start).start
    out = run("tree", "3x3", "--from", start).out
    table = out.partition("\nchild  ")[2].split("\n\n")[0].splitlines()[2:]
    shown = [parse_position(board, line.split()[0]) for line in table]
    canonical = board.group().canonical
    assert {(p.ply - root.ply, p.x & root.x == root.x, p.o & root.o == root.o) for p in shown} == {(1, True, True)}
    tree = noughts.tree("3x3", start)
    expected = [tree.nodes[link.target].position for link in tree.children[0]]
    assert [canonical(p.x, p.o) for p in shown] == [(p.x, p.o) for p in expected]


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("positions 3x3 --won X --won O", "--won is given twice"),
        ("positions 3x3 --won X --won X", "--won is given twice"),
        ("count 3x3 --same symmetry --end line --same choices --same labelled", "--same is given 3 times"),
        ("solve 3x3 --remoteness --values-only", "--remoteness/--values-only is given twice"),
        ("blindfold 3x3 --goal never-lose --goal win-often", "--goal is given twice"),
        ("blindfold play --seed 1 --seed 2", "--seed is given twice"),
        ("tree 3x3 -o a.svg --output b.svg", "--output is given twice"),
    ],
)
def test_an_option_given_twice_is_refused(run: Run, command: str, named: str) -> None:
    result = run(*command.split())
    assert result.code == 2
    assert f"{named}" in result.one_sentence()


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("solve 3x3 --same symmetry", "--same is about all positions"),
        ("solve 3x3 --same labelled", "--same is about all positions"),
        ("solve 3x3 --by-ply --line", "--line is about one position"),
        ("solve 3x3 --by-ply --values-only", "--by-ply, which counts values"),
        ("solve 3x3 --by-ply --remoteness", "--by-ply, which counts values"),
        ("solve 3x3 --by-ply --time 5s", "--by-ply searches nothing"),
        ("solve 3x3 --engine retrograde --time 5s", "--engine retrograde searches nothing"),
        ("solve 3x3 --save d --time 5s", "--save searches nothing"),
        ("solve 3x3 --by-ply --column draws", "--column has no place in --format table"),
        ("solve 3x3 --by-ply --column draws --format csv", "--column has no place in --format csv"),
        ("solve 3x3 - --format table", "answered in JSON"),
        ("solve 3x3 - --format markdown", "answered in JSON"),
        ("solve 3x3 --table d --engine retrograde", "--engine has no place with --table"),
        ("solve 3x3 --table d --memory 1GB", "--memory has no place with --table"),
        ("solve 3x3 --table d --time 1s", "--time has no place with --table"),
        ("solve 3x3 --table d --remoteness", "--remoteness/--values-only has no place with --table"),
        ("count 3x3 --column positions", "--column has no place in --format table"),
        ("count 3x3 --same choices --column positions --format csv", "--column has no place in --format csv"),
        ("count 3x3 --moves win --x-moves any --o-moves block", "--moves has no place beside"),
        ("count 3x3 --symmetry lines", "--symmetry has no place with --same labelled"),
        ("count 1x1..3x3 --symmetry board", "--symmetry has no place with --same labelled"),
        ("tree 3x3 --x win", "--x says how a side plays: add --kind policy"),
        ("tree 3x3 --kind full --o random", "--o says how a side plays: add --kind policy"),
        ("tree 3x3 --kind forced-wins --from b1,a3 --depth 2", "leave out --depth"),
        ("tree 3x3 --depth 2", "leave out --depth"),
        ("query 3x3 --rows 5", "--rows is about a query"),
        ("query 3x3 --build-time 1m", "--build-time is about a query"),
        ("verify d --time 1s", "--time has no place with a DIRECTORY"),
        ("verify d --memory 1GB", "--memory has no place with a DIRECTORY"),
        ("blindfold play --as sighted --opponent hostile", "leave out --as sighted"),
        ("blindfold play --goal win-often", "add --as sighted"),
        ("blindfold 3x3 --safe", "--safe goes with --goal win-often"),
        ("blindfold 3x3 --opening b2", "--opening-told"),
        ("match 3x3 --x random --save p.json", "--save writes the best response"),
        ("count 3x3 --theme dark", "--theme is about the colours of a picture"),
        ("positions 3x3 --theme dark --format json", "--theme is about the colours of a picture"),
        ("openings 3x3 --paper a4", "--paper is about the pages of a PDF"),
        ("patterns 3x3 --paper a4 --format svg", "--paper is about the pages of a PDF"),
        ("whatis 16 --all --format json", "--all has no place in --format json"),
    ],
)
def test_options_that_leave_each_other_nothing_to_do_are_refused(run: Run, command: str, named: str) -> None:
    result = run(*command.split())
    assert result.code == 2, result.out
    assert named in result.one_sentence()


PAIRS = {
    "solve 3x3": ("--line", "--by-ply", "--same symmetry", "--engine search", "--format json", "--format markdown"),
    "count 3x3": (
        "--same symmetry", "--moves win", "--x-moves block", "--end decided", "--from a1", "--to-ply 4", "--explain",
        "--format json", "--format csv", "--format bfile", "--format svg", "--column positions", "--theme dark",
    ),
    "tree 3x3": (
        "--kind full", "--kind policy", "--from b1,a1", "--opening b3", "--depth 3", "--x win", "--format json",
        "--format svg", "--theme dark", "--paper a4",
    ),
    "openings 3x3": ("--from a1", "--format json", "--format svg", "--theme dark", "--paper a3"),
    "payoff 3x3": ("--points X=5-0", "--x win", "--o block", "--format json", "--theme dark"),
    "positions 3x3": (
        "--same labelled", "--ply 5", "--terminal", "--won X", "--to-move O", "--limit 3", "--format csv",
    ),
}  # fmt: skip
"""For each verb, options that change its answer."""


@pytest.mark.parametrize("verb", PAIRS)
def test_each_option_has_its_effect_beside_every_other_or_is_refused(run: Run, verb: str) -> None:
    """What two options give together is neither what one of them gives alone, unless what it gives is that."""
    answers: dict[tuple[str, ...], Result] = {}

    def answer(*options: str) -> Result:
        if options not in answers:
            answers[options] = run(*f"{verb} {' '.join(options)}".split())
        return answers[options]

    implied = {("--terminal", "--won X"), ("--ply 5", "--to-move O"), ("--to-move O", "--won X")}
    for first, second in itertools.combinations(PAIRS[verb], 2):
        if first.split()[0] == second.split()[0]:
            continue
        both = answer(first, second)
        for one, other in ((first, second), (second, first)):
            changes = answer(other).out != answer().out or answer(other).code != 0
            if both.code == 0 and changes and (first, second) not in implied:
                assert both.out != answer(one).out, (one, other)


@pytest.mark.parametrize(
    ("words", "all_valued"),
    [
        (("explain", "8x8", "a1"), False),
        (("review", "8x8", "a1"), False),
        (("openings", "8x8"), False),
        (("explain", "4x4:3", "a1"), True),
        (("review", "3x3", "a1 b2"), True),
        (("openings", "3x3+torus"), True),
    ],
)
def test_only_values_that_come_backward_from_the_ends_are_said_to(run, words, all_valued):
    told = " ".join(run(*words).out.split())
    assert ("every continuation was valued, backward from the ends" in told) == all_valued
    assert ("not by going through every continuation" in told) == (not all_valued)


# Sentences that agree in number and case, and say what is there.


@pytest.mark.parametrize(
    ("asked", "said", "unsaid"),
    [
        ("menace 2x2:2 --games 1", "as before it. In that game it won 1, drew 0 and lost 0.", "those games"),
        ("menace 2x2:2 --games 2", "as before them. In those games it won 2,", "that game"),
        ("same 3x3 X../.../... ..X/.../...", "So does: turn by 90 degrees clockwise.", "So do:"),
        ("explain 2x3:2", "you make two or more threats at once, and only one can be blocked.", "two threats"),
        ("explain 3x3 'a1 b1 a2'", "", "two or more"),
        ("review 3x3 'a1 b2 c3 b3 b1 c1 a3 a2 c2'", "9 moves. The game is drawn: the board is full", ": The"),
        ("review 3x3 'a1 b2 c3 c1 a3 b3 a2'", "3x3:3, 7 moves: X has won with the line a1-a2-a3.", "moves."),
        ("positions 2x2:3 --ply 4", "Under each board: that it is drawn.", "who won"),
        ("positions 3x3 --ply 9 --limit 40", "Under each board: who won, or that it is drawn.", "---"),
        ("positions 3x3 --ply 5 --terminal", "Under each board: who won.", "drawn"),
        ("whatis 0", " more readings: noughts whatis 0 --all", "And 1963"),
        ("count 1x3:2", "the first number by plain and by layered;", "also by"),
    ],
)
def test_what_is_said(run, asked, said, unsaid):
    result = run(*shlex.split(asked))
    assert result.code == 0, result.err
    out = " ".join(result.out.split())
    assert said in out
    assert unsaid not in out


def test_a_hint_says_once_what_to_play():
    said, _ = hint_at(parse_position("3x3", "a1 b1 b2 c3"))
    assert said == "Play a2 or a3: you make two threats at once, and only one can be blocked."


def test_the_labels_are_the_same_each_time(run):
    said = run("sheet", "3x3", "--kind", "labels", "--number", "4").one_sentence()
    assert "--kind labels gives the same sheet each time: leave out --number" in said


def test_boards_that_name_better_cells_have_their_names(run, monkeypatch):
    texts, write = [], Canvas.text

    def told(canvas, x, y, text, *more, **named):
        texts.append(text)
        write(canvas, x, y, text, *more, **named)

    monkeypatch.setattr(Canvas, "text", told)
    assert run("review", "3x3", "a1 b2 c3 c1 a3 b3 a2", "--format", "svg").code == 0
    assert "better: b1, a2, c2 and b3" in texts
    assert [texts.count(name) for name in "abc123"] == [7] * 6
