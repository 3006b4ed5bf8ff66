"""Solutions by search: one position at a time, on boards too large for tables."""

from __future__ import annotations

import time
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Player, Position, opponent
from noughts.domain.symmetry import Group
from noughts.kernels.search import attack as search
from noughts.kernels.search import survey
from noughts.machine.progress import Progress, silent
from noughts.solving.bounds import why_not
from noughts.solving.imagetables import image_tables
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.solving.weak.stopper import Stopper, Stopping

__all__ = ["SearchSolution", "Searcher"]

SLICE = 1 << 19
FOLD_DEPTH = 6
GROUP_LIMIT = 200
FIRST_TURN = 1 << 18
"""Nodes of plain search before the weak game is looked at."""
WEAK_COST = 1 << 7
"""Nodes of the limit that a family which Breaker opens counts for; it takes the time of about four times as many."""
MOVE_SHARES = (512, 64, 8, 1)
"""Every move is searched for a small share of these nodes first, those still open for a larger one."""


class Searcher:
    """Answers whether a player can force a win, remembering what it has settled.

    `nodes` counts the positions opened so far. Memory: 32 bytes for each of `slots`, a power of two.
    """

    def __init__(self, board: Board, *, slots: int = 1 << 22, progress: Progress = silent) -> None:
        self._progress = progress
        if board.cells > 64:
            raise BudgetError(f"the engine search takes boards of up to 64 cells, {board} has {board.cells}")
        self.board = board
        self.nodes = 0
        longest = max((len(line) for line in board.lines), default=1)
        self._ground = search.Ground(
            _images(board), board.cells, min(longest, 40), int(board.misere), board.cells - FOLD_DEPTH
        )
        self._known = search.Transpositions(np.zeros((slots, 4), np.uint64))
        lines = len(board.lines)
        degree = max((len(through) for through in board.lines_through), default=0)
        planes = self._ground.unit + (3 * degree).bit_length() + 1
        self._desk = survey.Desk(_words(lines + 1), _words(lines + 1), _words(lines + 1), _words(planes))
        self._lines = np.array(board.line_masks, np.uint64)

    def can_force(
        self, position: Position, player: Player, *, limit: int | None = None, deadline: float | None = None
    ) -> bool | None:
        """Tell whether a player can force a win from an open position.

        None where there is no answer after `limit` nodes, or soon after the `deadline` on the monotonic clock.
        """
        stack = self._stack(position, player)
        registers = np.zeros(5, np.int64)
        side = 1 if position.to_move == player else 0
        left = limit
        while True:
            if registers[search.NODES]:
                self._progress(self.nodes + int(registers[search.NODES]), 0, "positions searched")
            part = SLICE if left is None else min(SLICE, left)
            answer = search.search(self._ground, self._known, stack, self._desk, side, part, registers)
            late = _is_over(deadline)
            if answer != search.UNSETTLED or late or (left is not None and left <= part):
                self.nodes += int(registers[search.NODES])
                return None if answer == search.UNSETTLED else bool(answer == search.YES)
            if left is not None:
                left -= part

    def _stack(self, position: Position, player: Player) -> search.Stack:
        depth, lines = self.board.cells + 2, len(self._lines)
        stack = search.Stack(
            attack=_words(depth),
            defend=_words(depth),
            key_attack=_words(depth),
            key_defend=_words(depth),
            key_blanks=_words(depth),
            moves=np.zeros((depth, 64), np.int64),
            total=np.zeros(depth, np.int64),
            next=np.zeros(depth, np.int64),
            started=np.zeros(depth, np.int64),
            lines=np.zeros((depth + 1, lines + 1), np.uint64),
            line_count=np.zeros(depth + 1, np.int64),
        )
        stack.attack[0] = position.marks(player)
        stack.defend[0] = position.marks(opponent(player))
        stack.lines[0, :lines] = self._lines
        stack.line_count[0] = lines
        return stack


def _is_over(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() > deadline


def _words(count: int) -> npt.NDArray[np.uint64]:
    return np.zeros(count, np.uint64)


def _images(board: Board) -> npt.NDArray[np.uint64]:
    """Return tables of the symmetries of a board; of the identity alone where there are many."""
    group = board.group("board")
    return image_tables(group if group.order <= GROUP_LIMIT else Group.trivial(board.cells))


class SearchSolution(Solution):
    """Values found by search when they are asked for; the remoteness of a won game is not known."""

    engine = "search"
    line_is_cheap = False

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        slots: int = 1 << 22,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        progress: Progress = silent,
    ) -> None:
        super().__init__(board, start)
        searcher, stopper = Searcher(board, slots=slots, progress=progress), Stopper(board, progress)
        vars(self).update(
            _slots=slots, _budget=budget, _progress=progress, _searcher=searcher, _stopper=stopper, _known={}
        )

    _slots: int
    _budget: SearchBudget
    _progress: Progress
    _searcher: Searcher
    _stopper: Stopper
    _known: dict[tuple[int, int], Evaluation]

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was found, without the table of settled nodes and whoever watches."""
        return {name: value for name, value in vars(self).items() if name not in ("_progress", "_searcher", "_stopper")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        searcher, stopper = Searcher(state["board"], slots=state["_slots"]), Stopper(state["board"])
        vars(self).update(state, _progress=silent, _searcher=searcher, _stopper=stopper)

    @property
    def nodes(self) -> int:
        """Positions opened so far."""
        return self._searcher.nodes + self._stopper.opened

    def _evaluate_open(self, position: Position) -> Evaluation:
        budget, before = self._budget, self.nodes
        deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        found = self._find(position, budget.for_value(position, before), deadline=deadline)
        self._progress(1, 1, "positions searched")
        if found is None:
            way = "raise --time" if budget.seconds is not None else "ask noughts solve"
            raise BudgetError(
                f"{position} on {self.board} is not settled after {self.nodes - before:,} positions: {way}, or "
                "ask about a later position"
            )
        return found

    def moves(self, position: str | Position | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, best first; None where the budget of nodes ran out.

        Moves that a symmetry of the position exchanges are searched once.
        """
        at = self._position(position)
        if at.outcome is not None:
            return ()
        group = self.board.group("board")
        children: dict[Cell, tuple[int, int]] = {}
        known: dict[tuple[int, int], Evaluation | None] = {}
        for cell in self._by_promise(at):
            child = at.play(cell)
            children[cell] = group.canonical(child.x, child.o) if group.order <= GROUP_LIMIT else (child.x, child.o)
            known.setdefault(children[cell], self.evaluate(child) if child.is_terminal else None)
        most = self._budget.for_moves(at, self.nodes, settled=(at.x, at.o) in self._known)
        stop = self.nodes + most
        for share in MOVE_SHARES:
            for cell, key in children.items():
                left = min(stop - self.nodes, most // share)
                if known[key] is None and left > 0:
                    known[key] = self._child(at, at.play(cell), left)
        self._progress(1, 1, "positions searched")
        return self._sorted_moves(at.to_move, [(cell, known[key]) for cell, key in sorted(children.items())])

    def _by_promise(self, position: Position) -> list[Cell]:
        """Return the blanks, those on most live lines first, so that the budget goes to likely moves."""
        lines = [line for line in self.board.line_masks if not (line & position.x and line & position.o)]
        return sorted(cells_of(position.blanks), key=lambda cell: -sum(line >> cell & 1 for line in lines))

    def _child(self, parent: Position, child: Position, limit: int) -> Evaluation | None:
        worst = self._known.get((parent.x, parent.o))
        if worst is not None and worst.outcome == child.to_move:
            return Evaluation(child.to_move, None, "every move loses")
        if worst is None:
            return self._find(child, limit)
        hope = worst.outcome == parent.to_move
        return self._find(child, limit, mover_may_lose=hope, likely=parent.to_move if hope else None)

    def _find(
        self,
        position: Position,
        limit: int | None,
        *,
        mover_may_lose: bool = True,
        likely: Player | None = None,
        deadline: float | None = None,
    ) -> Evaluation | None:
        """Return the evaluation of an open position, or None after so many nodes or the deadline.

        `mover_may_lose` False says that the opponent of the side to move is known not to win. The player who is
        `likely` to win is asked about first.
        """
        key = (position.x, position.o)
        if key in self._known:
            return self._known[key]
        before = self.nodes
        reasons = []
        mover, other = position.to_move, opponent(position.to_move)
        for player in (other, mover) if likely == other else (mover, other):
            if player == other and not mover_may_lose:
                reasons.append(f"{player}: known from the position before")
                continue
            reason = why_not(position, player)
            if reason is None:
                left = None if limit is None else max(1, limit - (self.nodes - before))
                settled = self._settle(position, player, left, deadline)
                if settled is None:
                    return None
                if settled is True:
                    found = Evaluation(player, None, f"win by search for {player}", self.nodes - before)
                    self._known[key] = found
                    return found
                reason = settled
            reasons.append(f"{player}: {reason}")
        proof = f"draw: neither player can force a win ({'; '.join(reasons)})"
        self._known[key] = Evaluation("draw", position.blanks.bit_count(), proof, self.nodes - before)
        return self._known[key]

    def _settle(
        self, position: Position, player: Player, limit: int | None, deadline: float | None
    ) -> str | Literal[True] | None:
        """Return True where a player can force a win, why not where they cannot, None where the budget ran out.

        Plain search and the weak game take turns, each longer than the last; what plain search finds in its first turn
        it finds alone. A family that Breaker opens counts for WEAK_COST nodes of the limit.
        """
        held = self._stopper.known(position, player)
        turn, left = FIRST_TURN, limit
        weak_may_tell = not self.board.misere
        while held is None:
            share = turn if left is None else min(turn, left)
            wins = self._searcher.can_force(position, player, limit=share, deadline=deadline)
            if wins is not None:
                return True if wins else "search"
            left = None if left is None else left - share
            if left == 0 or _is_over(deadline):
                return None
            if weak_may_tell:
                families = turn // WEAK_COST if left is None else min(turn, left) // WEAK_COST
                found = self._stopper.stops(position, player, limit=families, deadline=deadline)
                weak_may_tell = found is not False
                held = found if isinstance(found, Stopping) else None
                left = None if left is None else max(1, left - families * WEAK_COST)
            turn *= 2
        return held.why
