"""Exact analysis of tic-tac-toe and its relatives: counts, values, strategy, with the convention said in words.

>>> import noughts
>>> noughts.count("3x3", same="choices").totals.finished
26830

Everything here is imported when it is first used, so that `import noughts` costs next to nothing.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from noughts._version import __version__

if TYPE_CHECKING:
    from noughts.counting.api import count
    from noughts.counting.census import Census, PlyCounts, Totals
    from noughts.counting.question import Question
    from noughts.domain.board import Board
    from noughts.domain.cells import cell_name, parse_cell
    from noughts.domain.errors import (
        BudgetError,
        CheckError,
        InputError,
        InvalidBoard,
        InvalidCell,
        InvalidPosition,
        InvalidQuestion,
        NoughtsError,
    )
    from noughts.domain.notation import format_position, parse_position
    from noughts.domain.position import Position
    from noughts.domain.symmetry import Group

_HOME = {
    "Board": "noughts.domain.board",
    "BudgetError": "noughts.domain.errors",
    "Census": "noughts.counting.census",
    "CheckError": "noughts.domain.errors",
    "Group": "noughts.domain.symmetry",
    "InputError": "noughts.domain.errors",
    "InvalidBoard": "noughts.domain.errors",
    "InvalidCell": "noughts.domain.errors",
    "InvalidPosition": "noughts.domain.errors",
    "InvalidQuestion": "noughts.domain.errors",
    "NoughtsError": "noughts.domain.errors",
    "PlyCounts": "noughts.counting.census",
    "Position": "noughts.domain.position",
    "Question": "noughts.counting.question",
    "Totals": "noughts.counting.census",
    "cell_name": "noughts.domain.cells",
    "count": "noughts.counting.api",
    "format_position": "noughts.domain.notation",
    "parse_cell": "noughts.domain.cells",
    "parse_position": "noughts.domain.notation",
}

__all__ = [
    "Board",
    "BudgetError",
    "Census",
    "CheckError",
    "Group",
    "InputError",
    "InvalidBoard",
    "InvalidCell",
    "InvalidPosition",
    "InvalidQuestion",
    "NoughtsError",
    "PlyCounts",
    "Position",
    "Question",
    "Totals",
    "__version__",
    "cell_name",
    "count",
    "format_position",
    "parse_cell",
    "parse_position",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'noughts' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)


if "IPython" in sys.modules:
    from noughts.notebook import register

    register()
