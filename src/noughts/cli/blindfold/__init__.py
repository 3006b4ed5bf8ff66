"""What is known about a blind game: the question, the answer, and the proof of a value."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from random import Random
from typing import Any

import click

from noughts.blindfold.certificate import SIZE_LIMIT, document_of, loads, read
from noughts.blindfold.game import PROOF_FORMAT, BlindRules, Referee, Strategy, Truth, hostile_reply, random_reply
from noughts.blindfold.inquiry import PARTS
from noughts.blindfold.judge import Event, judge, judge_proof
from noughts.blindfold.session import opposing, solve_blindfold
from noughts.cli.options import Verb, words
from noughts.cli.progress import at_rest
from noughts.cli.sink import Sink, answers, put_file, screen, writable
from noughts.present.text import wrapped
from noughts.rules.arguments import nearby
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import CheckError, InputError, InvalidCell, InvalidQuestion, shown
from noughts.rules.position import Position, format_position
from noughts.verbs.blindfold import forms, in_short, proof_forms, verdict_forms
from noughts.verbs.blindfold_play import Spoken


def run_answer(board_text: str, options: dict[str, Any], to: Sink) -> None:
    """Answer and write."""
    board = Board.parse(board_text)
    rules = BlindRules(options["blind"], options["opening_told"], options["collision"], options["told"])
    if options["safe"] and options["goal"] != "win-often":
        raise InvalidQuestion("--safe goes with --goal win-often: the other goals never lose anyway")
    proof_file = writable(options["proof"])
    answer = solve_blindfold(
        board,
        rules,
        options["goal"],
        first=_cell(board, options["first"]),
        opening=_cell(board, options["opening"]),
        never_lose_too=options["safe"],
        parts=_parts(options["parts"]),
    )
    to.write(forms(answer, to.look))
    if proof_file is not None:
        from noughts.blindfold.proof import prove

        proof = prove(board, rules, _cell(board, options["opening"]))
        put_file(proof_file, (json.dumps(proof) + "\n").encode())


def _cell(board: Board, text: str | None) -> int | None:
    return None if text is None else parse_cell(board, text)


def _parts(text: str) -> list[str]:
    parts = [part.strip().replace("-", "_") for part in text.split(",") if part.strip()]
    return list(PARTS) if "all" in parts else parts


# Judges a strategy, or the proof of a value: every reply is played.


def run_check(file: str, goal: Any, to: Sink) -> None:
    """Read, judge and write; CheckError where the claim does not hold."""
    text = _standard_input() if file == "-" else read(file)
    document = document_of(text)
    if isinstance(document, dict) and document.get("format") == PROOF_FORMAT:
        if goal is not None:
            raise InputError("--goal is the claim of a strategy, and FILE proves a value: leave it out")
        _judge_value(document, to)
        return
    strategy = loads(text)
    if goal is not None:
        strategy = replace(strategy, goal=goal)
    verdict = judge(strategy)
    to.write(verdict_forms(strategy, verdict, to.look))
    if not verdict.holds:
        lost = "game is lost" if verdict.games == 1 else "games are lost"
        raise CheckError(
            f"the strategy does not keep its claim ({strategy.goal}): {verdict.losses:,} of {verdict.games:,} {lost} "
            f"and {verdict.draws:,} drawn; {in_short(strategy, verdict)}"
        )


def _standard_input() -> str:
    at_rest()
    try:
        return sys.stdin.read(SIZE_LIMIT)
    except UnicodeDecodeError:
        raise InputError("what came on standard input is not text: give a certificate in JSON or text") from None


def _judge_value(document: dict[str, Any], to: Sink) -> None:
    verdict = judge_proof(document)
    to.write(proof_forms(verdict, to.look))
    if not verdict.holds:
        low, high = verdict.claimed
        raise CheckError(
            f"the proof claims {low} to {high}, and its strategies guarantee {verdict.lower} to {verdict.upper}"
        )


# Blindfold play in the terminal: you without seeing, or you against the strategy. Afterwards all is revealed.


class _Quit(Exception):
    """The person has had enough."""


def run_play(board_text: str, options: dict[str, Any]) -> None:
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


# `noughts blindfold`: what can be done without seeing; `check`, the judge of strategies; `play`.


class _WithDefault(click.Group):
    """A group whose first word may be a board: then it is the question itself that is meant, whose help is its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = ["solve", *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] == "solve" and (near := nearby(_first_word(args), ("check", "play"))):
            raise InputError(f"{shown(args[1])} is no board and no command of blindfold{near}")
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        return self.commands["solve"].get_help(click.Context(self.commands["solve"], parent=ctx))


def _first_word(args: list[str]) -> str:
    return args[1] if len(args) > 1 and args[1][:1].isalpha() else ""


@click.group(cls=_WithDefault, short_help="Play without seeing: what is safe, how often it wins, whole strategies.")
def blindfold() -> None:
    """Play without seeing: what is safe, how often it wins, and whole strategies."""


def rule_options(function: Any) -> Any:
    """Add the options that are the rules of a blindfold game."""
    for option in (
        click.option("--told", default="collision", **words("collision", "nothing", "last-move", "all"),
                     help="What the blind player hears upon a collision (collision)."),
        click.option("--collision", default="retry", **words("retry", "lose-turn"),
                     help="What calling a taken cell costs (retry: call again)."),
        click.option("--opening-told", is_flag=True, help="A blind O is told where X opens."),
        click.option("--blind", default="X", **words("X", "O", "both"), help="Who sees nothing (X)."),
    ):  # fmt: skip
        function = option(function)
    return function


class _Solve(Verb):
    """The question itself, whose name is not typed."""

    def make_context(self, info_name: str | None, *given: Any, **named: Any) -> click.Context:
        return super().make_context(None, *given, **named)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        assert ctx.parent is not None
        formatter.write_usage(ctx.parent.command_path, " ".join(self.collect_usage_pieces(ctx)))


@blindfold.command(name="solve", hidden=True, cls=_Solve)
@click.argument("board", default="3x3")
@rule_options
@click.option("--goal", default="never-lose", **words("never-lose", "always-win", "win-often"),
              help="What the strategy is for (never-lose).")  # fmt: skip
@click.option("--safe", is_flag=True, help="With --goal win-often: never lose as well.")
@click.option("--first", metavar="CELL", help="The first call of the strategy shown.")
@click.option("--opening", metavar="CELL", help="With --opening-told: only the games that X opens there.")
@click.option("--with", "parts", metavar="PARTS", default="",
              help="Parts to work out whatever they cost: information_sets, smallest_strategy, strategies, "
              "win_probability, value, or all; joined by commas.")  # fmt: skip
@answers("table", "json", "svg", "png", "pdf", "dot", "text")
@click.option("--proof", metavar="FILE", help="Write both players' strategies for the value, for check to judge.")
def solve(board: str, to: Sink, **options: Any) -> None:
    """What a blind player can do on BOARD (3x3), with a whole strategy.

    X moves first and sees nothing. X calls a cell; if it is blank the mark goes there and O, who sees everything,
    replies; if O has it X is told so and calls again. Other rules by options. Two more commands:

    \b
    noughts blindfold check FILE    judge a strategy: every reply is played
    noughts blindfold play          play in the terminal, either role
    """

    run_answer(board, options, to)


@blindfold.command(cls=Verb)
@click.argument("file")
@click.option("--goal", **words("never-lose", "always-win", "win-often"), help="Judge by this claim.")
@answers("table", "json")
def check(file: str, goal: str | None, to: Sink) -> None:
    """Judge the strategy in FILE (JSON or text; - for standard input) by playing every reply.

    Exit code 0 if it does what it claims, 1 if it does not (the game is shown), 2 if it is no complete strategy.
    """

    run_check(file, goal, to)


@blindfold.command(cls=Verb)
@click.argument("board", default="3x3")
@rule_options
@click.option("--as", "role", default="blind", **words("blind", "sighted"),
              help="blind: you call without seeing. sighted: you try to beat the strategy (blind).")  # fmt: skip
@click.option("--opponent", default="random", **words("random", "hostile"),
              help="Who replies to you when you are blind (random).")  # fmt: skip
@click.option("--goal", default="never-lose", **words("never-lose", "always-win", "win-often"),
              help="The strategy that plays against you when you see (never-lose).")  # fmt: skip
@click.option("--seed", type=int, help="Make the program's choices repeatable.")
def play(board: str, **options: Any) -> None:
    """Play blindfold in the terminal; afterwards all is revealed. Enter cells by name; q ends the game."""
    from noughts.cli.options import is_typed, require_sense

    require_sense(
        (
            is_typed("opponent") and options["role"] == "sighted",
            "--opponent replies to a blind player: leave out --as sighted",
        ),
        (
            is_typed("goal") and options["role"] != "sighted",
            "--goal is what the strategy against you is for: add --as sighted",
        ),
    )

    run_play(board, options)
