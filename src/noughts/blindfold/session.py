"""One blindfold game between a person and the program, from the person's acts alone: the referee has all the rest.

The program's choices come from a seed, so that the same acts always lead to the same game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.hostile import hostile_replies
from noughts.blindfold.game.plans import Branches, Strategy
from noughts.blindfold.game.referee import Referee, Truth
from noughts.blindfold.game.rules import BlindRules, Goal
from noughts.domain.bits import Cell, mask_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError, InvalidQuestion
from noughts.domain.lots import drawn
from noughts.domain.position import Position

__all__ = ["Act", "Session", "opposing", "play_blindfold"]

Role = Literal["blind", "sighted"]
Opposition = Literal["random", "hostile"]


@dataclass(frozen=True)
class Act:
    """What happened: who marked or called a cell, whether the mark was placed, and what the blind player then heard."""

    who: str
    cell: Cell
    placed: bool
    heard: Answer


@dataclass(frozen=True)
class Session:
    """A blindfold game as it stands: everything that happened, and the truth that only the referee knows.

    It waits for the person, who plays `role`, or is over. `goal` is what the program's strategy is for, where it is
    the blind player.
    """

    board: Board
    rules: BlindRules
    role: Role
    acts: tuple[Act, ...]
    truth: Truth
    goal: Goal | None = None

    @property
    def person(self) -> str:
        """X or O."""
        return self.rules.blind if self.role == "blind" else self.rules.opponent

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.truth.outcome is not None

    @property
    def position(self) -> Position:
        """All marks, as only the referee and the sighted player see them; where turns are lost, not in even numbers."""
        return _position(self.board, self.rules, mask_of(self.truth.own), mask_of(self.truth.other))

    @property
    def known(self) -> Position:
        """The marks that the blind player knows of: none at all where the calls are a list and nothing is said."""
        if self.rules.told == "nothing":
            return Position(self.board)
        own = mask_of(self.truth.own)
        return _position(self.board, self.rules, own, mask_of(self.truth.known) & ~own)

    @property
    def called(self) -> tuple[Cell, ...]:
        """The cells that the blind player has called, in their order."""
        return tuple(act.cell for act in self.acts if act.who == self.rules.blind)

    @property
    def chosen(self) -> tuple[Cell, ...]:
        """The person's own acts, in their order."""
        return tuple(act.cell for act in self.acts if act.who == self.person)

    def as_dict(self, *, revealed: bool) -> dict[str, object]:
        """Return what the person may know as a record; all of it where the game is over or `revealed`.

        `outcome` is for the blind player: win, draw or loss.
        """
        told = revealed or self.is_over

        def named(cells: Iterable[Cell]) -> list[str]:
            return [cell_name(self.board, cell) for cell in cells]

        return {
            "board": self.board.spec,
            **self.rules.as_dict(),
            "as": self.role,
            "acts": named(self.chosen),
            "over": self.is_over,
            "outcome": self.truth.outcome,
            "open": [] if revealed else named(self.open_cells),
            "known": str(self.known if self.role == "blind" else self.position),
            "position": str(self.position) if told or self.role == "sighted" else None,
            "revealed": [
                {"player": act.who, "cell": cell_name(self.board, act.cell), "placed": act.placed} for act in self.acts
            ]
            if told
            else None,
        }

    @property
    def open_cells(self) -> tuple[Cell, ...]:
        """The cells that the person may choose: not yet called or told, or blank; none where the game is over."""
        if self.is_over:
            return ()
        closed = self.truth.known if self.role == "blind" else self.truth.own | self.truth.other
        return tuple(cell for cell in range(self.board.cells) if cell not in closed)


def _position(board: Board, rules: BlindRules, own: int, other: int) -> Position:
    return Position(board, own, other) if rules.blind == "X" else Position(board, other, own)


@lru_cache(maxsize=16)
def opposing(board: Board, rules: BlindRules, goal: Goal) -> Strategy:
    """Return the strategy of the program as the blind player: for the goal, else one that wins most often.

    Raises InvalidQuestion where there is none to be had, BudgetError where it costs too much.
    """
    found = solve_blindfold(board, rules, goal).strategy
    if found is None and goal != "win-often":
        found = solve_blindfold(board, rules, "win-often").strategy
    if found is None:
        raise InvalidQuestion(f"the program has no strategy for a blind {rules.blind} on {board}: try 3x3")
    return found


def play_blindfold(
    board: Board,
    rules: BlindRules,
    role: Role,
    cells: tuple[Cell, ...],
    seed: str,
    *,
    opposition: Opposition = "random",
    goal: Goal = "never-lose",
) -> Session:
    """Return the game after the person's acts `cells`, played on by the program until the person is to act.

    `opposition` replies to a person who is blind; `goal` is what the strategy against a person who sees is for. Raises
    InputError for an act that the referee does not allow, InvalidQuestion where there is no strategy.
    """
    if rules.blind == "both":
        raise InvalidQuestion("one of the two plays blind here: choose X or O")
    game = _Sitting(board, rules, role, seed, opposition)
    strategy = opposing(board, rules, goal) if role == "sighted" else None
    game.branches = None if strategy is None else strategy.branches
    waiting = list(cells)
    while game.truth.outcome is None:
        if game.truth.blind_to_act == (role == "blind"):
            if not waiting:
                break
            game.person_acts(waiting.pop(0))
        else:
            game.program_acts()
    if waiting:
        raise InputError(f"the game is over before {cell_name(board, waiting[0])}: leave out what comes after its end")
    return Session(board, rules, role, tuple(game.acts), game.truth, None if strategy is None else strategy.goal)


class _Sitting:
    def __init__(self, board: Board, rules: BlindRules, role: Role, seed: str, opposition: Opposition) -> None:
        self.board, self.rules, self.role = board, rules, role
        self.seed, self.opposition = seed, opposition
        self.referee = Referee(board, rules)
        self.truth = self.referee.start()
        self.acts: list[Act] = []
        self.branches: Branches | None = None

    def person_acts(self, cell: Cell) -> None:
        name = cell_name(self.board, cell)
        if self.role == "blind":
            if cell in self.truth.known:
                raise InputError(f"{name} was called or told already: call another cell")
            self._call(cell)
        else:
            if cell in self.truth.own | self.truth.other:
                raise InputError(f"{name} is not blank: choose another cell")
            self._reply(cell)

    def program_acts(self) -> None:
        if self.role == "blind":
            self._reply(self._opposing_reply())
        else:
            assert self.branches is not None
            plan = self.branches[self.truth.answer]
            self.branches = plan.branches
            self._call(plan.call)

    def _opposing_reply(self) -> Cell:
        among = (
            hostile_replies(self.referee, self.truth)
            if self.opposition == "hostile"
            else self.referee.blanks(self.truth)
        )
        marks = "".join(f" {act.who}{act.cell}" for act in self.acts)
        return among[drawn(len(among), f"{self.seed} {self.board.spec}{marks}")]

    def _call(self, cell: Cell) -> None:
        self.truth = self.referee.call(self.truth, cell)
        self.acts.append(Act(self.rules.blind, cell, cell in self.truth.own, self.truth.answer))

    def _reply(self, cell: Cell) -> None:
        self.truth = self.referee.reply(self.truth, cell)
        opened = self.truth.answer if self.truth.answer.kind == "opening" else Answer("next")
        self.acts.append(Act(self.rules.opponent, cell, True, opened))
