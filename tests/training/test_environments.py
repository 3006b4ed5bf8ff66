"""The environments pass the checks of their own projects on every kind of board, and keep our rules."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import noughts
from noughts.analysis.policies.reading import policy
from noughts.rules.errors import InputError
from noughts.training import BoardEnv, BoardVectorEnv, GamesAtOnce, board_aec
from tests import naive
from tests.games import OTHERS

BOARDS_ENVIRONMENTS = [
    *("3x3", "3x3x3", "3x3+torus", "3x3+misere", "2x3:2", "4x5:4+torus+misere", "4x5:4+gravity"),
    *("3x3+wild", "2x3:3+chaos", "3x3+notakto", "2x2+notakto*2"),
]


@pytest.mark.parametrize("board", [*BOARDS_ENVIRONMENTS, "1x1", "2x2:1"])
def test_gymnasium_checks_it_without_a_warning(board):
    for role in ("X",) if board in ("1x1", "2x2:1") else ("X", "O", "either"):
        env = gymnasium.make("noughts/Board-v0", board=board, role=role, render_mode="ansi")
        check_env(env.unwrapped)


@pytest.mark.parametrize("board", [*BOARDS_ENVIRONMENTS, "1x1", "2x2:1"])
def test_pettingzoo_tests_it(board, capsys):
    with warnings.catch_warnings():
        # It says so of every dictionary with a mask, of boards that are all blank, and of agents that are not numbered.
        for words in ("Observation", "We recommend agents to be named"):
            warnings.filterwarnings("ignore", message=words)
        api_test(board_aec(board, "ansi"), num_cycles=100)
    assert "Passed" in capsys.readouterr().out


def test_pettingzoo_tests_its_seeds():
    seed_test(lambda: board_aec("2x3:2"), num_cycles=50)


# ---- one player -----------------------------------------------------------------------------------------------------


def test_a_game_with_x_and_what_each_side_sees():
    env = BoardEnv("2x3:2", opponent=lambda position: position.moves()[-1])
    seen, info = env.reset()
    assert (seen.tolist(), info["action_mask"].tolist(), info["role"]) == ([0] * 6, [1] * 6, "X")
    seen, reward, terminated, truncated, info = env.step(0)
    assert seen.tolist() == [1, 0, 0, 0, 0, -1]
    assert (reward, terminated, truncated, info["action_mask"].tolist()) == (0, False, False, [0, 1, 1, 1, 1, 0])
    assert env.action_masks().tolist() == [False, True, True, True, True, False]
    seen, reward, terminated, _, info = env.step(1)
    assert (seen.tolist(), reward, terminated) == ([1, 1, 0, 0, 0, -1], 1, True)
    assert (info["outcome"], info["illegal"], info["action_mask"].tolist()) == ("X", False, [0] * 6)


@pytest.mark.parametrize("action", [0, 6, -1])
def test_a_taken_cell_loses(action):
    env = BoardEnv("2x3:2", opponent=lambda position: position.moves()[-1])
    env.reset()
    env.step(0)
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert (info["outcome"], info["illegal"]) == ("O", True)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"role": "Z"}, "role"),
        ({"opponent": "perfct"}, "did you mean perfect"),
        ({"board": "1x1", "role": "O"}, "first move can end the game"),
        ({"board": "2x2:1", "role": "either"}, "first move can end the game"),
        ({"board": "0x3"}, "side"),
    ],
)
def test_bad_environments_get_a_sentence(given, words):
    for make in (BoardEnv, lambda **ways: BoardVectorEnv(2, **ways)):
        with pytest.raises(InputError, match=words):
            make(**given)


# ---- two players ----------------------------------------------------------------------------------------------------


def test_two_players_see_one_board_from_two_sides():
    env = board_aec("2x3:2")
    env.reset()
    env.step(4)
    assert env.agent_selection == "O"
    x, o = env.observe("X"), env.observe("O")
    assert (x["observation"].tolist(), o["observation"].tolist()) == ([0, 0, 0, 0, 1, 0], [0, 0, 0, 0, -1, 0])
    assert (x["action_mask"].tolist(), o["action_mask"].tolist()) == ([0] * 6, [1, 1, 1, 1, 0, 1])
    env.step(0)
    env.step(5)
    assert env.terminations == {"X": True, "O": True}
    assert env.rewards == {"X": 1, "O": -1}
    assert env.infos["O"]["outcome"] == "X"


# ---- many games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "opponent"), [("X", "random"), ("O", "perfect"), ("either", "medium")])
def test_many_games_are_games_of_one_player(role, opponent):
    """What the vector environment shows is what the rules make of it, move by move."""
    env, random = BoardVectorEnv(40, "2x3:2", opponent, role), np.random.default_rng(0)
    seen, info = env.reset(seed=3)
    ends = []
    for _ in range(40):
        assert env.observation_space.contains(seen)
        assert (info["action_mask"] == (seen == 0)).all()
        before, roles = seen.copy(), info["role"].copy()
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, rewards, over, truncated, info = env.step(actions)
        assert not truncated.any()
        after = np.where(over[:, None], info["final_obs"], seen) if over.any() else seen
        assert (after[np.arange(40), actions] == 1).all()
        assert ((after != before).sum(1) <= 2).all()
        assert ((after != before).sum(1)[~over] == 2).all()
        for i in np.flatnonzero(over):
            marks = "".join(".XO"[mark] for mark in after[i] * (1 if roles[i] == "X" else -1))
            outcome = noughts.rules.parse_position("2x3:2", marks).outcome
            assert rewards[i] == (0 if outcome == "draw" else 1 if outcome == roles[i] else -1)
            assert info["outcome"][i] == outcome
            ends.append(rewards[i])
        begun = (seen == 0).sum(1)[over] - np.where(info["role"][over] == "X", 6, 5)
        assert not begun.any()
    assert set(ends) >= ({-1} if role == "O" else {1})


def test_many_games_end_as_often_as_versus_says_and_repeat_by_seed():
    def wins() -> list[int]:
        env, random = BoardVectorEnv(500, "3x3", "block", "O"), np.random.default_rng(2)
        env.reset(seed=1)
        found, games = 0, 0
        counted = np.zeros(500, dtype=int)
        while counted.min() < 4:  # four whole games of each: the first to end are short
            actions = env.games.random_actions(random)
            _, rewards, over, _, _ = env.step(actions)
            fresh = over & (counted < 4)
            counted += over
            found, games = found + int((rewards[fresh] == 1).sum()), games + int(fresh.sum())
        return [found, games]

    first = wins()
    chance = float(noughts.match("3x3", x="block", o="random").o_wins)
    assert abs(first[0] - first[1] * chance) < 5 * (first[1] * chance * (1 - chance)) ** 0.5
    assert wins() == first


# Many games at once are the games that the oracle plays one by one, on every kind of board.

UNEVEN = noughts.Board.from_lines(6, [(0, 1, 2), (2, 3), (1, 3, 4, 5), (4,)], name="uneven")
BOARDS_GAMES = [
    ("3x3", naive.grid(3, 3, 3)),
    ("2x3:2", naive.grid(2, 3, 2)),
    ("3x2:2+misere", naive.grid(3, 2, 2, misere=True)),
    ("3x4:3+torus", naive.grid(3, 4, 3, torus=True)),
    ("2x2x2", naive.grid(2, 2, 2, layers=2)),
    ("1x1", naive.grid(1, 1, 1)),
    ("2x2:3", naive.grid(2, 2, 3)),
    (UNEVEN, naive.Game(6, frozenset(map(frozenset, UNEVEN.lines)))),
]


def text(marks) -> str:
    return "".join(".XO"[mark] for mark in marks)


@pytest.mark.parametrize(("board", "game"), BOARDS_GAMES, ids=[str(board) for board, _ in BOARDS_GAMES])
def test_games_go_as_the_oracle_says(board, game):
    games, random = GamesAtOnce(board, 300), np.random.default_rng(5)
    shown = ["." * game.cells] * 300
    ends = {None: 0, "draw": 0, "X": 1, "O": -1}
    for _ in range(2 * game.cells):
        actions = games.random_actions(random)
        games.play(actions)
        for i, cell in enumerate(actions):
            if naive.line_outcome(game, shown[i]) is None:
                shown[i] = naive.play(shown[i], int(cell))
        assert [text(marks) for marks in games.marks] == shown
        outcomes = [naive.line_outcome(game, marks) for marks in shown]
        assert games.over.tolist() == [outcome is not None for outcome in outcomes]
        assert games.outcome.tolist() == [ends[outcome] for outcome in outcomes]
        assert games.masks.tolist() == [[mark == "." for mark in marks] for marks in shown]
        anew = games.over & (random.random(300) < 0.5)
        games.restart(anew)
        shown = ["." * game.cells if begun else marks for begun, marks in zip(anew, shown, strict=True)]


@pytest.mark.parametrize("spec", OTHERS)
def test_other_games_go_as_the_oracle_says(spec):
    """Marks that fall or are chosen, several boards, exact lines: each game against the oracle, some begun anew."""
    other, value = OTHERS[spec], {None: 0, "draw": 0, "X": 1, "O": -1}
    rules, cells = other.rules, other.board.cells
    games, random = GamesAtOnce(other.board, 200), np.random.default_rng(5)
    shown = ["." * cells] * 200
    for _ in range(2 * cells):
        outcomes = [rules.outcome(marks) for marks in shown]
        for marks, mask, outcome, turn in zip(shown, games.masks, outcomes, games.turn, strict=True):
            if outcome is None:
                assert np.flatnonzero(mask).tolist() == rules.moves(marks)
                assert turn == value[rules.mover(marks)]
        assert games.over.tolist() == [outcome is not None for outcome in outcomes]
        assert games.outcome.tolist() == [value[outcome] for outcome in outcomes]
        actions = games.random_actions(random)
        games.play(actions)
        pairs = zip(shown, actions, outcomes, strict=True)
        shown = [rules.play(marks, int(move)) if outcome is None else marks for marks, move, outcome in pairs]
        assert [text(marks) for marks in games.marks] == shown
        anew = games.over & (random.random(200) < 0.5)
        games.restart(anew)
        shown = ["." * cells if begun else marks for begun, marks in zip(anew, shown, strict=True)]


def test_an_action_under_gravity_is_a_column():
    env = BoardEnv("connect4", opponent=lambda position: min(position.moves(), key=lambda cell: cell % 7))
    assert env.action_space.n == 7
    env.reset(seed=1)
    seen, _, over, _, info = env.step(3)
    assert (seen.reshape(6, 7)[5].tolist(), over) == ([-1, 0, 0, 1, 0, 0, 0], False)
    assert info["action_mask"].tolist() == [1] * 7
    for _ in range(3):
        info = env.step(0)[4]
    assert info["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1], "column a is full: X and O in turn"
    assert env.step(0)[4]["illegal"]

    pair = board_aec("2x3:2+gravity")
    pair.reset()
    for column, mask in ((0, [1, 1, 1]), (0, [0, 1, 1])):
        pair.step(column)
        assert pair.observe(pair.agent_selection)["action_mask"].tolist() == mask


def test_an_action_in_wild_is_a_mark_and_a_cell():
    """Nine cells for an X, then nine for an O; both players see the same marks, and a completed line wins."""
    env = BoardEnv("3x3+wild", opponent=lambda position: "Ob1" if position.ply == 1 else "Oc1")
    assert env.action_space.n == 18
    env.reset(seed=1)
    seen, _, _, _, info = env.step(9)
    assert seen.tolist() == [-1, -1, 0, 0, 0, 0, 0, 0, 0]
    assert info["action_mask"].tolist() == ([0, 0] + [1] * 7) * 2
    _, reward, over, _, info = env.step(4)
    assert (reward, over, info["outcome"]) == (-1, True, "O"), "the second player completed a line of O"

    pair = board_aec("3x3+wild")
    pair.reset()
    for action in (9, 10, 11):
        seen = pair.observe("X")["observation"].tolist()
        assert seen == pair.observe("O")["observation"].tolist()
        pair.step(action)
    assert pair.rewards == {"X": 1, "O": -1}


def test_chances_against_random_play_are_those_of_versus():
    """Perfect play as the first player of wild and of Notakto never loses a game at once, as `match` says exactly."""
    for board in ("3x3+wild", "3x3+notakto"):
        assert noughts.match(board, x="perfect", o="random").x_wins == 1
        env = BoardVectorEnv(64, board=board, opponent="random", role="X")
        env.reset(seed=1)
        perfect, rewards = policy(board, "perfect"), []
        for _ in range(12):
            moves = [perfect.move(env.games.position(game), seed=game) for game in range(64)]
            _, reward, over, _, _ = env.step(np.array(moves))
            rewards += reward[over].tolist()
        assert len(rewards) > 64
        assert set(rewards) == {1.0}


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([1, 0], r"a1 is not blank in game 1, X\.\.\.\.\./|a1 is not blank in game 1"),
        ([6, 1], "cell 6 is not blank in game 0"),
        ([-1, 1], "cell -1 is not blank in game 0"),
        ([1], "not 2 whole numbers"),
        ([1.0, 2.0], "not 2 whole numbers"),
    ],
)
def test_bad_actions_get_a_sentence_and_change_nothing(actions, words):
    games = GamesAtOnce("2x3:2", 2)
    games.play([0, 0])
    before = games.marks.copy()
    with pytest.raises(InputError, match=words):
        games.play(actions)
    assert (games.marks == before).all()
