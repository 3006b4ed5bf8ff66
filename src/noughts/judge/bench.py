"""What is held against a published number, under which budget, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from noughts.counting.census import Census
from noughts.counting.conventions import Answers
from noughts.counting.engines import answer, ask, opinions, second_opinion
from noughts.counting.layered.engine import unfinished_by_value
from noughts.counting.question import Question
from noughts.judge.listing import Listing
from noughts.known import load
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError
from noughts.rules.marks import OUTCOMES
from noughts.rules.values import short
from noughts.solving.values import PlyValues

SECOND_ENGINE_SECONDS = 2.0
"""Further engines are asked too where they take no longer than this."""


@dataclass(frozen=True, repr=False)
class NumberCheck:
    """What became of one known number: `ok`, `differs` or `out of reach`, with what was compared and by whom.

    `one_engine` are those of the compared that a single engine gave, without a second that shares no counting with it
    and without a proof that was judged.
    """

    name: str
    what: str
    source: str
    status: str
    compared: tuple[str, ...]
    out_of_reach: tuple[str, ...]
    engines: tuple[str, ...]
    one_engine: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<NumberCheck {short(self.name)}: {self.status}, {len(self.compared)} compared>"

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as a record."""
        lists = ("compared", "out_of_reach", "engines", "one_engine")
        return {**vars(self), **{name: list(getattr(self, name)) for name in lists}}


@dataclass(frozen=True, repr=False)
class Verification:
    """What became of all known numbers, in the order of the data."""

    checks: tuple[NumberCheck, ...]

    def __repr__(self) -> str:
        return f"<Verification: {', '.join(f'{number} {status}' for status, number in self.counts.items())}>"

    @property
    def holds(self) -> bool:
        """Whether no number differs from what was published."""
        return self.counts["differs"] == 0

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers agree, differ, and were out of reach."""
        return {
            status: sum(check.status == status for check in self.checks) for status in ("ok", "differs", "out of reach")
        }

    def as_dict(self) -> dict[str, Any]:
        """Return all verdicts as a record."""
        return {"entries": [check.as_dict() for check in self.checks], "counts": self.counts}


@dataclass
class Comparing:
    """A known number while it is held against what engines give."""

    name: str
    what: str
    source: str
    differs: bool = False
    compared: list[str] = field(default_factory=list)
    out_of_reach: list[str] = field(default_factory=list)
    engines: set[str] = field(default_factory=set)
    one_engine: list[str] = field(default_factory=list)

    def done(self) -> NumberCheck:
        """Return what became of it."""
        status = "differs" if self.differs else "ok" if self.compared else "out of reach"
        lists = (self.compared, self.out_of_reach, sorted(self.engines), self.one_engine)
        return NumberCheck(self.name, self.what, self.source, status, *map(tuple, lists))

    def hold(self, label: str, published: str, computed: str, by: Collection[str], *, judged: bool = False) -> None:
        """Compare one number, which these engines gave alike; `judged` where it has a proof, and that was judged."""
        self.engines.update(by)
        if published != computed:
            self.differs = True
            label = f"{label}: published {published}, computed {computed}"
        elif not judged and len(set(by)) < 2:
            self.one_engine.append(label)
        self.compared.append(label)


class Bench(Answers):
    """The budget of a verification; each question is put to a second engine too, where one is quick."""

    def __init__(self, limits: Limits, *, patient: bool = False) -> None:
        """`patient`: where no second engine is quick, one is asked that takes as long as the first may."""
        super().__init__(limits)
        self.patient = patient
        self._agreeing: dict[Question, list[Census]] = {}

    @property
    def memory(self) -> int:
        """How many bytes a computation may take."""
        return int(self.limits.memory)

    def censuses(self, question: Question) -> list[Census]:
        """Return the answers of the cheapest engine and of the others that are quick."""
        if question not in self._agreeing:
            self._agreeing[question] = self._counted(question)
        return self._agreeing[question]

    def _counted(self, question: Question) -> list[Census]:
        first = self.census(question)
        limits = replace(self.limits, seconds=SECOND_ENGINE_SECONDS)
        found = [first, *(opinion.census for opinion in opinions(first, limits))]
        if len(found) == 1 and self.patient:
            with suppress(BudgetError):
                found.append(second_opinion(first, self.limits).census)
        return found

    def column(self, question: Question, columns: list[str]) -> tuple[list[tuple[int, int]], list[str]]:
        """Return (ply, sum of the columns) for each ply and the engines that gave it, after they have been compared.

        Raises BudgetError where no engine gives them all, CheckError where two disagree.
        """
        censuses = self.censuses(question)
        found, engines = list[list[tuple[int, int]]](), list[str]()
        for census in censuses:
            sums = []
            for row in census.plies:
                parts = [getattr(row, name) for name in columns]
                if None not in parts:
                    sums.append((row.ply, sum(parts)))
            if len(sums) == len(census.plies):
                engines.append(census.engine)
                found.append(sums)
        if not found:
            raise BudgetError(f"no engine that fits gives the column {' + '.join(columns)}")
        if any(other != found[0] for other in found):
            raise CheckError(f"the engines {', '.join(c.engine for c in censuses)} disagree on {question.board}")
        return found[0], engines


# Second engines for what no census holds, the ladder and classes by value, each held against the first.

_listing = lru_cache(maxsize=4)(Listing)
Valued = dict[int, dict[str, int]]
"""For each ply how many classes each player wins, or are drawn, finished ones included."""


def also_listed(board: str, by: str, counted: int, ask_listing: Callable[[Listing], int]) -> list[str]:
    """Return who gave a number: `by`, and the listing where it takes the board.

    Raises CheckError where the listing counts otherwise.
    """
    try:
        listed = ask_listing(_listing(board))
    except BudgetError:
        return [by]
    if listed != counted:
        raise CheckError(f"{by} gives {counted:,} on {board}, and the listing of all fillings {listed:,}")
    return [by, Listing.name]


def also_valued(board: Board, by: str, rows: tuple[PlyValues, ...], bench: Bench) -> list[str]:
    """Return who gave the classes by value: `by`, the layers and the listing where they take the board.

    Raises CheckError where one counts otherwise.
    """
    first = {row.ply: {"X": row.symmetry.x_wins, "O": row.symmetry.o_wins, "draw": row.symmetry.draws} for row in rows}
    names = [by]
    for name in ("layered", Listing.name):
        with suppress(BudgetError):
            found = _by_layers(board, bench) if name == "layered" else _listing(board.spec).classes_by_value()
            if {ply: {end: counts.get(end, 0) for end in OUTCOMES} for ply, counts in found.items()} != first:
                raise CheckError(f"{by} and {name} give other numbers of classes by value on {board}")
            names.append(name)
    return names


def _by_layers(board: Board, bench: Bench) -> Valued:
    """Unfinished classes by value from layers that are listed and hashed, finished ones from a census."""
    columns = {"X": "terminal_x", "O": "terminal_o", "draw": "terminal_draw"}
    found: Valued = {}
    for outcome, column in columns.items():
        for ply, count in bench.column(ask(board, same="symmetry"), [column])[0]:
            found.setdefault(ply, {})[outcome] = count
    for ply, (o_wins, drawn, x_wins) in unfinished_by_value(board, bench.limits).items():
        for outcome, count in (("O", o_wins), ("draw", drawn), ("X", x_wins)):
            found[ply][outcome] += count
    return found


# Games by choices on boards that take minutes: their classes, and what two engines give in time of paths and games.

FIRST_PLIES = 7
"""How far a table is computed where the whole is out of reach: so far two engines take seconds."""
ENGINES = ("streamed", "layered")
_COLUMNS = ("positions", "paths", "x_wins", "o_wins", "draws")


def choices_held(bench: Bench) -> Iterator[NumberCheck]:
    """Yield a verdict for each table of games by choices, as far as it fits the limits of the bench.

    With a patient bench its classes are counted in all, by engines that do not meet them: seconds for each table.
    """
    for table in load("choices.toml")["table"]:
        question = ask(table["board"], same="choices")
        rows = [tuple(map(int, row)) for row in table["rows"]]
        verdict = Comparing(f"{table['board']} choices any line", "per-ply table of a large board", table["source"])
        if not _hold(verdict, question, rows, bench):
            verdict.out_of_reach.append(f"paths, games: plies {FIRST_PLIES + 1} to {rows[-1][0]}")
            _hold(verdict, replace(question, to_ply=FIRST_PLIES), rows[: FIRST_PLIES + 1], bench)
            if bench.patient:
                _hold_classes(verdict, replace(question, same="symmetry"), [row[:2] for row in rows], bench)
        yield verdict.done()


def _hold_classes(verdict: Comparing, question: Question, known: list[tuple[int, ...]], bench: Bench) -> None:
    """Hold the column of classes, or name it as out of reach."""
    try:
        classes, by = bench.column(question, ["positions"])
        verdict.hold("positions", str(known), str(classes), by)
    except BudgetError as error:
        verdict.out_of_reach.append(f"positions: {error}")


def _hold(verdict: Comparing, question: Question, known: list[tuple[int, ...]], bench: Bench) -> bool:
    """Hold all columns against each engine that fits; tell whether one does."""
    found = dict[str, Census]()
    for engine in ENGINES:
        try:
            found[engine] = answer(question, engine=engine, limits=bench.limits)
        except BudgetError:
            continue
    for engine, census in found.items():
        rows = [(row.ply, *(getattr(row, column) for column in _COLUMNS)) for row in census.plies]
        about = "all plies" if question.to_ply is None else f"to ply {question.to_ply}"
        verdict.hold(f"{about}, by {engine}", str(known), str(rows), list(found))
    return bool(found)
