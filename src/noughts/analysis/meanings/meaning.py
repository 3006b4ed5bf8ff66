"""Numbers as people write them: whole, with grouped digits, as factorials, powers, fractions or decimals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod

from noughts.analysis.explain.wording import read_label
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.values import Result

_TIMES = re.compile("[\u00b7\u22c5\u00d7]")
_GROUPED = "[0-9]{1,30}|[0-9]{1,3}(?:,[0-9]{3}){1,9}"
_EXAMPLES = "write it as 26830, 31,896, 9!, 3^9, 501/560, 0.89 or 58%"


@dataclass(frozen=True)
class Query:
    """A number to look up: exact, or a decimal that matches every value which rounds to it."""

    value: int | Fraction
    text: str = ""
    digits: int | None = None
    perhaps: int | None = None
    """The whole number that is meant if the point separates thousands, as in `255.168`."""

    def admits(self, value: int | Fraction) -> bool:
        """Return whether a value is equal, or not whole and equal after rounding to the digits of a decimal."""
        if self.digits is None:
            return value == self.value
        scale = 10**self.digits
        return Fraction(value).denominator > 1 and (2 * Fraction(value) * scale + 1) // 2 == self.value * scale


def read_query(text: str) -> Query:
    """Return the number of a text: whole, a fraction `501/560`, a decimal `0.89` or a percentage `58%`.

    Raises InputError.
    """
    plain = _TIMES.sub("*", text.strip())
    if re.fullmatch(r"[-\u2212] ?[0-9][0-9.,/^!_ ]*%?", plain):
        raise InputError(f"{shown(text)} is negative, but counts are not: {_EXAMPLES}")
    if match := re.fullmatch(rf"({_GROUPED})\s*/\s*({_GROUPED})", plain):
        above, below = (read_number(part) for part in match.groups())
        if below:
            value = Fraction(above, below)
            return Query(int(value) if value.denominator == 1 else value, "" if value.denominator == 1 else plain)
        raise InputError(f"{shown(text)} divides by zero: {_EXAMPLES}")
    if match := re.fullmatch(r"([0-9]{0,20})\.([0-9]{1,20})(\s?%)?", plain):
        digits = len(match[2]) + (2 if match[3] else 0)
        perhaps = int(match[1] + match[2]) if re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3}", plain) else None
        return Query(Fraction(int(match[1] + match[2]), 10**digits), plain, digits, perhaps)
    if match := re.fullmatch(r"([0-9]{1,20})\s?%", plain):
        part = Fraction(int(match[1]), 100)
        return Query(int(part)) if part.denominator == 1 else Query(part, plain, 2)
    formula = re.sub("[\u2013\u2212]", "-", re.sub(" ?x ?", " * ", plain))
    if re.search("[-+!]", formula) and re.fullmatch("[0-9!,^]+( ?[-+*/] ?[0-9!,^]+)+", formula):
        result = computed(formula)
        return Query(result, "" if isinstance(result, int) else plain)
    if label := read_label(plain):
        raise InputError(f"{shown(text)} is a label, not a number: try noughts positions 3x3 --label '{label}'")
    return Query(read_number(text))


def computed(formula: str) -> int | Fraction:
    """Return the value of a formula such as `9! - 162432 + 54720` or `6 * 5 / 2`. Raises InputError."""
    found = Fraction(0)
    if re.search(r"/ *0+\b(?!!)", formula):
        raise InputError(f"{shown(formula)} divides by zero: {_EXAMPLES}")
    for sign, term in re.findall(r"([+-]?) ?([^+-]+)", formula):
        factors = re.findall(r"([*/]?) ?([^*/ ]+)", term)
        part = prod(Fraction(read_number(n)) ** (-1 if by == "/" else 1) for by, n in factors)
        found += -part if sign == "-" else part
    if found < 0:
        raise InputError(f"{shown(formula)} is negative, but counts are not: {_EXAMPLES}")
    return int(found) if found.denominator == 1 else found


def read_number(text: str) -> int:
    """Return the integer of `26830`, `31,896`, `255 168`, `9!`, `3^9`, `3**9` or a product. Raises InputError."""
    plain = _TIMES.sub("*", text.strip()).replace("**", "^")
    if plain.isascii() and len(plain) <= 200:
        values = [_read_factor(factor.strip()) for factor in re.split(r"[*x]", plain)]
        factors = [value for value in values if value is not None]
        if len(factors) == len(values):
            return prod(factors)
    raise InputError(f"{shown(text)} is not a number: {_EXAMPLES}")


def _read_factor(text: str) -> int | None:
    if match := re.fullmatch(r"([0-9]{1,4})!", text):
        number = int(match[1])
        return factorial(number) if number <= 1000 else None
    if match := re.fullmatch(r"([0-9]{1,4})\^([0-9]{1,3})", text):
        return int(int(match[1]) ** int(match[2]))
    if re.fullmatch(r"[0-9]+|[0-9]{1,3}(?:([,_ '])[0-9]{3})(?:\1[0-9]{3})*", text):
        return int(re.sub("[^0-9]", "", text))
    return None


NEAR = Fraction(1, 10)
"""A value is near a number if it differs by at most this part of it."""

_RULES: dict[MoveRule, int] = {
    "any": 0,
    "win": 12,
    "block": 13,
    "perfect": 14,
    "fork": 16,
    "quickest": 17,
    "concede": 18,
}
_ASYMMETRIC = 20


@dataclass(frozen=True, repr=False)
class Meaning(Result):
    """One reading of a number: the board, what is counted, the convention, and the command that prints it, if any.

    `complexity` grows with the words of the convention: a plain count of tic-tac-toe has 0. A `headline` number may be
    shown as the nearest one. A `published` number was not computed now; noughts computed it before if it is `own`. No
    convention gives a `slip`.
    """

    value: int | Fraction
    board: str
    what: str
    convention: str
    command: str
    complexity: int = 0
    headline: bool = False
    published: bool = False
    slip: bool = False
    own: bool = False
    keys = "value=digits board what convention command"

    @property
    def digits(self) -> str:
        """The number in decimal digits, or as a fraction."""
        return str(self.value)

    @property
    def said(self) -> str:
        """What is counted, with its convention, without the board."""
        return self.what + (f" ({self.convention})" if self.convention else "")

    @property
    def by(self) -> str:
        """The origin of a number that was not computed now: `Published`, or `Computed by noughts`; else empty."""
        return ("Computed by noughts" if self.own else "Published") if self.published else ""

    def __str__(self) -> str:
        return f"{self.board}: {self.said}" if self.board else self.said


@dataclass(frozen=True, repr=False)
class Meanings(Result):
    """All readings of a number, the simplest first; if there are none, the nearest numbers below and above.

    Numbers further away than NEAR are left out. `boards` are those that were searched. `cut` means that a quick search
    left some sources out, or that the search ended early.
    """

    value: int | Fraction
    matches: tuple[Meaning, ...]
    below: Meaning | None
    above: Meaning | None
    text: str = ""
    """The number as it was given, if it was not whole."""
    boards: tuple[str, ...] = ()
    cut: bool = False
    perhaps: int | None = None
    """The whole number that is meant if the point separates thousands."""

    stopped: bool = False
    """Whether the time of the search was up."""
    keys = "number matches nearest boards quick=cut stopped"

    @property
    def number(self) -> str:
        """The number as it was given, else in digits."""
        return self.text or str(self.value)

    @property
    def nearest(self) -> tuple[Meaning, ...]:
        """The headline numbers near a number without readings, the nearest first."""
        found = [meaning for meaning in (self.above, self.below) if meaning is not None]
        return tuple(sorted(found, key=lambda meaning: abs(Fraction(meaning.value) - Fraction(self.value))))

    @property
    def said(self) -> str:
        """The number for people."""
        return self.text or written(self.value)


def written(value: int | Fraction) -> str:
    """Return a number for people: digits in groups of three, or a fraction with an approximate decimal."""
    whole = isinstance(value, int) or value.denominator == 1
    return f"{int(value):,}" if whole else f"{value} (about {float(value):.4g})"


def complexity_of(
    board: Board, x_moves: MoveRule = "any", o_moves: MoveRule = "any", end: EndRule = "line", symmetry: str = "board"
) -> int:
    """Return how complex a convention is: 0 for tic-tac-toe, more for other boards, end rules and move rules.

    Free play on another board ranks before move rules on 3x3; one rule for both players before different rules.
    """
    found = _of_board(board) + (0 if end == "line" else 6) + (0 if symmetry == "board" else 3)
    if x_moves != o_moves:
        return found + _ASYMMETRIC + max(_RULES[x_moves], _RULES[o_moves])
    return found + _RULES[x_moves]


def _of_board(board: Board) -> int:
    rows, columns, layers = board.shape or (1, board.cells, 1)
    plain = (rows, columns, layers, board.k) == (3, 3, 1, 3)
    found = 0 if plain else 8 if rows == columns and rows > 2 else 9 if rows > 2 else 13 if rows > 1 else 16
    return found + 12 * board.misere + 15 * board.torus + 14 * (not board.rules.alternating)
