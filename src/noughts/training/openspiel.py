"""Policies of OpenSpiel as ours, and ours as OpenSpiel's: for its games of marks on a board.

Its games `tic_tac_toe` and `python_tic_tac_toe` are 3x3; `mnk(m=,n=,k=)` is n rows of m cells. Its actions are cells in
reading order, as ours are.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import Any

from noughts.bots.judging.arrays import ArrayPolicy
from noughts.domain.arguments import wrong_type
from noughts.domain.bits import cells_of, mask_of
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.position import Position
from noughts.solving.solution import Solution
from noughts.strategy.policies import Policy, PolicyLike, policy
from noughts.strategy.solutions import solution_for

__all__ = ["board_of_game", "from_open_spiel", "to_open_spiel"]

_TIC_TAC_TOE = ("tic_tac_toe", "python_tic_tac_toe")


def board_of_game(game: Any) -> Board:
    """Return the board of a game of OpenSpiel. Raises InputError for games of another kind."""
    name, given = game.get_type().short_name, game.get_parameters()
    if name in _TIC_TAC_TOE:
        return Board.grid(3, 3)
    if name == "mnk":
        m, n, k = (int(given.get(each, usual)) for each, usual in (("m", 15), ("n", 15), ("k", 5)))
        return Board.grid(n, m, k)
    raise InputError(f"the game {shown(name)} of OpenSpiel is none of ours: use {', '.join(_TIC_TAC_TOE)} or mnk")


def from_open_spiel(given: Any, game: Any = None) -> ArrayPolicy:
    """Return a policy of OpenSpiel as one of ours, for `versus`, `evaluate`, `match` and the environments.

    `given` has `action_probabilities(state)`, as all policies of OpenSpiel do; the game is its own unless another is
    given. It is asked about each position with its marks made in reading order. Its chances, in floating point, are
    read as `array_policy` reads them. Raises InputError for games of another kind and bad chances.
    """
    if not hasattr(given, "action_probabilities"):
        raise wrong_type("the policy", given, "a policy of OpenSpiel, which has action_probabilities(state)")
    game = getattr(given, "game", None) if game is None else game
    if game is None:
        raise InputError(
            "this policy of OpenSpiel has no game of its own: give the game, as pyspiel.load_game makes it"
        )
    board = board_of_game(game)

    def weights(position: Position) -> list[float]:
        if position.board != board:
            raise InputError(f"the policy of OpenSpiel is for {board}, not for {position.board}: ask about that board")
        chances = given.action_probabilities(_state(game, position))
        return [float(chances.get(cell, 0)) for cell in range(board.cells)]

    return ArrayPolicy(type(given).__name__, weights, False)


def _state(game: Any, position: Position) -> Any:
    """Return the state of a position; while the game goes on its marks may have been made in any order."""
    state = game.new_initial_state()
    x, o = list(cells_of(position.x)), list(cells_of(position.o))
    for ply in range(position.ply):
        state.apply_action((o if ply % 2 else x)[ply // 2])
    return state


def to_open_spiel(given: PolicyLike, game: Any) -> Any:
    """Return a policy of ours as one of OpenSpiel, a `open_spiel.python.policy.Policy` for both players of a game.

    It gives the chance of every blank cell as a float, those that are never played included. Raises InputError where
    OpenSpiel is not installed, for games of another kind and for unknown policies.
    """
    try:
        base: Any = import_module("open_spiel.python.policy").Policy
    except ImportError:
        raise InputError("a policy of OpenSpiel needs OpenSpiel: run pip install open_spiel") from None
    board = board_of_game(game)
    ours = policy(board, given)
    solution = solution_for(Position(board)) if ours.needs_values else None

    class OpenSpielPolicy(base):
        """A policy of noughts."""

        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            return _chances(ours, solution, board, state.history())

    return OpenSpielPolicy(game, [0, 1])


def _chances(ours: Policy, solution: Solution | None, board: Board, history: list[int]) -> dict[int, float]:
    """Return the chance of each blank cell after some moves."""
    position = Position(board, mask_of(history[::2]), mask_of(history[1::2]))
    shares = ours.probabilities(position, solution)
    return {cell: float(shares.get(cell, Fraction(0))) for cell in cells_of(position.blanks)}
