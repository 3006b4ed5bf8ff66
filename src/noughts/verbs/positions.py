"""`noughts positions`: position classes or labelled positions by conditions, as pictures or data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from noughts.analysis.explain.wording import LABELS, counted, length_rule, moves_to_win, read_label
from noughts.analysis.records.api import Positions, positions
from noughts.analysis.records.full import FullRecord
from noughts.analysis.records.record import Record
from noughts.counting.question import command_of
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.sheets import SheetBoard, SheetSection, draw_sheet
from noughts.present.forms import Forms, chart_forms, sheet_forms
from noughts.present.report import Block, How, Look, Paragraph, Pictures, Report, Table, as_csv, as_markdown, try_next
from noughts.present.text import LAYOUTS, as_text, rows_of
from noughts.rules.board import Board
from noughts.rules.values import decimal_digits
from noughts.verbs.request import PICTURES, Caller, RuledRequest, VerbAnswer, argument, option

if TYPE_CHECKING:
    from noughts.drawing.svg import Svg
    from noughts.rules.play import EndRule


@dataclass(frozen=True, kw_only=True)
class PositionsRequest(RuledRequest):
    """Position classes of BOARD that satisfy all conditions, with pictures.

    The canonical position of a class names it. With --same labelled every board is listed. With --moves, --x-moves,
    --o-moves or --end the positions are those reachable under these rules. Each then has the number of games that pass
    through it. With --end full no line ends the game, and a position has no value.
    """

    forms = ("text", "json", "jsonl", "csv", "markdown", *PICTURES)

    board: str | Board = argument(default="3x3")
    same: Literal["labelled", "symmetry"] = option(
        "Every board, or one of each class", "symmetry", choices=("labelled", "symmetry")
    )
    ply: int | None = option("Number of marks", metavar="N")
    terminal: bool = option("Finished games only", False)
    unfinished: bool = option("Unfinished games only", False)
    won: str | None = option("Winner of a finished game", choices=("X", "O", "any"))
    drawn: bool = option("Drawn boards only", False)
    decision: bool = option("Decisions only: unfinished, two blank cells or more", False)
    real_decision: bool = option("Decisions without a win to take or to block", False)
    to_move: str | None = option("Player to move by the marks, also in finished games", choices=("X", "O"))
    label: str | None = option(
        'Label, such as "X can force a win" or "either can force a draw"; also "X control", "force tie"',
        choices=LABELS,
        also=read_label,
        metavar="LABEL",
    )
    trap: bool = option("Traps only: one move loses and another does not", False)
    fork: bool = option("Forks only: the last player has two threats or more", False)
    symmetric: bool = option("Positions with a symmetry only", False)
    matchbox: bool = option("Decisions of X only, as in MENACE", False)
    layout: str = option(
        "Boards in text: X . O with captions; X-O, five a row, endings by winner; or with lines like ---+---+---",
        "dots",
        choices=LAYOUTS,
        where="commands",
    )
    limit: int | None = option("Maximum number of positions to show; the count covers all", least=0, metavar="N")

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the positions that meet the conditions."""
        conditions = self.parts(
            *("ply", "terminal", "unfinished", "won", "drawn", "decision", "real_decision", "to_move", "label"),
            *("trap", "fork", "symmetric", "matchbox"),
        )
        found = positions(self.board, same=self.same, **conditions, **self.play)
        made = forms(found, caller.look, limit=self.limit, layout=self.layout)
        return VerbAnswer(found, made)

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        yield (
            self.form != "text" and "layout" in self.given,
            "--layout is for text: add --format text, or remove --layout",
        )


_DIGITS = 1_000
"""Most digits of a number in a report."""


def forms(found: Positions, look: Look, *, limit: int | None = None, layout: str = "dots") -> Forms:
    """Return positions in every form: the first `limit`, or all."""
    shown = found.records[:limit]
    whole = chart_forms(lambda: sheet(found, look.theme, limit=limit), look=look)
    pages = sheet_forms(
        lambda: (shape_of(found.board), _sheet(found, shown), found.heading), replace(look, paper=look.paper or "a4")
    )
    return {
        "text": lambda: as_text(report(found, limit=limit, layout=layout), look),
        "json": lambda: _as_json(found, shown),
        "jsonl": lambda: "".join(json.dumps(r.as_dict(), separators=(",", ":")) + "\n" for r in shown),
        "csv": lambda: _as_rows(found, shown, as_csv),
        "markdown": lambda: _as_rows(found, shown, as_markdown),
        **whole,
        "pdf": pages["pdf"],
    }


def sheet(found: Positions, theme: str = "light", *, limit: int | None = None) -> Svg:
    """Return positions as one sheet of boards: the first `limit`, or all."""
    shown = found.records[:limit]
    part = "The first is shown." if len(shown) == 1 else f"The first {len(shown):,} are shown."
    heading = f"{found.heading} {part}" if len(shown) < len(found) else found.heading
    return draw_sheet(shape_of(found.board), _sheet(found, shown), heading, theme)


def _as_json(found: Positions, shown: Sequence[Record]) -> str:
    records = ",\n  ".join(json.dumps(record.as_dict()) for record in shown)
    body = f"[\n  {records}\n ]" if records else "[]"
    return json.dumps(found.summary(), indent=1)[:-2] + f',\n "positions": {body}\n}}\n'


def _as_rows(found: Positions, shown: Sequence[Record], write: Callable[[Table], str]) -> str:
    """Return positions as rows, as files have them."""
    from noughts.exporting.columns import CLASSES, POSITIONS, class_row, position_row

    rows: Iterable[Iterable[object]] = [record.as_row().values() for record in shown]
    names = list(found[0].as_row()) if found.records else []
    if found.question.end != "full":
        table, row = (POSITIONS, position_row) if found.same == "labelled" else (CLASSES, class_row)
        rows, names = map(row, shown), table.on(found.board).names
    plain = [[int(value) if isinstance(value, bool) else value for value in row] for row in rows]
    cells = [["" if value is None else str(value) for value in row] for row in plain]
    return write(Table(names, cells, frozenset(range(len(names))))) + "\n"


def caption(record: Record | FullRecord, end: EndRule = "line") -> str:
    """Return the caption of a board: who won, or who wins in how many moves. The legend has the unit.

    In play to the full board it is who has lines.
    """
    if isinstance(record, FullRecord):
        lined = {"both": "both lined", "neither": "drawn" if record.is_terminal else "no line"}
        return lined.get(record.lined) or f"{record.lined} lined"
    if record.outcome == "draw":
        return "drawn" if record.is_terminal else "draw"
    winner = record.board.rules.labels[record.outcome == "O"]
    timed = length_rule(record.board, end) == "line"
    soon = moves_to_win(record.remoteness) if timed else record.remoteness
    return f"{winner} won" if record.is_terminal else f"{winner} in {soon}"


def legend(found: Positions, records: Sequence[Record]) -> str:
    """Return the meaning and the unit of the captions of these records."""
    end = found.question.end
    if end == "full":
        how = "by choices, " if found.same == "symmetry" else ""
        return (
            "Under each board: who has completed lines; the number of games under these rules that pass through it "
            f"({how}of {found.start_games:,}). If both have, the first {'lost' if found.board.misere else 'won'}."
        )
    kinds = {(record.is_terminal, record.outcome != "draw") for record in records}
    soon = f" and how soon, in {counted(found.board, end)}" * ((False, True) in kinds)
    parts = ["whose win is decided (won)" if end == "decided" else "who won"] * ((True, True) in kinds)
    parts += ["that it is drawn"] * ((True, False) in kinds)
    parts += [f"who wins with best play{soon}"] * any(not is_over for is_over, _ in kinds)
    how = "by choices, " if found.same == "symmetry" else ""
    games = (
        f"; the number of games under these rules that pass through it ({how}of {found.start_games:,})"
        if found.is_ruled
        else ""
    )
    return f"Under each board: {', or '.join(parts)}{games}."


def _by_ply(found: Positions, shown: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Yield the shown positions of each ply with a heading that counts them."""
    there = Counter(record.ply for record in found.records)
    for ply, group in groupby(shown, key=lambda record: record.ply):
        records = list(group)
        yield _counted(f"Ply {ply}", there[ply], len(records)), records


def _counted(heading: str, there: int, shown: int) -> str:
    return f"{heading}: {there:,}" + f", {shown:,} of them shown" * (shown < there)


def _by_ending(found: Positions, shown: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Yield the shown positions of finished games with a heading that counts them: those won, then those drawn."""
    for word, is_drawn in (("Won", False), ("Drawn", True)):
        there = sum((record.outcome == "draw") == is_drawn for record in found.records)
        records = [record for record in shown if (record.outcome == "draw") == is_drawn]
        if records:
            yield _counted(word, there, len(records)), records


def report(found: Positions, *, limit: int | None = None, layout: str = "dots") -> Report:
    """Return the report: the first `limit` positions as small boards, with a legend.

    In the layout `dashes` boards have no captions, and endings are in two sections, those won and those drawn.
    """
    shown = found.records[:limit]
    sections: list[Sequence[Block | str]] = []
    bare = layout == "dashes"
    grouped = _by_ending if bare and all(record.is_terminal for record in found) else _by_ply
    for heading, records in grouped(found, shown):
        made = (_picture(record, [] if bare else _captions(found, record), layout) for record in records)
        sections += [[heading], [Pictures(tuple(made), 5 if bare else None)]]
    first = "The first of" if len(shown) == 1 else f"The first {len(shown):,} of"
    part = [f"{first} {len(found):,} {'is' if len(shown) == 1 else 'are'} shown."]
    counts_bots = found.selection.conditions.keys() & {"decision", "real_decision", "matchbox"}
    within = " within the rules" if found.is_ruled else ""
    values = "; a backward pass from the finished games gives the values" * (found.question.end != "full")
    how = How(f"play from the empty board{within} reaches each{values}.")
    return Report.of(
        [found.heading],
        *sections,
        part if 0 < len(shown) < len(found) else [],
        [legend(found, shown)] if shown and not bare else [],
        _bots(found.bots) if counts_bots else [],
        [how, try_next(*_next_commands(found, shown))],
    )


def _captions(found: Positions, record: Record) -> list[str]:
    """Return the lines below a board: the caption, and under rules of play the number of games through it."""
    games = found.games(record) if found.is_ruled else 0
    return [caption(record, found.question.end), *[f"{games:,} game{'s' * (games != 1)}"] * found.is_ruled]


def _bots(bots: int) -> list[Block | str]:
    """Return the number of different bots, in groups of three digits unless it is very long."""
    head = "Different bots on these (one choice at each decision):"
    if bots < 10**60:
        return [f"{head} {bots:,}."]
    digits = decimal_digits(bots)
    if len(digits) > _DIGITS:
        return [f"{head} a number of {len(digits):,} digits; --format json has them."]
    starts = range(len(digits) % 3 - 3 if len(digits) % 3 else 0, len(digits), 3)
    groups = " ".join(digits[max(at, 0) : at + 3] for at in starts)
    return [f"{head} a number of {len(digits)} digits.", Paragraph(groups, "  ", "  ")]


def _next_commands(found: Positions, shown: Sequence[Record]) -> list[str]:
    board = found.board
    if found.question.end == "full":
        return [command_of(replace(found.question, same="labelled")), f"noughts patterns {board}"]
    if found.is_ruled:
        rules = command_of(found.question).partition(" --same choices ")[2]
        return [f"noughts count {board} --same choices {rules}", f"noughts site {board} {rules} -o pages"]
    going_on = next((record for record in shown if not record.is_terminal), None)
    look = f"noughts positions {board} --decision --limit 20"
    if going_on is not None:
        look = f"noughts explain {board}" + (f" '{going_on.position}'" if going_on.ply else "")
    return [look, f"noughts export {board} -o {str(board).partition(':')[0]}.sqlite"]


def _picture(record: Record, captions: Sequence[str], layout: str) -> tuple[str, ...]:
    """Return a board as lines of text with its captions, all of one width."""
    lines = rows_of(record.position, layout)
    wide = max(map(len, [*lines, *captions]))
    return tuple(line.ljust(wide) for line in [*lines, *captions])


def _sheet(found: Positions, shown: Sequence[Record]) -> list[SheetSection]:
    def board(record: Record) -> SheetBoard:
        return SheetBoard(marks_of(record.position), _captions(found, record), lines_of(record.position))

    sections = [SheetSection(heading, list(map(board, records))) for heading, records in _by_ply(found, shown)]
    return [*sections, *[SheetSection(legend(found, shown), [])] * bool(shown)]
