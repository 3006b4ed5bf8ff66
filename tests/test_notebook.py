"""Results show themselves in a notebook, without anything being imported before."""

from __future__ import annotations

from typing import Any

import noughts
from noughts.analysis.meanings.lookup import whatis
from noughts.counting.offers import Run
from noughts.machine.budget import Limits
from noughts.notebook import register
from noughts.verbs.conventions import survey


class _Formatter:
    def __init__(self) -> None:
        self.known: dict[tuple[str, str], Any] = {}

    def for_type_by_name(self, module, name, display):
        self.known[module, name] = display


class _Shell:
    def __init__(self) -> None:
        self.display_formatter = self
        self.formatters = {"text/html": _Formatter(), "image/svg+xml": _Formatter()}


def test_a_census_shows_itself_as_a_table():
    shell = _Shell()
    assert register(shell)
    display = shell.formatters["text/html"].known["noughts.counting.census", "Census"]
    html = display(noughts.count("3x3", same="choices"))
    assert html.startswith("<table>")
    assert "26,830 games" in html
    assert ">765</td>" in html


def test_positions_and_trees_show_themselves_as_pictures():
    shell = _Shell()
    register(shell)
    displays = shell.formatters["image/svg+xml"].known
    things = {
        "Position": noughts.Position(noughts.Board.parse("3x3")),
        "Board": noughts.Board.parse("3x4:3"),
        "Explanation": noughts.explain("3x3", "a1 b2"),
        "GameTree": noughts.tree("3x3", opening="b1"),
        "OpeningTheory": noughts.openings("3x3"),
        "Patterns": noughts.patterns("3x3"),
        "Payoff": noughts.payoff("3x3"),
        "Match": noughts.match("3x3"),
        "Playing": noughts.play("3x3", "a1"),
        "Learned": noughts.training.learn("2x2", games=9, looks=[]),
        "Solution": noughts.solve("3x3"),
        "Catalogue": noughts.analysis.catalogue("3x3"),
        "Record": noughts.analysis.catalogue("3x3")["a1 b2"],
    }
    assert {name for _, name in displays} == things.keys()
    for (module, name), display in displays.items():
        assert (module, name) in {(kind.__module__, kind.__name__) for kind in type(things[name]).__mro__}
        assert display(things[name]).startswith("<svg")


def test_every_other_result_shows_its_report():
    results = {
        "1 row": noughts.query("2x2", "select count(*) from classes"),
        "random": noughts.match("2x3:2", ["random", "block"]),
        "block": noughts.evaluate("2x3:2", "block"),
        "position classes": noughts.positions("2x3:2", terminal=True),
        "Move 2": noughts.review("3x3", "a1 b1 a2"),
        "it still loses": noughts.breed("2x3:2", generations=1, population=9),
        "table": noughts.crib("3x3", as_="O"),
        "X to move": noughts.puzzles("3x3", 1),
    }
    for words, result in results.items():
        shown = result._repr_html_() or ""
        assert shown.startswith("<section>")
        assert words in shown, shown
    for drawn in (noughts.match("3x3"), noughts.explain("3x3"), noughts.solve("3x3")):
        assert drawn._repr_html_() is None


def test_answers_in_words_show_themselves_as_reports():
    shell = _Shell()
    register(shell)
    displays = shell.formatters["text/html"].known
    things = {
        "PositionValue": (noughts.solve("3x3").answer("a1"), "Draw. With best play the game fills the board."),
        "BlindAnswer": (noughts.solve_blindfold("3x3"), "a blind X can avoid every loss"),
        "Census": (noughts.count("3x3"), "255,168 games"),
        "Comparison": (noughts.same("3x3", "a1", "c3"), "turn by 180 degrees"),
        "Conventions": (survey(noughts.Board.parse("3x3"), Limits(10**9), Run()), "26,830"),
        "Menace": (noughts.menace("3x3"), "304 boxes"),
        "Meanings": (whatis(26830), "noughts count 3x3:3 --same choices"),
    }
    assert {name for _, name in displays} == things.keys()
    for (module, name), display in displays.items():
        thing, words = things[name]
        assert type(thing).__name__ == name
        assert type(thing).__module__ == module
        assert words in display(thing)


def test_without_a_notebook_nothing_is_registered():
    assert not register()
