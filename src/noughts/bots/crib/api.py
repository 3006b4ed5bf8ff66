"""`noughts.crib`: the smallest table that a player needs to carry."""

from __future__ import annotations

from time import monotonic
from typing import Literal, cast, overload

from noughts.bots.crib.asked import COUNTS, GOALS, CribCount, CribGoal, CribQuestion
from noughts.bots.crib.crib import Crib, CribPair, Engine
from noughts.bots.crib.graph import CribGraph, crib_graph
from noughts.bots.crib.greedy import greedy_table
from noughts.bots.crib.judge import judge_crib
from noughts.bots.crib.programme import solve_programme
from noughts.bots.crib.search import OutOfTime, search_table
from noughts.domain.arguments import function_or_none, one_of, whole_number
from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import CheckError, InputError
from noughts.domain.extent import LISTED_CLASSES, require_listed
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Player, Position
from noughts.machine.budget import seconds_of
from noughts.machine.progress import Progress, silent
from noughts.strategy.explain import unfinished

__all__ = ["CRIB_SECONDS", "crib"]

CRIB_SECONDS = 60.0
"""How long a proof is looked for, unless another time is given."""
_LATER = 0.75
"""The share of the time that is kept when the search goes first; and of the rest, what the integer programme has."""


@overload
def crib(board: Board | str, start: Position | str | None = None, *, as_: Literal["X", "O"] = "X",
         opening: Cell | str | None = None, goal: str = "never-lose", count: str = "own", time: float | str = 60.0,
         engine: str = "auto", limit: int = LISTED_CLASSES, progress: Progress | None = None) -> Crib: ...  # fmt: skip
@overload
def crib(board: Board | str, start: Position | str | None = None, *, as_: Literal["both"],
         opening: Cell | str | None = None, goal: str = "never-lose", count: str = "own", time: float | str = 60.0,
         engine: str = "auto", limit: int = LISTED_CLASSES,
         progress: Progress | None = None) -> CribPair: ...  # fmt: skip
@overload
def crib(board: Board | str, start: Position | str | None = None, *, as_: str,
         opening: Cell | str | None = None, goal: str = "never-lose", count: str = "own", time: float | str = 60.0,
         engine: str = "auto", limit: int = LISTED_CLASSES,
         progress: Progress | None = None) -> Crib | CribPair: ...  # fmt: skip
def crib(
    board: Board | str,
    start: Position | str | None = None,
    *,
    as_: str = "X",
    opening: Cell | str | None = None,
    goal: str = "never-lose",
    count: str = "own",
    time: float | str = CRIB_SECONDS,
    engine: str = "auto",
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Crib | CribPair:
    """Return the smallest table with which a player reaches a goal, however the other plays; of `both`, two tables.

    A table has one move for each class of boards at which it lets its player move. `goal` is `never-lose`, `win`, or
    `perfect`, to keep at every board the best value that it has. `count` says what is to be least: `own`, the boards at
    which the player moves, or `all`, those after every move too, endings included. `opening` is where X opens.

    `engine` is `search`, exact; `programme`, an integer programme for HiGHS, whose bound is one of floating point,
    rounded up with room for error; or `auto`: the search, where that takes long the programme, and then the search once
    more. If there is no proof in `time` (seconds, or `5m`), `bound` is below `entries`. A judge that shares no code
    with them plays every reply against each table that is returned.

    Raises InputError where the player cannot reach the goal or the opening fails it, and BudgetError where there may be
    more than `limit` position classes. Cost: 0.1 to 2 seconds for 3x3.

    >>> crib("3x3", as_="O").entries, crib("3x3", opening="b2", goal="perfect", count="all").entries
    (71, 41)
    """
    whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    one_of("the player", as_, ("X", "O", "both"))
    one_of("the goal", goal, GOALS)
    one_of("what is counted", count, COUNTS)
    one_of("the engine", engine, ("auto", "search", "programme"))
    seconds = seconds_of(time)
    at = unfinished(Board.parse(board), start)
    first = None if opening is None else _opening(at, opening)
    if as_ == "both" and goal == "win":
        raise InputError("only one player can be sure to win: ask for the crib of X or of O, or for another goal")
    require_listed(at, "making a crib", limit, has_option=True)

    def make(owner: Player, share: float) -> Crib:
        question = CribQuestion(at, owner, cast(CribGoal, goal), cast(CribCount, count), first)
        return _made(crib_graph(question, progress or silent), share, engine, progress or silent)

    if as_ == "both":
        return CribPair(make("X", seconds / 2), make("O", seconds / 2))
    return make("X" if as_ == "X" else "O", seconds)


def _opening(start: Position, given: Cell | str) -> Cell:
    """Return the cell where X opens. Raises InputError where marks are made already, InvalidCell."""
    if start.ply:
        raise InputError(
            f"an opening is the first move on the empty board, and {start} has marks: leave one of them out"
        )
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < start.board.cells:
        return given
    return parse_cell(start.board, given if isinstance(given, str) else str(given))


def _made(graph: CribGraph, seconds: float, engine: str, progress: Progress) -> Crib:
    """Return the best table that the engines find in time, judged."""
    chosen, bound, gave = _solved(graph, seconds, engine, progress)
    question, entries = graph.question, graph.size(chosen)
    table = _table(graph, chosen)
    judged = judge_crib(question, table)
    counted = judged.own if question.count == "own" else judged.boards
    if counted != entries or bound > entries:
        raise CheckError(f"the judge counts {counted} entries where the {gave} gave {entries} and the bound {bound}")
    return Crib(question, FrozenDict(table), entries, bound, judged.own, judged.boards, judged.outcomes, gave)


def _solved(graph: CribGraph, seconds: float, engine: str, progress: Progress) -> tuple[dict[int, int], int, Engine]:
    """Return the choices of a table, a bound, and the engine that gave the bound."""
    until = monotonic() + seconds
    if engine != "programme":
        try:
            quick = until if engine == "search" else until - seconds * _LATER
            found = search_table(graph, until=quick, progress=progress)
            assert found is not None
            return found, graph.size(found), "search"
        except OutOfTime:
            pass
    best, bound = greedy_table(graph), 1
    if engine != "search":
        left = until - monotonic()
        solved = solve_programme(graph, max(1.0, left if engine == "programme" else left * _LATER))
        bound = max(bound, solved.bound)
        if solved.chosen is not None:
            best = min(best, solved.chosen, key=graph.size)
        if engine == "programme" or bound == graph.size(best):
            return best, min(bound, graph.size(best)), "programme"
        try:
            found = search_table(graph, until=until, under=graph.size(best), progress=progress)
            best = best if found is None else found
            return best, graph.size(best), "search"
        except OutOfTime:
            return best, bound, "programme"
    return best, bound, "search"


def _table(graph: CribGraph, chosen: dict[int, int]) -> dict[str, str]:
    """Return the entries that play meets: for each class the first cell, in reading order, that leads to the child."""
    board, table = graph.question.board, {}
    for at in graph.reached(chosen):
        if at in graph.own:
            cells = graph.moves[at][graph.children[at].index(chosen[at])]
            opened = graph.question.opening if at == 0 else None
            cell = next(cells_of(cells)) if opened is None else opened
            x, o = graph.states[at][:2]
            table[str(Position(board, x, o))] = cell_name(board, cell)
    return table
