"""What can be done blind, as one function call."""

from __future__ import annotations

from collections.abc import Iterable

from noughts.blindfold.answer import PARTS, BlindAnswer
from noughts.blindfold.game.rules import GOALS, BlindRules, Goal
from noughts.blindfold.inquiry import Inquiry
from noughts.domain.arguments import flag, text_of, wrong_type
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import parse_cell
from noughts.domain.errors import InvalidQuestion, shown
from noughts.domain.spelling import offered

__all__ = ["solve_blindfold"]


def solve_blindfold(
    board: Board | str = "3x3",
    rules: BlindRules | None = None,
    goal: Goal = "never-lose",
    *,
    first: Cell | str | None = None,
    opening: Cell | str | None = None,
    never_lose_too: bool = False,
    parts: Iterable[str] = (),
) -> BlindAnswer:
    """Return what a blind player can do: guarantees, their strategies, and on request chances and values.

    Parts that are quick on the board are always there; `parts` names those wanted whatever they cost. `first` fixes
    the first call of the strategy shown, `opening` X's opening where O is told of it; `never_lose_too` keeps a
    `win-often` strategy to safe calls. Raises InvalidQuestion, and BudgetError where a part asked for is too large.

    >>> answer = solve_blindfold("3x3")
    >>> answer.never_lose, answer.information_sets["safe"], answer.win_probability["never_lose"][4]
    (True, 1716, Fraction(181, 192))
    """
    from noughts.blindfold.both import both_blind

    board, rules = Board.parse(board), BlindRules() if rules is None else rules
    if not isinstance(rules, BlindRules):
        raise wrong_type("the rules", rules, "BlindRules")
    flag("never_lose_too", never_lose_too)
    first, opening = (None if cell is None else parse_cell(board, cell) for cell in (first, opening))
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        raise wrong_type("the parts", parts, f"a list of words out of {', '.join(PARTS)}")
    wanted = set(parts)
    for part in wanted - set(PARTS):
        raise InvalidQuestion(f"there is no part {shown(part)}: choose from {offered(part, (*PARTS, 'all'))}")
    if text_of("the goal", goal) not in GOALS:
        raise InvalidQuestion(f"the goal {shown(goal)} is unknown: choose from {offered(goal, GOALS)}")
    if opening is not None and not rules.opening_told:
        raise InvalidQuestion("an opening can be given only where O is told of it: add --blind O --opening-told")
    if first is not None and first == opening:
        raise InvalidQuestion("the first call cannot be the cell of X's opening, which O is told of")
    if rules.blind == "both":
        return both_blind(board, rules, wanted)
    inquiry = Inquiry(board, rules, goal, wanted, first=first, opening=opening, never_lose_too=never_lose_too)
    return inquiry.answer()
