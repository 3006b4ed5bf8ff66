"""Trained agents as policies: tables of weights as arrays, and functions from an observation to weights.

An *observation* is a position as the side to move sees it, one number a cell in reading order (row by row, layer by
layer). Own marks are 1, the opponent's -1, blanks 0. The *number* of a position in base 3 has a digit for each cell,
the first cell last: 0 blank, 1 X, 2 O.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from noughts.analysis.policies.policy import NoEntry, Policy
from noughts.rules.arguments import flag, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell, cells_of
from noughts.rules.position import Position, parse_position
from noughts.solving.solution import Solution

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "ArrayLike",
    "ArrayPolicy",
    "Weighing",
    "action_count",
    "array_policy",
    "is_array",
    "observation",
    "position_number",
]

_UNIT = 1 << 48
"""Floating-point weights are rounded to multiples of one part in so many, and at least one part if above 0."""
_SLACK = Fraction(1, 1000)
"""The most by which a sum of floating-point chances may differ from 1: float16 has three digits."""


class ArrayLike(Protocol):
    """What NumPy makes an array of: its own arrays, and tensors."""

    def __array__(self) -> np.ndarray[Any, Any]:
        """Return it as an array of NumPy."""


Weighing = Callable[[Any], Any]
"""From an observation, an array of int8, to a weight for each cell."""


def is_array(given: object) -> bool:
    """Return whether something is an array, not a function."""
    return hasattr(given, "__array__") and not callable(given)


def position_number(position: Position) -> int:
    """Return the number of a position: below 3 to the power of the cells.

    >>> [position_number(parse_position("3x3", text)) for text in (".../.../...", "X../.O./...")]
    [0, 163]
    """
    powers: list[int] = [3**cell for cell in range(position.board.cells)]
    own = sum(powers[cell] for cell in cells_of(position.x))
    return own + 2 * sum(powers[cell] for cell in cells_of(position.o))


def observation(position: Position) -> np.ndarray[Any, Any]:
    """Return a position as the side to move sees it, an array of int8 with a number for each cell.

    Where marks do not name the players, an X is 1 and an O is -1.

    >>> observation(parse_position("3x3", "X../.O./X..")).tolist()
    [-1, 0, 0, 0, 1, 0, -1, 0, 0]
    """
    import numpy as np

    seen = np.zeros(position.board.cells, dtype=np.int8)
    swapped = position.board.rules.alternating and position.to_move == "O"
    own, other = (position.o, position.x) if swapped else (position.x, position.o)
    seen[list(cells_of(own))] = 1
    seen[list(cells_of(other))] = -1
    return seen


@dataclass(frozen=True)
class ArrayPolicy(Policy):
    """A policy that weighs the cells of each position by numbers; symmetric positions may get different moves."""

    name: str
    weights: Callable[[Position], Any] = field(repr=False)
    greedy: bool
    board: Board | None = None
    """The board of its rows, None where a function answers any."""
    is_symmetric = False

    def probabilities(self, position: Position, solution: Solution | None = None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play. Raises InputError for invalid weights."""
        given = self.weights(position)
        listed = given.tolist() if hasattr(given, "tolist") else given
        if isinstance(listed, int) and not isinstance(listed, bool):
            return {self._chosen(position, listed): Fraction(1)}
        numbers = self._numbers(position, listed)
        blanks = list(cells_of(position.playable))
        if self.greedy:
            best = max(numbers[cell] for cell in blanks)
            chosen = [cell for cell in blanks if numbers[cell] == best]
            return dict.fromkeys(chosen, Fraction(1, len(chosen)))
        return _chances(self.name, position, numbers)

    def _chosen(self, position: Position, action: int) -> Cell:
        """Return the move of one action. Raises InputError where it cannot be played."""
        actions = action_count(position.board)
        if not 0 <= action < actions:
            raise InputError(f"{self.name} gives the action {action} for {position}: give one from 0 to {actions - 1}")
        cell = _cell_of(position, action)
        if not position.playable >> cell & 1:
            taken = f"plays {move_name(position.board, cell)} in {position}, which is taken"
            raise InputError(f"{self.name} {taken}: give the action of a blank cell")
        return cell

    def _numbers(self, position: Position, listed: Any) -> list[Fraction]:
        """Return the weights as exact numbers, one a move."""
        moves, actions = position.board.move_count, action_count(position.board)
        if not isinstance(listed, Sequence) or isinstance(listed, str) or len(listed) not in (moves, actions):
            what = f"{len(listed)} numbers" if isinstance(listed, Sequence) else f"{shown(str(listed))}"
            columns = f"{actions} weights, one a column, or " if actions != moves else ""
            each = (
                f"{moves}{' weights' * (not columns)}, one a {'move' if position.board.rules.chooses_mark else 'cell'}"
            )
            raise InputError(f"{self.name} gives {what} for {position}: give {columns}{each}")
        try:
            numbers = [each if isinstance(each, Fraction) else Fraction(each) for each in listed]
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{self.name} gives weights for {position} that are not finite numbers") from None
        row = numbers if len(numbers) == moves else [Fraction(0)] * moves
        for action, number in enumerate(numbers if row is not numbers else ()):
            row[_cell_of(position, action)] = number
        return row


def action_count(board: Board) -> int:
    """Return the number of actions of an environment: the columns where they name moves, else the moves."""
    return (board.shape or (1, board.cells))[1] if board.rules.by_column else board.move_count


def _cell_of(position: Position, action: int) -> Cell:
    """Return the move of an action: under gravity the cell where a mark in the column falls, its top if it is full."""
    if not position.board.rules.by_column:
        return action
    columns = action_count(position.board)
    return next((cell for cell in cells_of(position.playable) if cell % columns == action), action)


def _chances(name: str, position: Position, numbers: list[Fraction]) -> dict[Cell, Fraction]:
    """Return weights that sum to 1 as chances: exactly, where they do so, else in multiples of a small unit."""
    values = "or use greedy=True for values of moves"
    for cell, number in enumerate(numbers):
        if number < 0:
            where = f"{move_name(position.board, cell)} in {position}"
            raise InputError(f"{name} gives {where} a weight below 0: give chances, {values}")
        if number and not position.playable >> cell & 1:
            raise InputError(
                f"{name} gives {move_name(position.board, cell)} in {position}, which is taken, a weight of "
                f"{float(number):g}: set the weights of taken cells to 0"
            )
    total = sum(numbers, Fraction(0))
    if abs(total - 1) > _SLACK:
        raise InputError(
            f"the weights of {name} for {position} sum to {float(total):g}: give chances, which sum to 1, {values}"
        )
    shares = {cell: number / total for cell, number in enumerate(numbers) if number}
    if total == 1 and all(share.denominator <= 10**6 for share in shares.values()):
        return shares
    # Sums of thousands of chances then have one short denominator instead of the product of thousands; the likeliest
    # cell takes what rounding leaves.
    units = {cell: max(1, round(share * _UNIT)) for cell, share in shares.items()}
    units[max(units, key=units.__getitem__)] += _UNIT - sum(units.values())
    return {cell: Fraction(count, _UNIT) for cell, count in units.items()}


def array_policy(
    board: Board | str, given: ArrayLike | Weighing | Mapping[Any, Any], *, greedy: bool = False
) -> ArrayPolicy:
    """Return the policy of a trained agent, for `match`, `evaluate` and all that takes policies.

    Parameters
    ----------
    board
        The board, or its name.
    given
        An array with a row for each position and a column for each move, in reading order; the row is a number in base
        3, where cell i counts 0, 1 (X) or 2 (O) times 3**i. Or a function from an `observation` to such a row, or a
        dict to rows from positions, their texts, or observations as tuples. The numbers are chances, which sum to 1 and
        are 0 on taken cells. Floating point is read as multiples of 2**-48, none above 0 as 0. A row may also have a
        number for each action of `noughts.training`, under gravity one a column. A function may also return one action,
        a whole number.
    greedy
        Whether the numbers are values: the greatest on a blank cell is played, equal ones with equal chances.

    Returns
    -------
    ArrayPolicy
        The policy; everything that is computed from it is exact.

    Raises
    ------
    InputError
        The shape is wrong; bad rows raise it when they are used.

    >>> import numpy as np
    >>> from noughts.analysis.payoff.playout import versus
    >>> first_blank = array_policy("3x3", lambda seen: -np.arange(9), greedy=True)
    >>> versus("3x3", x=first_blank, o="random").x_wins
    Fraction(25, 32)
    """
    board = Board.parse(board)
    flag("greedy", greedy)
    if is_array(given):
        return ArrayPolicy("array", partial(_row_of_array, _rows(board, given)), greedy, board)
    if isinstance(given, Mapping):
        return ArrayPolicy("table", _entries(board, given), greedy, board)
    if not callable(given):
        raise wrong_type(
            "the policy of an agent", given, "an array, a dict of rows, or a function from an observation to weights"
        )
    return ArrayPolicy(getattr(given, "__name__", "agent"), partial(_row_of_function, given), greedy)


# Functions of modules, which can be pickled: the row of a position, from what the policy was given.


def _row_of_function(given: Weighing, position: Position) -> Any:
    return given(observation(position))


def _row_of_array(table: Any, position: Position) -> Any:
    return table[position_number(position)]


def _row_of_dict(rows: Mapping[tuple[int, ...], Any], by_observation: bool, position: Position) -> Any:
    key = tuple(observation(position).tolist()) if by_observation else (position.x, position.o)
    if key not in rows:
        raise NoEntry(f"the table has no row for {position}: add one")
    return rows[key]


def _rows(board: Board, given: Any) -> Any:
    import numpy as np

    table = np.asarray(given)
    cells, widths = board.cells, sorted({action_count(board), board.move_count})
    if table.shape not in [(3**cells, width) for width in widths]:
        raise InputError(
            f"an array of shape {table.shape} does not fit {board}: give 3**{cells} rows, one for each position, "
            f"and {' or '.join(map(str, widths))} columns"
        )
    return table


def _entries(board: Board, given: Mapping[Any, Any]) -> Callable[[Position], Any]:
    seen = {tuple(key): row for key, row in given.items() if isinstance(key, tuple | list)}
    if len(seen) < len(given):
        positions = ((parse_position(board, key), row) for key, row in given.items())
        return partial(_row_of_dict, {(at.x, at.o): row for at, row in positions}, False)
    wrong = next((key for key in seen if len(key) != board.cells or not set(key) <= {-1, 0, 1}), None)
    if wrong is not None:
        raise InputError(
            f"{shown(wrong)} is not an observation of {board}: give {board.cells} numbers, 1 own, -1 other, 0 blank"
        )
    return partial(_row_of_dict, seen, True)
