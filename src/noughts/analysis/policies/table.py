"""A policy that is a table: the chances of the moves for each position class, from a file, a dict or a machine.

A file holds `{"board": ..., "otherwise": ..., "moves": {position: cells}}`. The key `moves` may also be `bot` or
`table`, as other verbs write it, or the file holds only `{position: cells}`. A position represents its class. Its cells
are one cell, a list of cells, or `{cell: chance}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.analysis.policies.policy import (
    GRADES,
    POLICIES,
    Moment,
    NoEntry,
    Policy,
    Weights,
    entry,
    evenly,
    reached,
    read_weights,
)
from noughts.machine.reading import FILE_VERSION, parse_json, read_text, require_version
from noughts.rules.arguments import whole_number
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import InputError, shown
from noughts.rules.game import on_moves
from noughts.rules.marks import Cell, Mask, Player, opponent
from noughts.rules.position import Position, parse_position
from noughts.rules.symmetry import inverse
from noughts.rules.values import FrozenDict

if TYPE_CHECKING:
    from noughts.solving.solution import Solution

Table = dict[tuple[Mask, Mask], Weights]

BEADS = "beads"
"""The key for the beads of a machine."""
_ENTRIES = ("moves", "bot", "table")
_OTHER = ("version", "board", "otherwise", "by")
_MOST_BEADS = 10**15
_LOOKED = 10_000
"""Most positions in which an entry is looked for before a game: those of larger boards are met in play."""


@dataclass(frozen=True)
class FilePolicy(Policy):
    """The chances of the moves by position class; `otherwise` plays the positions that are not listed.

    `table` is {the canonical sets of X and of O: {cell: chance}}. Without `by_class` the sets are those of one
    position, not of its images. The policy is for `board`. A position with one blank cell does not need an entry.
    `moves` and `probabilities` raise InputError if neither the table nor `otherwise` has a move.
    """

    name: str
    table: FrozenDict[tuple[Mask, Mask], Weights] = field(repr=False)
    otherwise: Policy | None = None
    by_class: bool = True
    board: Board | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Derive `is_symmetric`, `needs_values` and `concedes`.

        If a symmetry keeps a class and moves the cell of its entry, images get one of the cells that the symmetry
        exchanges: they lead to the same class.
        """
        other = self.otherwise
        is_symmetric = self.by_class and (other is None or other.is_symmetric)
        needs_values, concedes = other is not None and other.needs_values, other is not None and other.concedes
        vars(self).update(is_symmetric=is_symmetric, needs_values=needs_values, concedes=concedes)

    def probabilities(self, position: Position, solution: Solution | None = None) -> dict[Cell, Fraction]:
        """Return the chances of the class, mapped to this position. Raises InputError if there are none."""
        listed = self.listed(position)
        if listed is not None:
            return {cell: listed[cell] for cell in sorted(listed)}
        if self.otherwise is not None:
            return self.otherwise.probabilities(position, solution)
        board = position.board
        if {Position(board, *marks).to_move for marks in self.table} == {opponent(position.to_move)}:
            side = opponent(position.to_move)
            own, other = map(board.rules.name_of, (side, position.to_move))
            how = f", by --{side.lower()} {self.name}" if self.name.endswith(".json") else ""
            raise NoEntry(f"the policy {self.name} plays {own} only, not {other} in {position}: let it play {own}{how}")
        canonical = Position(board, *board.group().canonical(position.x, position.o))
        what = f"its class {canonical}" if self.by_class else "it"
        raise NoEntry(f"the policy {self.name} has no moves for {position}: add {what}, or a rule under 'otherwise'")

    def listed(self, position: Position) -> Weights | None:
        """Return the chances that the table has for a position, or its only blank cell; None if it has none."""
        key, back = (position.x, position.o), None
        if self.by_class:
            x, o, symmetry = position.board.group().to_canonical(*key)
            key, back = (x, o), on_moves(position.board, inverse(symmetry))
        found = self.table.get(key)
        if found is None:
            return evenly(position.playable) if position.playable.bit_count() == 1 else None
        return found if back is None else FrozenDict({back[cell]: chance for cell, chance in found.items()})

    def missing_entry(self, board: Board, player: Player) -> Position | None:
        """Return an earliest position that a player of this table can reach without having moves for it; None if none.

        The moves include those of nested tables. Cost: one visit to each position that the player reaches, or to each
        class; only the earliest _LOOKED are visited.
        """
        tables: list[FilePolicy] = [self]
        while (rest := tables[-1].otherwise) is not None:
            if not isinstance(rest, FilePolicy):
                return None
            tables.append(rest)

        def moves_at(at: Position) -> Iterable[Cell]:
            entries = (each.listed(at) for each in tables)
            return at.moves() if at.to_move != player else next((each for each in entries if each), ())

        positions = reached(Position(board), moves_at, by_class=self.is_symmetric)
        return next((at for at, moves in islice(positions, _LOOKED) if not moves), None)

    def as_dict(self, board: Board | str | None = None) -> dict[str, object]:
        """Return the policy in the form of its file: its table, and the policy for other positions."""
        on = self._on(board)
        found: dict[str, object] = {"version": FILE_VERSION, "board": on.spec}
        if not self.by_class:
            found["by"] = "position"
        if self.otherwise is not None:
            inner = self.otherwise
            found["otherwise"] = inner.name if inner.name in (*POLICIES, *GRADES) else inner.as_dict(on)
        return {**found, "moves": {str(Position(on, *at)): entry(on, self.table[at]) for at in sorted(self.table)}}


def read_json(path: Path, what: str = "policy") -> object:
    """Return the contents of the file of a policy or a machine. Raises InputError if it is not readable JSON."""
    title = f"the {what} {shown(str(path), 200)}"

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found and found[key] != value:
                raise InputError(f"{title} has two entries for {shown(key)}: keep one of them")
            found[key] = value
        return found

    try:
        found = parse_json(read_text(path), title, once)
    except OSError as error:
        raise InputError(f"cannot read {title}: {error.strerror}; check the name") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{title} is not text: {error}; write it as the reference shows") from None
    require_version(title, found)
    return found


def file_policy(
    board: Board, title: str, data: object, name: str, inner: Callable[[Any], Policy], *, written: bool
) -> FilePolicy:
    """Return the policy of the data of a file; errors call it `title`, and `inner` reads the nested policy.

    Data `written` in a file has chances as text, because a float cannot be 1/3, and cells by name, because numbers
    might start from 0 or from 1. Raises InputError.
    """
    require_version(f"the policy {title}", data)
    entries = _entries(title, data)
    assert isinstance(data, Mapping)
    try:
        is_meant = board.is_called(data.get("board", board.spec))
    except InputError as error:
        raise InputError(f"the policy {title} does not name a board: {error}") from None
    if not is_meant:
        raise InputError(f"the policy {title} is for {data['board']}, not for {board}: ask about that board")
    by = data.get("by", "class")
    if by not in ("class", "position"):
        raise InputError(f"the policy {title} is by {shown(by)}: write 'class' or 'position'")
    table = _table(board, title, entries, by == "class", written)
    if BEADS in data:
        require_beads(board, title, data, written=written)
    otherwise = None if data.get("otherwise") is None else inner(data["otherwise"])
    return FilePolicy(name, FrozenDict(table), otherwise, by == "class", board)


def require_beads(board: Board, title: str, data: Mapping[str, Any], *, written: bool) -> None:
    """Raise InputError unless the beads of a machine are whole numbers from 0 that give its chances."""
    beads, table = data.get(BEADS), _table(board, title, _entries(title, data), True, written)
    if not isinstance(beads, Mapping) or not all(isinstance(held, Mapping) for held in beads.values()):
        raise InputError(
            f"the machine {title} has no beads for positions under 'beads': write them as menace --save does"
        )
    chances = dict[str, object]()
    for text, held in beads.items():
        named = f"the beads of {shown(text)} in {title}"
        if any(isinstance(n, int) and abs(n) > _MOST_BEADS for n in held.values()):
            raise InputError(f"{named} are more than {_MOST_BEADS:,}: give fewer")
        numbers = {cell: whole_number(named, n) for cell, n in held.items()}
        if total := sum(numbers.values()):
            chances[text] = {cell: Fraction(n, total) for cell, n in numbers.items()}
    made = _table(board, title, chances, True, False)
    for key in {**made, **table}:
        if made.get(key) != table.get(key):
            at = Position(board, *key)
            raise InputError(
                f"moves and beads of the machine {title} differ for {at}: save it again, or remove 'beads' "
                "to use the moves"
            )


def _table(board: Board, title: str, entries: Mapping[Any, object], by_class: bool, written: bool) -> Table:
    """Return the chances of the moves by the canonical sets of their positions or, without `by_class`, by their own."""
    table: Table = {}
    group, single = board.group(), dict[str, Weights]()
    for text, given in entries.items():
        position, weights = _entry(board, title, text, given, written, single)
        key, alike = (position.x, position.o), [weights]
        if by_class and (group.canonical(*key) != key or key in table):
            x, o, symmetry = group.to_canonical(*key)
            key, weights = (x, o), _moved(weights, on_moves(board, symmetry))
            keeping = group.keeping(*key) if key in table else []
            alike = [_moved(weights, on_moves(board, each)) for each in keeping]
        if table.setdefault(key, weights) not in (weights, *alike):
            raise InputError(f"the policy {title} has two entries for the class of {position}: keep one of them")
    return table


def _moved(weights: Weights, symmetry: tuple[Cell, ...]) -> Weights:
    return FrozenDict({symmetry[cell]: chance for cell, chance in weights.items()})


def _entries(title: str, data: object) -> Mapping[Any, object]:
    """Return the entries of a policy, under any of their keys."""
    lacks = "has no 'moves'"
    if isinstance(data, Mapping):
        named = [key for key in _ENTRIES if key in data]
        if len(named) > 1:
            raise InputError(f"the policy {title} has both {named[0]!r} and {named[1]!r}: keep one of them")
        entries = data[named[0]] if named else {key: value for key, value in data.items() if key not in _OTHER}
        if isinstance(entries, Mapping) and (named or (entries and BEADS not in data)):
            return entries
        lacks = f"has {named[0]!r} without positions" if named else lacks
    raise InputError(f"the policy {title} {lacks}: write {{'moves': {{'.../.../...': ['b2']}}}}")


def _entry(
    board: Board, title: str, text: Any, given: object, written: bool, single: dict[str, Weights]
) -> tuple[Position, Weights]:
    """Return the position and the chances of an entry; `single` has the chances of a single cell by its name."""
    try:
        position = parse_position(board, text).require_reachable()
    except InputError as error:
        raise type(error)(f"the policy {title} has an invalid entry: {error}") from None
    if position.is_terminal:
        raise InputError(f"the policy {title} has an entry for {position}, where the game is over: remove it")
    name = given[0] if isinstance(given, list) and len(given) == 1 else given
    if isinstance(name, str) and (known := single.get(name)) and all(position.playable >> cell & 1 for cell in known):
        return position, known
    if written:
        _require_text(title, position, given)
    weights = read_weights(given, Moment(f"the policy {title}", str(text), board, position.playable))
    if isinstance(name, str) and len(weights) == 1:
        single[name] = weights
    return position, weights


def _require_text(title: str, position: Position, given: object) -> None:
    """Raise InputError for ambiguous numbers in a file: cells by number, and floats."""
    listed = given if isinstance(given, list) else [given]
    if any(isinstance(each, int | float) and not isinstance(each, bool) for each in listed):
        name = move_name(position.board, next(iter(position.moves())))
        raise InputError(
            f'the policy {title} gives a number for {position}: in a file, name the cells, such as "{name}"'
        )
    if isinstance(given, dict) and any(isinstance(chance, float) for chance in given.values()):
        raise InputError(
            f'the policy {title} gives a float as a chance in {position}: write it as text, "1/3" or "0.25"'
        )
