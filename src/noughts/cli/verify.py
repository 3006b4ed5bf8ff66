"""`noughts verify`: every known number computed again."""

from __future__ import annotations

import json
from typing import NoReturn

import click

from noughts.cli.options import budget_options, memory_budget, time_budget

__all__ = ["verify"]


@click.command(short_help="Re-derive every known number.")
@click.argument("directory", required=False)
@click.option("--format", "form", metavar="table|json", default="table", help="How to print.")
@budget_options("10s")
def verify(directory: str | None, form: str, memory: str | None, time: str | None) -> None:
    """Compute every published number again, one line each; exit with 1 if any differs.

    --memory and --time bound each single computation; what does not fit is named as out of reach. With a DIRECTORY
    written by noughts solve --save: derive every value in it again from its successors.
    """
    from noughts.domain.errors import InputError, shown
    from noughts.verification.checks import verdicts

    if form not in ("table", "json"):
        raise InputError(f"--format {shown(form)} is not known: use table or json")
    if directory is not None:
        _verify_table(directory, form)
    seconds = time_budget(time)
    counts = dict.fromkeys(("ok", "differs", "out of reach"), 0)
    records, skipped = [], 0
    for verdict in verdicts(memory=memory_budget(memory), time=10.0 if seconds is None else seconds):
        counts[verdict.status] += 1
        skipped += len(verdict.out_of_reach) if verdict.status != "out of reach" else 0
        if form == "table":
            print(_line(verdict.status, verdict), flush=True)
        else:
            records.append({**vars(verdict), "engines": sorted(verdict.engines)})
    if form == "json":
        print(json.dumps({"entries": records, "counts": counts}, indent=1))
    else:
        inside = f"; {skipped} numbers inside the others not reached" if skipped else ""
        print(f"{counts['ok']} agree, {counts['differs']} differ, {counts['out of reach']} out of reach{inside}")
    raise SystemExit(1 if counts["differs"] else 0)


def _verify_table(directory: str, form: str) -> NoReturn:
    """Check a table on disk, one line for each part of it; exit with 1 if one is wrong."""
    import os
    from dataclasses import asdict
    from pathlib import Path

    from noughts.solving.audit import audit

    findings = []
    for finding in audit(Path(directory), threads=os.cpu_count() or 1):
        findings.append(finding)
        if form == "table":
            print(f"{'ok' if finding.ok else 'wrong':8} {finding.part}: {finding.what}", flush=True)
    right = all(finding.ok for finding in findings)
    if form == "json":
        print(json.dumps({"directory": directory, "ok": right, "parts": [asdict(each) for each in findings]}, indent=1))
    elif right:
        print(f"every value in {directory} follows from its successors")
    else:
        print(f"{directory} is damaged or wrong: write it again with noughts solve --save")
    raise SystemExit(0 if right else 1)


def _line(status: str, verdict: object) -> str:
    from noughts.verification.verdict import Verdict

    assert isinstance(verdict, Verdict)
    parts = [f"{status:12} {verdict.name}: {verdict.what}; {verdict.source}"]
    engines = f" by {' and '.join(sorted(verdict.engines))}" if verdict.engines else ""
    if status == "differs":
        parts.append("; ".join(text for text in verdict.compared if "published" in text))
    elif verdict.compared:
        many = len(verdict.compared)
        parts.append(f"{many} compared{engines}")
    if verdict.out_of_reach:
        parts.append(f"out of reach here: {', '.join(text.split(': ')[0] for text in verdict.out_of_reach)}")
    return "; ".join(parts)
