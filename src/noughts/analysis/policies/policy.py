"""May what is read here start a program? Yes on the command line and from Python; not what files and addresses say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from math import isfinite
from numbers import Rational
from typing import Any, NamedTuple, SupportsFloat

from noughts.rules.arguments import wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict, short
from noughts.solving.solution import Solution

_ALLOWED: ContextVar[bool] = ContextVar("_ALLOWED", default=True)


@contextmanager
def no_programs() -> Iterator[None]:
    """Let nothing that is read within start a program: it came from a file, an address, or another program."""
    token = _ALLOWED.set(False)
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def require_programs() -> None:
    """Raise InputError where no programs are run."""
    if not _ALLOWED.get():
        raise InputError("a policy that is a program is not run here: give it on the command line or from Python")


# A policy: a rule of play as a value, from a position to moves with exact probabilities.


class Policy:
    """A rule of play: `moves` gives the cells it chooses among, `probabilities` how often; uniformly, unless it says.

    `is_symmetric` says that symmetric positions get symmetric moves, or moves that lead to the same classes with the
    same probabilities, so that classes may stand for positions.
    """

    name: str

    @property
    def board(self) -> Board | None:
        """The board it is for, None where it plays on any."""
        return None

    @property
    def is_symmetric(self) -> bool:
        """Whether classes may stand for positions."""
        return True

    @property
    def needs_values(self) -> bool:
        """Whether `moves` has to be given a solution."""
        return False

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells of an unfinished position among which the policy chooses; never empty."""
        raise NotImplementedError

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play, in reading order: they sum to 1."""
        cells = list(cells_of(self.moves(position, solution)))
        return dict.fromkeys(cells, Fraction(1, len(cells)))


# How likely a policy makes each move in a position: what a file or a function says of it, read exactly.
#
# One cell, or several of which each is as likely as the others; cells with chances, whose sum is 1; or an array of one
# chance for each cell of the board. Chances are whole numbers, fractions, texts such as 1/3 or 0.25, or floats. A float
# is taken for the number that it holds, exactly; as such numbers seldom sum to 1 exactly, a sum of floats may be off by
# 1e-6, and each chance is then divided by the sum.

Weights = FrozenDict[Cell, Fraction]
"""The chance of each cell that may be played, none of them 0: they sum to 1."""

FLOAT_ERROR = Fraction(1, 10**6)
"""How far from 1 a sum of floats may be."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:/\d+)?|\d*\.\d+)")
_LONGEST = 1000
_DEEPEST = 4
_FORMS = "a blank cell, a list of them, or {cell: chance} with chances that sum to 1"


class Moment(NamedTuple):
    """Who is asked for a move, as errors call it, and where: in which position, with these blank cells."""

    policy: str
    position: str
    board: Board
    blanks: Mask


def evenly(cells: Mask) -> Weights:
    """Return the weights of some cells of which each is as likely as the others."""
    return FrozenDict(dict.fromkeys(cells_of(cells), Fraction(1, cells.bit_count())))


def read_weights(given: object, at: Moment) -> Weights:
    """Return what was given as weights, in reading order. Raises InputError, in one sentence that says where."""
    if isinstance(given, Mapping):
        return _with_chances([(_cell(cell, at), chance) for cell, chance in given.items()], at)
    if isinstance(given, bool | bytes | None):
        raise _no_moves(given, at)
    if not isinstance(given, str) and hasattr(given, "tolist"):
        given = given.tolist()
    if isinstance(given, str) or hasattr(given, "__index__"):
        return _with_cells([given], at)
    if not isinstance(given, Iterable):
        raise _no_moves(given, at)
    listed = list(islice(given, at.board.cells + 1))
    _require_flat(listed, at)
    if any(_is_chance(each) for each in _flat(listed)):
        return _with_chances(list(enumerate(_row(listed, at))), at)
    return _with_cells(listed, at)


def _no_moves(given: object, at: Moment) -> InputError:
    return wrong_type(f"the moves of {at.policy} in {at.position}", given, _FORMS)


def _cell(given: Any, at: Moment) -> Cell:
    try:
        return parse_cell(at.board, given)
    except InputError as error:
        raise type(error)(f"{at.policy} does not play on the board in {at.position}: {error}") from None


def _with_cells(given: list[Any], at: Moment) -> Weights:
    """Return the weights of cells of which each is as likely as the others."""
    cells = [_cell(cell, at) for cell in given]
    if not cells:
        raise InputError(f"{at.policy} plays nothing in {at.position}: give one or more blank cells")
    _require_once(cells, "each is as likely as the others", at)
    _require_blank(cells, at)
    return evenly(mask_of(cells))


def _with_chances(given: list[tuple[Cell, object]], at: Moment) -> Weights:
    """Return the weights of cells with their chances. Raises InputError unless they are none below 0 and sum to 1."""
    _require_once([cell for cell, _ in given], "its chance is the whole chance", at)
    read = {cell: _chance(chance, cell, at) for cell, chance in sorted(given, key=lambda pair: pair[0])}
    for cell, chance in read.items():
        if chance < 0:
            raise InputError(
                f"{at.policy} plays {cell_name(at.board, cell)} in {at.position} with the chance {_number(chance)}: "
                "give chances from 0 to 1"
            )
    found = {cell: chance for cell, chance in read.items() if chance}
    if not given:
        raise InputError(f"{at.policy} plays nothing in {at.position}: give one or more blank cells")
    _require_blank(found, at)
    total = sum(found.values(), Fraction(0))
    floats = any(_is_float(chance) for _, chance in given)
    if total == 1:
        return FrozenDict(found)
    if floats and abs(total - 1) <= FLOAT_ERROR:
        return FrozenDict({cell: chance / total for cell, chance in found.items()})
    raise InputError(
        f"the chances that {at.policy} gives in {at.position} sum to {_number(total)}: give chances that sum to 1"
    )


def _require_once(cells: list[Cell], why: str, at: Moment) -> None:
    if len(set(cells)) < len(cells):
        names = _names(cells, at)
        raise InputError(f"{at.policy} plays {names} in {at.position}: give each cell once, for {why}")


def _require_blank(cells: Iterable[Cell], at: Moment) -> None:
    taken = [cell for cell in cells if not at.blanks >> cell & 1]
    if taken:
        are = "is" if len(taken) == 1 else "are"
        raise InputError(
            f"{at.policy} plays {_names(taken, at)} in {at.position}, which {are} taken: give one or more blank cells"
        )


def _names(cells: list[Cell], at: Moment) -> str:
    return short(", ".join(cell_name(at.board, cell) for cell in cells), 60)


def _number(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 24 else f"about {float(value):.9g}"


def _require_flat(given: list[object], at: Moment, depth: int = 1) -> None:
    """Raise InputError for lists in lists in lists beyond those of an array."""
    if depth > _DEEPEST:
        raise InputError(f"the moves of {at.policy} in {at.position} are lists nested too deeply: give {_FORMS}")
    for part in given:
        if isinstance(part, list):
            _require_flat(part, at, depth + 1)


def _flat(given: object) -> list[object]:
    """Return the elements of nested lists."""
    if not isinstance(given, list):
        return [given]
    return [each for part in given for each in _flat(part)]


def _shape(given: object) -> tuple[int, ...] | None:
    """Return the shape of nested lists, as of an array; None where they are uneven."""
    if not isinstance(given, list):
        return ()
    inner = {_shape(part) for part in given}
    shape = inner.pop() if len(inner) == 1 else None
    return None if shape is None else (len(given), *shape)


def _row(given: list[object], at: Moment) -> list[object]:
    """Return one chance for each cell, of an array in the shape of the board or in a row. Raises InputError."""
    shapes: list[tuple[int, ...]] = [(at.board.cells,)]
    if at.board.shape is not None:
        rows, columns, layers = at.board.shape
        shapes.append((layers, rows, columns) if at.board.is_solid else (rows, columns))
    if _shape(given) in shapes:
        return _flat(given)
    raise InputError(
        f"the array of chances that {at.policy} gives in {at.position} does not fit {at.board}: give one chance for "
        f"each cell, in the shape {' or '.join(map(str, shapes))}"
    )


def _is_chance(given: object) -> bool:
    """Return whether a number can be a chance only, and no cell."""
    return isinstance(given, Decimal | Fraction) or _is_float(given)


def _is_float(given: object) -> bool:
    """Return whether a number is a float, of Python or of a library; whole numbers and fractions are none."""
    return (
        isinstance(given, SupportsFloat)
        and not isinstance(given, str | Rational | Decimal)
        and not hasattr(given, "__index__")
    )


def _chance(given: object, cell: Cell, at: Moment) -> Fraction:
    """Return a chance exactly. Raises InputError for what is no number."""
    text = str(given) if isinstance(given, str | Decimal) else None
    if text is not None:
        if len(text) <= _LONGEST and _NUMBER.fullmatch(text.strip()):
            numerator, _, denominator = text.strip().partition("/")
            if not denominator or int(denominator):
                return Fraction(numerator) / int(denominator or 1)
    elif isinstance(given, bool):
        pass
    elif isinstance(given, Rational):
        return Fraction(given)
    elif hasattr(given, "__index__"):
        return Fraction(given.__index__())
    elif isinstance(given, SupportsFloat) and isfinite(float(given)):
        return Fraction(float(given))
    raise InputError(
        f"{at.policy} plays {cell_name(at.board, cell)} in {at.position} with the chance {shown(given)}, which is no "
        "number: write it as '1/3' or '0.25'"
    )


# A policy that is asked once about each position, and answers the same ever after.


class RememberingPolicy(Policy):
    """Another policy whose answers are kept: what is slow, or draws lots, is asked once about each position.

    Where the other is symmetric it is asked about one position of each class that it meets. It has the name of the
    other, or one that is given.
    """

    def __init__(self, asked: Policy, name: str | None = None) -> None:
        self.asked = asked
        self.name = asked.name if name is None else name
        self._kept: dict[tuple[Mask, Mask], dict[Cell, Fraction]] = {}

    @property
    def board(self) -> Board | None:
        """The board of the policy that is asked."""
        return self.asked.board

    @property
    def is_symmetric(self) -> bool:
        """Whether the policy that is asked treats symmetric positions alike."""
        return self.asked.is_symmetric

    @property
    def needs_values(self) -> bool:
        """Whether the policy that is asked looks at the values of positions."""
        return self.asked.needs_values

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells among which it chooses."""
        return mask_of(cell for cell, chance in self.probabilities(position, solution).items() if chance)

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell, as it was given the first time."""
        key = (position.x, position.o)
        if key not in self._kept:
            self._kept[key] = dict(self.asked.probabilities(position, solution))
        return self._kept[key]
