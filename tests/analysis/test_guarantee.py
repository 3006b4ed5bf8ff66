"""Strategies that make sure of something, judged by playing every reply: by their policy and by their sentences."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest

from noughts.analysis.payoff.guarantee import Guarantee
from noughts.analysis.payoff.patterns import force, patterns
from noughts.analysis.payoff.points import payoff, secure
from noughts.rules.marks import cells_of
from noughts.rules.position import parse_position
from tests.analysis.oracle import Oracle, oracle
from tests.dear import sample

SHAPES_GUARANTEE = {
    "3x3": (3, 3, 3, False),
    "3x3+misere": (3, 3, 3, True),
    "2x4:3": (2, 4, 3, False),
    "2x4:3+misere": (2, 4, 3, True),
}
STARTS = ["", "a1", "b1", "b2", "a1 b2", "a1 b1", "b2 a1 c2", "a1 b2 b3 c1"]
SMALL = ["", "a1", "b1 b2", "a1 c2 b1"]


@cache
def names_of(spec: str) -> dict[str, str]:
    """The names of the drawn classes, by the oracle's canonical strings."""
    board = oracle(*SHAPES_GUARANTEE[spec])
    return {board.canonical(str(p.position).replace("/", "")): p.name for p in patterns(spec, limit=1).patterns}


def asked() -> list[tuple[str, str, str, str]]:
    found = []
    for spec in SHAPES_GUARANTEE:
        for start in STARTS if spec.startswith("3x3") else SMALL:
            found += [(spec, start, name, player) for name in names_of(spec).values() for player in "XO"]
    return found


def string_of(spec: str, start: str) -> str:
    return str(parse_position(spec, start) if start else patterns(spec, limit=1).start).replace("/", "")


def ending(board: Oracle, names: dict[str, str], s: str) -> str:
    return board.winner(s) or names[board.canonical(s)]


def endings(board: Oracle, names: dict[str, str], s: str) -> set[str]:
    if board.over(s):
        return {ending(board, names, s)}
    return set().union(*(endings(board, names, board.put(s, c)) for c in board.blanks(s)))


def played(found: Guarantee, s: str, board: Oracle) -> set[str]:
    """All final positions when the player follows the policy and the other plays anything."""
    if board.over(s):
        return {s}
    cells = board.blanks(s)
    if board.mover(s) == found.player:
        position = parse_position(found.board, board.slashed(s))
        # Where the tree has ended any move must do: then all are played.
        key = found.board.group().canonical(position.x, position.o)
        if key in found.policy.table:
            cells = list(cells_of(found.policy.moves(position, None)))
            assert len(cells) == 1
    return set().union(*(played(found, board.put(s, c), board) for c in cells))


@pytest.mark.parametrize(("spec", "start", "name", "player"), sample(asked(), 7))
def test_whoever_can_forces_or_prevents(spec, start, name, player):
    board, names, s = oracle(*SHAPES_GUARANTEE[spec]), names_of(spec), string_of(spec, start)
    pattern = next(canonical for canonical, each in names.items() if each == name)
    found = force(spec, start or None, pattern=name, player=player)
    assert found.holds == board.can_force(s, player, pattern)
    assert found.player == (player if found.holds else board.other(player))
    finals = {ending(board, names, t) for t in played(found, s, board)}
    if found.holds:
        assert finals <= {name, player}
    else:
        assert not finals & {name, player}
    assert (found.value == 2) == (finals == {found.player})
    assert finals == set(found.allowed)
    assert min(found.goal.worth[ending] for ending in finals) == found.value


@pytest.mark.parametrize("start", sample(STARTS, 3))
@pytest.mark.parametrize("player", ["X", "O"])
@pytest.mark.parametrize("points", [None, "X=2-1,O=0-1/2,Arrow=3-0", "X=0-1,O=1-0,draw=0-0,Scorpion=0-7"])
def test_points_made_sure_of(start, player, points):
    board, names, s = oracle(3, 3, 3), names_of("3x3"), string_of("3x3", start)
    found, scheme = secure("3x3", start or None, player=player, points=points), payoff("3x3", points).points
    sign = 1 if player == "X" else -1

    def worth(t: str) -> Fraction:
        x, o = scheme[ending(board, names, t)]
        return sign * (x - o)

    @cache
    def best(t: str) -> Fraction:
        if board.over(t):
            return worth(t)
        choose: Callable[..., Fraction] = max if board.mover(t) == player else min
        return choose(best(board.put(t, c)) for c in board.blanks(t))

    assert found.value == best(s)
    assert min(map(worth, played(found, s, board))) == found.value
    assert payoff("3x3", points, start=start or None).difference == sign * found.value


def test_without_a_player_it_is_whoever_can():
    assert force("3x3", "b2", pattern="Island").player == "X"
    assert force("3x3", "a1 b1", pattern="Arrow").goal.asked == "X"
    # After an edge O can force nothing but the Scorpion, and neither player the Arrow.
    neither = force("3x3", "b1", pattern="Arrow")
    assert (neither.player, neither.holds, neither.goal.either) == ("O", False, True)
    several = force("3x3", "b1", pattern="arrow, Scorpion", player="O")
    assert (several.holds, several.goal.wanted) == (True, "a Scorpion or an Arrow")
    assert force("3x3", pattern="draw", player="O").goal.wanted == "a draw"


def test_patterns_from_a_position():
    """Still possible is what the marks leave; whoever can force is by the oracle."""
    for spec in ("3x3", "2x4:3"):
        board, names = oracle(*SHAPES_GUARANTEE[spec]), names_of(spec)
        for start in ("a1 b2", "b1 a2 c1"):
            s, found = string_of(spec, start), patterns(spec, start)
            assert set(found.possible) == endings(board, names, s) - {"X", "O"}
            assert found.forcing is not None
            for row in found.forcing:
                t = s if row.opening is None else board.put(s, row.opening)
                for player, forced in (("X", row.x), ("O", row.o)):
                    assert set(forced) == {n for canonical, n in names.items() if board.can_force(t, player, canonical)}
