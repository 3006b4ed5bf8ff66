"""How the answer to `noughts solve` is printed: in words first, then the board, the moves, and how we know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.notation import format_position
from noughts.domain.position import Outcome, Position
from noughts.reports.tables import Table, as_markdown, grouped, show, wrapped
from noughts.solving.plies import PlyValues, Split
from noughts.solving.solution import Answer, MoveValue

__all__ = ["as_record", "drawn", "grouped_moves", "print_answer", "print_plies", "sentence"]

BY_PLY_CELLS = 25
"""Up to so many cells all positions can be valued in minutes."""

_GROUPS = {"win": "winning", "draw": "drawing", "loss": "losing", None: "not found within the budget of nodes"}


def as_record(answer: Answer) -> dict[str, Any]:
    """Return the answer by the contract of the command line."""
    board = answer.position.board
    return {
        "board": board.spec,
        "position": format_position(answer.position),
        "to_move": answer.to_move,
        "outcome": answer.outcome,
        "value": answer.value,
        "remoteness": answer.remoteness,
        "decided": answer.decided,
        "over": answer.position.is_terminal,
        "engine": answer.engine,
        "moves": [
            {
                "cell": cell_name(board, move.cell),
                "outcome": move.outcome,
                "value": move.value,
                "remoteness": move.remoteness,
                "best": move.best,
            }
            for move in answer.moves
        ],
        "line": None if answer.line is None else [cell_name(board, cell) for cell in answer.line],
        "proof": answer.proof,
        "nodes": answer.nodes,
    }


def sentence(answer: Answer) -> str:
    """Return who wins and how soon, in one or two sentences."""
    if answer.position.is_terminal:
        return f"The game is over: {_result(answer.outcome)}."
    if answer.outcome == "draw":
        if not answer.position.board.lines:
            return "Draw. The board has no line that anybody could complete."
        return "Draw. With best play the game fills the board."
    if answer.remoteness is None:
        return f"{answer.outcome} wins with best play."
    plies = "1 ply" if answer.remoteness == 1 else f"{answer.remoteness} plies"
    return f"{answer.outcome} wins with best play, in {plies}."


def _result(outcome: Outcome) -> str:
    return "it is a draw" if outcome == "draw" else f"{outcome} won"


def print_answer(answer: Answer, form: str, *, line: bool) -> None:
    """Print the answer as a table for people, JSON or Markdown."""
    if form == "json":
        print(json.dumps(as_record(answer)))
    elif form == "markdown":
        print(_markdown(answer))
    else:
        _print_for_people(answer, line=line)


def _print_for_people(answer: Answer, *, line: bool) -> None:
    board = answer.position.board
    print(wrapped(f"{board}: {sentence(answer)}"))
    print()
    print(drawn(answer.position))
    if not answer.position.is_terminal:
        print(f"\n{answer.to_move} to move{'; decided already' if answer.decided else ''}.")
        for group in grouped_moves(answer):
            print(wrapped(group, "  "))
        if line or answer.line is not None:
            print(wrapped(f"One line of best play: {_line(answer)}", "  "))
        print()
        print(wrapped(f"How we know: {_how(answer)}."))
        print(
            f"Next: noughts solve {board} {'--by-ply' if board.cells <= BY_PLY_CELLS else '--line'};  "
            f"noughts count {board}"
        )


def drawn(position: Position) -> str:
    """Return the position as a drawing of characters."""
    from noughts.drawing.text import board_text

    shape = position.board.shape or (1, position.board.cells, 1)
    marks = "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))
    return board_text(shape, marks, names=True)


def grouped_moves(answer: Answer) -> list[str]:
    """Return a sentence for each value: the moves that have it, best first, with the plies that follow."""
    found = []
    for value, word in _GROUPS.items():
        moves = [move for move in answer.moves if move.value == value]
        if moves:
            listed = ", ".join(_shown(answer.position.board, move) for move in moves)
            what = "move" if len(moves) == 1 else "moves"
            found.append(f"{len(moves)} {word} {what}: {listed}" if value else f"{len(moves)} {what} {word}: {listed}")
    return found


def _shown(board: Board, move: MoveValue) -> str:
    name = cell_name(board, move.cell)
    if move.remoteness is None or move.value == "draw":
        return name
    return f"{name} ({'ends the game' if move.remoteness == 0 else f'{move.remoteness} more'})"


def _line(answer: Answer) -> str:
    if answer.line is None:
        return "not found within the budget of nodes"
    return " ".join(cell_name(answer.position.board, cell) for cell in answer.line)


def _how(answer: Answer) -> str:
    nodes = "" if answer.nodes is None else f"; {answer.nodes:,} positions searched for the value"
    return f"{answer.proof}{nodes}"


def _markdown(answer: Answer) -> str:
    rows = [
        [
            cell_name(answer.position.board, move.cell),
            move.value or "-",
            "-" if move.remoteness is None else str(move.remoteness),
            "best" if move.best else "",
        ]
        for move in answer.moves
    ]
    table = Table(["move", "value", "plies after it", ""], rows, frozenset({0, 1, 3}))
    head = f"**{answer.position.board}** `{format_position(answer.position)}`: {sentence(answer)}"
    parts = [head, as_markdown(table)] if rows else [head]
    if answer.line is not None and rows:
        parts.append(f"One line of best play: {_line(answer)}")
    return "\n\n".join(parts)


def print_plies(board: Board, plies: Sequence[PlyValues], same: str, form: str) -> None:
    """Print how the values of all positions are distributed, ply by ply."""
    splits: list[tuple[int, Split]] = [(row.ply, row.labelled if same == "labelled" else row.symmetry) for row in plies]
    if form == "json":
        rows = [
            {"ply": ply, "x_wins": str(split.x_wins), "draws": str(split.draws), "o_wins": str(split.o_wins)}
            for ply, split in splits
        ]
        print(json.dumps({"board": board.spec, "same": same, "engine": "retrograde", "plies": rows}))
        return
    total = sum((split for _, split in splits), Split(0, 0, 0))
    named = [*((str(ply), split) for ply, split in splits), ("all", total)]
    cells = [[name, *map(grouped, (s.x_wins, s.draws, s.o_wins, s.total))] for name, s in named]
    table = Table(["ply", "X wins", "draws", "O wins", "positions"], cells)
    if form == "markdown":
        print(as_markdown(table))
        return
    what = "positions" if same == "labelled" else f"position classes ({board.group('board').order} symmetries)"
    start = splits[0][1]
    outcome = "X wins" if start.x_wins else "O wins" if start.o_wins else "a draw"
    print(wrapped(f"{board}: {outcome} with best play. All {what} by outcome under best play, finished ones included."))
    print()
    show(table)
    print()
    print("How we know: a backward pass over every position, each valued once from its successors.")
    print(f"Next: noughts solve {board};  noughts count {board}")
