"""What the package carries a proof of is answered by it, and said to be; what it does not tell is searched."""

from __future__ import annotations

import re
from itertools import permutations

import numpy as np
import pytest

from noughts.judge.proofs.judge import judge_proof
from noughts.judge.proofs.sections import WinJudge
from noughts.kernels.search import threats as field
from noughts.known import boards, proofs
from noughts.machine.budget import Limits, Refusal
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError
from noughts.rules.marks import cells_of
from noughts.rules.position import Position
from noughts.solving.api import prove, solve
from noughts.solving.attack.attacker import Attacker
from noughts.solving.engines import choose, solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proofs import carried_proof
from noughts.solving.published import known_value, turned_boards
from noughts.solving.search import SearchSolution, offer_carried

ROWS = {row["board"]: row for row in boards()}
CARRIED = {"4x4x4:4": "4x4x4.proof", "4x9:4": "4x9-4.proof", "7x7:5": "7x7-5.proof"}


def carried(spec: str, **budget: None) -> SearchSolution:
    board = Board.parse(spec)
    found = solve_problem(Problem(board, Position(board), search=SearchBudget(**budget)))
    assert isinstance(found, SearchSolution)
    return found


@pytest.mark.parametrize("spec", sorted(CARRIED))
def test_the_empty_board_is_answered_by_the_proof(spec: str) -> None:
    solution, row, text = carried(spec), ROWS[spec], dict(proofs())[CARRIED[spec]]
    answer = solution.answer()
    assert answer.outcome == row["value"]
    assert answer.at_most == row.get("at_most")
    assert answer.nodes is None
    assert solution.nodes == 0
    assert not {"plain", "attacker"} & vars(solution.stages).keys(), "a search was begun"
    assert f"{text.count(chr(10)):,} lines that the package carries" in answer.proof
    assert len(text) == row["bytes"]
    best = solution.best_moves() or ()
    named = [cell_name(solution.board, cell) for cell in best]
    if row["value"] == "draw":
        assert len(named) == solution.board.cells
        assert answer.remoteness == solution.board.cells
    else:
        group, first = solution.board.group("board"), named.index(row["first"])
        assert {element[best[first]] for element in group.elements} == set(best)
        assert {move.outcome for move in answer.moves if not move.best} == {None}


@pytest.mark.parametrize("spec", sorted(CARRIED))
def test_the_proof_is_the_file_itself(spec: str) -> None:
    found = prove(spec)
    assert found.text == dict(proofs())[CARRIED[spec]]
    titles = [line for line in found.text.splitlines() if line[:4] in ("win ", "stop")]
    assert [title for title, _ in found.sections] == titles
    lines = found.text.splitlines()
    assert sum(many + 1 for _, many in found.sections) == len(lines) - lines.index(titles[0])


def test_the_board_lying_on_its_side_is_answered_by_the_same_proof() -> None:
    solution, upright = carried("9x4:4"), carried("4x9:4")
    here, there = solution.answer(), upright.answer()
    assert (here.outcome, here.at_most, here.nodes) == ("X", there.at_most, None)
    text = dict(proofs())["4x9-4.proof"]
    assert judge_proof(text).claim == "X wins"
    assert f"a proof of 4x9:4, which is this board turned, of {text.count(chr(10)):,} lines" in here.proof
    assert "noughts solve 4x9:4 --proof FILE writes it" in here.proof
    rows, columns = (4, 9)
    mirrored = {cell % columns * rows + cell // columns for cell in upright.best_moves() or ()}
    assert set(solution.best_moves() or ()) == mirrored
    assert solution.carried is not None
    assert solution.carried.proof is not None
    assert solution.carried.proof.position != solution.start, "the file is about the other board"
    assert not {"plain", "attacker"} & vars(solution.stages).keys(), "a search was begun"


@pytest.mark.parametrize("spec", ["4x9:4", "3x3", "2x3x4:3", "3x3x4", "3x4x3+torus", "2x5:2+misere"])
def test_a_board_lies_in_as_many_ways_as_its_sides_have_orders(spec: str) -> None:
    board = Board.parse(spec)
    found = dict(turned_boards(board))
    assert board.specification is not None
    assert len(found) == len(set(permutations(board.specification.sides)))
    assert next(iter(found.items())) == (board.spec, tuple(range(board.cells)))
    for other, turn in found.items():
        lines = {tuple(sorted(turn[cell] for cell in line)) for line in board.lines}
        assert lines == set(Board.parse(other).lines)


def test_another_engine_computes() -> None:
    board = Board.parse("7x7:5")
    start = Position(board)
    found = solve_problem(Problem(board, start), engine="search")
    assert isinstance(found, SearchSolution)
    assert choose(Problem(board, start), engine="blocking").engine == "blocking"
    assert choose(Problem(board, start.play(24))).engine == "search"


def test_a_board_without_one_is_refused_and_nobody_is_told() -> None:
    board = Board.parse("6x7:5")
    refused = offer_carried(Problem(board, Position(board)), Limits())
    assert isinstance(refused, Refusal)
    assert "does not have a proof" in refused.reason
    assert carried_proof(Position(Board.parse("6x6:4"))) is None, "it is found within a second"
    with pytest.raises(BudgetError) as raised:
        choose(Problem(Board.parse("21x21:5"), Position(Board.parse("21x21:5"))))
    assert "carries" not in str(raised.value)
    won = Board.parse("4x9:4")
    for problem in (Problem(won), Problem(won, counts_only=True), Problem(won, Position(won), remoteness=True)):
        assert isinstance(offer_carried(problem, Limits()), Refusal)


def test_what_it_does_not_tell_is_searched() -> None:
    solution = carried("4x9:4")

    at = Position(solution.board, 1 << 13 | 1 << 14, 1 << 0 | 1 << 8)
    assert solution.outcome(at) == "X"
    assert solution.nodes > 0
    after = Position(solution.board).play(13)
    assert solution.outcome(after) == "X"
    assert {move.outcome for move in solution.moves(after)} == {"X"}, "every move of O loses"
    assert solution.can_win(Position(solution.board), "X")
    assert not solution.can_win(Position(solution.board), "O")


def test_all_moves_are_searched_where_they_are_asked_for() -> None:
    solution = carried("7x7:5", moves=None, far_moves=None)
    assert {move.outcome for move in solution.moves()} == {"draw"}


@pytest.mark.parametrize("spec", ["4x9:4", pytest.param("4x4x4:4", marks=pytest.mark.slow)])
def test_the_bound_is_that_of_the_moves_of_the_judged_proof(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge walks the proof; its moves, and nothing else, make the tree whose longest line is the bound."""
    moves: list[tuple[tuple[int, int], int]] = []
    judged = WinJudge.after_reply

    def remembered(judge: WinJudge, position: tuple[int, int]) -> object:
        line = judge.script.peek()
        assert line is not None
        moves.append((position, int(line.split()[0])))
        return judged(judge, position)

    monkeypatch.setattr(WinJudge, "after_reply", remembered)
    assert judge_proof(dict(proofs())[CARRIED[spec]]).claim == "X wins"
    start = Position(Board.parse(spec))
    attacker = Attacker(start.board)
    arena = attacker._search.arena
    won = []
    for (own, other), move in moves:
        owner = np.zeros(start.board.cells, np.int8)
        owner[list(cells_of(own))], owner[list(cells_of(other))] = field.ATTACKER, field.DEFENDER
        _, picture, chosen = arena.picture(owner)
        won.append((picture, arena.image(chosen)[move]))
    attacker.learn(won, [])
    before = attacker.opened
    assert attacker.tree(start, "X").at_most() == ROWS[spec]["at_most"]
    assert attacker.opened == before


def test_what_is_known_of_an_empty_board_is_told_where_it_is_not_found() -> None:
    told = {
        spec: known_value(Position(Board.parse(spec)))
        for spec in ("8x8:5", "9x9:5", "15x15:5", "7x8:5", "8x7:5", "3x4", "3x3+misere", "9x8:5")
    }
    assert told["3x3+misere"] is told["9x8:5"] is known_value(None) is None
    assert known_value(Position(Board.parse("9x9:5")).play(0)) is None
    for spec, words in {"8x8:5": "as a draw", "9x9:5": "is open", "15x15:5": "as won by X"}.items():
        assert words in str(told[spec])
    for spec in ("7x8:5", "8x7:5"):
        assert re.search(r"7x8:5 .*is known to be a draw, which the engine blocking found in \d+ min", str(told[spec]))
    assert told["3x4"] == "3x4:3 is known to be won by X, which the engine threats found in 10 ms"
    large = Board.parse("15x15:5")
    with pytest.raises(BudgetError, match=r"try a smaller board; 15x15:5 is published as won by X, .* Allis"):
        choose(Problem(large, Position(large)), engine="search")


def test_a_draw_whose_proof_is_too_long_to_carry_is_answered_at_once() -> None:
    solution = carried("8x7:5")
    assert solution.carried is not None
    assert (solution.outcome(), solution.carried.proof) == ("draw", None)
    assert "found before by blocking in 411,698 positions" in solution.evaluate(solution.start).proof
    assert carried_proof(Position(Board.parse("8x8:5"))) is None, "published, and not proved here"


def test_a_carried_answer_comes_at_once_without_a_start() -> None:
    """The question about all positions of a board that is only searched is one about its positions one by one."""
    solution = solve("4x4x4")
    assert solution.engine == "proof"
    assert solution == solve("4x4x4", "................|................|................|................")
    assert len(solution.best_moves() or ()) == 8
    assert solve("3x3").engine == "retrograde"


def test_what_is_not_known_in_time_is_none() -> None:
    solution = solve("6x6:5+misere", time="0.01s")
    with pytest.raises(BudgetError, match="time"):
        solution.outcome()
    assert solution.best_moves() is None
    assert solve("3x3").best_moves("a1 b1 a2 b2 a3") == ()
