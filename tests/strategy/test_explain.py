"""What to play and why, against the oracle on strings, and the judge that plays all replies."""

from __future__ import annotations

import random
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InvalidPosition
from noughts.domain.linefile import board_of_lines
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.strategy.explain import explain
from noughts.strategy.forcedwins import forced_wins
from noughts.strategy.labels import LABELS
from noughts.strategy.openings import move_classes, openings
from tests.strategy.oracle import Oracle, oracle

BOARDS = {"3x3:3": (3, 3, 3), "2x4:3": (2, 4, 3), "4x2:3": (4, 2, 3), "2x3:2": (2, 3, 2), "1x6:3": (1, 6, 3)}
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
        "trap", "moves", "forced_wins",
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
        ["cell", "label", "outcome", "remoteness", "creates_fork", "class"]
    ] * len(after)
    for move, (c, t) in zip(found["moves"], after.items(), strict=True):
        facts = (name(c), board.label(t), board.value(t), board.remoteness(t), board.is_fork(t))
        assert (move["cell"], move["label"], move["outcome"], move["remoteness"], move["creates_fork"]) == facts
        assert move["class"].replace("/", "") in board.images(t)
    won = board.value(s) == board.mover(s)
    assert found["forced_wins"] == (board.forced_wins(s) if won else [])


@pytest.mark.parametrize("spec", BOARDS)
def test_explanations_agree_with_the_oracle(spec):
    board = oracle(*BOARDS[spec])
    for s in sample(board, 120):
        check(board, spec, s)


def flip(cell: str) -> str:
    """The name of a cell when columns become rows."""
    return "abcd"[int(cell[1]) - 1] + str("abcd".index(cell[0]) + 1)


def test_twins_on_3x4():
    """Rows and columns, X and O must not be confused on boards that are not square."""
    wide = oracle(3, 4, 3)
    layer = [s for s in wide.reachable() if s.count(".") == 5 and not wide.over(s)]
    for s in random.Random(2).sample(layer, 25):
        check(wide, "3x4:3", s)
        tall = "".join(s[4 * r + c] for c in range(4) for r in range(3))
        turned: Any = explain("4x3:3", "/".join(tall[i : i + 3] for i in range(0, 12, 3))).as_dict()
        found: Any = explain("3x4:3", wide.slashed(s)).as_dict()
        for player in "XO":
            assert sorted(map(flip, found["threats"][player])) == sorted(turned["threats"][player])
            assert sorted(map(flip, found["forks"][player])) == sorted(turned["forks"][player])
        assert {(flip(m["cell"]), m["label"], m["remoteness"]) for m in found["moves"]} == {
            (m["cell"], m["label"], m["remoteness"]) for m in turned["moves"]
        }


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


@pytest.mark.parametrize(("spec", "shape"), [("3x3:3", (3, 3, 3)), ("3x4:3", (3, 4, 3)), ("2x5:3", (2, 5, 3))])
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


def test_the_search_for_forced_wins_can_stop():
    position = parse_position(Board.parse("4x4:3"), "X.../..../..../...O")
    assert not forced_wins(position, limit=10).complete
    assert forced_wins(position).complete


@pytest.mark.parametrize(
    ("shape", "s"),
    [((3, 3, 3), "X.O......"), ((3, 3, 3), "X........"), ((3, 4, 3), "....O..X...."), ((2, 5, 3), "X...O.....")],
)
def test_the_search_ends_after_so_many_steps(shape, s):
    """A step is a position that the attacker comes to by threats, once more for each length that is tried."""
    board = oracle(*shape)
    me = board.mover(s)

    def steps(s: str, length: int) -> tuple[int, bool]:
        """The steps of all sequences of so many moves, and whether a longer one may be."""
        must = board.threats(s, board.other(me))
        many, longer = 1, False
        for cell in must[:1] or board.blanks(s) if len(must) < 2 else []:
            t = board.put(s, cell)
            threats = board.threats(t, me)
            if board.over(t) or len(threats) != 1 or threats[0] in board.threats(s, me):
                continue
            if length == 1:
                longer = True
            else:
                more, further = steps(board.put(t, threats[0]), length - 2)
                many, longer = many + more, longer or further
        return many, longer

    whole, length, longer = 0, 1, True
    while longer:
        more, longer = steps(s, length)
        whole, length = whole + more, length + 2
    position = parse_position(Board.grid(*shape), board.slashed(s))
    assert forced_wins(position, limit=whole).complete
    assert forced_wins(position, limit=whole).sequences == forced_wins(position).sequences
    assert not forced_wins(position, limit=whole - 1).complete


def test_forced_moves_are_empty_when_the_rule_leaves_all():
    assert explain("3x3").as_dict()["forced"] == []
    assert explain("3x3", "a1 b2 b1").as_dict()["forced"] == ["c1"]
    # One blank cell: the rule leaves all there is, a win or not.
    assert explain("3x3", "XOX/XOO/OX.").as_dict()["forced"] == []


def test_sentences():
    assert explain("3x3", "a1 b2 b1").sentences == (
        "You are threatened at c1: block there.",
        "a2, c2 and a3 also look good, but then X completes a line at c1.",
    )
    assert explain("3x3", "a1 b2 c3").sentences[1:] == ("c1 and a3 lose.", "After c1, X forks with a3.")
    assert explain("3x3", "X.X/OO./...").sentences == ("Complete your line at b1: you win at once.",)
    assert explain("3x3", "XOX/OOX/X..").sentences[0].startswith("Complete your line")
    assert explain("3x3", "XX./OO./...").sentences == ("Complete your line at c1: you win at once.",)
    assert explain("3x3", "XOX/.../OXO").sentences == (
        "Nobody can complete a line any more, however you both play: the game will be a draw.",
    )


@pytest.mark.parametrize(("spec", "start"), [("1x2:2", None), ("1x3:3", "a1"), ("1x3:3+misere", None), ("1x4:3", None)])
def test_nobody_can_complete_a_line_any_more_where_somebody_could(spec, start):
    (said,) = explain(spec, start).sentences
    assert said == "Nobody can complete a line, however you both play: the game will be a draw."


def test_lines_of_a_file_that_nobody_has_the_marks_for():
    for name, text, start, longer in (
        ("never", "1 2 3", None, ""),
        ("never", "1 2 3", "1", ""),
        ("once", "1 2 3\n1 2", "1 2", " any more"),
    ):
        (said,) = explain(board_of_lines(text, f"{name}.lines"), start).sentences
        assert said == f"Nobody can complete a line{longer}, however you both play: the game will be a draw."


@pytest.mark.parametrize("spec", ["3x3", "2x4:3", "3x3+torus", "2x2x2:2"])
def test_every_position_has_a_sentence(spec):
    board = Board.parse(spec)
    rng, position = random.Random(4), Position(board)
    for _ in range(60):
        facts = explain(board, position)
        assert facts.sentences
        assert all(s[0].isupper() or s[0] in "abc" for s in facts.sentences)
        assert all(s.endswith(".") for s in facts.sentences)
        move = rng.choice(facts.moves)
        position = position.play(move.cell)
        if position.is_terminal:
            position = Position(board)


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
        ("XXX/OOO/...", "both have a line"),
        ("XX./.../...", "too many X"),
        ("XX/..", "is no position of 3x3:3"),
    ],
)
def test_bad_positions(position, words):
    with pytest.raises(InvalidPosition, match=words.replace(".", r"\.").replace("/", "/")):
        explain("3x3", position)


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("XXX/OO./...", "the game is over in XXX/OO./...: X has won with the line a1-b1-c1; give a position in which"),
        ("XOX/XOO/OXX", "the game is drawn: the board is full and nobody has a line; give a position in which"),
    ],
)
def test_where_play_must_go_on_a_finished_game_is_refused(position, words):
    with pytest.raises(InvalidPosition, match=words.replace(".", r"\.")):
        openings("3x3", position)


@pytest.mark.parametrize("spec", [*BOARDS, "3x3:3+misere", "2x3:2+misere"])
def test_finished_games_are_explained_by_their_lines(spec):
    """Who has won, and by which lines, against the oracle: of every finished board, under misere too."""
    plain = spec.removesuffix("+misere")
    board = oracle(*BOARDS[plain], misere=spec != plain)
    over = [s for s in board.reachable() if board.over(s)]
    assert over
    for s in over:
        found = explain(spec, board.slashed(s))
        record: Any = found.as_dict()
        lines = sorted(
            "-".join(map(board.name, line)) for line in board.lines if {s[c] for c in line} in ({"X"}, {"O"})
        )
        assert found.is_over
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


def test_a_torus_is_won_by_a_line_that_wraps():
    assert explain("3x3+torus", "b1 a1 c2 b2 a3").sentences[0] == "X has won with the line b1-c2-a3."


def test_boards_that_no_engine_can_value_are_refused_at_once():
    for board in ("9x9:5", "1x100:3"):
        with pytest.raises(BudgetError, match=f"{board} .*cannot be valued"):
            explain(board)


def test_openings_of_3x3():
    theory = openings("3x3")
    assert [theory.name(o.cell) for o in theory.openings] == ["a1 (corner)", "b1 (edge)", "b2 (centre)"]
    assert (theory.replies, theory.losing_replies) == (12, 7)
    holding = {theory.name(o.cell): [theory.name(r.cell) for r in o.holding] for o in theory.openings}
    assert holding == {
        "a1 (corner)": ["b2 (centre)"],
        "b1 (edge)": ["a1 (corner)", "b2 (centre)", "b3 (edge)"],
        "b2 (centre)": ["a1 (corner)"],
    }
    assert theory.advice[1] == "After a1 (corner), only b2 (centre) holds; the other four lose."


@pytest.mark.parametrize(
    ("spec", "shape"), [("3x4:3", (3, 4, 3)), ("2x4:3", (2, 4, 3)), ("3x3+misere", (3, 3, 3, True))]
)
def test_openings_agree_with_the_oracle(spec, shape):
    board = oracle(*shape)
    theory = openings(spec)
    assert sorted(o.cells for o in theory.openings) == sorted(classes(board, board.empty))
    for opening in theory.openings:
        s = board.put(board.empty, opening.cell)
        assert (opening.outcome, opening.remoteness, opening.label) == (
            board.value(s),
            board.remoteness(s),
            board.label(s),
        )
        assert sorted(r.cells for r in opening.replies) == sorted(classes(board, s))
        for reply in opening.replies:
            t = board.put(s, reply.cell)
            assert (reply.outcome, reply.label) == (board.value(t), board.label(t))


def classes(board: Oracle, s: str) -> list[int]:
    found: dict[str, int] = {}
    for c in board.blanks(s):
        key = board.canonical(board.put(s, c))
        found[key] = found.get(key, 0) | 1 << c
    return list(found.values())


def test_move_classes_come_in_reading_order():
    assert [cell for cell, _ in move_classes(Position(Board.parse("3x4:3")))] == [0, 1, 4, 5]
