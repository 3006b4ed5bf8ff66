"""Opponents: their chances exactly as stated, by a brute force of its own, and their choices from a seed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

import noughts
from noughts.analysis.payoff.playout import versus
from noughts.analysis.policies.playing import (
    HUMAN,
    OPPONENTS,
    SIDES,
    Knowledge,
    Opponent,
    Playing,
    known_of,
    manners,
    opponents,
    play,
    play_on,
    think,
)
from noughts.analysis.policies.policy import GRADES, choose
from noughts.analysis.policies.reading import policy
from noughts.analysis.policies.table import FilePolicy
from noughts.analysis.solutions import searched_from, solution_for
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion
from noughts.rules.marks import mask_of
from noughts.rules.position import Position, parse_position
from noughts.rules.values import FrozenDict
from noughts.solving.problem import SearchBudget
from noughts.solving.values import Value
from tests import naive
from tests.analysis.oracle import oracle
from tests.dear import sample


class Brute(NamedTuple):
    """A game of the oracle, and how players err in it."""

    game: naive.Game

    def over(self, s: str) -> int | None:
        return {"X": 1, "O": -1, "draw": 0, None: None}[naive.line_outcome(self.game, s)]

    def value(self, s: str) -> int:
        return naive.value(self.game, s)

    def children(self, s: str) -> dict[int, str]:
        return {cell: naive.play(s, cell) for cell in naive.blanks(s)}

    def reachable(self) -> list[str]:
        return sorted(naive.reachable(self.game))

    def errs(self, s: str, error: Fraction) -> dict[int, Fraction]:
        children = self.children(s)
        bad = [c for c, t in children.items() if self.value(t) != self.value(s)]
        good = [c for c in children if c not in bad]
        if not bad:
            return {c: Fraction(1, len(good)) for c in good}
        return {c: error / len(bad) if c in bad else (1 - error) / len(good) for c in children}


BRUTES = {
    "3x3": Brute(naive.grid(3, 3, 3)),
    "3x3+misere": Brute(naive.grid(3, 3, 3, misere=True)),
    "3x3+torus": Brute(naive.grid(3, 3, 3, torus=True)),
    "2x3:2": Brute(naive.grid(2, 3, 2)),
    "2x2:3": Brute(naive.grid(2, 2, 3)),
    "1x1": Brute(naive.grid(1, 1, 1)),
}


@pytest.mark.parametrize("spec", sample(BRUTES, 2))
@pytest.mark.parametrize("name", sample(GRADES, 2))
def test_graded_opponents_err_exactly_as_stated(spec, name):
    brute, board, player = BRUTES[spec], Board.parse(spec), policy(Board.parse(spec), name)
    solution = solution_for(Position(board))
    mistakes = 0
    for s in brute.reachable():
        if brute.over(s) is not None:
            continue
        at = parse_position(board, s)
        shares, wanted = player.probabilities(at, solution), brute.errs(s, GRADES[name])
        assert shares == wanted
        assert sum(shares.values()) == 1
        wrong = sum(share for cell, share in shares.items() if brute.value(naive.play(s, cell)) != brute.value(s))
        assert wrong in (0, GRADES[name])
        mistakes += bool(wrong)
    assert bool(mistakes) == (spec not in ("2x2:3", "1x1")), "boards without lines leave no mistake to make"


def test_the_grades_are_those_that_their_sentences_state():
    assert dict(GRADES) == {"easy": Fraction(1, 2), "medium": Fraction(1, 4), "hard": Fraction(1, 10)}
    said = {each.name: each.about for each in OPPONENTS if each.name in GRADES}
    assert [said[name].split(" if")[0] for name in GRADES] == [
        "Makes a mistake with the chance 1/2",
        "Makes a mistake with the chance 1/4",
        "Makes a mistake with the chance 1/10",
    ]


def naive_match(brute: Brute, x: Fraction, o: Fraction) -> dict[int, Fraction]:
    """Play two erring players out over all sequences of strings."""

    @cache
    def ends(s: str) -> tuple[tuple[int, Fraction], ...]:
        over = brute.over(s)
        if over is not None:
            return ((over, Fraction(1)),)
        found: dict[int, Fraction] = {}
        for cell, share in brute.errs(s, x if naive.mover(s) == "X" else o).items():
            for end, chance in ends(naive.play(s, cell)):
                found[end] = found.get(end, Fraction(0)) + share * chance
        return tuple(found.items())

    return dict(ends("." * brute.game.cells))


@pytest.mark.parametrize(("x", "o"), [("easy", "hard"), ("medium", "medium")])
def test_matches_of_graded_opponents_are_exact(x, o):
    match, wanted = versus("3x3", x=x, o=o), naive_match(BRUTES["3x3"], GRADES[x], GRADES[o])
    assert (match.x_wins, match.draws, match.o_wins) == (wanted[1], wanted[0], wanted[-1])


def test_better_grades_lose_less_to_perfect_play():
    losses = [versus("3x3", x="perfect", o=name).x_wins for name in ("easy", "medium", "hard", "perfect")]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[1] > losses[2] > losses[3] == 0


@pytest.mark.parametrize("name", [each.name for each in OPPONENTS])
def test_all_opponents_have_chances_that_sum_to_one_on_the_cells_they_choose_among(name):
    board = Board.parse("3x3")
    solution = solution_for(Position(board))
    for s in BRUTES["3x3"].reachable()[::7]:
        at = parse_position(board, s)
        if not at.is_terminal:
            shares = policy(board, name).probabilities(at, solution)
            gives_up = name == "concede" and not oracle(3, 3, 3).moves_of(s, "concede")
            assert sum(shares.values()) == 1 - gives_up
            assert all(chance > 0 for chance in shares.values())
            assert sum(1 << cell for cell in shares) == policy(board, name).moves(at, solution)


def test_misere_leaves_out_those_that_take_lines():
    names = [each.name for each in opponents(Board.parse("3x3+misere"))]
    assert names == ["easy", "medium", "hard", "perfect", "trap:random", "random"]
    assert opponents(Board.parse("3x3")) == OPPONENTS


def test_a_choice_is_that_of_its_seed_and_follows_the_chances():
    board = Board.parse("3x3")
    solution, at = solution_for(Position(board)), parse_position(board, "X../.../...")
    shares, _ = think(policy(board, "easy"), at, solution)
    chosen = Counter(choose(shares, at, str(seed)) for seed in range(4000))
    assert choose(shares, at, "7") == choose(shares, at, "7")
    assert set(chosen) == set(range(1, 9))
    assert abs(chosen[4] - 2000) < 200
    assert all(abs(chosen[cell] - 2000 / 7) < 100 for cell in chosen if cell != 4)


def valued(board):
    return lambda at: solution_for(Position(board))


def test_an_opponent_replies_where_a_person_sits_and_undo_takes_both_back():
    board = Board.parse("3x3")
    game = play_on(board, HUMAN, "perfect", (0,), "1", valued(board))
    assert game.moves == (0, 4)
    assert (game.reply, game.replied, game.undone) == (4, 1, ())
    opened = play_on(board, "perfect", HUMAN, (), "1", valued(board))
    assert len(opened.moves) == 1
    assert opened.undone is None
    people = play_on(board, HUMAN, HUMAN, (0, 4), "1", valued(board))
    assert (people.moves, people.undone, people.people) == ((0, 4), (0,), ("X", "O"))


def test_two_opponents_play_move_by_move():
    board = Board.parse("3x3")
    moves: tuple[Move, ...] = ()
    for _ in range(9):
        game = play_on(board, "perfect", "perfect", moves, "9", valued(board))
        assert game.moves == moves
        if game.awaited is None:
            break
        moves = (*moves, game.awaited)
    assert Playing(board, "perfect", "perfect", "9", moves).position.outcome == "draw"


def test_people_ask_for_no_values():
    def refuse(at):
        raise BudgetError("too much")

    board = Board.parse("9x9:5")
    assert play_on(board, HUMAN, HUMAN, (0, 1), "", refuse).position.ply == 2
    assert play_on(board, HUMAN, "block", (0,), "", refuse).replied == 1
    known = play_on(board, HUMAN, "hard", (0,), "", refuse).known
    assert known is not None
    assert known.value is None


def test_who_is_nobody_is_told_so():
    board = Board.parse("3x3")
    with pytest.raises(InputError, match="perfekt' cannot play"):
        play_on(board, "perfekt", HUMAN, (), "", valued(board))
    with pytest.raises(InputError, match="under misere"):
        play_on(Board.parse("3x3+misere"), HUMAN, "fork", (), "", valued(board))
    assert set(SIDES) == {HUMAN, *(each.name for each in OPPONENTS)}
    assert noughts.match("3x3", x="easy", o="random").x == "easy"


def searched(at, nodes):
    return searched_from(at, SearchBudget(position=nodes, moves=nodes, whole=2 * nodes))


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere"])
@pytest.mark.parametrize("name", sample(["perfect", "trap:random", "easy"], 2))
@pytest.mark.parametrize("nodes", sample([40, None, 5000, 1], 2))
def test_by_sight_nobody_who_keeps_the_value_plays_a_move_known_to_lose_and_all_take_wins_and_block(spec, name, nodes):
    brute, board, player = BRUTES[spec], Board.parse(spec), policy(Board.parse(spec), name)
    for s in brute.reachable()[:: 301 if nodes else 23]:
        if brute.over(s) is not None:
            continue
        at, sign = parse_position(board, s), 1 if naive.mover(s) == "X" else -1
        shares, known = think(player, at, None if nodes is None else searched(at, nodes))
        assert known is not None
        assert sum(shares.values()) == 1
        assert min(shares.values()) > 0
        ranks = {"loss": -1, "draw": 0, "win": 1}
        truth = {cell: sign * brute.value(t) for cell, t in brute.children(s).items()}
        assert all(ranks[value] == truth[cell] for cell, value in known.moves.items() if value)
        assert known.value is None or ranks[known.value] == sign * brute.value(s)
        lost = [cell for cell, value in known.moves.items() if value == "loss"]
        errs = GRADES.get(name, Fraction(0))
        if len(lost) < len(truth):
            assert sum(shares.get(cell, 0) for cell in lost) <= errs
        ends = {cell for cell, t in brute.children(s).items() if brute.over(t) == sign}
        blocks = {cell for cell in truth if brute.over(f"{s[:cell]}{'O' if sign > 0 else 'X'}{s[cell + 1 :]}") == -sign}
        if ends and not board.misere:
            assert sum(shares.get(cell, 0) for cell in ends) >= 1 - errs
        elif blocks and not board.misere and known.good & mask_of(blocks):
            assert sum(shares.get(cell, 0) for cell in blocks) >= 1 - errs


# Games between people and opponents: what is said, who replies, what can be taken back, for every way to sit down.


def test_who_sits_where() -> None:
    found = play("3x3", "a1", x="human", o="fork")
    assert (found.seat("X"), found.seat("O")) == ("human", "fork")
    assert found.opponent("X") is None
    other = found.opponent("O")
    assert other is not None
    assert (other.name, other.title) == ("fork", "Fork")
    bot = "genome:all:XO:0"
    found = play("3x3", "a1", o=bot)
    other = found.opponent("O")
    assert other is not None
    assert (other.name, other.sides, found.others) == (bot, ("X", "O"), (other,))
    assert SIDES[0] == HUMAN


@pytest.mark.parametrize(
    ("spec", "x", "o", "words"),
    [
        ("3x3+misere", "human", "fork", "the policy fork completes and blocks lines: under misere try perfect"),
        ("3x3+misere", "block", "human", "the policy block completes and blocks lines"),
    ],
)
def test_who_has_no_meaning_there_cannot_play(spec: str, x: str, o: str, words: str) -> None:
    with pytest.raises(InvalidQuestion, match=words):
        play(spec, "", x=x, o=o)


# What is known where not all is valued: every case of three moves, by the definitions, and who plays what then.

VALUES: tuple[Value | None, ...] = ("win", "draw", "loss", None)
AT = parse_position(Board.parse("1x5:3"), "XO...")


@pytest.mark.parametrize("value", VALUES)
def test_the_good_moves_and_the_worse_ones(value: Value | None) -> None:
    for three in product(VALUES, repeat=3):
        if value is not None and "win" in three and value != "win":
            continue
        moves = dict(enumerate(three, 2))
        seen = Knowledge(AT, value, FrozenDict(moves), None)
        kept = [cell for cell in moves if value is not None and moves[cell] == value]
        hope = [cell for cell in moves if moves[cell] is None or (value is None and moves[cell] == "draw")]
        good = kept or hope
        assert seen.keeping == mask_of(kept)
        assert seen.good == mask_of(good)
        assert seen.worse == mask_of(cell for cell in moves if moves[cell] is not None and cell not in good)


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
    seen = known_of(parse_position(spec, marks), None)
    values = set(moves.values())
    wanted = "win" if "win" in values else None if None in values else "draw" if "draw" in values else "loss"
    assert dict(seen.moves) == moves
    assert (seen.value, seen.opened) == (wanted, None)


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
    well = "plays a move known to keep what it can force, else one not known to be worse"
    board, misere = Board.parse("3x3"), Board.parse("3x3+misere")
    by, partly, also = (
        {each.name: each for each in OPPONENTS},
        manners(board, whole=False),
        manners(misere, whole=False),
    )
    assert partly["perfect"] == f"Here it {well}{lines}"
    assert also["perfect"] == f"Here it {well}"
    assert partly["trap:block"] == f"Here it sets no traps: it {well}{lines}"
    assert also["easy"] == (
        f"Here it plays with the chance {GRADES['easy']} a move known to be worse, if there is one; "
        "else a move known to keep what it can force, else one not known to be worse"
    )
    assert manners(board, whole=True) == {each.name: each.about for each in OPPONENTS}
    for name in partly:
        looks = name in GRADES or name == "perfect" or name.startswith("trap")
        assert (partly[name] == by[name].about) != looks
    assert not set(manners(misere, whole=True)) & {"win", "block", "fork", "trap:block"}
    assert Opponent("a", "A", "b").sides == ("X", "O")
