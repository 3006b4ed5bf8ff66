"""The written signature of a kernel: its annotations, as Numba's types and as the text that `caller.c` reads.

A scalar has a letter in the text: `q` int64, `Q` uint64, `?` bool. An array has `[`, the number of axes, a letter for
its type, and `r` or `w`. `(`...`)` surround the fields of a record or tuple.
"""

from __future__ import annotations

import inspect
import itertools
import typing
from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import numba.core.types
import numpy as np
from numba.np.numpy_support import from_dtype

types: Any = numba.core.types  # its types say less than what is used here

SCALARS: dict[Any, tuple[Any, str]] = {
    int: (types.int64, "q"),
    np.uint64: (types.uint64, "Q"),
    bool: (types.boolean, "?"),
    int | np.int64 | np.uint64: (types.int64, "q"),
}
LETTERS = {types.int64: "q", types.uint64: "Q", types.boolean: "?"}


class Parameter(NamedTuple):
    """One parameter as Numba's type, and as text."""

    type: Any
    text: str


def variants(function: Callable[..., Any]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield the types and the text of every signature of a kernel: several where an annotation is a union of arrays."""
    hints = typing.get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)
    for parameters in itertools.product(*(list(_alternatives(hints[name], name, function)) for name in names)):
        yield tuple(p.type for p in parameters), "".join(p.text for p in parameters)


def _alternatives(hint: Any, name: str, function: Callable[..., Any]) -> Iterator[Parameter]:
    try:
        if hint not in SCALARS and get_origin(hint) in (typing.Union, type(int | str)):
            yield from map(parameter, get_args(hint))
        else:
            yield parameter(hint)
    except TypeError as error:
        raise TypeError(f"{function.__module__}.{function.__name__}: {name}: {error}") from None


def parameter(hint: Any) -> Parameter:
    """Return what a kernel is given for an annotation."""
    if hint in SCALARS:
        return Parameter(*SCALARS[hint])
    if get_origin(hint) is Annotated:
        return _array(*hint.__metadata__)
    if get_origin(hint) is tuple:
        fields = [parameter(part) for part in get_args(hint)]
        return Parameter(types.Tuple([field.type for field in fields]), _grouped(fields))
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        hints = typing.get_type_hints(hint, include_extras=True)
        fields = [parameter(hints[name]) for name in hint._fields]
        return Parameter(_record([field.type for field in fields], hint), _grouped(fields))
    raise TypeError(f"a kernel's argument cannot have the type {hint}: see noughts.kernels.arrays")


def _record(fields: list[Any], record: type) -> Any:
    alike = len(set(fields)) == 1
    return types.NamedUniTuple(fields[0], len(fields), record) if alike else types.NamedTuple(fields, record)


def _array(scalar: str, axes: int, access: str = "write") -> Parameter:
    dtype = np.dtype(scalar)
    kind = types.Array(from_dtype(dtype), axes, "C", readonly=access == "read")
    return Parameter(kind, f"[{axes}{_letter(dtype)}{access[0]}")


def _letter(dtype: np.dtype[Any]) -> str:
    """The letter of module `struct` for a type of so many bytes, `q` for eight on every system."""
    if dtype.kind == "b":
        return "?"
    if dtype.kind == "f":
        return {4: "f", 8: "d"}[dtype.itemsize]
    letter = {1: "b", 2: "h", 4: "i", 8: "q"}[dtype.itemsize]
    return letter.upper() if dtype.kind == "u" else letter


def _grouped(fields: list[Parameter]) -> str:
    return "(" + "".join(field.text for field in fields) + ")"


def result_text(kind: Any) -> str:
    """Return the text of what a kernel returns: scalars, a tuple of them, or nothing."""
    if kind == types.none:
        return ""
    if isinstance(kind, types.BaseTuple):
        return "(" + "".join(result_text(part) for part in kind.types) + ")"
    return "?" if isinstance(kind, types.Boolean) else "Q" if not kind.signed else "q"
