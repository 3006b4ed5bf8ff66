"""The table of engines, the choice of the cheapest offer within the limits, and second opinions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Literal

from noughts.counting.census import COLUMNS, GAME_COLUMNS, STORED, Census
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question, Sameness, Starts
from noughts.machine.budget import Estimate, Limits, Offer, OfSize, Refusal, cheapest, disk_room
from noughts.machine.files import require_folder
from noughts.machine.workers import Progress, Workers, silent, workers_for
from noughts.rules.arguments import offered, one_of, text_of
from noughts.rules.board import Board, SymmetryName
from noughts.rules.errors import BudgetError, CheckError, InvalidQuestion, shown
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import PositionLike, parse_position
from noughts.rules.symmetry import ELEMENT_LIMIT

LOADING = 0.8
"""The least number of seconds to load NumPy and compiled kernels."""

QUICK_SECONDS = 0.3
"""A second engine checks a count by default if it takes at most this many seconds."""

Columns = Literal["all", "games"]

WANTED: dict[str, tuple[str, ...]] = {"all": COLUMNS, "games": GAME_COLUMNS}
"""The choices of columns to count: games alone take less time and memory than positions and games."""


Need = tuple[Callable[[Question], object], str]
"""What an engine needs of a question, and the clause that says why it refuses others."""

_MARKING: Need = (
    lambda question: question.board.rules.is_marking,
    "counts only games of X and O in turn, on any blank cell, until a line; {board} has other rules",
)
_RULES: Need = (
    lambda question: not question.is_played,
    "counts games under rules, but a table of moves binds a player",
)
_TABLES: Need = lambda question: question.is_played, "counts only games of players with a table of moves"
_FALLING: Need = (
    lambda question: all(getattr(question.board.rules, name) for name in ("by_column", "alternating", "is_known")),
    "counts falling marks, and on {board} marks do not fall",
)
_BOARDS: Need = (
    lambda question: question.board.rules.boards > 1,
    "counts several boards at once, and {board} is one",
)


@dataclass(frozen=True)
class Row:
    """An engine: its name, what it can count, and the module of each mode, `module:function` where that is not `offer`.

    A module is loaded at its first use; its function returns an offer within the limits, a refusal, or the reason of
    one as a clause. Modes of an engine share counting code; two engines share none. `cells` is the most cells that it
    takes. With `any_game` it counts other games than marking in turn, with `by_table` games of players bound to a table
    of moves; `need` is what else it needs. A `compiled` engine refuses where loading alone takes too long. A `witness`
    gives only second opinions, or counts when named: another engine is always cheaper. Where no engine can answer, the
    error gives the reasons of those with `explains`, which reach furthest. Engines `of_sets` list no positions. Those
    that `spread` can work in several processes, the others in the threads of one.
    """

    name: str
    modes: tuple[str, ...]
    cells: int | None = None
    need: Need | None = None
    any_game: bool = False
    by_table: bool = False
    compiled: bool = False
    witness: bool = False
    explains: bool = False
    of_sets: bool = False
    spreads: bool = False

    def offers(self, request: Request) -> list[Callable[[Limits], CountingOffer | Refusal]]:
        """Return for each mode a function from limits to an offer or a refusal."""
        return [partial(self._ask, mode, request) for mode in self.modes]

    def _ask(self, mode: str, request: Request, limits: Limits) -> CountingOffer | Refusal:
        question, name = request.question, self.name
        needs = (None if self.any_game else _MARKING, None if self.by_table else _RULES, self.need)
        for can, why in filter(None, needs):
            if not can(question):
                return Refusal(name, f"the engine {name} {why.format(board=question.board)}")
        if question.starts != "X":
            from noughts.counting.class_sums import offer_by_turns

            return offer_by_turns(partial(self._ask, mode), request, limits)
        if self.compiled and limits.seconds < LOADING:
            return Refusal(name, "loading it takes too long", Estimate(0, LOADING, "the time to load it", True))
        if self.of_sets and (why_not := why_no_count(question)) is not None:
            return Refusal(name, why_not)
        board, cells = question.board, question.board.cells
        if self.cells is not None and cells > self.cells:
            why = f"counts boards of up to {self.cells:,} cells, but {board} has {cells:,}"
            return Refusal(name, OfSize(f"the engine {name} {why}"))
        module, _, function = mode.partition(":")
        make = getattr(import_module(f"noughts.counting.{module}"), function or "offer")
        found: CountingOffer | Refusal | str = make(request, limits)
        if isinstance(found, str):
            return Refusal(name, type(found)(f"the engine {name} {found}"))
        if isinstance(found, CountingOffer) and not limits.allow(found.estimate):
            return Refusal(name, "it exceeds the limits", found.estimate)
        return found


ENGINES = (
    Row("plain", ("plain",), 16, any_game=True, by_table=True),
    Row("played", ("plain:offer_played",), need=_TABLES, by_table=True),
    Row("layered", ("layered.engine",), 64, any_game=True, explains=True),
    Row("stacked", ("stacked",), need=_FALLING, any_game=True, explains=True),
    Row("classes", ("classes",), any_game=True, compiled=True, explains=True),
    Row("boards", ("boards",), need=_BOARDS, any_game=True),
    Row("streamed", ("streamed.engine",), 30, compiled=True, explains=True, spreads=True),
    Row("inclusion", ("inclusion",), 2500, explains=True, of_sets=True),
    Row("subset", ("subset",), any_game=True, compiled=True, of_sets=True),
    Row(
        "frontier",
        ("frontier.tables", "frontier.points"),
        1000,
        compiled=True,
        explains=True,
        of_sets=True,
        spreads=True,
    ),
    Row(
        "transfer",
        ("transfer.engine", "transfer.points"),
        1000,
        compiled=True,
        witness=True,
        of_sets=True,
        spreads=True,
    ),
)
"""All engines; those with slow estimates come last."""


def why_no_count(question: Question) -> str | None:
    """Return why positions of a question cannot be counted without a tree; None where they can."""
    board, rules = question.board, question.board.rules
    if not rules.is_marking and (not rules.chooses_mark or rules.exact or question.end != "line"):
        return f"positions are counted without a tree on any blank cell until a line, and {board} has other rules"
    if not question.is_free:
        return "positions are counted without a tree only where both players may make any move"
    if question.end == "decided":
        return "positions are counted without a tree only where the game ends at a line or a full board"
    if question.same == "labelled":
        return None
    if question.group.order > ELEMENT_LIMIT:
        also = ": use --symmetry board" * (question.symmetry == "lines")
        many = f"the symmetry group has {question.group.order:,} elements"
        return OfSize(f"{many}, but only {ELEMENT_LIMIT:,} can be listed{also}")
    start = question.position()
    if start.ply and any((image(start.x), image(start.o)) != (start.x, start.o) for image in question.group.images):
        return "positions up to symmetry are counted without a tree only from a start that every symmetry keeps"
    return None


def row_of(name: str) -> Row:
    """Return an engine by name. Raises InvalidQuestion for an unknown one."""
    text_of("the engine", name)
    rows = {row.name: row for row in ENGINES}
    if name not in rows:
        raise InvalidQuestion(f"the engine {shown(name)} does not exist: there are {offered(name, rows)}")
    return rows[name]


def offers(
    request: Request, limits: Limits, *, without: Collection[str] = (), witness: bool = False
) -> tuple[CountingOffer | None, list[Refusal]]:
    """Return the fastest engine's offer, and the refusals of others.

    An offer that leaves out a wanted column is returned only if no complete offer stays within the limits. Engines in
    `without` are excluded; so are witnesses, by default.
    """
    rows = (row for row in ENGINES if row.name not in without and (witness or not row.witness))
    return cheapest([offer for row in rows for offer in row.offers(request)], limits)


def choose(
    question: Question,
    limits: Limits,
    *,
    engine: str | None = None,
    columns: Columns = "all",
    progress: Progress = silent,
    spread: bool = False,
) -> CountingOffer:
    """Return the best offer within the limits, of all engines or of the named one; this may take some time.

    With `spread` work runs in other processes, which only the last mode of an engine supports. Raises
    InvalidQuestion, BudgetError.
    """
    best, refusals = _offers_of(question, limits, engine, columns, progress, spread=spread)
    if best is not None:
        return best
    if engine is not None and all(refusal.estimate is None for refusal in refusals):
        smaller = ", or try a smaller board" * refusals[0].is_of_size
        raise BudgetError(f"{refusals[0].reason}: remove --engine{smaller}")
    raise refused(question, limits, refusals)


def _offers_of(
    question: Question, limits: Limits, engine: str | None, columns: Columns, progress: Progress, *, spread: bool
) -> tuple[CountingOffer | None, list[Refusal]]:
    one_of("the columns", columns, tuple(WANTED))
    request = Request(question, WANTED[columns], strict=engine is not None, progress=progress)
    if engine is None:
        return offers(request, limits)
    modes = row_of(engine).offers(request)
    return cheapest(modes[-1:] if spread else modes, limits)


def estimate(
    question: Question,
    limits: Limits,
    *,
    engine: str | None = None,
    columns: Columns = "all",
    progress: Progress = silent,
    resume: Path | None = None,
) -> Offer:
    """Return the engine that would count, its estimate, `at_least` where it stopped at the limits, and what is missing.

    `resume` is a folder for data that exceeds the memory. Raises InvalidQuestion, and BudgetError where no engine can
    answer.
    """
    best, refusals = _offers_of(question, _with_folder(limits, resume), engine, columns, progress, spread=False)
    if best is not None:
        return best
    found = _least_over(refusals, limits)
    if found is None:
        raise refused(question, limits, refusals)
    return Offer(*found)


def _with_folder(limits: Limits, folder: Path | None) -> Limits:
    """Return limits that include the room in a folder, if one is given. Raises FileError."""
    if folder is None:
        return limits
    require_folder(folder)
    return replace(limits, disk=disk_room(folder), folder=folder)


def refused(question: Question, limits: Limits, refusals: list[Refusal]) -> BudgetError:
    """Return an error with the least cost of the question, or with the reasons why no engine can answer it."""
    over = _least_over(refusals, limits)
    if over is not None:
        engine, estimate = over
        disk = "name a folder on a larger disk, " * (estimate.disk > limits.disk)
        return BudgetError(
            f"{question.board} needs {estimate} by the engine {engine}, over the budget of "
            f"{limits.broken_by(estimate)}: {disk}raise --memory or --time, lower --to-ply, or try a smaller board"
        )
    any_game = not question.board.rules.is_marking
    explaining = [row.name for row in ENGINES if row.explains and (row.any_game or not any_game)]
    reasons = "; ".join(dict.fromkeys(refusal.reason for refusal in refusals if refusal.engine in explaining))
    smaller = ", try a smaller board" * any(refusal.is_of_size for refusal in refusals)
    return BudgetError(f"no engine can answer this on {question.board}{smaller}: {reasons}")


def _least_over(refusals: list[Refusal], limits: Limits) -> tuple[str, Estimate] | None:
    """Return the engine and the estimate that exceed the limits least; None where no engine made an estimate."""
    parts = [refusal.part for refusal in refusals if refusal.part is not None]
    over = [(refusal.engine, refusal.estimate) for refusal in refusals + parts if refusal.estimate is not None]
    return min(over, key=lambda pair: _excess(pair[1], limits), default=None)


def _excess(estimate: Estimate, limits: Limits) -> tuple[float, int]:
    """Return by which factor an estimate exceeds the limits (ten times that if it was cut short), and its memory."""
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

    Parameters
    ----------
    question
        What to count.
    engine
        The name of an engine; by default the cheapest.
    columns
        `all`, or `games` for the games alone.
    limits
        The budget, compared with the engine's estimate before work starts; by default three quarters of the free
        memory.
    workers, progress
        Who works, by default one thread per core, and who receives the progress.
    resume
        A folder where long work saves its state, and data that exceeds the memory.
    carried
        Take a count that needs minutes from the package, unless `engine` or `resume` is given.

    Raises
    ------
    InvalidQuestion, BudgetError
    """
    if carried and engine is None and resume is None and question.board.cells >= STORED:
        from noughts.counting.carried import carried_census

        if (found := carried_census(question)) is not None:
            return found
    limits = _with_folder(Limits.of() if limits is None else limits, resume)
    progress, workers = progress or silent, workers_for() if workers is None else workers
    spread = workers is not workers.here
    offer = choose(question, limits, engine=engine, columns=columns, progress=progress, spread=spread)
    return offer.count(Run(workers, progress, resume))


@dataclass(frozen=True)
class Opinion:
    """The census of another engine, and the columns that both engines give.

    `about` names these columns in words, such as `on the games`; it is empty where they are all of the first census.
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
    """Return the opinion of another engine if one is quick, else None. Raises CheckError where it differs."""
    try:
        return second_opinion(census, Limits(limits.memory, QUICK_SECONDS))
    except BudgetError:
        return None


def second_opinion(census: Census, limits: Limits, run: Run = Run()) -> Opinion:  # noqa: B008 - a value
    """Return the opinion of the cheapest other engine that counts a column of the census.

    Raises CheckError where it differs, BudgetError where no engine stays within the limits.
    """
    offer, refusals = offers(_again(census), limits, without={census.engine}, witness=True)
    if offer is None:
        none = f"no second engine can answer this on {census.question.board}"
        if all(refusal.estimate is None for refusal in refusals):
            raise BudgetError(f"{none}: remove --check")
        raise BudgetError(f"{none} within the budget: remove --check, or raise --memory or --time")
    return _opinion(census, offer, run)


def opinions(census: Census, limits: Limits, run: Run = Run()) -> Iterator[Opinion]:  # noqa: B008 - a value
    """Yield the opinions of all other engines within the limits, except witnesses. Raises CheckError."""
    for row in ENGINES:
        if row.name != census.engine and not row.witness:
            offer, _ = cheapest(row.offers(_again(census)), limits)
            if offer is not None:
                yield _opinion(census, offer, run)


def _again(census: Census) -> Request:
    return Request(census.question, tuple(name for name in COLUMNS if None not in census.column(name)))


def _opinion(census: Census, offer: CountingOffer, run: Run) -> Opinion:
    """Return an engine's opinion on a census. Raises CheckError where they differ."""
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
    games = [column for column in columns if column in GAME_COLUMNS]
    about = "on the games" if games == columns else "on some columns" if games else "on the positions"
    is_whole = all(column in columns or None in census.column(column) for column in COLUMNS)
    return Opinion(other, tuple(columns), "" if is_whole else about)


def ask(
    board: str | Board = "3x3",
    start: PositionLike | None = None,
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
    """Return a question about a board.

    Parameters
    ----------
    board
        A board or its text.
    start
        A position or its text: marks, or the moves that lead to it. By default the empty board.
    same
        `labelled`, `symmetry` or `choices`.
    moves, x_moves, o_moves
        The move rule of both players; `x_moves` and `o_moves` override it for one player.
    end
        The end rule.
    symmetry
        The group that `same` refers to: `board` or `lines`.
    to_ply
        The last ply to count; by default the full board.
    starts
        Who moves first on the empty board: `X`, `O` or `either`.

    Raises
    ------
    InvalidBoard, InvalidPosition, InvalidQuestion
    """
    on = Board.parse(board)
    position = None if start is None else parse_position(on, start)
    x_rule, o_rule = (moves if rule is None else rule for rule in (x_moves, o_moves))
    return Question(on, same, x_rule, o_rule, end, symmetry, position, to_ply, starts=starts)
