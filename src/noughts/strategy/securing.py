"""What a player can make sure of when endings bring points, and how: the strategy behind `payoff`."""

from __future__ import annotations

from noughts.domain.arguments import function_or_none, one_of, whole_number
from noughts.domain.board import Board
from noughts.domain.extent import LISTED_CLASSES, require_listed
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Player, Position
from noughts.machine.progress import Progress, silent
from noughts.strategy.explain import unfinished
from noughts.strategy.guarantee import Goal, Guarantee, guarantee
from noughts.strategy.patterns import drawn_classes
from noughts.strategy.schemes import PointsLike, scheme_of

__all__ = ["secure"]


def secure(
    board: Board | str,
    start: Position | str | None = None,
    *,
    player: str = "X",
    points: PointsLike | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Guarantee:
    """Return the strategy with which a player makes sure of the best difference of points, from a position.

    `value` of the result is that difference: the player's points less the other's. `points` are as for `payoff`. Raises
    InputError as that does, and BudgetError where there may be more than `limit` position classes.

    >>> secure("3x3", player="X").value, secure("3x3", player="O").value
    (Fraction(1, 1), Fraction(-1, 1))
    """
    at = unfinished(board, start)
    whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    one_of("the player", player, ("X", "O"))
    require_listed(at, "playing for points", limit, has_option=True)
    drawn = drawn_classes(at.board)
    owner: Player = "X" if player == "X" else "O"
    sign = 1 if owner == "X" else -1
    worth = {ending: sign * (x - o) for ending, (x, o) in scheme_of(drawn, points).items()}
    names = {(p.position.x, p.position.o): p.name for p in drawn}
    return guarantee(at, Goal(owner, owner, (), FrozenDict(worth)), names, progress or silent)
