"""One table of questions for every engine: each that does not refuse must give what listing all games gives."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

import pytest

from noughts.counting.census import Census, PlyCounts
from noughts.counting.engines import ENGINES
from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.question import SAMENESSES, SYMMETRIES, Question
from noughts.domain.board import Board
from noughts.domain.notation import parse_position
from noughts.domain.rules import END_RULES, MISERE_MOVE_RULES, MOVE_RULES, MoveRule
from noughts.machine.offers import Refusal
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
    found.append(Census(question, "layered", compiled_rows(question)).check())
    assert len(found) >= 3
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
        return list(product(MISERE_MOVE_RULES, MISERE_MOVE_RULES))
    return PAIRS if on.board.cells < 6 or len(on.group("lines")) <= 12 else PAIRS[2::3]


DEAR = (
    *("fano", "2x3:3+misere", "2x3:2+torus", "1x7:3", "flower", "1x5:6", "1x6:3", "3x2:3", "5x1:3", "2x1x3:3"),
    *("1x5:3+torus", "2x2:3", "3x2:2"),
)


@pytest.mark.parametrize("name", dear(SMALL, *DEAR))
def test_every_question_on_small_boards(name: str) -> None:
    on = small(name)
    for (x_moves, o_moves), end, same in product(pairs_for(on), END_RULES, SAMENESSES):
        for symmetry in SYMMETRIES:
            compare(on, Question(on.board, same, x_moves, o_moves, end, symmetry))


@pytest.mark.parametrize("name", dear(["2x3:2", "1x6:3", "flower"], "1x6:3", "flower"))
def test_every_pair_of_rules(name: str) -> None:
    on = small(name)
    for (x_moves, o_moves), end in product(product(MOVE_RULES, repeat=2), END_RULES):
        compare(on, Question(on.board, "choices", x_moves, o_moves, end))
        compare(on, Question(on.board, "labelled", x_moves, o_moves, end))


def starts(on: Small) -> list[str]:
    """Return every position from which a game may be counted, finished ones too, one from each class."""
    reachable = {naive.position_class(position, on.isometries) for position in naive.reachable(on.game)}
    return sorted(reachable)


@pytest.mark.parametrize(
    "name",
    dear(
        ["2x3:2", "2x3:3", "3x2:3", "1x6:3", "2x3:3+misere", "loose", "2x3:3+torus", "nested"],
        *("2x3:3", "3x2:3", "1x6:3", "2x3:3+misere", "loose", "2x3:3+torus"),
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


@pytest.mark.parametrize("name", dear(["2x3:2", "1x6:3", "flower", "1x5:6"], "flower", "1x5:6"))
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
    fork_and_block: Pairs = [("fork", "block"), ("block", "fork")]
    for (x_moves, o_moves), end in product(fork_and_block, END_RULES):
        for same in SAMENESSES:
            compare(on, Question(on.board, same, x_moves, o_moves, end))


def test_three_by_three_with_players_who_see_threats() -> None:
    on = grid("3x3", 3, 3, k=3)
    compare(on, Question(on.board, "symmetry", "fork", "block", "line"))
    compare(on, Question(on.board, "choices", "block", "fork", "decided"))
    compare(on, Question(on.board, "choices", "perfect", "perfect"))
    compare(on, Question(on.board, "symmetry", "perfect", "perfect", "line", "lines"))


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
            ("3x3+torus", (3, 3), 3, True, 5),
        ],
        *(("4x3:3", (4, 3), 3, False, 5), ("3x4:3", (3, 4), 3, False, 5), ("3x3", (3, 3), 3, False, 6)),
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
    "spec", dear(["3x3", "3x4:3", "3x3+torus", "2x2x2:3", "1x10:3", "3x3+misere", "2x5:3"], "3x4:3", "3x3+torus")
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
