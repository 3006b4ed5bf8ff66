"""How many boxes there are under other readings: which positions get a box, and what is told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from noughts.domain.game import Marks
from noughts.domain.position import Player, opponent
from noughts.solving.classgraph import ClassGraph, Node

__all__ = ["Reading", "readings"]


@dataclass(frozen=True)
class Reading:
    """A rule in words, and how many boxes it gives."""

    boxes: int
    rule: str

    def as_dict(self) -> dict[str, object]:
        """Return the reading for JSON."""
        return {"boxes": self.boxes, "rule": self.rule}


def readings(graph: ClassGraph[Marks], player: Player) -> tuple[Reading, ...]:
    """Return how many boxes there are for a machine that plays X or O, under each reading; all computed."""
    game, cells = graph.game, len(graph.game.group.elements[0])
    other = opponent(player)

    def blanks(node: Node[Marks]) -> int:
        return cells - game.ply(node.state)

    unfinished = [n for n, node in enumerate(graph.nodes) if node.outcome is None]
    mine = [n for n in unfinished if game.to_move(graph.nodes[n].state) == player]
    boxes = [n for n in mine if blanks(graph.nodes[n]) > 1]
    value = 1 if player == "X" else -1

    def reading(rule: str, numbers: Sequence[int], without: Callable[[int], bool] = lambda n: False) -> Reading:
        return Reading(sum(not without(n) for n in numbers), rule)

    choice = f"{player} to move, unfinished, more than one blank cell, boards alike once"
    lost_next = {n for n in boxes if _loses_next(graph, n, other)}
    labelled = sum(graph.nodes[n].orbit for n in boxes)
    return (
        reading(choice, boxes),
        reading(f"less those where {other} has won two moves on at the latest, whatever {player} plays", boxes,
                lost_next.__contains__),
        reading(f"less all that {player} loses against best play", boxes, lambda n: graph.values[n] == -value),
        reading("less those where all play ends alike", boxes, lambda n: graph.decided[n] is not None),
        reading("with those of one blank cell, where there is nothing to choose", mine),
        reading("with those where the opponent has a choice: boxes for both players",
                [n for n in unfinished if blanks(graph.nodes[n]) > 1]),
        Reading(labelled, "with a box for every board, turned and mirrored ones apart"),
    )  # fmt: skip


def _loses_next(graph: ClassGraph[Marks], number: int, other: Player) -> bool:
    """Tell whether after every move the game is won by the other side, or is with its next move."""

    def lost(child: int) -> bool:
        node = graph.nodes[child]
        if node.outcome is not None:
            return node.outcome == other
        return any(graph.nodes[reply].outcome == other for reply, _ in node.children)

    return all(lost(child) for child, _ in graph.nodes[number].children)
