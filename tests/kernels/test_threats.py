"""Kernels of attacks, one by one: pictures, their images, and the moves worth trying, against their definitions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor
from typing import Any

import numpy as np
import pytest

from noughts.kernels.search import replies as quiet
from noughts.kernels.search import threats
from noughts.kernels.search import threats as field
from noughts.kernels.search.threats import ATTACKER, BLANK, DEAD, DEFENDER
from noughts.rules.board import Board
from noughts.solving.attack.board import MOST, AttackBoard
from tests.kernels.plain import plain
from tests.solving.test_attack import hypergraph

BOARDS = ["3x4:3", "4x4:4", "2x2x3:2", "1x6:3", "3x3+torus"]


def owners(board: Board, number: int) -> Iterator[list[int]]:
    """Yield random positions as the owner of each cell; whose turn it is does not matter here."""
    dice = random.Random(number)
    for _ in range(number):
        marks = dice.sample(range(board.cells), dice.randrange(board.cells))
        yield [0 if cell not in marks else 1 + marks.index(cell) % 2 for cell in range(board.cells)]


def has_line(board: Board, owner: list[int], player: int) -> bool:
    return any(all(owner[cell] == player for cell in line) for line in board.lines)


def live(board: Board, owner: list[int], player: int) -> list[tuple[int, ...]]:
    """The lines without a mark of the other player, and without a dead cell."""
    return [line for line in board.lines if all(owner[cell] in (BLANK, player) for cell in line)]


def completing(board: Board, owner: list[int], player: int) -> set[int]:
    rests = ([cell for cell in line if owner[cell] == BLANK] for line in live(board, owner, player))
    return {rest[0] for rest in rests if len(rest) == 1}


@pytest.mark.parametrize("spec", BOARDS)
def test_a_picture_shows_what_lies_on_live_lines(spec: str) -> None:
    board = Board.parse(spec)
    arena = AttackBoard(board, slots=1 << 4)
    for owner in owners(board, 12):
        on = {cell for player in (1, 2) for line in live(board, owner, player) for cell in line}
        wanted = [owner[cell] if cell in on else DEAD for cell in range(board.cells)]
        drawn, least, chosen = arena.picture(np.array(owner, np.int8))
        assert drawn.tolist() == wanted
        image = arena.image(chosen)
        assert [least[image[cell]] for cell in range(board.cells)] == wanted
        for number in range(0, len(arena._field.images), 1 + len(arena._field.images) // 12):
            turned = [0] * board.cells
            for cell, to in enumerate(arena.image(number)):
                turned[to] = owner[cell]
            assert arena.picture(np.array(turned, np.int8))[1] == least
            again = np.frombuffer(least, np.int8)
            assert arena.picture(again)[1] == least, "dead cells stay dead"


@pytest.mark.parametrize("spec", BOARDS[:3])
def test_the_pictures_after_moves_are_those_of_the_positions_after_them(spec: str) -> None:
    board = Board.parse(spec)
    arena = AttackBoard(board, slots=1 << 4)
    for owner in owners(board, 20):
        blank = tuple(cell for cell in range(board.cells) if owner[cell] == BLANK)
        for player in (ATTACKER, DEFENDER):
            after = arena.after(np.array(owner, np.int8), blank, player)
            for cell, found in zip(blank, after, strict=True):
                played = [player if cell == at else mark for at, mark in enumerate(owner)]
                assert arena.picture(np.array(played, np.int8))[1] == found


def ranked(board: Board, owner: list[int], order: list[int]) -> list[int]:
    """The blank cells on live lines: by twice the weights of the attacker's and those of the defender's."""
    weight = dict.fromkeys(range(board.cells), 0.0)
    for player, times in ((ATTACKER, 2), (DEFENDER, 1)):
        for line in live(board, owner, player):
            for cell in line:
                weight[cell] += times * 2.0 ** -sum(owner[at] == BLANK for at in line)
    return sorted((cell for cell in order if owner[cell] == BLANK and weight[cell]), key=lambda cell: -weight[cell])


@pytest.mark.parametrize("spec", BOARDS)
def test_moves_worth_trying_are_ranked_by_weight(spec: str) -> None:
    board = Board.parse(spec)
    arena = AttackBoard(board, slots=1 << 4)
    seen = set()
    for owner in owners(board, 60):
        if has_line(board, owner, ATTACKER) or has_line(board, owner, DEFENDER):
            continue
        wins, dangers = completing(board, owner, ATTACKER), completing(board, owner, DEFENDER)
        found = arena.candidates(np.array(owner, np.int8))
        if wins:
            kind, fits = "wins", len(found) == 1 and set(found) <= wins
        elif len(dangers) > 1:
            kind, fits = "lost", found == []
        elif not found:
            kind, fits = "stopped", owner.count(BLANK) > 6 or not attacker_wins(board, owner)
        elif dangers:
            kind, fits = "forced", found == list(dangers)
        else:
            kind, fits = "free", found == ranked(board, owner, arena._field.order.tolist())
        assert fits, (kind, owner, found)
        seen.add(kind)
    assert len(seen) > 1


def attacker_wins(board: Board, owner: list[int], player: int = ATTACKER) -> bool:
    """Tell by trying everything whether the attacker completes a line before the defender does."""
    if completing(board, owner, player):
        return player == ATTACKER
    blank = [cell for cell in range(board.cells) if owner[cell] == BLANK]
    if len(blank) < 2 or not live(board, owner, ATTACKER):
        return False
    threats = completing(board, owner, 3 - player)
    after = (
        attacker_wins(board, [player if at == cell else mark for at, mark in enumerate(owner)], 3 - player)
        for cell in threats or blank
    )
    return any(after) if player == ATTACKER else all(after)


def test_what_a_move_leaves_to_be_answered() -> None:
    """On 1x6:3 with X on c1: d1 makes two threats; b1 makes them on a1 and d1; a1 threatens b1 alone."""
    arena = AttackBoard(Board.parse("1x6:3"), slots=1 << 8)
    owner = np.array([0, 0, 1, 0, 0, 0], np.int8)
    kinds = {cell: arena.attempt(owner, [cell])[0] for cell in (0, 1, 3, 4, 5)}
    assert [kinds[cell].kind for cell in (1, 3)] == [quiet.WON, quiet.WON]
    assert set(kinds[3].sequences) == {(1,), (4,)}
    assert set(kinds[1].sequences) == {(0,), (3,)}
    assert (kinds[0].kind, kinds[0].replies, kinds[0].sequences[0]) == (quiet.FORCES, (1,), (1,))
    both = arena.attempt(owner, [0, 1, 3])
    assert [each.cell for each in both] == [0, 1], "what wins ends the trying"
    three = arena.attempt(np.array([0, 1, 1, 2, 0, 0], np.int8), [0, 4])
    assert [(each.cell, each.kind, each.replies) for each in three] == [(0, quiet.WON, ())]
    none = arena.attempt(np.array([1, 2, 0, 0, 2, 0], np.int8), [2])
    assert (none[0].kind, none[0].replies) == (quiet.OPEN, (3, 5)), "all that is blank, for there is no sequence"


# Positions as counts on their lines, and threat sequences in them, against the same said of lists of owners.

PLACES = [Board.parse(spec) for spec in ("3x4:3", "4x4:4", "2x2x3:2", "1x8:3", "3x3+torus")] + [hypergraph(3)]
LONG, LONG_SEQUENCE = Board.parse("4x4:4"), [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0]
NOBODY = 99
"""More moves than any sequence has."""


def with_dead(board: Board, number: int) -> Iterator[list[int]]:
    """Yield random positions, every other with some dead cells."""
    dice = random.Random(board.cells)
    for i, owner in enumerate(owners(board, number)):
        dead = dice.sample(range(board.cells), 2) if i % 2 else []
        yield [DEAD if cell in dead else mark for cell, mark in enumerate(owner)]


def opened(board: Board, number: int, weights: tuple[int, int, int] = (5, 3, 2)) -> Iterator[list[int]]:
    """Yield so many random positions in which nobody has a line; the weights are those of blanks and of marks."""
    dice = random.Random(board.cells)
    while number:
        owner = dice.choices((BLANK, ATTACKER, DEFENDER), weights, k=board.cells)
        if not has_line(board, owner, ATTACKER) and not has_line(board, owner, DEFENDER):
            number -= 1
            yield owner


def played(owner: Sequence[int], player: int, *cells: int) -> list[int]:
    return [player if cell in cells else mark for cell, mark in enumerate(owner)]


def arena_with(board: Board, owner: Sequence[int], slots: int = 1 << 8) -> AttackBoard:
    arena = AttackBoard(board, slots=slots)
    field.set_up(arena._field, arena._marks, np.array(owner, np.int8))
    return arena


def put_up(arena: AttackBoard) -> tuple[Any, ...]:
    """Return all that is noted of the position."""
    return tuple(each.tolist() for each in arena._marks)


def noted(board: Board, owner: list[int], keys: np.ndarray) -> tuple[Any, ...]:
    """Return the same, counted line by line: a dead cell counts for both."""
    ours, theirs = ([sum(owner[cell] in (one, DEAD) for cell in line) for line in board.lines] for one in (1, 2))
    unmarked = [reduce(xor, (cell for cell in line if owner[cell] in (BLANK, DEAD)), 0) for line in board.lines]
    key = reduce(xor, (int(keys[mark - 1, cell]) for cell, mark in enumerate(owner) if mark), 0)
    return owner, ours, theirs, unmarked, [key]


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_position_is_counted_line_by_line(board: Board) -> None:
    for owner in with_dead(board, 12):
        arena = arena_with(board, owner)
        where, marks = arena._field, arena._marks
        assert put_up(arena) == noted(board, owner, where.keys)
        for cell in (cell for cell in range(board.cells) if owner[cell] == BLANK):
            for player in (ATTACKER, DEFENDER):
                plain(field.put)(where, marks, cell, player)
                assert put_up(arena) == noted(board, played(owner, player, cell), where.keys)
                plain(field.take)(where, marks, cell, player)
                assert put_up(arena) == noted(board, owner, where.keys)


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_cells_that_complete_a_line_are_seen(board: Board) -> None:
    for owner in opened(board, 40):
        arena = arena_with(board, owner)
        where, marks = arena._field, arena._marks
        wins, dangers = completing(board, owner, ATTACKER), completing(board, owner, DEFENDER)
        win, danger, many = plain(field.glance)(where, marks)
        assert win in wins if wins else win == -1
        if not wins:
            assert danger in dangers if dangers else danger == -1
            assert many == (len(dangers) > 1)
        for cell in (cell for cell in range(board.cells) if owner[cell] == BLANK):
            assert plain(threats.completes)(where, marks, cell) == (cell in wins)
            then = played(owner, ATTACKER, cell)
            rests = [[at for at in line if then[at] == BLANK] for line in live(board, then, ATTACKER) if cell in line]
            mine = {rest[0] for rest in rests if len(rest) == 1}
            assert plain(threats._is_double)(where, marks, cell) == (len(mine) > 1)
            after = arena_with(board, then)
            for at in range(board.cells):
                assert plain(threats._threatens)(after._field, after._marks, cell, at) == (at in mine)
            found = set(plain(quiet._threats_of)(after._field, after._marks, cell)) - {-1}
            assert found <= mine
            assert len(found) == min(2, len(mine))


def gain(board: Board, owner: list[int], cell: int, reply: int) -> int:
    """Return what a threat is worth on other lines: 4096 for each, and an eighth of it for each cell still needed."""
    needs = [sum(owner[at] != ATTACKER for at in line) for line in live(board, owner, ATTACKER)
             if cell in line and reply not in line]  # fmt: skip
    return sum(max(1, 4096 // 8**need) for need in needs)


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_threats_are_listed_by_what_else_they_further(board: Board) -> None:
    met = 0
    for owner in opened(board, 40):
        arena = arena_with(board, owner)
        where, marks, room = arena._field, arena._marks, arena._room
        plain(threats._list_pairs)(where, marks, room)
        double = plain(threats._list_threats)(where, marks, room, 0)
        listed = room.moves[0, : room.total[0]].tolist()
        makes = {cell: completing(board, played(owner, ATTACKER, cell), ATTACKER) - completing(board, owner, ATTACKER)
                 for cell in range(board.cells) if owner[cell] == BLANK}  # fmt: skip
        if not completing(board, owner, ATTACKER):
            doubles = {cell for cell, answers in makes.items() if len(answers) > 1}
            assert sorted(listed) == [cell for cell, answers in makes.items() if answers]
            assert double in doubles if doubles else double == -1
        replies = [int(room.reply[cell]) for cell in listed]
        worth = [gain(board, owner, cell, reply) for cell, reply in zip(listed, replies, strict=True)]
        assert worth == [
            plain(threats._gain)(where, marks, cell, reply) for cell, reply in zip(listed, replies, strict=True)
        ]
        plain(threats._sort_threats)(where, marks, room, 0)
        kept = sorted((each for each in zip(worth, listed, replies, strict=True) if each[0]), key=lambda one: -one[0])
        count = int(room.total[0])
        assert list(zip(room.moves[0, :count].tolist(), room.replies[0, :count].tolist(), strict=True)) == [
            each[1:] for each in kept
        ]
        met += len(kept) > 1
    assert met or board.cells > 8


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_lines_with_two_blanks_are_followed_from_move_to_move(board: Board) -> None:
    for owner in opened(board, 40):
        arena = arena_with(board, owner)
        where, marks, room = arena._field, arena._marks, arena._room
        plain(threats._list_pairs)(where, marks, room)
        blanks = [cell for cell, mark in enumerate(owner) if mark == BLANK]
        for depth, (move, reply) in enumerate(zip(blanks[::2], blanks[1::2], strict=False), 1):
            owner = played(played(owner, ATTACKER, move), DEFENDER, reply)
            plain(threats.put)(where, marks, move, ATTACKER)
            plain(threats.put)(where, marks, reply, DEFENDER)
            plain(threats._update_pairs)(where, marks, room, depth, move)
            lines = [line for line in board.lines if all(owner[cell] in (BLANK, ATTACKER) for cell in line)]
            assert [board.lines[line] for line in room.lines[depth, : room.pairs[depth]]] == [
                line for line in lines if sum(owner[cell] == BLANK for cell in line) == 2
            ]


def shortest(board: Board, owner: list[int], most: int = NOBODY) -> int:
    """Return how many moves of the attacker win, each a threat with one reply but the last; NOBODY if none do."""
    if completing(board, owner, ATTACKER):
        return 1
    dangers = completing(board, owner, DEFENDER)
    if len(dangers) > 1 or most < 1:
        return NOBODY
    best = NOBODY
    for cell in dangers or [cell for cell in range(board.cells) if owner[cell] == BLANK]:
        after = played(owner, ATTACKER, cell)
        answers = completing(board, after, ATTACKER)
        if len(answers) > 1:
            return 1
        if answers:
            best = min(best, 1 + shortest(board, played(after, DEFENDER, *answers), min(most, best) - 1))
    return best


def wins(board: Board, owner: list[int], sequence: Sequence[int]) -> bool:
    """Tell whether the attacker's moves and the forced replies, in turn, win for the attacker."""
    move, *rest = sequence
    dangers = completing(board, owner, DEFENDER)
    if owner[move] != BLANK:
        return False
    if completing(board, owner, ATTACKER):
        return move in completing(board, owner, ATTACKER)
    if dangers - {move}:
        return False
    after = played(owner, ATTACKER, move)
    answers = completing(board, after, ATTACKER)
    if not rest:
        return len(answers) > 1
    return rest[0] in answers and wins(board, played(after, DEFENDER, rest[0]), rest[1:])


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_shortest_sequence_is_found(board: Board) -> None:
    lengths = set()
    for owner in opened(board, 40):
        arena = arena_with(board, owner)
        where, marks, room = arena._field, arena._marks, arena._room
        length, before = shortest(board, owner), put_up(arena)
        for most in (1, 2, MOST):
            room.known[:] = 0
            answer = threats.find(where, marks, room, most, 1 << 20)
            assert put_up(arena) == before
            if length <= most:
                assert (answer, room.tally[2]) == (threats.FOUND, length)
                text = room.moves[:length, 0].tolist(), room.replies[:length, 0].tolist()
                sequence = [cell for pair in zip(*text, strict=True) for cell in pair][:-1]
                assert wins(board, owner, sequence)
                lengths.add(length)
            elif length < NOBODY:
                assert answer == threats.GAVE_UP
            else:
                assert answer == threats.NONE if most == MOST else answer != threats.FOUND
                opened_so_far = room.tally[0]
                assert threats.find(where, marks, room, most, 1 << 20) == answer
                assert room.tally[0] - opened_so_far <= most, "what is known is not opened again"
    assert lengths


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_sequence_holds_where_each_reply_is_forced(board: Board) -> None:
    dice, kinds = random.Random(5), set()
    for owner in opened(board, 40):
        arena = arena_with(board, owner)
        before, length = put_up(arena), shortest(board, owner)
        texts = [dice.sample(range(board.cells), size) for size in (1, 3, 5, 1, 3)]
        if length < NOBODY:
            room = arena._room
            threats.find(arena._field, arena._marks, room, MOST, 1 << 20)
            right = [int(rows[i, 0]) for i in range(length) for rows in (room.moves, room.replies)][:-1]
            texts += [right, right[2:], [*right[:-1], dice.randrange(board.cells)], right[:1]]
        for text in filter(None, texts):
            holds = plain(threats.holds)(arena._field, arena._marks, np.array([0, *text]), 1, 1 + len(text))
            assert holds == wins(board, owner, text), (owner, text)
            assert put_up(arena) == before
            kinds.add(holds)
    assert True in kinds


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_the_replies_left_are_those_that_no_sequence_refutes(board: Board) -> None:
    kinds = set()
    for owner in opened(board, 10):
        blank = [cell for cell in range(board.cells) if owner[cell] == BLANK]
        arena = AttackBoard(board, slots=1 << 10, limit=1 << 20)
        before = completing(board, owner, ATTACKER)
        for cell in blank:
            ((at, kind, replies, sequences),) = arena.attempt(np.array(owner, np.int8), [cell])
            assert at == cell
            kinds.add(kind)
            if cell in before:
                assert (kind, replies, sequences) == (quiet.WON, (), ())
                continue
            if before:
                continue
            after = played(owner, ATTACKER, cell)
            if completing(board, after, DEFENDER):
                if not completing(board, after, ATTACKER):  # no move worth trying makes a threat instead
                    assert (kind, replies, sequences) == (quiet.LOSES, (), ())
                continue
            threatened = completing(board, after, ATTACKER)
            rest = [each for each in blank if each != cell and each in (threatened or blank)]
            left = [each for each in rest if len(threatened) < 2
                    and shortest(board, played(after, DEFENDER, each)) == NOBODY]  # fmt: skip
            assert list(replies) == left
            if threatened:
                assert kind == (quiet.FORCES if left else quiet.WON)
                assert {(each,) for each in threatened} <= set(sequences) or len(threatened) > 2
                assert len(sequences) == (1 if left else 2)
            elif shortest(board, after) == NOBODY:
                assert (kind, sequences) == (quiet.OPEN, ())
            else:
                assert kind == (quiet.QUIET if left else quiet.WON)
                assert wins(board, after, sequences[0])
                for number, sequence in enumerate(sequences[1:], start=1):
                    fresh = [each for each in rest if wins(board, played(after, DEFENDER, each), sequence)]
                    assert any(
                        not any(wins(board, played(after, DEFENDER, each), one) for one in sequences[:number])
                        for each in fresh
                    )
    assert kinds


@pytest.mark.parametrize("board", PLACES, ids=str)
def test_a_reply_is_apart_that_neither_takes_nor_threatens(board: Board) -> None:
    """Of random sequences on random positions: the cells that matter, those of replies, and replies that do nothing."""
    dice, told = random.Random(6), set()
    for owner in owners(board, 30):
        blank = [cell for cell in range(board.cells) if owner[cell] == BLANK]
        if len(blank) < 4:
            continue
        arena = arena_with(board, owner)
        text = dice.sample(blank, dice.choice([1, 3]))
        written = np.array([9, 9, len(text), *text, 8])
        plain(quiet._spread)(arena._field, arena._marks, written, 2, 5, arena._room)
        last = {cell for line in board.lines if text[-1] in line and DEFENDER not in (owner[at] for at in line)
                for cell in line if owner[cell] == BLANK}  # fmt: skip
        used, answers = {*text, *last}, set(text[1::2])
        assert {cell for cell in range(board.cells) if arena._room.seen[cell] == 5} == used
        assert {cell for cell in used if arena._room.reply[cell] == 0} == answers
        for cell in blank:
            threatening = any(
                sum(owner[at] == DEFENDER or at == cell for at in line) + len(answers & set(line)) >= len(line) - 1
                for line in board.lines
                if cell in line and ATTACKER not in (owner[at] for at in line)
            )
            apart = plain(quiet._is_apart)(arena._field, arena._marks, cell, 5, arena._room)
            assert apart == (cell not in used and not threatening)
            told.add(bool(apart))
    assert told
