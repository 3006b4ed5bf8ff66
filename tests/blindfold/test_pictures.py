"""The picture of a strategy shows how every branch ends: against every game played out on strings, one by one."""

from __future__ import annotations

from typing import Any

import pytest

import noughts
from noughts.blindfold.game.endings import endings
from noughts.domain.errors import BudgetError
from noughts.drawing.strategy import picture
from noughts.drawing.tree import TreePicture

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


def strategy_of(asked: dict[str, Any]) -> noughts.Strategy | None:
    given = dict(asked)
    board, goal = given.pop("board"), given.pop("goal", "never-lose")
    return noughts.solve_blindfold(board, noughts.BlindRules(**given), goal).strategy


def played(strategy: noughts.Strategy) -> dict[Path, set[str]]:
    """Play every game of a strategy on strings, from its file: for the calls and answers of each, how it ends."""
    record: Any = strategy.as_dict()
    names = [noughts.cell_name(strategy.board, cell) for cell in range(strategy.board.cells)]
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
        told = " ".join(answer.split()[1:])
        if told and "call" not in place:
            place = place[told]
        cell = names.index(place["call"])
        silent = record["told"] == "nothing"
        if s[cell] == ".":
            after, said = put(s, cell, blind), "next" if silent else "free"
            end = over(after, blind)
            if end:
                found.setdefault((*path, said), set()).add(end)
            else:
                reply(after, said, place, path)
            return
        more = {"all": [n for n, mark in zip(names, s, strict=True) if mark == other], "last-move": [names[last or 0]]}
        said = "next" if silent else " ".join(["taken", *more.get(record["told"], [])])
        if record["collision"] == "lose-turn":
            reply(s, said, place, path)
        else:
            heard(s, last, said, place, path)

    start = "." * len(names)
    if blind == "X":
        call(start, None, record["plan"], (), "start")
    else:
        for cell, name in enumerate(names):
            root = record["plan"]["openings"][name] if record["opening_told"] else record["plan"]
            call(put(start, cell, "X"), cell, root, (f"X opens {name}",) if record["opening_told"] else (), "start")
    return found


def drawn(tree: TreePicture) -> dict[Path, set[str]]:
    """Return what the picture says: for the words on the links to each end the words under it."""
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


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_every_branch_ends_as_the_games_do(asked: dict[str, Any]) -> None:
    strategy = strategy_of(asked)
    if strategy is None:
        pytest.fail("there is no such strategy: ask for another")
    tree = picture(strategy)
    assert drawn(tree) == played(strategy)
    leaves = [node for node in tree.nodes if node.id not in tree.children]
    assert all(node.outcome for node in leaves)


def test_the_key_and_the_note_have_the_words_of_the_text() -> None:
    strategy = strategy_of({"board": "3x3"})
    assert strategy is not None
    tree = picture(strategy)
    assert {link.label for link in tree.links} == {"free", "taken"}
    assert {node.captions[0] for node in tree.nodes if node.outcome} == {"win", "draw"}
    assert "free: X has it, and O moves; taken: O has it, and X calls again" in tree.note
    assert dict(tree.words) == {"": "a call", "X": "win", "O": "loss", "draw": "draw"}
    drawn_full = [node.marks for node in tree.nodes if node.outcome == "draw"]
    assert all("." not in marks for marks in drawn_full)
    assert all(node.lines for node in tree.nodes if node.outcome == "X")


@pytest.mark.parametrize("asked", [*ASKED, {"board": "3x3", "goal": "win-often"}], ids=str)
def test_what_a_reader_needs_is_on_the_boards(asked: dict[str, Any]) -> None:
    strategy = strategy_of(asked)
    assert strategy is not None
    tree, board = picture(strategy), strategy.board
    other = strategy.rules.opponent
    assert tree.names
    for node in tree.nodes:
        out = [link.label for link in tree.links if link.source == node.id]
        assert len(set(out)) == len(out), out
        if not node.outcome:
            assert node.call is not None
            assert node.captions[-1] == f"call {noughts.cell_name(board, node.call)}"
        reached = [line for line in board.lines if all(node.marks[cell] == other for cell in line)]
        if reached:
            assert node.last is not None
            assert all(node.last in line for line in reached)
            assert (node.captions[0] == "win") == board.misere
        assert set(map(tuple, reached)) <= set(map(tuple, node.lines))
    by_reply = [node for node in tree.nodes if node.captions[0] == "loss" and not board.misere]
    assert all(node.lines and node.last is not None for node in by_reply)


def test_two_links_with_one_answer_say_how_they_differ() -> None:
    strategy = strategy_of({"board": "3x3", "goal": "win-often"})
    assert strategy is not None
    assert {link.label for link in picture(strategy).links} == {"free", "taken", "free, O wins"}


def test_too_many_boards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = strategy_of({"board": "3x3"})
    assert strategy is not None
    monkeypatch.setattr("noughts.blindfold.game.endings.TRUTHS", 10)
    with pytest.raises(BudgetError, match="more than 10 boards"):
        endings(strategy)
