"""Whom one can play against: policies with a name and a sentence, and their choice of a move from a seed.

A choice is the same whenever the seed, the board and the position are: it can stand in a link.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.errors import InvalidQuestion
from noughts.domain.lots import drawn
from noughts.domain.position import Position
from noughts.solving.solution import Solution
from noughts.strategy.policies import GRADES, Policy, policy

__all__ = ["OPPONENTS", "Opponent", "choose", "opponents"]


@dataclass(frozen=True)
class Opponent:
    """A policy that one can play against: its name as a policy, its title, and what it does, in a sentence."""

    name: str
    title: str
    about: str


def _errs(name: str) -> str:
    return (
        f"With the chance {GRADES[name]}, where some move makes the outcome under best play worse, it plays one of "
        "those moves, each as likely as the others; else one of the moves that keep it"
    )


OPPONENTS = (
    Opponent("easy", "Easy", _errs("easy")),
    Opponent("medium", "Medium", _errs("medium")),
    Opponent("hard", "Hard", _errs("hard")),
    Opponent("perfect", "Perfect", "Plays only moves that keep the best outcome under best play"),
    Opponent(
        "trap:block",
        "Trap-setter",
        "Perfect, and of its good moves it plays one after which somebody who completes and blocks lines, and "
        "otherwise plays at random, most probably goes wrong",
    ),
    Opponent(
        "trap:random",
        "Trap-setter for beginners",
        "Perfect, and of its good moves it plays one after which a reply at random most probably goes wrong",
    ),
    Opponent("fork", "Fork", "Completes a line, else blocks one, else makes a fork, else plays at random"),
    Opponent("block", "Block", "Completes a line, else blocks one, else plays at random"),
    Opponent("win", "Win", "Completes a line when it can, else plays at random"),
    Opponent("random", "Random", "Plays any blank cell, each as likely as the others"),
)
"""All opponents, those for people first."""


def opponents(board: Board) -> tuple[Opponent, ...]:
    """Return the opponents that have a meaning on a board: under misere not those that complete and block lines."""
    return tuple(each for each in OPPONENTS if _is_defined(board, each.name))


def _is_defined(board: Board, name: str) -> bool:
    try:
        policy(board, name)
    except InvalidQuestion:
        return False
    return True


def choose(player: Policy, position: Position, solution: Solution | None, seed: str) -> Cell:
    """Return the move that a policy makes in an unfinished position, chosen by `seed` with its exact chances.

    The same for the same seed, board and position. Raises BudgetError where the values it needs were not found.
    """
    shares = player.probabilities(position, solution)
    whole = lcm(*(share.denominator for share in shares.values()))
    at = drawn(whole, f"{seed} {position.board.spec} {position}")
    for cell, share in shares.items():
        at -= share.numerator * (whole // share.denominator)
        if at < 0:
            return cell
    raise AssertionError("the chances of a policy sum to 1")
