"""Genomes: how many genes and bots there are, by the naive oracle; text and back; played as the policies they are."""

from __future__ import annotations

import random
from math import prod

import pytest

from noughts.analysis.payoff.playout import versus
from noughts.analysis.policies.genome import Genome, gene_pool, genome, parse_genome
from noughts.analysis.policies.reading import policy
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.position import Position
from tests import naive
from tests.games import OTHERS

BOARDS = ["3x3", "3x3+misere", "3x3+torus", "2x4:3", "2x3:2", "1x2", "1x1", "2x2x2"]


def drawn(pool, seed: int) -> Genome:
    lots = random.Random(seed)
    return genome(pool, [lots.randrange(size) for size in pool.sizes])


def naive_sizes(game: naive.Game, group, real: bool) -> dict[str, list[int]]:
    """The numbers of distinct choices at the decisions of each player, from all positions listed."""
    found: dict[str, dict[str, int]] = {"X": {}, "O": {}}
    for position in naive.reachable(game):
        free = naive.blanks(position)
        if naive.line_outcome(game, position) or len(free) < 2:
            continue
        if real and any(naive.winning_cells(game, position, player) for player in "XO"):
            continue
        choices = {naive.position_class(naive.play(position, cell), group) for cell in free}
        found[naive.mover(position)][naive.position_class(position, group)] = len(choices)
    return {player: sorted(sizes.values()) for player, sizes in found.items()}


@pytest.mark.parametrize(
    ("spec", "sides", "options", "real"),
    [
        ("3x3", (3, 3, 3), {}, False),
        ("3x3", (3, 3, 3), {}, True),
        ("2x4:3", (2, 4, 3), {}, False),
        ("2x4:3", (2, 4, 3), {}, True),
        ("3x3+torus", (3, 3, 3), {"torus": True}, True),
        ("3x3+misere", (3, 3, 3), {"misere": True}, False),
    ],
)
def test_genes_are_the_decisions_that_the_oracle_lists(spec, sides, options, real):
    board = Board.parse(spec)
    group = naive.isometries(sides[0], sides[1], torus=bool(options.get("torus")))
    sizes = naive_sizes(naive.grid(*sides, **options), group, real)
    kind = "real" if real else "all"
    for seat, players in (("X", "X"), ("O", "O"), ("both", "XO")):
        pool = gene_pool(board, kind, seat)
        assert sorted(pool.sizes) == sorted(size for player in players for size in sizes[player])
        assert pool.possible_bots == prod(pool.sizes)


SMALL = [spec for spec in OTHERS if "4x3" not in spec and "3x4" not in spec]


@pytest.mark.parametrize("spec", SMALL)
def test_genes_of_other_games_are_the_decisions_of_the_oracle(spec):
    """A decision has several moves, and its choices are the classes that they lead to: marks count as cells do."""
    board, rules, group = OTHERS[spec]
    sizes: dict[str, dict[str, int]] = {"X": {}, "O": {}}
    layer = {"." * rules.cells}
    while layer:
        going = [at for at in layer if not rules.outcome(at)]
        layer = {rules.play(at, move) for at in going for move in rules.moves(at)}
        for at in going:
            choices = {naive.position_class(rules.play(at, move), group) for move in rules.moves(at)}
            if len(rules.moves(at)) > 1:
                sizes[rules.mover(at)][naive.position_class(at, group)] = len(choices)
    for seat in ("X", "O"):
        assert sorted(gene_pool(board, "all", seat).sizes) == sorted(sizes[seat].values())
    bot = drawn(gene_pool(board), 3)
    assert parse_genome(board, bot.text) == bot
    assert len(bot.table()) == sum(map(len, sizes.values()))
    if not board.rules.has_threats:
        with pytest.raises(InputError, match="real decisions have no meaning: ask for all genes"):
            gene_pool(board, "real")


@pytest.mark.parametrize("spec", BOARDS)
@pytest.mark.parametrize("seat", ["X", "O", "both"])
def test_text_and_back(spec, seat):
    board = Board.parse(spec)
    for kind in ("all", "real")[: 1 if board.misere else 2]:
        pool = gene_pool(board, kind, seat)
        for number in {0, pool.possible_bots // 3, pool.possible_bots - 1}:
            bot = genome(pool, pool.alleles_of(number))
            assert pool.number_of(bot.alleles) == number
            assert parse_genome(board, bot.text) == bot


def test_the_first_gene_leads_and_the_number_is_in_base_36():
    pool = gene_pool(Board.parse("3x3"), "all", "X")
    assert genome(pool, [0] * len(pool.genes)).text == "genome:all:X:0"
    assert genome(pool, [1] + [0] * (len(pool.genes) - 1)).alleles[0] == 1
    assert pool.number_of([1] + [0] * (len(pool.genes) - 1)) == prod(pool.sizes[1:])
    bot = drawn(pool, 1)
    assert int(bot.text.rpartition(":")[2], 36) == pool.number_of(bot.alleles)
    assert len(bot.name) < 50 < len(bot.text)


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "3x3+torus", "2x4:3", "1x2", "1x1"])
def test_a_genome_is_a_policy_as_its_file_is(spec):
    board = Board.parse(spec)
    for seed in range(3):
        bot = drawn(gene_pool(board), seed)
        data: dict[str, object] = {**bot.as_dict(), "otherwise": "random"}
        for mine, same in (
            (versus(board, x=bot.text), versus(board, x=data)),
            (versus(board, o=bot.text), versus(board, o=data)),
        ):
            assert (mine.x_wins, mine.draws, mine.o_wins) == (same.x_wins, same.draws, same.o_wins)


def test_a_bot_of_real_genes_plays_the_rest_as_block():
    board = Board.parse("3x3")
    bot, block = drawn(gene_pool(board, "real"), 5), policy(board, "block")
    for marks, cell in bot.cells.items():
        if marks in bot.pool.settled:
            assert block.moves(Position(board, *marks), None) >> cell & 1


@pytest.mark.parametrize(
    "text",
    [
        "genome:",
        "genome:all",
        "genome:all:XO:",
        "genome:some:X:1",
        "genome:all:Z:1",
        "genome:all:X:-1",
        "genome:all:X:1.5",
    ],
)
def test_a_wrong_genome_gets_a_sentence(text):
    with pytest.raises(InputError, match="cannot read the genome"):
        policy(Board.parse("3x3"), text)
