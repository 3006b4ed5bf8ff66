"""docs/reference/python.md and python-training.md: what `noughts` and `noughts.training` offer, from the docstrings.

python scripts/python_page.py             print the pages
python scripts/python_page.py --write     write them
"""

from __future__ import annotations

import dataclasses
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
from noughts.verbs.table import VERBS

PAGE = ROOT / "docs" / "reference" / "python.md"
TRAINING = ROOT / "docs" / "reference" / "python-training.md"

HEAD = """\
# Python

`import noughts` gives the verbs as functions, boards, positions, moves and errors. Other names are in rooms, as in
`noughts.rules.parse_position`. A call shows parameters with their defaults, and the type of the result. A board or a
position may be given as text, a cell by its name. Most results also have `as_dict()`, for JSON, and `board`.
`help(name)` has types, units, costs, errors and an example.

## The verbs

Each does what the [verb](verbs.md) of its name does, by the options of the same names. `solve_blindfold` is
`blindfold`, and `puzzles` is `puzzle`.
"""


TRAINING_HEAD = """\
# Training, in Python

[Train a player](../how-to/training.md) says how to use `noughts.training`. `BoardEnv`, `BoardVectorEnv` and
`board_aec` need the extra `rl`; `to_open_spiel` needs OpenSpiel. `help(name)` has the details.

"""


def _parameter(parameter: inspect.Parameter) -> str:
    """Return a parameter as a call writes it: without its type, a named default by its name."""
    if parameter.default is parameter.empty:
        return str(parameter.replace(annotation=parameter.empty))
    return f"{parameter.name}={getattr(parameter.default, '__name__', repr(parameter.default))}"


def signature(name: str, thing: Any) -> str:
    """Return the call of a function or class, with defaults and the type of what a function returns."""
    if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, Exception)):
        return name
    try:
        signed = inspect.signature(thing)
    except ValueError:
        return name
    parameters = list(signed.parameters.values())
    required = sum(each.default is each.empty for each in parameters)
    if inspect.isclass(thing) and required > 1 and members(thing) and name not in noughts.training.__all__:
        return name  # a result: functions make it
    parts = []
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and "*" not in parts and each is not parameters[0]:
            parts.append("*")
        parts.append(_parameter(each))
    given = signed.return_annotation
    silent = inspect.isclass(thing) or given in (signed.empty, None, "None")
    returned = "" if silent else f" -> {given}".replace("'", "")
    return f"{name}({', '.join(parts)}){returned}"


def first_sentence(thing: object) -> str:
    """Return the first sentence of a docstring, on one line; it need not say that a function returns."""
    opening = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    first = re.split(r"(?<=\.)\s(?=[A-Z`])", opening)[0]
    return re.sub("^Return (.)", lambda found: found[1].upper(), first)


def phrase(thing: object) -> str:
    """Return what a member is or does, in few words: the first clause about it, without Return and the article."""
    text = re.sub("^(Return|Tell|The)? ?(the |a |an )?", "", first_sentence(thing)).rstrip(".:")
    text = re.split(r"; |: ", text)[0]
    clause, comma, _ = text.partition(", ")
    whole = (
        comma
        and len(clause.split()) > 2
        and not re.search("^[Ww]hat |^[Ff]or | which | and$| or$", clause)
        and clause.count("(") == clause.count(")")
        and "`" not in clause
    )
    short = clause if whole else text
    return short[:1].lower() + short[1:] if short[1:2].islower() else short


def rooms() -> list[ModuleType]:
    """Return the rooms of the package, but for that of training, which has a page of its own."""
    return [getattr(noughts, name) for name in dir(noughts) if name not in (*noughts.__all__, "training")]


def members(thing: object) -> dict[str, object]:
    """Return the public attributes that a class documents or inherits, as they are written, with what has the words."""
    if not inspect.isclass(thing) or issubclass(thing, Exception):
        return {}
    found = {}
    ours = [vars(base) for base in reversed(thing.__mro__) if base.__module__.startswith("noughts")]
    for name, member in sorted({name: member for base in ours for name, member in base.items()}.items()):
        described = getattr(member, "func", member)
        is_call = inspect.isfunction(member) or isinstance(member, classmethod)
        if name.startswith("_") or not inspect.getdoc(described):
            continue
        if is_call or isinstance(member, property) or hasattr(member, "func"):
            found[f"{name}({_arguments(described)})" if is_call else name] = described
    return found


def _arguments(method: Any) -> str:
    """Return the parameters of a method as a call writes them, without the object itself."""
    method = getattr(method, "__func__", method)
    others = list(inspect.signature(method).parameters.values())[1:]
    named = [each for each in others if each.kind is each.KEYWORD_ONLY]
    plain = [_parameter(each) for each in others if each not in named]
    return ", ".join([*plain, *["*"] * bool(named), *map(_parameter, named)])


def listed(thing: object, in_words: bool) -> list[str]:
    """Return a bullet for each member of a class, or one for the names of its fields and one for its members."""
    found = members(thing)
    if in_words:
        return [f"- `{name}`: {phrase(described)}" for name, described in found.items()]
    fields = [each.name for each in dataclasses.fields(thing)] if dataclasses.is_dataclass(thing) else []
    found = {name: each for name, each in found.items() if name not in ("as_dict()", "board")}
    groups = {
        "Fields": [name for name in fields if not name.startswith("_") and name not in (*found, "board")],
        "Members": found,
    }
    return [f"- {group}: {', '.join(f'`{name}`' for name in names)}" for group, names in groups.items() if names]


def entry(name: str, home: ModuleType = noughts) -> str:
    """Return the section about one name of a module: its call, the first sentence about it, its members."""
    thing = getattr(home, name)
    call = signature(name, thing)
    parts = [f"## `{name}`", "", f"`{call}`: {first_sentence(thing)}" if call != name else first_sentence(thing), ""]
    return "\n".join([*parts, *listed(thing, in_words=home is noughts.training)]).rstrip() + "\n"


def item(name: str, home: ModuleType) -> str:
    """Return one name of a room as an item of a list, with its fields and members below it."""
    thing = getattr(home, name)
    below = [f"  {line}" for line in listed(thing, in_words=False)]
    return "\n".join([f"- `{signature(name, thing)}`: {first_sentence(thing)}", *below])


def page() -> str:
    """Return the whole page."""
    names = [name for name in noughts.__all__ if name != "__version__"]
    verbs = [name for name in names if {name, name.removesuffix("s"), name.removeprefix("solve_")} & set(VERBS)]
    calls = [f"- `{signature(name, getattr(noughts, name))}`" for name in verbs]
    parts = ["\n".join([HEAD, *calls, ""]), *(entry(name) for name in names if name not in verbs)]
    for room in rooms():
        items = "\n".join(item(name, room) for name in room.__all__)
        parts.append(f"## `{room.__name__}`\n\n{inspect.getdoc(room)}\n\n{items}\n")
    return "\n".join(parts)


def training_page() -> str:
    """Return the whole page of `noughts.training`: its convention, then its names."""
    described = (inspect.getdoc(noughts.training) or "").split("\n\n")
    (convention,) = [part for part in described if part.startswith("All use one convention")]
    names = noughts.training.__all__
    return TRAINING_HEAD + "\n".join([convention, "", *(entry(name, noughts.training) for name in names)])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        TRAINING.write_text(training_page(), encoding="utf-8")
    else:
        print(page() + "\n" + training_page())
