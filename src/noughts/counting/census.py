"""A census: the per-ply table of counts that answers a question, and the laws it must obey."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from math import factorial
from typing import Any

from noughts.counting.question import Question, convention
from noughts.machine.packages import Framed
from noughts.rules.arguments import one_of
from noughts.rules.errors import CheckError, InputError
from noughts.rules.values import Reported, short


@dataclass(frozen=True, repr=False)
class Totals:
    """One row of counts. A count that the engine cannot give is None, never zero.

    Parameters
    ----------
    positions, terminal
        Boards for `labelled` questions, position classes otherwise.
    terminal_x, terminal_o, terminal_draw
        Terminal positions by outcome.
    paths
        Partial games of this length.
    finished, x_wins, o_wins, draws
        Games that end here, in total and by outcome.
    """

    positions: int | None
    terminal: int | None
    terminal_x: int | None
    terminal_o: int | None
    terminal_draw: int | None
    paths: int | None
    finished: int | None
    x_wins: int | None
    o_wins: int | None
    draws: int | None

    def __repr__(self) -> str:
        return f"<Totals: {_in_short(self)}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the counts for JSON: decimal strings, None where unknown."""
        return {name: None if getattr(self, name) is None else str(getattr(self, name)) for name in COLUMNS}


COLUMNS: tuple[str, ...] = tuple(f.name for f in fields(Totals))
POSITION_COLUMNS, GAME_COLUMNS = COLUMNS[:5], COLUMNS[5:]


@dataclass(frozen=True, repr=False)
class PlyCounts(Totals):
    """The counts at one ply, the columns of `Totals`; `ply` is the number of marks on the board."""

    ply: int = field(kw_only=True)

    def __repr__(self) -> str:
        return f"<PlyCounts of ply {self.ply}: {_in_short(self)}>"

    def as_dict(self) -> dict[str, Any]:
        """Return the counts for JSON: decimal strings, None where unknown."""
        return {"ply": self.ply, **super().as_dict()}

    def with_positions_of(self, other: PlyCounts) -> PlyCounts:
        """Return this row with the position columns of `other`."""
        return replace(self, **{name: getattr(other, name) for name in POSITION_COLUMNS})

    @classmethod
    def of(
        cls,
        ply: int,
        positions: int | None,
        terminal: int | None,
        terminal_by: Sequence[int] | None,
        paths: int | None,
        finished_by: Sequence[int] | None,
    ) -> PlyCounts:
        """Return a row from counts by outcome, in the order X, O, draw.

        Parameters
        ----------
        ply
            The number of marks on the board.
        positions, terminal, paths
            Counts; None where unknown.
        terminal_by, finished_by
            Terminal positions and finished games by outcome; None where they are not split.
        """
        won = terminal_by if terminal_by is not None else (None, None, None)
        ends = finished_by if finished_by is not None else (None, None, None)
        finished = sum(finished_by) if finished_by is not None else None
        counts = (positions, terminal, *won, paths, finished, *ends)
        return cls(**dict(zip(COLUMNS, counts, strict=True)), ply=ply)


def rows_from(records: list[dict[str, Any]]) -> tuple[PlyCounts, ...]:
    """Return the rows from the records that `as_dict` has written."""
    rows: list[dict[str, Any]] = [{name: None if n is None else int(n) for name, n in row.items()} for row in records]
    return tuple(PlyCounts(**row) for row in rows)


def exactly(total: int, order: int) -> int:
    """Return a sum over a group's symmetries, or over orbits, divided by the order; the result is a whole number."""
    quotient, rest = divmod(total, order)
    assert rest == 0, "Burnside's lemma gives whole numbers"
    return quotient


def added(column: Iterable[int | None]) -> int | None:
    """Return the sum of counts; None where one is unknown."""
    counts = list(column)
    return None if None in counts else sum(count for count in counts if count is not None)


STORED = 25
"""The fewest cells of a board whose counts the package carries: smaller boards take seconds."""


@dataclass(frozen=True)
class Carried:
    """How a stored count was found and how long that took; and the totals, if the package has no rows."""

    found: str
    totals: Totals | None = None


@dataclass(frozen=True, repr=False)
class Census(Reported, Framed):
    """The answer to a question.

    Parameters
    ----------
    question
        The question.
    engine
        The name of the engine that counted.
    plies
        A row for each ply from the start to the last that play reaches; empty where only totals are stored.
    carried
        How the count was found, if it comes from the package.
    """

    question: Question
    engine: str
    plies: tuple[PlyCounts, ...]
    carried: Carried | None = None

    def __repr__(self) -> str:
        return f"<Census of {short(self.question.board)} by {self.engine}: {_in_short(self.totals)}>"

    def frame_rows(self) -> list[dict[str, object]]:
        """Return a row of integers for each ply, for `to_pandas` and `to_polars`."""
        return [{"ply": row.ply} | {name: getattr(row, name) for name in COLUMNS} for row in self.plies]

    @property
    def totals(self) -> Totals:
        """The sum of each column over all rows; None where a row lacks the count."""
        if self.carried is not None and self.carried.totals is not None:
            return self.carried.totals
        return Totals(*(added([getattr(row, name) for row in self.plies]) for name in COLUMNS))

    def column(self, name: str) -> tuple[int | None, ...]:
        """Return one column by its name; `ply` gives the plies. Raises InvalidType and InputError."""
        one_of("the column", name, ("ply", *COLUMNS))
        if not self.plies:
            raise InputError(
                f"the package has only totals of {self.question.board}: name the engine {self.engine} to count each ply"
            )
        return tuple(getattr(row, name) for row in self.plies)

    def as_dict(self) -> dict[str, Any]:
        """Return the census as a record: counts as decimal strings, to preserve all digits; None where unknown."""
        question = self.question.as_dict()
        record = dict(list(question.items())[:6]) | {"engine": self.engine, "convention": convention(self.question)}
        record |= question
        record["plies"] = [row.as_dict() for row in self.plies]
        record["totals"] = self.totals.as_dict()
        return record if self.carried is None else record | {"carried": self.carried.found}

    def check(self) -> Census:
        """Return this census, or raise CheckError with the first law that it breaks.

        Every row: outcomes add up, and no more games or positions end than there are. First row: the start alone. Last
        row: every game is over, unless the question stops there. For labelled questions with free moves on N cells:
        paths(t+1) = (N - t)(paths(t) - finished(t)), and the sum of finished(t) (N - t)! is the number of ways to fill
        the board.
        """
        for row in self.plies:
            games, places = (row.x_wins, row.o_wins, row.draws), (row.terminal_x, row.terminal_o, row.terminal_draw)
            for what, whole, parts in (("finished", row.finished, games), ("terminal positions", row.terminal, places)):
                total = added(parts)
                if None not in (whole, total) and whole != total:
                    raise CheckError(f"ply {row.ply}: {whole} {what}, but the outcomes add up to {total}")
            for part, what, whole, of in (
                (row.finished, "finished", row.paths, "paths"),
                (row.terminal, "terminal positions", row.positions, "positions"),
                (row.positions, "positions", row.paths, "paths"),
            ):
                if part is not None and whole is not None and part > whole:
                    raise CheckError(f"ply {row.ply}: {part} {what} are more than {whole} {of}")
        self._check_first_and_last()
        if self.question.same == "labelled" and self.question.is_free and self.question.board.rules.is_marking:
            self._check_conservation()
        return self

    @property
    def _first_paths(self) -> int:
        """The number of paths without a move: two where either player may start, else one."""
        return 2 if self.question.starts == "either" else 1

    def _check_first_and_last(self) -> None:
        first, last = self.plies[0], self.plies[-1]
        if (
            first.ply != self.question.first_ply
            or first.positions not in (1, None)
            or first.paths not in (self._first_paths, None)
        ):
            paths = "one path" if self._first_paths == 1 else f"{self._first_paths} paths"
            raise CheckError(
                f"{self.question.board}: the census does not begin with {paths} at ply {self.question.first_ply}"
            )
        if [row.ply for row in self.plies] != list(range(first.ply, last.ply + 1)):
            raise CheckError(f"{self.question.board}: the census misses a ply")
        stops = last.ply == self.question.last_ply < self.question.game.last_ply
        if last.paths != last.finished and not stops and None not in (last.paths, last.finished):
            still = (last.paths or 0) - (last.finished or 0)
            raise CheckError(
                f"{self.question.board}: the last ply {last.ply} leaves {still} of {last.paths} paths open"
            )

    def _check_conservation(self) -> None:
        cells = self.question.board.cells
        weight = 0
        for row, following in zip(self.plies, (*self.plies[1:], None), strict=True):
            if row.paths is None or row.finished is None:
                return
            open_paths = row.paths - row.finished
            weight += row.finished * factorial(cells - row.ply)
            if following is None:
                weight += open_paths * factorial(cells - row.ply)
            elif following.paths != (cells - row.ply) * open_paths:
                raise CheckError(
                    f"{self.question.board}: ply {following.ply} has {following.paths} paths, but {open_paths} open "
                    f"paths with {cells - row.ply} moves each make {(cells - row.ply) * open_paths}"
                )
        if weight != self._first_paths * factorial(cells - self.question.first_ply):
            raise CheckError(f"{self.question.board}: the finished games make {weight} ways to fill the board")


def _figure(count: int) -> str:
    return f"{count:,}" if count < 10**15 else f"about 10^{len(str(count)) - 1}"


def _in_short(row: Totals) -> str:
    parts = ((row.finished, "finished games"), (row.positions, "positions"))
    words = [f"{_figure(count)} {what}" for count, what in parts if count is not None]
    return ", ".join(words) or "no games and no positions counted"
