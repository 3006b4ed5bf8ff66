"""The knowledge of a blind player, and what each call can lead to: the game tree of one blind player.

Histories after which the blind player has the same knowledge are one state. This knowledge consists of the player's own
marks, the opponent's marks that answers have revealed, and the number of the opponent's marks. Where the answers name
the last move, it also has that move, until the opponent replies again. Nothing else matters, because a history shows
nothing about the opponent's other marks. For known marks it only fixes when they were there, at the latest or exactly.
So every line-free set around the known marks is possible, and equally likely under random replies. See
docs/explanation/blindfold.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any, Generic, NamedTuple, TypeVar, cast
from weakref import proxy

from noughts.blindfold.game import NO_CELL, Answer, BlindRules, Call
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Mask, cells_of

State = TypeVar("State")


Method = TypeVar("Method", bound=Callable[..., Any])


class _Remembered:
    """A method whose results are cached with each object, and freed with it."""

    def __init__(self, method: Any) -> None:
        self.method, self.__doc__ = method, method.__doc__

    def __get__(self, owner: Any, kind: object = None) -> Any:
        # a proxy avoids a reference cycle, which would stay until the next garbage collection
        found = vars(owner)[self.method.__name__] = cache(partial(self.method, proxy(owner)))
        return found


def remembered(method: Method) -> Method:
    """Return a method whose results are cached with each object; its arguments are positional."""
    return cast(Method, _Remembered(method))


class Families:
    """The families of line-free sets of a board: all sets of `size` cells that contain `known` and avoid `barred`.

    All results are cached.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._lines = board.line_masks
        self._through = {1 << cell: [line for line in self._lines if line >> cell & 1] for cell in range(board.cells)}
        self._from = {
            1 << cell: [line for line in self._lines if line & -line == 1 << cell] for cell in range(board.cells)
        }

    def has_line(self, marks: Mask) -> bool:
        """Return whether the marks contain a winning line."""
        left = marks
        while left:
            cell = left & -left
            left ^= cell
            for line in self._from[cell]:
                if marks & line == line:
                    return True
        return False

    @remembered
    def exists(self, barred: Mask, known: Mask, size: int) -> bool:
        """Return whether the opponent can have `size` marks and no line, with all of `known` and none of `barred`."""
        return not self.has_line(known) and self._extends(barred, known, size)

    @remembered
    def _extends(self, barred: Mask, known: Mask, size: int) -> bool:
        """Return the same as `exists`, if `known` has no line."""
        missing, open_cells = size - known.bit_count(), self.board.full & ~(barred | known)
        if missing <= 0 or open_cells.bit_count() < missing:
            return missing == 0
        if self._fills(known, open_cells, missing):
            return True
        cell = open_cells & -open_cells
        more = known | cell
        placed = not any(more & line == line for line in self._through[cell]) and self._extends(barred, more, size)
        return placed or self._extends(barred | cell, known, size)

    def _fills(self, marks: Mask, open_cells: Mask, missing: int) -> bool:
        """Return whether `missing` cells can be added greedily, in reading order, without a line."""
        through = self._through
        while missing and open_cells:
            cell = open_cells & -open_cells
            open_cells ^= cell
            more = marks | cell
            for line in through[cell]:
                if more & line == line:
                    break
            else:
                marks, missing = more, missing - 1
        return not missing

    @remembered
    def count(self, barred: Mask, known: Mask, size: int) -> int:
        """Return the number of sets in a family."""
        if not self.exists(barred, known, size):
            return 0
        if known.bit_count() == size:
            return 1
        open_cells = self.board.full & ~(barred | known)
        cell = open_cells & -open_cells
        return self.count(barred, known | cell, size) + self.count(barred | cell, known, size)

    def members(self, barred: Mask, known: Mask, size: int) -> Iterator[Mask]:
        """Yield the sets of a family."""
        if not self.exists(barred, known, size):
            return
        if known.bit_count() == size:
            yield known
            return
        open_cells = self.board.full & ~(barred | known)
        cell = open_cells & -open_cells
        yield from self.members(barred, known | cell, size)
        yield from self.members(barred | cell, known, size)

    @remembered
    def can_complete(self, barred: Mask, known: Mask, size: int) -> bool:
        """Return whether the opponent, with `size` marks as in `exists`, can complete a line with the next mark."""
        return any(
            self.exists(barred | 1 << cell, known | line ^ 1 << cell, size)
            for line in self._lines
            if not line & barred
            for cell in cells_of(line & ~known)
        )


class CallTree(ABC, Generic[State]):
    """A game tree of the blind player: what can happen before the first call, and on each call."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board, self.rules = board, rules

    @abstractmethod
    def start(self) -> Call[State]:
        """Return what can happen before the blind player's first call."""

    @abstractmethod
    def each_call(self, state: State) -> Iterator[Call[State]]:
        """Yield what can happen on each possible call, in reading order, lazily."""

    @remembered
    def calls(self, state: State) -> tuple[Call[State], ...]:
        """Return the results of `each_call`, cached."""
        return tuple(self.each_call(state))


class InfoSet(NamedTuple):
    """What the blind player knows at a call.

    These are the `own` marks, the `known` marks of the opponent, and the number `hidden` of all the opponent's marks.
    `last` is the cell of the opponent's last move as a set, empty where the player does not know it.
    """

    own: Mask
    known: Mask
    hidden: int
    last: Mask = 0


class MergedGame(CallTree[InfoSet]):
    """The game tree of a blind player who hears of collisions; histories with the same knowledge are merged."""

    def __init__(self, board: Board, rules: BlindRules, families: Families | None = None) -> None:
        super().__init__(board, rules)
        self.families, self.line_wins = families or Families(board), board.rules.line_wins

    def start(self) -> Call[InfoSet]:
        """Return what can happen before the blind player's first call."""
        if self.rules.blind != "O":
            return Call(NO_CELL, False, False, False, ((Answer("start"), InfoSet(0, 0, 0)),))
        if not self.rules.opening_told:
            return self._reply(NO_CELL, 0, [(Answer("start"), 0, 0)], 0)
        starts = [self._opening(1 << cell) for cell in range(self.board.cells)]
        return _joined(NO_CELL, starts)

    def _opening(self, cell: Mask) -> Call[InfoSet]:
        if self.families.has_line(cell):
            return Call(NO_CELL, not self.line_wins, False, self.line_wins, ())
        if self.board.cells == 1:
            return Call(NO_CELL, False, True, False, ())
        last = cell if self.rules.names_last else 0
        return Call(NO_CELL, False, False, False, ((Answer("opening", cell), InfoSet(0, cell, 1, last)),))

    def alike(self, state: InfoSet) -> InfoSet:
        """Return the least image of a state under the symmetries of the board; it is equivalent for every goal."""
        images = self.board.group("board").images
        own, known, last = min((image(state.own), image(state.known), image(state.last)) for image in images)
        return InfoSet(own, known, state.hidden, last)

    def each_call(self, state: InfoSet) -> Iterator[Call[InfoSet]]:
        """Yield what can happen on each call that the player may make: every cell not known to be taken."""
        cells = cells_of(self.board.full & ~(state.own | state.known))
        return (_joined(cell, self.parts(state, cell)) for cell in cells)

    def parts(self, state: InfoSet, cell: Cell) -> tuple[Call[InfoSet], Call[InfoSet]]:
        """Return what can happen on a call if the cell is free, and if it is taken; empty where that is impossible.

        Assumes that the game is not over, so the opponent's marks have no line.
        """
        return self._free(state, cell), self._taken(state, cell)

    def _free(self, state: InfoSet, cell: Cell) -> Call[InfoSet]:
        own = state.own | 1 << cell
        if not self.families.exists(own, state.known, state.hidden):
            return Call(cell, False, False, False, ())
        if self.families.has_line(own):
            return Call(cell, self.line_wins, False, not self.line_wins, ())
        if own.bit_count() + state.hidden == self.board.cells:
            return Call(cell, False, True, False, ())
        return self._reply(cell, own, [(Answer("free"), state.known, 0)], state.hidden)

    def _taken(self, state: InfoSet, cell: Cell) -> Call[InfoSet]:
        answers = self.taken_answers(state, 1 << cell)
        if self.rules.loses_turn:
            return self._reply(cell, state.own, answers, state.hidden)
        states = tuple((answer, InfoSet(state.own, known, state.hidden, last)) for answer, known, last in answers)
        return Call(cell, False, False, False, states)

    def taken_answers(self, state: InfoSet, cell: Mask) -> list[tuple[Answer, Mask, Mask]]:
        """Return the possible answers to a call of a taken cell: the answer, the known marks, the last move."""
        own, known, hidden = state.own, state.known | cell, state.hidden
        if not self.families.exists(own, known, hidden):
            return []
        if self.rules.names_all:
            return [(Answer("taken", marks), marks, 0) for marks in self.families.members(own, known, hidden)]
        if not self.rules.names_last:
            return [(Answer("taken"), known, 0)]
        if state.last:
            return [(Answer("taken", state.last), known, state.last)]
        others = (1 << c for c in cells_of(self.board.full & ~(own | known)))
        lasts = [cell, *(other for other in others if self.families.exists(own, known | other, hidden))]
        return [(Answer("taken", last), known | last, last) for last in lasts]

    def _reply(self, cell: Cell, own: Mask, answers: list[tuple[Answer, Mask, Mask]], hidden: int) -> Call[InfoSet]:
        """Return what can happen when the opponent with `hidden` marks replies after one of the answers."""
        families, full = self.families, own.bit_count() + hidden + 1 == self.board.cells
        completes = any(families.can_complete(own, known, hidden) for _, known, _ in answers)
        onward = [(answer, known) for answer, known, _ in answers if families.exists(own, known, hidden + 1)]
        branches = () if full else tuple((answer, InfoSet(own, known, hidden + 1)) for answer, known in onward)
        return Call(
            cell, completes and not self.line_wins, full and bool(onward), completes and self.line_wins, branches
        )


def _joined(cell: Cell, parts: Iterable[Call[InfoSet]]) -> Call[InfoSet]:
    """Return what can happen on a call in any of several cases."""
    wins = draws = loses = False
    branches: list[tuple[Answer, InfoSet]] = []
    for part in parts:
        wins, draws, loses = wins or part[1], draws or part[2], loses or part[3]
        branches += part[4]
    return Call(cell, wins, draws, loses, tuple(branches))


class Listed(NamedTuple):
    """The state of a list of calls: the called or revealed cells, and the possible states of a player who hears more.

    The player knows only the list. It depends on the opponent which called cells became own marks; the other called
    cells were the opponent's at that time. A player who heard of collisions would now be in one of `states`, which are
    sorted. Two lists with the same `states` are merged.
    """

    barred: Mask
    states: tuple[InfoSet, ...]


class ListGame(CallTree[Listed]):
    """The game tree of a blind player who hears nothing until the game is over, so the calls form a list."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        super().__init__(board, rules)
        self.heard = MergedGame(board, rules)
        self._parts = cache(self.heard.parts)

    def start(self) -> Call[Listed]:
        """Return what can happen before the blind player's first call."""
        first = self.heard.start()
        return Call(*first[:4], tuple((answer, Listed(state.known, (state,))) for answer, state in first.branches))

    def each_call(self, state: Listed) -> Iterator[Call[Listed]]:
        """Yield what can happen on each possible next entry of the list."""
        return (self._call(state, cell) for cell in cells_of(self.board.full & ~state.barred))

    def _call(self, state: Listed, cell: Cell) -> Call[Listed]:
        call = _joined(cell, [part for each in state.states for part in self._parts(each, cell)])
        after = tuple(sorted({each for _, each in call.branches}))
        return Call(*call[:4], ((Answer("next"), Listed(state.barred | 1 << cell, after)),) if after else ())
