"""Which patterns a question comes down to for an engine that counts without a tree: each is made once."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from noughts.counting.patterns.conjugates import kinds_of_symmetry
from noughts.counting.patterns.pattern import Pattern, orbits_of
from noughts.counting.question import Question
from noughts.domain.bits import Mask
from noughts.domain.symmetry import ELEMENT_LIMIT, Permutation, identity, is_identity

__all__ = ["Needed", "why_not"]


def why_not(question: Question, engine: str = "", cell_limit: int | None = None) -> str | None:
    """Return why no engine that counts without a tree can answer, or this one not on so many cells; or None."""
    board = question.board
    if not question.is_free:
        return "positions are counted without a tree only where both players may make any move"
    if question.end == "decided":
        return "positions are counted without a tree only where the game ends at a line or a full board"
    if cell_limit is not None and board.cells > cell_limit:
        return f"the engine {engine} takes boards of up to {cell_limit:,} cells, {board} has {board.cells:,}"
    if question.same == "labelled":
        return None
    if question.group.order > ELEMENT_LIMIT:
        return (
            f"the symmetry group has {question.group.order:,} elements and only groups of up to {ELEMENT_LIMIT:,} are "
            "listed" + (": ask with --symmetry board" if question.symmetry == "lines" else "")
        )
    start = question.position()
    if start.ply and any((image(start.x), image(start.o)) != (start.x, start.o) for image in question.group.images):
        return "positions up to symmetry are counted without a tree only from a start that every symmetry keeps"
    return None


class Needed:
    """The patterns of a question to which `why_not` does not object, with the number of symmetries behind each."""

    def __init__(self, question: Question) -> None:
        self.question = question
        start = question.position()
        self.blanks = start.blanks
        self.moves = question.last_ply - question.first_ply
        self.is_over = question.board.has_line(start.x) or question.board.has_line(start.o)
        """Whether someone has a line at the start, so that nothing is left to count but orders of moves."""
        self.order = 1 if question.same == "labelled" else question.group.order

    def patterns(self, *, positions: bool = True) -> dict[Pattern, bool]:
        """Return the patterns that an engine has to count, each with whether its won positions are needed too.

        Without `positions` those that the games need.
        """
        needed: dict[Pattern, bool] = {}
        if self.is_over:
            return needed
        question = self.question
        if question.end == "line" and positions:
            needed = dict.fromkeys((pattern for pattern, _ in self.position_patterns), True)
        if question.same != "choices" and (question.end == "line" or question.last_ply == question.board.cells):
            for pattern, _ in self.game_patterns:
                needed.setdefault(pattern, False)
        return needed

    @cached_property
    def _kinds(self) -> tuple[tuple[Permutation, int], ...]:
        """One symmetry of each kind, the identity first, with how many there are of the kind."""
        if self.question.same == "labelled":
            return ((identity(self.question.board.cells), 1),)
        return kinds_of_symmetry(self.question.group)

    @cached_property
    def position_patterns(self) -> tuple[tuple[Pattern, int], ...]:
        """What each kind of symmetry leaves alone, with the number of symmetries of the kind."""
        return tuple(
            (self.whole if is_identity(symmetry) else self._made(symmetry=symmetry), count)
            for symmetry, count in self._kinds
        )

    @cached_property
    def weights(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """The weights of the cells of each of these patterns, with the number of symmetries of the kind."""
        orbits = ((orbits_of(symmetry), count) for symmetry, count in self._kinds)
        return tuple(
            (tuple((o & self.blanks).bit_count() for o in kind if o & self.blanks), count) for kind, count in orbits
        )

    @cached_property
    def fixed_cells(self) -> Counter[Mask]:
        """The sets of blank cells that symmetries fix one by one, with the number of such symmetries.

        A game is left alone by a symmetry iff all its moves are on such cells.
        """
        fixed: Counter[Mask] = Counter()
        for symmetry, count in self._kinds:
            fixed[sum(1 << cell for cell, image in enumerate(symmetry) if cell == image) & self.blanks] += count
        return fixed

    @cached_property
    def game_patterns(self) -> tuple[tuple[Pattern, int], ...]:
        """The patterns whose paths are the paths that symmetries leave alone, with the number of symmetries.

        Games to the full board need those symmetries only that fix every cell.
        """
        return tuple(
            (self.whole if within == self.blanks else self._made(within=within), count)
            for within, count in self.fixed_cells.items()
            if self.question.end == "line" or within == self.blanks
        )

    @cached_property
    def whole(self) -> Pattern:
        """The pattern of all blank cells."""
        return self._made()

    def _made(self, *, within: Mask = -1, symmetry: Permutation | None = None) -> Pattern:
        """Return the pattern of what is still to be played, without lines that nobody can complete by the last ply."""
        start, board = self.question.position(), self.question.board
        first, second = (start.x, start.o) if start.to_move == "X" else (start.o, start.x)
        pattern = Pattern.of(
            board.cells, board.line_masks, first=first, second=second, within=within, symmetry=symmetry
        )
        return pattern.within_reach((self.moves + 1) // 2)
