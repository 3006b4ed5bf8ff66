"""What the entries of a table mean: outcome and remoteness as one byte, or value as two bits.

Both codes speak for the side to move, and the less the better for the player who moved there:

    one byte:   loss in r plies = r     draw = 100   win in r plies = 200 - r   no such position = 255
    two bits:   loss = 0                draw = 1     win = 2                    no such position = 3
"""

from __future__ import annotations

from typing import Literal

__all__ = ["BYTE_CODES", "PACKED_CODES", "Value", "decode", "turned", "value_code"]

Value = Literal["win", "draw", "loss"]

BYTE_CODES = (0, 100, 200, 255)
"""Loss in 0, draw, win in 0, no such position: one byte an entry."""
PACKED_CODES = (0, 1, 2, 3)
"""Loss, draw, win, no such position: two bits an entry."""


def turned(packed: bool) -> list[int]:
    """Return for each code of a child, 0 to 255, the code of a parent that moves there."""
    if packed:
        return [2, 1, 0] + [3] * 253
    win_after_loss = [199 - code for code in range(100)]
    loss_after_win = [201 - code for code in range(101, 201)]
    return [*win_after_loss, 100, *loss_after_win, *[255] * 55]


def value_code(code: int, packed: bool) -> Value | None:
    """Return the value that a code stands for, for the side to move; None where there is no such position."""
    draw, none = (PACKED_CODES if packed else BYTE_CODES)[1::2]
    if code == none:
        return None
    return "draw" if code == draw else "loss" if code < draw else "win"


def decode(code: int, packed: bool) -> tuple[Value, int | None] | None:
    """Return value and remoteness for the side to move; the remoteness of a draw, and of any two-bit code, is None."""
    value = value_code(code, packed)
    if value is None:
        return None
    if packed or value == "draw":
        return value, None
    return value, code if value == "loss" else 200 - code
