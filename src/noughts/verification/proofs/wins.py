"""Judges the sections `win`: the attacker completes a line first, whatever the opponent replies."""

from __future__ import annotations

from collections.abc import Iterable

from noughts.verification.proofs.ground import Ground
from noughts.verification.proofs.script import Script
from noughts.verification.proofs.tables import Mover

__all__ = ["judge_win"]


def judge_win(script: Script, ground: Ground, own: int, other: int, attacker_moves: bool, movers: list[Mover]) -> int:
    """Judge a section to its end; return how many positions it settles. Raises ProofFault where it does not hold."""
    judge = _Judge(script, ground, movers)
    if attacker_moves:
        judge.settle(own, other)
    else:
        judge.answer_all(own, other, [])
    return judge.count


class _Judge:
    def __init__(self, script: Script, ground: Ground, movers: list[Mover]) -> None:
        self.script, self.ground, self.movers = script, ground, movers
        self.settled: set[tuple[int, int]] = set()
        self.count = 0

    def settle(self, own: int, other: int) -> None:
        """Read the line of a position with the attacker to move, and settle every reply to its move."""
        head, colon, tail = self.script.next_line("win").partition(":")
        self.count += 1
        cell = self.script.cell(head)
        if (own | other) >> cell & 1:
            self.script.fault(f"the attacker plays cell {cell}, which is taken")
        own |= 1 << cell
        if not self._has_line(own, cell):
            sequences = [self.script.cells(each) for each in tail.split("/")] if colon else []
            self.answer_all(own, other, sequences)
        self.settled.add(self._canonical(own & ~(1 << cell), other))

    def answer_all(self, own: int, other: int, sequences: list[list[int]]) -> None:
        """See that each reply of the opponent is met by a sequence of threats, or by a position that is settled."""
        blank = self.ground.full & ~own & ~other
        if not blank:
            self.script.fault("the board is full, and the attacker has no line")
        at = self.script.at
        for cell in range(self.ground.cells):
            if not blank >> cell & 1:
                continue
            replied = other | 1 << cell
            if self._has_line(replied, cell):
                self.script.at = at
                self.script.fault(f"the opponent completes a line at cell {cell}")
            if any(self._wins(each, own, replied) for each in sequences):
                continue
            if self._canonical(own, replied) not in self.settled:
                self.settle(own, replied)

    def _wins(self, sequence: list[int], own: int, other: int) -> bool:
        """Tell whether a sequence of threats and forced replies wins; the attacker is to move."""
        moves = iter(sequence)
        for cell in moves:
            if (own | other) >> cell & 1:
                return False
            threatened = self._completions(other, own)
            own |= 1 << cell
            if self._has_line(own, cell):
                return True
            if threatened & ~(1 << cell):
                return False
            threats = self._completions(own, other, cell)
            if threats.bit_count() != 1:
                return bool(threats)
            reply = next(moves, None)
            if reply is None or threats != 1 << reply:
                return False
            other |= threats
        return False

    def _has_line(self, marks: int, cell: int) -> bool:
        return any(line & ~marks == 0 for line in self.ground.through[cell])

    def _completions(self, marks: int, others: int, cell: int | None = None) -> int:
        """Return the blank cells at which these marks complete a line, through a cell if one is given."""
        found = 0
        lines: Iterable[int] = self.ground.lines if cell is None else self.ground.through[cell]
        for line in lines:
            rest = line & ~marks
            if rest & (rest - 1) == 0 and not rest & others:
                found |= rest
        return found

    def _canonical(self, own: int, other: int) -> tuple[int, int]:
        return min((move(own), move(other)) for move in self.movers)
