"""Exact analysis of tic-tac-toe and its relatives: counts, values, strategy, with the convention said in words.

>>> import noughts
>>> noughts.count("3x3", same="choices").totals.finished
26830

Everything here is imported when it is first used, so that `import noughts` costs next to nothing. The names, and where
they live, are those of `__init__.pyi`.
"""

from __future__ import annotations

import importlib
import sys


def _homes() -> dict[str, str]:
    """Return for each public name the module that it comes from: the lines `from MODULE import NAME as NAME`."""
    with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as stub:
        return {line.split()[-1]: line.split()[1] for line in stub if line.startswith("from ")}


_HOMES = _homes()
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'noughts' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__


if "IPython" in sys.modules:
    from noughts.notebook import register

    register()
