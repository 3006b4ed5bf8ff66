"""A policy that is a table: for each position class the chances of the moves, as a file, a dict or a machine has it.

A file holds `{"board": ..., "otherwise": ..., "moves": {position: cells}}`, where `moves` may as well be called `bot`
or `table`, as other verbs write it, or stand alone: `{position: cells}`. A position stands for its class. Its cells are
one cell, a list of them, or `{cell: chance}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.analysis.policies.policy import Moment, Policy, Weights, evenly, read_weights
from noughts.machine.reading import FILE_VERSION, parse_json, read_text, require_version
from noughts.rules.arguments import whole_number
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell, Mask, Player
from noughts.rules.position import Position, parse_position
from noughts.rules.symmetry import inverse
from noughts.rules.values import FrozenDict

if TYPE_CHECKING:
    from noughts.solving.solution import Solution

Table = dict[tuple[Mask, Mask], Weights]

BEADS = "beads"
"""Where a machine has the beads that its moves are made of."""
_ENTRIES = ("moves", "bot", "table")
_OTHER = ("version", "board", "otherwise", "by")
_MOST_BEADS = 10**15


@dataclass(frozen=True)
class FilePolicy(Policy):
    """The weights of the moves by position class, as a file holds them; what is not listed is played by `otherwise`.

    `table` is {the canonical sets of X and of O: {cell: chance}}; not `by_class`, the sets are those of a position, and
    nothing is said of its images. `board` is the one that it is for. A position with one blank cell needs no entry.
    Where neither the table nor `otherwise` says what to play, `moves` and `probabilities` raise InputError.
    """

    name: str
    table: FrozenDict[tuple[Mask, Mask], Weights] = field(repr=False)
    otherwise: Policy | None = None
    by_class: bool = True
    board: Board | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Take over what is played otherwise.

        Where a symmetry keeps a class and moves the cell of its entry, its images get one of the cells that the
        symmetry exchanges: they lead to the same class.
        """
        other = self.otherwise
        is_symmetric = self.by_class and (other is None or other.is_symmetric)
        vars(self).update(is_symmetric=is_symmetric, needs_values=other is not None and other.needs_values)

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chances of the class, carried over to this position. Raises InputError where nothing is said."""
        listed = self.listed(position)
        if listed is not None:
            return {cell: listed[cell] for cell in sorted(listed)}
        if self.otherwise is not None:
            return self.otherwise.probabilities(position, solution)
        board = position.board
        canonical = Position(board, *board.group().canonical(position.x, position.o))
        what = f"its class {canonical}" if self.by_class else "it"
        raise InputError(f"the policy {self.name} has no moves for {position}: add {what}, or a rule under 'otherwise'")

    def listed(self, position: Position) -> Weights | None:
        """Return what the table says of a position, or that its one blank cell is left; None where it says nothing."""
        key, back = (position.x, position.o), None
        if self.by_class:
            x, o, symmetry = position.board.group().to_canonical(*key)
            key, back = (x, o), inverse(symmetry)
        found = self.table.get(key)
        if found is None:
            return evenly(position.blanks) if position.blanks.bit_count() == 1 else None
        return found if back is None else FrozenDict({back[cell]: chance for cell, chance in found.items()})

    def missing_entry(self, board: Board, player: Player) -> Position | None:
        """Return a position for which neither this table nor those played otherwise have moves, and to which its player
        can come from the empty board by playing from it; one that comes soonest, None where there is none.

        Cost: a visit to each position that the player comes to; to each class where the table is by class.
        """
        tables: list[FilePolicy] = [self]
        while (rest := tables[-1].otherwise) is not None:
            if not isinstance(rest, FilePolicy):
                return None
            tables.append(rest)
        layer = [Position(board)]
        while layer:
            found: dict[tuple[Mask, Mask], Position] = {}
            for at in layer:
                said = (each.listed(at) for each in tables)
                cells = next((each for each in said if each), None) if at.to_move == player else at.moves()
                if cells is None:
                    return at
                for child in map(at.play, cells):
                    if not child.is_terminal:
                        key = board.group().canonical(child.x, child.o) if self.is_symmetric else (child.x, child.o)
                        found[key] = Position(board, *key)
            layer = list(found.values())
        return None

    def as_dict(self, board: Board) -> dict[str, object]:
        """Return the policy as its file has it: a list of cells as likely as each other, or cells with fractions."""
        found: dict[str, object] = {"version": FILE_VERSION, "board": board.spec}
        if not self.by_class:
            found["by"] = "position"
        if self.otherwise is not None:
            inner = self.otherwise
            found["otherwise"] = inner.as_dict(board) if isinstance(inner, FilePolicy) else inner.name
        entries: dict[str, object] = {}
        for (x, o), weights in sorted(self.table.items()):
            named = {cell_name(board, cell): str(weights[cell]) for cell in sorted(weights)}
            entries[str(Position(board, x, o))] = list(named) if len(set(named.values())) == 1 else named
        return {**found, "moves": entries}


def read_json(path: Path, what: str = "policy") -> object:
    """Return what a policy file holds, or a machine's. Raises InputError where it cannot be read, or is no JSON."""
    said = f"the {what} {shown(str(path), 200)}"

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in pairs:
            if key in found and found[key] != value:
                raise InputError(f"{said} has two entries for {shown(key)}: keep one of them")
            found[key] = value
        return found

    try:
        found = parse_json(read_text(path), said, once)
    except OSError as error:
        raise InputError(f"cannot read {said}: {error.strerror}; check the name") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{said} is no text: {error}; write it as the reference shows") from None
    require_version(said, found)
    return found


def file_policy(
    board: Board, said: str, data: object, name: str, inner: Callable[[Any], Policy], *, written: bool
) -> FilePolicy:
    """Return the policy that a file holds as data; errors call it `said`, and `inner` reads what is played otherwise.

    What is `written`, in a file, holds its chances as text, as no float is 1/3, and its cells by name, as a number
    might be counted from 0 or from 1. Raises InputError.
    """
    require_version(f"the policy {said}", data)
    entries = _entries(said, data)
    assert isinstance(data, Mapping)
    try:
        is_meant = board.is_called(data.get("board", board.spec))
    except InputError as error:
        raise InputError(f"the policy {said} is for no board: {error}") from None
    if not is_meant:
        raise InputError(f"the policy {said} is for {data['board']}, not for {board}: ask about that board")
    by = data.get("by", "class")
    if by not in ("class", "position"):
        raise InputError(f"the policy {said} is by {shown(by)}: write 'class', or 'position' for moves of no other")
    table = _table(board, said, entries, by == "class", written)
    if BEADS in data:
        require_beads(board, said, data, written=written)
    otherwise = None if data.get("otherwise") is None else inner(data["otherwise"])
    return FilePolicy(name, FrozenDict(table), otherwise, by == "class", board)


def require_beads(board: Board, said: str, data: Mapping[str, Any], *, written: bool) -> None:
    """Raise InputError where a machine cannot be played as it is taught: it has other chances than its beads make, or
    beads that are no whole numbers from 0.
    """
    beads, table = data.get(BEADS), _table(board, said, _entries(said, data), True, written)
    if not isinstance(beads, Mapping) or not all(isinstance(held, Mapping) for held in beads.values()):
        raise InputError(
            f"the machine {said} has no beads for positions under 'beads': write them as menace --save does"
        )
    chances = dict[str, object]()
    for text, held in beads.items():
        named = f"the beads of {shown(text)} in {said}"
        if any(isinstance(n, int) and abs(n) > _MOST_BEADS for n in held.values()):
            raise InputError(f"{named} are more than {_MOST_BEADS:,}: no box holds so many")
        numbers = {cell: whole_number(named, n) for cell, n in held.items()}
        if total := sum(numbers.values()):
            chances[text] = {cell: Fraction(n, total) for cell, n in numbers.items()}
    made = _table(board, said, chances, True, False)
    for key in {**made, **table}:
        if made.get(key) != table.get(key):
            at = Position(board, *key)
            raise InputError(
                f"the machine {said} has other moves for {at} than its beads make: save it anew, or take out 'beads' "
                "to play its moves alone"
            )


def _table(board: Board, said: str, entries: Mapping[Any, object], by_class: bool, written: bool) -> Table:
    """Return the weights of the moves, by the canonical sets of their positions or, not `by_class`, by their own."""
    table: Table = {}
    group = board.group()
    for text, given in entries.items():
        position, weights = _entry(board, said, text, given, written)
        key, alike = (position.x, position.o), [weights]
        if by_class:
            x, o, symmetry = group.to_canonical(*key)
            key, weights = (x, o), _moved(weights, symmetry)
            alike = [_moved(weights, each) for each in group.keeping(*key)] if key in table else []
        if table.setdefault(key, weights) not in (weights, *alike):
            raise InputError(f"the policy {said} has two entries for the class of {position}: keep one of them")
    return table


def _moved(weights: Weights, symmetry: tuple[Cell, ...]) -> Weights:
    return FrozenDict({symmetry[cell]: chance for cell, chance in weights.items()})


def _entries(said: str, data: object) -> Mapping[Any, object]:
    """Return the entries of a policy, wherever its data has them."""
    lacks = "has no 'moves'"
    if isinstance(data, Mapping):
        named = [key for key in _ENTRIES if key in data]
        if len(named) > 1:
            raise InputError(f"the policy {said} has both {named[0]!r} and {named[1]!r}: keep one of them")
        entries = data[named[0]] if named else {key: value for key, value in data.items() if key not in _OTHER}
        if isinstance(entries, Mapping) and (named or (entries and BEADS not in data)):
            return entries
        lacks = f"has {named[0]!r} without positions" if named else lacks
    raise InputError(f"the policy {said} {lacks}: write {{'moves': {{'.../.../...': ['b2']}}}}")


def _entry(board: Board, said: str, text: Any, given: object, written: bool) -> tuple[Position, Weights]:
    """Return a position and its weights, as one line of a policy has them."""
    try:
        position = parse_position(board, text).require_reachable()
    except InputError as error:
        raise type(error)(f"the policy {said} has an entry that is none: {error}") from None
    if position.is_terminal:
        raise InputError(f"the policy {said} has an entry for {position}, where the game is over: leave it out")
    if written:
        _require_text(said, position, given)
    return position, read_weights(given, Moment(f"the policy {said}", str(text), board, position.blanks))


def _require_text(said: str, position: Position, given: object) -> None:
    """Raise InputError for numbers in a file that might mean something else: cells by number, and floats."""
    listed = given if isinstance(given, list) else [given]
    if any(isinstance(each, int | float) and not isinstance(each, bool) for each in listed):
        name = cell_name(position.board, next(iter(position.moves())))
        raise InputError(
            f'the policy {said} gives a number for {position}: in a file, name the cells, such as "{name}"'
        )
    if isinstance(given, dict) and any(isinstance(chance, float) for chance in given.values()):
        raise InputError(
            f'the policy {said} gives a float as a chance in {position}: write it as text, "1/3" or "0.25", which '
            "is exact"
        )
