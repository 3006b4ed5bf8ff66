"""Comparing published numbers with the answers of engines, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from noughts.counting.census import Census
from noughts.counting.conventions import Answers
from noughts.counting.engines import answer, ask, opinions, second_opinion
from noughts.counting.layered.engine import unfinished_by_value
from noughts.counting.question import Question
from noughts.judge.listing import Listing
from noughts.judge.sampling import (
    DEVIATIONS,
    ENOUGH,
    ENOUGH_VALUED,
    Sampled,
    sampled_games,
    sampled_positions,
    sampled_values,
)
from noughts.known import load
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError
from noughts.rules.marks import OUTCOMES, Outcome
from noughts.rules.values import short
from noughts.solving.values import PlyValues

SECOND_ENGINE_SECONDS = 2.0
"""Longest estimate of a further engine that is used too."""


@dataclass(frozen=True, repr=False)
class NumberCheck:
    """The verdict on one known number: its `status` is `ok`, `differs` or `out of reach`.

    `compared` labels the comparisons, and `engines` computed them. `one_engine` labels those that a single engine
    computed, without a judged proof or a second engine that shares no counting code with it.
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

    @classmethod
    def of(cls, record: dict[str, Any]) -> NumberCheck:
        """Return the verdict from its record."""
        parts: dict[str, Any] = {name: tuple(part) if type(part) is list else part for name, part in record.items()}
        return cls(**parts)


@dataclass(frozen=True, repr=False)
class Verification:
    """The verdicts on all known numbers, in the order of the data."""

    checks: tuple[NumberCheck, ...]

    def __repr__(self) -> str:
        return f"<Verification: {', '.join(f'{number} {status}' for status, number in self.counts.items())}>"

    @property
    def holds(self) -> bool:
        """Whether no number differs from what was published."""
        return self.counts["differs"] == 0

    @property
    def counts(self) -> dict[str, int]:
        """Number of verdicts with each status."""
        return {
            status: sum(check.status == status for check in self.checks) for status in ("ok", "differs", "out of reach")
        }

    def as_dict(self) -> dict[str, Any]:
        """Return all verdicts as a record."""
        return {"entries": [check.as_dict() for check in self.checks], "counts": self.counts}


@dataclass
class Comparing:
    """Compares a known number with the answers of engines."""

    name: str
    what: str
    source: str
    differs: bool = False
    compared: list[str] = field(default_factory=list)
    out_of_reach: list[str] = field(default_factory=list)
    engines: set[str] = field(default_factory=set)
    one_engine: list[str] = field(default_factory=list)

    def done(self) -> NumberCheck:
        """Return the verdict."""
        status = "differs" if self.differs else "ok" if self.compared else "out of reach"
        lists = (self.compared, self.out_of_reach, sorted(self.engines), self.one_engine)
        return NumberCheck(self.name, self.what, self.source, status, *map(tuple, lists))

    def hold(self, label: str, published: str, computed: str, by: Collection[str], *, judged: bool = False) -> None:
        """Compare one number, which all engines `by` gave; `judged`: its proof was judged too."""
        self.engines.update(by)
        if published != computed:
            self.differs = True
            label = f"{label}: published {published}, computed {computed}"
        elif not judged and len(set(by)) < 2:
            self.one_engine.append(label)
        self.compared.append(label)


class Bench(Answers):
    """The budget of a verification; a second engine answers each question too, where one is quick."""

    def __init__(self, limits: Limits, *, patient: bool = False) -> None:
        """`patient`: where no second engine is quick, use one that may take as long as the first."""
        super().__init__(limits)
        self.patient = patient
        self._agreeing: dict[Question, list[Census]] = {}

    @property
    def memory(self) -> int:
        """Number of bytes that a computation may use."""
        return int(self.limits.memory)

    def censuses(self, question: Question) -> list[Census]:
        """Return the answers of the cheapest engine and of the other quick engines."""
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
        """Return (ply, sum of the columns) for each ply, and the names of the engines, which agree.

        Raises BudgetError where no engine gives all columns, CheckError where two engines disagree.
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
            raise BudgetError(f"no engine within the budget gives the column {' + '.join(columns)}")
        if any(other != found[0] for other in found):
            raise CheckError(f"the engines {', '.join(c.engine for c in censuses)} disagree on {question.board}")
        return found[0], engines


class Line(NamedTuple):
    """A line of `verify`: its name, the known data, and the function that compares them within a bench."""

    name: str
    known: Any
    check: Callable[[Any, Bench], NumberCheck]


# Second engines for numbers outside a census: the ladder, and classes by value. Each is compared with the first.

_listing = lru_cache(maxsize=4)(Listing)
Valued = dict[int, dict[str, int]]
"""For each ply the number of classes by outcome with best play; finished classes count too."""


def also_listed(board: str, by: str, counted: int, ask_listing: Callable[[Listing], int]) -> list[str]:
    """Return the names of the engines that gave a number: `by`, and the listing where the board is small enough.

    Raises CheckError where the listing counts otherwise.
    """
    try:
        listed = ask_listing(_listing(board))
    except BudgetError:
        return [by]
    if listed != counted:
        raise CheckError(f"{by} gives {counted:,} on {board}, but the listing of all fillings gives {listed:,}")
    return [by, Listing.name]


def also_valued(board: Board, by: str, rows: tuple[PlyValues, ...], bench: Bench) -> list[str]:
    """Return the names of the engines that gave the classes by value: `by`, and others where the board is small enough.

    Raises CheckError where one of them counts otherwise.
    """
    first = {row.ply: {"X": row.symmetry.x_wins, "O": row.symmetry.o_wins, "draw": row.symmetry.draws} for row in rows}
    names = [by]
    for name in ("layered", Listing.name):
        with suppress(BudgetError):
            found = _by_layers(board, bench) if name == "layered" else _listing(board.spec).classes_by_value()
            if {ply: {end: counts.get(end, 0) for end in OUTCOMES} for ply, counts in found.items()} != first:
                raise CheckError(f"{by} and {name} give different numbers of classes by value on {board}")
            names.append(name)
    return names


def _by_layers(board: Board, bench: Bench) -> Valued:
    """Take unfinished classes by value from the layered engine, and finished ones from a census."""
    columns = {"X": "terminal_x", "O": "terminal_o", "draw": "terminal_draw"}
    found: Valued = {}
    for outcome, column in columns.items():
        for ply, count in bench.column(ask(board, same="symmetry"), [column])[0]:
            found.setdefault(ply, {})[outcome] = count
    for ply, (o_wins, drawn, x_wins) in unfinished_by_value(board, bench.limits).items():
        for outcome, count in (("O", o_wins), ("draw", drawn), ("X", x_wins)):
            found[ply][outcome] += count
    return found


# Games by choices on boards that take minutes: their classes, and the paths and games that two engines give in time.

FIRST_PLIES = 7
"""Last ply that is computed where the whole table is out of reach; up to it two engines take seconds."""
ENGINES = ("streamed", "layered")
_COLUMNS = ("positions", "paths", "x_wins", "o_wins", "draws")


def choices_lines() -> Iterator[Line]:
    """Yield a line for each table of games by choices."""
    for table in load("choices.toml")["table"]:
        yield Line(f"{table['board']} choices any line", table, choices_held)


def sampled_lines() -> Iterator[Line]:
    """Yield lines that compare the positions of large boards, and values by ply, with estimates from random boards."""
    yield Line("positions of large boards", load("games.toml")["positions"], _positions_held)
    for table in load("values.toml")["table"]:
        yield Line(f"{table['board']} values by ply", table, _values_held)


def _positions_held(rows: list[dict[str, Any]], bench: Bench) -> NumberCheck:
    verdict = Comparing("positions of large boards", "positions, cells distinguishable", "computed here")
    for row in rows:
        _hold_estimate(verdict, row["board"], int(row["positions"]), sampled_positions(Board.parse(row["board"])))
    return verdict.done()


def _values_held(table: dict[str, Any], bench: Bench) -> NumberCheck:
    """Compare classes by value with estimates; another engine than the one that counted them values the boards."""
    verdict = Comparing(f"{table['board']} values by ply", "position classes by value", table["source"])
    for ply, x, draws, o in table["rows"]:
        estimates = sampled_values(Board.parse(table["board"]), ply)
        counts: dict[Outcome, int] = {"X": x, "draw": draws, "O": o}
        for outcome, count in counts.items():
            _hold_estimate(verdict, f"ply {ply}, {outcome}", count, estimates[outcome], ENOUGH_VALUED)
    return verdict.done()


def choices_held(table: dict[str, Any], bench: Bench) -> NumberCheck:
    """Return the verdict on a table of games by choices, as far as it fits the limits of the bench.

    A patient bench also counts the classes at all plies, by engines that do not list them: seconds for each table.
    """
    question = ask(table["board"], same="choices")
    rows = [tuple(map(int, row)) for row in table["rows"]]
    verdict = Comparing(f"{table['board']} choices any line", "per-ply table of a large board", table["source"])
    if not _hold(verdict, question, rows, bench):
        verdict.out_of_reach.append(f"paths, games: plies {FIRST_PLIES + 1} to {rows[-1][0]}")
        _hold(verdict, replace(question, to_ply=FIRST_PLIES), rows[: FIRST_PLIES + 1], bench)
        if bench.patient:
            _hold_classes(verdict, replace(question, same="symmetry"), [row[:2] for row in rows], bench)
            _hold_sampled(verdict, question.board, rows)
    return verdict.done()


def _hold_classes(verdict: Comparing, question: Question, known: list[tuple[int, ...]], bench: Bench) -> None:
    """Compare the column of classes, or note that it is out of reach."""
    try:
        classes, by = bench.column(question, ["positions"])
        verdict.hold("positions", str(known), str(classes), by)
    except BudgetError as error:
        verdict.out_of_reach.append(f"positions: {error}")


def _hold_sampled(verdict: Comparing, board: Board, rows: list[tuple[int, ...]]) -> None:
    """Compare the games that end at each ply with estimates from random games."""
    for (ply, outcome), estimate in sampled_games(board).items():
        count = rows[ply][3 + OUTCOMES.index(outcome)]
        _hold_estimate(verdict, f"games that end at ply {ply} as {outcome}", count, estimate)


def _hold_estimate(verdict: Comparing, what: str, count: int, estimate: Sampled, enough: int = ENOUGH) -> None:
    """Compare a number with an estimate, if it rests on enough random games or boards."""
    fits = estimate.fits(count, enough)
    if fits is not None:
        computed = count if fits else round(estimate.mean)
        verdict.hold(f"{what}, within {DEVIATIONS} deviations", str(count), str(computed), ["sampling"], judged=True)


def _hold(verdict: Comparing, question: Question, known: list[tuple[int, ...]], bench: Bench) -> bool:
    """Compare all columns with each engine within the budget; return whether there is one."""
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
