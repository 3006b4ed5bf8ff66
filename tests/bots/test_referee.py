"""Every line a program's answers allow: counts against brute force that shares no code, both orders, all sides."""

from __future__ import annotations

import hashlib
import shlex
import sys
from collections import Counter
from collections.abc import Callable

import pytest

import noughts
from noughts.bots.lines import most_questions
from noughts.rules.board import Board
from noughts.verbs.referee import report
from tests import naive
from tests.bots.programs import cell_names, hashed, playing, program
from tests.dear import dear

Moves = tuple[int, ...]
Answer = Callable[[Moves], int]
BOARDS = {
    "3x3": (3, 3, naive.grid(3, 3, 3)),
    "3x3+misere": (3, 3, naive.grid(3, 3, 3, misere=True)),
    "2x3:2": (2, 3, naive.grid(2, 3, 2)),
    "2x4:3": (2, 4, naive.grid(2, 4, 3)),
    "3x2+torus": (3, 2, naive.grid(3, 2, 2, torus=True)),
    "2x2x2:2+misere": (2, 2, naive.grid(2, 2, 2, layers=2, misere=True)),
}


def lines_of(game: naive.Game, role: str, answer: Answer) -> tuple[Counter[str], list[Moves], list[tuple[str, Moves]]]:
    """How all lines end for the player, those that it loses, and what it was asked."""
    ends: Counter[str] = Counter()
    lost: list[Moves] = []
    asked: list[tuple[str, Moves]] = []

    def go_on(position: str, moves: Moves) -> None:
        outcome = naive.line_outcome(game, position)
        if outcome is not None:
            ends["draws" if outcome == "draw" else "wins" if outcome == role else "losses"] += 1
            lost.extend([moves] * (outcome not in ("draw", role)))
            return
        cells = naive.blanks(position)
        if naive.mover(position) == role:
            asked.append((position, moves))
            cells = [answer(moves)]
        for cell in cells:
            go_on(naive.play(position, cell), (*moves, cell))

    go_on("." * game.cells, ())
    return ends, lost, asked


def hashed_answer(names: list[str], *, ordered: bool) -> Answer:
    def answer(moves: tuple[int, ...]) -> int:
        told = [names[cell] for cell in moves]
        blanks = [cell for cell in range(len(names)) if cell not in moves]
        text = " ".join(told if ordered else sorted(told))
        return blanks[int(hashlib.md5(text.encode()).hexdigest(), 16) % len(blanks)]

    return answer


@pytest.mark.parametrize("role", ["X", "O"])
@pytest.mark.parametrize("spec", sorted(BOARDS))
def test_the_lines_are_those_of_brute_force(tmp_path, spec, role):
    game = BOARDS[spec][2]
    names = [noughts.rules.cell_name(spec, cell) for cell in range(game.cells)]
    ends, lost, asked = lines_of(game, role, hashed_answer(names, ordered=True))
    found = noughts.referee(spec, program(tmp_path, hashed(), names), as_=role)
    record = found.as_dict()
    assert [record[end] for end in ("wins", "draws", "losses")] == [ends[end] for end in ("wins", "draws", "losses")]
    assert (record["lines"], record["illegal"]) == (sum(ends.values()), 0)
    assert found.sides[0].questions == len(asked)
    assert found.consistent
    shortest = min(lost, key=lambda moves: (len(moves), moves), default=None)
    assert record["shortest_loss"] == (None if shortest is None else [names[cell] for cell in shortest])
    assert found.passed == (not lost)


@pytest.mark.parametrize("spec", dear(["3x3", "2x4:3"], "3x3"))
def test_by_positions_the_same_lines_are_counted_with_fewer_questions(tmp_path, spec):
    rows, columns, game = BOARDS[spec]
    names = cell_names(rows, columns)
    command = program(tmp_path, hashed("sorted(moves)"), names)
    found = {same: noughts.referee(spec, command, same=same) for same in ("history", "position")}
    counted = {
        same: [each.as_dict()[key] for key in ("lines", "wins", "draws", "losses")] for same, each in found.items()
    }
    assert counted["history"] == counted["position"]
    for role, side in zip("XO", found["position"].sides, strict=True):
        ends, _, asked = lines_of(game, role, hashed_answer(names, ordered=False))
        assert (side.wins, side.draws, side.losses) == (ends["wins"], ends["draws"], ends["losses"])
        assert side.questions < len(asked)
    assert [sorted(map(repr, side.blunders or ())) for side in found["history"].sides] == [
        sorted(map(repr, side.blunders or ())) for side in found["position"].sides
    ]


@pytest.mark.parametrize("role", ["X", "O"])
def test_blunders_are_the_moves_that_give_value_away(tmp_path, role):
    game, names, expected = BOARDS["3x3"][2], cell_names(), {}
    answer = hashed_answer(names, ordered=False)
    sign, said = 1 if role == "X" else -1, {1: "win", 0: "draw", -1: "loss"}
    for position, moves in lines_of(game, role, answer)[2]:
        cell, before = answer(moves), sign * naive.value(game, position)
        values = {each: sign * naive.value(game, naive.play(position, each)) for each in naive.blanks(position)}
        if values[cell] < before:
            better = [names[each] for each in values if values[each] == before]
            expected[position] = (names[cell], said[before], said[values[cell]], better)
    found = noughts.referee("3x3", program(tmp_path, hashed("sorted(moves)")), as_=role).sides[0]
    assert expected == {
        str(each.position).replace("/", ""): (str(each.move), each.before, each.after, list(map(str, each.better)))
        for each in found.blunders or ()
    }
    assert expected


@pytest.mark.parametrize("spec", dear(["1x1", "1x2", "2x2:3", "1x5:6", "2x3:4"], "1x2", "2x2:3"))
@pytest.mark.parametrize("role", ["X", "O"])
def test_as_many_questions_as_said_are_asked_where_no_line_ends_a_game(tmp_path, spec, role):
    board = Board.parse(spec)
    rows, columns = (int(side) for side in spec.split(":")[0].split("x"))
    command = program(tmp_path, playing("blanks[0]"), cell_names(rows, columns))
    for same in ("history", "position"):
        asked = noughts.referee(board, command, as_=role, same=same).sides[0].questions
        most = most_questions(board, role, by_position=same == "position")
        assert asked <= most
        assert same == "position" or board.lines or asked == most


@pytest.mark.parametrize("spec", dear(["3x3", "2x3:2+misere"], "3x3"))
def test_count_finds_as_many_games_for_the_same_bot(tmp_path, spec):
    """Once for a program, once for our engine that plays a numbered bot: two ways to play, and a third to count."""
    names = [noughts.rules.cell_name(spec, cell) for cell in range(Board.parse(spec).cells)]
    command = program(tmp_path, hashed("sorted(moves)"), names)
    bot = f"genome:all:XO:{'3z' * (40 if spec == '3x3' else 2)}"
    engine = [sys.executable, "-m", "noughts", "engine", spec, "--strength", bot]
    for policy, told in ((f"program:{shlex.join(command)}", command), (bot, engine)):
        x, o = noughts.referee(spec, told).sides
        found = noughts.count(spec, x_moves=policy).totals
        assert (found.finished, found.x_wins, found.draws, found.o_wins) == (x.lines, x.wins, x.draws, x.losses)
        found = noughts.count(spec, o_moves=policy).totals
        assert (found.finished, found.o_wins, found.draws, found.x_wins) == (o.lines, o.wins, o.draws, o.losses)


# Programs whose answers vary are found out and sampled, with an interval that holds what it says.


def test_moves_at_random_are_found_out_and_sampled(tmp_path):
    lots = (
        f"random.seed(1)  # else one run in a hundred has lots outside the interval\n{playing('random.choice(blanks)')}"
    )
    found = noughts.referee("3x3", program(tmp_path, lots), games=None)
    assert not found.consistent
    assert [side.games for side in found.sides] == [1000, 1000]
    assert found.lines == 2000
    assert found.wins + found.draws + found.losses == 2000
    for side in found.sides:
        assert side.two_answers is not None
        assert side.chance_of_loss is not None
        exact = noughts.match("3x3")  # both at random
        loses = exact.o_wins if side.role == "X" else exact.x_wins
        assert side.chance_of_loss.low < loses < side.chance_of_loss.high
        assert side.shortest_loss is not None
        assert len(side.shortest_loss) == (6 if side.role == "X" else 5)


FAILS = {"ends": "sys.exit(5)", "is late": "time.sleep(20)", "errs": "say('bestmove z9')"}


@pytest.mark.parametrize(
    ("how", "role", "nth", "games"),
    [
        ("ends", "X", 3, None),
        ("ends", "O", 4, None),
        ("ends", "X", 30, None),
        ("ends", "X", 2, 9),
        ("errs", "X", 5, 20),
        ("errs", "O", 300, None),
        ("is late", "X", 3, None),
    ],
)
def test_every_question_that_got_no_answer_is_told_and_all_are_counted(tmp_path, how, role, nth, games):
    """A bot that fails at every third question since its start: which that is depends on what came before."""
    asked = tmp_path / "asked"
    body = f"""
count = [0]
def answer(moves, blanks):
    count[0] += 1
    fails = count[0] % {nth} == 0
    with open({str(asked)!r}, 'a') as note: note.write(' '.join(moves) + ('!' * fails) + ';')
    if fails: {FAILS[how]}
    else: say('bestmove ' + next(cell for cell in ['b2', *blanks] if cell in blanks))
"""
    command = program(tmp_path, body)
    found = noughts.referee("3x3", command, as_=role, games=games, move_time=0.05 if how == "is late" else 5.0)
    (side,) = found.sides
    questions = asked.read_text().split(";")[:-1]
    walked = 0 if side.walked is None else side.walked.questions
    assert side.asked == len(questions) == side.first_questions + walked + side.questions + side.asked_again
    told = {" ".join(noughts.rules.cell_name("3x3", cell) for cell in foul.history) for foul in side.every_foul}
    if side.erred_again:
        assert side.two_answers is not None
        told.add(" ".join(noughts.rules.cell_name("3x3", cell) for cell in side.two_answers.history))
    unanswered = {each.removesuffix("!") for each in questions if each.endswith("!")}
    assert unanswered == told
    assert not found.passed
    answered = {each for each in questions if not each.endswith("!")}
    assert found.consistent == answered.isdisjoint(unanswered)
    page = str(report(found))
    assert ("with the same answers" in page) <= found.consistent
    assert "as X it gave no move" in page or "end" in page.splitlines()[0]
