"""Kernels of attacks, one by one: pictures, their images, and the moves worth trying, against their definitions."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from noughts.domain.board import Board
from noughts.kernels.search import quiet
from noughts.kernels.search.field import ATTACKER, BLANK, DEAD, DEFENDER
from noughts.solving.attack.arena import AttackBoard

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
