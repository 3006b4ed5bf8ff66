"""docs/reference/games-by-board.md: how many games there are on every board of up to 8x8.

python scripts/games_page.py                              print the page
python scripts/games_page.py --write                      write it, from what was counted before
python scripts/games_page.py --measure SECONDS [BOARD...] count boards, those that are missing unless named, and keep
                                                          that in known/games.toml; what is expected to take longer
                                                          than these seconds is written down with what it needs
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.counting.census import GAME_COLUMNS, Census
from noughts.counting.engines import ask, offers, second_opinion
from noughts.counting.offers import Request, Run
from noughts.known import load
from noughts.machine.budget import Limits, Refusal, format_duration, format_size
from noughts.machine.workers import SERIAL
from noughts.rules.errors import BudgetError

PAGE = ROOT / "docs" / "reference" / "games-by-board.md"
DATA = ROOT / "src" / "noughts" / "known" / "games.toml"
SIDE = 8
MEMORY = 8 * 10**9

HEAD = """\
# Games on every board up to 8x8

Cells are distinguishable and X starts. A player with k or more in a row wins; a game ends at a line or a full board.
[Counting without listing](../explanation/counting-without-listing.md) says how the boards are counted.
`scripts/games_page.py` makes this page from `known/games.toml`, which also has the games by outcome and the engines.
Two engines agree on a board that is not [listed](discoveries.md#by-one-method). They share no states, but both may
interpolate from values at points. [Positions](discoveries.md#games-and-positions) are counted too. On N cells without a
line there are N! games; those boards are omitted. With 1 in a row every board of N cells has N games, since the first
move wins.
"""

MISSING = """\
## What is missing

Not counted yet: {boards}. `known/games.toml` estimates what they need.
"""


def specs() -> list[str]:
    """Return the boards of the page, those with few cells first."""
    sides = range(1, SIDE + 1)
    boards = [(m, n, k) for n in sides for m in sides if m <= n for k in range(1, n + 1)]
    return [f"{m}x{n}:{k}" for m, n, k in sorted(boards, key=lambda board: (board[0] * board[1], board))]


def rows() -> dict[str, dict[str, Any]]:
    """Return what is known by board."""
    return {row["board"]: row for row in load("games.toml")["board"]} if DATA.exists() else {}


def cells(spec: str) -> int:
    """Return the number of cells of a flat board."""
    rows, columns = spec.partition(":")[0].split("x")
    return int(rows) * int(columns)


def page() -> str:
    """Return the whole page."""
    known = rows()
    if any(int(row["games"]) != cells(spec) for spec, row in known.items() if spec.endswith(":1")):
        raise ValueError("with 1 in a row the first move ends the game")
    lines = [HEAD]
    for k in range(2, SIDE + 1):
        lines += [f"## {k} in a row", "", "```text"]
        lines += shown([known[spec] for spec in specs() if spec.endswith(f":{k}") and "games" in known[spec]])
        lines += ["```", ""]
    lines.append(MISSING.format(boards=listed(spec for spec in specs() if "games" not in known[spec])))
    return "\n".join(lines)


def listed(boards: Iterable[str]) -> str:
    """Return boards in a sentence."""
    *others, last = boards
    return f"{', '.join(others)} and {last}" if others else last


def shown(boards: list[dict[str, Any]]) -> list[str]:
    """Return the boards and their games, one board a line, the games right-aligned."""
    games = [f"{int(row['games']):,}" for row in boards]
    wide = max(map(len, games))
    return [f"{row['board']}  {game:>{wide}}" for row, game in zip(boards, games, strict=True)]


def measure(spec: str, seconds: float) -> dict[str, Any]:
    """Return the games of a board and which engines agree on them, or what counting them would take."""
    limits = Limits(MEMORY, seconds)
    question = ask(spec)
    offer, refusals = offers(Request(question, GAME_COLUMNS), limits)
    if offer is None:
        return {"board": spec, "needs": least_of(refusals)}
    begin = time.process_time()
    census = offer.count(Run(SERIAL))
    totals = census.totals
    found: dict[str, Any] = {"board": spec, "games": totals.finished}
    found |= {"x": totals.x_wins, "o": totals.o_wins, "draws": totals.draws}
    found |= {"engine": census.engine, "seconds": round(time.process_time() - begin, 2)}
    return found | check(census, limits)


def check(census: Census, limits: Limits) -> dict[str, Any]:
    """Return the engine that agrees with a census, or what asking the one that needs the least would take."""
    try:
        return {"second": second_opinion(census, limits, Run(SERIAL)).engine}
    except BudgetError:
        request = Request(census.question, GAME_COLUMNS)
        _, refusals = offers(request, limits, without={census.engine}, witness=True)
        return {"check": least_of(refusals)}


def least_of(refusals: list[Refusal]) -> str:
    """Return what the engine takes that needs the least, of those that refused and said so."""
    asked = [each for refusal in refusals for each in (refusal, refusal.part) if each is not None]
    needs = [each.estimate for each in asked if each.estimate is not None]
    least = min(needs, key=lambda each: each.memory * (10 if each.at_least else 1))
    more = "more than " if least.at_least else ""
    return f"{more}{format_size(least.memory)} and {format_duration(least.seconds)}"


def keep(measured: list[dict[str, Any]]) -> None:
    """Write the data with the boards that were measured in the place of those that were there."""
    known = rows() | {row["board"]: row for row in measured}
    head = DATA.read_text(encoding="utf-8").partition("board = [")[0] if DATA.exists() else ""
    lines = ["board = [", *(f"  {{ {', '.join(entries(known[spec]))} }}," for spec in specs() if spec in known), "]"]
    DATA.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    load.cache_clear()


def entries(row: dict[str, Any]) -> Iterator[str]:
    """Yield the entries of a row; large numbers are text, which every reader of TOML takes."""
    for key, value in row.items():
        yield f"{key} = {value}" if isinstance(value, float) else f'{key} = "{value}"'


if __name__ == "__main__":
    if "--measure" in sys.argv:
        at = sys.argv.index("--measure") + 1
        known = rows()
        named = sys.argv[at + 1 :] or [spec for spec in specs() if spec not in known or "needs" in known[spec]]
        for spec in named:
            found = measure(spec, float(sys.argv[at]))
            print(found, flush=True)
            keep([found])
    elif "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
