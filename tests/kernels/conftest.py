"""Uncompiled, the tests of this room reach every kernel: a run that passes and leaves one out has failed."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from noughts.kernels import jit

HERE = Path(__file__).parent
UNCOMPILED = os.environ.get("NOUGHTS_KERNELS") == "plain"
_waiting: set[str] = set()


def _noted(decorate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def noting(function: Any) -> Any:
        kernel, name = decorate(function), f"{function.__module__}.{function.__name__}"
        _waiting.add(name)

        @functools.wraps(kernel)
        def called(*arguments: Any) -> Any:
            _waiting.discard(name)
            return kernel(*arguments)

        return called

    return noting


if UNCOMPILED:
    for kind in ("kernel", "helper", "inner_kernel"):
        setattr(jit, kind, _noted(getattr(jit, kind)))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail where all files of this room were run, and a kernel was not."""
    run = {item.path for item in session.items if item.path.parent == HERE}
    if UNCOMPILED and exitstatus == 0 and run == set(HERE.glob("test_*.py")):
        for path in sorted(Path(jit.__file__).parent.rglob("*.py")):
            module = ".".join(path.relative_to(Path(jit.__file__).parents[2]).with_suffix("").parts)
            __import__(module)
        if _waiting:
            print("\nKernels that no test of tests/kernels runs:", *sorted(_waiting), sep="\n  ")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
