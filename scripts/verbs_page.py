"""docs/reference/verbs.md: the help of every verb.

python scripts/verbs_page.py             print the page
python scripts/verbs_page.py --write     write it
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.cli.main import command

PAGE = ROOT / "docs" / "reference" / "verbs.md"
WIDTH = 100

HEAD = """\
# Verbs

The help of every verb, as `noughts VERB --help` prints it. The page is made by `scripts/verbs_page.py`; a test makes it
again. What all verbs share is on the page about the [command line](command-line.md).
"""


def sections(verb: click.Command, name: str, parent: click.Context | None) -> list[str]:
    """Return a section for a verb and one for each verb below it."""
    width = {"terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(verb, info_name=name, parent=parent, **{**verb.context_settings, **width})
    found = [f"## `{context.command_path}`\n\n```text\n{verb.get_help(context)}\n```\n"] if parent else []
    if isinstance(verb, click.Group):
        for below in verb.list_commands(context):
            if (child := verb.get_command(context, below)) is not None and not child.hidden:
                found += sections(child, below, context)
    return found


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *sections(command, "noughts", None)])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
