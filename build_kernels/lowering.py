"""One file of kernels as object code: Numba compiles for the written signatures, LLVM optimises for each level.

Only this module uses private parts of Numba; `build_kernels.NUMBA` names the version.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from build_kernels import LEVELS

# Before Numba is imported: no feature of this machine, and no optimisation until all of a file is one module.
os.environ |= {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0", "NUMBA_DISABLE_JIT": "0"}

import numba
import numba.core.types
import numba.extending
from llvmlite import binding as llvm
from llvmlite import ir
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.np import arrayobj

from build_kernels.signatures import result_text, variants

# Their types say less than what is used here.
njit: Any = numba.njit
intrinsic: Any = numba.extending.intrinsic
types: Any = numba.core.types
populate_array: Any = arrayobj.populate_array

WORD = ir.IntType(64)
OUTSIDE = {"memcpy", "memmove", "memset", "memcmp"}
"""What compiled kernels may ask of the C library."""
_OPTIONS = {"nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": True, "error_model": "numpy", "_nrt": False}


class Entry(NamedTuple):
    """One signature of one kernel: the symbol of its wrapper, and what it takes and returns as text."""

    module: str
    name: str
    parameters: str
    takes: str
    returns: str
    symbol: str


_kernels: list[tuple[Callable[..., Any], Any]] = []


def compile_file(module: str, folder: Path, *, bounds: bool = False) -> list[Entry]:
    """Write `folder/module.LEVEL.o` for each level, and return the kernels in it."""
    _decorate(bounds)
    importlib.import_module(f"noughts.kernels.{module}")
    entries, library = [], None
    with global_compiler_lock:
        for function, dispatcher in _kernels:
            if function.__module__ != f"noughts.kernels.{module}":
                continue
            library = library or cpu_target.target_context.codegen().create_library(module)
            for number, (takes, text) in enumerate(variants(function)):
                symbol = f"noughts_{module.replace('.', '_')}_{function.__name__}_{number}"
                compiled = _compile(dispatcher, takes)
                library.add_ir_module(_wrapper(compiled, symbol))
                library.add_linking_library(compiled.library)
                names = "".join(f"{name}," for name in inspect.signature(function).parameters)
                returns = result_text(compiled.signature.return_type)
                entries.append(Entry(module, function.__name__, names, text, returns, symbol))
        if library:
            library.finalize()
            _write(library.get_llvm_str(), [entry.symbol for entry in entries], folder / module)
    return entries


def _decorate(bounds: bool) -> None:
    """Let the decorators of the kernels compile, and the counting of bits be single instructions."""
    from noughts.kernels import jit

    def compiling(**more: bool) -> Any:
        return njit(**_OPTIONS, boundscheck=bounds, **more)

    def kernel(function: Callable[..., Any]) -> Any:
        _kernels.append((function, compiling()(function)))
        return _kernels[-1][1]

    jit.kernel, jit.helper, jit.inner_kernel = kernel, compiling(), compiling(forceinline=True)
    from noughts.kernels import bits

    bits.popcount, bits.lowest = _popcount, _lowest


@intrinsic
def _ctpop(typing_context: Any, word: Any) -> Any:
    return types.int64(word), lambda context, builder, signature, given: builder.ctpop(given[0])


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:
    zero_is_undefined = ir.IntType(1)(1)
    return types.int64(word), lambda context, builder, signature, given: builder.cttz(given[0], zero_is_undefined)


@njit(**_OPTIONS)
def _popcount(word: Any) -> Any:
    return _ctpop(word)


@njit(**_OPTIONS)
def _lowest(word: Any) -> Any:
    return _cttz(word)


def _compile(dispatcher: Any, takes: tuple[Any, ...]) -> Any:
    dispatcher.compile(takes)
    return dispatcher.overloads[takes]


def _wrapper(compiled: Any, symbol: str) -> ir.Module:
    """A function that takes the arguments as words, calls the kernel, and writes what it returns as words."""
    context, callee = compiled.target_context, compiled.fndesc
    module = context.create_module(symbol)
    words = WORD.as_pointer()
    function = ir.Function(module, ir.FunctionType(ir.IntType(32), [words, words]), symbol)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    given = _words(builder, function.args[0])
    arguments = [_argument(context, builder, kind, given) for kind in callee.argtypes]
    kind = context.call_conv.get_function_type(callee.restype, callee.argtypes)
    kernel = ir.Function(module, kind, callee.llvm_func_name)
    status, result = context.call_conv.call_function(builder, kernel, callee.restype, callee.argtypes, arguments)
    for number, word in enumerate(_results(context, builder, callee.restype, result)):
        builder.store(word, builder.gep(function.args[1], [ir.IntType(32)(number)]))
    builder.ret(builder.zext(status.is_error, ir.IntType(32)))
    return module


def _words(builder: ir.IRBuilder, pointer: ir.Value) -> Iterator[ir.Value]:
    number = 0
    while True:
        yield builder.load(builder.gep(pointer, [ir.IntType(32)(number)]))
        number += 1


def _argument(context: Any, builder: ir.IRBuilder, kind: Any, given: Iterator[ir.Value]) -> ir.Value:
    """The value of one argument: an array is its address and the length of each axis."""
    if isinstance(kind, types.Array):
        data = builder.inttoptr(next(given), context.get_data_type(kind.dtype).as_pointer())
        shape = [next(given) for _ in range(kind.ndim)]
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        strides = [WORD(size)]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        array = context.make_array(kind)(context, builder)
        populate_array(array, data, shape, strides, size, None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_argument(context, builder, part, given) for part in kind.types])
    word = next(given)
    return builder.icmp_unsigned("!=", word, WORD(0)) if isinstance(kind, types.Boolean) else word


def _results(context: Any, builder: ir.IRBuilder, kind: Any, result: ir.Value) -> Iterator[ir.Value]:
    if kind == types.none:
        return
    if isinstance(kind, types.BaseTuple):
        for number, part in enumerate(kind.types):
            yield from _results(context, builder, part, builder.extract_value(result, number))
    elif isinstance(kind, types.Integer) and kind.bitwidth == WORD.width:
        yield result
    elif isinstance(kind, types.Integer) and kind.signed:
        yield builder.sext(result, WORD)
    else:
        yield builder.zext(result, WORD)


def _write(text: str, symbols: list[str], path: Path) -> None:
    """Optimise a module for each level and write its object code; all but the wrappers stay inside."""
    for level in LEVELS:
        module = llvm.parse_assembly(text)
        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration and value.name not in symbols:
                value.linkage = "internal"
        for symbol in symbols:
            wrapper = module.get_function(symbol)
            wrapper.name, wrapper.visibility = f"{symbol}_{level}", "hidden"
        target = llvm.Target.from_triple(llvm.get_process_triple())
        machine = target.create_target_machine(f"x86-64-{level}", opt=3, reloc="pic", codemodel="default")
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = True
        passes = llvm.create_pass_builder(machine, tuning)
        passes.getModulePassManager().run(module, passes)
        outside = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")} - OUTSIDE
        outside |= {v.name for v in module.global_variables if v.is_declaration}
        if outside:
            raise SystemExit(f"{path.name} needs what is not there at run time: {', '.join(sorted(outside))}")
        path.with_name(f"{path.name}.{level}.o").write_bytes(machine.emit_object(module))


if __name__ == "__main__":
    kernels_of, place, checks = sys.argv[1:]
    found = compile_file(kernels_of, Path(place), bounds=checks == "bounds")
    Path(place, f"{kernels_of}.json").write_text(json.dumps(found))
