"""Kernels as they were compiled before the package was installed, or else the Python functions that they are.

`build_kernels` compiles them, for the signatures that their annotations are; an installed package carries what it made.
A checkout finds it in a folder of the user, by a hash of the kernels' files. All copies of the same sources share it.
`NOUGHTS_KERNELS` says what is used instead: `plain` the Python functions, `v2` code for processors of x86-64-v2, or the
path of a file that `build_kernels` made.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any, TypeVar, cast

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])

_ROOM = Path(__file__).parent
_PREFIX = "noughts.kernels."
_LEVELS = {"v2": 0, "v3": 1}
UNCOMPILED = (
    "this installation has no compiled kernels: answers about boards larger than 3x4 take up to some hundred times as "
    "long; install again to compile them"
)
_written: dict[Callable[..., Any], Callable[..., Any]] = {}


def kernel(function: _Kernel) -> _Kernel:
    """`function` as it was compiled: it takes what its annotations say, and raises TypeError for anything else.

    Where nothing was compiled it stays the Python function it is, slower, and gives the same numbers.
    """
    compiled = _compiled().get(f"{function.__module__}.{function.__name__}".removeprefix(_PREFIX), function)
    _written[compiled] = function
    return cast(_Kernel, compiled)


def plain(kernel: _Kernel) -> _Kernel:
    """A kernel as the Python function that it is, which takes numbers of any size."""
    return cast(_Kernel, _written.get(kernel, kernel))


def helper(function: _Kernel) -> _Kernel:
    """`function`, which is compiled as a part of the kernels that call it; called from Python it is plain Python."""
    return function


def inner_kernel(function: _Kernel) -> _Kernel:
    """`function` as a helper that is always made part of those that call it.

    For the few lines of innermost loops, and for what is given so many arrays that to pass them takes time.
    """
    return function


def compiled_path(kind: str = "") -> Path:
    """Where the kernels of a checkout are, compiled, if they are."""
    found = sha256()
    for path in sorted(_ROOM.rglob("*.py")):
        found.update(f"{path.relative_to(_ROOM)}\0".encode() + path.read_bytes() + b"\0")
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(os.environ.get("NOUGHTS_KERNEL_CACHE") or Path(caches, "noughts", "kernels"))
    return folder / f"{found.hexdigest()[:16]}{kind}.abi3.so"


@cache
def _compiled() -> dict[str, Callable[..., Any]]:
    """Return the compiled kernels by name, none where there are none for this system."""
    wanted = os.environ.get("NOUGHTS_KERNELS", "")
    if wanted == "plain":
        return {}
    if wanted and wanted not in _LEVELS:
        return _loaded(Path(wanted), -1)
    carried = _ROOM / "_compiled.abi3.so"
    path = carried if carried.exists() else compiled_path()
    if not path.exists():
        warnings.warn(UNCOMPILED, RuntimeWarning, stacklevel=2)
        return {}
    return _loaded(path, _LEVELS.get(wanted, -1))


def _loaded(path: Path, level: int) -> dict[str, Callable[..., Any]]:
    """Return the kernels of a file; `level`: 0 for x86-64-v2, 1 for v3, -1 for the best that the processor has."""
    name = f"{_PREFIX}_compiled"
    loader = ExtensionFileLoader(name, str(path))
    module: Any = module_from_spec(ModuleSpec(name, loader, origin=str(path)))
    loader.exec_module(module)
    found: dict[str, Callable[..., Any]] = module.load(level)
    return found
