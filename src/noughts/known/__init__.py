"""Published numbers with their convention and source, as package data: read by `noughts verify` and by the tests.

Each entry of `numbers.toml` says under `checks` how it is computed again, so that anyone can add a number.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = [
    "boards",
    "falling",
    "further",
    "load",
    "numbers",
    "openings",
    "phantoms",
    "proofs",
    "ruled",
    "tables",
    "writings",
]


@cache
def load(name: str) -> dict[str, Any]:
    """Return one file of known numbers as TOML gives it."""
    return tomllib.loads(files(__name__).joinpath(name).read_text(encoding="utf-8"))


def tables() -> list[dict[str, Any]]:
    """Return the published per-ply tables: `board`, `same`, `moves`, `end`, `source`, `rows`, `totals`."""
    found: list[dict[str, Any]] = load("mathrec-3x3.toml")["table"]
    return found


def numbers(kind: str) -> list[dict[str, Any]]:
    """Return the entries of one kind: `sequence`, `number`, `slip` or `values`.

    `stands` of a slip is the verb that answers its question, with the board and the start; its answer names the slip.
    """
    found: list[dict[str, Any]] = load("numbers.toml")[kind]
    return found


def writings() -> list[dict[str, Any]]:
    """Return the numbers that writings derive: `source`, `board`, `command`, and `rows` with `n`, `what`, `by`, `near`.

    `by` computes a number from others. Without it the search gives the number, or `near`, where `n` is only a bound.
    """
    found: list[dict[str, Any]] = load("writings.toml")["writing"]
    return found


def further() -> list[dict[str, Any]]:
    """Return the terms of sequences that follow those published: entries as of `numbers`, each with its `commands`."""
    published = {entry["id"]: entry["what"] for entry in numbers("sequence")}
    return [{"what": published.get(entry["id"]), **entry} for entry in load("sequences.toml")["further"]]


def proofs() -> list[tuple[str, str]]:
    """Return the certificates that the package carries, by the names of their files, each with its text."""
    folder = files(__name__).joinpath("proofs")
    return sorted((each.name, each.read_text(encoding="ascii")) for each in folder.iterdir() if each.is_file())


@cache
def phantoms() -> list[dict[str, Any]]:
    """Return the proofs of values with both players blind, as `noughts blindfold --proof` writes them."""
    return [json.loads(files(__name__).joinpath("phantom.json").read_text(encoding="ascii"))]


def boards() -> list[dict[str, Any]]:
    """Return who wins from empty boards: `board`, `value`, and where known `first`, `engine`, `positions`, `source`."""
    found: list[dict[str, Any]] = load("boards.toml")["board"]
    return found


def openings() -> list[dict[str, Any]]:
    """Return who wins `after` first moves and replies of large boards: `board`, and the `seconds` that it took."""
    found: list[dict[str, Any]] = load("openings.toml")["opening"]
    return found


def falling() -> list[dict[str, Any]]:
    """Return who wins under gravity: `board`, `value`, and `plies` from the empty board, or `after` a first mark."""
    found: list[dict[str, Any]] = load("gravity.toml")["board"]
    return found


def ruled() -> list[dict[str, Any]]:
    """Return who wins where marks do not name the players: `board`, `value`, and where known `plies` and `first`."""
    found: list[dict[str, Any]] = load("rules.toml")["board"]
    return found
