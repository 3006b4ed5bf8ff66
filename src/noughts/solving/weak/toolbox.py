"""Which tools a board gets: the compiled ones where its cells fit a word."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.domain.bits import Mask
from noughts.domain.symmetry import Group
from noughts.solving.weak.tools import PlainTools, Tools

__all__ = ["tools_for"]


def tools_for(group: Group, lines: Sequence[Mask]) -> Tools:
    """Return tools for families of parts of some lines: the compiled ones where there are at most 64 cells."""
    if group.degree > 64:
        return PlainTools(group, lines)
    from noughts.solving.weak.compiled import CompiledTools

    return CompiledTools(group, lines)
