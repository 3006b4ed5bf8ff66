"""A game between people and opponents as one value: who sits where, the moves so far, and what the opponent plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InvalidQuestion, shown
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Player, Position, opponent
from noughts.domain.spelling import offered
from noughts.solving.solution import Solution
from noughts.strategy.ending import ending
from noughts.strategy.opponents import OPPONENTS, Opponent, choose, think
from noughts.strategy.policies import policy
from noughts.strategy.policy import Policy
from noughts.strategy.sight import Sight

__all__ = ["HUMAN", "SIDES", "Playing", "play_on"]

HUMAN = "human"
SIDES = (HUMAN, *(opponent.name for opponent in OPPONENTS))
"""Who can sit at the board."""

Valued = Callable[[Position], Solution]
"""Gives the values of a position when they are needed, a search begun anew. Raises BudgetError where nothing can."""


@dataclass(frozen=True)
class Playing:
    """A game as it stands: `moves` so far, of which the last `replied` were made by an opponent just now.

    `awaited` is the move that an opponent who is to move makes next, where the other side is an opponent, too; None
    where a person is to move, or the game is over. `known` says what was known to the opponent of the position before
    the reply, or before the move awaited, where not all positions are valued, None elsewhere.
    """

    board: Board
    x: str
    o: str
    seed: str
    moves: tuple[Cell, ...]
    replied: int = 0
    awaited: Cell | None = None
    known: Sight | None = None
    others: tuple[Opponent, ...] = ()
    """Who sits here beside people and OPPONENTS."""

    @property
    def position(self) -> Position:
        """The position reached."""
        return self.after(len(self.moves))

    def after(self, moves: int) -> Position:
        """Return the position after that many moves."""
        at = Position(self.board)
        for cell in self.moves[:moves]:
            at = at.play(cell)
        return at

    @property
    def reply(self) -> Cell | None:
        """The move that an opponent has just made."""
        return self.moves[-1] if self.replied else None

    def seat(self, player: Player) -> str:
        """Return who plays X or O: `human`, or the name of an opponent."""
        return self.x if player == "X" else self.o

    def opponent(self, player: Player) -> Opponent | None:
        """Return the opponent who plays X or O, None for a person."""
        return next((each for each in (*OPPONENTS, *self.others) if each.name == self.seat(player)), None)

    @property
    def people(self) -> tuple[Player, ...]:
        """The players that are people."""
        both: tuple[Player, ...] = ("X", "O")
        return tuple(player for player in both if self.seat(player) == HUMAN)

    @property
    def undone(self) -> tuple[Cell, ...] | None:
        """The moves to go back to: before the last move of a person, or of anybody where nobody is one.

        None where there is nothing to take back.
        """
        for n in range(len(self.moves) - 1, -1, -1):
            if not self.people or self.seat("X" if n % 2 == 0 else "O") == HUMAN:
                return self.moves[:n]
        return None

    @property
    def sentence(self) -> str:
        """How the game stands, addressed to the person where only one side is a person."""
        at = self.position
        if at.is_terminal:
            return self._over(at)
        if not self.people:
            assert self.awaited is not None
            return f"{at.to_move} plays {cell_name(self.board, self.awaited)} next."
        if len(self.people) == 2:
            return f"{at.to_move} is to move." if self.moves else "X begins."
        if self.reply is None:
            return f"You begin: you play {at.to_move}." if not self.moves else f"Your move: you play {at.to_move}."
        return f"{opponent(at.to_move)} plays {cell_name(self.board, self.reply)}. Your move: you play {at.to_move}."

    def _over(self, at: Position) -> str:
        how = ending(at)
        if len(self.people) != 1 or at.winner is None:
            return f"{how[0].upper()}{how[1:]}."
        return f"{'You win' if at.winner in self.people else 'You lose'}{'.' if ': ' in how else ':'} {how}."

    def as_dict(self) -> dict[str, object]:
        """Return the state of the game for JSON; cells by name, nobody to move where the game is over."""
        at = self.position

        def name(cell: Cell | None) -> str | None:
            return None if cell is None else cell_name(self.board, cell)

        return {
            "board": self.board.spec,
            "x": self.x,
            "o": self.o,
            "seed": self.seed,
            "moves": [name(cell) for cell in self.moves],
            "reply": name(self.reply),
            "awaited": name(self.awaited),
            "known": None if self.known is None else self.known.sentence,
            "position": str(at),
            "to_move": None if at.is_terminal else at.to_move,
            "over": at.is_terminal,
            "outcome": at.outcome,
            "legal": [name(cell) for cell in at.moves()],
        }


def play_on(
    board: Board,
    x: str,
    o: str,
    moves: tuple[Cell, ...],
    seed: str,
    valued: Valued,
    others: Mapping[Opponent, Policy] = FrozenDict(),
) -> Playing:
    """Return the game after `moves`, and after the reply of an opponent whom a person plays.

    `others` are opponents beside OPPONENTS, with their policies.

    `valued` is asked only where an opponent looks at values; where it raises BudgetError the opponent goes by what the
    marks say. Raises InputError for who is nobody, and under misere for opponents that take and block lines.
    """
    by_name = {opponent.name: policy for opponent, policy in others.items()}
    for side in (x, o):
        if side not in SIDES and side not in by_name:
            raise InvalidQuestion(f"{shown(side)} cannot play: choose from {offered(side, (*SIDES, *by_name))}")
        if side in SIDES and side != HUMAN:
            by_name[side] = policy(board, side)
    game = Playing(board, x, o, seed, moves, others=tuple(others))
    at = game.position
    side = game.seat(at.to_move)
    if at.is_terminal or side == HUMAN:
        return game
    player = by_name[side]
    shares, known = think(player, at, _values(at, valued) if player.needs_values else None)
    cell = choose(shares, at, seed)
    if not game.people:
        return replace(game, awaited=cell, known=known)
    return replace(game, moves=(*moves, cell), replied=1, known=known)


def _values(at: Position, valued: Valued) -> Solution | None:
    try:
        return valued(at)
    except BudgetError:
        return None
