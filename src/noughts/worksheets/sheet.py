"""Worksheets as one function call; and blindfold play followed on paper: a strategy in words, and games against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from noughts.blindfold.game import BlindRules, Plan, Referee, Strategy
from noughts.blindfold.session import instructions, solve_blindfold
from noughts.rules.arguments import offered, text_of, whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.marks import Cell, mask_of
from noughts.rules.position import Position
from noughts.worksheets import kinds
from noughts.worksheets.exercise import MOST_BLANK, MOST_PRINTED, Exercise, Worksheet, kept_apart, shuffled

KINDS = {
    "win": "find the winning move",
    "tree": "finish the tree",
    "same": "which boards are the same?",
    "count": "count the endings",
    "possible": "is this position possible?",
    "who-wins": "who wins?",
    "blindfold": "play blindfold by a strategy",
    "blank": "blank boards",
    "flash-cards": "cards with a board on one side and the answer on the other",
}
"""The kinds of worksheets, and what each asks."""
_USUAL = {"win": 6, "tree": 2, "same": 6, "count": 6, "possible": 6, "who-wins": 6, "blindfold": 4, "blank": 6}
_USUAL_CARDS = 16
_MOST = 200
_LEAST = 2
"""Cells of a board on which there is something to ask."""
_MOST_CELLS = 12
"""Cells of a board for which a strategy is looked for: a few seconds."""
_LONGEST = 44
"""Lines of a strategy that is followed on paper, at most: a page."""


def sheet(
    board: Board | str = "3x3", kind: str = "win", number: int | None = None, *, seed: int | str = 0
) -> Worksheet:
    """Return exercises of one kind, with their answers, the same for the same seed on every machine.

    Kinds: `win`, `tree`, `same`, `count`, `possible`, `who-wins`, `blindfold`, `blank`, `flash-cards`. No two exercises
    are the same up to the symmetries of the board. Where no number is given it is what fits a page or two, or as many
    as there are. Cost: well below a second on small boards. Raises InputError where a board has no such exercises, or
    fewer than asked for, and BudgetError for boards of more than 64 cells, blank
    ones of more than 900.

    >>> sheet("3x3", "count", 1, seed=1).exercises[0].question
    'X to move.'
    """
    on = Board.parse(board)
    name = text_of("the kind", kind)
    if name not in KINDS:
        raise InputError(f"there is no worksheet {shown(name)}: choose {offered(name, list(KINDS))}")
    if number is not None:
        whole_number("the number of exercises", number, 1)
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise wrong_type("the seed", seed, "a number, or a text")
    _require_printable(on, kind, number)
    found, rules = _found(on, kind, number, str(seed))
    wanted = number or usual(kind)
    exercises = sorted(islice(found, wanted), key=lambda each: each.effort)
    if not exercises or (number is not None and len(exercises) < number):
        raise InputError(_too_few(on, kind, len(exercises)))
    return Worksheet(on, kind, str(seed), tuple(exercises), rules)


def usual(kind: str) -> int:
    """Return how many exercises of a kind there are unless a number is given."""
    return _USUAL.get(kind, _USUAL_CARDS)


def _require_printable(board: Board, kind: str, number: int | None) -> None:
    """Raise where a board cannot be printed, or nothing can be asked about it."""
    if board.shape is None:
        raise InputError(f"{board} is given by its lines and has no shape to print: ask for a board such as 3x3")
    what, most = (
        ("blank boards have", MOST_BLANK) if kind == "blank" else ("worksheets are for boards of", MOST_PRINTED)
    )
    if board.cells > most:
        smaller = "ask for a smaller board" + (
            ", or for a blank one" if kind != "blank" and board.cells <= MOST_BLANK else ""
        )
        raise BudgetError(f"{board} has {board.cells:,} cells, and {what} up to {most}: {smaller}")
    if board.cells < _LEAST and kind != "blank":
        raise InputError(f"{board} has one cell, and nothing to ask about: try 3x3")
    if number is not None and number > _MOST:
        raise InputError(f"{number:,} exercises are more than the {_MOST} that are made at once: ask for fewer")


def _found(board: Board, kind: str, number: int | None, seed: str) -> tuple[Iterator[Exercise], tuple[str, ...]]:
    """Return the exercises as they are found, and the lines that they are about."""
    if kind == "blank":
        return (Exercise("", [Position(board)], "", {}) for _ in range(number or _USUAL[kind])), ()
    if kind in ("win", "flash-cards"):
        goal, usual = ("win", _USUAL["win"]) if kind == "win" else (None, _USUAL_CARDS)
        return kinds.puzzling(board, number, seed, goal, usual), ()
    if kind == "blindfold":
        strategy = strategy_of(board)
        return followed(strategy, seed), tuple(instructions(strategy))
    drawn: dict[str, Callable[[Board, str], Iterator[Exercise]]] = {
        "tree": kinds.trees,
        "same": kinds.pairs,
        "count": kinds.counting,
        "possible": kinds.possible,
        "who-wins": kinds.verdicts,
    }
    return drawn[kind](board, seed), ()


def _too_few(board: Board, kind: str, found: int) -> str:
    what = f"exercise{'s' * (found != 1)} of the kind {kind}"
    if found:
        return (
            f"only {found:,} {what} that differ{'s' * (found == 1)} were found on {board}: ask for {found:,} or fewer"
        )
    return f"no {what} were found on {board}: ask for another kind or board, such as 3x3"


@lru_cache(maxsize=2)
def strategy_of(board: Board) -> Strategy:
    """Return a strategy with which a blind X never loses. Raises InputError where there is none that fits a page.

    Kept for two boards.
    """
    if not board.lines:
        raise InputError(f"nobody can lose on {board}, which has no line to complete, blindfold or not: try 3x3")
    if board.cells > _MOST_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells, and blindfold strategies to follow on paper are looked for on "
            f"boards of up to {_MOST_CELLS}: try 3x3"
        )
    found = solve_blindfold(board, BlindRules())
    if found.never_lose is False:
        raise InputError(
            f"a blind X cannot make sure not to lose on {board}, so there is no strategy to follow: try 3x3"
        )
    if found.strategy is None or len(instructions(found.strategy)) > _LONGEST:
        raise InputError(f"no blindfold strategy for {board} that fits a page is known here: try 3x3")
    return found.strategy


def followed(strategy: Strategy, seed: str) -> Iterator[Exercise]:
    """Yield what an opponent does, as an order in which cells are taken, and the game that the strategy plays then.

    No two of the games are the same.
    """
    board = strategy.board

    def draw(lot: str) -> tuple[list[Cell], list[str], Position, str, list[str]]:
        order = shuffled(board, lot)
        return order, *_game(strategy, order)

    for order, calls, at, outcome, told in kept_apart(f"{seed} blindfold", draw, lambda game: tuple(game[1])):
        names = [cell_name(board, cell) for cell in order]
        yield Exercise(
            f"O takes the first blank cell of {' '.join(names)}.",
            [Position(board)],
            f"X calls {', '.join(told)}. {'A draw' if outcome == 'draw' else f'{outcome} wins'}.",
            {"order": names, "calls": calls, "outcome": outcome},
            blanks=("X calls", "ends"),
            solved=at,
        )


def _game(strategy: Strategy, order: Sequence[Cell]) -> tuple[list[str], Position, str, list[str]]:
    """Return the calls of a game, its last board, who wins, and the calls with what is answered to some."""
    board, judge = strategy.board, Referee(strategy.board, strategy.rules)
    truth = judge.start()
    plan: Plan = next(iter(strategy.branches.values()))
    calls: list[str] = []
    told: list[str] = []
    while truth.outcome is None:
        if not truth.blind_to_act:
            truth = judge.reply(truth, next(cell for cell in order if cell in judge.blanks(truth)))
            continue
        if calls:
            plan = plan.branches[truth.answer]
        truth = judge.call(truth, plan.call)
        calls.append(cell_name(board, plan.call))
        told.append(calls[-1] + " (taken)" * (truth.answer.kind == "taken"))
    outcome = {"win": "X", "loss": "O", "draw": "draw"}[truth.outcome]
    return calls, Position(board, mask_of(truth.own), mask_of(truth.other)), outcome, told
