"""Wins by attacks that leave the defender few replies, each with a line of play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from noughts.machine.budget import is_over
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Outcome, Player, opponent
from noughts.rules.position import Position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.bounds import reason_not_to_win
from noughts.solving.problem import SEARCHED_CELLS, SearchBudget
from noughts.solving.published import and_known
from noughts.solving.seeking import Round, SeekingSolution
from noughts.solving.solution import Evaluation
from noughts.solving.weak.stopper import Stopper

__all__ = ["AttackSolution"]

FIRST_LOOK = (400, 3_000)
"""Attacking positions opened before it is offered: the first few, and the rest where any of these was won."""
LONG = 6
"""Where every line has so many cells, a large board is hardly ever won: a shorter look suffices."""
LONG_LOOK = 32
CHILD_LIMIT = 100
"""Attacking positions opened for the value of a move."""
COST = 100
"""Nodes of a search budget that an attacking position counts for: it is tried out by so many sequences of threats."""


class AttackSolution(SeekingSolution):
    """Wins by threats, with a line of play and the plies that it takes at most.

    Where every attack of both players fails, the game is drawn; the search may take long to see it. On boards of more
    than SEARCHED_CELLS cells moves are not searched one by one, unless the budget has no end for them: of a won
    position the one that was found wins.
    """

    engine = "threats"
    line_is_cheap = True
    _left_behind = ("_attacker",)

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        progress: Progress = silent,
    ) -> None:
        super().__init__(board, start, budget)
        vars(self).update(_attacker=Attacker(board, progress))

    _attacker: Attacker

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _attacker=Attacker(state["board"]))

    @property
    def nodes(self) -> int:
        """Attacking positions opened so far."""
        return self._attacker.opened

    def watched(self, progress: Progress) -> AttackSolution:
        """Let somebody be told how far it has come; return it."""
        self._attacker.watched(progress)
        return self

    def first_look(self) -> Outcome | None:
        """Return the outcome of the start, None where a short search does not find it."""
        few, many = FIRST_LOOK
        if all(len(line) >= LONG for line in self.board.lines):
            few = LONG_LOOK
        if self.start.is_terminal:
            return self.start.outcome
        deadline = self._budget.until()
        found = self._seek(self.start, few, deadline)
        if found is None and self._attacker.has_won_some:
            found = self._seek(self.start, many, deadline)
        return None if found is None else found.outcome

    def _evaluate_open(self, position: Position) -> Evaluation:
        nodes = self._budget.for_value(position, self.nodes * COST)
        found = self._seek(position, None if nodes is None else max(1, nodes // COST), self._budget.until())
        if found is None:
            raise BudgetError(
                f"no attack was seen to win {position} on {self.board} after {self.nodes:,} attacking positions: raise "
                f"--time, or leave out --engine{and_known(position)}"
            )
        return found

    def _known_before(self, position: Position, deadline: float | None) -> Evaluation | None:
        return self._seek(position, CHILD_LIMIT, deadline)

    def _winning_move(self, position: Position) -> Cell | None:
        return self._attacker.tree(position, position.to_move).first()

    def _rounds(self, position: Position, *, settled: bool) -> Iterator[Round]:
        if self._budget.moves is None:
            yield from (Round(CHILD_LIMIT << 3 * turn) for turn in count())
        elif self.board.cells <= SEARCHED_CELLS:
            yield Round(CHILD_LIMIT)

    def line(self, position: str | Position | None = None) -> tuple[Cell, ...] | None:
        """Return a line of play in which the loser holds out as long as the attack lets him; None of a draw."""
        at = self._position(position)
        if at.outcome is not None:
            return ()
        outcome = self.evaluate(at).outcome
        return None if outcome == "draw" else self._attacker.tree(at, outcome).line()

    def _seek(
        self, position: Position, limit: int | None, deadline: float | None, before: Evaluation | None = None
    ) -> Evaluation | None:
        key = (position.x, position.o)
        if key in self._known:
            return self._known[key]
        opened, mover = self.nodes, position.to_move
        unsettled = False
        for player in (mover, opponent(mover)):
            if self._why_not(position, player):
                continue
            wins = (
                None
                if is_over(deadline)
                else self._attacker.can_force(position, player, limit=limit, deadline=deadline)
            )
            if wins:
                most = self._attacker.tree(position, player).at_most()
                proof = f"win by threats for {player}, in at most {most} {'ply' if most == 1 else 'plies'}"
                self._known[key] = Evaluation(player, None, proof, self.nodes - opened, at_most=most)
                return self._known[key]
            unsettled = unsettled or wins is None
        if unsettled:
            return None
        why = "draw: neither player can force a win (every attack fails)"
        self._known[key] = Evaluation("draw", position.blanks.bit_count(), why, self.nodes - opened)
        return self._known[key]

    def _why_not(self, position: Position, player: Player) -> str | None:
        if position.ply == 0 and player == "O":
            return "strategy stealing: the second player of an empty board never wins"
        return reason_not_to_win(position, player) if self.board.cells <= SEARCHED_CELLS else None

    def searches(self) -> tuple[Stopper, Attacker]:
        """Return the searches of the weak game and of attacks, with what they know."""
        return Stopper(self.board, self._attacker.progress), self._attacker
