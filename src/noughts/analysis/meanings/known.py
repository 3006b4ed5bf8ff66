"""Sequences of the OEIS on this subject, by number or by terms, with the further terms that noughts computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from noughts.analysis.meanings.meaning import Meaning
from noughts.counting.engines import ask
from noughts.counting.question import command_of, convention
from noughts.known import load, numbers, tables, writings
from noughts.machine.budget import format_duration
from noughts.rules.arguments import wrong_type
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.position import Position, parse_position
from noughts.rules.values import Reported, record

_NUMBER = re.compile("[Aa]([0-9]{6}|[1-9][0-9]{3,4})")
"""A number of the OEIS. It has six digits; the first zeros may be missing."""
_BETWEEN = re.compile(r"\s*,\s*|\s+")
_LEAST = 2
"""The fewest terms of a lookup."""
_LARGE = 10**9
"""A smaller number has simpler meanings, which a search finds."""


@dataclass(frozen=True)
class KnownSequence:
    """A sequence, or a row of a triangle: `published` are the first terms in the OEIS, `further` those of noughts.

    `offset` is the number of the first term. `commands` compute the further terms again, and `how` says how they are
    known; both are empty without further terms. `finite` means that the sequence has only these terms.
    """

    id: str
    what: str
    offset: int
    published: tuple[int, ...]
    further: tuple[int, ...]
    finite: bool
    source: str
    commands: tuple[str, ...]
    how: str

    @property
    def terms(self) -> tuple[int, ...]:
        """All terms that noughts carries."""
        return self.published + self.further

    def begins(self, terms: Sequence[int]) -> bool:
        """Return whether the terms and this sequence agree as far as both go."""
        known = self.terms
        return bool(known) and bool(terms) and all(a == b for a, b in zip(known, terms, strict=False))

    def place_of(self, terms: Sequence[int]) -> int | None:
        """Return the number of the term at which these terms begin in the sequence, None if they do not occur."""
        known, many = self.terms, len(terms)
        places = (i for i in range(len(known) - many + 1) if known[i : i + many] == tuple(terms))
        return next((self.offset + place for place in places), None)

    def as_dict(self) -> dict[str, Any]:
        """Return the sequence for JSON, its terms as decimal strings."""
        terms = {name: list(map(str, getattr(self, name))) for name in ("published", "further")}
        return (
            record(self, "id", "what", "offset", "published", "further", "finite", "source", "commands", "how") | terms
        )


@dataclass(frozen=True)
class SequenceMatches(Reported):
    """The sequences found for a number of the OEIS or for terms, each with the place where the terms begin."""

    asked: str
    matches: tuple[tuple[KnownSequence, int | None], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the matches for JSON; `place` is null if the query was a number of the OEIS."""
        matches = [{**each.as_dict(), "place": place} for each, place in self.matches]
        return {"asked": self.asked, "matches": matches}


@cache
def known_sequences() -> tuple[KnownSequence, ...]:
    """Return all sequences and rows that noughts carries, in the order of the file, cached."""
    carried = load("sequences.toml")
    published = {entry["id"]: entry for entry in numbers("sequence")}
    further = {entry["id"]: entry for entry in carried["further"]}
    found = []
    for entry in carried["sequence"]:
        oeis, added = published[entry["id"]], further.pop(entry["id"], {})
        found.append((oeis, entry["offset"], oeis["terms"], added, entry["finite"]))
    found += [(added, added["first"], [], added, True) for added in further.values()]
    return tuple(
        KnownSequence(
            oeis["id"],
            oeis["what"],
            offset,
            tuple(map(int, terms)),
            tuple(map(int, added.get("terms", ()))),
            finite,
            oeis.get("source", "noughts"),
            tuple(added.get("commands", ())),
            added.get("how", ""),
        )
        for oeis, offset, terms, added, finite in found
    )


def is_sequence(text: str) -> bool:
    """Return whether a text is a number of the OEIS, or terms with commas or spaces between them.

    Groups of three digits make one number, as in `255,168` and `255 168`, unless `, ` separates them.
    """
    plain = text.strip()
    parts = _BETWEEN.split(plain)
    is_list = len(parts) >= _LEAST and all(re.fullmatch("[0-9]+", part) for part in parts)
    is_grouped = ", " not in plain and all(re.fullmatch("[0-9]{3}", part) for part in parts[1:])
    return bool(_NUMBER.fullmatch(plain)) or (is_list and not is_grouped)


def read_terms(text: str) -> tuple[int, ...]:
    """Return the terms of a text with commas or spaces. Raises InputError."""
    parts = _BETWEEN.split(text.strip(", \t\n"))
    if len(parts) < _LEAST or not all(re.fullmatch("[0-9]{1,1000}", part) for part in parts):
        raise InputError(f"{shown(text)} is not a sequence: give an OEIS number, A061526, or terms: 1, 24, 255168")
    return tuple(map(int, parts))


def look_up_sequence(asked: str | Sequence[int]) -> SequenceMatches:
    """Return the sequences with a number of the OEIS, or that contain the terms in this order without gaps.

    The terms are two or more integers, or text with commas. The search covers the sequences on this subject that
    noughts carries, with their further terms. Raises InputError.

    >>> [(each.id, place) for each, place in look_up_sequence([24, 255168]).matches]
    [('A061526', 2)]
    """
    if isinstance(asked, str):
        if found := _NUMBER.fullmatch(asked.strip()):
            number = f"A{found[1]:0>6}"
            named = tuple((each, None) for each in known_sequences() if each.id.startswith(number))
            return SequenceMatches(number, named)
        terms = read_terms(asked)
    else:
        if isinstance(asked, bytes) or not isinstance(asked, Sequence) or any(type(term) is not int for term in asked):
            raise wrong_type("the terms", asked, "text such as 'A061526', or a list of whole numbers")
        terms = tuple(int(term) for term in asked)
        if len(terms) < _LEAST:
            raise InputError(f"one term is not enough: give at least {_LEAST}, or look the number up with whatis")
    places = [(each, each.place_of(terms)) for each in known_sequences()]
    matches = tuple((each, place) for each, place in places if place is not None)
    return SequenceMatches(", ".join(map(str, terms)), matches)


def slips_about(verb: str, board: Board, start: Position | None = None) -> tuple[str, ...]:
    """Return the known slips of writings about what a verb answers, each as a sentence.

    A turned or flipped start is the same.
    """

    def class_of(position: Position | None) -> tuple[int, int] | None:
        return None if position is None else board.group().canonical(position.x, position.o)

    found = []
    for entry in numbers("slip"):
        at = entry.get("stands", {})
        if at.get("verb") != verb or Board.parse(at["board"]) != board:
            continue
        if class_of(start) == class_of(parse_position(board, at["start"]) if "start" in at else None):
            found.append(f"A slip: {entry['value']}, {entry['what']}; {entry['instead']} ({entry['source']}).")
    return tuple(found)


def published_readings() -> Iterator[Meaning]:
    """Yield the published numbers with their sources, slips included: totals, single numbers, plies, sequences."""
    for entry in numbers("slip"):
        words = f"{entry['what']}; {entry['instead']}"
        yield Meaning(int(entry["value"]), _board_of(entry), words, entry["source"], "", published=True, slip=True)
    for table in tables():
        yield from _of_table(table, by_ply=False)
    for writing in writings():
        spec = Board.parse(writing["board"]).spec
        for row in writing["rows"]:
            command = row.get("command", writing["command"])
            yield Meaning(_value(row["n"]), spec, row["what"], writing["source"], command, published=True)
    for entry in numbers("number"):
        values = entry["value"].split(", ")
        own, command = entry["source"].startswith("recomputed"), _command(entry)
        for value, what in zip(values, entry.get("each", [entry["what"]] * len(values)), strict=True):
            yield Meaning(_value(value), _board_of(entry), what, entry["source"], command, published=True, own=own)
    for table in tables():
        yield from _of_table(table, by_ply=True)
    for entry in numbers("sequence"):
        for place, term in enumerate(entry["terms"], 1):
            what = f"{entry['what'].removesuffix(', n = 1..')}: term {place} of {entry['id']}"
            board, command = _counted(entry["checks"][0], place)
            yield Meaning(int(term), board, what, entry["source"], command, published=True)
    for value, board, what, source, command in (*_values(), *_further(), *_choices(), *_games()):
        yield Meaning(value, board, what, source, command, published=True, own=True)


def _board_of(entry: dict[str, Any]) -> str:
    return Board.parse(entry["checks"][0]["board"]).spec


_LISTED = {"decisions": "--decision", "real decisions": "--real-decision", "matchboxes": "--matchbox"}
"""Rungs whose boards `noughts positions` lists, under their number."""


def _command(entry: dict[str, Any]) -> str:
    """Return the command that prints a single number, by its first check; empty if none does."""
    check = entry["checks"][0]
    if entry["checked"] == "refuted":
        return ""
    match check["kind"]:
        case "rung":
            listed = _LISTED.get(check["rung"])
            return f"noughts positions {_board_of(entry)} {listed}" if listed else f"noughts count {_board_of(entry)}"
        case "random play":
            return f"noughts match {_board_of(entry)} --x random --o random"
        case "total":
            asked = {name: check[name] for name in ("same", "moves", "end") if name in check}
            return command_of(ask(check["board"], **asked))
    return ""


def _value(text: str) -> int | Fraction:
    found = Fraction(text)
    return int(found) if found.denominator == 1 else found


_BY_PLY = ("positions", "terminal positions", "partial games", "finished games")
"""What the columns of a published table count after the ply."""
_TOTALS = {"terminal": "terminal positions", "finished": "finished games"}
"""What columns of totals count that do not say it."""


def _of_table(table: dict[str, Any], *, by_ply: bool) -> Iterator[Meaning]:
    """Yield the totals of a published table, or its numbers ply by ply, without zeros."""
    question = ask(table["board"], same=table["same"], moves=table["moves"], end=table["end"])
    found = [(_TOTALS.get(column, column), "", total) for column, total in table["totals"].items()]
    if by_ply:
        rows = ((f" at ply {ply}", zip(_BY_PLY, counts, strict=True)) for ply, *counts in table["rows"])
        found = [(noun, where, count) for where, row in rows for noun, count in row if count]
    for noun, where, count in found:
        name = noun if table["same"] == "labelled" else noun.replace("positions", "position classes")
        phrase = convention(question, of="positions" if "position" in noun else "games")
        what, command = f"{name}{where} ({phrase})", command_of(question)
        yield Meaning(count, question.board.spec, what, table["source"], command, published=True)


def _counted(check: dict[str, Any], place: int) -> tuple[str, str]:
    """Return the board of a term and the command that prints it; both empty if none does.

    Of a check with `quick` only the commands of so many terms answer in seconds.
    """
    kind = check["kind"]
    if kind == "totals" and place <= len(check["boards"]):
        board = Board.parse(check["boards"][place - 1])
        is_quick = place <= check.get("quick", place)
        return board.spec, command_of(ask(board, moves=check.get("moves", "any"))) if is_quick else ""
    if kind == "plies":
        question = ask(check["board"], same=check.get("same", "labelled"), to_ply=check.get("to_ply"))
        return question.board.spec, command_of(question)
    if kind == "values by ply":
        spec = Board.parse(check["board"]).spec
        return spec, f"noughts solve {spec} --by-ply --same symmetry"
    return "", ""


_Own = Iterator[tuple[int, str, str, str, str]]
"""Numbers computed by noughts: value, board, what it counts, source, command."""


def _further() -> _Own:
    """Yield the further terms of sequences, except values by ply, which have their own table."""
    for each in known_sequences():
        for number, term in enumerate(each.further, each.offset + len(each.published)):
            if term and each.commands[0].startswith("noughts count"):
                what = f"{each.what}: term {number} of {each.id}"
                yield term, "", what, f"computed by noughts {each.how}", each.commands[0]


def _values() -> _Own:
    names = ("that X wins with best play", "drawn with best play", "that O wins with best play", "")
    for table in load("values.toml")["table"]:
        rows = [(f" at ply {ply}", split) for ply, *split in table["rows"]]
        totals = [sum(column) for column in zip(*(split for _, split in rows), strict=True)]
        for where, split in [*rows, ("", totals)]:
            for words, count in zip(names, (*split, sum(split)), strict=True):
                if count:
                    what = f"position classes{where} {words}".rstrip() + ", finished ones included"
                    yield count, table["board"], what, table["source"], table["command"]


_ENDS = (" that X wins", " that O wins", " that are drawn")


def _choices() -> _Own:
    """Yield games by choices on boards that take minutes to count, by ply and in all."""
    names = ("position classes", "paths by choices", *(f"games by choices{end}" for end in _ENDS))
    for table in load("choices.toml")["table"]:
        oeis = (table["source"], table["command"].removesuffix(" --resume DIR"))  # carried, so it takes no minutes
        rows = [[int(count) for count in row] for row in table["rows"]]
        for ply, *counts in rows:
            for what, count in zip(names, counts, strict=True):
                if count:
                    yield count, table["board"], f"{what} at ply {ply}", *oeis
        won = [sum(row[column] for row in rows) for column in (3, 4, 5)]
        words = convention(ask(table["board"], same="choices"))
        for which, count in zip(("", *_ENDS), (sum(won), *won), strict=True):
            yield count, table["board"], f"games by choices{which} ({words})", *oeis


def _games() -> _Own:
    """Yield large numbers of games and positions on boards of up to 8x8, which a search of small boards misses."""
    known = load("games.toml")
    names = [(column, f"games{end}") for column, end in zip(("games", "x", "o", "draws"), ("", *_ENDS), strict=True)]
    names += [("positions", "reachable positions"), ("classes", "position classes")]
    for row in (*known["board"], *known["solid"], *known["positions"]):
        by = f"the engine {row.get('engine')}"
        again = f", and again by {row['second']}" if "second" in row else ""
        for column, what in names:
            if int(row.get(column, 0)) >= _LARGE:
                question = ask(row["board"], same="symmetry" if column == "classes" else "labelled")
                fixed = f", and what symmetries fix again by {row['fixed']}" if "fixed" in row else ""
                second = fixed if column == "classes" else again
                source = f"computed by noughts count in {format_duration(row['seconds'])}, by {by}{second}"
                words = convention(question, of="games" if what.startswith("games") else "positions")
                yield int(row[column]), row["board"], f"{what} ({words})", source, command_of(question)
