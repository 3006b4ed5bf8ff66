"""Trees that are refused after a few games: just where the definition says, from the games that were played."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import pytest

from noughts.domain.board import Board
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.strategy import reduced
from noughts.strategy.gametree import DRAWN_NODES
from noughts.strategy.trees import tree
from noughts.strategy.treesize import require_small

GAMES = 256


def played(start: Position) -> list[list[int]]:
    """For each of the games through the whole tree the numbers of moves that there were."""
    games: list[list[int]] = []

    def ends(position: Position) -> bool:
        if position == start:
            games.append([])
        if not position.is_terminal:
            games[-1].append(position.blanks.bit_count())
        return position.is_terminal

    require_small("full", start, lambda position: position.blanks, ends, 10**6)
    return games


def shown(game: list[int], order: int, enough: int) -> int:
    """What one game shows of the number of classes: Knuth's product over the orders of the marks and the symmetries."""
    nodes, paths = 0, 1
    for ply, moves in enumerate(game, 1):
        if nodes >= enough:
            break
        paths *= moves
        nodes += paths // (factorial((ply + 1) // 2) * factorial(ply // 2) * order)
    return nodes


def beyond(games: list[list[int]], order: int, limit: int) -> int | None:
    """The size to state, None where none is shown: twenty times the limit, or twice and five standard errors more."""
    found: list[int] = []
    for game in games:
        found.append(shown(game, order, 20 * limit * GAMES))
        if sum(found) >= 20 * limit * GAMES:
            return sum(found) // GAMES
    mean = Fraction(sum(found), GAMES)
    variance = sum((each - mean) ** 2 for each in found) / GAMES  # of all games
    far = mean > 2 * limit and (mean - 2 * limit) ** 2 * (GAMES - 1) > 25 * variance
    return int(mean) if far else None


def test_games_that_are_all_alike_refuse_a_tree_beyond_twice_the_limit() -> None:
    """One ply of six moves, on a board that no symmetry changes: every game shows six nodes, without any error."""
    start = Position(Board.from_lines(6, [(0, 1, 2), (1, 3, 4)]))
    require_small("full", start, lambda position: position.blanks, lambda position: position.ply == 1, 3)
    with pytest.raises(BudgetError, match="has some 6 nodes or more"):
        require_small("full", start, lambda position: position.blanks, lambda position: position.ply == 1, 2)


@pytest.mark.parametrize(("spec", "moves"), [("3x3", ""), ("3x3+torus", "a1"), ("2x5:3", "a1 c2")])
def test_a_tree_is_refused_just_where_its_games_show_it(spec: str, moves: str) -> None:
    board = Board.parse(spec)
    start = parse_position(board, moves) if moves else Position(board)
    games = played(start)
    assert len(games) == GAMES
    refused = 0
    half = sum(shown(game, board.group().order, 10**9) for game in games) // (2 * GAMES)
    for limit in (1, 2, 3, 5, 13, 30, 60, 100, 160, half - 20, half - 3, half - 1, half, half + 1, 600):
        size = beyond(games, board.group().order, limit)
        refused += size is not None
        if size is None:
            require_small("full", start, lambda p: p.blanks, lambda p: p.is_terminal, limit)
            continue
        with pytest.raises(BudgetError) as caught:
            require_small("full", start, lambda p: p.blanks, lambda p: p.is_terminal, limit)
        assert f" has some {roughly(size)} nodes or more, as games through it show: ask " in str(caught.value)
    assert 3 < refused < 15


def test_the_reduced_tree_is_refused_by_games_that_go_on_where_it_is_drawn_and_a_fork_is_in_sight(monkeypatch) -> None:
    asked: list[Position] = []

    def small(kind, start, moves_at, ends_at, limit):
        assert (kind, limit) == ("reduced", DRAWN_NODES)
        at = parse_position(start.board, "a1 b1")
        for drawn in (False, True):
            monkeypatch.setattr(reduced, "fork_in_sight", lambda _, sight=drawn: sight)
            asked.append(at)
            assert ends_at(at) == (not (seen[0] and drawn))
        over = parse_position(start.board, "a1 b1 a2 b2 a3 b3 a4")
        assert ends_at(over)
        assert moves_at(parse_position(start.board, "a1 b1 a2 b2 a3")) == 1 << 12, "forced moves alone"

    seen = [True]
    monkeypatch.setattr(reduced, "require_small", small)
    start = Position(Board.parse("4x4"))
    for seen[0] in (True, False):
        reduced._require_small(start, DRAWN_NODES, lambda _: seen[0])
    assert len(asked) == 4


def test_what_no_picture_holds_is_refused_with_words_of_its_own() -> None:
    with pytest.raises(BudgetError) as caught:
        tree("4x4", limit=DRAWN_NODES)
    assert str(caught.value).endswith(": ask from a later position, or for numbers, as pictures hold no more")
    for kind, ways in (("full", "with --depth, from a later position, or with a higher --limit"),):
        with pytest.raises(BudgetError, match=f"ask {ways}"):
            tree("3x3", kind=kind, limit=100)
    with pytest.raises(BudgetError, match="ask with --depth, from a later position, or with a higher --limit"):
        tree("3x3", kind="policy", limit=7)
    with pytest.raises(BudgetError, match=r"has at least 96 nodes \(\d+ of them were expanded when it was given up\)"):
        tree("3x3", limit=95)
