"""Games that are no marking games, counted and solved by what runs on any game, as listing all their games has it."""

from __future__ import annotations

import re
from dataclasses import asdict
from itertools import product
from typing import Any

import pytest

import noughts
from noughts.analysis.policies.genome import gene_pool
from noughts.analysis.policies.reading import policy
from noughts.counting.census import GAME_COLUMNS, Census, PlyCounts
from noughts.counting.conventions import ladder
from noughts.counting.derivation import derivation
from noughts.counting.engines import ENGINES, answer
from noughts.counting.question import SAMENESSES, Question, Sameness, definition
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.play import EndRule
from noughts.rules.position import parse_position
from noughts.solving.api import solve
from noughts.solving.class_layers import ClassLayers
from noughts.solving.classgraph import ClassGraph
from noughts.verbs.conventions import matrix, report
from noughts.verbs.count import report as census_report
from tests import naive
from tests.dear import dear
from tests.games import OTHERS, Other

SMALLEST = ("2x4:3+notakto", "3x3:3+gravity", "2x4:2+gravity", "2x2:2+wild", "1x5:3+order", "1x6:2+misere+exact")


def asked(other: Other, *parts: Any, **more: Any) -> Question:
    return Question(other.board, *parts, **more)


def rows_of(census: Census) -> list[dict[str, int | None]]:
    return [asdict(row) for row in census.plies]


def expected(other: Other, same: str, *rules: str) -> list[dict[str, int | None]]:
    return naive.table(naive.listed(other.rules, *rules), same, other.group, other.group)


@pytest.mark.parametrize("same", SAMENESSES)
@pytest.mark.parametrize("name", dear(OTHERS, "3x4:3+gravity", "4x3:3+gravity"))
def test_counted_by_the_engines_for_any_game(name: str, same: str) -> None:
    other = OTHERS[name]
    for engine in ("plain", "classes"):
        assert rows_of(answer(asked(other, same), engine=engine)) == expected(other, same), engine


WILD = [name for name, other in OTHERS.items() if other.board.rules.chooses_mark and not other.board.rules.exact]


@pytest.mark.parametrize("same", SAMENESSES)
@pytest.mark.parametrize("name", [*WILD, "1x6:3+order"])
def test_marks_that_one_chooses_are_counted_without_a_list(name: str, same: Sameness) -> None:
    """As the classes have it, also up to a ply and after some marks; by choices the positions alone."""
    board = Board.parse(name)
    starts = [None, parse_position(board, ["Xa1"]), parse_position(board, ["Xa1", "Ob1" if board.cells > 4 else "Ob2"])]
    for start, to_ply in product(starts if same == "labelled" else starts[:1], (None, 3)):
        question = Question(board, same, start=start, to_ply=to_ply)
        listed, found = (answer(question, engine=engine).plies for engine in ("classes", "subset"))
        if same == "choices":
            listed = tuple(PlyCounts(**asdict(row) | dict.fromkeys(GAME_COLUMNS)) for row in listed)
        assert found == listed


SEVERAL = (
    "1x2:3+notakto*2",
    "3x3+notakto*2",
    *(name for name, other in OTHERS.items() if other.board.rules.boards > 1),
)


@pytest.mark.parametrize("to_ply", [None, 4])
@pytest.mark.parametrize("name", SEVERAL)
def test_several_boards_are_counted_from_one(name: str, to_ply: int | None) -> None:
    """As lists of the classes count them: games where cells are distinguishable, and positions always."""
    board = Board.parse(name)
    for same in SAMENESSES:
        question = Question(board, same, to_ply=to_ply)
        listed, found = (answer(question, engine=engine).plies for engine in ("classes", "boards"))
        if same != "labelled":
            listed = tuple(PlyCounts(**asdict(row) | dict.fromkeys(GAME_COLUMNS)) for row in listed)
        assert found == listed


FROM = (
    ("2x3:3+wild", "Xa1", "line"),
    ("1x6:3+order", "Xa1 Oc1", "line"),
    ("3x3+notakto", "a1 b2", "line"),
    ("2x4:3+exact", "a1", "line"),
    ("2x2:2+notakto*2", "a1.1", "line"),
    ("2x3:2+order+exact", "Xb1", "full"),
)


@pytest.mark.parametrize(("spec", "start", "end"), FROM)
def test_from_a_position_two_engines_agree(spec: str, start: str, end: EndRule) -> None:
    at = parse_position(spec, start)
    for same in SAMENESSES:
        question = Question(at.board, same, end=end, start=at)
        assert answer(question, engine="plain").plies == answer(question, engine="classes").plies


@pytest.mark.parametrize("rules", [*product(("any", "perfect"), ("any", "perfect"), ("line", "decided"))])
@pytest.mark.parametrize("name", SMALLEST)
def test_counted_by_plain_under_the_rules_that_apply(name: str, rules: tuple[str, str, str]) -> None:
    other = OTHERS[name]
    for same in SAMENESSES:
        assert rows_of(answer(asked(other, same, *rules))) == expected(other, same, *rules)


@pytest.mark.parametrize("name", dear(OTHERS, "3x4:3+gravity", "4x3:3+gravity"))
def test_counted_by_the_class_graph(name: str) -> None:
    """Labelled games weigh an edge by its moves, games by choices count it once; orbits add up to positions."""
    other = OTHERS[name]
    graph = ClassGraph(other.game)
    for same in ("labelled", "choices"):
        ways = [1] + [0] * (len(graph.nodes) - 1)
        for number, node in enumerate(graph.nodes):
            for child, moves in node.children:
                ways[child] += ways[number] * (moves.bit_count() if same == "labelled" else 1)
        for layer, row in zip(graph.layers, expected(other, same), strict=True):
            nodes = {number: graph.nodes[number] for number in layer}
            assert sum(ways[number] for number in nodes) == row["paths"]
            assert sum(node.orbit if same == "labelled" else 1 for node in nodes.values()) == row["positions"]
            for outcome, column in (("X", "x_wins"), ("O", "o_wins"), ("draw", "draws")):
                assert sum(ways[n] for n, node in nodes.items() if node.outcome == outcome) == row[column]


@pytest.mark.parametrize("name", dear(OTHERS, "3x4:3+gravity", "4x3:3+gravity"))
def test_solved_by_the_class_graph(name: str) -> None:
    other = OTHERS[name]
    graph = ClassGraph(other.game)
    seen = set()
    for path in (path for layer in naive.listed(other.rules) for path in layer):
        if path.positions[-1] in seen:
            continue
        seen.add(path.positions[-1])
        state = other.game.start
        for move in path.cells:
            state = other.game.play(state, move)
        number = graph.number_of(state)
        value, remoteness, outcomes = naive.ends(other.rules, path.positions[-1])
        assert (graph.values[number], graph.remoteness[number]) == (value, remoteness), path
        decided = graph.decided[number]
        assert decided == (min(outcomes) if len(outcomes) == 1 else None), path
    assert sum(node.orbit for node in graph.nodes) == len(seen)


@pytest.mark.parametrize("name", OTHERS)
def test_solved_by_layers_of_classes_as_by_the_graph(name: str) -> None:
    graph, layers = ClassGraph(OTHERS[name].game), ClassLayers(OTHERS[name].game)
    assert [layer.states.size for layer in layers.layers] == [len(layer) for layer in graph.layers]
    for number, node in enumerate(graph.nodes):
        assert layers.timed_value(node.state) == graph.timed_values[number]
    for layer, numbers in zip(layers.layers, graph.layers, strict=True):
        assert int(layer.orbits.sum()) == sum(graph.nodes[number].orbit for number in numbers)


@pytest.mark.parametrize("name", [row.name for row in ENGINES if not row.any_game])
def test_most_fast_engines_take_marking_games_only(name: str) -> None:
    with pytest.raises(
        BudgetError, match=f"the engine {name} counts only games of X and O in turn.*3x3:3\\+notakto has other rules"
    ):
        answer(asked(OTHERS["3x3:3+notakto"]), engine=name)


@pytest.mark.parametrize("spec", ["2x2+wild", "2x3:3+order", "1x4:2+chaos", "2x2+notakto", "1x2:2+notakto*2"])
def test_sentences_name_the_players_as_the_game_does(spec: str) -> None:
    """Marks do not name the players of these games, so no answer says that X or O starts, moves or wins."""
    shown = [str(noughts.count(spec)), str(solve(spec)), as_text(report(matrix(spec)), PIPE)]
    shown.append(noughts.draw(noughts.Position(spec)))
    question = Question(Board.parse(spec))
    shown += [definition(question), "\n".join(line for step in derivation(answer(question)) for line in step.lines)]
    for text in shown:
        assert not re.search(r"\b[XO] (starts|to move|wins|can)\b|\b(by|for) [XO]\b", text), text


@pytest.mark.parametrize("spec", ["2x2+wild", "1x5:3+order", "2x2+chaos", "2x4:3+notakto"])
def test_positions_are_named_by_the_players_of_the_game(spec: str) -> None:
    """A win is that of a player by name, and a decision a class with several moves, as in breeding."""
    board = Board.parse(spec)
    rungs = {rung.name: rung for rung in ladder(board)}
    for mark, player in zip("XO", board.rules.players, strict=True):
        assert rungs[f"endings, {mark} wins"].meaning == f"terminal classes won by {player}"
    assert rungs["decisions"].count == len(gene_pool(board).genes)


@pytest.mark.parametrize("spec", ["2x2:2+wild", "1x5:3+order", "2x4:3+notakto", "2x2:2+notakto*2"])
def test_games_of_a_policy_are_those_of_its_rule(spec: str) -> None:
    """Counted from a table of its moves; the words name the players of the game."""
    found = noughts.count(spec, x_moves=policy(spec, "perfect"))
    assert rows_of(found) == rows_of(noughts.count(spec, x_moves="perfect"))
    words = as_text(census_report(found), PIPE).partition("\n\n")[0]
    assert f"{Board.parse(spec).rules.players[0]} plays by perfect" in " ".join(words.split())
    assert not re.search(r"\b[XO] (plays|makes)\b", words), words
