"""The rules of a question as numbers, and the moves from one ply under them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noughts.kernels.layers.records import ANY, FULL, LINE, PERFECT, Play

__all__ = ["LIMB_BITS", "RuleTerms"]

LIMB_BITS = 63
"""Bits of a weight in each 64-bit word: two words and a carry add up without wrapping around."""


@dataclass(frozen=True)
class RuleTerms:
    """The rules by number (see `records`), and the start position as two sets of cells.

    `lined` has the outcome, as a number, when X completes a line and when O does.
    """

    cells: int
    x_rule: int
    o_rule: int
    end: int
    lined: tuple[int, int]
    distinct: bool
    start_x: int
    start_o: int
    limb_bits: int = LIMB_BITS

    @property
    def start_ply(self) -> int:
        """The number of marks of the start position."""
        return (self.start_x | self.start_o).bit_count()

    @property
    def any_values(self) -> bool:
        """Whether a player needs values under free play."""
        return max(self.x_rule, self.o_rule) >= PERFECT

    def sides(self, ply: int) -> tuple[int, int]:
        """The start's marks as (those of the player who moved last before `ply`, those of the one who moves)."""
        return (self.start_o, self.start_x) if ply % 2 == 0 else (self.start_x, self.start_o)

    def play(self, ply: int, limbs: int, *, emit: bool) -> Play:
        """The moves from a ply, counted."""
        x_moves = ply % 2 == 0
        rule = self.x_rule if x_moves else self.o_rule
        return Play(
            rule=rule,
            graph_rule=ANY if self.any_values else rule,
            x_moves=int(x_moves),
            lined_outcome=self.lined[not x_moves],
            final=int(ply + 1 == self.cells),
            end=self.end,
            distinct=int(self.distinct),
            emit=int(emit and ply + 1 < self.cells),
            start=np.uint64(self.start_x | self.start_o),
            limbs=np.uint64(limbs),
            columns=np.uint64(limbs * (2 if self.end == FULL else 1)),
            limb_bits=np.uint64(self.limb_bits),
        )

    def graph_play(self, ply: int) -> Play:
        """The moves from a ply that the kept graph holds: free ones where values are needed, play ending at a line."""
        play = self.play(ply, 1, emit=True)
        bits = np.uint64(LIMB_BITS)  # what stands for weights are the numbers of the classes, and their sums fit
        return play._replace(rule=play.graph_rule, end=LINE, columns=play.limbs, limb_bits=bits, emit=2 * play.emit)
