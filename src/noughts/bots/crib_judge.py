"""What a crib is asked for: who plays, towards what, what counts as an entry, and where play begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import CheckError, InputError
from noughts.rules.marks import Cell, Player, opponent
from noughts.rules.position import Position, format_start, parse_position

CribGoal = Literal["never-lose", "perfect", "win"]
CribCount = Literal["own", "all"]
GOALS: tuple[CribGoal, ...] = ("never-lose", "perfect", "win")
COUNTS: tuple[CribCount, ...] = ("own", "all")


@dataclass(frozen=True)
class CribQuestion:
    """What a crib is for.

    `never-lose` is never to lose, `win` to win always, `perfect` to keep at every board the best value that it has.
    `own` counts the boards, up to symmetry, at which the player moves, a last blank cell included; `all` those after
    each move too, endings included. `opening` is the first move of X on the empty board, by either player's count.
    """

    start: Position
    player: Player
    goal: CribGoal
    count: CribCount
    opening: Cell | None = None

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    @property
    def where(self) -> str:
        """The board, and where play begins, in words."""
        after = "" if self.opening is None else f" after the opening {cell_name(self.board, self.opening)}"
        return f"{self.board}{format_start(self.start)}{after}"

    @property
    def does(self) -> str:
        """What the player does with the crib, as a verb phrase."""
        return {"never-lose": "never loses", "perfect": "plays perfectly", "win": "always wins"}[self.goal]


# A judge of cribs: every reply is played against the card, with nothing of what made it.
#
# It reads the card as it is printed, finds the board on it however that is turned, plays the move, and lets the other
# play every blank cell. It has its own lines, turns and values, and knows no class but those it counts.

Line = str
"""Marks in reading order, without the strokes between rows: X, O and points."""


@dataclass(frozen=True)
class Judged:
    """What play against a card meets, up to symmetry: boards in all, those at which its player moves, and outcomes."""

    own: int
    boards: int
    outcomes: frozenset[str]


@dataclass
class _Hearing:
    """One case: the card, what was met, and the values of boards as far as they were asked."""

    question: CribQuestion
    card: dict[Line, Cell]
    met: set[Line] = field(default_factory=set)
    moved: set[Line] = field(default_factory=set)
    outcomes: set[str] = field(default_factory=set)
    valued: dict[Line, int] = field(default_factory=dict)

    @cached_property
    def turns(self) -> list[tuple[int, ...]]:
        """For each way to turn the board, from which cell each cell gets its mark."""
        return [tuple(turn) for turn in self.question.board.group().elements]

    def turned(self, marks: Line) -> list[Line]:
        """Return the board turned in every way."""
        return ["".join(marks[cell] for cell in turn) for turn in self.turns]

    def over(self, marks: Line) -> str | None:
        """Return who has won, draw on a full board, None while play goes on."""
        for line in self.question.board.lines:
            first = marks[line[0]]
            if first != "." and all(marks[cell] == first for cell in line):
                return self.question.board.line_outcome("X" if first == "X" else "O")
        return None if "." in marks else "draw"

    def value(self, marks: Line) -> int:
        """Return what a board is worth to X: 1, 0 or -1."""
        key, ended = min(self.turned(marks)), self.over(marks)
        if ended is not None:
            return {"X": 1, "draw": 0, "O": -1}[ended]
        if key not in self.valued:
            best = max if _mover(marks) == "X" else min
            self.valued[key] = best(self.value(after) for _, after in _after(marks))
        return self.valued[key]

    def answer(self, marks: Line) -> Line:
        """Return the board after the move that the card has for it. Raises CheckError where that is none."""
        for turn, seen in zip(self.turns, self.turned(marks), strict=True):
            if seen in self.card:
                self.moved.add(seen)
                board, opening = self.question.board, self.question.opening
                if opening is not None and self.card[seen] != opening and "X" not in seen:
                    opened = cell_name(board, self.card[seen])
                    raise CheckError(f"the crib opens {opened}, and says that X opens {cell_name(board, opening)}")
                cell = turn[self.card[seen]]
                if marks[cell] != ".":
                    raise CheckError(f"the crib plays a taken cell in {seen}")
                after = marks[:cell] + self.question.player + marks[cell + 1 :]
                if self.question.goal == "perfect" and self.value(after) != self.value(marks):
                    raise CheckError(f"the crib gives value away in {seen}")
                return after
        raise CheckError(f"the crib has no move for {marks}")

    def play(self, start: Line) -> None:
        """Play every reply from a board on."""
        waiting, seen = [start], {start}
        while waiting:
            marks = waiting.pop()
            self.met.add(min(self.turned(marks)))
            ended = self.over(marks)
            if ended is not None:
                self.outcomes.add(ended)
                continue
            if _mover(marks) == self.question.player:
                following = [self.answer(marks)]
            else:
                opened = self.question.opening if "X" not in marks and "O" not in marks else None
                following = [after for cell, after in _after(marks) if opened is None or cell == opened]
            waiting += [after for after in following if after not in seen]
            seen.update(following)


def judge_crib(question: CribQuestion, table: Mapping[str, str]) -> Judged:
    """Return what play against a card meets. Raises CheckError where the card does not do what it is for.

    That is: a board without a move, an entry that is never met, an opening that was not asked for, a game that ends as
    it should not, or, for `perfect`, a move that gives value away. Cost: every board that play meets, and for `perfect`
    every board below those.
    """
    board, card = question.board, read_card(question.board, table)
    court = _Hearing(question, card)
    if question.opening is not None and question.start.ply:
        opening = cell_name(board, question.opening)
        raise CheckError(f"the crib says that X opens {opening}, but it begins at {question.start}, after the opening")
    court.play(_marks(question.start))
    unmet = [text for text in card if text not in court.moved]
    if unmet:
        raise CheckError(f"the crib has an entry that no game meets: {printed(board, unmet[0])}")
    bad = {"never-lose": (opponent(question.player),), "win": (opponent(question.player), "draw"), "perfect": ()}
    if ended := court.outcomes.intersection(bad[question.goal]):
        raise CheckError(f"the crib lets a game end that it should not: {', '.join(sorted(ended))}")
    return Judged(len(court.moved), len(court.met), frozenset(court.outcomes))


def read_card(board: Board, table: Mapping[str, str]) -> dict[Line, Cell]:
    """Return the cell to play at each board of a card.

    Boards are read as policies read positions. Raises InputError for an invalid board or cell.
    """
    card: dict[Line, Cell] = {}
    for text, cell in table.items():
        try:
            marks, played = _marks(parse_position(board, text)), parse_cell(board, cell)
        except InputError as error:
            raise type(error)(f"the crib has an invalid entry: {error}") from None
        if card.setdefault(marks, played) != played:
            raise InputError(f"the crib has two entries for the board {printed(board, marks)}: keep one of them")
    return card


def printed(board: Board, marks: Line) -> str:
    """Return marks in a row as their board is printed."""
    return str(parse_position(board, marks))


def _marks(position: Position) -> Line:
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def _mover(marks: Line) -> str:
    return "X" if marks.count("X") == marks.count("O") else "O"


def _after(marks: Line) -> list[tuple[int, Line]]:
    mark = _mover(marks)
    return [(cell, marks[:cell] + mark + marks[cell + 1 :]) for cell, held in enumerate(marks) if held == "."]
