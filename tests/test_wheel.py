"""The wheel carries everything that an installed copy needs: the known numbers, the types, the command."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the contents of a freshly built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("noughts-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "noughts", *arguments]
    return subprocess.run(command, cwd=installed, env=environment, capture_output=True, text=True, check=False)


def test_every_file_of_the_package_is_in_it(installed: Path) -> None:
    tracked = {
        path.relative_to(ROOT / "src")
        for path in (ROOT / "src" / "noughts").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    manual = Path("noughts/web/manual")
    pages = {manual / path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*") if path.is_file()}
    pages |= {manual / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")}
    has = {path.relative_to(installed) for path in (installed / "noughts").rglob("*") if path.is_file()}
    assert has == tracked | pages | {Path("noughts/kernels/_compiled.abi3.so")}
    assert "Tag: cp311-abi3-linux_x86_64" in next(installed.glob("*.dist-info/WHEEL")).read_text()
    assert Path("noughts/py.typed") in tracked
    entry_points = next(installed.glob("*.dist-info/entry_points.txt")).read_text()
    assert "noughts = noughts.cli.entry:main" in entry_points
    assert list(installed.glob("*.dist-info/licenses/LICENSE"))


def test_an_installed_copy_has_the_known_numbers_and_proofs(installed: Path) -> None:
    told = run(installed, "whatis", "A061526")
    assert (told.returncode, "255168" in told.stdout) == (0, True), told.stderr
    judged = run(installed, "check", "noughts/known/proofs/3x3x3.proof")
    assert judged.returncode == 0, judged.stderr


def test_the_sdist_has_all_that_the_tests_need_and_says_by_what_it_is_built() -> None:
    has = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert ".ci/run" in has
    folders = {path.partition("/")[0] for path in has}
    assert folders >= {"src", "tests", "docs", "benchmarks", "examples", "scripts", "requirements"}
    assert has >= {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE", "Makefile"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (builder,) = project["build-system"]["requires"]
    assert builder == "hatchling>=1.27", "the first to write the metadata that say which license it is"
    assert builder in project["project"]["optional-dependencies"]["test"]
