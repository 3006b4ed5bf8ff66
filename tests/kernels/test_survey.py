"""What one look at the lines tells of a position, as masks, against the same said of sets of cells."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pytest

from noughts.domain.bits import Mask, mask_of
from noughts.domain.board import Board
from noughts.kernels.search import survey
from noughts.kernels.search.field import ATTACKER, DEFENDER
from tests.kernels.plain import plain
from tests.kernels.test_attack_moves import completing, live
from tests.kernels.test_field import opened
from tests.solving.test_attack import hypergraph

PLACES = [Board.parse(spec) for spec in ("3x4:3", "4x4:4", "2x2x3:2", "1x8:3", "3x3+torus")] + [hypergraph(3)]
ALL = (1 << 64) - 1


def union(masks: Sequence[Mask]) -> Mask:
    return reduce(int.__or__, masks, 0)


def words(masks: Sequence[Mask], more: int = 0) -> np.ndarray:
    return np.array([*masks, *[ALL] * more], np.uint64)


class Side:
    """What is to be said of one player's lines: as masks, like the cells that complete one."""

    def __init__(self, board: Board, owner: list[int], player: int) -> None:
        lines = live(board, owner, player)
        self.live = union([mask_of(line) for line in lines])
        self.rests = [mask_of(cell for cell in line if not owner[cell]) for line in lines]
        """The blanks of each live line."""
        self.pairs = [rest for rest in self.rests if rest.bit_count() == 2]
        self.wins = mask_of(completing(board, owner, player))
        self.forks = union([one & other for one in self.pairs for other in self.pairs if one != other])


def weighed(rests: Sequence[Mask], unit: int) -> int:
    return sum(1 << max(0, unit - rest.bit_count()) for rest in rests)


@dataclass
class Look:
    """A position with its desk, as the kernels have it, and what they see."""

    board: Board
    owner: list[int]
    unit: int

    def __post_init__(self) -> None:
        lines = len(self.board.lines)
        self.attack, self.defend = (mask_of(i for i, mark in enumerate(self.owner) if mark == one) for one in (1, 2))
        sizes = lines + 1, lines + 1, lines + 1, self.unit + 8
        self.desk = survey.Desk(*(words([ALL] * size) for size in sizes))
        self.kept = words([], lines + 1)
        given = np.uint64(self.attack), np.uint64(self.defend), words(self.board.line_masks), lines
        self.view = plain(survey.survey)(*given, self.kept, self.unit, self.desk)
        self.ours, self.theirs = (Side(self.board, self.owner, player) for player in (ATTACKER, DEFENDER))

    @property
    def blanks(self) -> Mask:
        return mask_of(cell for cell, mark in enumerate(self.owner) if not mark)


def looks(board: Board, number: int) -> Iterator[Look]:
    longest = max(map(len, board.lines))
    for i, owner in enumerate(opened(board, number, (4, 1, 1))):
        yield Look(board, owner, longest - (i % 3 == 2))


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_look_finds_what_live_lines_offer(board: Board) -> None:
    for look in looks(board, 30):
        view, ours, theirs = look.view, look.ours, look.theirs
        assert (int(view.our_wins), int(view.their_wins)) == (ours.wins, theirs.wins)
        assert (int(view.our_forks), int(view.their_forks)) == (ours.forks, theirs.forks)
        assert (int(view.our_pairs), int(view.their_pairs)) == (union(ours.pairs), union(theirs.pairs))
        assert (int(view.our_live), int(view.their_live)) == (ours.live, theirs.live)
        assert (view.ours, view.theirs, view.weight) == (
            len(ours.rests),
            len(theirs.rests),
            weighed(ours.rests, look.unit),
        )
        assert look.desk.our_lines[: view.ours].tolist() == ours.rests
        assert look.desk.their_lines[: view.theirs].tolist() == theirs.rests
        either = [line for line, mask in zip(board.lines, board.line_masks, strict=True)
                  if not (mask & look.attack and mask & look.defend)]  # fmt: skip
        assert look.kept[: view.kept].tolist() == [mask_of(line) for line in either]


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_fork_is_broken_on_its_pairs_alone(board: Board) -> None:
    broken = 0
    for look in looks(board, 30):
        for side, lines in ((look.ours, look.desk.our_lines), (look.theirs, look.desk.their_lines)):
            rests, cells = side.rests, ALL
            for cell in range(board.cells):
                if side.forks >> cell & 1:
                    cells &= union([pair for pair in side.pairs if pair >> cell & 1])
            assert int(plain(survey.breaking)(np.uint64(side.forks), lines, len(rests))) == cells
            broken += cells != ALL
            for pair in side.pairs:
                shared = union([pair & other for other in side.pairs if other != pair])
                assert int(plain(survey.shared_cells)(np.uint64(pair), lines, len(rests))) == shared
    assert broken or board.cells < 8


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_weights_by_cell_are_sums_in_planes(board: Board) -> None:
    dice = random.Random(board.cells)
    for look in looks(board, 12):
        planes, rests = look.desk.planes, look.ours.rests
        planes[:] = 5
        plain(survey.clear)(planes)
        plain(survey.add_lines)(planes, look.desk.our_lines, len(rests), look.unit)
        sums = [weighed([rest for rest in rests if rest >> cell & 1], look.unit) for cell in range(board.cells)]
        assert [plain(survey.sum_at)(planes, np.uint64(1 << cell)) for cell in range(board.cells)] == sums
        cells = dice.sample(range(board.cells), dice.randrange(1, board.cells))
        best = max(sums[cell] for cell in cells)
        heaviest = mask_of(cell for cell in cells if sums[cell] == best)
        assert int(plain(survey.heaviest)(planes, np.uint64(mask_of(cells)))) == heaviest


def unpaired(rests: Sequence[Mask]) -> list[Mask]:
    """Return the lines without those that have two cells of their own, as often as there are some."""
    cells = [cell for cell in range(64) if sum(rest >> cell & 1 for rest in rests) == 1]
    left = [rest for rest in rests if (rest & mask_of(cells)).bit_count() < 2]
    return unpaired(left) if len(left) < len(rests) else left


@pytest.mark.parametrize("board", [*PLACES[:2], PLACES[3], hypergraph(7)], ids=str)
def test_lines_with_two_cells_of_their_own_are_struck(board: Board) -> None:
    struck = set()
    for look in looks(board, 20):
        rests = look.ours.rests
        out = words([], len(rests) + 1)
        count = plain(survey.unpaired_lines)(words(rests, 1), len(rests), out)
        assert out[:count].tolist() == unpaired(rests)
        struck.add(len(rests) - count)
    assert any(struck)


def is_hopeless(look: Look, choice: Mask, attacker_moves: bool) -> bool:
    """Tell whether the weights of the lines, or of those that no pairs guard, are less than 1 after a best move."""
    rests, limit = look.ours.rests, 1 << look.unit
    left = unpaired(rests)
    whole, rest = weighed(rests, look.unit), weighed(left, look.unit)
    if whole * (1 + attacker_moves) < limit:
        return True
    if not attacker_moves:
        return rest < limit
    cells = [cell for cell in range(look.board.cells) if choice >> cell & 1]
    guarded = union(rests) & ~union(left)
    if len(cells) == 1 and choice & guarded:  # the attacker takes a cell of a pair, and moves again
        cells = list(range(look.board.cells))
    return rest + max(weighed([each for each in left if each >> cell & 1], look.unit) for cell in cells) < limit


@pytest.mark.parametrize("board", [*PLACES, Board.parse("1x9:4"), Board.parse("4x5:4")], ids=str)
def test_the_attacker_is_hopeless_where_little_weight_is_left(board: Board) -> None:
    told = set()
    for look in looks(board, 40):
        for choice in (look.blanks, *(1 << cell for cell in range(board.cells) if look.blanks >> cell & 1)):
            for attacker_moves in (True, False):
                given = look.view, np.uint64(choice), attacker_moves, look.unit, look.desk
                answer = plain(survey.is_hopeless)(*given)
                assert answer == is_hopeless(look, choice, attacker_moves)
                told.add((attacker_moves, bool(answer)))
    assert len(told) > 1
