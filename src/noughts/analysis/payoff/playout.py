"""The exact distribution of endings between two policies, or between a policy and the best response to it.

An ending is X's win, O's win or a drawn full board; the opponent of a policy that concedes wins. Probabilities are
Fractions. The recursion visits each position class once if both policies treat symmetric positions alike, else each
labelled position once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from noughts.analysis.explain.facts import FromStart, unfinished
from noughts.analysis.policies.policy import BEST, Policy, evenly
from noughts.analysis.policies.reading import PolicyLike, best_of, policy
from noughts.analysis.policies.table import FilePolicy
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import is_word, whole_number
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.game import LISTED_CLASSES, QUICK_CLASSES, Game, Marks, class_bound, require_listed
from noughts.rules.marks import Mask, Player, cells_of, opponent
from noughts.rules.position import Position, PositionLike
from noughts.rules.values import FrozenDict

if TYPE_CHECKING:
    from noughts.solving.solution import Solution

Distribution = dict[str, Fraction]
"""The probability of each ending."""
Players = dict[Player, Policy | None]
"""The policy of each side; None for the best response."""


@dataclass
class Playout:
    """Two policies on a board, None for the side that plays the best response.

    `ending` names the ending of a finished position. The best response maximises `utility`, a tuple of numbers that are
    linear in the distribution; later numbers break ties.
    """

    start: Position
    players: Players
    ending: Callable[[Position], str]
    utility: Callable[[Distribution], tuple[Fraction, ...]]
    limit: int = LISTED_CLASSES
    best: dict[tuple[Mask, Mask], Mask] = field(default_factory=dict)
    """The best moves of the best response by class, or by position unless `is_symmetric`."""
    _known: dict[Marks, Distribution] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.is_symmetric = all(player is None or player.is_symmetric for player in self.players.values())

    def run(self) -> Distribution:
        """Return the distribution of endings from the start. Raises BudgetError for large boards before it starts."""
        require_listed(self.start, "playing policies out", self.limit, has_option=True)
        self._solution = values_for_players(self.start, self.players)
        self._game = Game(self.start.board, self.start)
        return self._at(self._game.start)

    def _at(self, state: Marks) -> Distribution:
        key = self._game.canonical(state) if self.is_symmetric else state
        if key not in self._known:
            self._known[key] = self._compute(key)
        return self._known[key]

    def _compute(self, state: Marks) -> Distribution:
        game, position = self._game, Position(self.start.board, state.x, state.o)
        if game.outcome(state) is not None:
            return {self.ending(position): Fraction(1)}
        player = self.players[game.to_move(state)]
        if player is None:
            found = {cell: self._at(game.play(state, cell)) for cell in cells_of(game.moves(state))}
            best = best_of({cell: self.utility(distribution) for cell, distribution in found.items()})
            self.best[state.x, state.o] = best
            return found[next(cells_of(best))]
        shares = player.probabilities(position, self._solution)
        mixed: Distribution = {} if shares else {opponent(game.to_move(state)): Fraction(1)}
        for cell, share in shares.items():
            for end, chance in self._at(game.play(state, cell)).items():
                mixed[end] = mixed.get(end, Fraction(0)) + share * chance
        return mixed


@dataclass(frozen=True, repr=False)
class Match(FromStart):
    """Probabilities of the outcomes of a game between two policies. `value` is P(X wins) - P(O wins).

    If one side was `best`, `best_response` names it, and `response` has its best moves as a policy; None where there
    are too many positions for a file.
    """

    x: str
    o: str
    x_wins: Fraction
    o_wins: Fraction
    draws: Fraction
    best_response: Player | None = None
    response: FilePolicy | None = None
    keys = "board position=start x o x_wins o_wins draws value best_response"

    @property
    def value(self) -> Fraction:
        """P(X wins) - P(O wins)."""
        return self.x_wins - self.o_wins


def players_of(board: Board, x: PolicyLike, o: PolicyLike) -> Players:
    """Return the policies of both sides; one of them may be `best`. Raises InputError."""
    if is_word(x, BEST) and is_word(o, BEST):
        raise InputError("only one side can be the best response to the other: choose a policy for X or for O")
    given: tuple[tuple[Player, PolicyLike], ...] = (("X", x), ("O", o))
    return {player: None if is_word(each, BEST) else policy(board, each) for player, each in given}


def values_for_players(start: Position, players: Players) -> Solution | None:
    """Return the values from a start where a policy needs them, else None."""
    if not any(player is not None and player.needs_values for player in players.values()):
        return None
    from noughts.analysis.solutions import solution_for  # the engines are loaded only for policies that need them

    return solution_for(start)


def names_of_players(players: Players) -> tuple[str, str]:
    """Return the names of the policies of X and of O, `best` for a best response."""
    x, o = (BEST if player is None else player.name for player in (players["X"], players["O"]))
    return x, o


def versus(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Match:
    """Return the exact probabilities when X plays by one policy and O by another, from the empty board or a position.

    Parameters
    ----------
    board, start
        The board, and an unfinished position; the empty board by default.
    x, o
        Policies. One of them may be `best`: the best response to the other, which maximises P(win) - P(loss), then
        P(win).
    limit
        The most position classes in plain Python. Arrays hold up to ARRAY_CLASSES of boards of up to 20 cells, for the
        policies that have names but `trap:...`, and `best` against them; 4x4:4 takes some seconds.
    progress
        Receives the number of finished plies of arrays.

    Raises
    ------
    InputError
        A policy is unknown, or both are `best`.
    BudgetError
        There may be more than `limit` classes.

    >>> game = versus("3x3")
    >>> str(game.x_wins), str(game.o_wins), str(game.draws)
    ('737/1260', '121/420', '8/63')
    """
    board = Board.parse(board)
    limit = whole_number("the limit", limit, 1)
    players = players_of(board, x, o)
    at = unfinished(board, start)
    responder: Player | None = next((player for player, chosen in players.items() if chosen is None), None)
    if limit >= LISTED_CLASSES and class_bound(at) > QUICK_CLASSES:
        from noughts.analysis.payoff.layerplay import has_layers, layer_chances  # late: it imports NumPy

        if has_layers(board, list(players.values())):
            found = layer_chances(at, players, progress or silent)
            return Match(at, *names_of_players(players), found["X"], found["O"], found["draw"], responder)

    def utility(ends: Distribution) -> tuple[Fraction, ...]:
        assert responder is not None
        win = ends.get(responder, Fraction(0))
        return win - ends.get(opponent(responder), Fraction(0)), win

    playout = Playout(at, players, lambda position: str(position.outcome), utility, limit)
    ends = playout.run()
    response = None
    if responder is not None:  # by position if the other policy may treat symmetric ones differently
        table = FrozenDict({place: evenly(moves) for place, moves in playout.best.items()})
        response = FilePolicy("best response", table, by_class=playout.is_symmetric, board=board)
    x_wins, o_wins, draws = (ends.get(key, Fraction(0)) for key in ("X", "O", "draw"))
    return Match(at, *names_of_players(players), x_wins, o_wins, draws, responder, response)
