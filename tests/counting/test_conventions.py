"""Positions from naive to exact, and the matrix of games, against the oracle on unpublished boards."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

import noughts
from noughts.counting import inclusion as linefree
from noughts.counting.class_sums import bots
from noughts.counting.conventions import Answers, ladder, matrix
from noughts.counting.inclusion import line_free_sets, square_free_sets
from noughts.counting.layered import engine as quiet
from noughts.counting.question import Question, layer_bounds
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import Game
from noughts.rules.position import completing_cells
from noughts.solving.classgraph import ClassGraph
from tests import naive
from tests.analysis.oracle import Oracle, oracle
from tests.boards import SMALL, Small, small


def rungs(on: Small) -> dict[str, int]:
    """Every rung by its definition, from all fillings and all reachable positions as strings."""
    game, group = on.game, on.isometries
    fillings = ["".join(marks) for marks in product(".XO", repeat=game.cells)]
    balanced = [text for text in fillings if text.count("X") - text.count("O") in (0, 1)]
    reachable = naive.reachable(game)
    classes = {naive.position_class(text, group) for text in reachable}
    ends = {text: naive.line_outcome(game, text) for text in reachable}
    endings = [ends[text] for text in classes if ends[text]]
    decisions = [text for text in classes if not ends[text] and text.count(".") > 1]
    sequences, ways = 0, 1
    for taken in range(game.cells):
        ways *= game.cells - taken
        sequences += ways
    found = {
        "fillings": len(fillings),
        "sequences": sequences,
        "balanced": len(balanced),
        "not both lined": sum(
            not (naive.has_line(game, text, "X") and naive.has_line(game, text, "O")) for text in balanced
        ),
        "reachable": len(reachable),
        "terminal": sum(1 for outcome in ends.values() if outcome),
        "classes": len(classes),
        "decisions": len(decisions),
        "matchboxes": sum(naive.mover(text) == "X" for text in decisions),
        "endings": len(endings),
        "endings, X wins": endings.count("X"),
        "endings, O wins": endings.count("O"),
        "endings, draws": endings.count("draw"),
    }
    if not game.misere:
        found["real decisions"] = sum(
            not naive.winning_cells(game, text, "X") and not naive.winning_cells(game, text, "O") for text in decisions
        )
    return found


@pytest.mark.parametrize("name", SMALL)
def test_ladder(name: str) -> None:
    on = small(name)
    counted = {rung.name: rung.count for rung in ladder(on.board) if rung.count is not None}
    assert counted == rungs(on)


@pytest.mark.parametrize(
    ("spec", "torus", "misere"), [("3x3", False, False), ("3x3+torus", True, False), ("3x3+misere", False, True)]
)
def test_ladder_of_nine_cells(spec: str, torus: bool, misere: bool) -> None:
    game = naive.grid(3, 3, 3, torus=torus, misere=misere)
    on = Small(Board.parse(spec), game, naive.isometries(3, 3, torus=torus))
    assert {rung.name: rung.count for rung in ladder(on.board) if rung.count is not None} == rungs(on)


@pytest.mark.parametrize("name", ["2x3:2", "1x6:3", "2x3:3+misere", "loose", "nothing", "1x1:1"])
def test_matrix(name: str) -> None:
    on = small(name)
    entries = matrix(on.board, Answers())
    assert len(entries) == (27 if on.board.misere else 54)
    for entry in entries:
        question = entry.question
        rows = naive.census(on.game, question.same, question.x_moves, question.o_moves, question.end, on.isometries)
        assert entry.finished == sum(row["finished"] or 0 for row in rows), question
        assert entry.convention


# How many bots differ, against the oracle on strings: a product over decision classes of distinct choices.

BOARDS_BOTS = {"3x3": (3, 3, 3), "2x4:3": (2, 4, 3), "4x2:3": (4, 2, 3), "2x3:2": (2, 3, 2), "1x6:3": (1, 6, 3)}


def choices(board: Oracle, s: str) -> int:
    """The number of boards after the next move, where turned or mirrored boards count once."""
    return len({board.canonical(board.put(s, cell)) for cell in board.blanks(s)})


@pytest.mark.parametrize("spec", BOARDS_BOTS)
@pytest.mark.parametrize("misere", [False, True])
def test_bots_are_the_product_of_the_choices_at_the_decisions(spec: str, misere: bool) -> None:
    board = oracle(*BOARDS_BOTS[spec])
    classes = {board.canonical(s) for s in board.reachable() if not board.over(s) and s.count(".") > 1}
    quiet = {s for s in classes if not board.threats(s, "X") and not board.threats(s, "O")}
    expected = {
        "decisions": prod(choices(board, s) for s in classes),
        "matchboxes": prod(choices(board, s) for s in classes if board.mover(s) == "X"),
        **({} if misere else {"real decisions": prod(choices(board, s) for s in quiet)}),
    }
    name = spec + "+misere" * misere
    assert bots(Board.parse(name)) == expected
    assert {rung.name: rung.bots for rung in noughts.verbs.matrix(name).positions if rung.bots} == expected
    assert noughts.positions(name, decision=True).bots == expected["decisions"]
    assert noughts.positions(name, matchbox=True).bots == expected["matchboxes"]
    if not misere:
        assert noughts.positions(name, real_decision=True).bots == expected["real decisions"]


# Sets of cells without a line, by size: against trying all sets.


def by_trying(board: Board) -> tuple[int, ...]:
    found = [0] * (board.cells + 1)
    for cells in range(1 << board.cells):
        found[cells.bit_count()] += all(cells & line != line for line in board.line_masks)
    return tuple(found)


BOARDS_LINEFREE = [small(name).board for name in SMALL] + [
    Board.parse(spec) for spec in ("3x3", "3x3:2", "3x4:3", "2x6:2", "2x2x3:2", "1x11:4", "3x3+torus", "3x4:2+torus")
]


@pytest.mark.parametrize("board", BOARDS_LINEFREE, ids=str)
def test_sets_without_a_line_are_those_that_trying_all_finds(board: Board) -> None:
    assert line_free_sets(board) == by_trying(board)


@pytest.mark.parametrize("side", [2, 3, 4])
def test_sets_without_a_line_of_a_square_are_those_that_trying_all_finds(side: int) -> None:
    assert square_free_sets(side) == by_trying(Board.grid(side, side))


def test_states_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 1x4:2 only the last cell matters, so there are at most two states; on 1x5:3 there are three."""
    for spec, states in (("1x4:2", 2), ("1x5:3", 3)):
        monkeypatch.setattr(linefree, "_STATE_LIMIT", states)
        line_free_sets.cache_clear()
        assert line_free_sets(Board.parse(spec)) == by_trying(Board.parse(spec))
        monkeypatch.setattr(linefree, "_STATE_LIMIT", states - 1)
        line_free_sets.cache_clear()
        with pytest.raises(BudgetError, match=f"needs more than {states - 1} states"):
            line_free_sets(Board.parse(spec))
    line_free_sets.cache_clear()


@pytest.mark.parametrize(
    ("spec", "first", "second"),
    [("2x2+order", "Order", "Chaos"), ("2x2+wild", "the first player", "the second player"), ("2x2", "X", "O")],
)
def test_the_ladder_names_the_players(spec: str, first: str, second: str) -> None:
    meaning = {rung.name: rung.meaning.partition(":")[0] for rung in ladder(Board.parse(spec))}
    assert meaning["endings, X wins"] == f"terminal classes won by {first}"
    assert meaning["endings, O wins"] == f"terminal classes won by {second}"
    assert meaning["matchboxes"].removesuffix(", as in MENACE").endswith(f" and {first} to move")


# The decisions that matter, listed in plain Python and by the compiled walk.


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x6:3", "1x9:3", "3x3+torus", "2x2x2"])
def test_compiled_equals_listing(spec, monkeypatch):
    board = Board.parse(spec)
    listed = 0
    for node in ClassGraph(Game(board)).nodes:
        blank = board.full & ~(node.state.x | node.state.o)
        threats = completing_cells(board, node.state.x, blank) | completing_cells(board, node.state.o, blank)
        listed += node.outcome is None and blank.bit_count() > 1 and not threats
    bound = sum(layer_bounds(Question(board, "choices"), to_end=True))
    monkeypatch.setattr(quiet, "QUICK_CLASSES", bound)
    with monkeypatch.context() as patch:
        patch.setattr(quiet, "_compiled", lambda board: pytest.fail("few enough to list"))
        assert quiet.quiet_classes(board) == listed
    monkeypatch.setattr(quiet, "QUICK_CLASSES", bound - 1)
    monkeypatch.setattr(quiet, "class_graph", lambda board: pytest.fail("too many to list"))
    assert quiet.quiet_classes(board) == listed
