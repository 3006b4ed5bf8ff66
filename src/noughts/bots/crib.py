"""A crib: the table, how many entries it has, and how few a table could have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import Literal, cast, overload

from noughts.analysis.explain.facts import unfinished
from noughts.analysis.policies.reading import policy
from noughts.analysis.policies.table import FilePolicy
from noughts.bots.crib_judge import COUNTS, GOALS, CribCount, CribGoal, CribQuestion, judge_crib
from noughts.bots.crib_local import SEARCHED, Reached, bounded, local_table
from noughts.bots.crib_search import (
    NEVER,
    CribGraph,
    OutOfTime,
    crib_graph,
    greedy_table,
    search_table,
    solve_programme,
)
from noughts.machine.budget import Limits, seconds_of
from noughts.machine.reading import FILE_VERSION
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, integer, one_of, whole_number
from noughts.rules.board import Board, require_marking
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import CheckError, InputError
from noughts.rules.game import LISTED_CLASSES, class_bound, require_listed
from noughts.rules.marks import Cell, Player, cells_of
from noughts.rules.position import Position, PositionLike
from noughts.rules.values import FrozenDict, Result, record

Engine = Literal["search", "programme", "local"]


@dataclass(frozen=True, repr=False)
class _Card(Result):
    """One crib, or two of both players."""

    question: CribQuestion
    table: FrozenDict[str, str] = field(repr=False)
    entries: int
    bound: int

    @property
    def board(self) -> Board:
        """The board."""
        return self.question.board

    @property
    def proved(self) -> bool:
        """Whether no table is smaller."""
        return self.bound == self.entries

    @cached_property
    def policy(self) -> FilePolicy:
        """The table as a policy that has no moves where no game against it comes."""
        table = {"board": self.board.spec, "moves": {at: [cell] for at, cell in self.table.items()}}
        return cast(FilePolicy, policy(self.board, table))

    def _recorded(self, player: str) -> dict[str, object]:
        question, board = self.question, self.board
        start = {} if question.start == Position(board) else {"position": str(question.start)}
        opening = None if question.opening is None else cell_name(board, question.opening)
        named = {"as": player, "opening": opening, **record(question, "goal", "count")}
        return {"version": FILE_VERSION, "board": board.spec, **start, **named, **super().as_dict()}


@dataclass(frozen=True, repr=False)
class Crib(_Card):
    """The smallest table that was found for a question. `table` has for each class of boards the cell to play.

    `entries` are counted as the question has it, and no table has fewer than `bound`; `own` are the boards at which the
    player moves and `boards` all that play meets, endings included. `outcomes` are those that games against it have.
    `engine` is the one that gave the bound.
    """

    own: int
    boards: int
    outcomes: frozenset[str]
    engine: Engine
    keys = "board entries proved bound own boards engine table"

    @property
    def player(self) -> Player:
        """The player of the crib."""
        return self.question.player

    def as_dict(self) -> dict[str, object]:
        """Return the crib as its JSON has it, which is a policy file too."""
        return self._recorded(self.player)


@dataclass(frozen=True, repr=False)
class CribPair(_Card):
    """A crib for X and one for O, asked alike: no board is in both tables, as it is X's turn or O's.

    Table, entries and bound are those of both together, the question is X's.
    """

    x: Crib
    o: Crib
    keys = "board entries proved bound table x o"

    @property
    def cribs(self) -> tuple[Crib, Crib]:
        """Both, X first."""
        return self.x, self.o

    def as_dict(self) -> dict[str, object]:
        """Return both as JSON: as of one crib, and each by itself under `x` and `o`."""
        return self._recorded("both")


# `noughts.crib`: the smallest table that a player needs to carry.

CRIB_SECONDS = 60.0
"""How long a proof is looked for, unless another time is given."""
_STAGES: dict[str, list[tuple[Engine, float]]] = {
    "search": [("search", 1.0)],
    "programme": [("programme", 1.0)],
    "auto": [("search", 0.25), ("programme", 0.75), ("search", 1.0)],
}
"""For each engine what is tried in turn, each with a share of the time that is left."""


@overload
def crib(board: Board | str, start: PositionLike | None = None, *, as_: Literal["X", "O"] = "X",
         opening: Cell | str | None = None, goal: str = "never-lose", count: str = "own", time: float | str = 60.0,
         engine: str = "auto", memory: float | str | None = None, limit: int = LISTED_CLASSES,
         progress: Progress | None = None) -> Crib: ...  # fmt: skip
@overload
def crib(board: Board | str, start: PositionLike | None = None, *, as_: Literal["both"],
         opening: Cell | str | None = None, goal: str = "never-lose", count: str = "own", time: float | str = 60.0,
         engine: str = "auto", memory: float | str | None = None, limit: int = LISTED_CLASSES,
         progress: Progress | None = None) -> CribPair: ...  # fmt: skip
@overload
def crib(board: Board | str, start: PositionLike | None = None, *, as_: str,
         opening: Cell | str | None = None, goal: str = "never-lose", count: str = "own", time: float | str = 60.0,
         engine: str = "auto", memory: float | str | None = None, limit: int = LISTED_CLASSES,
         progress: Progress | None = None) -> Crib | CribPair: ...  # fmt: skip
def crib(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    as_: str = "X",
    opening: Cell | str | None = None,
    goal: str = "never-lose",
    count: str = "own",
    time: float | str = CRIB_SECONDS,
    engine: str = "auto",
    memory: float | str | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Crib | CribPair:
    """Return the smallest table with which a player reaches a goal, against any play; for `both`, two tables.

    A table has one move for each class of boards at which it lets its player move.

    Parameters
    ----------
    board, start
        The board, and the position from which play begins; the empty board by default.
    as_
        X, O or both.
    opening
        The first move of X.
    goal
        `never-lose`, `win`, or `perfect`, which keeps the best value at every board.
    count
        What is least: `own`, the boards at which the player moves, or `all`, those after every move, endings included.
    time
        Seconds, or text such as `5m`, for the proof that no smaller table exists.
    engine
        `search`, exact; `programme`, an integer programme for HiGHS with a floating-point bound, rounded with room for
        error; `local`, which lists only the boards that small tables meet; or `auto`, which takes the first two in
        turn, and `local` on boards of more than `limit` classes.
    memory
        Bytes, or text such as `2GB`, that `local` may take; by default three quarters of the free memory.
    limit
        The most position classes to list.
    progress
        Receives what is being done.

    Returns
    -------
    Crib or CribPair
        The table. `bound` is below `entries` where the time was too short for a proof. A judge that shares no code
        with the engines has played every reply against it.

    Raises
    ------
    InputError
        The player cannot reach the goal, or the opening prevents it.
    BudgetError
        The board has too many classes, or no table is complete within time and memory.

    Notes
    -----
    Cost: 0.1 to 2 seconds for 3x3, 5 seconds for a win on 4x4:3.

    >>> crib("3x3", as_="O").entries, crib("3x3", opening="b2", goal="perfect", count="all").entries
    (71, 41)
    """
    limit = whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    one_of("the player", as_, ("X", "O", "both"))
    one_of("the goal", goal, GOALS)
    one_of("what is counted", count, COUNTS)
    one_of("the engine", engine, ("auto", "search", "programme", "local"))
    seconds = seconds_of(time)
    at = unfinished(Board.parse(board), start)
    require_marking(at.board, "a crib")
    first = None if opening is None else _opening(at, opening)
    if as_ == "both" and goal == "win":
        raise InputError("only one player can force a win: ask for the crib of X or O, or for another goal")
    is_local = engine == "local" or (engine == "auto" and goal != "perfect" and class_bound(at) > limit)
    if not is_local:
        require_listed(at, "making a crib", limit, has_option=True)
    elif goal == "perfect":
        raise InputError("the engine local does not make perfect cribs: ask for another goal or engine")
    room = Limits.of(memory).memory
    began, whole, heard = monotonic(), round(1000 * seconds), progress or silent

    def tick() -> None:
        heard(min(round(1000 * (monotonic() - began)), whole), whole + 1, "time for the proof")

    def make(owner: Player, share: float) -> Crib:
        question = CribQuestion(at, owner, cast(CribGoal, goal), cast(CribCount, count), first)
        if is_local:
            return _reached(question, share, room, tick)
        return _made(crib_graph(question, heard), share, engine, tick)

    if as_ == "both":
        x, o = make("X", seconds / 2), make("O", seconds / 2)
        table = FrozenDict({**x.table, **o.table})
        return CribPair(x.question, table, x.entries + o.entries, x.bound + o.bound, x, o)
    return make("X" if as_ == "X" else "O", seconds)


def _opening(start: Position, given: Cell | str) -> Cell:
    """Return the cell where X opens. Raises InputError where marks are made already, InvalidCell."""
    if start.ply:
        raise InputError(f"an opening is the first move on the empty board, but {start} has marks: remove one of them")
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < start.board.cells:
        return given
    return parse_cell(start.board, given if isinstance(given, str) else str(integer("a cell", given)))


def _made(graph: CribGraph, seconds: float, engine: str, tick: Callable[[], None]) -> Crib:
    """Return the best table that the engines find in time, judged."""
    chosen, bound, gave = _solved(graph, seconds, engine, tick)
    return _judged(graph, chosen, bound, gave)


def _reached(question: CribQuestion, seconds: float, memory: float, tick: Callable[[], None]) -> Crib:
    """Return the best table that is found without a list of all boards, judged. Raises BudgetError."""
    boards, began = Reached(question, memory), monotonic()
    best, chosen = local_table(boards, began, began + SEARCHED * seconds, began + seconds, tick)
    best, chosen, bound = bounded(boards, best, chosen, began + seconds, tick)
    graph, _ = boards.part(lambda at: tuple(e for e in boards.edges(at) if chosen.get(at, e[0]) == e[0]))
    return _judged(graph, {at: graph.children[at][0] for at in graph.own}, bound, "local")


def _judged(graph: CribGraph, chosen: dict[int, int], bound: int, gave: Engine) -> Crib:
    """Return a table with what the judge says about it. Raises CheckError."""
    question, entries, table = graph.question, graph.size(chosen), dict[str, str]()
    for at in graph.reached(chosen):
        if at in graph.own:  # of the cells that lead to the child, the first in reading order
            cell = next(cells_of(graph.moves[at][graph.children[at].index(chosen[at])]))
            cell = cell if at or question.opening is None else question.opening
            table[str(Position(question.board, *graph.states[at][:2]))] = cell_name(question.board, cell)
    judged = judge_crib(question, table)
    counted = judged.own if question.count == "own" else judged.boards
    if counted != entries or bound > entries:
        raise CheckError(f"the judge counts {counted} entries where the {gave} gave {entries} and the bound {bound}")
    return Crib(question, FrozenDict(table), entries, bound, judged.own, judged.boards, judged.outcomes, gave)


def _solved(
    graph: CribGraph, seconds: float, engine: str, tick: Callable[[], None]
) -> tuple[dict[int, int], int, Engine]:
    """Return the choices of a table, a bound, and the engine that gave the bound."""
    until, best, bound = monotonic() + seconds, greedy_table(graph), 1
    gave: Engine = "search"
    for stage, share in _STAGES[engine]:
        left = (until - monotonic()) * share
        if stage == "programme":
            chosen, bound = solve_programme(graph, max(1.0, left), tick)
            best, gave = min(best, chosen or best, key=graph.size), "programme"
            bound = min(bound, graph.size(best))
            if bound == graph.size(best):
                break
            continue
        under = graph.size(best) if gave == "programme" else NEVER
        try:
            best = search_table(graph, until=monotonic() + left, under=under, meanwhile=tick) or best
            return best, graph.size(best), "search"
        except OutOfTime:
            pass
    return best, bound, gave
