"""Policies: rules of play as values, each choosing among the moves it names, uniformly unless it says otherwise.

random          every blank cell
win, block, fork, perfect, quickest             the move rules of `domain.rules`
trap:random     perfect, and among equals a move after which an opponent who plays `random` most probably loses value
trap:block      with the next reply; and the same for one who plays `block`
easy, medium, hard      perfect but for mistakes, made with chance 1/2, 1/4, 1/10 where there is one to make

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
from noughts.domain.errors import InputError, InvalidQuestion, shown
from noughts.domain.frozen import FrozenDict
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.domain.rules import MISERE_MOVE_RULES, VALUE_RULES, MoveRule, allowed_cells
from noughts.domain.spelling import nearby
from noughts.domain.symmetry import inverse
from noughts.solving.solution import Solution
from noughts.strategy.choices import perfect_moves, quickest_moves, trapping_moves, worse_moves
from noughts.strategy.genome import PREFIX, Genome, parse_genome

__all__ = [
    "GRADES",
    "POLICIES",
    "CallablePolicy",
    "ErringPolicy",
    "FilePolicy",
    "NamedPolicy",
    "Policy",
    "PolicyLike",
    "policy",
    "require_policy",
]

POLICIES = ("random", "win", "block", "fork", "perfect", "quickest", "trap:random", "trap:block")
GRADES = FrozenDict({"easy": Fraction(1, 2), "medium": Fraction(1, 4), "hard": Fraction(1, 10)})
"""The policies that err, and the chance with which they do where there is a mistake to make."""


class Policy:
    """A rule of play: `moves` gives the cells it chooses among, `probabilities` how often; uniformly, unless it says.

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

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell that it may play, in reading order: they sum to 1."""
        cells = list(cells_of(self.moves(position, solution)))
        return dict.fromkeys(cells, Fraction(1, len(cells)))


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
        listed = self._listed(position)
        if listed or self.otherwise is None:
            return listed
        return self.otherwise.moves(position, solution)

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chance of each cell: uniform where the class is listed, else that of what is played otherwise."""
        if self.otherwise is None or self._listed(position):
            return super().probabilities(position, solution)
        return self.otherwise.probabilities(position, solution)

    def _listed(self, position: Position) -> Mask:
        """Return the listed moves; none where the class is not listed and something is played otherwise."""
        x, o, symmetry = position.board.group().to_canonical(position.x, position.o)
        if (x, o) not in self.table and self.otherwise is None:
            raise InputError(
                f"the policy {self.name} has no moves for {position}: add its class "
                f"{Position(position.board, x, o)}, or a rule under 'otherwise'"
            )
        back = inverse(symmetry)
        return mask_of(back[cell] for cell in cells_of(self.table.get((x, o), 0)))

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
            "a policy",
            given,
            f"one of {', '.join((*POLICIES, *GRADES))}, a file of moves or what it holds, or a function",
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
    if given in GRADES:
        return ErringPolicy(given, GRADES[given])
    if given.startswith(PREFIX):
        return _of_genome(parse_genome(board, given))
    if given.endswith(".json"):
        return _read(board, Path(given))
    raise InputError(
        f"unknown policy {shown(given)}: choose {', '.join((*POLICIES, *GRADES))}, or a file that ends in "
        f".json{nearby(given, (*POLICIES, *GRADES))}"
    )


def _of_genome(bot: Genome) -> FilePolicy:
    return FilePolicy(bot.name, FrozenDict({marks: 1 << cell for marks, cell in bot.cells.items()}))


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
