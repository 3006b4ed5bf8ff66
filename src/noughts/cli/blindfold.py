"""`noughts blindfold play`: you play blind, or against the blind strategy. The game is revealed at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from noughts.blindfold.session import Session
from noughts.cli.progress import at_rest
from noughts.cli.sink import screen
from noughts.present.text import wrapped
from noughts.rules.board import Board
from noughts.rules.cells import parse_cell
from noughts.rules.errors import InputError, InvalidCell, InvalidQuestion
from noughts.verbs.blindfold_play import BlindPlay, Spoken
from noughts.verbs.request import Caller, VerbAnswer, option


class _Quit(Exception):
    """The person leaves the game."""


@dataclass(frozen=True, kw_only=True)
class BlindfoldPlayRequest(BlindPlay):
    """Blindfold game in the terminal, revealed at the end. Enter cells by name; q ends the game."""

    forms = ()

    seed: int | None = option("Random seed", metavar="N", usual="a new one")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        is_sighted = self.as_ == "sighted"
        return (
            ("opponent" in self.given and is_sighted, "--opponent needs a blind player: remove --as sighted"),
            ("goal" in self.given and not is_sighted, "--goal needs a sighted player: add --as sighted"),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Play one game."""
        if self.rules.blind == "both":
            raise InvalidQuestion(
                "you are X or O: use --blind X or --blind O, with --opponent blind for two blind players"
            )
        game = _Game(self)
        try:
            game.play()
        except _Quit:
            print("\nGame left.")
        game.reveal()
        return VerbAnswer(None, {})


class _Game:
    def __init__(self, request: BlindfoldPlayRequest) -> None:
        self.board, self.rules = Board.parse(request.board), request.rules
        chance, spoken = Random(request.seed), Spoken(self.board, self.rules)
        self.session = Session(
            self.board, self.rules, request.as_, chance.choice, opposition=request.opponent, goal=request.goal
        )
        self.spoken, self.person_is_blind, self.opponent = spoken, request.as_ == "blind", request.opponent
        if self.session.goal not in (None, request.goal):
            at_rest()
            print(spoken.otherwise(request.goal))

    def play(self) -> None:
        """Play to the end."""
        opening = f"{self.spoken.begin(self.opponent)} Type a cell such as a1; q ends the game."
        at_rest()
        print(wrapped(opening, screen()))
        while not self.session.is_over:
            if self.session.waits:
                self._person_acts()
            else:
                self.session.answer()
            act = self.session.acts[-1]
            if act.who != self.rules.blind:
                heard = self.spoken.moved() if self.person_is_blind else None
            else:
                heard = self.spoken.to_caller(act) if self.person_is_blind else self.spoken.to_sighted(act)
            if heard is not None:
                print(f"{'  ' * self.person_is_blind}{heard}")

    def _person_acts(self) -> None:
        answer = self.session.truth.answer
        if not self.person_is_blind:
            print(self._picture())
        elif answer.kind == "opening":
            print(f"  {self.spoken.opened(answer)}")
        prompt = f"{self.rules.blind} calls: " if self.person_is_blind else f"{self.rules.opponent} moves: "
        while True:
            try:
                text = input(prompt)
            except EOFError:
                raise _Quit from None
            if text.strip().lower() in ("q", "quit", "exit"):
                raise _Quit
            try:
                self.session.act(parse_cell(self.board, text))
            except InvalidCell as error:
                print(f"  {error}")
            except InputError as error:
                print(f"  {error}.")
            else:
                return

    def _picture(self) -> str:
        rows = str(self.session.position).replace("|", "/ /").split("/")
        return "\n".join(f"    {' '.join(row)}" for row in rows)

    def reveal(self) -> None:
        """Print the result and all acts of the game."""
        outcome = self.session.truth.outcome
        if outcome is not None:
            print(f"\n{self.spoken.result(outcome, self.session.person)}")
        print(wrapped(self.spoken.revealed(self.session.acts), screen()))
        print(self._picture())
