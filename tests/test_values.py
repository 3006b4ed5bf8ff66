"""Results are values: frozen, equal, hashable, picklable before and after use, with a short repr and `as_dict()`."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from contextlib import suppress
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import noughts
from noughts.blindfold.game import Strategy
from noughts.blindfold.judge import judge
from noughts.cli.main import main
from noughts.counting.engines import ask
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.position import parse_position
from tests.boards import FLOWER


def solved(board: str) -> Strategy:
    strategy = noughts.solve_blindfold(board).strategy
    assert strategy is not None
    return strategy


VALUES: dict[str, Callable[[], Any]] = {
    "Board": lambda: Board.parse("4x5:4+torus"),
    "Board from lines": lambda: Board.from_lines(*FLOWER),
    "large Board": lambda: Board.parse("40x40:5"),
    "large Board from lines": lambda: Board.from_lines(200, [(i, i + 1) for i in range(199)], name="path" * 50),
    "Position": lambda: parse_position("3x3", "a1 b2"),
    "large Position": lambda: parse_position("30x30:4", "a1 b2"),
    "Group": lambda: Board.parse("3x3").group(),
    "listed Group": lambda: Board.from_lines(3, [(0, 1), (1, 2)], [(2, 1, 0)]).group(),
    "Group of lines": lambda: Board.parse("4x4").group("lines"),
    "large Group": lambda: Board.parse("20x20:50").group("lines"),
    "Stabiliser": lambda: Board.parse("3x3").group().stabiliser(1, 0),
    "Explanation": lambda: noughts.explain("3x3", "a1 b2"),
    "misere Explanation": lambda: noughts.explain("3x3+misere"),
    "OpeningTheory": lambda: noughts.openings("3x3"),
    "GameTree": lambda: noughts.tree("3x3", opening="b1"),
    "large GameTree": lambda: noughts.tree("3x4:3", kind="full", depth=4),
    "Patterns": lambda: noughts.patterns("3x3"),
    "Payoff": lambda: noughts.payoff("3x3", x="random"),
    "ValuedMove": lambda: noughts.explain("3x3", "a1 b2").moves[0],
    "Solution": lambda: noughts.solve("3x3"),
    "Solution from a start": lambda: noughts.solve("3x3", "a1 b2"),
    "Solution in tables": lambda: noughts.solve("4x4", remoteness=False),
    "Solution by search": lambda: noughts.solve("3x3", engine="search"),
    "Guarantee": lambda: noughts.analysis.force("3x3", "b2", pattern="Island"),
    "Guarantee of points": lambda: noughts.analysis.secure("3x3", "a1", player="O"),
    "Punishments": lambda: noughts.analysis.punishments("3x3", opening="b2"),
    "Running": lambda: noughts.analysis.running_score("3x3", x="fork", games=3, swap=True),
    "Schemes": lambda: noughts.analysis.compare_points("3x3", schemes=["X=1-0", "draw=0-0"]),
    "Fairest": lambda: noughts.analysis.fairest_points("3x3", most=2),
    "PositionValue": lambda: noughts.solve("3x3").answer("a1 b2"),
    "MoveValue": lambda: noughts.solve("3x3").moves("a1 b2")[0],
    "PlyValues": lambda: noughts.solve("3x3").plies()[3],
    "Match": lambda: noughts.match("3x3", x="fork"),
    "Match with the best": lambda: noughts.match("3x3", start="a1", x="best"),
    "Question": lambda: ask("3x3", "a1", same="choices", moves="win", end="decided", to_ply=5),
    "Census": lambda: noughts.count("3x3", same="choices"),
    "large Census": lambda: noughts.count("5x5:5"),
    "PlyCounts": lambda: noughts.count("4x4").plies[7],
    "Totals": lambda: noughts.count("4x4").totals,
    "Conventions": lambda: noughts.verbs.matrix("3x3"),
    "Terms": lambda: noughts.verbs.sequence("1x1..3x3", same="symmetry"),
    "Meanings": lambda: noughts.whatis("31,896"),
    "Svg": lambda: noughts.draw(Board.parse("3x3")),
    "BlindRules": lambda: noughts.blindfold.BlindRules("O", opening_told=True),
    "Catalogue": lambda: noughts.analysis.catalogue("3x3"),
    "Catalogue in arrays": lambda: noughts.analysis.catalogue("3x4"),
    "Record": lambda: noughts.analysis.catalogue("3x3")["a1 b2"],
    "Record of one board": lambda: next(noughts.analysis.catalogue("3x3").labelled()),
    "Selection": lambda: noughts.analysis.Selection(ply=3, label="either can force a draw", fork=True),
    "Positions": lambda: noughts.positions("3x3", trap=True, ply=3),
    "Positions one by one": lambda: noughts.positions("3x3", same="labelled", ply=1),
    "Comparison": lambda: noughts.same("3x3", "X../.../...", "..X/.../..."),
    "GameComparison": lambda: noughts.analysis.same_games("3x3", "a1 b2", "c3 b2"),
    "BlindAnswer": lambda: noughts.solve_blindfold("3x3"),
    "BlindAnswer by opening": lambda: noughts.solve_blindfold(
        "2x3", noughts.blindfold.BlindRules("O", opening_told=True)
    ),
    "BlindAnswer of both": lambda: noughts.solve_blindfold("2x2", noughts.blindfold.BlindRules("both")),
    "Strategy": lambda: solved("3x3"),
    "Verdict": lambda: judge(solved("2x3")),
}
"""For each class a function that makes a fresh value; `large` ones are those whose repr could be long."""


COMMANDS = {
    "Explanation": ["explain", "3x3", "a1 b2"],
    "misere Explanation": ["explain", "3x3+misere"],
    "Solution": ["solve", "3x3"],
    "OpeningTheory": ["openings", "3x3"],
    "GameTree": ["tree", "3x3", "--opening", "b1"],
    "Patterns": ["patterns", "3x3"],
    "Payoff": ["payoff", "3x3", "--x", "random"],
    "Guarantee": ["patterns", "3x3", "--force", "Island", "--from", "b2"],
    "Guarantee of points": ["payoff", "3x3", "--strategy", "O", "--from", "a1"],
    "Punishments": ["openings", "3x3", "--forced-wins", "--opening", "b2"],
    "Running": ["match", "3x3", "--x", "fork", "--games", "3", "--swap"],
    "Schemes": ["payoff", "3x3", "--points", "X=1-0", "--points", "draw=0-0"],
    "Fairest": ["payoff", "3x3", "--fairest", "2"],
    "Match": ["match", "3x3", "--x", "fork"],
    "Census": ["count", "3x3", "--same", "choices"],
    "Conventions": ["count", "3x3"],
    "Terms": ["count", "1x1..3x3", "--same", "symmetry"],
    "Meanings": ["whatis", "31,896"],
    "Positions": ["positions", "3x3", "--trap", "--ply", "3"],
    "Positions one by one": ["positions", "3x3", "--same", "labelled", "--ply", "1"],
    "Comparison": ["same", "3x3", "X../.../...", "..X/.../..."],
    "GameComparison": ["same", "3x3", "a1 b2", "c3 b2"],
    "BlindAnswer": ["blindfold", "3x3"],
    "BlindAnswer by opening": ["blindfold", "2x3", "--blind", "O", "--opening-told"],
    "BlindAnswer of both": ["blindfold", "2x2", "--blind", "both"],
    "Match with the best": ["match", "3x3", "--x", "best", "--from", "a1"],
}
"""The commands that print them with --format json."""


def use(value: Any) -> None:
    """Ask a value for everything that it works out when it is asked, so that it is kept."""
    for name in dir(type(value)):
        if not name.startswith("_"):
            with suppress(BudgetError):
                getattr(value, name)
    if isinstance(value, Board) and value.cells < 50:
        use(value.group())


def is_frozen(value: Any) -> None:
    for attribute in (*getattr(value, "__dict__", ()), "anything"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(value, attribute, None)
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            delattr(value, attribute)


@pytest.mark.parametrize("name", VALUES)
def test_a_result_is_a_value(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Equal and the same after pickling, before and after use; frozen; its repr one short line; JSON as printed."""
    value, other = VALUES[name](), VALUES[name]()
    texts = [repr(value)]
    assert pickle.loads(pickle.dumps(value)) == value
    use(value)
    texts.append(repr(value))
    copy = pickle.loads(pickle.dumps(value))
    assert copy == value == other != object()
    assert hash(copy) == hash(value) == hash(other)
    use(copy)
    assert copy == value
    is_frozen(value)
    assert all("\n" not in text and len(text) < 120 and " at 0x" not in text for text in texts)
    found = json.loads(json.dumps(value.as_dict()))
    assert found == json.loads(json.dumps(other.as_dict()))
    if name in COMMANDS:
        with suppress(SystemExit):
            main([*COMMANDS[name], "--format", "json"])
        assert json.loads(capsys.readouterr().out) == found


def test_a_result_names_its_first_texts_and_numbers() -> None:
    assert repr(noughts.match("2x2")) == "<Match: board 2x2:2, position ../.., x random, o random, x_wins 1>"
