"""The policy `concede`, which may give no move: every way to play a game lets the other player win there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from noughts import evaluate, match, play, tree
from noughts.analysis.payoff.playout import versus
from noughts.judge.certificates import judge_policy
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InvalidQuestion
from tests.analysis.oracle import Oracle, oracle

BOARDS = {"3x3": oracle(3, 3, 3), "2x5:3": oracle(2, 5, 3), "3x3+torus": oracle(3, 3, 3, torus=True)}
PAIRS = [("concede", "random"), ("random", "concede"), ("concede", "concede"), ("win", "concede"), ("block", "concede")]


def conceded(brute: Oracle, s: str) -> bool:
    return not brute.over(s) and not brute.moves_of(s, "concede")


@pytest.mark.parametrize("spec", BOARDS)
def test_exact_chances_are_those_of_a_brute_force(spec: str) -> None:
    concessions = 0
    for x, o in PAIRS if spec == "3x3" else PAIRS[:2]:
        found = versus(spec, x=x, o=o)
        assert {"X": found.x_wins, "O": found.o_wins, "draw": found.draws} == BOARDS[spec].match(x, o)
        without = versus(spec, x=x.replace("concede", "block"), o=o.replace("concede", "block"))
        concessions += found.x_wins != without.x_wins
    assert concessions
    table = match(spec, ["concede", "random"])
    assert table.pairs[0].x_wins == versus(spec, x="concede", o="random").x_wins


@pytest.mark.parametrize("player", ["X", "O"])
def test_an_assessment_counts_moves_not_concessions(player: Any) -> None:
    brute, moves = BOARDS["3x3"], Fraction(0)
    layer = {brute.empty: Fraction(1)}
    while layer:
        following: dict[str, Fraction] = {}
        for s, chance in layer.items():
            own = brute.mover(s) == player
            cells = [] if brute.over(s) else brute.moves_of(s, "concede" if own else "random")
            moves += chance * (own and bool(cells))
            for cell in cells:
                after = brute.put(s, cell)
                following[after] = following.get(after, Fraction(0)) + chance / len(cells)
        layer = following
    found = evaluate("3x3", "concede")[player]
    assert found.moves == moves
    assert all(not conceded(brute, str(each.position).replace("/", "")) for each in found.blunders)
    assert found.moves < evaluate("3x3", "block")[player].moves


def test_a_game_is_over_where_an_opponent_concedes() -> None:
    brute, board, overs = BOARDS["3x3"], Board.parse("3x3"), list[str]()
    for cells in ("a1 b1 c3 a2 a3", "a1 b2 a3 c1 c3", "a1 b2 c3", "b2 a1 c3 b1 c1", ""):
        found = play(board, cells, x="human", o="concede", seed=1)
        s = str(found.after(len(cells.split()))).replace("/", "")
        is_lost = bool(cells) and conceded(brute, s)
        assert (found.conceded == "O", found.is_over) == (is_lost, is_lost)
        assert bool(found.reply) == (bool(cells) and not is_lost)
        if is_lost:
            overs.append(cells)
            threats = [cell_name(board, cell) for cell in brute.threats(s, "X")]
            assert found.sentence == f"You win! O concedes: X can complete a line at {' and '.join(threats)}."
            data = found.as_dict()
            assert (data["over"], data["outcome"], data["conceded"]) == (True, "X", "O")
            assert (data["to_move"], data["legal"], data["reply"]) == (None, [], None)
            assert found.undone == found.moves[:-1]
    assert overs == ["a1 b1 c3 a2 a3", "a1 b2 a3 c1 c3", "b2 a1 c3 b1 c1"]
    both = play(board, "a1 b1 c3 a2 a3", x="random", o="concede")
    assert (both.conceded, both.awaited, both.winner) == ("O", None, "X")


def test_its_tree_ends_where_it_concedes() -> None:
    brute = BOARDS["3x3"]
    found = tree("3x3", kind="policy", x="random", o="concede")
    ends = {node.end for node in found.nodes}
    assert ends == {None, "over", "conceded"}
    for node in found.nodes:
        s = str(node.position).replace("/", "")
        assert (node.end == "conceded") == (brute.mover(s) == "O" and conceded(brute, s))
        assert node.end != "conceded" or node.outcome == "X"
    chances = BOARDS["3x3"].match("random", "concede")
    assert found.root.score == chances["X"] - chances["O"]


def test_a_check_of_its_file_finds_the_lost_game() -> None:
    found = judge_policy({"board": "3x3", "otherwise": "concede", "moves": {"X../.../...": ["b2"]}}, "it")
    assert [side.lost is None for side in found.sides] == [False, False]
    lost = found.sides[1].lost
    assert lost is not None
    assert play("3x3", " ".join(cell_name(Board.parse("3x3"), cell) for cell in lost), o="concede").is_over


def test_under_misere_lines_are_not_blocked() -> None:
    with pytest.raises(InvalidQuestion, match="under misere try perfect"):
        versus("3x3+misere", x="concede")
