"""Kernels of attacks: wins on small boards and lines at random equal those of the table of all positions."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from noughts.kernels.bits import image_tables
from noughts.kernels.search import attack as search
from noughts.kernels.search import threats
from noughts.kernels.search.threats import ATTACKER, BLANK, DEFENDER
from noughts.rules.board import Board
from noughts.rules.marks import Mask, cells_of, mask_of
from noughts.solving.attack.attacker import Attacker
from noughts.solving.retrograde import SmallSolution
from tests.kernels.plain import plain
from tests.kernels.test_bounds import ALL, Look, is_hopeless, looks, union, unpaired, weighed
from tests.kernels.test_threats import opened, played
from tests.solving.test_attack import compare, hypergraph, open_positions


@pytest.mark.parametrize("seed", range(5))
def test_attacks_on_random_lines(seed: int) -> None:
    board = hypergraph(seed)
    attacker, solution = Attacker(board), SmallSolution(board)
    for position in open_positions(board):
        compare(attacker, solution, position)


def test_a_move_that_makes_two_threats_is_known_whichever_cells_they_are_on() -> None:
    """Two lines through cell 4, each with a mark and one more blank cell: that of the first is each cell in turn."""
    is_double: Any = threats._is_double
    field = SimpleNamespace(starts=[0, 3, 6], through=[0, 1], first=[0, 0, 0, 0, 0, 2])
    for first, second in ((0, 1), (1, 0), (2, 3), (0, 0), (3, 3)):
        marks = SimpleNamespace(theirs=[0, 0], ours=[1, 1], blanks=[first ^ 4, second ^ 4])
        assert is_double(field, marks, 4) == (first != second)
        for spoilt in (
            SimpleNamespace(**{**vars(marks), "ours": [1, 0]}),
            SimpleNamespace(**{**vars(marks), "theirs": [1, 0]}),
        ):
            assert not is_double(field, spoilt, 4)


# The search of one question, node by node, against the same in plain words with a dictionary for its table.

PLACES = [Board.parse(spec) for spec in ("3x4:3", "2x2x3:2", "1x8:3", "2x4:3", "3x3+torus")] + [hypergraph(3)]
MISERE = [Board.parse(spec) for spec in ("3x3+misere", "2x4:3+misere", "1x7:3+misere")]
ROOM = 24
"""More than any of these boards has cells."""


@cache
def ground(board: Board, fold: int = 0) -> search.Ground:
    images = image_tables(board.group("board").elements)
    return search.Ground(images, board.cells, max(map(len, board.lines)), int(board.misere), fold)


def stack_with(board: Board, owner: list[int], depth: int = 0) -> search.Stack:
    lines = len(board.lines) + 1
    sets, numbers = ([np.full(ROOM, 77, kind) for _ in range(5)] for kind in (np.uint64, np.int64))
    moves, room = np.full((ROOM, 64), 77), np.full((ROOM, lines), ALL, np.uint64)
    parts: list[Any] = [*sets, moves, *numbers[:3], room, numbers[3]]
    stack = search.Stack(*parts)
    stack.attack[depth], stack.defend[depth] = (
        mask_of(cell for cell, mark in enumerate(owner) if mark == player) for player in (ATTACKER, DEFENDER)
    )
    stack.lines[depth, : lines - 1] = board.line_masks
    stack.line_count[depth] = lines - 1
    return stack


def table(slots: int) -> search.Transpositions:
    return search.Transpositions(np.zeros((slots, 4), np.uint64))


def settled(look: Look, attacker_moves: bool) -> int:
    """Return the answer that threats and forks give, or no answer."""
    mover, other = (look.ours, look.theirs) if attacker_moves else (look.theirs, look.ours)
    yes, no = (search.YES, search.NO) if attacker_moves else (search.NO, search.YES)
    if mover.wins:
        return yes
    if other.wins:
        return no if other.wins.bit_count() > 1 else search.UNSETTLED
    return yes if mover.forks else search.UNSETTLED


def settled_misere(look: Look, attacker_moves: bool) -> int:
    mover = look.ours if attacker_moves else look.theirs
    if not look.blanks or not look.theirs.rests:
        return search.NO
    if look.blanks == look.blanks & mover.wins:
        return search.NO if attacker_moves else search.YES
    weight = weighed(unpaired(look.theirs.rests), look.unit)
    has_last_move = attacker_moves != (look.blanks.bit_count() % 2 == 1)
    return search.NO if weight * (1 + has_last_move) < 1 << look.unit else search.UNSETTLED


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_threats_and_forks_settle_a_position(board: Board) -> None:
    told = set()
    for look in looks(board, 40):
        for attacker_moves in (True, False):
            answer = plain(search.settle)(look.view, attacker_moves)
            assert answer == settled(look, attacker_moves)
            told.add(answer)
            blanks = np.uint64(look.blanks)
            given = look.view, blanks, attacker_moves, look.unit, look.scratch
            assert plain(search.settle_misere)(*given) == settled_misere(look, attacker_moves)
            assert int(plain(search.escapes)(look.view, attacker_moves, look.scratch)) == escapes(look, attacker_moves)
    assert len(told) > 1


def escapes(look: Look, attacker_moves: bool) -> Mask:
    """Return the cells that lie, for each fork of the player who does not move, on one of its pairs."""
    other, cells = (look.theirs if attacker_moves else look.ours), ALL
    for cell in cells_of(other.forks):
        cells &= union([pair for pair in other.pairs if pair >> cell & 1])
    return cells


def key_of(board: Board, look: Look, fold: int) -> tuple[Mask, ...]:
    """Return what matters: marks on own live lines, blanks on live lines; the least image where much is blank."""
    rest = look.blanks & (ALL if board.misere else look.ours.live | look.theirs.live)
    key = look.attack & look.ours.live, look.defend & look.theirs.live, rest
    if look.blanks.bit_count() < fold:
        return key
    return min(tuple(map(image, key)) for image in board.group("board").images)


@pytest.mark.parametrize("board", [PLACES[0], *PLACES[2:5], Board.parse("4x4:4"), *MISERE], ids=str)
def test_a_key_is_what_matters_or_its_least_image(board: Board) -> None:
    crowded = (Look(board, owner, max(map(len, board.lines))) for owner in opened(board, 40, (2, 3, 3)))
    for look in (*looks(board, 20), *crowded):
        for fold in (0, look.blanks.bit_count(), look.blanks.bit_count() + 1):
            stack = stack_with(board, look.owner, 2)
            plain(search.make_key)(ground(board, fold), stack, 2, look.view, np.uint64(look.blanks))
            found = tuple(int(part[2]) for part in (stack.key_attack, stack.key_defend, stack.key_blanks))
            assert found == key_of(board, look, fold)


def test_answers_are_kept_in_one_of_two_places() -> None:
    """The second where what is in the first has cost more work; an answer is that of the whole key and the side."""
    dice, known, stack = random.Random(1), table(4), stack_with(Board.parse("1x8:3"), [0] * 8)
    model: dict[int, tuple[tuple[int, ...], int, int]] = {}
    recalled = set()
    for _ in range(600):
        key = [dice.randrange(3) for _ in range(3)]
        stack.key_attack[3], stack.key_defend[3], stack.key_blanks[3] = key
        side, answer, work = dice.randrange(2), dice.choice([search.YES, search.NO]), dice.randrange(6)
        place = int(plain(search.slot_of)(*map(np.uint64, key), side, 4))
        kept = [model[at] for at in (place, place ^ 1) if at in model]
        wanted = next((each[1] for each in kept if each[0] == (*key, side)), search.UNSETTLED)
        assert plain(search.recall)(known, stack, 3, side) == wanted
        recalled.add(wanted)
        if dice.random() < 0.3:
            plain(search.keep)(known, stack, 3, side, answer, work)
            if place in model and model[place][2] > work:
                place ^= 1
            model[place] = (*key, side), answer, work
    assert recalled == {search.UNSETTLED, search.YES, search.NO}


def listed(look: Look, candidates: Mask, first: Mask, *, misere: bool, attacker_moves: bool) -> list[int]:
    """Return the cells, those of ``first`` before the others, each by its weight; the last first under misere."""
    unit = look.unit
    twice, once = (look.ours, look.theirs) if attacker_moves or not misere else (look.theirs, look.ours)

    def order(cell: int) -> tuple[bool, int, int]:
        one, other = ([rest for rest in side.rests if rest >> cell & 1] for side in (twice, once))
        return not first >> cell & 1, -2 * weighed(one, unit) - weighed(other, unit), cell

    cells = sorted(cells_of(candidates), key=order)
    return cells[::-1] if misere else cells


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_moves_are_listed_by_weight(board: Board) -> None:
    dice = random.Random(board.cells)
    for look in looks(board, 20):
        candidates, first = (look.blanks & dice.getrandbits(board.cells) for _ in range(2))
        for misere, attacker_moves in product((False, True), (False, True)):
            moves = np.full(64, 77)
            place = ground(board)._replace(unit=look.unit, misere=int(misere))
            given = place, look.view, attacker_moves, look.scratch, moves
            total = plain(search.list_moves)(np.uint64(candidates), np.uint64(first), *given)
            assert moves[:total].tolist() == listed(
                look, candidates, first, misere=misere, attacker_moves=attacker_moves
            )


@dataclass
class Slow:
    """The same search, which counts the nodes that it opens."""

    board: Board
    fold: int
    nodes: int = 0
    known: dict[tuple[tuple[Mask, ...], bool], int] = field(default_factory=dict)

    def opened(self, owner: list[int], attacker_moves: bool) -> tuple[int, list[int], tuple[Mask, ...] | None]:
        """Return the answer if there is one at once, the moves, and the key under which the answer is kept."""
        look = Look(self.board, owner, max(map(len, self.board.lines)))
        mover, other = (look.ours, look.theirs) if attacker_moves else (look.theirs, look.ours)
        if self.board.misere:
            answer = settled_misere(look, attacker_moves)
            candidates, threats, forced = look.blanks & ~mover.wins, 0, 0
        else:
            answer, forced, threats = settled(look, attacker_moves), other.wins, union(mover.pairs)
            candidates = look.blanks & (look.ours.live | look.theirs.live)
            if not answer and is_hopeless(look, forced or look.blanks, attacker_moves):
                answer = search.NO
            if not answer and not forced:
                candidates &= threats | escapes(look, attacker_moves)
                if not candidates:
                    answer = search.NO if attacker_moves else search.YES
        if answer:
            return answer, [], None
        if forced:
            return answer, [*cells_of(forced)], None
        key = key_of(self.board, look, self.fold)
        answer = self.known.get((key, attacker_moves), search.UNSETTLED)
        return answer, listed(look, candidates, threats, misere=self.board.misere, attacker_moves=attacker_moves), key

    def solved(self, owner: list[int], attacker_moves: bool) -> int:
        self.nodes += 1
        answer, moves, key = self.opened(owner, attacker_moves)
        if answer:
            return answer
        wanted = search.YES if attacker_moves else search.NO
        for move in moves:
            answer = self.solved(played(owner, ATTACKER if attacker_moves else DEFENDER, move), not attacker_moves)
            if answer == wanted:
                break
        if key is not None:
            self.known[key, attacker_moves] = answer
        return answer


@cache
def unsettled(board: Board) -> list[list[int]]:
    return [[BLANK] * board.cells, *opened(board, 6, (5, 1, 1))]


@pytest.mark.parametrize("board", [*PLACES, *MISERE], ids=str)
def test_a_node_is_settled_or_its_moves_are_listed(board: Board) -> None:
    kinds = set()
    for owner in opened(board, 40, (4, 1, 1)):
        for side in (0, 1):
            slow, stack, known = Slow(board, 0), stack_with(board, owner, 1), table(1 << 8)
            look = Look(board, owner, max(map(len, board.lines)))
            given = ground(board), known, stack, look.scratch, 1, side, 9
            answer, moves, key = slow.opened(owner, side == 1)
            assert plain(search.open_node)(*given) == answer
            assert stack.lines[2, : stack.line_count[2]].tolist() == look.live[: look.view.live_lines].tolist()
            if not answer:
                assert stack.next[1] == 0
                assert stack.moves[1, : stack.total[1]].tolist() == moves
                assert stack.started[1] == (search.NOT_STORED if key is None else 9)
            if not answer and key is not None:
                plain(search.keep)(known, stack, 1, side, search.YES, 5)
                assert plain(search.open_node)(*given) == search.YES
            kinds.add((answer, key is None))
    assert len(kinds) > 1


@pytest.mark.parametrize("board", [*PLACES, *MISERE], ids=str)
def test_a_search_opens_what_the_same_in_plain_words_opens(board: Board) -> None:
    """The same answers and the same number of nodes, at once or in parts."""
    for owner in unsettled(board):
        for side in (0, 1):
            slow = Slow(board, board.cells - 3)
            answer = slow.solved(owner, side == 1)
            for part in (1 << 20, 7):
                known, stack, registers = table(1 << 14), stack_with(board, owner), np.zeros(4, np.int64)
                desk = Look(board, owner, max(map(len, board.lines))).scratch
                given = ground(board, board.cells - 3), known, stack, desk, side, part, registers
                found, opened_so_far = search.UNSETTLED, 0
                while not found:
                    found = search.search(*given)
                    opened_so_far += part
                    assert registers[search.NODES] == min(opened_so_far, slow.nodes)
                assert found == answer
                assert opened_so_far - part < slow.nodes
