"""`noughts verify`: a check of the known numbers, one line each, or of a table on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from noughts.judge.bench import NumberCheck, Verification
from noughts.judge.numbers import verdicts
from noughts.machine.budget import parse_duration
from noughts.machine.workers import silent
from noughts.present.forms import Forms, as_json
from noughts.rules.arguments import path_of
from noughts.verbs.request import Budgeted, Caller, VerbAnswer, argument, option

if TYPE_CHECKING:
    from noughts.solving.saved import Finding


T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class VerifyRequest(Budgeted):
    """Check of every published number, and of the terms beyond them; exit code 1 if any differs.

    --memory and --time limit each computation; a number over the limit is reported as out of reach. The check includes
    the proofs that come with noughts, and names the numbers of one engine only. --all adds slow second engines. It also
    derives and proves every value in the table of boards that takes at most ten minutes, or the given --time. With a
    DIRECTORY of noughts solve --save the check derives every value in it from its successors.
    """

    directory: str | None = argument(default=None)
    time: str = option("Limit on the estimated time, such as 10s or 5m", "10s", metavar="TIME")
    everything: bool = option("Slow checks too, and the value and proof of every board", False, name="all")
    resume: str | None = option("Folder for finished lines, to resume the check", metavar="DIR", where="commands")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        for name, dashed in (("memory", "memory"), ("time", "time"), ("everything", "all"), ("resume", "resume")):
            given = self.directory is not None and name in self.given
            yield given, f"--{dashed} cannot be used with a DIRECTORY: remove --{dashed}"

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the verdicts, computed while they are read; the exit code is 1 if one differs."""
        if self.directory is not None:
            from noughts.solving.saved import audit

            audited = _Heard(audit(Path(self.directory), caller.workers()))
            directory = self.directory

            def record() -> dict[str, Any]:
                parts = list(audited)
                checked = [asdict(part) for part in parts]
                return {"directory": directory, "ok": all(part.ok for part in parts), "parts": checked}

            found_forms: Forms = {"table": lambda: _parts(directory, audited), "json": lambda: as_json(record())}
            return VerbAnswer(audited, found_forms, lambda: 0 if all(finding.ok for finding in audited.known) else 1)
        caller.memory(self.memory)  # one note if it is more than the free memory
        seconds = parse_duration(self.time) if "time" in self.given else None
        folder = path_of("--resume", self.resume) if self.resume else None
        verdicts_heard = _Heard(verdicts(self.memory, seconds, self.everything, folder, caller.progress or silent))
        return VerbAnswer(
            verdicts_heard,
            forms(verdicts_heard),
            lambda: int(any(each.status == "differs" for each in verdicts_heard.known)),
        )


class _Heard(Iterable[T]):
    """Results one after another, stored in `known` for the exit code."""

    def __init__(self, found: Iterable[T]) -> None:
        self._found = found
        self.known: list[T] = []

    def __iter__(self) -> Iterator[T]:
        for each in self._found:
            self.known.append(each)
            yield each


def forms(verdicts: Iterable[NumberCheck]) -> Forms:
    """Return the verdicts in every form, each line as soon as it is known."""
    return {"table": lambda: _lines(verdicts), "json": lambda: as_json(Verification(tuple(verdicts)).as_dict())}


def _lines(verdicts: Iterable[NumberCheck]) -> Iterator[str]:
    known = []
    for verdict in verdicts:
        known.append(verdict)
        yield _line(verdict) + "\n"
    counts = Verification(tuple(known)).counts
    skipped = sum(len(verdict.out_of_reach) for verdict in known if verdict.status != "out of reach")
    inside = f"; {skipped} numbers inside the others not reached" if skipped else ""
    yield f"{counts['ok']} agree, {counts['differs']} differ, {counts['out of reach']} out of reach{inside}"
    alone = sum(len(verdict.one_engine) for verdict in known)
    yield f"; {alone} number{'s' * (alone > 1)} by one engine only in this run\n" if alone else "\n"


def _line(verdict: NumberCheck) -> str:
    parts = [f"{verdict.status:12} {verdict.name}: {verdict.what}; {verdict.source}"]
    engines = f" by {' and '.join(verdict.engines)}" if verdict.engines else ""
    if verdict.status == "differs":
        parts.append("; ".join(text for text in verdict.compared if "published" in text))
    elif verdict.compared:
        parts.append(f"{len(verdict.compared)} compared{engines}{_alone(verdict)}")
    if verdict.out_of_reach:
        parts.append(f"out of reach here: {', '.join(text.split(': ')[0] for text in verdict.out_of_reach)}")
    return "; ".join(parts)


def _alone(verdict: NumberCheck) -> str:
    """Return which numbers come from a single engine, in words."""
    if not verdict.one_engine:
        return ""
    if len(verdict.one_engine) == len(verdict.compared):
        return ", one engine only"
    return f", one engine only: {', '.join(text.split(': ')[0] for text in verdict.one_engine)}"


def _parts(directory: str, findings: Iterable[Finding]) -> Iterator[str]:
    right = True
    for finding in findings:
        right = right and finding.ok
        yield f"{'ok' if finding.ok else 'wrong':8} {finding.part}: {finding.what}\n"
    if right:
        yield f"every value in {directory} follows from its successors\n"
    else:
        yield f"{directory} is damaged or wrong: write it again with noughts solve --save\n"
