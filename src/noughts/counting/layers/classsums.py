"""Censuses of small boards: sums over one class graph, in plain Python, so that nothing is compiled for 3x3.

A path's orbit under a group H that keeps the start has |H| / |pointwise stabiliser of its marked cells| members, and
the stabiliser depends on the position alone. So with L the number of labelled paths into a class, labelled columns are
sums of L and columns up to symmetry are sums of L |stabiliser| / |H|; by choices each edge counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Literal

from noughts.counting.census import PlyCounts
from noughts.counting.layers.bounds import needs_values
from noughts.counting.question import Question
from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.game import Game, Marks
from noughts.domain.players import OUTCOMES, Outcome
from noughts.domain.position import Position
from noughts.solving.classgraph import ClassGraph, class_graph

__all__ = ["class_rows", "graph_of", "move_counts"]


def _graph(
    board: Board, whole_group: bool, symmetry: str, start: Position, end: Literal["line", "full"], to_ply: int
) -> ClassGraph[Marks]:
    group = board.group("lines" if symmetry == "lines" else "board")
    if not whole_group:
        group = group.stabiliser(start.x, start.o)
    return class_graph(board, start, end=end, group=group, to_ply=to_ply)


def graph_of(question: Question, *, whole_group: bool = False) -> ClassGraph[Marks]:
    """Return the class graph for a question: under the part of the group that keeps the start, or under all of it."""
    needs_all = needs_values(question)
    to_ply = question.board.cells if needs_all else question.last_ply
    symmetry = "board" if question.same == "labelled" else question.symmetry
    start = question.position()
    whole = whole_group or start.ply == 0
    return _graph(question.board, whole, symmetry, start, "full" if question.end == "full" else "line", to_ply)


def class_rows(question: Question) -> tuple[PlyCounts, ...]:
    """Return the rows of the census, exact. Cost: linear in the edges of the class graph, and building it."""
    if question.same == "choices":
        return _rows(question, graph_of(question, whole_group=True))
    rows = _rows(question, graph_of(question))
    if question.same == "symmetry" and question.first_ply > 0:
        # positions are told apart under the whole group: classes of positions, not of positions after this start
        classes = _rows(replace(question, same="choices"), graph_of(question, whole_group=True))
        return tuple(row.with_positions_of(other) for row, other in zip(rows, classes, strict=True))
    return rows


@dataclass
class _Sums:
    """The counts of one layer while they are added up."""

    positions: int = 0
    terminal: int = 0
    paths: int = 0

    def __post_init__(self) -> None:
        self.terminal_by = dict.fromkeys(OUTCOMES, 0)
        self.finished_by = dict.fromkeys(OUTCOMES, 0)

    def add(self, outcome: Outcome | None, positions: int, paths: int) -> None:
        """Add the paths to a class, and as many positions; the outcome where the game is over there."""
        self.positions += positions
        self.paths += paths
        if outcome is not None:
            self.terminal += positions
            self.terminal_by[outcome] += positions
            self.finished_by[outcome] += paths

    def row(self, ply: int, divisor: int, *, split: bool) -> PlyCounts:
        finished = [_exactly(self.finished_by[outcome], divisor) for outcome in OUTCOMES]
        terminal = [self.terminal_by[outcome] for outcome in OUTCOMES] if split else None
        return PlyCounts.of(ply, self.positions, self.terminal, terminal, _exactly(self.paths, divisor), finished)


def _exactly(total: int, divisor: int) -> int:
    quotient, rest = divmod(total, divisor)
    assert rest == 0, "a sum over orbits must be divisible by the order of the group"
    return quotient


def _rows(question: Question, graph: ClassGraph[Marks]) -> tuple[PlyCounts, ...]:
    """Push path counts through the layers and add them up."""
    allowed = (graph.allowed(question.x_moves), graph.allowed(question.o_moves))
    over = _end_of_play(question, graph, *allowed)
    weigh = _weights(question, graph.game)
    divisor = graph.game.group.order if question.same == "symmetry" else 1
    labelled, distinct = question.same == "labelled", question.same == "choices"
    arriving: dict[int, int] = {0: 1}
    rows = []
    for ply in range(question.first_ply, question.last_ply + 1):
        sums, following = _Sums(), dict[int, int]()
        seen: set[Hashable] = set()
        for number, paths in arriving.items():
            node = graph.nodes[number]
            position = graph.game.position(node.state)
            boards = 0 if position in seen else node.orbit if labelled else 1
            seen.add(position)
            sums.add(over[number], boards, paths * weigh(node.state))
            if over[number] is None:
                for child, cells in node.children:
                    many = (cells & allowed[ply % 2][number]).bit_count()
                    if many:
                        following[child] = following.get(child, 0) + paths * (1 if distinct else many)
        rows.append(sums.row(ply, divisor, split=question.end != "full"))
        arriving = following
        if not arriving:
            break
    return tuple(rows)


def _weights(question: Question, game: Game[Marks]) -> Callable[[Marks], int]:
    """Return the weight of a class's labelled paths in the sums, before division by the group's order."""
    if question.same != "symmetry":
        return lambda state: 1
    moved = [sum(1 << cell for cell, image in enumerate(element) if image != cell) for element in game.group.elements]
    before = game.start.x | game.start.o

    def weight(state: Marks) -> int:
        marked = (state.x | state.o) & ~before
        return sum(1 for cells in moved if not cells & marked)

    return weight


def _end_of_play(
    question: Question, graph: ClassGraph[Marks], x_allowed: Sequence[Mask], o_allowed: Sequence[Mask]
) -> Sequence[Outcome | None]:
    """Return for each node the outcome where the game is over."""
    if question.end == "decided":
        return graph.decided_within(x_allowed, o_allowed)
    return [node.outcome for node in graph.nodes]


def move_counts(question: Question, limit: int = 30_000) -> dict[int, Counter[int]] | None:
    """Return for each ply how many open paths have how many moves (by choices: distinct choices) to go on with.

    None where the sameness is `symmetry`, under the end rule `full`, or where listing the classes passes `limit`.
    """
    if question.same == "symmetry" or question.end == "full" or _class_bound(question) > limit:
        return None
    graph = graph_of(question, whole_group=question.same == "choices")
    allowed = (graph.allowed(question.x_moves), graph.allowed(question.o_moves))
    over = _end_of_play(question, graph, *allowed)
    arriving: dict[int, int] = {0: 1}
    found = {}
    for ply in range(question.first_ply, question.last_ply):
        counts: Counter[int] = Counter()
        following: dict[int, int] = {}
        for number, paths in arriving.items():
            if over[number]:
                continue
            moves = 0
            for child, cells in graph.nodes[number].children:
                many = (cells & allowed[ply % 2][number]).bit_count()
                many = min(many, 1) if question.same == "choices" else many
                moves += many
                if many:
                    following[child] = following.get(child, 0) + paths * many
            counts[moves] += paths
        found[ply] = counts
        arriving = following
    return found


def _class_bound(question: Question) -> int:
    cells = question.board.cells
    boards = sum(comb(cells, t) * comb(t, t // 2) for t in range(question.first_ply, cells + 1))
    return boards // question.board.group().order
