"""Readings of numbers that others have published, of values that take long to compute, and of slips."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from noughts.counting.api import ask
from noughts.counting.words import command_of, convention
from noughts.domain.board import Board
from noughts.known import load, numbers, tables
from noughts.meanings.meaning import Meaning
from noughts.meanings.sequences import known_sequences

__all__ = ["published_readings"]

_VERIFY = "noughts verify"
_COLUMNS = {
    True: {"positions": "positions", "terminal_positions": "terminal positions", "finished": "finished games"},
    False: {
        "positions": "position classes",
        "terminal_positions": "terminal position classes",
        "finished": "finished games",
    },
}
"""What the totals of a published table count: with the cells distinguishable, and by classes."""


def published_readings() -> Iterator[Meaning]:
    """Yield the published numbers with their sources, the slips among them as such."""
    for entry in numbers("slip"):
        said = f"{entry['what']}; {entry['instead']}"
        yield Meaning(int(entry["value"]), "", said, entry["source"], _VERIFY, published=True, slip=True)
    for entry in numbers("sequence"):
        for place, term in enumerate(entry["terms"], 1):
            what = f"{entry['what']}: term {place} of {entry['id']}"
            board, command = _counted(entry["checks"][0], place)
            yield Meaning(int(term), board, what, entry["source"], command, published=True)
    for entry in numbers("number"):
        for value in entry["value"].split(", "):
            fraction = Fraction(value)
            number = int(fraction) if fraction.denominator == 1 else fraction
            own = entry["source"].startswith("recomputed")
            yield Meaning(number, "", entry["what"], entry["source"], _VERIFY, published=True, own=own)
    yield from _tables()
    yield from _values()
    yield from _further()
    yield from _choices()


def _counted(check: dict[str, Any], place: int) -> tuple[str, str]:
    """Return the board of a term and the command that counts it, where the terms are totals of boards."""
    if check["kind"] != "totals" or place > len(check["boards"]):
        return "", _VERIFY
    board = Board.parse(check["boards"][place - 1])
    return board.spec, command_of(ask(board, moves=check.get("moves", "any")))


def _tables() -> Iterator[Meaning]:
    """Yield the totals of the published tables by ply."""
    for table in tables():
        question = ask(table["board"], same=table["same"], moves=table["moves"], end=table["end"])
        for column, total in table["totals"].items():
            what = f"{_COLUMNS[table['same'] == 'labelled'][column]} ({convention(question)})"
            yield Meaning(total, question.board.spec, what, table["source"], command_of(question), published=True)


def _further() -> Iterator[Meaning]:
    """Yield the terms of sequences beyond those published, but for values by ply, which have a table of their own."""
    for each in known_sequences():
        for number, term in enumerate(each.further, each.offset + len(each.published)):
            if term and each.commands[0].startswith("noughts count"):
                what = f"{each.what}: term {number} of {each.id}"
                yield Meaning(
                    term, "", what, f"computed by noughts {each.how}", each.commands[0], published=True, own=True
                )


def _values() -> Iterator[Meaning]:
    for table in load("values.toml")["table"]:
        names = ("that X wins with best play", "drawn with best play", "that O wins with best play", "")
        rows = [(f" at ply {ply}", split) for ply, *split in table["rows"]]
        totals = [sum(column) for column in zip(*(split for _, split in rows), strict=True)]
        for where, split in [*rows, ("", totals)]:
            for said, count in zip(names, (*split, sum(split)), strict=True):
                if count:
                    what = f"position classes{where} {said}".rstrip() + ", finished ones included"
                    board = table["board"]
                    yield Meaning(count, board, what, table["source"], table["command"], published=True, own=True)


def _choices() -> Iterator[Meaning]:
    """Yield games by choices on boards that take minutes, ply by ply and in all."""
    names = ("position classes", "paths by choices", "games by choices that X wins", "games by choices that O wins")
    for table in load("choices.toml")["table"]:
        board, source, command = table["board"], table["source"], table["command"]
        rows = [[int(count) for count in row] for row in table["rows"]]
        for ply, *counts in rows:
            for what, count in zip((*names, "games by choices that are drawn"), counts, strict=True):
                if count:
                    said = f"{what} at ply {ply}"
                    yield Meaning(count, board, said, source, command, published=True, own=True)
        x_wins, o_wins, draws = (sum(row[column] for row in rows) for column in (3, 4, 5))
        totals = {"": x_wins + o_wins + draws, " that X wins": x_wins, " that O wins": o_wins, " that are drawn": draws}
        for which, count in totals.items():
            said = f"games by choices{which} ({convention(ask(board, same='choices'))})"
            yield Meaning(count, board, said, source, command, published=True, own=True)
