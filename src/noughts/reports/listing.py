"""How a selection of records is shown: as pictures side by side, as data, or as a sheet."""

from __future__ import annotations

import io
import json
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.records.catalogue import Catalogue
from noughts.records.record import Record
from noughts.records.selection import Selection
from noughts.reports.tables import width, wrapped

if TYPE_CHECKING:
    from noughts.drawing.sheet import SheetBoard

__all__ = ["caption", "rendered"]


def rendered(
    catalogue: Catalogue, selection: Selection, form: str, *, labelled: bool = False, limit: int | None = None
) -> str | bytes:
    """Return the records that a selection admits in one of the formats; a PNG or PDF as bytes."""
    classes = catalogue.where(selection)
    found = list(catalogue.labelled(classes)) if labelled else classes
    listing = _Listing(catalogue, selection, labelled, found, found[:limit])
    if form == "text":
        return _for_people(listing)
    if form == "json":
        return _as_json(listing)
    if form == "jsonl":
        return "".join(json.dumps(record.as_dict(), separators=(",", ":")) + "\n" for record in listing.shown)
    if form in ("csv", "markdown"):
        return _as_rows(listing, form)
    return _as_pictures(listing, form)


@dataclass(frozen=True)
class _Listing:
    """What was asked for and what was found: all records, and those to show."""

    catalogue: Catalogue
    selection: Selection
    labelled: bool
    found: list[Record]
    shown: list[Record]

    @property
    def heading(self) -> str:
        """The count in words, split by outcome where all games are over."""
        said = "; ".join(self.selection.words(self.catalogue.board))
        split = self._split()
        turns = "a turn, flip or shift" if self.catalogue.board.torus else "a turn or flip"
        how = "Cells are distinguishable" if self.labelled else f"Boards alike up to {turns} count once"
        return f"{self.catalogue.board}: {self._number()}{f' ({said})' if said else ''}{split}. {how}."

    def _number(self) -> str:
        catalogue = self.catalogue
        all_of_them = catalogue.boards if self.labelled else len(catalogue)
        noun = "position" if self.labelled else "position class"
        nouns = "positions" if self.labelled else "position classes"
        if self.selection.is_empty:
            return f"{all_of_them:,} {noun if all_of_them == 1 else nouns}"
        return f"{len(self.found):,} of {all_of_them:,} {nouns}"

    def _split(self) -> str:
        if not self.found or not all(record.is_terminal for record in self.found):
            return ""
        parts = {
            "won by X": sum(record.outcome == "X" for record in self.found),
            "won by O": sum(record.outcome == "O" for record in self.found),
            "drawn": sum(record.outcome == "draw" for record in self.found),
        }
        said = [f"{number:,} {word}" for word, number in parts.items() if number]
        return ": " + " + ".join(said) if len(said) > 1 else ""


def _as_json(listing: _Listing) -> str:
    head = {
        "board": listing.catalogue.board.spec,
        "same": "labelled" if listing.labelled else "symmetry",
        "where": listing.selection.conditions,
        "heading": listing.heading,
        "count": str(len(listing.found)),
    }
    records = ",\n  ".join(json.dumps(record.as_dict()) for record in listing.shown)
    body = f"[\n  {records}\n ]" if records else "[]"
    return json.dumps(head, indent=1)[:-2] + f',\n "positions": {body}\n}}\n'


def _as_rows(listing: _Listing, form: str) -> str:
    from noughts.exporting.columns import CLASSES, POSITIONS
    from noughts.exporting.rows import chunked, class_row, position_row
    from noughts.exporting.text import write_csv, write_markdown

    table, row = (POSITIONS, position_row) if listing.labelled else (CLASSES, class_row)
    write = write_csv if form == "csv" else write_markdown
    file = io.StringIO()
    write(table, chunked(map(row, listing.shown)), file)
    return file.getvalue()


def caption(record: Record) -> str:
    """Return a short line for a board: who won, or who wins with best play and in how many plies."""
    if record.is_terminal:
        return "drawn" if record.outcome == "draw" else f"{record.outcome} won"
    return "draw" if record.outcome == "draw" else f"{record.outcome} in {record.remoteness}"


def _by_ply(records: list[Record]) -> dict[int, list[Record]]:
    found: dict[int, list[Record]] = {}
    for record in records:
        found.setdefault(record.ply, []).append(record)
    return found


def _for_people(listing: _Listing) -> str:
    lines = [wrapped(listing.heading), ""]
    for ply, records in _by_ply(listing.shown).items():
        lines += [f"Ply {ply}: {len(records):,}", ""]
        lines += _side_by_side([_picture(record) for record in records])
    if 0 < len(listing.shown) < len(listing.found):
        lines += [f"The first {len(listing.shown):,} of {len(listing.found):,} are shown.", ""]
    if listing.shown:
        lines += ["Under each board: who has won, or who wins with best play and in how many plies.", ""]
    lines.append(wrapped("How we know: play from the empty board reaches each; values go back from the ends."))
    lines += ["Try next:", *(f"  {command}" for command in _next_commands(listing))]
    return "\n".join(lines) + "\n"


def _next_commands(listing: _Listing) -> list[str]:
    board = listing.catalogue.board
    found = next((record for record in listing.shown if not record.is_terminal), None)
    return [
        f"noughts explain {board} '{found.position}'" if found else f"noughts positions {board} --decision --limit 20",
        f"noughts export {board} -o {str(board).partition(':')[0]}.sqlite",
    ]


def _picture(record: Record) -> list[str]:
    """Return a board as lines of text with its caption, all of one width."""
    layers = [layer.split("/") for layer in str(record.position).split("|")]
    lines = ["   ".join(" ".join(layer[row]) for layer in layers) for row in range(len(layers[0]))]
    lines.append(caption(record))
    wide = max(map(len, lines))
    return [line.ljust(wide) for line in lines]


def _side_by_side(pictures: list[list[str]]) -> list[str]:
    """Return pictures in rows as wide as the terminal allows, with a blank line after each row."""
    wide = max(len(picture[0]) for picture in pictures)
    columns = max(1, (_room() + 3) // (wide + 3))
    lines = []
    for start in range(0, len(pictures), columns):
        row = pictures[start : start + columns]
        lines += ["   ".join(picture[i].ljust(wide) for picture in row).rstrip() for i in range(len(row[0]))]
        lines.append("")
    return lines


def _room() -> int:
    """Return how wide a row of pictures may be: all of the terminal, or what a table takes in a pipe."""
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else width()


def _as_pictures(listing: _Listing, form: str) -> str | bytes:
    from noughts.drawing.figures import shape_of
    from noughts.drawing.files import to_pdf, to_png
    from noughts.drawing.sheet import SheetSection, draw_sheet, sheet_pages

    board = listing.catalogue.board
    shape = shape_of(board)
    sections = [
        SheetSection(f"Ply {ply}: {len(records):,}", [_sheet_board(record) for record in records])
        for ply, records in _by_ply(listing.shown).items()
    ]
    if form == "pdf":
        return to_pdf(sheet_pages(shape, sections, listing.heading), "a4")
    sheet = draw_sheet(shape, sections, listing.heading)
    return str(sheet) if form == "svg" else to_png(sheet)


def _sheet_board(record: Record) -> SheetBoard:
    from noughts.drawing.figures import lines_of, marks_of
    from noughts.drawing.sheet import SheetBoard

    return SheetBoard(marks_of(record.position), [caption(record)], lines_of(record.position))
