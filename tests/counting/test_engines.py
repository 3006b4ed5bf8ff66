"""One table of questions for every engine: each that does not refuse must give what listing all games gives."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import fields
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts import count
from noughts.counting.census import Census, PlyCounts
from noughts.counting.conventions import ladder
from noughts.counting.engines import ENGINES, answer, ask
from noughts.counting.layered.walk import compiled_rows
from noughts.counting.offers import CountingOffer
from noughts.counting.question import SAMENESSES, SYMMETRIES, Question, Sameness, convention, definition
from noughts.machine.budget import Limits, Refusal
from noughts.rules.board import Board
from noughts.rules.play import END_RULES, MISERE, MOVE_RULES, MoveRule
from noughts.rules.position import parse_position
from noughts.solving.classgraph import class_graph
from tests import naive
from tests.boards import SMALL, Small, small
from tests.counting.comparing import offered
from tests.dear import dear

Pairs = list[tuple[MoveRule, MoveRule]]

PAIRS: Pairs = [
    *((rule, rule) for rule in MOVE_RULES),
    ("perfect", "any"),
    ("any", "quickest"),
    ("any", "win"),
    ("block", "fork"),
]


def answers(question: Question) -> list[Census]:
    """Return the census of each engine that does not refuse the question, checked; two at least must answer.

    On boards as small as these `layered` answers in plain Python; its compiled kernels are asked as well.
    """
    found = []
    for row in ENGINES:
        offer = offered(row.name, question)
        if isinstance(offer, Refusal):
            assert "\n" not in offer.reason
            assert row.name not in ("plain", "layered"), offer.reason
            continue
        assert offer.engine == row.name
        found.append(offer.count())
    if not question.concedes:
        found.append(Census(question, "layered", compiled_rows(question)).check())
    assert len(found) >= (2 if question.concedes else 3)
    return found


COLUMNS = [field.name for field in fields(PlyCounts)]


def rows_of(census: Census) -> list[dict[str, int | None]]:
    return [{name: getattr(row, name) for name in COLUMNS} for row in census.plies]


def differences(census: Census, expected: list[dict[str, int | None]]) -> list[str]:
    """Return each place where a census differs; a column may be absent only from an engine that says so with None."""
    got = rows_of(census)
    if [row["ply"] for row in got] != [row["ply"] for row in expected]:
        return [f"{census.engine}: plies {[row['ply'] for row in got]}, not {[row['ply'] for row in expected]}"]
    complete = census.engine in ("plain", "layered")
    return [
        f"{census.engine}, ply {row['ply']}, {name}: {count}, not {right[name]}"
        for row, right in zip(got, expected, strict=True)
        for name, count in row.items()
        if count != right[name] and (complete or count is not None)
    ]


def compare(on: Small, question: Question) -> None:
    start = str(question.start).replace("/", "").replace("|", "") if question.start else None
    expected = naive.census(
        on.game,
        question.same,
        question.x_moves,
        question.o_moves,
        question.end,
        on.group(question.symmetry),
        start,
        question.to_ply,
    )
    wrong = [line for census in answers(question) for line in differences(census, expected)]
    assert not wrong, (question, wrong)


def pairs_for(on: Small) -> Pairs:
    if on.board.misere:
        return list(product(MISERE.move_rules, MISERE.move_rules))
    return PAIRS if on.board.cells < 6 or len(on.group("lines")) <= 12 else PAIRS[2::3]


DEAR = (
    *("fano", "2x3:3+misere", "2x3:2+torus", "1x7:3", "flower", "1x5:6", "1x6:3", "3x2:3", "5x1:3", "2x1x3:3"),
    *("loose", "nothing", "1x5:3+torus", "2x2:3", "3x2:2", "1x6:3+misere", "nested", "2x3:3", "2x3:3+torus", "1x4:2"),
)


@pytest.mark.parametrize("name", dear(SMALL, *DEAR))
def test_every_question_on_small_boards(name: str) -> None:
    on = small(name)
    for (x_moves, o_moves), end, same in product(pairs_for(on), END_RULES, SAMENESSES):
        for symmetry in SYMMETRIES:
            compare(on, Question(on.board, same, x_moves, o_moves, end, symmetry))


@pytest.mark.parametrize("name", dear(["2x3:2", "2x2:2", "1x6:3", "flower"], "2x3:2", "1x6:3", "flower"))
def test_every_pair_of_rules(name: str) -> None:
    on = small(name)
    for (x_moves, o_moves), end in product(product(MOVE_RULES, repeat=2), END_RULES):
        compare(on, Question(on.board, "choices", x_moves, o_moves, end))
        compare(on, Question(on.board, "labelled", x_moves, o_moves, end))


CONCEDING: Pairs = [("concede", "concede"), ("concede", "any"), ("win", "concede"), ("perfect", "concede")]


@pytest.mark.parametrize(
    "name", dear(["2x3:2", "1x6:3", "flower", "3x3", "2x4:3", "2x3:2+torus"], "2x4:3", "3x3", "flower")
)
def test_players_who_concede(name: str) -> None:
    """Two threats end the game, whoever makes them, unless the side to move completes a line; nothing else changes."""
    on = small(name)
    for (x_moves, o_moves), end, same in product(CONCEDING, END_RULES[:2], SAMENESSES):
        compare(on, Question(on.board, same, x_moves, o_moves, end))


def test_conceding_from_a_position_and_whoever_starts() -> None:
    on = small("2x3:2")
    for text in starts(on):
        start = parse_position(on.board, text)
        for same, end in product(SAMENESSES, END_RULES[:2]):
            compare(on, Question(on.board, same, "concede", "concede", end, start=start))
    mirrored = Question(Board.parse("3x3"), "choices", "win", "concede", starts="O")
    exchanged = Question(Board.parse("3x3"), "choices", "concede", "win")
    sums = [answer(question).totals for question in (mirrored, exchanged)]
    assert (sums[0].finished, sums[0].x_wins, sums[0].o_wins) == (sums[1].finished, sums[1].o_wins, sums[1].x_wins)


def starts(on: Small) -> list[str]:
    """Return every position from which a game may be counted, finished ones too, one from each class."""
    reachable = {naive.position_class(position, on.isometries) for position in naive.reachable(on.game)}
    return sorted(reachable)


@pytest.mark.parametrize(
    "name",
    dear(
        ["2x2:2", "2x3:2", "2x3:3", "3x2:3", "1x6:3", "2x3:3+misere", "loose", "2x3:3+torus", "nested"],
        *("2x3:2", "2x3:3", "3x2:3", "1x6:3", "2x3:3+misere", "loose", "2x3:3+torus", "nested"),
    ),
)
def test_from_every_position(name: str) -> None:
    on = small(name)
    rules: Pairs = [("any", "any")] if on.board.misere else [("any", "any"), ("block", "win")]
    for text in starts(on):
        start = parse_position(on.board, text)
        for (x_moves, o_moves), end, same in product(rules, END_RULES, SAMENESSES):
            compare(on, Question(on.board, same, x_moves, o_moves, end, start=start))
        compare(on, Question(on.board, "symmetry", "any", "any", "line", "lines", start))
        compare(on, Question(on.board, "choices", "any", "any", "line", "lines", start))


@pytest.mark.parametrize("name", ["2x3:2", "1x6:3", "loose"])
def test_playing_on_from_a_position_after_a_line(name: str) -> None:
    """With the end rule `full` a game may be counted from where somebody has a line already, the other not."""
    on = small(name)
    for marks in product(".XO", repeat=on.board.cells):
        text = "".join(marks)
        has = [naive.has_line(on.game, text, player) for player in "XO"]
        if text.count("X") - text.count("O") in (0, 1) and has[0] != has[1]:
            if text != naive.position_class(text, on.isometries) or text.count(".") > 3:
                continue
            start = parse_position(on.board, text)
            for same in SAMENESSES:
                compare(on, Question(on.board, same, "win", "any", "full", start=start))


@pytest.mark.parametrize("name", dear(["2x3:2", "1x6:3", "flower", "1x5:6"], "1x6:3", "flower", "1x5:6"))
def test_up_to_every_ply(name: str) -> None:
    on = small(name)
    for to_ply, end, same in product((0, 1, 3, 4, on.board.cells, on.board.cells + 1), END_RULES, SAMENESSES):
        rules: tuple[MoveRule, MoveRule] = ("any", "any") if to_ply % 2 else ("perfect", "block")
        compare(on, Question(on.board, same, *rules, end, to_ply=to_ply))
    start = parse_position(on.board, naive.play("." * on.board.cells, 1))
    for to_ply, same in product((1, 2, 4), SAMENESSES):
        compare(on, Question(on.board, same, start=start, to_ply=to_ply))


def grid(spec: str, *sides: int, k: int, torus: bool = False, misere: bool = False) -> Small:
    rows, columns, layers = (*sides, 1) if len(sides) == 2 else sides
    game = naive.grid(rows, columns, k, layers, torus, misere)
    return Small(Board.parse(spec), game, naive.isometries(rows, columns, layers, torus))


@pytest.mark.slow
def test_three_by_three_by_listing_all_games() -> None:
    on = grid("3x3", 3, 3, k=3)
    for end, same in product(END_RULES, SAMENESSES):
        compare(on, Question(on.board, same, end=end))


@pytest.mark.slow
def test_three_by_three_with_players_who_see_threats_in_every_sense() -> None:
    on = grid("3x3", 3, 3, k=3)
    pairs: tuple[tuple[MoveRule, MoveRule], ...] = (("fork", "block"), ("block", "fork"))
    for (first, second), end, same in product(pairs, END_RULES, SAMENESSES):
        compare(on, Question(on.board, same, first, second, end))


def test_three_by_three_with_players_who_see_threats() -> None:
    """The board up to a ply; whole games are listed among the slow tests."""
    on = grid("3x3", 3, 3, k=3)
    compare(on, Question(on.board, "symmetry", "fork", "block", "line", to_ply=6))
    compare(on, Question(on.board, "choices", "block", "fork", "decided", to_ply=5))
    compare(on, Question(on.board, "symmetry", "perfect", "perfect", "line", "lines", to_ply=5))


@pytest.mark.parametrize(
    ("spec", "sides", "k", "torus", "to_ply"),
    dear(
        [
            ("3x3", (3, 3), 3, False, 6),
            ("3x4:3", (3, 4), 3, False, 5),
            ("4x3:3", (4, 3), 3, False, 5),
            ("2x5:3", (2, 5), 3, False, 5),
            ("2x2x2:2", (2, 2, 2), 2, False, 8),
            ("2x2x2:3", (2, 2, 2), 3, False, 5),
            ("1x8:4", (1, 8), 4, False, 7),
            ("2x4:3+torus", (2, 4), 3, True, 6),
            ("2x3:2+torus", (2, 3), 2, True, 6),
            ("3x3+torus", (3, 3), 3, True, 5),
        ],
        ("2x4:3+torus", (2, 4), 3, True, 6),
        *(("4x3:3", (4, 3), 3, False, 5), ("3x4:3", (3, 4), 3, False, 5), ("3x3", (3, 3), 3, False, 6)),
        *(("3x3+torus", (3, 3), 3, True, 5), ("1x8:4", (1, 8), 4, False, 7), ("2x5:3", (2, 5), 3, False, 5)),
        ("2x2x2:3", (2, 2, 2), 3, False, 5),
    ),
)
def test_larger_boards_up_to_a_ply(spec: str, sides: tuple[int, ...], k: int, torus: bool, to_ply: int) -> None:
    on = grid(spec, *sides, k=k, torus=torus)
    for same in SAMENESSES:
        compare(on, Question(on.board, same, to_ply=to_ply))
        if on.board.cells < 12:
            compare(on, Question(on.board, same, "win", "block", to_ply=to_ply))


@pytest.mark.parametrize(("one", "twin"), [("2x4:3", "4x2:3"), ("2x5:2", "5x2:2"), ("2x2x3:2", "3x2x2:2")])
def test_twins_have_the_same_census(one: str, twin: str) -> None:
    """A board turned on its side counts the same, by every engine that can; and X first is not O first."""
    for same in SAMENESSES:
        first, *others = [c for spec in (one, twin) for c in answers(Question(Board.parse(spec), same, to_ply=7))]
        rows = rows_of(first)
        for census in others:
            assert not differences(census, rows)
        assert first.totals.x_wins is not None
        assert first.totals.o_wins is not None
        assert first.totals.x_wins > first.totals.o_wins


@pytest.mark.parametrize(
    "spec",
    dear(
        ["3x3", "3x4:3", "3x3+torus", "2x2x2:3", "1x10:3", "3x3+misere", "2x5:3"],
        "3x4:3",
        "3x3+torus",
        "3x3+misere",
        "2x2x2:3",
        "2x5:3",
    ),
)
def test_engines_agree_where_listing_is_too_slow(spec: str) -> None:
    board = Board.parse(spec)
    rules: Pairs = [("any", "any")] if board.misere else [("any", "any"), ("win", "block")]
    for (x_moves, o_moves), end, same in product(rules, END_RULES, SAMENESSES):
        if board.cells > 9 and (end, same) != ("line", "labelled"):
            continue
        first, *others = answers(Question(board, same, x_moves, o_moves, end))
        for other in others:
            assert not differences(other, rows_of(first))


# Published numbers, row by row, by every engine that can: read here from the data, without our code that verifies.

DATA = files("noughts.known")
TABLES: list[dict[str, Any]] = tomllib.loads((DATA / "mathrec-3x3.toml").read_text())["table"]
NUMBERS: dict[str, list[dict[str, Any]]] = tomllib.loads((DATA / "numbers.toml").read_text())


def rows_by_every_engine(question: Question, column: str, *, seconds: float = 30.0) -> list[list[int]]:
    """Return one column from each engine that answers quickly and gives that column: two at least."""
    columns = [[count for count in census.column(column) if count is not None] for census in by_all(question, seconds)]
    found = [counts for counts in columns if counts]
    assert len(found) >= 2
    return found


@cache
def by_all(question: Question, seconds: float) -> list[Census]:
    offers = [offered(row.name, question, Limits(seconds=seconds)) for row in ENGINES]
    return [offer.count() for offer in offers if isinstance(offer, CountingOffer)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['same']}-{table['moves']}-{table['end']}")
def test_published_tables(table: dict[str, Any]) -> None:
    question = Question(Board.parse(table["board"]), table["same"], table["moves"], table["moves"], table["end"])
    for position, column in enumerate(("ply", "positions", "terminal", "paths", "finished")):
        published = [row[position] for row in table["rows"]]
        for counts in rows_by_every_engine(question, column):
            assert counts == published, column
    totals = answer(question).totals
    assert {name: getattr(totals, name) for name in table["totals"]} == table["totals"]


THREE = Board.parse("3x3")
BY_PLY: dict[str, tuple[Question, str, int]] = {
    "A061221": (Question(THREE), "finished", 1),
    "A008907": (Question(THREE, "symmetry"), "positions", 0),
    "A048245": (Question(THREE, "symmetry"), "terminal", 0),
}
"""For a sequence by ply: the question, the column and the first ply."""

TOTALS = {"A061526": "finished", "A061527": "x_wins", "A061528": "o_wins", "A061529": "draws", "A061530": "finished"}
"""For a sequence by size of the board: the column whose total is the term."""

FALLING = {"A342329": (3, "finished"), "Connect Four, 4 rows": (1, "positions")}
"""Sequences of boards with gravity: the terms on boards that two engines count quickly, and the column of totals."""

VALUES = {"A317401": 1, "A317402": -1}
"""For a sequence of 3x3 classes by value: the value for X."""

LARGE = {
    "A317575 row 4",
    "A317575 row 5 (known part)",
    "A317576 row 4",
    "A317573 row 4",
    "A317574 row 4",
    "Connect Four, 5 rows",
    "Connect Four, 6 rows",
    "Connect Four, 7 rows",
}
"""Sequences on boards that are too large for two engines here; `noughts verify` reaches them."""


@pytest.mark.parametrize("entry", NUMBERS["sequence"], ids=lambda entry: entry["id"])
def test_published_sequences(entry: dict[str, Any]) -> None:
    name, terms = entry["id"], [int(term) for term in entry["terms"]]
    if name in BY_PLY:
        question, column, first = BY_PLY[name]
        if name == "A061221":
            terms[8] += 46080
        for counts in rows_by_every_engine(question, column):
            assert counts[first:] == terms
    elif name in TOTALS:
        rule: MoveRule = "perfect" if name == "A061530" else "any"
        for side, term in enumerate(terms[:3], 1):
            question = Question(Board.grid(side, side), "labelled", rule, rule)
            assert {sum(counts) for counts in rows_by_every_engine(question, TOTALS[name])} == {term}
    elif name in FALLING:
        many, column = FALLING[name]
        for board, term in zip(entry["checks"][0]["boards"][:many], terms, strict=False):
            assert {sum(counts) for counts in rows_by_every_engine(ask(board), column)} == {term}
    elif name in ("A212693", "Connect Four, terminal"):
        column = entry["checks"][0]["columns"][0]
        assert rows_by_every_engine(ask("connect4", to_ply=7), column) == [terms[:8]] * 2
    elif name in VALUES:
        graph = class_graph(THREE)
        assert [sum(graph.values[n] == VALUES[name] for n in layer) for layer in graph.layers] == terms
    else:
        assert name in LARGE, f"say how the new sequence {name} is tested"


def total(board: str, same: Sameness, column: str, **parts: Any) -> set[int]:
    question = Question(Board.parse(board), same, **parts)
    return {sum(counts) for counts in rows_by_every_engine(question, column)}


def rung(name: str) -> set[int]:
    return {step.count for step in ladder(THREE) if step.name == name and step.count is not None}


def smallest(player: str, opening: str | None = None) -> set[int]:
    found = (
        noughts.crib("3x3", as_=player, opening=opening, goal="perfect", count="all", engine=engine)
        for engine in ("search", "programme")
    )
    return {crib.entries if crib.proved else 0 for crib in found}


SINGLE: dict[str, Any] = {
    "41": lambda: smallest("X", "b2"),
    "56": lambda: smallest("X", "a1"),
    "94": lambda: smallest("X", "b1"),
    "127": lambda: smallest("O"),
    "19683": lambda: rung("fillings"),
    "986409": lambda: rung("sequences"),
    "549946": lambda: total("3x3", "labelled", "paths"),
    "6046": lambda: total("3x3", "labelled", "positions", end="full") & rung("balanced"),
    "5890": lambda: rung("not both lined"),
    "5478": lambda: total("3x3", "labelled", "positions") & rung("reachable"),
    "593": lambda: rung("decisions"),
    "96": lambda: rung("real decisions"),
    "138": lambda: total("3x3", "symmetry", "terminal"),
    "304": lambda: rung("matchboxes"),
    "31896": lambda: total("3x3", "symmetry", "finished"),
    "5194": lambda: total("3x3+torus", "labelled", "positions"),
    "1728": lambda: total("3x3+torus", "labelled", "finished", x_moves="block", o_moves="block"),
}
"""For each published single number how it is computed here."""

NO_COUNT = {"5812", "287", "737/1260, 121/420, 8/63"}
"""A misprint, a count whose rule gives another number, and probabilities."""


@pytest.mark.parametrize("entry", NUMBERS["number"], ids=lambda entry: entry["value"])
def test_published_single_numbers(entry: dict[str, Any]) -> None:
    if entry["value"] in NO_COUNT:
        return
    assert entry["value"] in SINGLE, f"say how the new number {entry['value']} is tested"
    assert SINGLE[entry["value"]]() == {int(entry["value"])}


@pytest.mark.parametrize(
    ("board", "parts", "games"),
    [
        ("3x3", {"start": "b2"}, 25872),
        ("3x3", {"x_moves": "win", "o_moves": "win", "end": "decided", "same": "choices"}, 4590),
        ("3x3", {"x_moves": "block", "o_moves": "block", "end": "decided", "same": "choices"}, 1145),
        ("3x3", {"end": "full"}, 362880),
        ("2x2:3", {}, 24),
        ("1x1", {}, 1),
        ("3x3:4", {"end": "decided"}, 1),
        ("3x3", {"x_moves": "perfect", "o_moves": "perfect", "end": "decided"}, 1),
    ],
)
def test_numbers_of_the_literature_and_edges(board: str, parts: dict[str, Any], games: int) -> None:
    from noughts import count

    assert count(board, **parts).totals.finished == games


# Games are the same by choices as the classes of their boards are, not as moves alike in the position before them.

ROOT = Path(__file__).resolve().parents[2]


def test_the_convention_says_what_is_counted() -> None:
    question = count("3x3", same="choices").question
    assert convention(question) == "moves to equivalent boards counted once, play stops at three in a row"
    assert "boards are the same under the symmetries of the board after each move" in definition(question)
    page = (ROOT / "docs/explanation/three-questions.md").read_text(encoding="utf-8")
    assert "1,754" in page
    assert "1,755" in page


def alike(rows: int, columns: int, k: int, plies: int, *, by_class: bool) -> int:
    """Count games, cut off at the last ply, by the classes that moves lead to, or by moves alike in their position."""
    game, group = naive.grid(rows, columns, k), naive.isometries(rows, columns)
    layer, over = {"." * game.cells: 1}, 0
    for _ in range(plies):
        after: Counter[str] = Counter()
        for board, ways in layer.items():
            keep = [image for image in group if naive.image(board, image) == board]
            moves = {min(image[cell] for image in keep) for cell in naive.blanks(board)}
            led = [naive.position_class(naive.play(board, cell), group) for cell in moves]
            for child in set(led) if by_class else led:
                after[child] += ways
        over += sum(ways for board, ways in after.items() if naive.line_outcome(game, board))
        layer = {board: ways for board, ways in after.items() if not naive.line_outcome(game, board)}
    return over + sum(layer.values())


@pytest.mark.parametrize(
    ("sides", "plies", "expected"), [((3, 3, 3), 9, (26_830, 26_830)), ((5, 5, 4), 3, (1_754, 1_755))]
)
def test_choices_go_by_classes_of_boards(sides: tuple[int, int, int], plies: int, expected: tuple[int, int]) -> None:
    assert tuple(alike(*sides, plies, by_class=each) for each in (True, False)) == expected
    rows, columns, k = sides
    found = count(f"{rows}x{columns}:{k}", same="choices", to_ply=plies)
    counted = found.totals.finished if plies == rows * columns else found.plies[plies].paths
    assert counted == expected[0]
