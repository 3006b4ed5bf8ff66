"""Reduced trees: when they are looked at before they are grown, what a look finds, and how far it looks ahead."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import pytest

from noughts.analysis import trees as reduced
from noughts.analysis.trees import DRAWN_NODES, ForkAhead, reduced_tree, require_small, tree
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.position import Position, parse_position
from noughts.rules.values import roughly
from tests.analysis.oracle import oracle


class Finder:
    """A solution that knows the outcomes of some positions, and how often it was asked."""

    def __init__(self, known: dict[str, str]) -> None:
        self.known, self.asked = known, 0

    def outcome(self, position: Position) -> str:
        self.asked += 1
        if str(position) not in self.known:
            raise BudgetError("not found")
        return self.known[str(position)]


def test_a_board_of_many_cells_is_refused_by_its_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    start, asked = Position(Board.parse("8x8")), list[tuple[object, ...]]()

    def listed(*given: object) -> None:
        asked.append(given)
        raise BudgetError("too many classes")

    monkeypatch.setattr(reduced, "require_listed", listed)
    monkeypatch.setattr(reduced, "require_small", lambda *_: None)
    monkeypatch.setattr(reduced, "grow", lambda *_, **__: None)
    reduced_tree(start)
    assert not asked, "up to 64 cells"
    start = Position(Board.parse("5x13"))
    with pytest.raises(BudgetError, match="too many classes"):
        reduced_tree(start)
    assert asked == [(start, "growing the reduced tree", 40_000)]


def test_a_look_finds_a_draw_until_a_search_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("3x3")
    won, drawn, unknown = (parse_position(board, moves) for moves in ("a1 b1", "a1 b2", "a1 c3"))
    full = parse_position(board, "XOX/OXX/O.O")
    finder = Finder({str(won): "X", str(drawn): "draw"})
    monkeypatch.setattr(reduced, "searched_from", lambda start, budget: finder)
    monkeypatch.setattr(reduced, "surely_drawn", lambda position: position == full)
    look = reduced._soon_drawn(Position(board))
    assert [look(each) for each in (full, won, drawn, full)] == [True, False, True, True]
    assert finder.asked == 2, "one look tells of a position that is surely drawn"
    assert not look(unknown)
    assert [look(each) for each in (full, won, drawn)] == [False] * 3, "it has given up"
    assert finder.asked == 3


@pytest.mark.parametrize(("spec", "shape"), [("3x3", (3, 3, 3)), ("2x4:3", (2, 4, 3)), ("1x7:3", (1, 7, 3))])
def test_whether_a_fork_is_ahead(spec: str, shape: tuple[int, int, int]) -> None:
    board, ahead = oracle(*shape), ForkAhead()
    for s in board.reachable()[::29]:
        assert ahead(parse_position(spec, board.slashed(s))) == board.fork_later(s), s


def test_looking_ahead_ends_at_so_many_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classes that are known when another is met; those that are being looked at are not known yet."""
    start, ahead, met = Position(Board.parse("1x7:3")), ForkAhead(), [0]
    plain = ForkAhead.__call__

    def counting(self: ForkAhead, position: Position) -> bool:
        if position.board.group().canonical(position.x, position.o) not in self._known:
            met.append(len(self._known))
        return plain(self, position)

    monkeypatch.setattr(ForkAhead, "__call__", counting)
    ahead(start)
    assert max(met) > 5
    monkeypatch.setattr(reduced, "_LOOK_AHEAD_LIMIT", max(met) + 1)
    assert ForkAhead()(start) == ahead(start)
    monkeypatch.setattr(reduced, "_LOOK_AHEAD_LIMIT", max(met))
    with pytest.raises(BudgetError, match=f"on 1x7:3 meets more than {max(met)} position classes: ask from a later"):
        ForkAhead()(start)


# Trees that are refused after a few games: just where the definition says, from the games that were played.

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


def test_the_reduced_tree_is_looked_at_twice_where_it_may_have_many_classes(monkeypatch) -> None:
    """Games go on where a position is surely drawn, or a search soon finds it drawn, and a fork is in sight."""
    looks = []

    def small(kind, start, moves_at, ends_at, limit):
        looks.append((kind, limit))
        for sight in (True, False):
            monkeypatch.setattr(reduced, "fork_in_sight", lambda _, seen=sight: seen)
            assert ends_at(parse_position(start.board, "a1 b1")) != sight
        assert ends_at(parse_position(start.board, "a1 b1 a2 b2 a3 b3 a4"))
        assert moves_at(parse_position(start.board, "a1 b1 a2 b2 a3")) == 1 << 12, "forced moves alone"
        if len(looks) == 2:
            raise BudgetError("too large")

    monkeypatch.setattr(reduced, "surely_drawn", lambda _: True)
    monkeypatch.setattr(reduced, "require_small", small)
    with pytest.raises(BudgetError, match="too large"):
        reduced_tree(Position(Board.parse("4x4")), DRAWN_NODES)
    assert looks == [("reduced", DRAWN_NODES)] * 2
    monkeypatch.undo()
    monkeypatch.setattr(reduced, "require_small", small)
    assert reduced_tree(Position(Board.parse("3x3"))) == tree("3x3"), "few classes need no look"


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
