"""Argument lists over all verbs, drawn from their own options by a seed: sensible ones and hostile ones, mixed."""

from __future__ import annotations

from functools import cache
from random import Random

import click

from noughts.cli.main import command_for
from noughts.verbs.table import VERBS

__all__ = ["UNTRIED", "argument_list"]

UNTRIED = {
    "serve": "listens until it is stopped: tests/web/test_server.py",
    "verify": "re-derives every known number, for minutes: tests/cli/test_verify.py",
    "breed": "takes seconds whatever is asked: tests/cli/test_breed.py",
}
"""Verbs that are not run whole, but with something that is refused; and where they are tested."""

_BOARDS = (
    "3x3",
    "3x3",
    "3x3",
    "2x2",
    "2x3",
    "1x1",
    "1x2",
    "2x2:3",
    "3x3:2",
    "3x2+torus",
    "2x2x2",
    "3x3+misere",
    "2x3:2+misere",
    "3x3:4",
    "0x0",
    "3x",
    "x3",
    "-1x3",
    "3x3:0",
    "3x3:-1",
    "1000x1000",
    "99999999999999999999x2",
    "3x3x3x3",
    "3x3+tours",
    "+",
    "",
    " 3x3 ",
    "3X3",
    "\u0663x\u0663",
    "3x3+torus+torus",
    "lines:",
    "nowhere.lines",
    "9+infinite",
    "infinite:3",
)
_POSITIONS = (
    "...",
    "XO.......",
    "X.O/.X./..O",
    "XXX/OO./...",
    "XXX/OOO/...",
    "a1 b2",
    "a1 a1",
    "b2",
    "5",
    "10",
    "0",
    "a1 b2 c3 a3",
    "XOXOXOXOX",
    "XOX/OXX/OXO",
    "X" * 9,
    "Z",
    "a9",
    "aa1",
    "a1.1",
    "|",
    "////",
    "X.O/.X.",
    "a1,b2",
    "\u0661",
    "'",
    "\0",
)
_VALUES = (
    "random",
    "perfect",
    "block",
    "win",
    "any",
    "fork",
    "X",
    "O",
    "either",
    "labelled",
    "symmetry",
    "choices",
    "line",
    "full",
    "decided",
    "lines",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "1/2",
    "0.5",
    "1e400",
    "nan",
    "9" * 40,
    "10s",
    "1ms",
    "1MB",
    "8GB",
    "json",
    "csv",
    "table",
    "text",
    "svg",
    "markdown",
    "latex",
    "bfile",
    "",
    " ",
    "-",
    "--",
    "a1",
    "b2",
    "c3",
    "all",
    "none",
    "plain",
    "layered",
    "frontier",
    "X=1,O=2",
    "select 1",
    "select * from classes",
    "drop table x",
    "genome:123",
    "nowhere.json",
    "out.json",
    "out.svg",
    "out.csv",
    "out",
    ".",
    "/dev/null",
    "/nowhere/x.json",
    "out.txt",
    "\u00e9",
    "\u2715",
    "a" * 700,
    "a" * 5000,
    "a/" * 2500,
    "\udcff",
    "tls://127.0.0.1:1",
    "10000000",
    "2026-13-40",
    "+infinity",
)


@cache
def _command(verb: str) -> click.Command:
    found = command_for(verb)
    assert isinstance(found, click.Command)
    return found


_BY_NAME: dict[str, tuple[str, ...]] = {
    "board": ("3x3", "2x2", "2x3", "3x3:2", "2x3+misere", "1x2", "3x2+torus"),
    "boards": ("3x3", "XO./.../...", "a1"),
    "position": ("a1", "b2", "a1 b2", "a1 b1"),
    "start": ("a1", "b2", "a1 b2", "a1 b1"),
    "moves": ("a1 b2 c3", "a1 b1"),
    "output": ("out.json", "out.svg", "out.csv", "out.txt", "out.md"),
    "save": ("out.json", "table"),
    "proof": ("out.proof", "out.json"),
    "memory": ("100MB", "1MB", "2GB"),
    "time": ("1s", "10ms"),
    "paper": ("a4", "a3"),
    "x": ("random", "perfect", "block"),
    "o": ("random", "perfect", "block"),
    "engine": ("plain", "layered", "frontier", "retrograde"),
    "points": ("X=1,O=0", "X=3-plies"),
    "sql": ("select count(*) from classes", "select * from classes limit 3"),
    "number": ("255168", "138", "0.89"),
    "integer": ("0", "1", "2", "3", "7"),
    "float": ("0.5", "1", "2"),
    "text": ("random", "perfect", "a1", "3x3", "1", "2", "X"),
}


def _sensible(dice: Random, parameter: click.Parameter) -> str:
    choices = getattr(parameter.type, "choices", None) or getattr(parameter.type, "allowed", None)
    if choices:
        return str(dice.choice(list(choices)))
    name, kind = parameter.name or "", parameter.type.name.split()[0]
    return dice.choice(_BY_NAME.get(name) or _BY_NAME.get(kind) or _BY_NAME["text"])


def _value(dice: Random, parameter: click.Parameter, sensible: bool) -> str:
    if sensible:
        return _sensible(dice, parameter)
    if isinstance(parameter.type, click.Choice) and dice.random() < 0.8:
        return str(dice.choice(list(parameter.type.choices)))
    name = parameter.name or ""
    if "board" in name and dice.random() < 0.9:
        return dice.choice(_BOARDS)
    if name in ("position", "start", "from", "moves") and dice.random() < 0.7:
        return dice.choice(_POSITIONS)
    return dice.choice(_VALUES + _POSITIONS) if dice.random() < 0.9 else dice.choice(_BOARDS)


def argument_list(seed: int) -> list[str]:
    """Return the argument list of a seed: a verb, boards and positions, some options with and without their values."""
    dice = Random(seed)
    verb = dice.choice(list(VERBS))
    sensible = dice.random() < 0.6
    words = [
        verb if sensible or dice.random() < 0.96 else dice.choice(["cuont", verb.upper(), "", "3x3", "--", verb + "s"])
    ]
    parameters = _command(verb).params
    options = [each for each in parameters if isinstance(each, click.Option) and each.name != "help"]
    for each in parameters:
        if isinstance(each, click.Argument) and dice.random() < 0.93:
            more = 1 if each.nargs == 1 else dice.randint(0, 2)
            if not (sensible and "board" not in (each.name or "") and not each.required and dice.random() < 0.7):
                words += [_value(dice, each, sensible) for _ in range(more)]
    for option in dice.sample(options, min(len(options), dice.choice((0, 0, 1, 1, 2, 3)))):
        words.append(dice.choice(option.opts + option.secondary_opts))
        if not option.is_flag and (sensible or dice.random() < 0.95):
            words.append(_value(dice, option, sensible))
    if not sensible and dice.random() < 0.1:
        words.insert(dice.randint(0, len(words)), dice.choice(_VALUES))
    return [*words, "--nosuch"] if verb in UNTRIED else words
