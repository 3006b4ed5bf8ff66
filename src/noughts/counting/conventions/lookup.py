"""Which convention gives this number? An index of everything that is quick to count, and the published numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import factorial
from typing import Any

from noughts.counting.census import Census
from noughts.counting.conventions.ladder import ladder
from noughts.counting.engines import answer
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.words import command_of, convention
from noughts.domain.arguments import whole_number
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.domain.frozen import short
from noughts.domain.rules import END_RULES, move_rules
from noughts.known import numbers

__all__ = ["Meaning", "Meanings", "look_up", "read_number", "whatis"]

BOARDS = ("3x3", "2x2", "2x3", "2x4", "3x3+torus", "3x3+misere", "1x3", "1x4", "1x5")
"""Boards on which all conventions are quick to compute, the most asked for first."""

_MIXED = ("3x3",)
"""Boards on which X and O may also play by different rules."""

_COLUMN_WORDS = {
    "positions": "positions",
    "terminal_positions": "terminal positions",
    "terminal_x": "terminal positions won by X",
    "terminal_o": "terminal positions won by O",
    "terminal_draw": "drawn terminal positions",
    "paths": "partial games, the empty one included (nodes of the game tree)",
    "finished": "finished games",
    "x_wins": "games won by X",
    "o_wins": "games won by O",
    "draws": "drawn games",
}


@dataclass(frozen=True)
class Meaning:
    """One way to read a number: the board, what is counted, under which convention, and the command that prints it."""

    value: int
    board: str
    what: str
    convention: str
    command: str
    headline: bool = False
    published: bool = False

    def as_dict(self) -> dict[str, str]:
        """Return the reading as a record; the number is a decimal string."""
        return {
            "value": str(self.value),
            "board": self.board,
            "what": self.what,
            "convention": self.convention,
            "command": self.command,
        }

    def __str__(self) -> str:
        where = f"{self.board}: " if self.board else ""
        return f"{where}{self.what}" + (f" ({self.convention})" if self.convention else "")


@dataclass(frozen=True, repr=False)
class Meanings:
    """All readings of a number; where there are none, the nearest headline numbers below and above."""

    value: int
    matches: tuple[Meaning, ...]
    below: Meaning | None
    above: Meaning | None

    def __repr__(self) -> str:
        return f"<Meanings of {short(self.value)}: {len(self.matches)} readings>"

    @property
    def nearest(self) -> tuple[Meaning, ...]:
        """The headline numbers next to it, where it has no reading: the one above first."""
        return tuple(meaning for meaning in (self.above, self.below) if meaning is not None)

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as a record."""
        return {
            "number": str(self.value),
            "matches": [meaning.as_dict() for meaning in self.matches],
            "nearest": [meaning.as_dict() for meaning in self.nearest],
        }


def whatis(number: int | str) -> Meanings:
    """Return which conventions give a number, or the nearest ones: an integer, or text such as `31,896`, `9!`, `3^9`.

    Cost: half a second for the boards of the index. Raises InputError.

    >>> whatis("26,830").matches[0].command
    'noughts count 3x3:3 --same choices --moves any --end line'
    """
    return look_up(read_number(number) if isinstance(number, str) else whole_number("the number", number))


def read_number(text: str) -> int:
    """Return the integer of `26830`, `31,896`, `255 168`, `9!`, `3^9`, `3**9` or a product. Raises InputError."""
    plain = text.strip().replace("**", "^")
    if plain.isascii() and len(plain) <= 200:
        factors = re.split(r"[*x]", plain)
        values = [_read_factor(factor.strip()) for factor in factors]
        if values and all(value is not None for value in values):
            result = 1
            for value in values:
                result *= value or 0
            return result
    raise InputError(f"{shown(text)} is no whole number: write it as 26830, 31,896, 9! or 3^9")


def _read_factor(text: str) -> int | None:
    if match := re.fullmatch(r"([0-9]{1,4})!", text):
        number = int(match[1])
        return factorial(number) if number <= 1000 else None
    if match := re.fullmatch(r"([0-9]{1,4})\^([0-9]{1,3})", text):
        return int(int(match[1]) ** int(match[2]))
    if re.fullmatch(r"[0-9]+|[0-9]{1,3}(?:([,_ '])[0-9]{3})(?:\1[0-9]{3})*", text):
        return int(re.sub("[^0-9]", "", text))
    return None


def _questions(spec: str) -> Iterator[Question]:
    board = Board.parse(spec)
    rules = move_rules(board)
    pairs = [(rule, rule) for rule in rules]
    if spec in _MIXED:
        pairs += [pair for pair in product(rules, rules) if pair[0] != pair[1]]
    for (x_rule, o_rule), end, same in product(pairs, END_RULES, SAMENESSES):
        yield Question(board, same, x_rule, o_rule, end)


_Counted = Callable[[Question], Census]
"""What counts a question, once."""


def _headlines(spec: str, counted: _Counted) -> Iterator[Meaning]:
    """Yield the two matrices of a board: positions from naive to exact, and finished games."""
    board = Board.parse(spec)
    for rung in ladder(board):
        if rung.count is not None:
            yield Meaning(rung.count, board.spec, rung.meaning, "", f"noughts count {board.spec}", headline=True)
    for question in _questions(spec):
        if question.x_moves == question.o_moves:
            census = counted(question)
            if census.totals.finished is not None:
                yield _meaning(census, "finished", census.totals.finished, headline=True)


def _census(question: Question) -> Census:
    return answer(question, engine="layered")


def _meaning(census: Census, column: str, value: int, ply: int | None = None, *, headline: bool = False) -> Meaning:
    question = census.question
    what = _COLUMN_WORDS[column] if ply is None else f"{_COLUMN_WORDS[column].split(',')[0]} at ply {ply}"
    if question.same != "labelled" and "position" in what:
        what = what.replace("positions", "position classes")
    return Meaning(value, question.board.spec, what, convention(question), command_of(question), headline)


def _details(spec: str, counted: _Counted) -> Iterator[Meaning]:
    """Yield the totals of all other columns, then the single plies."""
    censuses = [counted(question) for question in _questions(spec)]
    for census in censuses:
        for column in _COLUMN_WORDS:
            total = getattr(census.totals, column)
            if total is not None:
                yield _meaning(census, column, total)
    for census in censuses:
        if census.question.x_moves == census.question.o_moves:
            for row in census.plies:
                for column in _COLUMN_WORDS:
                    count = getattr(row, column)
                    if count is not None:
                        yield _meaning(census, column, count, row.ply)


def _published() -> Iterator[Meaning]:
    for entry in numbers("sequence"):
        for place, term in enumerate(entry["terms"], 1):
            what = f"{entry['what']}: term {place} of {entry['id']}"
            yield Meaning(int(term), "", what, entry["source"], "noughts verify", published=True)
    for entry in numbers("number"):
        if entry["value"].isdecimal():
            yield Meaning(int(entry["value"]), "", entry["what"], entry["source"], "noughts verify", published=True)


def look_up(value: int) -> Meanings:
    """Return what a number can mean: headline numbers first, then other columns, single plies and published numbers.

    Where nothing that is computed gives it, `below` and `above` are the nearest headline numbers of 3x3. Cost: half a
    second for the boards of the index.
    """
    counted = cache(_census)
    headlines = list(_headlines(BOARDS[0], counted))
    found = [meaning for meaning in headlines if meaning.value == value]
    found += [meaning for meaning in _details(BOARDS[0], counted) if meaning.value == value and value > 1]
    if not found:
        for spec in BOARDS[1:]:
            found += [m for m in _headlines(spec, counted) if m.value == value]
            found += [m for m in _details(spec, counted) if m.value == value]
    published = [meaning for meaning in _published() if meaning.value == value]
    computed = _unique(found)
    below = above = None
    if not computed:
        candidates = headlines + [m for m in _published() if value > max(h.value for h in headlines)]
        below = max((m for m in candidates if m.value < value), key=lambda m: m.value, default=None)
        above = min((m for m in candidates if m.value > value), key=lambda m: m.value, default=None)
    return Meanings(value, (*computed, *published), below, above)


def _unique(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings without those that say the same thing twice."""
    kept: dict[tuple[str, str, str], Meaning] = {}
    for meaning in meanings:
        kept.setdefault((meaning.board, meaning.what, meaning.convention), replace(meaning))
    return list(kept.values())
