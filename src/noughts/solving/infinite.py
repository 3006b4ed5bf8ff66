"""The infinite board: k in a row on a plane without edges. A draw means that neither player can force a line.

- From nine in a row on, a pairing that repeats stops every line, whatever the other does: a draw.
- Up to four, the attack that wins in the middle of a square wins here. Its moves and threats are so far from the edges
  that every line through such a cell is on the square. A line through none of these cells is made by replies alone that
  lie outside of them; of these the attack leaves so few open that with the last reply of all they are less than k - 1,
  and threaten nothing (where X completes a line at once they need not). A reply outside the square is answered as one
  in a corner, which does at least as much.
- Of eight there is a published proof; of five, six and seven none is known to us.
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
"""The side of the square in whose middle the attack is looked for."""

_OPEN = {
    5: "X wins on 15x15 and on 19x19 (L. V. Allis, Searching for Solutions in Games and Artificial Intelligence, "
    "1994), whose edges stop some lines of O as well; nothing published that we know of settles the infinite board",
    6: "nothing published that we know of settles it",
    7: "nothing published that we know of settles it",
}
_EIGHT = "T. G. L. Zetters, 8 (or more) in a row, American Mathematical Monthly 87 (1980), 575-576"
_NINE = (
    "H. O. Pollak and C. E. Shannon, in the 1950s, told by E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, "
    "1982; A. W. Hales and R. I. Jewett, Regularity and positional games, 1963"
)


@dataclass(frozen=True, repr=False)
class InfiniteValue(Reported):
    """Who wins with k in a row on the infinite board: `outcome` is None where that is open.

    `known` is `proved`, here and now, `published` or `open`; `proof` says how it is known and `source` who proved it
    first. `pairs` are places (row, column) that stop every line, repeated every `period` rows and columns. `at_most` is
    a number of plies within which a won game ends, `nodes` the positions that were searched.
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
        """The board as it is written."""
        return format_infinite(self.k)

    def __repr__(self) -> str:
        return f"<InfiniteValue of {self.board}: {self.outcome or 'open'}>"

    def as_dict(self) -> dict[str, Any]:
        """Return it as `noughts solve --format json` prints it."""
        value = {None: None, "draw": "draw", "X": "win", "O": "loss"}[self.outcome]
        return {"board": self.board, "position": "", "to_move": "X", "value": value, **vars(self)}

    def proof_lines(self) -> list[str]:
        """Return the lines of the proof that `noughts check` judges. Raises BudgetError where there are no pairs."""
        if not self.pairs or self.period is None:
            raise BudgetError(
                f"there is no pairing that shows who wins {self.board}: a proof is written from "
                f"{format_infinite(PERIODIC_K)} on"
            )
        pairs = [f"{a} {b} {c} {d}" for (a, b), (c, d) in self.pairs]
        return ["noughts proof 1", f"board {self.board}", "claim draw", f"pairs {self.period} {self.period}", *pairs]


def solve_infinite(board: str = "9+infinite", *, progress: Progress | None = None) -> InfiniteValue:
    """Return who wins on an infinite board such as `9+infinite`, how that is known, and the pairs that stop all lines.

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
            f"draw: who answers each move on one of {len(pairs)} pairs of cells, repeated every {PERIOD} rows and "
            f"columns, by the other cell of the pair has a mark on every line of {PERIODIC_K} cells; the "
            f"{stopped_lines(pairs)} lines from one period were gone through, and longer lines hold such lines"
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
    proof = f"win by threats for X in the middle of {board}, so far from its edges that more room is of no use to O"
    return InfiniteValue(k, "X", "proved", proof, None, at_most=tree.at_most(), nodes=attacker.opened)
