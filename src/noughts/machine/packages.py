"""Packages that some answers need: imported when they are needed, and where one is missing it is said how to get it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from noughts.domain.errors import InputError

__all__ = ["EXTRAS", "package"]

EXTRAS = {
    "typst": ("typst", "pdf"),
    "pyarrow": ("pyarrow", "parquet"),
    "networkx": ("networkx", "graph"),
    "genanki": ("genanki", "anki"),
    "pandas": ("pandas", "frames"),
    "polars": ("polars", "frames"),
    "distributed": ("distributed", "cluster"),
    "gymnasium": ("gymnasium", "rl"),
    "pettingzoo": ("pettingzoo", "rl"),
    "scipy": ("scipy", None),
    "resvg_py": ("resvg-py", None),
}
"""For each package that is imported late its name for pip, and the extra that brings it, None where all installs do."""


def package(module: str, what: str, instead: str = "") -> Any:
    """Return a module, such as `scipy.optimize`, that `what` needs.

    Raises InputError where it is not installed, with the command that installs it and what to do instead.
    """
    try:
        return import_module(module)
    except ImportError:
        name, extra = EXTRAS[module.partition(".")[0]]
        ways = f", or {instead}" if instead else ""
        raise InputError(f"{what} needs the package {name}: run {_command(name, extra)}{ways}") from None


def _command(name: str, extra: str | None) -> str:
    """Return the command that installs a package: in a checkout with its own pip, else with the pip of the user."""
    checkout = Path(__file__).parents[3]
    if not (checkout / "pyproject.toml").exists():
        return f"pip install '{f'noughts[{extra}]' if extra else name}'"
    pip = ".venv/bin/pip" if (checkout / ".venv").exists() else "pip"
    return f"{pip} install '{f'.[{extra}]' if extra else name}' in {checkout}"
