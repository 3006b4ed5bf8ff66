"""The rules of the beads: how many to begin with, what a game adds or takes, what happens to an empty box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from noughts.analysis.policies.table import read_json, require_beads
from noughts.machine.reading import FILE_VERSION, require_version
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import flag, integer, one_of, path_of, whole_number, wrong_type
from noughts.rules.board import Board, require_marking
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InputError, shown
from noughts.rules.game import LISTED_CLASSES, require_listed
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, mask_of
from noughts.rules.position import Position, parse_position
from noughts.rules.values import FrozenDict, record, short
from noughts.solving.classgraph import ClassGraph, class_graph

SCHEMES = ("michie", "doubling")
"""Beads of each colour by the turns that the machine has still to come: 4, 3, 2, 1, or 8, 4, 2, 1."""
SYMMETRIC = ("once", "each")
EMPTY = ("resign", "refill", "keep")
_MOST = 1_000_000


@dataclass(frozen=True)
class BeadRules:
    """How a machine of matchboxes is filled and taught.

    `beads` is one of SCHEMES, or the beads of each colour at the first turn, the second, and so on, the last number
    for all turns after. `win`, `draw` and `loss` are added to the colour drawn in each box that was opened. With
    `symmetric` `once` cells that a symmetry of the position takes to each other share one colour, with `each` every
    cell has its own. An `empty` box makes the machine `resign`, or is `refill`ed as at the start; `keep` leaves the
    last bead where it is. `last_boxes` are boxes for positions with one blank cell, where there is nothing to choose.
    """

    beads: str | tuple[int, ...] = "michie"
    win: int = 3
    draw: int = 1
    loss: int = -1
    symmetric: str = "once"
    empty: str = "resign"
    last_boxes: bool = False

    def start(self, turn: int, left: int) -> int:
        """Return the beads of each colour at the `turn`-th turn of the machine, from 1, with `left` to come, this one
        included."""
        if isinstance(self.beads, tuple):
            return self.beads[min(turn, len(self.beads)) - 1]
        return left if self.beads == "michie" else 1 << left - 1

    def reward(self, player: Player, outcome: Outcome) -> int:
        """Return what is added to each colour drawn after a game with this outcome."""
        return self.draw if outcome == "draw" else self.win if outcome == player else self.loss

    def as_dict(self) -> dict[str, object]:
        """Return the rules for JSON."""
        return record(self, "beads", "win", "draw", "loss", "symmetric", "empty", "last_boxes")


def bead_rules(
    beads: str | Sequence[int] = "michie",
    reward: Sequence[int] = (3, 1, -1),
    symmetric: str = "once",
    empty: str = "resign",
    last_boxes: bool = False,
) -> BeadRules:
    """Return the rules. `beads` may be text, as on the command line: a scheme, or numbers such as `4,3,2,1`.

    Raises InputError.
    """
    if not isinstance(reward, list | tuple):
        raise wrong_type("the reward", reward, "three numbers, for a win, a draw and a loss")
    if len(reward) != 3:
        given = shown(",".join(map(str, reward)))
        raise InputError(f"the reward cannot be {given}: give three numbers, for a win, a draw and a loss")
    win, draw, loss = (integer("a reward", each) for each in reward)
    if max(map(abs, (win, draw, loss))) > _MOST:
        raise InputError(f"a reward is at most {_MOST:,} beads either way: give smaller numbers")
    one_of("what symmetric cells have", symmetric, SYMMETRIC)
    one_of("what happens to an empty box", empty, EMPTY)
    return BeadRules(_beads(beads), win, draw, loss, symmetric, empty, flag("last_boxes", last_boxes))


def _beads(given: str | Sequence[int]) -> str | tuple[int, ...]:
    if isinstance(given, str) and given in SCHEMES:
        return given
    if not isinstance(given, Sequence) or isinstance(given, bytes):
        raise wrong_type("the beads", given, f"{' or '.join(SCHEMES)}, or numbers by turn")
    parts = given.split(",") if isinstance(given, str) else []
    if not all(part.strip().isdecimal() and len(part) < 20 for part in parts):
        raise InputError(
            f"the beads cannot be {shown(str(given))}: give {' or '.join(SCHEMES)}, or numbers by turn such as 4,3,2,1"
        )
    numbers = tuple(map(int, parts)) or tuple(integer("a number of beads", each) for each in given)
    if not numbers or any(not 1 <= number <= _MOST for number in numbers):
        raise InputError(
            f"beads by turn are from 1 to {_MOST:,}, not {', '.join(map(str, numbers)) or 'none'}: give 4,3,2,1"
        )
    return numbers


# The boxes of a machine: one for each position class in which it has to move and has a choice.

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
"""The colours of beads, each with its own letter, which is not a mark, in reading order for the cells of 3x3."""


def bead_letter(cell: Cell) -> str:
    """Return the letter of a cell's bead; from the tenth cell on with a number, for beads with so many stripes less
    one."""
    stripes, place = divmod(cell, len(COLOURS))
    return f"{tuple(COLOURS)[place]}{stripes + 1 if stripes else ''}"


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


def graph_within(board: Board, limit: int = LISTED_CLASSES, progress: Progress = silent) -> ClassGraph:
    """Return all position classes of a board. Raises BudgetError, before it begins, where there may be too many."""
    require_marking(board, "MENACE")
    what = "filling a matchbox for each position class"
    require_listed(Position(board), what, limit, has_option=True, takes_position=False)
    return class_graph(board, progress=progress)


def cabinet(graph: ClassGraph, board: Board, player: Player, rules: BeadRules) -> Cabinet:
    """Return the boxes of a machine that plays X or O."""
    least, boxes = 1 if rules.last_boxes else 2, list[Matchbox]()
    mine = [Position(board, *node.state[:2]) for node in graph.nodes if node.outcome is None]
    mine = [position for position in mine if position.to_move == player and position.ply <= board.cells - least]
    for number, position in enumerate(sorted(mine, key=lambda each: (each.ply, each.x, each.o)), 1):
        alike, blanks = _alike(position, rules), board.cells - position.ply
        turn, left = 1 + (board.cells - blanks) // 2, 1 + (blanks - least) // 2
        cells = tuple(next(cells_of(mask)) for mask in alike)
        boxes.append(Matchbox(number, position, turn, cells, alike, rules.start(turn, left)))
    return Cabinet(board, player, rules, tuple(boxes))


def _alike(position: Position, rules: BeadRules) -> tuple[Mask, ...]:
    """Return the sets of blank cells that share a colour, by their first cells."""
    if rules.symmetric == "each":
        return tuple(1 << cell for cell in cells_of(position.blanks))
    keeping = position.board.group().keeping(position.x, position.o)
    orbits = (mask_of(element[cell] for element in keeping) for cell in cells_of(position.blanks))
    return tuple(dict.fromkeys(orbits))


# A machine as a file: its rules, the beads of every box, and the same as the moves of a policy.

Saved = Mapping[str, Any]
"""What a file of a machine holds."""


def saved_machine(cabinet: Cabinet, beads: Sequence[Sequence[int]], games: int) -> dict[str, object]:
    """Return a machine as its file has it. `moves` are the chances of the beads, so that the file is a policy as well.

    Empty boxes have no moves: there the policy plays at random.
    """
    board = cabinet.board
    named = [
        (str(box.position), {cell_name(board, cell): n for cell, n in zip(box.cells, held, strict=True)})
        for box, held in zip(cabinet.boxes, beads, strict=True)
    ]
    moves = {
        position: {cell: str(Fraction(n, sum(held.values()))) for cell, n in held.items() if n}
        for position, held in named
        if any(held.values())
    }
    return {
        "version": FILE_VERSION,
        "board": board.spec,
        "as": cabinet.player,
        "rules": cabinet.rules.as_dict(),
        "games": games,
        "beads": dict(named),
        **({"otherwise": "random"} if len(moves) < len(named) else {}),
        "moves": moves,
    }


def read_machine(given: Saved | str | Path) -> tuple[str, Saved]:
    """Return how errors call a saved machine, and what it holds. Raises InputError for an invalid file."""
    if isinstance(given, Mapping):
        require_version("the machine given as a dict", given)
        return "given as a dict", given
    path = path_of("a saved machine", given)
    data = read_json(path, "machine")
    return shown(str(path), 200), data if isinstance(data, Mapping) else {}


def head_of(title: str, data: Saved, board: Board) -> tuple[Player, BeadRules, int]:
    """Return the side of a saved machine, its rules, and its number of games. Raises InputError."""
    for key in ("beads", "rules"):
        if not isinstance(data.get(key), Mapping):
            raise InputError(f"the machine {title} has no {key!r}: save one with noughts menace --save FILE.json")
    if "board" in data and not board.is_called(data["board"]):
        raise InputError(f"the machine {title} is for {data['board']}, not for {board}: ask about that board")
    one_of(f"'as' of the machine {title}", data.get("as"), ("X", "O"))
    rules: Mapping[str, Any] = data["rules"]
    reward = [rules.get("win", 3), rules.get("draw", 1), rules.get("loss", -1)]
    given = {name: rules[name] for name in ("beads", "symmetric", "empty", "last_boxes") if name in rules}
    games = whole_number(f"'games' of the machine {title}", data.get("games", 0))
    return "X" if data["as"] == "X" else "O", bead_rules(reward=reward, **given), games


def beads_of(title: str, data: Saved, cabinet: Cabinet, *, written: bool) -> list[list[int]]:
    """Return the beads of each box; of what is `written`, in a file.

    Raises InputError where boxes are missing, or there are others, and where its moves, which are played where the
    machine is a policy, are not those of its beads.
    """
    board, found = cabinet.board, dict[int, list[int]]()
    for text, held in data["beads"].items():
        position = parse_position(board, text)
        place = cabinet.places.get((position.x, position.o))
        if place is None or not isinstance(held, Mapping):
            raise InputError(f"the machine {title} has beads for {text}, which is not one of its boxes: remove them")
        cells = cabinet.boxes[place].cells
        counts = {
            parse_cell(board, str(cell)): whole_number(f"the beads of {shown(text)} in {title}", count)
            for cell, count in held.items()
        }
        if set(counts) != set(cells):
            names = ", ".join(cell_name(board, cell) for cell in cells)
            raise InputError(f"the machine {title} has other beads for {text} than {names}: give a number for each")
        found[place] = [counts[cell] for cell in cells]
    if len(found) < len(cabinet.boxes):
        missing = next(box for place, box in enumerate(cabinet.boxes) if place not in found)
        raise InputError(f"the machine {title} has no beads for {missing.position}: every box needs its line")
    require_beads(board, title, data, written=written)
    return [found[place] for place in range(len(cabinet.boxes))]
