"""`noughts count --dry-run`: what a count takes, by an engine's estimate or by a model, without counting."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.counting.engines import Columns, estimate, row_of
from noughts.counting.frontier.graph import MOST_STATES
from noughts.counting.frontier.widths import LEAST_FACTOR, Range, WidthForecast, WorkersForecast, forecast_by_widths
from noughts.counting.question import Question, convention
from noughts.machine.budget import Limits, Offer, format_duration, format_size
from noughts.machine.workers import Progress, silent
from noughts.present.forms import Forms, markdown, report_forms
from noughts.present.report import How, Look, Report, Table, many, try_next


@dataclass(frozen=True)
class CountForecast:
    """What a count takes: the engine's offer, which may exceed the limits, and the model where there is one.

    `games_only` says that the model leaves out positions. `on_workers` is what the model says of some workers.
    """

    question: Question
    offer: Offer
    model: WidthForecast | None = None
    games_only: bool = False
    on_workers: WorkersForecast | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the forecast as a record."""
        found = self.offer.estimate
        record: dict[str, Any] = {"question": self.question.as_dict(), "engine": self.offer.engine}
        if self.model is None or not found.at_least:  # the model stands for an estimate that stopped at the limits
            record["estimate"] = {
                "memory": str(found.memory),
                "disk": str(found.disk),
                "seconds": round(found.seconds, 1),
                "at_least": found.at_least,
                "missing": list(self.offer.missing),
            }
        if self.model is not None:
            alone = {
                "method": "values at points",
                "games_only": self.games_only,
                "on_one": self.model.on(1).as_dict(),
            }
            record["model"] = self.model.as_dict() | alone
        if self.on_workers is not None:
            record["on_workers"] = self.on_workers.as_dict()
        return record


def forecast(
    question: Question,
    limits: Limits,
    *,
    engine: str | None,
    columns: Columns,
    workers: int | None,
    progress: Progress | None,
    resume: Path | None,
) -> CountForecast:
    """Return what a count takes; the model serves for workers, and where the estimate stops at the limits.

    Raises InvalidQuestion, and BudgetError where no engine can answer.
    """
    tell = progress or silent
    offer = estimate(question, limits, engine=engine, columns=columns, progress=tell, resume=resume)
    model, games_only = None, columns == "games"
    if offer.engine == "frontier" and (offer.estimate.at_least or workers is not None):
        model = forecast_by_widths(question, positions=not games_only, progress=tell)
        if model is None and not games_only:
            model, games_only = forecast_by_widths(question, positions=False, progress=tell), True
    on_workers = None if model is None or workers is None else model.on(workers)
    return CountForecast(question, offer, model, games_only and model is not None, on_workers)


def forms(found: CountForecast, look: Look, workers: int | None) -> Forms:
    """Return a forecast in every form."""
    report = _report(found, workers)
    return {**report_forms(lambda: report, found.as_dict, look), "markdown": lambda: markdown(report)}


def _report(found: CountForecast, workers: int | None) -> Report:
    question, model, offer = found.question, found.model, found.offer
    subject = f"{question.board} ({convention(question)})"
    if model is None:
        sentences = [f"{subject}: {offer.estimate} by the engine {offer.engine}. Nothing was counted."]
        if offer.missing:
            sentences.append(f"It leaves out the columns {', '.join(offer.missing)}.")
        if workers is not None:
            none = (
                f"The time of {many(workers, 'worker')} is not estimated: the model needs an empty flat board "
                "without a torus, two narrower ones, and --same labelled."
            )
            alone = f"The engine {offer.engine} counts in one process: more workers do not help."
            sentences.append(none if row_of(offer.engine).spreads else alone)
        how = "the engine's estimate, by times measured on one machine."
        if offer.estimate.at_least:
            how = "the engine stopped its estimate at the budget; --memory and --time raise it."
        then = [] if offer.estimate.at_least else [try_next(f"noughts count {question.board} --same {question.same}")]
        return Report.of(sentences, [How(how), *then])
    one = model.on(1)
    what = "the games alone take" if found.games_only else "games and positions take"
    sentences = [
        f"{subject}: {what} {_times(one.seconds)} of CPU time and {_sizes(one.memory)} of memory by the engine "
        f"{offer.engine}, by values at points. Nothing was counted."
    ]
    if not offer.estimate.at_least:
        sentences.append(f"Without --workers the estimate is {offer.estimate}.")
    if found.on_workers is not None:
        work = found.on_workers
        idle = f" More than {many(model.batches, 'worker')} do not help." * (work.workers > model.batches)
        sentences.append(
            f"On {many(work.workers, 'worker')}: {_times(work.seconds)}, {_sizes(work.memory)} of memory each, and "
            f"{_sizes(work.sent)} sent to them.{idle}"
        )
    if not model.can_be_numbered:
        sentences.append(f"The engine can number {MOST_STATES:,} states after one cell; there may be more here.")
    return Report.of(sentences, [_widths(question, model)], [How(_MODEL), try_next(_largest(model))])


_MODEL = (
    f"the narrower boards were explored now. Each further column multiplies their states by {LEAST_FACTOR} to 1 times "
    "the last factor; no smaller board leaves this range. Times were measured on one machine, and sending takes none."
)


def _widths(question: Question, model: WidthForecast) -> Table:
    rows, before = [], 0
    for board, states in model.measured:
        rows.append([board, f"{states:,}", f"{states / before:.2f}" if before else ""])
        before = states
    return Table(
        ["board", "states", "factor"], [*rows, [question.board.spec, _range(model.states, "{:.2e}".format), ""]]
    )


def _largest(model: WidthForecast) -> str:
    return f"noughts count {model.measured[-1][0]} --same labelled"


def _times(pair: Range) -> str:
    return _range(pair, format_duration)


def _sizes(pair: Range) -> str:
    return _range(pair, lambda size: format_size(int(size)))


def _range(pair: Range, write: Any) -> str:
    least, most = map(write, pair)
    return str(least) if least == most else f"{least} to {most}"
