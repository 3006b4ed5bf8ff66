"""Solving as one function call."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

from noughts.machine.budget import Limits, seconds_of
from noughts.machine.workers import Progress, silent, workers_for
from noughts.rules.arguments import flag, function_or_none, path_of
from noughts.rules.board import Board
from noughts.rules.position import Position, PositionLike, parse_position
from noughts.solving.engines import solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proofs import Proof
from noughts.solving.solution import Solution


def solve(
    board: str | Board = "3x3",
    start: PositionLike | None = None,
    *,
    remoteness: bool | None = None,
    engine: str | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    table: str | Path | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the values of the positions of a board under best play.

    Parameters
    ----------
    board
        The board, or its name.
    start
        A position; the solution then answers for positions that play reaches from there, which may cost far less.
    remoteness
        False asks for values only (a quarter of the memory), True insists on the plies to the end, None takes what is
        cheapest.
    engine
        The name of an engine; the cheapest that fits the memory by default.
    memory
        Bytes, or text such as `2GB`; three quarters of what is free by default.
    time
        Seconds, or text such as `10s`, for the search of each position that is asked about; no limit by default.
    threads
        One for each core by default.
    table
        A directory that `noughts solve --save` wrote.
    progress
        Receives what is being done. An exception that it raises stops the work.

    Returns
    -------
    Solution
        It answers for any reachable position: `solution.outcome("X../.O./...")`, `.value`, `.remoteness`, `.moves`,
        `.best_moves`, `.line`, `.is_decided`. Large boards are searched when an answer is asked for.

    Raises
    ------
    InvalidBoard, InvalidPosition, InvalidQuestion
        The question cannot be read.
    BudgetError
        No engine fits the memory.

    >>> solve("3x3").outcome()
    'draw'
    """
    on = Board.parse(board)
    at = None if start is None else parse_position(on, start).require_reachable()
    function_or_none("progress", progress)
    if remoteness is not None:
        flag("remoteness", remoteness)
    if table is not None:
        from noughts.solving.saved import open_solution

        return open_solution(path_of("the table", table), on, at)
    budget = SearchBudget(seconds=None if time is None else seconds_of(time))
    return solve_problem(
        Problem(on, at, remoteness, search=budget),
        engine=engine,
        limits=Limits.of(memory),
        workers=workers_for(threads),
        progress=progress,
    )


def prove(
    board: str | Board = "3x3",
    start: PositionLike | None = None,
    *,
    engine: str | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    progress: Progress | None = None,
) -> Proof:
    """Return a proof of who wins from a position under best play: `text` is a file that `noughts check` judges.

    A win is shown by threats. A draw is shown for each player by blocking alone or, for the second player of an empty
    board, by strategy stealing. Otherwise, and under misere, it is a tree of all replies.

    Parameters
    ----------
    board, start
        The board, and the position; the empty board by default.
    engine, memory
        As for `solve`.
    time
        Seconds, or text such as `1m`, for the value and the proof together.
    progress
        Receives what is being done.

    Returns
    -------
    Proof
        The outcome, the sections and the text.

    Raises
    ------
    InvalidBoard, InvalidPosition, InvalidQuestion
        The question cannot be read, or the game is over.
    BudgetError
        No proof was found.

    Notes
    -----
    Cost: seconds on boards of 49 cells.

    >>> proof = prove("3x3")
    >>> proof.outcome, [title for title, lines in proof.sections]
    ('draw', ['play O not to lose', 'stop O by stealing'])
    """
    from noughts.solving.proving import proof_by

    on = Board.parse(board)
    at = Position(on) if start is None else parse_position(on, start).require_reachable()
    function_or_none("progress", progress)
    budget = SearchBudget() if time is None else SearchBudget(deadline=monotonic() + seconds_of(time))
    problem = Problem(on, at, search=budget)
    found = solve_problem(problem, engine=engine, limits=Limits.of(memory), progress=progress)
    return proof_by(found, at, deadline=budget.deadline, progress=progress or silent)
