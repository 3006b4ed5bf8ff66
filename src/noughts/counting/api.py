"""Counting as one function call."""

from __future__ import annotations

from pathlib import Path

from noughts.counting.census import Census
from noughts.counting.engines import answer
from noughts.counting.question import Question, Sameness, Starts
from noughts.domain.arguments import function_or_none, path_of
from noughts.domain.board import Board, SymmetryName
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.domain.rules import EndRule, MoveRule
from noughts.machine.budget import Limits
from noughts.machine.progress import Progress
from noughts.machine.workers import workers_for

__all__ = ["ask", "count"]


def ask(
    board: str | Board = "3x3",
    start: str | Position | None = None,
    *,
    same: Sameness = "labelled",
    moves: MoveRule = "any",
    x_moves: MoveRule | None = None,
    o_moves: MoveRule | None = None,
    end: EndRule = "line",
    symmetry: SymmetryName = "board",
    to_ply: int | None = None,
    starts: Starts = "X",
) -> Question:
    """Return the question with these parts; `x_moves` and `o_moves` override `moves` for one player.

    `start` is a position or its text: marks, or the moves that lead to it. `starts` is who moves first on the empty
    board: X, O, or either. Raises InvalidBoard, InvalidPosition,
    InvalidQuestion.
    """
    on = Board.parse(board)
    position = None if start is None else parse_position(on, start)
    x_rule, o_rule = (moves if rule is None else rule for rule in (x_moves, o_moves))
    return Question(on, same, x_rule, o_rule, end, symmetry, position, to_ply, starts=starts)


def count(
    board: str | Board = "3x3",
    start: str | Position | None = None,
    *,
    same: Sameness = "labelled",
    moves: MoveRule = "any",
    x_moves: MoveRule | None = None,
    o_moves: MoveRule | None = None,
    end: EndRule = "line",
    symmetry: SymmetryName = "board",
    to_ply: int | None = None,
    starts: Starts = "X",
    engine: str | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    resume: Path | str | None = None,
) -> Census:
    """Return how many positions and games there are, ply by ply, under one convention.

    The parts of the question are those of `ask`. The census is exact and has passed its conservation laws. `memory`
    (bytes or `8GB`, three quarters of what is free unless given) and `time` (seconds or `10s`) bound what may be
    started: where all columns do not fit, the games alone are counted and the positions left out. `threads` are as many
    as there are cores unless given. Cost: 20 ms for 3x3; for larger boards the
    engine's estimate decides. Raises InvalidBoard, InvalidPosition, InvalidQuestion, BudgetError. Source of the three
    questions: mathrec.org, "Tic-Tac-Toe", 2002.

    >>> count("3x3").totals.finished
    255168
    >>> count("3x3", "b2").totals.finished
    25872
    >>> count("3x3", starts="either").totals.finished
    510336
    """
    question = ask(
        board,
        start,
        same=same,
        moves=moves,
        x_moves=x_moves,
        o_moves=o_moves,
        end=end,
        symmetry=symmetry,
        to_ply=to_ply,
        starts=starts,
    )
    function_or_none("progress", progress)
    return answer(
        question,
        engine=engine,
        limits=Limits.of(memory, time),
        workers=workers_for(threads),
        progress=progress,
        resume=None if resume is None else path_of("the folder", resume),
    )
