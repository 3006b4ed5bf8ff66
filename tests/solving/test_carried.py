"""What the package carries a proof of is answered by it, and said to be; what it does not tell is searched."""

from __future__ import annotations

import numpy as np
import pytest

from noughts.judge.proofs.judge import judge_proof
from noughts.judge.proofs.sections import WinJudge
from noughts.kernels.search import threats as field
from noughts.known import boards, proofs
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import cells_of
from noughts.rules.position import Position
from noughts.solving.api import prove
from noughts.solving.attack.attacker import Attacker
from noughts.solving.engines import solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.search import SearchSolution

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
