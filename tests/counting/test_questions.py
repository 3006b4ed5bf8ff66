"""Questions as values: what they say of themselves, what tells them apart, and which contradict themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from noughts.counting.offers import CountingOffer, Notes, Request
from noughts.counting.question import Question
from noughts.domain.board import Board
from noughts.domain.errors import InputError, InvalidQuestion, InvalidType
from noughts.domain.frozen import FrozenDict
from noughts.domain.game import MarkingGame
from noughts.domain.notation import parse_position
from noughts.domain.playtable import PlayTable
from noughts.domain.position import Position
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from tests.counting.comparing import estimated, offered, refusal
from tests.games import OTHERS

BOARD = Board.parse("2x3:3")
AFTER = parse_position(BOARD, "a1 b2")
TABLE = PlayTable("lowest", BOARD, FrozenDict({(0, 0): 1, (1, 2): 4}))
OTHER = OTHERS["gravity 3x3:3"].game
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
    {"board": THREE, "other": OTHER},
]


def question(**parts: Any) -> Question:
    return Question(**{"board": BOARD, **parts})


def test_every_part_tells_questions_apart() -> None:
    asked = [question(**parts) for parts in VARIED]
    assert len({each.identity for each in asked}) == len(set(asked)) == len(asked)
    assert [question(**parts) for parts in VARIED] == asked


@pytest.mark.parametrize("parts", VARIED[:-4], ids=str)
def test_the_repr_makes_the_question_again(parts: dict[str, Any]) -> None:
    asked = question(**parts)
    names = {"Board": Board, "Question": Question, "Position": Position}
    assert asked == (eval(repr(asked), names) if repr(asked).startswith("Question(") else asked)
    for name in parts:
        assert f"{name}=" in repr(asked) or name == "board"


def test_a_long_question_is_told_in_short() -> None:
    texts = [repr(Question(Board.from_lines(2, [], name="x" * length), "choices")) for length in range(1, 80)]
    whole = [text for text in texts if text.startswith("Question(Board.from_lines(2, (), name='x")]
    assert max(map(len, whole)) == 119
    assert len(whole) == 119 - len("Question(Board.from_lines(2, (), name=''), same='choices')")
    assert texts[len(whole)] == f"<Question about {'x' * 37}...: same='choices'>"
    many = repr(question(same="symmetry", x_moves="quickest", o_moves="quickest", end="decided", start=AFTER))
    told = re.fullmatch(r"<Question about 2x3:3: (same='symmetry', x_moves='quickest', .*\.\.\.)>", many)
    assert told is not None
    assert len(told[1]) == 70


def test_a_question_as_a_record() -> None:
    plain = {"board": "2x3:3", "same": "labelled", "x_moves": "any", "o_moves": "any", "end": "line",
             "symmetry": "board"}  # fmt: skip
    assert question().as_dict() == plain
    assert question(same="choices", x_moves="win", o_moves="block", end="full", symmetry="lines").as_dict() == {
        "board": "2x3:3", "same": "choices", "x_moves": "win", "o_moves": "block", "end": "full",
        "symmetry": "lines"}  # fmt: skip
    assert question(start=AFTER, to_ply=4).as_dict() == {**plain, "from": str(AFTER), "to_ply": 4}
    assert question(starts="either").as_dict() == {**plain, "starts": "either"}
    assert question(x_plays=TABLE).as_dict() == {**plain, "x_moves": "lowest"}


def test_what_a_question_is_about() -> None:
    assert [(q.first_ply, q.last_ply) for q in (question(), question(to_ply=4), question(to_ply=9))] == [
        (0, 6),
        (0, 4),
        (0, 6),
    ]
    later = question(start=AFTER, to_ply=2, same="symmetry", symmetry="lines", end="full")
    assert (later.first_ply, later.last_ply) == (2, 2)
    assert later.position() is AFTER
    assert question().position() == Position(BOARD)
    assert question().group == BOARD.group() != later.group == BOARD.group("lines")
    assert later.game.group == later.group
    assert later.game.start[:2] == (AFTER.x, AFTER.o)
    assert later.game.outcome((0b000111, 0b011000, None)) is None
    assert question().game.outcome((0b000111, 0b011000, None)) == "X"
    lone = MarkingGame(THREE, parse_position(THREE, "a1"), group=THREE.group("lines"))
    other = Question(THREE, other=lone)
    assert (other.first_ply, other.last_ply, other.group, other.game) == (1, 9, lone.group, lone)
    assert replace(other, to_ply=4).last_ply == 4
    assert [q.is_free for q in (question(), question(x_moves="win"), question(o_moves="win"))] == [True, False, False]
    assert [question(**{side: TABLE}).is_free for side in ("x_plays", "o_plays")] == [False, False]
    assert [q.is_played for q in (question(), question(x_plays=TABLE), question(o_plays=TABLE))] == [False, True, True]
    held = question(o_plays=TABLE, x_moves="win")
    assert (held.plays("X"), held.plays("O")) == (None, TABLE)
    assert (held.moves_of("X"), held.moves_of("O")) == ("win", "lowest")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"board": "3x3"}, "the board of a question cannot be a str: give a Board"),
        ({"start": "a1"}, "the start of a question cannot be a str: give a Position"),
        ({"to_ply": 2.0}, "the last ply cannot be a float"),
        ({"x_plays": "lowest"}, "the moves that X is held to cannot be a str: give a PlayTable"),
        ({"o_plays": []}, "the moves that O is held to cannot be a list: give a PlayTable"),
    ],
)
def test_parts_of_the_wrong_kind_are_named(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidType, match=f"^{re.escape(said)}"):
        question(**parts)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"o_moves": "best"}, "moves of O is 'best', but it must be one of any, win, block, fork, perfect, quickest"),
        ({"starts": "o"}, "who starts is 'o', but it must be one of X, O, either"),
        ({"starts": "O", "start": AFTER}, f"asked of the empty board, and play from {AFTER} says itself"),
        ({"starts": "O", "start": Position(BOARD, 1)}, "leave out who starts (O)"),
        ({"starts": "either", "board": THREE, "other": OTHER}, "and gravity on 3x3:3 says itself whose turn it is"),
        ({"board": THREE, "other": OTHER, "x_moves": "win"}, "no meaning in gravity on 3x3:3: use any or perfect"),
        ({"board": Board.parse("2x3:3+misere"), "o_moves": "fork"}, "use any, perfect or quickest"),
        ({"board": THREE, "other": OTHER, "end": "full"}, "gravity on 3x3:3 has its own start, end and symmetries"),
        ({"board": THREE, "other": OTHER, "symmetry": "lines"}, "has its own start, end and symmetries"),
        ({"board": THREE, "other": OTHER, "start": Position(THREE)}, "has its own start, end and symmetries"),
        ({"board": THREE, "x_plays": TABLE}, "lowest plays on 2x3:3, not on 3x3:3: ask about that board"),
        (
            {"board": THREE, "other": OTHER, "o_plays": replace(TABLE, board=THREE)},
            "lowest plays on 3x3:3, not on gravity on 3x3:3",
        ),
        ({"x_plays": TABLE, "x_moves": "win"}, "X plays by lowest, and by the rule win: leave one of them out"),
        ({"o_plays": TABLE, "o_moves": "perfect"}, "O plays by lowest, and by the rule perfect"),
        ({"x_plays": TABLE, "starts": "either"}, "lowest plays games that X starts: leave out who starts (either)"),
        ({"start": Position(THREE)}, ".../.../... is a position of 3x3:3, not of 2x3:3"),
        ({"start": Position(BOARD, 0b111, 0b11000), "to_ply": 4}, "the last ply 4 comes before the first, 5: raise it"),
        ({"start": Position(BOARD, 3), "end": "full"}, "XX./... cannot be a start on 2x3:3: too many X"),
        ({"start": Position(BOARD, 7, 56), "end": "full"}, "cannot be a start on 2x3:3: both have a line"),
        ({"start": Position(BOARD, 7, 56)}, "both have a line"),
    ],
)
def test_questions_that_contradict_themselves(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        question(**parts)
    assert isinstance(caught.value, InvalidQuestion) or "line" in said


def test_starts_that_are_no_contradiction() -> None:
    """The empty board may be given; with `full` a line may be there already, of whoever moved last or not."""
    assert question(starts="O", start=Position(BOARD)).first_ply == 0
    assert question(end="full", start=Position(BOARD, 0b111, 0b110000)).first_ply == 5
    lined = Position(Board.parse("2x4:3"), 0b0111, 0b10110000)
    assert Question(lined.board, end="full", start=lined).first_ply == 6
    with pytest.raises(InputError, match="yet O moved after it"):
        Question(lined.board, start=lined)


def test_a_request_is_its_question() -> None:
    asked = question()
    first, second = Request(asked), Request(asked, notes=Notes(), progress=lambda *now: None)
    assert first == second
    assert first.notes is not second.notes
    assert first != Request(asked, strict=True)
    assert Request(asked, ("paths", "terminal_draw")).wants_positions
    assert not Request(asked, ("paths", "finished")).wants_positions
    some = Request(asked, ("positions", "paths", "draws"))
    assert some.missing() == ()
    assert some.missing(positions=False) == ("positions",)
    assert some.missing(games=False) == ("paths", "draws")
    assert some.missing(positions=False, games=False) == some.wanted
    assert some.needed is some.needed


def test_notes_are_kept_for_each_kind() -> None:
    notes = Notes()
    notes.of(list).append(3)
    assert notes.of(list) == [3]
    assert notes.of(dict) == {}
    assert notes.of(dict) is notes.of(dict)


def test_plain_python_takes_time_and_memory_for_each_board() -> None:
    """By all ways to place the marks; up to symmetry once more for every second symmetry."""
    boards = sum((1, 6, 30, 60, 90, 60, 20))
    for same, runs in (("labelled", 1), ("choices", 1), ("symmetry", 4)):
        cost = estimated("plain", question(same=same))
        assert cost.memory == 2500 * boards
        assert cost.seconds == pytest.approx(2e-5 * boards * (1 + runs / 2))
        assert cost.detail == f"{boards} boards to walk through in plain Python"
    assert estimated("plain", question(to_ply=2)).memory == 2500 * 37
    assert isinstance(offered("plain", question(), Limits(memory=2500 * boards)), CountingOffer)
    assert isinstance(offered("plain", question(), Limits(memory=2500 * boards - 1)), Refusal)
    assert refusal("plain", Question(Board.parse("1x17:3"))) == (
        "the engine plain takes boards of up to 16 cells, 1x17:3 has 17"
    )
    assert refusal("plain", Question(Board.parse("4x5:3"), other=OTHER, to_ply=3)) is None


def test_a_table_takes_time_and_memory_for_each_move_in_it() -> None:
    """One for the start, and for each position of the tables itself and two for each of its moves."""
    for same, runs in (("labelled", 1), ("choices", 1), ("symmetry", 4)):
        for sides, states in ((("x_plays",), 1 + 3 + 3), (("x_plays", "o_plays"), 1 + 6 + 6)):
            cost = estimated("played", question(same=same, **dict.fromkeys(sides, TABLE)))
            assert cost.memory == 1500 * states * runs
            assert cost.seconds == pytest.approx(3e-5 * states * runs)
            assert cost.detail == f"{states} boards to walk through in plain Python"
    asked = question(x_plays=TABLE)
    assert isinstance(offered("played", asked, Limits(memory=10500)), CountingOffer)
    assert isinstance(offered("played", asked, Limits(memory=10499)), Refusal)
