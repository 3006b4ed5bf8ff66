"""When the attacker cannot win: pairs and weights, of positions as counts on lines, against the same in plain words."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pytest

from noughts.domain.board import Board
from noughts.kernels.search import pairs, quiet
from noughts.kernels.search.field import ATTACKER, BLANK, DEFENDER
from noughts.solving.attack.arena import STEPS, AttackBoard
from tests.kernels.plain import plain
from tests.kernels.test_attack_moves import attacker_wins, completing, live
from tests.kernels.test_field import arena_with, opened, played, put_up
from tests.solving.test_attack import hypergraph

PLACES = [Board.parse(spec) for spec in ("3x4:3", "4x4:4", "3x3x2:3", "1x6:3")] + [hypergraph(3), hypergraph(8)]


@dataclass
class Weighed:
    """The attacker's live lines, each with its weight in units of which ``limit`` make one, and the pairs chosen."""

    board: Board
    owner: list[int]
    limit: int
    weights: dict[tuple[int, ...], int] = field(default_factory=dict)
    paired: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        for line in live(self.board, self.owner, ATTACKER):
            self.weights[line] = max(1, self.limit >> sum(self.owner[cell] == BLANK for cell in line))

    @property
    def free(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.owner) if mark == BLANK and cell not in self.paired]

    def at(self, *cells: int) -> int:
        """The weight of the lines through all of these cells."""
        return sum(weight for line, weight in self.weights.items() if set(cells) <= set(line))

    @property
    def heaviest(self) -> int:
        return max(map(self.at, self.free), default=0)

    def gain(self, one: int, two: int) -> int:
        return 3 * self.at(one, two) - self.at(one) - self.at(two)

    def pair(self, one: int, two: int) -> None:
        """Let the defender answer each of two cells by the other."""
        self.paired |= {one, two}
        met = {line: len({one, two} & set(line)) for line in self.weights}
        self.weights = {line: weight << met[line] for line, weight in self.weights.items() if met[line] < 2}


def written(arena: AttackBoard, weighed: Weighed) -> None:
    """Write what is weighed to the room of the kernels."""
    scale = arena._scale
    scale.lines[:] = [weighed.weights.get(line, 0) for line in arena.board.lines]
    scale.paired[:] = [cell in weighed.paired for cell in range(arena.board.cells)]


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_lines_are_weighed_and_the_best_pair_is_chosen(board: Board) -> None:
    paired = 0
    for owner in opened(board, 15, (6, 2, 1)):
        arena = arena_with(board, owner)
        weighed = Weighed(board, owner, 1 << arena._unit)
        for _ in range(4):
            written(arena, weighed)
            whole, heaviest = plain(pairs._weigh)(arena._field, arena._marks, arena._scale)
            assert (whole, heaviest) == (sum(weighed.weights.values()), weighed.heaviest)
            assert [int(arena._scale.cells[cell]) for cell in weighed.free] == list(map(weighed.at, weighed.free))
            gain, one, two = plain(pairs._best_pair)(arena._field, arena._marks, arena._scale)
            together = [both for both in combinations(weighed.free, 2) if weighed.at(*both)]
            best = max((weighed.gain(*both) for both in together), default=0)
            assert gain == max(0, best)
            if gain <= 0:
                assert (one, two) == (-1, -1)
                break
            assert weighed.gain(one, two) == gain
            weighed.pair(one, two)
            paired += 1
    assert paired or board.cells < 8


def is_held(board: Board, owner: list[int], unit: int) -> bool:
    """Tell whether pairs, the best first, leave less weight than one with that of the heaviest cell, which is next."""
    weighed = Weighed(board, owner, 1 << unit)
    while True:
        whole = sum(weighed.weights.values())
        if whole + weighed.heaviest < weighed.limit:
            return True
        arena = arena_with(board, owner)
        written(arena, weighed)
        plain(pairs._weigh)(arena._field, arena._marks, arena._scale)
        gain, one, two = plain(pairs._best_pair)(arena._field, arena._marks, arena._scale)  # of equals it says which
        if gain <= 0 or whole > 4 * weighed.limit:
            return False
        weighed.pair(one, two)


@pytest.mark.parametrize("pairs_of_cells", [5, 16, 17, 20])
def test_pairs_hold_up_to_four_times_the_weight(pairs_of_cells: int) -> None:
    """Disjoint lines of two cells, each of a quarter: pairs hold them, but not where there are more than 16."""
    board = Board.from_lines(2 * pairs_of_cells, [(i, i + 1) for i in range(0, 2 * pairs_of_cells, 2)])
    arena = arena_with(board, [BLANK] * board.cells)
    assert arena._unit == 2
    assert plain(pairs.is_held)(arena._field, arena._marks, arena._scale, 2) == (pairs_of_cells <= 16)


def heaviest_first(board: Board, owner: list[int], unit: int) -> list[int]:
    weighed = Weighed(board, owner, 1 << unit)
    return sorted((cell for cell in weighed.free if weighed.at(cell)), key=lambda cell: -weighed.at(cell))


@dataclass
class Slow:
    """The same with some of the heaviest replies to each move, and so many positions that may still be weighed."""

    board: Board
    unit: int
    width: int
    budget: int

    def is_stopped(self, owner: list[int], steps: int) -> bool:
        """Tell whether after so many moves, each with one of the replies, all lines are held."""
        self.budget -= 1
        if is_held(self.board, owner, self.unit):
            return True
        if not steps or self.budget < 1:
            return False
        moves = heaviest_first(self.board, owner, self.unit)
        return all(self.is_answered(played(owner, ATTACKER, cell), steps) for cell in moves)

    def is_answered(self, owner: list[int], steps: int) -> bool:
        given = self.board, owner, self.unit, self.width
        return any(self.is_stopped(played(owner, DEFENDER, reply), steps - 1) for reply in replies(*given))


def replies(board: Board, owner: list[int], unit: int, width: int) -> list[int]:
    """Return the replies worth trying: none against two threats or a line, one against one."""
    if any(all(owner[cell] == ATTACKER for cell in line) for line in board.lines):
        return []
    threatened = completing(board, owner, ATTACKER)
    return (
        heaviest_first(board, owner, unit)[:width] if not threatened else [*threatened] if len(threatened) == 1 else []
    )


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_position_is_held_by_pairs_and_weights(board: Board) -> None:
    held = set()
    for owner in opened(board, 30, (6, 2, 1)):
        arena = arena_with(board, owner)
        before = put_up(arena)
        found = plain(pairs.is_held)(arena._field, arena._marks, arena._scale, arena._unit)
        assert found == is_held(board, owner, arena._unit)
        if found and sum(mark == BLANK for mark in owner) < 8:
            assert not attacker_wins(board, owner)
        out = np.zeros(board.cells, np.int32)
        count = plain(pairs._heaviest_first)(arena._field, arena._marks, arena._scale, arena._unit, out)
        assert out[:count].tolist() == heaviest_first(board, owner, arena._unit)
        assert put_up(arena) == before
        held.add(bool(found))
    assert held


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_position_is_stopped_after_some_moves(board: Board) -> None:
    stopped = set()
    for owner in opened(board, 8, (2, 1, 1)):
        for width, steps in ((1, STEPS), (3, STEPS), (2, 1), (3, 2)):
            arena = arena_with(board, owner)
            ladder = pairs.Ladder(*(part[:steps] for part in arena._ladder))
            before, given = put_up(arena), (arena._field, arena._marks, arena._scale, ladder, arena._unit)
            for budget in (1, 2, 3, 8, 1 << 20):
                found = plain(pairs.is_stopped)(*given, width, budget)
                assert found == Slow(board, arena._unit, width, budget).is_stopped(owner, steps)
                assert put_up(arena) == before
            stopped.add(bool(found))
        for cell in (cell for cell in range(board.cells) if owner[cell] == BLANK):
            after = played(owner, ATTACKER, cell)
            there = arena_with(board, after)
            rests = [[at for at in line if after[at] == BLANK] for line in live(board, after, ATTACKER) if cell in line]
            forced = {tuple(rest) for rest in rests if len(rest) < 2}
            reply = -1 if not forced else -2 if len(forced) > 1 or () in forced else max(forced)[0]
            assert plain(pairs._must_take)(there._field, there._marks, cell) == reply
    assert stopped


def test_a_line_that_is_complete_comes_too_late_for_any_reply() -> None:
    board = Board.parse("1x4:2")
    there = arena_with(board, [1, 1, 0, 0])
    assert plain(pairs._must_take)(there._field, there._marks, 1) == -2


@pytest.mark.parametrize("board", PLACES[:3], ids=str)
def test_weights_of_moves_are_in_units(board: Board) -> None:
    """The sums over live lines through a cell, of the attacker's twice and of the defender's."""
    for owner in opened(board, 20):
        if completing(board, owner, ATTACKER) or completing(board, owner, DEFENDER):
            continue
        arena = arena_with(board, owner)
        given = arena._field, arena._marks, arena._unit, arena._weights, arena._scale, arena._ladder, 1
        total = quiet.rank(*given, arena._moves)
        if total < 0:
            assert is_held(board, owner, arena._unit)
            continue
        limit = 1 << arena._unit
        ours = Weighed(board, owner, limit)
        theirs = Weighed(board, [mark if not mark else 3 - mark for mark in owner], limit)
        for cell in arena._moves[:total].tolist():
            assert arena._weights[:, cell].tolist() == [2 * ours.at(cell) + theirs.at(cell), theirs.at(cell)]
