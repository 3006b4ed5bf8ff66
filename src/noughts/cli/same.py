"""`noughts same`: are two boards, or two games, the same if you turn your head or use a mirror?"""

from __future__ import annotations

import click

from noughts.cli.options import Verb
from noughts.cli.sink import Sink, answers

__all__ = ["same"]


@click.command(cls=Verb, short_help="Are two boards, or two games, the same?")
@click.argument("board")
@click.argument("first")
@click.argument("second")
@answers("text", "json")
def same(board: str, first: str, second: str, to: Sink) -> None:
    """Tell whether FIRST and SECOND are the same position of BOARD, and which turn or flip shows it.

    Positions are written X.O/.X./..O, or as the moves that lead to them. Where both are moves, such as 'a1 b2 c1', the
    games are compared too: by labels, by symmetry and by choices, and where they part.
    """
    from noughts.analysis.records.comparison import same as ask
    from noughts.rules.position import is_game
    from noughts.verbs.same import forms

    if is_game(first) and is_game(second):
        from noughts.analysis.records.comparison import same_games
        from noughts.verbs.same import game_forms

        to.write(game_forms(same_games(board, first, second), to.look))
        return
    to.write(forms(ask(board, first, second), to.look))
