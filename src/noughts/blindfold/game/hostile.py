"""Opponents who see everything: one replies at random, the other does harm."""

from __future__ import annotations

from random import Random

from noughts.blindfold.game.referee import Referee, Truth
from noughts.domain.bits import Cell

__all__ = ["hostile_replies", "hostile_reply", "random_reply"]


def random_reply(referee: Referee, truth: Truth, chance: Random) -> Cell:
    """Return one of the blank cells, each equally likely."""
    return chance.choice(referee.blanks(truth))


def hostile_reply(referee: Referee, truth: Truth, chance: Random) -> Cell:
    """Return one of `hostile_replies`, each equally likely."""
    return chance.choice(hostile_replies(referee, truth))


def hostile_replies(referee: Referee, truth: Truth) -> list[Cell]:
    """Return the replies that complete a line, or else block one, or else threaten most; under misere the reverse.

    They block only what the blind player may call: a threat through a cell the player knows to be taken is none.
    """
    sign = -1 if referee.board.misere else 1

    def harm(cell: Cell) -> tuple[int, int, int]:
        mine, yours = truth.other | {cell}, truth.own
        completes = sum(line <= mine for line in referee.lines)
        blocks = sum(line <= yours | {cell} for line in referee.lines)
        threats = len({c for line in referee.lines for c in line - mine if len(line - mine) == 1 and c not in yours})
        reach = sum(not line & yours for line in referee.lines if cell in line)
        return sign * completes, sign * blocks, sign * (10 * threats + reach)

    scored = [(harm(cell), cell) for cell in referee.blanks(truth)]
    best = max(score for score, _ in scored)
    return [cell for score, cell in scored if score == best]
