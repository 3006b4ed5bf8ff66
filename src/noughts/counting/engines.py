"""The table of engines, the choice among them (the cheapest offer that fits the limits), and second opinions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Literal

from noughts.counting.census import COLUMNS, GAME_COLUMNS, Census
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question, Sameness, Starts
from noughts.machine.budget import Estimate, Limits, Refusal, cheapest, disk_room
from noughts.machine.workers import Progress, Workers, silent, workers_for
from noughts.rules.arguments import offered, one_of, text_of
from noughts.rules.board import Board, SymmetryName
from noughts.rules.errors import BudgetError, CheckError, InvalidQuestion, shown
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import Position, parse_position

LOADING = 0.8
"""Seconds that it takes at least to load NumPy and compiled kernels."""

QUICK_SECONDS = 0.3
"""A second engine is asked unbidden where it takes no longer than this."""

Columns = Literal["all", "games"]

WANTED: dict[str, tuple[str, ...]] = {"all": COLUMNS, "games": GAME_COLUMNS}
"""Which columns a count may be of: games alone take less time and memory than positions and games."""


@dataclass(frozen=True)
class Row:
    """An engine: its name, what it can count, and where its offers are made, `module:function` for each mode.

    A module is loaded when it is asked: each function returns an offer, which counts where it fits the limits, or says
    why not. Modes of an engine share counting; two engines share none. With `any_game` it takes games other than
    marking in turn, with `by_table` players who are held to the moves of a table. One that is `compiled` is not asked
    where loading it alone takes too long. A `witness` is asked for a second opinion, or by name, but never first:
    another does the same for less. Where no engine can, the reasons of those that `tell` are given: they reach
    furthest, each in its way.
    """

    name: str
    modes: tuple[str, ...]
    any_game: bool = False
    by_table: bool = False
    compiled: bool = False
    witness: bool = False
    tells: bool = False

    def asked(self, request: Request) -> list[Callable[[Limits], CountingOffer | Refusal]]:
        """Return what to ask with limits, for each mode."""
        return [partial(self._ask, mode, request) for mode in self.modes]

    def _ask(self, mode: str, request: Request, limits: Limits) -> CountingOffer | Refusal:
        question, name = request.question, self.name
        if not question.board.rules.is_marking and not self.any_game:
            why = "counts marking games only (two marks in turn, on any blank cell, until a line), and"
            return Refusal(name, f"the engine {name} {why} {question.board} is none")
        if question.is_played and not self.by_table:
            return Refusal(name, f"the engine {name} counts games under rules, and a player is held to a table")
        if question.starts != "X":
            from noughts.counting.class_sums import offer_by_turns

            return offer_by_turns(partial(self._ask, mode), request, limits)
        if self.compiled and limits.seconds < LOADING:
            return Refusal(name, "it takes too long to load", Estimate(0, LOADING, "the time to load it", True))
        module, function = mode.split(":")
        found: CountingOffer | Refusal = getattr(import_module(f"noughts.counting.{module}"), function)(request, limits)
        if isinstance(found, CountingOffer) and not limits.allow(found.estimate):
            return Refusal(name, "it takes too much", found.estimate)
        return found


ENGINES = (
    Row("plain", ("plain:offer_plain",), any_game=True, by_table=True),
    Row("played", ("plain:offer_played",), by_table=True),
    Row("layered", ("layered.engine:offer",), tells=True),
    Row("streamed", ("streamed.engine:offer",), compiled=True, tells=True),
    Row("inclusion", ("inclusion:offer",), tells=True),
    Row("subset", ("subset:offer",), compiled=True),
    Row("frontier", ("frontier.tables:offer", "frontier.points:offer"), compiled=True, tells=True),
    Row("transfer", ("transfer.engine:offer", "transfer.points:offer"), compiled=True, witness=True),
)
"""All engines. Those whose estimate takes time come last."""

_FORMER = {
    "games": "frontier",
    "points": "frontier",
    "points-games": "frontier",
    "transfer-games": "transfer",
    "transfer-points": "transfer",
}


def row_of(name: str) -> Row:
    """Return an engine by name. Raises InvalidQuestion for an unknown one."""
    text_of("the engine", name)
    for row in ENGINES:
        if row.name == name:
            return row
    if name in _FORMER:
        games = " and the columns 'games'" if "games" in name else ""
        raise InvalidQuestion(f"{name!r} is no engine of its own any more: ask for the engine {_FORMER[name]}{games}")
    names = [row.name for row in ENGINES]
    raise InvalidQuestion(f"there is no engine {shown(name)}: there are {offered(name, names)}")


def offers(
    request: Request, limits: Limits, *, without: Collection[str] = (), witness: bool = False
) -> tuple[CountingOffer | None, list[Refusal]]:
    """Return the offer of the engine that takes the least time, and why others refuse.

    One that leaves a wanted column empty only where no other fits. Not asked are engines to do `without`, and the
    witnesses, unless with `witness`.
    """
    rows = (row for row in ENGINES if row.name not in without and (witness or not row.witness))
    return cheapest([ask for row in rows for ask in row.asked(request)], limits)


def choose(
    question: Question,
    limits: Limits,
    *,
    engine: str | None = None,
    columns: Columns = "all",
    progress: Progress = silent,
    spread: bool = False,
) -> CountingOffer:
    """Return the best offer within the limits, or that of the engine named; finding it may take a while.

    With `spread` there are workers in other processes, which only the last mode of an engine gives work to. Raises
    InvalidQuestion, BudgetError.
    """
    one_of("the columns", columns, tuple(WANTED))
    request = Request(question, WANTED[columns], strict=engine is not None, progress=progress)
    if engine is None:
        best, refusals = offers(request, limits)
    else:
        modes = row_of(engine).asked(request)
        best, refusals = cheapest(modes[-1:] if spread else modes, limits)
    if best is not None:
        return best
    if engine is not None and all(refusal.estimate is None for refusal in refusals):
        raise BudgetError(f"{refusals[0].reason}: leave out --engine, or try a smaller board")
    raise refused(question, limits, refusals)


def refused(question: Question, limits: Limits, refusals: list[Refusal]) -> BudgetError:
    """Return the error that says what the question would take at least, or why no engine can answer it."""
    parts = [refusal.part for refusal in refusals if refusal.part is not None]
    over = [(refusal.engine, refusal.estimate) for refusal in refusals + parts if refusal.estimate is not None]
    if over:
        engine, estimate = min(over, key=lambda pair: _excess(pair[1], limits))
        disk = "name a folder on a larger disk, " * (estimate.disk > limits.disk)
        return BudgetError(
            f"{question.board} needs {estimate} by the engine {engine}, over the budget of "
            f"{limits.broken_by(estimate)}: {disk}raise --memory or --time, ask for fewer plies with --to-ply, or try "
            "a smaller board"
        )
    telling = [row.name for row in ENGINES if row.tells]
    reasons = "; ".join(dict.fromkeys(refusal.reason for refusal in refusals if refusal.engine in telling))
    return BudgetError(f"no engine can answer this on {question.board}, try a smaller board: {reasons}")


def _excess(estimate: Estimate, limits: Limits) -> tuple[float, int]:
    """Return how many times over the limits an estimate is; one that was cut short counts ten times."""
    times = max(estimate.memory / limits.memory, estimate.seconds / max(limits.seconds, 0.001))
    if estimate.disk:
        times = max(times, estimate.disk / max(limits.disk, 1))
    return times * (10 if estimate.at_least else 1), estimate.memory


def answer(
    question: Question,
    *,
    engine: str | None = None,
    columns: Columns = "all",
    limits: Limits | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    resume: Path | None = None,
    carried: bool = False,
) -> Census:
    """Return the census of a question, checked against its conservation laws.

    With `carried` a count that takes minutes comes from the package, unless an engine or a folder is named. The engine
    is chosen unless named. Its estimate is held against the limits before work starts; where none are given, three
    quarters of the free memory. In the folder `resume` long work keeps its state, and what does not fit memory.
    Raises InvalidQuestion, BudgetError.
    """
    if carried and engine is None and resume is None:
        from noughts.counting.carried import carried_census

        if (found := carried_census(question)) is not None:
            return found
    limits = Limits.of() if limits is None else limits
    if resume is not None:
        limits = replace(limits, disk=disk_room(resume), folder=resume)
    progress, workers = progress or silent, workers_for() if workers is None else workers
    spread = workers is not workers.here
    offer = choose(question, limits, engine=engine, columns=columns, progress=progress, spread=spread)
    return offer.count(Run(workers, progress, resume))


@dataclass(frozen=True)
class Opinion:
    """The census of another engine, the columns that both give, and these in words for a sentence.

    The words, such as `on the games`, are empty where the columns are all that the first census has.
    """

    census: Census
    columns: tuple[str, ...]
    about: str

    @property
    def engine(self) -> str:
        """The name of the other engine."""
        return self.census.engine

    def __str__(self) -> str:
        return self.engine


def quick_second_opinion(census: Census, limits: Limits) -> Opinion | None:
    """Return the opinion of another engine where one is quick to ask. Raises CheckError where it differs."""
    try:
        return second_opinion(census, Limits(limits.memory, QUICK_SECONDS))
    except BudgetError:
        return None


def second_opinion(census: Census, limits: Limits, run: Run = Run()) -> Opinion:  # noqa: B008 - a value
    """Return the opinion of the cheapest other engine that gives a column of the census.

    Raises CheckError where it differs, BudgetError where none gives a column within the limits.
    """
    offer, refusals = offers(_again(census), limits, without={census.engine}, witness=True)
    if offer is None:
        none = f"no second engine can answer this on {census.question.board}"
        if all(refusal.estimate is None for refusal in refusals):
            raise BudgetError(f"{none} at any price: leave out --check")
        raise BudgetError(f"{none} within the budget: leave out --check, or raise --memory or --time")
    return _opinion(census, offer, run)


def opinions(census: Census, limits: Limits, run: Run = Run()) -> Iterator[Opinion]:  # noqa: B008 - a value
    """Yield the opinions of all engines but the witnesses that fit the limits. Raises CheckError where one differs."""
    for row in ENGINES:
        if row.name != census.engine and not row.witness:
            offer, _ = cheapest(row.asked(_again(census)), limits)
            if offer is not None:
                yield _opinion(census, offer, run)


def _again(census: Census) -> Request:
    """Return the question again, for the columns that the census has."""
    return Request(census.question, tuple(name for name in COLUMNS if None not in census.column(name)))


def _opinion(census: Census, offer: CountingOffer, run: Run) -> Opinion:
    """Return what an engine finds, with the columns that both give. Raises CheckError where it differs."""
    other = offer.count(run)
    columns = []
    for column in COLUMNS:
        pairs = list(zip(census.column(column), other.column(column), strict=True))
        for row, (mine, theirs) in zip(census.plies, pairs, strict=True):
            if None not in (mine, theirs) and mine != theirs:
                raise CheckError(
                    f"{census.question.board}, ply {row.ply}, {column}: the engine {census.engine} gives {mine}, "
                    f"{other.engine} gives {theirs}"
                )
        if all(None not in pair for pair in pairs):
            columns.append(column)
    return Opinion(other, tuple(columns), _about(census, columns))


def _about(census: Census, columns: list[str]) -> str:
    """Return in words which numbers of a census were compared; nothing where all were."""
    if all(column in columns or None in census.column(column) for column in COLUMNS):
        return ""
    games = [column for column in columns if column in GAME_COLUMNS]
    return "on the games" if games == columns else "on some columns" if games else "on the positions"


def ask(
    board: str | Board = "3x3",
    start: str | Position | None = None,
    *,
    same: Sameness = "labelled",
    moves: MoveRule = "any",
    x_moves: MoveRule | None = None,
    o_moves: MoveRule | None = None,
    end: EndRule = "line",
    symmetry: SymmetryName = "board",
    to_ply: int | None = None,
    starts: Starts = "X",
) -> Question:
    """Return the question with these parts; `x_moves` and `o_moves` override `moves` for one player.

    `start` is a position or its text: marks, or the moves that lead to it. `starts` is who moves first on the empty
    board: X, O, or either. Raises InvalidBoard, InvalidPosition,
    InvalidQuestion.
    """
    on = Board.parse(board)
    position = None if start is None else parse_position(on, start)
    x_rule, o_rule = (moves if rule is None else rule for rule in (x_moves, o_moves))
    return Question(on, same, x_rule, o_rule, end, symmetry, position, to_ply, starts=starts)
