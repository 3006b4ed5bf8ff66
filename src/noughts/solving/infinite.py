"""The infinite board: k in a row on a plane without edges. A draw means that neither player can force a line.

- From nine in a row on, the game is a draw: a pairing that repeats stops every line.
- Up to four in a row, X wins: an attack that wins in the middle of a square wins here too. Its moves and threats are so
  far from the edges that every line through such a cell is on the square. O could make any other line only with
  replies away from the attack. The attack leaves room for fewer than k - 1 of them, the last reply included, so they
  never make a threat. (For k up to 2, X completes a line at once.) X answers a reply outside the square like one in a
  corner, which helps O at least as much.
- For eight in a row there is a published proof. For five, six and seven we know of none.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none
from noughts.rules.board import Board, format_infinite, infinite_k
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Outcome
from noughts.rules.position import Position
from noughts.rules.values import Reported
from noughts.solving.attack.attacker import Attacker
from noughts.solving.problem import Watch
from noughts.solving.weak.pairing import PERIOD, PERIODIC_K, Place, periodic_pairs, stopped_lines

WON_K = 4
SQUARE = 15
"""The side of the square in whose middle the attack is searched."""

_OPEN = {
    5: "X wins on 15x15 and on 19x19, whose edges stop some lines of O as well. (L. V. Allis, Searching for Solutions "
    "in Games and Artificial Intelligence, 1994.) We know of no publication that settles the infinite board",
    6: "we know of no publication that settles it",
    7: "we know of no publication that settles it",
}
_EIGHT = "T. G. L. Zetters, 8 (or more) in a row, American Mathematical Monthly 87 (1980), 575-576"
_NINE = (
    "H. O. Pollak and C. E. Shannon, in the 1950s, in E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, 1982; "
    "A. W. Hales and R. I. Jewett, Regularity and positional games, 1963"
)


@dataclass(frozen=True, repr=False)
class InfiniteValue(Reported):
    """Who wins with k in a row on the infinite board; `outcome` is None for an open question.

    `known` is `proved` (by this call), `published` or `open`. `proof` gives the reason, and `source` who proved it
    first. `pairs` are places (row, column) that stop every line, repeated every `period` rows and columns. `at_most` is
    a number of plies within which a won game ends, `nodes` the number of positions that were searched.
    """

    k: int
    outcome: Outcome | None
    known: Literal["proved", "published", "open"]
    proof: str
    source: str | None
    pairs: tuple[tuple[Place, Place], ...] = ()
    period: int | None = None
    at_most: int | None = None
    nodes: int | None = None

    @property
    def board(self) -> str:
        """The specification of the board."""
        return format_infinite(self.k)

    def __repr__(self) -> str:
        return f"<InfiniteValue of {self.board}: {self.outcome or 'open'}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the value as `noughts solve --format json` prints it."""
        value = {None: None, "draw": "draw", "X": "win", "O": "loss"}[self.outcome]
        return {"board": self.board, "position": "", "to_move": "X", "value": value, **vars(self)}

    def proof_lines(self) -> list[str]:
        """Return the lines of the proof that `noughts check` judges. Raises BudgetError for a value without pairs."""
        if not self.pairs or self.period is None:
            raise BudgetError(
                f"no pairing proves the value of {self.board}: a proof is written from {format_infinite(PERIODIC_K)} on"
            )
        pairs = [f"{a} {b} {c} {d}" for (a, b), (c, d) in self.pairs]
        return ["noughts proof 1", f"board {self.board}", "claim draw", f"pairs {self.period} {self.period}", *pairs]


def solve_infinite(board: str = "9+infinite", *, progress: Progress | None = None) -> InfiniteValue:
    """Return who wins on an infinite board such as `9+infinite`, with the reason and the pairs that stop all lines.

    Cost: about a second. Raises InvalidBoard and InvalidType.

    >>> solve_infinite("9+infinite").outcome
    'draw'
    """
    k = infinite_k(board)
    function_or_none("progress", progress)
    if k >= PERIODIC_K:
        pairs = periodic_pairs()
        assert pairs is not None, "there is a pairing of period 8 against nine in a row"
        proof = (
            f"draw: {len(pairs)} pairs of cells, repeated every {PERIOD} rows and columns, stop every line of "
            f"{PERIODIC_K} cells. A player who answers each move on a pair with its other cell gets a mark on every "
            f"line. The {stopped_lines(pairs)} lines from one period were checked, and longer lines contain such lines"
        )
        return InfiniteValue(k, "draw", "proved", proof, _NINE, tuple(pairs), PERIOD)
    if k <= WON_K:
        return _won(k, progress or silent)
    if k in _OPEN:
        return InfiniteValue(k, None, "open", _OPEN[k], None)
    return InfiniteValue(k, "draw", "published", "published, and not proved here: no pairing shows it", _EIGHT)


def _won(k: int, progress: Progress) -> InfiniteValue:
    board = Board.grid(SQUARE, SQUARE, k)
    attacker, start = Attacker(board, Watch(progress)), Position(board)
    assert attacker.can_force(start, "X"), "X wins on the square"
    tree = attacker.tree(start, "X")
    inner = {row * SQUARE + column for row, column in product(range(k - 1, SQUARE - k + 1), repeat=2)}
    outer = tree.leaves(inner)
    assert outer is not None, "the attack comes too near to the edges of the square"
    assert k <= 2 or outer + 1 < k - 1, "replies far away might make a threat"
    proof = f"win by threats for X in the middle of {board}, so far from its edges that more room does not help O"
    return InfiniteValue(k, "X", "proved", proof, None, at_most=tree.at_most(), nodes=attacker.opened)
