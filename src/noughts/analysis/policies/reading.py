"""Which moves a rule that looks at values chooses among: by value, by plies, by traps set, by value given away."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from noughts.analysis.policies.genome import parse_genome
from noughts.analysis.policies.policy import Moment, Policy, Weights, evenly, no_programs, read_weights
from noughts.analysis.policies.table import FilePolicy, file_policy, read_json
from noughts.machine.reading import require_name
from noughts.rules.arguments import nearby, wrong_type
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.rules.game import allowed_cells
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.play import VALUE_RULES, MoveRule
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict
from noughts.solving.solution import Solution
from noughts.solving.values import VALUE_OF_OUTCOME


def perfect_moves(position: Position, solution: Solution) -> Mask:
    """Return the moves that keep the best value of an unfinished position, by value alone."""
    gains = _gains(position, solution)
    best = max(gains.values())
    return mask_of(cell for cell, gain in gains.items() if gain == best)


def worse_moves(position: Position, solution: Solution) -> Mask:
    """Return the moves after which the mover has less than before; none where every move keeps the value."""
    return position.blanks & ~perfect_moves(position, solution)


def quickest_moves(position: Position, among: Mask, solution: Solution) -> Mask:
    """Return of moves that keep the value those that win soonest or lose latest; all where they draw."""
    children = {cell: position.play(cell) for cell in cells_of(among)}
    outcomes = {solution.outcome(child) for child in children.values()}
    if outcomes == {"draw"}:
        return among
    far = {cell: solution.remoteness(child) for cell, child in children.items()}
    known = {cell: plies for cell, plies in far.items() if plies is not None}
    if len(known) < len(far):
        raise BudgetError(
            f"the policy quickest needs the plies to the end, which are not known for {position.board}: play perfect"
        )
    best = (min if position.to_move in outcomes else max)(known.values())
    return mask_of(cell for cell, plies in known.items() if plies == best)


def trapping_moves(position: Position, among: Mask, solution: Solution, rule: MoveRule) -> Mask:
    """Return of equally good moves those after which an opponent who plays by `rule` most probably gives value away."""
    chances = {cell: _chance_of_error(position.play(cell), solution, rule) for cell in cells_of(among)}
    best = max(chances.values())
    return mask_of(cell for cell, chance in chances.items() if chance == best)


def _gains(position: Position, solution: Solution) -> dict[int, int]:
    sign = 1 if position.to_move == "X" else -1
    return {cell: sign * _value(position.play(cell), solution) for cell in cells_of(position.blanks)}


def _chance_of_error(position: Position, solution: Solution, rule: MoveRule) -> Fraction:
    if position.is_terminal:
        return Fraction(0)
    replies = list(cells_of(allowed_cells(position.board, position.x, position.o, rule)))
    before = _value(position, solution)
    return Fraction(sum(_value(position.play(cell), solution) != before for cell in replies), len(replies))


def _value(position: Position, solution: Solution) -> int:
    return VALUE_OF_OUTCOME[solution.outcome(position)]


# The policies that have a name: those that choose uniformly among good moves, and those that err.

POLICIES = ("random", "win", "block", "fork", "perfect", "quickest", "trap:random", "trap:block")
GRADES = FrozenDict({"easy": Fraction(1, 2), "medium": Fraction(1, 4), "hard": Fraction(1, 10)})
"""The policies that err, and the chance with which they do where there is a mistake to make."""


@dataclass(frozen=True)
class NamedPolicy(Policy):
    """One of POLICIES."""

    name: str

    @property
    def needs_values(self) -> bool:
        """Whether it looks at the values of positions."""
        return self.name in VALUE_RULES or self.name.startswith("trap:")

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells among which the policy chooses."""
        rule = "any" if self.name == "random" else self.name
        if not self.needs_values:
            return allowed_cells(position.board, position.x, position.o, cast(MoveRule, rule))
        assert solution is not None
        best = perfect_moves(position, solution)
        if rule == "quickest":
            return quickest_moves(position, best, solution)
        if rule == "perfect":
            return best
        other = self.name.removeprefix("trap:").replace("random", "any")
        return trapping_moves(position, best, solution, cast(MoveRule, other))


@dataclass(frozen=True)
class ErringPolicy(Policy):
    """Perfect but for mistakes: where some move makes the value worse, one of those with the chance `error`.

    Of the moves that make it worse each is as likely as the others, and so is each of those that keep it. Where no
    move makes it worse (all keep the value, or the position is lost) there is no mistake to make.
    """

    name: str
    error: Fraction
    needs_values = True

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells that it may play."""
        return mask_of(self.probabilities(position, solution))

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play."""
        assert solution is not None
        good, bad = perfect_moves(position, solution), worse_moves(position, solution)
        error = self.error if bad else Fraction(0)
        shares = {cell: (1 - error) / good.bit_count() for cell in cells_of(good)}
        shares |= {cell: error / bad.bit_count() for cell in cells_of(bad)}
        return {cell: shares[cell] for cell in sorted(shares) if shares[cell]}


# Any function as a policy: asked about each position, it returns a cell, cells, or the chances of cells.


@dataclass(frozen=True)
class CallablePolicy(Policy):
    """Any function from a position to what `read_weights` takes: it may treat symmetric positions differently."""

    name: str
    function: Callable[[Position], object] = field(repr=False)

    @property
    def is_symmetric(self) -> bool:
        """Nobody knows: every position is asked about."""
        return False

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells that the function may play. Raises InputError unless they are blank."""
        return mask_of(self._asked(position))

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chances that the function gives. Raises InputError unless they sum to 1, on blank cells."""
        return dict(self._asked(position))

    def _asked(self, position: Position) -> Weights:
        at = Moment(f"the policy {self.name}", str(position), position.board, position.blanks)
        return read_weights(self.function(position), at)


# Which files a policy may name: any where somebody gives it, inside a file only those in its folder and below.

_DEEPEST = 8
"""How many policies may stand one within the other."""


@dataclass(frozen=True)
class Whence:
    """From where a policy is named: by whoever asks, or by a file.

    `within` are the files and dicts that are being read, each of which names the next. `said` is how errors call the
    file in which the name stands, None where whoever asks gave it; `folder` is where that file lies, and not a link to
    it; None for a text that is in no file.
    """

    within: tuple[str, ...] = ()
    said: str | None = None
    folder: Path | None = None

    @property
    def is_written(self) -> bool:
        """Whether the name stands in a file."""
        return self.said is not None

    def path(self, given: str) -> Path:
        """Return the file that is named. Raises InputError for one that a file may not name: links are followed."""
        if self.said is None:
            return Path(given)
        require_name(Path(given))
        names = f"the policy {self.said} names {shown(given, 200)} under 'otherwise'"
        if self.folder is None:
            raise InputError(f"{names}, and is in no file itself: write there what that file holds")
        path, folder = Path(given), Path(os.path.realpath(self.folder))
        leads_out = path.is_absolute() or ".." in path.parts
        if leads_out or not Path(os.path.realpath(folder / path)).is_relative_to(folder):
            raise InputError(f"{names}, which is not in its folder or below: put it there, and name it from there")
        return self.folder / path

    def in_file(self, path: Path) -> Whence:
        """Return from where a file names others. Raises InputError where it is being read already."""
        require_name(path)
        real, said = os.path.realpath(path), shown(str(path), 200)
        if real in self.within:
            raise InputError(f"the policy {said} names itself under 'otherwise': name another there")
        folder = Path(real).parent
        near = os.path.realpath(path.parent) == str(folder)
        return self._inside(real, said, path.parent if near else folder)

    def in_text(self, said: str) -> Whence:
        """Return from where a text that is in no file names others."""
        return self._inside("a text", said, None)

    def in_dict(self) -> Whence:
        """Return from where a dict names others: as freely as what it stands in."""
        return self._inside("a dict", self.said, self.folder)

    def _inside(self, one: str, said: str | None, folder: Path | None) -> Whence:
        return replace(self, within=(*self.within, one), said=said, folder=folder)

    def require_shallow(self) -> None:
        """Raise InputError where too many policies stand one within the other."""
        if len(self.within) > _DEEPEST:
            raise InputError(f"more than {_DEEPEST} policies stand one within the other under 'otherwise': write fewer")


# Policies: rules of play as values, each choosing among the moves it names, uniformly unless it says otherwise.
#
# random          every blank cell
# win, block, fork, perfect, quickest             the move rules of `domain.rules`
# trap:random     perfect, and among equals a move after which an opponent who plays `random` most probably loses value
# trap:block      with the next reply; and the same for one who plays `block`
# easy, medium, hard      perfect but for mistakes, made with chance 1/2, 1/4, 1/10 where there is one to make
#
# A policy may also come from a file (position class to moves, or to their chances), be a dict as such a file holds
# it, be any callable from a position to its moves or their chances, or be a strategy that has its own, as `force`
# gives it.


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


def _of_genome(board: Board, text: str) -> Policy:
    bot = parse_genome(board, text)
    table = FrozenDict({marks: evenly(1 << cell) for marks, cell in bot.cells.items()})
    return FilePolicy(bot.name, table, board=board)


def _of_program(board: Board, text: str) -> Policy:
    from noughts.analysis.policies.programs import ProgramPolicy  # what it takes to run programs is rarely needed

    return ProgramPolicy(board, text.removeprefix("program:"))


DOORS: FrozenDict[str, Callable[[Board, str], Policy]] = FrozenDict({"genome:": _of_genome, "program:": _of_program})
"""What reads a policy that is written as a word, a colon and more, by its word and colon."""


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
    return _read(board, given, Whence())


def held_policy(board: Board, said: str, data: object, path: Path | None) -> FilePolicy:
    """Return the policy of what was read from a file, or from a text that is in none; errors call it `said`.

    Raises InputError, as `policy` does for the file.
    """
    whence = Whence().in_text(said) if path is None else Whence().in_file(path)
    return _held(board, said, data, said, whence)


def _read(board: Board, given: PolicyLike, whence: Whence) -> Policy:
    """Return the policy that is named from somewhere."""
    require_policy(given)
    if isinstance(given, Policy):
        if given.board not in (None, board):
            raise InputError(f"the policy {given.name} is for {given.board}, not for {board}: ask about that board")
        return given
    if isinstance(given, Mapping):
        said = f"under 'otherwise' in {whence.said}" if whence.is_written else "given as a dict"
        return _held(board, said, given, "moves", whence.in_dict())
    if isinstance(given, _Strategy):
        if given.board != board:
            raise InputError(f"the strategy is for {given.board}, not for {board}: ask about that board")
        return given.policy
    if callable(given):
        return CallablePolicy(getattr(given, "__name__", "function"), given)
    return _named(board, given, whence)


def _inner(board: Board, given: PolicyLike, whence: Whence) -> Policy:
    """Return the policy that a file names, which runs no program: whoever reads a file does not expect it."""
    whence.require_shallow()
    with no_programs():
        return _read(board, given, whence)


def _named(board: Board, given: str, whence: Whence) -> Policy:
    if given == "any":
        given = "random"
    if given in POLICIES:
        if board.misere and given not in ("random", "trap:random", *board.rules.move_rules):
            raise InvalidQuestion(f"the policy {given} takes and blocks lines, which loses under misere: try perfect")
        return NamedPolicy(given)
    if given in GRADES:
        return ErringPolicy(given, GRADES[given])
    word, colon, _ = given.partition(":")
    if word + colon in DOORS:
        return DOORS[word + colon](board, given)
    if given.endswith(".json"):
        return _of_file(board, given, whence)
    program = f"; a program is written program:{shown(given)[1:-1]}" if Path(given).suffix or "/" in given else ""
    raise InputError(
        f"unknown policy {shown(given)}: choose {', '.join((*POLICIES, *GRADES))}, genome:..., program:COMMAND, or a "
        f"file that ends in .json{program or nearby(given, (*POLICIES, *GRADES))}"
    )


def _of_file(board: Board, given: str, whence: Whence) -> FilePolicy:
    path = whence.path(given)
    inside = whence.in_file(path)
    return _held(board, shown(str(path), 200), read_json(path), str(Path(given)), inside)


def _held(board: Board, said: str, data: object, name: str, whence: Whence) -> FilePolicy:
    """Return the policy of data, which names others from there."""
    return file_policy(board, said, data, name, lambda other: _inner(board, other, whence), written=whence.is_written)
