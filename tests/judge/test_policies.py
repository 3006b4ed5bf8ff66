"""The judges of policies and cribs: what play against a table meets, against playing every game of it out."""

from __future__ import annotations

from typing import Any

import pytest

import noughts
from noughts.judge import certificates as policies
from noughts.judge.certificates import judge_crib_record, judge_policy
from noughts.rules.errors import BudgetError, CheckError, InputError
from tests import naive

BOARDS = {
    "3x3": naive.grid(3, 3, 3),
    "2x3:2": naive.grid(2, 3, 2),
    "3x3+misere": naive.grid(3, 3, 3, misere=True),
    "2x2:3": naive.grid(2, 2, 3),
    "1x4:2+misere": naive.grid(1, 4, 2, misere=True),
}


def first_blank(position: str) -> int:
    return position.index(".")


def played(game: naive.Game, player: str) -> tuple[set[str], set[str], list[list[int]]]:
    """Play the first blank cell as one player against everything: positions met, outcomes, and the games lost."""
    met, outcomes, lost = set(), set(), []
    waiting: list[tuple[str, list[int]]] = [("." * game.cells, [])]
    while waiting:
        position, moves = waiting.pop()
        met.add(position)
        mover = "XO"[len(moves) % 2]
        blanks = [cell for cell in range(game.cells) if position[cell] == "."]
        for cell in [first_blank(position)] if mover == player else blanks:
            after = position[:cell] + mover + position[cell + 1 :]
            game_so_far = [*moves, cell]
            if any(all(after[at] == mover for at in line) for line in game.lines):
                winner = mover if not game.misere else "XO"[mover == "X"]
                outcomes.add(winner)
                if winner != player:
                    lost.append(game_so_far)
            elif "." not in after:
                outcomes.add("draw")
            else:
                waiting.append((after, game_so_far))
    return met, outcomes, lost


@pytest.mark.parametrize("spec", BOARDS)
def test_every_move_is_met_by_every_reply(spec: str) -> None:
    """By position, the first blank cell of each: a table of all that the policy can meet as either player."""
    game = BOARDS[spec]
    known = {player: played(game, player) for player in "XO"}
    positions = {
        position
        for player in "XO"
        for position in known[player][0]
        if "XO"[(position.count("X") - position.count("O")) % 2] == player
    }
    names = noughts.Board.parse(spec)
    rows = names.shape[1] if names.shape is not None else 1
    table = {
        "/".join(position[i : i + rows] for i in range(0, game.cells, rows)): noughts.rules.cell_name(
            names, first_blank(position)
        )
        for position in positions
    }
    record: dict[str, Any] = {"board": spec, "by": "position", "moves": table}
    found = judge_policy(record, "first")
    assert [side.player for side in found.sides] == ["X", "O"]
    assert found.lacks is None
    for side in found.sides:
        met, outcomes, lost = known[side.player]
        assert side.positions == len(met)
        assert side.outcomes == tuple(sorted(outcomes))
        assert (side.lost is None) == (not lost)
        assert side.lost is None or list(side.lost) in lost
    told = found.as_dict()["sides"]
    assert isinstance(told, list)
    assert [each["never_loses"] for each in told] == [side.lost is None for side in found.sides]
    one = judge_policy({**record, "as": "O"}, "first")
    assert one.sides == found.sides[1:]


def test_a_table_for_one_side_is_judged_as_that_side() -> None:
    x = {"1x3:2": {"...": "b1", "OX.": "c1", ".XO": "a1"}}["1x3:2"]
    record = {"board": "1x3:2", "by": "position", "moves": x}
    found = judge_policy(record, "mine")
    assert [(side.player, side.outcomes, side.lost) for side in found.sides] == [("X", ("X",), None)]
    assert found.lacks is not None
    for wrong in ({**record, "as": "O"}, {**record, "moves": {"OX.": "c1"}}):
        with pytest.raises(InputError):
            judge_policy(wrong, "mine")
    assert judge_policy({**record, "as": "X"}, "mine").lacks is None


def test_positions_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    record = {"board": "2x3:3", "moves": {}, "otherwise": "random"}
    many = judge_policy(record, "any").sides[0].positions
    monkeypatch.setattr(policies, "MOST_POSITIONS", many)
    assert judge_policy(record, "any").sides[0].positions == many
    monkeypatch.setattr(policies, "MOST_POSITIONS", many - 1)
    with pytest.raises(BudgetError, match=f"more than {many - 1} positions"):
        judge_policy(record, "any")


def test_a_crib_is_held_to_what_it_says_of_itself() -> None:
    crib = noughts.crib("3x3").as_dict()
    assert judge_crib_record(crib).boards == int(str(crib["boards"]))
    for key in ("own", "boards", "entries"):
        with pytest.raises(CheckError, match=f"the crib says '{key}'"):
            judge_crib_record({**crib, key: int(str(crib[key])) + 1})
    for change, words in (
        ({"more": 1}, "unknown key"),
        ({"goal": "sing"}, "'goal' is 'sing': choose"),
        ({"as": "Y"}, "'as' is 'Y': choose"),
        ({"count": None}, "'count' is 'None'"),
        ({"table": {"a": 1}}, "has no 'table'"),
        ({"table": None}, "has no 'table'"),
        ({"board": 3}, "it must be text"),
        ({"as": "both"}, "lacks a crib for each"),
        ({"x": crib}, "unknown key"),
    ):
        with pytest.raises(InputError, match=words):
            judge_crib_record({**crib, **change})
    claims: list[tuple[dict[str, object], str]] = [
        ({"bound": 100}, "the lower bound '100', but only 22 entries"),
        ({"bound": -1}, "lower bound '-1'"),
        ({"bound": "22"}, "lower bound '22'"),
        ({"bound": 21}, "'proved' is 'True', but it has 22 entries and the bound '21'"),
        ({"proved": False}, "'proved' is 'False'"),
        ({"proved": 1}, "'proved' is '1'"),
        ({"own": 22.0}, "'own' is '22.0'"),
        ({"opening": "a1"}, "opens b2, and says that X opens a1"),
    ]
    for claim, words in claims:
        with pytest.raises(CheckError, match=words):
            judge_crib_record({**crib, **claim})
    assert judge_crib_record({**crib, "bound": 20, "proved": False})


def test_of_a_crib_for_both_what_is_played_is_what_is_judged() -> None:
    both = noughts.crib("2x3:3", as_="both").as_dict()
    assert [question.player for question in judge_crib_record(both).questions] == ["X", "O"]
    x, o, table = (_dict(both[key]) for key in ("x", "o", "table"))
    at = ".../..."
    assert table[at] != "c2"
    for changed, words in (
        ({**table, at: "c2"}, f"for {at} the crib has c2 under 'table', and {table[at]} under 'x' and 'o'"),
        ({text: cell for text, cell in table.items() if text != at}, f"for {at} the crib has no move under 'table'"),
        ({**table, "XOX/OXO": "a1"}, "and no move under 'x' and 'o'"),
    ):
        with pytest.raises(CheckError, match=words):
            judge_crib_record({**both, "table": changed})
    for change, words in (
        ({"opening": "a1"}, "under 'x' have different values of 'opening'"),
        ({"goal": "perfect"}, "under 'x' have different values of 'goal'"),
        ({"o": {**o, "count": "all", "entries": o["boards"], "bound": o["boards"]}}, "different values of 'count'"),
        ({"x": {**x, "opening": "c2"}}, "opens [abc][12], and says that X opens c2"),
        ({"entries": 1}, "says 'entries' is '1'"),
        ({"bound": 1000}, "lower bound '1000'"),
    ):
        with pytest.raises(CheckError, match=words):
            judge_crib_record({**both, **change})
    for wrong, words in (
        ({"table": None}, "has no 'table'"),
        ({"o": x}, "lacks a crib for each"),
        ({"x": {**x, "version": 2}}, "the crib under 'x' has version 2"),
        ({"own": 3}, "unknown key"),
    ):
        with pytest.raises(InputError, match=words):
            judge_crib_record({**both, **wrong})


def _dict(given: object) -> dict[str, Any]:
    assert isinstance(given, dict)
    return given
