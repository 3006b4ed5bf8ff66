"""Games that are no marking games, counted and solved by what runs on any game, as listing all their games has it."""

from __future__ import annotations

import re
from dataclasses import asdict
from itertools import product
from typing import Any

import pytest

import noughts
from noughts.counting.census import GAME_COLUMNS, Census, PlyCounts
from noughts.counting.derivation import derivation
from noughts.counting.engines import ENGINES, answer
from noughts.counting.question import SAMENESSES, Question, Sameness, definition
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidQuestion
from noughts.rules.game import Marks, class_bound
from noughts.rules.play import EndRule
from noughts.rules.position import Position, parse_position
from noughts.solving.api import solve
from noughts.solving.class_layers import ClassLayers
from noughts.solving.classgraph import ClassGraph
from noughts.verbs.conventions import matrix, report
from tests import naive
from tests.dear import dear
from tests.games import OTHERS, Other

NUMBER = {"X": 1, "draw": 0, "O": -1}
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


def test_what_needs_a_list_is_refused_without_one() -> None:
    for spec in ("1x5:2+wild+exact", "3x3+notakto", "3x3+gravity"):
        with pytest.raises(BudgetError, match="has other rules"):
            answer(Question(Board.parse(spec)), engine="subset")


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


def test_what_no_formula_counts_on_several_boards_is_refused() -> None:
    board = Board.parse("3x3+notakto*4")
    assert answer(Question(board)).engine == "boards"
    for question in (Question(board, end="decided"), Question(board, x_moves="perfect")):
        with pytest.raises(BudgetError):
            answer(question)
    with pytest.raises(BudgetError, match="counts games only where cells are distinguishable"):
        answer(Question(board, "choices"), engine="boards", columns="games")
    with pytest.raises(BudgetError, match=r"counts several boards at once, and 3x3:3.notakto is one"):
        answer(Question(board.part), engine="boards")


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


def test_exact_lines_on_the_full_board_count_there_alone() -> None:
    """All 2^6 fillings in 6! orders; Order wins with a run of two in a row, a column or a diagonal, but not three."""
    census = answer(Question(Board.parse("2x3:2+order+exact"), end="full"))
    lined = naive.exact(2, 3, 2)
    full = ["".join(marks) for marks in product("XO", repeat=6)]
    by_order = sum(lined(position, "X") or lined(position, "O") for position in full)
    assert (census.totals.x_wins, census.totals.o_wins) == (720 * by_order, 720 * (64 - by_order))
    assert census.totals.draws == 0
    assert answer(Question(Board.parse("2x3:2+exact"), end="full")).totals.finished == 720


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


def test_notakto_is_won_in_the_centre_and_nowhere_else() -> None:
    """Published: T. E. Plambeck, G. Whitehead, The Secrets of Notakto, arXiv:1301.1672, section 1."""
    graph = ClassGraph(OTHERS["3x3:3+notakto"].game)
    assert graph.values[0] == 1
    assert graph.allowed("perfect")[0] == 1 << 4
    knight = {0: (5, 7), 1: (6, 8)}
    for reply, answers in knight.items():
        for cell in answers:
            state = 1 << 4 | 1 << reply | 1 << cell
            assert graph.values[graph.number_of(Marks(state, 0))] == 1, "a knight's move away from the reply wins"


@pytest.mark.parametrize(("spec", "outcome"), [("3x3+notakto", "X"), ("3x3+notakto*2", "O"), ("3x3+notakto*3", "X")])
def test_an_odd_number_of_boards_of_notakto_is_won(spec: str, outcome: str) -> None:
    """Published: T. E. Plambeck, G. Whitehead, The Secrets of Notakto, arXiv:1301.1672, section 1."""
    assert solve(spec, engine="retrograde").outcome() == outcome


def test_wild_tic_tac_toe_is_won_in_the_centre_and_its_misere_form_is_a_draw() -> None:
    """Published: Wikipedia, Wild tic-tac-toe."""
    for spec in ("3x3+wild", "3x3+wild+misere"):
        assert sorted(map(str, solve(spec).best_moves() or ())) == ["Ob2", "Xb2"]
    assert (solve("3x3+wild").outcome(), solve("3x3+wild").remoteness()) == ("X", 7)
    assert solve("3x3+wild+misere").outcome() == "draw"


@pytest.mark.parametrize("name", OTHERS)
def test_solved_by_layers_of_classes_as_by_the_graph(name: str) -> None:
    graph, layers = ClassGraph(OTHERS[name].game), ClassLayers(OTHERS[name].game)
    assert [layer.states.size for layer in layers.layers] == [len(layer) for layer in graph.layers]
    for number, node in enumerate(graph.nodes):
        assert layers.timed_value(node.state) == graph.timed_values[number]
    for layer, numbers in zip(layers.layers, graph.layers, strict=True):
        assert int(layer.orbits.sum()) == sum(graph.nodes[number].orbit for number in numbers)


def test_games_of_connect_four() -> None:
    """Published: OEIS A342329, different games of Connect Four on n + 1 columns and n rows."""
    for rows, games in enumerate((2, 90, 356_232), 1):
        census = answer(Question(Board.grid(rows, rows + 1, 4, gravity=True)))
        assert census.totals.finished == games


@pytest.mark.parametrize("name", [row.name for row in ENGINES if not row.any_game])
def test_most_fast_engines_take_marking_games_only(name: str) -> None:
    with pytest.raises(
        BudgetError, match=f"the engine {name} counts only games of X and O in turn.*3x3:3\\+notakto has other rules"
    ):
        answer(asked(OTHERS["3x3:3+notakto"]), engine=name)


def test_what_another_game_cannot_be_asked() -> None:
    other = OTHERS["3x3:3+gravity"]
    with pytest.raises(InvalidQuestion, match="'fork' has no meaning on 3x3:3\\+gravity: use any, win, block, perfect"):
        asked(other, "labelled", "fork")
    other = OTHERS["3x3:3+notakto"]
    for parts in ({"end": "full"}, {"starts": "O"}):
        with pytest.raises(InvalidQuestion, match="the first player starts, and a line ends the game"):
            asked(other, **parts)


@pytest.mark.parametrize("spec", ["2x2+wild", "2x3:3+order", "1x4:2+chaos", "2x2+notakto", "1x2:2+notakto*2"])
def test_sentences_name_the_players_as_the_game_does(spec: str) -> None:
    """Marks do not name the players of these games, so no answer says that X or O starts, moves or wins."""
    shown = [str(noughts.count(spec)), str(solve(spec)), as_text(report(matrix(spec)), PIPE)]
    shown.append(noughts.draw(noughts.Position(spec)))
    question = Question(Board.parse(spec))
    shown += [definition(question), "\n".join(line for step in derivation(answer(question)) for line in step.lines)]
    for text in shown:
        assert not re.search(r"\b[XO] (starts|to move|wins|can)\b|\b(by|for) [XO]\b", text), text


def test_a_picture_of_values_names_the_players_as_the_game_does() -> None:
    found = solve("2x2+wild")
    shown = {"can force a win": noughts.draw(found), "wins with best play": noughts.draw(found.answer())}
    for words, picture in shown.items():
        assert f"he first player to move: the second player {words}" in picture


@pytest.mark.parametrize("name", [name for name, other in OTHERS.items() if other.board.rules.boards > 1])
def test_several_boards_have_at_most_the_classes_of_the_bound(name: str) -> None:
    assert len(ClassGraph(OTHERS[name].game).nodes) <= class_bound(Position(OTHERS[name].board))
