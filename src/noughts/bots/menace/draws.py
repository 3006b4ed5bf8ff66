"""Random numbers that a browser draws too: the same seed gives the same games in Python and on the page.

The generator is xoshiro128** of D. Blackman and S. Vigna, seeded by splitmix32: words of 32 bits, in a few operations
that JavaScript has as well.
"""

from __future__ import annotations

__all__ = ["SEEDS", "Draws"]

_WORD = 0xFFFFFFFF
SEEDS = _WORD + 1
"""Seeds are whole numbers below this."""


def _splitmix(state: int) -> int:
    mixed = state
    mixed = (mixed ^ mixed >> 16) * 0x21F0AAAD & _WORD
    mixed = (mixed ^ mixed >> 15) * 0x735A2D97 & _WORD
    return mixed ^ mixed >> 15


def _turned(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & _WORD


class Draws:
    """Numbers drawn one after the other, always the same for one seed."""

    def __init__(self, seed: int) -> None:
        self._state = [_splitmix(seed + n * 0x9E3779B9 & _WORD) for n in range(1, 5)]

    def word(self) -> int:
        """Return the next number below 2^32."""
        a, b, c, d = self._state
        found = _turned(b * 5 & _WORD, 7) * 9 & _WORD
        shifted = b << 9 & _WORD
        c ^= a
        d ^= b
        self._state = [a ^ d, b ^ c, c ^ shifted, _turned(d, 11)]
        return found

    def below(self, whole: int) -> int:
        """Return a number below `whole`, which is at least 1: each is as likely as the others."""
        words = 1
        while 1 << 32 * words < whole:
            words += 1
        range_ = 1 << 32 * words
        fair = range_ - range_ % whole
        while True:
            number = 0
            for _ in range(words):
                number = number << 32 | self.word()
            if number < fair:
                return number % whole

    def pick(self, weights: tuple[int, ...] | list[int]) -> int:
        """Return a place in `weights`, as likely as its weight; nothing is drawn where there is one place only."""
        if len(weights) == 1:
            return 0
        number = self.below(sum(weights))
        for place, weight in enumerate(weights):
            number -= weight
            if number < 0:
                return place
        raise AssertionError("the weights sum to more than the number drawn")
