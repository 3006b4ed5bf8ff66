"""How kernels are compiled: what cannot be is refused, with a sentence that says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from build_kernels.building import CannotBuild, _words, find_compiler

from tests.kernels.conftest import UNCOMPILED

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(UNCOMPILED, reason="this is about compiled kernels")

OUTSIDE = """
import sys
from pathlib import Path
from build_kernels.lowering import _write
text = "declare double @sin(double)\\ndefine double @kernel(double %x) {\\n  %y = call double @sin(double %x)\\n" \
       "  ret double %y\\n}\\n"
_write(text, ["kernel"], Path(sys.argv[1], "here"))
"""
ANNOTATED = """
from build_kernels.signatures import variants
from noughts.kernels.arrays import ReadI8x1, U32x2, U64x2
import numpy as np
def many(a: U32x2 | U64x2, b: tuple[int, np.uint64], c: ReadI8x1) -> None: ...
print([text for types, text in variants(many)])
def wrong(a: float) -> None: ...
try:
    list(variants(wrong))
except TypeError as error:
    print(error)
"""


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_kernel_that_needs_a_symbol_from_outside_is_not_built(tmp_path: Path) -> None:
    done = run(OUTSIDE, str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "here needs what is not there at run time: sin\n")
    assert list(tmp_path.iterdir()) == []


def test_annotations_are_signatures() -> None:
    texts, error = run(ANNOTATED).stdout.splitlines()
    assert texts == "['[2Iw(qQ)[1br', '[2Qw(qQ)[1br']"
    assert (
        error
        == "__main__.wrong: a: a kernel's argument cannot have the type <class 'float'>: see noughts.kernels.arrays"
    )


@pytest.mark.parametrize(("takes", "words"), [("", 0), ("qQ?", 3), ("[1Iw", 2), ("(q[3Qr[2?w)Q", 9)])
def test_a_scalar_is_a_word_and_an_array_one_more_than_its_axes(takes: str, words: int) -> None:
    assert _words(takes) == words


def test_without_a_compiler_its_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(CannotBuild, match="no C compiler was found: install gcc, or the package ziglang"):
        find_compiler()
    monkeypatch.setenv("CC", "ccache gcc")
    assert find_compiler() == ["ccache", "gcc"]


def test_a_wheel_of_plain_python_can_be_asked_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "NOUGHTS_PURE": "1"}, check=True, capture_output=True)
    (wheel,) = tmp_path.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
