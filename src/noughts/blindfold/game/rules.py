"""The rules of blindfold play as a value: who is blind, what a collision costs, and what is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.domain.arguments import flag, text_of
from noughts.domain.errors import InvalidQuestion, shown
from noughts.domain.spelling import offered

__all__ = ["BLIND", "COLLISION", "GOALS", "TOLD", "Blind", "BlindRules", "Collision", "Goal", "Told"]

Blind = Literal["X", "O", "both"]
Collision = Literal["retry", "lose-turn"]
Told = Literal["collision", "last-move", "all", "nothing"]
Goal = Literal["never-lose", "always-win", "win-often"]

BLIND: tuple[Blind, ...] = ("X", "O", "both")
COLLISION: tuple[Collision, ...] = ("retry", "lose-turn")
TOLD: tuple[Told, ...] = ("collision", "nothing", "last-move", "all")
GOALS: tuple[Goal, ...] = ("never-lose", "always-win", "win-often")


@dataclass(frozen=True)
class BlindRules:
    """The rules of one blindfold game.

    `blind` is the player who sees nothing; the other sees everything. `opening_told` tells a blind O where X opened.
    A *collision* is a call of a cell that the opponent holds: with `retry` the player calls again, with `lose-turn`
    the turn is over. Upon a collision the player is told of the `collision` alone, of the opponent's `last-move`, or
    of `all` the opponent's marks; with `nothing` the calls form a list, and a taken cell is passed over in silence.
    """

    blind: Blind = "X"
    opening_told: bool = False
    collision: Collision = "retry"
    told: Told = "collision"

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("blind", self.blind, BLIND),
            ("collision", self.collision, COLLISION),
            ("told", self.told, TOLD),
        ):
            if text_of(name, value) not in allowed:
                raise InvalidQuestion(f"{name} cannot be {shown(value)}: choose from {offered(value, allowed)}")
        flag("opening_told", self.opening_told)
        if self.opening_told and self.blind != "O":
            raise InvalidQuestion("only a blind O can be told X's opening: add --blind O, or leave out --opening-told")
        if self.blind == "both" and (self.collision != "retry" or self.told == "nothing"):
            raise InvalidQuestion(
                "with both players blind only --collision retry is measured, told collision, last-move or all: "
                "leave out the other option"
            )

    @property
    def lead(self) -> int:
        """How many marks the opponent has more than the blind player when the blind player has not collided yet."""
        return 1 if self.blind == "O" else 0

    @property
    def opponent(self) -> str:
        """The player who sees everything."""
        return "X" if self.blind == "O" else "O"

    @property
    def loses_turn(self) -> bool:
        """Whether a collision ends the turn."""
        return self.collision == "lose-turn"

    def as_dict(self) -> dict[str, object]:
        """Return the rules for JSON."""
        return dict(vars(self))

    def sentence(self) -> str:
        """Return the rules in words."""
        if self.blind == "both":
            who = "neither player sees the other's moves"
        else:
            who = f"{self.blind} sees nothing and {self.opponent} sees everything"
        opening = "; O is told where X opened" if self.opening_told else ""
        if self.told == "nothing":
            cost = "a taken cell costs the turn" if self.loses_turn else "a taken cell is passed over for the next"
            return f"{who}{opening}; the calls form a fixed list, nothing is said, and {cost}"
        said = {
            "collision": "is told so",
            "last-move": "is told so, and where the opponent moved last,",
            "all": "is told so, and where all the opponent's marks are,",
        }[self.told]
        cost = "loses the turn" if self.loses_turn else "calls again"
        return f"{who}{opening}; who calls a taken cell {said} and {cost}"
