"""A puzzle and a set of puzzles: question, grade, themes, hints, the answer and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from noughts.analysis.explain.explanation import Explanation, explain, reason
from noughts.analysis.explain.facts import OnPosition, completing_moves, forced_wins, fork_cells, threat_mask
from noughts.analysis.explain.wording import how_it_goes, moves_to_win, named_cells
from noughts.rules.board import Board
from noughts.rules.cells import Move, move_name
from noughts.rules.game import threatened
from noughts.rules.marks import Cell, Outcome, opponent
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict, Result, begun
from noughts.solving.solution import Solution

PuzzleGoal = Literal["win", "not lose"]

LEAST_BLANKS = 3
"""The fewest blank cells of a puzzle: one of two moves is too easy to guess."""
ENOUGH_BLANKS = "three or more blank cells"
"""The same in words."""
WHO = "who can force?"
_STEPS = 20_000
"""Steps of the search for a win by threats alone, at most."""

THEMES = {
    "win at once": "the solution completes a line",
    "fork": "the solution makes two threats at once, and wins",
    "forced win": "the solution begins a win by threats alone: a threat, its block, and so on to a fork",
    "block": "the solution takes the one cell at which the opponent threatens to complete a line",
    "only move": "every other move loses",
    "double trap": "the solution is the only move that does not lose, and it sets a trap: some replies to it lose, "
    "others do not",
    WHO: "neither player can complete a line at once, but the right move wins, or every other move loses",
}
"""Each theme and its meaning; the first four only where a completed line wins for the player of the theme."""


_KINDS = {
    "win at once": "{0} can complete a line.",
    "fork": "One move makes two threats at once, and {1} can block only one.",
    "block": "{1} threatens to complete a line.",
}
"""A hint for each theme; `{0}` is the side to move, `{1}` the opponent."""


@dataclass(frozen=True, repr=False)
class Puzzle(OnPosition):
    """A position in which exactly one move wins, or no move wins and exactly one does not lose.

    `ends` has the outcome after each move, and the plies from there to the end. `traps` says that the solution draws
    and that some replies to it lose and others do not. `asked` is the theme by which it was chosen, None for any.
    `solution` has the values that explain it.
    """

    goal: PuzzleGoal
    cell: Move
    ends: FrozenDict[Move, tuple[Outcome, int]]
    traps: bool = False
    asked: str | None = None
    solution: Solution | None = field(default=None, compare=False)
    keys = "board position to_move goal solution=answers grade themes"

    @property
    def answer(self) -> str:
        """The name of the cell that solves it."""
        return move_name(self.board, self.cell)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answer, as a tuple of one."""
        return (self.answer,)

    @property
    def wrong(self) -> tuple[Move, ...]:
        """The moves that do not reach the goal, in reading order."""
        return tuple(cell for cell in self.ends if cell != self.cell)

    @cached_property
    def facts(self) -> Explanation:
        """The explanation of the position."""
        return explain(self.board, self.position, solution=self.solution)

    @cached_property
    def depth(self) -> int:
        """How deep the solver has to look, in moves of one side; at least 1.

        If the goal is to win: the solver's moves until the game is won, while the opponent delays it. If it is not to
        lose: the opponent's moves that punish the wrong move which holds out longest.
        """
        if self.goal == "win":
            return moves_to_win(self.ends[self.cell][1] + 1)
        return max(1, moves_to_win(max(self.ends[cell][1] for cell in self.wrong)))

    def glance(self, cell: Cell) -> tuple[int, ...]:
        """Return how good a move looks at a glance; a greater tuple looks better.

        A move that completes a line looks best, then one that blocks a line, then one that makes a threat. Among equals
        a move on more open lines looks better. Under misere a move that completes a line looks worst. Among the others
        a move that leaves fewer own lines one mark short looks better, then one on fewer open lines. Where marks do not
        name the players only a move that ends the game differs.
        """
        if not self.board.rules.alternating:
            end = self.position.play(cell).outcome
            return (0 if end in (None, "draw") else 1 if end == self.to_move else -1,)
        board, position = self.board, self.position
        own, other, place = position.marks(self.to_move), position.marks(opponent(self.to_move)), 1 << cell
        through = [line for line in board.lines_through[cell] if not line & other]
        completes = any(line & ~place & ~own == 0 for line in through)
        near = threatened(board, own | place, other).bit_count()
        if board.misere:
            return (-completes, -near, -len(through))
        blocks = any(line & ~place & ~other == 0 for line in board.lines_through[cell])
        made = near > (threatened(board, own, other) & ~place).bit_count()
        return (completes, blocks, made, len(through))

    @cached_property
    def _tempting(self) -> list[Move]:
        """The wrong moves, the most tempting first."""
        return sorted(self.wrong, key=lambda cell: ([-part for part in self.glance(cell)], cell))

    @cached_property
    def lures(self) -> tuple[Move, ...]:
        """The wrong moves that at a glance look as good as the solution or better, the most tempting first."""
        return tuple(cell for cell in self._tempting if self.glance(cell) >= self.glance(self.cell))

    @cached_property
    def grade(self) -> int:
        """How hard it is, from 1: its depth, plus 0, 1 or 2 for the lures.

        Without lures 0; if fewer than half of the wrong moves are lures 1, else 2.
        """
        many = len(self.lures)
        return self.depth + (0 if not many else 1 if 2 * many < len(self.wrong) else 2)

    @cached_property
    def themes(self) -> tuple[str, ...]:
        """Its themes, in the order of THEMES."""
        found = self._themes_by_threats() if self.board.rules.alternating else self._themes_by_lines()
        found["only move"] = all(self.ends[cell][0] == opponent(self.to_move) for cell in self.wrong)
        found["double trap"] = self.traps
        return tuple(theme for theme in THEMES if found.get(theme))

    def _themes_by_threats(self) -> dict[str, bool]:
        """Return which themes about lines it has, where players have marks of their own."""
        at, mover = self.position, self.to_move
        mine, theirs = (threat_mask(at, player) for player in (mover, opponent(mover)))
        found = {WHO: not theirs and not mine and self.depth > 1}
        if self.board.rules.has_threats:
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
        return found

    def _themes_by_lines(self) -> dict[str, bool]:
        """Return which themes about lines it has, where a line is not that of a player."""
        seeker, cell = self.board.rules.seeks_line, self.cell
        after, lines = self.position.play(cell), completing_moves(self.position)
        threats, places = ({move.cell for move in moves} for moves in (completing_moves(after), lines))
        wins = self.goal == "win"
        return {
            WHO: not lines and self.depth > 1,
            "win at once": wins and cell in lines and after.is_terminal,
            "fork": wins and not lines and self.to_move == seeker and len(threats) > 1,
            "block": opponent(self.to_move) == seeker and places == {cell.cell},
        }

    @property
    def _threatens(self) -> bool:
        """Whether the solution makes a threat."""
        return bool(threat_mask(self.position.play(self.cell), self.to_move))

    @property
    def question(self) -> str:
        """The question, in sentences."""
        rule = f"{how_it_goes(self.board)} ".lstrip()
        if self.asked == WHO:
            who = self.board.rules.either(self.board, "neither")
            return f"{rule}{self._mover} to move. Who can force a win: {who}? Find the only right move."
        what = "wins" if self.goal == "win" else "does not lose"
        return f"{rule}{self._mover} to move: only one move {what}. Which?"

    @property
    def _mover(self) -> str:
        """The name of the side to move, at the beginning of a sentence."""
        return begun(self.board.rules.name_of(self.to_move))

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """Three hints, each of which says more than the one before.

        The first describes the move. The second says what the most tempting wrong move does, and why unless that names
        the solution. The third names a few cells, the solution among them.
        """
        cell = self._tempting[0]
        move = next(each for each in self.facts.moves if each.cell == cell)
        why = reason(self.facts, move)
        because = f" {why}" if why and self.answer not in why.rstrip(".").split() else ""
        choice = named_cells(self.board, sorted([self.cell, *self._tempting[1:3]]), "or")
        wrong = f"Not {move_name(self.board, cell)}: it {self.facts.verdict(move)}.{because}"
        return (self._kind(), wrong, f"It is {choice}.")

    def _kind(self) -> str:
        """Return the hint that describes the move."""
        other, themes = self.board.rules.name_of(opponent(self.to_move)), self.themes
        for theme, words in _KINDS.items():
            if theme in themes:
                return begun(words.format(self._mover, other))
        if not self.board.rules.has_threats:
            slack, lost = self.facts.moves_giving_up_the_win, self.facts.losing_moves
            what = " or ".join(["gives up the win"] * bool(slack) + ["loses"] * bool(lost))
            return f"{begun(self.board.rules.goal)}, and every move but one {what}."
        if self.goal == "win":
            return f"The move makes {'a threat and' if self._threatens else 'no threat, but'} wins later."
        if WHO in themes:
            return f"Neither player has a threat yet. After every move but one, {other} can force a win."
        return f"After every move but one, {other} wins."

    @cached_property
    def explanation(self) -> tuple[str, ...]:
        """The answer, and why it is right and the other moves are wrong."""
        move = next(each for each in self.facts.moves if each.cell == self.cell)
        who = ""
        if self.asked == WHO:
            who = f"{self._mover} can force a win. " if self.goal == "win" else "Neither player can force a win. "
        return (f"{who}{self.answer} {self.facts.verdict(move)}.", *self.facts.sentences)


def puzzle_of(position: Position, ends: dict[Cell, tuple[Outcome, int]], solution: Solution | None) -> Puzzle | None:
    """Return the puzzle of an unfinished position, from the end of each move; None if it is not a puzzle.

    It is a puzzle if it has enough blank cells, and one move alone wins, or no move wins and one alone does not lose.
    """
    mover = position.to_move
    winning = [cell for cell, (outcome, _) in ends.items() if outcome == mover]
    right = winning or [cell for cell, (outcome, _) in ends.items() if outcome != opponent(mover)]
    if len(right) != 1 or len(ends) < LEAST_BLANKS:
        return None
    goal: PuzzleGoal = "win" if winning else "not lose"
    named = FrozenDict((Move(position.board, cell), end) for cell, end in sorted(ends.items()))
    return Puzzle(position, goal, Move(position.board, right[0]), named, solution=solution)


@dataclass(frozen=True, repr=False)
class Puzzles(Result):
    """Puzzles of one board, the easiest first, all different up to symmetry.

    `seed` is the random seed. `theme`, `grade` and `goal` are those of the request, None for any. `there` is the number
    of such puzzles up to symmetry, None if they were not all listed. `date` is the day of a daily puzzle.
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
        """Return the request, and each puzzle with its question, hints and explanation, for JSON."""
        found = super().as_dict() | {"there": None if self.there is None else str(self.there)}
        for record, each in zip(found["puzzles"], self.puzzles, strict=True):
            record |= {"question": each.question, "hints": list(each.hints), "explanation": list(each.explanation)}
        return found
