"""docs/reference/discoveries.md: what no source that noughts carries has, and the files to submit to the OEIS.

python scripts/discoveries_page.py             print the page
python scripts/discoveries_page.py --write     write it, and the drafts and b-files in docs/reference/oeis
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from math import factorial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "scripts"))

from games_page import listed

import noughts
from noughts.counting.census import Carried, Census, Totals
from noughts.counting.engines import ask
from noughts.judge import sampling
from noughts.known import boards, further, load, numbers
from noughts.machine.budget import format_duration
from noughts.rules.board import Board
from noughts.solving.published import turned_boards
from noughts.verbs.sequences import Terms, draft_of, parse_range

PAGE = ROOT / "docs" / "reference" / "discoveries.md"
FILES = PAGE.parent / "oeis"
COLUMNS = {"A061526": "finished", "A061527": "x_wins", "A061528": "o_wins", "A061529": "draws"}
NEW = (
    "1x1:2..8x8:2",
    "1x1:3..6x6:3",
    "1x1:4..7x7:4",
    "1x1:5..7x7:5",
    "1x1:6..7x7:6",
    "3x1:3..3x8:3",
    "4x1:4..4x8:4",
    "5x1:5..5x8:5",
)
CHOICES = "1x1..5x5"

HEAD = """\
# Discoveries: what is new here

No source that noughts carries has these results ([values](values.md#sources), [sequences](sequences.md),
[facts](facts.md)); if another has one, tell us. Costs are seconds of one processor. [How to
cite](facts.md#how-to-cite). `scripts/discoveries_page.py` makes this page and its files from `src/noughts/known`.
"""

SUBMIT = """\
Each has a draft with its command, and its terms as a b-file. Sequences of the OEIS continued:
"""

GAMES = """\
## Games and positions

Cells are distinguishable, X starts, and a game ends at a line or a full board.
Known before: {before}.
New: the games on {many} boards of up to 8x8, 2 or more in a row. [Their digits](games-by-board.md) took {seconds}. A
second engine agrees on {checked}, on 8x8:7 in sums; `noughts count BOARD --same labelled --check` counts again.

New too are positions and classes (`noughts count 7x7:5 --same symmetry --engine frontier`), by values at points. A
second method agrees on positions (`transfer`, or `scripts/won_again.py`), and on what symmetries fix
(`scripts/classes_again.py`):
"""

BY_CHOICES = """\
## Games by choices

Moves to equivalent boards count once. Known before: 26,830 games of 3x3 (mathrec.org, 2002).
`noughts count 5x5:4 --same choices --resume DIR` takes minutes. A second engine counts the classes of every
[ply](games-by-choices.md).
"""

VALUES = """\
## Who wins

No carried source names these boards. That X wins with 4 in a row on large ones is folklore, and the certificates are
new. [Values](values.md) has the proofs' sizes. `noughts solve BOARD --proof FILE` writes a proof; `noughts check FILE`
judges it and shares no code with the search.
"""

BY_PLY = """\
The [values of all classes by ply](games-by-choices.md#values-by-ply), by `noughts solve BOARD --by-ply --same symmetry
--engine retrograde`: {boards}. Known before: 4x4:4 (OEIS A317573, A317574).
"""

OTHERS = """\
## Cards and blindfold play

- [Smallest tables](cribs.md) never to lose, at own turns, and of 3x4:3. Known before: 41, 56, 94 and 127 boards for
  perfect play on 3x3 (C. Lomont, 2024). Search or an integer programme proves each in seconds, for 3x4:3 in minutes.
- [Phantom tic-tac-toe](../explanation/blindfold.md#both-players-blind), both players blind, is worth 2/3 to X: two
  plans against eight (`noughts blindfold 3x3 --blind both --proof FILE`). Known before: how far learned strategies are
  from perfect (Rudolph and others, 2025).
- [Values with one player blind](../explanation/blindfold.md#values), in fractions, from both players' guarantees
  (`noughts blindfold 3x3 --with value --proof FILE`). Known before: the question how often a blind X wins against
  random play, here 61/64 without losing (FiveThirtyEight's Riddler, 2018).
"""

ALONE = """\
## By one method
"""


class Submission(NamedTuple):
    """A sequence to submit: the stem of its files, what was known, what is new, how it is known, draft and b-file."""

    stem: str
    before: str
    new: str
    how: str
    command: str
    draft: str
    bfile: str


def games() -> dict[str, dict[str, Any]]:
    """Return the boards whose games were counted."""
    return {row["board"]: row for row in load("games.toml")["board"] if "games" in row}


def census_of(board: Board) -> Census:
    """Return the games of a flat board as the data have them; without a line all orders are drawn games."""
    row = next((games()[spec] for spec, _ in turned_boards(board) if spec in games()), None)
    empty: dict[str, int | None] = dict.fromkeys(Totals.__dataclass_fields__)
    if row is None:
        assert not board.lines, f"{board} has lines, and its games were not counted"
        orders = factorial(board.cells)
        found = {"finished": orders, "x_wins": 0, "o_wins": 0, "draws": orders}
    else:
        found = {"finished": int(row["games"]), "x_wins": int(row["x"]), "o_wins": int(row["o"])}
        found["draws"] = int(row["draws"])
    engine = row["engine"] if row else "arithmetic"
    return Census(ask(board), engine, (), Carried("before", Totals(**empty | found)))


def submission(stem: str, terms: Terms, before: str, how: str, new: int | None = None) -> Submission:
    """Return what to submit of a sequence; `new` is the number of the first new term, None where all are."""
    draft, first = draft_of(terms), terms.boards.first
    last = first + len(terms.terms) - 1
    bfile = "".join(f"{n} {term}\n" for n, term in enumerate(terms.terms, first))
    command = re.search(r"^Program: \(Shell\) (.*) #", draft, re.MULTILINE)
    assert command is not None
    said = f"n = {first if new is None else new} to {last}"
    return Submission(stem, before, said, how, command[1], draft, bfile)


def continued() -> Iterator[Submission]:
    """Yield the sequences of the OEIS of which noughts has further terms."""
    published = {entry["id"]: entry for entry in numbers("sequence")}
    for entry in further():
        if entry["id"] not in COLUMNS:
            continue
        column, old = COLUMNS[entry["id"]], published[entry["id"]]["terms"]
        whole = tuple(map(int, [*old, *entry["terms"]]))
        on = parse_range(f"1x1..{len(whole)}x{len(whole)}")
        empty: dict[str, int | None] = dict.fromkeys(Totals.__dataclass_fields__)
        found = tuple(
            Census(ask(board), "inclusion", (), Carried("before", Totals(**empty | {column: term})))
            for board, term in zip(on.boards, whole, strict=True)
        )
        before = f"n = 1 to {len(old)}"
        yield submission(entry["id"], Terms(column, on, found), before, entry["how"], entry["first"])


def rows_continued() -> Iterator[Submission]:
    """Yield the rows of triangles of the OEIS that noughts has; their terms are numbered by marks."""
    for entry in further():
        if entry["id"] in COLUMNS:
            continue
        name, first = entry["id"].split()[0], entry["first"]
        last = first + len(entry["terms"]) - 1
        draft = f"Name: {name}, row n = 5: {entry['what']}\nData: {', '.join(entry['terms'])}\n"
        draft += "".join(
            f"Program: (Shell) {command} # noughts {noughts.__version__}\n" for command in entry["commands"]
        )
        draft += f"Extensions: T(5,{first})-T(5,{last}) from _Your Name_, {entry['how']}\n"
        bfile = "".join(f"{k} {term}\n" for k, term in enumerate(entry["terms"], first))
        before = f"row 5 to k = {first - 1}" if first else "rows 1 to 4"
        said, command = f"row 5, k = {first} to {last}", entry["commands"][0]
        yield Submission(f"{name}-row-5", before, said, entry["how"], command, draft, bfile)


def begun() -> Iterator[Submission]:
    """Yield the sequences that none of the carried ones is."""
    for text in NEW:
        on = parse_range(text)
        found = tuple(map(census_of, on.boards))
        rows = [games()[spec] for board in on.boards for spec, _ in turned_boards(board) if spec in games()]
        alone = [row["board"] for row in rows if "second" not in row]
        took = format_duration(sum(row["seconds"] for row in rows))
        how = f"by two engines{' but ' * bool(alone)}{listed(alone) if alone else ''} in {took}"
        low, high = (each.replace(":", "-") for each in text.split(".."))
        yield submission(f"games-{low}-to-{high}", Terms("finished", on, found), "", how)
    on, tables = parse_range(CHOICES), {table["board"]: table for table in load("choices.toml")["table"]}
    counted = tuple(noughts.count(board, same="choices") for board in on.boards[:-1])
    last = noughts.count(on.boards[-1], same="choices")
    assert last.carried is not None
    assert on.boards[-1].spec in tables
    terms = Terms("finished", on, (*counted, last))
    yield submission(
        "games-by-choices",
        terms,
        "n = 3 (mathrec.org, 2002)",
        "for n = 5 by one engine from ply 11 on, within 3 deviations of random games",
    )


def shown(of: Iterable[Submission]) -> Iterator[str]:
    """Yield the sequences as a list, those of which the same is known together."""
    for (before, new, how), together in groupby(of, lambda each: each[1:4]):
        named = ", ".join(f"[{each.stem}](oeis/{each.stem}.txt) ([terms](oeis/b-{each.stem}.txt))" for each in together)
        yield f"- {named}. New: {new}, {how}.{' Known before: ' * bool(before)}{before}{'.' * bool(before)}"
    yield ""


def of_games() -> Iterator[str]:
    """Yield the section on games and positions."""
    published = next(entry for entry in numbers("sequence") if entry["id"] == "A061526")
    squares = {f"{n}x{n}:{n}" for n in range(1, len(published["terms"]) + 1)}
    new = [
        row for spec, row in games().items() if spec not in squares and Board.parse(spec).lines and spec[-2:] != ":1"
    ]
    checked = sum("second" in row for row in new)
    before = f"n in a row on n x n for n = 1 to {len(squares)} (OEIS A061526 to A061529)"
    seconds = format_duration(sum(row["seconds"] for row in new))
    yield GAMES.format(before=before, many=len(new), checked=checked, seconds=seconds).rstrip("\n")
    yield ""
    for row in load("games.toml")["positions"]:
        cost = f"{format_duration(row['seconds'])}, {row['memory']}"
        yield f"- {row['board']}: {int(row['positions']):,} positions, {int(row['classes']):,} classes; {cost}."
    yield ""


def of_choices() -> Iterator[str]:
    """Yield the section on games by choices."""
    yield BY_CHOICES
    for each in load("choices.toml")["table"]:
        x, o, drawn = (sum(int(row[column]) for row in each["rows"]) for column in (3, 4, 5))
        yield f"- {each['board']}: {x + o + drawn:,} games: {x:,} won by X, {o:,} won by O, {drawn:,} drawn."
    yield ""


def of_values() -> Iterator[str]:
    """Yield the section on values that nobody published, as far as the sources say."""
    yield VALUES
    named = {Board.parse(spec) for spec in numbers("values")[0]["win"] + numbers("values")[0]["draw"]}
    new = [
        row for row in boards() if "engine" in row and "source" not in row and Board.parse(row["board"]) not in named
    ]
    at_once = [row for row in new if row["engine"] == "blocking" and row["positions"] == 0]
    shown = [row for row in new if row not in at_once]
    for said, value in (("X wins", "X"), ("O wins", "O"), ("Drawn", "draw")):
        found = [row for row in shown if row["value"] == value]
        if found:
            yield f"- {said}: {', '.join(map(_value, found))}."
    yield f"- Not listed: {len(at_once)} draws by pairs or weights alone."
    yield ""
    took = (f"{each['board']} {each['source'].partition(';')[0]}" for each in load("values.toml")["table"])
    yield BY_PLY.format(boards=", ".join(took).replace("computed by noughts solve ", ""))


def _value(row: dict[str, Any]) -> str:
    return f"{row['board']} ({row['seconds']:g} s)"


def by_one_method() -> Iterator[str]:
    """Yield the section on what rests on one engine."""
    yield ALONE
    if alone := ["{board} ({check})".format(**row) for row in games().values() if "second" not in row]:
        yield f"- Games: {'; '.join(alone)}."
    if positions := [row["board"] for row in load("games.toml")["positions"] if "second" not in row]:
        yield f"- Positions that are won: {listed(positions)}."
    choices = listed(each["board"] for each in load("choices.toml")["table"])
    yield f"- Games by choices from ply 11 on: {choices}. At each ply they"
    yield f"  fit {sampling.GAMES:,} random games (`verify --all`), unless fewer than {sampling.ENOUGH:,} end there."
    by_ply = listed(each["board"] for each in load("values.toml")["table"])
    yield f"- Values by ply: {by_ply}. At each ply they fit {sampling.VALUED:,} random boards that the search values."
    yield "- [Values](values.md#on-a-torus-and-misere) on a torus and under misere; `noughts solve BOARD --proof FILE`"
    yield "  writes certificates of most."
    values = [row["board"] for row in boards() if "engine" in row and "bytes" not in row]
    if values:
        yield f"- Values without a proof: {listed(values)}."
    yield ""


def page() -> str:
    """Return the whole page."""
    lines = [HEAD, "## Sequences to submit", "", SUBMIT, *shown([*continued(), *rows_continued()])]
    lines += ["Sequences that noughts knows nowhere:", "", *shown(begun())]
    lines += [*of_games(), *of_choices(), *of_values(), OTHERS, *by_one_method()]
    return "\n".join(lines).rstrip("\n") + "\n"


def files() -> dict[str, str]:
    """Return the drafts and b-files by name."""
    found = [*continued(), *rows_continued(), *begun()]
    drafts = {f"{each.stem}.txt": each.draft for each in found}
    return drafts | {f"b-{each.stem}.txt": each.bfile for each in found}


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        FILES.mkdir(exist_ok=True)
        for name, text in files().items():
            (FILES / name).write_text(text, encoding="utf-8")
    else:
        print(page())
