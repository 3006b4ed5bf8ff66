"""The page on rules: its facts are run, and its rule of your own is counted and solved as brute force has it."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts
from noughts.counting.engines import ENGINES, answer
from noughts.counting.question import SAMENESSES, Question
from noughts.rules import add_rules
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidQuestion, InvalidType
from noughts.rules.game import Game, Marks
from noughts.rules.registry import RULES
from noughts.solving.api import prove
from noughts.solving.classgraph import ClassGraph
from tests import naive
from tests.test_other_games import rows_of

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "how-to" / "rules.md"
EXAMPLE = ROOT / "examples" / "rules" / "maker.py"
FACTS = re.findall(r"^\| `((?:count|solve|review) [^`]+)` \| ([^|]+) \|", PAGE.read_text(), re.MULTILINE)


def test_there_are_three_facts_of_each_rule() -> None:
    boards = " ".join(command for command, _ in FACTS)
    for options in ("gravity", "wild", "notakto", "order|chaos", "1x6:2|exact"):
        assert len(re.findall(rf"\S*(?:{options})\S*", boards)) == 3


@pytest.mark.parametrize(("command", "said"), FACTS, ids=[command for command, _ in FACTS])
def test_a_fact_is_what_the_command_says(command: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    from noughts.cli.main import main

    more = ["--same", "labelled"] if command.startswith("count") else []
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), *more])
    assert not ended.value.code
    headline = " ".join(capsys.readouterr().out.split("\n\n")[0].split())
    assert said.lower() in headline.lower()


# The rule of the page, written from it alone.


@pytest.fixture(scope="module", autouse=True)
def maker() -> Iterator[None]:
    """The example, whose boards are known in this module only."""
    spec = importlib.util.spec_from_file_location("maker", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    sys.modules["maker"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield
    del RULES["maker"], sys.modules["maker"]


def brute(rows: int, columns: int, k: int, torus: bool) -> naive.Rules:
    board = naive.grid(rows, columns, k, torus=torus)

    def outcome(position: str) -> str | None:
        return "X" if naive.has_line(board, position, "X") else None if "." in position else "O"

    return naive.Rules(board.cells, naive.mover, naive.blanks, naive.play, outcome)


BOARDS = {
    "2x2:2+maker": (2, 2, 2, False),
    "2x3:3+maker": (2, 3, 3, False),
    "1x6:2+maker": (1, 6, 2, False),
    "2x3:2+torus+maker": (2, 3, 2, True),
}


@pytest.mark.parametrize("spec", BOARDS)
def test_a_rule_of_your_own_is_counted(spec: str) -> None:
    rows, columns, _, torus = BOARDS[spec]
    group = naive.isometries(rows, columns, torus=torus)
    for same in SAMENESSES:
        expected = naive.table(naive.listed(brute(*BOARDS[spec])), same, group, group)
        assert rows_of(answer(Question(Board.parse(spec), same))) == expected


@pytest.mark.parametrize("spec", BOARDS)
def test_a_rule_of_your_own_is_solved_and_its_best_moves_keep_the_value(spec: str) -> None:
    rules, board = brute(*BOARDS[spec]), Board.parse(spec)
    graph = ClassGraph(Game(board))
    for position in {path.positions[-1] for layer in naive.listed(rules) for path in layer}:
        x, o = (sum(1 << cell for cell, mark in enumerate(position) if mark == own) for own in "XO")
        number = graph.number_of(Marks(x, o))
        assert (graph.values[number], graph.remoteness[number]) == naive.ends(rules, position)[:2]
        assert noughts.Position(board, x, o).problems() == ()
    assert noughts.match(board, x="perfect", o="best").value == naive.ends(rules, "." * board.cells)[0]


def test_maker_wins_weak_tic_tac_toe() -> None:
    """Published: J. Beck, Combinatorial Games, 2008, section 1: the 3x3 game is a weak win."""
    assert noughts.solve("3x3+maker").outcome() == "X"
    assert "Maker can force a win after any of your moves." in noughts.explain("3x3+maker", "b2").sentences


def test_its_words_are_those_of_the_game() -> None:
    asked = (noughts.count, noughts.solve, noughts.explain, noughts.openings, noughts.positions)
    for shown in [ask("2x3:3+maker") for ask in asked]:
        assert not re.search(r"\b[XO] (wins|to move|can)\b|\bby [XO]\b|Order", str(shown)), str(shown)
    assert noughts.play("2x3:3+maker", "a1", o="perfect").sentence.endswith("Your move: you are Maker.")


def test_engines_that_do_not_know_a_rule_refuse_it() -> None:
    question = Question(Board.parse("2x3:3+maker"))
    able = []
    for row in ENGINES:
        try:
            answer(question, engine=row.name)
            able.append(row.name)
        except BudgetError:
            pass
    assert able == ["plain"]
    with pytest.raises(InvalidQuestion, match=r"training cannot be used with \+maker, which is not a rule of noughts"):
        noughts.training.GamesAtOnce("2x3:3+maker")
    with pytest.raises(InvalidQuestion, match=r"a proof cannot be used with \+maker, which is not a rule of noughts"):
        prove("2x3:3+maker")
    with pytest.raises(BudgetError):
        noughts.solve("4x4:4+maker")


def test_what_cannot_be_added_gets_a_sentence() -> None:
    base = RULES["maker"]
    for option, why in (
        ("wild", "taken"),
        ("torus", "taken"),
        ("", "not in small letters"),
        ("A1", "not in small letters"),
    ):
        with pytest.raises(InvalidQuestion, match=why):
            add_rules(type("Other", (base,), {"option": option}))
    with pytest.raises(InvalidType, match="a subclass of PlayRules"):
        add_rules(Board)  # type: ignore[arg-type]
    with pytest.raises(noughts.rules.InvalidBoard, match=r"\+maker says who wants a line, so \+misere cannot"):
        Board.parse("3x3+maker+misere")


def test_the_example_is_short_and_runs_as_a_command() -> None:
    assert len(EXAMPLE.read_text().splitlines()) < 150
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "solve", "3x3+maker"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("3x3:3+maker: Maker wins with best play, in 7 plies.")
