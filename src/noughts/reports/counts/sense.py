"""Which parts of a question about counts leave each other nothing to do: said once for every way to ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from noughts.domain.errors import InputError

__all__ = ["require_sense_of_count"]


def require_sense_of_count(typed: Collection[str], given: Mapping[str, Any], form: str) -> None:
    """Raise InputError with the first contradiction among the options of `noughts count`.

    `typed` are the names of the options that were typed, `given` the values of all; `form` is a name of `--format`.
    """
    for wrong, sentence in _without_meaning(typed, given, form):
        if wrong:
            raise InputError(sentence)


def _without_meaning(typed: Collection[str], given: Mapping[str, Any], form: str) -> Iterator[tuple[object, str]]:
    """Yield the options that the others leave nothing to do."""
    is_range = ".." in str(given.get("board", ""))
    yield (
        "column" in typed and form not in ("bfile", "oeis") and not is_range,
        f"--column has no place in --format {form}, which has all columns: use bfile or oeis, or a range of boards",
    )
    yield (
        "moves" in typed and given["x_moves"] is not None and given["o_moves"] is not None,
        "--moves has no place beside --x-moves and --o-moves, which say it for both players: leave it out",
    )
    yield (
        given["explain"] and given["starts"] != "X",
        "--explain derives the games that X starts: leave out --starts, for exchanging the marks gives the others",
    )
    yield (
        "symmetry" in typed and given["same"] == "labelled",
        "--symmetry has no place with --same labelled, where cells are distinguishable: add --same symmetry or choices",
    )
    yield (
        given["explain"] and form not in ("table", "json") and not is_range,
        f"--explain has no place in --format {form}: use table or json",
    )
