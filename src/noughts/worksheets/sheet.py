"""Worksheets: exercises of each kind, drawn at random, with the answers computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, zip_longest

from noughts.analysis.explain.facts import is_fork, threat_mask
from noughts.analysis.explain.wording import listed, named_cells
from noughts.analysis.policies.counted import count
from noughts.analysis.puzzles.finding import move_ends, positions_of, puzzles, puzzles_there
from noughts.analysis.records.comparison import same
from noughts.blindfold.game import BlindRules, Plan, Referee, Strategy
from noughts.blindfold.session import instructions, solve_blindfold
from noughts.rules.arguments import offered, seed_of, text_of, whole_number
from noughts.rules.board import Board, require_own_marks
from noughts.rules.cells import cell_name, move_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.marks import OUTCOMES, Cell, cells_of, mask_of, opponent
from noughts.rules.position import Position, way_to
from noughts.rules.values import begun, drawn, record
from noughts.worksheets.exercise import (
    MOST_BLANK,
    MOST_PRINTED,
    Exercise,
    Knot,
    Worksheet,
    class_of,
    distinct,
    image,
    open_position,
    shuffled,
)

THEMED = {
    "win-at-once": "complete a line",
    "block": "block a line",
    "fork": "find the fork",
    "forced-win": "win by threats alone",
    "only-move": "find the only move that does not lose",
    "double-trap": "hold, and set a trap",
    "who-can-force": "who can force a win?",
}
"""The kinds of worksheets that are themes of puzzles, and the question of each."""
KINDS = {
    "win": "find the winning move",
    **THEMED,
    "tree": "finish the tree",
    "same": "which boards are the same?",
    "count": "count the endings",
    "possible": "is this position possible?",
    "who-wins": "who wins?",
    "blindfold": "play blindfold by a strategy",
    "blank": "blank boards",
    "flash-cards": "cards with a board on one side and the answer on the other",
}
"""The kinds of worksheets, and the question of each."""
_USUAL = {"tree": 2, "blindfold": 4, "flash-cards": 16}
"""The numbers of exercises of these kinds by default; of the others 6."""
_OWNED, _SOUGHT = ("forced-win", "blindfold"), ("block", "fork")
"""The kinds that need marks of the players' own, and those that need a player who wants a line."""
_MOST = 200
_LEAST = 2
"""Cells of a board that has questions to ask."""
_MOST_CELLS = 12
"""Maximum cells of a board for a search of a strategy: a few seconds."""
_LONGEST = 44
"""Maximum lines of a strategy on paper: a page."""


def sheet(
    board: Board | str = "3x3", kind: str = "win", number: int | None = None, *, seed: int | str = 0
) -> Worksheet:
    """Return exercises of one kind, with their answers.

    No two exercises are the same up to the symmetries of the board.

    Parameters
    ----------
    board
        The board, or its name.
    kind
        `win`, `tree`, `same`, `count`, `possible`, `who-wins`, `blindfold`, `blank`, `flash-cards`, or a theme of
        puzzles: `win-at-once`, `block`, `fork`, `forced-win`, `only-move`, `double-trap` or `who-can-force`.
    number
        How many. The default fits a page or two, or is all that exist.
    seed
        The same seed gives the same sheet on every machine.

    Returns
    -------
    Worksheet
        The exercises.

    Raises
    ------
    InputError
        The board has no such exercises, or fewer than requested.
    BudgetError
        The board has more than 64 cells, for blank boards more than 900.

    >>> sheet("3x3", "count", 1, seed=1).exercises[0].question
    'X to move.'
    """
    on = Board.parse(board)
    name = text_of("the kind", kind)
    if name not in KINDS:
        raise InputError(f"the worksheet {shown(name)} does not exist: choose {offered(name, list(KINDS))}")
    if name in _OWNED or (name in _SOUGHT and on.rules.seeks_line is None):
        require_own_marks(on, f"a worksheet of the kind {name}")
    if number is not None:
        number = whole_number("the number of exercises", number, 1)
    seed = seed_of(seed)
    _require_printable(on, kind, number)
    found, rules = _found(on, kind, number, str(seed))
    wanted = number or usual(kind)
    exercises = sorted(islice(found, wanted), key=lambda each: each.effort)
    if not exercises or (number is not None and len(exercises) < number):
        raise InputError(_too_few(on, kind, len(exercises)))
    return Worksheet(on, kind, str(seed), tuple(exercises), rules)


def usual(kind: str) -> int:
    """Return the default number of exercises of a kind."""
    return _USUAL.get(kind, 6)


def _require_printable(board: Board, kind: str, number: int | None) -> None:
    """Raise where a board cannot be printed, or nothing can be asked about it."""
    if board.shape is None:
        raise InputError(f"{board} is given by its lines and has no shape to print: choose a board such as 3x3")
    cells = f"{board} has {board.cells:,} cells, and"
    if board.cells > MOST_BLANK and kind == "blank":
        raise BudgetError(f"{cells} blank boards have up to {MOST_BLANK}: ask for a smaller board")
    if board.cells > MOST_PRINTED and kind != "blank":
        blank = ", or for a blank one" * (board.cells <= MOST_BLANK)
        raise BudgetError(f"{cells} worksheets are for boards of up to {MOST_PRINTED}: ask for a smaller board{blank}")
    if board.cells < _LEAST and kind != "blank":
        raise InputError(f"{board} has one cell and so no exercises: try 3x3")
    if number is not None and number > _MOST:
        raise InputError(f"{number:,} exercises are more than the {_MOST} that are made at once: ask for fewer")


def _found(board: Board, kind: str, number: int | None, seed: str) -> tuple[Iterator[Exercise], tuple[str, ...]]:
    """Return an iterator of exercises, and the lines that they are about."""
    if kind == "blank":
        return (Exercise("", [Position(board)], "", {}) for _ in range(number or usual(kind))), ()
    if kind in ("win", "flash-cards", *THEMED):
        goal, theme = "win" if kind == "win" else None, kind if kind in THEMED else None
        return puzzling(board, number or usual(kind), seed, goal, theme, is_exact=number is not None), ()
    if kind == "blindfold":
        strategy = strategy_of(board)
        return followed(strategy, seed), tuple(instructions(strategy))
    makers = {"tree": trees, "same": pairs, "count": counting, "possible": possible, "who-wins": verdicts}
    return makers[kind](board, seed), ()


def _too_few(board: Board, kind: str, found: int) -> str:
    what = f"exercise{'s' * (found != 1)} of the kind {kind}"
    if found:
        what += f" that differ{'s' * (found == 1)}"
        return f"only {found:,} {what} were found on {board}: ask for {found:,} or fewer"
    return f"no {what} were found on {board}: ask for another kind or board, such as 3x3"


@lru_cache(maxsize=2)
def strategy_of(board: Board) -> Strategy:
    """Return a strategy with which a blind X never loses. Raises InputError if none fits a page.

    Kept for two boards.
    """
    if not board.lines:
        raise InputError(f"neither player can lose on {board}, which has no line to complete: try 3x3")
    if board.cells > _MOST_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells; blindfold strategies on paper need boards of at most "
            f"{_MOST_CELLS} cells: try 3x3"
        )
    found = solve_blindfold(board, BlindRules())
    if found.never_lose is False:
        raise InputError(f"a blind X cannot avoid every loss on {board}, so no strategy exists to follow: try 3x3")
    if found.strategy is None or len(instructions(found.strategy)) > _LONGEST:
        raise InputError(f"no blindfold strategy for {board} that fits a page is known here: try 3x3")
    return found.strategy


def followed(strategy: Strategy, seed: str) -> Iterator[Exercise]:
    """Yield an opponent's order of taking cells, and the resulting game against the strategy.

    No two of the games are the same.
    """
    board = strategy.board

    def draw(subseed: str) -> tuple[list[Cell], list[str], Position, str, list[str]]:
        order = shuffled(board, subseed)
        return order, *_game(strategy, order)

    for order, calls, at, outcome, spoken in distinct(f"{seed} blindfold", draw, lambda game: tuple(game[1])):
        names = [cell_name(board, cell) for cell in order]
        yield Exercise(
            f"O takes the first blank cell of {' '.join(names)}.",
            [Position(board)],
            f"X calls {', '.join(spoken)}. {'A draw' if outcome == 'draw' else f'{outcome} wins'}.",
            {"order": names, "calls": calls, "outcome": outcome},
            blanks=("X calls", "ends"),
            solved=at,
        )


def _game(strategy: Strategy, order: Sequence[Cell]) -> tuple[list[str], Position, str, list[str]]:
    """Return the calls of a game, its last board, the winner, and the calls with the answers to some."""
    board, judge = strategy.board, Referee(strategy.board, strategy.rules)
    truth = judge.start()
    plan: Plan = next(iter(strategy.branches.values()))
    calls: list[str] = []
    spoken: list[str] = []
    while truth.outcome is None:
        if not truth.blind_to_act:
            truth = judge.reply(truth, next(cell for cell in order if cell in judge.blanks(truth)))
            continue
        if calls:
            plan = plan.branches[truth.answer]
        truth = judge.call(truth, plan.call)
        calls.append(cell_name(board, plan.call))
        spoken.append(calls[-1] + " (taken)" * (truth.answer.kind == "taken"))
    outcome = {"win": "X", "loss": "O", "draw": "draw"}[truth.outcome]
    return calls, Position(board, truth.own, truth.other), outcome, spoken


_FEW = 4
"""Maximum blank cells of a position whose endings are counted by hand."""
_MOST_BLANKS = 7
"""Maximum blank cells of a position whose winner is the question."""
_TREE_BLANKS = 3
"""Blank cells at the root of a tree to be finished: at most six games can follow."""
_DEFECTS = ("too many", "both have a line", "moved after it", "share no cell")
"""Why a board cannot arise in play, as positions say it."""
_TRIES = 200
"""Maximum random draws for one position of the wanted kind."""
_TURNS = 40
"""Maximum random draws for an image of a position."""


def puzzling(
    board: Board, number: int, seed: str, goal: str | None, theme: str | None, *, is_exact: bool
) -> Iterator[Exercise]:
    """Yield so many puzzles of a goal or a theme as exercises, fewer if the board has fewer and `is_exact` is False."""
    there = puzzles_there(board, goal, theme)
    if there == 0:
        return
    wanted = number if there is None or is_exact else min(number, there)
    for each in puzzles(board, wanted, seed=seed, goal=goal, theme=theme):
        after, reason = each.position.play(each.cell), each.explanation[0]
        forks = threat_mask(after, each.to_move) if board.rules.has_threats and is_fork(after) else 0
        if forks:
            reason = f"{reason.removesuffix('.')}, by the threats at {named_cells(board, cells_of(forks))}."
        if theme == "block":
            reason = f"{each.answer} stops {_stopped(each.position, each.cell)} and{reason.removeprefix(each.answer)}"
        yield Exercise(
            each.question if goal is None and theme is None else _turn(each.position),
            [each.position],
            reason,
            {"goal": each.goal, "cell": each.answer, "threats": [cell_name(board, cell) for cell in cells_of(forks)]},
            solved=after,
            last=each.cell.cell,
        )


def _stopped(at: Position, cell: Cell) -> str:
    """Return the lines that the opponent would complete on a cell in words: `the line a1-b1-c1`."""
    place = cell % at.board.cells
    marks = (at.x, at.o) if at.board.rules.chooses_mark else (at.o if at.to_move == "X" else at.x,)
    lines = [line for own in marks for line in at.board.lines_through[place] if not line & ~(own | 1 << place)]
    named = ["-".join(cell_name(at.board, each) for each in cells_of(line)) for line in lines]
    return f"the line{'s' * (len(named) > 1)} {listed(named)}"


def pairs(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield pairs of boards, about half of them the same up to the symmetries of the board, the others nearly so."""
    least, most = min(2, board.cells - 1), min(6, board.cells - 1)

    def draw(subseed: str) -> Position | None:
        plies = least + drawn(most - least + 1, f"{subseed} plies")
        return open_position(board, board.cells - plies, subseed)

    for number, first in enumerate(distinct(f"{seed} same", draw, class_of)):
        subseed = f"{seed} same {number} other"
        images = (image(first, f"{subseed} {attempt}") for attempt in range(_TURNS))
        is_same = drawn(2, subseed)  # what does not look like it, or else an image of what is nearly the same
        second = next((each for each in images if each != first), None) if is_same else _nearly(first, subseed)
        if second is None:
            continue
        found = same(board, first, second)
        answer = f"The same: {found.words[0]}." if found.is_same else "Different, however they are laid."
        yield Exercise("", [first, second], answer, {"same": found.is_same}, choices=("the same", "different"))


def _nearly(first: Position, subseed: str) -> Position | None:
    """Return an image of a position with one mark moved, never equivalent to it; None if none is found."""
    board = first.board
    for attempt in range(_TURNS):
        at = image(first, f"{subseed} {attempt}")
        marks, blanks = list(cells_of(at.x | at.o)), list(cells_of(at.blanks))
        if not marks or not blanks:
            return None
        off = 1 << marks[drawn(len(marks), f"{subseed} {attempt} from")]
        on = 1 << blanks[drawn(len(blanks), f"{subseed} {attempt} to")]
        moved = Position(board, *(side & ~off | on if side & off else side for side in (at.x, at.o)))
        if not moved.problems() and not moved.is_terminal and not same(board, first, moved).is_same:
            return moved
    return None


def counting(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield positions with few blank cells, and how many games can still be played from each."""

    def draw(subseed: str) -> Position | None:
        most = min(_for_hand(board, _FEW), board.cells)
        return open_position(board, min(2, most) + drawn(max(1, most - 1), f"{subseed} blanks"), subseed)

    for at in distinct(f"{seed} count", draw, class_of):
        totals, named = count(board, at).totals, board.rules.named
        ended = {named("X wins"): totals.x_wins, named("O wins"): totals.o_wins}
        ended |= {"draws": totals.draws} if board.rules.can_draw(board) else {}
        games = f"{totals.finished:,} game{'s' * (totals.finished != 1)}"
        yield Exercise(
            _turn(at),
            [at],
            f"{games}: {', '.join(f'{how} {many:,}' for how, many in ended.items())}.",
            {"games": f"{totals.finished}"} | {key: f"{getattr(totals, key)}" for key in ("x_wins", "o_wins", "draws")},
            blanks=("games", *ended),
            effort=totals.finished or 0,
        )


def possible(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield boards of which about half cannot arise in play, for various random reasons."""

    def draw(subseed: str) -> Position | None:
        defects = _DEFECTS if board.rules.alternating else ("",)
        defect = defects[drawn(len(defects), f"{subseed} defect")] if drawn(2, f"{subseed} possible") else None
        for attempt in range(_TRIES):
            at = _scattered(board, f"{subseed} {attempt}")
            problems = at.problems()
            if not problems if defect is None else any(defect in each for each in problems):
                return at
        return None

    for at in distinct(f"{seed} possible", draw, class_of):
        problems, order = at.problems(), _order(at)
        lead = (
            f"the move{'s' * (at.ply > 1)} {' '.join(order)} lead{'s' * (at.ply == 1)} here" if order else "it is empty"
        )
        yield Exercise(
            "",
            [at],
            f"Impossible: {problems[0]}." if problems else f"Possible: {lead}.",
            {"possible": not problems, "reasons": list(problems), "game": [] if problems else order},
            below=("because",),
            choices=("possible", "impossible"),
        )


def _scattered(board: Board, subseed: str) -> Position:
    """Return random marks, on at least a third of the board if possible, about as many X as O.

    Play may or may not reach the position.
    """
    least = max(1, board.cells // 3)
    marks = least + drawn(board.cells - least + 1, f"{subseed} marks")
    odd = (-1, 0, 0, 0, 0, 1)[drawn(6, f"{subseed} odd")]
    x = min(marks, max(0, (marks + 1) // 2 + odd))
    cells = shuffled(board, subseed)
    if not board.rules.alternating:
        x = drawn(1 << marks, f"{subseed} x").bit_count() if board.rules.chooses_mark else marks
    elif not board.rules.any_blank:
        return _dropped(board, x, marks - x, cells)
    return Position(board, mask_of(cells[:x]), mask_of(cells[x:marks]))


def _dropped(board: Board, x: int, o: int, order: Sequence[Cell]) -> Position:
    """Return so many marks on cells that can be played one after the other, X and O in turn while both are left."""
    at = Position(board)
    left = {"X": x, "O": o}
    for number in range(x + o):
        player = ("X", "O")[number % 2] if min(left.values()) else max(left, key=lambda each: left[each])
        moves = board.rules.moves(board, at.x, at.o)
        cell = next(cell for cell in order if moves >> cell & 1)
        at = Position(board, at.x | (player == "X") << cell, at.o | (player == "O") << cell)
        left[player] -= 1
    return at


def _order(at: Position) -> list[str]:
    """Return the moves of a game that leads to a position that can arise: a mark on all completed lines comes last."""
    if not at.board.rules.order_free or not at.board.rules.alternating:
        return [] if at.problems() else [move_name(at.board, move) for move in way_to(at)]
    x, o = list(cells_of(at.x)), list(cells_of(at.o))
    for own, lines in ((x, at.completed_lines("X")), (o, at.completed_lines("O"))):
        shared = [cell for cell in own if lines and all(line >> cell & 1 for line in lines)]
        if shared:
            own.remove(shared[0])
            own.append(shared[0])
    return [cell_name(at.board, cell) for pair in zip_longest(x, o) for cell in pair if cell is not None]


def verdicts(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield unfinished positions and their winners under best play, about as many of each outcome."""
    least, most = min(2, board.cells), min(_for_hand(board, _MOST_BLANKS), board.cells)
    name = board.rules.name_of

    def draw(subseed: str) -> Position | None:
        outcomes = OUTCOMES if board.rules.can_draw(board) else OUTCOMES[:2]
        wanted = outcomes[drawn(len(outcomes), f"{subseed} outcome")]
        for attempt in range(_TRIES // 4):
            blanks = least + drawn(most - least + 1, f"{subseed} {attempt} blanks")
            at = open_position(board, blanks, f"{subseed} {attempt}")
            if at is not None and _winner_of(at)[0] == wanted:
                return at
        return None

    for at in distinct(f"{seed} who wins", draw, class_of):
        outcome, moves = _winner_of(at)
        mover, blanks = name(at.to_move), at.blanks.bit_count()
        played = "any move" if len(moves) == at.playable.bit_count() > 1 else listed(moves, "or")
        is_lost = outcome == opponent(at.to_move)
        how = f"after any move of {mover}" if is_lost else f"{mover} plays {played}"
        yield Exercise(
            _turn(at),
            [at],
            f"{_wins(board, outcome)}{',' if is_lost else ':'} {how}.",
            {"outcome": outcome, "moves": moves},
            choices=(*board.rules.players, *["neither"] * board.rules.can_draw(board)),
            effort=blanks,
        )


def _winner_of(at: Position) -> tuple[str, list[str]]:
    """Return who wins an unfinished position under best play, X, O or draw, and the moves that keep that outcome."""
    ends = move_ends(at, positions_of(at.board))
    reached = {outcome for outcome, _ in ends.values()}
    best = next(outcome for outcome in (at.to_move, "draw", opponent(at.to_move)) if outcome in reached)
    return best, [move_name(at.board, move) for move, (outcome, _) in ends.items() if outcome == best]


def _wins(board: Board, outcome: str) -> str:
    return "Neither player wins" if outcome == "draw" else begun(board.rules.named(f"{outcome} wins"))


def _turn(at: Position) -> str:
    return f"{begun(at.board.rules.name_of(at.to_move))} to move."


def _for_hand(board: Board, blanks: int) -> int:
    """Return so many blank cells, or half as many where players choose the mark: each cell then has two moves."""
    return -(-blanks // 2) if board.rules.chooses_mark else blanks


def trees(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield trees to complete: positions near the end, with all continuations, of which only the root is given.

    They have three blank cells, or as many as there are, and their games do not all end alike. In Notakto they have
    four: with three left on 3x3, the next mark completes a line.
    """

    def draw(subseed: str) -> Position | None:
        blanks = _for_hand(board, _TREE_BLANKS) + (not board.rules.alternating and not board.rules.chooses_mark)
        return open_position(board, min(blanks, board.cells), subseed)

    for at in distinct(f"{seed} tree", draw, class_of):
        knots = _knots(at)
        ends = {knot.outcome for knot in knots if knot.position.is_terminal}
        if board.lines and len(ends) < 2 and drawn(12, f"{seed} {at}"):
            continue
        nodes = [record(knot, "position", "above=parent", "outcome", "given=is_given") for knot in knots]
        outcome, answer = knots[0].outcome, f"{_wins(board, knots[0].outcome)} with best play."
        yield Exercise(_turn(at), [at], answer, {"outcome": outcome, "tree": nodes}, tree=knots)


def _knots(root: Position) -> list[Knot]:
    """Return the tree below a position, row by row, each board after its parent."""

    def outcome(at: Position) -> str:
        return at.outcome or _winner_of(at)[0]

    knots = [Knot(None, root, outcome(root), is_given=True)]
    for number, knot in enumerate(knots):
        for cell in knot.position.moves():
            after = knot.position.play(cell)
            knots.append(Knot(number, after, outcome(after), is_given=False, last=cell))
    return knots
