#!/usr/bin/env python3
"""Lighthouse's four scores of ten pages, as on a telephone: python scripts/lighthouse.py [PAGE...]

It starts `noughts serve` on loopback. `lighthouse` is the npm package, on the PATH or in LIGHTHOUSE; NOUGHTS_BROWSER
names the Chromium. Exit code 1 where a score is below 100; a busy machine is slower than a telephone, so a page
has three runs and keeps its best.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from screens import FLAGS, browser_program, server

PAGES = (
    "/", "/3x3", "/3x3/p/XO_-_X_-__O", "/3x3/g/a1-c3-c1-b1-a3-a2-b2", "/3x3/play", "/3x3/puzzles", "/3x3/count",
    "/3x3/openings", "/rules", "/whatis?n=26830",
)  # fmt: skip
NAMES = ("performance", "accessibility", "best-practices", "seo")


def scores(address: str) -> tuple[dict[str, int], list[str]]:
    """Return the scores of a page and what it misses."""
    words = [os.environ.get("LIGHTHOUSE", "lighthouse"), address, "--quiet", "--output=json"]
    words += [f"--chrome-flags=--headless {' '.join(FLAGS)}", f"--only-categories={','.join(NAMES)}"]
    found = subprocess.run(words, capture_output=True, env={**os.environ, "CHROME_PATH": browser_program()}, check=True)
    report = json.loads(found.stdout)
    parts, audits = report["categories"], report["audits"]
    missed = {
        each["id"] for name in NAMES for each in parts[name]["auditRefs"]
        if each["weight"] and (score := audits[each["id"]]["score"]) is not None and score < 0.9
    }  # fmt: skip
    return {name: round(100 * parts[name]["score"]) for name in NAMES}, sorted(missed)


def main() -> int:
    """Print a table, and return 1 where a score is below 100."""
    well = True
    with server() as address:
        for path in sys.argv[1:] or PAGES:
            best: tuple[dict[str, int], list[str]] = ({}, [])
            for _ in range(3):
                best = max(best, scores(address + path), key=lambda each: sum(each[0].values()))
                if min(best[0].values()) == 100:
                    break
            print(f"{path:36}", *(f"{name} {score}" for name, score in best[0].items()), *best[1], flush=True)
            well &= min(best[0].values()) == 100
    return 0 if well else 1


if __name__ == "__main__":
    raise SystemExit(main())
