"""The engine `streamed`: equal to `layered` wherever both answer, in memory or through a folder, by any workers."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest

from noughts.counting.layered.walk import compiled_rows
from noughts.counting.offers import CountingOffer, Run
from noughts.counting.question import Question
from noughts.counting.streamed import items, walk
from noughts.machine.cluster import cluster_at
from noughts.rules.board import Board
from noughts.rules.position import Position
from tests.counting.comparing import counted, offered, refusal
from tests.dear import dear
from tests.machine.clusters import Hosts, hosts

BOARDS = [
    "3x3:3",
    "3x4:3",
    "2x5:3",
    "3x3:3+misere",
    "3x3+torus",
    "2x2x3:2",
    "4x3:2",
    "1x9:3",
    "4x4:4",
    "4x4:3",
    "3x5:3",
]
SAME = ("choices", "labelled", "symmetry")


@pytest.fixture
def many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut layers into many items, as those of large boards are; on a cluster the cuts are made here and sent."""
    monkeypatch.setattr(walk, "ITEM_BYTES", 3_000)


small_items = pytest.mark.usefixtures("many_items")


def ask(spec: str, same: str = "choices", x_moves: str = "any", o_moves: str = "any", **more: Any) -> Question:
    return Question(Board.parse(spec), same, x_moves, o_moves, **more)  # type: ignore[arg-type]


def rules(question: Question) -> list[tuple[str, str]]:
    valued = [("perfect", "perfect"), ("any", "perfect"), ("quickest", "quickest"), ("quickest", "any")]
    if question.board.misere:
        return [("any", "any"), ("perfect", "any"), ("perfect", "quickest"), *valued]
    ruled = [("any", "any"), ("win", "win"), ("block", "block"), ("fork", "fork"), ("any", "fork"), ("block", "win")]
    return [*ruled, ("perfect", "fork"), *valued]


@pytest.mark.parametrize(
    "spec", dear(BOARDS, "3x4:3", "2x5:3", "4x3:2", "1x9:3", "4x4:4", "4x4:3", "3x5:3", "2x2x3:2", "3x3+torus")
)
def test_streamed_is_layered(spec: str) -> None:
    board = Board.parse(spec)
    others = board.group("lines").order != board.group("board").order
    for same, symmetry in product(SAME, ("board", "lines") if others else ("board",)):
        for x_moves, o_moves in rules(ask(spec)):
            question = ask(spec, same, x_moves, o_moves, symmetry=symmetry)
            if question.group.order <= 1_000:
                assert counted("streamed", question).plies == compiled_rows(question), question


@pytest.mark.parametrize(
    "spec",
    dear(["3x3:3", "3x4:3", "3x3:3+misere", "2x3:2", "1x2:3", "1x1:1", *BOARDS[4:]], *BOARDS[4:]),
)
def test_decided_is_layered(spec: str) -> None:
    for same, (x_moves, o_moves) in [*zip(cycle(SAME), rules(ask(spec))), *((same, ("any", "any")) for same in SAME)]:
        question = ask(spec, same, x_moves, o_moves, end="decided")
        assert counted("streamed", question).plies == compiled_rows(question), question


@pytest.mark.slow
@pytest.mark.parametrize(("x_moves", "o_moves"), [("any", "any"), ("fork", "block"), ("quickest", "win")])
def test_decided_is_layered_on_twenty_cells(x_moves: str, o_moves: str) -> None:
    question = ask("4x5:4", "choices", x_moves, o_moves, end="decided")
    assert counted("streamed", question, threads=2).plies == compiled_rows(question)


@small_items
@pytest.mark.parametrize(("x_moves", "o_moves"), [("any", "any"), ("fork", "perfect"), ("quickest", "block")])
def test_decided_through_a_folder(x_moves: str, o_moves: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "SLICE_ENTRIES", 500)
    question = ask("3x4:3", "choices", x_moves, o_moves, end="decided")
    for _ in range(2):
        assert counted("streamed", question, threads=2, resume=tmp_path).plies == compiled_rows(question)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["any", "block", "fork", "perfect", "quickest"])
def test_streamed_is_layered_on_twenty_cells(rule: str) -> None:
    question = ask("4x5:4", "choices", rule, rule)
    assert counted("streamed", question, threads=2).plies == compiled_rows(question)


@pytest.mark.parametrize("to_ply", [0, 1, 2, 5, 6, 11, 12, 13])
def test_up_to_a_ply(to_ply: int) -> None:
    question = ask("3x4:3", to_ply=to_ply)
    assert counted("streamed", question).plies == compiled_rows(question)


@small_items
@pytest.mark.parametrize("threads", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_a_folder_and_several_workers_change_nothing(threads: int, tmp_path: Path) -> None:
    question = ask("3x4:3", "choices", "block", "any")
    folder = tmp_path / "kept"
    for resume in (None, folder, folder):
        assert counted("streamed", question, threads=threads, resume=resume).plies == compiled_rows(question)
    assert not list(folder.glob("*.paths"))


class Stopped(Exception):
    """Stands for a kill."""


@small_items
@pytest.mark.parametrize("after", dear([1, 9, 25, 40], 1, 9, 40))
def test_a_stopped_walk_goes_on(after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask("3x4:3")
    work = items.stream_blocks
    done: list[Any] = []

    def stopping(step: Any, blocks: Any) -> Any:
        if len(done) >= after:
            raise Stopped
        done.append(blocks)
        return work(step, blocks)

    monkeypatch.setattr(walk, "stream_blocks", stopping)
    with pytest.raises(Stopped):
        counted("streamed", question, resume=tmp_path)
    made = [blocks.sets.tolist() for blocks in done if blocks.file is not None]
    done.clear()
    after = 10**6
    assert counted("streamed", question, resume=tmp_path).plies == compiled_rows(question)
    again = [blocks.sets.tolist() for blocks in done if blocks.file is not None]
    assert not [sets for sets in again if sets in made]


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (ask("4x8:4"), "up to 30 cells, but 4x8:4 has 32"),
        (ask("3x3:3", end="full"), "end at a line"),
        (ask("3x3:3", start=Position(Board.parse("3x3:3")).play(0)), "from the empty board"),
        (ask("1x7:8", symmetry="lines"), "up to 1,000 symmetries, not 5,040"),
    ],
)
def test_what_it_leaves_to_others(question: Question, why: str) -> None:
    reason = refusal("streamed", question)
    assert reason is not None
    assert why in reason


# Streaming on a real cluster: the same table when workers die or join, in memory and through a folder.

quiet = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

QUESTION = Question(Board.parse("3x4:3"), "choices", "block", "any")


def striking(found: Hosts, dice: random.Random, most: int) -> Callable[[int, int, str], None]:
    """Return a progress function that kills workers and starts others during the work."""
    calls, strikes = 0, set(dice.sample(range(3, 25), most))

    def strike(done: int, whole: int, what: str) -> None:
        nonlocal calls
        calls += 1
        if calls in strikes:
            alive = [worker for worker in found.workers if worker.poll() is None]
            for worker in dice.sample(alive, dice.randint(1, len(alive))):
                worker.send_signal(signal.SIGKILL)
            found.start_worker()

    return strike


@quiet
@pytest.mark.slow
@small_items
@pytest.mark.parametrize("saved", [False, True])
def test_workers_that_die_change_nothing(saved: bool, tmp_path: Path) -> None:
    offer = offered("streamed", QUESTION)
    assert isinstance(offer, CountingOffer)
    (tmp_path / "hosts").mkdir()
    with hosts(tmp_path / "hosts", 2) as found, cluster_at(found.address) as cluster:
        strike = striking(found, random.Random(7), 3)
        census = offer.count(Run(cluster, strike, tmp_path / "saved" if saved else None))
        assert any(worker.poll() is not None for worker in found.workers)
        assert cluster.sent > 10_000
        if saved:
            assert cluster.received < 100_000  # sums only: the numbers of paths stay in the folder
    assert census.plies == compiled_rows(QUESTION)
