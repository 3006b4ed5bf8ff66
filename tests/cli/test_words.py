"""What a table, a heading or a file says about itself is so, and options that mean nothing are refused."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest

import noughts
from noughts.present.report import Table, as_csv, as_latex, as_markdown
from noughts.rules.board import Board
from noughts.rules.position import parse_position
from noughts.verbs.table import GONE
from tests.cli.conftest import Result
from tests.dear import dear

pytestmark = pytest.mark.usefixtures("remembered")

Run = Callable[..., Result]


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
        ("solve 3x3 --same symmetry", "--same needs all positions"),
        ("solve 3x3 --same labelled", "--same needs all positions"),
        ("solve 3x3 --by-ply --line", "--line needs one position"),
        ("solve 3x3 --by-ply --values-only", "--by-ply, which counts values"),
        ("solve 3x3 --by-ply --remoteness", "--by-ply, which counts values"),
        ("solve 3x3 --by-ply --time 5s", "--by-ply does not search"),
        ("solve 3x3 --engine retrograde --time 5s", "--engine retrograde does not search"),
        ("solve 3x3 --save d --time 5s", "--save does not search"),
        ("solve 3x3 --by-ply --column draws", "--column cannot be used with --format table"),
        ("solve 3x3 --by-ply --column draws --format csv", "--column cannot be used with --format csv"),
        ("solve 3x3 - --format table", "whose answers are JSON"),
        ("solve 3x3 - --format markdown", "whose answers are JSON"),
        ("solve 3x3 --table d --engine retrograde", "--engine cannot be used with --table"),
        ("solve 3x3 --table d --memory 1GB", "--memory cannot be used with --table"),
        ("solve 3x3 --table d --time 1s", "--time cannot be used with --table"),
        ("solve 3x3 --table d --remoteness", "--remoteness/--values-only cannot be used with --table"),
        ("count 3x3 --column positions", "--column cannot be used with --format table"),
        ("count 3x3 --same choices --column positions --format csv", "--column cannot be used with --format csv"),
        ("count 3x3 --moves win --x-moves any --o-moves block", "--moves cannot be used with both"),
        ("count 3x3 --symmetry lines", "--symmetry cannot be used with --same labelled"),
        ("count 1x1..3x3 --symmetry board", "--symmetry cannot be used with --same labelled"),
        ("tree 3x3 --x win", "--x needs two policies: add --kind policy"),
        ("tree 3x3 --kind full --o random", "--o needs two policies: add --kind policy"),
        ("tree 3x3 --kind forced-wins --from b1,a3 --depth 2", "remove --depth"),
        ("tree 3x3 --depth 2", "remove --depth"),
        ("query 3x3 --rows 5", "--rows needs a query"),
        ("query 3x3 --build-time 1m", "--build-time needs a query"),
        ("verify d --time 1s", "--time cannot be used with a DIRECTORY"),
        ("verify d --memory 1GB", "--memory cannot be used with a DIRECTORY"),
        ("blindfold play --as sighted --opponent hostile", "remove --as sighted"),
        ("blindfold play --goal win-often", "add --as sighted"),
        ("blindfold 3x3 --safe", "--safe needs --goal win-often"),
        ("blindfold 3x3 --opening b2", "--opening-told"),
        ("match 3x3 --x random --save p.json", "--save writes a best response"),
        ("count 3x3 --theme dark", "--theme needs a picture"),
        ("positions 3x3 --theme dark --format json", "--theme needs a picture"),
        ("openings 3x3 --paper a4", "--paper needs a PDF"),
        ("patterns 3x3 --paper a4 --format svg", "--paper needs a PDF"),
        ("whatis 16 --all --format json", "--all cannot be used with --format json"),
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


@pytest.mark.parametrize("every", dear([4, 1], 1))
@pytest.mark.parametrize("verb", PAIRS)
def test_each_option_has_its_effect_beside_every_other_or_is_refused(run: Run, verb: str, every: int) -> None:
    """What two options give together is neither what one of them gives alone, unless what it gives is that."""
    answers: dict[tuple[str, ...], Result] = {}

    def answer(*options: str) -> Result:
        if options not in answers:
            answers[options] = run(*f"{verb} {' '.join(options)}".split())
        return answers[options]

    implied = {("--terminal", "--won X"), ("--ply 5", "--to-move O"), ("--to-move O", "--won X")}
    for first, second in [*itertools.combinations(PAIRS[verb], 2)][::every]:
        if first.split()[0] == second.split()[0]:
            continue
        both = answer(first, second)
        for one, other in ((first, second), (second, first)):
            changes = answer(other).out != answer().out or answer(other).code != 0
            if both.code == 0 and changes and (first, second) not in implied:
                assert both.out != answer(one).out, (one, other)


# Sentences that agree in number and case, and say what is there.


@pytest.mark.parametrize("gone", GONE)
def test_what_was_there_before_names_what_to_use(run: Run, gone: str) -> None:
    verb, *option = gone.split()
    result = run(verb, "3x3", *option)
    kind = f"option {option[0]}" if option else f"verb {verb}"
    assert (result.code, result.one_sentence()) == (2, f"noughts: the {kind} was removed: {GONE[gone]}\n")
