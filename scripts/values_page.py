"""docs/reference/values.md: who wins on which board, how it is known, and who proved it first.

python scripts/values_page.py                      print the page
python scripts/values_page.py --write              write it, from what was measured before
python scripts/values_page.py --measure BOARD ...  solve boards again and keep what it took, in known/boards.toml
python scripts/values_page.py --openings BOARD ... search the values of first moves and replies again
python scripts/values_page.py --variants SECONDS BOARD ... the same on a torus or under misere, in known/variants.toml,
                                                   each engine and player with so much time
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.known import boards, load
from noughts.rules.board import Board
from noughts.solving.api import solve
from noughts.solving.infinite import solve_infinite

PAGE = ROOT / "docs" / "reference" / "values.md"
DATA = ROOT / "src" / "noughts" / "known" / "boards.toml"
OPENINGS = DATA.with_name("openings.toml")
VARIANTS_DATA = DATA.with_name("variants.toml")
SIDE = 8
INFINITE = range(1, 10)

HEAD = """\
# Values: who wins on which board

X moves first, k or more in a row win, and a full board without a line is a draw. O never wins from the empty board: X
could use the same strategy (strategy stealing). `scripts/values_page.py` makes this page from `known/boards.toml`.
[Values by ply](games-by-choices.md#values-by-ply) are of all positions of a board.
"""

ANSWER = """\
Sides are at most 8, with 3 to 8 in a row. With 3 in a row X wins on every board that holds
3x4, turned or not. With 4 in a row X wins on every board that holds 5x6. All others are draws, 8x8:5 as published.
"""


def is_won(m: int, n: int, k: int) -> bool:
    """Return what ANSWER says: whether X wins with k in a row on m rows and n columns, m <= n."""
    return (k == 3 and m >= 3 and n >= 4) or (k == 4 and m >= 5 and n >= 6)


ROWS = """\
## How each is known

`threats` finds wins by attacks. `blocking` finds draws in which one player stops every line of the other. `search`
looks at both players' lines. *Positions* are those opened, *bytes* the size of the proof, which was judged. The first
move is that of the proof; others may win. A value *not here* is published and not proved here. The last column says who
published the value first, as far as we know.
"""

FORKS = """\
With 3 in a row X begins in a middle column [{source}]. The proofs by `threats` open at most {most} positions and have
{least} to {largest} bytes.
"""

VARIANTS = """\
## On a torus, and misere

The letters are for k = 3 to n: X or O wins, = is a draw, ? is open. Under misere strategy stealing does not hold, so O
can win. Where m or n is even O never loses: O answers every move by its mirror image through the middle.
`known/variants.toml` has engine, positions and cost of each.
"""

AT_ONCE = """\
On the other boards up to 8x8 `blocking` proves the draw without opening a position: a pairing or weights show it.
The proofs have {least} to {most} bytes. Published: {published}.
"""


def check_answer(small: list[dict[str, Any]]) -> None:
    """Raise ValueError where ANSWER does not say what the boards are worth, or which values are only published."""
    for row in small:
        m, n, k = map(int, row["board"].replace(":", "x").split("x"))
        if row["value"] != ("X" if is_won(m, n, k) else "draw") or ("engine" in row) == (row["board"] == "8x8:5"):
            raise ValueError(f"the answer on the page is wrong about {row['board']}")


def source_of(row: dict[str, Any], notes: dict[str, int]) -> str:
    """Return the number of the source of a value, in brackets, if there is one."""
    return f"[{notes[row['source']]}]" if "source" in row else ""


def rows(found: list[dict[str, Any]], notes: dict[str, int]) -> Iterator[str]:
    """Yield a table of boards as aligned text, one a line."""
    table = [("board", "value", "first move", "engine", "positions", "bytes", "published")]
    for row in found:
        value = {"X": "X wins", "draw": "draw", "open": "open"}[row["value"]]
        positions, size = (f"{row[key]:,}" if key in row else "" for key in ("positions", "bytes"))
        engine = row.get("engine", "not here")
        first = row.get("first", "")
        table.append((row["board"], value, first, engine, positions, size, source_of(row, notes)))
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    yield "```text"
    for cells in table:
        left = [cell.ljust(width) for cell, width in zip(cells, wide, strict=True)]
        right = [cell.rjust(width) for cell, width in zip(cells, wide, strict=True)]
        yield "  ".join([*left[:4], *right[4:6], left[6]]).rstrip()
    yield from ("```", "")


def of_forks(found: list[dict[str, Any]], notes: dict[str, int]) -> str:
    """Return the paragraph about the wins by one fork."""
    sizes, most = [row["bytes"] for row in found], max(row["positions"] for row in found)
    return FORKS.format(least=min(sizes), largest=max(sizes), most=most, source=notes["folk"])


def at_once(found: list[dict[str, Any]], notes: dict[str, int]) -> str:
    """Return the paragraph about the draws for which no position was opened."""
    sizes = [row["bytes"] for row in found]
    published = ", ".join(f"{row['board']} {source_of(row, notes)}" for row in found if "source" in row)
    return AT_ONCE.format(least=min(sizes), most=max(sizes), published=published)


def variants() -> Iterator[str]:
    """Yield who wins on a torus and under misere, m rows by n columns, with a letter for each k from 3 to n."""
    letters = {"X": "X", "O": "O", "draw": "=", "open": "?"}
    for kind in ("torus", "misere"):
        found = {row["board"]: letters[row["value"]] for row in load("variants.toml")[kind]}
        if kind == "misere" and any(value == "X" and Board.parse(spec).cells % 2 == 0 for spec, value in found.items()):
            raise ValueError("the page says that O never loses where m or n is even")
        yield "```text"
        yield f"{kind:6}  " + "  ".join(f"n={n}".ljust(6) for n in range(3, SIDE + 1)).rstrip()
        for m in range(1, SIDE + 1):
            ks = ["".join(found.get(f"{m}x{n}:{k}+{kind}", "") for k in range(3, n + 1)) for n in range(3, SIDE + 1)]
            alike = set("".join(ks))
            whole = f"only {alike.pop()}" if len(alike) == 1 else "  ".join(each.ljust(6) for each in ks).rstrip()
            yield f"m={m}     {whole}"
        yield "```"
        yield ""


def tried() -> Iterator[str]:
    """Yield how far open boards were tried."""
    still = {k: [row for row in load("variants.toml")[k] if row["value"] == "open"] for k in ("torus", "misere")}
    for kind, found in still.items():
        if found:
            least, most = (f(row["positions"] for row in found) for f in (min, max))
            yield f"Open with {kind}: {len(found)}, after {least:,} to {most:,} positions each."
    yield ""


def infinite(notes: dict[str, int]) -> Iterator[str]:
    """Yield the table of the infinite boards, from `noughts solve`; boards with the same proof are in one row."""
    yield "| board | value | known | how |"
    yield "| --- | --- | --- | --- |"
    named: dict[tuple[str, str, str], list[str]] = {}
    for k in INFINITE:
        value = solve_infinite(f"{k}+infinite")
        said = {"X": "X wins", "draw": "draw", None: "open"}[value.outcome]
        source = {8: f" [{notes['zetters']}]", 9: f" [{notes['pollak']}]"}.get(k, "")
        how = value.proof.removeprefix("draw: ").replace(f"15x15:{k}", "15x15:K")
        named.setdefault((said, value.known, f"{how}{source}"), []).append(f"{k}+infinite")
    for (said, known, how), names in named.items():
        yield f"| {', '.join(names)} | {said} | {known} | {how} |"
    yield ""


def four_dimensions() -> str:
    """Return who wins on 3x3x3x3, which is given by its lines: cells of which each coordinate rises, falls or stays."""
    cells = list(product(range(3), repeat=4))
    ways = product(((0, 1, 2), (2, 1, 0), (0, 0, 0), (1, 1, 1), (2, 2, 2)), repeat=4)
    found = {tuple(sorted(cells.index(cell) for cell in zip(*way, strict=True))) for way in ways}
    lines = [line for line in found if len(set(line)) == 3]
    solved = solve(Board.from_lines(len(cells), sorted(lines), name="3x3x3x3"))
    assert solved.best_moves() == (len(cells) // 2,), "the middle cell wins"
    proof = solved.evaluate().proof
    return f"3x3x3x3, given by its {len(lines)} [lines](../how-to/other-boards.md): {proof}, from the middle"


def page() -> str:
    """Return the whole page."""
    found = boards()
    sources: dict[str, str] = load("boards.toml")["sources"]
    notes = {key: number for number, key in enumerate(sources, 1)}
    small = [row for row in found if _is_small(row["board"])]
    check_answer(small)
    lines = [HEAD, ANSWER]
    quick = [row for row in small if row.get("positions") == 0 and row["engine"] == "blocking"]
    forks = [row for row in small if row.get("source") == "folk" and row["value"] == "X"]
    lines += [ROWS, *rows([row for row in small if row not in quick + forks], notes), of_forks(forks, notes)]
    lines += [at_once(quick, notes)]
    lines += [VARIANTS, *variants(), *tried()]
    lines += ["## Famous boards beyond", "", *rows([row for row in found if row not in small], notes)]
    noted = [row for row in found if "remark" in row and ("engine" in row or row["value"] == "open")]
    remarks = [*(f"- {row['board']}: {row['remark']}." for row in noted), f"- {four_dimensions()}."]
    lines += ["Remarks:", "", *remarks, ""] if remarks else []
    lines += ["## Infinite boards", "", "A draw means that neither player can force a line.", "", *infinite(notes)]
    lines += ["## Sources", "", *(f"{notes[key]}. {text}." for key, text in sources.items())]
    return "\n".join(lines) + "\n"


def _is_small(spec: str) -> bool:
    shape = Board.parse(spec).specification
    assert shape is not None
    return len(shape.sides) == 2 and max(shape.sides) <= SIDE and not shape.torus and not shape.misere


def measure(spec: str) -> dict[str, Any]:
    """Return what an empty board is worth, by which engine and what that took; the proof is judged."""
    import time

    from noughts.judge.proofs.judge import judge_proof
    from noughts.rules.cells import cell_name
    from noughts.rules.position import Position
    from noughts.solving.attack.attacker import Attacker
    from noughts.solving.proofs import STEALING, Section, proof_text, symmetries_of
    from noughts.solving.proving import attack_text, proof_by
    from noughts.solving.search import SearchSolution
    from noughts.solving.weak.stopper import Stopper, Stopping

    start = Position(Board.parse(spec))
    stopper, attacker = Stopper(start.board), Attacker(start.board)
    for small in (Position(Board.parse("4x5:4")), Position(Board.parse("5x5:3"))):  # compiles
        Stopper(small.board).stops(small, "X")
        _wins(Attacker(small.board), small)
    begin = time.process_time()
    held = stopper.stops(start, "X", limit=LIMIT if start.board.cells <= 64 else 0)
    found: dict[str, Any] = {"board": spec}
    if not isinstance(held, Stopping):
        begin = time.process_time()
    if isinstance(held, Stopping):
        found |= {"value": "draw", "engine": "blocking", "positions": stopper.opened}
        found["seconds"] = round(time.process_time() - begin, 2)
        lines = tuple(stopper.section(start, "X"))
        text = "".join(
            proof_text(start, "draw", [Section("stop X", lines), Section(STEALING)], symmetries_of(start.board))
        )
    elif _wins(attacker, start):
        tree = attacker.tree(start, "X")
        found |= {"value": "X", "first": cell_name(start.board, tree.line()[0]), "engine": "threats"}
        found |= {"positions": attacker.opened, "seconds": round(time.process_time() - begin, 2)}
        text = attack_text(attacker, start, "X")
    else:
        solution = SearchSolution(start.board)
        begin = time.process_time()
        found |= {"value": solution.outcome(), "engine": "search", "positions": solution.nodes}
        found["seconds"] = round(time.process_time() - begin, 2)
        text = proof_by(solution, start).text
        if found["value"] == "X":
            found = {"board": spec, "value": "X", "first": cell_name(start.board, _first(text)), **found}
    judge_proof(text)
    return found | {"bytes": len(text)}


def _first(text: str) -> int:
    """Return the first move of a proof that X wins, by an attack or by a tree of all replies."""
    lines = text.splitlines()
    return int(next(after for title, after in pairwise(lines) if title in ("win X", "play X to win")).split()[0])


def keep_openings(spec: str) -> None:
    """Search the first moves of a board and the replies to them, and write their values to known/openings.toml."""
    import time

    from noughts.judge.values import derived_openings

    begin, data = time.process_time(), load("openings.toml")
    after = derived_openings(Board.parse(spec))
    seconds = round(time.process_time() - begin, 1)
    rows = {row["board"]: row for row in data["opening"]} | {spec: {"seconds": seconds, "after": after}}
    head = OPENINGS.read_text(encoding="utf-8").partition("[[opening]]")[0]
    lines = [head.removesuffix("opening = []\n").rstrip()]
    for name in sorted(rows):
        lines += ["", "[[opening]]", f'board = "{name}"', f"seconds = {rows[name]['seconds']}"]
        for first, values in rows[name]["after"].items():
            lines.append(f"after.{first} = {{ {', '.join(map(_entry, values.items()))} }}")
    OPENINGS.write_text("\n".join([*lines, ""]), encoding="utf-8")


def measure_variant(spec: str, seconds: float) -> dict[str, Any]:
    """Return what an empty board on a torus or under misere is worth, by which engine and what that took, or open."""
    import time

    from noughts.rules.position import Position
    from noughts.solving.stages import Stage, Stages

    start, begin, opened = Position(Board.parse(spec)), time.process_time(), 0
    engines: tuple[Stage | None, ...] = (None,) if start.board.misere else ("blocking", "threats", None)
    for engine in engines:
        stages, open_for, why = Stages(start.board, engine, slots=SLOTS), set[str](), list[str]()
        for player in ("O", "X") if start.board.misere else ("X",):  # without misere O never wins
            found = stages.settle(start, player, None, time.monotonic() + seconds)
            if found is None:
                open_for.add(player)
                continue
            why.append(found.why)
            if found.wins:
                open_for = set()
                break
        opened += stages.nodes
        if why and not open_for:
            value, named = (player, "threats") if found and found.wins else ("draw", "blocking")
            named = "avoiding" if all("avoids" in each for each in why) else named
            named = "search" if any("search" in each.split(",")[0] for each in why) else named
            spent = round(time.process_time() - begin, 2)
            return {"board": spec, "value": value, "engine": named, "positions": stages.nodes, "seconds": spent}
    return {"board": spec, "value": "open", "positions": opened}


def keep_variant(measured: dict[str, Any]) -> None:
    """Write known/variants.toml with a board in the place of its row."""
    head = VARIANTS_DATA.read_text(encoding="utf-8").partition("torus = [")[0]
    lines = []
    for kind in ("torus", "misere"):
        rows = [measured if row["board"] == measured["board"] else row for row in load("variants.toml")[kind]]
        lines += [f"{kind} = [", *(f"  {{ {', '.join(map(_entry, row.items()))} }}," for row in rows), "]", ""]
    VARIANTS_DATA.write_text(head + "\n".join(lines), encoding="utf-8")


SLOTS = 1 << 24
LIMIT = 500_000
ATTACKS = 20_000


def _wins(attacker: Any, start: Any) -> bool:
    return bool(attacker.can_force(start, "X", limit=ATTACKS))


def keep(measured: list[dict[str, Any]]) -> None:
    """Write the data with the boards that were measured in the place of those that were there."""
    data = load("boards.toml")
    by_name = {row["board"]: row for row in data["board"]}
    for row in measured:
        old = by_name.get(row["board"], {})
        by_name[row["board"]] = row | {key: old[key] for key in ("source", "remark") if key in old}
    head = DATA.read_text(encoding="utf-8").partition("board = [")[0]
    lines = ["board = [", *(f"  {{ {', '.join(map(_entry, row.items()))} }}," for row in by_name.values()), "]", ""]
    lines += ["[sources]", *(f'{key} = "{text}"' for key, text in data["sources"].items())]
    DATA.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def _entry(item: tuple[str, Any]) -> str:
    key, value = item
    return f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"


if __name__ == "__main__":
    if "--measure" in sys.argv:
        for name in sys.argv[sys.argv.index("--measure") + 1 :]:
            row = measure(name)
            print(row, flush=True)
            keep([row])
            load.cache_clear()
    elif "--openings" in sys.argv:
        for name in sys.argv[sys.argv.index("--openings") + 1 :]:
            keep_openings(name)
            load.cache_clear()
    elif "--variants" in sys.argv:
        limit, *names = sys.argv[sys.argv.index("--variants") + 1 :]
        for name in names:
            row = measure_variant(name, float(limit))
            print(row, flush=True)
            keep_variant(row)
            load.cache_clear()
    elif "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
