"""Everything there is to say about a position: the facts, sentences that a child can follow, and data."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from noughts.domain.arguments import wrong_type
from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError, InvalidPosition
from noughts.domain.frozen import short
from noughts.domain.notation import is_game, parse_game, parse_position
from noughts.domain.position import Outcome, Player, Position
from noughts.solving.solution import MoveValue, Solution
from noughts.strategy.ending import ending
from noughts.strategy.facts import Facts, MoveExplanation
from noughts.strategy.labels import label
from noughts.strategy.mistakes import Course, course
from noughts.strategy.sentences import advice
from noughts.strategy.solutions import solution_for
from noughts.strategy.threats import is_fork

__all__ = ["Explanation", "explain", "explanation", "label_of", "unfinished", "unvalued", "value_of"]


@dataclass(frozen=True, repr=False)
class Explanation(Facts):
    """What to play in a position and why. Outcomes are absolute, remoteness counts plies; None is what was not found.

    `threats`, `forced`, `forks` and `forced_wins` are None under misere, where completing a line loses. `course` is how
    a finished game went, where its moves were given, and else None. `at_most` is a number of plies within which a won
    game ends, where the remoteness was not found. `engine` valued the moves, None where none did.
    """

    course: Course | None = None
    at_most: int | None = None
    engine: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Explanation of {short(self.position)} on {short(self.board)}: {self.label or 'not found'}>"

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What a child can follow: what to play, and why not the rest."""
        if not self.is_over:
            return advice(self)
        return (_sentence(self.position), *(self.course.sentences if self.course else ()))

    def as_dict(self) -> dict[str, object]:
        """Return the explanation as the JSON contract has it; what misere does not define is null.

        A finished game has nobody to move, and `completed`, its completed lines; where its moves were given `mistakes`,
        those that made the outcome worse for their player.
        """

        def name(cell: Cell) -> str:
            return cell_name(self.board, cell)

        def by_player(found: dict[Player, tuple[Cell, ...]] | None) -> dict[Player, list[str]] | None:
            if found is None:
                return None
            return {player: [name(cell) for cell in cells] for player, cells in found.items()}

        return {
            "board": self.board.spec,
            "position": str(self.position),
            "to_move": None if self.is_over else self.to_move,
            "label": self.label,
            "outcome": self.outcome,
            "remoteness": self.remoteness,
            "at_most": self.at_most,
            "threats": by_player(self.threats),
            "forced": None if self.forced is None else [name(cell) for cell in self.forced],
            "forks": by_player(self.forks),
            "trap": self.is_trap,
            "moves": [move.as_dict() for move in self.moves],
            "forced_wins": None
            if self.forced_wins is None
            else [[name(cell) for cell in sequence] for sequence in self.forced_wins.sequences],
            # Only where it has something to say: most positions have all their forced wins listed.
            **({} if self.forced_wins is None or self.forced_wins.complete else {"forced_wins_complete": False}),
            **({"completed": [[name(cell) for cell in line] for line in self.completed]} if self.is_over else {}),
            **(self.course.as_dict() if self.course else {}),
        }


def _sentence(position: Position) -> str:
    said = ending(position)
    return f"{said[0].upper()}{said[1:]}."


def _reachable(board: Board | str, start: Position | str | None) -> Position:
    board = Board.parse(board)
    return Position(board) if start is None else parse_position(board, start).require_reachable()


def unfinished(board: Board | str, start: Position | str | None) -> Position:
    """Return a reachable position where the game goes on; the empty board for None. Raises InvalidPosition."""
    found = _reachable(board, start)
    if found.is_terminal:
        raise InvalidPosition(f"the game is over in {found}: {ending(found)}; give a position in which play goes on")
    return found


def explain(
    board: Board | str, start: Position | str | None = None, *, solution: Solution | None = None
) -> Explanation:
    """Return what to play in a position, the empty board unless given, and why.

    Of a finished game it says who has won and by which lines, or that it is drawn; where it is given as its moves, also
    which of them gave it away and what would have been better. A position that play cannot reach raises
    InvalidPosition. Cost: that of the values of the position and its moves, and of a finished game of all on its way.
    On boards too large for tables a search gives them: what it does not find within its budget is None, and so is the
    remoteness of won games. Who asks about many positions gives the `solution` to ask, as `solve` returns it.

    >>> explain("3x3", "X.O/.../...").label
    'X can force a win'
    """
    found = _reachable(board, start)
    if solution is not None and not isinstance(solution, Solution):
        raise wrong_type("a solution", solution, "what noughts.solve returns")
    if solution is not None and solution.board != found.board:
        raise InputError(f"the solution is of {solution.board}, not of {found.board}: give both for one board")
    if found.outcome is not None:
        went = _course(found.board, start, solution)
        return Explanation(found, label(found.outcome, decided=True), found.outcome, 0, (), went)
    return explanation(found, solution_for(found) if solution is None else solution)


def _course(board: Board, start: Position | str | None, solution: Solution | None) -> Course | None:
    """Return how a finished game went; None where its moves were not given, or no engine can value them."""
    if not isinstance(start, str) or not is_game(start):
        return None
    try:
        return course(board, parse_game(board, start), solution_for(Position(board)) if solution is None else solution)
    except BudgetError:
        return None


def explanation(start: Position, solution: Solution) -> Explanation:
    """Return what to play in an unfinished position, by a solution."""
    outcome, remoteness = value_of(solution, start)
    found = {move.cell: move for move in solution.moves(start)}
    if outcome is None and any(move.outcome == start.to_move for move in found.values()):
        outcome = start.to_move
    moves = tuple(_move(solution, start, found[cell]) for cell in cells_of(start.blanks))
    most = None if outcome is None or remoteness is not None else _bound(solution, start)
    return Explanation(
        start, label_of(solution, start, outcome), outcome, remoteness, moves, None, most, solution.engine
    )


def _bound(solution: Solution, position: Position) -> int | None:
    """Return a number of plies within which a won game ends; None where it is not known."""
    try:
        return solution.at_most(position)
    except BudgetError:
        return None


def unvalued(start: Position) -> Explanation:
    """Return what there is to say about an unfinished position whose value nobody knows: threats, forks, lines.

    No outcome is given, of the position or of its moves. Cost: that of the threats and forks.
    """
    return Explanation(start, None, None, None, tuple(_unvalued_move(start, cell) for cell in cells_of(start.blanks)))


def _unvalued_move(before: Position, cell: Cell) -> MoveExplanation:
    after = before.play(cell)
    return MoveExplanation(cell, None, None, None, None if before.board.misere else is_fork(after), after)


def value_of(solution: Solution, position: Position) -> tuple[Outcome | None, int | None]:
    """Return outcome and remoteness of a position under best play; None is what the engine did not find."""
    try:
        found = solution.evaluate(position)
    except BudgetError:
        return None, None
    return found.outcome, found.remoteness


def label_of(solution: Solution, position: Position, outcome: Outcome | None) -> str | None:
    """Return the label of a position with a known outcome."""
    return None if outcome is None else label(outcome, solution.is_decided(position))


def _move(solution: Solution, before: Position, move: MoveValue) -> MoveExplanation:
    after = before.play(move.cell)
    fork = None if before.board.misere else is_fork(after)
    word = label_of(solution, after, move.outcome)
    canonical = Position(before.board, *before.board.group().canonical(after.x, after.o))
    return MoveExplanation(move.cell, word, move.outcome, move.remoteness, fork, canonical)
