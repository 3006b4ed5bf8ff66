"""Proofs of what solutions say, each accepted by the judge of the package and by those of the tests."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from noughts.judge.proofs.judge import judge_proof
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError, FileError, InputError, InvalidPosition
from noughts.rules.marks import Player
from noughts.rules.position import Position
from noughts.solving.api import prove, solve
from noughts.solving.guarding import Guarding
from noughts.solving.problem import SearchBudget
from noughts.solving.proofs import STEALING, Proof, Section, proof_text, symmetries_of
from noughts.solving.proving import proof_by
from noughts.solving.resume import keep_search, resume_search
from noughts.solving.search import SearchSolution
from noughts.solving.stages import Stage
from tests.judge.playjudge import accepts
from tests.solving.test_search import random_position

JUDGED_CELLS = 30


def judged(proof: Proof) -> list[str]:
    """Have a proof judged, by the judge of the package and small ones of the tests; return the titles of its parts."""
    judgement = judge_proof(proof.text)
    assert judgement.claim == ("draw" if proof.outcome == "draw" else f"{proof.outcome} wins")
    assert judgement.board == proof.position.board.spec
    assert judgement.position == (str(proof.position) if proof.position.ply else None)
    if proof.position.board.cells <= JUDGED_CELLS:
        assert accepts(proof.text)
    return [title for title, _ in proof.sections]


@pytest.mark.parametrize(
    ("spec", "titles"),
    [
        ("1x1", ["play X to win"]),
        ("1x2:3", ["play O not to lose", STEALING]),
        ("2x2:3", ["play O not to lose", STEALING]),
        ("3x3", ["play O not to lose", STEALING]),
        ("3x3+misere", ["play O not to lose", "stop O by mirroring"]),
        ("2x4:3+misere", ["stop X by mirroring", "play X not to lose"]),
        ("7x7:7+misere", ["play O not to lose", "stop O by mirroring"]),
        ("2x3:2+misere", None),
        ("3x3+torus", ["play X to win"]),
        ("2x3x2:3", None),
        ("4x4:4", ["stop X", STEALING]),
        ("5x5:4", ["stop X by threats", STEALING]),
        ("5x6:4", ["win X"]),
        ("6x6:5", ["stop X", STEALING]),
        ("9x9:4", ["win X"]),
        ("12x12:8", ["stop X", STEALING]),
    ],
)
def test_what_is_said_of_a_board_is_proved(spec: str, titles: list[str] | None) -> None:
    proof = prove(spec)
    found = judged(proof)
    assert titles is None or found == titles
    assert proof.size == len(proof.text.encode())
    assert str(proof.size) in repr(proof).replace(",", "")


SPECS = ["3x3", "3x3+misere", "2x4:3", "3x4:3+torus", "1x5:2", "2x2x2:2", "2x2x3:3", "3x3:2+misere", "2x3:4", "3x4:3"]


@pytest.mark.parametrize("spec", SPECS)
def test_random_positions_of_small_boards_are_proved(spec: str) -> None:
    board, dice = Board.parse(spec), random.Random(spec)
    solution = solve(spec)
    for _ in range(12):
        position = random_position(board, dice)
        if position.is_terminal:
            continue
        proof = proof_by(solution, position)
        assert proof.outcome == solution.outcome(position)
        judged(proof)


def test_what_cannot_be_proved_is_said() -> None:
    with pytest.raises(InvalidPosition, match="prove an unfinished position"):
        prove("3x3", "XXX/OO./...")
    given = Board.from_lines(4, [[0, 1], [2, 3]])
    with pytest.raises(BudgetError, match="given by its lines"):
        prove(given)


# Searches that were stopped and are gone on with.


@pytest.mark.parametrize(("spec", "stage"), [("6x6:4", "threats"), ("6x7:5", "blocking")])
def test_what_was_kept_is_not_searched_again(spec: str, stage: Stage, tmp_path: Path) -> None:
    start, path = Position(Board.parse(spec)), tmp_path / "kept"
    first, again = SearchSolution(start.board, stage=stage), SearchSolution(start.board, stage=stage)
    outcome = first.outcome()
    assert keep_search(path, start, first.stages) > 10
    resume_search(path, start, again.stages)
    assert again.outcome() == outcome
    assert again.nodes < first.nodes / 5
    assert judge_proof(proof_by(again, start).text).claim == judge_proof(proof_by(first, start).text).claim


def test_a_search_that_was_stopped_is_ended(tmp_path: Path) -> None:
    start, path = Position(Board.parse("6x7:5")), tmp_path / "kept"
    stops = 0
    while stops < 20:
        solution = SearchSolution(start.board, budget=SearchBudget(position=60_000))
        if path.exists():
            resume_search(path, start, solution.stages)
        try:
            assert solution.outcome() == "draw"
            break
        except BudgetError:
            keep_search(path, start, solution.stages)
            stops += 1
    assert 0 < stops < 20
    assert judge_proof(proof_by(solution, start).text).claim == "draw"


def test_another_question_or_a_changed_file_is_refused(tmp_path: Path) -> None:
    board, path = Board.parse("5x6:4"), tmp_path / "kept"
    start = Position(board)
    solution = SearchSolution(board, stage="threats")
    solution.outcome()
    with pytest.raises(FileError, match="no search is saved"):
        resume_search(path, start, solution.stages)
    keep_search(path, start, solution.stages)
    with pytest.raises(InputError, match="is the search of"):
        resume_search(path, start.play(0), solution.stages)
    other = Position(Board.parse("5x7:4"))
    with pytest.raises(InputError, match=r"of 5x6:4, not of .* of 5x7:4"):
        resume_search(path, other, SearchSolution(other.board, stage="threats").stages)
    text = path.read_text()
    for changed in (text.replace("won", "lost"), text[:-9], "", text.replace("0", "1", 1)):
        path.write_text(changed)
        with pytest.raises(InputError, match="was changed"):
            resume_search(path, start, solution.stages)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="was changed"):
        resume_search(path, start, solution.stages)


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "4x4:3", "4x4:4", "3x3+torus", "2x3x2:3", "4x5:4"])
def test_who_does_not_lose_stops_the_other_by_threats(spec: str) -> None:
    """From positions of every kind the sections hold, for both judges."""
    board, dice, found = Board.parse(spec), random.Random(spec), 0
    for _ in range(12):
        start = random_position(board, dice)
        solution = SearchSolution(board, start, budget=SearchBudget())
        players: tuple[tuple[Player, Player], ...] = (("O", "X"), ("X", "O"))
        for breaker, maker in players:
            if start.outcome is None and solution.outcome() in ("draw", breaker):

                def holds(after: Position, of: SearchSolution = solution, by: Player = maker) -> bool:
                    return not of.can_win(after, by)

                held = Guarding(board, breaker, holds)
                section = Section(f"stop {maker} by threats", tuple(held.lines(start)))
                text = proof_text(start, f"{maker} stopped", [section], symmetries_of(board))
                assert judge_proof(text).claim == f"{maker} stopped"
                assert accepts(text)
                found += 1
    assert found > 3


@pytest.mark.parametrize("many", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_changes_of_a_proof_by_threats_are_refused(many: int) -> None:
    """A cell, a pair or a line is changed; what is still accepted is accepted by the small judge as well."""
    page = Path(__file__).resolve().parents[2] / "docs" / "reference" / "proofs.md"
    short = next(text for text in page.read_text().split("```text\n") if "\nstop X by threats" in text)
    bodies, dice = (short.partition("```")[0].splitlines(), prove("5x5:4").text.splitlines()), random.Random(38)
    refused = accepted = 0
    while refused < many:
        body = dice.choice(bodies)
        changed, begin = list(body), body.index("stop X by threats") + 1
        at = dice.randrange(begin, len(body) - 1)
        words = changed[at].split()
        spot = dice.randrange(len(words))
        if dice.random() < 0.3:
            changed[at : at + 1] = dice.choice([[], [changed[at]] * 2, [changed[at - 1]]])
        elif words[spot].isdigit():
            words[spot] = str(dice.randrange(26))
            changed[at] = " ".join(words)
        text = "\n".join(changed) + "\n"
        if changed == body:
            continue
        try:
            judge_proof(text)
        except (CheckError, InputError):
            refused += 1
            continue
        accepted += 1
        assert accepts(text)
    assert accepted < refused
