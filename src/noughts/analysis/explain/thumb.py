"""Rules of thumb: the shortest list of preferences that is right at some boards, found by a search over all lists.

A rule is a list of steps. It plays a cell of the first step that has a blank cell, any of them; if no step has one, any
blank cell. It is right if each cell that it can play keeps what its player can force.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations

from noughts.analysis.explain.facts import forced_cells, fork_cells, threat_mask
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Mask, Player, cells_of, mask_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import coordinates
from noughts.rules.values import Result

MOST_STEPS = 3
_MOST_CELLS = 36


def _of_kind(kind: str) -> Callable[[Position], Mask]:
    """Return a step that finds the corners, the other cells at the rim, or the inner cells of a grid."""
    return lambda at: mask_of(cell for cell in range(at.board.cells) if _kind_of(at.board, cell) == kind)


def _kind_of(board: Board, cell: Cell) -> str:
    assert board.shape is not None
    places = zip(coordinates(board.shape, cell), board.shape, strict=True)
    at_rim = [place in (0, side - 1) for place, side in places if side > 1]
    return "corner" if all(at_rim) else "edge" if any(at_rim) else "centre"


def _opposite(at: Position) -> Mask:
    """Return the cells opposite the other player's marks, through the middle of the board."""
    return mask_of(at.board.cells - 1 - cell for cell in cells_of(at.marks(opponent(at.to_move))))


def _beside(at: Position) -> Mask:
    """Return the cells that share a side with a mark of the other player."""
    assert at.board.shape is not None
    _, columns, _ = at.board.shape
    theirs = [divmod(cell, columns) for cell in cells_of(at.marks(opponent(at.to_move)))]
    places = ((cell, *divmod(cell, columns)) for cell in range(at.board.cells))
    return mask_of(cell for cell, r, c in places if any(abs(r - row) + abs(c - column) == 1 for row, column in theirs))


def _stop_fork(at: Position) -> Mask:
    """Return the cells after which the other player cannot fork, where that player could."""
    other = opponent(at.to_move)
    if not fork_cells(at, other):
        return 0
    after = [(cell, at.play(cell)) for cell in at.moves()]
    return mask_of(cell for cell, then in after if not fork_cells(then, other) & forced_cells(then))


_LINES: dict[str, tuple[str, Callable[[Position], Mask]]] = {
    "win": ("complete a line, if you can", lambda at: threat_mask(at, at.to_move)),
    "block": ("block a line, if you must", lambda at: threat_mask(at, opponent(at.to_move))),
    "fork": ("make a fork, if you can", lambda at: fork_cells(at, at.to_move)),
    "stop fork": ("stop a fork, if one threatens", _stop_fork),
}
_PLACES: dict[str, tuple[str, Callable[[Position], Mask]]] = {
    "centre": ("an inner cell, if one is blank", _of_kind("centre")),
    "corner": ("a corner, if one is blank", _of_kind("corner")),
    "edge": ("an edge, if one is blank", _of_kind("edge")),
    "opposite": ("the cell opposite a mark of {}, if it is blank", _opposite),
    "beside": ("a cell beside a mark of {}, if one is blank", _beside),
}
_SOLID = ("centre", "corner", "opposite")
"""The places of which rules on solid boards are made."""


def steps_for(board: Board) -> dict[str, tuple[str, Callable[[Position], Mask]]]:
    """Return the steps of which rules are made: lines and forks but under misere, places on grids that do not wrap."""
    steps = {} if board.misere else dict(_LINES)
    if board.shape is None or board.torus or min(board.shape[:2]) == 1:
        return steps
    steps |= _PLACES if board.shape[2] == 1 else {name: _PLACES[name] for name in _SOLID}
    if set(board.shape) <= {1, 3}:
        steps["centre"] = ("the centre, if it is blank", _of_kind("centre"))
    return steps


@dataclass(frozen=True, repr=False)
class RuleOfThumb(Result):
    """The shortest rule for a player that is right at all `boards` of a list; `steps` is None if there is none.

    Every shorter list of steps is wrong at some board. `closed` says that one of its
    steps has a cell at every board.
    """

    board: Board
    player: Player
    steps: tuple[str, ...] | None
    boards: int
    closed: bool
    keys = "player steps boards sentence"

    @cached_property
    def sentence(self) -> str:
        """The rule in words: `the centre, if it is blank, else a corner`; or that there is none."""
        if self.steps is None:
            tried = f" (tried: {', '.join(steps_for(self.board))})" if steps_for(self.board) else ""
            return f"No rule of thumb of up to {MOST_STEPS} steps is right for {self.player}'s reply{tried}."
        return f"Rule of thumb for {self.player}'s reply, right at all {self.boards} boards: {self.words}."

    @property
    def words(self) -> str:
        """The steps alone, in words; empty without a rule."""
        if self.steps is None:
            return ""
        known, other = steps_for(self.board), opponent(self.player)
        phrases = [known[step][0].format(other) for step in self.steps]
        phrases = [*phrases[:-1], phrases[-1].split(", if")[0]] if self.closed else [*phrases, "any cell"]
        return ", else ".join(phrases)


def rule_of_thumb(judged: Sequence[tuple[Position, Mask]]) -> RuleOfThumb | None:
    """Return the shortest rule that is right at some positions of one player; each has the mask of its right cells.

    The positions count under every symmetry of the board. None if every cell is right everywhere, so that no rule is
    needed, on boards of more than 36 cells, and where not every blank cell is a move. Cost: a few thousand lists of
    steps at most.
    """
    wrong = [at for at, right in judged if at.playable & ~right]
    if not wrong or wrong[0].board.cells > _MOST_CELLS or not wrong[0].board.rules.any_blank:
        return None
    board, player = wrong[0].board, wrong[0].to_move
    steps = steps_for(board)
    boards = {(image(at.x), image(at.o)): image(right) for at, right in judged for image in board.group().images}
    places = [Position(board, x, o) for x, o in boards]
    table = [[find(at) & at.playable for _, find in steps.values()] for at in places]
    lengths = range(1, MOST_STEPS + 1)
    for order in chain.from_iterable(permutations(range(len(steps)), length) for length in lengths):
        chosen = [next((cells[i] for i in order if cells[i]), None) for cells in table]
        played = [at.playable if cells is None else cells for at, cells in zip(places, chosen, strict=True)]
        if not any(cells & ~right for cells, right in zip(played, boards.values(), strict=True)):
            names = tuple(list(steps)[i] for i in order)
            return RuleOfThumb(board, player, names, len(boards), None not in chosen)
    return RuleOfThumb(board, player, None, len(boards), closed=False)
