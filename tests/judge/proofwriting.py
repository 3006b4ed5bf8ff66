"""Sections of certificates written by brute force, for the judge to accept: no pairs, no sequences of threats.

Lines, values and classes come from `tests.naive`; nothing is shared with the judge or with the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from tests import naive

Family = frozenset[frozenset[int]]


def live(game: naive.Game, position: str) -> str:
    """The position with `#` for what is on no line that one player may still complete."""
    kept = set().union(*(line for line in game.lines if len({position[c] for c in line} - {"."}) < 2))
    return "".join(mark if cell in kept else "#" for cell, mark in enumerate(position))


def best(game: naive.Game, position: str, player: str, least: int) -> int:
    """A move with which a player, to move, still gets so much (1 a win, 0 a draw)."""
    for cell in naive.blanks(position):
        if ranks(game, naive.play(position, cell), player, least):
            return cell
    raise AssertionError(f"{player} does not get {least} in {position}")


def ranks(game: naive.Game, position: str, player: str, least: int) -> bool:
    """Whether a player gets so much."""
    worth = naive.value(game, position)
    return (worth if player == "X" else -worth) >= least


def tree(
    game: naive.Game,
    start: str,
    player: str,
    least: int,
    replies: Callable[[str], Iterable[int]],
    key: Callable[[str], str],
) -> list[str]:
    """Lines in preorder: a move in each position with the player to move, below it what follows each reply."""
    said: list[str] = []
    above: set[str] = set()

    def write(position: str) -> None:
        above.add(key(position))
        move = best(game, position, player, least)
        said.append(str(move))
        answered(naive.play(position, move))

    def answered(position: str) -> None:
        if naive.line_outcome(game, position) is None:
            for reply in replies(position):
                after = naive.play(position, reply)
                if naive.line_outcome(game, after) is None and key(after) not in above:
                    write(after)

    if naive.mover(start) == player:
        write(start)
    else:
        said.append("-")
        answered(start)
    return said


def winning(game: naive.Game, start: str, player: str, group: Iterable[naive.Permutation]) -> list[str]:
    """A section `win`."""
    turns = tuple(group)

    def alive(position: str) -> list[int]:
        return [cell for cell, mark in enumerate(live(game, position)) if mark == "."]

    return tree(game, start, player, 1, alive, lambda position: _least(live(game, position), turns))


def playing(game: naive.Game, start: str, player: str, least: int, group: Iterable[naive.Permutation]) -> list[str]:
    """A section `play`, to win (1) or not to lose (0)."""
    turns = tuple(group)
    return tree(game, start, player, least, naive.blanks, lambda position: _least(position, turns))


def threatening(game: naive.Game, start: str, maker: str, group: Iterable[naive.Permutation]) -> list[str]:
    """A section `stop A by threats`, every answer written out."""
    turns, breaker = tuple(group), naive.other(maker)

    def open_replies(position: str) -> list[int]:
        own, other = ({c for c, mark in enumerate(position) if mark == player} for player in (breaker, maker))
        ours = [line - own for line in game.lines if not line & other]
        theirs = [line - other for line in game.lines if not line & own]
        threats = sorted({min(rest) for rest in ours if len(rest) == 1})
        family = strike(least_sets(theirs))
        if len(threats) > 1 or light(family, maker_moves=True):
            return []
        lines = {cell: {line for line in (*ours, *theirs) if cell in line} for cell in naive.blanks(position)}
        if not threats:
            threats = [
                cell
                for cell in naive.blanks(position)
                if lines[cell]
                and not any(
                    lines[cell] <= lines[d] and (lines[d] - lines[cell] or d < cell) for d in lines if d != cell
                )
            ]
        return [r for r in threats if not light(strike(least_sets(one - {r} for one in family)), maker_moves=False)]

    return tree(game, start, breaker, 0, open_replies, lambda position: _least(live(game, position), turns))


def _least(position: str, turns: tuple[naive.Permutation, ...]) -> str:
    return min("".join(position[cell] for cell in turn) for turn in turns)


# ---- Breaker ---------------------------------------------------------------------------------------------------------


def least_sets(sets: Iterable[frozenset[int]]) -> Family:
    every = set(sets)
    return frozenset(one for one in every if not any(other < one for other in every))


def strike(family: Family) -> Family:
    """Without the members that hold two cells which are on the same members."""
    while True:
        cells = sorted(frozenset().union(*family))
        on = {cell: frozenset(one for one in family if cell in one) for cell in cells}
        gone = {one for a in cells for b in cells if a < b and on[a] == on[b] for one in on[a]}
        if not gone:
            return family
        family = family - gone


@cache
def holds(family: Family, maker_moves: bool) -> bool:
    """Whether Breaker hits every member."""
    if frozenset() in family:
        return False
    if not family:
        return True
    cells = frozenset().union(*family)
    if maker_moves:
        return all(holds(least_sets(one - {cell} for one in family), False) for cell in cells)
    return any(holds(frozenset(one for one in family if cell not in one), True) for cell in cells)


def stopping(game: naive.Game, start: str, player: str) -> list[str] | None:
    """A section `stop` against a player, every answer written out; None where blocking alone does not stop them."""
    own = {cell for cell, mark in enumerate(start) if mark == player}
    other = {cell for cell, mark in enumerate(start) if mark == naive.other(player)}
    family = least_sets(line - own for line in game.lines if not line & other)
    maker_moves = naive.mover(start) == player
    if not holds(family, maker_moves):
        return None
    said: list[str] = []
    above: set[Family] = set()

    def write(family: Family, passes: bool) -> None:
        above.add(family)
        cells = sorted(frozenset().union(*family))
        answer = next(
            (c for c in cells if not passes and holds(frozenset(one for one in family if c not in one), True)), None
        )
        said.append("-" if answer is None else str(answer))
        left = strike(frozenset(one for one in family if answer not in one))
        if light(left, maker_moves=True):
            return
        for move in sorted(frozenset().union(*left)):
            if len(frozenset.intersection(*(one for one in left if move in one))) == 1:
                after = strike(least_sets(one - {move} for one in left))
                if after and after not in above and not light(after, maker_moves=False):
                    write(after, False)

    write(strike(family), maker_moves)
    return said


def light(family: Family, *, maker_moves: bool) -> bool:
    """Whether the members weigh so little (2 to the minus size) that the format has nothing more to be said."""
    longest = max(map(len, family), default=0)
    total = sum(2 ** (longest - len(one)) for one in family)
    cells = frozenset().union(*family) if maker_moves else ()
    heaviest = max((sum(2 ** (longest - len(one)) for one in family if c in one) for c in cells), default=0)
    return bool(total + heaviest < 2**longest)
