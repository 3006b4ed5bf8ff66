"""What one look at the lines tells of a position, as masks, against the same said of sets of cells."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations

import numpy as np
import pytest

from noughts.kernels.search import replies as pairs
from noughts.kernels.search import replies as quiet
from noughts.kernels.search import survey
from noughts.kernels.search.threats import ATTACKER, BLANK, DEFENDER, threat_through
from noughts.rules.board import Board
from noughts.rules.marks import Mask, mask_of
from noughts.solving.attack.board import STEPS, AttackBoard
from noughts.solving.weak.compiled import CompiledTools
from noughts.solving.weak.family import Key, Tools, least_sets
from tests.kernels.plain import plain
from tests.kernels.test_threats import arena_with, attacker_wins, completing, live, opened, played, put_up
from tests.solving.test_attack import hypergraph

PLACES_SURVEY = [Board.parse(spec) for spec in ("3x4:3", "4x4:4", "2x2x3:2", "1x8:3", "3x3+torus")] + [hypergraph(3)]
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
        self.scratch = survey.LineRoom(*(words([ALL] * size) for size in sizes))
        self.live = words([], lines + 1)
        given = np.uint64(self.attack), np.uint64(self.defend), words(self.board.line_masks), lines
        self.view = plain(survey.survey)(*given, self.live, self.unit, self.scratch)
        self.ours, self.theirs = (Side(self.board, self.owner, player) for player in (ATTACKER, DEFENDER))

    @property
    def blanks(self) -> Mask:
        return mask_of(cell for cell, mark in enumerate(self.owner) if not mark)


def looks(board: Board, number: int) -> Iterator[Look]:
    longest = max(map(len, board.lines))
    for i, owner in enumerate(opened(board, number, (4, 1, 1))):
        yield Look(board, owner, longest - (i % 3 == 2))


@pytest.mark.parametrize("board", PLACES_SURVEY, ids=str)
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
        assert look.scratch.our_lines[: view.ours].tolist() == ours.rests
        assert look.scratch.their_lines[: view.theirs].tolist() == theirs.rests
        either = [line for line, mask in zip(board.lines, board.line_masks, strict=True)
                  if not (mask & look.attack and mask & look.defend)]  # fmt: skip
        assert look.live[: view.live_lines].tolist() == [mask_of(line) for line in either]


@pytest.mark.parametrize("board", PLACES_SURVEY, ids=str)
def test_a_fork_is_broken_on_its_pairs_alone(board: Board) -> None:
    broken = 0
    for look in looks(board, 30):
        for side, lines in ((look.ours, look.scratch.our_lines), (look.theirs, look.scratch.their_lines)):
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


@pytest.mark.parametrize("board", PLACES_SURVEY, ids=str)
def test_weights_by_cell_are_sums_in_planes(board: Board) -> None:
    dice = random.Random(board.cells)
    for look in looks(board, 12):
        planes, rests = look.scratch.planes, look.ours.rests
        planes[:] = 5
        plain(survey.clear)(planes)
        plain(survey.add_lines)(planes, look.scratch.our_lines, len(rests), look.unit)
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


@pytest.mark.parametrize("board", [*PLACES_SURVEY[:2], PLACES_SURVEY[3], hypergraph(7)], ids=str)
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


@pytest.mark.parametrize("board", [*PLACES_SURVEY, Board.parse("1x9:4"), Board.parse("4x5:4")], ids=str)
def test_the_attacker_is_hopeless_where_little_weight_is_left(board: Board) -> None:
    told = set()
    for look in looks(board, 40):
        for choice in (look.blanks, *(1 << cell for cell in range(board.cells) if look.blanks >> cell & 1)):
            for attacker_moves in (True, False):
                given = look.view, np.uint64(choice), attacker_moves, look.unit, look.scratch
                answer = plain(survey.is_hopeless)(*given)
                assert answer == is_hopeless(look, choice, attacker_moves)
                told.add((attacker_moves, bool(answer)))
    assert len(told) > 1


# Families of the weak game: the kernels against the same in plain Python, uncompiled and with checked bounds too.


def replies_families(tools: Tools, key: Key) -> list[object]:
    """Return what Maker's moves lead to, with their families sorted."""
    return [
        (cell, [] if fork else sorted(tools.family(after)), *more, fork)
        for cell, after, *more, fork in tools.replies(key)
    ]


def answers(tools: Tools, key: Key) -> list[object]:
    """Return what Breaker's moves lead to, with their families sorted."""
    found = (tools.answer(key, cell) for cell in tools.moves(key))
    return [(sorted(tools.family(after)), *more) for after, *more in found]


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "4x4", "2x2x2", "3x3+torus"])
def test_what_is_asked_of_families_is_answered_as_in_plain_python(spec: str) -> None:
    board = Board.parse(spec)
    group, lines = board.group("board"), board.line_masks
    plain, compiled = Tools(group, lines), CompiledTools(group, lines)
    dice = random.Random(spec)
    asked = 0
    for _ in range(6):
        one, other = plain.key(least_sets(lines)), compiled.key(least_sets(lines))
        by_maker = dice.random() < 0.5
        while one[0]:
            assert sorted(plain.family(one[0])) == sorted(compiled.family(other[0]))
            assert one[1] == other[1]
            assert plain.moves(one[0]) == compiled.moves(other[0])
            for moves in (False, True):
                assert plain.pairs(one[0], maker_moves=moves) == compiled.pairs(other[0], maker_moves=moves)
            assert answers(plain, one[0]) == answers(compiled, other[0])
            asked += 1
            if any(member & (member - 1) == 0 for member in plain.family(one[0])):
                break
            assert replies_families(plain, one[0]) == replies_families(compiled, other[0])
            cell = dice.choice(plain.moves(one[0]))
            after, same = (
                tools.child(key, cell, by_maker=by_maker) for tools, key in ((plain, one[0]), (compiled, other[0]))
            )
            assert after[1:] == same[1:]
            if after[2]:
                break
            one, other, by_maker = after[:2], same[:2], not by_maker
    assert asked > 6


# When the attacker cannot win: pairs and weights, of positions as counts on lines, against the same in plain words.

PLACES_BOUNDS = [Board.parse(spec) for spec in ("3x4:3", "4x4:4", "3x3x2:3", "1x6:3")] + [hypergraph(3), hypergraph(8)]


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


@pytest.mark.parametrize("board", PLACES_BOUNDS, ids=str)
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
        return any(self.is_stopped(played(owner, DEFENDER, reply), steps - 1) for reply in replies_bounds(*given))


def replies_bounds(board: Board, owner: list[int], unit: int, width: int) -> list[int]:
    """Return the replies worth trying: none against two threats or a line, one against one."""
    if any(all(owner[cell] == ATTACKER for cell in line) for line in board.lines):
        return []
    threatened = completing(board, owner, ATTACKER)
    return (
        heaviest_first(board, owner, unit)[:width] if not threatened else [*threatened] if len(threatened) == 1 else []
    )


@pytest.mark.parametrize("board", PLACES_BOUNDS, ids=str)
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


@pytest.mark.parametrize("board", PLACES_BOUNDS, ids=str)
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
            assert (
                plain(threat_through)(there._field, there._marks, there._marks.ours, there._marks.theirs, cell) == reply
            )
    assert stopped


@pytest.mark.parametrize("board", PLACES_BOUNDS[:3], ids=str)
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
