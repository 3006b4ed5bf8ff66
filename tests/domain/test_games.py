"""What a game must be for the engines that run on any: each is played through, every state of it."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.game import Game, MarkingGame, Marks, settled, worth
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.domain.symmetry import Permutation
from tests.boards import SMALL, small
from tests.games import OTHERS

Ways = dict[Any, tuple[int, ...]]


def games() -> dict[str, Game[Any]]:
    found: dict[str, Game[Any]] = {name: other.game for name, other in OTHERS.items() if other.game.last_ply <= 9}
    for name in SMALL:
        board = small(name).board
        found[name] = MarkingGame(board)
        if board.cells < 7:
            found[f"{name}, to the full board"] = MarkingGame(board, end="full")
            found[f"{name}, up to the lines"] = MarkingGame(board, group=board.group("lines"))
    wide = Board.parse("2x3:2")
    found["from a position"] = MarkingGame(wide, parse_position(wide, "b1"))
    return {name: game for name, game in found.items() if game.group.order <= 48}


GAMES = games()


def ways(game: Game[Any]) -> Ways:
    """Every state that play reaches, with moves that lead there."""
    found: Ways = {game.start: ()}
    waiting = [game.start]
    while waiting:
        state = waiting.pop()
        if game.outcome(state) is None:
            for move in cells_of(game.moves(state)):
                after = game.play(state, move)
                if after not in found:
                    found[after] = (*found[state], move)
                    waiting.append(after)
    return found


def play_all(game: Game[Any], moves: tuple[int, ...]) -> Any:
    state = game.start
    for move in moves:
        state = game.play(state, move)
    return state


def image(moves: Mask, symmetry: Permutation) -> Mask:
    return sum(1 << symmetry[move] for move in cells_of(moves))


@pytest.mark.parametrize("name", GAMES)
def test_moves_and_outcomes_agree(name: str) -> None:
    game = GAMES[name]
    reached = ways(game)
    first = game.ply(game.start)
    for ply in range(first, game.last_ply + 1):
        up_to = {game.position(state) for state in reached if game.ply(state) <= ply}
        assert len(up_to) <= game.bound(ply) <= game.bound(game.last_ply) == game.bound(game.last_ply + 3)
    for state, way in reached.items():
        assert game.ply(state) == first + len(way) <= game.last_ply
        assert game.to_move(state) == "XO"[game.ply(state) % 2], "in all of these the players alternate"
        if game.outcome(state) is not None:
            continue
        assert game.ply(state) < game.last_ply
        free = game.moves(state)
        for rule in game.move_rules:
            if rule not in ("perfect", "quickest"):
                assert game.moves(state, rule)
                assert game.moves(state, rule) & ~free == 0
                if isinstance(state, Marks) and state.won:
                    assert game.moves(state, rule) == free, "who has won has nothing to take and nothing to block"
        children = [game.play(state, move) for move in cells_of(free)]
        assert len(set(children)) == len(children), "a move is known by where it leads"
        assert {game.ply(child) for child in children} == {game.ply(state) + 1}


@pytest.mark.parametrize("name", GAMES)
def test_symmetries_keep_the_game_and_the_canonical_form_is_one_of_the_images(name: str) -> None:
    game = GAMES[name]
    elements = game.stabiliser(game.start)
    whole = len(elements) == game.group.order
    for state, way in ways(game).items():
        images = {g: play_all(game, tuple(g[move] for move in way)) for g in elements}
        canonical = game.canonical(state)
        assert game.canonical(canonical) == canonical
        assert not whole or canonical in images.values()
        assert not whole or len(set(images.values())) * len(game.stabiliser(state)) == len(elements)
        for g, other in images.items():
            assert game.canonical(other) == canonical
            assert (game.ply(other), game.to_move(other)) == (game.ply(state), game.to_move(state))
            assert game.outcome(other) == game.outcome(state)
            if game.outcome(state) is None:
                assert game.moves(other) == image(game.moves(state), g)


def test_a_game_that_is_not_symmetric_is_found_out() -> None:
    """The turns of a board are no symmetries of play on it with gravity: the test above must see that."""
    game = OTHERS["gravity 3x3:3"].game
    turned = Board.parse("3x3").group().elements
    assert any(image(game.moves(game.start), g) != game.moves(game.start) for g in turned)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if isinstance(game, MarkingGame)])
def test_children_are_the_representatives_of_what_moves_lead_to(name: str) -> None:
    game = GAMES[name]
    assert isinstance(game, MarkingGame)
    states = {game.canonical(state) for state in list(ways(game))[:300] if game.outcome(state) is None}
    for state in states:
        moves = cells_of(game.moves(state))
        assert game.children(state) == [(move, game.canonical(game.play(state, move))) for move in moves]


@pytest.mark.parametrize("to_ply", [2, 3, 6, 9])
def test_a_bound_is_the_number_of_ways_to_place_the_marks(to_ply: int) -> None:
    """Those still to be made, of 6 or 5 on the blank cells; what comes after the last ply adds nothing."""
    wide = Board.parse("2x3:2")
    ways_ = [comb(6, x + o) * comb(x + o, x) for x, o in ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3))]
    assert MarkingGame(wide).bound(to_ply) == sum(ways_[: to_ply + 1])
    later = [comb(5, x + o) * comb(x + o, x) for x, o in ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3))]
    assert MarkingGame(wide, parse_position(wide, "b1")).bound(to_ply) == sum(later[:to_ply])


@pytest.mark.parametrize("spec", ["2x3:2", "2x3:2+misere"])
def test_played_on_to_the_full_board_the_first_line_decides(spec: str) -> None:
    board = Board.parse(spec)
    game, line = MarkingGame(board, end="full"), MarkingGame(board)
    for state, way in ways(game).items():
        at, won = Position(board), None
        for cell in way:
            at = (
                Position(board, at.x | 1 << cell, at.o)
                if at.to_move == "X"
                else Position(board, at.x, at.o | 1 << cell)
            )
            won = won or board.winner(at.x, at.o)
        assert state == Marks(at.x, at.o, won)
        over = game.outcome(state)
        assert over == ((won or "draw") if at.ply == board.cells else None)
        assert settled(game, state) == (won or over)
    for state in ways(line):
        assert line.outcome(state) == settled(line, state) == Position(board, state.x, state.o).outcome
    lined = Position(board, 0b000011, 0b011000)
    assert MarkingGame(board, Position(board, 0b000011, 0b010000), "full").start.won == board.line_outcome("X")
    assert MarkingGame(board, Position(board, 0b000011, 0b010000)).start.won is None
    assert MarkingGame(board, lined, "full").start.won is None, "both have a line: nobody knows whose was first"


def test_what_is_soon_is_worth_more() -> None:
    assert [worth("X", left) for left in (0, 1, 5)] == [1, 2, 6]
    assert [worth("O", left) for left in (0, 1, 5)] == [-1, -2, -6]
    assert worth("draw", 4) == 0
