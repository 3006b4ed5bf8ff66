"""Questions as values: their text, their identity, and questions that contradict themselves."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from itertools import product, zip_longest
from typing import Any

import pytest

import noughts
from noughts.counting.engines import answer
from noughts.counting.offers import CountingOffer
from noughts.counting.question import SAMENESSES, Question
from noughts.rules.board import Board
from noughts.rules.errors import InputError, InvalidQuestion, InvalidType
from noughts.rules.game import PlayTable
from noughts.rules.play import END_RULES
from noughts.rules.position import Position, parse_position
from noughts.rules.values import FrozenDict
from tests import naive
from tests.counting.comparing import offered
from tests.dear import dear, sample
from tests.games import OTHERS

BOARD = Board.parse("2x3:3")
AFTER = parse_position(BOARD, "a1 b2")
TABLE = PlayTable("lowest", BOARD, FrozenDict({(0, 0): 1, (1, 2): 4}))
GRAVITY = OTHERS["3x3:3+gravity"].board
THREE = Board.parse("3x3")

VARIED: list[dict[str, Any]] = [
    {},
    {"board": Board.parse("2x3:2")},
    {"board": Board.parse("3x2:3")},
    {"board": Board.parse("2x3:3+misere")},
    {"board": Board.from_lines(6, BOARD.lines)},
    {"same": "symmetry"},
    {"x_moves": "win"},
    {"o_moves": "win"},
    {"end": "full"},
    {"symmetry": "lines"},
    {"start": AFTER},
    {"start": Position(BOARD, 1)},
    {"to_ply": 4},
    {"to_ply": 5},
    {"starts": "O"},
    {"starts": "either"},
    {"x_plays": TABLE},
    {"o_plays": TABLE},
    {"x_plays": replace(TABLE, cells=FrozenDict({(0, 0): 2}))},
    {"board": GRAVITY},
]


def question(**parts: Any) -> Question:
    return Question(**{"board": BOARD, **parts})


def test_every_part_tells_questions_apart() -> None:
    questions = [question(**parts) for parts in VARIED]
    assert len({each.identity for each in questions}) == len(set(questions)) == len(questions)
    assert [question(**parts) for parts in VARIED] == questions


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"board": "3x3"}, "the board of a question cannot be a str: give a Board"),
        ({"start": "a1"}, "the start of a question cannot be a str: give a Position"),
        ({"to_ply": 2.0}, "the last ply cannot be a float"),
        ({"x_plays": "lowest"}, "the table of moves of X cannot be a str: give a PlayTable"),
        ({"o_plays": []}, "the table of moves of O cannot be a list: give a PlayTable"),
    ],
)
def test_parts_of_the_wrong_kind_are_named(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidType, match=f"^{re.escape(message)}"):
        question(**parts)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            {"o_moves": "best"},
            "moves of O is 'best', but it must be one of any, win, block, fork, perfect, quickest, concede",
        ),
        ({"same": "sometimes"}, "same is 'sometimes', but it must be one of labelled, symmetry, choices"),
        ({"end": "never"}, "must be one of line, decided, full"),
        ({"symmetry": "both"}, "must be one of board, lines"),
        ({"to_ply": -1}, "comes before the first"),
        ({"starts": "o"}, "who starts is 'o', but it must be one of X, O, either"),
        ({"starts": "O", "start": AFTER}, f"the position {AFTER} already shows whose turn it is"),
        ({"starts": "O", "start": Position(BOARD, 1)}, "remove who starts (O)"),
        (
            {"board": GRAVITY, "x_moves": "fork"},
            "no meaning on 3x3:3+gravity: use any, win, block, perfect or quickest",
        ),
        ({"board": Board.parse("2x3:3+misere"), "o_moves": "fork"}, "use any, perfect or quickest"),
        (
            {"board": GRAVITY, "starts": "either"},
            "on 3x3:3+gravity the order of marks matters, so either player cannot start",
        ),
        ({"board": THREE, "x_plays": TABLE}, "lowest plays on 2x3:3, not on 3x3:3: ask about that board"),
        ({"x_plays": TABLE, "x_moves": "win"}, "X plays by lowest, and by the rule win: remove one of them"),
        ({"o_plays": TABLE, "o_moves": "perfect"}, "O plays by lowest, and by the rule perfect"),
        ({"x_plays": TABLE, "starts": "either"}, "lowest plays games that X starts: remove who starts (either)"),
        ({"start": Position(THREE)}, ".../.../... is a position of 3x3:3, not of 2x3:3"),
        ({"start": Position(BOARD, 0b111, 0b11000), "to_ply": 4}, "the last ply 4 comes before the first, 5: raise it"),
        ({"start": Position(BOARD, 3), "end": "full"}, "XX./... cannot be a start on 2x3:3: too many X"),
        ({"start": Position(BOARD, 7, 56), "end": "full"}, "cannot be a start on 2x3:3: both have a line"),
        ({"start": Position(BOARD, 7, 56)}, "both have a line"),
    ],
)
def test_questions_that_contradict_themselves(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        question(**parts)
    assert isinstance(caught.value, InvalidQuestion) or "line" in message


def test_starts_that_are_no_contradiction() -> None:
    """The empty board may be given; with `full` the start may have a line of either player."""
    assert question(starts="O", start=Position(BOARD)).first_ply == 0
    assert question(end="full", start=Position(BOARD, 0b111, 0b110000)).first_ply == 5
    lined = Position(Board.parse("2x4:3"), 0b0111, 0b10110000)
    assert Question(lined.board, end="full", start=lined).first_ply == 6
    with pytest.raises(InputError, match="yet O moved after it"):
        Question(lined.board, start=lined)


# Games that O begins, and that either player may begin: against the list of all games, marks exchanged.

BOARDS = {
    "2x3:2": (naive.grid(2, 3, 2), naive.isometries(2, 3)),
    "2x3:3": (naive.grid(2, 3, 3), naive.isometries(2, 3)),
    "1x5:2": (naive.grid(1, 5, 2), naive.isometries(1, 5)),
    "2x3:3+torus+misere": (naive.grid(2, 3, 3, torus=True, misere=True), naive.isometries(2, 3, torus=True)),
    "2x2:3": (naive.grid(2, 2, 3), naive.isometries(2, 2)),
}
PAIRS = [("any", "any"), ("block", "block"), ("any", "win"), ("perfect", "any"), ("quickest", "fork")]
SWAP = {"X": "O", "O": "X", "draw": "draw", None: None}


def exchanged(path: naive.Path) -> naive.Path:
    positions = tuple(position.translate(str.maketrans("XO", "OX")) for position in path.positions)
    return naive.Path(path.cells, positions, SWAP[path.first_line], SWAP[path.outcome], "O")


def wanted(game: naive.Game, group: Any, question: Question) -> list[dict[str, int | None]]:
    """The rows from a list of the games that X starts and that O starts, counted separately."""
    first, second, end = question.x_moves, question.o_moves, question.end
    of_x: list[Any] = naive.layers(game, first, second, end) if question.starts != "O" else []
    of_o: list[Any] = naive.layers(game, second, first, end) if question.starts != "X" else []
    none: list[Any] = []
    found = [[*one, *map(exchanged, other)] for one, other in zip_longest(of_x, of_o, fillvalue=none)]
    split = end == "line" or (end == "decided" and question.starts == "O")
    return naive.table(found, question.same, group, group, split=split)


@pytest.mark.parametrize("spec", sample(BOARDS, 3))
def test_every_question_by_the_oracle(spec: str) -> None:
    game, group = BOARDS[spec]
    board = Board.parse(spec)
    pairs: Any = [("any", "any"), ("quickest", "any")] if board.misere else PAIRS
    for (x_moves, o_moves), end, same in product(pairs, END_RULES, SAMENESSES):
        for first in ("O", "either"):
            question = Question(board, same, x_moves, o_moves, end, starts=first)
            rows = wanted(game, group, question)
            for engine in ("plain", "layered"):
                found = [asdict(row) for row in answer(question, engine=engine).plies]
                assert found == rows, (question, engine)


@pytest.mark.parametrize(
    ("x_moves", "o_moves", "end"),
    dear([("block", "block", "decided"), ("fork", "block", "line")], ("fork", "block", "line")),
)
def test_three_by_three(x_moves: Any, o_moves: Any, end: Any) -> None:
    game, group = naive.grid(3, 3, 3), naive.isometries(3, 3)
    for same in SAMENESSES:
        question = Question(THREE, same, x_moves, o_moves, end, starts="either")
        assert [asdict(row) for row in answer(question).plies] == wanted(game, group, question)


TREELESS = pytest.mark.parametrize("engine", ["inclusion", "subset", "frontier", "frontier games"])


def agrees(engine: str, spec: str, starts: str) -> None:
    question = Question(Board.parse(spec), starts=starts)  # type: ignore[arg-type]
    known = answer(question, engine="plain").plies
    offer = offered(engine, question)
    assert isinstance(offer, CountingOffer)
    for row, right in zip(offer.count().plies, known, strict=True):
        for name, count in asdict(row).items():
            assert count in (None, getattr(right, name)), (spec, starts, row.ply, name)
        assert row.finished == right.finished


@TREELESS
@pytest.mark.parametrize(("spec", "starts"), [("3x3", "either"), ("2x4:4", "either"), ("2x4:4", "O")])
def test_engines_without_a_tree_agree(engine: str, spec: str, starts: str) -> None:
    agrees(engine, spec, starts)


def test_large_boards_leave_out_what_must_be_listed() -> None:
    census = noughts.count("4x4:4", same="choices", x_moves="win", starts="either")
    assert census.totals.positions is None
    one, other = (noughts.count("4x4:4", same="choices", **{who: "win"}).totals for who in ("x_moves", "o_moves"))  # type: ignore[arg-type]
    assert census.totals.finished == (one.finished or 0) + (other.finished or 0)


def test_the_convention_says_who_starts() -> None:
    found = noughts.count("2x2", starts="either")
    assert "either player starts (a position reached both ways counts once)" in found.as_dict()["convention"]
    assert found.as_dict()["starts"] == "either"
    assert "O starts" in noughts.count("2x2", starts="O").as_dict()["convention"]
    assert "starts" not in noughts.count("2x2").as_dict()


def test_a_start_position_excludes_who_starts() -> None:
    with pytest.raises(InputError, match="remove who starts"):
        noughts.count("3x3", "a1", starts="either")
    with pytest.raises(InputError, match="must be one of X, O, either"):
        noughts.count("3x3", starts="both")  # type: ignore[arg-type]
