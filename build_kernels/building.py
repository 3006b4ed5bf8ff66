"""All kernels as one extension module: each file in a process of its own, kept until its sources change."""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from build_kernels import LEVELS, NUMBA

HERE = Path(__file__).parent
SOURCES = HERE.parent / "src"
ROOM = SOURCES / "noughts" / "kernels"


class CannotBuild(Exception):
    """Something that compiling the kernels needs is not there."""


def build(*, bounds: bool = False) -> Path:
    """Return the file with all kernels compiled, which is made where there is none of these sources yet.

    With `bounds` every index is checked, which is for tests. Raises CannotBuild.
    """
    from noughts.kernels.jit import compiled_path  # late: the caller may have to put `src` on the path

    path = compiled_path("-bounds" if bounds else "")
    maker, made_by = path.with_suffix(".maker"), _hash(sorted(HERE.glob("*.*")))
    with _alone(path.parent):
        if not (path.exists() and maker.exists() and maker.read_text() == made_by):
            _build(path, bounds)
            maker.write_text(made_by)
    return path


def _build(path: Path, bounds: bool) -> None:
    compiler = find_compiler()
    objects = path.parent / "objects"
    objects.mkdir(exist_ok=True)
    modules = [module for module in map(_module, sorted(ROOM.rglob("*.py"))) if "@kernel\n" in _source(module)]
    modules.sort(key=lambda module: -len(_source(module)))  # the longest first: none is waited for alone
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        folders = list(pool.map(lambda module: _object(module, objects, bounds), modules))
    with TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder, path.name)
        _write_table(folders, Path(folder, "table.h"))
        files = [str(file) for each in folders for file in sorted(each.glob("*.o"))]
        _run([*compiler, "-shared", "-nostdlib", "-Wl,-z,defs", "-o", f"{made}.alone", *files, "-lc"])
        options = ["-shared", "-fPIC", "-O2", "-s", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]
        _run([*compiler, *options, f"-I{folder}", "-o", str(made), str(HERE / "caller.c"), *files])
        made.replace(path)


def system_compiler() -> list[str]:
    """Return the command of the system's C compiler, which `CC` may name; empty if there is none."""
    if os.environ.get("CC"):
        return os.environ["CC"].split()
    return [found for found in map(shutil.which, ("cc", "gcc", "clang")) if found][:1]


def find_compiler() -> list[str]:
    """Return the command of a C compiler: of the system, or of the package `ziglang`."""
    if found := system_compiler():
        return found
    try:
        importlib.import_module("ziglang")
    except ImportError:
        raise CannotBuild("no C compiler was found: install gcc, or the package ziglang") from None
    return [sys.executable, "-m", "ziglang", "cc"]


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOM).with_suffix("").parts)


def _source(module: str) -> str:
    return Path(ROOM, *module.split(".")).with_suffix(".py").read_text()


def _object(module: str, objects: Path, bounds: bool) -> Path:
    """Return the folder with the object code of one file of kernels, compiled where it is not kept."""
    needed = [HERE / "lowering.py", HERE / "signatures.py", HERE / "__init__.py", *sorted(_needs(module, set()))]
    folder = objects / f"{module}-{_hash(needed)[:16]}{'-bounds' * bounds}"
    if not folder.exists():
        with TemporaryDirectory(dir=objects) as made:
            search = os.pathsep.join([str(HERE.parent), str(SOURCES), *sys.path])
            environment = {**os.environ, "PYTHONPATH": search, "NUMBA_OPT": "0"}  # `lowering` optimises: once is enough
            command = [sys.executable, "-m", "build_kernels.lowering", module, made, "bounds" if bounds else ""]
            _run(command, environment)
            shutil.copytree(made, folder)
    return folder


def _needs(module: str, found: set[Path]) -> set[Path]:
    """The files of a module and of all that it imports from the room."""
    path = Path(ROOM, *module.split(".")).with_suffix(".py")
    if path not in found and path.exists() and module != "jit":
        found.add(path)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("noughts.kernels"):
                parent = (node.module or "").removeprefix("noughts.kernels").lstrip(".")
                for name in [parent, *(f"{parent}.{alias.name}".lstrip(".") for alias in node.names)]:
                    if name:
                        _needs(name, found)
    return found


def _write_table(folders: list[Path], path: Path) -> None:
    """Write the kernels as `caller.c` reads them."""
    entries = [entry for folder in folders for file in folder.glob("*.json") for entry in json.loads(file.read_text())]
    takes = [entry[3] for entry in entries]
    lines = [f"extern int {e[-1]}_{level}(const int64_t *, int64_t *);" for e in entries for level in LEVELS]
    lines += [f"#define KERNELS {len(entries)}", f"#define WORDS {max(map(_words, takes))}"]
    lines += [f"#define ARRAYS {max(text.count('[') for text in takes)}", "static const Kernel kernels[KERNELS] = {"]
    for *texts, symbol in entries:
        codes = ", ".join(f"{symbol}_{level}" for level in LEVELS)
        lines.append(f"    {{{', '.join(map(json.dumps, texts))}, {{{codes}}}}},")
    path.write_text("\n".join([*lines, "};", ""]))


def _words(takes: str) -> int:
    """How many words of 64 bits the arguments of a kernel are: see `caller.c`."""
    scalars = re.sub(r"\[\d..|[()]", "", takes)
    return len(scalars) + sum(1 + int(axes) for axes in re.findall(r"\[(\d)", takes))


def _hash(paths: list[Path]) -> str:
    found = sha256(NUMBA.encode())
    for path in paths:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        raise CannotBuild(f"{' '.join(command[:4])} ... failed:\n{run.stdout}{run.stderr}")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder: a second build at the same time waits for the first, and finds what it made."""
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
