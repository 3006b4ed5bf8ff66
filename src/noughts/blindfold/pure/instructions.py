"""A strategy in words that can be printed and followed: "Call b2. If b2 is taken, call a1 instead."."""

from __future__ import annotations

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.spelling import names
from noughts.domain.bits import Mask
from noughts.domain.cells import cell_name

__all__ = ["instructions"]

_STEP = "   "


def instructions(strategy: Strategy) -> list[str]:
    """Return the lines to follow: calls one below the other, and further in what to do when a call is taken."""
    if strategy.rules.told == "nothing":
        return [_list(strategy, answer, plan) for answer, plan in strategy.branches.items()]
    writer = _Writer(strategy)
    for answer, plan in strategy.branches.items():
        opened = f"If X opens at {names(strategy.board, answer.told)}, call" if answer.told else "Call"
        if answer.told:
            writer.lines.append("")
        writer.write(plan, opened, 0, 0, 0 if strategy.rules.blind == "X" else 1)
    return [line for i, line in enumerate(writer.lines) if line or i]


def _list(strategy: Strategy, answer: Answer, plan: Plan) -> str:
    cells = [plan.call]
    while plan.branches:
        (plan,) = plan.branches.values()
        cells.append(plan.call)
    opened = f"If X opens at {names(strategy.board, answer.told)}, call" if answer.told else "Call"
    return f"{opened}, in this order, {', '.join(cell_name(strategy.board, cell) for cell in cells)}."


class _Writer:
    def __init__(self, strategy: Strategy) -> None:
        self.board, self.rules = strategy.board, strategy.rules
        self.lines: list[str] = []

    def write(self, plan: Plan, opening_words: str, depth: int, own: Mask, hidden: int) -> None:
        """Write a place and all that follows; `own` are the player's marks, `hidden` the number of the opponent's."""
        name, marks = cell_name(self.board, plan.call), own | 1 << plan.call
        self.lines.append(f"{_STEP * depth}{opening_words} {name}.{self._ending(plan, marks, hidden)}")
        for answer, below in plan.branches.items():
            if answer.kind == "taken":
                after = hidden + self.rules.loses_turn
                self.write(below, self._taken(name, answer), depth + 1, own, after)
        free = plan.branches.get(Answer("free"))
        if free is not None:
            self.write(free, "Next, call", depth, marks, hidden + 1)

    def _taken(self, name: str, answer: Answer) -> str:
        told = names(self.board, answer.told)
        more = {"collision": "", "last-move": f" and the last move was {told}", "all": f" and the marks are {told}"}
        call = "next call" if self.rules.loses_turn else "call"
        return f"If {name} is taken{more[self.rules.told]}, {call}"

    def _ending(self, plan: Plan, marks: Mask, hidden: int) -> str:
        if Answer("free") in plan.branches:
            return ""
        sure = not any(answer.kind == "taken" for answer in plan.branches)
        if self.board.has_line(marks):
            return (" It wins." if sure else " If it is free, it wins.") if not self.board.misere else " It loses."
        if marks.bit_count() + hidden == self.board.cells:
            return " The board is full: a draw." if sure else " If it is free, the board is full: a draw."
        return " Then the game is over." if sure else ""
