"""Which convention gives this number? What is quick to compute is looked through, the plainest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import chain

from noughts.analysis.meanings.known import published_readings
from noughts.analysis.meanings.meaning import NEAR, Asked, Meaning, Meanings, complexity_of, read_asked
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
"""A reading of less complexity than this is about free play on 3x3: no other board is looked at for a simpler one."""

_CHANCES, _BLINDFOLD = "the chances when policies meet", "blindfold play"

_WRITTEN = "a whole number, a Fraction, or text such as '0.585'"

_Source = tuple[str, Callable[[], Iterator[Meaning]]]
"""The name of a source of readings, and what yields them."""


def whatis(
    number: int | Fraction | str,
    *,
    board: Board | str | None = None,
    quick: bool = False,
    progress: Progress | None = None,
) -> Meanings:
    """Return which conventions give a number, the simplest first, or the nearest numbers.

    The number is an integer, a fraction, or text such as `31,896`, `9!`, `3^9`, `501/560` or `0.89`; with a `board`
    only readings on that board are looked for. `quick`: only what was published, and 3x3 (or the board) with both
    players by one rule. Cost: two seconds for that, half a minute where nothing gives the number.
    Raises InputError, InvalidBoard.

    Boards that are quick to list follow 3x3, and where those give nothing the larger ones. Where nothing is found,
    `below` and `above` are the nearest headline numbers.

    >>> whatis("26,830").matches[0].command
    'noughts count 3x3:3 --same choices --moves any --end line'
    >>> whatis(765, board="3x3").matches[0].what
    'reachable boards up to the symmetries of the board'
    """
    function_or_none("progress", progress)
    flag("quick", quick)
    heard = progress or silent
    asked, on = _asked(number), None if board is None else Board.parse(board)
    published = [reading for reading in published_readings() if on is None or reading.board == on.spec]
    said = [reading for reading in published if asked.admits(reading.value)]
    found: list[Meaning] = []
    headlines: list[list[Meaning]] = []
    boards: list[str] = []
    cut = False
    for rank, sources in enumerate(_stages(asked, on)):
        if (found and min(reading.complexity for reading in found) < PLAIN) or (rank > 2 and (found or said)):
            break
        if rank and quick:
            cut = True
            break
        for place, (name, make) in enumerate(sources):
            heard(place, len(sources), f"looking through {name}")
            readings = list(make())
            boards += [name] if name not in boards and name != _CHANCES and name != _BLINDFOLD else []
            found += [reading for reading in readings if asked.admits(reading.value)]
            headlines.append([reading for reading in readings if reading.headline])
            if rank > 2 and found:
                break
        heard(1, 1, "")
    once: dict[tuple[str, str, str], Meaning] = {}
    for each in sorted(found, key=lambda reading: reading.complexity):
        once.setdefault((each.board, each.what, each.convention), each)
    matches = (*once.values(), *(reading for reading in said if not reading.slip), *(r for r in said if r.slip))
    if any(not reading.slip for reading in matches):
        return Meanings(asked.value, matches, None, None, asked.text, tuple(boards), cut)
    below, above = _nearest(asked.value, headlines[0] if headlines else [])
    if headlines and below is None and above is None:
        others = [*chain.from_iterable(headlines[1:]), *(reading for reading in published if not reading.slip)]
        below, above = _nearest(asked.value, others)
    return Meanings(asked.value, matches, below, above, asked.text, tuple(boards), cut, asked.perhaps)


def _asked(number: int | Fraction | str) -> Asked:
    if isinstance(number, str):
        return read_asked(number)
    if isinstance(number, Fraction):
        if number < 0:
            raise InputError(f"the number {shown(str(number))} is negative: nothing counts less than nothing")
        return Asked(int(number)) if number.denominator == 1 else Asked(number, str(number))
    return Asked(whole_number("the number", integer("the number", number, _WRITTEN)))


def _stages(asked: Asked, board: Board | None) -> Iterator[list[_Source]]:
    """Yield the sources of readings, those together that are looked through together.

    No chance and no score exceeds 1: of a fraction that does only what was published is looked through.
    """
    if isinstance(asked.value, Fraction) and asked.value > 1:
        return
    first = Board.parse(FIRST) if board is None else board
    for make in readings_of(first):
        yield [(first.spec, make)]
    if board is not None:
        return
    if isinstance(asked.value, Fraction):
        yield [(_CHANCES, partial(chance_readings, first))]
        yield [(_BLINDFOLD, partial(blind_readings, first))]
        return
    yield [(spec, partial(small_readings, Board.parse(spec))) for spec in SMALL]
    larger: list[_Source] = [(spec, partial(large_readings, Board.parse(spec))) for spec in LARGER]
    yield [*larger, (_BLINDFOLD, partial(blind_readings, first))]


def blind_readings(board: Board) -> Iterator[Meaning]:
    """Yield the numbers of blindfold play by the usual rules: X sees nothing, then O."""
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
    """Return the nearest readings below and above a number, none where they are further off than a part of it."""

    def apart(reading: Meaning) -> Fraction:
        return abs(Fraction(reading.value) - value)

    near = [reading for reading in readings if apart(reading) <= NEAR * value]
    near.sort(key=lambda reading: (apart(reading), reading.complexity))
    below = next((reading for reading in near if reading.value < value), None)
    above = next((reading for reading in near if reading.value > value), None)
    return below, above
