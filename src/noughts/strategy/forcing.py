"""Who can force a drawn pattern, and how: the strategy of whoever can force it, else of whoever can prevent it.

A player *forces* patterns when they can make sure, however the other plays, that the game ends in one of them or in
their own win. Where they cannot, the other can make sure that it ends otherwise: the game is finite, so one of the two
has a strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from noughts.domain.arguments import function_or_none, one_of, whole_number, wrong_type
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.extent import LISTED_CLASSES, require_listed
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Player, Position, opponent
from noughts.domain.spelling import nearby
from noughts.machine.progress import Progress, silent
from noughts.strategy.explain import unfinished
from noughts.strategy.guarantee import Goal, Guarantee, guarantee
from noughts.strategy.patterns import drawn_classes

__all__ = ["force"]

_WIN, _SERVES, _FAILS = Fraction(2), Fraction(1), Fraction(0)


def force(
    board: Board | str,
    start: Position | str | None = None,
    *,
    pattern: str | Sequence[str] = "draw",
    player: str | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Guarantee:
    """Return the strategy with which a player forces one of some drawn patterns, or wins, from a position.

    `pattern` is a name that `patterns` gives, several with commas or as a list, or `draw` for all. Where `player`
    cannot, the strategy is the other's, who prevents it. With no player it is that of whoever can force it, X first;
    where neither can, that of O, who prevents X. Raises InputError for a pattern that the board does not have, and
    BudgetError where there may be more than `limit` position classes.

    >>> force("3x3", pattern="Arrow").player, force("3x3", "b2", pattern="Arrow", player="X").player
    ('X', 'O')
    """
    at = unfinished(board, start)
    whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    if player is not None:
        one_of("the player", player, ("X", "O"))
    require_listed(at, "forcing a pattern", limit, has_option=True)
    drawn = drawn_classes(at.board)
    wanted = _wanted(pattern, tuple(p.name for p in drawn), at.board)
    names = {(p.position.x, p.position.o): p.name for p in drawn}
    endings = ["X", "O", *(p.name for p in drawn)]

    def ask(asked: Player, owner: Player) -> Guarantee:
        serves: dict[str, Fraction] = {owner: _WIN, opponent(owner): _FAILS}
        worth = {e: serves.get(e, _SERVES if (e in wanted) == (asked == owner) else _FAILS) for e in endings}
        return guarantee(at, Goal(asked, owner, wanted, FrozenDict(worth), player is None), names, progress or silent)

    asked: list[Player] = ["X", "O"] if player is None else ["X" if player == "X" else "O"]
    for one in asked:
        found = ask(one, one)
        if found.value >= _SERVES:
            return found
    return ask(asked[0], opponent(asked[0]))


def _wanted(given: object, names: tuple[str, ...], board: Board) -> tuple[str, ...]:
    """Return the names of patterns that were asked for, in the order of the board."""
    if not isinstance(given, str | list | tuple) or not all(isinstance(each, str) for each in given):
        raise wrong_type("a pattern", given, "the name of a drawn pattern, or a list of names")
    asked = [each.strip().lower() for each in (given.split(",") if isinstance(given, str) else given)]
    if not names:
        raise InputError(f"no game on {board} is drawn on the full board, so there is no pattern to force")
    known = {name.lower(): name for name in names}
    for each in asked:
        if each not in known and each != "draw":
            some = names if len(names) <= 6 else [*names[:3], "...", names[-1]]
            raise InputError(
                f"{board} has no drawn pattern {shown(each)}: choose {', '.join(some)}, or draw for all"
                f"{nearby(each, names)}"
            )
    return names if "draw" in asked else tuple(name for name in names if name.lower() in asked)
