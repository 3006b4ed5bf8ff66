"""Readings of numbers from the graph of positions: its moves, the games that end in a class, wins by kind of line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import factorial

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.game import MarkingGame, Marks
from noughts.domain.position import Player, Position
from noughts.meanings.meaning import Meaning, complexity_of
from noughts.solving.classgraph import ClassGraph

__all__ = ["graph_readings", "winning_lines"]


def graph_readings(board: Board) -> Iterator[Meaning]:
    """Yield the readings of a small board in two dimensions."""
    plain = complexity_of(board)
    graph = ClassGraph(MarkingGame(board))
    yield from _moves(board, graph, plain)
    for ply, winner, kind, games in winning_lines(board):
        what = f"games that {winner} wins at ply {ply} by {kind}"
        said = "cells distinguishable, X starts, a game ends at a line or a full board"
        yield Meaning(games, board.spec, what, said, f"noughts count {board.spec} --explain", plain + 8)
    yield from _endings(board, graph, plain)


def _moves(board: Board, graph: ClassGraph[Marks], plain: int) -> Iterator[Meaning]:
    inner = [node for node in graph.nodes if node.outcome is None]
    labelled = sum(node.orbit * moves.bit_count() for node in inner for _, moves in node.children)
    blanks = sum(moves.bit_count() for node in inner for _, moves in node.children)
    classes = sum(len(node.children) for node in inner)
    joined = "moves join classes on moves.class = classes.position"
    boards = f"noughts query {board.spec} 'select sum(orbit * times) from {joined}'"
    tree = f"noughts tree {board.spec} --kind full"
    keeps = "that keeps what it knows"
    found = (
        (labelled, "moves between reachable boards (edges of their graph)", boards, 2),
        (
            labelled + 1,
            f"calls of a minimax {keeps}: one for each move between reachable boards, and the first",
            boards,
            4,
        ),
        (classes, "moves between position classes (edges of their graph), those to one class counted once", tree, 3),
        (classes + 1, f"calls of a minimax on position classes {keeps}: one for each edge, and the first", tree, 5),
        (blanks, "moves of one board of each position class, whatever class they lead to", tree, 4),
    )
    for value, what, command, more in found:
        yield Meaning(value, board.spec, what, "", command, plain + more)


def winning_lines(board: Board) -> Iterator[tuple[int, Player, str, int]]:
    """Yield ply, winner, kind of line and number of games, cells distinguishable, for each kind by which games are won.

    The kinds are a row or column, a diagonal, and several lines at once: completed by the same mark. A finished
    position with p marks of the winner and q of the other has (marks that may be last) (p - 1)! q! games.
    Source of the splitting: mathrec.org, 2002.
    """
    counts: Counter[tuple[int, Player, str]] = Counter()
    everything = (1 << board.cells) - 1
    for ply in range(1, board.cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        sides: tuple[Player, int, int] = ("X", p, q) if ply % 2 else ("O", q, p)
        player, own, others = sides
        for marks in _sets(everything, own):
            lines = [line for line in board.line_masks if marks & line == line]
            last = everything
            for line in lines:
                last &= line
            if not lines or not last:
                continue
            other = sum(not board.has_line(rest) for rest in _sets(everything & ~marks, others))
            games = last.bit_count() * factorial(own - 1) * factorial(others) * other
            winner: Player = player if board.line_outcome(player) == player else "O" if player == "X" else "X"
            counts[ply, winner, _kind(board, lines)] += games
    yield from ((*key, games) for key, games in counts.items() if games)


def _sets(cells: Mask, size: int) -> Iterator[Mask]:
    return (sum(1 << cell for cell in chosen) for chosen in combinations(cells_of(cells), size))


def _kind(board: Board, lines: list[Mask]) -> str:
    if len(lines) > 1:
        return "two lines at once" if len(lines) == 2 else f"{len(lines)} lines at once"
    assert board.shape is not None
    columns = board.shape[1]
    cells = list(cells_of(lines[0]))
    straight = len({cell // columns for cell in cells}) == 1 or len({cell % columns for cell in cells}) == 1
    return "a row or column" if straight else "a diagonal"


def _endings(board: Board, graph: ClassGraph[Marks], plain: int) -> Iterator[Meaning]:
    """Yield how many games end in each terminal class, cells distinguishable and by choices."""
    paths, choices = [0] * len(graph.nodes), [0] * len(graph.nodes)
    paths[0] = choices[0] = 1
    for number, node in enumerate(graph.nodes):
        for child, moves in node.children:
            paths[child] += paths[number] * moves.bit_count()
            choices[child] += choices[number]
        if node.outcome is not None:
            end = Position(board, node.state.x, node.state.o)
            said = f"games that end in {end} or a board that is the same turned or mirrored"
            for value, how, more in ((paths[number], "cells distinguishable", 9), (choices[number], "by choices", 10)):
                command = f"noughts explain {board.spec} '{end}'"
                yield Meaning(value, board.spec, said, how, command, plain + more)
