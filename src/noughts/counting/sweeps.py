"""The common part of engines that sweep over patterns: which sweeps a question needs, their cost, and resuming.

Each engine plans and makes its own sweeps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns import Needed, Pattern, Tally, census_rows
from noughts.counting.question import Question
from noughts.machine.budget import Estimate, Limits, Refusal, format_size
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Workers

ByMarks = dict[tuple[int, int], int]
Report = Callable[[int, int], None]
"""Called with the steps done of a sweep, and the number of states before the next step."""


class Part(NamedTuple):
    """One sweep to make: over a pattern, with the first player's wins or for the open positions alone."""

    pattern: Pattern
    won: bool


class Found(NamedTuple):
    """Positions by the players' marks (p, q), |p - q| <= 1: open ones, and those won by the first player."""

    open: ByMarks
    won: ByMarks

    def record(self) -> list[dict[str, str]]:
        """Return the counts as they are saved in a file."""
        return [{f"{p} {q}": str(n) for (p, q), n in table.items()} for table in self]

    @classmethod
    def of_record(cls, record: list[dict[str, str]]) -> Found:
        """Return the counts that were saved in a file."""
        pairs = [[(*map(int, at.split()), int(n)) for at, n in table.items()] for table in record]
        return cls(*({(p, q): n for p, q, n in table} for table in pairs))


class Sweep(NamedTuple):
    """A planned sweep: its number of steps, its count, and its order of cells if another sweep uses the same order.

    `tally(to_ply, workers, store, report)` returns the positions of up to `to_ply` marks. The work is saved in the
    store after every step.
    """

    steps: int
    tally: Callable[[int, Workers, Checkpoints, Report], Found]
    order: tuple[int, ...] = ()


@dataclass(frozen=True)
class Cost:
    """Bytes held during the whole work, further bytes at the largest step, seconds, and the most states.

    `disk` is the number of bytes held on disk instead of in memory.
    """

    held: int = 0
    top: int = 0
    seconds: float = 0.0
    widest: int = 0
    disk: int = 0

    def plus(self, other: Cost) -> Cost:
        """Return the cost of two sweeps, or of two steps, one after the other."""
        return Cost(
            self.held + other.held,
            max(self.top, other.top),
            self.seconds + other.seconds,
            max(self.widest, other.widest),
            self.disk + other.disk,
        )

    def moved(self) -> Cost:
        """Return the cost if the held bytes are on disk."""
        return replace(self, held=0, disk=self.disk + self.held)

    @property
    def memory(self) -> int:
        """The total bytes of memory."""
        return self.held + self.top

    def exceeds(self, limits: Limits) -> bool:
        """Return whether the cost exceeds the limits."""
        return self.memory > limits.memory or self.seconds > limits.seconds or self.disk > limits.disk


class Planner(ABC):
    """Plans the sweeps of one question; it remembers each planned sweep, since planning may do a part of the work.

    `states` names its states, with `{}` for their number. `base` is the cost before the first sweep. With `can_move`
    the held bytes may be on disk. `light` sweeps are remembered for other questions too, as refusals are.
    """

    engine: str
    states: str
    base: Cost
    can_move = False
    light = False

    def __init__(self, request: Request) -> None:
        question = request.question
        self.moves = question.last_ply - question.first_ply
        self.shape = question.board.shape
        self.progress = request.progress
        self._notes = request.notes
        self._known: dict[Part, tuple[Sweep, Cost]] = {}

    def plan(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return the sweep for a part and its cost; or None and a lower bound on the cost if it exceeds the limits."""
        if part in self._known:
            return self._known[part]
        key = type(self), part, self.moves, self.shape
        sizes = limits.memory, limits.seconds, limits.disk
        noted, sweep, cost = self._notes.get(key, ((), None, Cost()))
        if not sweep and not (noted and all(a <= b for a, b in zip(sizes, noted, strict=True))):
            sweep, cost = self.find(part, limits)
            if sweep is None or self.light:
                self._notes[key] = sizes, sweep, cost
        if sweep is not None:
            self._known[part] = sweep, cost
        return sweep, cost

    @abstractmethod
    def find(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Plan a sweep for a part; the same result as `plan`, which remembers it."""


def offer_sweeps(planner: Planner, request: Request, limits: Limits, *, wins: bool = True) -> CountingOffer | Refusal:
    """Return the engine's offer; for games alone where positions are not wanted, or exceed the limits.

    Assumes that the engine can answer the question. Without `wins` no sweeps are planned for won positions, which are
    needed where games end at a line and positions are wanted.
    """
    question, name = request.question, planner.engine
    has_games = question.same != "choices"
    alone = has_games and question.end == "line"
    """Whether games without positions cost less."""
    wants_positions = request.wants_positions and (wins or question.end == "full")
    if not wants_positions and not alone:
        return Refusal(name, f"the engine {name} counts only games that end at a line, labelled or up to symmetry")
    missing = request.missing(games=has_games)
    if limits.whole and (missing or wants_positions != request.wants_positions):
        return Refusal(name, f"the engine {name} does not count games by choices")
    if planner.base.exceeds(limits):
        only = Estimate(planner.base.memory, planner.base.seconds, "to load the engine", at_least=True)
        return Refusal(name, "loading it takes too long", only)
    refusal = None
    if wants_positions:
        whole = _planned(planner, request.needed, limits, positions=True)
        if not isinstance(whole, Estimate):
            return CountingOffer(name, *whole, missing=missing)
        refusal = Refusal(name, "its sweeps exceed the limits", whole)
        if limits.whole or request.strict or not alone:
            return refusal
    games = _planned(planner, request.needed, limits, positions=False)
    if not isinstance(games, Estimate):
        return CountingOffer(name, *games, missing=request.missing(positions=False))
    part = Refusal(name, "its sweeps exceed the limits", games)
    return part if refusal is None else replace(refusal, part=part)


_Planned = tuple[Estimate, Question, Callable[[Run], tuple[PlyCounts, ...]]]


def _planned(planner: Planner, needed: Needed, limits: Limits, *, positions: bool) -> _Planned | Estimate:
    """Return the estimate of all sweeps and a function for the rows; or an estimate alone if it exceeds the limits."""
    cost = planner.base
    sweeps: dict[Part, Sweep] = {}
    for pattern, won in needed.patterns(positions=positions).items():
        for part in _parts(pattern, won):
            left = replace(
                limits,
                memory=limits.memory - cost.held,
                seconds=limits.seconds - cost.seconds,
                disk=limits.disk - cost.disk,
            )
            sweep, more = planner.plan(part, left)
            cost = cost.plus(more)
            if sweep is None:
                states = planner.states.format(f"over {cost.widest:,}")
                if planner.can_move and limits.folder is None and cost.moved().memory <= left.memory < cost.memory:
                    states += f"; --resume DIR moves {format_size(cost.held)} or more of it to disk"
                return Estimate(cost.memory, cost.seconds, states, at_least=True, disk=cost.disk)
            sweeps[part] = sweep
    estimate = Estimate(cost.memory, cost.seconds, planner.states.format(f"up to {cost.widest:,}"), disk=cost.disk)
    if not limits.allow(estimate):
        return estimate
    return estimate, needed.question, partial(_rows, needed, positions, sweeps, planner.states)


def _parts(pattern: Pattern, won: bool) -> tuple[Part, ...]:
    """Return the sweeps for a pattern: one for each player's wins where their lines differ, else one."""
    if won and not pattern.is_symmetric:
        return Part(pattern, True), Part(pattern.swapped(), True)
    return (Part(pattern, won),)


def _rows(
    needed: Needed, positions: bool, sweeps: Mapping[Part, Sweep], states: str, run: Run
) -> tuple[PlyCounts, ...]:
    store = Checkpoints(run.resume)
    whole = max(1, sum(sweep.steps for sweep in sweeps.values()))
    done = 0

    def report(steps: int, found: int) -> None:
        run.progress(done + steps, whole, states.format(f"{found:,}"))

    def counted(pattern: Pattern, won: bool) -> Tally:
        nonlocal done
        found = []
        for part in _parts(pattern, won):
            found.append(sweeps[part].tally(needed.moves, run.workers, store, report))
            done += sweeps[part].steps
        return _tally(pattern, won, found, needed.moves)

    rows = census_rows(needed, counted, positions=positions)
    run.progress(whole, whole, "")
    return rows


def _tally(pattern: Pattern, won: bool, found: list[Found], to_ply: int) -> Tally:
    """Return the tally from one sweep for both players, or from one for each player's wins."""
    at = [((t + 1) // 2, t // 2) for t in range(min(pattern.total, to_ply) + 1)]
    wins = tuple(found[0 if p > q else -1].won[p, q] for p, q in at) if won else None
    return Tally(tuple(found[0].open[pair] for pair in at), wins)
