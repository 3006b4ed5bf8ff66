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
    from noughts.blindfold.answer import BlindAnswer
    from noughts.blindfold.api import solve_blindfold
    from noughts.blindfold.game.rules import BlindRules
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
    from noughts.drawing.draw import draw
    from noughts.drawing.svg import Svg
    from noughts.exporting.graphs import to_networkx
    from noughts.records.api import catalogue
    from noughts.records.catalogue import Catalogue
    from noughts.records.comparison import Comparison, compare
    from noughts.records.record import Record
    from noughts.records.selection import Selection
    from noughts.solving.api import solve
    from noughts.solving.solution import Solution
    from noughts.strategy.explain import Explanation, explain
    from noughts.strategy.gametree import GameTree
    from noughts.strategy.openings import OpeningTheory, openings
    from noughts.strategy.patterns import Patterns, patterns
    from noughts.strategy.payoff import Payoff, payoff
    from noughts.strategy.trees import tree
    from noughts.strategy.versus import Match, versus

_HOME = {
    "BlindAnswer": "noughts.blindfold.answer",
    "BlindRules": "noughts.blindfold.game.rules",
    "Board": "noughts.domain.board",
    "BudgetError": "noughts.domain.errors",
    "Catalogue": "noughts.records.catalogue",
    "Census": "noughts.counting.census",
    "CheckError": "noughts.domain.errors",
    "Comparison": "noughts.records.comparison",
    "Explanation": "noughts.strategy.explain",
    "GameTree": "noughts.strategy.gametree",
    "Group": "noughts.domain.symmetry",
    "InputError": "noughts.domain.errors",
    "InvalidBoard": "noughts.domain.errors",
    "InvalidCell": "noughts.domain.errors",
    "InvalidPosition": "noughts.domain.errors",
    "InvalidQuestion": "noughts.domain.errors",
    "Match": "noughts.strategy.versus",
    "NoughtsError": "noughts.domain.errors",
    "OpeningTheory": "noughts.strategy.openings",
    "Patterns": "noughts.strategy.patterns",
    "Payoff": "noughts.strategy.payoff",
    "PlyCounts": "noughts.counting.census",
    "Position": "noughts.domain.position",
    "Question": "noughts.counting.question",
    "Record": "noughts.records.record",
    "Selection": "noughts.records.selection",
    "Solution": "noughts.solving.solution",
    "Svg": "noughts.drawing.svg",
    "Totals": "noughts.counting.census",
    "catalogue": "noughts.records.api",
    "cell_name": "noughts.domain.cells",
    "compare": "noughts.records.comparison",
    "count": "noughts.counting.api",
    "draw": "noughts.drawing.draw",
    "explain": "noughts.strategy.explain",
    "format_position": "noughts.domain.notation",
    "openings": "noughts.strategy.openings",
    "parse_cell": "noughts.domain.cells",
    "parse_position": "noughts.domain.notation",
    "patterns": "noughts.strategy.patterns",
    "payoff": "noughts.strategy.payoff",
    "solve": "noughts.solving.api",
    "to_networkx": "noughts.exporting.graphs",
    "solve_blindfold": "noughts.blindfold.api",
    "tree": "noughts.strategy.trees",
    "versus": "noughts.strategy.versus",
}

__all__ = [
    "BlindAnswer",
    "BlindRules",
    "Board",
    "BudgetError",
    "Catalogue",
    "Census",
    "CheckError",
    "Comparison",
    "Explanation",
    "GameTree",
    "Group",
    "InputError",
    "InvalidBoard",
    "InvalidCell",
    "InvalidPosition",
    "InvalidQuestion",
    "Match",
    "NoughtsError",
    "OpeningTheory",
    "Patterns",
    "Payoff",
    "PlyCounts",
    "Position",
    "Question",
    "Record",
    "Selection",
    "Solution",
    "Svg",
    "Totals",
    "__version__",
    "catalogue",
    "cell_name",
    "compare",
    "count",
    "draw",
    "explain",
    "format_position",
    "openings",
    "parse_cell",
    "parse_position",
    "patterns",
    "payoff",
    "solve",
    "solve_blindfold",
    "to_networkx",
    "tree",
    "versus",
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
