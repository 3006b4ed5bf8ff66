"""The boxes of a machine: one for each position class in which it has to move and has a choice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.bots.menace.rules import BeadRules
from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.extent import LISTED_CLASSES, require_listed
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.game import Marks
from noughts.domain.position import Player, Position
from noughts.machine.progress import Progress, silent
from noughts.solving.classgraph import ClassGraph
from noughts.solving.classgraph import class_graph as shared_graph

__all__ = ["Cabinet", "Matchbox", "bead_colour", "bead_letter", "cabinet", "class_graph"]

COLOURS = FrozenDict(
    {
        "R": "red",
        "Y": "yellow",
        "G": "green",
        "B": "blue",
        "W": "white",
        "K": "black",
        "P": "pink",
        "V": "violet",
        "T": "tan",
    }
)
"""The colours of beads, each by a letter of its own, which is no mark: in reading order for the cells of 3x3."""


def bead_letter(cell: Cell) -> str:
    """Return the letter of a cell's bead; from the tenth cell on with a number, for beads with so many stripes less
    one."""
    letters = tuple(COLOURS)
    stripes, place = divmod(cell, len(letters))
    return f"{letters[place]}{stripes + 1}" if stripes else letters[place]


def bead_colour(cell: Cell) -> str:
    """Return the colour of a cell's bead in words."""
    stripes, place = divmod(cell, len(COLOURS))
    colour = tuple(COLOURS.values())[place]
    return f"{colour} with {stripes} stripe{'s' * (stripes > 1)}" if stripes else colour


@dataclass(frozen=True)
class Matchbox:
    """A box: its number from 1, the position as its label has it, and the cells that its beads stand for.

    `cells` are in reading order, one for each colour; `alike` has for each the set of cells that it stands for. `turn`
    is the machine's own, from 1, and `beads` how many of each colour are in it at the start.
    """

    number: int
    position: Position
    turn: int
    cells: tuple[Cell, ...]
    alike: tuple[Mask, ...]
    beads: int

    @property
    def start(self) -> tuple[int, ...]:
        """The beads of each colour at the start."""
        return (self.beads,) * len(self.cells)

    def as_dict(self) -> dict[str, object]:
        """Return the box for JSON."""
        board = self.position.board
        return {
            "number": self.number,
            "position": str(self.position),
            "turn": self.turn,
            "beads": {cell_name(board, cell): self.beads for cell in self.cells},
        }


@dataclass(frozen=True, repr=False)
class Cabinet:
    """All boxes of a machine that plays X or O, in order of ply and then of their positions."""

    board: Board
    player: Player
    rules: BeadRules
    boxes: tuple[Matchbox, ...]

    def __repr__(self) -> str:
        return f"<Cabinet of {len(self.boxes):,} boxes on {short(self.board)} for {self.player}>"

    @cached_property
    def places(self) -> dict[tuple[Mask, Mask], int]:
        """The place of each box, from 0, by its canonical position."""
        return {(box.position.x, box.position.o): place for place, box in enumerate(self.boxes)}

    def start_of(self, cell: Cell) -> int:
        """Return how many beads of a cell's colour all boxes hold at the start."""
        return sum(box.beads for box in self.boxes if cell in box.cells)

    @property
    def start(self) -> tuple[tuple[int, ...], ...]:
        """The beads of every box at the start."""
        return tuple(box.start for box in self.boxes)


def class_graph(board: Board, limit: int = LISTED_CLASSES, progress: Progress = silent) -> ClassGraph[Marks]:
    """Return all position classes of a board. Raises BudgetError, before it begins, where there may be too many."""
    require_listed(Position(board), "filling a matchbox for each position class", limit)
    return shared_graph(board, progress=progress)


def cabinet(graph: ClassGraph[Marks], board: Board, player: Player, rules: BeadRules) -> Cabinet:
    """Return the boxes of a machine that plays X or O."""
    least = 1 if rules.last_boxes else 2
    found = []
    for node in graph.nodes:
        state = node.state
        blanks = board.cells - graph.game.ply(state)
        if node.outcome is None and graph.game.to_move(state) == player and blanks >= least:
            found.append((blanks, state))
    found.sort(key=lambda each: (-each[0], each[1].x, each[1].o))
    boxes = []
    for number, (blanks, state) in enumerate(found, 1):
        position = Position(board, state.x, state.o)
        alike = _alike(position, rules)
        turn, left = 1 + (board.cells - blanks) // 2, 1 + (blanks - least) // 2
        cells = tuple(next(cells_of(mask)) for mask in alike)
        boxes.append(Matchbox(number, position, turn, cells, alike, rules.start(turn, left)))
    return Cabinet(board, player, rules, tuple(boxes))


def _alike(position: Position, rules: BeadRules) -> tuple[Mask, ...]:
    """Return the sets of blank cells that share a colour, by their first cells."""
    if rules.symmetric == "each":
        return tuple(1 << cell for cell in cells_of(position.blanks))
    keeping = position.board.group().keeping(position.x, position.o)
    found, left = [], position.blanks
    while left:
        cell = next(cells_of(left))
        orbit = 0
        for element in keeping:
            orbit |= 1 << element[cell]
        found.append(orbit)
        left &= ~orbit
    return tuple(found)
