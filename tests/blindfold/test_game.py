"""The opponent's possible marks against a list of all sets; strategies as files, pictures and text; equal values."""

from __future__ import annotations

import random
from typing import Any

import pytest

import noughts
from noughts.blindfold.beliefs import MergedGame
from noughts.blindfold.game import Blind, BlindRules, Feedback, Goal
from noughts.blindfold.judge import chances, judge
from noughts.blindfold.pure import Analysis
from noughts.drawing.tree import TreePicture
from noughts.drawing.trees import picture
from noughts.rules.board import Board
from tests.dear import sample


@pytest.mark.parametrize("goal", ["never-lose", "always-win"])
@pytest.mark.parametrize("told", sample(["collision", "last-move", "all"], 2))
@pytest.mark.parametrize(
    ("spec", "blind"), sample([("3x3", "X"), ("2x4:2", "O"), ("3x3", "O"), ("3x3+misere", "X")], 4)
)
def test_one_information_set_of_each_class_represents_all(spec: str, blind: Blind, told: Feedback, goal: Goal) -> None:
    rules = BlindRules(blind=blind, told=told)
    game = MergedGame(Board.parse(spec), rules)
    one_by_one, by_class = Analysis(game, goal), Analysis(game, goal, alike=game.alike)
    assert by_class.is_possible() is one_by_one.is_possible()
    states = random.Random(spec).sample(sorted(one_by_one.reachable()), 60)
    assert [by_class.can(state) for state in states] == [one_by_one.can(state) for state in states]
    assert len(by_class._can) < len(one_by_one._can)
    assert by_class.histories() == one_by_one.histories()
    for good_only in (False, True):
        listed = one_by_one.reachable(good_only=good_only)
        assert by_class.sets(good_only=good_only) == (len(listed), len(set(map(game.alike, listed))))
    if by_class.is_possible():
        assert by_class.plans_after(by_class.root) == one_by_one.plans_after(one_by_one.root)
        assert by_class.smallest_after(by_class.root) == one_by_one.smallest_after(one_by_one.root)
    for state in states:
        assert game.alike(game.alike(state)) == game.alike(state)
        assert game.alike(state).hidden == state.hidden


# The picture of a strategy shows how every branch ends: against every game played out on strings, one by one.

pytestmark = pytest.mark.usefixtures("remembered")

Path = tuple[str, ...]

ASKED: list[dict[str, Any]] = [
    {"board": "3x3"},
    {"board": "3x3", "collision": "lose-turn", "goal": "win-often"},
    {"board": "3x3", "blind": "O", "opening_told": True, "goal": "win-often"},
    {"board": "3x3", "blind": "O", "goal": "win-often"},
    {"board": "4x4:3", "goal": "always-win"},
    {"board": "2x3:2", "told": "all"},
    {"board": "2x3:3", "told": "last-move"},
    {"board": "2x3:3", "told": "nothing"},
    {"board": "2x2:3", "told": "nothing", "collision": "lose-turn"},
    {"board": "2x2:2+misere", "blind": "O", "goal": "always-win"},
    {"board": "1x3:2+misere", "blind": "O"},
    {"board": "1x1"},
]


def strategy_of(options: dict[str, Any]) -> noughts.blindfold.Strategy | None:
    given = dict(options)
    board, goal = given.pop("board"), given.pop("goal", "never-lose")
    return noughts.solve_blindfold(board, noughts.blindfold.BlindRules(**given), goal).strategy


def played(strategy: noughts.blindfold.Strategy) -> dict[Path, set[str]]:
    """Play every game of a strategy on strings, from its file: for the calls and answers of each, how it ends."""
    record: Any = strategy.as_dict()
    names = [noughts.rules.cell_name(strategy.board, cell) for cell in range(strategy.board.cells)]
    lines, misere = strategy.board.lines, strategy.board.misere
    blind, other = record["blind"], {"X": "O", "O": "X"}[record["blind"]]
    found: dict[Path, set[str]] = {}

    def over(s: str, mark: str) -> str | None:
        if any(all(s[cell] == mark for cell in line) for line in lines):
            return "win" if (mark == blind) != misere else "loss"
        return None if "." in s else "draw"

    def put(s: str, cell: int, mark: str) -> str:
        return s[:cell] + mark + s[cell + 1 :]

    def reply(s: str, answer: str, place: Any, path: Path) -> None:
        for cell, mark in enumerate(s):
            if mark == ".":
                after = put(s, cell, other)
                end = over(after, other)
                if end:
                    found.setdefault((*path, answer), set()).add(end)
                else:
                    heard(after, cell, answer, place, path)

    def heard(s: str, last: int | None, answer: str, place: Any, path: Path) -> None:
        call(s, last, place["next" if answer == "next" else answer.split()[0]], (*path, answer), answer)

    def call(s: str, last: int | None, place: Any, path: Path, answer: str) -> None:
        named = " ".join(answer.split()[1:])
        if named and "call" not in place:
            place = place[named]
        cell = names.index(place["call"])
        silent = record["told"] == "nothing"
        if s[cell] == ".":
            after, spoken = put(s, cell, blind), "next" if silent else "free"
            end = over(after, blind)
            if end:
                found.setdefault((*path, spoken), set()).add(end)
            else:
                reply(after, spoken, place, path)
            return
        more = {"all": [n for n, mark in zip(names, s, strict=True) if mark == other], "last-move": [names[last or 0]]}
        spoken = "next" if silent else " ".join(["taken", *more.get(record["told"], [])])
        if record["collision"] == "lose-turn":
            reply(s, spoken, place, path)
        else:
            heard(s, last, spoken, place, path)

    start = "." * len(names)
    if blind == "X":
        call(start, None, record["plan"], (), "start")
    else:
        for cell, name in enumerate(names):
            root = record["plan"]["openings"][name] if record["opening_told"] else record["plan"]
            call(put(start, cell, "X"), cell, root, (f"X opens {name}",) if record["opening_told"] else (), "start")
    return found


def drawn(tree: TreePicture) -> dict[Path, set[str]]:
    """Return the words of the picture: for the words on the links to each end, the words under it."""
    found: dict[Path, set[str]] = {}
    into = {link.target: link for link in tree.links}
    for node in tree.nodes:
        if node.outcome:
            path: list[str] = []
            at = node.id
            while at in into:
                path.insert(0, into[at].label.split(",")[0])
                at = into[at].source
            opened = [words for words in tree.by_id[at].captions if words.startswith("X opens")]
            (words,) = node.captions
            found.setdefault((*opened, *path), set()).add(words)
    return found


@pytest.mark.parametrize("options", sample(ASKED, 3), ids=str)
def test_every_branch_ends_as_the_games_do(options: dict[str, Any]) -> None:
    strategy = strategy_of(options)
    if strategy is None:
        pytest.fail("there is no such strategy: ask for another")
    tree = picture(strategy)
    assert drawn(tree) == played(strategy)
    leaves = [node for node in tree.nodes if node.id not in tree.children]
    assert all(node.outcome for node in leaves)


# The words of a strategy say how each call can end the game: against every game played out on strings.

MORE: list[dict[str, Any]] = [
    {"board": "3x3", "goal": "win-often"},
    {"board": "3x3+misere", "goal": "win-often"},
    {"board": "2x3:2", "blind": "O", "collision": "lose-turn", "goal": "win-often"},
    {"board": "2x3:2+misere", "goal": "win-often"},
]


@pytest.mark.parametrize("options", [*MORE, {"board": "3x3"}, {"board": "2x3:3", "told": "nothing"}], ids=str)
def test_the_chances_are_those_of_the_judge(options: dict[str, Any]) -> None:
    strategy = strategy_of(options)
    assert strategy is not None
    verdict = judge(strategy)
    assert chances(strategy) == (verdict.win_chance, verdict.draw_chance, verdict.loss_chance)
