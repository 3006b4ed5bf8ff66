"""docs/reference/python.md and python-training.md: what `noughts` and `noughts.training` offer, from the docstrings.

python scripts/python_page.py             print the pages
python scripts/python_page.py --write     write them
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

import noughts
import noughts.training

PAGE = ROOT / "docs" / "reference" / "python.md"
TRAINING = ROOT / "docs" / "reference" / "python-training.md"

HEAD = """\
# Python

What `import noughts` offers: the verbs as functions, boards, positions, moves and errors. What they return, and what is
used less often, is in the rooms below, as in `noughts.rules.parse_position`. Names are imported when they are first
used, so the import itself costs next to nothing. The page is made by `scripts/python_page.py` from the docstrings; a
test makes it again.
"""


TRAINING_HEAD = """\
# Training, in Python

What `noughts.training` offers. [Train a player](../how-to/training.md) says how to use it. `BoardEnv`,
`BoardVectorEnv` and `board_aec` need the extra `rl`, `to_open_spiel` needs OpenSpiel; the others need neither.
The page is made by `scripts/python_page.py` from the docstrings; a test makes it again.

"""


def _unquoted(text: object) -> str:
    """Return a signature or a parameter with its annotations as they are written."""
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(text))


def signature(name: str, thing: Any) -> str:
    """Return the call of a function or class, one parameter a line where it is long; the types as written."""
    if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, Exception)):
        return name
    try:
        text = name + _unquoted(inspect.signature(thing))
    except ValueError:
        return name
    if len(text) <= 100:
        return text
    parameters = []
    for each in inspect.signature(thing).parameters.values():
        if each.kind is each.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        parameters.append(_unquoted(each))
    return "\n".join([f"{name}(", *(f"    {parameter}," for parameter in parameters), ")"])


def paragraphs(thing: object, home: ModuleType = noughts) -> list[str]:
    """Return a docstring as Markdown: doctests in a block of their own, with the import that they need."""
    lines: list[str] = []
    inside = False
    said = inspect.getdoc(thing) or ""
    calls = "\n".join(line for line in said.split("\n") if line.startswith((">>> ", "... ")))
    homes = dict.fromkeys([noughts, *rooms(), home])
    needed = {each.__name__: [name for name in each.__all__ if re.search(rf"\b{name}\b", calls)] for each in homes}
    imports = [f">>> from {where} import {', '.join(names)}" for where, names in needed.items() if names]
    for line in said.split("\n"):
        if line.startswith(">>> ") and not inside:
            lines += ["```pycon", *imports]
            inside = True
        if inside and not line:
            lines.append("```")
            inside = False
        lines.append(line)
    return [*lines, "```"] if inside else lines


def rooms() -> list[ModuleType]:
    """Return the rooms of the package, but for that of training, which has a page of its own."""
    return [getattr(noughts, name) for name in dir(noughts) if name not in (*noughts.__all__, "training")]


def members(thing: object) -> list[str]:
    """Return a bullet for each public attribute that a class documents or inherits: the first sentence about it."""
    if not inspect.isclass(thing) or issubclass(thing, Exception):
        return []
    found = []
    ours = [vars(base) for base in reversed(thing.__mro__) if base.__module__.startswith("noughts")]
    for name, member in sorted({name: member for base in ours for name, member in base.items()}.items()):
        said = inspect.getdoc(getattr(member, "func", member)) if not name.startswith("_") else None
        if said and (
            inspect.isfunction(member) or isinstance(member, property | classmethod) or hasattr(member, "func")
        ):
            call = "()" if inspect.isfunction(member) or isinstance(member, classmethod) else ""
            first = " ".join(said.split("\n\n")[0].split())
            found.append(f"- `{name}{call}`: {first}")
    return found


def entry(name: str, home: ModuleType = noughts) -> str:
    """Return the section about one name of a module."""
    thing = getattr(home, name)
    heading = f"## `{name}`" if home in (noughts, noughts.training) else f"### `{home.__name__}.{name}`"
    parts = [
        heading,
        "",
        "```python",
        signature(name, thing),
        "```",
        "",
        *paragraphs(thing, home),
        "",
        *members(thing),
    ]
    return "\n".join(parts).rstrip() + "\n"


def page() -> str:
    """Return the whole page."""
    names = [name for name in noughts.__all__ if name != "__version__"]
    parts = [HEAD, *(entry(name) for name in names)]
    for room in rooms():
        parts.append(f"## `{room.__name__}`\n\n{inspect.getdoc(room)}\n")
        parts += [entry(name, room) for name in room.__all__]
    return "\n".join(parts)


def training_page() -> str:
    """Return the whole page of `noughts.training`: its convention, then its names."""
    said = [
        part for part in (inspect.getdoc(noughts.training) or "").split("\n\n") if part.startswith("One convention")
    ]
    names = noughts.training.__all__
    return TRAINING_HEAD + "\n".join([*said, "", *(entry(name, noughts.training) for name in names)])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        TRAINING.write_text(training_page(), encoding="utf-8")
    else:
        print(page() + "\n" + training_page())
