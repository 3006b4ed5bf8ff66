"""The review of a game: the value of each move, the mistakes, the better moves, and why."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from noughts.analysis.explain.explanation import require_solution, value_of
from noughts.analysis.explain.facts import along, threat_mask
from noughts.analysis.explain.mistakes import Course, PlayedMove, course, played_moves
from noughts.analysis.explain.refutation import reasons, refutation
from noughts.analysis.explain.wording import ending_sentence, label, length_rule, named_cells, outlook
from noughts.analysis.solutions import solution_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.marks import Cell, cells_of, opponent
from noughts.rules.position import Moves, Position, is_game, parse_game
from noughts.rules.values import Result, begun
from noughts.solving.solution import Solution


@dataclass(frozen=True, repr=False)
class Review(Result):
    """A game move by move, finished or not. `course` has its outcomes, None if no engine can value the board.

    `outlook` says how the game ended, or who can force what. Each mistake among `moves` says why it is one. `engine`
    names the engine that valued them, or None.
    """

    board: Board
    cells: tuple[Cell, ...]
    course: Course | None
    outlook: str
    moves: tuple[PlayedMove, ...]
    engine: str | None = field(default=None, compare=False)
    keys = (
        "board position to_move=position.to_move over=position.is_terminal outcome=position.outcome outlook sentences "
        "moves"
    )

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The position before the first move and after each move."""
        return along(Position(self.board), self.cells)

    @property
    def position(self) -> Position:
        """The last position."""
        return self.positions[-1]

    @property
    def lessons(self) -> tuple[PlayedMove, ...]:
        """The mistakes, each with its reasons."""
        return tuple(move for move in self.moves if move.is_mistake)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The mistakes and the better moves, in sentences, or that there was no mistake."""
        if self.course is None or not self.course.outcomes:
            return ("Values were not found, so mistakes were not found.",)
        return self.course.sentences

    @property
    def threatened(self) -> str:
        """The threat of the last mover: `O threatens to complete a line at b3.`; empty if there is none."""
        mover = opponent(self.position.to_move)
        threats = threat_mask(self.position, mover) if self.board.rules.has_threats else 0
        named = named_cells(self.board, cells_of(threats)) if threats else ""
        return f"{mover} threatens to complete a line at {named}." if threats else ""

    def as_dict(self) -> dict[str, object]:
        """Return the review for JSON."""
        found = super().as_dict()
        found["mistakes"] = [
            lesson.as_mistake()
            | {"before_it": str(lesson.before), "why": list(lesson.why)}
            | {"refutation": refutation(lesson.after).as_dict()}
            for lesson in self.lessons
        ]
        return found | ({"to_move": None} if self.position.is_terminal else {})


def review(board: Board | str = "3x3", moves: Moves = "", *, solution: Solution | None = None) -> Review:
    """Return the review of a game: the value of each move, the mistakes, the better moves, and why.

    Parameters
    ----------
    board
        The board, or its name.
    moves
        The moves in their order, such as `a1 b2 c3` or as results have them; the game need not be finished.
    solution
        The values to use, as `solve` returns them; for callers with many games.

    Returns
    -------
    Review
        Values assume best play after each move. The sentences say which values were not found.

    Raises
    ------
    InputError
        The text has no moves, or some are not legal on the board.

    Notes
    -----
    Cost: the value of each position, and of all moves before each mistake.

    >>> review("3x3", "a1 b1 a2").sentences
    ('Move 2, O on b1, lost: only b2 would have held the draw.',)
    """
    board = Board.parse(board)
    require_solution(solution, board)
    if not is_game(moves, board):
        if not isinstance(moves, str):
            parse_game(board, moves)
        example = "Xa1 Ob2 Xc3" if board.rules.chooses_mark else "a1 b2 c3"
        given = f"{shown(moves)} has none" if str(moves).strip("() []") else "none are given"
        raise InputError(f"a review needs the moves of a game, and {given}: write them in order, such as {example}")
    cells = parse_game(board, moves)
    positions = along(Position(board), cells)
    try:
        values = solution_for(Position(board)) if solution is None else solution
        went = course(board, cells, values)
    except BudgetError:
        return Review(board, cells, None, _outlook(positions[-1], None), tuple(played_moves(positions, cells)))
    made = [
        replace(move, why=reasons(move, refutation(move.after), values)) if move.is_mistake else move
        for move in went.moves
    ]
    outlook = _outlook(positions[-1], values if went.has_last else None)
    return Review(board, cells, went, outlook, tuple(made), values.engine)


def _outlook(at: Position, values: Solution | None) -> str:
    """Return in a sentence how a game ended, or who can force what; without values, that it was not found."""
    if at.is_terminal:
        return ending_sentence(at)
    outcome, plies = (None, None) if values is None else value_of(values, at)
    name = at.board.rules.name_of
    who = f"{begun(name(at.to_move))} is to move"
    if outcome is None or values is None:
        return f"{who}; who wins was not found."
    if values.is_decided(at):
        ends = "the game will be a draw" if outcome == "draw" else f"{name(outcome)} wins"
        return f"{who}: {ends}, however both play."
    return f"{who}: {outlook(label(outcome, False, at.board), outcome, plies, length_rule(at.board))}."
