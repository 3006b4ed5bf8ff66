"""Gymnasium environments: one player against any policy, on any board, in one game or in many at once."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from noughts.analysis.policies.reading import PolicyLike
from noughts.rules.arguments import integer, whole_number
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.position import Position
from noughts.training.games import Array, GamesAgainst, GamesAtOnce, whole_actions

_MADE = "gymnasium.make('noughts/Board-v0', board=..., opponent=..., role=...)"
_ALL = np.ones(1, dtype=bool)


def observation_space(board: Board) -> spaces.Box:
    """Return the space of observations: -1, 0 or 1 for each cell."""
    return spaces.Box(-1, 1, (board.cells,), np.int8)


def picture(position: Position) -> str:
    """Return a position in characters, a line for each row, and a blank line between layers."""
    return str(position).replace("|", "\n\n").replace("/", "\n")


def drawing_mode(mode: str | None, modes: list[str]) -> str | None:
    """Return a render mode. Raises InputError for one that the environment does not draw."""
    if mode is not None and mode not in modes:
        known = " or ".join([*map(repr, modes), "None"])
        raise InputError(f"the render_mode {shown(mode)} is not drawn: use {known}")
    return mode


def _require_no_options(options: dict[str, Any] | None) -> None:
    """Raise InputError if `reset` receives options: the environment is configured when it is created."""
    for name in options or {}:
        raise InputError(f"reset() reads no options, and {shown(name)} was given: make another environment, {_MADE}")


def _names(numbers: Array, names: tuple[str, str, str]) -> Array:
    """Return names for -1, 0 and 1."""
    return np.asarray(np.array(names)[numbers + 1])


class BoardEnv(gymnasium.Env):
    """One player, who is trained, against a policy, on any board: `gymnasium.make("noughts/Board-v0", board="4x4:3")`.

    `role` is `X`, `O`, or `either`: drawn at random for each game. `opponent` is any policy that `match` takes; its
    moves are drawn at random by their weights. Actions, observations, masks and rewards are as `noughts.training`
    says. The mask is in `info["action_mask"]` (int8, as `action_space.sample` takes it) and, for sb3-contrib,
    `action_masks()`. A taken cell ends the game as a loss: `terminated`, reward -1, `info["illegal"]`.
    `info["outcome"]` is X, O or draw at the end, `info["role"]` the role. `reset(seed=...)` makes all draws
    repeatable. Nothing is ever truncated.
    Raises InputError for unknown roles, policies and render modes (`ansi` is text), and if the first move can end the
    game before O moves.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium wants a dictionary

    def __init__(
        self,
        board: Board | str = "3x3",
        opponent: PolicyLike = "random",
        role: str = "X",
        render_mode: str | None = None,
    ) -> None:
        self._play = GamesAgainst(board, opponent, role, 1)
        self.board, self.render_mode = self._play.board, drawing_mode(render_mode, ["ansi"])
        self.observation_space = observation_space(self.board)
        self.action_space = spaces.Discrete(self._play.actions)
        self._lost = False

    @property
    def position(self) -> Position:
        """The position as a `Position`."""
        return self._play.games.position(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game; the opponent moves first if the player is O.

        Raises InputError for any option.
        """
        _require_no_options(options)
        super().reset(seed=seed)
        self._lost = False
        self._play.begin(_ALL, self.np_random)
        return self._play.seen[0], self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action, let the opponent reply, and return observation, reward, terminated, truncated and info."""
        cell = integer("an action", action)
        if self._over:
            gymnasium.logger.warn("the game is over: call reset() before the next step()")
        else:
            self._lost = not self._play.play(np.array([cell]), self.np_random)[0]
        reward = -1.0 if self._lost else float(self._play.games.outcome[0] * self._play.roles[0])
        return self._play.seen[0], reward, self._over, False, self._info()

    def action_masks(self) -> Array:
        """Return which actions are legal, as booleans."""
        return np.asarray(self._play.masks[0] & (not self._over))

    def render(self) -> str | None:
        """Return the board in characters if `render_mode` is `ansi`."""
        return picture(self.position) if self.render_mode == "ansi" else None

    @property
    def _over(self) -> bool:
        return self._lost or bool(self._play.games.over[0])

    def _info(self) -> dict[str, Any]:
        role = self._play.roles[0]
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8), "role": "X" if role > 0 else "O"}
        if self._over:
            end = -role if self._lost else self._play.games.outcome[0]
            info |= {"outcome": ("O", "draw", "X")[end + 1], "illegal": self._lost}
        return info


class BoardVectorEnv(VectorEnv):
    """As `BoardEnv`, in `num_envs` games at once: `gymnasium.make_vec("noughts/Board-v0", num_envs=4096)`.

    A game that is over starts again in the same step (`AutoresetMode.SAME_STEP`): its reward and `terminations` are
    those of the end, the observation that of the new game; the last one is in `info["final_obs"]`, where
    `info["_final_obs"]` is true. `info["action_mask"]` (int8) has a row for each game, `info["role"]` X or O. At the
    end of a game `info["outcome"]` has X, O or draw (else nothing), `info["_outcome"]` says where. A taken cell
    loses the game and sets `info["illegal"]`. Raises InputError unless the actions are one whole number for each
    game. Cost: on 3x3 against `random` under a microsecond a move for thousands of games at once.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 1,
        board: Board | str = "3x3",
        opponent: PolicyLike = "random",
        role: str = "X",
        render_mode: None = None,
    ) -> None:
        self.num_envs = whole_number("num_envs", num_envs, 1)
        self._play = GamesAgainst(board, opponent, role, num_envs)
        self.board, self.render_mode = self._play.board, drawing_mode(render_mode, [])
        self.single_observation_space = observation_space(self.board)
        self.single_action_space = spaces.Discrete(self._play.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def games(self) -> GamesAtOnce:
        """The games, as arrays."""
        return self._play.games

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin all games. Raises InputError for any option."""
        _require_no_options(options)
        super().reset(seed=seed)
        self._play.begin(np.ones(self.num_envs, dtype=bool), self.np_random)
        return self._play.seen, self._info()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Take an action in every game, let the opponent reply, and restart the games that are over."""
        games, roles = self._play.games, self._play.roles
        legal = self._play.play(whole_actions(actions, self.num_envs), self.np_random)
        rewards = np.where(legal, games.outcome * roles, -1).astype(np.float64)
        over = games.over | ~legal
        info: dict[str, Any] = {}
        if over.any():
            outcomes = _names(np.where(legal, games.outcome, -roles), ("O", "draw", "X"))
            info = {"final_obs": self._play.seen, "_final_obs": over, "illegal": ~legal, "_illegal": over}
            info |= {"outcome": np.where(over, outcomes, ""), "_outcome": over}
            self._play.begin(over, self.np_random)
        return self._play.seen, rewards, over, np.zeros(self.num_envs, dtype=bool), info | self._info()

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": np.ascontiguousarray(self._play.masks, dtype=np.int8),
            "role": _names(self._play.roles, ("O", "", "X")),
        }
