"""`noughts blindfold`: what can be done without seeing; `check`, the judge of strategies; `play`."""

from __future__ import annotations

from typing import Any

import click

from noughts.cli.options import words
from noughts.cli.sink import Sink, answers
from noughts.cli.verb import Verb
from noughts.domain.errors import InputError, shown
from noughts.domain.spelling import nearby

__all__ = ["blindfold", "check", "play", "rule_options", "solve"]


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
    from noughts.cli.blindfold.answer import run

    run(board, options, to)


@blindfold.command(cls=Verb)
@click.argument("file")
@click.option("--goal", **words("never-lose", "always-win", "win-often"), help="Judge by this claim.")
@answers("table", "json")
def check(file: str, goal: str | None, to: Sink) -> None:
    """Judge the strategy in FILE (JSON or text; - for standard input) by playing every reply.

    Exit code 0 if it does what it claims, 1 if it does not (the game is shown), 2 if it is no complete strategy.
    """
    from noughts.cli.blindfold.check import run

    run(file, goal, to)


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
    from noughts.cli.blindfold.play import run
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

    run(board, options)
