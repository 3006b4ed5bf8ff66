"""Judges the sections `play`: by the rules of the game as they are, move by move to the end."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.verification.proofs.ground import ProofBoard
from noughts.verification.proofs.script import Script, SectionCount, judged
from noughts.verification.proofs.stops import Family, after_maker, family_of, pairs_of, stopped
from noughts.verification.proofs.tables import AlikePictures, Permutation, drawn

__all__ = ["judge_play"]

_Stopping = tuple[Family, list[int]]
"""The opponent's lines without the player's marks, less the cells that the opponent owns, and pairs."""


def judge_play(
    script: Script,
    ground: ProofBoard,
    own: int,
    other: int,
    player_moves: bool,
    group: list[Permutation],
    *,
    to_win: bool,
) -> SectionCount:
    """Judge a section to its end; return what it settles. Raises ProofFault where it does not hold.

    The player, whose marks are `own`, has to win, or not to lose, however the opponent replies.
    """
    judge = _PlayJudge(script, ground, group, to_win)
    judged(judge.after_reply((own, other)) if player_moves else judge.after_none((own, other)), judge.after_reply)
    return SectionCount(judge.positions, judge.replies)


class _PlayJudge:
    def __init__(self, script: Script, ground: ProofBoard, group: list[Permutation], to_win: bool) -> None:
        self.script, self.ground, self.to_win = script, ground, to_win
        self.above = AlikePictures(group)
        self.positions = self.replies = 0

    def after_none(self, start: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Read the first line of a section in which the opponent moves first; yield the positions after replies."""
        head, colon, tail = self.script.next_line("play").partition(":")
        if head.strip() != "-":
            self.script.fault("the opponent is to move at the beginning: the first line of the section has to be -")
        return self._replies(*start, self._stopping(*start, None, tail) if colon else None)

    def after_reply(self, position: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Read the line of a position with the player to move; yield the positions after replies that need one."""
        own, other = position
        head, colon, tail = self.script.next_line("play").partition(":")
        cell = self.script.cell(head)
        self.positions += 1
        if (own | other) >> cell & 1:
            self.script.fault(f"the player takes cell {cell}, which is taken")
        self.above.add(drawn(self.ground.cells, own, other))
        own |= 1 << cell
        if self._completes(own, cell):
            if self.ground.is_misere:
                self.script.fault(f"the player completes a line at cell {cell}, and so loses")
            if colon:
                self.script.fault(f"the player completes a line at cell {cell}, and nothing follows that")
            return iter(())
        return self._replies(own, other, self._stopping(own, other, cell, tail) if colon else None)

    def _stopping(self, own: int, other: int, cell: int | None, text: str) -> _Stopping:
        """Return how pairs stop the opponent's lines, as a line with a colon says."""
        if self.to_win or self.ground.is_misere:
            self.script.fault("pairs keep the opponent from lines: that serves not to lose, where lines win")
        family = family_of(line & ~other for line in self.ground.lines if not line & own)
        return family, pairs_of(self.script, text, cell)

    def _replies(self, own: int, other: int, stopping: _Stopping | None) -> Iterator[tuple[int, int]]:
        """See that no reply ends the game badly; yield the positions after those that do not end it."""
        blank = [cell for cell in range(self.ground.cells) if not (own | other) >> cell & 1]
        ending = [cell for cell in blank if self._completes(other | 1 << cell, cell)]
        if ending and not self.ground.is_misere:
            self.script.fault(f"the opponent completes a line at cell {ending[0]}")
        if self.to_win and (not blank or (len(blank) == 1 and not ending)):
            self.script.fault("the board is full and nobody has a line: the player does not win")
        self.replies += len(blank)
        if stopping is not None and stopped(*stopping, maker_moves=True):
            return iter(())
        going = [cell for cell in blank if cell not in ending] if len(blank) > 1 else []
        return self._left(own, other, going, stopping)

    def _left(self, own: int, other: int, replies: list[int], stopping: _Stopping | None) -> Iterator[tuple[int, int]]:
        for reply in replies:
            if stopping is not None and _met(reply, *stopping):
                continue
            if drawn(self.ground.cells, own, other | 1 << reply) not in self.above:
                yield own, other | 1 << reply

    def _completes(self, marks: int, cell: int) -> bool:
        return any(line & ~marks == 0 for line in self.ground.through[cell])


def _met(reply: int, family: Family, pairs: list[int]) -> bool:
    """Tell whether the pairs that a reply leaves stop the opponent after it."""
    after = after_maker(family, reply)
    return after is not None and stopped(after, [pair for pair in pairs if not pair >> reply & 1], maker_moves=False)
