"""What to play and why, against the oracle on strings, and the judge that plays all replies."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from noughts.analysis.explain.explanation import Explanation, advice, explain
from noughts.analysis.explain.facts import ValuedMove, forced_wins
from noughts.analysis.explain.openings import openings
from noughts.analysis.explain.wording import LABELS
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, moves_on
from noughts.rules.errors import BudgetError, InvalidPosition
from noughts.rules.marks import Outcome
from noughts.rules.position import Position, parse_position
from noughts.solving.api import solve
from tests.analysis.oracle import Oracle, oracle
from tests.dear import dear

BOARDS_EXPLAIN = {"3x3:3": (3, 3, 3), "2x4:3": (2, 4, 3), "4x2:3": (4, 2, 3), "2x3:2": (2, 3, 2), "1x6:3": (1, 6, 3)}
LOST_ANSWERS = ["a1 b1", "a1 c1", "a1 c2", "a1 c3", "b1 a2", "b1 a3", "b2 b1"]


def sample(board: Oracle, count: int, seed: int = 1) -> list[str]:
    going_on = [s for s in board.reachable() if not board.over(s)]
    return random.Random(seed).sample(going_on, min(count, len(going_on)))


def check(board: Oracle, spec: str, s: str) -> None:
    """Compare every entry of the contract with the oracle."""
    found: Any = explain(spec, board.slashed(s)).as_dict()
    name = board.name
    assert list(found) == [
        "board", "position", "to_move", "label", "outcome", "remoteness", "at_most", "threats", "forced", "forks",
        "trap", "moves", "forced_wins", "ways", "ways_by_choices", "predecessors", "images",
    ]  # fmt: skip
    assert found["position"] == board.slashed(s)
    assert found["to_move"] == board.mover(s)
    assert found["label"] == board.label(s)
    assert found["label"] in LABELS
    assert found["outcome"] == board.value(s)
    assert found["remoteness"] == board.remoteness(s)
    assert found["threats"] == {p: [name(c) for c in board.threats(s, p)] for p in "XO"}
    forced = board.block_rule(s)
    assert found["forced"] == ([] if forced == board.blanks(s) else [name(c) for c in forced])
    assert found["forks"] == {p: [name(c) for c in board.forks(s, p)] for p in "XO"}
    after = {c: board.put(s, c) for c in board.blanks(s)}
    loses = [board.value(t) == board.other(board.mover(s)) for t in after.values()]
    assert found["trap"] == (any(loses) and not all(loses))
    assert [list(move) for move in found["moves"]] == [
        ["cell", "label", "outcome", "remoteness", "creates_fork", "losing_answers", "class"]
    ] * len(after)
    for move, (c, t) in zip(found["moves"], after.items(), strict=True):
        facts = (name(c), board.label(t), board.value(t), board.remoteness(t), board.is_fork(t))
        assert (move["cell"], move["label"], move["outcome"], move["remoteness"], move["creates_fork"]) == facts
        assert move["class"].replace("/", "") in board.images(t)
        lost = board.losing_answers(t) if board.value(s) == "draw" else None
        assert move["losing_answers"] == (lost and {"losing": lost[0], "answers": lost[1]})
    check_losing_answers(board, s, " ".join(explain(spec, board.slashed(s)).sentences))
    won = board.value(s) == board.mover(s)
    assert found["forced_wins"] == (board.forced_wins(s) if won else [])
    assert {image.replace("/", "") for image in found["images"].values()} == set(board.images(s))


def check_losing_answers(board: Oracle, s: str, said: str) -> None:
    """Compare the sentence on losing answers with the answers of the other player, where neither threatens."""
    known = {board.name(c): board.losing_answers(board.put(s, c)) for c in board.blanks(s)}
    lost = {name: each[0] for name, each in known.items() if each is not None}
    threatened = any(board.threats(s, player) for player in "XO")
    undecided = board.value(s) == "draw" and board.label(s) != "draw"
    alike = len(set(lost.values())) < 2
    found = re.search(r"After ([^.]+) the most answers lose: (\d+) of ", said)
    assert (found is not None) == (undecided and not alike and (board.misere or not threatened))
    if found:
        best = max(lost.values())
        kinds = {"any corner": ("a1", "c1", "a3", "c3"), "any edge": ("b1", "a2", "c2", "b3")}
        named = {name for kind, names in kinds.items() if kind in found[1] for name in names if name in known}
        named |= set(re.findall(r"[a-f]\d", found[1]))
        assert named == {name for name, many in lost.items() if many == best}
        assert int(found[2]) == best


@pytest.mark.parametrize("spec", BOARDS_EXPLAIN)
def test_explanations_agree_with_the_oracle(spec):
    board = oracle(*BOARDS_EXPLAIN[spec])
    for s in sample(board, 60):
        check(board, spec, s)


def judge(board: Oracle, s: str, sequence: list[str]) -> None:
    """Play a forced win against all replies: any but the block loses at once, and so does every reply to the fork."""
    me, names = board.mover(s), {board.name(c): c for c in range(board.cells)}
    for i in range(0, len(sequence), 2):
        assert not board.over(s)
        s = board.put(s, names[sequence[i]])
        assert not board.over(s), "the fork comes before the line"
        block = sequence[i + 1] if i + 1 < len(sequence) else None
        for reply in board.blanks(s):
            t = board.put(s, reply)
            assert board.winner(t) is None, "the defender completes a line"
            wins = [c for c in board.blanks(t) if board.winner(board.put(t, c)) == me]
            assert bool(wins) == (board.name(reply) != block)
        if block:
            s = board.put(s, names[block])
    assert len(sequence) % 2 == 1


@pytest.mark.parametrize("moves", LOST_ANSWERS)
def test_every_lost_answer_can_be_punished_by_force(moves):
    board = oracle(3, 3, 3)
    facts = explain("3x3", moves)
    assert facts.label == "X can force a win"
    sequences: Any = facts.as_dict()["forced_wins"]
    assert sequences
    assert [len(sequence) for sequence in sequences] == sorted(map(len, sequences))
    for sequence in sequences:
        judge(board, str(facts.position).replace("/", ""), sequence)


@pytest.mark.parametrize(
    ("spec", "shape"), dear([("3x3:3", (3, 3, 3)), ("3x4:3", (3, 4, 3)), ("2x5:3", (2, 5, 3))], ("3x4:3", (3, 4, 3)))
)
def test_the_judge_accepts_every_forced_win(spec, shape):
    board = oracle(*shape)
    parsed, judged = Board.parse(spec), 0
    for s in sample(board, 400, seed=3):
        if board.threats(s, board.mover(s)):
            continue  # with a line to complete there is nothing to force
        position = parse_position(parsed, board.slashed(s))
        for sequence in forced_wins(position).sequences:
            judge(board, s, [board.name(c) for c in sequence])
            judged += 1
    assert judged > 20


def test_there_are_won_positions_without_forced_win():
    facts = explain("3x4:3")
    assert facts.outcome == "X"
    record: Any = facts.as_dict()
    assert record["forced_wins"] == []
    assert [m["cell"] for m in record["moves"] if m["outcome"] == "X"]
    assert explain("3x3", "a1 b1 a2 a3").as_dict()["forced_wins"] == [["b2"]]


def test_sentences():
    assert explain("3x3", "a1 b2 b1").sentences == (
        "X threatens to complete a line at c1: block there.",
        "a2, c2 and a3 also look good, but then X completes a line at c1.",
    )
    assert explain("3x3", "a1 b2 c3").sentences[1:] == ("c1 and a3 lose.", "After c1, X forks with a3.")
    assert explain("3x3", "X.X/OO./...").sentences == ("Complete your line at b1: you win at once.",)
    assert explain("3x3", "XOX/OOX/X..").sentences[0].startswith("Complete your line")
    assert explain("3x3", "XX./OO./...").sentences == ("Complete your line at c1: you win at once.",)
    assert explain("3x3", "XOX/.../OXO").sentences == (
        "Neither player can complete a line any more: the game will be a draw.",
    )


@pytest.mark.parametrize(("spec", "start"), [("1x2:2", None), ("1x3:3", "a1"), ("1x3:3+misere", None), ("1x4:3", None)])
def test_nobody_can_complete_a_line_any_more_where_somebody_could(spec, start):
    (said,) = explain(spec, start).sentences
    assert said == "Neither player can complete a line: the game will be a draw."


def test_misere_has_labels_and_no_threats():
    board = oracle(3, 3, 3, misere=True)
    for s in sample(board, 60):
        found: Any = explain("3x3+misere", board.slashed(s)).as_dict()
        assert found["label"] == board.label(s)
        assert [m["label"] for m in found["moves"]] == [board.label(board.put(s, c)) for c in board.blanks(s)]
        assert [m["remoteness"] for m in found["moves"]] == [board.remoteness(board.put(s, c)) for c in board.blanks(s)]
        assert found["threats"] is found["forced"] is found["forks"] is found["forced_wins"] is None
        assert all(m["creates_fork"] is None for m in found["moves"])


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("XXX/OO./...", "the game is over in XXX/OO./...: X has won with the line a1-b1-c1; give an unfinished"),
        ("XOX/XOO/OXX", "the game is drawn: the board is full and neither player has a line; give an unfinished"),
    ],
)
def test_where_play_must_go_on_a_finished_game_is_refused(position, words):
    with pytest.raises(InvalidPosition, match=words.replace(".", r"\.")):
        openings("3x3", position)


@pytest.mark.parametrize("spec", [*BOARDS_EXPLAIN, "3x3:3+misere", "2x3:2+misere"])
def test_finished_games_are_explained_by_their_lines(spec):
    """Who has won, and by which lines, against the oracle: of many finished boards, under misere too."""
    plain = spec.removesuffix("+misere")
    board = oracle(*BOARDS_EXPLAIN[plain], misere=spec != plain)
    over = [s for s in board.reachable() if board.over(s)]
    over = random.Random(4).sample(over, min(len(over), 150))
    assert over
    for s in over:
        found = explain(spec, board.slashed(s))
        record: Any = found.as_dict()
        lines = sorted(
            "-".join(map(board.name, line)) for line in board.lines if {s[c] for c in line} in ({"X"}, {"O"})
        )
        assert found.is_terminal
        assert (record["outcome"], record["to_move"], record["remoteness"]) == (board.winner(s) or "draw", None, 0)
        assert record["label"] == board.label(s)
        assert sorted("-".join(line) for line in record["completed"]) == lines
        assert record["moves"] == []
        assert not record["trap"]
        (said,) = found.sentences
        winner = board.winner(s)
        assert all(line in said for line in lines)
        assert said.startswith(f"{winner} has won" if winner else "The game is drawn")
        assert ("loses under misere" in said) == (winner is not None and spec != plain)
        if not board.misere:
            assert record["threats"] == record["forks"] == {"X": [], "O": []}
            assert record["forced"] == record["forced_wins"] == []


def test_boards_that_no_engine_can_value_are_refused_at_once():
    for board in ("9x9:5", "1x100:3"):
        with pytest.raises(BudgetError, match=f"{board} .*cannot be valued"):
            explain(board)


# Where a finished game was given away, against the oracle on strings.


def judged(board: Oracle, cells: list[int]) -> list[tuple[int, int, str, str, list[int]]]:
    """Every move after which its player can hope for less: its number, cell, both values, and what keeps the first."""
    found, s = [], board.empty
    for number, cell in enumerate(cells, 1):
        t = board.put(s, cell)
        if board.value(t) != board.value(s):
            keep = [c for c in board.blanks(s) if board.value(board.put(s, c)) == board.value(s)]
            found.append((number, cell, board.value(s), board.value(t), keep))
        s = t
    return found


@pytest.mark.parametrize(
    ("spec", "game", "said"),
    [
        (
            "3x3",
            "a1 b2 c3 c1 a3 b3 a2",
            ["Move 4, O on c1, lost it: b1, a2, c2 and b3 would have held the draw."],
        ),
        (
            "3x3",
            "a1 c3 b1 c1 a2 a3 c2 b2",
            [
                "Move 3, X on b1, lost it: c1 and a3 would have won.",
                "Before that: move 2, O on c3, lost (only b2 would have held the draw).",
            ],
        ),
        ("3x3", "a1 b2 c3 b1 b3 a3 c1 c2 a2", ["Neither player made a mistake: every move kept the draw."]),
        (
            "3x3+torus",
            "a1 b2 b1 a2 c1",
            ["Neither player made a mistake: X could force the win from the beginning."],
        ),
        (
            "2x3:2",
            "a1 b1 b2",
            ["Neither player made a mistake: X could force the win from the beginning."],
        ),
    ],
)
def test_what_is_said_of_a_game(spec, game, said):
    assert list(explain(spec, game).sentences[1:]) == said


def test_only_a_game_that_is_over_and_given_as_its_moves_is_judged():
    assert explain("3x3", "X.O/XO./XOX").course is None
    assert "mistakes" not in explain("3x3", "X.O/XO./XOX").as_dict()
    assert explain("3x3", "a1 b2").course is None


def test_a_game_too_large_to_value_is_still_told():
    facts = explain("10x10:3", "a1 a2 b1 b2 c1")
    assert (facts.course, facts.outcome) == (None, "X")


# Sentences about few moves and many: all are named up to eight, else the others where these are few.

BOARD = Board.parse("5x5+misere")
EMPTY = Position(BOARD)
NAMES = [cell_name(BOARD, cell) for cell in range(25)]


def listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def facts(outcome: Outcome, outcomes: Sequence[Any]) -> Explanation:
    """Facts that nobody has found out: what the moves come to is made up."""
    moves = tuple(ValuedMove(moves_on(EMPTY.board, [cell]), EMPTY, "", each, 3) for cell, each in enumerate(outcomes))
    return Explanation(EMPTY, "X can force a win" if outcome == "X" else "either can force a draw", outcome, 5, moves)


def test_the_moves_that_lose_are_named_or_the_others() -> None:
    for bad in (1, 2, 8, 9, 16, 17, 18, 24):
        rule, best, *rest = advice(facts("draw", ["draw"] * (25 - bad) + ["O"] * bad))
        assert rule == "The player who completes a line loses."
        assert best == f"To keep the draw, play {listed(NAMES[: 25 - bad]).replace(' and ', ' or ')}."
        loses = f"{listed(NAMES[25 - bad :])} {'lose' if bad > 1 else 'loses'}."
        assert rest == [f"Every move but {listed(NAMES[: 25 - bad])} loses." if bad > 16 else loses], bad


@pytest.mark.parametrize(("slack", "bad"), [(1, 1), (1, 3), (8, 8), (9, 9), (17, 1), (18, 6), (16, 1), (7, 17)])
def test_moves_that_give_up_the_win_come_first(slack: int, bad: int) -> None:
    win = 25 - slack - bad
    _, best, *rest = advice(facts("X", ["X"] * win + ["draw"] * slack + ["O"] * bad))
    assert best == f"To win, play {listed(NAMES[:win]).replace(' and ', ' or ')}."
    said = []
    for first, many, verbs in (
        (win, slack, ("gives up the win", "give up the win")),
        (25 - bad, bad, ("loses", "lose")),
    ):
        named, others = NAMES[first : first + many], NAMES[:first] + NAMES[first + many :]
        few = many > 8 and len(others) <= 8
        said.append(f"Every move but {listed(others)} {verbs[0]}." if few else f"{listed(named)} {verbs[many > 1]}.")
    assert rest == said


@pytest.mark.parametrize(
    ("spec", "start", "of_all", "good"),
    [
        ("3x3", "a1", "Only b2 keeps the draw.", "b2 keeps the draw"),
        ("3x3+misere", "a1", "To win, play b1, a2, c2 or b3.", "To win, play b1, a2, c2 or b3"),
        ("3x4:3", None, "or d3.", "or d3"),
    ],
)
def test_moves_without_a_value_are_counted_where_the_good_ones_are_named(
    spec: str, start: str | None, of_all: str, good: str
) -> None:
    whole = explain(spec, start)
    bad = [move for move in whole.moves if move.outcome != whole.outcome]
    assert of_all in " ".join(advice(whole))
    for many, words in ((1, "1 other move"), (2, "2 other moves")):
        unknown = [replace(each, outcome=None, label=None) if each in bad[:many] else each for each in whole.moves]
        said = " ".join(advice(replace(whole, moves=tuple(unknown))))
        assert f"{good}; the value of {words} was not found." in said
        assert "Only" not in said


def test_the_moves_of_a_large_board_whose_values_are_not_carried_are_counted() -> None:
    drawn, won = explain("7x7:5", "a1"), explain("6x7:4", "a1")
    for found, outcome in ((drawn, "draw"), (won, "O")):
        many = sum(move.outcome is None for move in found.moves)
        assert found.outcome == outcome
        assert many > 20
        assert f"; the value of {many} other moves was not found." in " ".join(found.sentences)


@pytest.mark.slow
def test_a_won_game_has_the_same_bound_as_solve_gives() -> None:
    assert explain("7x5:4", "a2 b3").at_most == solve("7x5:4", "a2 b3").at_most() == 19
