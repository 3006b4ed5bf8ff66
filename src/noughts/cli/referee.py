"""`noughts referee`: a program of any language on every line that its answers allow."""

from __future__ import annotations

import click

from noughts.cli.options import Verb, words
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers
from noughts.rules.errors import InputError, shown

__all__ = ["referee"]


class _WithCommand(Verb):
    """A verb whose words after `--` are a command, left as they stand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what stands before `--`, and keep the rest."""
        if "--" not in args:
            return super().parse_args(ctx, args)
        at = args.index("--")
        rest = super().parse_args(ctx, args[:at])
        extra = ctx.params["command"]
        if extra:
            raise InputError(f"{shown(' '.join(extra))} stands before --: put the whole command after it")
        ctx.params["command"] = tuple(args[at + 1 :])
        return rest


@click.command(cls=_WithCommand, short_help="Is my bot correct? Every line its answers allow.")
@click.argument("board", default="3x3")
@click.argument("command", nargs=-1, metavar="-- COMMAND...")
@click.option("--as", "role", default="both", **words("both", "X", "O"), help="Which side the program plays.")
@click.option("--move-time", default="1s", metavar="TIME", help="How long it may take for a move: 1s, 500ms.")
@click.option("--start-time", default="10s", metavar="TIME", help="How long it may take until it is ready.")
@click.option(
    "--same",
    default="history",
    **words("history", "position"),
    help="Ask each sequence of moves once, or each set of marks.",
)
@click.option("--games", type=click.IntRange(min=1), metavar="N", help="Play so many games at random instead.")
@click.option("--seed", type=click.IntRange(min=0), default=1, metavar="N", help="What is drawn by lot follows this.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Ask up to so many questions (4000000).")
@answers("table", "json")
def referee(
    board: str,
    command: tuple[str, ...],
    role: str,
    move_time: str,
    start_time: str,
    same: str,
    games: int | None,
    seed: int,
    limit: int | None,
    to: Sink,
) -> None:
    """Play every line that a program's answers allow on BOARD, as X and as O; exit with 1 if it fails.

    The program speaks the protocol of noughts engine on its standard streams. It fails when it loses, plays what is no
    move, is late or ends. COMMAND is run as it stands, without a shell: noughts referee 3x3 -- python3 bot.py
    """
    from noughts.bots.referee import MOST_QUESTIONS
    from noughts.bots.referee import referee as ask
    from noughts.verbs.referee import forms

    if not command:
        raise InputError("which program? give its command at the end: noughts referee 3x3 -- python3 bot.py")
    found = ask(
        board,
        command,
        as_=role,
        move_time=move_time,
        start_time=start_time,
        same=same,
        games=games,
        seed=seed,
        limit=limit or MOST_QUESTIONS,
        progress=progress_line(),
    )
    to.write(forms(found, to.look))
    raise SystemExit(0 if found.passed else 1)
