"""`noughts blindfold`: results of a player who does not see the board, strategies, and their judge."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from noughts.blindfold.certificate import SIZE_LIMIT, document_of, loads, read
from noughts.blindfold.game import PROOF_FORMAT, Act, BlindRules, Goal, Strategy, state_text
from noughts.blindfold.inquiry import PARTS, proved
from noughts.blindfold.judge import ProofVerdict, Verdict, judge, judge_proof
from noughts.blindfold.session import solve_blindfold
from noughts.present.forms import report_forms
from noughts.present.report import Report, Verbatim
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import CheckError, InputError
from noughts.rules.position import Position, format_position
from noughts.verbs.blindfold_report import forms
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument, option, writable

GOALS = ("never-lose", "always-win", "win-often")


@dataclass(frozen=True, kw_only=True)
class BlindRuled(VerbRequest):
    """The board and the rules of a blindfold game."""

    board: str | Board = argument(default="3x3")
    blind: str = option("Player who does not see the board", "X", choices=("X", "O", "both"))
    opening_told: bool = option("Feedback to a blind O about the first move of X", False)
    collision: str = option(
        "Cost of calling a taken cell", "retry", choices=("retry", "lose-turn"), usual="retry: call again"
    )
    told: str = option("Feedback after a collision", "collision", choices=("collision", "nothing", "last-move", "all"))

    @property
    def rules(self) -> BlindRules:
        """The rules as one value."""
        return BlindRules(**self.parts("blind", "opening_told", "collision", "told"))


@dataclass(frozen=True, kw_only=True)
class BlindfoldRequest(BlindRuled):
    """Results of a blind player on BOARD (default: 3x3), with a complete strategy.

    X moves first and does not see the board. X calls a cell. If it is blank, the mark goes there, and O, who sees the
    board, replies. If O has it, X receives that feedback and calls again. Options change the rules. Two more commands:

    \b
    noughts blindfold check FILE    check of a strategy against every reply
    noughts blindfold play          game in the terminal, in either role
    """

    forms = ("table", "json", *PICTURES, "dot", "text")

    goal: Goal = option("Goal of the strategy", "never-lose", choices=GOALS)
    safe: bool = option("Only strategies that never lose, with --goal win-often", False)
    first: str | None = option("First call of the strategy", metavar="CELL")
    opening: str | None = option("First move of X, with --opening-told", metavar="CELL")
    start: str | None = option(
        "Knowledge to go on from: 'X b2 a1, taken c3', or a board with these marks", name="from", metavar="STATE"
    )
    with_: str = option(
        "Parts to compute at any cost, with commas between: information_sets, smallest_strategy, strategies, "
        "win_probability, value, or all",
        "",
        metavar="PARTS",
        where="commands",
    )
    proof: str | None = option(
        "File for both players' strategies that prove the value, for noughts check", metavar="FILE", where="commands"
    )

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            (self.safe and self.goal != "win-often", "--safe needs --goal win-often: the other goals never lose"),
            (
                self.start is not None and self.proof is not None,
                "--proof cannot be used with --from: a value is for the whole game",
            ),
            (
                self.blind == "both" and self.told != "collision" and self.proof is not None,
                "a proof with both players blind needs --told collision: remove the other option",
            ),
            (
                self.blind == "both" and self.form not in ("table", "json"),
                "with both players blind strategies are mixes: use --proof FILE",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the results, and write the proof of the value if --proof is given."""
        board, file = Board.parse(self.board), writable(self.proof)
        first, opening = (None if cell is None else parse_cell(board, cell) for cell in (self.first, self.opening))
        valued = ["value"] * (file is not None and self.blind == "both")
        found = solve_blindfold(
            board,
            self.rules,
            self.goal,
            first=first,
            opening=opening,
            start=self.start,
            never_lose_too=self.safe,
            parts=[*self._parts, *valued],
        )
        proof: dict[str, Any] = {}
        if file is not None:
            from noughts.blindfold.proof import prove

            proof = prove(board, self.rules, opening)
            if "value" in found.left_out:
                found = proved(found, Fraction(proof["lower"]), Fraction(proof["upper"]))

        def written() -> int:
            if file is not None:
                caller.write(file, (json.dumps(proof) + "\n").encode())
            return 0

        return VerbAnswer(found, forms(found, caller.look), written)

    @property
    def _parts(self) -> list[str]:
        parts = [part.strip().replace("-", "_") for part in self.with_.split(",") if part.strip()]
        every = [part for part in PARTS if part != "value" or self.start is None]  # a state has none
        every = ["value"] if self.blind == "both" else every
        return every if "all" in parts else parts


@dataclass(frozen=True, kw_only=True)
class BlindfoldCheckRequest(VerbRequest):
    """Check of the strategy in FILE (JSON or text; - for standard input) against every reply.

    Exit code 0 if the claim holds, 1 if it does not (one game is shown), 2 if the strategy is not complete.
    """

    file: str = argument()
    goal: Goal | None = option("Claim to check (default: the claim of the file)", choices=GOALS)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the verdict; the answer raises CheckError if the claim does not hold."""
        text = caller.text(SIZE_LIMIT) if self.file == "-" else read(self.file)
        document = document_of(text)
        if not isinstance(document, dict) or document.get("format") != PROOF_FORMAT:
            strategy = loads(text)
            strategy = strategy if self.goal is None else replace(strategy, goal=self.goal)
            verdict = judge(strategy)
            return VerbAnswer(
                verdict,
                report_forms(lambda: verdict_report(strategy, verdict), verdict.as_dict, caller.look),
                lambda: _require(strategy, verdict, document if self.goal is None else None),
            )
        if self.goal is not None:
            raise InputError("--goal cannot be used with a proof of a value: remove --goal")
        proved = judge_proof(document)
        return VerbAnswer(
            proved,
            report_forms(lambda: Report.of(value_lines(proved)), proved.as_dict, caller.look),
            lambda: _require_value(proved),
        )


def _require(strategy: Strategy, verdict: Verdict, document: object) -> int:
    """Raise CheckError where the claim is false, or where an answer has another entry than the solver."""
    from noughts.judge.certificates import altered_answer

    if not verdict.holds:
        named = [(act.who, cell_name(strategy.board, act.cell), act.placed) for act in verdict.broken or ()]
        acts = [f"{who} {name}{'' if placed else ' (taken)'}" for who, name, placed in named]
        lost = "game is lost" if verdict.games == 1 else "games are lost"
        raise CheckError(
            f"the claim {strategy.goal} is false: {verdict.losses:,} of {verdict.games:,} {lost} "
            f"and {verdict.draws:,} drawn; for example {', '.join(acts)}"
        )
    if wrong := altered_answer(document, strategy):
        raise CheckError(wrong)
    return 0


def _require_value(verdict: ProofVerdict) -> int:
    if not verdict.holds:
        low, high = verdict.claimed
        raise CheckError(
            f"the proof claims {low} to {high}, and its strategies guarantee {verdict.lower} to {verdict.upper}"
        )
    return 0


# The verdicts on strategies and on proofs.

_CLAIMS = {"never-lose": "never loses", "always-win": "always wins", "win-often": "is complete"}


def verdict_report(strategy: Strategy, verdict: Verdict) -> Report:
    """Return the report on a strategy, with a game that breaks the claim if there is one."""
    claim = _CLAIMS[strategy.goal]
    begun = f" from '{state_text(strategy.board, strategy.rules, strategy.history)}'" if strategy.history else ""
    false = f"No: the claim that the strategy{begun} {claim} is false."
    head = f"Yes: the strategy{begun} {claim}." if verdict.holds else false
    games = f"{verdict.games:,} game" + "s" * (verdict.games != 1)
    played = (
        f"Every reply was played: {games} for the blind {strategy.rules.blind} on "
        f"{strategy.board}, {verdict.wins:,} won, {verdict.draws:,} drawn, {verdict.losses:,} lost. Against "
        f"random replies it wins with probability {verdict.win_chance}, draws with {verdict.draw_chance}, "
        f"loses with {verdict.loss_chance}."
    )
    are = "is" if verdict.unreached == 1 else "are"
    unreached = f", of which {verdict.unreached:,} {are} never reached" if verdict.unreached else ""
    return Report.of([head, played, f"Places to call: {verdict.places:,}{unreached}."], _broken(strategy, verdict))


def _broken(strategy: Strategy, verdict: Verdict) -> list[Verbatim | str]:
    if verdict.broken is None:
        return []
    begun = verdict.broken_from or Position(strategy.board)
    word = {"win": "won", "draw": "drawn", "loss": "lost"}[str(verdict.broken_outcome)]
    return [
        f"A game that is {word}:",
        Verbatim("\n".join(f"  {line}" for line in _game(strategy, verdict.broken, begun))),
    ]


def value_lines(verdict: ProofVerdict) -> list[str]:
    """Return the report on the proof of a value, in three sentences: the answer, the rules, the bounds.

    If the claim holds, the answer gives the guarantee of the strategies, which can be better than the claim.
    """
    both, low, high = (
        verdict.rules.blind == "both",
        *((verdict.lower, verdict.upper) if verdict.holds else verdict.claimed),
    )
    player, other = ("X", "O") if both else (verdict.rules.blind, "The opponent")
    opened = "" if verdict.opening is None else f", X opening at {cell_name(verdict.board, verdict.opening)}"
    whose = (
        f"with both players blind on {verdict.board}" if both else f"for the blind {player} on {verdict.board}{opened}"
    )
    value = "the value for X" if both else "the value"
    claim = f"{value} is {low}" if low == high else f"{value} is between {low} and {high}"
    return [
        f"{'Yes' if verdict.holds else 'No'}: {whose}, {claim}.",
        f"The rules: {verdict.rules.sentence()}.",
        f"{player}'s strategy has a value of at least {verdict.lower} against every reply (win +1, draw 0, loss -1). "
        f"{other}'s strategy limits {player} to at most {verdict.upper} against every call.",
    ]


def _game(strategy: Strategy, game: tuple[Act, ...], begun: Position) -> list[str]:
    """Return a game as lines, one act each, with the position after it."""
    board, marks, lines = strategy.board, {"X": begun.x, "O": begun.o}, []
    if strategy.history:
        lines.append(f"{'from':22}{format_position(begun)}")
    for who, cell, placed, _ in game:
        name = cell_name(board, cell)
        if placed:
            marks[who] |= 1 << cell
        did = f"{who} {name}" if placed else f"{who} calls {name}: taken"
        lines.append(f"{did:22}{format_position(Position(board, marks['X'], marks['O']))}")
    return lines
