"""Policies: rules of play as values, each choosing among the moves it names, uniformly unless it says otherwise.

random          every blank cell
win, block, fork, perfect, quickest             the move rules of `domain.rules`
trap:random     perfect, and among equals a move after which an opponent who plays `random` most probably loses value
trap:block      with the next reply; and the same for one who plays `block`
easy, medium, hard      perfect but for mistakes, made with chance 1/2, 1/4, 1/10 where there is one to make

A policy may also come from a file (position class to moves, or to their chances), be a dict as such a file holds it, be
any callable from a position to its moves or their chances, or be a strategy that has its own, as `force` gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from noughts.domain.arguments import wrong_type
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.errors import InputError, InvalidQuestion, shown
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Position
from noughts.domain.rules import MISERE_MOVE_RULES
from noughts.domain.spelling import nearby
from noughts.strategy.functionpolicy import CallablePolicy
from noughts.strategy.genome import parse_genome
from noughts.strategy.namedpolicies import GRADES, POLICIES, ErringPolicy, NamedPolicy
from noughts.strategy.outsiders import no_programs
from noughts.strategy.policy import Policy
from noughts.strategy.policyfile import file_policy, read_json
from noughts.strategy.tablepolicy import FilePolicy
from noughts.strategy.weights import evenly
from noughts.strategy.whence import Whence

__all__ = [
    "GRADES",
    "POLICIES",
    "CallablePolicy",
    "ErringPolicy",
    "FilePolicy",
    "NamedPolicy",
    "Policy",
    "PolicyLike",
    "held_policy",
    "policy",
    "require_policy",
]


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
    from noughts.strategy.programpolicy import ProgramPolicy  # what it takes to run programs is rarely needed

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
        if board.misere and given not in ("random", "trap:random", *MISERE_MOVE_RULES):
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
