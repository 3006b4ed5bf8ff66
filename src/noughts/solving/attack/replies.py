"""Long attacks: many workers prove a move of the attacker reply by reply, each within a limit that grows.

Where every move leaves dozens of replies, proof numbers alone never decide on a move: the best known one looks worst.
So this is a tree above that search. A goal is a position with the attacker to move. A search with a small limit comes
first. A goal that it does not settle is split into moves; a move wins if all replies to it are won goals.

A step chooses the goals with the cheapest expected proof as work items. Each is searched alone, with the results known
when it was chosen. The next step is chosen while the last few items are under way, so workers need not wait. What it
depends on are the answers before those, in order: neither the workers nor a stop and its resumption change the result.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np

from noughts.kernels.search import replies as quiet
from noughts.kernels.search import threats as field
from noughts.machine.budget import is_over
from noughts.rules.board import Board
from noughts.rules.marks import Cell
from noughts.solving.attack.board import AttackBoard, Lookahead, Picture
from noughts.solving.attack.search import AttackSearch
from noughts.solving.problem import Watch

LIMITS = (60, 300, 900)
"""Limits on attacking positions for the searches of a goal, in turn; a goal still open is split into moves."""
LIKELY = (20, 200, 600)
"""Average number of attacking positions of these searches."""
FRESH = 1000
"""Expected cost of a move before it is tried; twice as much for the second, and so on."""
HOPELESS = 8
"""This many replies, none of which the first search settles, are split at once."""
STEP = 6000
"""Attacking positions that the goals of a step may open together, if it has more than one."""
LEFT = 4
"""Items that may be under way while the next step is chosen."""
SLOTS = 1 << 18
"""Slots of the tables of a work item, for sequences of threats and for plain search."""
LOST = 1 << 40


class ItemAnswer(NamedTuple):
    """The result of a work item: whether its goal is won (None: open), and the attacking positions that it opened.

    `found` are the pictures that it settled, each with a winning move, or None for a lost one. The position after the
    move and any reply is among them, or was known before.
    """

    won: bool | None
    opened: int
    found: tuple[tuple[Picture, Cell | None], ...]


class _ChosenGoal(NamedTuple):
    """A goal to be searched within a limit, with what was `known` when it was chosen."""

    goal: _Goal
    limit: int
    known: Mapping[Picture, Cell | None]


class _Shared(NamedTuple):
    """Data that all items of a step share; each item ends without an answer after `seconds`."""

    board: Board
    known: Mapping[Picture, Cell | None]
    seconds: float | None


class _Goal:
    """A position with the attacker to move; `level` is the number of limits that were too small to settle it.

    `moves` are the moves tried so far, `fresh` the others, the next one last.
    """

    __slots__ = ("fresh", "level", "moves", "picture", "won")

    def __init__(self, picture: Picture) -> None:
        self.picture, self.level = picture, 0
        self.won: bool | None = None
        self.moves: list[_Move] | None = None
        self.fresh: list[Cell] = []


class _Move(NamedTuple):
    """A move of the attacker, and the goals after the replies to it."""

    cell: Cell
    replies: tuple[_Goal, ...]


class RepliesSearch:
    """Finds whether the attacker wins, goal by goal; `known` are all settled pictures, each with its move.

    `opened` counts the attacking positions. `answers` has for each root position the answers of the work items, in
    order; another search of this board that receives them does not compute them again. The workers of the `watch`
    compute the items, and the `watch` receives the progress.
    """

    def __init__(self, board: Board, watch: Watch | None = None) -> None:
        self.board = board
        self.watch = watch or Watch()
        self.opened = 0
        self.known: dict[Picture, Cell | None] = {}
        self.answers: dict[Picture, list[ItemAnswer]] = {}
        self._taken: dict[Picture, int] = {}
        self._under_way: dict[Picture, list[_ChosenGoal]] = {}
        self._goals: dict[Picture, _Goal] = {}
        self._credit = 0

    @cached_property
    def arena(self) -> AttackBoard:
        """The board on which moves are tried and pictures are drawn."""
        return AttackBoard(self.board, slots=SLOTS)

    def wins(self, picture: Picture, *, limit: int | None = None, deadline: float | None = None) -> bool | None:
        """Tell whether the attacker, to move, wins a canonical picture; False is exact.

        None after `limit` attacking positions without an answer, or soon after the deadline on the monotonic clock.
        A step that may open more than the limit waits until the limits of several calls together allow it.
        """
        root = self._goal(picture)
        self._take_apart(root)
        self._credit += limit or 0
        answers, queue = self.answers.setdefault(picture, []), self._under_way.setdefault(picture, [])
        begun = len(answers) - self._taken.get(picture, 0)
        results: Iterator[ItemAnswer | None] = iter(())
        while root.won is None:
            while len(queue) <= LEFT and (step := self._next(root, queue)):
                queue += step
            count = len(queue) - LEFT if len(queue) > LEFT else len(queue)
            answered = len(answers) - self._taken.get(picture, 0)
            most = sum(chosen.limit for chosen in queue[answered:count])
            if most and (is_over(deadline) or (limit is not None and most > self._credit)):
                return None
            for _, each in groupby(queue[begun:], lambda chosen: id(chosen.known)):
                results = chain(results, self._begin(list(each), deadline))
            begun = max(begun, len(queue))
            for number in range(answered, count):
                answer = next(results)
                if answer is None:
                    return None
                answers.append(answer)
                self._tell(number + 1, count)
                self._credit -= answer.opened if limit is not None else 0
            self._take(picture, queue, count)
            begun -= count
            self._settle()
        queue.clear()
        return root.won

    def _goal(self, picture: Picture) -> _Goal:
        goal = self._goals.get(picture)
        if goal is None:
            goal = self._goals[picture] = _Goal(picture)
            if picture in self.known:
                goal.won = self.known[picture] is not None
        return goal

    def _take_apart(self, goal: _Goal) -> None:
        if goal.moves is None:
            owner = np.frombuffer(goal.picture, np.int8)
            goal.moves, goal.fresh = [], self.arena.unlike(owner, self.arena.candidates(owner))[::-1]

    def _next(self, root: _Goal, under_way: Sequence[_ChosenGoal]) -> list[_ChosenGoal]:
        """Return the goals to be searched next; none where that depends on those under way."""
        chosen = {each.goal.picture: each.goal for each in under_way}
        while len(chosen) == len(under_way) and root.won is None:
            self._choose(root, chosen, STEP)
            if len(chosen) == len(under_way):
                if under_way:
                    break
                self._settle()
        known = dict(self.known)
        fresh = sorted(list(chosen.values())[len(under_way) :], key=lambda goal: -goal.level)  # so workers wait little
        return [_ChosenGoal(goal, LIMITS[goal.level], known) for goal in fresh]

    def _choose(self, goal: _Goal, chosen: dict[Picture, _Goal], room: int) -> int:
        """Choose goals at or below one while there is room; return how much is left of it."""
        if goal.picture in chosen:
            return room
        if goal.level == len(LIMITS):
            self._take_apart(goal)
        if goal.moves is None:
            chosen[goal.picture] = goal
            return room - LIMITS[goal.level]
        move = min(goal.moves, key=_move_cost, default=None)
        if goal.fresh and (move is None or _move_cost(move) > FRESH * (1 + len(goal.moves))):
            move = self._try(goal)
        if move is None:
            return room
        left = sorted((reply for reply in move.replies if reply.won is None), key=_cost)
        lowest = min((reply.level for reply in left if reply.moves is None), default=0)
        for reply in left:
            if room > 0 and (reply.moves is not None or reply.level == lowest):
                room = self._choose(reply, chosen, room)
        return room

    def _try(self, goal: _Goal) -> _Move | None:
        """Try the next move of a goal, and list the replies that no sequence refutes; None where the move loses."""
        assert goal.moves is not None
        cell = goal.fresh.pop()
        owner = np.frombuffer(goal.picture, np.int8).copy()
        trial = self.arena.attempt(owner, [cell])[0]
        if trial.kind == quiet.LOSES:
            return None
        owner[cell] = field.ATTACKER
        pictures = dict.fromkeys(self.arena.after(owner, trial.replies, field.DEFENDER))
        goal.moves.append(_Move(cell, tuple(map(self._goal, pictures))))
        return goal.moves[-1]

    def _begin(self, chosen: Sequence[_ChosenGoal], deadline: float | None) -> Iterator[ItemAnswer | None]:
        """Let the workers search goals that were chosen together; return their answers in order."""
        seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
        items = [(each.goal.picture, each.limit) for each in chosen]
        return self.watch.workers.map(_search, _Shared(self.board, chosen[0].known, seconds), items)

    def _take(self, root: Picture, queue: list[_ChosenGoal], count: int) -> None:
        """Store what the answers to the first goals under way have settled."""
        taken = self._taken.get(root, 0)
        for chosen, answer in zip(queue[:count], self.answers[root][taken:], strict=False):
            chosen.goal.level = min(chosen.goal.level + 1, len(LIMITS))
            self.opened += answer.opened
            for picture, move in answer.found:
                self.known.setdefault(picture, move)
        self._taken[root] = taken + count
        del queue[:count]

    def _tell(self, done: int, whole: int) -> None:
        proved = sum(goal.won is True for goal in self._goals.values())
        left = sum(goal.won is None and goal.moves is None for goal in self._goals.values())
        what = f"attack reply by reply, {proved:,} proved, {left:,} open, {done} of {whole} looked at; opened"
        self.watch.tell(self.opened, 0, what)

    def _settle(self) -> None:
        """Update all goals from their replies and from known pictures, goals with more marks first."""
        for goal in sorted(self._goals.values(), key=lambda goal: goal.picture.count(field.BLANK)):
            if goal.won is None and goal.picture in self.known:
                goal.won = self.known[goal.picture] is not None
            if goal.won is not None or goal.moves is None:
                continue
            for move in goal.moves:
                if all(reply.won for reply in move.replies):
                    goal.won, self.known[goal.picture] = True, move.cell
                    break
                unsettled = [reply for reply in move.replies if reply.won is None and reply.level]
                if len(unsettled) == len(move.replies) >= HOPELESS:
                    for reply in unsettled:
                        reply.level = len(LIMITS)
            if not goal.won and not goal.fresh and all(_move_cost(move) >= LOST for move in goal.moves):
                goal.won, self.known[goal.picture] = False, None


def _search(shared: _Shared, item: tuple[Picture, int]) -> ItemAnswer | None:
    """Search a goal within a limit; None where the time is over before."""
    picture, limit = item
    board = shared.board
    search = AttackSearch(AttackBoard(board, slots=SLOTS), lookahead=Lookahead(board, slots=SLOTS), known=shared.known)
    deadline = None if shared.seconds is None else time.monotonic() + shared.seconds
    won = search.wins(picture, limit=limit, deadline=deadline)
    if won is None and search.opened < limit:
        return None
    return ItemAnswer(won, search.opened, tuple(search.found(picture).items()))


def _cost(goal: _Goal) -> int:
    """Return the expected number of attacking positions that winning a goal still takes."""
    if goal.won is not None:
        return 0 if goal.won else LOST
    if goal.moves is None:
        return LIKELY[goal.level] if goal.level < len(LIMITS) else FRESH
    costs = [_move_cost(move) for move in goal.moves]
    if goal.fresh:
        costs.append(FRESH * (1 + len(costs)))
    return min(costs, default=LOST)


def _move_cost(move: _Move) -> int:
    return sum(map(_cost, move.replies))
