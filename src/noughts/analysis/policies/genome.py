"""Bots that are tables: the decisions of a board as genes, and each bot as a number.

A *decision* is an unfinished position class with more than one move. In a *real decision* neither side threatens
to complete a line. A gene represents a decision; its alleles are the distinct choices there. Two moves are one choice
if they lead to the same class, as symmetric moves do. A bot bred on real decisions plays the others by the
rule `block`: the first cell that wins, else the first that blocks.

A genome is written `genome:GENES:PLAYERS:NUMBER`, such as `genome:real:X:1f`: all genes or the real ones, the players,
and a number in base 36. The number has one digit for each gene, the first gene leading. The base of a digit is the
number of alleles. So the bots are numbered from 0.

Source: B. Shourd, 2012, who counted 593 decisions and 96 real ones on 3x3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from itertools import zip_longest
from typing import Literal, cast

from noughts.analysis.policies.policy import GENOME
from noughts.counting.class_sums import graph_of
from noughts.counting.question import Question
from noughts.machine.reading import FILE_VERSION
from noughts.rules.arguments import one_of
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import InputError, InvalidQuestion, shown
from noughts.rules.game import LISTED_CLASSES, allowed_cells, require_listed
from noughts.rules.marks import Cell, Mask, Player
from noughts.rules.position import Position, completing_cells
from noughts.rules.values import FrozenDict

Kind = Literal["all", "real"]
Seat = Literal["X", "O", "both"]
GENE_KINDS = ("all", "real")
SEATS = FrozenDict({"X": "X", "O": "O", "both": "XO"})
"""The sides that a bot can play, and their players."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CHUNK = 500
"""So many digits are written at a time."""
_SHORT = 24
"""The most digits of a genome that its name shows in full."""


@dataclass(frozen=True, slots=True)
class Gene:
    """A decision: the canonical marks of its class, the player to move, and the distinct choices by their first moves.

    A choice is the set of moves of the canonical form that lead to one class.
    """

    x: Mask
    o: Mask
    player: Player
    choices: tuple[Mask, ...]


@dataclass(frozen=True)
class GenePool:
    """The genes of bots for one player or both, in order of ply.

    `settled` has the fixed move in every other class, a move of its canonical form.
    """

    board: Board
    kind: Kind
    players: str
    genes: tuple[Gene, ...] = field(repr=False)
    settled: FrozenDict[tuple[Mask, Mask], Cell] = field(repr=False)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of alleles of each gene."""
        return tuple(len(gene.choices) for gene in self.genes)

    @cached_property
    def numbers(self) -> Mapping[tuple[Mask, Mask], int]:
        """The number of each gene by its canonical marks."""
        return {(gene.x, gene.o): number for number, gene in enumerate(self.genes)}

    @cached_property
    def possible_bots(self) -> int:
        """The number of different bots: the product of the numbers of choices."""
        return 1 + self.number_of([size - 1 for size in self.sizes])

    def number_of(self, alleles: Sequence[int]) -> int:
        """Return the number of the bot with these alleles. Joins neighbours, so a million genes take a second."""
        parts = [(int(allele), size) for allele, size in zip(alleles, self.sizes, strict=True)]
        while len(parts) > 1:
            pairs = zip_longest(parts[-2::-2], parts[::-2], fillvalue=(0, 1))
            parts = [(high * base + low, size * base) for (high, size), (low, base) in pairs][::-1]
        return parts[0][0] if parts else 0

    def alleles_of(self, number: int) -> tuple[int, ...]:
        """Return the alleles of the bot with a number below `possible_bots`."""
        found = []
        for size in reversed(self.sizes):
            number, allele = divmod(number, size)
            found.append(allele)
        return tuple(reversed(found))


@dataclass(frozen=True)
class Genome:
    """A bot that is a table: at each gene of its pool it makes the choice of its allele.

    `met` are the classes that its table lists; None for all.
    """

    pool: GenePool
    alleles: tuple[int, ...] = field(repr=False)
    met: frozenset[tuple[Mask, Mask]] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def text(self) -> str:
        """The genome as text, which `policy` reads."""
        return f"{GENOME}{self.pool.kind}:{self.pool.players}:{_in_base_36(self.pool.number_of(self.alleles))}"

    @property
    def name(self) -> str:
        """The genome as text, without the middle of a long number."""
        head, _, digits = self.text.rpartition(":")
        return f"{head}:{digits if len(digits) <= _SHORT else f'{digits[:12]}...{digits[-8:]}'}"

    @cached_property
    def cells(self) -> FrozenDict[tuple[Mask, Mask], Cell]:
        """The move of the canonical form that it plays in each class in which its players move."""
        pairs = zip(self.pool.genes, self.alleles, strict=True)
        chosen = {(gene.x, gene.o): _first(gene.choices[allele]) for gene, allele in pairs}
        return FrozenDict(chosen | self.pool.settled)

    def table(self) -> dict[str, str]:
        """Return the move that it plays in each decision, by position class, as the moves of a policy file."""
        board = self.pool.board
        listed = (each for each in self.cells.items() if self.met is None or each[0] in self.met)
        chosen = sorted(listed, key=lambda item: _in_order(item[0]))
        return {
            str(Position(board, *marks)): move_name(board, move)
            for marks, move in chosen
            if board.rules.moves(board, *marks).bit_count() > 1
        }

    def as_dict(self) -> dict[str, object]:
        """Return the bot in the form of a policy file."""
        moves = {at: [cell] for at, cell in self.table().items()}
        return {"version": FILE_VERSION, "board": self.pool.board.spec, "moves": moves}


def gene_pool(board: Board, kind: str = "all", seat: str = "both", *, limit: int = LISTED_CLASSES) -> GenePool:
    """Return the genes of bots that play as X, as O or as both: `all` decisions, or the `real` ones.

    Raises BudgetError for boards with more than `limit` position classes, and InvalidQuestion for real decisions where
    a cell is not a threat of one player.
    """
    one_of("the genes", kind, GENE_KINDS)
    one_of("the player of a bot", seat, tuple(SEATS))
    if kind == "real" and not board.rules.has_threats:
        why = "either player can complete a line" if board.rules.line_wins else "a completed line loses"
        raise InvalidQuestion(f"on {board} {why}, so real decisions have no meaning: ask for all genes")
    require_listed(Position(board), "listing the decisions", limit, has_option=True, takes_position=False)
    return _pool(board, cast(Kind, kind), SEATS[seat])


def genome(pool: GenePool, alleles: Sequence[int]) -> Genome:
    """Return the bot with these alleles. Raises InputError if they do not fit the pool."""
    found = tuple(map(int, alleles))
    if len(found) != len(pool.genes) or any(not 0 <= a < size for a, size in zip(found, pool.sizes, strict=False)):
        raise InputError(f"the alleles do not fit the {len(pool.genes)} genes of {pool.board}: give one for each gene")
    return Genome(pool, found)


def parse_genome(board: Board, text: str) -> Genome:
    """Return the bot with the text `genome:GENES:PLAYERS:NUMBER`. Raises InputError."""
    kind, _, rest = text.removeprefix(GENOME).partition(":")
    players, _, digits = rest.partition(":")
    players, digits = players.upper(), digits.lower()
    seat = next((name for name, meant in SEATS.items() if meant == players), None)
    if kind not in GENE_KINDS or seat is None or not digits or set(digits) - set(_DIGITS):
        raise InputError(
            f"cannot read the genome {shown(text)}: write genome:all:XO:NUMBER or genome:real:X:NUMBER, the number in "
            "base 36"
        )
    pool = gene_pool(board, kind, seat)
    number = reduce(lambda high, digit: 36 * high + _DIGITS.index(digit), digits, 0)  # int() refuses long ones
    if number >= pool.possible_bots:
        raise InputError(
            f"{board} does not have the genome {shown(text)}; its numbers end at "
            f"{shown(_in_base_36(pool.possible_bots - 1))}: breed one with noughts breed {board}"
        )
    return Genome(pool, pool.alleles_of(number))


@lru_cache(maxsize=8)
def _pool(board: Board, kind: Kind, players: str) -> GenePool:
    graph = graph_of(Question(board, "choices"), whole_group=True)
    genes, settled = [], {}
    for node in graph.nodes:
        x, o, _ = node.state
        player = graph.game.to_move(node.state)
        if node.outcome is not None or player not in players:
            continue
        blank = graph.game.moves(node.state)
        if blank.bit_count() == 1:
            settled[x, o] = _first(blank)
        elif kind == "real" and completing_cells(board, x, blank) | completing_cells(board, o, blank):
            settled[x, o] = _first(allowed_cells(board, x, o, "block"))
        else:
            genes.append(Gene(x, o, player, tuple(sorted((moves for _, moves in node.children), key=_first))))
    genes.sort(key=lambda gene: _in_order((gene.x, gene.o)))
    return GenePool(board, kind, players, tuple(genes), FrozenDict(settled))


def _in_order(marks: tuple[Mask, Mask]) -> tuple[int, Mask, Mask]:
    """Return the sort key of a class: its ply, then its marks."""
    x, o = marks
    return (x | o).bit_count(), x, o


def _first(cells: Mask) -> Cell:
    return (cells & -cells).bit_length() - 1


def _in_base_36(number: int) -> str:
    parts = list[str]()
    while number >= 36**_CHUNK:
        number, last = divmod(number, 36**_CHUNK)
        parts.append(_in_base_36(last).zfill(_CHUNK))
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits + "".join(reversed(parts))
