"""Maker-Breaker tic-tac-toe, rules of play that are not in noughts: Maker wants a line of X, Breaker wants none.

Maker places an X and Breaker an O, in turn, on any blank cell. Maker wins with a line. Breaker wins when the board is
full without one; a line of O is worth nothing. So no game is a draw.

    python examples/rules/maker.py solve 3x3+maker
    python examples/rules/maker.py count 3x3+maker --same labelled
    python examples/rules/maker.py play 3x3+maker --o perfect

In Python, `import maker` makes the boards known: `noughts.solve("3x3+maker")`.

Source: J. Beck, Combinatorial Games: Tic-Tac-Toe Theory, Cambridge University Press 2008, where such a game is called
weak tic-tac-toe.
"""

from __future__ import annotations

from functools import reduce
from operator import and_

from noughts.rules import PlayRules, add_rules


@add_rules
class Maker(PlayRules):
    """Maker, who begins, wins with a line of X, and Breaker on a full board without one."""

    option = "maker"
    alternating = forks = False  # a line of O is worth nothing, so the two do not have the same threats
    players = labels = ("Maker", "Breaker")
    places = "Maker places an X and Breaker an O"
    difference = "Maker wins with a line of X, and Breaker without one"
    goal = difference

    def problem(self, board):
        """Return why a board cannot have these rules, as a clause; None where it can."""
        return "+maker says who wants a line, so +misere cannot be used with it" if self.misere else None

    def ends_for(self, to_move):
        """Return the outcome of a line, and of a board full without one: X is who began."""
        return "X", "O"

    def winner(self, board, x, o):
        """Return the winner by a line; None where Maker has none."""
        return "X" if board.has_line(x) else None

    def is_over(self, board, x, o):
        """Tell whether Maker has a line, or the board is full."""
        return board.has_line(x) or x | o == board.full

    def outcome(self, board, x, o):
        """Return the outcome where the game is over, None while it goes on."""
        return self.winner(board, x, o) or ("O" if x | o == board.full else None)

    def problems(self, board, x, o):
        """Return all the reasons why play cannot lead to a position; empty when it can."""
        more, found = x.bit_count() - o.bit_count(), []
        if more not in (0, 1):
            found.append("Maker begins and the players alternate")
        completed = board.completed(x)
        if completed and (more != 1 or not reduce(and_, completed)):
            found.append("a line of Maker ends the game")
        return tuple(found)


if __name__ == "__main__":
    from noughts.cli.main import main

    main()
