"""Every session shown in the documentation is run, and every link in it leads somewhere."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.mark import ParameterSet

import noughts
from noughts.cli.main import main

pytestmark = pytest.mark.usefixtures("remembered")

ROOT = Path(__file__).parent.parent.parent


def script(name: str) -> ModuleType:
    """Return a module of scripts/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


sessions = script("sessions")


def cases() -> list[ParameterSet]:
    found = []
    for page in sessions.pages():
        for block in sessions.blocks(page.read_text(encoding="utf-8")):
            if block.language in ("console", "pycon"):
                marks = [pytest.mark.slow] if block.slow else []
                found.append(pytest.param(block, id=f"{page.relative_to(ROOT)}:{block.first}", marks=marks))
    return found


@pytest.mark.parametrize("block", cases())
def test_session(block: object) -> None:
    assert sessions.differences(block) == []


def links(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]


@pytest.mark.parametrize("page", sessions.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}, link


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page not in seen and page.suffix == ".md":
            seen.add(page)
            waiting += [page.parent / link.partition("#")[0] for link in links(page) if link.partition("#")[0]]
    assert {page.resolve() for page in sessions.pages()} <= seen


PAGE_SESSIONS = """\
Text.

```console
$ noughts --version
noughts, version 0
```

<!-- slow -->

```console
$ noughts count 3x3 --format bfile --same choices
0 0
...
9 13538
```
"""


def test_a_session_that_lies_is_noticed_and_can_be_refreshed() -> None:
    lying, fine = sessions.blocks(PAGE_SESSIONS)
    assert (lying.slow, fine.slow) == (False, True)
    assert f"noughts, version {noughts.__version__}" in sessions.differences(lying)[0]
    assert sessions.differences(fine) == []
    fresh = sessions.refresh(PAGE_SESSIONS)
    assert [sessions.differences(block) for block in sessions.blocks(fresh)] == [[], []]
    assert "...\n9 13538" in fresh


def test_what_is_left_out_may_be_nothing_but_not_something_else() -> None:
    assert sessions.matches(["a", "...", "d"], ["a", "b", "c", "d"])
    assert sessions.matches(["a", "...", "d"], ["a", "d"])
    assert not sessions.matches(["a", "...", "d"], ["a", "b"])
    assert not sessions.matches(["a"], ["a", "b"])
    assert sessions.matches(["needs about ..."], ["needs about 3 GB"])
    assert not sessions.matches(["needs about ..."], ["takes about 3 GB"])
    assert not sessions.matches(["needs about ..."], ["needs about"])


def test_other_programs_are_not_run() -> None:
    with pytest.raises(ValueError, match="mark the block"):
        sessions.output_of("rm -rf /")


# The commands of the lesson plans print what they name.

PAGE_LESSONS = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "lessons.md"
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", PAGE_LESSONS.read_text(), flags=re.DOTALL)
    for line in block.splitlines()
]


def test_every_plan_prints_sheets():
    assert len(COMMANDS) == 8
    assert all(command.startswith("noughts sheet 3x3 ") for command in COMMANDS)
    assert PAGE_LESSONS.read_text().count("## 20 minutes") == PAGE_LESSONS.read_text().count("## 45 minutes") == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(shlex.split(command)[1:])
    assert caught.value.code == 0
    [made] = tmp_path.iterdir()
    assert capsys.readouterr().err == f"wrote {made.name}\n"
    assert made.read_bytes().startswith(b"%PDF")


# The pictures in the documentation are what the commands beside them draw now: if not, run `make docs`.

PICTURES = Path(__file__).parent.parent.parent / "docs" / "pictures"


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("edge-opening.svg", lambda: noughts.tree("3x3", opening="b1")),
        ("trap.svg", lambda: noughts.explain("3x3", "a1 b2 c3")),
    ],
)
def test_picture_is_current(name, make):
    assert (PICTURES / name).read_text(encoding="utf-8") == noughts.draw(make(), "auto")


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("two-marks.svg", ["positions", "3x3", "--ply", "2"]),
        ("real-decisions.svg", ["positions", "3x3", "--real-decision", "--ply", "3"]),
        ("endings-six.svg", ["positions", "3x3", "--terminal", "--ply", "6"]),
        ("blindfold-strategy.svg", ["blindfold", "3x3"]),
    ],
)
def test_picture_of_a_verb_is_current(name, question, tmp_path):
    drawn = tmp_path / name
    with pytest.raises(SystemExit) as ended:
        main([*question, "--theme", "auto", "-o", str(drawn)])
    assert ended.value.code in (0, None)
    assert (PICTURES / name).read_text(encoding="utf-8") == drawn.read_text(encoding="utf-8")
