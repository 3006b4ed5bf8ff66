"""Threat sequences played out on the board, in plain Python."""

from __future__ import annotations

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board

__all__ = ["Threats", "played_out"]

Threats = tuple[Cell, ...]
"""The attacker's moves and the defender's forced replies in turn; the last is the attacker's."""


def played_out(board: Board, attack: Mask, defend: Mask, sequence: Threats) -> tuple[Cell, ...] | None:
    """Return the moves to the end of the game, the attacker to move, or None where the sequence does not win.

    A last move that makes two threats is followed by the defender's move to one and the attacker's to the other.
    """
    played: list[Cell] = []
    for number, move in enumerate(sequence):
        if (attack | defend) >> move & 1:
            return None
        played.append(move)
        if number % 2:
            defend |= 1 << move
            continue
        danger = _completing(board, defend, attack)
        attack |= 1 << move
        if board.has_line(attack):
            return tuple(played)
        if danger & ~(1 << move):
            return None
        threats = _completing(board, attack, defend)
        last = number == len(sequence) - 1
        if last:
            if threats.bit_count() < 2:
                return None
            one, two, *_ = cells_of(threats)
            return (*played, one, two)
        if not threats >> sequence[number + 1] & 1:
            return None
    return None


def _completing(board: Board, own: Mask, other: Mask) -> Mask:
    """Return the blanks that complete a line."""
    found = 0
    for line in board.line_masks:
        missing = line & ~own
        if missing & missing - 1 == 0 and not missing & other:
            found |= missing
    return found
