"""The table of engines, and the choice among them: the cheapest offer that fits the limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from noughts.counting.census import COLUMNS, GAME_COLUMNS, Census
from noughts.counting.offers import CountingOffer, Engine, Request, Run
from noughts.counting.question import Question, Sameness, Starts
from noughts.machine.budget import Estimate, Limits, Refusal, cheapest, disk_room
from noughts.machine.workers import Progress, Workers, silent, workers_for
from noughts.rules.arguments import function_or_none, offered, path_of, text_of
from noughts.rules.board import Board, SymmetryName
from noughts.rules.errors import BudgetError, CheckError, InvalidQuestion, shown
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import Position, parse_position


@dataclass(frozen=True)
class Row:
    """An engine: the name that --engine takes, and what loads it, which is done when it is asked.

    Engines of one `kin` share their counting, so that they are no judges of each other. A `witness` is asked for a
    second opinion, or by name, but never first: another does the same for less. Where no engine can, the reasons of
    those that `tell` are given: they reach furthest, each in its way. An engine that is `named` is another asked for
    the `wanted` columns only, of which it makes an offer of its own accord where the others do not fit. One that is
    `compiled` is not asked, and nothing of it loaded, where that alone takes longer than may be. One that counts
    `by_table` takes players who are held to the moves of a table; the others are not asked about them.
    """

    name: str
    load: Callable[[], Engine]
    kin: str
    compiled: bool = False
    any_game: bool = False
    witness: bool = False
    tells: bool = False
    named: bool = False
    wanted: tuple[str, ...] = COLUMNS
    by_table: bool = False

    def offer(self, request: Request, limits: Limits) -> CountingOffer | Refusal:
        """Return the engine's answer; only one for `any_game` is asked about what is no marking game."""
        board = request.question.board
        if not board.rules.is_marking and not self.any_game:
            why = "counts marking games only (two marks in turn, on any blank cell, until a line), and"
            return Refusal(self.name, f"the engine {self.name} {why} {board} is none")
        if request.question.is_played and not self.by_table:
            return Refusal(
                self.name, f"the engine {self.name} counts games under rules, and a player is held to a table"
            )
        if request.question.starts != "X":
            from noughts.counting.class_sums import offer_by_turns

            return offer_by_turns(self.offer, request, limits)
        if self.compiled and limits.seconds < LOADING:
            return Refusal(self.name, "it takes too long to load", Estimate(0, LOADING, "the time to load it", True))
        return self.load()(request, limits)


LOADING = 0.8
"""Seconds that it takes at least to load NumPy and compiled kernels."""


def _plain() -> Engine:
    from noughts.counting.plain import offer_plain

    return offer_plain


def _played() -> Engine:
    from noughts.counting.plain import offer_played

    return offer_played


def _layered() -> Engine:
    from noughts.counting.layered.engine import offer

    return offer


def _streamed() -> Engine:
    from noughts.counting.streamed.engine import offer

    return offer


def _inclusion() -> Engine:
    from noughts.counting.inclusion import offer

    return offer


def _subset() -> Engine:
    from noughts.counting.subset import offer

    return offer


def _frontier() -> Engine:
    from noughts.counting.frontier.engine import offer_frontier

    return offer_frontier


def _points() -> Engine:
    from noughts.counting.frontier.engine import offer_points

    return offer_points


def _transfer_points() -> Engine:
    from noughts.counting.transfer.engine import offer_witness

    return offer_witness


def _transfer() -> Engine:
    from noughts.counting.transfer.engine import offer_transfer

    return offer_transfer


ENGINES = (
    Row("plain", _plain, "plain", any_game=True, by_table=True),
    Row("played", _played, "played", by_table=True),
    Row("layered", _layered, "layered", tells=True),
    Row("streamed", _streamed, "streamed", compiled=True, tells=True),
    Row("inclusion", _inclusion, "inclusion", tells=True),
    Row("subset", _subset, "subset", compiled=True),
    Row("frontier", _frontier, "frontier", compiled=True, tells=True),
    Row("games", _frontier, "frontier", compiled=True, named=True, wanted=GAME_COLUMNS),
    Row("points", _points, "frontier", compiled=True, tells=True),
    Row("points-games", _points, "frontier", compiled=True, named=True, wanted=GAME_COLUMNS),
    Row("transfer", _transfer, "transfer", compiled=True, witness=True),
    Row("transfer-games", _transfer, "transfer", compiled=True, named=True, wanted=GAME_COLUMNS),
    Row("transfer-points", _transfer_points, "transfer", compiled=True, witness=True),
)
"""All engines. Those whose estimate takes time come last."""


def row_of(name: str) -> Row:
    """Return an engine by name. Raises InvalidQuestion for an unknown one."""
    text_of("the engine", name)
    for row in ENGINES:
        if row.name == name:
            return row
    names = [row.name for row in ENGINES]
    raise InvalidQuestion(f"there is no engine {shown(name)}: there are {offered(name, names)}")


def offers(
    request: Request, limits: Limits, *, without: Collection[str] = (), witness: bool = False
) -> tuple[CountingOffer | None, list[Refusal]]:
    """Return the offer of the engine that takes the least time, and why others refuse.

    One that leaves a wanted column empty only where no other fits. Not asked are engines of a kin to do `without`, and
    the witnesses, unless with `witness`.
    """
    asked = (row for row in ENGINES if not row.named and row.kin not in without and (witness or not row.witness))
    return cheapest([partial(row.offer, request) for row in asked], limits)


def choose(
    question: Question, limits: Limits, *, engine: str | None = None, progress: Progress = silent
) -> CountingOffer:
    """Return the best offer within the limits, or that of the engine named; reckoning it may take a while.

    Raises InvalidQuestion, BudgetError.
    """
    if engine is None:
        best, refusals = offers(Request(question, progress=progress), limits)
        if best is None:
            raise refused(question, limits, refusals)
        return best
    row = row_of(engine)
    found = row.offer(Request(question, row.wanted, strict=True, progress=progress), limits)
    if not isinstance(found, Refusal):
        return found
    if found.estimate is None:
        raise BudgetError(f"{found.reason}: leave out --engine, or try a smaller board")
    raise refused(question, limits, [found])


def refused(question: Question, limits: Limits, refusals: list[Refusal]) -> BudgetError:
    """Return the error that says what the question would take at least, or why no engine can answer it."""
    parts = [refusal.part for refusal in refusals if refusal.part is not None]
    over = [(refusal.engine, refusal.estimate) for refusal in refusals + parts if refusal.estimate is not None]
    if over:
        engine, estimate = min(over, key=lambda pair: _excess(pair[1], limits))
        return BudgetError(_over(question, engine, estimate, limits))
    telling = [row.name for row in ENGINES if row.tells]
    reasons = "; ".join(dict.fromkeys(refusal.reason for refusal in refusals if refusal.engine in telling))
    return BudgetError(f"no engine can answer this on {question.board}, try a smaller board: {reasons}")


def _excess(estimate: Estimate, limits: Limits) -> tuple[float, int]:
    """Return how many times over the limits an estimate is; one that was cut short counts ten times."""
    times = max(estimate.memory / limits.memory, estimate.seconds / max(limits.seconds, 0.001))
    if estimate.disk:
        times = max(times, estimate.disk / max(limits.disk, 1))
    return times * (10 if estimate.at_least else 1), estimate.memory


def _over(question: Question, engine: str, estimate: Estimate, limits: Limits) -> str:
    disk = "name a folder on a larger disk, " * (estimate.disk > limits.disk)
    return (
        f"{question.board} needs {estimate} by the engine {engine}, over the budget of {limits.broken_by(estimate)}: "
        f"{disk}raise --memory or --time, ask for fewer plies with --to-ply, or try a smaller board"
    )


def answer(
    question: Question,
    *,
    engine: str | None = None,
    limits: Limits | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    resume: Path | None = None,
) -> Census:
    """Return the census of a question, checked against its conservation laws.

    The engine is chosen unless named. Its estimate is held against the limits before work starts; where not even an
    estimate is asked for, three quarters of the free memory. In the folder `resume` long work keeps its state, and what
    does not fit memory. Raises InvalidQuestion, BudgetError.
    """
    limits = Limits.of() if limits is None else limits
    if resume is not None:
        limits = replace(limits, disk=disk_room(resume), folder=resume)
    progress = progress or silent
    offer = choose(question, limits, engine=engine, progress=progress)
    return offer.count(Run(workers_for() if workers is None else workers, progress, resume))


# Second opinions: a census counted again by engines that share no counting with the first, and what they agree on.

QUICK_SECONDS = 0.3
"""A second engine is asked unbidden where it takes no longer than this."""


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
    kin = row_of(census.engine).kin
    offer, refusals = offers(_request(census), limits, without={kin}, witness=True)
    if offer is None:
        raise BudgetError(_nobody_else(census, all(refusal.estimate is None for refusal in refusals)))
    return _opinion(census, offer, run)


def opinions(census: Census, limits: Limits, run: Run = Run()) -> Iterator[Opinion]:  # noqa: B008 - a value
    """Yield the opinions of all engines but the witnesses that fit the limits. Raises CheckError where one differs."""
    request, kin = _request(census), row_of(census.engine).kin
    for row in ENGINES:
        if not (row.named or row.witness or row.kin == kin):
            offer = row.offer(request, limits)
            if isinstance(offer, CountingOffer):
                yield _opinion(census, offer, run)


def _request(census: Census) -> Request:
    """Return the question again, for the columns that the census has."""
    return Request(census.question, tuple(name for name in COLUMNS if None not in census.column(name)))


def _nobody_else(census: Census, at_any_price: bool) -> str:
    """Return why there is no second engine."""
    nobody = f"no second engine can answer this on {census.question.board}"
    if at_any_price:
        return f"{nobody} at any price: leave out --check"
    return f"{nobody} within the budget: leave out --check, or raise --memory or --time"


def _opinion(census: Census, offer: CountingOffer, run: Run) -> Opinion:
    """Return what an engine finds, with the columns that both give. Raises CheckError where it differs."""
    other = offer.count(run)
    columns = _agreeing(census, other)
    return Opinion(other, columns, _about(census, columns))


def _agreeing(census: Census, other: Census) -> tuple[str, ...]:
    """Return the columns that two censuses give alike, leaving out what one cannot tell. Raises CheckError."""
    compared = []
    for column in COLUMNS:
        pairs = list(zip(census.column(column), other.column(column), strict=True))
        for row, (mine, theirs) in zip(census.plies, pairs, strict=True):
            if None not in (mine, theirs) and mine != theirs:
                raise CheckError(
                    f"{census.question.board}, ply {row.ply}, {column}: the engine {census.engine} gives {mine}, "
                    f"{other.engine} gives {theirs}"
                )
        if all(None not in pair for pair in pairs):
            compared.append(column)
    return tuple(compared)


def _about(census: Census, columns: tuple[str, ...]) -> str:
    """Return in words which numbers of a census were compared; nothing where all were."""
    if all(column in columns or None in census.column(column) for column in COLUMNS):
        return ""
    games = [column for column in columns if column in GAME_COLUMNS]
    return "on the games" if games == list(columns) else "on some columns" if games else "on the positions"


# Counting as one function call.


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


def count(
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
    engine: str | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    resume: Path | str | None = None,
) -> Census:
    """Return how many positions and games there are, ply by ply, under one convention.

    The parts of the question are those of `ask`. The census is exact and has passed its conservation laws. `memory`
    (bytes or `8GB`, three quarters of what is free unless given) and `time` (seconds or `10s`) bound what may be
    started: where all columns do not fit, the games alone are counted and the positions left out. `threads` are as many
    as there are cores unless given. Cost: 20 ms for 3x3; for larger boards the
    engine's estimate decides. Raises InvalidBoard, InvalidPosition, InvalidQuestion, BudgetError. Source of the three
    questions: mathrec.org, "Tic-Tac-Toe", 2002.

    >>> count("3x3").totals.finished
    255168
    >>> count("3x3", "b2").totals.finished
    25872
    >>> count("3x3", starts="either").totals.finished
    510336
    """
    question = ask(
        board,
        start,
        same=same,
        moves=moves,
        x_moves=x_moves,
        o_moves=o_moves,
        end=end,
        symmetry=symmetry,
        to_ply=to_ply,
        starts=starts,
    )
    function_or_none("progress", progress)
    return answer(
        question,
        engine=engine,
        limits=Limits.of(memory, time),
        workers=workers_for(threads),
        progress=progress,
        resume=None if resume is None else path_of("the folder", resume),
    )
