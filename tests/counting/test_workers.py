"""The layers of position classes by any workers: the same rows, and the same arrays byte by byte."""

from __future__ import annotations

import random

import numpy as np
import pytest

from noughts.counting.engines import ENGINES
from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.offers import CountingOffer, Run
from noughts.counting.question import SAMENESSES, Question
from noughts.domain.board import Board
from noughts.domain.rules import END_RULES, MOVE_RULES
from noughts.kernels.layers.advance import NO_CHILDREN, start_layer
from noughts.kernels.layers.geometry import make_geometry, prepare_leads
from noughts.kernels.layers.records import O_WINS, X_WINS
from noughts.kernels.layers.terms import RuleTerms
from noughts.machine.workers import SERIAL, Threads, Workers
from noughts.solving.layers import forward
from noughts.solving.layers.forward import expand_layer, joined, merge_chunks
from noughts.solving.layers.settle import settle
from tests.counting.comparing import offered
from tests.workers import Pickled

OTHERS: list[Workers] = [Threads(2), Threads(3), Threads(7), Pickled()]


def nothing(count: int) -> None:
    assert count > 0


@pytest.fixture(autouse=True)
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut layers into many slices and many parts, as large boards are."""
    monkeypatch.setattr(forward, "_SLICE", 30)
    monkeypatch.setattr(forward, "_PART", 50)


def layers(board: Board, limbs: int, workers: Workers) -> list[bytes]:
    """The arrays of all layers of a board, each as one."""
    geometry = make_geometry(board.cells, board.line_masks, board.group().elements)
    terms = RuleTerms(board.cells, 0, 0, 0, (X_WINS, O_WINS), True, 0, 0)
    layer, found = [start_layer(0, 0, [1] + [0] * (limbs - 1))], []
    for ply in range(board.cells - 1):
        prepare_leads(geometry, (ply + 2) // 2)
        play = terms.play(ply, limbs, emit=True)
        _, chunks = expand_layer(workers, geometry, play, layer, NO_CHILDREN, nothing)
        if not any(chunk.rows[0].size for chunk in chunks):
            break
        layer = merge_chunks(workers, board.cells, limbs, chunks)
        found.append(b"|".join(array.tobytes() for array in joined(layer)))
        leads = np.concatenate([part.leads for part in layer])
        assert (leads[1:] > leads[:-1]).all()
    return found


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2", "1x9:3"])
@pytest.mark.parametrize("limbs", [1, 2])
def test_layers_are_the_same_byte_by_byte(spec: str, limbs: int) -> None:
    board = Board.parse(spec)
    expected = layers(board, limbs, SERIAL)
    assert expected
    for workers in OTHERS:
        assert layers(board, limbs, workers) == expected


def test_rows_are_the_same() -> None:
    dice = random.Random(11)
    for spec in ("3x3", "3x3+misere", "2x5:3"):
        board = Board.parse(spec)
        for end in END_RULES:
            rules = ("any", "perfect", "quickest") if board.misere else MOVE_RULES
            question = Question(board, dice.choice(SAMENESSES), dice.choice(rules), dice.choice(rules), end)
            expected = compiled_rows(question)
            for workers in OTHERS:
                assert compiled_rows(question, workers=workers) == expected, question


def test_all_is_cut_and_sent() -> None:
    workers = Pickled()
    compiled_rows(Question(Board.parse("3x4:3"), "choices", "perfect", "perfect"), workers=workers)
    assert workers.items > 100


@pytest.mark.parametrize("rule", [0, 4])
def test_settled_values_are_the_same(rule: int) -> None:
    board = Board.parse("2x5:3")
    geometry = make_geometry(board.cells, board.line_masks, board.group().elements)
    terms = RuleTerms(board.cells, rule, 3, 1, (X_WINS, O_WINS), True, 0, 0)

    def found(workers: Workers) -> tuple[object, ...]:
        settled = settle(workers, geometry, terms, lambda what, ply, size: nothing)
        arrays = {ply: [array.tobytes() for array in some] for ply, some in settled.children.items()}
        return settled.start_value, settled.start_outcome, arrays

    expected = found(SERIAL)
    for workers in OTHERS:
        assert found(workers) == expected


@pytest.mark.parametrize(
    "name", ["frontier", "games", "points", "points-games", "transfer", "transfer-games", "transfer-points"]
)
def test_sweeps_are_the_same_by_workers_that_share_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("frontier.sweep", "transfer.values"):
        monkeypatch.setattr(f"noughts.counting.{module}._WORTH_WORKERS", 1)
    for question in (Question(Board.parse("4x4:3"), "symmetry"), Question(Board.parse("3x7:3"))):
        offer = offered(name, question)
        assert isinstance(offer, CountingOffer)
        expected = offer.count()
        sharing_nothing = Pickled()
        for workers in (*OTHERS[:3], sharing_nothing):
            assert offer.count(Run(workers)) == expected
        assert sharing_nothing.items > (2 if "points" in name else 50)  # few batches of points are enough


@pytest.mark.parametrize("name", [row.name for row in ENGINES])
def test_every_engine_keeps_here_what_must_share_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a cluster: nothing written by an item elsewhere is seen here, but for what it gives back."""
    monkeypatch.setattr("noughts.counting.points.batches._WORTH_SENDING", 0)
    for question in (Question(Board.parse("3x3")), Question(Board.parse("3x3"), "choices")):
        offer = offered(name, question)
        if isinstance(offer, CountingOffer):
            assert offer.count(Run(Pickled(here=Threads(2)))) == offer.count()
