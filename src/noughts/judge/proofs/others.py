"""Judges sections `play` of wild, Notakto, and order and chaos, by rules of its own: a position is the X and the O."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.judge.proofs.ground import AlikePictures, Permutation, ProofBoard, Script, SectionCount, drawn, judged
from noughts.rules.errors import InputError, shown

Marks = tuple[int, int]


def parts_of(ground: ProofBoard) -> list[int]:
    """Return the cells of each board."""
    size = ground.cells // ground.boards
    return [((1 << size) - 1) << at for at in range(0, ground.cells, size)]


def mover(marks: Marks) -> str:
    """Return who is to move: X is the player who began."""
    return "XO"[(marks[0] | marks[1]).bit_count() % 2]


def moves_of(ground: ProofBoard, marks: Marks) -> list[int]:
    """Return the moves: a cell, plus the number of cells where an O is placed; none where the game is over."""
    if outcome_of(ground, marks) is not None:
        return []
    blank = [cell for cell in range(ground.cells) if not (marks[0] | marks[1]) >> cell & 1]
    if ground.game != "notakto":
        return blank + [cell + ground.cells for cell in blank]
    alive = [part for part in parts_of(ground) if not _lined(ground, marks[0] & part)]
    return [cell for cell in blank if any(part >> cell & 1 for part in alive)]


def played(ground: ProofBoard, marks: Marks, move: int) -> Marks:
    """Return the marks after a move."""
    x, o = marks
    return (x | 1 << move, o) if move < ground.cells else (x, o | 1 << move - ground.cells)


def _lined(ground: ProofBoard, marks: int) -> bool:
    return any(line & ~marks == 0 for line in ground.lines)


def outcome_of(ground: ProofBoard, marks: Marks) -> str | None:
    """Return who has won, X or O, or `draw`; None while the game goes on."""
    turn = mover(marks)
    last = "XO"[turn == "X"]
    full = (marks[0] | marks[1]) == ground.full
    if ground.game == "notakto":
        alive = [part for part in parts_of(ground) if not _lined(ground, marks[0] & part)]
        if not alive:
            return turn
        return None if any(part & ~marks[0] for part in alive) else "draw"
    is_lined = any(_lined(ground, side) for side in marks)
    if ground.game == "wild":
        return (turn if ground.is_misere else last) if is_lined else "draw" if full else None
    order = "X" if ground.game == "order" else "O"
    return order if is_lined else "XO"[order == "X"] if full else None


def require_start(text: str, marks: Marks, ground: ProofBoard) -> None:
    """Raise InputError for a position at which the game is over, or that has an O in Notakto."""
    if ground.game == "notakto" and marks[1]:
        raise InputError(f"{shown(text)} has an O, but both players of Notakto place an X")
    if outcome_of(ground, marks) is not None:
        raise InputError(f"in {shown(text)} the game is over: a proof must begin at an unfinished position")


class GamePlayJudge:
    """Judges a section in which a player must win, or not lose, against every reply."""

    def __init__(
        self, script: Script, ground: ProofBoard, group: list[Permutation], player: str, *, to_win: bool
    ) -> None:
        self.script, self.ground, self.above = script, ground, AlikePictures(group)
        self.player, self.to_win = player, to_win
        self.positions = self.replies = 0

    def judge(self, marks: Marks) -> SectionCount:
        """Judge the section to its end; return its counts. Raises ProofFault where it does not hold."""
        judged(self._after_reply(marks) if mover(marks) == self.player else self._after_none(marks), self._after_reply)
        return SectionCount(self.positions, self.replies)

    def _after_none(self, marks: Marks) -> Iterator[Marks]:
        if self.script.next_line("play") != "-":
            self.script.fault("the opponent is to move at the beginning: the first line of the section must be -")
        return self._replies(marks)

    def _after_reply(self, marks: Marks) -> Iterator[Marks]:
        """Read the line of a position with the player to move; yield the positions after replies that need one."""
        move = self.script.move(self.script.next_line("play"), self.ground.moves)
        self.positions += 1
        if move not in moves_of(self.ground, marks):
            self.script.fault(f"the player cannot make the move {move} here")
        self.above.add(drawn(self.ground.cells, *marks))
        after = played(self.ground, marks, move)
        if not self._is_good(after):
            self.script.fault(f"the game ends with the move {move}, and not as the section says")
        return self._replies(after)

    def _is_good(self, marks: Marks) -> bool:
        """Tell whether the game goes on, or has ended as the section says."""
        end = outcome_of(self.ground, marks)
        return end in (None, self.player) or (end == "draw" and not self.to_win)

    def _replies(self, marks: Marks) -> Iterator[Marks]:
        """Check that no reply ends the game badly; yield the positions after replies that no line above settles."""
        after = [played(self.ground, marks, move) for move in moves_of(self.ground, marks)]
        for child in after:
            if not self._is_good(child):
                self.script.fault("a reply ends the game, and not as the section says")
        self.replies += len(after)
        going = [child for child in after if outcome_of(self.ground, child) is None]
        return (child for child in going if drawn(self.ground.cells, *child) not in self.above)
