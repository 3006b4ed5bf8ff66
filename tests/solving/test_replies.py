"""Long attacks, proved reply by reply: equal to every other engine, to themselves with more workers, and resumed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from noughts.judge.proofs.judge import judge_proof
from noughts.machine.workers import SERIAL, Threads, Workers
from noughts.rules.board import Board
from noughts.rules.position import Position, parse_position
from noughts.solving.attack import attacker as attackers
from noughts.solving.attack import replies
from noughts.solving.attack import tree as trees
from noughts.solving.attack.attacker import Attacker
from noughts.solving.index import PerfectIndex
from noughts.solving.proving import attack_text, proof_by
from noughts.solving.resume import Keeper, resume_search
from noughts.solving.retrograde import SmallSolution
from noughts.solving.search import SearchSolution
from noughts.solving.tables import solve_in_memory
from tests.dear import dear
from tests.solving.test_attack import compare, hypergraph, open_positions
from tests.solving.test_search import random_position
from tests.workers import Pickled


class Killed(Exception):
    """The process has ended here."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prove everything reply by reply, and take apart what resists soon."""
    monkeypatch.setattr(attackers, "PATIENCE", 0)
    monkeypatch.setattr(replies, "LIMITS", (1, 2, 4))
    monkeypatch.setattr(replies, "LIKELY", (1, 1, 2))
    monkeypatch.setattr(replies, "STEP", 8)
    monkeypatch.setattr(replies, "FRESH", 20)
    monkeypatch.setattr(replies, "HOPELESS", 3)
    monkeypatch.setattr(trees, "_TOGETHER", 3)


@pytest.mark.parametrize("seed", dear(range(60), *range(5, 60)))
def test_random_hypergraphs_have_the_values_of_the_tables(seed: int) -> None:
    board = hypergraph(seed)
    attacker, solution = Attacker(board), SmallSolution(board)
    for position in open_positions(board):
        compare(attacker, solution, position)


@pytest.mark.parametrize(("spec", "count"), dear([("4x4:3", 20), ("4x4", 15), ("4x4", 1000)], ("4x4", 1000)))
def test_positions_at_random_have_the_values_of_the_tables(spec: str, count: int) -> None:
    board = Board.parse(spec)
    attacker, solution = Attacker(board), solve_in_memory(PerfectIndex(board), packed=True, workers=Threads(2))
    dice = random.Random(count)
    for _ in range(count):
        compare(attacker, solution, random_position(board, dice))


def proved(start: Position, workers: Workers) -> tuple[str, int]:
    """Return the proof of a win by so many workers, and the attacking positions that it took."""
    attacker = Attacker(start.board)
    attacker.watch.workers = workers
    assert attacker.can_force(start, "X")
    return attack_text(attacker, start, "X"), attacker.opened


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give replies on a larger board as much as most of them take."""
    monkeypatch.setattr(replies, "LIMITS", (4, 8, 16))
    monkeypatch.setattr(replies, "LIKELY", (2, 4, 8))
    monkeypatch.setattr(replies, "STEP", 32)
    monkeypatch.setattr(replies, "FRESH", 60)
    monkeypatch.setattr(replies, "HOPELESS", 8)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(("spec", "moves"), [("6x6:4", "b2 c3"), ("5x6:4", "b2 c3")])
def test_the_proof_does_not_depend_on_who_searches(spec: str, moves: str) -> None:
    start, elsewhere = parse_position(Board.parse(spec), moves), Pickled()
    expected = proved(start, SERIAL)
    assert judge_proof(expected[0]).claim == "X wins"
    assert proved(start, Threads(2)) == expected
    assert proved(start, elsewhere) == expected
    assert elsewhere.items > 3


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("after", [1, 7])
def test_a_search_that_was_killed_is_resumed_and_gives_the_same(
    tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "_TOGETHER", 10**6)  # so workers get items of the search alone
    start, path = parse_position(Board.parse("5x6:4"), "b2 c3"), tmp_path / "kept"
    whole = SearchSolution(start.board, start, stage="threats")
    expected = proof_by(whole, start).text
    stopped = SearchSolution(start.board, start, stage="threats")
    keeper, answers = Keeper(path, start, stopped.stages, seconds=0), 0

    def keep_until_killed() -> None:
        nonlocal answers
        known = sum(map(len, stopped.stages.attacker.found()[2].values()))
        if known == answers:
            return
        keeper()
        answers = known
        if answers == after:
            raise Killed

    stopped.stages.watch.keep = keep_until_killed
    with pytest.raises(Killed):
        stopped.outcome()
    again, elsewhere = SearchSolution(start.board, start, stage="threats"), Pickled()
    again.stages.watch.workers = elsewhere
    resume_search(path, start, again.stages)
    assert proof_by(again, start).text == expected
    assert again.nodes == whole.nodes
    assert elsewhere.items == sum(map(len, whole.stages.attacker.found()[2].values())) - after
