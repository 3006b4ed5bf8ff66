"""Which moves a rule that looks at values chooses among: by value, by plies, by traps set, by value given away."""

from __future__ import annotations

from fractions import Fraction

from noughts.domain.bits import Mask, cells_of, mask_of
from noughts.domain.errors import BudgetError
from noughts.domain.position import Position
from noughts.domain.rules import MoveRule, allowed_cells
from noughts.solving.solution import Solution
from noughts.solving.values import VALUE_OF_OUTCOME

__all__ = ["perfect_moves", "quickest_moves", "trapping_moves", "worse_moves"]


def perfect_moves(position: Position, solution: Solution) -> Mask:
    """Return the moves that keep the best value of an unfinished position, by value alone."""
    gains = _gains(position, solution)
    best = max(gains.values())
    return mask_of(cell for cell, gain in gains.items() if gain == best)


def worse_moves(position: Position, solution: Solution) -> Mask:
    """Return the moves after which the mover has less than before; none where every move keeps the value."""
    return position.blanks & ~perfect_moves(position, solution)


def quickest_moves(position: Position, among: Mask, solution: Solution) -> Mask:
    """Return of moves that keep the value those that win soonest or lose latest; all where they draw."""
    children = {cell: position.play(cell) for cell in cells_of(among)}
    outcomes = {solution.outcome(child) for child in children.values()}
    if outcomes == {"draw"}:
        return among
    far = {cell: solution.remoteness(child) for cell, child in children.items()}
    known = {cell: plies for cell, plies in far.items() if plies is not None}
    if len(known) < len(far):
        raise BudgetError(
            f"the policy quickest needs the plies to the end, which are not known for {position.board}: play perfect"
        )
    best = (min if position.to_move in outcomes else max)(known.values())
    return mask_of(cell for cell, plies in known.items() if plies == best)


def trapping_moves(position: Position, among: Mask, solution: Solution, rule: MoveRule) -> Mask:
    """Return of equally good moves those after which an opponent who plays by `rule` most probably gives value away."""
    chances = {cell: _chance_of_error(position.play(cell), solution, rule) for cell in cells_of(among)}
    best = max(chances.values())
    return mask_of(cell for cell, chance in chances.items() if chance == best)


def _gains(position: Position, solution: Solution) -> dict[int, int]:
    sign = 1 if position.to_move == "X" else -1
    return {cell: sign * _value(position.play(cell), solution) for cell in cells_of(position.blanks)}


def _chance_of_error(position: Position, solution: Solution, rule: MoveRule) -> Fraction:
    if position.is_terminal:
        return Fraction(0)
    replies = list(cells_of(allowed_cells(position.board, position.x, position.o, rule)))
    before = _value(position, solution)
    return Fraction(sum(_value(position.play(cell), solution) != before for cell in replies), len(replies))


def _value(position: Position, solution: Solution) -> int:
    return VALUE_OF_OUTCOME[solution.outcome(position)]
