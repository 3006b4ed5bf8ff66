"""Policies: rules of play as values, each choosing uniformly among the moves it names.

random          every blank cell
win, block, fork, perfect, quickest             the move rules of `domain.rules`
trap:random     perfect, and among equals a move after which an opponent who plays `random` most probably loses value
trap:block      with the next reply; and the same for one who plays `block`

A policy may also come from a file (position class to moves), be a dict as such a file holds it, be any callable from a
position to its moves, or be a strategy that has its own, as `force` and `ending` give it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from noughts.domain.arguments import wrong_type
from noughts.domain.bits import Cell, Mask, cells_of, mask_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import BudgetError, InputError, InvalidQuestion, shown
from noughts.domain.frozen import FrozenDict
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.domain.rules import MISERE_MOVE_RULES, VALUE_RULES, MoveRule, allowed_cells
from noughts.domain.spelling import nearby
from noughts.domain.symmetry import inverse
from noughts.solving.solution import Solution
from noughts.solving.values import VALUE_OF_OUTCOME

__all__ = [
    "POLICIES",
    "CallablePolicy",
    "FilePolicy",
    "NamedPolicy",
    "Policy",
    "PolicyLike",
    "policy",
    "require_policy",
]

POLICIES = ("random", "win", "block", "fork", "perfect", "quickest", "trap:random", "trap:block")


class Policy:
    """A rule of play: `moves` gives the cells it chooses among, uniformly.

    `is_symmetric` says that symmetric positions get symmetric moves, or moves that lead to the same classes with the
    same probabilities, so that classes may stand for positions.
    """

    name: str
    is_symmetric = True

    @property
    def needs_values(self) -> bool:
        """Whether `moves` has to be given a solution."""
        return False

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells of an unfinished position among which the policy chooses; never empty."""
        raise NotImplementedError


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
        best = _perfect(position, solution)
        if rule == "quickest":
            return _quickest(position, best, solution)
        return best if rule == "perfect" else _trapping(position, best, solution, self.name.removeprefix("trap:"))


@dataclass(frozen=True)
class FilePolicy(Policy):
    """Moves by position class; what is not listed is played by `otherwise`, or is an error."""

    name: str
    table: FrozenDict[tuple[Mask, Mask], Mask] = field(repr=False)
    otherwise: Policy | None = None

    @property
    def needs_values(self) -> bool:
        """Whether what is not listed needs the values of positions."""
        return self.otherwise is not None and self.otherwise.needs_values

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells of the class, carried over to this position.

        Raises InputError where the class is not listed and there is nothing to play otherwise.
        """
        x, o, symmetry = position.board.group().to_canonical(position.x, position.o)
        if (x, o) in self.table:
            back = inverse(symmetry)
            return mask_of(back[cell] for cell in cells_of(self.table[x, o]))
        if self.otherwise is not None:
            return self.otherwise.moves(position, solution)
        raise InputError(
            f"the policy {self.name} has no moves for {position}: add its class "
            f"{Position(position.board, x, o)}, or a rule under 'otherwise'"
        )

    def as_dict(self, board: Board) -> dict[str, object]:
        """Return the policy as its file has it."""
        names = {
            str(Position(board, x, o)): [cell_name(board, cell) for cell in cells_of(cells)]
            for (x, o), cells in sorted(self.table.items())
        }
        otherwise = {} if self.otherwise is None else {"otherwise": self.otherwise.name}
        return {"board": board.spec, **otherwise, "moves": names}


@dataclass(frozen=True)
class CallablePolicy(Policy):
    """Any function from a position to the cell that it plays, or the cells it chooses among, by number or name."""

    name: str
    function: Callable[[Position], Cell | str | Iterable[Cell | str]] = field(repr=False)
    is_symmetric = False

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return what the function returns. Raises InputError unless that is one or more blank cells."""
        board = position.board
        given = self.function(position)
        if isinstance(given, bool | bytes | Mapping) or not isinstance(given, int | Iterable):
            raise wrong_type(
                f"the moves of the policy {self.name}",
                given,
                "a blank cell, or a list of them, each as likely as the others",
            )
        chosen = [given] if isinstance(given, int | str) else list(given)
        found = [cell if isinstance(cell, int) else parse_cell(board, cell) for cell in chosen]
        if not found or any(not 0 <= c < board.cells or not position.blanks >> c & 1 for c in found):
            raise InputError(f"the policy {self.name} played {found} in {position}: give one or more blank cells")
        if len(set(found)) < len(found):
            names = ", ".join(cell_name(board, cell) for cell in found)
            raise InputError(
                f"the policy {self.name} played {names} in {position}: give each cell once, for each is as likely as "
                "the others"
            )
        return mask_of(found)


@runtime_checkable
class _Strategy(Protocol):
    """A result that holds a strategy: its `policy` plays it."""

    @property
    def policy(self) -> FilePolicy:
        """The strategy as a policy."""

    @property
    def board(self) -> Board:
        """The board it is for."""


PolicyLike = Policy | str | Mapping[str, object] | _Strategy | Callable[[Position], Cell | str | Iterable[Cell | str]]


def require_policy(given: object) -> None:
    """Raise InvalidType for what can be no policy."""
    if not isinstance(given, Policy | str | Mapping | _Strategy) and not callable(given):
        raise wrong_type(
            "a policy", given, f"one of {', '.join(POLICIES)}, a file of moves or what it holds, or a function"
        )


def policy(board: Board, given: PolicyLike) -> Policy:
    """Return the policy of a name, of a file (any name that ends in .json), of what a file holds, of a function or of
    a strategy such as `force` gives; policies as they are.

    Under misere the rules that look at threats are refused. Raises InputError.
    """
    require_policy(given)
    if isinstance(given, Policy):
        return given
    if isinstance(given, Mapping):
        return _of_data(board, "given as a dict", given)
    if isinstance(given, _Strategy):
        if given.board != board:
            raise InputError(f"the strategy is for {given.board}, not for {board}: ask about that board")
        return given.policy
    if callable(given):
        return CallablePolicy(getattr(given, "__name__", "function"), given)
    if given == "any":
        given = "random"
    if given in POLICIES:
        if board.misere and given not in ("random", "trap:random", *MISERE_MOVE_RULES):
            raise InvalidQuestion(f"the policy {given} takes and blocks lines, which loses under misere: try perfect")
        return NamedPolicy(given)
    if given.endswith(".json"):
        return _read(board, Path(given))
    raise InputError(
        f"unknown policy {shown(given)}: choose {', '.join(POLICIES)}, or a file that ends in "
        f".json{nearby(given, POLICIES)}"
    )


def _perfect(position: Position, solution: Solution) -> Mask:
    sign = 1 if position.to_move == "X" else -1
    gains = {cell: sign * _value(position.play(cell), solution) for cell in cells_of(position.blanks)}
    best = max(gains.values())
    return mask_of(cell for cell, gain in gains.items() if gain == best)


def _quickest(position: Position, among: Mask, solution: Solution) -> Mask:
    """Of the moves that keep the value those that win soonest or lose latest; all where they draw."""
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


def _trapping(position: Position, among: Mask, solution: Solution, opponent_rule: str) -> Mask:
    """Of equally good moves keep those after which the opponent's next reply most probably gives value away."""
    chances = {cell: _chance_of_error(position.play(cell), solution, opponent_rule) for cell in cells_of(among)}
    best = max(chances.values())
    return mask_of(cell for cell, chance in chances.items() if chance == best)


def _chance_of_error(position: Position, solution: Solution, rule: str) -> Fraction:
    if position.is_terminal:
        return Fraction(0)
    replies = list(cells_of(NamedPolicy(rule).moves(position, None)))
    before = _value(position, solution)
    return Fraction(sum(_value(position.play(cell), solution) != before for cell in replies), len(replies))


def _value(position: Position, solution: Solution) -> int:
    return VALUE_OF_OUTCOME[solution.outcome(position)]


def _read(board: Board, path: Path) -> FilePolicy:
    """Read `{"board": ..., "otherwise": "random", "moves": {"X../.../...": ["b2"]}}`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the policy {str(path)!r}: {error.strerror}; check the name") from None
    except ValueError as error:
        raise InputError(f"the policy {str(path)!r} is no JSON: {error}; write it as the reference shows") from None
    return _of_data(board, repr(str(path)), data, str(path))


def _of_data(board: Board, said: str, data: object, name: str = "moves") -> FilePolicy:
    """Return the policy that a file holds as data; errors call it `said`."""
    if not isinstance(data, Mapping) or not isinstance(data.get("moves"), Mapping):
        raise InputError(f"the policy {said} has no 'moves': write {{'moves': {{'.../.../...': ['b2']}}}}")
    if "board" in data and Board.parse(data["board"]) != board:
        raise InputError(f"the policy {said} is for {data['board']}, not for {board}: ask about that board")
    table: dict[tuple[Mask, Mask], Mask] = {}
    for text, cells in data["moves"].items():
        x, o, moves = _entry(board, said, text, cells)
        if table.setdefault((x, o), moves) != moves:
            raise InputError(f"the policy {said} has two entries for the class of {text}: keep one of them")
    otherwise = policy(board, data["otherwise"]) if data.get("otherwise") else None
    return FilePolicy(name, FrozenDict(table), otherwise)


def _entry(board: Board, said: str, text: str, cells: object) -> tuple[Mask, Mask, Mask]:
    """Return the canonical sets and the moves, taken to the canonical form, of one line of a policy."""
    position = parse_position(board, text).require_reachable()
    if not isinstance(cells, list | tuple) or not cells:
        raise InputError(f"the policy {said} gives {cells!r} for {text}: give a list of blank cells")
    found = mask_of(parse_cell(board, str(cell)) for cell in cells)
    if found & ~position.blanks:
        taken = ", ".join(cell_name(board, cell) for cell in cells_of(found & ~position.blanks))
        raise InputError(f"the policy {said} plays {taken} in {text}, which is taken: give blank cells")
    x, o, symmetry = board.group().to_canonical(position.x, position.o)
    return x, o, mask_of(symmetry[cell] for cell in cells_of(found))
