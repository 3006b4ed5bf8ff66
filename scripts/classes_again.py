"""Count the classes of boards again whose positions are carried: the second time by marks that matter.

python scripts/classes_again.py BOARD ...   such as 6x7:4, or all that src/noughts/known/games.toml lists

By Burnside's lemma the classes are the mean number of positions that a symmetry fixes. A symmetry other than the
identity fixes few: the engine `transfer` counts them in a minute. The positions are those that are carried.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.counting.engines import ask
from noughts.counting.offers import Request
from noughts.counting.sweeps import Part
from noughts.counting.transfer.engine import TransferPlanner
from noughts.counting.transfer.points import TransferPointPlanner
from noughts.known import load
from noughts.machine.budget import Limits
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import workers_for


def classes_of(spec: str, positions: int) -> int | None:
    """Return the classes of a board, all its symmetries together, from its positions; None beyond the free memory."""
    request, total = Request(ask(spec, same="symmetry")), positions
    planners = TransferPlanner(request), TransferPointPlanner(request)
    for pattern, many in request.needed.position_patterns:
        if pattern is request.needed.whole:
            continue
        assert pattern.is_symmetric, "one sweep serves both players' wins"
        plans = (planner.plan(Part(pattern, won=True), Limits.of())[0] for planner in planners)
        sweep = next((sweep for sweep in plans if sweep is not None), None)
        if sweep is None:
            return None
        found = sweep.tally(pattern.total, workers_for(), Checkpoints(None), lambda *_: None)
        total += many * sum(table[(t + 1) // 2, t // 2] for t in range(pattern.total + 1) for table in found)
    classes, rest = divmod(total, request.needed.order)
    assert rest == 0, "the mean number of fixed positions is whole"
    return classes


if __name__ == "__main__":
    carried = {row["board"]: row for row in load("games.toml")["positions"] if "classes" in row}
    specs = sys.argv[1:] or list(carried)
    if unknown := [spec for spec in specs if spec not in carried]:
        raise SystemExit(f"{unknown[0]} is not one of the boards that are carried: give some of {', '.join(carried)}")
    for spec in specs:
        begin, row = time.process_time(), carried[spec]
        classes = classes_of(spec, int(row["positions"]))
        took = time.process_time() - begin
        if classes is None:
            print(f"{spec}: out of reach in the free memory, {took:.1f} s", flush=True)
            continue
        agree = classes == int(row["classes"])
        print(f"{spec}: {classes:,} classes, {'as carried' if agree else 'not as carried'}, {took:.1f} s", flush=True)
        if not agree:
            raise SystemExit(1)
