"""What an engine without a tree counts, and how a census follows from it.

With free moves every order of the marks of a position that nobody has won is a path, so the open positions alone give
all games; and the won positions are those in which some last mark was decisive. Up to symmetry both are means over the
group of what each symmetry leaves alone (Burnside's lemma).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import factorial, perm

from noughts.counting.census import PlyCounts
from noughts.counting.patterns.balanced import balanced_fillings
from noughts.counting.patterns.conjugates import kinds_of_symmetry
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.question import Question
from noughts.domain.bits import Mask
from noughts.domain.symmetry import ELEMENT_LIMIT, Permutation

__all__ = ["Tally", "census_rows", "patterns_of", "why_not"]


@dataclass(frozen=True)
class Tally:
    """Positions of a pattern by number of marks t = 0..total, with as many marks of the first player or one more.

    `open[t]`: nobody has a line. `won[t]`: the last mover has, by a decisive mark, and the other has none; None where
    the engine cannot tell.
    """

    open: tuple[int, ...]
    won: tuple[int, ...] | None


Count = Callable[[Pattern, bool], Tally]
"""An engine: counts the positions of a pattern, the won ones too if asked for."""


def why_not(question: Question, engine: str = "", cell_limit: int | None = None) -> str | None:
    """Return why no engine that counts without a tree can answer, or this one not on so many cells; or None."""
    board = question.board
    if not question.is_free:
        return "positions are counted without a tree only where both players may make any move"
    if question.end == "decided":
        return "positions are counted without a tree only where the game ends at a line or a full board"
    if cell_limit is not None and board.cells > cell_limit:
        return f"the engine {engine} takes boards of up to {cell_limit:,} cells, {board} has {board.cells:,}"
    if question.same == "labelled":
        return None
    if question.group.order > ELEMENT_LIMIT:
        return (
            f"the symmetry group has {question.group.order:,} elements and only groups of up to {ELEMENT_LIMIT:,} are "
            "listed" + (": ask with --symmetry board" if question.symmetry == "lines" else "")
        )
    start = question.position()
    if any((image(start.x), image(start.o)) != (start.x, start.o) for image in question.group.images):
        return "positions up to symmetry are counted without a tree only from a start that every symmetry keeps"
    return None


def _marks(question: Question) -> tuple[Mask, Mask]:
    """Return the marks of the side to move at the start and of the other."""
    start = question.position()
    return (start.x, start.o) if start.to_move == "X" else (start.o, start.x)


def _is_over(question: Question) -> bool:
    """Whether someone has a line at the start, so that nothing is left to count but orders of moves."""
    start = question.position()
    return question.board.has_line(start.x) or question.board.has_line(start.o)


def patterns_of(question: Question) -> Iterator[tuple[Pattern, bool]]:
    """Yield the patterns that an engine has to count, each with whether its won positions are needed."""
    if _is_over(question):
        return
    if question.end == "line":
        for pattern, _ in _position_patterns(question):
            yield pattern, True
    if question.same == "choices" or (question.end == "full" and question.last_ply < question.board.cells):
        return
    for pattern, _ in _game_patterns(question):
        yield pattern, False


def _position_patterns(question: Question) -> list[tuple[Pattern, int]]:
    """Return what each kind of symmetry leaves alone, with the number of symmetries of the kind."""
    if question.same == "labelled":
        return [(_pattern(question), 1)]
    return [(_pattern(question, symmetry=symmetry), count) for symmetry, count in kinds_of_symmetry(question.group)]


def _pattern(question: Question, *, within: Mask = -1, symmetry: Permutation | None = None) -> Pattern:
    """Return the pattern of what is still to be played, without the lines that nobody can complete by the last ply."""
    first, second = _marks(question)
    board, moves = question.board, question.last_ply - question.first_ply
    pattern = Pattern.of(board.cells, board.line_masks, first=first, second=second, within=within, symmetry=symmetry)
    return pattern.within_reach((moves + 1) // 2)


def _fixed_cells(question: Question) -> Counter[Mask]:
    """Return the sets of blank cells that symmetries fix one by one, with the number of such symmetries.

    A game is left alone by a symmetry iff all its moves are on such cells.
    """
    blanks = question.position().blanks
    if question.same == "labelled":
        return Counter({blanks: 1})
    fixed: Counter[Mask] = Counter()
    for symmetry, count in kinds_of_symmetry(question.group):
        fixed[sum(1 << cell for cell, image in enumerate(symmetry) if cell == image) & blanks] += count
    return fixed


def _game_patterns(question: Question) -> list[tuple[Pattern, int]]:
    """Return the patterns whose paths are the paths that symmetries leave alone, with the number of symmetries.

    Games to the full board need those symmetries only that fix every cell.
    """
    blanks = question.position().blanks
    return [
        (_pattern(question, within=within), count)
        for within, count in _fixed_cells(question).items()
        if question.end == "line" or within == blanks
    ]


def _mean(total: int, order: int) -> int:
    quotient, rest = divmod(total, order)
    assert rest == 0, "Burnside's lemma gives whole numbers"
    return quotient


def _order(question: Question) -> int:
    return 1 if question.same == "labelled" else question.group.order


class _Games:
    """Paths, wins and draws by number of moves made, summed over the symmetries: to be divided by their number."""

    def __init__(self, question: Question, count: Count) -> None:
        blanks = question.position().blanks.bit_count()
        self.paths = [0] * (blanks + 1)
        self.wins = [0] * (blanks + 1)
        self.draws = 0
        for pattern, symmetries in _game_patterns(question):
            reached, still_open = 1, 0
            for t, positions in enumerate(count(pattern, False).open):
                still_open = positions * factorial((t + 1) // 2) * factorial(t // 2)
                self.paths[t] += symmetries * reached
                self.wins[t] += symmetries * (reached - still_open)
                reached = still_open * (pattern.size - t)
            if pattern.size == blanks:
                self.draws += symmetries * still_open


def census_rows(question: Question, count: Count) -> tuple[PlyCounts, ...]:
    """Return the rows of a census from an engine's tallies. Assumes that `why_not` has nothing to say."""
    if question.end == "full":
        return _full_rows(question, count)
    first_ply, blanks = question.first_ply, question.position().blanks.bit_count()
    if _is_over(question):
        return (_row(question, 0, 1, 1, 0, 1, 1, 0),)
    games = _Games(question, count) if question.same != "choices" else None
    positions: list[int] | None = [0] * (blanks + 1)
    won = [0] * (blanks + 1)
    for pattern, symmetries in _position_patterns(question):
        tally = count(pattern, True)
        if tally.won is None or positions is None:
            positions = None
            continue
        for t, (still_open, ended) in enumerate(zip(tally.open, tally.won, strict=True)):
            positions[t] += symmetries * (still_open + ended)
            won[t] += symmetries * ended
    order = _order(question)
    rows = []
    for t in range(question.last_ply - first_ply + 1):
        if (positions is not None and positions[t] == 0) or (games is not None and games.paths[t] == 0):
            break
        places: tuple[int | None, int | None] = (None, None)
        if positions is not None:
            places = _mean(positions[t], order), _mean(won[t], order)
        full = places[0] - places[1] if t == blanks and places[0] is not None and places[1] is not None else 0
        played: tuple[int | None, int | None, int | None] = (None, None, None)
        if games is not None:
            draws = games.draws if t == blanks else 0
            played = _mean(games.paths[t], order), _mean(games.wins[t], order), _mean(draws, order)
        rows.append(_row(question, t, places[0], places[1], full, *played))
    return tuple(rows)


def _row(
    question: Question,
    moves: int,
    positions: int | None,
    won: int | None,
    drawn: int,
    paths: int | None,
    wins: int | None,
    draws: int | None,
) -> PlyCounts:
    """Return a row in which all wins are those of the player who made the last of these moves."""
    ply = question.first_ply + moves
    x_wins = (ply % 2 == 1) != question.board.misere
    none: tuple[int | None, int | None, int | None] = (None, None, None)
    terminal = none if won is None else (won, 0, drawn) if x_wins else (0, won, drawn)
    ends = none if wins is None else (wins, 0, draws) if x_wins else (0, wins, draws)
    finished = None if wins is None or draws is None else wins + draws
    over = None if won is None else won + drawn
    return PlyCounts(ply, positions, over, *terminal, paths, finished, *ends)


def _full_rows(question: Question, count: Count) -> tuple[PlyCounts, ...]:
    """Return the rows where play goes on to the full board: balanced boards, and the outcomes of the first lines."""
    blanks = question.position().blanks.bit_count()
    order = _order(question)
    kinds = [(pattern.weights, number) for pattern, number in _position_patterns(question)]
    fixed = [(within.bit_count(), number) for within, number in _fixed_cells(question).items()]
    rows = []
    for t in range(question.last_ply - question.first_ply + 1):
        positions = _mean(sum(number * balanced_fillings(weights, t) for weights, number in kinds), order)
        paths: int | None = None
        finished: int | None = None
        ends: tuple[int | None, int | None, int | None] = (None, None, None)
        if question.same != "choices":
            paths = _mean(sum(number * perm(size, t) for size, number in fixed), order)
            finished = paths if t == blanks else 0
            ends = _outcomes(question, count) if t == blanks else (0, 0, 0)
        over = positions if t == blanks else 0
        rows.append(PlyCounts(question.first_ply + t, positions, over, None, None, None, paths, finished, *ends))
    return tuple(rows)


def _outcomes(question: Question, count: Count) -> tuple[int, int, int]:
    """Return the games to the full board by outcome: after a win at move t the other moves come in any order."""
    start, blanks = question.position(), question.position().blanks
    order = _order(question)
    if _is_over(question):
        everything = _mean(_fixed_cells(question)[blanks] * factorial(blanks.bit_count()), order)
        return (everything, 0, 0) if start.winner == "X" else (0, everything, 0)
    games = _Games(question, count)
    won = [0, 0]
    for t, wins in enumerate(games.wins):
        x_wins = ((question.first_ply + t) % 2 == 1) != question.board.misere
        won[0 if x_wins else 1] += wins * factorial(blanks.bit_count() - t)
    return _mean(won[0], order), _mean(won[1], order), _mean(games.draws, order)
