"""The rules of the beads: how many to begin with, what a game adds or takes, what happens to an empty box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.domain.arguments import flag, integer, one_of, wrong_type
from noughts.domain.errors import InputError, shown
from noughts.domain.players import Outcome, Player

__all__ = ["EMPTY", "SCHEMES", "SYMMETRIC", "BeadRules", "bead_rules"]

SCHEMES = ("michie", "doubling")
"""Beads of each colour by the turns that the machine has still to come: 4, 3, 2, 1, or 8, 4, 2, 1."""
SYMMETRIC = ("once", "each")
EMPTY = ("resign", "refill", "keep")
_MOST = 1_000_000


@dataclass(frozen=True)
class BeadRules:
    """How a machine of matchboxes is filled and taught.

    `beads` is one of SCHEMES, or the beads of each colour at the first turn, the second, and so on, the last number
    for all turns after. `win`, `draw` and `loss` are added to the colour drawn in each box that was opened. With
    `symmetric` `once` cells that a symmetry of the position takes to each other share one colour, with `each` every
    cell has its own. An `empty` box makes the machine `resign`, or is `refill`ed as at the start; `keep` leaves the
    last bead where it is. `last_boxes` are boxes for positions with one blank cell, where there is nothing to choose.
    """

    beads: str | tuple[int, ...] = "michie"
    win: int = 3
    draw: int = 1
    loss: int = -1
    symmetric: str = "once"
    empty: str = "resign"
    last_boxes: bool = False

    def start(self, turn: int, left: int) -> int:
        """Return the beads of each colour at the `turn`-th turn of the machine, from 1, with `left` to come, this one
        included."""
        if self.beads == "michie":
            return left
        if self.beads == "doubling":
            return int(2 ** (left - 1))
        numbers = self.beads
        assert isinstance(numbers, tuple)
        return numbers[min(turn, len(numbers)) - 1]

    def reward(self, player: Player, outcome: Outcome) -> int:
        """Return what is added to each colour drawn after a game with this outcome."""
        if outcome == "draw":
            return self.draw
        return self.win if outcome == player else self.loss

    def as_dict(self) -> dict[str, object]:
        """Return the rules for JSON."""
        return {
            "beads": self.beads if isinstance(self.beads, str) else list(self.beads),
            "win": self.win,
            "draw": self.draw,
            "loss": self.loss,
            "symmetric": self.symmetric,
            "empty": self.empty,
            "last_boxes": self.last_boxes,
        }


def bead_rules(
    beads: str | Sequence[int] = "michie",
    reward: Sequence[int] = (3, 1, -1),
    symmetric: str = "once",
    empty: str = "resign",
    last_boxes: bool = False,
) -> BeadRules:
    """Return the rules. `beads` may be text, as on the command line: a scheme, or numbers such as `4,3,2,1`.

    Raises InputError.
    """
    win, draw, loss = _reward(reward)
    if max(map(abs, (win, draw, loss))) > _MOST:
        raise InputError(f"a reward is at most {_MOST:,} beads either way: give smaller numbers")
    one_of("what symmetric cells have", symmetric, SYMMETRIC)
    one_of("what happens to an empty box", empty, EMPTY)
    return BeadRules(_beads(beads), win, draw, loss, symmetric, empty, flag("last_boxes", last_boxes))


def _reward(given: object) -> list[int]:
    if not isinstance(given, list | tuple):
        raise wrong_type("the reward", given, "three numbers, for a win, a draw and a loss")
    if len(given) != 3:
        raise InputError(f"the reward cannot be {shown(str(given))}: give three numbers, for a win, a draw and a loss")
    return [integer("a reward", each) for each in given]


def _beads(given: str | Sequence[int]) -> str | tuple[int, ...]:
    if isinstance(given, str):
        if given in SCHEMES:
            return given
        parts = given.split(",")
        if not all(part.strip().isdecimal() for part in parts):
            raise InputError(
                f"the beads cannot be {shown(given)}: give {' or '.join(SCHEMES)}, or numbers by turn such as 4,3,2,1"
            )
        return _numbers([int(part) for part in parts])
    if not isinstance(given, Sequence) or isinstance(given, bytes):
        raise wrong_type("the beads", given, f"{' or '.join(SCHEMES)}, or numbers by turn")
    return _numbers([integer("a number of beads", each) for each in given])


def _numbers(numbers: Sequence[int]) -> tuple[int, ...]:
    if not numbers or any(not 1 <= number <= _MOST for number in numbers):
        raise InputError(
            f"beads by turn are from 1 to {_MOST:,}, not {', '.join(map(str, numbers)) or 'none'}: give 4,3,2,1"
        )
    return tuple(numbers)
