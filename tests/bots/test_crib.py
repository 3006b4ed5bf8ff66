"""Cribs: the published numbers, two engines and an oracle that tries every table, the judge, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import noughts
from noughts.bots.crib import Crib
from noughts.bots.crib_judge import CribQuestion, judge_crib
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError, InputError
from noughts.rules.position import Position
from tests import naive
from tests.bots.oracle import Tables

PUBLISHED = {("X", "b2"): 41, ("X", "a1"): 56, ("X", "b1"): 94, ("O", None): 127}
"""Lomont 2024: perfect play, all boards counted, endings included."""
NEVER_LOSE = {
    ("X", "b2"): (22, 41), ("X", "a1"): (29, 53), ("X", "b1"): (41, 77), ("X", None): (22, 41), ("O", None): (71, 120),
}  # fmt: skip


@pytest.mark.parametrize(("player", "opening"), PUBLISHED)
@pytest.mark.parametrize("engine", ["search", "programme"])
def test_the_published_numbers_come_from_two_engines(player, opening, engine):
    found = noughts.crib("3x3", as_=player, opening=opening, goal="perfect", count="all", engine=engine)
    assert (found.entries, found.bound, found.proved) == (PUBLISHED[player, opening], found.entries, True)
    assert found.engine == engine


@pytest.mark.parametrize(("player", "opening"), NEVER_LOSE)
def test_never_losing_takes_no_more_entries_and_both_engines_agree(player, opening):
    own, every = NEVER_LOSE[player, opening]
    for engine in ("search", "programme"):
        found = noughts.crib("3x3", as_=player, opening=opening, engine=engine)
        assert (found.entries, found.own, found.proved) == (own, own, True)
    if opening != "b1":
        found = noughts.crib("3x3", as_=player, opening=opening, count="all")
        assert (found.entries, found.boards, found.proved) == (every, every, True)
    assert every <= PUBLISHED.get((player, opening), 41)


@pytest.mark.slow
def test_never_losing_with_all_boards_counted_by_both_engines():
    for (player, opening), (_, every) in NEVER_LOSE.items():
        for engine in ("search", "programme"):
            found = noughts.crib("3x3", as_=player, opening=opening, count="all", engine=engine)
            assert (found.entries, found.proved) == (every, True)


BOARDS = {
    "3x3": (naive.grid(3, 3, 3), naive.isometries(3, 3)),
    "3x3+misere": (naive.grid(3, 3, 3, misere=True), naive.isometries(3, 3)),
    "3x3+torus": (naive.grid(3, 3, 3, torus=True), naive.isometries(3, 3, torus=True)),
    "2x3:3": (naive.grid(2, 3, 3), naive.isometries(2, 3)),
    "2x4:3": (naive.grid(2, 4, 3), naive.isometries(2, 4)),
}
STARTS = {
    "3x3": ["b2 b1 a1 c3", "b1 b2 b3 a1", "a1 c3 b2 b1", "b1 a3 c3 c2", "a1 b2 c3 b1 b3"],
    "3x3+misere": ["b2 a1 c3 a2", "a1 b2 b1 c3", "b2 a1 b1 c3"],
    "3x3+torus": ["a1 b2 c1 b1", "a1 b1 a2 c3"],
    "2x3:3": ["a1 c2", "b1 b2"],
    "2x4:3": ["a1 b2 c1", "b1 c2 a2 d1"],
}


@pytest.mark.parametrize(("spec", "moves"), [(spec, moves) for spec, starts in STARTS.items() for moves in starts])
def test_the_search_finds_what_trying_every_table_finds(spec, moves):
    board = Board.parse(spec)
    start = noughts.rules.parse_position(board, moves) if moves else Position(board)
    marks = "".join(start.mark_at(cell) or "." for cell in range(board.cells))
    met = 0
    for player in ("X", "O"):
        for goal in ("never-lose", "perfect", "win"):
            for count in ("own", "all"):
                tables = Tables(*BOARDS[spec], player, goal, count)
                if tables.value(tables.class_of(marks)) < {"never-lose": 0, "perfect": -1, "win": 1}[goal]:
                    with pytest.raises(InputError, match=r"cannot (avoid losing|force a win)"):
                        noughts.crib(board, start, as_=player, goal=goal, count=count)
                    continue
                found = noughts.crib(board, start, as_=player, goal=goal, count=count, engine="search")
                assert found.entries == found.bound == tables.fewest(marks)
                met += 1
    assert met >= 4


# ---- the judge ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def never_loses() -> Crib:
    return noughts.crib("3x3")


def test_the_judge_counts_what_the_engines_counted(never_loses):
    judged = judge_crib(never_loses.question, never_loses.table)
    assert (judged.own, judged.boards, set(judged.outcomes)) == (22, 43, {"X", "draw"})


def test_the_judge_refuses_every_wrong_card(never_loses):
    question, table = never_loses.question, dict(never_loses.table)
    assert judge_crib(replace(question, opening=4), table).own == 22
    corner, opens = noughts.crib("3x3", opening="a1"), "and says that X opens"
    late = noughts.rules.parse_position("3x3", "b2 a1 c1 a3 b1")  # O takes a2 and wins, or gives that away
    lost = noughts.rules.parse_position("3x3", "O.O/XXO/..X")  # X must block at b1
    cards: list[tuple[CribQuestion, dict[str, str], type[Exception], str]] = [
        *((question, {at: table[at] for at in table if at != text}, CheckError, "has no move for") for text in table),
        (question, {**table, "XX./OO./...": "c1"}, CheckError, "no game meets"),
        (question, {**table, "O../.X./...": "a1"}, CheckError, "taken"),
        *(
            (question, {**table, entry: "a1"}, InputError, "the crib has an invalid entry")
            for entry in ("../..", "[X.X/.XO/OO.", "X.O/a1OX./...", "The board O.. then .X. then ...")
        ),
        (question, {**table, ".../.../...": "d1"}, InputError, "an invalid entry: 3x3:3 has no cell 'd1'"),
        (question, {**table, "...,...,...": "a1"}, InputError, r"two entries for the board \.\.\./\.\.\./\.\.\."),
        *((replace(question, opening=cell), table, CheckError, f"the crib opens b2, {opens}") for cell in (0, 8)),
        (replace(corner.question, opening=8), dict(corner.table), CheckError, f"the crib opens a1, {opens} c3"),
        (
            replace(question, opening=4, start=noughts.rules.parse_position("3x3", "b2 a1")),
            table,
            CheckError,
            "after the opening",
        ),
        (CribQuestion(late, "O", "perfect", "own"), {str(late): "c3"}, CheckError, "gives value away"),
        (
            CribQuestion(lost, "X", "never-lose", "own"),
            {str(lost): "a3", "O.O/XXO/XOX": "b1"},
            CheckError,
            "a game end that it should not: O",
        ),
    ]
    for asked, card_, error, words in cards:
        with pytest.raises(error, match=words):
            judge_crib(asked, card_)


@pytest.mark.parametrize(("player", "opening"), NEVER_LOSE)
def test_versus_agrees_that_it_never_loses(player, opening):
    if opening is not None and opening != "b2":
        return
    found = noughts.crib("3x3", as_=player, opening=opening)
    for other in ("random", "best"):
        match = noughts.match("3x3", **({"x": found, "o": other} if player == "X" else {"x": other, "o": found}))
        assert (match.o_wins if player == "X" else match.x_wins) == 0
        assert match.draws == 1 if other == "best" else match.draws < 1


# ---- boards with more positions than can be listed -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("player", "opening"), [("X", None), ("X", "a1"), ("O", None)])
def test_listing_only_what_tables_meet_proves_the_same_numbers(player, opening):
    own, every = NEVER_LOSE[player, opening]
    found = noughts.crib("3x3", as_=player, opening=opening, engine="local")
    assert (found.entries, found.bound, found.own, found.engine) == (own, own, own, "local")
    if opening is not None:
        found = noughts.crib("3x3", as_=player, opening=opening, engine="local", count="all", time=2)
        assert found.bound <= every <= found.entries == found.boards


def test_a_win_on_a_board_that_is_not_listed_is_proved_smallest():
    found, listed = (noughts.crib("3x4:3", "b2 a1", goal="win", engine=each) for each in ("local", "programme"))
    assert (found.entries, found.proved) == (listed.entries, listed.proved)
    found = noughts.crib("4x4:3", "b2 a1", goal="win")
    assert (found.engine, found.proved, set(found.outcomes)) == ("local", True, {"X"})


def test_what_is_not_listed_and_not_complete_in_time_or_memory_is_refused():
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        (
            {"time": "0s"},
            r"a table for 4x4:4 is not complete in time, with \d+ entries: raise time=, or choose a later",
        ),
        ({"memory": "1MB"}, "a table for 4x4:4 takes more than 1 MB: raise memory=, or choose a later position"),
        ({"engine": "search"}, "making a crib on 4x4:4 may meet 1,270,723 position classes"),
        ({"goal": "perfect"}, "making a crib on 4x4:4 may meet 1,270,723 position classes"),
    )
    for given, words in refused:
        with pytest.raises(BudgetError, match=words):
            noughts.crib("4x4", None, **{"as_": "X", **given})
    with pytest.raises(BudgetError, match="a crib for 5x5:4 needs the value of every position: choose a smaller board"):
        noughts.crib("5x5:4")
    with pytest.raises(InputError, match="the engine local does not make perfect cribs"):
        noughts.crib("3x3", goal="perfect", engine="local")
    with pytest.raises(InputError, match="X cannot force a win on 4x4:4, a draw with best play"):
        noughts.crib("4x4", goal="win")
