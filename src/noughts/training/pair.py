"""A PettingZoo environment: two players in turn, with action masks, on any board."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from noughts.bots.arrays import action_count, observation
from noughts.rules.board import Board
from noughts.rules.cells import column_name
from noughts.rules.marks import Player, opponent
from noughts.rules.position import Position
from noughts.training.environments import drawing_mode, observation_space, picture
from noughts.training.games import Array, masks_of_actions

_AGENTS: tuple[Player, Player] = ("X", "O")


class BoardPair(AECEnv, EzPickle):
    """The agents `X` and `O` in turn, X first. `board_aec` creates it and refuses what is not an action."""

    metadata = {  # noqa: RUF012 - PettingZoo wants a dictionary
        "render_modes": ["ansi"],
        "name": "noughts_board_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, board: Board | str = "3x3", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, board, render_mode)
        AECEnv.__init__(self)
        self.board = Board.parse(board)
        self.render_mode = drawing_mode(render_mode, ["ansi"])
        self.possible_agents: list[str] = list(_AGENTS)
        self.agents: list[str] = list(_AGENTS)
        actions = action_count(self.board)
        seen = spaces.Dict(
            {"observation": observation_space(self.board), "action_mask": spaces.Box(0, 1, (actions,), np.int8)}
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.position = Position(self.board)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent sees: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent can do: choose a cell, a mark and a cell, or a column under gravity."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Nothing is random, so the seed has no effect; options are ignored."""
        self.position = Position(self.board)
        self.agents = list(_AGENTS)
        self.agent_selection: Player = "X"
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Array]:
        """Return the marks as an agent sees them, and the cells that it may play: none outside its turn."""
        mover = self.position.to_move
        seen = observation(self.position)
        free = self.position.playable if agent == mover and not self.terminations[agent] else 0
        cells = np.array([free >> cell & 1 for cell in range(self.board.move_count)], dtype=np.int8)
        mask = masks_of_actions(self.board, cells).astype(np.int8)
        same = agent == mover or not self.board.rules.alternating
        return {"observation": seen if same else -seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Take an action for the agent whose turn it is."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[mover] = 0
        if not self.observe(mover)["action_mask"][int(action)]:
            self._end({mover: -1, opponent(mover): 0}, opponent(mover), illegal=True)
            return
        name = column_name(int(action)) if self.board.rules.by_column else int(action)
        self.position = self.position.play(name)
        if self.position.is_terminal:
            outcome = self.position.outcome
            reward = 0 if outcome == "draw" else 1 if outcome == "X" else -1
            self._end({"X": reward, "O": -reward}, outcome, illegal=False)
            return
        self.rewards = dict.fromkeys(self.agents, 0)
        self.agent_selection = opponent(mover)
        self._accumulate_rewards()

    def _end(self, rewards: dict[str, int], outcome: str | None, *, illegal: bool) -> None:
        """End the game, and let the other agent take its last step."""
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"outcome": outcome, "illegal": illegal} for agent in self.agents}
        self.agent_selection = opponent(self.agent_selection)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board in characters if `render_mode` is `ansi`."""
        return picture(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def board_aec(board: Board | str = "3x3", render_mode: str | None = None) -> Any:
    """Return a PettingZoo AEC environment of a board, its agents `X`, who begins, and `O`.

    Each agent's observation is a dict: `observation`, its own marks as 1 and the other's as -1, and `action_mask`, all
    0 while it is not its turn and when the game is over. Actions and rewards are as `noughts.training` says. A taken
    cell ends the game: -1 for the player who chose it, 0 for the other. At the end `infos` has `outcome` and `illegal`
    for both. Raises InvalidBoard, and InputError for another render mode than `ansi`.
    """
    found: Any = BoardPair(board, render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(found))
