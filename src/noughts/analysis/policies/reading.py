"""Policies as they are given: by name, as a file, a dict, a genome, a program or a function.

random          every blank cell
win, block, fork, perfect, quickest             the move rules of `rules.game`
trap:random     perfect, and among equals a move after which an opponent who plays `random` most probably loses value
trap:block      with the next reply; and the same for one who plays `block`
easy, medium, hard      perfect but for mistakes, made with chance 1/2, 1/4, 1/10 where there is one to make
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from noughts.analysis.policies.policy import GENOME, GRADES, POLICIES, Moment, Policy, evenly, no_programs, read_weights
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
    from noughts.solving.solution import Solution

_PROGRAM = "program:"
_DEEPEST = 8
"""How many policies may stand one within the other."""


@runtime_checkable
class _Strategy(Protocol):
    """A result that holds a strategy: its `policy` plays it."""

    @property
    def policy(self) -> Policy:
        """The strategy as a policy."""

    @property
    def board(self) -> Board:
        """The board it is for."""


Moves = Cell | str | Iterable[Any] | Mapping[Any, Any]
"""What a function may return: a cell, cells, {cell: chance}, or an array of one chance for each cell."""

PolicyLike = Policy | str | Mapping[Any, Any] | _Strategy | Callable[[Position], Moves]


def perfect_moves(position: Position, solution: Solution) -> Mask:
    """Return the moves that keep the best value of an unfinished position, by value alone."""
    values = {cell: _value(position.play(cell), solution) for cell in cells_of(position.blanks)}
    best = (max if position.to_move == "X" else min)(values.values())
    return mask_of(cell for cell, value in values.items() if value == best)


def _quickest_moves(position: Position, among: Mask, solution: Solution) -> Mask:
    """Return of moves that keep the value those that win soonest or lose latest; all where they draw."""
    children = {cell: position.play(cell) for cell in cells_of(among)}
    outcomes = {solution.outcome(child) for child in children.values()}
    if outcomes == {"draw"}:
        return among
    far = {cell: solution.remoteness(child) for cell, child in children.items()}
    known = [plies for plies in far.values() if plies is not None]
    if len(known) < len(far):
        raise BudgetError(
            f"the policy quickest needs the plies to the end, which are not known for {position.board}: play perfect"
        )
    best = (min if position.to_move in outcomes else max)(known)
    return mask_of(cell for cell, plies in far.items() if plies == best)


def _trapping_moves(position: Position, among: Mask, solution: Solution, rule: MoveRule) -> Mask:
    """Return of equally good moves those after which an opponent who plays by `rule` most probably gives value away."""

    def chance_of_error(at: Position) -> Fraction:
        if at.is_terminal:
            return Fraction(0)
        replies = list(cells_of(allowed_cells(at.board, at.x, at.o, rule)))
        before = _value(at, solution)
        return Fraction(sum(_value(at.play(cell), solution) != before for cell in replies), len(replies))

    chances = {cell: chance_of_error(position.play(cell)) for cell in cells_of(among)}
    best = max(chances.values())
    return mask_of(cell for cell, chance in chances.items() if chance == best)


def _value(position: Position, solution: Solution) -> int:
    return timed_value(solution.outcome(position), 0)


@dataclass(frozen=True)
class NamedPolicy(Policy):
    """One of POLICIES: it chooses uniformly among the moves of a rule."""

    name: str

    def __post_init__(self) -> None:
        vars(self).update(needs_values=self.name in VALUE_RULES or self.name.startswith("trap:"))

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells among which the policy chooses."""
        rule = cast(MoveRule, self.name.removeprefix("trap:").replace("random", "any"))
        if not self.needs_values:
            return allowed_cells(position.board, position.x, position.o, rule)
        assert solution is not None
        best = perfect_moves(position, solution)
        if rule == "perfect":
            return best
        if rule == "quickest":
            return _quickest_moves(position, best, solution)
        return _trapping_moves(position, best, solution, rule)


@dataclass(frozen=True)
class ErringPolicy(Policy):
    """Perfect but for mistakes: where some move makes the value worse, one of those with the chance `error`.

    Of the moves that make it worse each is as likely as the others, and so is each of those that keep it. Where no
    move makes it worse (all keep the value, or the position is lost) there is no mistake to make.
    """

    name: str
    error: Fraction
    needs_values = True

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play."""
        assert solution is not None
        good = perfect_moves(position, solution)
        return erring(good, position.blanks & ~good, self.error)


def erring(good: Mask, bad: Mask, error: Fraction) -> dict[Cell, Fraction]:
    """Return the chances with which good moves are made and, with the chance `error`, bad ones where there are any."""
    shares = {cell: chance * (1 - error if bad else 1) for cell, chance in evenly(good).items()}
    if bad:
        shares |= {cell: chance * error for cell, chance in evenly(bad).items()}
    return {cell: shares[cell] for cell in sorted(shares) if shares[cell]}


@dataclass(frozen=True)
class CallablePolicy(Policy):
    """Any function from a position to what `read_weights` takes: it may treat symmetric positions differently."""

    name: str
    function: Callable[[Position], object] = field(repr=False)
    is_symmetric = False

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chances that the function gives. Raises InputError unless they sum to 1, on blank cells."""
        at = Moment(f"the policy {self.name}", str(position), position.board, position.blanks)
        return dict(read_weights(self.function(position), at))


@dataclass(frozen=True)
class _Origin:
    """From where a policy is named: by a caller, or by a file, which names only files in its folder and below.

    `within` are the files and dicts that are being read, each of which names the next. `said` is how errors call the
    file in which the name stands, None where a caller gave it; `folder` is where that file lies, not a link to it; None
    for a text that is in no file.
    """

    within: tuple[str, ...] = ()
    said: str | None = None
    folder: Path | None = None

    def path(self, given: str) -> Path:
        """Return the file that is named. Raises InputError for one that a file may not name: links are followed."""
        if self.said is None:
            return Path(given)
        path = Path(given)
        require_name(path)
        names = f"the policy {self.said} names {shown(given, 200)} under 'otherwise'"
        if self.folder is None:
            raise InputError(f"{names}, and is in no file itself: write there what that file holds")
        folder = Path(os.path.realpath(self.folder))
        leads_out = path.is_absolute() or ".." in path.parts
        if leads_out or not Path(os.path.realpath(folder / path)).is_relative_to(folder):
            raise InputError(f"{names}, which is not in its folder or below: put it there, and name it from there")
        return self.folder / path

    def in_file(self, path: Path) -> _Origin:
        """Return from where a file names others. Raises InputError where it is being read already."""
        require_name(path)
        real, said = os.path.realpath(path), shown(str(path), 200)
        if real in self.within:
            raise InputError(f"the policy {said} names itself under 'otherwise': name another there")
        folder = Path(real).parent
        near = os.path.realpath(path.parent) == str(folder)
        return _Origin((*self.within, real), said, path.parent if near else folder)


def require_policy(given: object) -> None:
    """Raise InvalidType for what can be no policy."""
    if not isinstance(given, Policy | str | Mapping | _Strategy) and not callable(given):
        raise wrong_type(
            "a policy",
            given,
            f"one of {', '.join((*POLICIES, *GRADES))}, a file of moves or what it holds, a function, a bot that "
            "`breed` or `force` gave, or what `array_policy` makes of an array",
        )


def policy(board: Board, given: PolicyLike) -> Policy:
    """Return the policy of a name, of a file (any name that ends in .json), of what a file holds, of a function or of
    a strategy such as `force` gives; policies as they are.

    Under misere the rules that look at threats are refused, and so is a policy for another board. A file names files in
    its folder and below only. Raises InputError.
    """
    return _read(board, given, _Origin())


def held_policy(board: Board, said: str, data: object, path: Path | None) -> FilePolicy:
    """Return the policy of what was read from a file, or from a text that is in none; errors call it `said`.

    Raises InputError, as `policy` does for the file.
    """
    return _held(board, said, data, said, _Origin(("a text",), said) if path is None else _Origin().in_file(path))


def _read(board: Board, given: PolicyLike, origin: _Origin) -> Policy:
    """Return the policy that is named from somewhere."""
    require_policy(given)
    if isinstance(given, Policy):
        if given.board not in (None, board):
            raise InputError(f"the policy {given.name} is for {given.board}, not for {board}: ask about that board")
        return given
    if isinstance(given, Mapping):
        said = "given as a dict" if origin.said is None else f"under 'otherwise' in {origin.said}"
        return _held(board, said, given, "moves", replace(origin, within=(*origin.within, "a dict")))
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


def _held(board: Board, said: str, data: object, name: str, origin: _Origin) -> FilePolicy:
    """Return the policy of data that names others from somewhere; what it names runs no program."""

    def inner(other: PolicyLike) -> Policy:
        if len(origin.within) > _DEEPEST:
            raise InputError(f"more than {_DEEPEST} policies stand one within the other under 'otherwise': write fewer")
        with no_programs():
            return _read(board, other, origin)

    return file_policy(board, said, data, name, inner, written=origin.said is not None)


def _named(board: Board, given: str) -> Policy:
    name = "random" if given == "any" else given
    if name in POLICIES:
        if name.removeprefix("trap:") not in ("random", *board.rules.move_rules):
            raise InvalidQuestion(f"the policy {name} takes and blocks lines, which loses under misere: try perfect")
        return NamedPolicy(name)
    if name in GRADES:
        return ErringPolicy(name, GRADES[name])
    if name.startswith(GENOME):
        from noughts.analysis.policies.genome import parse_genome  # genomes and programs are rarely needed

        bot = parse_genome(board, name)
        table = FrozenDict({marks: evenly(1 << cell) for marks, cell in bot.cells.items()})
        return FilePolicy(bot.name, table, board=board)
    if name.startswith(_PROGRAM):
        from noughts.analysis.policies.programs import ProgramPolicy

        return ProgramPolicy(board, name.removeprefix(_PROGRAM))
    program = f"; a program is written program:{shown(name)[1:-1]}" if Path(name).suffix or "/" in name else ""
    raise InputError(
        f"unknown policy {shown(name)}: choose {', '.join((*POLICIES, *GRADES))}, genome:..., program:COMMAND, or a "
        f"file that ends in .json{program or nearby(name, (*POLICIES, *GRADES))}"
    )
