"""Puzzles as one function call: by seed, theme and grade, or that of a day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import get_args

from noughts.domain.arguments import function_or_none, one_of, text_of, whole_number, wrong_type
from noughts.domain.bits import Mask, mask_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError, shown
from noughts.domain.frozen import FrozenDict
from noughts.domain.lots import drawn
from noughts.domain.position import Position
from noughts.domain.spelling import offered
from noughts.machine.progress import Progress, silent
from noughts.solving.solution import Solution
from noughts.strategy.explain import explain
from noughts.strategy.puzzles.finding import drawn_setting, is_listed, listed_settings, positions_of
from noughts.strategy.puzzles.lengths import LengthSolution
from noughts.strategy.puzzles.puzzle import Puzzle, Puzzles, grade_of
from noughts.strategy.puzzles.setting import ENOUGH_BLANKS, LEAST_BLANKS, PuzzleGoal, Setting
from noughts.strategy.puzzles.themes import THEMES, themes_of

__all__ = ["MOST_CELLS", "MOST_PUZZLES", "USUAL_PUZZLES", "puzzles", "puzzles_there", "theme_named"]

MOST_PUZZLES = 500
"""Puzzles that are asked for at once, at most."""
USUAL_PUZZLES = 6
"""Puzzles that are given where no number is, if there are so many; of a day one."""
MOST_CELLS = 64
"""Cells of the largest board on which puzzles are looked for."""
_BATCH = 3
"""Puzzles of which one is chosen, for a mixture of grades, where any theme and grade is wanted and not all listed."""
_DRAWS = 400
"""Positions that are drawn for one puzzle, at most."""
_EXPLAINED = 8
"""So many times the positions that are opened to find a puzzle may be opened for each position that explains it."""
_WIDE = 1 << 64


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
    found = sorted(chosen, key=lambda puzzle: puzzle.grade)
    there = len(asked.listed()) if is_listed(board) else None
    on = None if day is None else day.isoformat()
    return Puzzles(board, asked.seed, tuple(found), wanted, grade, there, on, goal)


def puzzles_there(board: Board, goal: str | None = None) -> int | None:
    """Return how many puzzles a board has up to symmetry, None where they are not all listed."""
    if not is_listed(board) or not board.lines or board.cells < LEAST_BLANKS:
        return 0 if is_listed(board) else None
    return len(_Wanted(board, "", None, None, None, goal).listed())


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


class _Wanted:
    """What was asked for: from which board and seed, of which theme and grade."""

    def __init__(
        self, board: Board, seed: str, theme: str | None, grade: int | None, day: date | None, goal: str | None
    ) -> None:
        self.board, self.seed, self.theme, self.grade, self.day, self.goal = board, seed, theme, grade, day, goal

    def chosen(self, asked: int | None, progress: Progress) -> list[Puzzle]:
        """Return so many puzzles, or without a number up to USUAL_PUZZLES. Raises InputError where there are fewer."""
        number, least = (USUAL_PUZZLES, 1) if asked is None else (asked, asked)
        if is_listed(self.board) and len(self.listed()) < least:
            raise InputError(self._too_few(len(self.listed())))
        found = list(self._from_list(number) if is_listed(self.board) else self._by_lot(number, progress))
        if len(found) < least:
            raise InputError(self._too_few(len(found)))
        return found

    def _is_wanted(self, setting: Setting) -> bool:
        if self.grade is not None and grade_of(setting) != self.grade:
            return False
        if self.goal is not None and setting.goal != self.goal:
            return False
        return self.theme is None or self.theme in themes_of(setting)

    def listed(self) -> list[Setting]:
        """Return all puzzles of a small board that are wanted."""
        return [setting for setting in listed_settings(self.board)[0] if self._is_wanted(setting)]

    def _from_list(self, number: int) -> Iterator[Puzzle]:
        _, solution = listed_settings(self.board)
        left = self.listed()
        for i in range(min(number, len(left))):
            setting = self._picked(left, i) if self.day is None else self._of_the_day(left, self.day)
            left.remove(setting)
            yield self._puzzle(self._turned(setting), solution)

    def _of_the_day(self, left: list[Setting], day: date) -> Setting:
        """Return the puzzle of a day: each of those listed once, before any comes again."""
        return sorted(left, key=lambda setting: drawn(_WIDE, f"daily {setting.position}"))[day.toordinal() % len(left)]

    def _by_lot(self, number: int, progress: Progress) -> Iterator[Puzzle]:
        met: set[tuple[Mask, Mask]] = set()
        settings = self._drawn(number)
        among = _BATCH if self._is_any else 1
        for i in range(number):
            progress(i, number, "puzzles")
            batch: list[Setting] = []
            for setting in settings:
                key = self.board.group().canonical(setting.position.x, setting.position.o)
                if key not in met:
                    met.add(key)
                    batch.append(setting)
                if len(batch) == among:
                    break
            if not batch:
                return
            picked = self._picked(batch, i)
            yield self._puzzle(picked, LengthSolution(picked.position, _EXPLAINED * positions_of(self.board)))
        progress(number, number, "puzzles")

    def _drawn(self, number: int) -> Iterator[Setting]:
        for lot in range(number * _DRAWS):
            setting = drawn_setting(self.board, f"{self.seed} {self.board} {lot}")
            if setting is not None and self._is_wanted(setting):
                yield setting

    def _picked(self, settings: Iterable[Setting], number: int) -> Setting:
        """Return one of some puzzles: of a grade by lot, so that there are hard ones among them, the first by lot."""
        by_grade: dict[int, list[Setting]] = {}
        for setting in settings:
            by_grade.setdefault(grade_of(setting), []).append(setting)
        grades = sorted(by_grade)
        lot = f"{self.seed} {self.board} {number}"
        grade = grades[drawn(len(grades), f"{lot} grade")]
        return min(by_grade[grade], key=lambda setting: drawn(_WIDE, f"{self.seed} {setting.position}"))

    def _turned(self, setting: Setting) -> Setting:
        """Return a puzzle turned or mirrored by lot."""
        elements = self.board.group().elements
        turn = elements[drawn(len(elements), f"{self.seed} {self.board} {setting.position} turn")]

        def image(mask: Mask) -> Mask:
            return mask_of(turn[cell] for cell in range(self.board.cells) if mask >> cell & 1)

        at = Position(self.board, image(setting.position.x), image(setting.position.o))
        ends = FrozenDict(sorted((turn[cell], end) for cell, end in setting.ends.items()))
        return Setting(at, setting.goal, turn[setting.cell], ends, setting.traps)

    def _puzzle(self, setting: Setting, solution: Solution) -> Puzzle:
        return Puzzle(setting, explain(self.board, setting.position, solution=solution), self.theme)

    @property
    def _is_any(self) -> bool:
        """Whether any theme, grade and goal is wanted."""
        return self.theme is None and self.grade is None and self.goal is None

    def _too_few(self, found: int) -> str:
        what = f"puzzle{'s' * (found != 1)} on {self.board}"
        what += f" with the theme {self.theme}" if self.theme else ""
        what += f" of grade {self.grade}" if self.grade is not None else ""
        what += f" with the goal to {self.goal}" if self.goal is not None else ""
        if is_listed(self.board):
            if not found:
                why = "has exactly one move that wins, or exactly one that does not lose"
                why = f"no position with {ENOUGH_BLANKS} {why}"
                why = why if self._is_any else self._grades() or "ask for another theme, grade or goal"
                return f"there are no {what}: {why}{'; try 3x3' * self._is_any}"
            verb, fewer = ("is", "") if found == 1 else ("are", " or fewer")
            return f"there {verb} only {found:,} {what} up to symmetry: ask for {found:,}{fewer}"
        if not found:
            return f"no {what} were found among the positions drawn by lot: ask for another theme or board, such as 4x4"
        was, fewer = ("was", "") if found == 1 else ("were", " or fewer")
        return f"only {found:,} {what} {was} found among the positions drawn by lot: ask for {found:,}{fewer}"

    def _grades(self) -> str:
        """Say which grades a small board has, where the one asked for is none of them."""
        grades = sorted({grade_of(setting) for setting in listed_settings(self.board)[0]})
        if self.grade is None or self.grade in grades or not grades:
            return ""
        return f"the grades there go from {grades[0]} to {grades[-1]}" if grades[1:] else f"all have grade {grades[0]}"
