"""How many position classes a question can reach at most, by the number of ways to place the marks of each ply."""

from __future__ import annotations

from noughts.counting.question import Question
from noughts.domain import extent
from noughts.domain.rules import VALUE_RULES
from noughts.domain.symmetry import ELEMENT_LIMIT, Group

__all__ = ["keeping_group", "layer_bounds", "needs_values"]


def keeping_group(question: Question) -> Group:
    """Return the group under whose orbits paths from the start are counted: its part that keeps the start's marks.

    Labelled counts may use any group; they take all permutations that keep the lines, where these are few enough.
    Raises BudgetError where the question is up to a group too large to list.
    """
    start = question.position()
    return _whole_group(question).stabiliser(start.x, start.o)


def _whole_group(question: Question) -> Group:
    if question.same != "labelled":
        return question.group
    lines = question.board.group("lines")
    return lines if lines.order <= ELEMENT_LIMIT else question.board.group()


def layer_bounds(question: Question, *, to_end: bool, order: int | None = None) -> list[int]:
    """Return the bound on each layer of a question, as `extent.layer_bounds` has it.

    The group is that of `keeping_group` unless another `order` is given. Up to the last ply asked for, or to the full
    board with `to_end`.
    """
    last = question.board.cells if to_end else question.last_ply
    return extent.layer_bounds(question.position(), order or keeping_group(question).order, last)


def needs_values(question: Question) -> bool:
    """Tell whether a rule of the question looks ahead to the end of the game."""
    return question.end == "decided" or not {question.x_moves, question.o_moves}.isdisjoint(VALUE_RULES)
