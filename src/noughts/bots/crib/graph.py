"""The boards that a table may have to know: the class graph with the player's moves that serve the goal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.bots.crib.asked import CribQuestion
from noughts.domain.bits import Mask, cells_of
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.domain.game import Marks
from noughts.domain.position import Position, opponent
from noughts.machine.progress import Progress, silent
from noughts.solving.classgraph import ClassGraph, class_graph

__all__ = ["CribGraph", "crib_graph"]


@dataclass(frozen=True)
class CribGraph:
    """Position classes in the order of their plies, the first of them the start.

    `children` of a board at which the player moves are those after a move that serves the goal, of which a table holds
    one; of a board at which the other moves all replies, which a table must meet. `moves` are the cells that lead to
    them, on the canonical board. Where the game is over there are none.
    """

    question: CribQuestion
    states: tuple[Marks, ...]
    children: tuple[tuple[int, ...], ...]
    moves: tuple[tuple[Mask, ...], ...]
    own: frozenset[int]
    """The boards at which the player moves."""

    @cached_property
    def counted(self) -> frozenset[int]:
        """The boards that count as entries."""
        return self.own if self.question.count == "own" else frozenset(range(len(self.states)))

    @cached_property
    def plies(self) -> tuple[int, ...]:
        """The ply of each board."""
        return tuple((state.x | state.o).bit_count() for state in self.states)

    def reached(self, chosen: dict[int, int]) -> list[int]:
        """Return, in order, the boards that play meets when the player moves to the chosen child of each."""
        met = {0}
        for at in range(len(self.states)):
            if at in met:
                met.update([chosen[at]] if at in self.own else self.children[at])
        return sorted(met)

    def size(self, chosen: dict[int, int]) -> int:
        """Return the number of entries of the table that such choices make."""
        return sum(at in self.counted for at in self.reached(chosen))


def crib_graph(question: CribQuestion, progress: Progress = silent) -> CribGraph:
    """Return the boards that a table may have to know.

    Raises InputError where the goal cannot be met. Cost: all position classes from the start, in plain Python.
    """
    whole = class_graph(question.board, question.start, progress=progress)
    sign = 1 if question.player == "X" else -1
    values = [sign * value for value in whole.values]
    kept: dict[int, list[tuple[int, Mask]]] = {}
    opened = None if question.opening is None else _opened(question, whole, values)
    _require_goal(question, values[0] if opened is None else max(values[child] for child, _ in opened))
    for at, node in enumerate(whole.nodes):
        edges = node.children if at or opened is None else opened
        if whole.game.to_move(node.state) == question.player and node.outcome is None:
            floor = _floor(question, [values[child] for child, _ in node.children])
            edges = [(child, cells) for child, cells in edges if values[child] >= floor]
        kept[at] = edges
    return _part(question, whole, kept)


def _floor(question: CribQuestion, values: list[int]) -> int:
    """Return the least value, to the player, of a move that serves the goal."""
    return {"never-lose": 0, "perfect": max(values), "win": 1}[question.goal]


def _opened(question: CribQuestion, whole: ClassGraph[Marks], values: list[int]) -> list[tuple[int, Mask]]:
    """Return the edge of the opening. Raises InputError where X, whose crib it is, fails the goal by it."""
    assert question.opening is not None
    edges = whole.nodes[0].children
    chosen = [(child, cells) for child, cells in edges if cells >> question.opening & 1]
    if question.player == "X":
        floor = _floor(question, [values[child] for child, _ in edges])
        good = [cell for child, cells in edges for cell in cells_of(cells) if values[child] >= floor]
        if good and values[chosen[0][0]] < floor:
            board, fails = question.board, {"never-lose": "loses", "perfect": "is not perfect", "win": "does not win"}
            names = " or ".join(cell_name(board, cell) for cell in sorted(good))
            raise InputError(
                f"the opening {cell_name(board, question.opening)} {fails[question.goal]} on {board}, against best "
                f"play: open at {names}"
            )
    return chosen


def _require_goal(question: CribQuestion, value: int) -> None:
    """Raise InputError where the player cannot meet the goal against best play."""
    player, other = question.player, opponent(question.player)
    least = {"never-lose": 0, "perfect": -1, "win": 1}[question.goal]
    if value >= least:
        return
    if value == 0:
        raise InputError(
            f"{player} cannot be sure to win on {question.where}, which is a draw with best play: ask for the goal "
            "never-lose or perfect"
        )
    cannot = "never to lose" if question.goal == "never-lose" else "to win"
    raise InputError(
        f"{player} cannot be sure {cannot} on {question.where}, where {other} wins with best play: ask for the crib "
        f"of {other}, or for the goal perfect"
    )


def _part(question: CribQuestion, whole: ClassGraph[Marks], kept: dict[int, list[tuple[int, Mask]]]) -> CribGraph:
    """Return the boards that some table meets, numbered anew."""
    met = {0}
    for at in range(len(whole.nodes)):
        if at in met:
            met.update(child for child, _ in kept[at])
    reached = sorted(met)
    number = {old: new for new, old in enumerate(reached)}
    states = tuple(whole.nodes[at].state for at in reached)
    own = frozenset(
        new
        for new, old in enumerate(reached)
        if whole.nodes[old].outcome is None and _mover(question, whole.nodes[old].state) == question.player
    )
    return CribGraph(
        question,
        states,
        tuple(tuple(number[child] for child, _ in kept[at]) for at in reached),
        tuple(tuple(cells for _, cells in kept[at]) for at in reached),
        own,
    )


def _mover(question: CribQuestion, state: Marks) -> str:
    return Position(question.board, state.x, state.o).to_move
