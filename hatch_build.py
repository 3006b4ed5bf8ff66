"""The wheel carries the manual and the compiled kernels; without a compiler, or with NOUGHTS_PURE=1, plain Python."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))

from build_kernels import NUMBA  # noqa: E402 - it lies beside this file, where Python does not look by itself

MANUAL = ("docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""What `/docs` of the explorer shows: a checkout has it, a wheel carries it."""


def is_wanted() -> bool:
    """Whether kernels can be compiled for this system, and are to be."""
    if os.environ.get("NOUGHTS_PURE", "0") not in ("", "0") or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    return (platform.python_implementation(), sys.platform, platform.machine()) == ("CPython", "linux", "x86_64")


class CustomBuildHook(BuildHookInterface[Any]):
    """Compiles the kernels on the way to a wheel, and to an editable install, which finds them outside the checkout."""

    def dependencies(self) -> list[str]:
        """Numba, to compile; and the package `ziglang`, where the system has no compiler."""
        if self.target_name != "wheel" or not is_wanted():
            return []
        from build_kernels.building import system_compiler

        return [f"numba=={NUMBA}", *([] if system_compiler() else ["ziglang"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the manual and the compiled kernels to the wheel, and the tags of the systems that they are for."""
        if self.target_name == "wheel" and version != "editable":
            build_data["force_include"] |= {str(ROOT / name): f"noughts/web/manual/{name}" for name in MANUAL}
        if self.target_name != "wheel" or not is_wanted():
            return
        sys.path.insert(0, str(ROOT / "src"))
        from build_kernels.building import CannotBuild, build

        try:
            path = build()
        except (CannotBuild, OSError) as error:
            self.app.display_warning(f"noughts will be slow on larger boards: its kernels are not compiled: {error}")
            return
        if version != "editable":
            build_data["force_include"][str(path)] = "noughts/kernels/_compiled.abi3.so"
            build_data["pure_python"] = False
            build_data["tag"] = "cp311-abi3-linux_x86_64"
