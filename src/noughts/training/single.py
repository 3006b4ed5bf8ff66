"""A Gymnasium environment: one player against any policy, on any board."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from noughts.bots.judging.arrays import observation
from noughts.domain.arguments import integer, one_of
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.players import Outcome, Player, opponent
from noughts.domain.position import Position
from noughts.strategy.policies import PolicyLike
from noughts.training.games import Array
from noughts.training.replies import Replies, require_move

__all__ = ["ROLES", "BoardEnv", "action_space", "observation_space", "picture", "require_no_options", "reward"]

ROLES = ("X", "O", "either")
_MADE = "gymnasium.make('noughts/Board-v0', board=..., opponent=..., role=...)"


def observation_space(board: Board) -> spaces.Box:
    """Return the space of observations: -1, 0 or 1 for each cell."""
    return spaces.Box(-1, 1, (board.cells,), np.int8)


def action_space(board: Board) -> spaces.Discrete:
    """Return the space of actions: a cell."""
    return spaces.Discrete(board.cells)


def reward(player: Player, outcome: Outcome | None) -> int:
    """Return what an outcome is worth to a player: 1, 0 or -1; 0 where there is none yet."""
    return 0 if outcome in (None, "draw") else 1 if outcome == player else -1


def picture(position: Position) -> str:
    """Return a position in characters, a line for each row, and a blank line between layers."""
    return str(position).replace("|", "\n\n").replace("/", "\n")


def require_no_options(options: dict[str, Any] | None) -> None:
    """Raise InputError where `reset` is given options: what they might say is said when the environment is made."""
    for name in options or {}:
        raise InputError(f"reset() reads no options, and {shown(name)} was given: make another environment, {_MADE}")


class BoardEnv(gymnasium.Env):
    """One player, who is trained, against a policy, on any board: `gymnasium.make("noughts/Board-v0", board="4x4:3")`.

    `role` is `X`, `O`, or `either`: by lot, anew for each game. `opponent` is any policy that `versus` takes, drawn
    by lot as it weighs its moves. Actions, observations, masks and rewards are as `noughts.training` says. The mask is
    in `info["action_mask"]` (int8, as `action_space.sample` takes it) and, for sb3-contrib, `action_masks()`. A cell
    that is taken ends the game as lost: `terminated`, reward -1, `info["illegal"]`. `info["outcome"]` is X, O or draw
    at the end, `info["role"]` the role. `reset(seed=...)` makes all draws repeatable. Nothing is ever truncated.
    Raises InputError for roles and policies that there are not, and where O might have no move to make.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium wants a dictionary

    def __init__(
        self,
        board: Board | str = "3x3",
        opponent: PolicyLike = "random",
        role: str = "X",
        render_mode: str | None = None,
    ) -> None:
        self.board = Board.parse(board)
        one_of("the role", role, ROLES)
        if role != "X":
            require_move(self.board)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.board)
        self.action_space = action_space(self.board)
        self._asked = role
        self._role: Player = "O" if role == "O" else "X"
        self._replies = Replies(self.board, opponent)
        self._position = Position(self.board)
        self._lost: Player | None = None

    @property
    def position(self) -> Position:
        """The position, as the rest of the package has it."""
        return self._position

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game, and let the opponent move first where the player has O.

        Raises InputError for options: there are none.
        """
        require_no_options(options)
        super().reset(seed=seed)
        if self._asked == "either":
            self._role = "X" if self.np_random.random() < 0.5 else "O"
        self._position, self._lost = Position(self.board), None
        if self._role == "O":
            self._reply()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play a cell, let the opponent reply, and return observation, reward, terminated, truncated and info."""
        cell = integer("an action", action)
        if self._over:
            gymnasium.logger.warn("the game is over: call reset() before the next step()")
        elif not 0 <= cell < self.board.cells or not self._position.blanks >> cell & 1:
            self._lost = self._role
        else:
            self._position = self._position.play(cell)
            if not self._position.is_terminal:
                self._reply()
        return self._seen(), self._reward(), self._over, False, self._info()

    def action_masks(self) -> Array:
        """Return which cells may be played, as booleans."""
        return self._mask().astype(bool)

    def render(self) -> str | None:
        """Return the board in characters where `render_mode` is `ansi`."""
        return picture(self._position) if self.render_mode == "ansi" else None

    @property
    def _over(self) -> bool:
        return self._lost is not None or self._position.is_terminal

    def _reply(self) -> None:
        self._position = self._position.play(self._replies.one(self._position, self.np_random))

    def _reward(self) -> float:
        return float(reward(self._role, self._outcome()))

    def _outcome(self) -> Outcome | None:
        return self._position.outcome if self._lost is None else opponent(self._lost)

    def _seen(self) -> Array:
        """Return the marks as the player sees them, whoever is to move."""
        seen = observation(self._position)
        return seen if self._position.to_move == self._role else -seen

    def _mask(self) -> Array:
        blanks = 0 if self._over else self._position.blanks
        return np.array([blanks >> cell & 1 for cell in range(self.board.cells)], dtype=np.int8)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask(), "role": self._role}
        if self._over:
            info |= {"outcome": self._outcome(), "illegal": self._lost is not None}
        return info
