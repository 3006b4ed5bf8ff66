"""What is said of positions under gravity, against the list of all games and brute force on strings."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest

from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.facts import forced_wins, fork_cells, previous_positions, ways_to
from noughts.analysis.policies.programs import moves_to
from noughts.analysis.puzzles.finding import puzzles
from noughts.analysis.records.api import catalogue
from noughts.analysis.trees import tree
from noughts.drawing.trees import TreeStyle
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.position import Position, parse_position
from noughts.verbs.tree import report
from tests import naive

BOARDS = [(3, 3, 3), (3, 4, 3), (4, 3, 3), (2, 4, 2)]
RULES = {sides: naive.gravity(*sides) for sides in BOARDS}
GAMES = {sides: naive.grid(*sides) for sides in BOARDS}


def board_of(sides: tuple[int, int, int]) -> Board:
    return Board.grid(*sides, gravity=True)


def at(sides: tuple[int, int, int], text: str) -> Position:
    return parse_position(board_of(sides), text)


@cache
def reached(sides: tuple[int, int, int]) -> dict[str, int]:
    """Each position that games reach, with the number of orders of moves to it."""
    ways: dict[str, int] = {}
    for path in (path for layer in naive.listed(RULES[sides]) for path in layer):
        ways[path.positions[-1]] = ways.get(path.positions[-1], 0) + 1
    return ways


def some(sides: tuple[int, int, int], step: int = 37) -> list[str]:
    return sorted(reached(sides))[::step]


def completing(sides: tuple[int, int, int], text: str, player: str) -> list[int]:
    """The moves with which a player, to move or not, would complete a line."""
    if RULES[sides].outcome(text):
        return []
    moves = RULES[sides].moves(text)
    return [cell for cell in moves if naive.has_line(GAMES[sides], naive.put(text, cell, player), player)]


@pytest.mark.parametrize("sides", BOARDS)
def test_threats_and_forks_are_moves(sides: tuple[int, int, int]) -> None:
    for text in some(sides, 17):
        if RULES[sides].outcome(text):
            continue
        position, facts = at(sides, text), explain(board_of(sides), at(sides, text))
        for player in ("X", "O"):
            assert facts.threats is not None
            assert list(facts.threats[player]) == completing(sides, text, player)
            free = [cell for cell in RULES[sides].moves(text) if cell not in completing(sides, text, player)]
            after = {cell: naive.put(text, cell, player) for cell in free}
            forks = [cell for cell in free if len(completing(sides, after[cell], player)) > 1]
            assert [cell for cell in range(position.board.cells) if fork_cells(position, player) >> cell & 1] == forks


@pytest.mark.parametrize("sides", BOARDS)
def test_each_forced_win_forces_a_line(sides: tuple[int, int, int]) -> None:
    """After the last move of a sequence every reply lets the attacker complete a line, and none completes one."""
    seen = 0
    for text in some(sides, 11):
        if RULES[sides].outcome(text):
            continue
        attacker = naive.mover(text)
        for sequence in forced_wins(at(sides, text)).sequences:
            seen += 1
            end = text
            for number, cell in enumerate(sequence):
                if number % 2:
                    assert completing(sides, end, attacker) == [cell], "the defender has to block there"
                    assert not completing(sides, end, naive.other(attacker)), "the defender cannot win instead"
                end = naive.play(end, cell)
            replies = [naive.play(end, cell) for cell in RULES[sides].moves(end)]
            assert not any(RULES[sides].outcome(reply) for reply in replies)
            assert all(completing(sides, reply, attacker) for reply in replies), (text, sequence)
            assert naive.ends(RULES[sides], text)[0] == (1 if attacker == "X" else -1)
    assert seen > 0 or sides[2] == 2


@pytest.mark.parametrize("sides", BOARDS)
def test_what_comes_before_a_position(sides: tuple[int, int, int]) -> None:
    ways = reached(sides)
    for text in some(sides):
        position = at(sides, text)
        assert ways_to(position) == ways[text]
        assert position == parse_position(position.board, list(moves_to(position))) if position.ply else True
        earlier = {str(before).replace("/", "") for before, _ in previous_positions(position)}
        expected = {
            before
            for before in ways
            if not RULES[sides].outcome(before)
            and text in [naive.play(before, cell) for cell in RULES[sides].moves(before)]
        }
        assert {min(each, naive.image(each, naive.mirror(*sides[:2])[-1])) for each in earlier} == {
            min(each, naive.image(each, naive.mirror(*sides[:2])[-1])) for each in expected
        }


@pytest.mark.parametrize("sides", BOARDS[:3])
def test_a_tree_of_forced_wins_ends_where_a_line_cannot_be_stopped(sides: tuple[int, int, int]) -> None:
    grown = 0
    for text in some(sides, 97):
        if RULES[sides].outcome(text):
            continue
        with suppress(InputError):  # nobody can force a line by threats there
            found = tree(board_of(sides), at(sides, text), kind="forced-wins")
            grown += 1
            for node in found.nodes:
                marks = str(node.position).replace("/", "")
                replies = [naive.play(marks, cell) for cell in RULES[sides].moves(marks)]
                last = naive.other(naive.mover(marks))
                won = all(completing(sides, reply, last) for reply in replies)
                assert (node.end == "forced win") == (not found.children[node.id])
                assert won or node.end is None, (text, marks)
            assert reported(sides, text)
    assert grown


def reported(sides: tuple[int, int, int], text: str) -> str:
    return as_text(report(tree(board_of(sides), at(sides, text), kind="forced-wins"), TreeStyle()), PIPE)


def test_random_play_weighs_moves_not_blanks() -> None:
    sides = (3, 3, 3)

    @cache
    def chances(text: str) -> dict[str, float]:
        outcome = RULES[sides].outcome(text)
        if outcome:
            return {outcome: 1.0}
        found: dict[str, float] = {}
        moves = RULES[sides].moves(text)
        for cell in moves:
            for end, chance in chances(naive.play(text, cell)).items():
                found[end] = found.get(end, 0.0) + chance / len(moves)
        return found

    play = catalogue(board_of(sides))[Position(board_of(sides))].random_play
    expected = chances("." * 9)
    assert float(play.x_wins) == pytest.approx(expected["X"])
    assert float(play.o_wins) == pytest.approx(expected["O"])


def test_puzzles_have_one_right_move() -> None:
    for sides in BOARDS[:3]:
        for puzzle in puzzles(board_of(sides), 4, seed=3):
            text = str(puzzle.position).replace("/", "")
            sign = 1 if naive.mover(text) == "X" else -1
            worth = {
                cell: sign * naive.ends(RULES[sides], naive.play(text, cell))[0] for cell in RULES[sides].moves(text)
            }
            assert [cell for cell, value in worth.items() if value == max(worth.values())] == [puzzle.cell]


def test_exact_lines_are_threatened_by_their_own_cells() -> None:
    """On 1x6, three in a row but not four: c1 would make four of a1, b1, d1."""
    at = parse_position("1x6:3+exact", "a1 e1 b1 f1 d1")
    assert at.threats("X") == ()
    assert [str(cell) for cell in parse_position("1x6:3+exact", "a1 e1 b1 f1").threats("X")] == ["c1"]


@pytest.mark.parametrize(
    ("start", "advice"),
    [
        ("d", "X can force a win after any of your moves."),
        ("c", "With best play it is a draw; the moves that keep it were not found."),
        ("a", "You can force a win; the moves that keep it were not found."),
    ],
)
def test_a_value_may_be_known_where_no_move_has_one(start: str, advice: str) -> None:
    """The package carries the values of the first moves of Connect Four, and a reply takes a long search."""
    found = explain("connect4", start)
    assert all(move.outcome is None for move in found.moves)
    assert found.sentences == (advice,)
