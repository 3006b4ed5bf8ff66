"""Policies against each other: exact probabilities, and the best response to a policy with its value."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noughts.domain.arguments import is_word, whole_number
from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.extent import LISTED_CLASSES
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.position import Player, Position, opponent
from noughts.strategy.explain import unfinished
from noughts.strategy.playout import Distribution, Playout
from noughts.strategy.policies import FilePolicy, Policy, PolicyLike, policy
from noughts.strategy.weights import evenly

__all__ = ["BEST", "Match", "versus"]

BEST = "best"


@dataclass(frozen=True, repr=False)
class Match:
    """Probabilities of the outcomes of a game between two policies. `value` is P(X wins) - P(O wins).

    Where one side was `best`, `best_response` says which, and `response` holds its best moves as a policy.
    """

    start: Position
    x: str
    o: str
    x_wins: Fraction
    o_wins: Fraction
    draws: Fraction
    best_response: Player | None = None
    response: FilePolicy | None = None

    def __repr__(self) -> str:
        return f"<Match on {short(self.board)}, X {short(self.x, 20)}, O {short(self.o, 20)}: {_points(self.value)}>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    @property
    def value(self) -> Fraction:
        """P(X wins) - P(O wins)."""
        return self.x_wins - self.o_wins

    def as_dict(self) -> dict[str, object]:
        """Return the probabilities for JSON, as fractions in text."""
        return {
            "board": self.board.spec,
            "position": str(self.start),
            "x": self.x,
            "o": self.o,
            "x_wins": str(self.x_wins),
            "o_wins": str(self.o_wins),
            "draws": str(self.draws),
            "value": str(self.value),
            "best_response": self.best_response,
        }

    def response_as_dict(self) -> dict[str, object] | None:
        """Return the best response as a policy file has it, None where no side was `best`."""
        return None if self.response is None else self.response.as_dict(self.board)


def versus(
    board: Board | str,
    start: Position | str | None = None,
    *,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = LISTED_CLASSES,
) -> Match:
    """Return the exact probabilities when X plays by one policy and O by another, from the empty board or a position.

    One of them may be `best`: the best response to the other, which maximises P(win) - P(loss) and, of equals, P(win).
    Raises InputError for unknown policies and BudgetError for boards with more than `limit` position classes.

    >>> game = versus("3x3")
    >>> str(game.x_wins), str(game.o_wins), str(game.draws)
    ('737/1260', '121/420', '8/63')
    """
    board = Board.parse(board)
    whole_number("the limit", limit, 1)
    if is_word(x, BEST) and is_word(o, BEST):
        raise InputError("only one side can be the best response to the other: choose a policy for X or for O")
    players: dict[Player, Policy | None] = {
        "X": None if is_word(x, BEST) else policy(board, x),
        "O": None if is_word(o, BEST) else policy(board, o),
    }
    at = unfinished(board, start)
    responder: Player | None = next((player for player, chosen in players.items() if chosen is None), None)
    playout = Playout(at, players, _outcome, _Utility(responder), limit)
    ends = playout.run()
    names = {player: BEST if chosen is None else chosen.name for player, chosen in players.items()}
    chances = {key: ends.get(key, Fraction(0)) for key in ("X", "O", "draw")}
    response = None if responder is None else _as_policy(playout)
    return Match(at, names["X"], names["O"], chances["X"], chances["O"], chances["draw"], responder, response)


def _outcome(position: Position) -> str:
    outcome = position.outcome
    assert outcome is not None
    return outcome


def _points(value: Fraction) -> str:
    return f"value {value}" if len(str(value)) <= 24 else f"value about {float(value):.6f}"


class _Utility:
    """What a player maximises: P(win) - P(loss), then P(win)."""

    def __init__(self, player: Player | None) -> None:
        self._player = player

    def __call__(self, ends: Distribution) -> tuple[Fraction, ...]:
        if self._player is None:
            return ()
        win = ends.get(self._player, Fraction(0))
        return win - ends.get(opponent(self._player), Fraction(0)), win


def _as_policy(playout: Playout) -> FilePolicy:
    """Return the best moves as a policy: by class, or by position where the other may tell symmetric ones apart."""
    table = FrozenDict({at: evenly(moves) for at, moves in playout.best.items()})
    return FilePolicy("best response", table, by_class=playout.is_symmetric, board=playout.start.board)
