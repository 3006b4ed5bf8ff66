"""Strategies that make sure of something, judged by playing every reply: by their policy and by their sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from noughts.analysis.payoff.guarantee import Guarantee
from noughts.analysis.payoff.patterns import force, patterns
from noughts.analysis.payoff.playout import versus
from noughts.analysis.payoff.points import payoff, secure
from noughts.drawing.cards import draw_tree
from noughts.drawing.trees import guarantee_picture
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import cells_of
from noughts.rules.position import parse_position
from tests.analysis.oracle import Oracle, oracle

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


@pytest.mark.parametrize(("spec", "start", "name", "player"), asked())
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


@pytest.mark.parametrize("start", STARTS)
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


def test_the_strategy_for_an_arrow_against_every_policy():
    found = force("3x3", pattern="Arrow", player="X")
    only = "X=1-0,O=0-0,draw=0-0,Arrow=1-0"
    assert payoff("3x3", only, x=found.policy).difference == 1, "against the best response"
    for name in ("random", "block", "perfect", "trap:random"):
        assert payoff("3x3", only, x=found.policy, o=name).x_points == 1
        assert versus("3x3", x=found.policy, o=name).o_wins == 0


def test_without_a_player_it_is_whoever_can():
    assert force("3x3", "b2", pattern="Island").player == "X"
    assert force("3x3", "a1 b1", pattern="Arrow").goal.asked == "X"
    # After an edge O can force nothing but the Scorpion, and neither player the Arrow.
    neither = force("3x3", "b1", pattern="Arrow")
    assert (neither.player, neither.holds, neither.goal.either) == ("O", False, True)
    several = force("3x3", "b1", pattern="arrow, Scorpion", player="O")
    assert (several.holds, several.goal.wanted) == (True, "a Scorpion or an Arrow")
    assert force("3x3", pattern="draw", player="O").goal.wanted == "a draw"


def test_what_makes_no_sense_is_refused_first():
    with pytest.raises(InputError, match="has no drawn pattern 'bow': choose Island, Scorpion, Arrow, or draw"):
        force("3x3", pattern="Bow")
    with pytest.raises(InputError, match="no game on 3x3:3\\+torus is drawn"):
        force("3x3+torus", pattern="Arrow")
    with pytest.raises(InputError, match="the player cannot be 'Z'"):
        force("3x3", pattern="Arrow", player="Z")
    with pytest.raises(InputError, match="a pattern cannot be an int"):
        force("3x3", pattern=3)  # type: ignore[arg-type]
    with pytest.raises(BudgetError, match="forcing a pattern on 5x5:5"):
        force("5x5", pattern="pattern 1")
    with pytest.raises(InputError, match="the game is over"):
        force("3x3", "XXX/OO./...", pattern="Arrow")


# ---- the sentences, followed word by word ----


class Reader:
    """Plays a strategy by its sentences alone."""

    def __init__(self, spec: str, found: Guarantee) -> None:
        self.board, self.names, self.found = oracle(*SHAPES_GUARANTEE[spec]), names_of(spec), found
        self.lines = [(step.depth, step.text) for step in found.sentences]
        self.starts: dict[str, str] = {}

    def below(self, at: int) -> list[int]:
        """The lines right below one."""
        found = []
        for i in range(at + 1, len(self.lines)):
            if self.lines[i][0] <= (self.lines[at][0] if at >= 0 else -1):
                break
            if self.lines[i][0] == (self.lines[at][0] + 1 if at >= 0 else 0):
                found.append(i)
        return found

    def cell(self, name: str) -> int:
        return next(c for c in range(self.board.cells) if self.board.name(c) == name)

    def read(self, s: str) -> None:
        first = self.below(-1)
        text = self.lines[first[0]][1]
        if text.endswith("whatever both play."):
            self.fate(text.removesuffix(", whatever both play.").replace("An ", "an ").replace("A ", "a "), s)
        elif self.board.mover(s) == self.found.player:
            assert len(first) == 1
            self.answer(text, s, first[0], [])
        else:
            self.replies(first, s, [])

    def fate(self, text: str, s: str) -> None:
        said = {re.sub(r"^(an? )?(.*?)( wins)?$", r"\2", each) for each in re.split(r", | or ", text)}
        assert said == endings(self.board, self.names, s), (text, s)

    def answer(self, text: str, s: str, at: int, moves: list[str]) -> None:
        """A sentence or its end about what the player does, or what has come about."""
        who = self.found.player
        match = re.fullmatch(rf"{who} plays (\w+)( and wins| and loses|: .*?)?\.", text)
        if match is None:
            told = re.fullmatch(r"(?:it is )?(.*?)(, whatever follows)?\.", text)
            assert told
            self.fate(told[1], s)
            assert bool(told[2]) != self.board.over(s)
            return
        assert self.board.mover(s) == who
        then = self.board.put(s, self.cell(match[1]))
        tail = match[2] or ""
        if tail in (" and wins", " and loses"):
            assert self.board.winner(then) == (who if tail == " and wins" else self.board.other(who))
        elif tail:
            assert tail.endswith(", whatever follows") != self.board.over(then)
            self.fate(tail.removeprefix(": ").removesuffix(", whatever follows"), then)
        else:
            self.replies(self.below(at), then, [*moves, match[1]])

    def replies(self, lines: list[int], s: str, moves: list[str]) -> None:
        if len(lines) == 1 and (
            told := re.fullmatch(r"Go on as after (.*), turned or mirrored\.", self.lines[lines[0]][1])
        ):
            assert self.board.canonical(self.starts[told[1]]) == self.board.canonical(s)
            return
        self.starts[" ".join(moves) or "the start"] = s
        covered: set[int] = set()
        for at in lines:
            match = re.fullmatch(r"If (\w) plays (.*?), ((?:[XO] (?:plays|wins)|it is).*)", self.lines[at][1])
            assert match, self.lines[at]
            assert match[1] == self.board.mover(s)
            cells = self.cells(match[2], s, covered)
            covered |= set(cells)
            for cell in cells if "(or" not in match[2] else cells[:1]:
                self.answer(match[3], self.board.put(s, cell), at, [*moves, self.board.name(cell)])
        assert covered == set(self.board.blanks(s)), "every reply is answered"

    def cells(self, text: str, s: str, covered: set[int]) -> list[int]:
        if text.startswith("anything"):
            assert (text == "anything") == (not covered)
            return [c for c in self.board.blanks(s) if c not in covered]
        found = [self.cell(name) for name in re.findall(r"[a-h]\d", text)]
        assert not covered & set(found)
        if "(or" in text:
            assert len({self.board.canonical(self.board.put(s, c)) for c in found}) == 1
        return found


@pytest.mark.parametrize(("spec", "start", "name", "player"), asked())
def test_the_sentences_say_it_all(spec, start, name, player):
    found = force(spec, start or None, pattern=name, player=player)
    Reader(spec, found).read(string_of(spec, start))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("player", ["X", "O"])
def test_the_sentences_about_points(start, player):
    Reader("3x3", secure("3x3", start or None, player=player)).read(string_of("3x3", start))


# ---- pictures, and patterns from a position ----


@pytest.mark.parametrize(
    ("spec", "start", "name", "player"),
    [("3x3", "", "Arrow", "X"), ("3x3", "b2", "Arrow", "X"), ("3x3+misere", "a1 b2", "Island", "O")],
)
def test_the_picture_shows_what_comes_of_every_branch(spec, start, name, player):
    board, names = oracle(*SHAPES_GUARANTEE[spec]), names_of(spec)
    found = force(spec, start or None, pattern=name, player=player)
    picture = guarantee_picture(found)
    leads = {link.source for link in picture.links}
    for node in picture.nodes:
        assert bool(node.captions) == (node.id not in leads), "what is settled says how, what is open goes on"
        if node.captions:
            assert {text.removesuffix(" wins") for text in node.captions} == endings(board, names, node.marks)
    assert draw_tree(picture)
    assert picture.title.startswith(f"{found.board}: {found.player} ")


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


# The trees of strategies: which endings each board may still have, where they stop, and that no smaller one does.

SHAPES_GUARANTEE_TREES = {"3x3": (3, 3, 3), "3x3+misere": (3, 3, 3, True), "2x4:3": (2, 4, 3), "1x5:2": (1, 5, 2)}

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
    board, found = oracle(*SHAPES_GUARANTEE_TREES[spec]), make(spec, start)
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
