"""docs/reference/claims.md: what the five writings claim, each with the command that shows it, run on the spot.

python scripts/claims_page.py             print the page
python scripts/claims_page.py --write     write it
"""

from __future__ import annotations

import contextlib
import html
import io
import os
import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ["NOUGHTS_QUIET"] = "1"  # a slow machine would say that it is still at work
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.cli.main import main as run
from noughts.web.addresses import read_address
from noughts.web.replies import answer

PAGE = ROOT / "docs" / "reference" / "claims.md"
CLAIMS = ROOT / "scripts" / "claims.toml"

UNSHOWN = "~"
"""Before a phrase that has to be there, but whose line is not shown."""

CUT = " ..."
"""After a phrase with which the line shown ends."""

HEAD = """\
# The claims of the five writings

What five writings on tic-tac-toe state, show, ask or wish, claim by claim, in our words. Below each claim are its
command and the lines of the output that carry it. `>>>` is Python, after `import noughts`; `/` is an address of the
explorer (`noughts serve`). `scripts/claims_page.py` runs everything on this page; a test runs it again.
[Slips](../explanation/slips.md) are marked.
"""


@dataclass(frozen=True)
class Claim:
    """A claim in our words; each step is a command and what has to stand in its output; the slip if there is one."""

    says: str
    steps: Sequence[Sequence[str]]
    slip: str = ""


def writings() -> list[tuple[str, str, list[Claim]]]:
    """Return the title of each writing, what it is, and its claims, as the file lists them."""
    listed = tomllib.loads(CLAIMS.read_text(encoding="utf-8"))["writing"]
    return [(each["title"], each["about"], [Claim(**claim) for claim in each["claim"]]) for each in listed]


def printed(step: str) -> list[str]:
    """Return the lines that a command, lines of Python, or a page of the explorer shows."""
    if step.startswith("/"):
        path, _, query = step.partition("?")
        return _page_lines(answer(read_address(path, query)).body)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown), contextlib.suppress(SystemExit):
        if step.startswith(">>>"):
            names: dict[str, object] = {}
            for line in ["import noughts", *step.splitlines()]:
                exec(compile(line.removeprefix(">>> "), step, "single"), names)
        else:
            run(shlex.split(step))
    return shown.getvalue().splitlines()


def _page_lines(page: str | bytes) -> list[str]:
    """Return each text between two tags of a page as a line."""
    text = page.decode() if isinstance(page, bytes) else page
    text = re.sub(r"<(script|style|svg).*?</\1>", "", text, flags=re.DOTALL)
    return [" ".join(part.split()) for part in re.split(r"<[^>]*>", html.unescape(text))]


def carrying(step: str, phrases: Sequence[str]) -> list[str]:
    """Return the lines of a step's output that hold one of the phrases, all of which have to be there."""
    lines = printed(step)
    plain = [" ".join(line.split()) for line in lines]
    shown: dict[int, str] = {}
    for phrase in phrases:
        wanted = phrase.removeprefix(UNSHOWN).removesuffix(CUT)
        number = next((number for number, line in enumerate(plain) if wanted in line), None)
        if number is None:
            raise ValueError(f"{step}: {wanted!r} does not stand in what it prints:\n" + "\n".join(lines[:40]))
        if phrase.endswith(CUT):
            shown[number] = f"{plain[number].partition(wanted)[0]}{wanted}…"
        elif not phrase.startswith(UNSHOWN):
            shown[number] = lines[number].rstrip()
    return [shown[number] for number in sorted(shown)]


def lines(number: int, claim: Claim) -> list[str]:
    """Return the lines of the page about one claim; its steps run in a folder of their own."""
    made = [f"**{number}.** {claim.says}", ""]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for place, (step, *phrases) in enumerate(claim.steps):
            begins = step.splitlines() if step.startswith((">>>", "/")) else [f"noughts {step}"]
            made += ["" if place else "```text", *begins, *carrying(step, phrases)]
    made += ["```", ""]
    if claim.slip:
        made += [f"*A slip:* {claim.slip}", ""]
    return made


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for title, about, claims in writings():
        text = [line for number, claim in enumerate(claims, 1) for line in lines(number, claim)]
        parts.append("\n".join([f"## {title}", "", about, "", *text]))
    return "\n".join(parts)


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
