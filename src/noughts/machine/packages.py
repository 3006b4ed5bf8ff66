"""Optional packages: imported when they are needed, with an error that says how to install a missing one."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from shlex import quote
from typing import TYPE_CHECKING, Any, ClassVar

from noughts.rules.errors import InputError

if TYPE_CHECKING:
    import pandas
    import polars


EXTRAS = {
    "typst": ("typst", "pdf"),
    "pyarrow": ("pyarrow", "parquet"),
    "networkx": ("networkx", "graph"),
    "pandas": ("pandas", "frames"),
    "polars": ("polars", "frames"),
    "distributed": ("distributed", "cluster"),
    "gymnasium": ("gymnasium", "rl"),
    "pettingzoo": ("pettingzoo", "rl"),
    "highspy": ("highspy", None),
    "resvg_py": ("resvg-py", None),
}
"""For each package its name for pip and the extra that installs it, None where every installation does."""


def package(module: str, what: str, instead: str = "") -> Any:
    """Return a module, such as `pyarrow.parquet`, that `what` needs.

    Raises InputError where it is not installed, with the command that installs it and the alternative `instead`.
    """
    try:
        return import_module(module)
    except ImportError:
        name, extra = EXTRAS[module.partition(".")[0]]
        ways = f", or {instead}" if instead else ""
        of = f", of the extra {extra}" if extra else ""
        pip = f"{quote(sys.executable or 'python')} -m pip install {name}"
        raise InputError(f"{what} needs the package {name}{of}: run {pip}{ways}") from None


# Results as data frames of pandas and polars, where these are installed. No integer is rounded.

_FITTING = range(-(1 << 63), 1 << 63)
"""The integers that fit into a column of 64 bits."""


class Framed:
    """A result that can be converted to a data frame."""

    frame_kinds: ClassVar[Mapping[str, str]] = {}
    """The kinds of columns that may hold nothing but unknown values: bool or other; elsewhere such a column is real."""

    @abstractmethod
    def frame_rows(self) -> Iterable[Mapping[str, object]]:
        """Return the rows of the table: counts as integers, unknown values as None."""

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a DataFrame of pandas.

        Integers have type Int64, real numbers Float64, with NA for unknown values. A column with an integer beyond 63
        bits holds Python's integers (type object). Raises InputError where pandas is not installed.
        """
        made_by = package("pandas", "a table for pandas", "ask for csv")
        columns = _columns(self.frame_rows())
        types = {"int": "Int64", "bool": "boolean", "real": "Float64"}
        series = {
            name: made_by.Series(cells, dtype=types.get(_kind(cells, self.frame_kinds.get(name)), "object"))
            for name, cells in columns.items()
        }
        return made_by.DataFrame(series)

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a DataFrame of polars.

        Integers have type Int64, real numbers Float64, with null for unknown values. A column with an integer beyond 63
        bits holds text with all digits, and its name ends in `_text`. Raises InputError where polars is not installed.
        """
        made_by = package("polars", "a table for polars", "ask for csv")
        columns = _columns(self.frame_rows())
        kinds = self.frame_kinds
        return made_by.DataFrame(
            [_polars_series(made_by, name, cells, kinds.get(name)) for name, cells in columns.items()]
        )


def _columns(rows: Iterable[Mapping[str, object]]) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for row in rows:
        for name, cell in row.items():
            found.setdefault(name, []).append(cell)
    return found


def _kind(cells: Sequence[object], unknown: str | None) -> str:
    """Return what a column holds: int, large (integers beyond 63 bits), real, bool, or other.

    A column without a known value is `unknown`; None stands for other in pandas, and for real in polars.
    """
    known = [cell for cell in cells if cell is not None]
    if not known and unknown is not None:
        return unknown
    if known and all(isinstance(cell, bool) for cell in known):
        return "bool"
    if known and all(isinstance(cell, int) and not isinstance(cell, bool) for cell in known):
        return "int" if all(cell in _FITTING for cell in known) else "large"
    is_real = all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in known)
    return "real" if known and is_real else "other"


def _polars_series(made_by: Any, name: str, cells: Sequence[object], unknown: str | None) -> Any:
    kind = _kind(cells, unknown)
    if kind == "large":
        return made_by.Series(f"{name}_text", [cell if cell is None else str(cell) for cell in cells])
    if kind == "real" or (unknown is None and all(cell is None for cell in cells)):
        return made_by.Series(name, list(cells), made_by.Float64)
    if kind == "other":
        return made_by.Series(name, [cell if cell is None else str(cell) for cell in cells], made_by.String)
    return made_by.Series(name, list(cells), made_by.Int64 if kind == "int" else made_by.Boolean)
