"""Engine `search`: values of single positions, found when they are asked for, by stages that take turns.

What a proof that the package carries says of an empty board is told by it, and nothing is searched for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

from noughts.machine.budget import Estimate, Limits, Refusal, is_over
from noughts.machine.workers import Progress, Workers
from noughts.rules.board import Board
from noughts.rules.cells import Move, moves_on
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.solving.bounds import why_not
from noughts.solving.problem import (
    MOST_CELLS,
    SEARCHED_CELLS,
    Problem,
    SearchBudget,
    SolvingOffer,
    Watch,
    is_far,
    too_large,
)
from noughts.solving.proofs import CarriedProof, carried_proof
from noughts.solving.published import and_known
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.solving.stages import ALONE_COST, ATTACK_COST, LIKELY, Stage, Stages

NAME = "search"
CARRIED = "proof"
SLOTS = 1 << 22
PLAYERS: tuple[Player, Player] = ("X", "O")
GROUP_LIMIT = 200
"""Moves that a symmetry exchanges are valued once where the board has at most so many."""
BOUND_LIMIT = 1_000
"""Attacking positions opened to bound the length of a game whose winner plain search has found."""
MOVE_SHARES = (512, 64, 8, 1)
"""Every move is searched for a small share of these nodes first, those still open for a larger one."""
FIRST_ROUND = 1 << 16
"""The share of a move where there is no end; in every round after it there is eight times as much."""
STAGE_ROUNDS: dict[Stage, int] = {"threats": 100 * ALONE_COST, "blocking": 2_000}
"""What the value of a move may cost where a stage is alone."""
FIRST_LOOK = (400, 3_000)
"""Attacking positions opened before a large board is taken: the first few, and the rest where any of these was won."""
LONG, LONG_LOOK = 6, 32
"""Where every line has so many cells, a large board is hardly ever won: a shorter look suffices."""

Marks = tuple[int, int]


class Round(NamedTuple):
    """A turn in which every move still open is looked at: what each may cost, and at what is `spent` it is over."""

    each: int
    stop: int | None = None


class SearchSolution(Solution):
    """Values found by search when they are asked for, within a budget, and kept; what is not found is None.

    With a `stage` that one alone is at work. Of a won game it is known within how many plies it ends, where an attack
    was found, not in how many. With `carried` the start, an empty board, is as a proof says, and of its moves those
    that the proof tells; the others are searched where the budget for moves has no end.
    """

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        stage: Stage | None = None,
        carried: CarriedProof | None = None,
        budget: SearchBudget = SearchBudget(),  # noqa: B008 - a value
        slots: int = SLOTS,
        watch: Watch | None = None,
    ) -> None:
        super().__init__(board, start)
        vars(self).update(
            engine=CARRIED if carried else stage or NAME,
            carried=carried,
            stages=Stages(board, stage, slots=slots, watch=watch),
            _budget=budget,
            _known={},
            _unbounded=set(),
        )
        if carried is not None:
            self._known[0, 0] = carried.evaluation
        if carried is not None and carried.first is not None:
            known = replace(carried.evaluation, at_most=None)
            alike = {element[carried.first] for element in board.group("board").elements}
            self._known.update({(1 << cell, 0): known for cell in alike})

    carried: CarriedProof | None
    stages: Stages
    _budget: SearchBudget
    _known: dict[Marks, Evaluation]
    _unbounded: set[Marks]

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget, self.engine)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was found, without the tables of the searches."""
        made = self.stages.only, self.stages.slots
        return {**vars(self), "stages": made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        only, slots = state["stages"]
        vars(self).update(state, stages=Stages(state["board"], only, slots=slots))

    @property
    def nodes(self) -> int:
        """Positions opened so far."""
        return self.stages.nodes

    def first_look(self) -> bool:
        """Return whether a short search tells who wins a start on a board of more than SEARCHED_CELLS cells."""
        if self.start.is_terminal:
            return True
        deadline = self._budget.until()
        if self.stages.only == "blocking":
            return self._glance(self.start, deadline) is not None
        few, many = FIRST_LOOK
        if all(len(line) >= LONG for line in self.board.lines):
            few = LONG_LOOK
        found = self._seek(self.start, few * ALONE_COST, deadline)
        if found is None and self.stages.attacker.has_won_some:
            found = self._seek(self.start, many * ALONE_COST, deadline)
        return found is not None

    def _evaluate_open(self, position: Position) -> Evaluation:
        budget, before = self._budget, self.nodes
        if self._only_pairs:
            found = self._glance(position, budget.until())
        else:
            found = self._seek(position, budget.for_value(position, self.stages.spent), budget.until())
            self.stages.watch.progress(1, 1, "positions searched")
        if found is None:
            raise BudgetError(f"{self._open(position, self.nodes - before)}{and_known(position)}")
        return found

    def _open(self, position: Position, opened: int) -> str:
        """Return in words that a position was not settled after so many were opened."""
        at = f"{position} on {self.board}"
        if self.stages.only == "threats":
            return (
                f"no attack was seen to win {at} after {self.nodes:,} attacking positions: raise --time, or leave out "
                "--engine"
            )
        if self.stages.only == "blocking":
            return (
                f"blocking alone was not seen to make {at} a draw after {self.nodes:,} positions: somebody may win, or "
                "threats of one's own are needed"
            )
        way = "raise --time" if self._budget.until() is not None else "ask noughts solve"
        return f"{at} is not settled after {opened:,} positions: {way}, or ask about a later position"

    @property
    def _only_pairs(self) -> bool:
        """Whether the board is one on which blocking looks for pairs and searches nothing."""
        return self.stages.only == "blocking" and self.board.cells > SEARCHED_CELLS

    def _glance(self, position: Position, deadline: float | None) -> Evaluation | None:
        """Return the evaluation of a position whose moves are asked for, where it is had at little cost."""
        if self.stages.only == "threats":
            return self._seek(position, STAGE_ROUNDS["threats"], deadline)
        if self._only_pairs:
            for player in PLAYERS:
                if why_not(position, player) is None:
                    self.stages.stopper.stops(position, player, limit=0, deadline=deadline)
            return self._seek(position, 0, deadline)
        return self._known.get((position.x, position.o))

    def at_most(self, position: str | Position | None = None) -> int | None:
        """Return the plies within which a won game ends, where a search for an attack finds them; looked for once."""
        at = self._position(position)
        found, key = self.evaluate(at), (at.x, at.o)
        if found.outcome == "draw" or found.remoteness is not None or found.at_most is not None:
            return found.at_most
        nodes, deadline = self._budget.for_value(at, self.stages.spent), self._budget.until()
        limit = BOUND_LIMIT if nodes is None else min(BOUND_LIMIT, nodes // ATTACK_COST)
        may_tell = key not in self._unbounded and not self.board.misere and limit and not is_over(deadline)
        if may_tell and self.stages.attacker.can_force(at, found.outcome, limit=limit, deadline=deadline):
            self._known[key] = replace(found, at_most=self.stages.attacker.tree(at, found.outcome).at_most())
        self._unbounded.add(key)
        return self._known[key].at_most

    def can_win(self, position: Position, player: Player, *, deadline: float | None = None) -> bool:
        """Tell by plain search whether a player can force a win. Raises BudgetError after the deadline."""
        if position.outcome is not None:
            return position.outcome == player
        known = self._known.get((position.x, position.o))
        if known is not None or self.stages.only:
            return self.evaluate(position).outcome == player
        found = self.stages.plain.can_force(position, player, deadline=deadline)
        if found is None:
            raise BudgetError(f"{position} on {self.board} is not settled in time: raise --time{and_known(position)}")
        return found

    def has_cheap_line(self, position: Position) -> bool:
        """Tell whether a line of play from an evaluated position costs next to nothing."""
        known = self._known.get((position.x, position.o))
        return known is not None and known.at_most is not None and not self._is_carried(position)

    def _is_carried(self, position: Position) -> bool:
        return self.carried is not None and position == self.start

    def line(self, position: str | Position | None = None) -> tuple[Move, ...] | None:
        """Return one line of play to the end: where an attack wins, the loser holds out as long as it lets him."""
        at = self._position(position)
        if at.outcome is None:
            winner = self.evaluate(at).outcome
            if winner != "draw" and self.has_cheap_line(at):
                return moves_on(self.board, self.stages.attacker.tree(at, winner).line())
        return super().line(at)

    def moves(self, position: str | Position | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, best first; None where the budget or the time ran out.

        Moves that a symmetry of the position exchanges are valued once.
        """
        at = self._position(position)
        if at.outcome is not None:
            return ()
        deadline = self._budget.until()
        before = self._glance(at, deadline)
        found = {cell: self._seen(at, cell, before) for cell in cells_of(at.blanks)}
        alike: dict[Marks, list[Cell]] = {}
        lines = [line for line in self.board.line_masks if not (line & at.x and line & at.o)]
        promise = sorted(cells_of(at.blanks), key=lambda cell: -sum(line >> cell & 1 for line in lines))
        for cell in [cell for cell in promise if found[cell] is None]:  # the budget goes to likely moves
            alike.setdefault(self._class(at.play(cell)), []).append(cell)
        if alike and before is not None and before.outcome == at.to_move:
            winning = self._winning_move(at)
            won = [] if winning is None else alike.pop(self._class(at.play(winning)), [])
            found.update(dict.fromkeys(won, Evaluation(at.to_move, None, "known from the position before")))
        for one, stop in self._rounds(at, before) if alike else ():
            for key, cells in list(alike.items()):
                if is_over(deadline) or (stop is not None and self.stages.spent >= stop):
                    break
                most = one if stop is None else min(one, stop - self.stages.spent)
                value = self._seek(at.play(cells[0]), most, deadline, before)
                if value is not None:
                    found.update(dict.fromkeys(cells, value))
                    del alike[key]
            if not alike or is_over(deadline):
                break
        self.stages.watch.progress(1, 1, "positions searched")
        return self._sorted_moves(at.to_move, list(found.items()))

    def _seen(self, position: Position, cell: Cell, before: Evaluation | None) -> Evaluation | None:
        """Return what a move leads to where that is seen without a search."""
        child = position.play(cell)
        if child.is_terminal:
            return self.evaluate(child)
        if before is not None and before.outcome == opponent(position.to_move):
            return Evaluation(before.outcome, None, "every move loses")
        if before is not None and before.outcome == "draw" and position.ply == 0 and not self.board.misere:
            # Else O, to move beside a mark of X that harms O if anything, would win the empty board by moving first.
            drawn = Evaluation("draw", child.blanks.bit_count(), "draw: no first move loses a board that is drawn")
            return self._known.setdefault((child.x, child.o), drawn)
        return None

    def _class(self, position: Position) -> Marks:
        group = self.board.group("board")
        marks = position.x, position.o
        return group.canonical(*marks) if group.order <= GROUP_LIMIT else marks

    def _winning_move(self, position: Position) -> Cell | None:
        """Return a move that wins a position, which the side to move wins, where it is had at little cost."""
        if self.carried is not None and self._is_carried(position):
            return self.carried.first
        if not self.has_cheap_line(position):
            return None
        return self.stages.attacker.tree(position, position.to_move).first()

    def _rounds(self, position: Position, before: Evaluation | None) -> Iterator[Round]:
        """Yield what the moves of a position may cost, round by round; `before` is its own evaluation, if known."""
        only, moves = self.stages.only, self._budget.moves
        if self._is_carried(position) and moves is not None:
            return
        if only is None:
            yield from self._shares(position, before)
        elif only == "threats" and moves is None:
            yield from (Round(STAGE_ROUNDS[only] << 3 * turn) for turn in count())
        elif self._only_pairs or self.board.cells <= SEARCHED_CELLS:
            yield Round(0 if self._only_pairs else STAGE_ROUNDS[only])

    def _shares(self, position: Position, before: Evaluation | None) -> Iterator[Round]:
        most = self._budget.for_moves(position, self.stages.spent, settled=before is not None)
        if most is None:
            yield from (Round(FIRST_ROUND << 3 * turn) for turn in count())
            return
        stop = self.stages.spent + most
        won = before is not None and before.outcome == position.to_move
        shares = (LIKELY,) if won and is_far(position) else [most // share for share in MOVE_SHARES]
        yield from (Round(each, stop) for each in shares)

    def _seek(
        self, position: Position, limit: int | None, deadline: float | None, before: Evaluation | None = None
    ) -> Evaluation | None:
        """Return the evaluation of an open position, None after so many nodes or the deadline.

        `before` is that of the position from which a move led here, where it is known.
        """
        key = (position.x, position.o)
        if key in self._known:
            return self._known[key]
        opened, spent, only = self.nodes, self.stages.spent, self.stages.only
        reasons, unsettled = [], False
        likely = before.outcome if before is not None and is_far(position) else None
        for player in self._asked(position, before):
            if before is not None and before.outcome != player == opponent(position.to_move):
                reasons.append(f"{player}: known from the position before")
                continue
            reason = why_not(position, player)
            if reason is None:
                left = max(1, limit - (self.stages.spent - spent)) if limit else limit
                settled = self.stages.settle(position, player, left, deadline, threats_first=player == likely)
                if settled is None and only != "threats":
                    return None
                if settled is None:  # the other may win by an attack
                    unsettled = True
                    continue
                if settled.wins:
                    won = Evaluation(player, None, settled.why, self.nodes - opened, settled.at_most)
                    return self._known.setdefault(key, won)
                reason = settled.why
            reasons.append(f"{player}: {reason}")
        if unsettled:
            return None
        proof = f"draw: neither player can force a win ({'; '.join(reasons)})"
        drawn = Evaluation("draw", position.blanks.bit_count(), proof, self.nodes - opened)
        return self._known.setdefault(key, drawn)

    def _asked(self, position: Position, before: Evaluation | None) -> tuple[Player, Player]:
        """Return the players in the order in which their wins are looked for: who is likely to win first."""
        mover, other = position.to_move, opponent(position.to_move)
        return (other, mover) if before is not None and before.outcome == other else (mover, other)


def offer(problem: Problem, limits: Limits, stage: Stage | None = None) -> SolvingOffer | Refusal:
    """Offer a solution that searches when it is asked: the memory is that of its tables, the time is a guess.

    On boards of more than SEARCHED_CELLS cells it is looked first whether a stage tells who wins.
    """
    board, name = problem.board, stage or NAME
    why = _refused(problem, stage)
    if why is not None:
        return Refusal(name, f"the engine {name} {why}")
    large = board.cells > SEARCHED_CELLS
    memory, seconds = (500_000_000, 50.0) if stage or large else (SLOTS * 32 + 100_000_000, 20.0)
    if not stage and not large and problem.start is not None:
        seconds = 6.0
    estimate = Estimate(memory, seconds, "time unknown before the search")
    if not limits.allow(estimate):
        return too_large(problem, name, estimate, limits)
    solution = _seen_large(problem, stage) if large else _begun(problem, stage)
    if solution is None:
        return Refusal(name, f"the engine {name} finds {_not_found(problem, stage)}")

    def solve(workers: Workers, progress: Progress) -> Solution:
        solution.stages.watch.workers, solution.stages.watch.progress = workers, progress
        return solution

    return SolvingOffer(name, estimate, solve, missing=("remoteness",) if problem.remoteness_preferred else ())


def _refused(problem: Problem, stage: Stage | None) -> str | None:
    """Return why a search cannot answer a problem, None where it may."""
    board = problem.board
    most = SEARCHED_CELLS if board.misere else MOST_CELLS
    if board.misere and stage:
        return f"{'completes' if stage == 'threats' else 'stops'} lines, and under misere they lose"
    if board.cells > most:
        return f"takes boards of up to {most} cells{' under misere' * board.misere}, {board} has {board.cells:,}"
    if problem.counts_only or (problem.start is None and stage == "threats"):
        return "knows single positions only, not how all are distributed"
    if problem.remoteness:
        known = {None: "values", "threats": "in how many plies at most a game is won", "blocking": "draws"}[stage]
        return f"knows {known}, not {'in how many' if stage == 'threats' else 'the plies to the end of a won game'}"
    return None


def _begun(problem: Problem, stage: Stage | None) -> SearchSolution:
    return SearchSolution(problem.board, problem.start, stage=stage, budget=problem.search)


def _seen_large(problem: Problem, stage: Stage | None) -> SearchSolution | None:
    """Return a solution by the stage that tells at a look who wins a large board: a win by threats, pairs, a draw."""
    threats, blocking = _begun(problem, "threats"), _begun(problem, "blocking")
    seen = stage != "blocking" and threats.first_look()
    if seen and (stage == "threats" or threats.outcome() != "draw"):
        return threats
    if stage != "threats" and blocking.first_look():
        return blocking
    return threats if seen else None


def _not_found(problem: Problem, stage: Stage | None) -> str:
    start = problem.start or Position(problem.board)
    at = "the empty board" if start.ply == 0 else f"{start}"
    pairs = "pairs that guard every line"
    if stage == "blocking":
        return f"no {pairs}{f' of {start}' if start.ply else ''} on {problem.board}"
    return f"no win from {at} of {problem.board}{'' if stage else f', and no {pairs}'}"


def offer_carried(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer what a carried proof says of an empty board, and of other positions what a search finds."""
    if problem.counts_only or problem.start is None:
        return Refusal(CARRIED, "a proof is about single positions, not how all are distributed")
    if problem.remoteness:
        return Refusal(CARRIED, "a proof tells in how many plies at most a game is won, not in how many")
    found = carried_proof(problem.start)
    if found is None:
        return Refusal(CARRIED, f"the package carries no proof that {problem.board} needs")
    estimate = Estimate(10_000_000, 0.1, "read from the package")
    if not limits.allow(estimate):
        return Refusal(CARRIED, f"no proof of {problem.board} is read in so little memory or time", estimate)

    def solve(workers: Workers, progress: Progress) -> Solution:
        watch = Watch(progress, workers)
        return SearchSolution(problem.board, problem.start, carried=found, budget=problem.search, watch=watch)

    gone = problem.remoteness_preferred and found.evaluation.remoteness is None
    return SolvingOffer(CARRIED, estimate, solve, missing=("remoteness",) if gone else ())
