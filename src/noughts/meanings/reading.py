"""Numbers as people write them: whole, with grouped digits, as factorials and powers, as fractions and decimals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from noughts.domain.errors import InputError, shown

__all__ = ["Asked", "read_asked", "read_number"]

_EXAMPLES = "write it as 26830, 31,896, 9!, 3^9, 501/560 or 0.89"


@dataclass(frozen=True)
class Asked:
    """A number to look up: exact, or a decimal that stands for whatever rounds to it."""

    value: int | Fraction
    text: str = ""
    digits: int | None = None
    perhaps: int | None = None
    """The whole number that is meant if the point stands between thousands, as in `255.168`."""

    def admits(self, value: int | Fraction) -> bool:
        """Return whether a value is meant: equal, or not whole and equal when rounded to the digits of a decimal."""
        if self.digits is None:
            return value == self.value
        scale = 10**self.digits
        return Fraction(value).denominator > 1 and (2 * Fraction(value) * scale + 1) // 2 == self.value * scale


def read_asked(text: str) -> Asked:
    """Return the number that a text means: whole, a fraction `501/560`, a decimal `0.89` or a percentage `58.5%`.

    Raises InputError.
    """
    plain = text.strip()
    if re.fullmatch(r"[-\u2212] ?[0-9][0-9.,/^!_ ]*%?", plain):
        raise InputError(f"no number of games or positions is negative, as {shown(text)} is: {_EXAMPLES}")
    if match := re.fullmatch(r"([0-9]{1,30})\s*/\s*([0-9]{1,30})", plain):
        if int(match[2]):
            value = Fraction(int(match[1]), int(match[2]))
            return Asked(int(value) if value.denominator == 1 else value, "" if value.denominator == 1 else plain)
        raise InputError(f"{shown(text)} divides by nothing: {_EXAMPLES}")
    if match := re.fullmatch(r"([0-9]{0,20})\.([0-9]{1,20})(\s?%)?", plain):
        digits = len(match[2]) + (2 if match[3] else 0)
        perhaps = int(match[1] + match[2]) if re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3}", plain) else None
        return Asked(Fraction(int(match[1] + match[2]), 10**digits), plain, digits, perhaps)
    return Asked(read_number(text))


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
    raise InputError(f"{shown(text)} is no number: {_EXAMPLES}")


def _read_factor(text: str) -> int | None:
    if match := re.fullmatch(r"([0-9]{1,4})!", text):
        number = int(match[1])
        return factorial(number) if number <= 1000 else None
    if match := re.fullmatch(r"([0-9]{1,4})\^([0-9]{1,3})", text):
        return int(int(match[1]) ** int(match[2]))
    if re.fullmatch(r"[0-9]+|[0-9]{1,3}(?:([,_ '])[0-9]{3})(?:\1[0-9]{3})*", text):
        return int(re.sub("[^0-9]", "", text))
    return None
