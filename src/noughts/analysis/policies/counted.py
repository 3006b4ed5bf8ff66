"""Counting the games that policies allow: every move is one that the policy may make."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from noughts.analysis.policies.policy import GRADES, POLICIES, require_moves
from noughts.counting.census import Census
from noughts.counting.engines import Columns, answer
from noughts.counting.engines import ask as ask_by_rules
from noughts.counting.question import Question, Sameness, Starts
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, Workers
from noughts.rules.arguments import function_or_none, is_word, path_of
from noughts.rules.board import Board, SymmetryName
from noughts.rules.errors import BudgetError
from noughts.rules.game import PlayTable, allowed_cells
from noughts.rules.marks import Mask, cells_of
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import Position, PositionLike
from noughts.rules.values import FrozenDict

if TYPE_CHECKING:
    from noughts.analysis.policies.policy import Policy
    from noughts.analysis.policies.reading import PolicyLike

MOST_POSITIONS = 200_000
"""The most positions that the games of policies may reach."""


def ask(
    board: str | Board = "3x3",
    start: PositionLike | None = None,
    *,
    same: Sameness = "labelled",
    moves: MoveRule | PolicyLike = "any",
    x_moves: MoveRule | PolicyLike | None = None,
    o_moves: MoveRule | PolicyLike | None = None,
    end: EndRule = "line",
    symmetry: SymmetryName = "board",
    to_ply: int | None = None,
    starts: Starts = "X",
) -> Question:
    """Return the question with these parts; `x_moves` and `o_moves` override `moves` for one player.

    They are move rules, or policies: then the games are those that the policy's possible moves allow. `start` is a
    position or its text: marks, or the moves that lead to it. `starts` is the first player on the empty board: X, O, or
    either. Raises InputError, and BudgetError if the games of a policy reach too many positions.
    """
    given = (moves if each is None else each for each in (x_moves, o_moves))
    x, o = ("any" if is_word(each, "random") else each for each in given)
    question = ask_by_rules(
        board,
        start,
        same=same,
        x_moves=cast(MoveRule, x) if _is_rule(x) else "any",
        o_moves=cast(MoveRule, o) if _is_rule(o) else "any",
        end=end,
        symmetry=symmetry,
        to_ply=to_ply,
        starts=starts,
    )
    if _is_rule(x) and _is_rule(o):
        return question
    from noughts.analysis.policies.reading import policy  # most questions are about move rules

    players = {player: policy(question.board, each) for player, each in (("X", x), ("O", o)) if not _is_rule(each)}
    return _held(question, players)


def _is_rule(given: object) -> bool:
    """Return whether a move rule is given, not a policy. Raises InvalidType for anything else."""
    if not isinstance(given, str):
        from noughts.analysis.policies.reading import require_policy

        require_policy(given)
        return False
    return given in get_args(MoveRule) or not (given in (*POLICIES, *GRADES) or ":" in given or given.endswith(".json"))


def _held(question: Question, players: dict[str, Policy]) -> Question:
    """Return a question whose players keep to the moves of policies."""
    from noughts.analysis.policies.reading import policy
    from noughts.analysis.solutions import solution_for

    board, start = question.board, question.position()
    rules = board.rules
    others = {"X": question.x_moves, "O": question.o_moves}
    for chosen in players.values():
        require_moves(chosen, "a count of a policy's games")
    every = {
        player: players.get(player) or policy(board, others[player])
        for player in "XO"
        if player in players or others[player] != "concede"
    }
    solution = solution_for(start) if any(each.needs_values for each in every.values()) else None
    tables: dict[str, dict[tuple[Mask, Mask], Mask]] = {player: {} for player in "XO"}
    layer, seen = {(start.x, start.o)}, 0
    for ply in range(question.first_ply, question.last_ply):
        mover, following = "XO"[ply % 2], set[tuple[Mask, Mask]]()
        for x, o in layer:
            if rules.is_over(board, x, o):
                continue
            if mover in every:
                cells = every[mover].moves(Position(board, x, o), solution)
            else:
                cells = allowed_cells(board, x, o, "concede")
            tables[mover][x, o] = cells
            following.update([rules.play(board, x, o, cell) for cell in cells_of(cells)])
            if seen + len(following) > MOST_POSITIONS:
                names = " and ".join(player.name for player in players.values())
                raise BudgetError(
                    f"games of {names} on {board} reach more than {MOST_POSITIONS:,} positions: use --to-ply, "
                    "or a later position with --from"
                )
        seen += len(following)
        layer = following
    held_to = {player: PlayTable(chosen.name, board, FrozenDict(tables[player])) for player, chosen in players.items()}
    return replace(question, x_plays=held_to.get("X"), o_plays=held_to.get("O"))


def count(
    board: str | Board = "3x3",
    start: PositionLike | None = None,
    *,
    same: Sameness = "labelled",
    moves: MoveRule | PolicyLike = "any",
    x_moves: MoveRule | PolicyLike | None = None,
    o_moves: MoveRule | PolicyLike | None = None,
    end: EndRule = "line",
    symmetry: SymmetryName = "board",
    to_ply: int | None = None,
    starts: Starts = "X",
    engine: str | None = None,
    columns: Columns = "all",
    memory: int | str | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    workers: Workers | int | str | None = None,
    progress: Progress | None = None,
    resume: Path | str | None = None,
) -> Census:
    """Return how many positions and games there are, ply by ply, under one convention.

    The census is exact and has passed its conservation laws. Counts that take minutes and that noughts carries come at
    once, some as totals without plies. Cost: 20 ms for 3x3; an estimate decides for larger boards. Source of the three
    questions: mathrec.org, "Tic-Tac-Toe", 2002.

    Parameters
    ----------
    board
        The board, or its name.
    start
        A position, its marks, or the moves that lead to it; the empty board by default.
    same
        `labelled`, `symmetry` or `choices`: which positions and games count once.
    moves, x_moves, o_moves
        A move rule, or a policy as `match` takes it, for both players or for one. With a policy the games are those
        that its possible moves allow.
    end
        `line`, `decided` or `full`.
    symmetry
        `board` or `lines`.
    to_ply
        The last ply that is counted.
    starts
        The first player on the empty board: `X`, `O` or `either`.
    engine
        The engine to count with; a carried count is then counted again.
    columns
        `games` leaves the positions out. By default they are left out only if all columns do not fit.
    memory
        Bytes or text such as `8GB`; by default three quarters of the free memory.
    time
        Seconds or text such as `10s`.
    threads
        By default as many as there are cores.
    workers
        A number of processes, or the address of a cluster (`tcp://host:8786`), for batches of values at points.
    progress
        Receives the progress.
    resume
        A folder with saved work.

    Raises
    ------
    InvalidBoard, InvalidPosition, InvalidQuestion, BudgetError, ClusterError

    >>> count("3x3").totals.finished
    255168
    >>> count("3x3", x_moves={".../.../...": "b2", "otherwise": "random"}).totals.finished
    25872
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
    from noughts.machine.cluster import working  # imported only for calls from Python

    function_or_none("progress", progress)
    limits, folder = Limits.of(memory, time), None if resume is None else path_of("the folder", resume)
    with working(workers, threads=threads) as found:
        return answer(
            question,
            engine=engine,
            columns=columns,
            limits=limits,
            workers=found,
            progress=progress,
            resume=folder,
            carried=True,
        )
