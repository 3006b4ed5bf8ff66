"""Lazy imports: a package offers the names of its stub `__init__.pyi` and imports each at its first use."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module


@cache
def homes(folder: str) -> dict[str, str]:
    """Return the module of each name of a package, from the lines `from MODULE import NAME as NAME` of the stub."""
    try:
        with open(f"{folder}/__init__.pyi", encoding="utf-8") as stub:
            return {line.split()[-1]: line.split()[1] for line in stub if line.startswith("from ")}
    except FileNotFoundError:
        return {}


def lazily(
    package: str, folder: str, missing: Callable[[str], str] = lambda name: ""
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package.

    Parameters
    ----------
    package, folder
        The name of the package and its folder.
    missing
        A function from an unknown name to a hint for the error.
    """

    def find(name: str) -> object:
        found = homes(folder)
        if name == "__all__":
            return sorted(each for each in found if found[each] != package)
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}{missing(name)}")
        home = found[name]
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        vars(sys.modules[package])[name] = value
        return value

    return find, lambda: sorted(homes(folder))
