"""Known values of empty boards, under every order of their sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from math import prod
from typing import Any

from noughts.known import boards, falling, load, openings, ruled
from noughts.machine.budget import format_duration
from noughts.rules.board import Board, format_specification, parse_specification
from noughts.rules.cells import parse_cell
from noughts.rules.marks import Mask, Outcome
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation, coordinates, index
from noughts.solving.solution import Evaluation
from noughts.solving.values import Split


def turned_boards(board: Board) -> Iterator[tuple[str, Permutation]]:
    """Yield each specification of a board with its sides in another order, its own first.

    With it comes the permutation from the cells of this board to those of the other. It maps lines to lines. Yields
    nothing for a board given by its lines, and only its own under rules such as gravity that know up from left.
    """
    given, shape = board.specification, board.shape
    if given is None or shape is None:
        return
    seen = set()
    for order in permutations(range(3)) if board.rules.is_marking else [(0, 1, 2)]:
        rows, columns, layers = (shape[axis] for axis in order)
        sides = (rows, columns, layers)[: len(given.sides)]
        spec = format_specification(replace(given, sides=sides))
        if spec in seen or (len(given.sides) == 2 and layers > 1):
            continue
        seen.add(spec)
        places = (coordinates(shape, cell) for cell in range(board.cells))
        yield spec, tuple(index((rows, columns, layers), tuple(place[axis] for axis in order)) for place in places)


# The known value of an empty board: first found here, published, or open.

LONG = 10.0
"""Seconds that finding a value took; from here on it is shown before it is found again."""
_WORDS = {"X": "won by X", "O": "won by O", "draw": "a draw"}


def known_value(start: Position | None) -> str | None:
    """Return a sentence on the value of an empty board, or of the board turned, from the known values.

    None for an unknown board and for every other position. Cost: milliseconds.
    """
    row = _row(start)
    if start is None or row is None:
        return None
    board, won = _named(start.board, row), start.board.rules.named(_WORDS.get(row["value"], ""))
    if row["value"] == "open":
        return f"who wins {board} is open: {row['remark']}"
    if "engine" not in row:
        files = ("boards.toml", "gravity.toml", "rules.toml")
        sources: dict[str, str] = {key: words for name in files for key, words in load(name)["sources"].items()}
        return f"{board} is published as {won}, and not proved here: {sources[row['source']]}"
    took = f" in {format_duration(row['seconds'])}" if row["seconds"] else ""
    return f"{board} is known to be {won}, which the engine {row['engine']} found{took}"


def known_outcome(start: Position) -> Outcome | None:
    """Return who wins an empty board with best play, from the known values; None for every other position."""
    row = _row(start)
    value: Outcome | None = None if row is None or row["value"] == "open" else row["value"]
    return value


def and_known(start: Position | None) -> str:
    """Return the end of a refusal: the known value of an empty board, if there is one."""
    known = known_value(start)
    return "" if known is None else f"; {known}"


def known_before(start: Position | None) -> str | None:
    """Return the known value of an empty board that no engine here finds within LONG seconds; else None."""
    row = _row(start)
    return known_value(start) if row is not None and row.get("seconds", LONG) >= LONG else None


def carried_falling(board: Board) -> dict[tuple[Mask, Mask], Evaluation]:
    """Return values under gravity by canonical position: what a search found in LONG seconds or more, and first moves.

    A first move that was only published has no plies, and the proof of the empty board names it.
    """
    rows = [row for row in falling() if row["board"] == board.spec]
    if not any(row.get("seconds", 0) >= LONG for row in rows):
        return {}
    found, canonical, sources = (
        dict[tuple[Mask, Mask], Evaluation](),
        board.group().canonical,
        load("gravity.toml")["sources"],
    )
    for row in rows:
        x = 1 << parse_cell(board, row["after"]) if "after" in row else 0
        if "engine" in row:
            took, plies = format_duration(row["seconds"]), row["plies"] - x.bit_count()
            how = f"the engine {row['engine']} found this in {took}; it searches again where it is named"
        else:
            how, plies = f"published, not found here: {sources[row['source']]}", None
        found[canonical(x, 0)] = Evaluation(row["value"], plies, how)
    others = [row for row in rows if "engine" not in row]
    if others:
        cells = ", ".join(row["after"] for row in others)
        whole = found[0, 0]
        how = f"{whole.proof}. The values of {cells} are published: {sources[others[0]['source']]}"
        found[0, 0] = replace(whole, proof=how)
    return found


def carried_openings(board: Board) -> dict[tuple[Mask, Mask], Evaluation | None]:
    """Return values after one and two marks by canonical position, where a long search looked for them.

    None stands for a value that the search did not find. Empty for all other boards. Cost: milliseconds.
    """
    rows = {row["board"]: row for row in openings()}
    canonical, found = board.group("board").canonical, dict[tuple[Mask, Mask], Evaluation | None]()
    for spec, turn in turned_boards(board):
        row = rows.get(spec, {"after": {}, "seconds": 0.0})
        named = Board.parse(spec) if spec in rows else board
        took = f"which took {format_duration(row['seconds'])} for all first moves and replies"
        for first, answers in row["after"].items():
            x = 1 << turn.index(parse_cell(named, first))
            values = [("", answers["value"])]
            values += [
                (reply, value) for value in ("X", "O", "draw", "open") for reply in answers.get(value, "").split()
            ]
            for reply, value in values:
                o = 1 << turn.index(parse_cell(named, reply)) if reply else 0
                left = board.cells - (x | o).bit_count() if value == "draw" else None
                why = f"{value if value == 'draw' else f'{value} wins'}: found before by the engine search, {took}"
                found[canonical(x, o)] = None if value == "open" else Evaluation(value, left, why)
    return found


def _row(start: Position | None) -> dict[str, Any] | None:
    """Return the row of an empty board, or of the board turned, in the file; under gravity also after one mark."""
    if start is None or start.ply > start.board.rules.by_column:
        return None
    if start.board.rules.by_column:
        return next((row for row in falling() if _is_about(row, start)), None)
    if not start.board.rules.alternating:
        listed = (row for row in ruled() if "engine" in row or "seconds" not in row)
        return next((row for row in listed if Board.parse(row["board"]) == start.board), None)
    rows = {row["board"]: row for row in boards()}
    board, largest = start.board, max(prod(parse_specification(spec).sides) for spec in rows)
    twins = (spec for spec, _ in turned_boards(board)) if board.cells <= largest else ()
    return next((rows[spec] for spec in twins if spec in rows), None)


def _is_about(row: dict[str, Any], start: Position) -> bool:
    """Tell whether a row of boards with gravity is about a position, or about its mirror image."""
    if row["board"] != start.board.spec or ("after" in row) != bool(start.ply):
        return False
    canonical = start.board.group().canonical
    return not start.ply or canonical(1 << parse_cell(start.board, row["after"]), 0) == canonical(start.x, start.o)


def _named(board: Board, row: dict[str, Any]) -> str:
    """Return the name of a board, with that of the turned board of the row, or with the first mark."""
    if "after" in row:
        return f"{board} after a mark in {row['after']}"
    return board.spec if board.spec == row["board"] else f"{board}, which is {row['board']} turned,"


def carried_values(board: Board) -> tuple[tuple[tuple[int, Split], ...], str] | None:
    """Return the position classes of each ply by outcome, where the package carries them, and how they were computed.

    None for all other boards. `noughts solve BOARD --by-ply --same symmetry --engine retrograde` computes them again.
    """
    for table in load("values.toml")["table"]:
        if table["board"] == board.spec:
            return tuple((ply, Split(*counts)) for ply, *counts in table["rows"]), table["source"].partition(";")[0]
    return None
