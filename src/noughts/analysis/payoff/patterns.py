"""Drawn full boards up to symmetry, and which of them a player can force.

A player *forces* a pattern when they can make sure, however the other plays, that the game ends in that pattern or in
their own win. One backward pass answers it for all patterns at once: each class keeps, for each player, the set of
patterns forced from there. Where the player moves the sets of the children are united, where the other moves they meet.

The names on 3x3 are those of "Tic-Tac-Toe Analysis using Clojure", part 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb

from noughts.analysis.explain.facts import move_classes, unfinished
from noughts.analysis.explain.openings import cell_kind
from noughts.analysis.payoff.guarantee import Goal, Guarantee, guarantee
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, nearby, one_of, whole_number, wrong_type
from noughts.rules.board import Board, require_playable
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import LISTED_CLASSES, Marks, class_bound, require_listed
from noughts.rules.marks import Cell, Mask, Player, cells_of, mask_of, opponent
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict, roughly, short
from noughts.solving.classgraph import ClassGraph, class_graph

_NAMES = ("Island", "Scorpion", "Arrow")
_CENTRE, _CORNERS = 0b000010000, 0b101000101
_FILL_LIMIT = 5_000_000


@dataclass(frozen=True)
class DrawnPattern:
    """A class of drawn full boards: its name, its canonical form and how many boards it holds."""

    name: str
    position: Position
    boards: int


@dataclass(frozen=True)
class Forcing:
    """What each player can force from the start (`opening` None) or after a move from there."""

    opening: Cell | None
    x: tuple[str, ...]
    o: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Patterns:
    """The drawn patterns of a board and what each player can force of them; `forcing` is None where it is not known."""

    start: Position
    patterns: tuple[DrawnPattern, ...]
    forcing: tuple[Forcing, ...] | None

    def __repr__(self) -> str:
        return f"<Patterns of {short(self.board)}: {len(self.patterns)} drawn patterns>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    @cached_property
    def possible(self) -> tuple[str, ...]:
        """The names of the patterns in which a game that goes on from the start can end."""
        x, o = self.start.x, self.start.o
        images = self.board.group().orbit(x, o)
        return tuple(
            p.name
            for p in self.patterns
            if any(not some_x & ~p.position.x and not some_o & ~p.position.o for some_x, some_o in images)
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the patterns."""
        return tuple(pattern.name for pattern in self.patterns)

    def as_dict(self) -> dict[str, object]:
        """Return the patterns for JSON; the first entry of `forcing`, without opening, is the start itself."""
        return {
            "board": self.board.spec,
            "position": str(self.start),
            "patterns": [
                {
                    "name": p.name,
                    "position": str(p.position),
                    "boards": str(p.boards),
                    "possible": p.name in self.possible,
                }
                for p in self.patterns
            ],
            "forcing": None
            if self.forcing is None
            else [
                {
                    "opening": None if f.opening is None else cell_name(self.board, f.opening),
                    "x_can_force": list(f.x),
                    "o_can_force": list(f.o),
                }
                for f in self.forcing
            ],
        }

    def opening_name(self, cell: Cell) -> str:
        """Return the name of a first move, with its kind on 3x3."""
        kind = cell_kind(self.board, cell) if self.start.ply == 0 else None
        return cell_name(self.board, cell) + (f" ({kind})" if kind else "")


def drawn_classes(board: Board) -> tuple[DrawnPattern, ...]:
    """Return the drawn full boards up to symmetry, named on 3x3, else numbered in the order of their canonical forms.

    Goes through all ways to fill the board: over 5 million of them raise BudgetError, as 5x5 does.
    """
    require_playable(board)
    ways = comb(board.cells, board.cells // 2)
    if ways > _FILL_LIMIT:
        most = max(n for n in range(board.cells) if comb(n, n // 2) <= _FILL_LIMIT)
        raise BudgetError(
            f"{board} can be filled in {roughly(ways)} ways, and up to {_FILL_LIMIT:,} are listed: ask about a "
            f"board of up to {most} cells"
        )
    group, found = board.group(), dict[tuple[Mask, Mask], int]()
    for cells in combinations(range(board.cells), board.cells // 2):
        o = mask_of(cells)
        x = board.full & ~o
        if not board.has_line(x) and not board.has_line(o):
            key = group.canonical(x, o)
            found[key] = found.get(key, 0) + 1
    if _is_3x3(board):
        named = [DrawnPattern(_published_name(x, o), Position(board, x, o), n) for (x, o), n in found.items()]
        return tuple(sorted(named, key=lambda pattern: _NAMES.index(pattern.name)))
    numbered = enumerate(sorted(found.items()), 1)
    return tuple(DrawnPattern(f"pattern {i}", Position(board, x, o), n) for i, ((x, o), n) in numbered)


def patterns(
    board: Board | str,
    start: Position | str | None = None,
    *,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Patterns:
    """Return the drawn patterns and what can be forced of them, from a start and after each move from there.

    The start is the empty board unless given. Cost: all ways to fill the board, and for what can be forced the class
    graph in plain Python; `progress` is told the classes gone through. Where there may be more than `limit` classes
    `forcing` is None; on boards with too many ways to fill them BudgetError is raised.

    >>> [(f.opening, f.x) for f in patterns("3x3").forcing or ()][1:]
    [(0, ('Arrow',)), (1, ('Scorpion',)), (4, ('Island',))]
    """
    board = Board.parse(board)
    whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    at = Position(board) if start is None else unfinished(board, start)
    found = drawn_classes(board)
    if class_bound(at) > limit:
        return Patterns(at, found, None)
    graph = class_graph(board, at, progress=progress or silent)
    number = {(p.position.x, p.position.o): i for i, p in enumerate(found)}
    by_x, by_o = _forced_sets(graph, number, "X"), _forced_sets(graph, number, "O")

    def forcing(position: Position, opening: Cell | None) -> Forcing:
        node = graph.number_of(Marks(position.x, position.o))
        named = [tuple(found[i].name for i in cells_of(sets[node])) for sets in (by_x, by_o)]
        return Forcing(opening, named[0], named[1])

    after = [] if at.is_terminal else move_classes(at)
    rows = [forcing(at, None), *(forcing(at.play(cell), cell) for cell, _ in after)]
    return Patterns(at, found, tuple(rows))


def _forced_sets(graph: ClassGraph, number: dict[tuple[int, int], int], player: Player) -> dict[int, int]:
    """Return for each node the set of patterns, as bits, that the player can make sure of, or win."""
    every = (1 << len(number)) - 1
    sets: dict[int, int] = {}
    for i, node in graph.backward():
        if node.outcome is not None:
            sets[i] = 1 << number[node.state[:2]] if node.outcome == "draw" else every * (node.outcome == player)
            continue
        moving = graph.game.to_move(node.state) == player
        found = 0 if moving else every
        for child, _ in node.children:
            found = found | sets[child] if moving else found & sets[child]
        sets[i] = found
    return sets


def _is_3x3(board: Board) -> bool:
    return board.shape == (3, 3, 1) and board.k == 3 and not board.torus


def _published_name(x: Mask, o: Mask) -> str:
    """Return the name of a drawn board of 3x3."""
    if x & _CENTRE:
        return "Island"
    return "Scorpion" if (o & _CORNERS).bit_count() == 2 else "Arrow"


# Who can force a drawn pattern, and how: the strategy of whoever can force it, else of whoever can prevent it.
#
# A player *forces* patterns when they can make sure, however the other plays, that the game ends in one of them or in
# their own win. Where they cannot, the other can make sure that it ends otherwise: the game is finite, so one of the
# two has a strategy.

_WIN, _SERVES, _FAILS = Fraction(2), Fraction(1), Fraction(0)


def force(
    board: Board | str,
    start: Position | str | None = None,
    *,
    pattern: str | Sequence[str] = "draw",
    player: str | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Guarantee:
    """Return the strategy with which a player forces one of some drawn patterns, or wins, from a position.

    `pattern` is a name that `patterns` gives, several with commas or as a list, or `draw` for all. Where `player`
    cannot, the strategy is the other's, who prevents it. With no player it is that of whoever can force it, X first;
    where neither can, that of O, who prevents X. Raises InputError for a pattern that the board does not have, and
    BudgetError where there may be more than `limit` position classes.

    >>> force("3x3", pattern="Arrow").player, force("3x3", "b2", pattern="Arrow", player="X").player
    ('X', 'O')
    """
    at = unfinished(board, start)
    whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    if player is not None:
        one_of("the player", player, ("X", "O"))
    require_listed(at, "forcing a pattern", limit, has_option=True)
    drawn = drawn_classes(at.board)
    wanted = _wanted(pattern, tuple(p.name for p in drawn), at.board)
    names = {(p.position.x, p.position.o): p.name for p in drawn}
    endings = ["X", "O", *(p.name for p in drawn)]

    def ask(asked: Player, owner: Player) -> Guarantee:
        serves: dict[str, Fraction] = {owner: _WIN, opponent(owner): _FAILS}
        worth = {e: serves.get(e, _SERVES if (e in wanted) == (asked == owner) else _FAILS) for e in endings}
        return guarantee(at, Goal(asked, owner, wanted, FrozenDict(worth), player is None), names, progress or silent)

    asked: list[Player] = ["X", "O"] if player is None else ["X" if player == "X" else "O"]
    for one in asked:
        found = ask(one, one)
        if found.value >= _SERVES:
            return found
    return ask(asked[0], opponent(asked[0]))


def _wanted(given: object, names: tuple[str, ...], board: Board) -> tuple[str, ...]:
    """Return the names of patterns that were asked for, in the order of the board."""
    if not isinstance(given, str | list | tuple) or not all(isinstance(each, str) for each in given):
        raise wrong_type("a pattern", given, "the name of a drawn pattern, or a list of names")
    asked = [each.strip().lower() for each in (given.split(",") if isinstance(given, str) else given)]
    if not names:
        raise InputError(f"no game on {board} is drawn on the full board, so there is no pattern to force")
    known = {name.lower(): name for name in names}
    for each in asked:
        if each not in known and each != "draw":
            some = names if len(names) <= 6 else [*names[:3], "...", names[-1]]
            raise InputError(
                f"{board} has no drawn pattern {shown(each)}: choose {', '.join(some)}, or draw for all"
                f"{nearby(each, names)}"
            )
    return names if "draw" in asked else tuple(name for name in names if name.lower() in asked)
