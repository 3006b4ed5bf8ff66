"""The facts of an explanation as sentences that a child can follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from noughts.analysis.explain.facts import (
    Facts,
    MoveExplanation,
    ending,
    forced_wins,
    is_fork,
    label,
    quality,
    threat_mask,
)
from noughts.analysis.solutions import solution_for
from noughts.rules.arguments import wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError, InvalidPosition
from noughts.rules.marks import Cell, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position, is_game, parse_game, parse_position
from noughts.rules.values import short
from noughts.solving.solution import Evaluation, MoveValue, Solution

_NAMED = 8
"""Moves up to which a sentence names them all."""
_STEPS = 20_000
"""Steps that are taken to find how a mistake is punished."""


def listed(words: list[str], joiner: str = "and") -> str:
    """Return words as a list in prose: `a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joiner} {words[-1]}"


def advice(facts: Facts, made: Cell | None = None) -> tuple[str, ...]:
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
    return tuple(
        [*_under_threat(facts, theirs), *_tempting(facts)] if theirs else [*_free(facts), *_errors(facts, made)]
    )


def reason(facts: Facts, move: MoveExplanation) -> str:
    """Return why a move wins at once, forks, or loses what was not lost, in a sentence; nothing of other moves."""
    mover = facts.to_move
    if facts.board.misere or move.outcome not in (mover, opponent(mover)):
        return ""
    if move.outcome == mover:
        if move.remoteness == 0:
            return f"It completes a line of {mover}."
        return f"It makes {_threats(facts, [move.cell])}, and only one can be blocked." if move.creates_fork else ""
    return f"Then {_punished(facts, move)}." if move in facts.losing_moves else ""


def _decided(facts: Facts) -> str:
    if not facts.board.lines:
        return "The board has no line to complete, so the game will be a draw however you both play."
    if facts.label == "draw":
        longer = " any more" if _could_be_completed(facts.board) else ""
        return f"Nobody can complete a line{longer}, however you both play: the game will be a draw."
    winner = "You win" if facts.outcome == facts.to_move else f"{facts.outcome} wins"
    return f"{winner}, however you both play."


def _could_be_completed(board: Board) -> bool:
    """Return whether some play from the empty board completes a line: X has the marks for the shortest one."""
    return min(map(len, board.lines)) <= (board.cells + 1) // 2


def _under_threat(facts: Facts, theirs: tuple[Cell, ...]) -> list[str]:
    if len(theirs) > 1:
        where = _names(facts, theirs, "and")
        return [f"You are threatened at {where} and can block only one: {opponent(facts.to_move)} wins."]
    where = _names(facts, theirs, "and")
    sentence = f"You are threatened at {where}: block there."
    block = next(move for move in facts.moves if move.cell == theirs[0])
    if block.outcome == opponent(facts.to_move):
        return [f"{sentence[:-1]}, though {opponent(facts.to_move)} can win all the same."]
    if block.creates_fork:
        return [sentence, f"With this block you make {_threats(facts, [block.cell])}: you win."]
    if block.outcome == facts.to_move:
        return [sentence, "Then you can force a win."]
    return [sentence]


def _free(facts: Facts) -> list[str]:
    mover, other = facts.to_move, opponent(facts.to_move)
    if facts.outcome == mover:
        return [_winning(facts)]
    if facts.outcome == other:
        best = [move.cell for move in facts.best_moves]
        if len(best) == len(facts.moves) or any(move.remoteness is None for move in facts.best_moves):
            return [f"{other} can force a win, whatever you play."]
        holds = "holds" if len(best) == 1 else "hold"
        return [f"{other} can force a win, whatever you play; {_names(facts, best, 'and')} {holds} out longest."]
    good = [move.cell for move in facts.moves if move.outcome == "draw"]
    if facts.outcome is None:
        return ["Nobody is threatened; who wins was not found."]
    if len(good) == len(facts.moves):
        return ["Any move keeps the draw."]
    if len(good) == 1:
        return [f"Only {_names(facts, good, 'or')} keeps the draw."]
    return [f"{_names(facts, good, 'and')} keep the draw."]


def _threats(facts: Facts, forks: list[Cell]) -> str:
    """Return how many threats moves that fork make."""
    many = {threat_mask(facts.position.play(cell), facts.to_move).bit_count() for cell in forks}
    return "two threats at once" if many == {2} else "two or more threats at once"


def _winning(facts: Facts) -> str:
    assert facts.forced_wins is not None
    sequences = facts.forced_wins.sequences
    winning = [move.cell for move in facts.moves if move.outcome == facts.to_move]
    if len(winning) == len(facts.moves) and not any(len(sequence) == 1 for sequence in sequences):
        return "You can force a win, whatever your next move."
    if not sequences:
        return f"You can force a win, though not by threats alone: play {_names(facts, winning, 'or')}."
    shortest = sequences[0]
    if len(shortest) == 1:
        forks = [sequence[0] for sequence in sequences if len(sequence) == 1]
        made = _threats(facts, forks)
        return f"Play {_names(facts, forks, 'or')}: you make {made}, and only one can be blocked."
    steps = [f"play {_names(facts, [shortest[0]], 'or')}"]
    for i in range(1, len(shortest) - 1, 2):
        steps.append(f"{opponent(facts.to_move)} must block at {_names(facts, [shortest[i]], 'or')}")
        steps.append(f"you play {_names(facts, [shortest[i + 1]], 'or')}")
    return f"You can force a win: {', then '.join(steps)} and threaten twice at once."


def _errors(facts: Facts, made: Cell | None) -> list[str]:
    """Name the moves that give up a win, and those that lose; say how the move made, else the first, is punished."""
    slack, losing = facts.moves_giving_up_the_win, facts.losing_moves
    found = [f"{_named_moves(facts, slack, 'give', 'gives')} up the win."] if slack else []
    if losing and not facts.board.misere and len(losing) == 1:
        return [*found, f"{_named_moves(facts, losing, 'lose', 'loses')}: {_punished(facts, losing[0])}."]
    found += [f"{_named_moves(facts, losing, 'lose', 'loses')}."] if losing else []
    if losing and not facts.board.misere:
        shown = next((move for move in losing if move.cell == made), losing[0])
        found.append(f"After {_names(facts, [shown.cell], 'or')}, {_punished(facts, shown)}.")
    return found


def _named_moves(facts: Facts, moves: tuple[MoveExplanation, ...], plural: str, singular: str) -> str:
    """Return the moves with a verb; where they are many and the others few, `every move but` those."""
    named = {move.cell for move in moves}
    others = [move.cell for move in facts.moves if move.cell not in named]
    if len(moves) > _NAMED and 0 < len(others) <= _NAMED:
        return f"Every move but {_names(facts, others, 'and')} {singular}"
    return f"{_names(facts, sorted(named), 'and')} {singular if len(moves) == 1 else plural}"


def _tempting(facts: Facts) -> list[str]:
    """Under a threat any move but the block loses at once; the tempting ones make a threat of their own."""
    tempting = [move for move in facts.losing_moves if _makes_threat(facts, move)]
    if not tempting:
        return []
    fate = _punished(facts, tempting[0])
    alike = tuple(move for move in tempting if _punished(facts, move) == fate)
    return [f"{_named_moves(facts, alike, 'also look good', 'also looks good')}, but then {fate}."]


def _makes_threat(facts: Facts, move: MoveExplanation) -> bool:
    return bool(threat_mask(facts.position.play(move.cell), facts.to_move))


def _punished(facts: Facts, move: MoveExplanation) -> str:
    after = facts.position.play(move.cell)
    other = after.to_move
    wins = threat_mask(after, other)
    if wins:
        return f"{other} completes a line at {_named(after, [next(cells_of(wins))])}"
    sequences = forced_wins(after, limit=_STEPS).sequences
    if not sequences:
        return f"{other} can force a win"
    if len(sequences[0]) == 1:
        return f"{other} forks with {_named(after, [sequences[0][0]])}"
    return f"{other} plays {_named(after, [sequences[0][0]])} and forces a fork"


def _by_value(facts: Facts, made: Cell | None) -> list[str]:
    """Under misere: by value alone."""
    keep = [move.cell for move in facts.moves if move.outcome == facts.outcome]
    rule = "Whoever completes a line loses."
    if facts.outcome is None:
        return [rule, "Who wins was not found."]
    if facts.outcome == opponent(facts.to_move):
        return [rule, *_free(facts)]
    if len(keep) == len(facts.moves):
        won = facts.outcome == facts.to_move
        return [rule, "You can force a win, whatever your next move." if won else "Any move keeps the draw."]
    what = "win" if facts.outcome == facts.to_move else "keep the draw"
    return [rule, f"To {what}, play {_names(facts, keep, 'or')}.", *_errors(facts, made)]


def _names(facts: Facts, cells: tuple[Cell, ...] | list[Cell], joiner: str) -> str:
    return listed([cell_name(facts.board, cell) for cell in cells], joiner)


def _named(position: Position, cells: list[Cell]) -> str:
    return listed([cell_name(position.board, cell) for cell in cells])


# Where a game was given away: the moves that made the outcome worse for their player, and what was better.

"""Moves up to which a sentence names them all."""


@dataclass(frozen=True)
class Mistake:
    """A move after which its player had less than before, by the outcomes under best play.

    `number` counts the moves of the game from 1; `better` are the cells that would have kept the outcome `due` before,
    and where not `complete` those of them that the engine found.
    """

    number: int
    before: Position
    cell: Cell
    due: Outcome
    after: Outcome
    better: tuple[Cell, ...]
    complete: bool = True

    @property
    def loses(self) -> bool:
        """Whether the move lost a game that was not lost, and did not only give up a win."""
        return quality(self.before.to_move, self.due, self.after) == "loses"

    def what(self, lost: str = "lost") -> str:
        """Return the move, whose it was and what it did: `move 4, O on c1, lost`."""
        did = lost if self.loses else "gave up the win"
        return f"move {self.number}, {self.before.to_move} on {cell_name(self.before.board, self.cell)}, {did}"

    def instead(self) -> str:
        """Return what would have been better: `b1 and b3 would have held the draw`."""
        if not self.better:
            return "what would have been better was not found"
        kept = "won" if self.due == self.before.to_move else "held the draw"
        return f"{self.better_words} would have {kept}"

    @property
    def sentence(self) -> str:
        """What it did and what would have been better: `Move 4, O on c1, lost: only b1 would have held the draw.`"""
        return f"{_begun(self.what())}: {self.instead()}."

    @property
    def better_words(self) -> str:
        """The moves that would have been better: `only b1`, `b1 and b3`; nothing where none was found."""
        if not self.better:
            return ""

        def named(cells: Sequence[Cell]) -> list[str]:
            return [cell_name(self.before.board, cell) for cell in cells]

        worse = [cell for cell in cells_of(self.before.blanks) if cell not in self.better]
        if len(self.better) == 1 and self.complete:
            return f"only {named(self.better)[0]}"
        if len(self.better) <= _NAMED:
            return listed(named(self.better))
        if len(worse) <= _NAMED and self.complete:
            return f"every move but {listed(named(worse))}"
        return f"{named(self.better)[0]} and {len(self.better) - 1} other moves"

    def as_dict(self) -> dict[str, object]:
        """Return the mistake for JSON; outcomes are X, O or draw."""
        board = self.before.board
        return {
            "move": self.number,
            "cell": cell_name(board, self.cell),
            "player": self.before.to_move,
            "before": self.due,
            "after": self.after,
            "better": [cell_name(board, cell) for cell in self.better],
            **({} if self.complete else {"better_complete": False}),
        }


@dataclass(frozen=True)
class Course:
    """How the outcome under best play went through a game, `finished` or not.

    `outcomes` are those after `valued_from` moves and after each move from there: what was before was not found.
    `remoteness` are the plies to the end then, None where they were not found.
    """

    outcomes: tuple[Outcome, ...]
    valued_from: int
    mistakes: tuple[Mistake, ...]
    finished: bool = True
    remoteness: tuple[int | None, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Which move gave the game away and what would have been better, or that nobody made a mistake.

        While the game goes on: which moves so far were mistakes. Nothing where no value was found.
        """
        if not self.finished:
            return tuple(each.sentence for each in self.mistakes) or self._so_far()
        if not self.mistakes:
            return (self._unspoilt(self.outcomes[-1]),)
        n = self.valued_from
        return (*self._told(), *[f"Who would have won before move {n + 1} was not found."] * bool(n))

    def _so_far(self) -> tuple[str, ...]:
        """Return that nobody has made a mistake, as far as it was found; nothing before the first move."""
        if len(self.outcomes) < 2:
            return ()
        if self.valued_from:
            return ("Nobody has made a mistake since values are known.",)
        return ("So far nobody has made a mistake.",)

    def _told(self) -> tuple[str, ...]:
        """Return the mistakes in sentences, first the one that lost the game."""
        made, end = self.mistakes, self.outcomes[-1]
        if end != "draw":
            last = f"{_begun(made[-1].what('lost it'))}: {made[-1].instead()}."
            head = "The mistakes before it cancelled" if made[0].due == made[-1].due else "Before that"
            return (last, f"{head}: {_all(made[:-1])}.") if made[1:] else (last,)
        if made[0].due == "draw":
            return (f"The mistakes cancelled: {_all(made)}.",)
        return tuple(each.sentence for each in made)

    def _unspoilt(self, end: Outcome) -> str:
        if self.valued_from:
            moves = len(self.outcomes) - 1
            if not moves:
                return "Which moves were mistakes was not found."
            last, them = ("last move", "it") if moves == 1 else (f"last {moves} moves", "them")
            return f"The {last} changed nothing; who would have won before {them} was not found."
        if end == "draw":
            return "Nobody made a mistake: every move kept the draw."
        return f"Nobody made a mistake: {end} could force the win from the beginning."

    def as_dict(self) -> dict[str, object]:
        """Return the mistakes for JSON, and `valued_from` where the beginning of the game was not valued."""
        found: dict[str, object] = {"mistakes": [each.as_dict() for each in self.mistakes]}
        return found | ({"valued_from": self.valued_from} if self.valued_from else {})


def course(board: Board, cells: Sequence[Cell], solution: Solution) -> Course:
    """Return the course of a game from its moves, valued from the last one back as far as the engine can.

    Cost: that of the value of each position, and of the moves before each mistake.
    """
    positions = [Position(board)]
    for cell in cells:
        positions.append(positions[-1].play(cell))
    values: list[Evaluation] = []
    try:
        for position in reversed(positions):
            values.insert(0, solution.evaluate(position))
    except BudgetError:
        pass
    outcomes = [value.outcome for value in values]
    first = len(positions) - len(outcomes)
    made = []
    for n in range(first, len(cells)):
        due, after, mover = outcomes[n - first], outcomes[n - first + 1], positions[n].to_move
        if quality(mover, due, after) in ("loses", "gives up a win"):
            moves = solution.moves(positions[n])
            better = tuple(sorted(move.cell for move in moves if move.outcome == due))
            complete = all(move.outcome is not None for move in moves)
            made.append(Mistake(n + 1, positions[n], cells[n], due, after, better, complete))
    lengths = tuple(value.remoteness for value in values)
    return Course(tuple(outcomes), first, tuple(made), positions[-1].is_terminal, lengths)


def _all(made: Sequence[Mistake]) -> str:
    return "; ".join(f"{each.what()} ({each.instead()})" for each in made)


def _begun(words: str) -> str:
    return words[0].upper() + words[1:]


# Everything there is to say about a position: the facts, sentences that a child can follow, and data.


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


# What comes before a position: the boards from which one move leads to it.


def before(position: Position) -> tuple[tuple[Position, tuple[Cell, ...]], ...]:
    """Return the positions one move earlier, one of each class, with the cells of all last moves from boards of it.

    Boards are as this one lies, less one mark of the last mover; where the game was over already none was. In the order
    of their first cells. Assumes a position that play can lead to.
    """
    if not position.ply:
        return ()
    board, mover = position.board, opponent(position.to_move)
    found: dict[tuple[int, int], tuple[Position, list[Cell]]] = {}
    for cell in cells_of(position.marks(mover)):
        x, o = (side & ~(1 << cell) for side in (position.x, position.o))
        earlier = Position(board, x, o)
        if not earlier.is_terminal:
            found.setdefault(board.group().canonical(x, o), (earlier, []))[1].append(cell)
    return tuple((earlier, tuple(cells)) for earlier, cells in found.values())
