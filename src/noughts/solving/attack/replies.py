"""Long attacks: a move of the attacker is proved reply by reply, each within a limit that is raised, by many workers.

Proof numbers alone commit to no move where every move leaves dozens of replies: the one that is best known looks worst.
So here is a tree above that search: a goal, the attacker to move, is first searched as it stands, within some attacking
positions; what resists is taken apart into moves, each of which is won when all its replies are. A step takes the goals
whose proof looks cheapest, and they are work items: each is searched alone, knowing what all steps before have found.
So what is found does not depend on who searches, nor on whether a run was stopped and went on from what it had kept.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
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
"""Attacking positions within which a goal is searched, the first time and then again; what resists is taken apart."""
LIKELY = (20, 200, 600)
"""What a goal takes of them on average."""
FRESH = 1000
"""What a move is taken to cost before it was tried; the second is taken to cost twice as much, and so on."""
HOPELESS = 8
"""So many replies, none of which is settled within the first limit, are taken apart at once."""
STEP = 2000
"""Attacking positions that the goals of a step may open together, unless it has but one."""
SLOTS = 1 << 18
"""Places for what a work item remembers of sequences of threats, and of plain search."""
LOST = 1 << 40


class ItemAnswer(NamedTuple):
    """What a work item gave: whether its goal is won, None if that was not seen; the attacking positions it opened.

    `found` are the pictures that it settled, each with the move that wins, None where none does. A position after that
    move and any reply is among them, or was known before.
    """

    won: bool | None
    opened: int
    found: tuple[tuple[Picture, Cell | None], ...]


class _Shared(NamedTuple):
    """What all items of a step share; each ends without an answer after so many `seconds`."""

    board: Board
    known: Mapping[Picture, Cell | None]
    seconds: float | None


class _Goal:
    """A position with the attacker to move: `level` is the number of limits within which it was searched in vain.

    `moves` are those with which it was taken apart so far, `fresh` those that come after them, the next one last.
    """

    __slots__ = ("fresh", "level", "moves", "picture", "won")

    def __init__(self, picture: Picture) -> None:
        self.picture, self.level = picture, 0
        self.won: bool | None = None
        self.moves: list[_Move] | None = None
        self.fresh: list[Cell] = []


class _Move(NamedTuple):
    """A move of the attacker, and what is to be won after the replies to it."""

    cell: Cell
    replies: tuple[_Goal, ...]


class RepliesSearch:
    """Tells whether the attacker wins, goal by goal; `known` are all pictures that were settled, each with its move.

    `opened` counts the attacking positions. `answers` are those of the work items, in their order, for each position
    that was asked about: where they are given to another search of this board it does not compute them again.
    The workers of the `watch` do the items, and it is told of every answer.
    """

    def __init__(self, board: Board, watch: Watch | None = None) -> None:
        self.board = board
        self.watch = watch or Watch()
        self.opened = 0
        self.known: dict[Picture, Cell | None] = {}
        self.answers: dict[Picture, list[ItemAnswer]] = {}
        self._taken: dict[Picture, int] = {}
        self._goals: dict[Picture, _Goal] = {}
        self._credit = 0

    @cached_property
    def arena(self) -> AttackBoard:
        """The board on which moves are tried and pictures are drawn."""
        return AttackBoard(self.board, slots=SLOTS)

    def wins(self, picture: Picture, *, limit: int | None = None, deadline: float | None = None) -> bool | None:
        """Tell whether the attacker, to move, wins a canonical picture; False is exact.

        None where there is no answer after so many attacking positions, or soon after the deadline on the monotonic
        clock. A step that would open more than the limit waits until those of several calls together allow it.
        """
        root = self._goal(picture)
        self._take_apart(root)
        self._credit += limit or 0
        while root.won is None:
            batch = self._next(root)
            before, known = self.opened, len(self.answers.get(picture, ()))
            answered = known >= self._taken.get(picture, 0) + len(batch)
            if not answered:
                most = sum(LIMITS[goal.level] for goal in batch)
                if (limit is not None and most > self._credit) or is_over(deadline):
                    return None
            if not self._step(picture, batch, deadline):
                return None
            if limit is not None and not answered:
                self._credit -= self.opened - before
            self._settle()
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

    def _next(self, root: _Goal) -> list[_Goal]:
        """Return the goals to be searched next."""
        chosen: dict[Picture, _Goal] = {}
        while not chosen and root.won is None:
            self._choose(root, chosen, STEP)
            if not chosen:
                self._settle()
        return list(chosen.values())

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
        """List the replies to the next move of a goal that sequences do not meet; None where it only loses."""
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

    def _step(self, root: Picture, batch: Sequence[_Goal], deadline: float | None) -> bool:
        """Search some goals, and take in what was found; False where the deadline came before."""
        answers, taken = self.answers.setdefault(root, []), self._taken.get(root, 0)
        seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
        items = [(goal.picture, LIMITS[goal.level]) for goal in batch[len(answers) - taken :]]
        for answer in self.watch.workers.map(_search, _Shared(self.board, self.known, seconds), items):
            if answer is None:
                return False
            answers.append(answer)
            self._tell(len(answers) - taken, len(batch))
        self._taken[root] = taken + len(batch)
        for goal, answer in zip(batch, answers[taken:], strict=False):
            goal.level += 1
            self.opened += answer.opened
            for picture, move in answer.found:
                self.known.setdefault(picture, move)
        return True

    def _tell(self, done: int, whole: int) -> None:
        proved = sum(goal.won is True for goal in self._goals.values())
        left = sum(goal.won is None and goal.moves is None for goal in self._goals.values())
        what = f"attack reply by reply, {proved:,} proved, {left:,} open, {done} of {whole} looked at; opened"
        self.watch.tell(self.opened, 0, what)

    def _settle(self) -> None:
        """Bring all goals up to date, those with more marks first: what follows from the replies, and what is known."""
        for goal in sorted(self._goals.values(), key=lambda goal: goal.picture.count(field.BLANK)):
            if goal.won is None and goal.picture in self.known:
                goal.won = self.known[goal.picture] is not None
            if goal.won is not None or goal.moves is None:
                continue
            for move in goal.moves:
                if all(reply.won for reply in move.replies):
                    goal.won, self.known[goal.picture] = True, move.cell
                    break
                in_vain = [reply for reply in move.replies if reply.won is None and reply.level]
                if len(in_vain) == len(move.replies) >= HOPELESS:
                    for reply in in_vain:
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
    """Return about how many attacking positions it takes yet to win a goal."""
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
