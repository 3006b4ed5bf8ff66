"""Judges the sections `win`: the attacker completes a line first, whatever the opponent replies."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.verification.proofs.ground import ProofBoard
from noughts.verification.proofs.script import Script, SectionCount, judged
from noughts.verification.proofs.tables import AlikePictures, Permutation, drawn

__all__ = ["judge_win", "replies_met"]

Lines = list[int]


def judge_win(
    script: Script, ground: ProofBoard, own: int, other: int, attacker_moves: bool, group: list[Permutation]
) -> SectionCount:
    """Judge a section to its end; return what it settles. Raises ProofFault where it does not hold."""
    judge = _WinJudge(script, ground, group)
    judged(judge.after_reply((own, other)) if attacker_moves else judge.after_none((own, other)), judge.after_reply)
    return SectionCount(judge.positions, judge.replies)


class _WinJudge:
    def __init__(self, script: Script, ground: ProofBoard, group: list[Permutation]) -> None:
        self.script, self.ground = script, ground
        self.above = AlikePictures(group)
        self.positions = self.replies = 0

    def after_none(self, start: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Read the first line of a section in which the opponent moves first; yield what its replies leave open."""
        if self.script.next_line("win").strip() != "-":
            self.script.fault("the opponent is to move at the beginning: the first line of the section has to be -")
        return self._open_replies(*start, [])

    def after_reply(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Read the line of a position with the attacker to move; yield the positions after replies that need one."""
        own, other = position
        head, colon, tail = self.script.next_line("win").partition(":")
        self.positions += 1
        cell = self.script.cell(head)
        if (own | other) >> cell & 1:
            self.script.fault(f"the attacker plays cell {cell}, which is taken")
        self.above.add(self._picture(own, other))
        own |= 1 << cell
        if any(line & ~own == 0 for line in self.ground.through[cell]):
            if colon:
                self.script.fault("the attacker completes a line, and nothing follows that")
            return iter(())
        parts = tail.split("/") if colon else []
        if len(parts) > self.ground.cells:
            self.script.fault(f"{len(parts):,} sequences for at most {self.ground.cells} replies: leave some out")
        sequences = [self.script.cells(each) for each in parts]
        if any(len(each) % 2 == 0 for each in sequences):
            self.script.fault("a sequence of threats ends with a move of the attacker: it has an odd number of cells")
        return self._open_replies(own, other, sequences)

    def _open_replies(self, own: int, other: int, sequences: list[list[int]]) -> Iterator[tuple[int, int]]:
        """Yield the positions after the replies that no sequence meets and no line above settles."""
        attack = [line for line in self.ground.lines if not line & other]
        defence = [line for line in self.ground.lines if not line & own]
        for line in defence:
            rest = line & ~other
            if not rest & (rest - 1):
                self.script.fault(f"the opponent completes a line at cell {rest.bit_length() - 1}")
        live = 0
        for line in attack:
            live |= line
        for line in defence:
            live |= line
        live &= ~own & ~other
        if not live:
            self.script.fault("no line is left that somebody could complete, and the attacker has none")
        self.replies += live.bit_count()
        met = 0
        for sequence in sequences:
            met |= replies_met(sequence, own, other, attack, defence)
        return self._left(own, other, live & ~met)

    def _left(self, own: int, other: int, replies: int) -> Iterator[tuple[int, int]]:
        while replies:
            reply = replies & -replies
            replies ^= reply
            if self._picture(own, other | reply) not in self.above:
                yield own, other | reply

    def _picture(self, own: int, other: int) -> bytes:
        """Return the position without what is on no line that either could still complete."""
        live = 0
        for line in self.ground.lines:
            if not line & own or not line & other:
                live |= line
        return drawn(self.ground.cells, own, other, ~live)


def replies_met(sequence: list[int], own: int, other: int, attack: Lines, defence: Lines) -> int:
    """Return the blank cells that the opponent may take first without spoiling a sequence, as a set of bits.

    `attack` are the lines without a mark of the opponent, `defence` those without one of the attacker, on none of which
    one cell alone is missing. One walk tells of all replies: a reply spoils the sequence where it takes one of its
    cells, where it leaves two blank cells of a line one of which is then a threat that a move does not answer, and
    where it takes one of the last two threats.
    """
    spoilt = 0
    for number in range(0, len(sequence), 2):
        move = 1 << sequence[number]
        if (own | other) & move:
            return 0
        own |= move
        spoilt |= move
        threats = 0
        for line in attack:
            rest = line & ~own
            if not rest:
                return ~(own | other | spoilt)
            if not rest & (rest - 1):
                threats |= rest
        defence = [line for line in defence if not line & move]
        for line in defence:
            rest = line & ~other
            after_one = rest & (rest - 1)
            if not after_one:
                return 0
            if not after_one & (after_one - 1):
                spoilt |= rest
        if number == len(sequence) - 1:
            two = threats & (threats - 1)
            if not two:
                return 0
            return ~(own | other | spoilt | (0 if two & (two - 1) else threats))
        forced = 1 << sequence[number + 1]
        if not threats & forced:
            return 0
        other |= forced
        spoilt |= forced
        attack = [line for line in attack if not line & forced]
    return 0
