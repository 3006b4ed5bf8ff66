"""Engine `columns`: values of single positions under gravity, by alpha-beta search on bit columns.

It takes boards of which every column, with one bit more than it has rows, fits into a word of 64 bits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.search import columns as search
from noughts.machine.budget import Estimate, Limits, Refusal, is_over
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Progress, Workers, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position, PositionLike
from noughts.solving.fields import SEARCHED_CELLS, WORD_BITS, bits_of, is_searched
from noughts.solving.problem import Problem, SearchBudget, SolvingOffer, is_far, too_large
from noughts.solving.published import and_known, carried_falling
from noughts.solving.solution import Evaluation, MoveValue, Solution

NAME = "columns"
SLICE = 1 << 21
"""Nodes between two reports of the progress, a fraction of a second."""
FIRST_SLOTS, MOST_SLOTS = 1 << 16, 1 << 29
"""Entries of the table at first, and at most."""
GROWTH, NODES_A_SLOT = 4, 16
"""How much it grows, and after how many nodes for each entry: one that fits a cache of the processor is much faster."""
FOLD = 3
"""The positions of the first third of the plies are keyed with their mirror images."""
SPEED = 3
"""Nodes that cost as much as one of the engine `search`, in which budgets are given."""
MOVE_SHARES = (512, 64, 8, 1)
"""Divisors of the budget for moves: every move is searched with a small share, then those still open with a larger."""
FIRST_ROUND = 1 << 18
LINE_BLANKS = 18
"""Up to this number of blanks a line of play is cheap to find."""
SAVING_SECONDS = 60.0
EASY_BLANKS = 26
"""Up to this number of blanks a value takes a fraction of a second."""


class _OpenedSearch(NamedTuple):
    """A question, and how far its search has come."""

    position: Position
    whole: bool
    stack: search.ColumnStack
    registers: npt.NDArray[np.int64]


class ColumnSearcher:
    """Scores positions of a board with gravity, and remembers bounds. `nodes` counts the positions opened so far.

    `memory` limits the bytes of the table. `keep` is called between slices of the work, where `state` can be saved.
    """

    def __init__(self, board: Board, *, memory: float = 8 * MOST_SLOTS, progress: Progress = silent) -> None:
        rows, columns, _ = board.shape or (1, board.cells, 1)
        self.board, self.nodes, self.progress = board, 0, progress
        self._rows, self._columns = rows, columns
        k, bits = board.k or 0, [1 << column * (rows + 1) for column in range(columns)]
        column_words = [((1 << rows) - 1) * bit for bit in bits]
        central = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
        self._ground = search.Columns(
            np.uint64(sum(column_words)),
            np.uint64(sum(bits)),
            np.array([column_words[column] for column in central], np.uint64),
            board.cells,
            rows,
            k,
            int(k <= rows),
            int(k <= columns),
            int(k <= min(rows, columns)),
            board.cells // FOLD,
            int(board.misere),
        )
        self._bit = [1 << bit for bit in bits_of(board)]
        self._most = max(FIRST_SLOTS, min(MOST_SLOTS, 1 << int(memory // 8).bit_length() - 1))
        self._table = np.zeros(FIRST_SLOTS, np.uint64)
        self._begun: _OpenedSearch | None = None
        self.keep: Callable[[], None] = lambda: None

    def state(self) -> dict[str, Any]:
        """Return the table and the search that is not finished, as arrays."""
        found = {"table": self._table, "nodes": np.array(self.nodes), "about": np.zeros(0, np.uint64)}
        if self._begun is not None:
            position, whole, stack, registers = self._begun
            about = np.array([position.x, position.o, whole], np.uint64)
            found |= {"about": about, "registers": registers, **stack._asdict()}
        return found

    def resume(self, state: dict[str, Any]) -> None:
        """Take over a state, so that the same question resumes where it stopped."""
        self._table, self.nodes = state["table"], int(state["nodes"])
        if len(state["about"]):
            x, o, whole = map(int, state["about"])
            stack = search.ColumnStack(*(state[name] for name in search.ColumnStack._fields))
            self._begun = _OpenedSearch(Position(self.board, x, o), bool(whole), stack, state["registers"])

    def score(
        self, position: Position, *, whole: bool = True, limit: int | None = None, deadline: float | None = None
    ) -> int | None:
        """Return the score of an open position for the side to move, as the kernel defines it.

        With `whole` False only its sign counts. None after `limit` nodes, or soon after the deadline; the next call
        with the same question resumes the search.
        """
        begun, self._begun = self._begun, None
        if begun is None or (begun.position, begun.whole) != (position, whole):
            begun = self._opened(position, whole)
        registers, left, ply = begun.registers, limit, position.ply
        before, earlier = int(registers[search.NODES]), self.nodes
        while True:
            part = SLICE if left is None else min(SLICE, left)
            found = int(search.search(self._ground, self._table, begun.stack, ply, part, registers))
            opened = int(registers[search.NODES]) - before
            if limit is not None:
                left = limit - opened
            self.nodes, self._begun = earlier + opened, begun if found == search.UNSETTLED else None
            if found != search.UNSETTLED or left == 0 or is_over(deadline):
                return None if found == search.UNSETTLED else found
            self.progress(self.nodes, 0, "positions searched")
            self.keep()
            if len(self._table) < self._most and registers[search.NODES] > NODES_A_SLOT * len(self._table):
                self._grow()

    def _opened(self, position: Position, whole: bool) -> _OpenedSearch:
        depth, registers = position.blanks.bit_count() + 2, np.zeros(7, np.int64)
        stack = search.ColumnStack(
            np.zeros((depth, 3), np.uint64),
            np.zeros((depth, self._columns), np.uint64),
            np.zeros((depth, self._columns), np.int64),
            np.zeros((depth, 6), np.int64),
        )
        x, o = (sum(self._bit[cell] for cell in cells_of(marks)) for marks in (position.x, position.o))
        stack.marks[0, 0], stack.marks[0, 1] = (x if position.to_move == "X" else o), x | o
        most = (self.board.cells + 1 - position.ply) // 2 if whole else 1
        registers[search.LOW], registers[search.HIGH] = -most, most
        return _OpenedSearch(position, whole, stack, registers)

    def _grow(self) -> None:
        """Move every entry to its place in a larger table; see `kernels.search.columns.keep` for the places."""
        size = min(self._most, GROWTH * len(self._table))
        grown = np.zeros(size, np.uint64)
        for side in (0, 1):
            entries = self._table[side::2]
            (places,) = np.nonzero(entries)
            words = entries[places] & ~np.uint64(255) | places.astype(np.uint64) & np.uint64(255)
            grown[(words & np.uint64(size // 2 - 1)).astype(np.int64) * 2 + side] = entries[places]
        self._table = grown


class SavedSearch:
    """The state of a search in a folder; it is saved every SAVING_SECONDS, and when `save` is called.

    Raises InputError where a state to resume is missing, or one would be lost.
    """

    def __init__(self, folder: Path, searcher: ColumnSearcher, *, resume: bool) -> None:
        self._store, self._searcher = Checkpoints(folder), searcher
        self._key, self._due = f"{NAME} {searcher.board}", time.monotonic() + SAVING_SECONDS
        state = self._store.arrays(self._key, ("table", "nodes", "about"))
        if (state is not None) != resume:
            which, what = ("no", "remove") if resume else ("a", "add")
            raise InputError(f"{shown(str(folder))} has {which} search of {searcher.board}: {what} --resume")
        if state is not None:
            searcher.resume(state)
        searcher.keep = self._keep

    def save(self) -> None:
        """Save the state. Raises FileError."""
        self._store.keep_arrays(self._key, self._searcher.state())

    def _keep(self) -> None:
        if time.monotonic() >= self._due:
            self.save()
            self._due = time.monotonic() + SAVING_SECONDS


class ColumnSolution(Solution):
    """Values found by search at the first request, within a budget, and remembered; a move's may be None."""

    engine = NAME
    is_search = True

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        whole: bool = True,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        memory: float = 8 * MOST_SLOTS,
        carried: bool = False,
    ) -> None:
        super().__init__(board, start)
        searcher, known = ColumnSearcher(board, memory=memory), carried_falling(board) if carried else {}
        vars(self).update(searcher=searcher, _budget=budget, _whole=whole, _memory=memory, _known=known, _signs={})

    searcher: ColumnSearcher
    _budget: SearchBudget
    _whole: bool
    _memory: float
    _known: dict[tuple[Mask, Mask], Evaluation]
    _signs: dict[tuple[Mask, Mask], int]

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget, self._whole)

    def __getstate__(self) -> dict[str, Any]:
        """Return the values, without the table of the search."""
        return {**vars(self), "searcher": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, searcher=ColumnSearcher(state["board"], memory=state["_memory"]))

    @property
    def nodes(self) -> int:
        """Number of positions opened so far."""
        return self.searcher.nodes

    def _evaluate_open(self, position: Position) -> Evaluation:
        before = self.nodes
        found = self._seek(
            position, self._limit(position, self._budget.position, self._budget.far), self._budget.until()
        )
        self.searcher.progress(1, 1, "positions searched")
        if found is None:
            way = "raise --time" if self._budget.until() is not None else "ask noughts solve"
            opened = self.nodes - before
            raise BudgetError(
                f"{position} on {self.board} is not settled after {opened:,} positions: {way}, or ask about a later "
                f"position{and_known(position)}"
            )
        return found

    def can_win(self, position: Position, player: Player, *, deadline: float | None = None) -> bool:
        """Tell whether a player can force a win, without the number of plies. Raises BudgetError after the deadline."""
        if position.outcome is not None:
            return position.outcome == player
        key = self.board.group().canonical(position.x, position.o)
        known = self._known.get(key)
        if known is not None:
            return known.outcome == player
        if key not in self._signs:
            score = self.searcher.score(position, whole=False, deadline=deadline)
            if score is None:
                raise BudgetError(f"{position} on {self.board} is not settled in time: raise --time")
            self._signs[key] = score if position.to_move == "X" else -score
        return self._signs[key] > 0 if player == "X" else self._signs[key] < 0

    def has_cheap_line(self, position: Position) -> bool:
        """Tell whether a line of play from an evaluated position is cheap to find."""
        return position.blanks.bit_count() <= LINE_BLANKS and self._whole

    def moves(self, position: PositionLike | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, best first; a value is None where the budget was too small.

        Moves that the mirror exchanges are valued once.
        """
        at = self._position(position)
        if at.outcome is not None:
            return ()
        deadline, canonical = self._budget.until(), self.board.group().canonical
        found: dict[Cell, Evaluation | None] = {}
        left: dict[tuple[Mask, Mask], list[Cell]] = {}
        for cell in cells_of(at.playable):
            child = at.play(cell)
            key = canonical(child.x, child.o)
            found[cell] = self.evaluate(child) if child.is_terminal else self._known.get(key)
            if found[cell] is None:
                left.setdefault(key, []).append(cell)
        most, share, stop = self._limit(at, self._budget.moves, self._budget.far_moves), 0, None
        if most is not None:
            stop = self.nodes + most
        while left and not is_over(deadline) and (stop is None or share < len(MOVE_SHARES)):
            for key, cells in list(left.items()):
                each = FIRST_ROUND << 3 * share if most is None else max(1, most // MOVE_SHARES[share])
                if is_over(deadline) or (stop is not None and self.nodes >= stop):
                    break
                value = self._seek(at.play(cells[0]), each if stop is None else min(each, stop - self.nodes), deadline)
                if value is not None:
                    found.update(dict.fromkeys(left.pop(key), value))
            share += 1
        self.searcher.progress(1, 1, "positions searched")
        return self._sorted_moves(at.to_move, list(found.items()))

    def _limit(self, position: Position, limit: int | None, far: int | None) -> int | None:
        """Return a limit in nodes of this search, within what is left for all; `far` is the limit of far positions."""
        budget, limits = self._budget, [limit, far if is_far(position) else None]
        if budget.whole is not None:
            limits.append(max(0, budget.whole - self.nodes // SPEED))
        given = [each for each in limits if each is not None]
        return SPEED * min(given) if given else None

    def _seek(self, position: Position, limit: int | None, deadline: float | None) -> Evaluation | None:
        """Return the evaluation of an open position; None after a limit of nodes or the deadline."""
        key = self.board.group().canonical(position.x, position.o)
        if key not in self._known:
            opened = self.nodes
            score = self.searcher.score(position, whole=self._whole, limit=limit, deadline=deadline)
            if score is None:
                return None
            outcome, plies = self._meaning(position, score)
            proof = f"alpha-beta search of the replies{' that matter' if self._whole else ', for the winner only'}"
            self._known[key] = Evaluation(outcome, plies, proof, self.nodes - opened)
        return self._known[key]

    def _meaning(self, position: Position, score: int) -> tuple[Outcome, int | None]:
        """Return the outcome and the plies to the end that a score stands for."""
        if score == 0:
            return "draw", position.blanks.bit_count()
        winner = position.to_move if score > 0 else opponent(position.to_move)
        if not self._whole:
            return winner, None
        end = self.board.cells + 2 - 2 * abs(score)
        odd = (winner == "X") != self.board.misere  # X completes lines at odd plies
        return winner, end - (end % 2 != odd) - position.ply


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer a solution that searches at a request, for gravity; the memory is that of its table, the time a guess."""
    board, why = problem.board, None
    if not is_searched(board):
        why = f"takes boards of up to {SEARCHED_CELLS} cells and {WORD_BITS} bits, a bit a column more than its rows"
    elif problem.counts_only:
        why = "knows single positions only, not the distribution of all values"
    if why is not None:
        return Refusal(NAME, f"the engine {NAME} {why}")
    blanks = (problem.start or Position(board)).blanks.bit_count()
    seconds = 20.0 if problem.start is None else 0.3 if blanks <= EASY_BLANKS else 10.0
    estimate = Estimate(100_000_000, seconds, "time unknown before the search")
    if not limits.allow(estimate):
        return too_large(problem, NAME, estimate, limits)
    memory = min(limits.memory / 2, 8 * MOST_SLOTS)

    def solve(workers: Workers, progress: Progress) -> Solution:
        solution = ColumnSolution(
            board,
            problem.start,
            whole=problem.remoteness is not False,
            budget=problem.search,
            memory=memory,
            carried=problem.carried,
        )
        solution.searcher.progress = progress
        return solution

    return SolvingOffer(NAME, estimate, solve)
