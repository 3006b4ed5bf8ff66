"""`noughts positions`: position classes or labelled positions, filtered, as pictures or data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noughts.cli.output import deliver

if TYPE_CHECKING:
    from noughts.records.record import Record
    from noughts.records.selection import Selection

__all__ = ["positions"]

_FORMS = ("text", "json", "jsonl", "csv", "markdown", "svg", "png", "pdf")
_CONDITIONS = (
    "ply",
    "terminal",
    "unfinished",
    "won",
    "drawn",
    "decision",
    "real_decision",
    "to_move",
    "label",
    "trap",
    "fork",
    "symmetric",
    "matchbox",
)


@click.command(short_help="List and draw positions, by any condition.")
@click.argument("board", default="3x3")
@click.option("--same", metavar="labelled|symmetry", default="symmetry", help="Every board, or one of each class.")
@click.option("--ply", type=int, metavar="N", help="With N marks.")
@click.option("--terminal", is_flag=True, help="The game is over.")
@click.option("--unfinished", is_flag=True, help="Play goes on.")
@click.option("--won", metavar="X|O", help="Won by this player.")
@click.option("--drawn", is_flag=True, help="Full, without a line.")
@click.option("--decision", is_flag=True, help="Unfinished, more than one blank cell.")
@click.option("--real-decision", is_flag=True, help="A decision with no win to take or to block.")
@click.option("--to-move", metavar="X|O", help="Whose turn it is by the marks.")
@click.option("--label", metavar="LABEL", help='As in "X can force a win" or "either can force a draw".')
@click.option("--trap", is_flag=True, help="The side to move has a move that loses and another that does not.")
@click.option("--fork", is_flag=True, help="The last mover has two or more threats.")
@click.option("--symmetric", is_flag=True, help="A turn or flip keeps the position.")
@click.option("--matchbox", is_flag=True, help="A decision of X, as in MENACE.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Show the first N only; all are counted.")
@click.option("--format", "form", metavar="|".join(_FORMS), default="text", help="How to print.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def positions(**given: Any) -> None:
    """List the position classes of BOARD, with pictures; conditions combine.

    Each class is shown by its canonical position, which names it. With --same labelled every board is listed.
    """
    from noughts.cli.choices import one_of
    from noughts.records.catalogue import catalogue
    from noughts.records.selection import Selection

    one_of("--format", given["form"], _FORMS)
    one_of("--same", given["same"], ("labelled", "symmetry"))
    conditions = {name: given[name] for name in _CONDITIONS}
    for name in ("won", "to_move"):
        conditions[name] = conditions[name] and conditions[name].upper()
    selection = Selection(**conditions)
    from noughts.domain.board import Board

    selection.on(Board.parse(given["board"]))
    found = catalogue(given["board"])
    classes = found.where(selection)
    boards = list(found.labelled(classes)) if given["same"] == "labelled" else classes
    shown = boards if given["limit"] is None else boards[: given["limit"]]
    listing = Listing(found.board.spec, given["same"], selection, boards, shown)
    data = _rendered(listing, given["form"])
    deliver(data, given["output"], force=given["force"])


class Listing:
    """What was asked for and what was found: all records, and those to show."""

    def __init__(self, board: str, same: str, selection: Selection, found: list[Record], shown: list[Record]) -> None:
        self.board, self.same, self.selection, self.found, self.shown = board, same, selection, found, shown

    def heading(self) -> str:
        """Return the count in words, split by outcome where all are finished."""
        from noughts.domain.board import Board

        board = Board.parse(self.board)
        number = len(self.found)
        noun = "position class" if self.same == "symmetry" else "position"
        plural = noun + ("" if number == 1 else "es" if self.same == "symmetry" else "s")
        said = [f"{self.board}: {number:,} {plural}", *self.selection.words(board)]
        text = said[0] + (" " + " and ".join(said[1:]) if said[1:] else "")
        if number and all(record.is_terminal for record in self.found):
            split = [
                (sum(record.outcome == who for record in self.found), word)
                for who, word in (("X", "won by X"), ("O", "won by O"), ("draw", "drawn"))
            ]
            if sum(count > 0 for count, _ in split) > 1:
                text += " = " + " + ".join(f"{count:,} {word}" for count, word in split)
        how = "under the symmetries of the board" if self.same == "symmetry" else "cells distinguishable"
        return f"{text} ({how})."


def _rendered(listing: Listing, form: str) -> str | bytes:
    if form == "text":
        return _for_people(listing)
    if form == "json":
        return _as_json(listing)
    if form == "jsonl":
        import json

        return "".join(json.dumps(record.as_dict(), separators=(",", ":")) + "\n" for record in listing.shown)
    if form in ("csv", "markdown"):
        return _as_rows(listing, form)
    return _as_pictures(listing, form)


def _as_json(listing: Listing) -> str:
    import json
    from dataclasses import asdict

    conditions = {name: value for name, value in asdict(listing.selection).items() if value not in (None, False)}
    head = {
        "board": listing.board,
        "same": listing.same,
        "where": conditions,
        "heading": listing.heading(),
        "count": str(len(listing.found)),
    }
    records = ",\n  ".join(json.dumps(record.as_dict()) for record in listing.shown)
    body = f"[\n  {records}\n ]" if records else "[]"
    return json.dumps(head, indent=1)[:-2] + f',\n "positions": {body}\n}}\n'


def _as_rows(listing: Listing, form: str) -> str:
    import io

    from noughts.export.columns import CLASSES, POSITIONS
    from noughts.export.rows import class_row, position_row
    from noughts.export.text import write_csv, write_markdown

    table, row = (CLASSES, class_row) if listing.same == "symmetry" else (POSITIONS, position_row)
    file = io.StringIO()
    (write_csv if form == "csv" else write_markdown)(_Rows([row(record) for record in listing.shown]), table, file)
    return file.getvalue()


class _Rows:
    """Some rows as a source for the writers of tables."""

    def __init__(self, rows: list[tuple[object, ...]]) -> None:
        self._rows = rows

    def chunks(self, table: object) -> Any:
        from noughts.export.rows import chunked

        return chunked(self._rows)


def caption(record: Record) -> str:
    """Return a short line for a board: who won, or who wins and in how many plies."""
    if record.is_terminal:
        return "drawn" if record.outcome == "draw" else f"{record.outcome} won"
    return "draw" if record.outcome == "draw" else f"{record.outcome} in {record.remoteness}"


def _by_ply(records: list[Record]) -> dict[int, list[Record]]:
    found: dict[int, list[Record]] = {}
    for record in records:
        found.setdefault(record.ply, []).append(record)
    return found


def _for_people(listing: Listing) -> str:
    from noughts.cli.tables import width, wrapped

    lines = [wrapped(listing.heading()), ""]
    for ply, records in _by_ply(listing.shown).items():
        lines += [f"Ply {ply}: {len(records):,}", ""]
        lines += _side_by_side([_picture(record) for record in records], width())
    if len(listing.shown) < len(listing.found):
        lines += [f"The first {len(listing.shown):,} of {len(listing.found):,} are shown.", ""]
    if listing.shown:
        lines += ["Under each board: who wins with best play, and in how many plies.", ""]
    lines.append(
        wrapped("How we know: each was reached by play from the empty board, and values go back from the ends.")
    )
    lines += ["Try next:", *(f"  {command}" for command in _next_commands(listing))]
    return "\n".join(lines) + "\n"


def _next_commands(listing: Listing) -> list[str]:
    same = f" --same {listing.same}" if listing.same == "labelled" else ""
    first = f"noughts positions {listing.board}{same} --format json"
    found = next((record for record in listing.shown if not record.is_terminal), None)
    second = (
        f"noughts explain {listing.board} '{found.position}'" if found else f"noughts count {listing.board} --check"
    )
    return [first, second]


def _picture(record: Record) -> list[str]:
    """Return a board as lines of text with its caption, all of one width."""
    text = str(record.position)
    layers = [layer.split("/") for layer in text.split("|")]
    lines = ["   ".join(" ".join(layer[row]) for layer in layers) for row in range(len(layers[0]))]
    lines.append(caption(record))
    wide = max(map(len, lines))
    return [line.ljust(wide) for line in lines]


def _side_by_side(pictures: list[list[str]], width: int) -> list[str]:
    """Return pictures in rows as wide as the width allows, with a blank line after each row."""
    wide = max(len(picture[0]) for picture in pictures)
    columns = max(1, (width + 3) // (wide + 3))
    lines = []
    for start in range(0, len(pictures), columns):
        row = pictures[start : start + columns]
        lines += ["   ".join(picture[i].ljust(wide) for picture in row).rstrip() for i in range(len(row[0]))]
        lines.append("")
    return lines


def _as_pictures(listing: Listing, form: str) -> str | bytes:
    from noughts.domain.bits import cells_of
    from noughts.domain.board import Board
    from noughts.drawing.files import to_pdf, to_png
    from noughts.drawing.sheet import SheetBoard, SheetSection, draw_sheet, sheet_pages

    def board_of(record: Record) -> SheetBoard:
        lined = [*record.position.completed_lines("X"), *record.position.completed_lines("O")]
        marks = "".join(record.position.mark_at(cell) or "." for cell in range(board.cells))
        return SheetBoard(marks, [caption(record)], [tuple(cells_of(line)) for line in lined])

    board = Board.parse(listing.board)
    shape = board.shape or (1, board.cells, 1)
    sections = [
        SheetSection(f"Ply {ply}: {len(records):,}", [board_of(record) for record in records])
        for ply, records in _by_ply(listing.shown).items()
    ]
    title = listing.heading()
    if form == "pdf":
        return to_pdf(sheet_pages(shape, sections, title), "a4")
    sheet = draw_sheet(shape, sections, title)
    return str(sheet) if form == "svg" else to_png(sheet)
