"""`noughts blindfold play`: you without seeing, or you against the strategy. Afterwards all is revealed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from noughts.blindfold.game import Referee, Strategy, hostile_replies
from noughts.blindfold.judge import Event
from noughts.blindfold.session import opposing
from noughts.cli.progress import at_rest
from noughts.cli.sink import screen
from noughts.present.text import wrapped
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InvalidCell, InvalidQuestion
from noughts.verbs.blindfold_play import BlindPlay, Spoken
from noughts.verbs.request import Caller, VerbAnswer, option


class _Quit(Exception):
    """The person has had enough."""


@dataclass(frozen=True, kw_only=True)
class BlindfoldPlayRequest(BlindPlay):
    """Play blindfold in the terminal; afterwards all is revealed. Enter cells by name; q ends the game."""

    forms = ()

    seed: int | None = option("Make the program's choices repeatable.")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return what the role leaves nothing to do."""
        is_sighted = self.as_ == "sighted"
        return (
            ("opponent" in self.given and is_sighted, "--opponent replies to a blind player: leave out --as sighted"),
            (
                "goal" in self.given and not is_sighted,
                "--goal is what the strategy against you is for: add --as sighted",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Play one game."""
        if self.rules.blind == "both":
            raise InvalidQuestion("one of the two plays blind here: use --blind X or --blind O")
        game = _Game(self)
        try:
            game.play()
        except _Quit:
            print("\nGame left.")
        game.reveal()
        return VerbAnswer(None, {})


class _Game:
    def __init__(self, asked: BlindfoldPlayRequest) -> None:
        self.board, self.rules = Board.parse(asked.board), asked.rules
        board, rules = self.board, self.rules
        self.person_is_blind = asked.as_ == "blind"
        self.hostile = asked.opponent == "hostile"
        self.chance = Random(asked.seed)
        self.referee = Referee(board, rules)
        self.spoken = Spoken(board, rules)
        self.truth = self.referee.start()
        self.events: list[Event] = []
        self.branches = None if self.person_is_blind else self._strategy(asked.goal).branches

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
        placed = bool(self.truth.own >> cell & 1)
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
            if not self.truth.known >> cell & 1:
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
            blanks = self.referee.blanks(self.truth)
            cell = self.chance.choice(hostile_replies(self.referee, self.truth) if self.hostile else blanks)
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
        position = str(self.referee.position(self.truth.own, self.truth.other))
        return "\n".join(f"    {' '.join(row)}" for row in position.replace("|", "/ /").split("/"))

    def reveal(self) -> None:
        """Show how it ended and everything that happened."""
        blind = self.rules.blind
        if self.truth.outcome is not None:
            you = blind if self.person_is_blind else self.rules.opponent
            print(f"\n{self.spoken.result(self.truth.outcome, you)}")
        print(wrapped(self.spoken.revealed(self.events), screen()))
        print(self._picture())
