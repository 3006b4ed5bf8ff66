"""A policy that is a table: for each position class the chances of the moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from noughts.analysis.policies.policy import Moment, Policy, Weights, evenly, read_weights
from noughts.machine.reading import FILE_VERSION, parse_json, read_text, require_version
from noughts.rules.arguments import whole_number
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell, Mask, Player, mask_of
from noughts.rules.position import Position, parse_position
from noughts.rules.symmetry import inverse
from noughts.rules.values import FrozenDict
from noughts.solving.solution import Solution


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

    @property
    def is_symmetric(self) -> bool:
        """Whether the table is by class, and so is what is played otherwise.

        Where a symmetry keeps a class and moves the cell of its entry, its images get one of the cells that the
        symmetry exchanges: they lead to the same class.
        """
        return self.by_class and (self.otherwise is None or self.otherwise.is_symmetric)

    @property
    def needs_values(self) -> bool:
        """Whether what is not listed needs the values of positions."""
        return self.otherwise is not None and self.otherwise.needs_values

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells of the class, carried over to this position. Raises InputError where nothing is said."""
        listed = self.listed(position)
        if listed is None:
            return self._otherwise(position).moves(position, solution)
        return mask_of(listed)

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chances of the class, carried over to this position. Raises InputError where nothing is said."""
        listed = self.listed(position)
        if listed is None:
            return self._otherwise(position).probabilities(position, solution)
        return {cell: listed[cell] for cell in sorted(listed)}

    def listed(self, position: Position) -> Weights | None:
        """Return what the table says of a position, or that its one blank cell is left; None where it says nothing."""
        found = self._of_class(position) if self.by_class else self.table.get((position.x, position.o))
        return evenly(position.blanks) if found is None and position.blanks.bit_count() == 1 else found

    def _of_class(self, position: Position) -> Weights | None:
        x, o, symmetry = position.board.group().to_canonical(position.x, position.o)
        found = self.table.get((x, o))
        if found is None:
            return None
        back = inverse(symmetry)
        return FrozenDict({back[cell]: chance for cell, chance in found.items()})

    def _otherwise(self, position: Position) -> Policy:
        if self.otherwise is not None:
            return self.otherwise
        board = position.board
        canonical = Position(board, *board.group().canonical(position.x, position.o))
        what = f"its class {canonical}" if self.by_class else "it"
        raise InputError(f"the policy {self.name} has no moves for {position}: add {what}, or a rule under 'otherwise'")

    def as_dict(self, board: Board) -> dict[str, object]:
        """Return the policy as its file has it: a list of cells as likely as each other, or cells with fractions."""
        entries = {str(Position(board, x, o)): _entry(board, weights) for (x, o), weights in sorted(self.table.items())}
        found: dict[str, object] = {"version": FILE_VERSION, "board": board.spec}
        if not self.by_class:
            found["by"] = "position"
        if self.otherwise is not None:
            inner = self.otherwise
            found["otherwise"] = inner.as_dict(board) if isinstance(inner, FilePolicy) else inner.name
        return {**found, "moves": entries}


def _entry(board: Board, weights: Weights) -> object:
    named = {cell_name(board, cell): str(weights[cell]) for cell in sorted(weights)}
    return list(named) if len(set(named.values())) == 1 else named


# Reading a policy that is a table: a file, or what it holds.
#
# `{"board": ..., "otherwise": ..., "moves": {position: cells}}`, where `moves` may as well be called `bot` or
# `table`, as other verbs write it, or stand alone: `{position: cells}`. A position stands for its class. Its cells
# are one cell, a list of them, or `{cell: chance}`.

Table = dict[tuple[Mask, Mask], Weights]

ENTRIES = ("moves", "bot", "table")
BEADS = "beads"
"""Where a machine has the beads that its moves are made of."""
_MOST_BEADS = 10**15
_OTHER = ("version", "board", "otherwise", "by")
_BY = ("class", "position")


def read_json(path: Path, what: str = "policy") -> object:
    """Return what a policy file holds, or a machine's. Raises InputError where it cannot be read, or is no JSON."""
    said = f"the {what} {shown(str(path), 200)}"
    try:
        found = parse_json(read_text(path), said, lambda pairs: _once(said, pairs))
    except OSError as error:
        raise InputError(f"cannot read {said}: {error.strerror}; check the name") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{said} is no text: {error}; write it as the reference shows") from None
    require_version(said, found)
    return found


def _once(said: str, pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON. Raises InputError where a key stands twice with different values: one would be lost."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise InputError(f"{said} has two entries for {shown(key)}: keep one of them")
        found[key] = value
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
    if "board" in data:
        _require_board(board, said, data["board"])
    by = data.get("by", "class")
    if by not in _BY:
        raise InputError(f"the policy {said} is by {shown(by)}: write 'class', or 'position' for moves of no other")
    table = _table(board, said, entries, by == "class", written)
    if BEADS in data:
        _require_beads(board, said, data[BEADS], table)
    otherwise = None if data.get("otherwise") is None else inner(data["otherwise"])
    return FilePolicy(name, FrozenDict(table), otherwise, by == "class", board)


def require_beads(board: Board, said: str, data: Mapping[str, Any], *, written: bool) -> None:
    """Raise InputError where a machine cannot be played as it is taught: its moves are not those of its beads."""
    _require_beads(board, said, data.get(BEADS), _table(board, said, _entries(said, data), True, written))


def _require_beads(board: Board, said: str, beads: object, table: Table) -> None:
    """Raise InputError where a table has other chances than beads make, or beads are no whole numbers from 0."""
    if not isinstance(beads, Mapping) or not all(isinstance(held, Mapping) for held in beads.values()):
        raise InputError(
            f"the machine {said} has no beads for positions under 'beads': write them as menace --save does"
        )
    chances = dict[str, object]()
    for text, held in beads.items():
        if any(isinstance(n, int) and abs(n) > _MOST_BEADS for n in held.values()):
            raise InputError(
                f"the beads of {shown(text)} in {said} are more than {_MOST_BEADS:,}: no box holds so many"
            )
        numbers = {cell: whole_number(f"the beads of {shown(text)} in {said}", n) for cell, n in held.items()}
        if total := sum(numbers.values()):
            chances[text] = {cell: Fraction(n, total) for cell, n in numbers.items()}
    made = _table(board, said, chances, True, False)
    for key in {**made, **table}:
        if made.get(key) != table.get(key):
            _tell_apart(said, Position(board, *key), made.get(key, {}), table.get(key, {}))


def _tell_apart(said: str, at: Position, made: Mapping[int, Fraction], given: Mapping[int, Fraction]) -> None:
    """Raise InputError for a position at which the moves of a machine are not those of its beads."""
    remedy = "save it anew, or take out 'beads' to play its moves alone"
    if not made or not given:
        has, lacks = ("beads", "no moves") if made else ("moves", "no beads")
        raise InputError(f"the machine {said} has {has} for {at}, and {lacks}: {remedy}")
    cell = min(each for each in {**made, **given} if made.get(each) != given.get(each))
    raise InputError(
        f"the machine {said} has other moves for {at} than its beads make: {cell_name(at.board, cell)} with the chance "
        f"{given.get(cell, 0)} where it is {made.get(cell, 0)}; {remedy}"
    )


def _table(board: Board, said: str, entries: Mapping[Any, object], by_class: bool, written: bool) -> Table:
    """Return the weights of the moves, by the canonical sets of their positions or, not `by_class`, by their own."""
    table: Table = {}
    for text, given in entries.items():
        position, weights = _entry_policyfile(board, said, text, given, written)
        key, weights = _carried(position, weights) if by_class else ((position.x, position.o), weights)
        known = table.setdefault(key, weights)
        if known != weights and (not by_class or not _alike(board, key, known, weights)):
            raise InputError(f"the policy {said} has two entries for the class of {position}: keep one of them")
    return table


def _entries(said: str, data: object) -> Mapping[Any, object]:
    """Return the entries of a policy, wherever its data has them."""
    lacks = "has no 'moves'"
    if isinstance(data, Mapping):
        named = [key for key in ENTRIES if key in data]
        if len(named) > 1:
            raise InputError(f"the policy {said} has both {named[0]!r} and {named[1]!r}: keep one of them")
        entries = data[named[0]] if named else {key: value for key, value in data.items() if key not in _OTHER}
        if isinstance(entries, Mapping) and (named or (entries and BEADS not in data)):
            return entries
        if named:
            lacks = f"has {named[0]!r} without positions"
    raise InputError(f"the policy {said} {lacks}: write {{'moves': {{'.../.../...': ['b2']}}}}")


def _require_board(board: Board, said: str, given: Any) -> None:
    try:
        is_meant = board.is_called(given)
    except InputError as error:
        raise InputError(f"the policy {said} is for no board: {error}") from None
    if not is_meant:
        raise InputError(f"the policy {said} is for {given}, not for {board}: ask about that board")


def _entry_policyfile(board: Board, said: str, text: Any, given: object, written: bool) -> tuple[Position, Weights]:
    """Return a position and its weights, as one line of a policy has them."""
    try:
        position = parse_position(board, text).require_reachable()
    except InputError as error:
        raise type(error)(f"the policy {said} has an entry that is none: {error}") from None
    if position.is_terminal:
        raise InputError(f"the policy {said} has an entry for {position}, where the game is over: leave it out")
    if written:
        _require_text(said, position, given)
    at = Moment(f"the policy {said}", str(text), board, position.blanks)
    return position, read_weights(given, at)


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


def _carried(position: Position, weights: Weights) -> tuple[tuple[Mask, Mask], Weights]:
    """Return the canonical sets of a position, and its weights taken there."""
    x, o, symmetry = position.board.group().to_canonical(position.x, position.o)
    return (x, o), FrozenDict({symmetry[cell]: chance for cell, chance in weights.items()})


def _alike(board: Board, key: tuple[Mask, Mask], one: Weights, other: Weights) -> bool:
    """Return whether a symmetry that keeps a class takes the weights of one entry to those of the other."""
    turned: list[dict[int, Fraction]] = [
        {symmetry[cell]: chance for cell, chance in one.items()} for symmetry in board.group().keeping(*key)
    ]
    return dict(other) in turned


# Where a table that is played from has nothing to say though its player can come there.


def lacking(table: FilePolicy, board: Board, player: Player) -> Position | None:
    """Return a position for which neither the table nor what is played otherwise has moves, and to which its player can
    come from the empty board by playing from it; of several one that comes soonest, None where there is none.

    Cost: a visit to each position that the player comes to; to each class where the table is by class.
    """
    if not _ends(table):
        return None
    group = board.group()
    layer = [Position(board)]
    while layer:
        found: dict[tuple[Mask, Mask], Position] = {}
        for at in layer:
            cells = _listed(table, at) if at.to_move == player else at.moves()
            if cells is None:
                return at
            for child in map(at.play, cells):
                if not child.is_terminal:
                    key = group.canonical(child.x, child.o) if table.is_symmetric else (child.x, child.o)
                    found[key] = Position(board, *key)
        layer = list(found.values())
    return None


def _ends(table: FilePolicy) -> bool:
    """Return whether a table, with those that it names, is all that is played from."""
    rest: Policy | None = table
    while isinstance(rest, FilePolicy):
        rest = rest.otherwise
    return rest is None


def _listed(table: FilePolicy, at: Position) -> Weights | None:
    rest: Policy | None = table
    while isinstance(rest, FilePolicy):
        found = rest.listed(at)
        if found is not None:
            return found
        rest = rest.otherwise
    return None
