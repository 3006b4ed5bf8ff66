"""A policy: a rule of play that maps a position to moves with exact probabilities; and reading such moves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import lcm
from numbers import Rational
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.machine.files import write_file
from noughts.machine.reading import FILE_VERSION
from noughts.rules.arguments import path_of, seed_of, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import Cells, Move, move_name, moves_on, parse_move
from noughts.rules.errors import InputError, shown
from noughts.rules.game import require_listed
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.position import Position, parse_position, read_move
from noughts.rules.values import FrozenDict, drawn, short

if TYPE_CHECKING:
    from noughts.solving.solution import Solution

Weights = FrozenDict[Cell, Fraction]
"""The chance of each possible cell, above 0; the chances sum to 1."""

FLOAT_ERROR = Fraction(1, 10**6)
"""How far from 1 a sum of floats may be."""

POLICIES = ("random", "win", "block", "fork", "perfect", "quickest", "concede", "trap:random", "trap:block")
BEST = "best"
"""The word for the best response to the policy of the other side."""
GRADES = FrozenDict({"easy": Fraction(1, 2), "medium": Fraction(1, 4), "hard": Fraction(1, 10)})
"""The policies that err, and their chance of a mistake if one is possible."""
GENOME = "genome:"
"""The prefix of a policy that is a genome as text."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:/\d+)?|\d*\.\d+)")
_LONGEST = 1000
_DEEPEST = 4
_FORMS = "a blank cell, a list of them, or {cell: chance} with chances that sum to 1"
_PROGRAMS_ALLOWED: ContextVar[bool] = ContextVar("_PROGRAMS_ALLOWED", default=True)


class Policy:
    """A rule of play: `moves` gives the cells it may play, `probabilities` their chances.

    A policy defines one of them; `moves` alone means that each cell is equally likely.
    """

    name: str
    board: Board | None = None
    """The board it is for, None for any board."""
    is_symmetric: bool = True
    """Whether moves in symmetric positions lead to the same classes with the same probabilities."""
    needs_values: bool = False
    """Whether `moves` needs a solution."""
    concedes: bool = False
    """Whether it may give no move: it then concedes, the game is over, and the opponent has won."""

    def moves(self, position: Position, solution: Solution | None = None) -> Mask:
        """Return the cells that the policy may play in an unfinished position; none where it concedes."""
        return mask_of(cell for cell, chance in self.probabilities(position, solution).items() if chance)

    def probabilities(self, position: Position, solution: Solution | None = None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play, in reading order: they sum to 1, or it concedes.

        A policy that needs values solves the board unless `solution` has them.
        """
        return dict(evenly(self.moves(_a_position(position), solution)))

    def move(self, position: Position, seed: int | str = 0) -> Move:
        """Return a move drawn with its chance; policy, position and seed determine it. Raises InputError.

        A finished game has no moves, and neither has a policy that concedes.
        """
        shares = {} if _a_position(position).is_terminal else self.probabilities(position)
        if not shares:
            why = "the game is over there" if position.is_terminal else "it concedes there"
            raise InputError(f"the policy {self.name} has no move in {position}: {why}")
        return Move(position.board, choose(shares, position, seed_of(seed)))

    def as_dict(self, board: Board | str | None = None) -> dict[str, object]:
        """Return the policy in the form of its file: the chances in every class, or position, that it has moves for.

        `board` may be left out where the policy is for one board. Raises BudgetError for boards with too many classes.
        """
        on = self._on(board)
        by = {} if self.is_symmetric else {"by": "position"}
        return {"version": FILE_VERSION, "board": on.spec, **by, "moves": dict(self._entries(on))}

    def save(self, path: str | os.PathLike[str], board: Board | str | None = None) -> None:
        """Write the policy as a file for `match`, `check` and `serve`; its name ends in .json. Raises FileError."""
        target = path_of("the file of a policy", path)
        if target.suffix != ".json":
            raise InputError(f"the file {shown(str(target))} must end in .json, so that it is read as a policy")
        write_file(target, (json.dumps(self.as_dict(board), indent=1) + "\n").encode())

    def _on(self, board: Board | str | None) -> Board:
        """Return the board of the file. Raises InputError if it is unknown or another."""
        found = self.board if board is None else Board.parse(board)
        if found is None or self.board not in (None, found):
            why = "plays on any board" if self.board is None else f"is for {self.board}"
            raise InputError(f"the policy {self.name} {why}: give its board")
        return found

    def _entries(self, board: Board) -> Iterator[tuple[str, object]]:
        """Yield the positions with the chances there as text, ply by ply."""
        require_listed(Position(board), "the file of a policy", takes_position=False)
        solution = values_for(Position(board), None) if self.needs_values else None
        for at, _ in reached(Position(board), Position.moves, by_class=self.is_symmetric):
            if not at.ply or at.playable.bit_count() > 1:
                with suppress(NoEntry):
                    yield str(at), entry(board, self.probabilities(at, solution))


def reached(
    start: Position, moves_at: Callable[[Position], Iterable[Cell]], *, by_class: bool
) -> Iterator[tuple[Position, list[Cell]]]:
    """Yield the unfinished positions that some moves reach, by ply and then by marks, each with its moves.

    With `by_class` they are one of each class, in its canonical form.
    """
    layer = [start]
    while layer:
        found: dict[tuple[Mask, Mask], Position] = {}
        for at in layer:
            moves = list(moves_at(at))
            yield at, moves
            for child in map(at.play, moves):
                if not child.is_terminal:
                    key = at.board.group().canonical(child.x, child.o) if by_class else (child.x, child.o)
                    found.setdefault(key, Position(at.board, *key))
        layer = [found[key] for key in sorted(found)]


def _a_position(given: object) -> Position:
    """Return a position. Raises InvalidType for text: a policy may be for any board, so that text names no position."""
    if not isinstance(given, Position):
        raise wrong_type("the position of a move", given, "a Position, such as Position('3x3')")
    return given


class NoEntry(InputError):
    """A table has no moves for a position."""


def entry(board: Board, weights: Mapping[Cell, Fraction]) -> object:
    """Return the chances of cells as a file has them: a list of equally likely cells, or cells with fractions."""
    named = {move_name(board, move): str(weights[move]) for move in sorted(weights)}
    return list(named) if len(set(named.values())) == 1 else named


def values_for(position: Position, solution: Solution | None) -> Solution:
    """Return the given values, else those of the board, solved once."""
    return _solved(position.board) if solution is None else solution


@lru_cache(maxsize=4)
def _solved(board: Board) -> Solution:
    from noughts.analysis.solutions import solution_for  # late: it imports NumPy, and few policies need values

    return solution_for(Position(board))


def choose(shares: Mapping[Cell, Fraction], position: Position, seed: str) -> Cell:
    """Return a move drawn with the given chances; seed, board and position determine it."""
    whole = lcm(*(share.denominator for share in shares.values()))
    at = drawn(whole, f"{seed} {position.board.spec} {position}")
    for cell, share in shares.items():
        at -= share.numerator * (whole // share.denominator)
        if at < 0:
            return cell
    raise AssertionError("the chances of a policy sum to 1")


class RememberingPolicy(Policy):
    """A policy that stores the answers of another one, which is called once for each position.

    It has the name of the other policy by default.
    """

    def __init__(self, source: Policy, name: str | None = None) -> None:
        self.source = source
        self.name = source.name if name is None else name
        self.board, self.is_symmetric, self.needs_values = source.board, source.is_symmetric, source.needs_values
        self.concedes = source.concedes
        self._answers: dict[tuple[Mask, Mask], dict[Cell, Fraction]] = {}

    def probabilities(self, position: Position, solution: Solution | None = None) -> dict[Cell, Fraction]:
        """Return the chance of each cell, as in the first answer."""
        key = (position.x, position.o)
        if key not in self._answers:
            self._answers[key] = dict(self.source.probabilities(position, solution))
        return self._answers[key]


def require_moves(player: Policy, where: str) -> None:
    """Raise InputError for a policy that may concede where each position needs a move; `where` names the place."""
    if player.concedes:
        raise InputError(
            f"{where} needs a move at each position, and the policy {player.name} may give none: try block"
        )


@contextmanager
def no_programs() -> Iterator[None]:
    """Forbid policies read within to start programs: they come from a file, an address or another program."""
    token = _PROGRAMS_ALLOWED.set(False)
    try:
        yield
    finally:
        _PROGRAMS_ALLOWED.reset(token)


def require_programs() -> None:
    """Raise InputError where programs are not allowed."""
    if not _PROGRAMS_ALLOWED.get():
        raise InputError("program policies cannot run here: give them on the command line or in Python")


class Moment(NamedTuple):
    """A policy that is to move, by its name in errors, with the position and the cells that it may play."""

    policy: str
    position: str
    board: Board
    blanks: Mask

    def cell(self, given: Any) -> Cell:
        """Return the cell of a number, a name or a move. Raises InputError."""
        try:
            if self.board.rules.by_column:
                return read_move(parse_position(self.board, self.position), given)
            return parse_move(self.board, given)
        except InputError as error:
            raise type(error)(f"{self.policy} does not play on the board in {self.position}: {error}") from None

    def require_once(self, cells: list[Cell], why: str) -> None:
        """Raise InputError if the list is empty, or a cell occurs twice."""
        if not cells:
            raise InputError(f"{self.policy} plays nothing in {self.position}: give one or more blank cells")
        if len(set(cells)) < len(cells):
            raise InputError(f"{self._plays(cells)} in {self.position}: give each cell once, for {why}")

    def require_blank(self, cells: Iterable[Cell]) -> None:
        """Raise InputError if one of the cells is taken."""
        if taken := [cell for cell in cells if not self.blanks >> cell & 1]:
            if not self.board.rules.any_blank:
                names = ", ".join(map(str, moves_on(self.board, cells_of(self.blanks))))
                raise InputError(f"{self._plays(taken)} in {self.position}: the moves there are {names}")
            are = "is" if len(taken) == 1 else "are"
            words = f"{self._plays(taken)} in {self.position}, which {are} taken"
            raise InputError(f"{words}: give one or more blank cells")

    def _plays(self, cells: list[Cell]) -> str:
        return f"{self.policy} plays {short(', '.join(move_name(self.board, cell) for cell in cells), 60)}"


def evenly(cells: Mask) -> Weights:
    """Return equal chances for some cells."""
    return FrozenDict(dict.fromkeys(cells_of(cells), Fraction(1, cells.bit_count() or 1)))


def read_weights(given: object, at: Moment) -> Weights:
    """Return the moves of a file or a function in a position as chances, in reading order.

    They may be a cell, several cells that are equally likely, cells with chances that sum to 1, or an array of one
    chance for each cell. Chances are numbers, or texts such as 1/3 or 0.25. A float counts as its exact value. A sum of
    floats may differ from 1 by 1e-6; each chance is then divided by the sum. Raises InputError.
    """
    if isinstance(given, Mapping):
        return _with_chances([(at.cell(cell), chance) for cell, chance in given.items()], at)
    if not isinstance(given, str) and hasattr(given, "tolist"):
        given = given.tolist()
    if isinstance(given, Cells):
        given = list(given)
    if isinstance(given, str) or (hasattr(given, "__index__") and not isinstance(given, bool)):
        return _with_cells([given], at)
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise wrong_type(f"the moves of {at.policy} in {at.position}", given, _FORMS)
    listed = list(islice(given, at.board.move_count + 1))
    chances, shape = _flat(listed)
    if not any(isinstance(each, Decimal | Fraction) or _is_float(each) for each in chances):
        return _with_cells(listed, at)
    shapes: list[tuple[int, ...]] = [(at.board.move_count,)]
    if at.board.shape is not None and not at.board.rules.chooses_mark:
        rows, columns, layers = at.board.shape
        shapes.append((layers, rows, columns) if at.board.is_solid else (rows, columns))
    if shape in shapes:
        return _with_chances(list(enumerate(chances)), at)
    raise InputError(
        f"the array of {at.policy} in {at.position} does not fit {at.board}: give one chance for "
        f"each {'move' if at.board.rules.chooses_mark else 'cell'}, in the shape {' or '.join(map(str, shapes))}"
    )


def _flat(given: object, depth: int = 0) -> tuple[list[object], tuple[int, ...] | None]:
    """Return the elements of nested lists, and their shape as an array; None if they are uneven or too deep."""
    if not isinstance(given, list):
        return [given], ()
    if depth == _DEEPEST:
        return [given], None
    parts = [_flat(part, depth + 1) for part in given]
    shapes = {shape for _, shape in parts}
    inner = shapes.pop() if len(shapes) == 1 else None
    return [each for part, _ in parts for each in part], None if inner is None else (len(given), *inner)


def _with_cells(given: list[Any], at: Moment) -> Weights:
    """Return equal chances for the cells. Raises InputError."""
    cells = [at.cell(cell) for cell in given]
    at.require_once(cells, "each is equally likely")
    at.require_blank(cells)
    return evenly(mask_of(cells))


def _with_chances(given: list[tuple[Cell, object]], at: Moment) -> Weights:
    """Return the chances of cells. Raises InputError unless they are 0 or more and sum to 1."""
    at.require_once([cell for cell, _ in given], "its chance is the whole chance")
    read = {cell: _chance(chance, cell, at) for cell, chance in sorted(given, key=lambda pair: pair[0])}
    for cell, chance in read.items():
        if chance < 0:
            plays = f"{at.policy} plays {move_name(at.board, cell)} in {at.position}"
            raise InputError(f"{plays} with the chance {_number(chance)}: give chances from 0 to 1")
    found = {cell: chance for cell, chance in read.items() if chance}
    at.require_blank(found)
    total = sum(found.values(), Fraction(0))
    if total == 1:
        return FrozenDict(found)
    if any(_is_float(chance) for _, chance in given) and abs(total - 1) <= FLOAT_ERROR:
        return FrozenDict({cell: chance / total for cell, chance in found.items()})
    words = f"the chances that {at.policy} gives in {at.position} sum to {_number(total)}"
    raise InputError(f"{words}: give chances that sum to 1")


def _number(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 24 else f"about {float(value):.9g}"


def _is_float(given: object) -> bool:
    """Return whether a number is a float of Python or of a library, not a whole number or a fraction."""
    return hasattr(given, "__float__") and not isinstance(given, Rational | Decimal) and not hasattr(given, "__index__")


def _chance(given: Any, cell: Cell, at: Moment) -> Fraction:
    """Return an exact chance. Raises InputError for anything but a number."""
    text = str(given).strip() if isinstance(given, str | Decimal) else "0"
    try:
        if isinstance(given, bool) or len(text) > _LONGEST or not _NUMBER.fullmatch(text):
            raise ValueError
        if isinstance(given, str | Decimal):
            return Fraction(text)
        if isinstance(given, Rational):
            return Fraction(given)
        return Fraction(given.__index__() if hasattr(given, "__index__") else float(given))
    except (TypeError, ValueError, ArithmeticError):
        plays = f"{at.policy} plays {move_name(at.board, cell)} in {at.position} with the chance {shown(given)}"
        raise InputError(f"{plays}, which is not a number: write it as '1/3' or '0.25'") from None
