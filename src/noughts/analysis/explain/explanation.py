"""Everything there is to say about a position: the facts, sentences that a child can follow, and data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from noughts.analysis.explain.facts import (
    ForcedWins,
    PositionFacts,
    ValuedMove,
    completed_lines,
    ending_sentence,
    forced_cells,
    forced_wins,
    fork_cells,
    label,
    named_cells,
    quality,
    reachable,
    threat_mask,
    verdict,
)
from noughts.analysis.explain.mistakes import NAMED, Course, course
from noughts.analysis.solutions import solution_for
from noughts.rules.arguments import wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, moves_on
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell, Outcome, cells_of, opponent
from noughts.rules.position import Position, is_game, parse_game
from noughts.rules.values import for_json
from noughts.solving.solution import Solution

_STEPS = 20_000
"""Steps that are taken to find how a mistake is punished."""


@dataclass(frozen=True, repr=False)
class Explanation(PositionFacts):
    """What to play in a position and why. Outcomes are absolute, remoteness counts plies; None is what was not found.

    `threats`, `forced`, `forks` and `forced_wins` are None under misere, where completing a line loses. `course` is how
    a finished game went, where its moves were given, and else None. `at_most` is a number of plies within which a won
    game ends, where the remoteness was not found. `engine` valued the moves, None where none did.
    """

    course: Course | None = None
    at_most: int | None = None
    engine: str | None = field(default=None, compare=False)
    keys = "board position to_move label outcome remoteness at_most threats forced forks trap=is_trap moves"

    @cached_property
    def forced(self) -> tuple[Cell, ...] | None:
        """The cells that the rule `block` leaves; empty when it leaves all."""
        if self.board.misere:
            return None
        left = 0 if self.is_terminal else forced_cells(self.position)
        return () if left == self.position.blanks else moves_on(self.board, cells_of(left))

    @cached_property
    def losing_moves(self) -> tuple[ValuedMove, ...]:
        """The moves that lose: the position is not lost, and after the move it is. None loses what was lost before."""
        if self.outcome is None and not self.is_trap:
            return ()
        return tuple(move for move in self.moves if move.outcome == opponent(self.to_move) != self.outcome)

    @cached_property
    def moves_giving_up_the_win(self) -> tuple[ValuedMove, ...]:
        """The moves that make a draw of a position that the side to move can win."""
        return tuple(m for m in self.moves if quality(self.to_move, self.outcome, m.outcome) == "gives up a win")

    def verdict(self, move: ValuedMove) -> str:
        """Return what a move does in a few words, as the side to move sees it: `wins in 3 moves`, `draws`, `loses`."""
        return verdict(self.to_move, self.outcome, move.outcome, move.remoteness)

    @cached_property
    def best_moves(self) -> tuple[ValuedMove, ...]:
        """The moves that keep the value and, of these, win soonest or lose latest."""
        kept = [move for move in self.moves if move.outcome is not None and move.outcome == self.outcome]
        plies = [move.remoteness for move in kept if move.remoteness is not None]
        if not kept or len(plies) < len(kept):
            return tuple(kept)
        best = (min if self.outcome == self.to_move else max)(plies)
        return tuple(move for move in kept if move.remoteness == best)

    @cached_property
    def forced_wins(self) -> ForcedWins | None:
        """Every way in which the side to move, if it wins, can force a fork."""
        if self.board.misere:
            return None
        if self.outcome != self.to_move or self.is_terminal:
            return ForcedWins((), True)
        return forced_wins(self.position)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What a child can follow: what to play, and why not the rest."""
        if not self.is_terminal:
            return advice(self)
        return (ending_sentence(self.position), *(self.course.sentences if self.course else ()))

    def as_dict(self) -> dict[str, object]:
        """Return the explanation as the JSON contract has it; what misere does not define is null.

        In a finished game `to_move` is null, and `completed` has its completed lines; where its moves were given
        `mistakes` has those that made the outcome worse for their player.
        """

        wins, found = self.forced_wins, super().as_dict()
        sequences = [] if wins is None else [moves_on(self.board, sequence) for sequence in wins.sequences]
        found["forced_wins"] = None if wins is None else for_json(sequences)
        if wins is not None and not wins.complete:  # most positions have all their forced wins listed
            found["forced_wins_complete"] = False
        if self.is_terminal:
            lines = for_json([moves_on(self.board, line) for line in completed_lines(self.position)])
            found |= {"to_move": None, "completed": lines}
        return found | (self.course.as_dict() if self.course else {})


def explain(
    board: Board | str, start: Position | str | None = None, *, solution: Solution | None = None
) -> Explanation:
    """Return what to play in a position, the empty board unless given, and why.

    Of a finished game it says who has won and by which lines, or that it is drawn; where it is given as its moves, also
    which of them gave it away and what would have been better. A position that play cannot reach raises
    InvalidPosition. Cost: that of the values of the position and its moves, and of a finished game of all on its way.
    On boards too large for tables a search gives them: what it does not find within its budget is None, and so is the
    remoteness of won games. A caller with many positions gives the `solution` to ask, as `solve` returns it.

    >>> explain("3x3", "X.O/.../...").label
    'X can force a win'
    """
    found = reachable(board, start)
    require_solution(solution, found.board)
    if found.outcome is None:
        return explanation(found, solution_for(found) if solution is None else solution)
    went = None
    if isinstance(start, str) and is_game(start):
        with suppress(BudgetError):
            values = solution_for(Position(found.board)) if solution is None else solution
            went = course(found.board, parse_game(found.board, start), values)
    return Explanation(found, label(found.outcome, decided=True), found.outcome, 0, (), went)


def require_solution(solution: object, board: Board) -> None:
    """Raise where what is given is no solution of a board; None is fine."""
    if solution is None:
        return
    if not isinstance(solution, Solution):
        raise wrong_type("a solution", solution, "what noughts.solve returns")
    if solution.board != board:
        raise InputError(f"the solution is of {solution.board}, not of {board}: give both for one board")


def explanation(start: Position, solution: Solution) -> Explanation:
    """Return what to play in an unfinished position, by a solution."""
    outcome, remoteness = value_of(solution, start)
    found = {move.cell: move for move in solution.moves(start)}
    if outcome is None and any(move.outcome == start.to_move for move in found.values()):
        outcome = start.to_move
    moves = []
    for cell in start.moves():
        move, after = found[cell], start.play(cell)
        word = label_of(solution, after, move.outcome)
        moves.append(ValuedMove((cell,), after, word, move.outcome, move.remoteness))
    _tell_forks(start, moves)
    most = None
    if outcome is not None and remoteness is None:
        with suppress(BudgetError):
            most = solution.at_most(start)
    word = label_of(solution, start, outcome)
    return Explanation(start, word, outcome, remoteness, tuple(moves), None, most, solution.engine)


def unvalued(start: Position) -> Explanation:
    """Return what there is to say about an unfinished position without its value: threats, forks, lines.

    No outcome is given, of the position or of its moves. Cost: that of the threats and forks.
    """
    moves = [ValuedMove((cell,), start.play(cell), None, None, None) for cell in start.moves()]
    _tell_forks(start, moves)
    return Explanation(start, None, None, None, tuple(moves))


def _tell_forks(start: Position, moves: Iterable[ValuedMove]) -> None:
    """Tell all moves of a position whether they create a fork, which each alone goes through all lines for."""
    forks = None if start.board.misere else fork_cells(start, start.to_move)
    for move in moves:
        vars(move)["creates_fork"] = None if forks is None else bool(forks >> move.cell & 1)


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


def advice(facts: Explanation, made: Cell | None = None) -> tuple[str, ...]:
    """Return sentences, addressed to the side to move: the state of play, what to do, and the trap to avoid.

    `made` is a move that was made there: of the moves that lose, it is said of this one how it is punished.
    """
    if facts.label is not None and (facts.label.endswith("wins") or facts.label == "draw"):
        return (_decided(facts),)
    if facts.board.misere:
        return tuple(_by_value(facts, made))
    assert facts.threats is not None
    mine, theirs = facts.threats[facts.to_move], facts.threats[opponent(facts.to_move)]
    if mine:
        return (f"Complete your line at {_names(facts, mine, 'or')}: you win at once.",)
    if theirs:
        return (*_under_threat(facts, theirs), *_tempting(facts))
    return (*_free(facts), *_errors(facts, made))


def reason(facts: Explanation, move: ValuedMove) -> str:
    """Return why a move wins at once, forks, or loses what was not lost, in a sentence; nothing of other moves."""
    mover = facts.to_move
    if facts.board.misere or move.outcome not in (mover, opponent(mover)):
        return ""
    if move.outcome == mover:
        if move.remoteness == 0:
            return f"It completes a line of {mover}."
        return f"It makes {_threats(facts, [move.cell])}, and only one can be blocked." if move.creates_fork else ""
    return f"Then {_punished(facts, move)}." if move in facts.losing_moves else ""


def _names(facts: Explanation, cells: Sequence[Cell], joiner: str = "and") -> str:
    return named_cells(facts.board, cells, joiner)


def _decided(facts: Explanation) -> str:
    board = facts.board
    if not board.lines:
        return "The board has no line to complete, so the game will be a draw however you both play."
    if facts.label == "draw":  # X has the marks for the shortest line, if play could complete one from the empty board
        longer = " any more" if min(map(len, board.lines)) <= (board.cells + 1) // 2 else ""
        return f"Nobody can complete a line{longer}, however you both play: the game will be a draw."
    winner = "You win" if facts.outcome == facts.to_move else f"{facts.outcome} wins"
    return f"{winner}, however you both play."


def _under_threat(facts: Explanation, theirs: tuple[Cell, ...]) -> list[str]:
    where, other = _names(facts, theirs), opponent(facts.to_move)
    if len(theirs) > 1:
        return [f"You are threatened at {where} and can block only one: {other} wins."]
    block = next(move for move in facts.moves if move.cell == theirs[0])
    sentence = f"You are threatened at {where}: block there"
    if block.outcome == other:
        return [f"{sentence}, though {other} can win all the same."]
    if block.creates_fork:
        return [f"{sentence}.", f"With this block you make {_threats(facts, [block.cell])}: you win."]
    return [f"{sentence}.", *["Then you can force a win."] * (block.outcome == facts.to_move)]


def _free(facts: Explanation) -> list[str]:
    other = opponent(facts.to_move)
    if facts.outcome == facts.to_move:
        return [_winning(facts)]
    if facts.outcome == other:
        best = [move.cell for move in facts.best_moves]
        longest = f"; {_names(facts, best)} {'holds' if len(best) == 1 else 'hold'} out longest"
        if len(best) == len(facts.moves) or any(move.remoteness is None for move in facts.best_moves):
            longest = ""
        return [f"{other} can force a win, whatever you play{longest}."]
    good = [move.cell for move in facts.moves if move.outcome == "draw"]
    if facts.outcome is None:
        return ["Nobody is threatened; who wins was not found."]
    if len(good) == len(facts.moves):
        return ["Any move keeps the draw."]
    return [f"{'Only ' * (len(good) == 1)}{_names(facts, good)} keep{'s' * (len(good) == 1)} the draw."]


def _threats(facts: Explanation, forks: list[Cell]) -> str:
    """Return how many threats moves that fork make."""
    many = {threat_mask(facts.position.play(cell), facts.to_move).bit_count() for cell in forks}
    return "two threats at once" if many == {2} else "two or more threats at once"


def _winning(facts: Explanation) -> str:
    assert facts.forced_wins is not None
    sequences = facts.forced_wins.sequences
    winning = [move.cell for move in facts.moves if move.outcome == facts.to_move]
    forks = [sequence[0] for sequence in sequences if len(sequence) == 1]
    if len(winning) == len(facts.moves) and not forks:
        return "You can force a win, whatever your next move."
    if not sequences:
        return f"You can force a win, though not by threats alone: play {_names(facts, winning, 'or')}."
    if forks:
        made = _threats(facts, forks)
        return f"Play {_names(facts, forks, 'or')}: you make {made}, and only one can be blocked."
    first, *rest = [cell_name(facts.board, cell) for cell in sequences[0]]
    steps = [f"play {first}"]
    for block, then in zip(rest[::2], rest[1::2], strict=True):
        steps += [f"{opponent(facts.to_move)} must block at {block}", f"you play {then}"]
    return f"You can force a win: {', then '.join(steps)} and threaten twice at once."


def _errors(facts: Explanation, made: Cell | None) -> list[str]:
    """Name the moves that give up a win, and those that lose; say how the move made, else the first, is punished."""
    slack, losing = facts.moves_giving_up_the_win, facts.losing_moves
    found = [f"{_named_moves(facts, slack, 'give', 'gives')} up the win."] if slack else []
    if not losing:
        return found
    said = _named_moves(facts, losing, "lose", "loses")
    if facts.board.misere:
        return [*found, f"{said}."]
    if len(losing) == 1:
        return [*found, f"{said}: {_punished(facts, losing[0])}."]
    shown = next((move for move in losing if move.cell == made), losing[0])
    return [*found, f"{said}.", f"After {_names(facts, [shown.cell])}, {_punished(facts, shown)}."]


def _named_moves(facts: Explanation, moves: tuple[ValuedMove, ...], plural: str, singular: str) -> str:
    """Return the moves with a verb; where they are many and the others few, `every move but` those."""
    named = {move.cell for move in moves}
    others = [move.cell for move in facts.moves if move.cell not in named]
    if len(moves) > NAMED and 0 < len(others) <= NAMED:
        return f"Every move but {_names(facts, others)} {singular}"
    return f"{_names(facts, sorted(named))} {singular if len(moves) == 1 else plural}"


def _tempting(facts: Explanation) -> list[str]:
    """Under a threat any move but the block loses at once; the tempting ones make a threat of their own."""
    at, mover = facts.position, facts.to_move
    tempting = [move for move in facts.losing_moves if threat_mask(at.play(move.cell), mover)]
    if not tempting:
        return []
    fate = _punished(facts, tempting[0])
    alike = tuple(move for move in tempting if _punished(facts, move) == fate)
    return [f"{_named_moves(facts, alike, 'also look good', 'also looks good')}, but then {fate}."]


def _punished(facts: Explanation, move: ValuedMove) -> str:
    after = facts.position.play(move.cell)
    other = after.to_move
    if wins := threat_mask(after, other):
        return f"{other} completes a line at {_names(facts, [next(cells_of(wins))])}"
    sequences = forced_wins(after, limit=_STEPS).sequences
    if not sequences:
        return f"{other} can force a win"
    first = _names(facts, sequences[0][:1])
    return f"{other} forks with {first}" if len(sequences[0]) == 1 else f"{other} plays {first} and forces a fork"


def _by_value(facts: Explanation, made: Cell | None) -> list[str]:
    """Under misere: by value alone."""
    keep = [move.cell for move in facts.moves if move.outcome == facts.outcome]
    rule, won = "Whoever completes a line loses.", facts.outcome == facts.to_move
    if facts.outcome is None:
        return [rule, "Who wins was not found."]
    if facts.outcome == opponent(facts.to_move):
        return [rule, *_free(facts)]
    if len(keep) == len(facts.moves):
        return [rule, "You can force a win, whatever your next move." if won else "Any move keeps the draw."]
    best = f"To {'win' if won else 'keep the draw'}, play {_names(facts, keep, 'or')}."
    return [rule, best, *_errors(facts, made)]
