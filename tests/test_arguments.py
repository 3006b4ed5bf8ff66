"""A wrong argument gets one sentence that says what was expected, in every function and every place."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import MISSING
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noughts
from noughts import InputError, NoughtsError
from noughts.machine.budget import parse_duration
from noughts.rules import InvalidCell, InvalidPosition, InvalidType
from noughts.rules.arguments import path_of
from noughts.rules.gravity import Gravity
from noughts.verbs.table import VERBS, request_of
from noughts.worksheets.sheet import KINDS

GOOD: dict[str, tuple[Any, ...]] = {
    "cell_name": ("3x3", 4),
    "cells_as": ("numbers",),
    "format_position": (noughts.rules.parse_position("3x3", "a1"),),
    "parse_cell": ("3x3", "b2"),
    "parse_position": ("3x3", "a1"),
    "add_rules": (Gravity,),
    "array_policy": ("2x2", list),
    "policy": ("2x2", "block"),
    "evaluate": ("2x2", "block"),
    "images": ("3x3", noughts.rules.parse_position("3x3", "a1")),
    "look_up_sequence": ("A061526",),
    "match": ("2x2", ["random", "block"]),
    "misere_quotient": ("1x3:2+notakto",),
    "check": ("a.proof",),
    "draw": (noughts.Board.parse("3x3"),),
    "export": ("2x2", "a.csv"),
    "puzzles": ("3x3",),
    "query": ("2x2", "select 1"),
    "review": ("3x3", "a1"),
    "referee": ("2x2", [sys.executable, "-c", ""]),
    "same": ("3x3", "a1", "c3"),
    "same_games": ("3x3", "a1", "c3"),
    "sequence": ("1x1..2x2",),
    "site": ("2x2", "site"),
    "solve_infinite": ("9+infinite",),
    "whatis": (26830,),
}
"""Arguments that work; for the functions that are not here the board alone is enough."""

HOMES = [noughts, *(getattr(noughts, room) for room in dir(noughts) if room not in (*noughts.__all__, "training"))]
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: thing for home in HOMES for name in home.__all__ if inspect.isfunction(thing := getattr(home, name))
}
"""Those of the package and of its rooms."""
NOT_BY_VERB = {"catalogue", "force", "images", "policy", "prove", "punishments", "secure"} | {
    name for name in FUNCTIONS if "_" in name and name != "solve_blindfold"
}
UNTYPED: Any = noughts
"""The package without its types, so that wrong ones can be given."""

WRONG: tuple[Any, ...] = (None, 3.5, [], b"3x3", np.array([1, 2]), object())
"""An array is neither equal to a word nor different from it: where one is looked for in a list, NumPy fails."""


UNHASHED = {
    "force": "needs a drawn pattern, which 2x2 has not",
    "referee": "needs a program that plays",
    "serve": "does not return",
    "sheet": "has a test of its own, kind by kind",
    "verify": "takes minutes",
}
"""Functions whose results are not tried, and why."""


def call(name: str, parameter: inspect.Parameter, wrong: object) -> None:
    function = FUNCTIONS[name]
    arguments = list(GOOD.get(name, () if name == "verify" else ("2x2",)))
    if name == "verify":
        function(**{"time": "0.001s", parameter.name: wrong})
        return
    index = list(inspect.signature(function).parameters).index(parameter.name)
    if index < len(arguments):
        arguments[index] = wrong
        function(*arguments)
    else:
        function(*arguments, **{parameter.name: wrong})


def is_allowed(name: str, parameter: inspect.Parameter, wrong: object) -> bool:
    """Whether a value that most parameters refuse may be given: nothing, a fraction of a second, a list."""
    if wrong is None:
        return "None" in str(parameter.annotation)
    if isinstance(wrong, float):
        return parameter.name in ("time", "mutations", "build_time", "memory", "move_time", "start_time")
    takes_moves = any(kind in str(parameter.annotation) for kind in ("PositionLike", "Moves"))
    return isinstance(wrong, list) and (parameter.name in ("parts", "arrows") or takes_moves)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_type_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        refused = [wrong for wrong in WRONG if not is_allowed(name, parameter, wrong)]
        assert len(refused) >= 3
        for wrong in refused:
            with pytest.raises(InputError) as caught:
                call(name, parameter, wrong)
            assert "\n" not in str(caught.value), parameter
            assert len(str(caught.value)) < 260, parameter


HOSTILE: tuple[Any, ...] = (10**5000, -(10**5000), "\udcff", "a" * 100_000, "a/" * 50_000, np.array([[1, 2]]), 2**64)
"""Right types with senseless values: a number too long to write, a name too long for a file system."""


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("verify", "serve", "whatis")])
def test_a_hostile_value_gets_an_answer_or_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        for hostile in HOSTILE if parameter.kind is not parameter.VAR_KEYWORD else ():
            message = ""
            try:
                call(name, parameter, hostile)
            except NoughtsError as error:
                message = str(error)
            assert "\n" not in message, parameter
            assert len(message) < 400, parameter


def test_integers_of_numpy_are_integers() -> None:
    three: Any = np.int64(3)
    size: Any = np.int64(10**9)
    assert noughts.analysis.running_score("3x3", games=three) == noughts.analysis.running_score("3x3", games=3)
    assert noughts.sheet("3x3", "win", three, seed=three) == noughts.sheet("3x3", "win", 3, seed=3)
    assert noughts.menace("3x3", games=three, seed=three) == noughts.menace("3x3", games=3, seed=3)
    assert noughts.count("3x3", to_ply=three, memory=size) == noughts.count("3x3", to_ply=3)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in UNHASHED])
def test_every_result_is_hashable(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    hash(FUNCTIONS[name](*GOOD.get(name, ("2x2",))))


@pytest.mark.parametrize("kind", KINDS)
def test_every_worksheet_is_hashable(kind: str) -> None:
    assert hash(noughts.sheet("3x3", kind, 1)) == hash(noughts.sheet("3x3", kind, 1))


def test_wrong_types_are_type_errors_too() -> None:
    for wrong in WRONG:
        with pytest.raises(TypeError, match="a board cannot be") as caught:
            UNTYPED.explain(wrong)
        assert isinstance(caught.value, InvalidType | ValueError)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: UNTYPED.Position(3, 1, 2), "the board of a position cannot be an int"),
        (lambda: UNTYPED.Position(UNTYPED.Board.parse("3x3"), None), "a set of cells cannot be None"),
        (lambda: UNTYPED.Position(UNTYPED.Board.parse("3x3"), 1, []), "a set of cells cannot be a list"),
        (lambda: UNTYPED.counting.Question("3x3"), "the board of a question cannot be a str"),
        (lambda: UNTYPED.Board.grid("3", 3), "rows cannot be a str"),
        (lambda: UNTYPED.Board.grid(3, 3, 2.5), "k cannot be a float"),
        (lambda: UNTYPED.Board.from_lines(3, 5), "lists of cells"),
        (lambda: UNTYPED.Board.from_lines(3, [["a"]]), "lists of cells"),
        (lambda: UNTYPED.Board.from_lines(3, [[0]], symmetries=np.array([1, 2])), "lists of cells"),
        (lambda: UNTYPED.Board.from_lines(3, np.array([1, 2])), "lists of cells"),
        (lambda: UNTYPED.analysis.Selection(won=np.array([1, 2])), "won cannot be a ndarray"),
        (
            lambda: UNTYPED.counting.Question(UNTYPED.Board.parse("2x2"), np.array([1, 2])),
            "same cannot be a ndarray: give one",
        ),
        (lambda: UNTYPED.Board.parse("3x3").group("all"), "the symmetry cannot be 'all': choose from board, lines"),
        (lambda: UNTYPED.analysis.Selection(trap="yes"), "trap cannot be a str: give True or False"),
        (lambda: UNTYPED.analysis.catalogue("3x3").where(3), "a selection cannot be an int"),
        (lambda: UNTYPED.analysis.catalogue("3x3")[7], "cannot be an int"),
        (lambda: UNTYPED.positions("3x3", colour="red"), "unknown condition 'colour'"),
        (lambda: UNTYPED.solve("3x3").outcome(5), "cannot be an int"),
        (
            lambda: UNTYPED.match("3x3", x=lambda position: None),
            "cannot be None: give a blank cell, a list of them",
        ),
        (lambda: UNTYPED.payoff("3x3", {"X": 3}), "cannot be an int: give two numbers"),
    ],
)
def test_so_are_those_of_classes_and_methods(make: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()


def test_every_verb_is_a_function() -> None:
    """Of the same name, but for `blindfold`, a room, and `puzzle`; and functions take a board, then a start."""
    other = {"blindfold": "solve_blindfold", "puzzle": "puzzles"}
    verbs = {other.get(verb, verb) for verb in VERBS}
    assert verbs | {"matrix", "sequence"} == set(FUNCTIONS) - NOT_BY_VERB
    for name in ("count", "explain", "force", "openings", "patterns", "prove", "secure", "solve", "tree"):
        parameters = list(inspect.signature(FUNCTIONS[name]).parameters.values())
        assert [parameter.name for parameter in parameters[:2]] == ["board", "start"]
        assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters[2:])
    for name in FUNCTIONS:
        assert "position" not in inspect.signature(FUNCTIONS[name]).parameters or name in ("format_position", "images")


PYTHON_ONLY = {"progress", "threads", "solution", "theme", "started", "watch"}
"""Parameters that hold Python: who hears of progress, results that are there already, colours of a picture."""
COMMANDS_ONLY = {"save", "on", "games", "swap", "directory"}
"""Options for which Python has a method of the result or the workers."""
OTHERWISE: dict[str, tuple[str, str]] = {
    "blindfold": ("never_lose_too parts rules", "blind collision opening_told proof safe told with_"),
    "check": ("path", "files"),
    "count": ("", "check column dry_run explain"),
    "draw": ("decimals scoring thing", "board layout position"),
    "evaluate": ("policy", "bot"),
    "explain": ("start", "position"),
    "export": ("path", "output"),
    "match": ("", "sample seed"),
    "openings": ("", "forced_wins opening"),
    "patterns": ("", "pattern player"),
    "payoff": ("", "fairest player"),
    "play": ("", "words"),
    "positions": (
        "conditions",
        "decision drawn fork label layout limit matchbox ply real_decision symmetric terminal to_move trap "
        "unfinished won",
    ),
    "puzzle": ("", "about answers hints"),
    "serve": ("", "share"),
    "site": ("folder", "output"),
    "solve": ("start", "all_moves by_ply column dry_run line position proof resume same workers"),
    "tree": ("", "decimals scoring"),
    "whatis": ("board carried number", "everything words"),
}
"""For a verb what only its function has, and what only its request: other functions or methods of results do it."""
DEFAULTS = {
    ("breed", "against"): ("random",),
    ("menace", "expect"): 0,
    ("play", "seed"): 0,
    ("sheet", "seed"): 0,
    ("verify", "time"): None,
}
"""Defaults of a function where the request has another, which its answer replaces."""


def alike(default: object) -> object:
    """Return a default as text: nothing where there is none, lengths of time in seconds, words as they are typed."""
    if default in (None, (), "", inspect.Parameter.empty, MISSING):
        return ""
    return str(parse_duration(default)) if isinstance(default, str) and default[-1:] == "s" else str(default)


@pytest.mark.parametrize("verb", VERBS)
def test_a_function_takes_what_the_request_of_its_verb_takes(verb: str) -> None:
    """Under the same names and with the same defaults."""
    function = FUNCTIONS[{"blindfold": "solve_blindfold", "puzzle": "puzzles"}.get(verb, verb)]
    parameters = inspect.signature(function).parameters
    asked = {each.field: each for each in request_of(verb).options()}
    both = {
        field: name
        for field, each in asked.items()
        for name in dict.fromkeys((field, each.name, field.rstrip("_")))
        if name in parameters
    }
    own, others = (set(words.split()) for words in OTHERWISE.get(verb, ("", "")))
    assert set(parameters) - set(both.values()) - PYTHON_ONLY == own
    assert set(asked) - set(both) - COMMANDS_ONLY == others
    for field, name in both.items():
        if name != "board":  # which one verb takes for granted, and another does not
            wanted = DEFAULTS.get((verb, field), asked[field].default)
            assert alike(parameters[name].default) == alike(wanted), name


@pytest.mark.usefixtures("remembered")
def test_a_cell_is_given_by_name_number_or_index() -> None:
    position = noughts.Position(noughts.Board.parse("3x3"))
    for cell in ("c3", "C3", "9", 8):
        assert str(position.play(cell)) == ".../.../..X"
        assert noughts.rules.parse_cell("3x3", cell) == 8
        assert noughts.rules.cell_name("3x3", cell) == "c3"
        assert noughts.tree("3x3", opening=cell) == noughts.tree("3x3", opening=8)
        strategy = noughts.solve_blindfold("3x3", first=cell).strategy
        assert strategy is not None
        assert [plan.call for plan in strategy.branches.values()] == [8]
    with pytest.raises(InvalidCell, match="cells are 0 to 8 as integers"):
        noughts.rules.parse_cell("3x3", 9)
    with pytest.raises(InvalidCell, match="by number 1 to 9"):
        position.play("10")
    with pytest.raises(InvalidPosition, match="b2 is not blank"):
        position.play("b2").play(4)


def test_the_moves_of_a_position() -> None:
    start = noughts.rules.parse_position("3x3", "a1 b1")
    assert start.moves() == (2, 3, 4, 5, 6, 7, 8)
    assert noughts.rules.parse_position("3x3", "XXX/OO./...").moves() == ()
    assert noughts.rules.parse_position("3x3", start) is start


def test_a_position_in_place_of_a_board_has_one() -> None:
    with pytest.raises(InvalidType, match=r"a board cannot be a Position: give its board, as in position\.board$"):
        noughts.explain(noughts.Position("3x3"))  # type: ignore[arg-type]
    with pytest.raises(InvalidType, match=r"a board cannot be an int: .*, or a Board$"):
        noughts.explain(3)  # type: ignore[arg-type]


def test_a_name_of_255_characters_is_the_longest() -> None:
    assert path_of("the file", "a" * 255) == Path("a" * 255)
    with pytest.raises(InputError, match="too long a name"):
        path_of("the file", "a" * 256)
