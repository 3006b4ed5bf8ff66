"""The README's one command installs what the answers need; what is missing is said with the way to get it."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain

import pytest

import noughts
from noughts.machine.packages import EXTRAS, package
from noughts.rules.errors import InputError
from tests.docs.test_sessions import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DISTRIBUTIONS = {module: name for module, (name, _) in EXTRAS.items()} | {"markdown_it": "markdown-it-py"}


def names(requirements: list[str]) -> set[str]:
    """Return the names of the distributions in a list of requirements."""
    return {re.split(r"[<>=~!\[; ]", each)[0].lower() for each in requirements}


BASE = names(PROJECT["dependencies"])
ALL = BASE | names(PROJECT["optional-dependencies"]["all"])


def imports(code: str) -> Iterator[str]:
    """Yield the top-level modules that a piece of code imports, wherever it does."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def foreign(code: str) -> set[str]:
    return {DISTRIBUTIONS.get(name, name) for name in imports(code)} - set(sys.stdlib_module_names) - {"noughts"}


def test_the_one_command_of_the_readme_installs_what_the_answers_need() -> None:
    install = "\n".join(block for block in (ROOT / "README.md").read_text().split("```") if block.startswith("sh\n"))
    assert re.search(r"^make +#", install, re.MULTILINE)
    wanted = subprocess.run(["make", "-nB", "all"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "scripts/venv" in wanted.split("\n")


def test_every_import_of_the_package_is_installed() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    found = {name for path in (ROOT / "src").rglob("*.py") for name in foreign(path.read_text(encoding="utf-8"))}
    late = {DISTRIBUTIONS[name] for name in re.findall(r'package\(\s*"(\w+)', code)}
    assert found | late | {"typst", "resvg-py"} <= ALL
    assert late >= {"highspy", "networkx", "pyarrow"}


@pytest.mark.parametrize("module", sorted(EXTRAS))
def test_an_extra_brings_what_it_says(module: str) -> None:
    name, extra = EXTRAS[module]
    assert name in (BASE if extra is None else names(PROJECT["optional-dependencies"][extra]))
    assert name in ALL


@pytest.mark.parametrize(
    ("word", "extra", "name"),
    [
        (r"-o \S+\.pdf|format pdf", "pdf", "typst"),
        (r"\.parquet", "parquet", "pyarrow"),
        ("to_networkx", "graph", "networkx"),
        ("to_pandas", "frames", "pandas polars"),
    ],
)
def test_a_how_to_page_leads_to_what_it_needs(word: str, extra: str, name: str) -> None:
    row = next(line for line in (ROOT / "docs/how-to/install.md").read_text().splitlines() if f"| `{extra}` |" in line)
    assert row.endswith(f"`.venv/bin/pip install {name}` |")
    for page in sorted((ROOT / "docs" / "how-to").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if page.name != "install.md" and re.search(word, text):
            plain = " ".join(text.split())
            assert f"extra [`{extra}`](install.md)" in plain, page.name


@pytest.mark.parametrize("module", sorted(EXTRAS))
def test_what_is_missing_is_said_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    name, extra = EXTRAS[module]
    with pytest.raises(InputError) as caught:
        package(module, "this")
    said = str(caught.value)
    of = f", of the extra {extra}" if extra else ""
    assert said == f"this needs the package {name}{of}: run {shlex.quote(sys.executable)} -m pip install {name}"


@pytest.mark.parametrize(("form", "module"), [("pdf", "typst"), ("png", "resvg_py")])
def test_a_form_that_cannot_be_made_is_refused_before_the_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str, module: str
) -> None:
    from noughts.cli.main import main

    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(noughts.Board, "parse", lambda text: pytest.fail("work was begun"))
    with pytest.raises(SystemExit) as caught:
        main(["tree", "3x3", "-o", f"tree.{form}"])
    assert caught.value.code == 2
    assert "needs the package" in capsys.readouterr().err


def requirements() -> Iterator[tuple[str, str]]:
    """Yield every package that noughts or an extra of it needs, with its floor."""
    for each in chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        name, _, floor = each.partition(";")[0].partition(">=")
        yield name.strip().lower().replace("_", "-"), floor.strip()


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def test_a_package_has_one_floor_whichever_extra_brings_it() -> None:
    floors: dict[str, set[str]] = {}
    for name, floor in requirements():
        floors.setdefault(name, set()).add(floor)
    assert {name: found for name, found in floors.items() if len(found) > 1 or "" in found} == {}


def test_the_tests_are_held_to_versions_of_all_that_they_need() -> None:
    text = (ROOT / "requirements" / "tested.txt").read_text(encoding="utf-8")
    pins = dict(line.split("==") for line in text.splitlines() if not line.startswith("#"))
    assert all(re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9a-z.+!]*", line) for line in text.splitlines() if line[0] != "#")
    assert [name for name, floor in requirements() if numbers(pins[name]) < numbers(floor)] == []
