"""Reading policies: by name, from a file, a dict, a genome, a program or a function.

- `random`: every blank cell.
- `win`, `block`, `fork`, `perfect`, `quickest`: the move rules of `rules.game`.
- `concede`: as `block`, but it gives no move to two threats: the game is then over, and the opponent has won.
- `trap:random`, `trap:block`: perfect, with the moves after which the policy `random` or `block` is most likely to err.
- `easy`, `medium`, `hard`: perfect, but with a mistake of chance 1/2, 1/4, 1/10 if one is possible.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable

from noughts.analysis.policies.policy import (
    GENOME,
    GRADES,
    POLICIES,
    Moment,
    Policy,
    evenly,
    no_programs,
    read_weights,
    values_for,
)
from noughts.analysis.policies.table import FilePolicy, file_policy, read_json
from noughts.machine.reading import require_name
from noughts.rules.arguments import nearby, wrong_type
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.game import allowed_cells, timed_value
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.play import VALUE_RULES, MoveRule
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict

if TYPE_CHECKING:
    from noughts.analysis.policies.genome import Genome
    from noughts.solving.solution import Solution

Key = TypeVar("Key", int, Fraction, tuple[Fraction, ...])

_PROGRAM = "program:"
_DEEPEST = 8
"""The most policies nested in each other."""


@runtime_checkable
class _Strategy(Protocol):
    """A result with a strategy, which its `policy` plays."""

    @property
    def policy(self) -> Policy:
        """The strategy as a policy."""

    @property
    def board(self) -> Board:
        """The board of the strategy."""


Moves = Cell | str | Iterable[Any] | Mapping[Any, Any]
"""What a function may return: a cell, cells, {cell: chance}, or an array of one chance for each cell."""

PolicyLike = Policy | str | Mapping[Any, Any] | _Strategy | Callable[[Position], Moves]


def best_of(keys: Mapping[Cell, Key], best: Callable[[Iterable[Key]], Key] = max) -> Mask:
    """Return the cells with the greatest key, or with the best one by another measure."""
    chosen = best(keys.values())
    return mask_of(cell for cell, key in keys.items() if key == chosen)


def perfect_moves(position: Position, solution: Solution) -> Mask:
    """Return the moves that keep the value of an unfinished position."""
    values = {cell: _value(position.play(cell), solution) for cell in cells_of(position.playable)}
    return best_of(values, max if position.to_move == "X" else min)


def _quickest_moves(position: Position, among: Mask, solution: Solution) -> Mask:
    """Return those of the moves that win soonest or lose latest; all if they draw."""
    children = {cell: position.play(cell) for cell in cells_of(among)}
    outcomes = {solution.outcome(child) for child in children.values()}
    if outcomes == {"draw"}:
        return among
    far = {cell: solution.remoteness(child) for cell, child in children.items()}
    known = {cell: plies for cell, plies in far.items() if plies is not None}
    if len(known) < len(far):
        raise BudgetError(f"quickest needs the plies to the end, which are unknown for {position.board}: play perfect")
    return best_of(known, min if position.to_move in outcomes else max)


def _trapping_moves(position: Position, among: Mask, solution: Solution, rule: MoveRule) -> Mask:
    """Return those of the moves after which an opponent with the move rule `rule` is most likely to give value away."""

    def chance_of_error(at: Position) -> Fraction:
        if at.is_terminal:
            return Fraction(0)
        replies = list(cells_of(allowed_cells(at.board, at.x, at.o, rule)))
        before = _value(at, solution)
        return Fraction(sum(_value(at.play(cell), solution) != before for cell in replies), len(replies))

    return best_of({cell: chance_of_error(position.play(cell)) for cell in cells_of(among)})


def _value(position: Position, solution: Solution) -> int:
    return timed_value(solution.outcome(position), 0)


@dataclass(frozen=True)
class NamedPolicy(Policy):
    """One of POLICIES: it chooses uniformly among the moves of a rule."""

    name: str

    def __post_init__(self) -> None:
        needs_values = self.name in VALUE_RULES or self.name.startswith("trap:")
        vars(self).update(needs_values=needs_values, concedes=self.name == "concede")

    def moves(self, position: Position, solution: Solution | None = None) -> Mask:
        """Return the cells that the policy may play."""
        rule = cast(MoveRule, self.name.removeprefix("trap:").replace("random", "any"))
        if not self.needs_values:
            return allowed_cells(position.board, position.x, position.o, rule)
        solution = values_for(position, solution)
        best = perfect_moves(position, solution)
        if rule == "perfect":
            return best
        if rule == "quickest":
            return _quickest_moves(position, best, solution)
        return _trapping_moves(position, best, solution, rule)


@dataclass(frozen=True)
class ErringPolicy(Policy):
    """Perfect except for mistakes: if some moves make the value worse, it plays one of them with the chance `error`.

    Moves that make it worse are equally likely, and so are moves that keep it. If no move makes it worse (all keep the
    value, or the position is lost), a mistake is not possible.
    """

    name: str
    error: Fraction
    needs_values = True

    def probabilities(self, position: Position, solution: Solution | None = None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play."""
        good = perfect_moves(position, values_for(position, solution))
        return erring(good, position.playable & ~good, self.error)


def erring(good: Mask, bad: Mask, error: Fraction) -> dict[Cell, Fraction]:
    """Return the chances of good moves and, with the chance `error` if there are any, of bad moves."""
    shares = {cell: chance * (1 - error if bad else 1) for cell, chance in evenly(good).items()}
    if bad:
        shares |= {cell: chance * error for cell, chance in evenly(bad).items()}
    return {cell: shares[cell] for cell in sorted(shares) if shares[cell]}


@dataclass(frozen=True)
class CallablePolicy(Policy):
    """A function from a position to what `read_weights` accepts; it may treat symmetric positions differently."""

    name: str
    function: Callable[[Position], object] = field(repr=False)
    is_symmetric = False

    def probabilities(self, position: Position, solution: Solution | None = None) -> dict[Cell, Fraction]:
        """Return the chances that the function gives. Raises InputError unless they sum to 1, on blank cells."""
        at = Moment(f"the policy {self.name}", str(position), position.board, position.playable)
        return dict(read_weights(self.function(position), at))


@dataclass(frozen=True)
class _Origin:
    """The origin of a policy name: a caller, or a file, which may name only files in its folder and below.

    `within` are the files and dicts that are being read, each named by the one before. `title` names the file in
    errors, None for a caller. `folder` is the real folder of the file, None for a text outside a file.
    """

    within: tuple[str, ...] = ()
    title: str | None = None
    folder: Path | None = None

    def path(self, given: str) -> Path:
        """Return the named file. Raises InputError if a file may not name it; links are followed."""
        if self.title is None:
            return Path(given)
        path = Path(given)
        require_name(path)
        names = f"the policy {self.title} names {shown(given, 200)} under 'otherwise'"
        if self.folder is None:
            raise InputError(f"{names}, but is not a file itself: write the contents of that file there")
        folder = Path(os.path.realpath(self.folder))
        leads_out = path.is_absolute() or ".." in path.parts
        if leads_out or not Path(os.path.realpath(folder / path)).is_relative_to(folder):
            raise InputError(f"{names}, which is not in its folder or below: move it there")
        return self.folder / path

    def in_file(self, path: Path) -> _Origin:
        """Return the origin of names in a file. Raises InputError if the file is being read already."""
        require_name(path)
        real, title = os.path.realpath(path), shown(str(path), 200)
        if real in self.within:
            raise InputError(f"the policy {title} names itself under 'otherwise': name another there")
        folder = Path(real).parent
        near = os.path.realpath(path.parent) == str(folder)
        return _Origin((*self.within, real), title, path.parent if near else folder)


def require_policy(given: object) -> None:
    """Raise InvalidType for anything that cannot be a policy."""
    if not isinstance(given, Policy | str | Mapping | _Strategy) and not callable(given):
        raise wrong_type(
            "a policy",
            given,
            f"one of {', '.join((*POLICIES, *GRADES))}, a file of moves, a dict, a function, a result of `breed` "
            "or `force`, or an `array_policy`",
        )


def policy(board: Board | str, given: PolicyLike) -> Policy:
    """Return the policy of a name, a file (its name ends in .json), a dict, a function or a strategy.

    A policy is returned unchanged. A file may name only files in its folder and below. Raises InputError, also for
    rules that use threats under misere, and for a policy of another board.

    >>> policy("3x3", "perfect").move(Position("3x3").play("a1"))
    b2
    """
    return _read(Board.parse(board), given, _Origin())


def held_policy(board: Board, title: str, data: object, path: Path | None) -> FilePolicy:
    """Return the policy of data from a file, or from a text outside a file; errors call it `title`.

    Raises InputError, as `policy` does for the file.
    """
    return _held(board, title, data, title, _Origin(("a text",), title) if path is None else _Origin().in_file(path))


def _read(board: Board, given: PolicyLike, origin: _Origin) -> Policy:
    """Return the policy of a name or data with this origin."""
    require_policy(given)
    if isinstance(given, Policy):
        if given.board not in (None, board):
            raise InputError(f"the policy {given.name} is for {given.board}, not for {board}: ask about that board")
        return given
    if isinstance(given, Mapping):
        title = "given as a dict" if origin.title is None else f"under 'otherwise' in {origin.title}"
        return _held(board, title, given, "moves", replace(origin, within=(*origin.within, "a dict")))
    if isinstance(given, _Strategy):
        if given.board != board:
            raise InputError(f"the strategy is for {given.board}, not for {board}: ask about that board")
        return given.policy
    if callable(given):
        return CallablePolicy(getattr(given, "__name__", "function"), given)
    if given.endswith(".json") and not given.startswith((GENOME, _PROGRAM)):
        path = origin.path(given)
        return _held(board, shown(str(path), 200), read_json(path), str(Path(given)), origin.in_file(path))
    return _named(board, given)


def _held(board: Board, title: str, data: object, name: str, origin: _Origin) -> FilePolicy:
    """Return the policy of data with this origin; policies that it names cannot run programs."""

    def inner(other: PolicyLike) -> Policy:
        if len(origin.within) > _DEEPEST:
            raise InputError(f"more than {_DEEPEST} policies are nested under 'otherwise': write fewer")
        with no_programs():
            return _read(board, other, origin)

    return file_policy(board, title, data, name, inner, written=origin.title is not None)


def policy_of(bot: Genome) -> Policy:
    """Return the policy that plays by a genome."""
    table = FrozenDict({marks: evenly(1 << cell) for marks, cell in bot.cells.items()})
    return FilePolicy(bot.name, table, board=bot.pool.board)


def _named(board: Board, given: str) -> Policy:
    name = "random" if given == "any" else given
    if name in POLICIES:
        if name.removeprefix("trap:") not in ("random", *board.rules.all_move_rules):
            if not board.rules.misere:
                others = ", ".join(each for each in board.rules.move_rules if each != "any")
                raise InvalidQuestion(f"the policy {name} is not made for {board}: choose random, {others}")
            raise InvalidQuestion(f"the policy {name} completes and blocks lines: under misere try perfect")
        return NamedPolicy(name)
    if name in GRADES:
        return ErringPolicy(name, GRADES[name])
    if name.startswith(GENOME):
        from noughts.analysis.policies.genome import parse_genome  # genomes and programs are rarely needed

        return policy_of(parse_genome(board, name))
    if name.startswith(_PROGRAM):
        from noughts.analysis.policies.programs import ProgramPolicy

        return ProgramPolicy(board, name.removeprefix(_PROGRAM))
    run = f"program:{'python3 ' * name.endswith('.py')}{name}"
    program = f"; a program is written {shown(run)}" if Path(name).suffix or "/" in name else ""
    raise InputError(
        f"unknown policy {shown(name)}: choose {', '.join((*POLICIES, *GRADES))}, genome:..., program:COMMAND, or a "
        f"file that ends in .json{program or nearby(name, (*POLICIES, *GRADES))}"
    )
