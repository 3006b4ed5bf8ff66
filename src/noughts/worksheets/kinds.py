"""The exercises of each kind, but for trees and blindfold play: drawn by lot, with the answers computed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from noughts.analysis.explain.facts import is_fork, listed, threat_mask
from noughts.analysis.policies.counted import count
from noughts.analysis.puzzles.finding import move_ends, positions_of, puzzles, puzzles_there
from noughts.analysis.records.comparison import same
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.values import drawn
from noughts.worksheets.exercise import Exercise, Knot, image, kept_apart, open_position, scattered

_FEW = 4
"""Blank cells of a position of which the endings are counted by hand, at most."""
_MOST_BLANKS = 7
"""Blank cells of a position of which the winner is asked, at most."""
_OUTCOMES = ("X", "O", "draw")
_DEFECTS = ("too many", "both have a line", "moved after it", "share no cell")
"""Why a board cannot arise in play, as positions say it."""
_TRIES = 200
"""Lots that are drawn for one position of the wanted kind."""


def puzzling(board: Board, number: int | None, seed: str, goal: str | None, usual: int) -> Iterator[Exercise]:
    """Yield puzzles as exercises, `usual` of them unless a number is given, fewer where there are no more."""
    there = puzzles_there(board, goal)
    if there == 0:
        return
    wanted = number or (usual if there is None else min(usual, there))
    for each in puzzles(board, wanted, seed=seed, goal=goal):
        after = each.position.play(each.cell)
        twice = _fork_of(after)
        yield Exercise(
            each.question if goal is None else f"{each.to_move} to move.",
            [each.position],
            _key(each.explanation[0], twice),
            {"goal": each.goal, "cell": each.answer, "threats": twice},
            solved=after,
            last=each.cell,
        )


def _fork_of(after: Position) -> list[str]:
    """Return the cells at which the last mover now threatens to complete a line where these are two or more."""
    if after.board.misere or not is_fork(after):
        return []
    return [cell_name(after.board, cell) for cell in cells_of(threat_mask(after, opponent(after.to_move)))]


def _key(said: str, twice: list[str]) -> str:
    """Return the answer, with the threats of a fork: `a3 wins in 2 moves, by the threats at a2 and b3.`"""
    return f"{said.removesuffix('.')}, by the threats at {listed(twice)}." if twice else said


def pairs(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield pairs of boards, about half of them the same up to the symmetries of the board, the others nearly so."""
    least, most = min(2, board.cells - 1), min(6, board.cells - 1)

    def draw(lot: str) -> Position | None:
        plies = least + drawn(most - least + 1, f"{lot} plies")
        return open_position(board, board.cells - plies, lot)

    for number, first in enumerate(kept_apart(board, f"{seed} same", draw)):
        lot = f"{seed} same {number} other"
        second = _turned(first, lot) if drawn(2, lot) else _nearly(first, lot)
        if second is None:
            continue
        found = same(board, first, second)
        said = f"The same: {found.words[0]}." if found.is_same else "Different, however they are laid."
        yield Exercise("", [first, second], said, {"same": found.is_same}, choices=("the same", "different"))


def _turned(first: Position, lot: str) -> Position | None:
    """Return an image of a position that does not look like it, None where no lot leads to one."""
    images = (image(first, f"{lot} {attempt}") for attempt in range(40))
    return next((each for each in images if each != first), None)


def _nearly(first: Position, lot: str) -> Position | None:
    """Return an image of a position with one mark moved, different however it is laid; None where no lot gives one."""
    board = first.board
    for attempt in range(40):
        at = image(first, f"{lot} {attempt}")
        marks, blanks = list(cells_of(at.x | at.o)), list(cells_of(at.blanks))
        if not marks or not blanks:
            return None
        off = 1 << marks[drawn(len(marks), f"{lot} {attempt} from")]
        on = 1 << blanks[drawn(len(blanks), f"{lot} {attempt} to")]
        moved = Position(board, at.x & ~off | on, at.o) if at.x & off else Position(board, at.x, at.o & ~off | on)
        if not moved.problems() and not moved.is_terminal and not same(board, first, moved).is_same:
            return moved
    return None


def counting(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield positions with few blank cells, and how many games can still be played from each."""

    def draw(lot: str) -> Position | None:
        most = min(_FEW, board.cells)
        return open_position(board, min(2, most) + drawn(max(1, most - 1), f"{lot} blanks"), lot)

    for at in kept_apart(board, f"{seed} count", draw):
        totals = count(board, at).totals
        ended = [("X wins", totals.x_wins), ("O wins", totals.o_wins), ("draws", totals.draws)]
        yield Exercise(
            f"{at.to_move} to move.",
            [at],
            f"{totals.finished:,} game{'s' * (totals.finished != 1)}: "
            + ", ".join(f"{who} {n:,}" for who, n in ended)
            + ".",
            {
                "games": str(totals.finished),
                "x_wins": str(totals.x_wins),
                "o_wins": str(totals.o_wins),
                "draws": str(totals.draws),
            },
            blanks=("games", "X wins", "O wins", "draws"),
            effort=totals.finished or 0,
        )


def possible(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield boards of which about half cannot arise in play, for reasons as different as lots lead to."""

    def draw(lot: str) -> Position | None:
        wanted = _DEFECTS[drawn(len(_DEFECTS), f"{lot} defect")] if drawn(2, f"{lot} possible") else ""
        tries = (_scattered(board, f"{lot} {attempt}") for attempt in range(_TRIES))
        return next((at for at in tries if _is_like(at, wanted)), None)

    for at in kept_apart(board, f"{seed} possible", draw):
        problems = at.problems()
        said = f"Impossible: {problems[0]}." if problems else f"Possible: {_game_to(at)}."
        yield Exercise(
            "",
            [at],
            said,
            {"possible": not problems, "reasons": list(problems), "game": [] if problems else _order(at)},
            below=("because",),
            choices=("possible", "impossible"),
        )


def _is_like(at: Position, defect: str) -> bool:
    """Tell whether a position cannot arise in play for this reason, or where none is given, whether it can."""
    problems = at.problems()
    return any(defect in each for each in problems) if defect else not problems


def _scattered(board: Board, lot: str) -> Position:
    """Return marks by lot, at least a third of the board of them where there is room, X and O about as many."""
    least = max(1, board.cells // 3)
    marks = least + drawn(board.cells - least + 1, f"{lot} marks")
    odd = (-1, 0, 0, 0, 0, 1)[drawn(6, f"{lot} odd")]
    x = min(marks, max(0, (marks + 1) // 2 + odd))
    return scattered(board, x, marks - x, lot)


def _order(at: Position) -> list[str]:
    """Return the moves of a game that leads to a position that can arise: a mark on all completed lines comes last."""
    x, o = list(cells_of(at.x)), list(cells_of(at.o))
    for own, lines in ((x, at.completed_lines("X")), (o, at.completed_lines("O"))):
        shared = [cell for cell in own if lines and all(line >> cell & 1 for line in lines)]
        if shared:
            own.remove(shared[0])
            own.append(shared[0])
    cells = [cell for pair in zip_longest(x, o) for cell in pair if cell is not None]
    return [cell_name(at.board, cell) for cell in cells]


def _game_to(at: Position) -> str:
    moves = " ".join(_order(at))
    return f"the moves {moves} lead here" if at.ply > 1 else f"the move {moves} leads here" if moves else "it is empty"


def verdicts(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield unfinished positions, and who wins them under best play: of each outcome about as many."""

    def draw(lot: str) -> Position | None:
        wanted = _OUTCOMES[drawn(len(_OUTCOMES), f"{lot} outcome")]
        least, most = min(2, board.cells), min(_MOST_BLANKS, board.cells)
        for attempt in range(_TRIES // 4):
            blanks = least + drawn(most - least + 1, f"{lot} {attempt} blanks")
            at = open_position(board, blanks, f"{lot} {attempt}")
            if at is not None and winner_of(at)[0] == wanted:
                return at
        return None

    for at in kept_apart(board, f"{seed} who wins", draw):
        outcome, moves = winner_of(at)
        yield Exercise(
            f"{at.to_move} to move.",
            [at],
            _verdict(at, outcome, moves),
            {"outcome": outcome, "moves": moves},
            choices=("X", "O", "nobody"),
            effort=at.blanks.bit_count(),
        )


def winner_of(at: Position) -> tuple[str, list[str]]:
    """Return who wins an unfinished position under best play, X, O or draw, and the moves that bring that about."""
    ends = move_ends(at, positions_of(at.board))
    mover = at.to_move
    order = (mover, "draw", opponent(mover))
    outcome = next(end for end in order if any(found == end for found, _ in ends.values()))
    return outcome, [cell_name(at.board, cell) for cell, (found, _) in ends.items() if found == outcome]


def _verdict(at: Position, outcome: str, moves: list[str]) -> str:
    mover, many = at.to_move, len(moves)
    if outcome == opponent(mover):
        return f"{outcome} wins, whatever {mover} plays."
    all_of_them = many == at.blanks.bit_count()
    played = "any move" if all_of_them and many > 1 else listed(moves, "or")
    return f"{outcome} wins: {mover} plays {played}." if outcome == mover else f"Nobody wins: {mover} plays {played}."


# Game trees to finish: a position near the end, with all that can follow, of which only the top is given.

_BLANKS = 3
"""Blank cells at the root: at most six games can follow."""
_ENDS = {"X": "X wins", "O": "O wins", "draw": "draw"}


def trees(board: Board, seed: str) -> Iterator[Exercise]:
    """Yield positions with three blank cells, or as many as there are, whose games do not all end alike."""
    blanks = min(_BLANKS, board.cells)

    def draw(lot: str) -> Position | None:
        return open_position(board, blanks, lot)

    for at in kept_apart(board, f"{seed} tree", draw):
        knots = list(_knots(at))
        ends = {knot.outcome for knot in knots if knot.position.is_terminal}
        if board.lines and len(ends) < 2 and drawn(12, f"{seed} {at}"):
            continue
        yield Exercise(
            f"{at.to_move} to move.",
            [at],
            f"{_said(knots[0].outcome)} with best play.",
            {"outcome": knots[0].outcome, "tree": [_record(knot) for knot in knots]},
            tree=knots,
        )


def _said(outcome: str) -> str:
    return "Nobody wins" if outcome == "draw" else f"{outcome} wins"


def _record(knot: Knot) -> dict[str, object]:
    return {"position": str(knot.position), "above": knot.parent, "outcome": knot.outcome, "given": knot.is_given}


def _knots(root: Position) -> Iterator[Knot]:
    """Yield the tree below a position, each board after the one above it, row by row."""
    row: list[Knot] = [Knot(None, root, _outcome(root), is_given=True)]
    number = 0
    while row:
        yield from row
        below = []
        for place, knot in enumerate(row):
            if knot.position.is_terminal:
                continue
            for cell in cells_of(knot.position.blanks):
                after = knot.position.play(cell)
                below.append(Knot(number + place, after, _outcome(after), is_given=False, last=cell))
        number += len(row)
        row = below


def _outcome(at: Position) -> str:
    return at.outcome or winner_of(at)[0]
