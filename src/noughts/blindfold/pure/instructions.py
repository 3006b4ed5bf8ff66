"""A strategy in words that can be printed and followed: "Call b2. If b2 is taken, call a1 instead."."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.blindfold.game.calls import Answer, Call
from noughts.blindfold.game.merged import Knowledge, MergedGame
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.spelling import names
from noughts.domain.cells import cell_name

__all__ = ["how_to_read", "instructions"]

_STEP = "   "


def instructions(strategy: Strategy) -> list[str]:
    """Return the lines to follow: calls one below the other, and further in what to do when a call is taken.

    Each call says how the game can be over before the next one, a win or a loss by the reply included.
    """
    if strategy.rules.told == "nothing":
        return [_list(strategy, answer, plan) for answer, plan in strategy.branches.items()]
    writer = _Writer(strategy)
    starts = dict(writer.game.start().branches)
    for answer, plan in strategy.branches.items():
        opened = f"If X opens at {names(strategy.board, answer.told)}, call" if answer.told else "Call"
        if answer.told:
            writer.lines.append("")
        writer.write(plan, opened, 0, starts[answer])
    return [line for i, line in enumerate(writer.lines) if line or i]


def how_to_read(lines: Sequence[str]) -> str:
    """Return what it means that lines of a strategy stand further in, in a sentence; nothing where none do."""
    if not any(line.startswith(" ") for line in lines):
        return ""
    return "If a cell is taken, go on with the lines set further in below it; if it is free, skip them."


def _list(strategy: Strategy, answer: Answer, plan: Plan) -> str:
    cells = [plan.call]
    while plan.branches:
        (plan,) = plan.branches.values()
        cells.append(plan.call)
    opened = f"If X opens at {names(strategy.board, answer.told)}, call" if answer.told else "Call"
    return f"{opened}, in this order, {', '.join(cell_name(strategy.board, cell) for cell in cells)}."


class _Writer:
    """Writes place by place, with what the player knows there: what can happen is what the rules leave possible."""

    def __init__(self, strategy: Strategy) -> None:
        self.board, self.rules = strategy.board, strategy.rules
        self.game = MergedGame(strategy.board, strategy.rules)
        self.mine, self.theirs = self.rules.blind, self.rules.opponent
        self.lines: list[str] = []

    def write(self, plan: Plan, opening_words: str, depth: int, state: Knowledge) -> None:
        """Write a place and all that follows."""
        name = cell_name(self.board, plan.call)
        free, taken = self.game.parts(state, plan.call)
        self.lines.append(f"{_STEP * depth}{opening_words} {name}.{self._endings(plan, state, free, taken)}")
        after = {**dict(free.branches), **dict(taken.branches)}
        for answer, below in plan.branches.items():
            if answer.kind == "taken" and answer in after:
                self.write(below, self._taken(name, answer), depth + 1, after[answer])
        going_on = Answer("free")
        if going_on in plan.branches and going_on in after:
            self.write(plan.branches[going_on], "Next, call", depth, after[going_on])

    def _taken(self, name: str, answer: Answer) -> str:
        told = names(self.board, answer.told)
        more = {"collision": "", "last-move": f" and the last move was {told}", "all": f" and the marks are {told}"}
        call = "next call" if self.rules.loses_turn else "call"
        return f"If {name} is taken{more[self.rules.told]}, {call}"

    def _endings(self, plan: Plan, state: Knowledge, free: Call[Knowledge], taken: Call[Knowledge]) -> str:
        """Say how the game can be over before the next call, and what the rules leave no choice about."""
        if not _is_possible(free):
            return f" {self._surely_taken(state)}{self._reply(taken, 'Then')}"
        when = "If it is free," if _is_possible(taken) else ""
        own = state.own | 1 << plan.call
        if self.board.has_line(own):
            said = f"{when} {'it loses' if self.board.misere else 'it wins'}."
        elif own.bit_count() + state.hidden == self.board.cells:
            said = f"{when} the board is full: a draw."
        else:
            said = self._reply(free, when)
        return _sentences(said) + self._reply(taken, "If it is taken,")

    def _surely_taken(self, state: Knowledge) -> str:
        """Say that the cell must be taken: all that are left are, or the opponent would have a line by now."""
        left = self.board.cells - (state.own | state.known).bit_count()
        if state.hidden - state.known.bit_count() == left:
            return "It is taken for sure."
        done = "lost" if self.board.misere else "won"
        return f"If play goes on, it is taken: were it free, {self.theirs} would have {done}."

    def _reply(self, part: Call[Knowledge], when: str) -> str:
        """Say how the reply can end the game; nothing where it cannot."""
        lined = part.wins if self.board.misere else part.loses
        winner = self.mine if self.board.misere else self.theirs
        if part.branches:
            may = "lose" if self.board.misere else "win"
            return _sentences(f"{when} {self.theirs} may {may} with the reply.") if lined else ""
        if lined and part.draws:
            return _sentences(f"{when} the reply ends the game: a draw, or {winner} wins.")
        if lined:
            return _sentences(f"{when} every reply ends the game: {winner} wins.")
        if part.draws:
            return _sentences(f"{when} the reply fills the board: a draw.")
        return ""


def _is_possible(part: Call[Knowledge]) -> bool:
    return part.wins or part.draws or part.loses or bool(part.branches)


def _sentences(text: str) -> str:
    """Return a sentence with one blank before it and a capital at its start; nothing for nothing."""
    words = text.strip()
    return f" {words[0].upper()}{words[1:]}" if words else ""
