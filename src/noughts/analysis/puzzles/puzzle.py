"""What makes a position a puzzle: exactly one of its moves wins, or none does and exactly one does not lose.

It has three or more blank cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from noughts.analysis.explain.explanation import Explanation, reason
from noughts.analysis.explain.facts import forced_wins, fork_cells, listed, moves_to_win, threat_mask
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import Cell, Outcome, Player, opponent
from noughts.rules.position import Position, completing_cells
from noughts.rules.values import FrozenDict, short

PuzzleGoal = Literal["win", "not lose"]

LEAST_BLANKS = 3
"""Blank cells of a puzzle at least: of two moves one is hit by a guess."""
ENOUGH_BLANKS = "three or more blank cells"
"""The same in words."""


@dataclass(frozen=True)
class Setting:
    """A position with one solution. `ends` has for each move who wins after it, and the plies to the end after it.

    `traps` says that the solution draws and that some replies to it lose, and others do not.
    """

    position: Position
    goal: PuzzleGoal
    cell: Cell
    ends: FrozenDict[Cell, tuple[Outcome, int]]
    traps: bool = False

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def wrong(self) -> tuple[Cell, ...]:
        """The moves that do not reach the goal, in reading order."""
        return tuple(cell for cell in self.ends if cell != self.cell)


def setting_of(position: Position, ends: dict[Cell, tuple[Outcome, int]]) -> Setting | None:
    """Return an unfinished position as a puzzle, by what each of its moves comes to; None where it is none.

    A position in which all moves are alike, or in which several reach what can be reached, is no puzzle.
    """
    if len(ends) < LEAST_BLANKS:
        return None
    mover = position.to_move
    winning = [cell for cell, (outcome, _) in ends.items() if outcome == mover]
    kept = winning or [cell for cell, (outcome, _) in ends.items() if outcome != opponent(mover)]
    if len(kept) != 1:
        return None
    return Setting(position, "win" if winning else "not lose", kept[0], FrozenDict(sorted(ends.items())))


# How hard a puzzle is: how deep one has to look, and how well the solution is hidden among moves that look as good.
#
# *Depth* counts moves of one side. Where the goal is to win: the solver's moves until the game is won, when the other
# delays it. Where it is not to lose: the opponent's moves by which the most stubborn of the wrong moves is punished.
#
# *Hidden*: moves are compared as a player does at a glance. A move that completes a line looks better than one that
# blocks a line, that better than one that makes a threat, and among equals one on more lines still open looks better.
# Under misere a move that completes a line looks worst, and among the others one that brings fewer own lines near
# completion, and then one on fewer lines still open, looks better. The wrong moves that look as good as the solution,
# or better, are its lures: none of them hides it, fewer than half of the wrong moves count 1, half of them or more 2.


def depth_of(setting: Setting) -> int:
    """Return how deep a puzzle is, in moves of one side; at least 1."""
    asked = (setting.cell,) if setting.goal == "win" else setting.wrong
    plies = max(setting.ends[cell][1] for cell in asked)
    return max(1, moves_to_win(plies + 1 if setting.goal == "win" else plies))


def glance(position: Position, cell: Cell) -> tuple[int, ...]:
    """Return how good a move looks at a glance, to be compared: greater looks better."""
    board, mover = position.board, position.to_move
    own, other, place = position.marks(mover), position.marks(opponent(mover)), 1 << cell
    rest = position.blanks & ~place
    through = [line for line in board.lines_through[cell] if not line & other]
    completes = any(line & ~place & ~own == 0 for line in through)
    near = completing_cells(board, own | place, rest).bit_count()
    if board.misere:
        return (-completes, -near, -len(through))
    blocks = any(line & ~place & ~other == 0 for line in board.lines_through[cell])
    made = near > completing_cells(board, own, rest).bit_count()
    return (completes, blocks, made, len(through))


def lures_of(setting: Setting) -> tuple[Cell, ...]:
    """Return the wrong moves that look at a glance as good as the solution or better, the most tempting first."""
    looks = {cell: glance(setting.position, cell) for cell in setting.ends}
    lures = [cell for cell in setting.wrong if looks[cell] >= looks[setting.cell]]
    return tuple(sorted(lures, key=lambda cell: ([-part for part in looks[cell]], cell)))


def hidden_by(lures: int, wrong: int) -> int:
    """Return how well a solution is hidden by so many lures among so many wrong moves: 0, 1 or 2."""
    return 0 if not lures else 1 if 2 * lures < wrong else 2


# What a puzzle is about, in words that one can ask for.

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


def themes_of(setting: Setting) -> tuple[str, ...]:
    """Return the themes of a puzzle, in the order of THEMES."""
    at, board, mover = setting.position, setting.board, setting.position.to_move
    other, place = opponent(mover), 1 << setting.cell
    only = all(setting.ends[cell][0] == other for cell in setting.wrong)
    mine, theirs = (completing_cells(board, at.marks(player), at.blanks) for player in (mover, other))
    quiet = not theirs and not mine
    found = {
        "only move": only,
        "double trap": setting.traps,
        WHO: quiet and depth_of(setting) > 1,
    }
    if not board.misere:
        found["win at once"] = bool(mine & place)
        found["fork"] = setting.goal == "win" and not mine and bool(fork_cells(at, mover) & place)
        found["forced win"] = setting.goal == "win" and not mine and not found["fork"] and _is_forced(setting)
        found["block"] = theirs == place and not mine
    return tuple(theme for theme in THEMES if found.get(theme))


def _is_forced(setting: Setting) -> bool:
    """Tell whether a win by threats alone begins with the solution."""
    if not threat_mask(setting.position.play(setting.cell), setting.position.to_move):
        return False
    return any(each[0] == setting.cell for each in forced_wins(setting.position, limit=_STEPS).sequences)


# Hints to a puzzle, step by step: what kind of move it is, which move is tempting and wrong, and a choice of a few.

_CHOICE = 3
"""Cells among which the last hint leaves the choice."""


def hints_of(setting: Setting, facts: Explanation) -> tuple[str, ...]:
    """Return the hints, each saying more than the one before; none names the solution alone."""
    return (_kind(setting, facts), _wrong(setting, facts), _choice(setting))


def _kind(setting: Setting, facts: Explanation) -> str:
    """Return what kind of move it is."""
    mover, other = facts.to_move, opponent(facts.to_move)
    themes = themes_of(setting)
    if setting.board.misere:
        slack, lost = facts.moves_giving_up_the_win, facts.losing_moves
        what = " or ".join(["gives up the win"] * bool(slack) + ["loses"] * bool(lost))
        return f"Whoever completes a line loses, and every move but one {what}."
    if "win at once" in themes:
        return f"{mover} has a line that lacks one mark only."
    if "fork" in themes:
        return f"One move makes two threats at once, and {other} can block only one."
    if "block" in themes:
        return f"{other} threatens to complete a line."
    if setting.goal == "win":
        return f"The move makes {'a' if _threatens(setting) else 'no'} threat, and wins by what follows."
    if WHO in themes:
        return f"Nobody has a threat yet, but after every move but one {other} can force a win."
    return f"After every move but one {other} wins."


def _threatens(setting: Setting) -> bool:
    after = setting.position.play(setting.cell)
    return bool(completing_cells(setting.board, after.marks(setting.position.to_move), after.blanks))


def _tempting(setting: Setting) -> list[Cell]:
    """Return the wrong moves, the most tempting first."""
    return sorted(setting.wrong, key=lambda cell: ([-part for part in glance(setting.position, cell)], cell))


def _wrong(setting: Setting, facts: Explanation) -> str:
    """Return what the most tempting wrong move comes to, and why, unless that names the solution."""
    cell = _tempting(setting)[0]
    move = next(each for each in facts.moves if each.cell == cell)
    why = reason(facts, move)
    if cell_name(setting.board, setting.cell) in why.rstrip(".").split():
        why = ""
    return f"Not {cell_name(setting.board, cell)}: it {facts.verdict(move)}.{f' {why}' * bool(why)}"


def _choice(setting: Setting) -> str:
    """Return a few cells, the solution among them, and not the one that the hint before has ruled out."""
    cells = sorted([setting.cell, *_tempting(setting)[1:_CHOICE]])
    return f"It is {listed([cell_name(setting.board, cell) for cell in cells], 'or')}."


# A puzzle and a set of puzzles, with their questions, hints, answers and explanations.


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
