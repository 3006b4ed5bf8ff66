"""Many games side by side on one board, as arrays: some NumPy operations make a move in all of them.

The marks are stored cell by cell, each cell as one array over all games. One operation a cell then finds winning lines
in all games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noughts.analysis.policies.policy import require_moves
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.analysis.solutions import solution_for
from noughts.bots.arrays import action_count
from noughts.rules.arguments import one_of, whole_number
from noughts.rules.board import Board, require_known
from noughts.rules.cells import move_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import cells_of, mask_of
from noughts.rules.position import Position
from noughts.rules.values import short
from noughts.solving.values import VALUE_OF_OUTCOME

Array = np.ndarray[Any, Any]

NUMBERED = 39
"""Cells up to which the number of a position fits 63 bits."""


def whole_actions(given: Any, games: int) -> Array:
    """Return actions as an array. Raises InputError unless they are one whole number for each game."""
    cells = np.asarray(given)
    if cells.shape != (games,) or cells.dtype.kind not in "iu":
        raise InputError(f"the actions are not {games:,} whole numbers: give one for each game, from 0")
    return cells


def masks_of_actions(board: Board, playable: Array) -> Array:
    """Return which actions are legal, from the moves that can be played, in the last axis."""
    if not board.rules.by_column:
        return playable
    return np.asarray(playable.reshape(*playable.shape[:-1], -1, action_count(board)).any(-2))


def cells_of_actions(board: Board, actions: Array, playable: Array) -> Array:
    """Return the cells that actions play, a row of playable cells for each; -1 for a full column and no column."""
    if not board.rules.by_column:
        return actions
    columns = action_count(board)
    inside = (actions >= 0) & (actions < columns)
    fits = playable & (np.arange(board.cells) % columns == np.where(inside, actions, -1)[:, None])
    return np.asarray(np.where(fits.any(1), fits.argmax(1), -1))


class GamesAtOnce:
    """Many games on one board; the caller gives the moves of both players in turn.

    `marks` (int8) has a row for each game and a column for each cell in reading order. 1 is X, -1 is O, 0 is a
    blank. `turn` is 1 when the player who begins is to move, -1 when the other is. `over` says which games are over.
    `outcome` is 1 when the player who begins has won, -1 when the other has, else 0. A finished game does not change
    until `restart`. The object changes all four arrays in place: copy what you want to keep.

    Cost: about 0.1 microseconds a move on 3x3, for thousands of games at once.

    >>> games = GamesAtOnce("3x3", 2)
    >>> for actions in ([0, 4], [3, 0], [1, 8], [4, 1], [2, 2]):
    ...     games.play(actions)
    >>> games.over.tolist(), games.outcome.tolist(), games.position(0)
    ([True, False], [1, 0], Position(Board.parse('3x3:3'), x=7, o=24))
    """

    def __init__(self, board: Board | str = "3x3", games: int = 1) -> None:
        self.board = Board.parse(board)
        require_known(self.board, "training")
        whole_number("the games", games, 1)
        self._marks: Array = np.zeros((self.board.cells, games), dtype=np.int8)
        self.marks: Array = self._marks.T
        self.turn: Array = np.ones(games, dtype=np.int8)
        self.over: Array = np.zeros(games, dtype=bool)
        self.outcome: Array = np.zeros(games, dtype=np.int8)
        self._rows: Array = np.arange(games)
        self._left: Array = np.full(games, self.board.cells, dtype=np.int32)
        rules, value = self.board.rules, VALUE_OF_OUTCOME
        self._ends = [[value[outcome] for outcome in rules.ends_for(player)] for player in ("X", "O")]
        """The outcomes of a last line and of a game without one, where the first or the second player would move."""
        self._closed: Array = np.zeros((rules.boards, games), dtype=bool)
        """Which of several boards have a line, a row for each board."""
        guarded = self.board.guarded_lines
        self._lines = [(tuple(cells_of(line)), tuple(cells_of(guard & ~line))) for line, guard in guarded]
        """The cells of each line, and those that would lengthen it where lines are exact."""

    def __len__(self) -> int:
        return len(self.turn)

    def __repr__(self) -> str:
        return f"<GamesAtOnce on {short(self.board)}: {len(self):,} games, {int(self.over.sum()):,} over>"

    @property
    def masks(self) -> Array:
        """Which moves can be played, for each game: the legal ones until its end. Moves are as `Move` numbers them."""
        return self._playable().T

    def _playable(self) -> Array:
        """Return which moves can be played, a row for each: blank cells, under gravity the lowest of each column."""
        playable: Array = self._marks == 0
        if self.board.rules.by_column:
            columns = action_count(self.board)
            playable[:-columns] &= ~playable[columns:]
        if self.board.rules.boards > 1:
            playable &= ~np.repeat(self._closed, self.board.part.cells, 0)
        return np.concatenate([playable, playable]) if self.board.rules.chooses_mark else playable

    @property
    def observations(self) -> Array:
        """The marks as the side to move sees them: 1 for its own, -1 for the opponent's; else as `marks` has them."""
        return np.asarray(self._marks * (self.turn if self.board.rules.alternating else np.int8(1))).T

    @property
    def numbers(self) -> Array:
        """The number of each position, as `array_policy` has it. Raises BudgetError for over 39 cells."""
        if self.board.cells > NUMBERED:
            raise BudgetError(f"the positions of {self.board} have numbers of more than 63 bits: use `marks`")
        numbers: Array = np.zeros(len(self), dtype=np.int64)
        for marks in self._marks[::-1]:
            numbers *= 3
            numbers += marks % 3
        return numbers

    def position(self, game: int) -> Position:
        """Return the position of one game."""
        x, o = (mask_of(np.flatnonzero(self.marks[game] == mark).tolist()) for mark in (1, -1))
        return Position(self.board, x, o)

    def play(self, actions: Any, where: Array | None = None) -> None:
        """Play one move in every unfinished game, or in those with true in `where`.

        Raises InputError, and plays nothing, if a move cannot be played.
        """
        moves = whole_actions(actions, len(self))
        going = ~self.over if where is None else where & ~self.over
        self._require_playable(moves, going)
        rules, mover = self.board.rules, self.turn * going
        cells, mark = moves, mover
        if rules.chooses_mark:
            cells, mark = moves % self.board.cells, np.where(moves < self.board.cells, 1, -1).astype(np.int8) * going
        elif not rules.alternating:
            mark = going.astype(np.int8)
        if going.all():
            self._marks[cells, self._rows] = mark
        else:
            self._marks[cells[going], self._rows[going]] = mark[going]
        self._left -= going
        self.turn = self.turn - 2 * mover
        won = self._has_line(mark) & going
        full = going & ~won & ((self._left == 0) if rules.boards == 1 else ~self._playable().any(0))
        for ended, values in zip((won, full), np.array(self._ends, dtype=np.int8).T, strict=True):
            self.outcome[ended] = np.where(self.turn > 0, *values)[ended]
        self.over |= won | full

    def _has_line(self, mark: Array) -> Array:
        """Return in which games the mark just placed has a line, of several boards on every board; false if it is 0."""
        own = (self._marks == mark) & (mark != 0)
        found = np.zeros(len(self), dtype=bool) if self.board.rules.boards == 1 else self._closed
        filled = np.empty(len(self), dtype=bool)
        for line, beside in self._lines:
            np.copyto(filled, own[line[0]])
            for cell in line[1:]:
                filled &= own[cell]
            for cell in beside:
                filled &= ~own[cell]
            into = found if self.board.rules.boards == 1 else found[line[0] // self.board.part.cells]
            into |= filled
        lined: Array = found if self.board.rules.boards == 1 else np.asarray(found.all(0))
        return lined

    def restart(self, which: Any) -> None:
        """Restart games, chosen by their numbers or by an array of booleans."""
        going = np.ones(len(self), dtype=bool)
        going[which] = False
        self._marks *= going
        self.outcome *= going
        self.over &= going
        self.turn[~going] = 1
        self._left[~going] = self.board.cells
        self._closed &= going

    def random_actions(self, random: np.random.Generator) -> Array:
        """Return a uniformly random move for each game; move 0 for full boards.

        Of so many one is drawn; it is the move before which there are as many moves with too few playable ones up to
        them.
        """
        if self.board.rules.any_blank:
            playable, many = self._marks == 0, self._left
        else:
            playable = self._playable()
            many = playable.sum(0, dtype=np.int32)
        wanted = np.minimum((random.random(len(self)) * many).astype(np.int32) + 1, many)
        seen = np.zeros(len(self), dtype=np.int32)
        actions: Array = np.zeros(len(self), dtype=np.int64)
        for each in playable:
            seen += each
            actions += seen < wanted
        return actions

    def _require_playable(self, moves: Array, going: Array) -> None:
        inside = (moves >= 0) & (moves < self.board.move_count)
        held = moves if inside.all() else np.where(inside, moves, 0)
        can = self._marks[held % self.board.cells, self._rows] == 0
        if not self.board.rules.any_blank:
            can = self._playable()[held, self._rows]
        wrong = going & ~(inside & can)
        if wrong.any():
            game = int(wrong.argmax())
            move = int(moves[game])
            what = "move" if self.board.rules.chooses_mark else "cell"
            name = move_name(self.board, move) if inside[game] else f"{what} {move}"
            cannot = "is not blank" if self.board.rules.any_blank else "cannot be played"
            raise InputError(f"{name} {cannot} in game {game}, {self.position(game)}: play where `masks` is true")


_ROLES = ("X", "O", "either")


class GamesAgainst:
    """Games of the trained player, in a role, against a policy whose moves are drawn by their weights.

    Each position asks the policy once. All draws come from the given generator, so they are repeatable.
    """

    def __init__(self, board: Board | str, opponent: PolicyLike, role: str, games: int) -> None:
        self.board = Board.parse(board)
        self.actions = action_count(self.board)
        one_of("the role", role, _ROLES)
        if role != "X" and (self.board.cells == 1 or any(len(line) == 1 for line in self.board.lines)):
            raise InputError(
                f"on {self.board} the first move can end the game before O moves: train X, or choose a larger board"
            )
        self._policy = policy(self.board, opponent)
        require_moves(self._policy, "an environment")
        self._role, self._is_random = role, isinstance(opponent, str) and opponent == "random"
        self._solution = solution_for(Position(self.board)) if self._policy.needs_values else None
        self._rows: dict[bytes, Array] = {}
        self.games = GamesAtOnce(self.board, games)
        self.roles: Array = np.full(games, -1 if role == "O" else 1, dtype=np.int8)

    def begin(self, which: Array, random: np.random.Generator) -> None:
        """Restart games, in a random role if `role` is `either`, and play the opponent's first moves."""
        self.games.restart(which)
        if self._role == "either":
            self.roles[which] = 1 - 2 * random.integers(0, 2, int(which.sum()))
        self._reply(which & (self.roles < 0), random)

    @property
    def masks(self) -> Array:
        """Which actions are legal, for each game, until its end."""
        return masks_of_actions(self.board, self.games.masks)

    def play(self, actions: Array, random: np.random.Generator) -> Array:
        """Take an action in each game and let the opponent reply; return in which games it was legal."""
        cells = cells_of_actions(self.board, actions, self.games.masks)
        inside = (cells >= 0) & (cells < self.board.move_count)
        legal: Array = inside & self.games.masks[np.arange(len(cells)), np.where(inside, cells, 0)]
        self.games.play(cells, legal)
        self._reply(~self.games.over & legal, random)
        return legal

    @property
    def seen(self) -> Array:
        """The marks as the player sees them, on either player's turn."""
        own = self.roles[:, None] if self.board.rules.alternating else np.int8(1)
        return np.asarray(np.ascontiguousarray(self.games.marks * own))

    def _reply(self, where: Array, random: np.random.Generator) -> None:
        games, chosen = self.games, np.flatnonzero(where)
        if self._is_random and len(chosen):
            games.play(games.random_actions(random), where)
        elif len(chosen):
            replies: Array = np.zeros(len(games), dtype=np.int64)
            keys = games.numbers[chosen] if games.board.cells <= NUMBERED else chosen
            _, first, place = np.unique(keys, return_index=True, return_inverse=True)
            sums = np.stack([self._row(int(game)) for game in chosen[first]])[place]
            replies[chosen] = (sums <= random.random(len(chosen))[:, None]).sum(1)
            games.play(replies, where)

    def _row(self, game: int) -> Array:
        """Return the cumulative chances of the moves of one game; they are 1 from the last positive chance on."""
        key = self.games.marks[game].tobytes()
        if key not in self._rows:
            shares = self._policy.probabilities(self.games.position(game), self._solution)
            chances = [float(shares.get(cell, 0)) for cell in range(self.board.move_count)]
            sums: Array = np.cumsum(chances)
            sums[int(np.flatnonzero(chances)[-1]) :] = 1
            self._rows[key] = sums
        return self._rows[key]
