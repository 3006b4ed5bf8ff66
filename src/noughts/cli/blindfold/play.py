"""Blindfold play in the terminal: you without seeing, or you against the strategy. Afterwards all is revealed."""

from __future__ import annotations

from random import Random
from typing import Any

from noughts.blindfold.certificates.judge import Event
from noughts.blindfold.game.hostile import hostile_reply, random_reply
from noughts.blindfold.game.plans import Strategy
from noughts.blindfold.game.referee import Referee, Truth
from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.session import opposing
from noughts.cli.progress import at_rest
from noughts.cli.screen import screen
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InvalidCell, InvalidQuestion
from noughts.domain.notation import format_position
from noughts.domain.position import Position
from noughts.reports.blindfold.spoken import Spoken
from noughts.reports.text import wrapped

__all__ = ["run"]


class _Quit(Exception):
    """The person has had enough."""


def run(board_text: str, options: dict[str, Any]) -> None:
    """Play one game."""
    board = Board.parse(board_text)
    rules = BlindRules(options["blind"], options["opening_told"], options["collision"], options["told"])
    if rules.blind == "both":
        raise InvalidQuestion("one of the two plays blind here: use --blind X or --blind O")
    game = _Game(board, rules, options)
    try:
        game.play()
    except _Quit:
        print("\nGame left.")
    game.reveal()


class _Game:
    def __init__(self, board: Board, rules: BlindRules, options: dict[str, Any]) -> None:
        self.board, self.rules = board, rules
        self.person_is_blind = options["role"] == "blind"
        self.hostile = options["opponent"] == "hostile"
        self.chance = Random(options["seed"])
        self.referee = Referee(board, rules)
        self.spoken = Spoken(board, rules)
        self.truth = self.referee.start()
        self.events: list[Event] = []
        self.branches = None if self.person_is_blind else self._strategy(options["goal"]).branches

    def _strategy(self, goal: Any) -> Strategy:
        found = opposing(self.board, self.rules, goal)
        if found.goal != goal:
            at_rest()
            print(self.spoken.otherwise(goal))
        return found

    def play(self) -> None:
        """Play to the end."""
        said = f"{self.spoken.begin()} Cells run from a1; q ends the game."
        at_rest()
        print(wrapped(said, screen()))
        while self.truth.outcome is None:
            if self.truth.blind_to_act:
                self._call()
            else:
                self._reply()

    def _call(self) -> None:
        before = self.truth
        if self.person_is_blind:
            cell = self._person_calls()
        else:
            assert self.branches is not None
            plan = self.branches[before.answer]
            cell, self.branches = plan.call, plan.branches
        self.truth = self.referee.call(before, cell)
        placed = cell in self.truth.own
        self.events.append((self.rules.blind, cell, placed))
        if not self.person_is_blind:
            print(self.spoken.to_sighted(cell, placed))
        elif (heard := self.spoken.to_caller(cell, placed, self.truth.answer)) is not None:
            print(f"  {heard}")

    def _person_calls(self) -> int:
        if self.truth.answer.kind == "opening":
            print(f"  {self.spoken.opened(self.truth.answer)}")
        while True:
            cell = self._ask(f"{self.rules.blind} calls: ")
            if cell not in self.truth.known:
                return cell
            print(f"  {cell_name(self.board, cell)} was called or told already: call another cell.")

    def _ask(self, prompt: str) -> int:
        while True:
            try:
                text = input(prompt)
            except EOFError:
                raise _Quit from None
            if text.strip().lower() in ("q", "quit", "exit"):
                raise _Quit
            try:
                return parse_cell(self.board, text)
            except InvalidCell as error:
                print(f"  {error}")

    def _reply(self) -> None:
        if self.person_is_blind:
            choose = hostile_reply if self.hostile else random_reply
            cell = choose(self.referee, self.truth, self.chance)
            print(f"  {self.spoken.moved()}")
        else:
            cell = self._person_replies()
        self.truth = self.referee.reply(self.truth, cell)
        self.events.append((self.rules.opponent, cell, True))

    def _person_replies(self) -> int:
        print(self._picture())
        while True:
            cell = self._ask(f"{self.rules.opponent} moves: ")
            if cell in self.referee.blanks(self.truth):
                return cell
            print(f"  {cell_name(self.board, cell)} is not blank: choose another cell.")

    def _picture(self) -> str:
        return "\n".join(f"    {' '.join(row)}" for row in self._position().replace("|", "/ /").split("/"))

    def _position(self) -> str:
        return format_position(_position(self.board, self.rules, self.truth))

    def reveal(self) -> None:
        """Show how it ended and everything that happened."""
        blind = self.rules.blind
        if self.truth.outcome is not None:
            you = blind if self.person_is_blind else self.rules.opponent
            print(f"\n{self.spoken.result(self.truth.outcome, you)}")
        print(wrapped(self.spoken.revealed(self.events), screen()))
        print(self._picture())


def _position(board: Board, rules: BlindRules, truth: Truth) -> Position:
    own, other = (sum(1 << cell for cell in marks) for marks in (truth.own, truth.other))
    return Position(board, own, other) if rules.blind == "X" else Position(board, other, own)
