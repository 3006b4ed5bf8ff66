"""Opponents: their chances exactly as stated, by a brute force of its own, and their choices from a seed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

import noughts
from noughts.domain.bits import mask_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.lots import drawn
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.solving.problem import SearchBudget
from noughts.strategy.opponents import OPPONENTS, choose, opponents, think
from noughts.strategy.playing import HUMAN, SIDES, Playing, play_on
from noughts.strategy.policies import GRADES, policy
from noughts.strategy.solutions import searched_from, solution_for
from noughts.strategy.versus import versus


class Brute:
    """Values by plain minimax over strings, for a board given by its lines; nothing of the package."""

    def __init__(self, cells: int, lines: tuple[tuple[int, ...], ...], misere: bool = False) -> None:
        self.cells, self.lines, self.misere = cells, lines, misere
        self.value = cache(self._value)

    def over(self, s: str) -> int | None:
        for mark, sign in (("X", 1), ("O", -1)):
            if any(all(s[c] == mark for c in line) for line in self.lines):
                return -sign if self.misere else sign
        return 0 if "." not in s else None

    def mover(self, s: str) -> str:
        return "X" if s.count("X") == s.count("O") else "O"

    def put(self, s: str, c: int) -> str:
        return s[:c] + self.mover(s) + s[c + 1 :]

    def children(self, s: str) -> dict[int, str]:
        return {c: self.put(s, c) for c in range(self.cells) if s[c] == "."}

    def _value(self, s: str) -> int:
        over = self.over(s)
        if over is not None:
            return over
        values = [self.value(t) for t in self.children(s).values()]
        return max(values) if self.mover(s) == "X" else min(values)

    def errs(self, s: str, error: Fraction) -> dict[int, Fraction]:
        children = self.children(s)
        bad = [c for c, t in children.items() if self.value(t) != self.value(s)]
        good = [c for c in children if c not in bad]
        if not bad:
            return {c: Fraction(1, len(good)) for c in good}
        return {c: error / len(bad) if c in bad else (1 - error) / len(good) for c in children}

    def reachable(self) -> list[str]:
        seen, todo = set(), ["." * self.cells]
        while todo:
            s = todo.pop()
            if s in seen:
                continue
            seen.add(s)
            if self.over(s) is None:
                todo.extend(self.children(s).values())
        return sorted(seen)


ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
BROKEN = ((0, 5, 7), (1, 3, 8), (2, 4, 6), (0, 4, 8), (1, 5, 6), (2, 3, 7))
BRUTES = {
    "3x3": Brute(9, (*ROWS, *COLUMNS, (0, 4, 8), (2, 4, 6))),
    "3x3+misere": Brute(9, (*ROWS, *COLUMNS, (0, 4, 8), (2, 4, 6)), misere=True),
    "3x3+torus": Brute(9, (*ROWS, *COLUMNS, *BROKEN)),
    "2x3:2": Brute(6, ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5), (0, 4), (1, 5), (1, 3), (2, 4))),
    "2x2:3": Brute(4, ()),
    "1x1": Brute(1, ((0,),)),
}


@pytest.mark.parametrize("spec", BRUTES)
@pytest.mark.parametrize("name", GRADES)
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
        wrong = sum(share for cell, share in shares.items() if brute.value(brute.put(s, cell)) != brute.value(s))
        assert wrong in (0, GRADES[name])
        mistakes += bool(wrong)
    assert bool(mistakes) == (spec not in ("2x2:3", "1x1")), "boards without lines leave no mistake to make"


def test_the_grades_are_those_that_their_sentences_state():
    assert dict(GRADES) == {"easy": Fraction(1, 2), "medium": Fraction(1, 4), "hard": Fraction(1, 10)}
    said = {each.name: each.about for each in OPPONENTS if each.name in GRADES}
    assert [said[name].split(" where")[0] for name in GRADES] == [
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
        for cell, share in brute.errs(s, x if brute.mover(s) == "X" else o).items():
            for end, chance in ends(brute.put(s, cell)):
                found[end] = found.get(end, Fraction(0)) + share * chance
        return tuple(found.items())

    return dict(ends("." * brute.cells))


@pytest.mark.parametrize(("x", "o"), [("easy", "hard"), ("medium", "medium")])
def test_matches_of_graded_opponents_are_exact(x, o):
    match, wanted = versus("3x3", x=x, o=o), naive_match(BRUTES["3x3"], GRADES[x], GRADES[o])
    assert (match.x_wins, match.draws, match.o_wins) == (wanted[1], wanted[0], wanted[-1])


def test_better_grades_lose_less_to_perfect_play():
    losses = [versus("3x3", x="perfect", o=name).x_wins for name in ("easy", "medium", "hard", "perfect")]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[1] > losses[2] > losses[3] == 0


def test_what_a_file_plays_otherwise_keeps_its_chances():
    board = Board.parse("3x3")
    solution, at = solution_for(Position(board)), parse_position(board, "X../.../...")
    mixed = policy(board, {"moves": {".../.../...": ["b2"]}, "otherwise": "easy"})
    assert mixed.probabilities(Position(board), solution) == {4: 1}
    assert mixed.probabilities(at, solution) == policy(board, "easy").probabilities(at, solution)
    assert mixed.probabilities(at, solution)[4] == Fraction(1, 2)


@pytest.mark.parametrize("name", [each.name for each in OPPONENTS])
def test_all_opponents_have_chances_that_sum_to_one_on_the_cells_they_choose_among(name):
    board = Board.parse("3x3")
    solution = solution_for(Position(board))
    for s in BRUTES["3x3"].reachable()[::7]:
        at = parse_position(board, s)
        if not at.is_terminal:
            shares = policy(board, name).probabilities(at, solution)
            assert sum(shares.values()) == 1
            assert min(shares.values()) > 0
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


def test_numbers_are_drawn_below_their_bound_each_as_often():
    assert [drawn(1, str(i)) for i in range(5)] == [0] * 5
    assert all(0 <= drawn(10**30, str(i)) < 10**30 for i in range(50))
    found = Counter(drawn(6, str(i)) for i in range(6000))
    assert set(found) == set(range(6))
    assert all(abs(times - 1000) < 150 for times in found.values())


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
    moves: tuple[int, ...] = ()
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
    assert noughts.versus("3x3", x="easy", o="random").x == "easy"


def searched(at, nodes):
    return searched_from(at, SearchBudget(position=nodes, moves=nodes, whole=2 * nodes))


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "3x3+torus"])
@pytest.mark.parametrize("name", ["easy", "perfect", "trap:random"])
@pytest.mark.parametrize("nodes", [None, 1, 40, 5000])
def test_by_sight_nobody_who_keeps_the_value_plays_a_move_known_to_lose_and_all_take_wins_and_block(spec, name, nodes):
    brute, board, player = BRUTES[spec], Board.parse(spec), policy(Board.parse(spec), name)
    for s in brute.reachable()[:: 301 if nodes else 23]:
        if brute.over(s) is not None:
            continue
        at, sign = parse_position(board, s), 1 if brute.mover(s) == "X" else -1
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


def test_all_that_is_known_and_no_lines_to_take_gives_the_chances_of_the_policy():
    board = Board.parse("3x3+misere")
    for s in BRUTES["3x3+misere"].reachable()[::397]:
        at = parse_position(board, s)
        for name in ("easy", "perfect"):
            if not at.is_terminal:
                player = policy(board, name)
                shares, _ = think(player, at, searched(at, 10**6))
                assert shares == player.probabilities(at, solution_for(Position(board)))
