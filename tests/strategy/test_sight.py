"""What is known where not all is valued: every case of three moves, by the definitions, and who plays what then."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from noughts.domain.bits import mask_of
from noughts.domain.board import Board
from noughts.domain.frozen import FrozenDict
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.solving.codes import Value
from noughts.strategy.opponents import OPPONENTS, Opponent, choose, manners, think, unvalued_play
from noughts.strategy.policies import GRADES, policy
from noughts.strategy.sight import Sight, sight_of
from noughts.strategy.tablepolicy import FilePolicy

VALUES: tuple[Value | None, ...] = ("win", "draw", "loss", None)
AT = parse_position(Board.parse("1x5:3"), "XO...")


@pytest.mark.parametrize("value", VALUES)
def test_the_good_moves_and_the_worse_ones(value: Value | None) -> None:
    for three in product(VALUES, repeat=3):
        if value is not None and "win" in three and value != "win":
            continue
        moves = dict(enumerate(three, 2))
        seen = Sight(AT, value, FrozenDict(moves), None)
        kept = [cell for cell in moves if value is not None and moves[cell] == value]
        hope = [cell for cell in moves if moves[cell] is None or (value is None and moves[cell] == "draw")]
        good = kept or hope
        assert seen.kept == mask_of(kept)
        assert seen.good == mask_of(good)
        assert seen.worse == mask_of(cell for cell in moves if moves[cell] is not None and cell not in good)


def test_what_is_known_is_said() -> None:
    def said(value: Value | None, *moves: Value | None, opened: int | None = 1234) -> str:
        return Sight(AT, value, FrozenDict(enumerate(moves, 2)), opened).sentence

    where = "where X was to move"
    assert said(None, None, None) == f"Who wins was not found within 1,234 positions {where}."
    assert said(None, None, "loss") == (
        f"Who wins was not found within 1,234 positions {where}; 1 of its 2 moves is known to lose."
    )
    assert said(None, None, "loss", "loss", opened=None) == (
        f"1x5:3 is too large for a search, and what can be forced was not found {where}; 2 of its 3 moves are known to "
        "lose."
    )
    assert said("win", "win") == f"A search found that X could force a win {where}."
    assert said("draw", "draw") == f"A search found that neither could force a win {where}."
    assert said("loss", "loss") == f"A search found that O could force a win against all moves {where}."
    assert said("win", None) == f"A search found that X could force a win {where}; which move keeps that was not found."


@pytest.mark.parametrize(
    ("spec", "marks", "value", "moves"),
    [
        ("1x3:2", "X.O", "draw", {1: "win"}),
        ("1x3:2", "XO.", "draw", {2: "draw"}),
        ("1x3:2+misere", "X.O", "draw", {1: "loss"}),
        ("1x4:2", "XO..", None, {2: None, 3: None}),
        ("1x4:2", "OX..", None, {2: "win", 3: None}),
        ("1x4:2+misere", "OX..", None, {2: "loss", 3: None}),
        ("1x4:2+misere", "O.X.", None, {1: "loss", 3: "loss"}),
    ],
)
def test_without_values_the_moves_that_end_the_game_are_seen(spec, marks, value, moves) -> None:
    seen = sight_of(parse_position(spec, marks), None)
    values = set(moves.values())
    wanted = "win" if "win" in values else None if None in values else "draw" if "draw" in values else "loss"
    assert dict(seen.moves) == moves
    assert (seen.value, seen.opened) == (wanted, None)


def test_moves_by_what_is_known_have_the_chances_that_are_stated() -> None:
    """Without values: on a board of one line each good move is as likely as another, and the grade is what errs."""
    board = Board.from_lines(4, [(0, 1), (2, 3)], misere=True)
    at = Position(board).play(0).play(2)
    for name in ("easy", "medium", "hard", "perfect", "trap:random"):
        shares, seen = think(policy(board, name), at, None)
        error = GRADES.get(name, Fraction(0))
        assert seen is not None
        assert dict(seen.moves) == {1: "loss", 3: None}
        assert shares == {cell: share for cell, share in ((1, error), (3, 1 - error)) if share}
    quiet = Position(board).play(0)
    assert think(policy(board, "easy"), quiet, None)[0] == dict.fromkeys((1, 2, 3), Fraction(1, 3))
    lost = quiet.play(2).play(3)
    assert think(policy(board, "easy"), lost, None)[0] == {1: Fraction(1)}, "where every move loses none is worse"


def test_who_errs_plays_each_of_the_worse_moves_alike() -> None:
    """Under misere X has a mark in either line: two moves complete one and lose, of the two others nothing is known."""
    board = Board.from_lines(8, [(0, 1), (2, 3)], misere=True)
    at = Position(board, 1 << 0 | 1 << 2, 1 << 6 | 1 << 7)
    for name in ("easy", "medium", "hard"):
        error = GRADES[name]
        shares, _ = think(policy(board, name), at, None)
        assert shares == {1: error / 2, 3: error / 2, 4: (1 - error) / 2, 5: (1 - error) / 2}


def test_of_the_good_moves_lines_are_completed_blocked_and_forked() -> None:
    board = Board.parse("4x4:3")
    lines = [set(line) for line in board.lines]

    def forks(own: set[int], other: set[int]) -> set[int]:
        blank = set(range(16)) - own - other
        after = {
            cell: [line for line in lines if len(line & (own | {cell})) == 2 and not line & other] for cell in blank
        }
        return {cell for cell in blank if len({min(line - own - {cell}) for line in after[cell]}) > 1}

    for moves, cells in (
        ("a1 d4 b1 d1", {2}),
        ("a1 b4 d2 c4", {12, 15}),
        ("a1 d4 c2 d1", forks({0, 6}, {15, 3})),
        ("b2", set(range(16)) - {5}),
    ):
        shares, _ = think(policy(board, "perfect"), parse_position(board, moves), None)
        assert shares == dict.fromkeys(sorted(cells), Fraction(1, len(cells)))


def test_a_table_plays_what_it_lists_and_else_as_another() -> None:
    board = Board.parse("1x4:2")
    table = FilePolicy("table", FrozenDict({(0, 0): FrozenDict({0: Fraction(1)})}), policy(board, "easy"), board=board)
    assert think(table, Position(board), None) == ({0: Fraction(1)}, None)
    shares, seen = think(table, parse_position(board, "X..."), None)
    assert seen is not None
    assert shares == {1: Fraction(1)}, "it blocks"
    assert think(policy(board, "random"), Position(board), None) == (dict.fromkeys(range(4), Fraction(1, 4)), None)


def test_how_opponents_play_where_not_all_is_valued() -> None:
    lines = ", and of those one that completes a line, else blocks one, else makes a fork"
    well = "plays a move known to keep what can be forced, else one that is not known to be worse"
    board, misere = Board.parse("3x3"), Board.parse("3x3+misere")
    by = {each.name: each for each in OPPONENTS}
    assert unvalued_play(board, by["perfect"]) == f"Here it {well}{lines}"
    assert unvalued_play(misere, by["perfect"]) == f"Here it {well}"
    assert unvalued_play(board, by["trap:block"]) == f"Here it sets no traps: it {well}{lines}"
    assert unvalued_play(misere, by["easy"]) == (
        f"Here it plays with the chance {GRADES['easy']} a move known to be worse than others, where there is one; "
        "else a move known to keep what can be forced, else one that is not known to be worse"
    )
    assert manners(board, whole=True) == {each.name: each.about for each in OPPONENTS}
    partly = manners(board, whole=False)
    for name in partly:
        looks = name in GRADES or name == "perfect" or name.startswith("trap")
        assert partly[name] == (unvalued_play(board, by[name]) if looks else by[name].about)
    assert not set(manners(misere, whole=True)) & {"win", "block", "fork", "trap:block"}
    assert Opponent("a", "A", "b").sides == ("X", "O")


def test_a_choice_follows_the_chances() -> None:
    at, shares = parse_position("1x5:3", "XO..."), {2: Fraction(1, 6), 3: Fraction(1, 2), 4: Fraction(1, 3)}
    made = [choose(shares, at, str(seed)) for seed in range(600)]
    assert [abs(made.count(cell) - 600 * share) < 40 for cell, share in shares.items()] == [True] * 3
    assert {choose({3: Fraction(1)}, at, str(seed)) for seed in range(5)} == {3}
    assert choose(shares, at, "5") == made[5]
