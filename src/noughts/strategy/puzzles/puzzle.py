"""A puzzle and a set of puzzles, with their questions, hints, answers and explanations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import short
from noughts.domain.position import Player, Position
from noughts.strategy.explain import Explanation
from noughts.strategy.puzzles.grading import depth_of, hidden_by, lures_of
from noughts.strategy.puzzles.hints import hints_of
from noughts.strategy.puzzles.setting import PuzzleGoal, Setting
from noughts.strategy.puzzles.themes import WHO, themes_of

__all__ = ["Puzzle", "Puzzles", "grade_of"]


def grade_of(setting: Setting) -> int:
    """Return how hard a puzzle is: how deep, and 0, 1 or 2 for how well it is hidden. 1 is the easiest."""
    return depth_of(setting) + hidden_by(len(lures_of(setting)), len(setting.wrong))


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A position in which exactly one move wins, or none does and exactly one does not lose; `facts` explain it.

    `asked` is the theme by which it was chosen, None where it was any.
    """

    setting: Setting
    facts: Explanation
    asked: str | None = None

    def __repr__(self) -> str:
        return f"<Puzzle on {short(self.board)}: {short(self.position)}, {self.to_move} to {self.goal}>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.setting.board

    @property
    def position(self) -> Position:
        """The position in which a move is looked for."""
        return self.setting.position

    @property
    def to_move(self) -> Player:
        """The side to move, which solves the puzzle."""
        return self.position.to_move

    @property
    def goal(self) -> PuzzleGoal:
        """What exactly one move does: `win`, or, where none does that, `not lose`."""
        return self.setting.goal

    @property
    def cell(self) -> Cell:
        """The solution."""
        return self.setting.cell

    @property
    def answer(self) -> str:
        """The solution by name."""
        return cell_name(self.board, self.cell)

    @property
    def depth(self) -> int:
        """How deep it is, in moves of one side."""
        return depth_of(self.setting)

    @cached_property
    def lures(self) -> tuple[Cell, ...]:
        """The wrong moves that look at a glance as good as the solution or better, the most tempting first."""
        return lures_of(self.setting)

    @property
    def grade(self) -> int:
        """How hard it is: its depth, and 0, 1 or 2 for how well it is hidden. 1 is the easiest."""
        return grade_of(self.setting)

    @cached_property
    def themes(self) -> tuple[str, ...]:
        """What it is about."""
        return themes_of(self.setting)

    @property
    def question(self) -> str:
        """What is asked, in a sentence."""
        misere = "Whoever completes a line loses. " if self.board.misere else ""
        if self.asked == WHO:
            return f"{misere}{self.to_move} to move. Who can force a win: X, O, or nobody? Find the one right move."
        if self.goal == "win":
            return f"{misere}{self.to_move} to move: one move alone wins. Which?"
        return f"{misere}{self.to_move} to move: one move alone does not lose. Which?"

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """Hints, each saying more than the one before."""
        return hints_of(self.setting, self.facts)

    @cached_property
    def explanation(self) -> tuple[str, ...]:
        """What is said afterwards: the answer, and why it is right and the other moves are not."""
        move = next(each for each in self.facts.moves if each.cell == self.cell)
        who = ""
        if self.asked == WHO:
            who = f"{self.to_move} can force a win. " if self.goal == "win" else "Nobody can force a win. "
        return (f"{who}{self.answer} {self.facts.verdict(move)}.", *self.facts.sentences)

    def as_dict(self) -> dict[str, object]:
        """Return the puzzle as a line of JSON has it; the grade is a whole number from 1."""
        return {
            "board": self.board.spec,
            "position": str(self.position),
            "to_move": self.to_move,
            "goal": self.goal,
            "solution": [self.answer],
            "grade": self.grade,
            "themes": list(self.themes),
        }


@dataclass(frozen=True, repr=False)
class Puzzles:
    """Some puzzles of one board, the easiest first, no two the same up to symmetry.

    `seed` is what they were drawn by, `theme`, `grade` and `goal` what was asked for, None where it was any. `there` is
    how many such puzzles there are up to symmetry, None where they were not all listed. `date` is the day of a daily
    one.
    """

    board: Board
    seed: str
    puzzles: tuple[Puzzle, ...]
    theme: str | None = None
    grade: int | None = None
    there: int | None = None
    date: str | None = None
    goal: str | None = None

    def __repr__(self) -> str:
        return f"<Puzzles: {len(self.puzzles)} on {short(self.board)}>"

    def __len__(self) -> int:
        return len(self.puzzles)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    def __getitem__(self, number: int) -> Puzzle:
        return self.puzzles[number]

    def as_dict(self) -> dict[str, object]:
        """Return what was asked, and the puzzles as their lines have them, each with question, hints, explanation."""
        return {
            "board": self.board.spec,
            "seed": self.seed,
            "theme": self.theme,
            "grade": self.grade,
            "goal": self.goal,
            "there": None if self.there is None else str(self.there),
            "date": self.date,
            "puzzles": [
                {
                    **each.as_dict(),
                    "question": each.question,
                    "hints": list(each.hints),
                    "explanation": list(each.explanation),
                }
                for each in self.puzzles
            ],
        }
