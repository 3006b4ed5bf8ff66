"""Tabular Q-learning in self-play, and its exact value over time.

For each position and cell the table has the mover's expected reward there: 1 a win, -1 a loss. After each move
the entry changes towards a target, by the learning rate. The target is the reward if the game is over. Otherwise it
is the negative of the best expectation of the other side in the next position. Many games run at once, and with a
chance `explore` a move is random. Learning is off-policy: the table learns the value of the
best moves, not of the moves played. (Watkins, "Learning from Delayed Rewards", 1989; for two players Littman,
"Markov games as a framework for multi-agent reinforcement learning", 1994.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from noughts.analysis.payoff.playout import versus
from noughts.analysis.policies.policy import BEST, Policy, RememberingPolicy, require_moves
from noughts.analysis.policies.programs import moves_to
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.analysis.solutions import solution_for
from noughts.bots.arrays import ArrayPolicy, action_count, array_policy
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import whole_number, wrong_type
from noughts.rules.board import Board, require_own_marks
from noughts.rules.cells import column_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import require_listed
from noughts.rules.marks import Cell, cells_of, mask_of
from noughts.rules.position import Position, parse_position
from noughts.rules.values import Result, short
from noughts.solving.solution import Solution
from noughts.training.games import Array, GamesAtOnce

if TYPE_CHECKING:
    from noughts.drawing.svg import Svg


_ENTRIES = 1 << 25
"""Entries of the table, for 3**cells positions and as many cells: 130 MB."""
_LOOKS = 20
"""Default number of looks at the table, at even distances."""


@dataclass(frozen=True)
class LearnedSoFar(Result):
    """The exact value of the table's best moves after some games, for X and for O.

    `x_value`, `o_value` are those against `random`, `x_guaranteed`, `o_guaranteed` those against the best response.
    """

    games: int
    x_value: Fraction
    o_value: Fraction
    x_guaranteed: Fraction
    o_guaranteed: Fraction
    keys = "games x_value o_value x_guaranteed o_guaranteed nash_conv never_loses"

    @property
    def never_loses(self) -> bool:
        """Whether no opponent can beat it, in either role."""
        return self.x_guaranteed >= 0 and self.o_guaranteed >= 0

    @property
    def nash_conv(self) -> Fraction:
        """The loss to best responses in both roles: 0 if it never gives value away."""
        return -self.x_guaranteed - self.o_guaranteed


@dataclass(frozen=True, repr=False)
class Learned:
    """The result of Q-learning: the table `values` (float32, rows and columns as `array_policy` takes them), and looks.

    `games` is the number of games begun. `never_loses` says exactly whether its best moves never lose.
    """

    board: Board
    games: int
    values: Array = field(compare=False)
    course: tuple[LearnedSoFar, ...]

    def __repr__(self) -> str:
        how = "never loses" if self.never_loses else "flawless" if not self.nash_conv else "can be beaten"
        return f"<Learned on {short(self.board)}: {self.games:,} games, {how}>"

    @property
    def never_loses(self) -> bool:
        """Whether no opponent can beat it, in either role."""
        return self.course[-1].never_loses

    @property
    def nash_conv(self) -> Fraction:
        """The loss to best responses in both roles: 0 if it never gives value away."""
        return self.course[-1].nash_conv

    @cached_property
    def flawless_from(self) -> int | None:
        """The number of games after which every look found no loss; None if the last look found one."""
        flawless = list(takewhile(lambda each: not each.nash_conv, reversed(self.course)))
        return flawless[-1].games if flawless else None

    @property
    def policy(self) -> ArrayPolicy:
        """The best moves of the table as a policy; ties choose the first cell."""
        return array_policy(self.board, _choices(self.values, self.board))

    def as_dict(self) -> dict[str, object]:
        """Return the course for JSON, fractions as text."""
        return {
            "board": self.board.spec,
            "games": self.games,
            "never_loses": self.never_loses,
            "nash_conv": str(self.nash_conv),
            "flawless_from": self.flawless_from,
            "course": [each.as_dict() for each in self.course],
        }

    def chart(self, theme: str = "light") -> Svg:
        """Return the exact values over the games as curves."""
        from noughts.drawing.chart import Curve, draw_curves

        names = {
            "X against random": "x_value",
            "O against random": "o_value",
            "X against its best response": "x_guaranteed",
            "O against its best response": "o_guaranteed",
        }
        curves = [Curve(name, [(each.games, getattr(each, of)) for each in self.course]) for name, of in names.items()]
        found = self.flawless_from
        note = "Exact value, P(win) - P(loss), of the best moves of the table. " + (
            "In the end it still gives value away." if found is None else f"From {found:,} games on it gives none away."
        )
        note += " No opponent can beat it then." if self.never_loses else ""
        return draw_curves(curves, f"{self.board}: Q-learning by play against itself", "games", note, theme=theme)


def learn(
    board: Board | str = "3x3",
    *,
    games: int = 100_000,
    at_once: int = 256,
    rate: float = 0.5,
    explore: float = 1.0,
    seed: int = 0,
    looks: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> Learned:
    """Return the result of tabular Q-learning in self-play.

    Parameters
    ----------
    board
        The board, or its name.
    games, at_once
        How many games, and how many of them side by side.
    rate, explore
        The learning rate, and the chance of a random move; otherwise the move is the best by the table.
    seed
        The same seed gives the same table.
    looks
        Numbers of games after which its best moves are judged exactly; 20 at even distances by default. It is also
        judged before the first game and at the end.
    progress
        Receives what is being done.

    Returns
    -------
    Learned
        The policy, and its exact values by the number of games.

    Raises
    ------
    InputError
        A number is invalid.
    BudgetError
        The table or its evaluation would be too large.

    Notes
    -----
    Cost on 3x3: some microseconds a game and a tenth of a second a look.

    >>> found = learn("2x3:2", games=5000)
    >>> found.never_loses, str(found.nash_conv)  # X wins there, so that O loses
    (False, '0')
    """
    board = Board.parse(board)
    require_own_marks(board, "Q-learning")
    games, at_once = whole_number("the games", games, 1), whole_number("the games at once", at_once, 1)
    seed = whole_number("the seed", seed)
    if not 0 < rate <= 1 or not 0 <= explore <= 1:
        raise InputError(f"rate ({rate}) must be above 0 and at most 1, explore ({explore}) from 0 to 1: try 0.5 and 1")
    if board.cells * 3**board.cells > _ENTRIES:
        raise BudgetError(
            f"a table of all positions of {board} would have {board.cells * 3**board.cells:,} entries; the limit is "
            f"{_ENTRIES:,}: choose a smaller board"
        )
    require_listed(Position(board), "judging what is learned", takes_position=False)
    return _learn(board, games, at_once, rate, explore, seed, _stops(games, looks), progress or silent)


def _stops(games: int, looks: Sequence[int] | None) -> list[int]:
    chosen = [games * n // _LOOKS for n in range(1, _LOOKS)] if looks is None else list(looks)
    return sorted({look for look in chosen if 0 < look < games} | {games})


def _learn(
    board: Board,
    games: int,
    at_once: int,
    rate: float,
    explore: float,
    seed: int,
    stops: list[int],
    progress: Progress,
) -> Learned:
    random = np.random.default_rng(seed)
    table: Array = np.zeros((3**board.cells, board.cells), dtype=np.float32)
    played, begun, course = GamesAtOnce(board, at_once), at_once, [_look(board, 0, table)]
    while begun < games:
        _move(played, table, rate, explore, random)
        begun += int(played.over.sum())
        played.restart(played.over)
        if begun >= stops[0]:
            progress(begun, games, "games")
            course.append(_look(board, begun, table))
            stops = [stop for stop in stops if stop > begun] or [games]
    if course[-1].games < begun:
        course.append(_look(board, begun, table))
    progress(1, 1, "games")
    return Learned(board, begun, table, tuple(course))


def _move(played: GamesAtOnce, table: Array, rate: float, explore: float, random: np.random.Generator) -> None:
    """Play a move in every game, and learn from it."""
    before, cells = played.numbers, played.random_actions(random)
    if explore < 1:
        best = np.where(played.masks, table[before], -np.inf).argmax(1)
        cells = np.where(random.random(len(played)) < explore, cells, best)
    mover = played.turn.copy()
    played.play(cells)
    hoped = np.where(played.masks, table[played.numbers], -np.inf).max(1, where=~played.over[:, None], initial=-1)
    target = np.where(played.over, played.outcome * mover, -hoped)
    table[before, cells] += np.float32(rate) * (target - table[before, cells]).astype(np.float32)


def _choices(values: Array, board: Board) -> Array:
    """Return for each position 1 for the first playable cell of the greatest value, and 0 for the others."""
    cells = board.cells
    numbers = np.arange(3**cells)
    taken = np.stack([numbers // 3**cell % 3 != 0 for cell in range(cells)], axis=1)
    playable = ~taken
    if board.rules.by_column:
        columns = action_count(board)
        playable[:, :-columns] &= taken[:, columns:]  # a mark falls: the cell below is taken
    chosen = np.zeros(values.shape, dtype=np.int8)
    chosen[numbers, np.where(playable, values, -np.inf).argmax(1)] = 1
    return chosen


def _look(board: Board, games: int, table: Array) -> LearnedSoFar:
    """Evaluate the best moves of the table. They are deterministic, so a best response gives their worst result."""
    bot = RememberingPolicy(array_policy(board, _choices(table, board)))
    x, o = versus(board, x=bot, o="random").value, versus(board, x="random", o=bot).value
    x_least, o_least = versus(board, x=bot, o=BEST).value, versus(board, x=BEST, o=bot).value
    return LearnedSoFar(games, x, -o, x_least, -o_least)


# Policies of OpenSpiel as ours, and ours as OpenSpiel's: for its games of marks on a board.
#
# Its games `tic_tac_toe` and `python_tic_tac_toe` are 3x3; `mnk(m=,n=,k=)` is n rows of m cells. Its actions are
# cells in reading order, as ours are. `connect_four(rows=,columns=,x_in_row=)` has gravity; its actions are columns.

_CONNECT_FOUR = (("rows", 6), ("columns", 7), ("x_in_row", 4))
_TIC_TAC_TOE = ("tic_tac_toe", "python_tic_tac_toe")


def board_of_game(game: Any) -> Board:
    """Return the board of a game of OpenSpiel. Raises InputError for games of another kind."""
    name, given = game.get_type().short_name, game.get_parameters()
    if name in _TIC_TAC_TOE:
        return Board.grid(3, 3)
    if name == "mnk":
        m, n, k = (int(given.get(each, usual)) for each, usual in (("m", 15), ("n", 15), ("k", 5)))
        return Board.grid(n, m, k)
    if name == "connect_four":
        rows, columns, k = (int(given.get(each, usual)) for each, usual in _CONNECT_FOUR)
        return Board.grid(rows, columns, k, gravity=True)
    known = f"{', '.join(_TIC_TAC_TOE)}, mnk or connect_four"
    raise InputError(f"the game {shown(name)} of OpenSpiel is not supported: use {known}")


def from_open_spiel(given: Any, game: Any = None) -> ArrayPolicy:
    """Convert a policy of OpenSpiel for use in `match`, `evaluate` and the environments.

    `given` has `action_probabilities(state)`, as all policies of OpenSpiel do; the default game is the policy's own.
    It answers for each position with the marks made in reading order. Its chances, in floating point, are read as
    `array_policy` reads them. Raises InputError for games of another kind and bad chances.
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
        found = {cell: float(chances.get(_action(board, cell), 0)) for cell in cells_of(position.playable)}
        return [found.get(cell, 0.0) for cell in range(board.cells)]

    return ArrayPolicy(type(given).__name__, weights, False)


def _state(game: Any, position: Position) -> Any:
    """Return the state of a position; before the end its marks may have been made in any order that can be played."""
    state = game.new_initial_state()
    for cell in moves_to(position):
        state.apply_action(_action(position.board, cell))
    return state


def _action(board: Board, cell: Cell) -> int:
    """Return the action that plays a cell: its column under gravity, else the cell."""
    return cell % action_count(board) if board.rules.by_column else cell


def to_open_spiel(given: PolicyLike, game: Any) -> Any:
    """Convert a policy to OpenSpiel: a `open_spiel.python.policy.Policy` for both players of a game.

    It gives the chance of every legal action as a float, chances of 0 included. Raises InputError without
    OpenSpiel, for games of another kind and for unknown policies.
    """
    try:
        base: Any = import_module("open_spiel.python.policy").Policy
    except ImportError:
        raise InputError("a policy of OpenSpiel needs OpenSpiel: run pip install open_spiel") from None
    board = board_of_game(game)
    ours = policy(board, given)
    require_moves(ours, "OpenSpiel")
    solution = solution_for(Position(board)) if ours.needs_values else None

    class OpenSpielPolicy(base):
        """A policy of noughts."""

        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            return _chances(ours, solution, _after(board, state.history()))

    return OpenSpielPolicy(game, [0, 1])


def _after(board: Board, history: list[int]) -> Position:
    """Return the position after some actions."""
    if board.rules.by_column:
        return parse_position(board, [column_name(action) for action in history])
    return Position(board, mask_of(history[::2]), mask_of(history[1::2]))


def _chances(ours: Policy, solution: Solution | None, position: Position) -> dict[int, float]:
    """Return the chance of each legal action in a position."""
    shares, board = ours.probabilities(position, solution), position.board
    return {_action(board, cell): float(shares.get(cell, Fraction(0))) for cell in cells_of(position.playable)}
