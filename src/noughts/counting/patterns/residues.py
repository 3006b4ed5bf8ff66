"""Large counts as remainders: how many moduli are needed, and the number behind its remainders."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod

__all__ = ["filling_bound", "is_prime", "moduli_for", "recombine"]

_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Miller-Rabin with these bases decides primality below 3.3e24 (Sorenson and Webster 2015)."""


def filling_bound(weights: Sequence[int]) -> int:
    """Return a bound on the ways to fill cells with X, O and blank that have given numbers of X and of O.

    For cells of weight one the central trinomial coefficient, otherwise all fillings.
    """
    n = len(weights)
    if any(weight != 1 for weight in weights):
        return int(3**n)
    return comb(n, n // 3) * comb(n - n // 3, (n - n // 3) // 2)


def moduli_for(bound: int) -> tuple[int, ...]:
    """Return 2^64 and as many primes below 2^62 as it takes for the product to exceed `bound`."""
    moduli, below = [1 << 64], (1 << 62) - 1
    while prod(moduli) <= bound:
        moduli.append(_prime_below(below))
        below = moduli[-1] - 2
    return tuple(moduli)


def _prime_below(odd: int) -> int:
    """Return the largest prime up to an odd number."""
    while not is_prime(odd):
        odd -= 2
    return odd


def is_prime(odd: int) -> bool:
    """Tell whether an odd number above 37 is prime."""
    power = (odd - 1 & -(odd - 1)).bit_length() - 1
    for base in _WITNESSES:
        value = pow(base, odd - 1 >> power, odd)
        if value in (1, odd - 1):
            continue
        for _ in range(power - 1):
            value = value * value % odd
            if value == odd - 1:
                break
        else:
            return False
    return True


def recombine(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number from 0 to the product of the moduli, exclusive, that leaves these remainders."""
    value, step = 0, 1
    for residue, modulus in zip(residues, moduli, strict=True):
        value += step * ((residue - value) * pow(step, -1, modulus) % modulus)
        step *= modulus
    return value
