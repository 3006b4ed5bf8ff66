"""Where puzzles come from: all classes of a small board, or positions of games drawn by lot on a larger one.

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
from noughts.rules.arguments import function_or_none, offered, one_of, text_of, whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import class_bound
from noughts.rules.marks import Cell, Mask, Outcome, cells_of, mask_of, opponent
from noughts.rules.position import Position, completing_cells
from noughts.rules.values import FrozenDict, drawn
from noughts.solving.retrograde import SmallSolution
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import OUTCOME_OF_VALUE

LISTED = 1_000
"""Position classes, by the bound, up to which all puzzles of a board are listed."""
MOST_PUZZLES = 500
"""Puzzles that are asked for at once, at most."""
USUAL_PUZZLES = 6
"""Puzzles that are given where no number is, if there are so many; of a day one."""
MOST_CELLS = 64
"""Cells of the largest board on which puzzles are looked for."""
_WORK = 40_000
"""Lines that may be looked at to value a position that was drawn; where more are needed another is drawn."""
_REPLIES = 4
"""So many times the positions that are opened for a puzzle may be opened for the replies to its solution."""
_EXPLAINED = 8
"""So many times the positions that are opened to find a puzzle may be opened for each position that explains it."""
_MOST_BLANKS = 20
"""Blank cells of a position that is drawn, at most."""
_BATCH = 3
"""Puzzles of which one is chosen, for a mixture of grades, where any theme and grade is wanted and not all listed."""
_DRAWS = 400
"""Positions that are drawn for one puzzle, at most."""
_WIDE = 1 << 64
_NEVER = maxsize


class _Lengths:
    """One search for exact values with plies to the end, in plain Python: by the plies within which a side wins.

    Forced moves are followed and not weighed: who can complete a line does, who is threatened once blocks, who is
    threatened twice has lost. Under misere neither completes a line while another cell is left. So ends of games are
    short, on large boards as well; the work is counted in positions, and is the same on every machine. What is known is
    kept by (marks of the side to move, marks of the other).
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
        """Return who wins a position under best play, and the plies to the end. Raises BudgetError."""
        if position.outcome is not None:
            return position.outcome, 0
        mover, other = position.to_move, opponent(position.to_move)
        value, plies = self.ends(position.marks(mover), position.marks(other))
        return ("draw" if not value else mover if value > 0 else other), plies

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise BudgetError("the position is not valued within the positions that may be opened")

    def _wins(self, own: Mask, other: Mask, plies: int) -> bool:
        """Tell whether the side to move wins within so many plies."""
        if plies < 1:
            return False
        self._count()
        board, blank = self.board, self.board.full & ~(own | other)
        lines = completing_cells(board, own, blank)
        if board.misere:
            return self._kept(own, other, blank & ~lines, plies)
        if lines:
            return True
        must = completing_cells(board, other, blank)
        if plies < 3 or must & (must - 1):
            return False
        return self._kept(own, other, must or blank, plies)

    def _kept(self, own: Mask, other: Mask, cells: Mask, plies: int) -> bool:
        """Tell whether after one of these moves the other loses in time; kept for each position."""
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
        """Tell whether the side to move may win: False where it surely cannot. (Erdos and Selfridge, 1973.)"""
        lines = self.board.line_masks
        if self.board.misere:
            return any(not line & own for line in lines)
        missing = [(line & ~own).bit_count() for line in lines if not line & other]
        longest = max(missing, default=0)
        return 2 * sum(1 << longest - each for each in missing) >= 1 << longest and bool(missing)

    def _loses(self, own: Mask, other: Mask, plies: int) -> bool:
        """Tell whether the side to move loses within so many plies, whatever it plays."""
        board, blank = self.board, self.board.full & ~(own | other)
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
        return plies > 3 and all(self._wins(other, own | 1 << cell, plies - 1) for cell in cells_of(must or blank))


def move_ends(position: Position, positions: int) -> FrozenDict[Cell, tuple[Outcome, int]]:
    """Return for each move of an unfinished position who wins after it under best play, and the plies to the end then.

    Raises BudgetError where more than so many positions would have to be opened.
    """
    search = _Lengths(position.board, positions)
    return FrozenDict((cell, search.end(position.play(cell))) for cell in position.moves())


class LengthSolution(Solution):
    """The values of the positions below one position, each searched for when it is asked about.

    `positions` may be opened for each; beyond that BudgetError is raised.
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
    """Tell whether all puzzles of a board are listed, and not some of them drawn."""
    return class_bound(Position(board)) <= LISTED


def positions_of(board: Board) -> int:
    """Return how many positions may be opened to value a position that was drawn."""
    return _WORK // max(20, len(board.lines))


@lru_cache(maxsize=4)
def listed_puzzles(board: Board) -> tuple[Puzzle, ...]:
    """Return all puzzles of a small board, one of each class, in order of ply. Kept for a few boards."""
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
    """Return a puzzle with whether its solution sets a trap, by what the replies to it come to."""
    return replace(found, traps=found.goal == "not lose" and len(replies) > 1)


def drawn_puzzle(board: Board, lot: str) -> Puzzle | None:
    """Return the puzzle that a lot leads to, None where it leads to none: most do not."""
    at, most = _drawn_position(board, lot), positions_of(board)
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


def _drawn_position(board: Board, lot: str) -> Position | None:
    """Return a position of a game by lot, in which no player completes a line that need not, and threats are blocked.

    None where the game is over, or cannot go on like that, before as many cells are blank as the lot has it.
    """
    most = min(_MOST_BLANKS, board.cells)
    blanks = LEAST_BLANKS + drawn(most - LEAST_BLANKS + 1, f"{lot} blanks")
    at = Position(board)
    while at.blanks.bit_count() > blanks:
        mover = at.to_move
        safe = at.blanks & ~completing_cells(board, at.marks(mover), at.blanks)
        if not board.misere:
            safe = safe & completing_cells(board, at.marks(opponent(mover)), at.blanks) or safe
        cells = list(cells_of(safe))
        if not cells:
            return None
        at = at.play(cells[drawn(len(cells), f"{lot} {at}")])
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

    They have three or more blank cells: of two moves one is hit by a guess. Without a number they are six, or as many
    as there are, and of a day one.

    The easiest come first, and no two are the same up to the symmetries of the board. The same seed, a number or a
    text, gives the same puzzles on every machine, and where more are asked for the same ones among them. `theme` is one
    of `win at once`, `fork`, `forced win`, `block`, `only move`, `double trap`, `who can force?`; `grade` a number from
    1; `goal` is `win` or `not lose`, either unless given. `daily` is a day, written year-month-day: its puzzle takes
    the place of the seed.

    Boards of few positions are gone through; on larger ones positions of games by lot are valued, where that is cheap.
    Cost: milliseconds for 3x3, up to a second for each puzzle on 4x4x4. Raises InputError where there are no such
    puzzles, or too few, and BudgetError for boards of more than 64 cells.

    >>> [found] = puzzles("3x3", 1, seed=4, theme="fork")
    >>> found.goal
    'win'
    """
    board = Board.parse(board)
    if number is not None:
        whole_number("the number of puzzles", number, 1)
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise wrong_type("the seed", seed, "a number, or a text")
    wanted = None if theme is None else theme_named(theme)
    if grade is not None:
        whole_number("the grade", grade, 1)
    if goal is not None:
        one_of("the goal", goal, get_args(PuzzleGoal))
    function_or_none("progress", progress)
    day = None if daily is None else _day(daily)
    _require_some(board, number or 1)
    asked = _Wanted(board, f"daily {day}" if day else str(seed), wanted, grade, day, goal)
    chosen = asked.chosen(1 if number is None and day is not None else number, progress or silent)
    found = tuple(sorted(chosen, key=lambda puzzle: puzzle.grade))
    there = len(asked.listed()) if is_listed(board) else None
    return Puzzles(board, asked.seed, found, wanted, grade, there, None if day is None else day.isoformat(), goal)


def puzzles_there(board: Board, goal: str | None = None) -> int | None:
    """Return how many puzzles a board has up to symmetry, None where they are not all listed."""
    if not is_listed(board):
        return None
    none = not board.lines or board.cells < LEAST_BLANKS
    return 0 if none else len(_Wanted(board, "", None, None, None, goal).listed())


def theme_named(given: str) -> str:
    """Return a theme by its name, in any spelling. Raises InputError."""
    name = text_of("the theme", given).strip().lower().replace("-", " ").replace("_", " ")
    for theme in THEMES:
        if name.rstrip("?") == theme.rstrip("?"):
            return theme
    raise InputError(f"there is no theme {shown(given)}: choose {offered(given, list(THEMES))}")


def _day(given: object) -> date:
    """Return a day. Raises InputError."""
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(text_of("the day", given))
    except ValueError:
        raise InputError(f"{shown(str(given))} is no day: write it as 2026-11-22") from None


def _require_some(board: Board, number: int) -> None:
    """Raise where puzzles cannot be looked for, or there surely are none."""
    if board.cells > MOST_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells, and puzzles are looked for on boards of up to {MOST_CELLS}: ask about "
            "a smaller board"
        )
    if number > MOST_PUZZLES:
        raise InputError(f"{number:,} puzzles are more than the {MOST_PUZZLES} that are made at once: ask for fewer")
    if not board.lines:
        raise InputError(f"{board} has no puzzles: it has no line to complete, so no move can win or lose; try 3x3")
    if board.cells < LEAST_BLANKS:
        raise InputError(f"{board} has no puzzles: a puzzle has at least {LEAST_BLANKS} blank cells; try 3x3")


@dataclass(frozen=True)
class _Wanted:
    """What was asked for: from which board and seed, of which theme and grade."""

    board: Board
    seed: str
    theme: str | None
    grade: int | None
    day: date | None
    goal: str | None

    def chosen(self, asked: int | None, progress: Progress) -> list[Puzzle]:
        """Return so many puzzles, or without a number up to USUAL_PUZZLES. Raises InputError where there are fewer."""
        number, least = (USUAL_PUZZLES, 1) if asked is None else (asked, asked)
        if is_listed(self.board):
            if len(self.listed()) < least:
                raise InputError(self._too_few(len(self.listed())))
            found = list(self._from_list(number))
        else:
            found = list(self._by_lot(number, progress))
        if len(found) < least:
            raise InputError(self._too_few(len(found)))
        return [replace(each, asked=self.theme) for each in found]

    def _is_wanted(self, puzzle: Puzzle) -> bool:
        return (
            self.grade in (None, puzzle.grade)
            and self.goal in (None, puzzle.goal)
            and (self.theme is None or self.theme in puzzle.themes)
        )

    def listed(self) -> list[Puzzle]:
        """Return all puzzles of a small board that are wanted."""
        return [puzzle for puzzle in listed_puzzles(self.board) if self._is_wanted(puzzle)]

    def _from_list(self, number: int) -> Iterator[Puzzle]:
        left = self.listed()
        for i in range(min(number, len(left))):
            puzzle = self._picked(left, i)
            if self.day is not None:  # each of those listed once, before any comes again
                by_day = sorted(left, key=lambda each: drawn(_WIDE, f"daily {each.position}"))
                puzzle = by_day[self.day.toordinal() % len(left)]
            left.remove(puzzle)
            yield self._turned(puzzle)

    def _by_lot(self, number: int, progress: Progress) -> Iterator[Puzzle]:
        met: set[tuple[Mask, Mask]] = set()
        made = (drawn_puzzle(self.board, f"{self.seed} {self.board} {lot}") for lot in range(number * _DRAWS))
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
        """Return one of some puzzles: of a grade by lot, so that there are hard ones among them, the first by lot."""
        by_grade: dict[int, list[Puzzle]] = {}
        for puzzle in puzzles:
            by_grade.setdefault(puzzle.grade, []).append(puzzle)
        grades = sorted(by_grade)
        grade = grades[drawn(len(grades), f"{self.seed} {self.board} {number} grade")]
        return min(by_grade[grade], key=lambda puzzle: drawn(_WIDE, f"{self.seed} {puzzle.position}"))

    def _turned(self, puzzle: Puzzle) -> Puzzle:
        """Return a puzzle turned or mirrored by lot."""
        elements, at = self.board.group().elements, puzzle.position
        turn = elements[drawn(len(elements), f"{self.seed} {self.board} {at} turn")]
        x, o = (mask_of(turn[cell] for cell in cells_of(marks)) for marks in (at.x, at.o))
        ends = FrozenDict(sorted((turn[cell], end) for cell, end in puzzle.ends.items()))
        return replace(puzzle, position=Position(self.board, x, o), cell=turn[puzzle.cell], ends=ends)

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
            by_lot = "found among the positions drawn by lot"
            if found:
                return f"only {found:,} {what} {'was' if found == 1 else 'were'} {by_lot}: {fewer}"
            return f"no {what} were {by_lot}: ask for another theme or board, such as 4x4"
        if found:
            return f"there {'is' if found == 1 else 'are'} only {found:,} {what} up to symmetry: {fewer}"
        if self._is_any:
            why = "has exactly one move that wins, or exactly one that does not lose; try 3x3"
            return f"there are no {what}: no position with {ENOUGH_BLANKS} {why}"
        return f"there are no {what}: {self._grades() or 'ask for another theme, grade or goal'}"

    def _grades(self) -> str:
        """Say which grades a small board has, where the one asked for is none of them."""
        grades = sorted({puzzle.grade for puzzle in listed_puzzles(self.board)})
        if self.grade is None or self.grade in grades or not grades:
            return ""
        return f"the grades there go from {grades[0]} to {grades[-1]}" if grades[1:] else f"all have grade {grades[0]}"
