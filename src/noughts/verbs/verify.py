"""What became of the known numbers, one line each, and of a table on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from noughts.judge.bench import NumberCheck, Verification
from noughts.present.forms import Forms, as_json

if TYPE_CHECKING:
    from noughts.solving.saved import Finding

__all__ = ["audit_forms", "forms"]


def forms(verdicts: Iterable[NumberCheck]) -> Forms:
    """Return the verdicts in every form, each line when its verdict is known."""
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
    yield f"; {alone} number{'s' * (alone > 1)} by one engine only\n" if alone else "\n"


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
    """Return in words which numbers a single engine gave; nothing where none did."""
    if not verdict.one_engine:
        return ""
    if len(verdict.one_engine) == len(verdict.compared):
        return ", one engine only"
    return f", one engine only: {', '.join(text.split(': ')[0] for text in verdict.one_engine)}"


def audit_forms(directory: str, findings: Iterable[Finding]) -> Forms:
    """Return what was found in a table on disk in every form, each line when its part has been checked."""
    return {"table": lambda: _parts(directory, findings), "json": lambda: as_json(_parts_record(directory, findings))}


def _parts(directory: str, findings: Iterable[Finding]) -> Iterator[str]:
    right = True
    for finding in findings:
        right = right and finding.ok
        yield f"{'ok' if finding.ok else 'wrong':8} {finding.part}: {finding.what}\n"
    if right:
        yield f"every value in {directory} follows from its successors\n"
    else:
        yield f"{directory} is damaged or wrong: write it again with noughts solve --save\n"


def _parts_record(directory: str, findings: Iterable[Finding]) -> dict[str, Any]:
    parts = list(findings)
    return {"directory": directory, "ok": all(part.ok for part in parts), "parts": [asdict(part) for part in parts]}
