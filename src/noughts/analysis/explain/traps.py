"""The traps that moves set: of moves with one value, those after which most answers of the other player lose."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from noughts.analysis.explain.facts import ValuedMove, forced_cells, move_classes, named_cells
from noughts.rules.errors import BudgetError
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Outcome
from noughts.rules.position import Position
from noughts.solving.solution import Solution


def traps_after(solution: Solution, after: Position, outcome: Outcome | None) -> tuple[int, int] | None:
    """Return how many answers to a drawing move lose, and how many there are, both up to symmetry.

    Of the answers to a threat only blocks count, as everybody sees the others lose: the rule `block`, but under misere.
    None for moves that do not draw or end the game, for values that are not found, and on large boards.
    """
    if outcome != "draw" or after.is_terminal or class_bound(after) > QUICK_CLASSES:
        return None
    with suppress(BudgetError):
        allowed = after.blanks if after.board.misere else forced_cells(after)
        ends = [solution.outcome(after.play(cell)) for cell, cells in move_classes(after) if cells & allowed]
        return sum(end not in ("draw", after.to_move) for end in ends), len(ends)
    return None


def most_traps(moves: Iterable[ValuedMove]) -> list[ValuedMove]:
    """Return the drawing moves after which the most answers lose; empty where all are alike."""
    drawing = [move for move in moves if move.outcome == "draw"]
    losing = [move.traps[0] for move in drawing if move.traps is not None]
    if len(losing) < len(drawing) or len(set(losing)) < 2:
        return []
    return [move for move, lost in zip(drawing, losing, strict=True) if lost == max(losing)]


def set_most_traps(moves: Iterable[ValuedMove]) -> str:
    """Return which moves set the most traps: `a1 sets the most traps: 3 of X's 7 answers lose.`; else nothing."""
    best = most_traps(moves)
    if not best or best[0].traps is None:
        return ""
    at, (lost, answers) = best[0].position, best[0].traps
    names, loses = named_cells(at.board, [move.cell for move in best]), "loses" if lost == 1 else "lose"
    if len(best) > 1:
        many = f"{answers} answers" if len({move.traps for move in best}) == 1 else "answers"
        return f"{names} set the most traps: {lost} of {at.to_move}'s {many} {loses} after each."
    return f"{names} sets the most traps: {lost} of {at.to_move}'s {answers} answers {loses}."
