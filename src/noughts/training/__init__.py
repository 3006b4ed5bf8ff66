"""Environments to train players in, and the exact value of trained players; needs the extra `rl`.

- `GamesAtOnce`: many games side by side as NumPy arrays, for two players. It needs no extra.
- `BoardEnv`: a Gymnasium environment, one player against any policy; `gymnasium.make("noughts/Board-v0")`.
- `BoardVectorEnv`: the same for many games at once, as a Gymnasium vector environment.
- `board_aec`: a PettingZoo environment, two players in turn, with action masks.
- `learn`: tabular Q-learning in self-play, and its exact value over time.
- `from_open_spiel`, `to_open_spiel`: convert policies from and to OpenSpiel.

All use one convention. An *action* is a cell: 0 is a1, the others follow in reading order, row by row (row-major),
layer by layer. Under gravity it is a column: 0 is a, as in OpenSpiel's connect_four; `GamesAtOnce` takes the cell where
the mark falls. Where players choose the mark, it is a cell for an X, or the number of cells plus a cell for an O. An
*observation* has a number for each cell in that order. It is 1 for the player's own marks, -1 for the opponent's, 0 for
blanks. Where marks do not name the players, it is 1 for an X and -1 for an O. The agent or role X is the player who
begins. An *action mask* is 1 for legal actions. The *reward* is 1 for a win, -1 for a loss, 0 for a draw and before the
end. `noughts.evaluate` gives the exact value of a trained player.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from noughts.machine.packages import package

if TYPE_CHECKING:
    from noughts.training.environments import BoardEnv as BoardEnv
    from noughts.training.environments import BoardVectorEnv as BoardVectorEnv
    from noughts.training.games import GamesAtOnce as GamesAtOnce
    from noughts.training.learning import Learned as Learned
    from noughts.training.learning import LearnedSoFar as LearnedSoFar
    from noughts.training.learning import from_open_spiel as from_open_spiel
    from noughts.training.learning import learn as learn
    from noughts.training.learning import to_open_spiel as to_open_spiel
    from noughts.training.pair import board_aec as board_aec

_HOMES = {
    "BoardEnv": ("environments", "gymnasium"),
    "BoardVectorEnv": ("environments", "gymnasium"),
    "GamesAtOnce": ("games", None),
    "Learned": ("learning", None),
    "LearnedSoFar": ("learning", None),
    "board_aec": ("pair", "pettingzoo"),
    "from_open_spiel": ("learning", None),
    "learn": ("learning", None),
    "to_open_spiel": ("learning", None),
}
"""For each name its module and the package that it needs."""
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, needed = _HOMES[name]
    if needed is not None:
        package(needed, f"noughts.training.{name}")
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return __all__


def _register() -> None:
    """Make the environment known to Gymnasium, where that is installed, by its name alone."""
    if importlib.util.find_spec("gymnasium") is None:
        return
    registration = importlib.import_module("gymnasium.envs.registration")
    if "noughts/Board-v0" not in registration.registry:
        registration.register(
            id="noughts/Board-v0",
            entry_point="noughts.training.environments:BoardEnv",
            vector_entry_point="noughts.training.environments:BoardVectorEnv",
        )


_register()
