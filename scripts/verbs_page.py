"""docs/reference/verbs.md: every verb, its arguments and its options.

python scripts/verbs_page.py             print the page
python scripts/verbs_page.py --write     write it
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.cli.main import command

PAGE = ROOT / "docs" / "reference" / "verbs.md"
SHARED_BY = 2
"""So many verbs have to share an option for the list at the top to describe it; each name is there once."""

HEAD = """\
# Verbs

Every verb, what it does, and its options. `noughts VERB --help` says more, and so does the page about the
[command line](command-line.md). The first format is the default; with `-o FILE` the ending of the file chooses.

Every verb takes `--cells`. Every verb with `--format` takes `--output`, and with the format `svg` also `--theme` and
`--paper`.

## Options of several verbs

"""

Row = tuple[str, str]
"""An option as it is written, and what it does."""


def verbs(group: click.Command, parent: click.Context) -> Iterator[tuple[click.Context, click.Command]]:
    """Yield every verb with its context, those below a verb right after it."""
    if isinstance(group, click.Group):
        for name in group.list_commands(parent):
            verb = group.get_command(parent, name)
            if verb is not None and not verb.hidden:
                context = click.Context(verb, info_name=name, parent=parent)
                yield context, verb
                yield from verbs(verb, context)


def rows(context: click.Context, verb: click.Command) -> list[Row]:
    """Return the options of a verb."""
    options = (each.get_help_record(context) for each in verb.params if isinstance(each, click.Option))
    return [(name, text.partition("  [")[0]) for name, text in filter(None, options)]


def name_of(row: Row) -> str:
    """Return the long name of an option."""
    return "--" + row[0].partition("--")[2].split()[0]


def implied(context: click.Context, verb: click.Command) -> set[str]:
    """Return the options that a verb has by what HEAD says. Raises ValueError where it has them not."""
    options = {name_of(row): row[0] for row in rows(context, verb)}
    formats = options.get("--format", "")
    found = {"--cells"} | ({"--output"} if formats else set()) | ({"--theme", "--paper"} if "svg" in formats else set())
    if not found <= set(options):
        raise ValueError(f"{context.command_path} lacks {found - set(options)}")
    return found


def item(row: Row) -> str:
    """Return an option as an item of a list; one that says no more than others of its name has no text."""
    names, text = row
    return f"- `{names}`" if names.startswith("--format ") else f"- `{names}`: {text}"


def section(context: click.Context, verb: click.Command, shared: set[Row]) -> str:
    """Return the section of a verb: its usage, the first paragraph of its help, its options."""
    usage = " ".join(verb.collect_usage_pieces(context)).removeprefix("[OPTIONS]").strip()
    first = " ".join((verb.help or "").split("\n\n")[0].split())
    own = [row for row in rows(context, verb) if row not in shared]
    also = [name_of(row) for row in rows(context, verb) if row in shared and name_of(row) not in implied(context, verb)]
    parts = [f"## `{' '.join([context.command_path, *filter(None, [usage])])}`", "", first, "", *map(item, own)]
    return "\n".join([*parts, *([f"- also {', '.join(f'`{each}`' for each in also)}"] if also else [])]) + "\n"


def page() -> str:
    """Return the whole page."""
    every = list(verbs(command, click.Context(command, info_name="noughts")))
    counts = Counter(row for context, verb in every for row in rows(context, verb))
    often = sorted((row for row in counts if counts[row] >= SHARED_BY), key=lambda row: -counts[row])
    first = {name_of(row): row for row in reversed(often) if name_of(row) != "--format"}
    shared = [row for row in counts if row in first.values()]
    head = HEAD + "\n".join(map(item, shared)) + "\n"
    return "\n".join([head, *(section(context, verb, set(shared)) for context, verb in every)])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
