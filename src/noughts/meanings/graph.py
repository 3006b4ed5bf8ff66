"""Readings of numbers from the graph of positions: its moves, the games that end in a class, wins by kind of line."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.counting.api import count
from noughts.counting.derivation import derivation
from noughts.domain.board import Board
from noughts.domain.game import Marks
from noughts.domain.position import Position
from noughts.meanings.meaning import Meaning, complexity_of
from noughts.solving.classgraph import ClassGraph, class_graph

__all__ = ["graph_readings"]


def graph_readings(board: Board) -> Iterator[Meaning]:
    """Yield the readings of a small board in two dimensions."""
    plain = complexity_of(board)
    graph = class_graph(board)
    yield from _moves(board, graph, plain)
    said = "cells distinguishable, X starts, a game ends at a line or a full board"
    for step in derivation(count(board)):
        for won in step.won_by:
            what = f"games that {won.player} wins at ply {step.ply} by {won.by}"
            yield Meaning(won.games, board.spec, what, said, f"noughts count {board.spec} --explain", plain + 8)
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
