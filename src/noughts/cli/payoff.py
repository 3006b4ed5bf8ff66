"""`noughts payoff`: points for each way a game can end, and what they come to."""

from __future__ import annotations

from pathlib import Path

import click

from noughts.cli.bots import policy_path, save_policy
from noughts.cli.options import Verb, words
from noughts.cli.progress import progress_line
from noughts.cli.sink import Sink, answers

__all__ = ["payoff"]


@click.command(cls=Verb, short_help="Points for each ending, and what they come to.")
@click.argument("board", default="3x3")
@click.option(
    "--points",
    "schemes",
    metavar="LIST",
    multiple=True,
    help="X=3-0,O=0-5,Island=0-1: points of X and of O; draw for all draws. Endings not named keep the "
    "published points, draws on other boards than 3x3 0-0. Several are compared.",
)
@click.option("--x", "x_policy", metavar="POLICY", help="How X plays (best, for the difference of points).")
@click.option("--o", "o_policy", metavar="POLICY", help="How O plays (best, for the difference of points).")
@click.option("--from", "start", metavar="POSITION", help="Begin here.")
@click.option("--strategy", "player", **words("X", "O"), help="How X, or O, makes sure of the best difference.")
@click.option("--save", metavar="FILE.json", help="Write the strategy of --strategy as a policy that versus plays.")
@click.option("--fairest", type=click.IntRange(min=1), metavar="N", help="The fairest schemes of up to N points.")
@click.option("--games", type=click.IntRange(min=1), metavar="N", help="The running score of so many games.")
@click.option("--swap", is_flag=True, help="With --games: the two take turns with X.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "svg", "png", "pdf", "text", "dot")
def payoff(
    board: str,
    schemes: tuple[str, ...],
    x_policy: str | None,
    o_policy: str | None,
    start: str | None,
    player: str | None,
    save: str | None,
    fairest: int | None,
    games: int | None,
    swap: bool,
    limit: int | None,
    to: Sink,
) -> None:
    """What a scheme of points for BOARD comes to.

    Each side plays best for the difference of points, or by a policy: random, win, block, fork, perfect, quickest,
    trap:random, trap:block, or a file of moves that ends in .json.
    """
    from noughts.analysis.payoff.playout import BEST
    from noughts.rules.errors import InputError
    from noughts.rules.game import LISTED_CLASSES

    path, most = policy_path(save), limit or LISTED_CLASSES
    is_strategy = player is not None or path is not None
    points = schemes[0] if schemes else None
    if fairest is not None or len(schemes) > 1:
        if is_strategy or games is not None or swap:
            raise InputError(
                "schemes are compared by best play and by policies: leave out --strategy, --save and --games"
            )
        _compare(board, start, schemes, fairest, x_policy or "random", o_policy or "random", most, to)
    elif swap and games is None:
        raise InputError("--swap is about the running score: add --games N")
    elif games is not None:
        if is_strategy or to.form in ("text", "dot"):
            raise InputError(
                "a running score goes with policies: leave out --strategy and --save, and ask for a table or JSON"
            )
        _keep_score(board, start, points, games, swap, x_policy or BEST, o_policy or BEST, most, to)
    elif player is not None:
        if x_policy is not None or o_policy is not None:
            raise InputError(
                "--strategy is for best play of both: leave out --x and --o, or ask versus for a best response"
            )
        _secure(board, start, points, player, path, most, to)
    elif path is not None:
        raise InputError("--save is about the strategy of a player: add --strategy X or --strategy O")
    else:
        x, o = (None if policy == BEST else policy for policy in (x_policy, o_policy))
        _ask(board, start, points, x, o, most, to)


def _compare(
    board: str,
    start: str | None,
    schemes: tuple[str, ...],
    fairest: int | None,
    x: str,
    o: str,
    most: int,
    to: Sink,
) -> None:
    """Answer with schemes of points side by side: those that were given, or the fairest."""
    from noughts.analysis.payoff.fairness import compare_points, fairest_points
    from noughts.rules.errors import InputError
    from noughts.verbs import payoff as fairness

    if fairest is not None and len(schemes) > 1:
        raise InputError("--fairest keeps the points of one scheme: give --points once, or not at all")
    if to.form not in ("table", "json"):
        raise InputError(f"schemes of points are no {to.form}: use one of table, json")
    if fairest is None:
        compared = compare_points(board, start, schemes=schemes, x=x, o=o, limit=most)
        to.write(fairness.comparison_forms(compared, to.look))
        return
    points = schemes[0] if schemes else None
    made = fairest_points(board, start, most=fairest, points=points, x=x, o=o, limit=most)
    to.write(fairness.fairest_forms(made, to.look))


def _keep_score(
    board: str,
    start: str | None,
    points: str | None,
    games: int,
    swap: bool,
    x: str,
    o: str,
    most: int,
    to: Sink,
) -> None:
    """Answer with the running score of games between policies."""
    from noughts.analysis.payoff.fairness import running_score
    from noughts.analysis.payoff.playout import BEST
    from noughts.rules.errors import InputError
    from noughts.verbs import payoff as running

    if x == o == BEST:
        raise InputError(
            "--games plays policies out, and only one side may answer the other best: say how X plays with --x, or "
            "O with --o, as in --games 10 --x perfect --o random"
        )
    score = running_score(board, start, games=games, points=points, swap=swap, limit=most, x=x, o=o)
    to.write(running.running_forms(score, to.look))


def _secure(
    board: str, start: str | None, points: str | None, player: str, path: Path | None, most: int, to: Sink
) -> None:
    """Answer with how a player makes sure of the best difference, and save it as a policy where a file is named."""
    from noughts.analysis.payoff.points import secure
    from noughts.verbs import guarantee

    found = secure(board, start, player=player, points=points, limit=most, progress=progress_line())
    if path is not None:
        save_policy(path, found.policy_as_dict())
    to.write(guarantee.forms(found, to.look))


def _ask(board: str, start: str | None, points: str | None, x: str | None, o: str | None, most: int, to: Sink) -> None:
    """Answer with what the points come to."""
    from noughts.analysis.payoff.points import payoff as ask
    from noughts.verbs.payoff import forms

    to.write(forms(ask(board, points, start=start, limit=most, progress=progress_line(), x=x, o=o), to.look))
