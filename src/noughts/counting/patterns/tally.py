"""What an engine without a tree counts, and how a census follows from it.

With free moves every order of the marks of a position that nobody has won is a path, so the open positions alone give
all games; and the won positions are those in which some last mark was decisive. Up to symmetry both are means over the
group of what each symmetry leaves alone (Burnside's lemma).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial, perm

from noughts.counting.census import PlyCounts
from noughts.counting.patterns.balanced import balanced_fillings
from noughts.counting.patterns.needed import Needed
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.question import Question

__all__ = ["Tally", "census_rows"]


@dataclass(frozen=True)
class Tally:
    """Positions of a pattern by number of marks t = 0..total, with as many marks of the first player or one more.

    `open[t]`: nobody has a line. `won[t]`: the last mover has, by a decisive mark, and the other has none; None where
    the engine cannot tell.
    """

    open: tuple[int, ...]
    won: tuple[int, ...] | None


Tallies = dict[Pattern, Tally]

Count = Callable[[Pattern, bool], Tally]
"""An engine: counts the positions of a pattern, the won ones too if asked for."""


def _mean(total: int, order: int) -> int:
    quotient, rest = divmod(total, order)
    assert rest == 0, "Burnside's lemma gives whole numbers"
    return quotient


class _Games:
    """Paths, wins and draws by number of moves made, summed over the symmetries: to be divided by their number."""

    def __init__(self, needed: Needed, tallies: Tallies) -> None:
        blanks = needed.blanks.bit_count()
        self.paths = [0] * (blanks + 1)
        self.wins = [0] * (blanks + 1)
        self.draws = 0
        for pattern, symmetries in needed.game_patterns:
            reached, still_open = 1, 0
            for t, positions in enumerate(tallies[pattern].open):
                still_open = positions * factorial((t + 1) // 2) * factorial(t // 2)
                self.paths[t] += symmetries * reached
                self.wins[t] += symmetries * (reached - still_open)
                reached = still_open * (pattern.size - t)
            if pattern.size == blanks:
                self.draws += symmetries * still_open


def census_rows(needed: Needed, count: Count, *, positions: bool = True) -> tuple[PlyCounts, ...]:
    """Return the rows of a census from an engine's tallies, each asked for once; without `positions` only the games."""
    tallies = {pattern: count(pattern, won) for pattern, won in needed.patterns(positions=positions).items()}
    question, order = needed.question, needed.order
    if question.end == "full":
        return _full_rows(needed, tallies)
    if needed.is_over:
        return (_row(question, 0, 1, 1, 0, 1, 1, 0),)
    blanks = needed.blanks.bit_count()
    games = _Games(needed, tallies) if question.same != "choices" else None
    places = _places(needed, tallies) if positions else None
    rows = []
    for t in range(needed.moves + 1):
        if (places is not None and places[t][0] == 0) or (games is not None and games.paths[t] == 0):
            break
        at, won = places[t] if places is not None else (None, None)
        full = at - won if t == blanks and at is not None and won is not None else 0
        played: tuple[int | None, int | None, int | None] = (None, None, None)
        if games is not None:
            draws = games.draws if t == blanks else 0
            played = _mean(games.paths[t], order), _mean(games.wins[t], order), _mean(draws, order)
        rows.append(_row(question, t, at, won, full, *played))
    return tuple(rows)


def _places(needed: Needed, tallies: Tallies) -> list[tuple[int, int]] | None:
    """Return the positions by number of moves made, and how many of them are won; None where a tally cannot tell."""
    places, ended = ([0] * (needed.blanks.bit_count() + 1) for _ in range(2))
    for pattern, symmetries in needed.position_patterns:
        tally = tallies[pattern]
        if tally.won is None:
            return None
        for t, (still_open, won) in enumerate(zip(tally.open, tally.won, strict=True)):
            places[t] += symmetries * (still_open + won)
            ended[t] += symmetries * won
    return [(_mean(all_of, needed.order), _mean(won, needed.order)) for all_of, won in zip(places, ended, strict=True)]


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
    x_wins = question.board.line_outcome("X" if ply % 2 else "O") == "X"
    none: tuple[int | None, int | None, int | None] = (None, None, None)
    terminal = none if won is None else (won, 0, drawn) if x_wins else (0, won, drawn)
    ends = none if wins is None else (wins, 0, draws) if x_wins else (0, wins, draws)
    finished = None if wins is None or draws is None else wins + draws
    over = None if won is None else won + drawn
    return PlyCounts(ply, positions, over, *terminal, paths, finished, *ends)


def _full_rows(needed: Needed, tallies: Tallies) -> tuple[PlyCounts, ...]:
    """Return the rows where play goes on to the full board: balanced boards, and the outcomes of the first lines."""
    question, order, blanks = needed.question, needed.order, needed.blanks.bit_count()
    kinds = needed.weights
    fixed = [(within.bit_count(), number) for within, number in needed.fixed_cells.items()]
    rows = []
    for t in range(needed.moves + 1):
        positions = _mean(sum(number * balanced_fillings(weights, t) for weights, number in kinds), order)
        paths: int | None = None
        finished: int | None = None
        ends: tuple[int | None, int | None, int | None] = (None, None, None)
        if question.same != "choices":
            paths = _mean(sum(number * perm(size, t) for size, number in fixed), order)
            finished = paths if t == blanks else 0
            ends = _outcomes(needed, tallies) if t == blanks else (0, 0, 0)
        over = positions if t == blanks else 0
        rows.append(PlyCounts(question.first_ply + t, positions, over, None, None, None, paths, finished, *ends))
    return tuple(rows)


def _outcomes(needed: Needed, tallies: Tallies) -> tuple[int, int, int]:
    """Return the games to the full board by outcome: after a win at move t the other moves come in any order."""
    question, order, blanks = needed.question, needed.order, needed.blanks.bit_count()
    if needed.is_over:
        everything = _mean(needed.fixed_cells[needed.blanks] * factorial(blanks), order)
        return (everything, 0, 0) if question.position().winner == "X" else (0, everything, 0)
    games = _Games(needed, tallies)
    won = [0, 0]
    for t, wins in enumerate(games.wins):
        x_wins = question.board.line_outcome("X" if (question.first_ply + t) % 2 else "O") == "X"
        won[0 if x_wins else 1] += wins * factorial(blanks - t)
    return _mean(won[0], order), _mean(won[1], order), _mean(games.draws, order)
