"""The option --cells, which every verb has: how cells are spelt in all that it prints, draws and writes."""

from __future__ import annotations

import click

from noughts.cli.options import words
from noughts.domain.cells import SPELLINGS, number_cells
from noughts.domain.errors import InputError, shown

__all__ = ["add_cells_option"]


def add_cells_option(command: click.Command) -> None:
    """Add the option to a command and to those below it, once."""
    if isinstance(command, click.Group) and getattr(command, "commands", None):
        for each in command.commands.values():
            add_cells_option(each)
        return
    if all(each.name != "cells" for each in command.params):
        command.params.append(_option())


def _option() -> click.Option:
    return click.Option(
        ["--cells"],
        expose_value=False,
        is_eager=True,
        callback=_spell,
        help="Spell cells as a1 to c3 (names), or as 1 to 9 in reading order.",
        **words(*SPELLINGS),
    )


def _spell(context: click.Context, parameter: click.Parameter, given: str | None) -> None:
    if given is not None and given not in SPELLINGS:
        raise InputError(f"--cells {shown(given)} is not known: use one of {', '.join(SPELLINGS)}")
    if given == "numbers" and not context.resilient_parsing:
        number_cells()
