"""What a policy may be written as: files, dicts and functions, with the chances of their moves."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.analysis.policies.policy import Moment, read_weights
from noughts.analysis.policies.reading import policy
from noughts.analysis.policies.table import FilePolicy
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.position import Position, parse_position
from tests.analysis.oracle import Oracle, oracle
from tests.effort import AT_ONCE, counted_calls

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
        again = policy(BOARD, written(tmp_path, rule.as_dict(BOARD)))
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

    found = noughts.match("3x3", x=table), noughts.match("3x3", o=table)
    assert found[0].value == expected_value(naive, played, evenly(naive))
    assert found[1].value == expected_value(naive, evenly(naive), played)
    asked_by_position = noughts.match("3x3", x=lambda at: rule.probabilities(at, None))
    assert asked_by_position.value == found[0].value


def test_what_is_played_otherwise() -> None:
    data = {"moves": {".../.../...": "b2"}, "otherwise": {"X../.../...": {"c3": "1"}, "otherwise": "block"}}
    assert chances(data, "X../.../...") == {8: Fraction(1)}
    assert chances(data, "XX./O../...") == {2: Fraction(1)}
    assert policy(BOARD, data).is_symmetric
    assert not policy(BOARD, {"moves": {}, "otherwise": lambda at: at.moves()[0]}).is_symmetric
    assert policy(BOARD, {"moves": {}, "otherwise": "perfect"}).needs_values
    assert policy(BOARD, data).as_dict(BOARD)["otherwise"] == {
        "version": 1,
        "board": "3x3:3",
        "otherwise": "block",
        "moves": {"X../.../...": ["c3"]},
    }


def test_the_best_response_to_a_function_is_by_position() -> None:
    """A function may treat symmetric positions differently, and so does the best answer to it."""

    def last(at: Position) -> int:
        return at.moves()[-1]

    found = noughts.match("3x3", x="best", o=last)
    assert found.response is not None
    saved = found.response.as_dict(found.board)
    assert not found.response.is_symmetric
    assert noughts.match("3x3", x=found.response, o=last).value == found.value
    assert noughts.match("3x3", x=saved, o=last).value == found.value
    # By class it would be less, or would say nothing of some position that arises.
    assert saved["by"] == "position"


# ---- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"XXX/OO./...": "c2"}, "has an entry for XXX/OO./..., where the game is over: remove it"),
        ({"XOX/XOO/OXX": "c3"}, "has an entry for XOX/XOO/OXX, where the game is over"),
        ({"XX./.../...": "c2"}, "has an invalid entry: XX./.../... cannot arise in play on 3x3:3: "),
        ({"..../....": "c2"}, "has an invalid entry: '..../....' is not a position of 3x3:3"),
        ({"X../.../...": "a1"}, "plays a1 in X../.../..., which is taken: give one or more blank cells"),
        ({"X../O../...": ["a1", "a2"]}, "plays a1, a2 in X../O../..., which are taken"),
        ({EMPTY: "d4"}, "does not play on the board in .../.../...: 3x3:3 has no cell 'd4'"),
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
        ({EMPTY: {"a1": "half"}}, "with the chance 'half', which is not a number: write it as '1/3' or '0.25'"),
        ({EMPTY: {"a1": "1/0"}}, "with the chance '1/0', which is not a number"),
        ({EMPTY: {"a1": "1e999999999"}}, "with the chance '1e999999999', which is not a number"),
        ({EMPTY: {"a1": True}}, "with the chance 'True', which is not a number"),
        ({"moves": {EMPTY: "b2"}, "bot": {EMPTY: "b2"}}, "has both 'moves' and 'bot': keep one of them"),
        ({"otherwise": "random"}, "has no 'moves': write"),
        ({"moves": ["b2"]}, "has 'moves' without positions: write"),
        ({"moves": {}, "board": "4x4"}, "is for 4x4, not for 3x3:3: ask about that board"),
        ({"moves": {}, "board": "3x3+misere"}, "is for 3x3+misere, not for 3x3:3"),
        ({"moves": {}, "board": "big"}, "does not name a board: "),
        ({"moves": {}, "board": 3}, "does not name a board: "),
        ({"moves": {}, "otherwise": "nobody"}, "unknown policy 'nobody'"),
        ({"moves": {}, "otherwise": "best"}, "unknown policy 'best'"),
        ({"moves": {}, "otherwise": 3}, "a policy cannot be an int"),
        ({"moves": {}, "by": "row"}, "is by 'row': write 'class' or 'position'"),
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
        ("[" * 100000, "is not valid JSON: it is nested too deeply"),
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


# ---- functions ------------------------------------------------------------------------------------------------------

THIRD_POLICIES = Fraction(1, 3)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (4, {4: 1}),
        ("b2", {4: 1}),
        (np.int64(4), {4: 1}),
        (np.array(4), {4: 1}),
        (["b2", 0], {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        (np.array([4, 0, 8]), {0: THIRD_POLICIES, 4: THIRD_POLICIES, 8: THIRD_POLICIES}),
        ((cell for cell in (4, 0)), {0: Fraction(1, 2), 4: Fraction(1, 2)}),
        ({4: 1}, {4: 1}),
        ({"b2": Fraction(1, 3), 0: Fraction(2, 3)}, {0: Fraction(2, 3), 4: THIRD_POLICIES}),
        ({"b2": "1/3", "a1": "2/3"}, {0: Fraction(2, 3), 4: THIRD_POLICIES}),
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


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "the moves of the policy <lambda> in X../.../... cannot be None: give a blank cell"),
        (True, "cannot be a bool"),
        (3.5, "cannot be a float"),
        (0, "plays a1 in X../.../..., which is taken"),
        (9, "3x3:3 has no cell 9"),
        ([], "plays nothing in X../.../..."),
        ({}, "plays nothing in X../.../..."),
        ({1: 0.5, 2: 0.49}, "sum to about 0.99"),
        ({1: 0.5, 2: 0.50001}, "sum to about 1.00001"),
        ({1: Fraction(1, 2), 2: Fraction(500001, 1000000)}, "sum to 1000001/1000000"),
        ({1: float("nan")}, "with the chance 'nan', which is not a number"),
        ({1: float("inf")}, "with the chance 'inf', which is not a number"),
        ({1: 1.5, 2: -0.5}, "plays c1 in X../.../... with the chance -1/2: give chances from 0 to 1"),
        ({1: "a lot"}, "with the chance 'a lot', which is not a number"),
        (np.full(9, 1 / 9), "plays a1 in X../.../..., which is taken"),
        (np.full(8, 1 / 8), "does not fit 3x3:3: give one chance for each cell, in the shape (9,) or (3, 3)"),
        (np.full((9, 1), 1 / 9), "does not fit 3x3:3"),
        ([[1.0], [0.0, 0.0]], "does not fit 3x3:3"),
        ([0.5, 0.5], "does not fit 3x3"),
        ([[[[0.5]]]], "does not fit 3x3"),
        ([[[[[0.5]]]]], "a cell cannot be a list"),
        (b"b1", "the moves of the policy"),
        ("d1", "does not play on the board"),
        (["b1", 1], "give each cell once, for each is equally likely"),
        ({"b1": "1/2", 1: "1/2"}, "give each cell once, for its chance is the whole chance"),
        ({1: 0}, "sum to 0"),
        ({1: "1e0"}, "which is not a number"),
        ({1: None}, "which is not a number"),
        ({1: "0" * 1000 + "1"}, "which is not a number"),
    ],
)
def test_what_a_function_may_not_return(answer: Any, said: str) -> None:
    with pytest.raises(noughts.InputError, match=re.escape(said)):
        chances(lambda position: answer, "X../.../...")


# The chances of moves, read exactly: what may be given, what becomes of it, and what is refused in one sentence.

HALF, THIRD_WEIGHTS = Fraction(1, 2), Fraction(1, 3)
AT = Moment("the policy", "X........", Board.parse("3x3"), 0b111111110)


def test_floats_may_be_off_by_a_millionth_and_are_then_divided_by_their_sum() -> None:
    thirds = read_weights({1: 1 / 3, 2: 1 / 3, 3: 1 / 3}, AT)
    assert dict(thirds) == {1: THIRD_WEIGHTS, 2: THIRD_WEIGHTS, 3: THIRD_WEIGHTS}
    off = Fraction(1, 10**6)
    found = read_weights({1: float(HALF), 2: HALF + off}, AT)
    assert dict(found) == {1: HALF / (1 + off), 2: (HALF + off) / (1 + off)}
    assert sum(read_weights({1: 0.5, 2: HALF - off}, AT).values()) == 1
    for error in (off + Fraction(1, 10**12), -off - Fraction(1, 10**12)):
        with pytest.raises(InputError, match="sum to"):
            read_weights({1: 0.5, 2: HALF + error}, AT)
    with pytest.raises(InputError, match="sum to 1000001/1000000: give chances that sum to 1"):
        read_weights({1: HALF, 2: HALF + off}, AT)


# Policy files that were made to break: each ends in one sentence, soon, whatever it holds.

HOSTILE: tuple[Any, ...] = (
    None, True, 0, -1, 10**400, 1e308, "", " ", "\0", "\ud800", "X" * 100_000, "../" * 1000, "a1 " * 50_000,
    [], [[]], {}, {"a1": {}}, {"": ""}, {"a1": None}, ["a1", None], [{"a1": 1}], {"a1": "1/3", "b2": ["2/3"]},
    {"a1": "1" * 5000}, {"a1": "1e99999999"}, {"a1": "\uff11"}, {"\u0661": "1"}, ".json", "nowhere.json",
    "program:rm", "genome:", "genome:" + "9" * 5000, "any", "perfect",
)  # fmt: skip


def _said_soon(given: Any) -> None:
    """Assert that a policy is read, or refused in one short sentence, and soon."""
    with counted_calls() as effort:
        try:
            policy(BOARD, given)
            said = "read"
        except noughts.InputError as error:
            said = str(error)
    assert re.fullmatch(".{4,600}", said)
    assert effort.calls < AT_ONCE


@pytest.mark.parametrize(
    "place", ["board", "otherwise", "by", "moves", "bot", EMPTY, "whole", "key", "cells", "beads", "bead"]
)
def test_any_value_in_any_place(tmp_path: Path, place: str) -> None:
    path = tmp_path / "bot.json"
    for value in HOSTILE:
        if place == "whole":
            data = value
        elif place == "key":
            data = {"moves": {str(value): "b2"}}
        elif place == "cells":
            data = {"moves": {EMPTY: [value, "b2"]}}
        elif place == "bead":
            data = {"moves": {EMPTY: {"b2": "1/3", "a1": "2/3"}}, "beads": {EMPTY: {"b2": 1, "a1": value}}}
        else:
            data = {"moves": {EMPTY: "b2"}} | {place: value}
        path.write_text(json.dumps(data))
        _said_soon(str(path))
        if isinstance(data, dict):
            _said_soon(data)


def _names(path: Path, other: object, cell: str = "b2") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"board": "3x3", "moves": {EMPTY: cell}, "otherwise": other}))
    return str(path)


OUTSIDE = "which is not in its folder or below: move it there"


@pytest.mark.parametrize("from_within", [False, True])
def test_a_file_names_files_in_its_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_within: bool
) -> None:
    """Wherever the command runs: a name in a file is taken from the folder of that file, and so on below."""
    inside = tmp_path / "inside"
    _names(inside / "o.json", "random")
    _names(inside / "deep" / "o.json", "deeper/o.json")
    _names(inside / "deep" / "deeper" / "o.json", "perfect")
    outside = _names(tmp_path / "outside" / "o.json", "random")
    (inside / "link.json").symlink_to(outside)
    (inside / "linked").symlink_to(tmp_path / "outside")
    (inside / "near.json").symlink_to("deep/o.json")
    monkeypatch.chdir(inside if from_within else tmp_path)
    bot = "bot.json" if from_within else "inside/bot.json"
    for good in ("o.json", "./o.json", "deep/o.json", "near.json", {"moves": {EMPTY: "a1"}, "otherwise": "o.json"}):
        _names(inside / "bot.json", good)
        assert isinstance(policy(BOARD, bot), FilePolicy)
        assert isinstance(policy(BOARD, str(inside / "bot.json")), FilePolicy)
        assert noughts.check(bot).kind == "policy"
        assert not isinstance(noughts.check(bot).error, noughts.InputError)
    for bad in (
        outside, str(inside / "o.json"), "../outside/o.json", "../inside/o.json", "deep/../o.json", "link.json",
        "linked/o.json", {"moves": {EMPTY: "a1"}, "otherwise": "../outside/o.json"},
    ):  # fmt: skip
        _names(inside / "bot.json", bad)
        with pytest.raises(noughts.InputError, match=OUTSIDE):
            policy(BOARD, bot)
        assert OUTSIDE in str(noughts.check(bot).error)
    _names(inside / "bot.json", "deep/o.json")
    _names(inside / "deep" / "o.json", "../o.json")
    with pytest.raises(noughts.InputError, match=r"deep/o\.json' names '\.\./o\.json'"):
        policy(BOARD, bot)


def test_files_that_name_each_other(tmp_path: Path) -> None:
    for number in range(20):
        _names(tmp_path / f"{number}.json", f"{(number + 1) % 20}.json")
    with pytest.raises(noughts.InputError, match="policies are nested under"):
        policy(BOARD, str(tmp_path / "0.json"))
    for itself in ("0.json", "./0.json", "link.json", {"moves": {EMPTY: "a1"}, "otherwise": "0.json"}):
        _names(tmp_path / "0.json", itself)
        if itself == "link.json":
            (tmp_path / "link.json").symlink_to("0.json")
        with pytest.raises(noughts.InputError, match="names itself"):
            policy(BOARD, str(tmp_path / "0.json"))
        assert "names itself" in str(noughts.check(tmp_path / "0.json").error)
    cyclic: dict[str, object] = {"moves": {EMPTY: "b2"}}
    cyclic["otherwise"] = cyclic
    with pytest.raises(noughts.InputError, match="policies are nested under"):
        policy(BOARD, cyclic)


@pytest.mark.parametrize(("entry", "start", "side"), [(".../.../...", "X../.../...", "x"), ("X../.../...", EMPTY, "o")])
def test_a_table_of_one_side_that_plays_the_other_is_told_its_side(
    entry: str, start: str, side: str, tmp_path: Path
) -> None:
    with pytest.raises(
        InputError, match=f"the policy moves plays {side.upper()} only, .*: let it play {side.upper()}$"
    ):
        chances({entry: "b2"}, start)
    with pytest.raises(InputError, match=f"plays {side.upper()} only, .*, by --{side} .*bot.json$"):
        chances(written(tmp_path, {"moves": {entry: "b2"}}), start)
    with pytest.raises(InputError, match="add its class"):
        chances({EMPTY: "a1", "X../.../...": "b2"}, ".X./.O./...")


def test_a_large_table_takes_few_steps_for_each_entry() -> None:
    """A bot of 4x4 has 200,000 entries; each in its canonical form, with one cell, as noughts breed writes it."""
    board = Board.parse("4x4")
    table = {}
    for x, o in combinations(range(15), 2):
        canonical = board.group().canonical(1 << x, 1 << o)
        table[str(Position(board, *canonical))] = ["a2"]
    table = {text: given for text, given in table.items() if text[5] == "."}
    policy(board, {"moves": table})
    with counted_calls() as effort:
        policy(board, {"moves": table})
    assert len(table) > 10
    assert effort.calls < 120 * len(table), effort.calls / len(table)
