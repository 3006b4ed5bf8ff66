"""Which convention gives this number? The search covers what is quick to compute, the simplest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import chain

from noughts.analysis.meanings.known import published_readings
from noughts.analysis.meanings.meaning import NEAR, Meaning, Meanings, Query, complexity_of, read_query
from noughts.analysis.meanings.readings import (
    FIRST,
    LARGER,
    SMALL,
    chance_readings,
    large_readings,
    opening_cells,
    readings_of,
    small_readings,
)
from noughts.blindfold.game import BlindRules
from noughts.blindfold.session import solve_blindfold
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import flag, function_or_none, integer, whole_number
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError, shown

PLAIN = 12
"""A reading of less complexity is about free play on 3x3: the search then stops before other boards."""

_CHANCES, _BLINDFOLD = "the chances when policies meet", "blindfold play"

_WRITTEN = "a whole number, a Fraction, or text such as '0.585'"

_Source = tuple[str, Callable[[], Iterator[Meaning]]]
"""The name of a source of readings, and the function that yields them."""


def whatis(
    number: int | Fraction | str,
    *,
    board: Board | str | None = None,
    quick: bool = False,
    progress: Progress | None = None,
) -> Meanings:
    """Return which conventions give a number, the simplest first, or the nearest numbers.

    The search tries 3x3 first, then boards that are quick to list, then larger ones. If it finds nothing, `below` and
    `above` are the nearest headline numbers. Cost: two seconds if `quick`, half a minute if nothing gives the number.

    Parameters
    ----------
    number
        An integer, a fraction, or text such as `31,896`, `9!`, `3^9`, `501/560` or `0.89`.
    board
        The only board to search; by default all of them.
    quick
        Search only published numbers, and 3x3 (or `board`) with one move rule for both players.
    progress
        Receives the number of finished sources, of all sources, and the name of the current one.

    Raises
    ------
    InputError, InvalidBoard

    >>> whatis("26,830").matches[0].command
    'noughts count 3x3:3 --same choices --moves any --end line'
    >>> whatis(765, board="3x3").matches[0].what
    'reachable boards up to the symmetries of the board'
    """
    function_or_none("progress", progress)
    flag("quick", quick)
    heard = progress or silent
    query, on = _query(number), None if board is None else Board.parse(board)
    published = [reading for reading in published_readings() if on is None or reading.board == on.spec]
    known = [reading for reading in published if query.admits(reading.value)]
    found: list[Meaning] = []
    headlines: list[list[Meaning]] = []
    boards: list[str] = []
    cut = False
    for rank, sources in enumerate(_stages(query, on)):
        if (found and min(reading.complexity for reading in found) < PLAIN) or (rank > 2 and (found or known)):
            break
        if rank and quick:
            cut = True
            break
        for place, (name, make) in enumerate(sources):
            heard(place, len(sources), f"searching {name}")
            readings = list(make())
            boards += [name] if name not in boards and name != _CHANCES and name != _BLINDFOLD else []
            found += [reading for reading in readings if query.admits(reading.value)]
            headlines.append([reading for reading in readings if reading.headline])
            if rank > 2 and found:
                break
        heard(1, 1, "")
    once: dict[tuple[str, str, str], Meaning] = {}
    for each in sorted(found, key=lambda reading: reading.complexity):
        once.setdefault((each.board, each.what, each.convention), each)
    matches = (*once.values(), *(reading for reading in known if not reading.slip), *(r for r in known if r.slip))
    if any(not reading.slip for reading in matches):
        return Meanings(query.value, matches, None, None, query.text, tuple(boards), cut)
    below, above = _nearest(query.value, headlines[0] if headlines else [])
    if headlines and below is None and above is None:
        others = [*chain.from_iterable(headlines[1:]), *(reading for reading in published if not reading.slip)]
        below, above = _nearest(query.value, others)
    return Meanings(query.value, matches, below, above, query.text, tuple(boards), cut, query.perhaps)


def _query(number: int | Fraction | str) -> Query:
    if isinstance(number, str):
        return read_query(number)
    if isinstance(number, Fraction):
        if number < 0:
            raise InputError(f"the number {shown(str(number))} is negative: give a number of 0 or more")
        return Query(int(number)) if number.denominator == 1 else Query(number, str(number))
    return Query(whole_number("the number", integer("the number", number, _WRITTEN)))


def _stages(query: Query, board: Board | None) -> Iterator[list[_Source]]:
    """Yield the sources of readings in stages.

    Chances and scores do not exceed 1, so a greater fraction is searched only among published numbers.
    """
    if isinstance(query.value, Fraction) and query.value > 1:
        return
    first = Board.parse(FIRST) if board is None else board
    for make in readings_of(first):
        yield [(first.spec, make)]
    if board is not None:
        return
    if isinstance(query.value, Fraction):
        yield [(_CHANCES, partial(chance_readings, first))]
        yield [(_BLINDFOLD, partial(blind_readings, first))]
        return
    yield [(spec, partial(small_readings, Board.parse(spec))) for spec in SMALL]
    larger: list[_Source] = [(spec, partial(large_readings, Board.parse(spec))) for spec in LARGER]
    yield [*larger, (_BLINDFOLD, partial(blind_readings, first))]


def blind_readings(board: Board) -> Iterator[Meaning]:
    """Yield the numbers of blindfold play under the usual rules, for a blindfolded X and for a blindfolded O."""
    for blind in ("X", "O"):
        found = solve_blindfold(board, BlindRules(blind=blind))
        command = f"noughts blindfold {board.spec}" + ("" if blind == "X" else " --blind O")
        numbers: dict[str, Fraction | int | None] = {
            "histories": found.histories,
            "strategies that never lose": found.strategies,
        }
        for name, sets in (found.information_sets or {}).items():
            numbers[f"information sets ({name.replace('_', ', ')})"] = sets
        for goal, chances in (found.win_probability or {}).items():
            aim = "who never loses " if goal == "never_lose" else ""
            for cell in sorted((chances or {}).keys() & set(opening_cells(board))):
                call = f"best chance to win {aim}against random replies, after the call {cell_name(board, cell)}"
                numbers[call] = (chances or {})[cell]
        plain = complexity_of(board) + 8 + (blind == "O")
        for what, value in numbers.items():
            if value is not None:
                yield Meaning(value, board.spec, f"blindfold, {blind} sees nothing: {what}", "", command, plain)


def _nearest(value: int | Fraction, readings: list[Meaning]) -> tuple[Meaning | None, Meaning | None]:
    """Return the nearest readings below and above a number that are near it, else None."""

    def apart(reading: Meaning) -> Fraction:
        return abs(Fraction(reading.value) - value)

    near = [reading for reading in readings if apart(reading) <= NEAR * value]
    near.sort(key=lambda reading: (apart(reading), reading.complexity))
    below = next((reading for reading in near if reading.value < value), None)
    above = next((reading for reading in near if reading.value > value), None)
    return below, above
