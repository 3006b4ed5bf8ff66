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


_DEEPEST = 8
"""How many policies may stand one within the other."""


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

    Under misere the rules that look at threats are refused, and so is a policy for another board. Raises InputError.
    """
    return _read(board, given, ())


def _read(board: Board, given: PolicyLike, within: tuple[str, ...]) -> Policy:
    """Return the policy; `within` are the files that are being read, each of which names the next."""
    require_policy(given)
    if isinstance(given, Policy):
        if given.board not in (None, board):
            raise InputError(f"the policy {given.name} is for {given.board}, not for {board}: ask about that board")
        return given
    if isinstance(given, Mapping):
        return file_policy(
            board,
            "given as a dict",
            given,
            "moves",
            lambda other: _inner(board, other, (*within, "a dict")),
            written=False,
        )
    if isinstance(given, _Strategy):
        if given.board != board:
            raise InputError(f"the strategy is for {given.board}, not for {board}: ask about that board")
        return given.policy
    if callable(given):
        return CallablePolicy(getattr(given, "__name__", "function"), given)
    return _named(board, given, within)


def _inner(board: Board, given: PolicyLike, within: tuple[str, ...]) -> Policy:
    """Return the policy that a file names, which runs no program: whoever reads a file does not expect it."""
    if len(within) > _DEEPEST:
        raise InputError(f"more than {_DEEPEST} policies stand one within the other under 'otherwise': write fewer")
    with no_programs():
        return _read(board, given, within)


def _named(board: Board, given: str, within: tuple[str, ...]) -> Policy:
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
        return _of_file(board, given, within)
    program = f"; a program is written program:{shown(given)[1:-1]}" if Path(given).suffix or "/" in given else ""
    raise InputError(
        f"unknown policy {shown(given)}: choose {', '.join((*POLICIES, *GRADES))}, genome:..., program:COMMAND, or a "
        f"file that ends in .json{program or nearby(given, (*POLICIES, *GRADES))}"
    )


def _of_file(board: Board, given: str, within: tuple[str, ...]) -> FilePolicy:
    path = Path(given)
    if given in within:
        raise InputError(f"the policy {shown(given, 200)} names itself under 'otherwise': name another there")
    data = read_json(path)
    said = shown(str(path), 200)
    return file_policy(board, said, data, str(path), lambda other: _inner(board, other, (*within, given)), written=True)
