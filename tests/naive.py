"""The slow, obvious oracle: every game listed as a sequence of moves, every position a string. Imports nothing of ours.

A position is a string of X, O and `.`, one character for each cell in reading order. A game is a tuple of cells. Two
games are the same when the set of their canonical forms says so. Nothing here is clever; keep it so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import permutations, product
from typing import NamedTuple

Line = frozenset[int]
Permutation = tuple[int, ...]
Rule = str | Callable[[str], list[int]]


class Game(NamedTuple):
    """Cells 0..cells-1, the sets of cells that complete a line, and whether completing one loses."""

    cells: int
    lines: frozenset[Line]
    misere: bool = False


# ---- boards ---------------------------------------------------------------------------------------------------------


def places(rows: int, columns: int, layers: int = 1) -> list[tuple[int, int, int]]:
    """All cells as (layer, row, column), in reading order."""
    return [(layer, row, column) for layer in range(layers) for row in range(rows) for column in range(columns)]


def grid(rows: int, columns: int, k: int, layers: int = 1, torus: bool = False, misere: bool = False) -> Game:
    """k in a straight row, in all 26 directions from every cell."""
    where = places(rows, columns, layers)
    number = {place: i for i, place in enumerate(where)}
    lines = set()
    for layer, row, column in where:
        for up, down, right in product((-1, 0, 1), repeat=3):
            if (up, down, right) == (0, 0, 0):
                continue
            walk = [(layer + i * up, row + i * down, column + i * right) for i in range(k)]
            if torus:
                walk = [(a % layers, b % rows, c % columns) for a, b, c in walk]
            if all(place in number for place in walk) and len(set(walk)) == k:
                lines.add(frozenset(number[place] for place in walk))
    return Game(rows * columns * layers, frozenset(lines), misere)


def isometries(rows: int, columns: int, layers: int = 1, torus: bool = False) -> tuple[Permutation, ...]:
    """Turns and mirrors of the box, and on the torus the shifts, as different permutations of the cells."""
    sides = (layers, rows, columns)
    where = places(rows, columns, layers)
    number = {place: i for i, place in enumerate(where)}
    found = set()
    for axes in permutations(range(3)):
        if any(sides[axes[i]] != sides[i] for i in range(3)):
            continue
        for signs in product((1, -1), repeat=3):
            for shift in product(*(range(side) for side in sides)) if torus else [(0, 0, 0)]:
                images = []
                for place in where:
                    turned = [place[axes[i]] for i in range(3)]
                    mirrored = [
                        at if sign == 1 else side - 1 - at for at, sign, side in zip(turned, signs, sides, strict=True)
                    ]
                    layer, row, column = ((at + by) % side for at, by, side in zip(mirrored, shift, sides, strict=True))
                    images.append(number[layer, row, column])
                found.add(tuple(images))
    return tuple(sorted(found))


@cache
def automorphisms(game: Game) -> tuple[Permutation, ...]:
    """All permutations of the cells that map lines to lines, tried one by one: up to 9 cells."""
    lines = sorted(game.lines, key=sorted)
    return tuple(
        p
        for p in permutations(range(game.cells))
        if all(frozenset(p[cell] for cell in line) in game.lines for line in lines)
    )


# ---- positions ------------------------------------------------------------------------------------------------------


def has_line(game: Game, position: str, player: str) -> bool:
    return any(all(position[cell] == player for cell in line) for line in game.lines)


def mover(position: str) -> str:
    return "X" if position.count("X") == position.count("O") else "O"


def other(player: str) -> str:
    return "O" if player == "X" else "X"


def blanks(position: str) -> list[int]:
    return [cell for cell, mark in enumerate(position) if mark == "."]


def put(position: str, cell: int, mark: str) -> str:
    assert position[cell] == "."
    return position[:cell] + mark + position[cell + 1 :]


def play(position: str, cell: int) -> str:
    return put(position, cell, mover(position))


@cache
def line_outcome(game: Game, position: str) -> str | None:
    """X, O or draw where a line is completed or the board is full."""
    for player in "XO":
        if has_line(game, position, player):
            return other(player) if game.misere else player
    return None if "." in position else "draw"


def image(position: str, p: Permutation) -> str:
    moved = ["."] * len(position)
    for cell, mark in enumerate(position):
        moved[p[cell]] = mark
    return "".join(moved)


@cache
def position_class(position: str, group: tuple[Permutation, ...]) -> str:
    return min(image(position, p) for p in group)


@cache
def reachable(game: Game) -> frozenset[str]:
    """Every position that play from the empty board meets, the game ending at a line."""
    found = set()
    waiting = ["." * game.cells]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found.add(position)
            if line_outcome(game, position) is None:
                waiting += [play(position, cell) for cell in blanks(position)]
    return frozenset(found)


# ---- rules ----------------------------------------------------------------------------------------------------------


@cache
def value(game: Game, position: str) -> int:
    """+1 where X wins under best play of both, -1 where O does."""
    outcome = line_outcome(game, position)
    if outcome:
        return {"X": 1, "O": -1, "draw": 0}[outcome]
    values = [value(game, play(position, cell)) for cell in blanks(position)]
    return max(values) if mover(position) == "X" else min(values)


@cache
def remoteness(game: Game, position: str) -> int:
    """Plies to the end: the winner hurries, the loser delays, a draw fills the board."""
    if line_outcome(game, position):
        return 0
    worth = value(game, position)
    ends = [
        remoteness(game, after)
        for after in (play(position, cell) for cell in blanks(position))
        if value(game, after) == worth
    ]
    winning = worth == (1 if mover(position) == "X" else -1)
    return 1 + (min(ends) if winning else max(ends))


def winning_cells(game: Game, position: str, player: str) -> list[int]:
    return [cell for cell in blanks(position) if has_line(game, put(position, cell, player), player)]


@cache
def moves(game: Game, position: str, rule: Rule) -> list[int]:
    """The cells that the rule, by its name or a function, allows the side to move, nobody having a line."""
    me = mover(position)
    everything = blanks(position)
    if callable(rule):
        return rule(position)
    if rule == "any":
        return everything
    if rule == "perfect":
        values = {cell: value(game, play(position, cell)) for cell in everything}
        best = max(values.values()) if me == "X" else min(values.values())
        return [cell for cell in everything if values[cell] == best]
    if rule == "quickest":
        kept = moves(game, position, "perfect")
        worth = value(game, position)
        if worth == 0:
            return kept
        lengths = {cell: remoteness(game, play(position, cell)) for cell in kept}
        best = min(lengths.values()) if worth == (1 if me == "X" else -1) else max(lengths.values())
        return [cell for cell in kept if lengths[cell] == best]
    wins = winning_cells(game, position, me)
    if wins or rule == "win":
        return wins or everything
    blocks = winning_cells(game, position, other(me))
    if rule == "concede":
        return (blocks or everything) if len(blocks) < 2 else []
    if blocks or rule == "block":
        return blocks or everything
    forks = [cell for cell in everything if len(winning_cells(game, put(position, cell, me), me)) >= 2]
    return forks or everything


def ended(game: Game, position: str, x_moves: Rule, o_moves: Rule) -> str | None:
    """The outcome of a finished game: by a line, a full board, or a player who has no line to complete and concedes."""
    rule = x_moves if mover(position) == "X" else o_moves
    outcome = line_outcome(game, position)
    if outcome is None and rule == "concede" and not moves(game, position, rule):
        return other(mover(position))
    return outcome


@cache
def sole_outcome(game: Game, position: str, x_moves: Rule, o_moves: Rule) -> str | None:
    """The outcome of all continuations that the rules allow, if they have but one."""
    outcome = ended(game, position, x_moves, o_moves)
    if outcome:
        return outcome
    rule = x_moves if mover(position) == "X" else o_moves
    outcomes = {sole_outcome(game, play(position, cell), x_moves, o_moves) for cell in moves(game, position, rule)}
    return outcomes.pop() if len(outcomes) == 1 else None


# ---- games ----------------------------------------------------------------------------------------------------------


class Path(NamedTuple):
    """One partial game: the cells played, the positions met, the outcomes of its first line and of all, who began."""

    cells: tuple[int, ...]
    positions: tuple[str, ...]
    first_line: str | None
    outcome: str | None
    starts: str = "X"


def _outcome(game: Game, x_moves: Rule, o_moves: Rule, end: str, position: str, first_line: str | None) -> str | None:
    if end == "decided":
        return sole_outcome(game, position, x_moves, o_moves)
    if end == "line":
        return ended(game, position, x_moves, o_moves)
    return None if "." in position else first_line or "draw"


def _extended(game: Game, x_moves: Rule, o_moves: Rule, end: str, path: Path) -> list[Path]:
    position = path.positions[-1]
    rule = "any" if path.first_line else x_moves if mover(position) == "X" else o_moves
    found = []
    for cell in moves(game, position, rule):
        after = play(position, cell)
        first = path.first_line
        if first is None and (has_line(game, after, "X") or has_line(game, after, "O")):
            first = line_outcome(game, after)
        outcome = _outcome(game, x_moves, o_moves, end, after, first)
        found.append(Path((*path.cells, cell), (*path.positions, after), first, outcome))
    return found


@lru_cache(maxsize=8)  # as many as are compared one after the other: all games of every board fill the memory
def layers(
    game: Game, x_moves: Rule, o_moves: Rule, end: str, start: str | None = None, to_ply: int | None = None
) -> list[list[Path]]:
    """All partial games from the start, by length."""
    first = start or "." * game.cells
    lined = has_line(game, first, "X") or has_line(game, first, "O")
    first_line = line_outcome(game, first) if lined else None
    layer = [Path((), (first,), first_line, _outcome(game, x_moves, o_moves, end, first, first_line))]
    found = []
    ply = game.cells - first.count(".")
    while layer:
        found.append(layer)
        if to_ply is not None and ply == to_ply:
            break
        layer = [new for path in layer if not path.outcome for new in _extended(game, x_moves, o_moves, end, path)]
        ply += 1
    return found


def same_key(path: Path, same: str, group: tuple[Permutation, ...]) -> tuple[object, ...]:
    """What two partial games have in common when they are the same; `group` must keep the start for symmetry."""
    if same == "labelled":
        return path.cells
    if same == "symmetry":
        return min(tuple(p[move % len(p)] + move // len(p) * len(p) for move in path.cells) for p in group)
    return tuple(position_class(position, group) for position in path.positions)


def census(
    game: Game,
    same: str,
    x_moves: Rule,
    o_moves: Rule,
    end: str,
    group: tuple[Permutation, ...],
    start: str | None = None,
    to_ply: int | None = None,
) -> list[dict[str, int | None]]:
    """One row for each ply: the columns of the table by ply, each the size of a set."""
    first = start or "." * game.cells
    return table(
        layers(game, x_moves, o_moves, end, start, to_ply),
        same,
        group,
        tuple(p for p in group if image(first, p) == first) if same == "symmetry" else group,
        game.cells - first.count("."),
        split=end != "full",
    )


def table(
    found: list[list[Path]],
    same: str,
    group: tuple[Permutation, ...],
    keeping: tuple[Permutation, ...],
    ply: int = 0,
    split: bool = True,
) -> list[dict[str, int | None]]:
    """The rows of a census, from all partial games by length; `keeping` is what of the group keeps the start."""
    rows = []
    for depth, layer in enumerate(found):
        paths: dict[object, str | None] = {}
        positions: dict[str, set[str]] = {}
        for path in layer:
            key = path.starts, same_key(path, same, keeping)
            assert paths.setdefault(key, path.outcome) == path.outcome
            last = path.positions[-1]
            seen = positions.setdefault(last if same == "labelled" else position_class(last, group), set())
            if path.outcome:
                seen.add(path.outcome)
        rows.append(_row(ply + depth, paths, positions, split))
    return rows


def _row(
    ply: int, paths: dict[object, str | None], positions: dict[str, set[str]], split: bool
) -> dict[str, int | None]:
    ends = list(paths.values())
    terminal = [outcomes for outcomes in positions.values() if outcomes]
    return {
        "ply": ply,
        "positions": len(positions),
        "terminal": len(terminal),
        "terminal_x": sum("X" in outcomes for outcomes in terminal) if split else None,
        "terminal_o": sum("O" in outcomes for outcomes in terminal) if split else None,
        "terminal_draw": sum("draw" in outcomes for outcomes in terminal) if split else None,
        "paths": len(paths),
        "finished": sum(1 for outcome in ends if outcome),
        "x_wins": ends.count("X"),
        "o_wins": ends.count("O"),
        "draws": ends.count("draw"),
    }


# ---- games that are no marking games ---------------------------------------------------------------------------------


class Rules(NamedTuple):
    """A game by plain functions of a position, a string of cells; every move puts one mark on a cell."""

    cells: int
    mover: Callable[[str], str]
    moves: Callable[[str], list[int]]
    play: Callable[[str, int], str]
    outcome: Callable[[str], str | None]


def notakto(board: Game, boards: int = 1) -> Rules:
    """Both put an X on any blank cell of a board without a line; who completes the last line loses."""

    def turn(position: str) -> str:
        return "XO"[position.count("X") % 2]

    def alive(position: str) -> list[int]:
        parts = [position[at : at + board.cells] for at in range(0, len(position), board.cells)]
        return [number for number, part in enumerate(parts) if not has_line(board, part, "X")]

    def moves(position: str) -> list[int]:
        return [cell for cell in blanks(position) if cell // board.cells in alive(position)]

    def outcome(position: str) -> str | None:
        if not alive(position):
            return turn(position)  # the other has just completed the last one
        return None if moves(position) else "draw"

    return Rules(board.cells * boards, turn, moves, lambda position, cell: put(position, cell, "X"), outcome)


def wild(cells: int, lined: Callable[[str, str], bool], misere: bool = False, order: str | None = None) -> Rules:
    """Moves 0 to cells - 1 put an X, the next ones an O; `order` wants a line of either mark and the other none.

    `lined` tells whether a position has a line of a mark. X is the player who begins.
    """

    def turn(position: str) -> str:
        return "XO"[(cells - position.count(".")) % 2]

    def play(position: str, move: int) -> str:
        return put(position, move % cells, "XO"[move // cells])

    def moves(position: str) -> list[int]:
        return [cell + cells * mark for mark in range(2) for cell in blanks(position)]

    def outcome(position: str) -> str | None:
        if lined(position, "X") or lined(position, "O"):
            return order or (turn(position) if misere else other(turn(position)))
        return None if "." in position else other(order) if order else "draw"

    return Rules(cells, turn, moves, play, outcome)


def exact(rows: int, columns: int, k: int) -> Callable[[str, str], bool]:
    """Whether a mark has a run of just k cells, no more, across, down or along a diagonal."""

    def lined(position: str, mark: str) -> bool:
        own = {divmod(cell, columns) for cell in range(rows * columns) if position[cell] == mark}
        for row, column in own:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if (row - down, column - right) not in own:
                    run = next(n for n in range(1, 99) if (row + n * down, column + n * right) not in own)
                    if run == k:
                        return True
        return False

    return lined


def marked_exactly(rows: int, columns: int, k: int, misere: bool = False) -> Rules:
    """X and O in turn on any blank cell; the first run of just k cells wins, or loses under misere."""
    lined = exact(rows, columns, k)

    def outcome(position: str) -> str | None:
        for player in "XO":
            if lined(position, player):
                return other(player) if misere else player
        return None if "." in position else "draw"

    return Rules(rows * columns, mover, blanks, lambda position, cell: put(position, cell, mover(position)), outcome)


def gravity(rows: int, columns: int, k: int) -> Rules:
    """A mark falls to the lowest blank cell of its column; k in a row win."""
    board = grid(rows, columns, k)

    def lowest(position: str) -> list[int]:
        found = []
        for column in range(columns):
            free = [cell for cell in range(column, rows * columns, columns) if position[cell] == "."]
            found += free[-1:]
        return sorted(found)

    return Rules(board.cells, mover, lowest, play, lambda position: line_outcome(board, position))


def copies(group: tuple[Permutation, ...], boards: int) -> tuple[Permutation, ...]:
    """All symmetries of several boards side by side: one of each board's own, and any order of the boards."""
    size = len(group[0])
    return tuple(
        tuple(order[at] * size + own[at][cell] for at in range(boards) for cell in range(size))
        for order in permutations(range(boards))
        for own in product(group, repeat=boards)
    )


def mirror(rows: int, columns: int) -> tuple[Permutation, ...]:
    """Nothing moved, and left and right exchanged: what gravity leaves of the symmetries of a rectangle."""
    turned = tuple(row * columns + columns - 1 - column for row in range(rows) for column in range(columns))
    return (tuple(range(rows * columns)), turned)


@cache
def ends(rules: Rules, position: str) -> tuple[int, int, frozenset[str]]:
    """Value for X, plies to the end, and all outcomes, under free play."""
    outcome = rules.outcome(position)
    if outcome:
        return {"X": 1, "O": -1, "draw": 0}[outcome], 0, frozenset((outcome,))
    after = [ends(rules, rules.play(position, cell)) for cell in rules.moves(position)]
    sign = 1 if rules.mover(position) == "X" else -1
    best = sign * max(sign * worth for worth, _, _ in after)
    plies = [length for worth, length, _ in after if worth == best]
    return best, 1 + (min(plies) if best == sign else max(plies)), frozenset().union(*(some for _, _, some in after))


@lru_cache(maxsize=8)
def listed(rules: Rules, x_moves: str = "any", o_moves: str = "any", end: str = "line") -> list[list[Path]]:
    """All partial games by length; moves are any or perfect."""

    def chosen(position: str) -> list[int]:
        cells = rules.moves(position)
        if (x_moves if rules.mover(position) == "X" else o_moves) == "any":
            return cells
        worth = ends(rules, position)[0]
        return [cell for cell in cells if ends(rules, rules.play(position, cell))[0] == worth]

    @cache
    def outcomes(position: str) -> frozenset[str]:
        outcome = rules.outcome(position)
        if outcome:
            return frozenset((outcome,))
        return frozenset().union(*(outcomes(rules.play(position, cell)) for cell in chosen(position)))

    def over(position: str) -> str | None:
        if end == "line":
            return rules.outcome(position)
        return min(outcomes(position)) if len(outcomes(position)) == 1 else None

    start = "." * rules.cells
    layer = [Path((), (start,), None, over(start))]
    found = []
    while layer:
        found.append(layer)
        layer = [
            Path((*path.cells, cell), (*path.positions, after), None, over(after))
            for path in layer
            if not path.outcome
            for cell in chosen(path.positions[-1])
            for after in [rules.play(path.positions[-1], cell)]
        ]
    return found
