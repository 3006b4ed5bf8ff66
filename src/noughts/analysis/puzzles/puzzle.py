"""A puzzle and a set of puzzles: what is asked, how hard it is, what it is about, hints, the answer and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from noughts.analysis.explain.explanation import Explanation, explain, reason
from noughts.analysis.explain.facts import OnPosition, forced_wins, fork_cells, moves_to_win, named_cells, threat_mask
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import Cell, Outcome, opponent
from noughts.rules.position import Position, completing_cells
from noughts.rules.values import FrozenDict, Result
from noughts.solving.solution import Solution

PuzzleGoal = Literal["win", "not lose"]

LEAST_BLANKS = 3
"""Blank cells of a puzzle at least: of two moves one is hit by a guess."""
ENOUGH_BLANKS = "three or more blank cells"
"""The same in words."""
WHO = "who can force?"
_STEPS = 20_000
"""Steps that are taken to find a win by threats alone."""

THEMES = {
    "win at once": "the solution completes a line",
    "fork": "the solution makes two threats at once, and wins",
    "forced win": "the solution begins a win by threats alone: a threat, its block, and so on to a fork",
    "block": "the solution takes the one cell at which the other threatens to complete a line",
    "only move": "every other move loses",
    "double trap": "the solution is the only move that does not lose, and it sets a trap: some replies to it lose, and "
    "others do not",
    WHO: "no line lacks one mark only, and yet the right move wins, or every other one loses",
}
"""Each theme, and what it says of a puzzle. Under misere lines are not to be completed: the first four are not used."""


_KINDS = {
    "win at once": "{0} has a line that lacks one mark only.",
    "fork": "One move makes two threats at once, and {1} can block only one.",
    "block": "{1} threatens to complete a line.",
}
"""What kind of move the solution is, by theme, for the side to move and the other."""


@dataclass(frozen=True, repr=False)
class Puzzle(OnPosition):
    """A position in which exactly one move wins, or none does and exactly one does not lose.

    `ends` has for each move who wins after it, and the plies to the end after it. `traps` says that the solution draws
    and that some replies to it lose, and others do not. `asked` is the theme by which it was chosen, None where it was
    any. `solution` explains it.
    """

    goal: PuzzleGoal
    cell: Cell
    ends: FrozenDict[Cell, tuple[Outcome, int]]
    traps: bool = False
    asked: str | None = None
    solution: Solution | None = field(default=None, compare=False)
    keys = "board position to_move goal solution=answers grade themes"

    @property
    def answer(self) -> str:
        """The solution by name."""
        return cell_name(self.board, self.cell)

    @property
    def answers(self) -> tuple[str, ...]:
        """The solution by name, as a list of one."""
        return (self.answer,)

    @property
    def wrong(self) -> tuple[Cell, ...]:
        """The moves that do not reach the goal, in reading order."""
        return tuple(cell for cell in self.ends if cell != self.cell)

    @cached_property
    def facts(self) -> Explanation:
        """What there is to say about the position."""
        return explain(self.board, self.position, solution=self.solution)

    @cached_property
    def depth(self) -> int:
        """How deep one has to look, in moves of one side; at least 1.

        Where the goal is to win: the solver's moves until the game is won, when the other delays it. Where it is not to
        lose: the opponent's moves by which the most stubborn of the wrong moves is punished.
        """
        if self.goal == "win":
            return moves_to_win(self.ends[self.cell][1] + 1)
        return max(1, moves_to_win(max(self.ends[cell][1] for cell in self.wrong)))

    def glance(self, cell: Cell) -> tuple[int, ...]:
        """Return how good a move looks at a glance, to be compared: greater looks better.

        A move that completes a line looks better than one that blocks a line, that better than one that makes a threat,
        and among equals one on more lines still open looks better. Under misere a move that completes a line looks
        worst, and among the others one that brings fewer own lines near completion, and then one on fewer lines still
        open, looks better.
        """
        board, position = self.board, self.position
        own, other, place = position.marks(self.to_move), position.marks(opponent(self.to_move)), 1 << cell
        rest = position.blanks & ~place
        through = [line for line in board.lines_through[cell] if not line & other]
        completes = any(line & ~place & ~own == 0 for line in through)
        near = completing_cells(board, own | place, rest).bit_count()
        if board.misere:
            return (-completes, -near, -len(through))
        blocks = any(line & ~place & ~other == 0 for line in board.lines_through[cell])
        made = near > completing_cells(board, own, rest).bit_count()
        return (completes, blocks, made, len(through))

    @cached_property
    def _tempting(self) -> list[Cell]:
        """The wrong moves, the most tempting first."""
        return sorted(self.wrong, key=lambda cell: ([-part for part in self.glance(cell)], cell))

    @cached_property
    def lures(self) -> tuple[Cell, ...]:
        """The wrong moves that look at a glance as good as the solution or better, the most tempting first."""
        return tuple(cell for cell in self._tempting if self.glance(cell) >= self.glance(self.cell))

    @cached_property
    def grade(self) -> int:
        """How hard it is: its depth, and 0, 1 or 2 for how well it is hidden. 1 is the easiest.

        No lures do not hide it; fewer than half of the wrong moves count 1, half of them or more 2.
        """
        many = len(self.lures)
        return self.depth + (0 if not many else 1 if 2 * many < len(self.wrong) else 2)

    @cached_property
    def themes(self) -> tuple[str, ...]:
        """What it is about, in the order of THEMES."""
        at, mover, other = self.position, self.to_move, opponent(self.to_move)
        mine, theirs = (completing_cells(self.board, at.marks(player), at.blanks) for player in (mover, other))
        found = {
            "only move": all(self.ends[cell][0] == other for cell in self.wrong),
            "double trap": self.traps,
            WHO: not theirs and not mine and self.depth > 1,
        }
        if not self.board.misere:
            wins, place = self.goal == "win" and not mine, 1 << self.cell
            found["win at once"] = bool(mine & place)
            found["fork"] = wins and bool(fork_cells(at, mover) & place)
            found["forced win"] = (
                wins
                and not found["fork"]
                and self._threatens
                and any(each[0] == self.cell for each in forced_wins(at, limit=_STEPS).sequences)
            )
            found["block"] = theirs == place and not mine
        return tuple(theme for theme in THEMES if found.get(theme))

    @property
    def _threatens(self) -> bool:
        """Whether the solution makes a threat."""
        return bool(threat_mask(self.position.play(self.cell), self.to_move))

    @property
    def question(self) -> str:
        """What is asked, in a sentence."""
        rule = f"{self.board.rules.said.capitalize()}. " * bool(self.board.rules.said)
        if self.asked == WHO:
            return f"{rule}{self.to_move} to move. Who can force a win: X, O, or nobody? Find the one right move."
        what = "wins" if self.goal == "win" else "does not lose"
        return f"{rule}{self.to_move} to move: one move alone {what}. Which?"

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """Hints, each saying more than the one before; none names the solution alone.

        What kind of move it is; what the most tempting wrong move comes to, and why, unless that names the solution;
        and a few cells, the solution among them.
        """
        cell = self._tempting[0]
        move = next(each for each in self.facts.moves if each.cell == cell)
        why = reason(self.facts, move)
        said = f" {why}" if why and self.answer not in why.rstrip(".").split() else ""
        choice = named_cells(self.board, sorted([self.cell, *self._tempting[1:3]]), "or")
        wrong = f"Not {cell_name(self.board, cell)}: it {self.facts.verdict(move)}.{said}"
        return (self._kind(), wrong, f"It is {choice}.")

    def _kind(self) -> str:
        """Return what kind of move it is."""
        mover, other, themes = self.to_move, opponent(self.to_move), self.themes
        if self.board.misere:
            slack, lost = self.facts.moves_giving_up_the_win, self.facts.losing_moves
            what = " or ".join(["gives up the win"] * bool(slack) + ["loses"] * bool(lost))
            return f"{self.board.rules.said.capitalize()}, and every move but one {what}."
        for theme, words in _KINDS.items():
            if theme in themes:
                return words.format(mover, other)
        if self.goal == "win":
            return f"The move makes {'a' if self._threatens else 'no'} threat, and wins by what follows."
        if WHO in themes:
            return f"Nobody has a threat yet, but after every move but one {other} can force a win."
        return f"After every move but one {other} wins."

    @cached_property
    def explanation(self) -> tuple[str, ...]:
        """What is said afterwards: the answer, and why it is right and the other moves are not."""
        move = next(each for each in self.facts.moves if each.cell == self.cell)
        who = ""
        if self.asked == WHO:
            who = f"{self.to_move} can force a win. " if self.goal == "win" else "Nobody can force a win. "
        return (f"{who}{self.answer} {self.facts.verdict(move)}.", *self.facts.sentences)


def puzzle_of(position: Position, ends: dict[Cell, tuple[Outcome, int]], solution: Solution | None) -> Puzzle | None:
    """Return an unfinished position as a puzzle, by what each of its moves comes to; None where it is none.

    A position in which all moves are alike, or in which several reach what can be reached, is no puzzle.
    """
    mover = position.to_move
    winning = [cell for cell, (outcome, _) in ends.items() if outcome == mover]
    kept = winning or [cell for cell, (outcome, _) in ends.items() if outcome != opponent(mover)]
    if len(kept) != 1 or len(ends) < LEAST_BLANKS:
        return None
    goal: PuzzleGoal = "win" if winning else "not lose"
    return Puzzle(position, goal, kept[0], FrozenDict(sorted(ends.items())), solution=solution)


@dataclass(frozen=True, repr=False)
class Puzzles(Result):
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
    keys = "board seed theme grade goal there date puzzles"

    def __len__(self) -> int:
        return len(self.puzzles)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    def __getitem__(self, number: int) -> Puzzle:
        return self.puzzles[number]

    def as_dict(self) -> dict[str, Any]:
        """Return what was asked, and the puzzles as their lines have them, each with question, hints, explanation."""
        found = super().as_dict() | {"there": None if self.there is None else str(self.there)}
        for record, each in zip(found["puzzles"], self.puzzles, strict=True):
            record |= {"question": each.question, "hints": list(each.hints), "explanation": list(each.explanation)}
        return found
