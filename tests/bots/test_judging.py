"""All against all, and one by itself: as `versus` has it, as brute force has it, and in true words."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import noughts
from noughts.bots.arrays import observation, position_number
from noughts.rules.errors import BudgetError, InputError, InvalidType
from noughts.verbs.evaluate import report as assessed
from noughts.verbs.match import report as matched
from tests import naive

BOARDS = {"3x3": naive.grid(3, 3, 3), "2x3:2": naive.grid(2, 3, 2), "3x2:2+misere": naive.grid(3, 2, 2, misere=True)}


def first(marks: str) -> dict[int, Fraction]:
    return {marks.index("."): Fraction(1)}


def last_two(marks: str) -> dict[int, Fraction]:
    """The last blank cell twice as often as the one before."""
    blanks = [cell for cell, mark in enumerate(marks) if mark == "."]
    return {blanks[-1]: Fraction(2, 3), blanks[-2]: Fraction(1, 3)} if blanks[1:] else {blanks[0]: Fraction(1)}


def anything(marks: str) -> dict[int, Fraction]:
    blanks = [cell for cell, mark in enumerate(marks) if mark == "."]
    return dict.fromkeys(blanks, Fraction(1, len(blanks)))


def outcomes(game: naive.Game, x, o, marks: str) -> dict[str, Fraction]:
    end = naive.line_outcome(game, marks)
    if end:
        return {end: Fraction(1)}
    found: dict[str, Fraction] = {}
    for cell, share in (x if naive.mover(marks) == "X" else o)(marks).items():
        for end, chance in outcomes(game, x, o, naive.play(marks, cell)).items():
            found[end] = found.get(end, Fraction(0)) + share * chance
    return found


def against_all(game: naive.Game, bot, player: str, marks: str, worth: dict[str, int]):
    """What the opponent who likes `worth` best can make of a bot."""
    end = naive.line_outcome(game, marks)
    if end:
        return Fraction(worth[end])
    if naive.mover(marks) == player:
        return sum(
            share * against_all(game, bot, player, naive.play(marks, c), worth) for c, share in bot(marks).items()
        )
    return max(against_all(game, bot, player, naive.play(marks, cell), worth) for cell in anything(marks))


def conducted(game: naive.Game, bot, player: str, other, marks: str, reached=Fraction(1)) -> tuple[Fraction, Fraction]:
    """Expected moves and blunders of a bot."""
    if naive.line_outcome(game, marks):
        return Fraction(0), Fraction(0)
    mine = naive.mover(marks) == player
    moves, blunders = (reached if mine else Fraction(0)), Fraction(0)
    sign = 1 if naive.mover(marks) == "X" else -1
    for cell, share in (bot if mine else other)(marks).items():
        then = naive.play(marks, cell)
        if mine and sign * naive.value(game, then) < sign * naive.value(game, marks):
            blunders += reached * share
        more = conducted(game, bot, player, other, then, reached * share)
        moves, blunders = moves + more[0], blunders + more[1]
    return moves, blunders


def as_policy(bot):
    """The same bot as a function of a position."""
    return lambda position: bot("".join(position.mark_at(cell) or "." for cell in range(position.board.cells)))


@pytest.mark.parametrize(("board", "bot"), [("2x3:2", last_two), ("3x2:2+misere", last_two), ("3x3", first)])
@pytest.mark.parametrize("player", ["X", "O"])
def test_an_assessment_is_what_brute_force_finds(board, bot, player):
    game, start = BOARDS[board], "." * BOARDS[board].cells
    if board == "3x3":
        start = "XO" + start[2:] if player == "X" else "X" + start[1:]  # all lines from the start take a minute
    at = noughts.rules.parse_position(board, start)
    found = noughts.evaluate(board, as_policy(bot), at, as_=player)[player]
    x, o = (bot, anything) if player == "X" else (anything, bot)
    ends = outcomes(game, x, o, start)
    rival, sign = ("O", 1) if player == "X" else ("X", -1)
    expected = tuple(ends.get(end, Fraction(0)) for end in (player, "draw", rival))
    assert (found.win, found.draw, found.loss) == expected
    assert found.value == expected[0] - expected[2]
    best = against_all(game, bot, player, start, {rival: 1, player: -1, "draw": 0})
    assert found.guaranteed == -best
    assert found.game_value == sign * naive.value(game, start)
    assert found.exploitability == sign * naive.value(game, start) + best
    assert found.greatest_loss == against_all(game, bot, player, start, {rival: 1, player: 0, "draw": 0})
    moves, blunders = conducted(game, bot, player, anything, start)
    assert (found.moves, found.blunders_a_game) == (moves, blunders)
    assert found.blunder_rate == blunders / moves


def test_the_best_response_of_a_function_answers_labelled_positions():
    corner = noughts.evaluate("3x3", lambda position: position.moves()[0], against="best")
    assert [str(each.value) for each in corner.roles] == ["-1", "-1"]
    assert all(each.loss == each.greatest_loss for each in corner.roles)


def test_who_never_loses_is_said_to_and_nobody_else():
    perfect, block = noughts.evaluate("3x3", "perfect"), noughts.evaluate("3x3", "block")
    assert perfect.never_loses
    assert not block.never_loses
    assert "never loses against any opponent" in assessed(perfect).headline
    assert "can be beaten as X" in assessed(block).headline
    assert perfect.nash_conv == 0
    assert block.nash_conv == block["X"].exploitability + block["O"].exploitability
    assert [len(each.blunders) for each in perfect.roles] == [0, 0]


# ---- arrays ---------------------------------------------------------------------------------------------------------


def test_an_array_is_read_by_the_number_of_the_position():
    table = np.zeros((3**6, 6))
    at = noughts.rules.parse_position("2x3:2", ".X./..O")
    assert position_number(at) == 1 * 3 + 2 * 3**5
    assert observation(at).tolist() == [0, 1, 0, 0, 0, -1]
    assert observation(at.play("a1")).tolist() == [-1, -1, 0, 0, 0, 1]
    table[position_number(at), 4] = 1
    chances = noughts.bots.array_policy("2x3:2", table).probabilities(at, None)
    assert chances == {4: 1}


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_chances_in_floating_point_sum_to_one_exactly(dtype):
    weights = np.random.default_rng(3).random(9).astype(dtype)
    weights /= weights.sum()
    chances = noughts.bots.array_policy("3x3", lambda seen: weights).probabilities(
        noughts.Position(noughts.Board.parse("3x3")), None
    )
    assert sum(chances.values()) == 1
    assert len(chances) == 9
    assert all(abs(float(chance) - weights[cell]) < 1e-3 for cell, chance in chances.items())


def test_all_doors_to_one_bot_agree():
    rows = np.full((3**6, 6), 1.0)

    def seen(observation):
        blank = observation == 0
        return blank / blank.sum()

    def asked(position):
        return position.moves()

    by_function = noughts.evaluate("2x3:2", noughts.bots.array_policy("2x3:2", seen))
    expected = [(each.win, each.draw, each.loss) for each in noughts.evaluate("2x3:2", "random").roles]
    greedy = noughts.evaluate("2x3:2", noughts.bots.array_policy("2x3:2", rows, greedy=True))
    for found in (by_function, noughts.evaluate("2x3:2", asked), greedy):
        got = [chance for each in found.roles for chance in (each.win, each.draw, each.loss)]
        # thirds in floating point are no thirds
        assert all(abs(a - b) < Fraction(1, 10**12) for a, b in zip(got, sum(expected, ()), strict=True))
    assert [(each.win, each.draw, each.loss) for each in greedy.roles] == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.ones((5, 5)), r"shape \(5, 5\).*3\*\*9 rows"),
        (np.zeros((3**9, 9)), "sum to 0: give chances, which sum to 1"),
        (np.full((3**9, 9), 0.1), "sum to 0.9"),
        (np.full((3**9, 9), -1.0), "weight below 0"),
        (np.full((3**9, 9), np.nan), "not finite numbers"),
        (np.full((3**9, 9), 1 / 9), "which is taken.*weights of taken cells to 0"),
        ({"XO./.../...": [0] * 9}, "no row for"),
    ],
)
def test_bad_arrays_get_a_sentence(given, words):
    with pytest.raises(InputError, match=words) as caught:
        noughts.evaluate("3x3", noughts.bots.array_policy("3x3", given) if isinstance(given, dict) else given)
    assert "\n" not in str(caught.value)


def test_a_function_is_asked_once_about_each_position():
    asked: list[str] = []

    def bot(position):
        asked.append(str(position))
        return position.moves()[0]

    noughts.evaluate("2x3:2", bot)
    assert len(asked) == len(set(asked))


# ---- matches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["2x3:2", "3x2:2+misere"])
def test_a_pair_is_what_brute_force_finds(board):
    bots = {"first": as_policy(first), "last": as_policy(last_two)}
    pair = noughts.match(board, bots).pairs[1]
    ends = outcomes(BOARDS[board], last_two, first, "." * 6)
    assert (pair.x, pair.o) == ("last", "first")
    assert {"X": pair.x_wins, "O": pair.o_wins, "draw": pair.draws} == {"X": 0, "O": 0, "draw": 0} | ends


def test_who_is_never_beaten():
    found = noughts.match("3x3", ["random", "perfect", "best"])
    never = {each.name: (each.never_beaten_as_x, each.never_beaten_as_o, each.never_beaten) for each in found.standings}
    # The best response to random takes chances that perfect play does not, and is beaten by it now and then.
    assert never == {
        "random": (False, False, False),
        "perfect": (True, True, True),
        "best": (True, False, False),
    }
    assert "perfect is never beaten in this match; best is never beaten as X only" in str(matched(found))
    lost = noughts.match("2x2", ["perfect", "random"])  # X always wins there
    assert not any(each.never_beaten for each in lost.standings)
    assert "Every bot can be beaten in this match; perfect and random are never beaten as X only" in str(matched(lost))


def test_standings_add_up_and_are_in_order():
    found = noughts.match("3x3+misere", ["random", "perfect", "medium"])
    assert [each.name for each in found.standings] == ["perfect", "medium", "random"]
    assert sum(each.points for each in found.standings) == len(found.pairs)
    for each in found.standings:
        assert each.wins + each.draws + each.losses == each.games == 4
        assert each.points == each.wins + each.draws / 2
    assert found.beats("perfect") == ("random", "medium")
    assert found.beats("random") == ()


def test_json_and_csv_of_a_match(run):
    record = json.loads(run("match", "random", "block", "--format", "json").out)
    assert record["pairs"] == [
        {"x": "random", "o": "block", "x_wins": "691/11340", "draws": "1357/5670", "o_wins": "529/756"},
        {"x": "block", "o": "random", "x_wins": "20311/22680", "draws": "37/405", "o_wins": "11/840"},
    ]
    rows = list(csv.reader(io.StringIO(run("match", "3x3", "random", "block", "--format", "csv").out)))
    assert rows == [["X", "O", "X wins", "draws", "O wins"], *(list(pair.values()) for pair in record["pairs"])]
    assert "| random | block | 691/11340 | 6.09% |" in run("match", "random", "block", "--format", "markdown").out
    assert r"691/11340 & 6.09\%" in run("match", "random", "block", "--format", "latex").out


def test_the_board_comes_first_or_as_an_option(run, tmp_path):
    table = {"board": "2x3:2", "moves": {}, "otherwise": "block"}
    file = tmp_path / "2x3.json"  # no board, though it begins like one
    file.write_text(json.dumps(table))
    calls = [["2x3:2", str(file), "random"], [str(file), "random", "--board", "2x3:2"]]
    records = [json.loads(run("match", *call, "--format", "json").out) for call in calls]
    assert records[0] == records[1]
    assert records[0]["pairs"][0]["x"] == str(file)
    assert json.loads(run("match", "random", "block", "--format", "json").out)["board"] == "3x3:3"


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (["match", "random"], "two bots or more, and 1 is given", 2),
        (["match", "3x3", "best", "best"], "name best once", 2),
        (["match", "3x3", "random", "block=perfect"], "gives a bot the name of a policy: use another name", 2),
        (["match", "3x3", "random", "mine=best"], "names best, whose play differs for each opponent", 2),
        (["match", "3x3", "random", "mine=blok"], "did you mean block", 2),
        (["match", "3x3", "random", "blok"], "did you mean block", 2),
        (["match", "3x3", "random", "block", "--board", "4x4"], "board is given twice", 2),
        (["match", "5x5:4", "random", "block"], "position classes", 3),
        (["evaluate", "3x3"], "no bot is given", 2),
        (["evaluate", "random", "block"], "2 bots are given", 2),
        (["evaluate", "best"], "evaluate a policy against best", 2),
        (["evaluate", "missing.json"], "cannot read the policy", 2),
        (["evaluate", "block", "--board", "3x3+misere"], "under misere", 2),
        (["evaluate", "block", "--from", "XXX/OO./..."], "the game is over", 2),
    ],
)
def test_bad_calls_get_one_sentence(run, words, said, code):
    result = run(*words)
    assert said in result.one_sentence()
    assert result.code == code


def test_large_boards_are_refused_before_work():
    with pytest.raises(BudgetError):
        noughts.evaluate("4x4", "random")
    with pytest.raises(InvalidType, match="the bots of a match"):
        noughts.match("3x3", "random")


def test_an_agent_may_answer_with_its_action():
    """As `predict` of a trained agent does: to play the first of equal values is not to draw one of them."""

    def first_blank(seen):
        return np.argmax(seen == 0)

    agent = noughts.bots.array_policy("2x3:2", first_blank)
    table = noughts.bots.array_policy("2x3:2", lambda seen: [6, 5, 4, 3, 2, 1], greedy=True)
    for role in ("X", "O"):
        found, same = (noughts.evaluate("2x3:2", each)[role] for each in (agent, table))
        assert (found.value, found.guaranteed) == (same.value, same.guaranteed)
    drawn = noughts.bots.array_policy("2x3:2", lambda seen: [1] * 6, greedy=True)
    assert noughts.evaluate("2x3:2", drawn)["X"].value != noughts.evaluate("2x3:2", agent)["X"].value

    at = noughts.Position("2x3:2").play("a1")
    for greedy in (False, True):
        for action, words in ((0, "plays a1 in X../..., which is taken"), (6, "the action 6 .* from 0 to 5")):
            agent = noughts.bots.array_policy("2x3:2", partial(lambda answer, seen: answer, action), greedy=greedy)
            with pytest.raises(InputError, match=words):
                agent.move(at)


def test_an_agent_under_gravity_may_weigh_columns():
    """The actions of an environment under gravity are columns, and its agents have one number for each."""
    board, at = "3x4:3+gravity", noughts.Position("3x4:3+gravity")
    chances = noughts.bots.array_policy(board, lambda seen: [0.5, 0, 0.25, 0.25])
    assert {str(noughts.Move(at.board, cell)): share for cell, share in chances.probabilities(at).items()} == {
        "a3": Fraction(1, 2),
        "c3": Fraction(1, 4),
        "d3": Fraction(1, 4),
    }
    full = at.play("a").play("a").play("a")
    with pytest.raises(InputError, match=r"gives a1 in .* which is taken"):
        chances.probabilities(full)
    assert str(noughts.bots.array_policy(board, lambda seen: [9, 1, 2, 0], greedy=True).move(full)) == "c3"
    assert str(noughts.bots.array_policy(board, lambda seen: np.int64(3)).move(full)) == "d3"
    with pytest.raises(InputError, match="which is taken"):
        noughts.bots.array_policy(board, lambda seen: 0).move(full)
    rows = np.tile(np.arange(4.0), (3**6, 1))[:, :3]
    assert (
        str(noughts.bots.array_policy("2x3:2+gravity", rows, greedy=True).move(noughts.Position("2x3:2+gravity")))
        == "c2"
    )
    with pytest.raises(InputError, match="give 4 weights, one a column, or 12, one a cell"):
        noughts.bots.array_policy(board, lambda seen: [1] * 5).move(at)


def test_next_steps_are_about_the_bot_that_was_judged():
    """A function has no name that a command takes, so no command is shown."""
    assert "Try next" not in str(noughts.evaluate("2x3:2", lambda position: position.blanks))
    assert "noughts evaluate block" in str(noughts.evaluate("2x3:2", "block"))


def test_two_bots_in_a_row_are_told_to_be_a_list() -> None:
    with pytest.raises(InvalidType, match=r"the bots of a match cannot be a str: .*, as in \['random', 'perfect'\]"):
        noughts.match("3x3", "perfect", "random")


def test_a_table_of_one_role_is_refused_with_the_role_that_it_has():
    found = noughts.match("2x3:2", x="random", o="best")
    assert found.response is not None
    with pytest.raises(InputError, match=r"or judge it as O only$"):
        noughts.evaluate("2x3:2", found.response)
    assert noughts.evaluate("2x3:2", found.response, as_="O")["O"].value == -found.value
    with pytest.raises(InputError, match=r"under 'otherwise'$"):
        noughts.evaluate("2x3:2", found.response, as_="X")
