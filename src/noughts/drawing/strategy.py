"""A strategy as a tree of boards: what the player knows at each call, and what to call."""

from __future__ import annotations

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.spelling import names
from noughts.domain.bits import Mask
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture

__all__ = ["picture"]

_MOST = 2_000


def picture(strategy: Strategy) -> TreePicture:
    """Return the tree: each board shows the marks the player knows, its caption the call, its link the answer."""
    if strategy.board.shape is None:
        raise InputError(f"{strategy.board} has no shape to draw: ask for --format text")
    if strategy.places() > _MOST:
        raise InputError(f"a tree of {strategy.places():,} boards is too large to draw: ask for --format text")
    drawer = _Drawer(strategy)
    for answer, plan in strategy.branches.items():
        drawer.add(plan, 0, answer.told, None, names(strategy.board, answer.told))
    rules = strategy.rules
    title = f"Blindfold {rules.blind} on {strategy.board}: {strategy.goal.replace('-', ' ')}"
    note = "Each board shows the marks the player knows; under it is the cell to call; on the link, the answer."
    return TreePicture(strategy.board.shape, drawer.nodes, drawer.links, title, note)


class _Drawer:
    def __init__(self, strategy: Strategy) -> None:
        self.board, self.rules = strategy.board, strategy.rules
        self.mine = strategy.rules.blind
        self.nodes: list[TreeBoard] = []
        self.links: list[TreeLink] = []

    def add(self, plan: Plan, own: Mask, known: Mask, parent: int | None, label: str) -> None:
        """Add a place and all below it."""
        number = len(self.nodes)
        name = cell_name(self.board, plan.call)
        self.nodes.append(TreeBoard(number, self._marks(own, known), captions=(f"call {name}",)))
        if parent is not None:
            self.links.append(TreeLink(parent, number, label=label))
        for answer, below in plan.branches.items():
            after = self._after(answer, own, known, plan.call)
            self.add(below, *after, number, self._label(answer, name))

    def _after(self, answer: Answer, own: Mask, known: Mask, call: int) -> tuple[Mask, Mask]:
        if answer.kind == "free":
            return own | 1 << call, known
        if answer.kind == "taken":
            return own, known | 1 << call | answer.told
        return own, known

    def _label(self, answer: Answer, name: str) -> str:
        told = names(self.board, answer.told)
        return {"free": "placed", "taken": f"taken {told}".strip(), "next": f"after {name}"}.get(answer.kind, "")

    def _marks(self, own: Mask, known: Mask) -> str:
        theirs = "O" if self.mine == "X" else "X"
        return "".join(
            self.mine if own >> cell & 1 else theirs if known >> cell & 1 else "." for cell in range(self.board.cells)
        )
