"""`noughts whatis`: which convention gives a number."""

from __future__ import annotations

import json
from typing import Any

import click

__all__ = ["whatis"]

_SHOWN = 8


@click.command(short_help="Which convention gives this number?")
@click.argument("number")
@click.option("--all", "everything", is_flag=True, help="List every reading, not only the first few.")
@click.option("--format", "form", metavar="table|json", default="table", help="How to print.")
def whatis(number: str, everything: bool, form: str) -> None:
    """Which convention gives NUMBER, or the nearest ones.

    NUMBER may be written 26830, 31,896, 9! or 3^9.
    """
    from noughts.counting.conventions.lookup import look_up, read_number
    from noughts.domain.errors import InputError, shown

    if form not in ("table", "json"):
        raise InputError(f"--format {shown(form)} is not known: use table or json")
    answer = look_up(read_number(number))
    if form == "json":
        print(json.dumps(_record(answer), indent=1))
    else:
        _print_for_people(answer, len(answer.matches) if everything else _SHOWN)


def _record(answer: Any) -> dict[str, object]:
    def one(meaning: Any) -> dict[str, object] | None:
        if meaning is None:
            return None
        keys = ("board", "what", "convention", "command")
        return {"value": str(meaning.value)} | {key: getattr(meaning, key) for key in keys}

    return {
        "number": str(answer.value),
        "matches": [one(meaning) for meaning in answer.matches],
        "nearest": [one(meaning) for meaning in (answer.above, answer.below) if meaning is not None],
    }


def _print_for_people(answer: Any, limit: int) -> None:
    from noughts.reports.tables import wrapped

    computed = [meaning for meaning in answer.matches if not meaning.published]
    published = [meaning for meaning in answer.matches if meaning.published]
    if not computed:
        print(
            wrapped(f"{answer.value:,} matches nothing: no convention on the boards that are quick to count gives it.")
        )
    else:
        print(wrapped(f"{answer.value:,} is: {computed[0]}."))
        print(f"  {computed[0].command}")
    for meaning in computed[1:limit]:
        print(wrapped(f"Also: {meaning}.", "  "))
        print(f"  {meaning.command}")
    for meaning in published[:limit]:
        print(wrapped(f"Published: {meaning}.", "  "))
    hidden = len(computed) - limit
    if hidden > 0:
        print(f"And {hidden} more readings: noughts whatis {answer.value} --all")
    nearest = [meaning for meaning in (answer.above, answer.below) if meaning is not None]
    if nearest:
        print("Nearest:")
        for meaning in nearest:
            print(wrapped(f"  {meaning.value:,} is: {meaning}.", "    "))
            print(f"    {meaning.command}")
