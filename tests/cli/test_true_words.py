"""What a table, a heading or a file says about itself is so, and options that mean nothing are refused."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

import pytest

import noughts
from noughts.counting.words import convention
from noughts.domain.board import Board
from noughts.domain.notation import parse_position
from noughts.reports.tables import Table, as_csv, as_latex, as_markdown
from tests.cli.conftest import Result

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
    text = re.sub(r"\\(begin|end)\{tabular\}(\{[lr]+\})?|\\hline|\\\\$", "", latex, flags=re.MULTILINE)
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
    plain = run("count", "3x3", "--format", "svg").out
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
