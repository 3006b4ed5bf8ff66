"""A position explained: its facts, advice in sentences that a child can follow, and data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from noughts.analysis.explain.answers import losing_answers, most_losing_answers
from noughts.analysis.explain.facts import (
    ForcedWins,
    PositionFacts,
    ValuedMove,
    along,
    forced_cells,
    forced_wins,
    fork_cells,
    is_fork,
    previous_positions,
    reachable,
    threat_mask,
    ways_by_choices,
    ways_to,
)
from noughts.analysis.explain.mistakes import Course, course
from noughts.analysis.explain.refutation import refutation
from noughts.analysis.explain.wording import (
    NAMED,
    completed_lines,
    ending_sentence,
    label,
    length_rule,
    named_cells,
    quality,
    verdict,
)
from noughts.analysis.solutions import solution_for
from noughts.rules.arguments import wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, move_name, moves_on
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell, Outcome, cells_of, opponent
from noughts.rules.position import Position, PositionLike, is_game, parse_game, read_move
from noughts.rules.turns import IMAGE_LIMIT, images
from noughts.rules.values import begun, for_json, record
from noughts.solving.search import SearchSolution
from noughts.solving.solution import MoveValue, Solution


@dataclass(frozen=True, repr=False)
class Explanation(PositionFacts):
    """What to play in a position and why. Outcomes are absolute, remoteness counts plies; an unknown value is None.

    `threats`, `forced`, `forks` and `forced_wins` are None under misere, where completing a line loses, and where marks
    do not name the players; there `completing` has the moves that complete a line. `course`
    has the mistakes of a finished game if its moves were given, else None. `at_most` bounds the plies to the end of a
    won game whose remoteness was not found. `engine` names the engine that valued the moves, or None. `bound` says who
    cannot win an open misere position, if that is seen at once.
    """

    course: Course | None = None
    at_most: int | None = None
    engine: str | None = field(default=None, compare=False)
    bound: str | None = field(default=None, compare=False)
    keys = "board position to_move label outcome remoteness at_most threats forced forks trap=is_trap moves"

    @cached_property
    def forced(self) -> tuple[Cell, ...] | None:
        """The cells that the rule `block` allows; empty when it allows every move."""
        if not self.board.rules.has_threats:
            return None
        left = 0 if self.is_terminal else forced_cells(self.position)
        return () if left == self.position.playable else moves_on(self.board, cells_of(left))

    @cached_property
    def losing_moves(self) -> tuple[ValuedMove, ...]:
        """The moves that turn a position that is not lost into a lost one; none where it was lost before."""
        if self.outcome is None and not self.is_trap:
            return ()
        return tuple(move for move in self.moves if move.outcome == opponent(self.to_move) != self.outcome)

    @cached_property
    def moves_giving_up_the_win(self) -> tuple[ValuedMove, ...]:
        """The moves that turn a won position into a draw."""
        return tuple(m for m in self.moves if quality(self.to_move, self.outcome, m.outcome) == "gives up a win")

    def verdict(self, move: ValuedMove | Cell | str) -> str:
        """Return what a move, or one on a cell, does for the side to move: `wins in 3 moves`, `draws`, `loses`.

        Raises InvalidCell, and InvalidPosition for a move that cannot be played.
        """
        if not isinstance(move, ValuedMove):
            cell = read_move(self.position, move)
            self.position.play(cell)
            move = next(each for each in self.moves if cell in each.cells)
        return verdict(self.to_move, self.outcome, move.outcome, move.remoteness, length_rule(self.board))

    @cached_property
    def best_moves(self) -> tuple[ValuedMove, ...]:
        """The moves that keep the value and, of these, win soonest or lose latest."""
        keeping = [move for move in self.moves if move.outcome is not None and move.outcome == self.outcome]
        plies = [move.remoteness for move in keeping if move.remoteness is not None]
        if not keeping or len(plies) < len(keeping):
            return tuple(keeping)
        best = (min if self.outcome == self.to_move else max)(plies)
        return tuple(move for move in keeping if move.remoteness == best)

    @cached_property
    def forced_wins(self) -> ForcedWins | None:
        """Every sequence by which the side to move, if it wins, can force a fork."""
        if not self.board.rules.has_threats:
            return None
        if self.outcome != self.to_move or self.is_terminal:
            return ForcedWins((), True)
        return forced_wins(self.position)

    @cached_property
    def predecessors(self) -> tuple[Position, ...]:
        """The positions one move earlier, one of each class."""
        return tuple(earlier for earlier, _ in previous_positions(self.position))

    @cached_property
    def ways(self) -> int | None:
        """In how many orders of moves play leads to this position; None where that is long."""
        return ways_to(self.position)

    @cached_property
    def ways_by_choices(self) -> int | None:
        """In how many ways play leads to its class, moves to one class being one choice; None where that is long."""
        return ways_by_choices(self.position)

    @cached_property
    def images(self) -> dict[str, Position] | None:
        """Its image under each symmetry, by the symmetry in words; None for more than IMAGE_LIMIT symmetries."""
        return images(self.board, self.position) if self.board.group().order <= IMAGE_LIMIT else None

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What to play, and why not the other moves, in sentences that a child can follow."""
        if not self.is_terminal:
            return advice(self)
        return (ending_sentence(self.position), *(self.course.sentences if self.course else ()))

    def as_dict(self) -> dict[str, object]:
        """Return the explanation for JSON; what misere does not define is null.

        In a finished game `to_move` is null, and `completed` has its completed lines. If its moves were given,
        `mistakes` has the moves that made the outcome worse for their player.
        """

        wins, found = self.forced_wins, super().as_dict()
        sequences = [] if wins is None else [moves_on(self.board, sequence) for sequence in wins.sequences]
        found["forced_wins"] = None if wins is None else for_json(sequences)
        if wins is not None and not wins.complete:  # most positions have all their forced wins listed
            found["forced_wins_complete"] = False
        ways, choices = (None if each is None else str(each) for each in (self.ways, self.ways_by_choices))
        found |= {"ways": ways, "ways_by_choices": choices}
        if self.completing is not None:
            found["completing"] = for_json(self.completing)
        found |= record(self, "predecessors", "images")
        if self.is_terminal:
            lines = for_json([moves_on(self.board, line) for line in completed_lines(self.position)])
            found |= {"to_move": None, "completed": lines}
        return found | (self.course.as_dict() if self.course else {})


def explain(board: Board | str, start: PositionLike | None = None, *, solution: Solution | None = None) -> Explanation:
    """Return what to play in a position, the empty board unless given, and why.

    For a finished game it says who won by which lines, or that it is drawn. If the game is given as its moves, it also
    names the mistakes and the better moves.

    Parameters
    ----------
    board
        The board, or its name.
    start
        A position or the moves that lead to it; the empty board by default.
    solution
        The values to use, as `solve` returns them; for callers with many positions.

    Returns
    -------
    Explanation
        Outcomes are absolute, remoteness counts plies. On boards too large for tables a search gives the values. What
        it does not find within its budget is None; so is the remoteness of won games.

    Raises
    ------
    InvalidPosition
        Play cannot reach the position.

    Notes
    -----
    Cost: the values of the position and of its moves; for a finished game, of every position in it.

    >>> explain("3x3", "X.O/.../...").label
    'X can force a win'
    """
    found = reachable(board, start)
    require_solution(solution, found.board)
    if found.outcome is None:
        return explanation(found, solution_for(found) if solution is None else solution)
    went = None
    if is_game(start, found.board):
        with suppress(BudgetError):
            values = solution_for(Position(found.board)) if solution is None else solution
            went = course(found.board, parse_game(found.board, start), values)
    return Explanation(found, label(found.outcome, True, found.board), found.outcome, 0, (), went)


def require_solution(solution: object, board: Board) -> None:
    """Raise InputError unless the argument is None or a solution of the board."""
    if solution is None:
        return
    if not isinstance(solution, Solution):
        raise wrong_type("a solution", solution, "what noughts.solve returns")
    if solution.board != board:
        raise InputError(f"the solution is of {solution.board}, not of {board}: give both for one board")


def explanation(start: Position, solution: Solution) -> Explanation:
    """Return what to play in an unfinished position, with the values of a solution. Raises InvalidQuestion."""
    known, most = value_of(solution, start), None
    if known[0] is not None and known[1] is None:
        with suppress(BudgetError):
            most = solution.at_most(start)  # before the moves, as `solve` does
    outcome, remoteness, found = valued(solution, start, known)
    moves = []
    for cell in start.moves():
        move, after = found[cell], start.play(cell)
        word = label_of(solution, after, move.outcome)
        lost = losing_answers(solution, after, move.outcome if outcome == "draw" else None)
        moves.append(ValuedMove((cell,), after, word, move.outcome, move.remoteness, losing_answers=lost))
    _note_forks(start, moves)
    word = label_of(solution, start, outcome)
    bound = solution.stages.bound(start) if outcome is None and isinstance(solution, SearchSolution) else None
    return Explanation(start, word, outcome, remoteness, tuple(moves), None, most, solution.engine, bound)


def unvalued(start: Position) -> Explanation:
    """Return the threats, forks and lines of an unfinished position, without any outcome.

    Cost: that of the threats and forks.
    """
    moves = [ValuedMove((cell,), start.play(cell), None, None, None) for cell in start.moves()]
    _note_forks(start, moves)
    return Explanation(start, None, None, None, tuple(moves))


def _note_forks(start: Position, moves: Iterable[ValuedMove]) -> None:
    """Store in each move whether it creates a fork, found in one pass over the lines."""
    forks = fork_cells(start, start.to_move) if start.board.rules.has_threats else None
    for move in moves:
        vars(move)["creates_fork"] = None if forks is None else bool(forks >> move.cell & 1)


def value_of(solution: Solution, position: Position) -> tuple[Outcome | None, int | None]:
    """Return outcome and remoteness of a position under best play; None for what the engine did not find."""
    try:
        found = solution.evaluate(position)
    except BudgetError:
        return None, None
    return found.outcome, found.remoteness


def valued(
    solution: Solution, start: Position, known: tuple[Outcome | None, int | None] | None = None
) -> tuple[Outcome | None, int | None, dict[Cell, MoveValue]]:
    """Return outcome and remoteness of a position as `value_of` does, if not `known`, and the values of its moves.

    A move that wins tells the outcome where the engine did not find it.
    """
    outcome, remoteness = value_of(solution, start) if known is None else known
    moves: dict[Cell, MoveValue] = {move.cell: move for move in solution.moves(start)}
    if outcome is None and any(move.outcome == start.to_move for move in moves.values()):
        outcome = start.to_move
    return outcome, remoteness, moves


def label_of(solution: Solution, position: Position, outcome: Outcome | None) -> str | None:
    """Return the label of a position with a known outcome."""
    return None if outcome is None else label(outcome, solution.is_decided(position), position.board)


def advice(facts: Explanation) -> tuple[str, ...]:
    """Return advice to the side to move: the state of play, what to play, and which moves to avoid."""
    if facts.label is not None and (facts.label.endswith("wins") or facts.label == "draw"):
        return (_decided(facts),)
    most = list(filter(None, [most_losing_answers(facts.moves)]))
    if not facts.board.rules.has_threats:
        return tuple(_by_value(facts, most))
    assert facts.threats is not None
    mine, theirs = facts.threats[facts.to_move], facts.threats[opponent(facts.to_move)]
    if mine:
        return (f"Complete your line at {_names(facts, mine, 'or')}: you win at once.",)
    if theirs:
        return (*_under_threat(facts, theirs), *_tempting(facts))
    return (*_free(facts), *most, *_errors(facts))


def reason(facts: Explanation, move: ValuedMove) -> str:
    """Return in a sentence why a move wins at once, wins by a fork, or loses; empty for other moves."""
    mover = facts.to_move
    if not facts.board.rules.has_threats or move.outcome not in (mover, opponent(mover)):
        return ""
    if move.outcome == mover:
        if move.remoteness == 0:
            return f"It completes a line of {mover}."
        return f"It makes {_threats(facts, [move.cell])}, and only one can be blocked." if move.creates_fork else ""
    return f"Then {_punished(facts, move)}." if move in facts.losing_moves else ""


def _names(facts: Explanation, cells: Sequence[Cell], joiner: str = "and") -> str:
    if facts.board.rules.alternating or len(cells) <= NAMED:
        return named_cells(facts.board, cells, joiner)
    return f"{'one of ' * (joiner == 'or')}{len(cells)} moves such as {move_name(facts.board, cells[0])}"


def _other(facts: Explanation) -> str:
    """Return the name of the player who is not to move, at the start of a sentence."""
    return begun(facts.board.rules.name_of(opponent(facts.to_move)))


def _decided(facts: Explanation) -> str:
    board = facts.board
    if not board.lines:
        wins = board.rules.full_wins
        end = "every game is a draw" if wins is None else f"{board.rules.name_of(wins)} wins every game"
        return f"The board has no line to complete, so {end}."
    if facts.label == "draw":  # X has the marks for the shortest line, if play could complete one from the empty board
        longer = " any more" if min(map(len, board.lines)) <= (board.cells + 1) // 2 else ""
        return f"Neither player can complete a line{longer}: the game will be a draw."
    if facts.outcome == facts.to_move:
        return "You win, however you both play."
    return f"{_other(facts)} wins, however you both play."


def _under_threat(facts: Explanation, theirs: tuple[Cell, ...]) -> list[str]:
    where, other = _names(facts, theirs), opponent(facts.to_move)
    if len(theirs) > 1:
        return [f"{other} threatens to complete a line at {where}, and you can block only one: {other} wins."]
    block = next(move for move in facts.moves if move.cell == theirs[0])
    sentence = f"{other} threatens to complete a line at {where}: block there"
    if block.outcome == other:
        return [f"{sentence}, but {other} can still force a win."]
    if block.creates_fork:
        return [f"{sentence}.", f"This block makes {_threats(facts, [block.cell])}: you win."]
    return [f"{sentence}.", *["Then you can force a win."] * (block.outcome == facts.to_move)]


def _free(facts: Explanation) -> list[str]:
    if facts.outcome == facts.to_move:
        return [_winning(facts)]
    if facts.outcome == opponent(facts.to_move):
        best, longest = [move.cell for move in facts.best_moves], ""
        if 0 < len(best) < len(facts.moves) and all(move.remoteness is not None for move in facts.best_moves):
            longest = f"; {_names(facts, best)} {'holds' if len(best) == 1 else 'hold'} out longest"
        return [f"{_other(facts)} can force a win after any of your moves{longest}."]
    if facts.outcome is None:
        return ["Neither player threatens to complete a line; who wins was not found."]
    good = [move.cell for move in facts.moves if move.outcome == "draw"]
    if not good:
        return ["With best play it is a draw; the moves that keep it were not found."]
    if len(good) == len(facts.moves):
        return ["Any move keeps the draw."]
    alone, unknown = len(good) == 1, _unknown(facts)
    return [f"{'Only ' * (alone and not unknown)}{_names(facts, good)} keep{'s' * alone} the draw{unknown}."]


def _unknown(facts: Explanation) -> str:
    """Return a clause on the moves without a value; empty if there are none."""
    many = sum(move.outcome is None for move in facts.moves)
    return f"; the value of {many} other move{'s' * (many > 1)} was not found" if many else ""


def _threats(facts: Explanation, forks: list[Cell]) -> str:
    """Return in words how many threats the forking moves make."""
    many = {threat_mask(facts.position.play(cell), facts.to_move).bit_count() for cell in forks}
    return "two threats at once" if many == {2} else "two or more threats at once"


def _winning(facts: Explanation) -> str:
    assert facts.forced_wins is not None
    sequences = facts.forced_wins.sequences
    winning = [move.cell for move in facts.moves if move.outcome == facts.to_move]
    single = [sequence[0] for sequence in sequences if len(sequence) == 1]
    if len(winning) == len(facts.moves) and not single:
        return "Any move keeps your win."
    if not sequences and not winning:
        return "You can force a win; the moves that keep it were not found."
    if not sequences:
        alone = ", but not by threats alone" * facts.forced_wins.complete
        return f"You can force a win{alone}: play {_names(facts, winning, 'or')}{_unknown(facts)}."
    forks = [cell for cell in single if is_fork(facts.position.play(cell))]
    if forks:
        made = _threats(facts, forks)
        return f"Play {_names(facts, forks, 'or')}: you make {made}, and only one can be blocked."
    if single:
        return f"Play {_names(facts, single[:1])}: you threaten {_stacked(facts.position.play(single[0]))}."
    first, *rest = [cell_name(facts.board, cell) for cell in sequences[0]]
    steps = [f"play {first}"]
    for block, then in zip(rest[::2], rest[1::2], strict=True):
        steps += [f"{opponent(facts.to_move)} must block at {block}", f"you play {then}"]
    end = along(facts.position, sequences[0])[-1]
    last = "threaten twice at once" if is_fork(end) else f"threaten {_stacked(end)}"
    return f"You can force a win: {', then '.join(steps)} and {last}."


def _stacked(after: Position) -> str:
    """Return in words where the last mover completes a line, and where else after a block, as under gravity."""
    board, mover = after.board, opponent(after.to_move)
    first = threat_mask(after, mover)
    then = threat_mask(after.play(first.bit_length() - 1), mover)
    names = (named_cells(board, cells_of(cells), "or") for cells in (first, then))
    return "to complete a line at {}, and a block there lets you do so at {}".format(*names)


def _errors(facts: Explanation) -> list[str]:
    """Name the moves that give up a win or lose, and how the first that loses is punished."""
    slack, losing = facts.moves_giving_up_the_win, facts.losing_moves
    found = [f"{_named_moves(facts, slack, 'give', 'gives')} up the win."] if slack else []
    if not losing:
        return found
    losers = _named_moves(facts, losing, "lose", "loses")
    if not facts.board.rules.has_threats:
        return [*found, f"{losers}."]
    if len(losing) == 1:
        return [*found, f"{losers}: {_punished(facts, losing[0])}."]
    return [*found, f"{losers}.", f"After {_names(facts, [losing[0].cell])}, {_punished(facts, losing[0])}."]


def _named_moves(facts: Explanation, moves: tuple[ValuedMove, ...], plural: str, singular: str) -> str:
    """Return the moves with a verb; if they are many and the others few, `every move but` the others."""
    named = {move.cell for move in moves}
    others = [move.cell for move in facts.moves if move.cell not in named]
    if len(moves) > NAMED and 0 < len(others) <= NAMED and not _unknown(facts):
        return f"Every move but {_names(facts, others)} {singular}"
    return f"{_names(facts, sorted(named))} {singular if len(moves) == 1 else plural}"


def _tempting(facts: Explanation) -> list[str]:
    """Name the moves that ignore a threat, and so lose, but make a threat of their own."""
    at, mover = facts.position, facts.to_move
    tempting = [move for move in facts.losing_moves if threat_mask(at.play(move.cell), mover)]
    if not tempting:
        return []
    fate = _punished(facts, tempting[0])
    alike = tuple(move for move in tempting if _punished(facts, move) == fate)
    return [f"{_named_moves(facts, alike, 'also look good', 'also looks good')}, but then {fate}."]


def _punished(facts: Explanation, move: ValuedMove) -> str:
    return refutation(facts.position.play(move.cell)).brief


def _by_value(facts: Explanation, most: Iterable[str]) -> list[str]:
    """Return advice by the values alone, under misere and where marks do not name the players."""
    keep = [move.cell for move in facts.moves if move.outcome == facts.outcome]
    rule, won = f"{begun(facts.board.rules.goal)}.", facts.outcome == facts.to_move
    at_once = [move.cell for move in facts.moves if move.remoteness == 0 and move.outcome == facts.to_move]
    if at_once and len(keep) < len(facts.moves):
        return [rule, f"Play {_names(facts, at_once, 'or')}: you win at once."]
    if facts.outcome is None:
        return [rule, "Who wins was not found.", *([f"{facts.bound}."] if facts.bound else [])]
    if facts.outcome == opponent(facts.to_move):
        return [rule, *_free(facts)]
    if len(keep) == len(facts.moves):
        return [rule, "Any move keeps your win." if won else "Any move keeps the draw.", *most]
    best = f"To {'win' if won else 'keep the draw'}, play {_names(facts, keep, 'or')}{_unknown(facts)}."
    return [rule, best, *most, *_errors(facts)]
