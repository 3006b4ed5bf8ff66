"""Every example in a docstring is run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import noughts

pytestmark = pytest.mark.usefixtures("remembered")

SOURCE = Path(noughts.__file__).parent
ROOMS = sorted({path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in SOURCE.rglob("*.py")})


@pytest.mark.parametrize("room", ROOMS)
def test_examples(room: str) -> None:
    """Of the modules of a room that have any; a failure is printed with the name of the module."""
    paths = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0].removesuffix(".py") == room]
    failed = []
    for path in (path for path in sorted(paths) if ">>> " in path.read_text(encoding="utf-8")):
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        if doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed:
            failed.append(name)
    assert failed == []
