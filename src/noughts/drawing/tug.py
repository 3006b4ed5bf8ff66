"""The tug of war: how the value of a game went from move to move, as some lines of SVG for a web page.

Shapes have classes and no colours: `x` where X would win, `o` where O would, `level` for a draw, `axis`, `words`.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["tug_of_war"]

_STEP, _HALF, _LEFT, _TOP = 30, 60, 62, 14


def tug_of_war(values: Sequence[tuple[str, int | None] | None], cells: int) -> str:
    """Return the chart: a bar for each ply from 0 on, up for X and down for O, the longer the sooner it is won.

    A value is who wins under best play, X, O or draw, and the plies to the end; None where it was not found. Where
    the plies were not found a bar has half its length. `cells` is the length of the longest game.
    """
    width, middle = _LEFT + _STEP * len(values) + 6, _TOP + _HALF
    parts = [
        f'<path class="axis" d="M{_LEFT} {middle}h{_STEP * len(values)}"/>',
        f'<text class="words" x="0" y="{_TOP + 5}">X wins</text>',
        f'<text class="words" x="0" y="{middle + 5}">draw</text>',
        f'<text class="words" x="0" y="{middle + _HALF + 5}">O wins</text>',
    ]
    for ply, value in enumerate(values):
        x = _LEFT + ply * _STEP + 4
        parts.append(f'<text class="words ply" x="{x + 11}" y="{middle + _HALF + 24}">{ply}</text>')
        if value is not None:
            parts.append(_bar(x, middle, *value, cells))
    height = middle + _HALF + 30
    head = f'<svg class="tug" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
    return head + "".join(parts) + "</svg>"


def _bar(x: int, middle: int, outcome: str, remoteness: int | None, cells: int) -> str:
    if outcome == "draw":
        return f'<rect class="level" x="{x}" y="{middle - 4}" width="22" height="8" rx="2"/>'
    share = 0.5 if remoteness is None else 1 - remoteness / (cells + 1)
    length = max(8, round(share * _HALF))
    top = middle - length if outcome == "X" else middle
    return f'<rect class="{outcome.lower()}" x="{x}" y="{top}" width="22" height="{length}" rx="2"/>'
