"""Which convention gives this number? The search covers what is quick to compute, the simplest first."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from time import monotonic

from noughts.analysis.meanings.known import published_readings
from noughts.analysis.meanings.meaning import NEAR, Meaning, Meanings, Query, read_query
from noughts.machine.budget import seconds_of
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import flag, function_or_none, integer, whole_number
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown

PLAIN = 12
"""A reading of less complexity is about free play on 3x3: the search then stops before other boards."""

_WRITTEN = "a whole number, a Fraction, or text such as '0.585'"


def whatis(
    number: int | Fraction | str,
    *,
    board: Board | str | None = None,
    quick: bool = False,
    carried: bool = False,
    time: float | str | None = None,
    progress: Progress | None = None,
) -> Meanings:
    """Return which conventions give a number, the simplest first, or the nearest numbers.

    The search tries 3x3 first, then boards that are quick to list, then larger ones. If it finds nothing, `below` and
    `above` are the nearest headline numbers. Cost: two seconds if `quick`, half a minute if nothing gives the number.
    A number of the `carried` ones takes a tenth of a second.

    Parameters
    ----------
    number
        An integer, a fraction, or text such as `31,896`, `9!`, `3^9`, `501/560` or `0.89`.
    board
        The only board to search; by default all of them.
    quick
        Search only published numbers, and 3x3 (or `board`) with one move rule for both players.
    carried
        Search nothing if noughts carries the number, published or computed before.
    time
        Stop the search after so many seconds, or after text such as `10s` or `5m`, at the next reading.
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
    flag("carried", carried)
    stop = None if time is None else monotonic() + seconds_of(time)
    query, on = _query(number), None if board is None else Board.parse(board)
    published = [reading for reading in published_readings() if on is None or reading.board == on.spec]
    known = [reading for reading in published if query.admits(reading.value)]
    searched = _Searched([], [], [], cut=bool(carried and known))
    if not searched.cut:
        is_known = any(not each.slip for each in known)
        searched = _search(query, on, progress or silent, quick=quick, stop=stop, is_known=is_known)
    headlines, boards, cut, stopped = searched.headlines, tuple(searched.boards), searched.cut, searched.stopped
    once: dict[tuple[str, str, str], Meaning] = {}
    for each in sorted(searched.found, key=lambda reading: reading.complexity):
        once.setdefault((each.board, each.what, each.convention), each)
    matches = (*once.values(), *sorted(known, key=lambda reading: reading.slip))
    if any(not reading.slip for reading in matches):
        return Meanings(query.value, matches, None, None, query.text, boards, cut, stopped=stopped)
    headlines = [] if isinstance(query.value, Fraction) else headlines  # counts are not near a part of a whole
    below, above = _nearest(query.value, headlines[0] if headlines else [])
    if headlines and below is None and above is None:
        others = [*chain.from_iterable(headlines[1:]), *(reading for reading in published if not reading.slip)]
        below, above = _nearest(query.value, others)
    return Meanings(query.value, matches, below, above, query.text, boards, cut, query.perhaps, stopped)


@dataclass
class _Searched:
    """What a search found, the headline numbers of each source, the boards searched, and whether it was cut short."""

    found: list[Meaning]
    headlines: list[list[Meaning]]
    boards: list[str]
    cut: bool
    stopped: bool = False
    """The time was up."""


def _search(
    query: Query, board: Board | None, heard: Progress, *, quick: bool, stop: float | None, is_known: bool
) -> _Searched:
    """Return what the sources give, stage by stage, until a plain reading is found or the time is up.

    A `quick` search ends after the first stage. Larger boards are not searched if the number `is_known`.
    """
    from noughts.analysis.meanings.sources import UNBOARDED, stages  # heavy: a carried number needs none of it

    every = list(stages(query, board))
    total, done = sum(map(len, every)), 0
    reached = _Searched([], [], [], cut=False)
    for rank, sources in enumerate(every):
        is_plain = min((reading.complexity for reading in reached.found), default=PLAIN) < PLAIN
        if is_plain or (rank > 2 and (reached.found or is_known)):
            break
        if rank and quick:
            reached.cut = True
            break
        for name, make in sources:
            heard(done, total, f"searching {name}")
            done += 1
            readings: list[Meaning] = []
            for reading in make():
                readings.append(reading)
                if stop is not None and monotonic() > stop:
                    reached.cut = reached.stopped = True
                    break
            reached.boards += [name] if name not in reached.boards and name not in UNBOARDED else []
            reached.found += [reading for reading in readings if query.admits(reading.value)]
            reached.headlines.append([reading for reading in readings if reading.headline])
            if reached.cut or (rank > 2 and reached.found):
                break
        if reached.cut:
            break
    heard(1, 1, "")
    return reached


def _query(number: int | Fraction | str) -> Query:
    if isinstance(number, str):
        return read_query(number)
    if isinstance(number, Fraction) and number < 0:
        raise InputError(f"the number {shown(str(number))} is negative: give a number of 0 or more")
    if isinstance(number, Fraction):
        return Query(int(number)) if number.denominator == 1 else Query(number, str(number))
    if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
        return Query(number)  # of any length
    return Query(whole_number("the number", integer("the number", number, _WRITTEN)))


def _nearest(value: int | Fraction, readings: list[Meaning]) -> tuple[Meaning | None, Meaning | None]:
    """Return the nearest readings below and above a number that are near it, else None."""

    def apart(reading: Meaning) -> Fraction:
        return abs(Fraction(reading.value) - value)

    near = [reading for reading in readings if apart(reading) <= NEAR * value]
    near.sort(key=lambda reading: (apart(reading), reading.complexity))
    below = next((reading for reading in near if reading.value < value), None)
    above = next((reading for reading in near if reading.value > value), None)
    return below, above
