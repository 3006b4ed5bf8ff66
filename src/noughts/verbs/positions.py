"""`noughts positions`: position classes or labelled positions, filtered, as pictures or data."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from noughts.analysis.explain.facts import LABELS, counted, moves_to_win
from noughts.analysis.records.api import Positions, positions
from noughts.analysis.records.record import Record
from noughts.counting.question import command_of
from noughts.present.forms import Forms, chart_forms
from noughts.present.report import Block, How, Look, Paragraph, Pictures, Report, try_next
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.values import decimal_digits
from noughts.verbs.request import (
    PICTURES,
    Caller,
    PlayRules,
    VerbAnswer,
    argument,
    option,
)

if TYPE_CHECKING:
    from noughts.drawing.sheets import SheetBoard, SheetSection
    from noughts.drawing.svg import Svg
    from noughts.rules.play import EndRule
    from noughts.rules.symmetry import Shape


@dataclass(frozen=True, kw_only=True)
class PositionsRequest(PlayRules):
    """List the position classes of BOARD, with pictures; conditions combine.

    Each class is shown by its canonical position, which names it. With --same labelled every board is listed. With
    --moves, --x-moves, --o-moves and --end (line or decided): what players who keep to these rules reach, and how many
    of their games go through each.
    """

    forms = ("text", "json", "jsonl", "csv", "markdown", *PICTURES)

    board: str | Board = argument(default="3x3")
    same: Literal["labelled", "symmetry"] = option(
        "Every board, or one of each class.", "symmetry", choices=("labelled", "symmetry")
    )
    ply: int | None = option("With N marks.", metavar="N")
    terminal: bool = option("The game is over.", False)
    unfinished: bool = option("Play goes on.", False)
    won: str | None = option("Won by this player, or by either.", choices=("X", "O", "any"))
    drawn: bool = option("Full, without a line.", False)
    decision: bool = option("Unfinished, more than one blank cell.", False)
    real_decision: bool = option("A decision with no win to take or to block.", False)
    to_move: str | None = option("Whose turn it is by the marks, finished games included.", choices=("X", "O"))
    label: str | None = option(
        'Such as "X can force a win" or "either can force a draw".', choices=LABELS, metavar="LABEL"
    )
    trap: bool = option("The side to move has a move that loses and another that does not.", False)
    fork: bool = option("The last mover has two or more threats.", False)
    symmetric: bool = option("A turn or flip keeps the position.", False)
    matchbox: bool = option("A decision of X, as in MENACE.", False)
    limit: int | None = option("Show the first N only; all are counted.", least=0, metavar="N")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the positions that meet the conditions."""
        conditions = self.parts(
            *("ply", "terminal", "unfinished", "won", "drawn", "decision", "real_decision", "to_move", "label"),
            *("trap", "fork", "symmetric", "matchbox"),
        )
        found = positions(self.board, same=self.same, **conditions, **self.play)
        return VerbAnswer(found, forms(found, caller.look, limit=self.limit))


_DIGITS = 1_000
"""Numbers with more digits are left to JSON."""


def forms(found: Positions, look: Look, *, limit: int | None = None) -> Forms:
    """Return positions in every form: the first `limit` of them, all unless given."""
    listing = _Listing(found, found.records[:limit])

    def pages(paper: str) -> Sequence[Svg]:
        from noughts.drawing.sheets import sheet_pages

        return sheet_pages(*_sheet(listing), listing.found.heading, paper, look.theme)

    return {
        "text": lambda: as_text(_report(listing), look),
        "json": lambda: _as_json(listing),
        "jsonl": lambda: "".join(json.dumps(r.as_dict(), separators=(",", ":")) + "\n" for r in listing.shown),
        "csv": lambda: _as_rows(listing, "csv"),
        "markdown": lambda: _as_rows(listing, "markdown"),
        **chart_forms(
            lambda: sheet(found, look.theme, limit=limit), pages, look=replace(look, paper=look.paper or "a4")
        ),
    }


def sheet(found: Positions, theme: str = "light", *, limit: int | None = None) -> Svg:
    """Return positions as one sheet of boards: the first `limit` of them, all unless given."""
    from noughts.drawing.sheets import draw_sheet

    shown = found.records[:limit]
    heading = found.heading
    if len(shown) < len(found):
        heading += f" The first {len(shown):,} are shown." if len(shown) != 1 else " The first is shown."
    return draw_sheet(*_sheet(_Listing(found, shown)), heading, theme)


@dataclass(frozen=True)
class _Listing:
    """What was found, and the records to show."""

    found: Positions
    shown: tuple[Record, ...]


def _as_json(listing: _Listing) -> str:
    records = ",\n  ".join(json.dumps(record.as_dict()) for record in listing.shown)
    body = f"[\n  {records}\n ]" if records else "[]"
    return json.dumps(listing.found.summary(), indent=1)[:-2] + f',\n "positions": {body}\n}}\n'


def _as_rows(listing: _Listing, form: str) -> str:
    from noughts.exporting.columns import CLASSES, POSITIONS, chunked, class_row, position_row
    from noughts.exporting.files import write_csv, write_markdown

    table, row = (POSITIONS, position_row) if listing.found.same == "labelled" else (CLASSES, class_row)
    write = write_csv if form == "csv" else write_markdown
    file = io.StringIO()
    write(table, chunked(map(row, listing.shown)), file)
    return file.getvalue()


def caption(record: Record, end: EndRule = "line") -> str:
    """Return a short line for a board: who won, or who wins with best play and how soon, in what the legend names."""
    if record.is_terminal:
        return "drawn" if record.outcome == "draw" else f"{record.outcome} won"
    if record.outcome == "draw":
        return "draw"
    return f"{record.outcome} in {moves_to_win(record.remoteness) if end == 'line' else record.remoteness}"


def legend(found: Positions, records: Sequence[Record]) -> str:
    """Return what the captions of these records say, and in which unit."""
    end = found.question.end
    over = [record for record in records if record.is_terminal]
    going_on = [record for record in records if not record.is_terminal]
    soon = f" and how soon, in {counted(found.board, end)}" * any(record.outcome != "draw" for record in going_on)
    won = [record for record in over if record.outcome != "draw"]
    said = ["whose win is decided (won)" if end == "decided" else "who won"] * bool(won)
    said += ["that it is drawn"] * (len(won) < len(over))
    said += [f"who wins with best play{soon}"] * bool(going_on)
    words = ", or ".join(said)
    if found.is_ruled:
        how = "by choices, " if found.same == "symmetry" else ""
        words += f"; how many games under these rules go through it ({how}of {found.start_games:,})"
    return f"Under each board: {words}."


def _by_ply(records: Sequence[Record]) -> dict[int, list[Record]]:
    found: dict[int, list[Record]] = {}
    for record in records:
        found.setdefault(record.ply, []).append(record)
    return found


def _headings(listing: _Listing) -> dict[int, str]:
    """Return for each ply how many positions there are, and how many of them are shown where not all are."""
    shown = _by_ply(listing.shown)
    found = {}
    for ply, records in _by_ply(listing.found.records).items():
        part = len(shown.get(ply, ()))
        found[ply] = f"Ply {ply}: {len(records):,}" + (f", {part:,} of them shown" if part < len(records) else "")
    return found


def _report(listing: _Listing) -> Report:
    sections: list[list[Block | str]] = []
    headings = _headings(listing)
    for ply, records in _by_ply(listing.shown).items():
        pictures = tuple(_picture(record, _captions(listing.found, record)) for record in records)
        sections += [[headings[ply]], [Pictures(pictures)]]
    if 0 < len(listing.shown) < len(listing.found):
        first = "The first of" if len(listing.shown) == 1 else f"The first {len(listing.shown):,} of"
        are = "is" if len(listing.shown) == 1 else "are"
        sections.append([f"{first} {len(listing.found):,} {are} shown."])
    if listing.shown:
        sections.append([legend(listing.found, listing.shown)])
    if listing.found.selection.conditions.keys() & {"decision", "real_decision", "matchbox"}:
        sections.append(_bots(listing.found.bots))
    within = " within the rules" if listing.found.is_ruled else ""
    how = How(f"play from the empty board{within} reaches each; values go back from the ends.")
    return Report.of([listing.found.heading], *sections, [how, try_next(*_next_commands(listing))])


def _captions(found: Positions, record: Record) -> list[str]:
    """Return what stands under a board: the verdict, and where rules bind play the games that still go through it."""
    said = caption(record, found.question.end)
    if not found.is_ruled:
        return [said]
    games = found.games(record)
    return [said, f"{games:,} game{'s' * (games != 1)}"]


def _bots(bots: int) -> list[Block | str]:
    """Return the number of bots that differ, in groups of three digits, unless it fills more than a screen."""
    head = "Bots that differ in these, with one of the distinct choices at each:"
    if bots < 10**60:
        return [f"{head} {bots:,}."]
    digits = decimal_digits(bots)
    if len(digits) > _DIGITS:
        return [f"{head} a number of {len(digits):,} digits, which --format json gives."]
    first = len(digits) % 3
    groups = [digits[:first]] * bool(first) + [digits[at : at + 3] for at in range(first, len(digits), 3)]
    return [f"{head} a number of {len(digits)} digits.", Paragraph(" ".join(groups), "  ", "  ")]


def _next_commands(listing: _Listing) -> list[str]:
    board = listing.found.board
    if listing.found.is_ruled:
        rules = command_of(listing.found.question).partition(" --same choices ")[2]
        return [f"noughts count {board} --same choices {rules}", f"noughts site {board} {rules} -o pages"]
    found = next((record for record in listing.shown if not record.is_terminal), None)
    return [
        _explained(found) if found else f"noughts positions {board} --decision --limit 20",
        f"noughts export {board} -o {str(board).partition(':')[0]}.sqlite",
    ]


def _explained(record: Record) -> str:
    place = f" '{record.position}'" if record.ply else ""
    return f"noughts explain {record.board}{place}"


def _picture(record: Record, captions: Sequence[str]) -> tuple[str, ...]:
    """Return a board as lines of text with its captions, all of one width."""
    layers = [layer.split("/") for layer in str(record.position).split("|")]
    lines = ["   ".join(" ".join(layer[row]) for layer in layers) for row in range(len(layers[0]))]
    lines += captions
    wide = max(map(len, lines))
    return tuple(line.ljust(wide) for line in lines)


def _sheet(listing: _Listing) -> tuple[Shape, list[SheetSection]]:
    from noughts.drawing.figures import shape_of
    from noughts.drawing.sheets import SheetSection

    headings = _headings(listing)
    sections = [
        SheetSection(headings[ply], [_sheet_board(listing.found, record) for record in records])
        for ply, records in _by_ply(listing.shown).items()
    ]
    if listing.shown:
        sections.append(SheetSection(legend(listing.found, listing.shown), []))
    return shape_of(listing.found.board), sections


def _sheet_board(found: Positions, record: Record) -> SheetBoard:
    from noughts.drawing.figures import lines_of, marks_of
    from noughts.drawing.sheets import SheetBoard

    return SheetBoard(marks_of(record.position), _captions(found, record), lines_of(record.position))
