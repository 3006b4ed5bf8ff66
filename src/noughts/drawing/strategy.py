"""A strategy as a tree of boards: what the player knows at each call, what to call, and how each branch ends."""

from __future__ import annotations

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.endings import Ending, endings
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.game.spelling import label, names
from noughts.domain.bits import Cell, Mask, mask_of
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture

__all__ = ["picture"]

_MOST = 2_000


def picture(strategy: Strategy) -> TreePicture:
    """Return the tree: each board shows the marks the player knows, its caption the call, its link the answer.

    Every branch ends in a board that says how: win, draw or loss for the blind player. Raises InputError where there
    is no shape to draw or the tree is too large, BudgetError where too many boards are possible.
    """
    if strategy.board.shape is None:
        raise InputError(f"{strategy.board} has no shape to draw: ask for --format text")
    if strategy.places() > _MOST:
        raise InputError(f"a tree of {strategy.places():,} boards is too large to draw: ask for --format text")
    drawer = _Drawer(strategy)
    for answer, plan in strategy.branches.items():
        drawer.add(plan, 0, answer.told, None, answer)
    rules = strategy.rules
    title = f"Blindfold {rules.blind} on {strategy.board}: {strategy.goal.replace('-', ' ')}"
    note = _note(rules) + (" Of several boards that end so, one is shown." if drawer.several else "")
    words = {"": "a call", "draw": "draw", rules.blind: "win", rules.opponent: "loss"}
    return TreePicture(
        strategy.board.shape, drawer.nodes, drawer.links, title, note, words=words, call="the cell to call", names=True
    )


def _note(rules: BlindRules) -> str:
    """Say what the boards and the words on the links mean."""
    if rules.told == "nothing":
        cost = "the turn is lost" if rules.loses_turn else "the next is called"
        return f"Calls in their order; nothing is said. Where the other player has the cell, {cost}."
    go_on = "the turn is lost" if rules.loses_turn else f"{rules.blind} calls again"
    told = {"collision": "", "last-move": ", with the last move", "all": f", with all marks of {rules.opponent}"}
    return (
        f"Each board shows what {rules.blind} knows, and the cell to call. free: {rules.blind} has it, and "
        f"{rules.opponent} moves; taken: {rules.opponent} has it{told[rules.told]}, and {go_on}."
    )


class _Drawer:
    def __init__(self, strategy: Strategy) -> None:
        self.board, self.rules = strategy.board, strategy.rules
        self.mine = strategy.rules.blind
        self.ends = endings(strategy)
        self.nodes: list[TreeBoard] = []
        self.links: list[TreeLink] = []
        self.several = False

    def add(self, plan: Plan, own: Mask, known: Mask, parent: int | None, answer: Answer) -> None:
        """Add a place, all below it, and how the game can end there."""
        number = len(self.nodes)
        opened = [f"X opens {names(self.board, answer.told)}"] if answer.kind == "opening" else []
        captions = (*opened, f"call {cell_name(self.board, plan.call)}")
        self.nodes.append(TreeBoard(number, self._marks(own, known), captions=captions, call=plan.call))
        if parent is not None:
            self.links.append(TreeLink(parent, number, label=label(self.board, answer)))
        for below in sorted(plan.branches, key=lambda each: each.kind != "free"):
            self.add(plan.branches[below], *self._after(below, own, known, plan.call), number, below)
        answers = [*plan.branches, *(end.answer for end in self.ends[id(plan)])]
        for end in self.ends[id(plan)]:
            self._end(end, *self._after(end.answer, own, known, plan.call), number, answers.count(end.answer) > 1)

    def _end(self, end: Ending, own: Mask, known: Mask, parent: int, shared: bool) -> None:
        """Add the board at which a game is over; a drawn one is full, so that it is known in whole.

        Where the other player's reply ends it, all marks of one such board are shown, with its line and the last mark.
        `shared` tells whether the answer leads elsewhere, too: then the link says how the game ends.
        """
        number = len(self.nodes)
        truth, last = end.truth, None
        if end.outcome == "draw" and self.rules.told != "nothing":
            known = self.board.full & ~own
        elif self.board.has_line(mask_of(truth.other)):
            own, known, last = mask_of(truth.own), mask_of(truth.other), truth.last
            self.several = self.several or end.boards > 1
        lines = [line for line in self.board.lines if mask_of(line) & ~own == 0 or mask_of(line) & ~known == 0]
        outcome = {"win": self.mine, "draw": "draw", "loss": self.rules.opponent}[end.outcome]
        self.nodes.append(TreeBoard(number, self._marks(own, known), outcome, (end.outcome,), last=last, lines=lines))
        how = (", a draw" if end.outcome == "draw" else f", {outcome} wins") if shared else ""
        self.links.append(TreeLink(parent, number, label=label(self.board, end.answer) + how))

    def _after(self, answer: Answer, own: Mask, known: Mask, call: Cell) -> tuple[Mask, Mask]:
        if answer.kind == "free":
            return own | 1 << call, known
        if answer.kind == "taken":
            return own, known | 1 << call | answer.told
        return own, known

    def _marks(self, own: Mask, known: Mask) -> str:
        theirs = self.rules.opponent
        return "".join(
            self.mine if own >> cell & 1 else theirs if known >> cell & 1 else "." for cell in range(self.board.cells)
        )
