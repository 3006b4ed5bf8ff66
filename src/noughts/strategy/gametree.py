"""Trees of position classes: the common form of all kinds, and what can be read off it.

A tree here is a graph whose nodes are position classes and whose edges go to distinct child classes; an edge keeps the
cells, of the canonical parent, that lead along it. So a class that several paths reach is there once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.decimals import decimal
from noughts.domain.errors import BudgetError
from noughts.domain.frozen import short
from noughts.domain.notation import format_start
from noughts.domain.position import Outcome, Position
from noughts.domain.symmetry import inverse
from noughts.solving.values import VALUE_OF_OUTCOME

__all__ = ["DRAWN_NODES", "NODE_LIMIT", "End", "GameTree", "Link", "Scoring", "TreeNode", "grow", "smaller"]

End = Literal["over", "forced win", "no fork left", "settled"]
Scoring = Literal["score", "score_distinct"]
NODE_LIMIT = 50_000
DRAWN_NODES = 3_000
"""Nodes that a picture of a tree holds."""


@dataclass(frozen=True)
class TreeNode:
    """A position class. `outcome` is that under best play; `end` says why the tree stops here, None where it does not.

    `score` and `score_distinct` are the averages from X's viewpoint, None where the tree was cut before its ends.
    """

    id: int
    position: Position
    outcome: Outcome | None
    score: Fraction | None
    score_distinct: Fraction | None
    end: End | None
    fork: bool


@dataclass(frozen=True)
class Link:
    """An edge: from a class to a distinct child class, with the cells of the canonical parent that lead there."""

    source: int
    target: int
    moves: Mask


@dataclass(frozen=True, repr=False)
class GameTree:
    """A tree of position classes in order of ply; node 0 is the root, in its canonical form."""

    board: Board
    kind: str
    start: Position
    """The root as it was asked for, before it was brought to its canonical form."""
    nodes: tuple[TreeNode, ...]
    links: tuple[Link, ...]

    def __repr__(self) -> str:
        size = f"{len(self.nodes):,} nodes, {len(self.links):,} edges"
        return f"<GameTree of {short(self.start)} on {short(self.board)}, {self.kind}: {size}>"

    @cached_property
    def children(self) -> dict[int, list[Link]]:
        """The links out of each node."""
        found: dict[int, list[Link]] = {node.id: [] for node in self.nodes}
        for link in self.links:
            found[link.source].append(link)
        return found

    @property
    def root(self) -> TreeNode:
        """The first node."""
        return self.nodes[0]

    def best_games(self, scoring: Scoring = "score") -> list[list[int]]:
        """Return all best games as lists of node numbers: X takes the child with the highest score, O the lowest."""
        games: list[list[int]] = []
        work = [[0]]
        while work:
            game = work.pop()
            best = self.best_children(game[-1], scoring)
            if not best:
                games.append(game)
            work += [[*game, child] for child in reversed(best)]
        return games

    def best_moves(self, scoring: Scoring = "score") -> tuple[set[tuple[int, int]], int]:
        """Return the links of all best games, as pairs of node numbers, and how many best games there are."""
        moves, games = set[tuple[int, int]](), [0] * len(self.nodes)
        games[0] = 1
        ends = 0
        for number, ways in enumerate(games):
            best = self.best_children(number, scoring) if ways else []
            moves |= {(number, child) for child in best}
            for child in best:
                games[child] += ways
            ends += 0 if best else ways
        return moves, ends

    def best_children(self, node: int, scoring: Scoring = "score") -> list[int]:
        """Return the children with the best score for the side to move; empty at an end or without scores."""
        links = self.children[node]
        scores = [(getattr(self.nodes[link.target], scoring), link.target) for link in links]
        if not scores or any(score is None for score, _ in scores):
            return []
        choose = max if self.nodes[node].position.to_move == "X" else min
        best = choose(score for score, _ in scores)
        return [target for score, target in scores if score == best]

    def moves_of(self, game: list[int]) -> list[str]:
        """Return the moves that lead through the nodes of a game, from the root as it was asked for, each the first."""
        position, names = self.start, []
        canonical = self.board.group().canonical
        for number in game[1:]:
            target = self.nodes[number].position
            after = ((cell, position.play(cell)) for cell in cells_of(position.blanks))
            cell, position = next((c, p) for c, p in after if canonical(p.x, p.o) == (target.x, target.o))
            names.append(cell_name(self.board, cell))
        return names

    def placed(self, links: Iterable[Link] | None = None) -> dict[int, tuple[Position, Cell | None]]:
        """Return for each node the position to show and its last move: the root as it was asked for, each other node
        turned so that it is the position above it and one more mark. The first link to a node turns it.

        `links` are those of the tree in another order, in which each node comes after one above it.
        """
        group = self.board.group()
        shown: dict[int, tuple[Position, Cell | None]] = {0: (self.start, None)}
        for link in self.links if links is None else links:
            if link.target in shown:
                continue
            before = shown[link.source][0]
            back = inverse(group.to_canonical(before.x, before.o)[2])
            cell = min(back[move] for move in cells_of(link.moves))
            shown[link.target] = (before.play(cell), cell)
        return shown

    def as_dict(self, decimals: int | None = None) -> dict[str, object]:
        """Return the tree as the JSON contract has it: scores as fractions, and where asked as decimals besides."""
        return {
            "board": self.board.spec,
            "kind": self.kind,
            "nodes": [
                {
                    "id": node.id,
                    "position": str(node.position),
                    "ply": node.position.ply,
                    "outcome": node.outcome,
                    "score": _fraction(node.score),
                    "score_distinct": _fraction(node.score_distinct),
                    **(_decimals(node, decimals) if decimals is not None else {}),
                    "end": node.end,
                    "fork": node.fork,
                }
                for node in self.nodes
            ],
            "edges": [
                {
                    "from": link.source,
                    "to": link.target,
                    "moves": [cell_name(self.board, cell) for cell in cells_of(link.moves)],
                }
                for link in self.links
            ],
        }


def grow(
    start: Position,
    kind: str,
    moves_at: Callable[[Position], Mask],
    end_at: Callable[[Position], End | None],
    outcome_at: Callable[[Position], Outcome | None],
    fork_at: Callable[[Position], bool],
    *,
    depth: int | None = None,
    limit: int = NODE_LIMIT,
) -> GameTree:
    """Return the tree below a position, breadth first, so that ids follow the plies.

    `moves_at` gives the moves of a canonical position, `end_at` why the tree stops there. Raises BudgetError beyond
    `limit` nodes, with a size that the tree has at least. Cost: one canonical form per move.
    """
    board, group = start.board, start.board.group()
    root = group.canonical(start.x, start.o)
    ids, order, links = {root: 0}, [root], []
    ends: list[End | None] = []
    cut = False
    for number, (x, o) in enumerate(order):
        position = Position(board, x, o)
        end = end_at(position)
        ends.append(end)
        if end is not None:
            continue
        if depth is not None and position.ply - start.ply >= depth:
            cut = True
            continue
        found: dict[int, Mask] = {}
        for cell in cells_of(moves_at(position)):
            after = position.play(cell)
            key = group.canonical(after.x, after.o)
            if key not in ids:
                if len(order) >= limit:
                    raise BudgetError(_too_large(board, kind, start, limit, number))
                ids[key] = len(order)
                order.append(key)
            found[ids[key]] = found.get(ids[key], 0) | 1 << cell
        links += [Link(number, target, cells) for target, cells in found.items()]
    positions = [Position(board, x, o) for x, o in order]
    outcomes = [outcome_at(position) for position in positions]
    scores = [(None, None)] * len(order) if cut else _scores(outcomes, ends, links)
    nodes = [
        TreeNode(i, positions[i], outcomes[i], *scores[i], ends[i], fork_at(positions[i])) for i in range(len(order))
    ]
    return GameTree(board, kind, start, tuple(nodes), tuple(links))


def _scores(
    outcomes: list[Outcome | None], ends: list[End | None], links: list[Link]
) -> list[tuple[Fraction | None, Fraction | None]]:
    """Average backwards: over every move, and over every distinct class once."""
    below: dict[int, list[Link]] = {}
    for link in links:
        below.setdefault(link.source, []).append(link)
    scores: list[tuple[Fraction | None, Fraction | None]] = [(None, None)] * len(outcomes)
    for number, outcome in reversed(list(enumerate(outcomes))):
        if ends[number] is not None and outcome is not None:
            scores[number] = (Fraction(VALUE_OF_OUTCOME[outcome]),) * 2
        elif children := below.get(number, []):
            scores[number] = _average(children, scores)
    return scores


def _average(
    children: list[Link], scores: list[tuple[Fraction | None, Fraction | None]]
) -> tuple[Fraction | None, Fraction | None]:
    total, weight, distinct = Fraction(0), 0, Fraction(0)
    for link in children:
        one, other = scores[link.target]
        if one is None or other is None:
            return None, None
        times = link.moves.bit_count()
        total, weight, distinct = total + one * times, weight + times, distinct + other
    return total / weight, distinct / len(children)


def _fraction(score: Fraction | None) -> str | None:
    """A fraction as text, always with its denominator."""
    return None if score is None else f"{score.numerator}/{score.denominator}"


def _decimals(node: TreeNode, places: int) -> dict[str, object]:
    scores = {"score_decimal": node.score, "score_distinct_decimal": node.score_distinct}
    return {name: None if score is None else decimal(score, places) for name, score in scores.items()}


def _too_large(board: Board, kind: str, start: Position, limit: int, expanded: int) -> str:
    return (
        f"the {kind} tree of {board}{format_start(start)} has at least {limit + 1:,} nodes ({expanded:,} of "
        f"them were expanded when it was given up): ask {smaller(kind, limit)}"
    )


def smaller(kind: str, limit: int) -> str:
    """Return in words how to ask for less than a tree that is too large, or for more."""
    ways = [*(["with --depth"] if kind in ("full", "policy") else []), "from a later position"]
    ways.append("for numbers, as pictures hold no more" if limit == DRAWN_NODES else "with a higher --limit")
    return f"{', '.join(ways[:-1])}, or {ways[-1]}"
