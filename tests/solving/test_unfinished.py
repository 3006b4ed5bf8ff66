"""Searches that were stopped and are gone on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, FileError, InputError
from noughts.domain.position import Position
from noughts.solving.attacking import AttackSolution
from noughts.solving.blocking import BlockingSolution
from noughts.solving.problem import SearchBudget
from noughts.solving.proving import proof_by
from noughts.solving.searching import SearchSolution
from noughts.solving.unfinished import keep_search, resume_search
from noughts.verification.proofs.judge import judge_proof


@pytest.mark.parametrize(("spec", "kind"), [("6x6:4", AttackSolution), ("6x7:5", BlockingSolution)])
def test_what_was_kept_is_not_searched_again(
    spec: str, kind: type[AttackSolution] | type[BlockingSolution], tmp_path: Path
) -> None:
    start, path = Position(Board.parse(spec)), tmp_path / "kept"
    first, again = kind(start.board), kind(start.board)
    outcome = first.outcome()
    assert keep_search(path, start, first) > 10
    resume_search(path, start, again)
    assert again.outcome() == outcome
    assert again.nodes < first.nodes / 5
    assert judge_proof(proof_by(again, start).text).claim == judge_proof(proof_by(first, start).text).claim


def test_a_search_that_was_stopped_is_ended(tmp_path: Path) -> None:
    start, path = Position(Board.parse("6x7:5")), tmp_path / "kept"
    stops = 0
    while stops < 20:
        solution = SearchSolution(start.board, budget=SearchBudget(position=60_000))
        if path.exists():
            resume_search(path, start, solution)
        try:
            assert solution.outcome() == "draw"
            break
        except BudgetError:
            keep_search(path, start, solution)
            stops += 1
    assert 0 < stops < 20
    assert judge_proof(proof_by(solution, start).text).claim == "draw"


def test_another_question_or_a_changed_file_is_refused(tmp_path: Path) -> None:
    board, path = Board.parse("5x6:4"), tmp_path / "kept"
    start = Position(board)
    solution = AttackSolution(board)
    solution.outcome()
    with pytest.raises(FileError, match="no search was kept"):
        resume_search(path, start, solution)
    keep_search(path, start, solution)
    with pytest.raises(InputError, match="is the search of"):
        resume_search(path, start.play(0), solution)
    other = Position(Board.parse("5x7:4"))
    with pytest.raises(InputError, match=r"of 5x6:4, not of .* of 5x7:4"):
        resume_search(path, other, AttackSolution(other.board))
    text = path.read_text()
    for changed in (text.replace("won", "lost"), text[:-9], "", text.replace("0", "1", 1)):
        path.write_text(changed)
        with pytest.raises(InputError, match="was changed"):
            resume_search(path, start, solution)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="was changed"):
        resume_search(path, start, solution)
