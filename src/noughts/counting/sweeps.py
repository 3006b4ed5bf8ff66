"""Work that survives an interruption: one file per unfinished sweep, one small file per finished one.

A kill at any moment leaves the last whole file. Each file is sealed for what it counts: neither a damaged one nor one
that was kept for something else is gone on with. Its name says of which format it is: where what an engine keeps is
changed, `FORMAT` is raised.
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns import Needed, Pattern, Tally, census_rows
from noughts.machine.budget import Estimate, Limits, Refusal, format_size
from noughts.machine.files import is_sealed, make_folder, put_seal, write_file, writing_file
from noughts.machine.reading import parse_json, read_text
from noughts.machine.workers import Workers
from noughts.rules.errors import CheckError, InputError, shown

FORMAT = 3
_KEPT = re.compile(r"[0-9a-f]{24}(?:-([0-9]{1,6}))?\.(?:json|npz|paths)")
_UNNAMED = "2 or before"
"""The formats whose files did not say so in their names."""


class Checkpoints:
    """A folder with the state of sweeps, each under a key that says exactly what is being counted.

    Raises InputError for a folder of another format, FileError for one that cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_folder(folder)
        _require_format(folder)

    def path(self, key: str, kind: str) -> Path:
        """Return the file of one kind under a key."""
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}-{FORMAT}.{kind}"

    def result(self, key: str) -> dict[str, Any] | None:
        """Return what a finished sweep found, or None. Raises CheckError for a damaged file.

        A run that was killed as it finished may have left the arrays, which nobody needs: they are dropped.
        """
        path = self.path(key, "json")
        try:
            record = parse_json(read_text(path), str(path))
            found: dict[str, Any] = record["found"]
            if record["sum"] != _digest(key, found):
                raise ValueError
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise CheckError(f"{path} is damaged: delete it and start again") from None
        self._drop_arrays(key)
        return found

    def keep_result(self, key: str, found: dict[str, Any]) -> None:
        """Write what a finished sweep found and drop its arrays."""
        text = json.dumps({"found": found, "sum": _digest(key, found)})
        write_file(self.path(key, "json"), text.encode("ascii"))
        self._drop_arrays(key)

    def _drop_arrays(self, key: str) -> None:
        """Remove the arrays of a sweep that is finished; where that fails they do no harm."""
        with suppress(OSError):
            self.path(key, "npz").unlink()

    def arrays(self, key: str, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the arrays of an unfinished sweep, these names among them, or None.

        Raises CheckError for a damaged file, or one that lacks a name.
        """
        import numpy as np

        path = self.path(key, "npz")
        if not path.is_file():
            return None
        if is_sealed(path, key):
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
                found = {name: stored[name] for name in stored.files}
            if found.keys() >= set(names):
                return found
        raise CheckError(f"{path} is damaged: delete it and start again")

    def keep_arrays(self, key: str, arrays: dict[str, Any]) -> None:
        """Write the arrays of an unfinished sweep in place of the last ones."""
        import numpy as np

        with writing_file(self.path(key, "npz")) as temporary:
            with open(temporary, "wb") as file:
                np.savez(file, **arrays)
            put_seal(temporary, key)


def _require_format(folder: Path) -> None:
    """Raise InputError where another version of noughts kept something in a folder, earlier or later."""
    names = (_KEPT.fullmatch(path.name) for path in folder.iterdir())
    others = sorted({name[1] or _UNNAMED for name in names if name} - {str(FORMAT)})
    if others:
        raise InputError(
            f"{shown(str(folder), 200)} keeps work of format {others[0]}, and this noughts reads format {FORMAT}: "
            "go on with the version that began it, or name an empty folder"
        )


def _digest(key: str, found: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps([key, found], sort_keys=True).encode()).hexdigest()


# What engines share that count by sweeps over patterns: what to sweep and at what price, in which order, and resuming.
#
# How a sweep is planned and made is the engine's own affair.

ByMarks = dict[tuple[int, int], int]
Report = Callable[[int, int], None]
"""Called with the steps done so far of a sweep, and the states before the next."""


class Part(NamedTuple):
    """One sweep to be made: over a pattern, with the first player's wins or for the open positions alone."""

    pattern: Pattern
    won: bool


class Found(NamedTuple):
    """Positions by the marks (p, q) of either player, |p - q| <= 1: nobody has a line; the first has, decisively."""

    open: ByMarks
    won: ByMarks


class Sweep(Protocol):
    """A planned sweep."""

    @property
    def steps(self) -> int:
        """How many steps it takes."""

    def count(self, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
        """Return the positions of up to `to_ply` marks. With a store the work is kept there after every step."""


@dataclass(frozen=True)
class Cost:
    """Bytes kept for the whole of the work, bytes at the worst step beyond them, seconds, and the most states.

    `disk` are the bytes kept there and not in memory.
    """

    kept: int
    top: int = 0
    seconds: float = 0.0
    widest: int = 0
    disk: int = 0

    def plus(self, other: Cost) -> Cost:
        """Return what two sweeps cost, one after the other."""
        return Cost(
            self.kept + other.kept,
            max(self.top, other.top),
            self.seconds + other.seconds,
            max(self.widest, other.widest),
            self.disk + other.disk,
        )

    def moved(self) -> Cost:
        """Return the same, with all that is kept on disk."""
        return replace(self, kept=0, disk=self.disk + self.kept)

    @property
    def memory(self) -> int:
        """The bytes of memory in all."""
        return self.kept + self.top

    def exceeds(self, limits: Limits) -> bool:
        """Tell whether this is more than the limits allow."""
        return self.memory > limits.memory or self.seconds > limits.seconds or self.disk > limits.disk


class Planner(Protocol):
    """Plans the sweeps of one question; what it has found for a part it keeps as long as it lives."""

    @property
    def engine(self) -> str:
        """The name of the engine."""

    @property
    def games(self) -> str:
        """Its name where it leaves out the positions."""

    @property
    def base(self) -> Cost:
        """What the engine takes before the first sweep."""

    @property
    def states(self) -> str:
        """What its states are, with `{}` for how many."""

    @property
    def can_move(self) -> bool:
        """Whether what it keeps for the whole of the work can be on disk."""

    def plan(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return the sweep for a part and its cost; None where it exceeds the limits, with what is known by then."""


class KeptPlans(ABC):
    """A planner that keeps the sweeps it has planned, as looking for one may be a part of the work."""

    can_move = False

    def __init__(self) -> None:
        self._known: dict[Part, tuple[Sweep, Cost]] = {}

    def plan(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return the sweep for a part and its cost, reckoned no further than to where it exceeds the limits."""
        if part not in self._known:
            sweep, cost = self._planned(part, limits)
            if sweep is None:
                return None, cost
            self._known[part] = sweep, cost
        return self._known[part]

    @abstractmethod
    def _planned(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return the same, looked for."""


def offer_sweeps(planner: Planner, request: Request, limits: Limits, *, wins: bool = True) -> CountingOffer | Refusal:
    """Return the engine's offer: for the games alone where the positions are not wanted, or do not fit.

    Assumes that the engine can answer the question. Without `wins` its planner plans no sweeps for won positions: these
    are needed where a game ends at a line and positions are wanted.
    """
    question = request.question
    has_games = question.same != "choices"
    alone = has_games and question.end == "line"
    """Whether games can be had for less without the positions."""
    wants_positions = request.wants_positions and (wins or question.end == "full")
    if not wants_positions and not alone:
        why = f"the engine {planner.games} counts labelled games, or games up to symmetry, that end at a line"
        return Refusal(planner.games, why)
    if request.wants_positions and not wants_positions and (limits.whole or request.strict):
        return Refusal(planner.games, f"the engine {planner.games} counts games only where they end at a line")
    missing = request.missing(games=has_games)
    if missing and limits.whole:
        return Refusal(planner.engine, f"the engine {planner.engine} gives no games by choices")
    if planner.base.exceeds(limits):
        only = Estimate(planner.base.memory, planner.base.seconds, "what loading the engine takes", at_least=True)
        return Refusal(planner.engine, "it takes too long to load", only)
    refusal = None
    if wants_positions:
        whole = _planned(planner, request.needed, limits, positions=True)
        if not isinstance(whole, Estimate):
            return CountingOffer(question, planner.engine, *whole, missing)
        refusal = Refusal(planner.engine, "its sweeps take too much", whole)
        if limits.whole or request.strict or not alone:
            return refusal
    games = _planned(planner, request.needed, limits, positions=False)
    if not isinstance(games, Estimate):
        return CountingOffer(question, planner.games, *games, request.missing(positions=False))
    part = Refusal(planner.games, "its sweeps take too much", games)
    return part if refusal is None else replace(refusal, part=part)


Rows = Callable[[Run], tuple[PlyCounts, ...]]


def _planned(planner: Planner, needed: Needed, limits: Limits, *, positions: bool) -> tuple[Estimate, Rows] | Estimate:
    """Return what all sweeps take and how the rows come from them, or what they take at least beyond the limits."""
    cost = planner.base
    sweeps: dict[Part, Sweep] = {}
    for pattern, won in needed.patterns(positions=positions).items():
        for part in _parts(pattern, won):
            left = replace(
                limits,
                memory=limits.memory - cost.kept,
                seconds=limits.seconds - cost.seconds,
                disk=limits.disk - cost.disk,
            )
            sweep, more = planner.plan(part, left)
            cost = cost.plus(more)
            if sweep is None:
                states = planner.states.format(f"over {cost.widest:,}") + _on_disk(planner, cost, left)
                return Estimate(cost.memory, cost.seconds, states, at_least=True, disk=cost.disk)
            sweeps[part] = sweep
    estimate = Estimate(cost.memory, cost.seconds, planner.states.format(f"up to {cost.widest:,}"), disk=cost.disk)
    if not limits.allow(estimate):
        return estimate

    def rows(run: Run) -> tuple[PlyCounts, ...]:
        return _rows(needed, positions, sweeps, planner.states, run)

    return estimate, rows


def _on_disk(planner: Planner, cost: Cost, limits: Limits) -> str:
    """Return what a folder may do for work that memory has no room for and a disk has, where none is given."""
    if not planner.can_move or limits.folder is not None or not cost.moved().memory <= limits.memory < cost.memory:
        return ""
    return f"; {format_size(cost.kept)} or more of it can be on disk with --resume DIR"


def _parts(pattern: Pattern, won: bool) -> tuple[Part, ...]:
    """Return the sweeps for a pattern: the players' wins apart where their lines differ."""
    if won and not pattern.is_symmetric:
        return Part(pattern, True), Part(pattern.swapped(), True)
    return (Part(pattern, won),)


def _rows(
    needed: Needed, positions: bool, sweeps: Mapping[Part, Sweep], states: str, run: Run
) -> tuple[PlyCounts, ...]:
    """Return the rows of the census, telling how far all sweeps are together."""
    store = Checkpoints(run.resume) if run.resume is not None else None
    whole = max(1, sum(sweep.steps for sweep in sweeps.values()))
    done = 0

    def report(steps: int, found: int) -> None:
        run.progress(done + steps, whole, states.format(f"{found:,}"))

    def counted(pattern: Pattern, won: bool) -> Tally:
        nonlocal done
        found = []
        for part in _parts(pattern, won):
            found.append(sweeps[part].count(needed.moves, run.workers, store, report))
            done += sweeps[part].steps
        return _tally(pattern, won, found, needed.moves)

    rows = census_rows(needed, counted, positions=positions)
    run.progress(whole, whole, "")
    return rows


def _tally(pattern: Pattern, won: bool, found: list[Found], to_ply: int) -> Tally:
    """Return the tally from the sweep for the first player's wins and, last, that for the other's, or one for both."""
    plies = range(min(pattern.total, to_ply) + 1)
    first, second = found[0], found[-1]
    still_open = tuple(first.open[(t + 1) // 2, t // 2] for t in plies)
    if not won:
        return Tally(still_open, None)
    return Tally(still_open, tuple((first if t % 2 else second).won[(t + 1) // 2, t // 2] for t in plies))
