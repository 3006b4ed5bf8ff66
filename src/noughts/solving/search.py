"""Engine `search`: values of single positions, found at the first request, by stages that take turns.

Where the package has a proof of an empty board, the value comes from the proof, without a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

from noughts.machine.budget import Estimate, Limits, OfSize, Refusal, is_over
from noughts.machine.workers import Progress, Workers
from noughts.rules.board import Board
from noughts.rules.cells import Move, moves_on
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Player, cells_of, opponent
from noughts.rules.position import Position, PositionLike
from noughts.solving.avoiding import mirror_of
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
from noughts.solving.published import and_known, carried_openings
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.solving.stages import ALONE_COST, ATTACK_COST, LIKELY, Stage, Stages

NAME = "search"
CARRIED = "proof"
SLOTS = 1 << 22
_MEMORY = 100_000_000
"""Bytes of memory that a search needs; its table takes more as it grows, if there is more."""
PLAYERS: tuple[Player, Player] = ("X", "O")
GROUP_LIMIT = 200
"""Largest order of a group for which moves that a symmetry exchanges are valued once."""
BOUND_LIMIT = 1_000
"""Attacking positions opened to bound the length of a game whose winner plain search has found."""
MOVE_SHARES = (512, 64, 8, 1)
"""Divisors of the budget for moves: every move is searched with a small share, then those still open with a larger."""
FIRST_ROUND = 1 << 16
"""The first share of a move in a search without limit; each round has eight times as much."""
STAGE_ROUNDS: dict[Stage, int] = {"threats": 100 * ALONE_COST, "blocking": 2_000}
"""Largest cost of the value of a move where a stage is alone."""
FIRST_LOOK = (400, 3_000)
"""Attacking positions opened to accept a large board: the first number, and the second where one of them was won."""
LONG, LONG_LOOK = 6, 32
"""With at least this many cells in every line, a large board is hardly ever won, so a shorter search is enough."""

Marks = tuple[int, int]


class Round(NamedTuple):
    """A turn that searches every open move: the cost limit of each, and the total cost at which the turn ends."""

    each: int
    stop: int | None = None


class SearchSolution(Solution):
    """Values found by search at the first request, within a budget, and remembered; a value that is not found is None.

    For a won game the search may find a number of plies within which it ends, not the exact remoteness. With a `stage`
    only that stage searches. With `carried`, a proof gives the value of the start, an empty board, and of a winning
    move. The other moves are searched only where the budget for moves is without limit. With `openings`, values after
    one and two marks are those that the package carries, where it does.
    """

    is_search = True

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        *,
        stage: Stage | None = None,
        carried: CarriedProof | None = None,
        openings: bool = False,
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
            _openings=carried_openings(board) if openings else {},
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
    _openings: dict[Marks, Evaluation | None]

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget, self.engine)

    def __getstate__(self) -> dict[str, Any]:
        """Return the values, without the tables of the searches."""
        made = self.stages.only, self.stages.slots
        return {**vars(self), "stages": made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        only, slots = state["stages"]
        vars(self).update(state, stages=Stages(state["board"], only, slots=slots))

    @property
    def nodes(self) -> int:
        """Number of positions opened so far."""
        return self.stages.nodes

    def first_look(self) -> bool:
        """Return whether a short search settles the start, on a board of more than SEARCHED_CELLS cells."""
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
            bound = self._bound(position)
            raise BudgetError(f"{self._open(position, self.nodes - before)}{bound}{and_known(position)}")
        return found

    def _bound(self, position: Position) -> str:
        """Return what is known of a misere position that is not settled, to append to a message."""
        bound = self.stages.bound(position)
        return "" if bound is None else f"; {bound}"

    def _open(self, position: Position, opened: int) -> str:
        """Return the message for a position that was not settled."""
        at = f"{position} on {self.board}"
        if self.stages.only == "threats":
            return (
                f"no attack that wins {at} was found in {self.nodes:,} attacking positions: raise --time, or remove "
                "--engine"
            )
        if self.stages.only == "blocking":
            return (
                f"blocking alone does not show in {self.nodes:,} positions that {at} is a draw: remove --engine to "
                "search for wins"
            )
        way = "raise --time" if self._budget.until() is not None else "ask noughts solve"
        return f"{at} is not settled after {opened:,} positions: {way}, or ask about a later position"

    @property
    def _only_pairs(self) -> bool:
        """Whether the board is so large that blocking looks for pairs only, without a search."""
        return self.stages.only == "blocking" and self.board.cells > SEARCHED_CELLS

    def _glance(self, position: Position, deadline: float | None) -> Evaluation | None:
        """Return the evaluation of a position whose moves are requested, where it is cheap to find."""
        if self.stages.only == "threats":
            return self._seek(position, STAGE_ROUNDS["threats"], deadline)
        if self._only_pairs:
            for player in PLAYERS:
                if why_not(position, player) is None:
                    self.stages.stopper.stops(position, player, limit=0, deadline=deadline)
            return self._seek(position, 0, deadline)
        return self._known.get((position.x, position.o))

    def at_most(self, position: PositionLike | None = None) -> int | None:
        """Return a number of plies within which a won game ends, where an attack is found; searches only once."""
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
        """Tell whether a line of play from an evaluated position is cheap to find."""
        known = self._known.get((position.x, position.o))
        return known is not None and known.at_most is not None and not self._is_carried(position)

    def _is_carried(self, position: Position) -> bool:
        return self.carried is not None and position == self.start

    def line(self, position: PositionLike | None = None) -> tuple[Move, ...] | None:
        """Return one line of play to the end; where an attack wins, the loser delays as long as the attack allows."""
        at = self._position(position)
        if at.outcome is None:
            winner = self.evaluate(at).outcome
            if winner != "draw" and self.has_cheap_line(at):
                return moves_on(self.board, self.stages.attacker.tree(at, winner).line())
        return super().line(at)

    def moves(self, position: PositionLike | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, best first; a value is None where the budget was too small.

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
            key = self._class(at.play(cell))
            if key not in self._openings or self._budget.moves is None:
                alike.setdefault(key, []).append(cell)
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
        """Return the evaluation after a move where no search is needed."""
        child = position.play(cell)
        if child.is_terminal:
            return self.evaluate(child)
        if (known := self._opening(child)) is not None:
            return known
        if before is not None and before.outcome == opponent(position.to_move):
            return Evaluation(before.outcome, None, "every move loses")
        if before is not None and before.outcome == "draw" and self.board.misere:
            mirror = mirror_of(position, position.to_move)
            if mirror is not None and mirror[1] == cell:
                drawn = Evaluation(
                    "draw", child.blanks.bit_count(), f"draw: {position.to_move} avoids lines by mirroring"
                )
                return self._known.setdefault((child.x, child.o), drawn)
        if before is not None and before.outcome == "draw" and position.ply == 0 and not self.board.misere:
            # Otherwise O would win with a mark of X on the board, so also without it: the first player would win.
            drawn = Evaluation("draw", child.blanks.bit_count(), "draw: no first move loses a board that is drawn")
            return self._known.setdefault((child.x, child.o), drawn)
        return None

    def _opening(self, position: Position) -> Evaluation | None:
        """Return the value that the package carries, after one or two marks; remembered as if it had been found."""
        known = self._openings.get(self._class(position)) if self._openings and position.ply <= 2 else None
        return None if known is None else self._known.setdefault((position.x, position.o), known)

    def is_ready(self, position: Position) -> bool:
        """Tell whether a value is found without a search."""
        return (position.x, position.o) in self._known or self._opening(position) is not None

    def _class(self, position: Position) -> Marks:
        group = self.board.group("board")
        marks = position.x, position.o
        return group.canonical(*marks) if group.order <= GROUP_LIMIT else marks

    def _winning_move(self, position: Position) -> Cell | None:
        """Return a winning move in a position that the side to move wins, where it is cheap to find."""
        if self.carried is not None and self._is_carried(position):
            return self.carried.first
        if not self.has_cheap_line(position):
            return None
        return self.stages.attacker.tree(position, position.to_move).first()

    def _rounds(self, position: Position, before: Evaluation | None) -> Iterator[Round]:
        """Yield the cost limits of the moves of a position, round by round; `before` is its evaluation, if known."""
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
        """Return the evaluation of an open position; None after a limit of nodes or the deadline.

        `before` is the evaluation of the position before the last move, if known.
        """
        key = (position.x, position.o)
        if key in self._known or self._opening(position) is not None:
            return self._known[key]
        opened, spent, only = self.nodes, self.stages.spent, self.stages.only
        reasons, unsettled = [], False
        likely = before.outcome if before is not None and is_far(position) else None
        for player in self._likely_first(position, before):
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

    def _likely_first(self, position: Position, before: Evaluation | None) -> tuple[Player, Player]:
        """Return the players; the one who is more likely to win is first."""
        mover, other = position.to_move, opponent(position.to_move)
        return (other, mover) if before is not None and before.outcome == other else (mover, other)


def offer(problem: Problem, limits: Limits, stage: Stage | None = None) -> SolvingOffer | Refusal:
    """Offer a solution that searches at a request; its memory and time are guesses.

    On a board of more than SEARCHED_CELLS cells it offers only where a short search by a stage finds the winner.
    """
    board, name = problem.board, stage or NAME
    why = _refused(problem, stage)
    if why is not None:
        return Refusal(name, type(why)(f"the engine {name} {why}"))
    large = board.cells > SEARCHED_CELLS
    seconds = 50.0 if stage or large else 20.0
    if not stage and not large and problem.start is not None:
        seconds = 6.0
    estimate = Estimate(_MEMORY, seconds, "a guess before the search")
    if not limits.allow(estimate):
        return too_large(problem, name, estimate, limits)
    solution = _seen_large(problem, stage) if large else _begun(problem, stage)
    if solution is None:
        return Refusal(name, OfSize(f"the engine {name} finds {_not_found(problem, stage)}"))

    def solve(workers: Workers, progress: Progress) -> Solution:
        solution.stages.watch.workers, solution.stages.watch.progress = workers, progress
        return solution

    return SolvingOffer(name, estimate, solve, missing=("remoteness",) if problem.remoteness_preferred else ())


def _refused(problem: Problem, stage: Stage | None) -> str | None:
    """Return why a search cannot answer a problem, None where it may."""
    board = problem.board
    most = SEARCHED_CELLS if board.misere else MOST_CELLS
    if not board.rules.is_marking:
        return f"is not made for {board}, where {board.rules.clause}"
    if board.misere and stage:
        return f"{'completes' if stage == 'threats' else 'stops'} lines, but under misere a line loses"
    if board.cells > most:
        under = " under misere" * board.misere
        return OfSize(f"takes boards of up to {most} cells{under}, but {board} has {board.cells:,}")
    if problem.counts_only or (problem.start is None and stage == "threats"):
        return "knows single positions only, not the distribution of all values"
    if problem.remoteness:
        known = {None: "values", "threats": "an upper bound on the plies of a won game", "blocking": "draws"}[stage]
        return f"knows {known}, not the {'exact number' if stage == 'threats' else 'plies to the end of a won game'}"
    return None


def _begun(problem: Problem, stage: Stage | None) -> SearchSolution:
    openings = problem.carried and stage is None
    return SearchSolution(problem.board, problem.start, stage=stage, openings=openings, budget=problem.search)


def _seen_large(problem: Problem, stage: Stage | None) -> SearchSolution | None:
    """Return a solution by the stage that finds the winner of a large board in a short search, or None."""
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
    """Offer the value of an empty board from a proof in the package; other positions are searched."""
    if not problem.board.rules.is_marking:
        return Refusal(CARRIED, f"the proofs in the package are not about {problem.board}")
    if problem.counts_only or problem.start is None:
        return Refusal(CARRIED, "a proof is about single positions, not the distribution of all values")
    if problem.remoteness:
        return Refusal(CARRIED, "a proof gives an upper bound on the plies of a won game, not the exact number")
    found = carried_proof(problem.start)
    if found is None:
        return Refusal(CARRIED, f"the package does not have a proof for {problem.board}")
    estimate = Estimate(10_000_000, 0.1, "read from the package")
    if not limits.allow(estimate):
        return Refusal(CARRIED, f"reading the proof of {problem.board} needs more memory or time", estimate)

    def solve(workers: Workers, progress: Progress) -> Solution:
        watch = Watch(progress, workers)
        return SearchSolution(
            problem.board, problem.start, carried=found, openings=True, budget=problem.search, watch=watch
        )

    gone = problem.remoteness_preferred and found.evaluation.remoteness is None
    return SolvingOffer(CARRIED, estimate, solve, missing=("remoteness",) if gone else ())
