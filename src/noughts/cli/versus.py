"""`noughts versus`: two policies against each other, exactly."""

from __future__ import annotations

import click

from noughts.cli.bots import policy_path, save_policy
from noughts.cli.options import Verb
from noughts.cli.sink import Sink, answers

__all__ = ["versus"]

_POLICY = "random|win|block|fork|perfect|quickest|trap:random|trap:block|best|FILE.json"


@click.command(cls=Verb, short_help="Policies against each other, exactly.")
@click.argument("board", default="3x3")
@click.option("--x", "x_policy", metavar=_POLICY, default="random", help="How X plays.")
@click.option("--o", "o_policy", metavar="POLICY", default="random", help="How O plays.")
@click.option("--from", "start", metavar="POSITION", help="Begin here.")
@click.option("--save", metavar="FILE.json", help="Write the best response as a policy file.")
@click.option("--games", type=click.IntRange(min=1), metavar="N", help="The running score of so many games.")
@click.option("--swap", is_flag=True, help="With --games: the two take turns with X.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Go through up to so many classes (120000).")
@answers("table", "json", "svg", "png", "pdf", "text")
def versus(
    board: str,
    x_policy: str,
    o_policy: str,
    start: str | None,
    save: str | None,
    games: int | None,
    swap: bool,
    limit: int | None,
    to: Sink,
) -> None:
    """The exact probabilities on BOARD when X and O play by policies.

    One side may be `best`: the best response to the other. A policy file holds moves by position class,
    or their chances.
    """
    from noughts.analysis.payoff.fairness import running_score
    from noughts.analysis.payoff.playout import BEST
    from noughts.analysis.payoff.playout import versus as ask
    from noughts.rules.errors import InputError
    from noughts.rules.game import LISTED_CLASSES
    from noughts.verbs import payoff as running
    from noughts.verbs.match import versus_forms

    path = policy_path(save)
    if swap and games is None:
        raise InputError("--swap is about the running score: add --games N")
    if games is not None:
        if path is not None or to.form == "text":
            raise InputError("a running score is no policy: leave out --save; it is a table, JSON or chart")
        score = running_score(
            board, start, games=games, x=x_policy, o=o_policy, swap=swap, limit=limit or LISTED_CLASSES
        )
        to.write(running.running_forms(score, to.look))
        return
    if path is not None and BEST not in (x_policy, o_policy):
        raise InputError("--save writes the best response: ask with --x best or --o best")
    found = ask(board, start, x=x_policy, o=o_policy, limit=limit or LISTED_CLASSES)
    response = found.response_as_dict()
    if path is not None and response is not None:
        save_policy(path, response)
    to.write(versus_forms(found, to.look))
