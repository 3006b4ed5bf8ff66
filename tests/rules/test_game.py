"""The rules of play against the oracle, on every open position."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import pytest

from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import (
    Game,
    Marks,
    allowed_cells,
    best_moves,
    class_bound,
    forking_cells,
    layer_bounds,
    least_classes,
    least_positions,
    position_bounds,
    require_listed,
)
from noughts.rules.marks import Mask, cells_of
from noughts.rules.play import MOVE_RULES
from noughts.rules.position import Position, completing_cells, parse_position
from noughts.rules.symmetry import Permutation
from tests import naive
from tests.boards import SMALL, Small, small
from tests.games import OTHERS

THREE = Small(Board.parse("3x3"), naive.grid(3, 3, 3), ())
TORUS = Small(Board.parse("3x3+torus"), naive.grid(3, 3, 3, torus=True), ())


def text_of(board: Board, x: int, o: int) -> str:
    return "".join("X" if x >> c & 1 else "O" if o >> c & 1 else "." for c in range(board.cells))


@pytest.mark.parametrize("name", ["3x3", "3x3+torus", "2x3:2", "3x2:2", "1x7:3", "flower", "loose", "nested", "1x5:6"])
def test_allowed_cells_are_those_of_the_oracle(name: str) -> None:
    on = {"3x3": THREE, "3x3+torus": TORUS}.get(name) or small(name)

    def value_of(state: Marks) -> int:
        return naive.value(on.game, text_of(on.board, state.x, state.o))

    def worth_of(state: Marks) -> int:
        text = text_of(on.board, state.x, state.o)
        far = naive.remoteness(on.game, text)
        return naive.value(on.game, text) * (100 - far)

    for text in naive.reachable(on.game):
        if naive.line_outcome(on.game, text) is not None:
            continue
        position = parse_position(on.board, text)
        for rule in MOVE_RULES:
            if rule in ("perfect", "quickest"):
                goodness = value_of if rule == "perfect" else worth_of
                found = best_moves(Game(on.board), Marks(position.x, position.o), goodness)
            else:
                found = allowed_cells(on.board, position.x, position.o, rule)
            assert list(cells_of(found)) == naive.moves(on.game, text, rule), (text, rule)


def test_among_several_cells_to_block_none_is_preferred() -> None:
    position = parse_position(THREE.board, "XXO/.O./X..")
    assert list(cells_of(allowed_cells(THREE.board, position.x, position.o, "block"))) == [3]
    position = parse_position(THREE.board, "X.X/.O./X.O")
    assert list(cells_of(allowed_cells(THREE.board, position.x, position.o, "block"))) == [1, 3]


def test_a_fork_is_two_cells_not_two_lines() -> None:
    """Two lines that lack the same cell are one threat."""
    board = Board.from_lines(6, [(0, 1, 5), (2, 3, 5)])
    assert forking_cells(board, 0b0111, 0, 0b111000) == 0
    board = Board.from_lines(6, [(0, 1, 4), (2, 1, 5)])
    assert forking_cells(board, 0b0101, 0, 0b111010) == 0b10


@pytest.mark.parametrize("on", [THREE, TORUS], ids=["3x3", "3x3+torus"])
def test_a_threat_that_is_there_is_one_of_the_two(on: Small) -> None:
    full = on.board.full
    for own in (mask for mask in range(full) if mask.bit_count() <= 3):
        after = {cell: (own | 1 << cell, full & ~(own | 1 << cell)) for cell in cells_of(full & ~own)}
        two = [cell for cell, marks in after.items() if completing_cells(on.board, *marks).bit_count() > 1]
        assert list(cells_of(forking_cells(on.board, own, 0, full & ~own))) == two


# What a game must be for the engines that run on any: each is played through, every state of it.

Ways = dict[Any, tuple[int, ...]]


def games() -> dict[str, Game]:
    found: dict[str, Game] = {name: other.game for name, other in OTHERS.items() if other.game.last_ply <= 9}
    for name in SMALL:
        board = small(name).board
        found[name] = Game(board)
        if board.cells < 7:
            found[f"{name}, to the full board"] = Game(board, end="full")
            found[f"{name}, up to the lines"] = Game(board, group=board.group("lines"))
    wide = Board.parse("2x3:2")
    found["from a position"] = Game(wide, parse_position(wide, "b1"))
    return {name: game for name, game in found.items() if game.group.order <= 48}


GAMES = games()


def ways(game: Game) -> Ways:
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


def play_all(game: Game, moves: tuple[int, ...]) -> Any:
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
        for rule in game.rules.move_rules:
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
        images = {g: play_all(game, tuple(game.on_moves(g)[move] for move in way)) for g in elements}
        canonical = game.canonical(state)
        assert game.canonical(canonical) == canonical
        assert not whole or canonical in images.values()
        assert not whole or len(set(images.values())) * len(game.stabiliser(state)) == len(elements)
        for g, other in images.items():
            assert game.canonical(other) == canonical
            assert (game.ply(other), game.to_move(other)) == (game.ply(state), game.to_move(state))
            assert game.outcome(other) == game.outcome(state)
            if game.outcome(state) is None:
                assert game.moves(other) == image(game.moves(state), game.on_moves(g))


def test_a_game_that_is_not_symmetric_is_found_out() -> None:
    """The turns of a board are no symmetries of play on it with gravity: the test above must see that."""
    game = OTHERS["3x3:3+gravity"].game
    turned = Board.parse("3x3").group().elements
    assert any(image(game.moves(game.start), g) != game.moves(game.start) for g in turned)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.rules.is_marking])
def test_children_are_the_representatives_of_what_moves_lead_to(name: str) -> None:
    game = GAMES[name]
    states = {game.canonical(state) for state in list(ways(game))[:300] if game.outcome(state) is None}
    for state in states:
        moves = cells_of(game.moves(state))
        assert game.children(state) == [(move, game.canonical(game.play(state, move))) for move in moves]


@pytest.mark.parametrize("to_ply", [2, 3, 6, 9])
def test_a_bound_is_the_number_of_ways_to_place_the_marks(to_ply: int) -> None:
    """Those still to be made, of 6 or 5 on the blank cells; what comes after the last ply adds nothing."""
    wide = Board.parse("2x3:2")
    ways_ = [comb(6, x + o) * comb(x + o, x) for x, o in ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3))]
    assert Game(wide).bound(to_ply) == sum(ways_[: to_ply + 1])
    later = [comb(5, x + o) * comb(x + o, x) for x, o in ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3))]
    assert Game(wide, parse_position(wide, "b1")).bound(to_ply) == sum(later[:to_ply])


@pytest.mark.parametrize("spec", ["2x3:2", "2x3:2+misere"])
def test_played_on_to_the_full_board_the_first_line_decides(spec: str) -> None:
    board = Board.parse(spec)
    game, line = Game(board, end="full"), Game(board)
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
        assert (state.won or game.outcome(state)) == (won or over)
    for state in ways(line):
        assert line.outcome(state) == Position(board, state.x, state.o).outcome
    lined = Position(board, 0b000011, 0b011000)
    assert Game(board, Position(board, 0b000011, 0b010000), "full").start.won == board.line_outcome("X")
    assert Game(board, Position(board, 0b000011, 0b010000)).start.won is None
    assert Game(board, lined, "full").start.won is None, "both have a line: nobody knows whose was first"


# What is reckoned of the number of positions, against all positions that there are on small boards.

BOARDS = ["3x3", "2x3:2", "1x5:3", "2x4:3", "3x3+torus", "2x3:4", "1x1:1"]


def layers(start: Position) -> list[set[Position]]:
    """Return the positions that free play reaches from a start on, ply by ply."""
    found = [{start}]
    while len(found) <= start.board.cells - start.ply:
        found.append({at.play(cell) for at in found[-1] if at.outcome is None for cell in at.moves()})
    return found


def fillings(start: Position) -> list[int]:
    """Return in how many ways the marks to be made by each ply can be put on the blank cells."""
    blank = [cell for cell in range(start.board.cells) if start.blanks >> cell & 1]
    found = []
    for more in range(len(blank) + 1):
        x = (start.ply + more + 1) // 2 - start.x.bit_count()
        found.append(sum(1 for cells in combinations(blank, more) for _ in combinations(cells, x)))
    return found


def line_free(board: Board) -> list[int]:
    """Return for each size how many sets of cells have no line."""
    sets = [
        sum(1 << cell for cell in cells)
        for n in range(board.cells + 1)
        for cells in combinations(range(board.cells), n)
    ]
    found = [0] * (board.cells + 1)
    for each in sets:
        found[each.bit_count()] += all(each & mask != mask for mask in board.line_masks)
    return found


@pytest.mark.parametrize(
    ("spec", "moves"), [("3x3", ".../.../..."), ("3x3", "a1"), ("2x3:2", "a1 c2"), ("1x5:3", "a1 b1 c1")]
)
def test_a_layer_has_as_many_fillings_as_there_are(spec: str, moves: str) -> None:
    start = parse_position(Board.parse(spec), moves)
    ways = fillings(start)
    assert layer_bounds(start, 1) == ways
    assert layer_bounds(start, 4) == [-(-each // 4) for each in ways]
    assert layer_bounds(start, 1, start.ply + 2) == ways[:3]
    order = 1 if start.ply else start.board.group().order
    assert class_bound(start) == -(-sum(ways) // order)


@pytest.mark.parametrize("spec", BOARDS)
def test_as_many_classes_are_surely_reached(spec: str) -> None:
    """All fillings while nobody has marks enough for a line; a class has at most as many members as there are turns."""
    board = Board.parse(spec)
    order, shortest = board.group().order, min(map(len, board.lines), default=board.cells + 1)
    for start in (
        Position(board),
        *(Position(board).play(cell) for cell in range(min(2, board.cells)) if board.cells > 1),
    ):
        classes, least = 0, 0
        for depth, (found, ways) in enumerate(zip(layers(start), fillings(start), strict=True)):
            classes += len({board.group().canonical(at.x, at.o) for at in found})
            longest = max(max(at.x.bit_count(), at.o.bit_count()) for at in found) if found else shortest
            least += -(-ways // order) if longest < shortest else 0
            assert least_classes(start, depth) == least <= classes
        assert least_classes(start) == least


@pytest.mark.parametrize("spec", BOARDS)
def test_positions_lie_between_their_bounds(spec: str) -> None:
    board = Board.parse(spec)
    reached, free = layers(Position(board)), line_free(board)
    above, below = position_bounds(board, free), least_positions(board, free)
    assert len(above) == len(below) == len(reached) == board.cells + 1
    for ply, (found, most, least, ways) in enumerate(
        zip(reached, above, below, fillings(Position(board)), strict=True)
    ):
        still_open = sum(at.winner is None for at in found)
        assert least <= still_open <= len(found) <= most <= ways
        if spec in ("3x3", "2x4:3", "1x5:3"):
            assert 3 * most <= 5 * len(found), "rarely twice as many"
        if ply < min(map(len, board.lines), default=99):
            assert least == most == ways


@pytest.mark.parametrize("spec", ["3x3", "2x3:2", "1x5:3", "3x3:2"])
@pytest.mark.parametrize("unknown", [None, 2, 4])
def test_a_bound_is_what_one_player_leaves_open_and_the_moves_from_there(spec: str, unknown: int | None) -> None:
    """Of all fillings: those where X, or where O, whichever are fewer, has no line; or one move after such a one.

    Where it is not known how many sets of a size have no line, all of that size may.
    """
    board, most, before = Board.parse(spec), [], 0
    free = [comb(board.cells, size) if size == unknown else many for size, many in enumerate(line_free(board))]
    for ply, ways in enumerate(fillings(Position(board))):
        filled = [
            (set(x), set(o))
            for x in combinations(range(board.cells), (ply + 1) // 2)
            for o in combinations(set(range(board.cells)) - set(x), ply // 2)
        ]
        lined = [
            [len(marks) != unknown and any(marks >= set(line) for line in board.lines) for marks in both]
            for both in filled
        ]
        still_open = min(sum(not x for x, _ in lined), sum(not o for _, o in lined))
        most.append(min(ways, still_open + before * (board.cells - (ply - 1))))
        before = still_open
    assert position_bounds(board, free) == most


def test_what_is_listed_has_a_limit() -> None:
    start = Position(Board.parse("3x3"))
    bound = class_bound(start)
    require_listed(start, "this", bound)
    with pytest.raises(BudgetError, match=f"or wait longer with --limit {bound}$"):
        require_listed(start, "this", bound - 1, has_option=True)
    with pytest.raises(BudgetError, match=r"choose a smaller board or a later position$"):
        require_listed(start, "this", bound - 1)
    with pytest.raises(BudgetError, match=r"choose a smaller board$"):
        require_listed(start, "this", bound - 1, takes_position=False)
    for spec, waited_for in (("3x7:3", True), ("1x21:3", False), ("5x5:5", False)):
        start = Position(Board.parse(spec))
        assert (class_bound(start) < 10**9) == waited_for
        with pytest.raises(BudgetError, match="choose a smaller board") as caught:
            require_listed(start, "this", has_option=True)
        assert ("wait longer" in str(caught.value)) == waited_for
