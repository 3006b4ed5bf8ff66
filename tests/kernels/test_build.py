"""How kernels are compiled: what cannot be is refused, with a sentence that says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from build_kernels.building import CannotBuild, find_compiler

from tests.kernels.conftest import UNCOMPILED

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(UNCOMPILED, reason="this is about compiled kernels")


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
