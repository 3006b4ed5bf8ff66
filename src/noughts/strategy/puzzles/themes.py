"""What a puzzle is about, in words that one can ask for."""

from __future__ import annotations

from noughts.domain.position import completing_cells, opponent
from noughts.strategy.forcedwins import forced_wins
from noughts.strategy.puzzles.grading import depth_of
from noughts.strategy.puzzles.setting import Setting
from noughts.strategy.threats import fork_cells, threat_mask

__all__ = ["THEMES", "WHO", "themes_of"]

WHO = "who can force?"
_STEPS = 20_000
"""Steps that are taken to find a win by threats alone."""

THEMES = {
    "win at once": "the solution completes a line",
    "fork": "the solution makes two threats at once, and wins",
    "forced win": "the solution begins a win by threats alone: a threat, its block, and so on to a fork",
    "block": "the solution takes the one cell at which the other threatens to complete a line",
    "only move": "every other move loses",
    "double trap": "the solution is the only move that does not lose, and it sets a trap: some replies to it lose, and "
    "others do not",
    WHO: "no line lacks one mark only, and yet the right move wins, or every other one loses",
}
"""Each theme, and what it says of a puzzle. Under misere lines are not to be completed: the first four are not used."""


def themes_of(setting: Setting) -> tuple[str, ...]:
    """Return the themes of a puzzle, in the order of THEMES."""
    at, board, mover = setting.position, setting.board, setting.position.to_move
    other, place = opponent(mover), 1 << setting.cell
    only = all(setting.ends[cell][0] == other for cell in setting.wrong)
    mine, theirs = (completing_cells(board, at.marks(player), at.blanks) for player in (mover, other))
    quiet = not theirs and not mine
    found = {
        "only move": only,
        "double trap": setting.traps,
        WHO: quiet and depth_of(setting) > 1,
    }
    if not board.misere:
        found["win at once"] = bool(mine & place)
        found["fork"] = setting.goal == "win" and not mine and bool(fork_cells(at, mover) & place)
        found["forced win"] = setting.goal == "win" and not mine and not found["fork"] and _is_forced(setting)
        found["block"] = theirs == place and not mine
    return tuple(theme for theme in THEMES if found.get(theme))


def _is_forced(setting: Setting) -> bool:
    """Tell whether a win by threats alone begins with the solution."""
    if not threat_mask(setting.position.play(setting.cell), setting.position.to_move):
        return False
    return any(each[0] == setting.cell for each in forced_wins(setting.position, limit=_STEPS).sequences)
