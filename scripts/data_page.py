"""docs/reference/data.md: the datasheet of the exported tables, from the definitions of their columns.

python scripts/data_page.py             print the page
python scripts/data_page.py --write     write it
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.exporting.columns import TABLES, Column, TableSchema
from noughts.exporting.files import FORMATS

PAGE = ROOT / "docs" / "reference" / "data.md"

HEAD = """\
# Data

`noughts export` writes these tables, `noughts query` reads them, and `noughts positions --format csv` prints them.
`scripts/data_page.py` makes this page; the files contain the same descriptions.

- **Contents.** Every reachable position: X moves first, and the game ends at a line or a full board. Every position
  class, and every move between classes.
- **Completeness.** `sum(games)` over the rows of one ply, with the games already over before it, is the number of
  games: 255,168 on 3x3. `sum(orbit)` over `classes` is the number of rows of `positions`.
- **Order.** By ply, then by the canonical sets of X and of O as numbers (bit i is cell i in reading order). Boards of a
  class follow one another, the canonical one first. The same board and version give the same bytes.
- **Words.** Positions are written as on the [command line](command-line.md). The outcome is absolute (X, O, draw); the
  value is for the player to move.
- **Null.** Threats and forks are null under misere, and where marks do not name the players. There X names the first player.
- **Moves.** Under gravity, wild and Notakto the columns are about playable cells and moves, not about blank cells.
- **Queries.** `noughts query` answers as SQLite does, in CSV and frames too: truth is 1 or 0, a list of cells is JSON.

## How kinds of columns are written

| kind | CSV, Markdown | JSON lines | SQLite | Parquet | GraphML |
|---|---|---|---|---|---|
| text | text | string | TEXT | string | string |
| int | digits | number | INTEGER | int64 | long |
| count | digits | decimal string | INTEGER, TEXT above 20 cells | int64, string above 20 cells | long, string above 20 cells |
| real | digits | number | REAL | double | double |
| bool | 1 or 0 | true or false | 1 or 0 | bool | boolean |
| cells | names with spaces | list | list as JSON | list of strings | names with spaces |
| null | empty | null | NULL | null | absent |

A count is at most N!, which fits 63 bits up to 20 cells. On larger boards its column ends in `_text`. A probability is the nearest real
number, with its exact numerator and denominator in columns of their own.
"""

FORMATS_HEAD = "\n## Formats\n\n"


def described(column: Column) -> str:
    """Return what a column means and when it is null."""
    null = f"; null {column.null.partition(',')[0]}" if column.null else ""
    return f"{column.meaning}{null}"


def section(table: TableSchema, known: list[Column]) -> str:
    """Return the section of a table; its columns that the page has described before are only named."""
    before = [column for column in table.columns if column in known]
    new = [column for column in table.columns if column not in known]
    rows = [f"- `{column.name}` ({column.kind}): {described(column)}" for column in new]
    known += new
    as_before = f"Columns as above: {', '.join(f'`{column.name}`' for column in before)}.\n\n" if before else ""
    head = f"\n## Table `{table.name}`\n\nA row is {table.row}. {as_before}".rstrip()
    return head + "\n\n" + "\n".join(rows) + "\n"


def page() -> str:
    """Return the whole page."""
    formats = "\n".join(f"- `.{ending}`: {meaning}" for ending, meaning in FORMATS.items())
    known: list[Column] = []
    return HEAD + FORMATS_HEAD + formats + "\n" + "".join(section(table, known) for table in TABLES.values())


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
