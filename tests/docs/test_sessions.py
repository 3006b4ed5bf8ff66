"""Every session shown in the documentation is run, and every link in it leads somewhere."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pytest

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


def differing(page: Path, slow: bool) -> list[str]:
    """Return where the sessions of a page show something else than what happens."""
    blocks = [block for block in sessions.blocks(page.read_text(encoding="utf-8")) if block.slow == slow]
    return [f"line {block.first}: {each}" for block in blocks for each in sessions.differences(block)]


PAGES = sessions.pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_sessions_of_a_page_show_what_happens(page: Path) -> None:
    assert differing(page, slow=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_slow_sessions_show_what_happens(page: Path) -> None:
    assert differing(page, slow=True) == []


def links(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]


def leads_nowhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path) if path else page
    if not target.exists() or not anchor or target.suffix != ".md":
        return not target.exists()
    headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return anchor not in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere() -> None:
    assert [(page, link) for page in PAGES for link in links(page) if leads_nowhere(page, link)] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page not in seen and page.suffix == ".md":
            seen.add(page)
            waiting += [page.parent / link.partition("#")[0] for link in links(page) if link.partition("#")[0]]
    assert {page.resolve() for page in PAGES} <= seen


SHOWN = """\
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
    lying, fine = sessions.blocks(SHOWN)
    assert (lying.slow, fine.slow) == (False, True)
    assert f"noughts, version {noughts.__version__}" in sessions.differences(lying)[0]
    assert sessions.differences(fine) == []
    fresh = sessions.refresh(SHOWN)
    assert [sessions.differences(block) for block in sessions.blocks(fresh)] == [[], []]
    assert "...\n9 13538" in fresh


def test_the_commands_of_the_lesson_plans_print_what_they_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plans = (ROOT / "docs" / "how-to" / "lessons.md").read_text()
    commands = "".join(re.findall(r"```sh\n(.*?)```", plans, flags=re.DOTALL)).splitlines()
    assert (len(commands), plans.count("## 20 minutes"), plans.count("## 45 minutes")) == (8, 2, 2)
    for number, command in enumerate(commands):
        (tmp_path / str(number)).mkdir()
        monkeypatch.chdir(tmp_path / str(number))
        with pytest.raises(SystemExit) as caught:
            main(shlex.split(command.removeprefix("noughts ")))
        assert caught.value.code == 0
        [made] = (tmp_path / str(number)).iterdir()
        assert capsys.readouterr().err == f"wrote {made.name}\n"
        assert made.read_bytes().startswith(b"%PDF")


DRAWN = {
    "edge-opening": "tree 3x3 --opening b1",
    "trap": "explain 3x3 a1 b2 c3",
    "two-marks": "positions 3x3 --ply 2",
    "real-decisions": "positions 3x3 --real-decision --ply 3",
    "endings-six": "positions 3x3 --terminal --ply 6",
    "blindfold-strategy": "blindfold 3x3",
}


def test_the_pictures_are_what_the_commands_beside_them_draw(tmp_path: Path) -> None:
    """If not, run `make docs`."""
    for name, command in DRAWN.items():
        drawn = tmp_path / f"{name}.svg"
        with pytest.raises(SystemExit):
            main([*command.split(), "--theme", "auto", "-o", str(drawn)])
        assert (ROOT / "docs" / "pictures" / drawn.name).read_text() == drawn.read_text(), name
