"""The trees of strategies: which endings each board may still have, where they stop, and that no smaller one does."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from noughts.domain.bits import cells_of
from noughts.strategy.forcing import force
from noughts.strategy.guarantee import Guarantee
from noughts.strategy.patterns import patterns
from noughts.strategy.payoff import payoff
from noughts.strategy.securing import secure
from tests.strategy.oracle import oracle

SHAPES = {"3x3": (3, 3, 3), "3x3+misere": (3, 3, 3, True), "2x4:3": (2, 4, 3), "1x5:2": (1, 5, 2)}

ASKED: list[tuple[str, str, Callable[[str, str], Guarantee]]] = [
    ("3x3", "b2 b1", lambda spec, start: force(spec, start, pattern="Island", player="X")),
    ("3x3", "b2 b1", lambda spec, start: force(spec, start, pattern="Arrow", player="X")),
    ("3x3", "a1 b2", lambda spec, start: force(spec, start, pattern="Arrow, Scorpion", player="O")),
    ("3x3", "a1 b2 c3", lambda spec, start: force(spec, start, pattern="draw", player="X")),
    ("3x3", "b1 a1", lambda spec, start: secure(spec, start, player="O")),
    ("3x3", "a1 b1", lambda spec, start: secure(spec, start, player="X", points="X=1/2-3,O=0-1,Arrow=4-0,Island=0-0")),
    ("3x3+misere", "b2 a1", lambda spec, start: secure(spec, start, player="X")),
    ("3x3+misere", "b2 a1 c3", lambda spec, start: force(spec, start, pattern="Island", player="O")),
    ("2x4:3", "b1 b2", lambda spec, start: force(spec, start, pattern="pattern 3", player="X")),
    ("2x4:3", "b1 b2", lambda spec, start: secure(spec, start, player="O", points="X=2-0,O=0-2,pattern 5=0-9")),
    ("1x5:2", "c1", lambda spec, start: force(spec, start, pattern="draw", player="O")),
    ("1x5:2", "a1", lambda spec, start: secure(spec, start, player="O", points="X=0-1,O=1-1,draw=2-5")),
]


@pytest.mark.parametrize("n", range(len(ASKED)))
def test_a_tree_is_a_smallest_one_that_keeps_what_can_be_made_sure_of(n: int) -> None:
    spec, start, make = ASKED[n]
    board, found = oracle(*SHAPES[spec]), make(spec, start)
    names = {board.canonical(str(p.position).replace("/", "")): p.name for p in patterns(spec, limit=1).patterns}
    worth, mine = found.goal.worth, found.player
    assert list(worth) == ["X", "O", *[pattern.name for pattern in patterns(spec, limit=1).patterns]]

    @cache
    def endings(s: str) -> frozenset[str]:
        if board.over(s):
            return frozenset([board.winner(s) or names[board.canonical(s)]])
        return frozenset().union(*(endings(board.put(s, cell)) for cell in board.blanks(s)))

    @cache
    def value(s: str) -> Fraction:
        if board.over(s):
            return worth[next(iter(endings(s)))]
        choose = max if board.mover(s) == mine else min
        return choose(value(board.put(s, cell)) for cell in board.blanks(s))

    def settled(s: str) -> bool:
        return len({worth[ending] for ending in endings(s)}) == 1

    @cache
    def size(s: str) -> int:
        """The boards of the smallest strategy below, those met again counted again."""
        if settled(s):
            return 1
        below = {board.canonical(board.put(s, cell)) for cell in board.blanks(s)}
        if board.mover(s) == mine:
            return 1 + min(size(t) for t in below if value(t) == value(s))
        return 1 + sum(size(t) for t in below)

    root = str(found.start).replace("/", "")
    assert found.value == value(root)
    for node, ends in zip(found.tree.nodes, found.endings, strict=True):
        s = str(node.position).replace("/", "")
        assert list(ends) == [ending for ending in worth if ending in endings(s)]
        outcomes = {ending if ending in ("X", "O") else "draw" for ending in ends}
        assert node.outcome == (next(iter(outcomes)) if len(outcomes) == 1 else None)
        assert node.end == ("over" if board.over(s) else "settled" if settled(s) else None)
        assert not node.fork
        links = [link for link in found.tree.links if link.source == node.id]
        if node.end is not None:
            assert not links
        elif board.mover(s) == mine:
            [link] = links
            assert link.moves.bit_count() == 1
            t = str(found.tree.nodes[link.target].position).replace("/", "")
            assert value(t) == value(s)
            assert 1 + size(board.canonical(t)) == size(board.canonical(s))
        else:
            assert sorted(cell for link in links for cell in cells_of(link.moves)) == board.blanks(s)


def test_what_each_ending_is_worth() -> None:
    """A win of one's own 2, what serves 1, all else nothing; of points the difference, one's own less the other's."""
    own = force("3x3", "b2", pattern="Island", player="X")
    assert dict(own.goal.worth) == {"X": 2, "O": 0, "Island": 1, "Scorpion": 0, "Arrow": 0}
    other = force("3x3", "b1", pattern="Arrow, island", player="O")
    assert (other.holds, other.player, other.goal.asked) == (False, "X", "O")
    assert dict(other.goal.worth) == {"X": 2, "O": 0, "Island": 0, "Scorpion": 1, "Arrow": 0}
    for player, sign in (("X", 1), ("O", -1)):
        points = payoff("3x3").points
        worth = secure("3x3", "a1 b1", player=player).goal.worth
        assert dict(worth) == {ending: sign * (x - o) for ending, (x, o) in points.items()}


@pytest.mark.parametrize(
    ("spec", "pattern", "wanted"),
    [
        ("1x2:2", "draw", "pattern 1"),
        ("2x2:3", "draw", "a draw"),
        ("2x2:3", "pattern 2", "pattern 2"),
        ("3x3", "draw", "a draw"),
        ("3x3", "Arrow, Island", "an Island or an Arrow"),
        ("3x3", "Scorpion", "a Scorpion"),
    ],
)
def test_patterns_in_prose(spec: str, pattern: str, wanted: str) -> None:
    """All of several are a draw; one alone has its name."""
    found = force(spec, pattern=pattern, player="X")
    assert found.goal.wanted == wanted
    assert found.purpose == f"{'forces' if found.holds else 'prevents'} {wanted}"


def test_the_record_says_what_was_asked_and_found() -> None:
    for found, holds in (
        (force("3x3", "b2", pattern="island", player="X"), True),
        (force("3x3", "b1", pattern="Arrow", player="O"), False),
        (secure("3x3", "a1", player="O"), True),
    ):
        record: Any = found.as_dict()
        assert list(record) == [
            "board",
            "position",
            "patterns",
            "worth",
            "asked",
            "holds",
            "player",
            "value",
            "policy",
            "tree",
        ]
        assert (record["board"], record["position"]) == ("3x3:3", str(found.start))
        assert record["patterns"] == list(found.goal.patterns)
        assert record["worth"] == {ending: str(worth) for ending, worth in found.goal.worth.items()}
        assert (record["holds"], record["player"]) == (holds, found.player)
        assert (record["player"] == record["asked"]) == holds
        assert record["value"] == str(found.value)
        assert record["tree"] == found.tree.as_dict()
        moving = [node for node in found.tree.nodes if node.end is None and node.position.to_move == found.player]
        assert set(record["policy"]["moves"]) == {str(node.position) for node in moving}
        assert record["policy"]["otherwise"] == "perfect"
