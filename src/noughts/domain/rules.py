"""The rules of play: which moves a player's rule allows, and when the game is over.

A *move rule* binds one player, so that X and O may differ:

any       every blank cell
win       a cell that completes a line, if there is one; else any
block     win; else a cell where the opponent threatens to complete a line, if there is one; else any
fork      win; else block; else a move after which the mover has at least two threats, if there is one; else any
perfect   a move that keeps the best value attainable under free play, by value alone
quickest  perfect, and of these moves one that wins soonest or loses latest under free play; every move that draws

An *end rule* says when the game is over: `line` at a completed line or a full board, `decided` as soon as all
continuations that the move rules allow have the same outcome, `full` at a full board only. (mathrec.org, 2002.)
"""

from __future__ import annotations

from typing import Literal, get_args

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.position import completing_cells

__all__ = [
    "END_RULES",
    "MISERE_MOVE_RULES",
    "MOVE_RULES",
    "VALUE_RULES",
    "EndRule",
    "MoveRule",
    "allowed_cells",
    "forking_cells",
    "move_rules",
]

MoveRule = Literal["any", "win", "block", "fork", "perfect", "quickest"]
EndRule = Literal["line", "decided", "full"]

MOVE_RULES: tuple[MoveRule, ...] = get_args(MoveRule)
VALUE_RULES: tuple[MoveRule, ...] = ("perfect", "quickest")
"""The rules that look at values, to the end of the game."""
END_RULES: tuple[EndRule, ...] = get_args(EndRule)
MISERE_MOVE_RULES: tuple[MoveRule, ...] = ("any", "perfect", "quickest")


def move_rules(board: Board) -> tuple[MoveRule, ...]:
    """Return the rules that have a meaning on a board: where a line loses, not those that take and block lines."""
    return MISERE_MOVE_RULES if board.misere else MOVE_RULES


def allowed_cells(board: Board, x: Mask, o: Mask, rule: MoveRule) -> Mask:
    """Return the cells that the rule allows the side to move of an unfinished position, as a set; never empty.

    Assumes that nobody has a line and that a cell is blank. Not for VALUE_RULES: see `best_moves`.
    """
    blank = board.full & ~(x | o)
    if rule == "any":
        return blank
    assert rule not in VALUE_RULES
    own, other = (x, o) if x.bit_count() == o.bit_count() else (o, x)
    wins = completing_cells(board, own, blank)
    if wins or rule == "win":
        return wins or blank
    blocks = completing_cells(board, other, blank)
    if blocks or rule == "block":
        return blocks or blank
    return forking_cells(board, own, blank) or blank


def forking_cells(board: Board, own: Mask, blank: Mask) -> Mask:
    """Return the blank cells after which their owner has at least two threats, two different cells.

    Linear in the number of lines.
    """
    threats = 0
    after: dict[Mask, Mask] = {}
    for line in board.line_masks:
        missing = line & ~own
        many = missing.bit_count()
        if missing & ~blank or not 1 <= many <= 2:
            continue
        if many == 1:
            threats |= missing
        else:
            first, second = missing & -missing, missing & (missing - 1)
            after[first] = after.get(first, 0) | second
            after[second] = after.get(second, 0) | first
    found = 0
    for cell in cells_of(blank):
        bit = 1 << cell
        created = threats & ~bit | after.get(bit, 0)
        if created & (created - 1):
            found |= bit
    return found
