"""Solutions that begin with what a carried proof says of the empty board, and search where it says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from noughts.machine.workers import Progress, silent
from noughts.rules.marks import Cell, Player
from noughts.rules.position import Position
from noughts.solving.problem import SearchBudget
from noughts.solving.proofs import Proof
from noughts.solving.seeking import Round, SeekingSolution
from noughts.solving.solution import Evaluation, MoveValue

if TYPE_CHECKING:
    from noughts.solving.attack.attacker import Attacker
    from noughts.solving.searching import SearchSolution
    from noughts.solving.weak.stopper import Stopper

__all__ = ["NAME", "CarriedProof", "CarriedSolution"]

NAME = "proof"


@dataclass(frozen=True)
class CarriedProof:
    """What a certificate of the package says of an empty board, `start`; `first` where X wins.

    The certificate may be about the same board turned; `first` is a cell of `start`.
    """

    start: Position
    proof: Proof
    evaluation: Evaluation
    first: Cell | None


class CarriedSolution(SeekingSolution):
    """The empty board as a carried proof says, and its first moves as far as that tells; all else by search.

    The search begins when it is needed, and knows what the proof says. First moves of which the proof says nothing are
    searched where the budget for moves has no end.
    """

    engine = NAME
    line_is_cheap = False
    _left_behind = ("_progress", "_search")

    def __init__(
        self,
        carried: CarriedProof,
        *,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        progress: Progress = silent,
    ) -> None:
        super().__init__(carried.start.board, carried.start, budget)
        vars(self).update(_carried=carried, _progress=progress)
        self._known[self.start.x, self.start.o] = carried.evaluation

    _carried: CarriedProof
    _progress: Progress

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _progress=silent)

    @property
    def nodes(self) -> int:
        """Positions opened so far by the search, where there was one."""
        return self._search.nodes if "_search" in vars(self) else 0

    def proof_of(self, position: Position) -> Proof | None:
        """Return the proof that is carried, where it is about this position, and not about its board turned."""
        return self._carried.proof if position == self._carried.proof.position else None

    def searches(self) -> tuple[Stopper, Attacker]:
        """Return the searches of the weak game and of attacks, with what they know."""
        return self._search.searches()

    def at_most(self, position: str | Position | None = None) -> int | None:
        """Return the plies within which a won game ends, where the proof or a search tells."""
        at = self._position(position)
        return self._carried.evaluation.at_most if at == self.start else self._search.at_most(at)

    def moves(self, position: str | Position | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, best first; None where neither proof nor search tells."""
        at = self._position(position)
        searched = at != self.start or self._budget.moves is None
        return self._search.moves(at) if searched else super().moves(at)

    def line(self, position: str | Position | None = None) -> tuple[Cell, ...] | None:
        """Return one line of play to the end, after the first move by search."""
        at = self._position(position)
        if at != self.start:
            return self._search.line(at)
        first = self.best_moves(at)[0]
        rest = self._search.line(at.play(first))
        return None if rest is None else (first, *rest)

    def can_win(self, position: Position, player: Player, *, deadline: float | None = None) -> bool:
        """Tell whether a player can force a win: as the proof says, or by search. Raises BudgetError."""
        if position == self.start:
            return self._carried.evaluation.outcome == player
        return self._search.can_win(position, player, deadline=deadline)

    def _evaluate_open(self, position: Position) -> Evaluation:
        return self._known.get((position.x, position.o)) or self._search.evaluate(position)

    def _seek(
        self, position: Position, limit: int | None, deadline: float | None, before: Evaluation | None = None
    ) -> Evaluation | None:
        return self._known.get((position.x, position.o))

    def _rounds(self, position: Position, *, settled: bool) -> Iterator[Round]:
        return iter(())

    def _winning_move(self, position: Position) -> Cell | None:
        return self._carried.first

    @cached_property
    def _search(self) -> SearchSolution:
        from noughts.solving.searching import SearchSolution

        search = SearchSolution(self.board, budget=self._budget, progress=self._progress)
        known = replace(self._carried.evaluation, at_most=None)
        search.told(self.start, known)
        if known.outcome == self.start.to_move:
            for move in super().moves(self.start):
                if move.outcome == known.outcome:
                    search.told(self.start.play(move.cell), known)
        return search
