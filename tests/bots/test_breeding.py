"""Breeding: every score is that of `versus`, games that are lost are played out by brute force, seeds repeat."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from noughts.analysis.payoff.playout import versus
from noughts.analysis.policies.genome import GenePool, Genome, Seat, gene_pool, genome
from noughts.analysis.policies.policy import Policy
from noughts.analysis.policies.reading import policy
from noughts.bots.breeding import Dice, breed, first_loss
from noughts.bots.fitness import Aim, arena, fitness_of
from noughts.bots.layered import layered_fitness, layers_of, pool_of
from noughts.judge.certificates import judge_policy
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Player, cells_of
from noughts.rules.position import Position
from tests.dear import sample


def drawn(pool: GenePool, count: int, seed: int) -> Any:
    return Dice(seed).below(np.array(pool.sizes, np.int64), count, len(pool.sizes)).astype(np.uint16)


def leftmost(position: Position) -> list[int]:
    """Not the same on symmetric positions."""
    return list(cells_of(position.blanks))[:2]


def mixture(board: Board) -> dict[str, object]:
    """A policy with chances of its own on the first moves."""
    weights = {Position(board): {cell_name(board, 0): "1/7", cell_name(board, 1): "6/7"}}
    return {"board": board.spec, "moves": {str(p): w for p, w in weights.items()}, "otherwise": "random"}


def opponents(board: Board) -> dict[str, Any]:
    if board.cells < 6:
        return {name: name for name in ("random", "block", "best")}
    other = genome(gene_pool(board), drawn(gene_pool(board), 1, 99)[0]).text
    named = ["random", "perfect", "medium", "best"] + ([] if board.misere else ["block", "fork"])
    return {name: name for name in named} | {"genome": other, "leftmost": leftmost, "mixture": mixture(board)}


def by_versus(board: Board, bot: Genome, seat: str, opponent: Any) -> tuple[Fraction, Fraction]:
    if seat == "X":
        match = versus(board, x=bot.text, o=opponent)
        return match.x_wins, match.o_wins
    match = versus(board, x=opponent, o=bot.text)
    return match.o_wins, match.x_wins


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        *sample([("3x3", "all"), ("3x3", "real"), ("3x3+misere", "all"), ("2x4:3", "real"), ("2x2x2", "all")], 2),
        *[(odd, "all") for odd in ("1x1", "1x2", "2x2", "2x2:3")],
    ],
)
def test_every_score_is_that_of_versus(spec, kind):
    board = Board.parse(spec)
    seats: tuple[Player, ...] = ("X", "O")
    for seat, (name, opponent) in product(seats, opponents(board).items()):
        pool = gene_pool(board, kind, seat)
        alleles = drawn(pool, 2, 7)
        place = arena(pool, seat, None if name == "best" else policy(board, opponent))
        found = place.judge(alleles)
        for row, (wins, losses) in zip(alleles, found, strict=True):
            scores = Fraction(int(wins), place.scale), Fraction(int(losses), place.scale)
            assert scores == by_versus(board, genome(pool, row), seat, opponent), (seat, name)


def outcome_of(x: Policy, o: Policy) -> str | None:
    at = Position(Board.parse("3x3"))
    while not at.is_terminal:
        at = at.play(next(cells_of((x if at.to_move == "X" else o).moves(at, None))))
    return at.outcome


def test_each_other_is_every_pair_both_ways():
    board = Board.parse("3x3")
    pool = gene_pool(board)
    alleles = drawn(pool, 5, 11)
    judged = fitness_of(pool, ["each-other"], "result")
    record = judged.tables(alleles)
    bots = [policy(board, genome(pool, row).text) for row in alleles]
    for i, bot in enumerate(bots):
        others = [other for other in bots if other is not bot]
        chances = judged.record(record, i)["each-other"]
        for each, player, ends in (
            (chances[0], "X", [outcome_of(bot, other) for other in others]),
            (chances[1], "O", [outcome_of(other, bot) for other in others]),
        ):
            assert each.win == Fraction(ends.count(player), 4)
            assert each.draw == Fraction(ends.count("draw"), 4)
            assert each.win + each.draw + each.loss == 1


@pytest.mark.parametrize("aim", ["result", "never-lose"])
def test_fitness_is_the_average_over_opponents_and_seats(aim):
    board = Board.parse("3x3")
    pool = gene_pool(board, "real")
    names = ["random", "block", "best"]
    judged = fitness_of(pool, names, aim)
    alleles = drawn(pool, 4, 2)
    values, whole = judged.values(judged.tables(alleles))
    for row, value in zip(alleles, values, strict=True):
        scores = [by_versus(board, genome(pool, row), seat, name) for name, seat in product(names, "XO")]
        worth = [win - loss if aim == "result" else 1 - loss for win, loss in scores]
        assert Fraction(int(value), whole) == sum(worth) / len(worth)


def losses(bot: Genome, player: str) -> list[tuple[int, ...]]:
    """All games that a bot loses, by brute force."""
    plays = policy(bot.pool.board, bot.text)
    found = []

    def go(at: Position, moves: tuple[int, ...]) -> None:
        if at.is_terminal:
            if at.outcome not in ("draw", player):
                found.append(moves)
            return
        cells = plays.moves(at, None) if at.to_move == player else at.blanks
        for cell in cells_of(cells):
            go(at.play(cell), (*moves, cell))

    go(Position(bot.pool.board), ())
    return found


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "2x3:3", "1x2", "2x2:3"])
def test_the_first_line_that_loses_is_the_shortest_and_first_of_all(spec):
    pool = gene_pool(Board.parse(spec))
    for row in drawn(pool, 3, 21):
        bot = genome(pool, row)
        all_lost = [(len(moves), player != "X", moves) for player in "XO" for moves in losses(bot, player)]
        found = first_loss(bot)
        if not all_lost:
            assert found is None
        else:
            assert found is not None
            assert (len(found.moves), found.player != "X", found.moves) == min(all_lost)


@pytest.mark.parametrize(("genes", "most"), [("real", 10), ("all", 100)])
def test_a_bot_is_bred_that_never_loses(genes, most):
    bred = breed("3x3", genes=genes, seed=1)
    assert (bred.never_loses, bred.stopped) == (True, "never loses")
    assert bred.generations < most
    assert not losses(bred.bot, "X") + losses(bred.bot, "O")
    assert versus("3x3", x=bred, o="best").o_wins == versus("3x3", x="best", o=bred).x_wins == 0
    assert bred.course[-1].best == 1 > bred.course[0].best
    assert bred.evaluations == bred.generations * 500


# Larger boards are judged by layers, at every gene; on small ones both ways give the same.


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "2x3:2", "1x4:2", "2x4:3"])
def test_layers_give_the_same_genes_and_chances(spec):
    board = Board.parse(spec)
    layers = layers_of(board)
    seats: tuple[Seat, ...] = ("X", "O", "both")
    aims: tuple[Aim, ...] = ("result", "never-lose")
    for seat, aim in product(seats, aims):
        pool = gene_pool(board, "all", seat)
        assert pool_of(board, layers, seat) == pool
        rows = drawn(pool, 3, 5)
        one, other = layered_fitness(pool, layers, NAMES, aim), fitness_of(pool, NAMES, aim)
        tables, same = one.tables(rows), other.tables(rows)
        assert [one.record(tables, bot) for bot in range(3)] == [other.record(same, bot) for bot in range(3)]
        assert one.bound == other.bound


NAMES = ("random", "best")


@pytest.fixture
def listed(monkeypatch):
    """Let plain Python list no classes, as on 4x4."""
    monkeypatch.setattr("noughts.bots.layered.LEAST_CLASSES", 100)


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("more", [{}, {"as_": "O", "against": NAMES, "fitness": "result"}])
def test_a_bot_that_is_judged_at_every_gene_never_loses(more):
    bred = breed("3x3", seed=1, **more)
    assert (bred.never_loses, bred.population, bred.stopped) == (True, 8, "never loses")
    assert not [game for player in bred.bot.pool.players for game in losses(bred.bot, player)]
    assert bred.against("random").loss == 0
    sides = judge_policy(bred.bot.as_dict(), "bot").sides
    assert [(side.player, side.lost) for side in sides] == [(player, None) for player in bred.bot.pool.players]
    assert len(bred.bot.table()) < len(bred.bot.pool.genes) // 2, "what it can meet alone"
    assert breed("3x3", seed=1, **more).bot.text == bred.bot.text
    early = breed("3x3", seed=1, generations=1, **more)
    assert early.loss is not None
    assert len(early.loss.moves) == min(
        len(game) for player in early.bot.pool.players for game in losses(early.bot, player)
    )


@pytest.mark.usefixtures("listed")
def test_the_best_possible_bot_of_a_lost_player_ends_breeding():
    bred = breed("3x3+torus", as_="O", seed=1)
    assert (bred.stopped, bred.never_loses, bred.can_be_held) == ("best possible", False, False)


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"genes": "real"}, "3x3:3 are bred on all decisions"),
        ({"against": "block"}, "against random or best alone"),
        ({"against": ["best", "best"]}, "best is named twice"),
        ({"against": []}, "against random or best alone"),
        ({"mutations": 3}, "remove the mutations"),
        ({"as_": "Z"}, "the player of a bot"),
        ({"fitness": "beauty"}, "the fitness"),
        ({"population": 10**9}, "bots of 3x3:3 need"),
    ],
)
def test_what_cannot_be_judged_at_every_gene_is_refused(more, sentence):
    with pytest.raises((InputError, BudgetError), match=sentence):
        breed("3x3", **more)


@pytest.mark.usefixtures("listed")
def test_the_time_limits_the_listing(monkeypatch):
    monkeypatch.setattr("noughts.bots.breeding.READY_SECONDS", 0.0)
    with pytest.raises(BudgetError, match="listing the positions of 3x3:3 took longer than the time"):
        breed("3x3", time=1e-9)


@pytest.mark.slow
def test_a_bot_of_4x4_never_loses():
    bred = breed("4x4", seed=1)
    assert (bred.never_loses, len(bred.bot.pool.genes)) == (True, 1_128_499)
    assert [side.lost for side in judge_policy(bred.bot.as_dict(), "bot").sides] == [None, None]
