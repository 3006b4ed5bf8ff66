"""Whom one can play against: policies with a name and a sentence, and their choice of a move from a seed.

A choice is the same whenever the seed, the board and the position are: it can stand in a link.

Opponents that look at values play as their policies do where all positions are valued. Where a search values one
position at a time, or nothing does, they go by what is known (`sight`):

1. the good moves are those known to keep what can be forced; where none is, those that are not known to be worse;
2. of the good moves it plays those that complete a line, else those that block one, else those that make a fork, where
   there are such (not under misere), each as likely as the others;
3. who errs plays, with its chance, one of the moves known to be worse than the good ones, where there are such;
4. who sets traps plays as Perfect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import InvalidQuestion
from noughts.domain.lots import drawn
from noughts.domain.position import Player, Position
from noughts.domain.rules import allowed_cells
from noughts.solving.search import NAME as SEARCH
from noughts.solving.solution import Solution
from noughts.strategy.policies import GRADES, FilePolicy, Policy, policy
from noughts.strategy.sight import Sight, sight_of

__all__ = ["OPPONENTS", "Opponent", "choose", "manners", "opponents", "think", "unvalued_play"]


@dataclass(frozen=True)
class Opponent:
    """A policy that one can play against: its name as a policy, its title, what it does, in a sentence, and the sides
    that it can play.
    """

    name: str
    title: str
    about: str
    sides: tuple[Player, ...] = ("X", "O")


def _errs(name: str) -> str:
    return (
        f"Makes a mistake with the chance {GRADES[name]} where one can be made: a move after which it can force less "
        "than before. Else it plays a good move; one mistake, or good move, is as likely as another"
    )


OPPONENTS = (
    Opponent("easy", "Easy", _errs("easy")),
    Opponent("medium", "Medium", _errs("medium")),
    Opponent("hard", "Hard", _errs("hard")),
    Opponent("perfect", "Perfect", "Never makes a mistake: plays only moves that keep what it can force"),
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


def unvalued_play(board: Board, opponent: Opponent) -> str:
    """Return how an opponent who looks at values plays where not all positions are valued, in a sentence."""
    lines = "" if board.misere else ", and of those one that completes a line, else blocks one, else makes a fork"
    well = f"a move known to keep what can be forced, else one that is not known to be worse{lines}"
    if opponent.name in GRADES:
        return (
            f"Here it plays with the chance {GRADES[opponent.name]} a move known to be worse than others, where there "
            f"is one; else {well}"
        )
    return f"Here it {'sets no traps: it ' if opponent.name.startswith('trap') else ''}plays {well}"


def opponents(board: Board) -> tuple[Opponent, ...]:
    """Return the opponents that have a meaning on a board: under misere not those that complete and block lines."""
    return tuple(each for each in OPPONENTS if _is_defined(board, each.name))


def manners(board: Board, *, whole: bool) -> dict[str, str]:
    """Return how each opponent plays on a board, by name; `whole` says whether all its positions are valued."""
    return {
        each.name: each.about if whole or not policy(board, each.name).needs_values else unvalued_play(board, each)
        for each in opponents(board)
    }


def _is_defined(board: Board, name: str) -> bool:
    try:
        policy(board, name)
    except InvalidQuestion:
        return False
    return True


def think(player: Policy, position: Position, solution: Solution | None) -> tuple[dict[Cell, Fraction], Sight | None]:
    """Return the chance of each move that a player may make in an unfinished position, and what it went by.

    The chances sum to 1; it goes by a `Sight` where it looks at values and not all positions are valued. `solution`
    None says that nothing is valued; one by search has to be fresh, for the same answer each time.
    """
    if isinstance(player, FilePolicy):
        listed = player.listed(position)
        if listed is not None:
            return dict(listed), None
        if player.otherwise is not None:
            return think(player.otherwise, position, solution)
    if not player.needs_values or (solution is not None and solution.engine != SEARCH):
        return player.probabilities(position, solution), None
    known = sight_of(position, solution)
    bad = list(cells_of(known.worse))
    good = list(cells_of(_by_rule(known)))
    error = GRADES.get(player.name, Fraction(0)) if bad else Fraction(0)
    shares = dict.fromkeys(good, (1 - error) / len(good)) | {cell: error / len(bad) for cell in bad}
    return {cell: shares[cell] for cell in sorted(shares) if shares[cell]}, known


def _by_rule(known: Sight) -> Mask:
    """Return of the good moves those that complete, block or fork, where there are such."""
    at = known.position
    if at.board.misere:
        return known.good
    return known.good & allowed_cells(at.board, at.x, at.o, "fork") or known.good


def choose(shares: Mapping[Cell, Fraction], position: Position, seed: str) -> Cell:
    """Return one of the moves with given chances, chosen by `seed`: the same for the same seed, board and position."""
    whole = lcm(*(share.denominator for share in shares.values()))
    at = drawn(whole, f"{seed} {position.board.spec} {position}")
    for cell, share in shares.items():
        at -= share.numerator * (whole // share.denominator)
        if at < 0:
            return cell
    raise AssertionError("the chances of a policy sum to 1")
