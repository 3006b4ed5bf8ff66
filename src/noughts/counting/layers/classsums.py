"""Censuses of small boards: sums over one class graph, in plain Python, so that nothing is compiled for 3x3.

A path's orbit under a group H that keeps the start has |H| / |pointwise stabiliser of its marked cells| members, and
the stabiliser depends on the position alone. So with L the number of labelled paths into a class, labelled columns are
sums of L and columns up to symmetry are sums of L |stabiliser| / |H|; by choices each edge counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb

from noughts.counting.census import PlyCounts
from noughts.counting.question import Question
from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.position import Outcome, Position
from noughts.domain.symmetry import Group
from noughts.solving.classgraph import ClassGraph, Node
from noughts.solving.values import backward_decided

__all__ = ["class_rows", "graph_of", "move_counts"]

_OUTCOMES: tuple[Outcome, ...] = ("X", "O", "draw")

Paths = list[int]
"""Paths into one class by what their game has come to: no line yet, X has won, O has won."""


@lru_cache(maxsize=8)
def _graph(board: Board, whole_group: bool, symmetry: str, start: Position, beyond: bool, to_ply: int) -> ClassGraph:
    group = board.group("lines" if symmetry == "lines" else "board")
    if not whole_group:
        group = group.stabiliser(start.x, start.o)
    return ClassGraph(board, group, start, beyond_lines=beyond, to_ply=to_ply)


def graph_of(question: Question, *, whole_group: bool) -> ClassGraph:
    """Return the class graph for a question: under the whole group, or under the part of it that keeps the start."""
    needs_all = question.end == "decided" or "perfect" in (question.x_moves, question.o_moves)
    to_ply = question.board.cells if needs_all else question.last_ply
    symmetry = "board" if question.same == "labelled" else question.symmetry
    start = question.position()
    whole = whole_group or start.ply == 0
    return _graph(question.board, whole, symmetry, start, question.end == "full", to_ply)


def class_rows(question: Question) -> tuple[PlyCounts, ...]:
    """Return the rows of the census, exact. Cost: linear in the edges of the class graph, and building it."""
    if question.same == "choices":
        return _rows(question, graph_of(question, whole_group=True))
    rows = _rows(question, graph_of(question, whole_group=False))
    if question.same == "symmetry" and question.first_ply > 0:
        return _with_positions_of(rows, _rows(replace(question, same="choices"), graph_of(question, whole_group=True)))
    return rows


def _with_positions_of(rows: tuple[PlyCounts, ...], whole: tuple[PlyCounts, ...]) -> tuple[PlyCounts, ...]:
    """Return the rows with the position columns of a run under the whole group: classes of positions, not of starts."""
    return tuple(
        replace(
            row,
            positions=other.positions,
            terminal_positions=other.terminal_positions,
            terminal_x=other.terminal_x,
            terminal_o=other.terminal_o,
            terminal_draw=other.terminal_draw,
        )
        for row, other in zip(rows, whole, strict=True)
    )


@dataclass
class _Sums:
    """The counts of one layer while they are added up."""

    positions: int = 0
    terminal: int = 0
    paths: int = 0

    def __post_init__(self) -> None:
        self.terminal_by = dict.fromkeys(_OUTCOMES, 0)
        self.finished_by = dict.fromkeys(_OUTCOMES, 0)

    def row(self, ply: int, divisor: int, *, split: bool) -> PlyCounts:
        finished = [_exactly(self.finished_by[outcome], divisor) for outcome in _OUTCOMES]
        terminal = [self.terminal_by[outcome] for outcome in _OUTCOMES] if split else None
        return PlyCounts.of(ply, self.positions, self.terminal, terminal, _exactly(self.paths, divisor), finished)


def _exactly(total: int, divisor: int) -> int:
    quotient, rest = divmod(total, divisor)
    assert rest == 0, "a sum over orbits must be divisible by the order of the group"
    return quotient


def _rows(question: Question, graph: ClassGraph) -> tuple[PlyCounts, ...]:
    """Push path counts through the layers and add them up."""
    allowed = (graph.allowed(question.x_moves), graph.allowed(question.o_moves))
    over = _end_of_play(question, graph, *allowed)
    weigh = _weights(question, graph.group, graph.start.x | graph.start.o)
    divisor = graph.group.order if question.same == "symmetry" else 1
    labelled = question.same == "labelled"
    arriving: dict[int, Paths] = {0: _start_paths(graph.nodes[0])}
    rows = []
    for ply in range(question.first_ply, question.last_ply + 1):
        if not arriving:
            break
        sums, following = _Sums(), dict[int, Paths]()
        for number, paths in arriving.items():
            node = graph.nodes[number]
            boards, weight = node.orbit if labelled else 1, weigh(node)
            sums.positions += boards
            sums.paths += sum(paths) * weight
            if over[number]:
                _finish(sums, over[number], paths, boards, weight)
            else:
                by_edge = question.same == "choices"
                _push(graph, number, paths, allowed[ply % 2][number], following, by_edge)
        rows.append(sums.row(ply, divisor, split=question.end != "full"))
        arriving = following
    return tuple(rows)


def _start_paths(node: Node) -> Paths:
    return [0, 1, 0] if node.outcome == "X" else [0, 0, 1] if node.outcome == "O" else [1, 0, 0]


def _weights(question: Question, group: Group, before: Mask) -> Callable[[Node], int]:
    """Return the weight of a class's labelled paths in the sums, before division by the group's order."""
    if question.same != "symmetry":
        return lambda node: 1
    moved = [sum(1 << cell for cell, image in enumerate(element) if image != cell) for element in group.elements]

    def weight(node: Node) -> int:
        marked = (node.x | node.o) & ~before
        return sum(1 for cells in moved if not cells & marked)

    return weight


def _end_of_play(
    question: Question, graph: ClassGraph, x_allowed: Sequence[Mask], o_allowed: Sequence[Mask]
) -> Sequence[Outcome | None]:
    """Return for each node the outcome where the game is over, `draw` standing for any at a full board under `full`."""
    if question.end == "decided":
        return backward_decided(graph, x_allowed, o_allowed)
    if question.end == "full":
        full = graph.board.full
        return ["draw" if node.x | node.o == full else None for node in graph.nodes]
    return [node.outcome for node in graph.nodes]


def _finish(sums: _Sums, outcome: Outcome | None, paths: Paths, boards: int, weight: int) -> None:
    """Add a class where the game is over; paths that came to a line earlier keep that outcome."""
    assert outcome is not None
    sums.terminal += boards
    sums.terminal_by[outcome] += boards
    kept: tuple[Outcome, Outcome, Outcome] = (outcome, "X", "O")
    for count, result in zip(paths, kept, strict=True):
        sums.finished_by[result] += count * weight


def _push(
    graph: ClassGraph, number: int, paths: Paths, allowed: Mask, following: dict[int, Paths], by_edge: bool
) -> None:
    """Add the paths of one class to its children. A path that meets its first line is marked with the winner.

    After a line every blank cell is allowed; before it the cells of the rule are.
    """
    undecided, x_won, o_won = paths
    for child, cells in graph.nodes[number].children:
        free, kept = cells.bit_count(), (cells & allowed).bit_count()
        if by_edge:
            free, kept = 1, min(kept, 1)
        if not (undecided * kept or x_won or o_won):
            continue
        outcome = graph.nodes[child].outcome
        taken = following.setdefault(child, [0, 0, 0])
        taken[1 if outcome == "X" else 2 if outcome == "O" else 0] += undecided * kept
        taken[1] += x_won * free
        taken[2] += o_won * free


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
