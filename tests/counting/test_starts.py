"""Games that O begins, and that either player may begin: against the list of all games, marks exchanged."""

from __future__ import annotations

from dataclasses import asdict
from itertools import product
from typing import Any

import pytest

import noughts
from noughts.counting.engines import answer, choose
from noughts.counting.question import SAMENESSES, Question
from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.rules import END_RULES
from noughts.machine.budget import Limits
from tests import naive

BOARDS = {
    "2x3:2": (naive.grid(2, 3, 2), naive.isometries(2, 3)),
    "2x3:3": (naive.grid(2, 3, 3), naive.isometries(2, 3)),
    "1x5:2": (naive.grid(1, 5, 2), naive.isometries(1, 5)),
    "2x3:3+torus+misere": (naive.grid(2, 3, 3, torus=True, misere=True), naive.isometries(2, 3, torus=True)),
    "2x2:3": (naive.grid(2, 2, 3), naive.isometries(2, 2)),
}
PAIRS = [("any", "any"), ("block", "block"), ("any", "win"), ("perfect", "any"), ("quickest", "fork")]
SWAP = {"X": "O", "O": "X", "draw": "draw", None: None}


def exchanged(path: naive.Path) -> naive.Path:
    positions = tuple(position.translate(str.maketrans("XO", "OX")) for position in path.positions)
    return naive.Path(path.cells, positions, SWAP[path.first_line], SWAP[path.outcome])


def wanted(game: naive.Game, group: Any, question: Question) -> list[dict[str, int | None]]:
    """The rows from the list of the games of both beginners; a game is told by who begins it."""
    found = []
    if question.starts in ("X", "either"):
        found.append(naive.layers(game, question.x_moves, question.o_moves, question.end))
    if question.starts in ("O", "either"):
        layers = naive.layers(game, question.o_moves, question.x_moves, question.end)
        found.append([[exchanged(path) for path in layer] for layer in layers])
    rows = []
    for ply in range(max(map(len, found))):
        paths: dict[object, str | None] = {}
        positions: dict[str, set[str]] = {}
        for beginner, layers in enumerate(found):
            for path in layers[ply] if ply < len(layers) else []:
                paths[beginner, naive.same_key(path, question.same, group)] = path.outcome
                last = path.positions[-1]
                name = last if question.same == "labelled" else naive.position_class(last, group)
                positions.setdefault(name, set()).update({path.outcome} if path.outcome else set())
        ends, over = list(paths.values()), [outcomes for outcomes in positions.values() if outcomes]
        split = question.end == "line" or (question.end == "decided" and question.starts == "O")
        rows.append(
            {
                "ply": ply,
                "positions": len(positions),
                "terminal_positions": len(over),
                **{
                    f"terminal_{who.lower()}": sum(who in outcomes for outcomes in over) if split else None
                    for who in ("X", "O", "draw")
                },
                "paths": len(paths),
                "finished": sum(1 for end in ends if end),
                "x_wins": ends.count("X"),
                "o_wins": ends.count("O"),
                "draws": ends.count("draw"),
            }
        )
    return rows


@pytest.mark.parametrize("spec", BOARDS)
def test_every_question_by_the_oracle(spec: str) -> None:
    game, group = BOARDS[spec]
    board = Board.parse(spec)
    pairs: Any = [("any", "any"), ("quickest", "any")] if board.misere else PAIRS
    for (x_moves, o_moves), end, same in product(pairs, END_RULES, SAMENESSES):
        for starts in ("O", "either"):
            question = Question(board, same, x_moves, o_moves, end, starts=starts)
            rows = wanted(game, group, question)
            for engine in ("plain", "layered"):
                found = [asdict(row) for row in answer(question, engine=engine).plies]
                assert found == rows, (question, engine)


def test_three_by_three() -> None:
    game, group = naive.grid(3, 3, 3), naive.isometries(3, 3)
    for x_moves, o_moves, end in (("block", "block", "decided"), ("fork", "block", "line")):
        for same in SAMENESSES:
            rules: Any = {"x_moves": x_moves, "o_moves": o_moves, "end": end}
            question = Question(Board.parse("3x3"), same, **rules, starts="either")
            assert [asdict(row) for row in answer(question).plies] == wanted(game, group, question)


def test_openings_and_games_double() -> None:
    for same, openings, games in (("choices", 6, 53660), ("labelled", 18, 510336), ("symmetry", 6, 63792)):
        census = noughts.count("3x3", same=same, starts="either")  # type: ignore[arg-type]
        assert census.plies[1].positions == census.plies[1].paths == openings
        assert census.totals.finished == games
        assert census.totals.x_wins == census.totals.o_wins
    assert census.plies[0].positions == 1
    assert census.plies[0].paths == 2
    assert noughts.count("3x3", starts="either").totals.positions == 8533
    assert noughts.count("3x3", starts="O").totals.o_wins == 131184


TREELESS = pytest.mark.parametrize("engine", ["inclusion", "subset", "frontier", "games"])


def agrees(engine: str, spec: str, starts: str) -> None:
    question = Question(Board.parse(spec), starts=starts)  # type: ignore[arg-type]
    known = answer(question, engine="plain").plies
    offer = choose(question, Limits.of(), engine=engine)
    for row, right in zip(offer.count().plies, known, strict=True):
        for name, count in asdict(row).items():
            assert count in (None, getattr(right, name)), (spec, starts, row.ply, name)
        assert row.finished == right.finished


@TREELESS
@pytest.mark.parametrize(("spec", "starts"), [("3x3", "either"), ("2x4:4", "either"), ("2x4:4", "O")])
def test_engines_without_a_tree_agree(engine: str, spec: str, starts: str) -> None:
    agrees(engine, spec, starts)


@pytest.mark.slow
@TREELESS
@pytest.mark.parametrize("starts", ["either", "O"])
def test_engines_without_a_tree_agree_on_twelve_cells(engine: str, starts: str) -> None:
    agrees(engine, "3x4:4", starts)


def test_large_boards_leave_out_what_must_be_listed() -> None:
    census = noughts.count("4x4:4", same="choices", x_moves="win", starts="either")
    assert census.totals.positions is None
    one, other = (noughts.count("4x4:4", same="choices", **{who: "win"}).totals for who in ("x_moves", "o_moves"))  # type: ignore[arg-type]
    assert census.totals.finished == (one.finished or 0) + (other.finished or 0)


def test_the_convention_says_who_starts() -> None:
    found = noughts.count("2x2", starts="either")
    assert "either player starts (a position reached both ways counts once)" in found.as_dict()["convention"]
    assert found.as_dict()["starts"] == "either"
    assert "O starts" in noughts.count("2x2", starts="O").as_dict()["convention"]
    assert "starts" not in noughts.count("2x2").as_dict()


def test_from_a_position_nobody_is_asked_who_starts() -> None:
    with pytest.raises(InputError, match="leave out who starts"):
        noughts.count("3x3", "a1", starts="either")
    with pytest.raises(InputError, match="must be one of X, O, either"):
        noughts.count("3x3", starts="both")  # type: ignore[arg-type]
