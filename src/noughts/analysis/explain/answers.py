"""Losing answers: of moves with one value, those after which the most answers of the other player lose."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from noughts.analysis.explain.facts import ValuedMove, forced_cells, move_classes
from noughts.analysis.explain.wording import spots
from noughts.rules.errors import BudgetError
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Outcome
from noughts.rules.position import Position
from noughts.solving.solution import Solution


def losing_answers(solution: Solution, after: Position, outcome: Outcome | None) -> tuple[int, int] | None:
    """Return how many answers to a drawing move lose, and how many there are, both up to symmetry.

    Of the answers to a threat only blocks count, as everybody sees the others lose: the rule `block`, but under misere.
    None for moves that do not draw or end the game, for values that are not found, and on large boards.
    """
    if outcome != "draw" or after.is_terminal or class_bound(after) > QUICK_CLASSES:
        return None
    with suppress(BudgetError):
        allowed = _answers(after)
        ends = [solution.outcome(after.play(cell)) for cell, cells in move_classes(after) if cells & allowed]
        return sum(end not in ("draw", after.to_move) for end in ends), len(ends)
    return None


def _answers(after: Position) -> int:
    """Return the cells of the answers that count: only blocks of a threat."""
    return forced_cells(after) if after.board.rules.has_threats else after.playable


def most_losing(moves: Iterable[ValuedMove]) -> list[ValuedMove]:
    """Return the drawing moves after which the most answers lose; empty where all are alike."""
    drawing = [move for move in moves if move.outcome == "draw"]
    losing = [move.losing_answers[0] for move in drawing if move.losing_answers is not None]
    if len(losing) < len(drawing) or len(set(losing)) < 2:
        return []
    return [move for move, lost in zip(drawing, losing, strict=True) if lost == max(losing)]


def most_losing_answers(moves: Iterable[ValuedMove]) -> str:
    """Return after which moves the most answers lose: `After a1 the most answers lose: 3 of X's 7.`; else nothing.

    The answers are counted up to symmetry, which is said where more than one cell stands for an answer.
    """
    best = most_losing(moves)
    if not best or best[0].losing_answers is None:
        return ""
    at, (lost, answers) = best[0].position, best[0].losing_answers
    cells = [cell for move in best for cell in move.cells]
    many = f" {answers}" * (len({move.losing_answers for move in best}) == 1) + " after each" * (len(cells) > 1)
    alike = any(answers < _answers(move.position).bit_count() for move in best)
    many += ("," if len(cells) > 1 else "") + " up to symmetry" if alike else ""
    start = Position(at.board, *(side & ~(1 << best[0].cell.cell) for side in (at.x, at.o)))
    names = spots(start, cells, "or")
    return f"After {names} the most answers lose: {lost} of {at.board.rules.name_of(at.to_move)}'s{many}."
