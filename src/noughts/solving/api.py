"""Solving as one function call."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

from noughts.machine.budget import Limits, seconds_of
from noughts.machine.workers import Progress, silent, workers_for
from noughts.rules.arguments import flag, function_or_none, path_of
from noughts.rules.board import Board
from noughts.rules.position import Position, parse_position
from noughts.solving.engines import solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proofs import Proof
from noughts.solving.solution import Solution


def solve(
    board: str | Board = "3x3",
    start: str | Position | None = None,
    *,
    remoteness: bool | None = None,
    engine: str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    table: str | Path | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Return the values of the positions of a board under best play.

    The solution answers for any reachable position: `solution.outcome("X../.O./...")`, `.value`, `.remoteness`,
    `.moves`, `.best_moves`, `.line`, `.is_decided`. With `start` only for positions that play from there reaches, which
    may be much cheaper. `remoteness` False asks for values only (a quarter of the memory), True insists on the plies to
    the end, None takes what is cheapest. `table` names a directory written by `noughts solve --save`.

    The engine is the cheapest that fits `memory` (three quarters of what is free unless given); `threads` are as many
    as there are cores unless given. Raises InvalidBoard, InvalidPosition, InvalidQuestion, BudgetError.

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
    return solve_problem(
        Problem(on, at, remoteness),
        engine=engine,
        limits=Limits.of(memory),
        workers=workers_for(threads),
        progress=progress,
    )


def prove(
    board: str | Board = "3x3",
    start: str | Position | None = None,
    *,
    engine: str | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    progress: Progress | None = None,
) -> Proof:
    """Return a proof of who wins from a position under best play: `text` is a file that `noughts check` judges.

    A win is shown by threats, a draw for each player by blocking alone or, of the second player of an empty board, by
    strategy stealing; where that does not show it, and under misere, by a tree of all replies. `time` bounds the search
    of the value and that of the proof together. Cost: seconds on boards of 49 cells. Raises InvalidPosition also where
    the game is over, InvalidBoard, InvalidQuestion, BudgetError where no proof is found.

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
