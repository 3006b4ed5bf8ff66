"""What a policy may be written as: files, dicts and functions, with the chances of their moves."""

from __future__ import annotations

import json
import pickle
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.cells import parse_cell
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.strategy.policies import policy
from tests.strategy.oracle import Oracle, oracle

BOARD = Board.parse("3x3")
EMPTY = ".../.../..."


def chances(given: Any, text: str = ".../.../...", board: Board = BOARD) -> dict[int, Fraction]:
    return policy(board, given).probabilities(parse_position(board, text), None)


def written(tmp_path: Path, data: object) -> str:
    path = tmp_path / "bot.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(path)


def expected_value(board: Oracle, x: Any, o: Any) -> Fraction:
    """P(X wins) - P(O wins), by playing out every line on labelled positions; x and o give {cell: chance}."""

    @cache
    def value(s: str) -> Fraction:
        if board.over(s):
            return Fraction({"X": 1, "O": -1, None: 0}[board.winner(s)])
        shares = (x if board.mover(s) == "X" else o)(s)
        return sum((share * value(board.put(s, c)) for c, share in shares.items()), Fraction(0))

    return value(board.empty)


def evenly(board: Any) -> Any:
    return lambda s: {c: Fraction(1, len(board.blanks(s))) for c in board.blanks(s)}


# ---- tables ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        ("b2", {4: Fraction(1)}),
        (["b2", "a1"], {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        ({"b2": "1/3", "a1": "2/3"}, {0: Fraction(2, 3), 4: Fraction(1, 3)}),
        ({"b2": "0.25", "a1": "0.75", "c3": "0"}, {0: Fraction(3, 4), 4: Fraction(1, 4)}),
        ({"b2": 1}, {4: Fraction(1)}),
        ("5", {4: Fraction(1)}),
    ],
)
def test_the_forms_of_an_entry(tmp_path: Path, entry: object, wanted: dict[int, Fraction]) -> None:
    for data in ({"moves": {EMPTY: entry}}, {"bot": {EMPTY: entry}, "never_loses": False}, {EMPTY: entry},
                 {"table": {EMPTY: entry}, "entries": 1, "board": "3x3:3"}):  # fmt: skip
        assert chances(data) == chances(written(tmp_path, data)) == wanted
        assert list(chances(data)) == sorted(wanted)


def test_weights_are_carried_over_to_every_turn_of_a_class(tmp_path: Path) -> None:
    start = parse_position(BOARD, "XO./.../...")
    weights = {2: "1/7", 3: "2/7", 8: "4/7"}
    for turn in BOARD.group().elements:
        turned = Position(BOARD, 1 << turn[0], 1 << turn[1])
        rule = policy(BOARD, {str(turned): {turn[c]: chance for c, chance in weights.items()}})
        assert rule.probabilities(start, None) == {c: Fraction(chance) for c, chance in weights.items()}
        again = policy(BOARD, written(tmp_path, rule.as_dict(BOARD)))  # type: ignore[attr-defined]
        assert again.probabilities(turned, None) == rule.probabilities(turned, None)


def test_weighted_tables_against_play_by_brute_force() -> None:
    """A table of 3x3 that weighs its moves unevenly, with entries whose cells a symmetry exchanges."""
    naive = oracle(3, 3, 3)
    table: dict[str, Any] = {}
    for s in sorted(naive.reachable()):
        if not naive.over(s) and len(naive.blanks(s)) > 1 and naive.canonical(s) == s:
            cells = naive.blanks(s)
            table[s] = {cells[0]: Fraction(1, 3), cells[-1]: Fraction(2, 3)}
    rule = policy(BOARD, table)
    assert rule.is_symmetric

    def played(s: str) -> dict[int, Fraction]:
        return rule.probabilities(parse_position(BOARD, naive.slashed(s)), None)

    found = noughts.versus("3x3", x=table), noughts.versus("3x3", o=table)
    assert found[0].value == expected_value(naive, played, evenly(naive))
    assert found[1].value == expected_value(naive, evenly(naive), played)
    asked_by_position = noughts.versus("3x3", x=lambda at: rule.probabilities(at, None))
    assert asked_by_position.value == found[0].value


def test_two_entries_of_a_class_may_say_the_same() -> None:
    """b1 beside a corner is a2 beside it, by the diagonal; c3 is neither."""
    for one, other in (("b1", "a2"), ("b1", "b1"), ({"b1": "1/3", "c3": "2/3"}, {"a2": "1/3", "c3": "2/3"})):
        rule = policy(BOARD, {"X../.../...": one, "a1": other})
        assert rule == policy(BOARD, {"X../.../...": one})
    assert policy(BOARD, {"X../.../...": "b1", "..X/.../...": "c2"}).is_symmetric
    differing: list[tuple[Any, Any]] = [("b1", "c3"), (["b1", "a2"], "b1")]
    for one, other in (*differing, ({"b1": "1/3", "c3": "2/3"}, {"a2": "2/3", "c3": "1/3"})):
        with pytest.raises(noughts.InputError, match="two entries for the class of"):
            policy(BOARD, {"X../.../...": one, "a1": other})


def test_one_blank_needs_no_entry() -> None:
    last = "XOX/XOO/OX."
    assert chances({EMPTY: "b2"}, last) == {8: Fraction(1)}
    one = Board.parse("1x1")
    assert chances({"moves": {}}, ".", one) == {0: Fraction(1)}
    assert chances({"moves": {}, "otherwise": lambda at: 0 / 0}, last) == {8: Fraction(1)}
    with pytest.raises(noughts.InputError, match=re.escape("has no moves for XOX/XOO/O..: add its class")):
        chances({"moves": {}}, "XOX/XOO/O..")


def test_what_is_played_otherwise() -> None:
    data = {"moves": {".../.../...": "b2"}, "otherwise": {"X../.../...": {"c3": "1"}, "otherwise": "block"}}
    assert chances(data, "X../.../...") == {8: Fraction(1)}
    assert chances(data, "XX./O../...") == {2: Fraction(1)}
    assert policy(BOARD, data).is_symmetric
    assert not policy(BOARD, {"moves": {}, "otherwise": lambda at: at.moves()[0]}).is_symmetric
    assert policy(BOARD, {"moves": {}, "otherwise": "perfect"}).needs_values
    assert policy(BOARD, data).as_dict(BOARD)["otherwise"] == {  # type: ignore[attr-defined]
        "version": 1,
        "board": "3x3:3",
        "otherwise": "block",
        "moves": {"X../.../...": ["c3"]},
    }


def test_the_best_response_to_a_function_is_by_position() -> None:
    """A function may treat symmetric positions differently, and so does the best answer to it."""

    def last(at: Position) -> int:
        return at.moves()[-1]

    found = noughts.versus("3x3", x="best", o=last)
    saved = found.response_as_dict()
    assert found.response is not None
    assert saved is not None
    assert not found.response.is_symmetric
    assert noughts.versus("3x3", x=found.response, o=last).value == found.value
    assert noughts.versus("3x3", x=saved, o=last).value == found.value
    # By class it would be less, or would say nothing of some position that arises.
    assert saved["by"] == "position"


def test_tables_are_values() -> None:
    data = {"X../.../...": {"b2": "1/3", "c3": "2/3"}, "otherwise": "block"}
    one, other = policy(BOARD, data), policy(BOARD, data)
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one


# ---- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"XXX/OO./...": "c2"}, "has an entry for XXX/OO./..., where the game is over: leave it out"),
        ({"XOX/XOO/OXX": "c3"}, "has an entry for XOX/XOO/OXX, where the game is over"),
        ({"XX./.../...": "c2"}, "has an entry that is none: XX./.../... cannot arise in play on 3x3:3: "),
        ({"..../....": "c2"}, "has an entry that is none: '..../....' is no position of 3x3:3"),
        ({"X../.../...": "a1"}, "plays a1 in X../.../..., which is taken: give one or more blank cells"),
        ({"X../O../...": ["a1", "a2"]}, "plays a1, a2 in X../O../..., which are taken"),
        ({EMPTY: "d4"}, "does not play on the board in .../.../...: 'd4' is no cell of 3x3:3"),
        ({EMPTY: []}, "plays nothing in .../.../...: give one or more blank cells"),
        ({EMPTY: {}}, "plays nothing in .../.../...: give one or more blank cells"),
        ({EMPTY: None}, "in .../.../... cannot be None: give a blank cell, a list of them, or {cell: chance}"),
        ({EMPTY: True}, "in .../.../... cannot be a bool"),
        ({EMPTY: ["a1", "a1"]}, "plays a1, a1 in .../.../...: give each cell once"),
        ({EMPTY: {"a1": "1/2", "1": "1/2"}}, "plays a1, a1 in .../.../...: give each cell once"),
        ({EMPTY: {"a1": "1/2", "b1": "1/3"}}, "gives in .../.../... sum to 5/6: give chances that sum to 1"),
        ({EMPTY: {"a1": "1/2", "b1": "2/3"}}, "gives in .../.../... sum to 7/6: give chances that sum to 1"),
        ({EMPTY: {"a1": "0"}}, "gives in .../.../... sum to 0: give chances that sum to 1"),
        ({EMPTY: {"a1": "3/2", "b1": "-1/2"}}, "plays b1 in .../.../... with the chance -1/2: give chances from 0"),
        ({EMPTY: {"a1": "half"}}, "with the chance 'half', which is no number: write it as '1/3' or '0.25'"),
        ({EMPTY: {"a1": "1/0"}}, "with the chance '1/0', which is no number"),
        ({EMPTY: {"a1": "1e999999999"}}, "with the chance '1e999999999', which is no number"),
        ({EMPTY: {"a1": True}}, "with the chance 'True', which is no number"),
        ({"moves": {EMPTY: "b2"}, "bot": {EMPTY: "b2"}}, "has both 'moves' and 'bot': keep one of them"),
        ({"otherwise": "random"}, "has no 'moves': write"),
        ({"moves": ["b2"]}, "has 'moves' without positions: write"),
        ({"moves": {}, "board": "4x4"}, "is for 4x4, not for 3x3:3: ask about that board"),
        ({"moves": {}, "board": "3x3+misere"}, "is for 3x3+misere, not for 3x3:3"),
        ({"moves": {}, "board": "big"}, "is for no board: "),
        ({"moves": {}, "board": 3}, "is for no board: "),
        ({"moves": {}, "otherwise": "nobody"}, "unknown policy 'nobody'"),
        ({"moves": {}, "otherwise": "best"}, "unknown policy 'best'"),
        ({"moves": {}, "otherwise": 3}, "a policy cannot be an int"),
        ({"moves": {}, "by": "row"}, "is by 'row': write 'class', or 'position'"),
    ],
)
def test_bad_tables(tmp_path: Path, data: Any, said: str) -> None:
    for given in (data, written(tmp_path, data)):
        with pytest.raises(noughts.InputError, match=re.escape(said)) as raised:
            policy(BOARD, given)
        assert "\n" not in str(raised.value)
        assert raised.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{".../.../...": {"b2": 0.5, "a1": 0.5}}', "gives a float as a chance in .../.../...: write it as text"),
        ('{".../.../...": {"b2": NaN}}', "gives a float as a chance"),
        ('{".../.../...": 4}', 'gives a number for .../.../...: in a file, name the cells, such as "a1"'),
        ('{".../.../...": [4, 5]}', "gives a number for .../.../...: in a file, name the cells"),
        ('{".../.../...": ["b2"], ".../.../...": ["a1"]}', "has two entries for '.../.../...': keep one of them"),
        ("[" * 100000, "is no JSON: it is nested too deeply"),
        ('{"moves": {}, "otherwise": "bot.json"}', "names itself under 'otherwise': name another there"),
        ('{"moves": {}, "otherwise": {".../.../...": 4}}', "under 'otherwise' in"),
        ('{"moves": {}, "otherwise": {".../.../...": 4}}', "gives a number for .../.../...: in a file, name the cells"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(noughts.InputError, match=re.escape(said)):
        policy(BOARD, path)
    with pytest.raises(noughts.InputError, match="cannot read the policy"):
        policy(BOARD, str(tmp_path / "none.json"))


def test_a_number_as_text_is_counted_from_one_and_an_integer_from_zero(tmp_path: Path) -> None:
    """A file has text alone: a name, or a number as `--cells numbers` writes it; Python has integers too."""
    for text in ("4", ["4"], {"4": "1"}):
        found = policy(BOARD, written(tmp_path, {EMPTY: text}))
        assert found == policy(BOARD, written(tmp_path, {EMPTY: "a2"}))
        assert policy(BOARD, {EMPTY: text}) == policy(BOARD, {EMPTY: 3}) == policy(BOARD, {EMPTY: "a2"})
    assert policy(BOARD, {EMPTY: 4}) == policy(BOARD, {EMPTY: {4: 1}}) == policy(BOARD, {EMPTY: "b2"})
    for number in (4, 0, [4], 4.0):
        with pytest.raises(noughts.InputError, match="in a file, name the cells"):
            policy(BOARD, written(tmp_path, {EMPTY: number}))
    for text in ("0", "10", "4.0", "-1"):
        with pytest.raises(noughts.InputError, match="cell"):
            policy(BOARD, written(tmp_path, {EMPTY: text}))


def test_a_missing_entry_names_the_position_and_its_class() -> None:
    with pytest.raises(noughts.InputError, match=re.escape("no moves for ..X/.../...: add its class X../.../...")):
        chances({".../.../...": "b2"}, "..X/.../...")


# ---- functions ------------------------------------------------------------------------------------------------------

THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (4, {4: 1}),
        ("b2", {4: 1}),
        (np.int64(4), {4: 1}),
        (np.array(4), {4: 1}),
        (["b2", 0], {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        (np.array([4, 0, 8]), {0: THIRD, 4: THIRD, 8: THIRD}),
        ((cell for cell in (4, 0)), {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        ({4: 1}, {4: 1}),
        ({"b2": Fraction(1, 3), 0: Fraction(2, 3)}, {0: Fraction(2, 3), 4: THIRD}),
        ({"b2": "1/3", "a1": "2/3"}, {0: Fraction(2, 3), 4: THIRD}),
        ({4: 0.25, 0: 0.75}, {0: Fraction(3, 4), 4: Fraction(1, 4)}),
        ({4: Decimal("0.1"), 0: Decimal("0.9")}, {0: Fraction(9, 10), 4: Fraction(1, 10)}),
        ({np.int64(4): np.float32(0.5), 0: np.float64(0.5)}, {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        (np.array([0.5, 0, 0, 0, 0.5, 0, 0, 0, 0]), {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        (np.array([[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0]], dtype=np.float32), {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        ([0.5, 0, 0, 0, 0.5, 0, 0, 0, 0], {0: Fraction(1, 2), 4: Fraction(1, 2)}),
    ],
)
def test_what_a_function_may_return(answer: Any, wanted: dict[int, Fraction]) -> None:
    found = chances(lambda position: answer)
    assert found == wanted
    assert all(type(chance) is Fraction for chance in found.values())
    assert all(type(cell) is int for cell in found)


def test_floats_are_read_exactly_and_then_sum_to_1() -> None:
    """A third is no float: the three nearest floats are divided by their sum, which is not 1."""
    weights = np.full(9, 1 / 9, dtype=np.float32)
    assert sum(map(Fraction, weights.tolist())) != 1
    assert chances(lambda position: weights) == dict.fromkeys(range(9), Fraction(1, 9))
    one, other = Fraction(0.1), Fraction(0.9)
    assert one + other != 1
    assert chances(lambda position: {0: 0.1, 1: 0.9}) == {0: one / (one + other), 1: other / (one + other)}


def test_arrays_in_the_shape_of_the_board() -> None:
    wide, solid = Board.parse("2x3:2"), Board.parse("2x2x3:2")
    for board in (wide, solid):
        cell = parse_cell(board, "b2.1" if board.is_solid else "b2")
        row = np.zeros(board.cells)
        row[cell] = 1
        rows, columns, layers = board.shape  # type: ignore[misc]
        grid = row.reshape((layers, rows, columns) if board.is_solid else (rows, columns))
        for given in (row, grid):
            assert chances(lambda at: given, str(Position(board)), board) == {cell: 1}  # noqa: B023


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "the moves of the policy <lambda> in X../.../... cannot be None: give a blank cell"),
        (True, "cannot be a bool"),
        (3.5, "cannot be a float"),
        (0, "plays a1 in X../.../..., which is taken"),
        (9, "9 is no cell of 3x3:3"),
        ([], "plays nothing in X../.../..."),
        ({}, "plays nothing in X../.../..."),
        ({1: 0.5, 2: 0.49}, "sum to about 0.99"),
        ({1: 0.5, 2: 0.50001}, "sum to about 1.00001"),
        ({1: Fraction(1, 2), 2: Fraction(500001, 1000000)}, "sum to 1000001/1000000"),
        ({1: float("nan")}, "with the chance 'nan', which is no number"),
        ({1: float("inf")}, "with the chance 'inf', which is no number"),
        ({1: 1.5, 2: -0.5}, "plays c1 in X../.../... with the chance -1/2: give chances from 0 to 1"),
        ({1: "a lot"}, "with the chance 'a lot', which is no number"),
        (np.full(9, 1 / 9), "plays a1 in X../.../..., which is taken"),
        (np.full(8, 1 / 8), "does not fit 3x3:3: give one chance for each cell, in the shape (9,) or (3, 3)"),
        (np.full((9, 1), 1 / 9), "does not fit 3x3:3"),
        ([[1.0], [0.0, 0.0]], "does not fit 3x3:3"),
    ],
)
def test_what_a_function_may_not_return(answer: Any, said: str) -> None:
    with pytest.raises(noughts.InputError, match=re.escape(said)):
        chances(lambda position: answer, "X../.../...")


def test_endless_answers_are_cut_short() -> None:
    with pytest.raises(noughts.InputError, match="give each cell once"):
        chances(lambda position: iter(lambda: 4, None))
