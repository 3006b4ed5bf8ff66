"""Drawn full boards up to symmetry, and which of them a player can force.

A player *forces* patterns if they have a strategy with which every game ends in one of the patterns or in their win.
Otherwise the opponent has a strategy that prevents it, because the game is finite.

The names on 3x3 are those of "Tic-Tac-Toe Analysis using Clojure", part 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from noughts.analysis.drawn import DrawnPattern, drawn_classes, names_of
from noughts.analysis.explain.facts import FromStart, move_classes, unfinished
from noughts.analysis.explain.wording import cell_kind
from noughts.analysis.payoff.guarantee import Goal, Guarantee, backward, guarantee, meet, unite
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, nearby, one_of, whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import Move, cell_name
from noughts.rules.errors import InputError, shown
from noughts.rules.game import LISTED_CLASSES, Marks, class_bound, require_listed
from noughts.rules.marks import Cell, Player, cells_of, mask_of, opponent
from noughts.rules.position import Position, PositionLike
from noughts.rules.values import FrozenDict, Result
from noughts.solving.classgraph import class_graph

_KINDS = ("centre", "corner", "edge")
_MANY = ("no", "one", "two", "three", "four")
_PLAYERS: tuple[Player, ...] = ("O", "X")
_WIN, _SERVES, _FAILS = Fraction(2), Fraction(1), Fraction(0)


@dataclass(frozen=True, repr=False)
class Forcing(Result):
    """What each player can force from the start (`opening` None) or after a move from there."""

    opening: Move | None
    x: tuple[str, ...]
    o: tuple[str, ...]
    keys = "opening x_can_force=x o_can_force=o"


@dataclass(frozen=True, repr=False)
class Patterns(FromStart):
    """The drawn patterns of a board and those that each player can force; `forcing` is None if unknown."""

    patterns: tuple[DrawnPattern, ...]
    forcing: tuple[Forcing, ...] | None
    keys = "board position=start patterns=records_of_patterns forcing"

    @cached_property
    def possible(self) -> tuple[str, ...]:
        """The names of the patterns in which a game from the start can end."""
        images = self.board.group().orbit(self.start.x, self.start.o)
        return tuple(
            p.name for p in self.patterns if any(not x & ~p.position.x and not o & ~p.position.o for x, o in images)
        )

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """What tells each pattern from those after it, by kinds of cells: `X in the centre`; empty if that fails.

        The last one has none of these marks.
        """
        cells = range(self.board.cells)
        kinds = {kind: mask_of(c for c in cells if cell_kind(self.board, c) == kind) for kind in _KINDS}
        found = list[str]()
        for at, pattern in enumerate(self.patterns[:-1], 1):
            signs = [
                f"{player} in {'the' if kind == 'centre' else _MANY[many]} {kind}{'s' * (many > 1)}"
                for kind, cells_of_kind in kinds.items()
                for player in _PLAYERS
                if (many := (pattern.position.marks(player) & cells_of_kind).bit_count())
                and all(many != (p.position.marks(player) & cells_of_kind).bit_count() for p in self.patterns[at:])
            ]
            if not signs:
                return ()
            found.append(signs[0])
        return (*found, "neither of these" if len(found) == 2 else "none of these") if found else ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the patterns."""
        return tuple(pattern.name for pattern in self.patterns)

    @property
    def records_of_patterns(self) -> list[dict[str, object]]:
        """The patterns as records; numbers of boards are decimal strings."""
        return [
            {
                "name": p.name,
                "position": p.position,
                "boards": str(p.boards),
                "possible": p.name in self.possible,
                "sign": sign or None,
            }
            for p, sign in zip(self.patterns, self.signs or [""] * len(self.patterns), strict=True)
        ]

    def opening_name(self, cell: Cell) -> str:
        """Return the name of a first move, with its kind on 3x3."""
        kind = cell_kind(self.board, cell) if self.start.ply == 0 else None
        return cell_name(self.board, cell) + (f" ({kind})" if kind else "")


def patterns(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Patterns:
    """Return the drawn patterns and those that each player can force, from a start and after each move from there.

    Cost: all ways to fill the board, and the class graph in plain Python.

    Parameters
    ----------
    board, start
        The board, and a position; the empty board by default.
    limit
        The most position classes; if there may be more, `forcing` is None.
    progress
        Receives the number of finished classes.

    Raises
    ------
    BudgetError
        The board can be filled in too many ways.

    >>> [(f.opening, f.x) for f in patterns("3x3").forcing or ()][1:]
    [(a1, ('Arrow',)), (b1, ('Scorpion',)), (b2, ('Island',))]
    """
    board = Board.parse(board)
    limit = whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    at = Position(board) if start is None else unfinished(board, start)
    found = drawn_classes(board)
    if class_bound(at) > limit:
        return Patterns(at, found, None)
    graph = class_graph(board, at, progress=progress or silent)
    names, every = names_of(found), (1 << len(found)) - 1
    bits = {pattern.name: 1 << i for i, pattern in enumerate(found)}

    def forced_by(player: Player) -> dict[int, int]:
        """Return for each node the patterns, as bits, any one of which the player can force."""
        return backward(
            graph,
            lambda node: bits[names[node.state[:2]]] if node.outcome == "draw" else every * (node.outcome == player),
            *((unite, meet) if player == "X" else (meet, unite)),
        )

    by_x, by_o = forced_by("X"), forced_by("O")
    rows = []
    for opening in (None, *(cell for cell, _ in move_classes(at))):
        then = at if opening is None else at.play(opening)
        node = graph.number_of(Marks(then.x, then.o))
        x, o = (tuple(found[i].name for i in cells_of(sets[node])) for sets in (by_x, by_o))
        rows.append(Forcing(opening, x, o))
    return Patterns(at, found, tuple(rows))


def force(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    pattern: str | Sequence[str] = "draw",
    player: str | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Guarantee:
    """Return the strategy with which a player forces one of some drawn patterns, or wins, from a position.

    Parameters
    ----------
    board, start
        The board, and an unfinished position; the empty board by default.
    pattern
        A name that `patterns` gives, several names with commas or as a list, or `draw` for all.
    player
        `X` or `O`; by default X if X can force it, else O.
    limit
        The most position classes.
    progress
        Receives the number of finished classes.

    Returns
    -------
    Guarantee
        The player's strategy or, if the player cannot force it, the opponent's, who prevents it. If `player` is None
        and neither player can force it, O prevents X.

    Raises
    ------
    InputError
        The board does not have the pattern.
    BudgetError
        There may be more than `limit` classes.

    >>> force("3x3", pattern="Arrow").player, force("3x3", "b2", pattern="Arrow", player="X").player
    ('X', 'O')
    """
    at = unfinished(board, start)
    limit = whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    if player is not None:
        one_of("the player", player, ("X", "O"))
    require_listed(at, "forcing a pattern", limit, has_option=True)
    drawn = drawn_classes(at.board)
    wanted = _wanted(pattern, tuple(p.name for p in drawn), at.board)

    def ask(target: Player, owner: Player) -> Guarantee:
        values: dict[str, Fraction] = {side: _WIN if side == owner else _FAILS for side in ("X", "O")}
        values |= {p.name: _SERVES if (p.name in wanted) == (target == owner) else _FAILS for p in drawn}
        goal = Goal(target, owner, wanted, FrozenDict(values), player is None)
        return guarantee(at, goal, names_of(drawn), progress or silent)

    players: list[Player] = ["X", "O"] if player is None else ["X" if player == "X" else "O"]
    for one in players:
        found = ask(one, one)
        if found.value >= _SERVES:
            return found
    return ask(players[0], opponent(players[0]))


def _wanted(given: object, names: tuple[str, ...], board: Board) -> tuple[str, ...]:
    """Return the names of the wanted patterns, in the order of the board."""
    if not isinstance(given, str | list | tuple) or not all(isinstance(each, str) for each in given):
        raise wrong_type("a pattern", given, "the name of a drawn pattern, or a list of names")
    chosen = [each.strip().lower() for each in (given.split(",") if isinstance(given, str) else given)]
    if not names:
        raise InputError(f"no game on {board} ends in a draw, so it has no pattern to force")
    for each in chosen:
        if each not in ("draw", *(name.lower() for name in names)):
            raise InputError(
                f"{board} has no drawn pattern {shown(each)}: choose {some_of(names)}, or draw for all"
                f"{nearby(each, names)}"
            )
    return names if "draw" in chosen else tuple(name for name in names if name.lower() in chosen)


def some_of(names: Sequence[str]) -> str:
    """Return the names of patterns for a sentence: all, or the first ones and the last of many."""
    return ", ".join(names if len(names) <= 6 else [*names[:3], "...", names[-1]])
