"""Sources of puzzles: all classes of a small board, or positions of random games on a larger one.

Nothing here depends on the machine, its speed or its memory: the same seed gives the same puzzles everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from sys import maxsize
from typing import get_args

from noughts.analysis.puzzles.puzzle import (
    ENOUGH_BLANKS,
    LEAST_BLANKS,
    THEMES,
    Puzzle,
    PuzzleGoal,
    Puzzles,
    puzzle_of,
)
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, offered, one_of, seed_of, text_of, whole_number
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import QUICK_CLASSES, class_bound, on_moves
from noughts.rules.marks import Cell, Mask, Outcome, cells_of, mask_of, opponent
from noughts.rules.position import Position, completing_cells
from noughts.rules.values import FrozenDict, drawn
from noughts.solving.retrograde import SmallSolution
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import OUTCOME_OF_VALUE

LISTED = 1_000
"""The most position classes, by the bound, of a board whose puzzles are all listed."""
MOST_PUZZLES = 500
"""The most puzzles of one request."""
USUAL_PUZZLES = 6
"""The default number of puzzles, if there are so many; a daily request gets one."""
MOST_CELLS = 64
"""The most cells of a board with puzzles."""
_WORK = 40_000
"""The most lines that are examined to value a random position, before another is drawn."""
_REPLIES = 4
"""The replies to a solution may open this many times the positions of the puzzle."""
_EXPLAINED = 8
"""Each position of an explanation may open this many times the positions of the puzzle."""
_MOST_BLANKS = 20
"""The most blank cells of a random position."""
_BATCH = 3
"""Random puzzles from which one is chosen, to mix the grades, if the request names no theme, grade or goal."""
_DRAWS = 400
"""The most random positions for one puzzle."""
_WIDE = 1 << 64
_NEVER = maxsize


class _Lengths:
    """A search for exact values and plies to the end, in plain Python, with growing limits on the plies.

    A player who can complete a line does so; a player with one threat against them blocks; with two they have lost.
    Under misere a player completes a line only if every other cell does too. So searches near the end are short, on
    large boards as well. The work is counted in positions and is the same on every machine. Results are cached by
    (marks of the side to move, marks of the opponent).
    """

    def __init__(self, board: Board, positions: int) -> None:
        self.board, self.left = board, positions
        self._known: dict[tuple[Mask, Mask], tuple[int, int]] = {}

    def ends(self, own: Mask, other: Mask) -> tuple[int, int]:
        """Return the value for the side to move, +1, 0 or -1, and the plies to the end. Raises BudgetError."""
        blanks = (self.board.full & ~(own | other)).bit_count()
        for plies in range(1, blanks + 1):
            if self._wins(own, other, plies):
                return 1, plies
            if self._loses(own, other, plies):
                return -1, plies
        return 0, blanks

    def end(self, position: Position) -> tuple[Outcome, int]:
        """Return the outcome of a position under best play, and the plies to the end. Raises BudgetError."""
        if position.outcome is not None:
            return position.outcome, 0
        mover, other = position.to_move, opponent(position.to_move)
        value, plies = self.ends(position.marks(mover), position.marks(other))
        return ("draw" if not value else mover if value > 0 else other), plies

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise BudgetError("the position needs more positions than may be opened")

    def _wins(self, own: Mask, other: Mask, plies: int) -> bool:
        """Return whether the side to move wins within so many plies."""
        if plies < 1:
            return False
        self._count()
        board, blank = self.board, self.board.rules.moves(self.board, own, other)
        lines = completing_cells(board, own, blank)
        if board.misere:
            return self._reaches(own, other, blank & ~lines, plies)
        if lines:
            return True
        must = completing_cells(board, other, blank)
        if plies < 3 or must & (must - 1):
            return False
        return self._reaches(own, other, must or blank, plies)

    def _reaches(self, own: Mask, other: Mask, cells: Mask, plies: int) -> bool:
        """Return whether the opponent loses in time after one of these moves; cached."""
        key = (own, other)
        least, most = self._known.get(key, (0, _NEVER))
        if plies <= least or plies >= most:
            return plies >= most
        if not self._has_hope(own, other):
            self._known[key] = (_NEVER, _NEVER)
            return False
        found = any(self._loses(other, own | 1 << cell, plies - 1) for cell in cells_of(cells))
        least, most = self._known.get(key, (0, _NEVER))
        self._known[key] = (least, min(most, plies)) if found else (max(least, plies), most)
        return found

    def _has_hope(self, own: Mask, other: Mask) -> bool:
        """Return False if the side to move surely cannot win.

        Where any blank cell is a move, by the bound of Erdos and Selfridge (1973).
        """
        lines = self.board.line_masks
        if self.board.misere:
            return any(not line & own for line in lines)
        missing = [(line & ~own).bit_count() for line in lines if not line & other]
        if not self.board.rules.any_blank:
            return bool(missing)
        longest = max(missing, default=0)
        return 2 * sum(1 << longest - each for each in missing) >= 1 << longest and bool(missing)

    def _loses(self, own: Mask, other: Mask, plies: int) -> bool:
        """Return whether the side to move loses within so many plies after every move."""
        board, blank = self.board, self.board.rules.moves(self.board, own, other)
        if not blank or plies < 1:
            return False
        self._count()
        lines = completing_cells(board, own, blank)
        if board.misere:
            safe = blank & ~lines
            return not safe or all(self._wins(other, own | 1 << cell, plies - 1) for cell in cells_of(safe))
        if plies < 2 or lines:
            return False
        must = completing_cells(board, other, blank)
        if must & (must - 1):
            return True
        return (plies > 3 or not board.rules.any_blank) and all(
            self._wins(other, own | 1 << cell, plies - 1) for cell in cells_of(must or blank)
        )


def move_ends(position: Position, positions: int) -> FrozenDict[Cell, tuple[Outcome, int]]:
    """Return the outcome under best play after each move of an unfinished position, and the plies to the end.

    Raises BudgetError if the search would open more than so many `positions`. Where marks do not name the players it
    opens all positions below.
    """
    if not position.board.rules.alternating:
        values = SmallSolution(position.board, position)
        found = {move: values.evaluate(position.play(move)) for move in position.moves()}
        return FrozenDict((int(move), (each.outcome, each.remoteness or 0)) for move, each in found.items())
    search = _Lengths(position.board, positions)
    return FrozenDict((cell, search.end(position.play(cell))) for cell in position.moves())


class LengthSolution(Solution):
    """The values of the positions below one position, searched on request.

    Each search may open so many `positions`; beyond that it raises BudgetError.
    """

    engine = "lengths"

    positions: int

    def __init__(self, start: Position, positions: int) -> None:
        super().__init__(start.board, start)
        vars(self).update(positions=positions)

    def __reduce__(self) -> tuple[type[LengthSolution], tuple[Position, int]]:
        return LengthSolution, (self.start, self.positions)

    def _evaluate_open(self, position: Position) -> Evaluation:
        return Evaluation(*_Lengths(self.board, self.positions).end(position), "every line of play was followed")


def is_listed(board: Board) -> bool:
    """Return whether all puzzles of a board are listed; else puzzles come from random games."""
    return class_bound(Position(board)) <= (LISTED if board.rules.alternating else QUICK_CLASSES)


def positions_of(board: Board) -> int:
    """Return how many positions the search may open to value a random position."""
    return _WORK // max(20, len(board.lines))


@lru_cache(maxsize=4)
def listed_puzzles(board: Board) -> tuple[Puzzle, ...]:
    """Return all puzzles of a small board, one of each class, in order of ply. Cached for a few boards."""
    solution = SmallSolution(board)
    graph, every = solution.graph, list[Puzzle]()
    for node in graph.nodes:
        after = {cell: child for child, moves in node.children for cell in cells_of(moves)}
        ends = {cell: (OUTCOME_OF_VALUE[graph.values[n]], graph.remoteness[n]) for cell, n in after.items()}
        found = puzzle_of(Position(board, node.state.x, node.state.o), ends, solution)
        if found is not None:
            children = graph.nodes[after[found.cell]].children
            every.append(_with_traps(found, {OUTCOME_OF_VALUE[graph.values[child]] for child, _ in children}))
    return tuple(every)


def _with_traps(found: Puzzle, replies: set[Outcome]) -> Puzzle:
    """Return a puzzle that knows whether its solution sets a trap, from the outcomes of the replies."""
    return replace(found, traps=found.goal == "not lose" and len(replies) > 1)


def drawn_puzzle(board: Board, draw_seed: str) -> Puzzle | None:
    """Return the puzzle of a seed, or None: most seeds do not lead to one."""
    at, most = _drawn_position(board, draw_seed), positions_of(board)
    if at is None:
        return None
    try:
        found = puzzle_of(at, dict(move_ends(at, most)), LengthSolution(at, _EXPLAINED * most))
        if found is None:
            return None
        after = at.play(found.cell)
        replies = {} if after.is_terminal else move_ends(after, _REPLIES * most)
    except BudgetError:
        return None
    return _with_traps(found, {outcome for outcome, _ in replies.values()})


def _drawn_position(board: Board, draw_seed: str) -> Position | None:
    """Return a position of a random game, in which players block threats and avoid completing lines.

    The seed fixes the number of blank cells. None if the game ends before, or cannot continue like that.
    """
    most = min(_MOST_BLANKS, board.cells)
    blanks = LEAST_BLANKS + drawn(most - LEAST_BLANKS + 1, f"{draw_seed} blanks")
    at = Position(board)
    while at.blanks.bit_count() > blanks:
        mover = at.to_move
        safe = at.playable & ~completing_cells(board, at.marks(mover), at.playable)
        if not board.misere:
            safe = safe & completing_cells(board, at.marks(opponent(mover)), at.playable) or safe
        cells = list(cells_of(safe))
        if not cells:
            return None
        at = at.play(cells[drawn(len(cells), f"{draw_seed} {at}")])
    return at


def puzzles(
    board: Board | str = "3x3",
    number: int | None = None,
    *,
    seed: int | str = 0,
    theme: str | None = None,
    grade: int | None = None,
    daily: str | date | None = None,
    goal: str | None = None,
    progress: Progress | None = None,
) -> Puzzles:
    """Return puzzles: positions in which exactly one move wins, or none does and exactly one does not lose.

    They have three or more blank cells. The easiest come first, and all differ up to the symmetries of the board. The
    same seed gives the same puzzles on every machine; a larger number adds puzzles to them.

    Small boards list all their puzzles; on larger ones the search values positions of random games. Cost: milliseconds
    for 3x3, up to a second for each puzzle on 4x4x4.

    Parameters
    ----------
    board
        The board, or its name, with at most 64 cells.
    number
        The number of puzzles; by default six, or all if there are fewer, and one of a day.
    seed
        A number or a text.
    theme
        `win at once`, `fork`, `forced win`, `block`, `only move`, `double trap` or `who can force?`; by default any.
    grade
        How hard the puzzles are, from 1; by default any grade.
    daily
        A day, such as `2026-11-22`, that replaces the seed.
    goal
        `win` or `not lose`; by default either.
    progress
        Receives the number of puzzles found and wanted.

    Raises
    ------
    InputError
        There are not enough such puzzles.
    BudgetError
        The board has more than 64 cells.

    >>> [found] = puzzles("3x3", 1, seed=4, theme="fork")
    >>> found.goal
    'win'
    """
    board = Board.parse(board)
    if number is not None:
        number = whole_number("the number of puzzles", number, 1)
    seed = seed_of(seed)
    wanted = None if theme is None else theme_named(theme)
    if grade is not None:
        grade = whole_number("the grade", grade, 1)
    if goal is not None:
        one_of("the goal", goal, get_args(PuzzleGoal))
    function_or_none("progress", progress)
    day = None if daily is None else _day(daily)
    _require_some(board, number or 1)
    request = _Wanted(board, f"daily {day}" if day else str(seed), wanted, grade, day, goal)
    chosen = request.chosen(1 if number is None and day is not None else number, progress or silent)
    found = tuple(sorted(chosen, key=lambda puzzle: puzzle.grade))
    there = len(request.listed()) if is_listed(board) else None
    return Puzzles(board, request.seed, found, wanted, grade, there, None if day is None else day.isoformat(), goal)


def puzzles_there(board: Board, goal: str | None = None, theme: str | None = None) -> int | None:
    """Return how many puzzles a board has up to symmetry, None if they are not all listed."""
    if not is_listed(board):
        return None
    none = not board.lines or board.cells < LEAST_BLANKS
    return 0 if none else len(_Wanted(board, "", theme and theme_named(theme), None, None, goal).listed())


def theme_named(given: str) -> str:
    """Return a theme by its name, in any spelling. Raises InputError."""
    name = text_of("the theme", given).strip().lower().replace("-", " ").replace("_", " ")
    for theme in THEMES:
        if name.rstrip("?") == theme.rstrip("?"):
            return theme
    raise InputError(f"unknown theme {shown(given)}: choose {offered(given, list(THEMES))}")


def _day(given: object) -> date:
    """Return a day. Raises InputError."""
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(text_of("the day", given))
    except ValueError:
        raise InputError(f"{shown(given)} is not a day: write it as 2026-11-22") from None


def _require_some(board: Board, number: int) -> None:
    """Raise an error if the board is too large, or surely has no puzzles."""
    if board.cells > MOST_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells, but puzzles need a board of at most {MOST_CELLS}: ask about "
            "a smaller board"
        )
    if not board.rules.alternating and not is_listed(board):
        raise BudgetError(f"{board} has too many positions to list its puzzles: ask about a smaller board")
    if number > MOST_PUZZLES:
        raise InputError(f"{number:,} puzzles are more than the limit of {MOST_PUZZLES}: ask for fewer")
    if not board.lines:
        raise InputError(f"{board} has no puzzles: it has no line to complete, so no move can win or lose; try 3x3")
    if board.cells < LEAST_BLANKS:
        raise InputError(f"{board} has no puzzles: a puzzle has at least {LEAST_BLANKS} blank cells; try 3x3")


@dataclass(frozen=True)
class _Wanted:
    """A request: board, seed, theme, grade, day and goal."""

    board: Board
    seed: str
    theme: str | None
    grade: int | None
    day: date | None
    goal: str | None

    def chosen(self, count: int | None, progress: Progress) -> list[Puzzle]:
        """Return so many puzzles, or without a number up to USUAL_PUZZLES. Raises InputError if there are fewer."""
        number, least = (USUAL_PUZZLES, 1) if count is None else (count, count)
        found = list(self._from_list(number) if is_listed(self.board) else self._from_draws(number, progress))
        if len(found) < least:
            raise InputError(self._too_few(len(found)))
        return [replace(each, asked=self.theme) for each in found]

    def _is_wanted(self, puzzle: Puzzle) -> bool:
        is_fit = self.grade in (None, puzzle.grade) and self.goal in (None, puzzle.goal)
        return is_fit and (self.theme is None or self.theme in puzzle.themes)

    def listed(self) -> list[Puzzle]:
        """Return all puzzles of a small board that match the request."""
        return [puzzle for puzzle in listed_puzzles(self.board) if self._is_wanted(puzzle)]

    def _from_list(self, number: int) -> Iterator[Puzzle]:
        left = self.listed()
        for i in range(min(number, len(left))):
            puzzle = self._picked(left, i)
            if self.day is not None:  # every listed puzzle appears once before any is repeated
                by_day = sorted(left, key=lambda each: drawn(_WIDE, f"daily {each.position}"))
                puzzle = by_day[self.day.toordinal() % len(left)]
            left.remove(puzzle)
            yield self._turned(puzzle)

    def _from_draws(self, number: int, progress: Progress) -> Iterator[Puzzle]:
        met: set[tuple[Mask, Mask]] = set()
        made = (
            drawn_puzzle(self.board, f"{self.seed} {self.board} {draw_seed}") for draw_seed in range(number * _DRAWS)
        )
        wanted = (puzzle for puzzle in made if puzzle is not None and self._is_wanted(puzzle))
        for i in range(number):
            progress(i, number, "puzzles")
            batch: list[Puzzle] = []
            for puzzle in wanted:
                key = self.board.group().canonical(puzzle.position.x, puzzle.position.o)
                if key not in met:
                    met.add(key)
                    batch.append(puzzle)
                if len(batch) == (_BATCH if self._is_any else 1):
                    break
            if not batch:
                return
            yield self._picked(batch, i)
        progress(number, number, "puzzles")

    def _picked(self, puzzles: Iterable[Puzzle], number: int) -> Puzzle:
        """Return one of the puzzles: first draw a grade, so that hard ones appear too, then a puzzle of it."""
        by_grade: dict[int, list[Puzzle]] = {}
        for puzzle in puzzles:
            by_grade.setdefault(puzzle.grade, []).append(puzzle)
        grades = sorted(by_grade)
        grade = grades[drawn(len(grades), f"{self.seed} {self.board} {number} grade")]
        return min(by_grade[grade], key=lambda puzzle: drawn(_WIDE, f"{self.seed} {puzzle.position}"))

    def _turned(self, puzzle: Puzzle) -> Puzzle:
        """Return a puzzle turned or mirrored at random."""
        elements, at = self.board.group().elements, puzzle.position
        turn = elements[drawn(len(elements), f"{self.seed} {self.board} {at} turn")]
        x, o = (mask_of(turn[cell] for cell in cells_of(marks)) for marks in (at.x, at.o))
        turn = on_moves(self.board, turn)
        ends = FrozenDict(sorted((Move(self.board, turn[cell]), end) for cell, end in puzzle.ends.items()))
        return replace(puzzle, position=Position(self.board, x, o), cell=Move(self.board, turn[puzzle.cell]), ends=ends)

    @property
    def _is_any(self) -> bool:
        """Whether any theme, grade and goal is wanted."""
        return self.theme is None and self.grade is None and self.goal is None

    def _too_few(self, found: int) -> str:
        what = f"puzzle{'s' * (found != 1)} on {self.board}"
        what += f" with the theme {self.theme}" if self.theme else ""
        what += f" of grade {self.grade}" if self.grade is not None else ""
        what += f" with the goal to {self.goal}" if self.goal is not None else ""
        fewer = f"ask for {found:,}{' or fewer' * (found != 1)}"
        if not is_listed(self.board):
            where = "found in random games"
            if found:
                return f"only {found:,} {what} {'was' if found == 1 else 'were'} {where}: {fewer}"
            return f"no {what} were {where}: ask for another theme or board, such as 4x4"
        if found:
            return f"there {'is' if found == 1 else 'are'} only {found:,} {what} up to symmetry: {fewer}"
        if self._is_any:
            why = "has exactly one move that wins, or exactly one that does not lose; try 3x3"
            return f"found no {what}: no position with {ENOUGH_BLANKS} {why}"
        return f"found no {what}: {self._grades() or 'ask for another theme, grade or goal'}"

    def _grades(self) -> str:
        """Return in words the grades of a small board, if the wanted grade is not one of them."""
        grades = sorted({puzzle.grade for puzzle in listed_puzzles(self.board)})
        if self.grade is None or self.grade in grades or not grades:
            return ""
        return f"the grades there go from {grades[0]} to {grades[-1]}" if grades[1:] else f"all have grade {grades[0]}"
