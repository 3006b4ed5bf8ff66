"""`noughts openings`: first moves up to symmetry, the replies to each, advice, and forced wins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.analysis.explain.openings import (
    ForcedWin,
    OpeningMove,
    OpeningTheory,
    Punishment,
    Punishments,
    openings,
    punishments,
)
from noughts.analysis.explain.wording import listed
from noughts.drawing.figures import marks_of, openings_picture, shape_of
from noughts.drawing.sheets import SheetBoard, SheetSection
from noughts.present.forms import Forms, report_forms, sheet_forms, tree_forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, narrowed, try_next
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, move_name
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Cell, cells_of, mask_of, opponent
from noughts.rules.position import Position, format_start
from noughts.verbs.explain import losing, losing_unit
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument, from_option, option
from noughts.verbs.solve import unit, valued


@dataclass(frozen=True, kw_only=True)
class OpeningsRequest(VerbRequest):
    """First moves of BOARD up to symmetry, the replies to each, their values, and advice."""

    forms = ("table", "json", *PICTURES, "text", "dot")

    board: str | Board = argument(default="3x3")
    start: str | None = option("Start position", name="from", metavar="POSITION")
    forced_wins: bool = option("All forced wins after losing replies, on one sheet", False, where="commands")
    opening: str | None = option("First move, with --forced-wins", metavar="CELL", where="commands")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            (
                self.opening is not None and not self.forced_wins,
                "--opening needs --forced-wins: add it, or give the position by --from",
            ),
            (
                self.forced_wins and self.form == "dot",
                "--forced-wins cannot be used with --format dot: use table, json, svg, png, pdf or text",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return opening theory, or the forced wins after losing replies."""
        if self.forced_wins:
            found = punishments(self.board, self.start, opening=self.opening)
            return VerbAnswer(found, punishment_forms(found, caller.look))
        theory = openings(self.board, self.start)
        words = report_forms(lambda: report(theory), theory.as_dict, caller.look)
        return VerbAnswer(theory, words | tree_forms(lambda: openings_picture(theory), caller.look))


def report(theory: OpeningTheory) -> Report:
    """Return the report on the first moves."""
    board, start = theory.board, theory.start
    command = f"noughts openings {board}{from_option(start)}"
    return Report.of(
        [
            f"{board}{format_start(start)}: {theory.summary}.",
            *(Paragraph(sentence, "  ") for sentence in sentences(theory)),
        ],
        [_table(theory), *unit(board, theory.openings), *losing_unit(in_order(theory))],
        [
            How(f"{valued(theory.openings, theory.engine)}."),
            try_next(f"{command} -o openings.svg", *_search(theory), tree_command(start)),
        ],
    )


def _search(theory: OpeningTheory) -> list[str]:
    """Return the command that searches longer for the first value that was not found."""
    pairs = ((first, move) for first in theory.openings for move in (first, *first.replies))
    for first, move in pairs:
        if move.outcome is None:
            cells = [first.cell] if move is first else [first.cell, move.cell]
            moves = " ".join(move_name(theory.board, cell) for cell in cells)
            at = f"'{move.position}'" if theory.start.ply else moves
            return [f"noughts solve {theory.board} {at}"]
    return []


def tree_command(at: Position) -> str:
    """Return the command for the tree below a position."""
    is_small = class_bound(at) <= QUICK_CLASSES  # a larger reduced tree can be over the limit
    kind = "reduced" if is_small and at.board.rules.has_threats else "full --depth 2"
    return f"noughts tree {at.board} --kind {kind}{from_option(at)}"


def sentences(theory: OpeningTheory) -> list[str]:
    """Return the advice, and the rule of thumb for the reply if one is needed."""
    return [*theory.advice, *([] if theory.rule is None else [theory.rule.sentence])]


def _table(theory: OpeningTheory) -> Table:
    rows = []
    for opening in theory.openings:
        name, times = theory.name(opening.cell), len(opening.cells)
        rows.append([name, str(times), "", opening.label or "not found", theory.verdict(opening)])
        for reply in opening.replies:
            times, verdict = len(reply.cells), theory.verdict(reply, opening)
            rows.append(["", str(times), theory.name(reply.cell), reply.label or "not found", verdict])
    first = "first move" if not theory.start.ply else "move"
    found = losing(in_order(theory))
    rows = [[*row, lost] for row, lost in zip(rows, found, strict=True)]
    table = Table([first, "cells", "reply", "then", "verdict", "losing answers"], rows, frozenset({0, 2, 3, 4, 5}))
    return table if any(found) else narrowed(table, range(5))


def in_order(theory: OpeningTheory) -> list[OpeningMove]:
    """Return the first moves, each before its replies."""
    return [move for opening in theory.openings for move in (opening, *opening.replies)]


# Forced wins after losing replies: in words, and all on one sheet.

_SHOWN = 200
"""Most forced wins of one reply in a list or picture."""


def punishment_forms(found: Punishments, look: Look) -> Forms:
    """Return forced wins in every form; the picture is a sheet, a section for each losing reply, or pages of paper."""
    return {
        **report_forms(lambda: punishment_report(found), found.as_dict, look),
        **sheet_forms(lambda: (shape_of(found.board), _sections(found), _headline(found)), look),
        "text": lambda: "".join(f"{_lost(found, each)}\n{_lines(found, each)}" for each in found.found),
    }


def punishment_report(found: Punishments) -> Report:
    """Return the losing replies with every forced win after each."""
    sections: list[list[Block | str]] = []
    for each in found.found:
        lines = [Paragraph(line, "    ", "  ") for line in _lines(found, each).splitlines()]
        sections.append([_lost(found, each), *lines])
    start = from_option(found.start)
    return Report.of(
        [_headline(found)],
        *sections,
        [
            How(_how_we_know(found)),
            try_next(
                f"noughts openings {found.board}{start} --forced-wins -o sheet.pdf",
                f"noughts tree {found.board} --kind forced-wins{start} -o tree.svg"
                if found.sequences and not found.lost_before
                else f"noughts openings {found.board}{start}",
            ),
        ],
    )


def _how_we_know(found: Punishments) -> str:
    if not found.found:
        return "the values of the replies; if none loses, no sequence of threats needs a check."
    ends = "each" if found.sequences else "none"
    every = "every sequence" if all(each.complete for each in found.found) else "a limited number of sequences"
    return f"{every} of threats was checked; {ends} ends in two threats at once."


def _headline(found: Punishments) -> str:
    where = f"{found.board}{format_start(found.start)}"
    after = "the first move" if found.opening is None else _name(found, found.opening)
    if not found.replies:
        return f"{where}: {after} ends the game, so no reply is possible."
    return f"{where}: {_mistakes(found, after)}."


def _mistakes(found: Punishments, after: str) -> str:
    """Return how many replies lose, and how many others were lost before or are unknown."""
    many, before, wins = len(found.found), found.lost_before, found.sequences
    only = f"the only reply to {after}" if found.replies == 1 else ""
    were = "was" if before == 1 else "were"
    if before == found.replies:
        lost = f"{only} was lost before" if only else f"all {before} replies to {after} were lost before"
        return f"{lost}: {found.start.to_move} can force a win against every reply"
    if not many and only:
        return f"{only} {'was not found to lose' if found.not_found else 'does not lose'}"
    if not many:
        loses = "was found to lose" if found.not_found else "loses"
        if before:
            return f"{before} of {found.replies} replies to {after} {were} lost before, and no other {loses}"
        return f"none of {found.replies} replies to {after} {loses}"
    clause = f"{only or f'{many} of {found.replies} replies to {after}'} lose{'s' * (many == 1)}"
    clause += f"; {wins} forced win{'s' * (wins != 1)} after {'them' if many > 1 else 'it'} up to symmetry"
    clause += f"; {before} more {were} lost before" * bool(before)
    return f"{clause}{f'; the value of {found.not_found} is not known' * bool(found.not_found)}"


def _lost(found: Punishments, each: Punishment) -> str:
    mover = found.start.to_move
    same = [_name(found, cell) for cell in each.reply.cells if cell != each.reply.cell]
    replies = _name(found, each.reply.cell) + (f" (or {listed(same, 'or')})" if same else "")
    clause = f"After {mover} {_name(found, each.opening)}, {opponent(mover)} {replies} loses"
    more = "" if each.complete else ", perhaps among others"
    forks = f"forces a fork in {len(each.wins)} way{'s' * (len(each.wins) > 1)}{more}"
    if each.at_once:
        names = listed([_name(found, cell) for cell in each.at_once], "or")
        return f"{clause}: {mover} wins at once by {names}{f', or {forks}' * bool(each.wins)}."
    if not each.wins:
        names = listed([_name(found, cell) for cell in each.winning], "or")
        none = "no fork can be forced" if each.complete else "no way was found to force a fork"
        return f"{clause}, though {none} by threats alone; {mover} wins by {names}."
    return f"{clause}: {mover} {forks}."


def _lines(found: Punishments, each: Punishment) -> str:
    lines = []
    for win in each.wins[:_SHOWN]:
        times = f" (and {win.times - 1} turned or mirrored)" if win.times > 1 else ""
        moves = " ".join(_name(found, cell) for cell in win.moves)
        lines.append(f"{moves}{times}: then {_threats(found, win)}\n")
    left = len(each.wins) - _SHOWN
    return "".join(lines) + (f"and {left:,} more: --format json lists them\n" if left > 0 else "")


def _threats(found: Punishments, win: ForcedWin) -> str:
    return listed([_name(found, cell) for cell in win.threats], "or")


def _sections(found: Punishments) -> list[SheetSection]:
    sections = []
    for each in found.found:
        mistake = SheetBoard(marks_of(each.reply.position), ["the mistake"], named=True)
        boards = [_board(found, win) for win in each.wins[:_SHOWN]]
        sections.append(SheetSection(_lost(found, each), [mistake, *boards]))
    return sections


def _board(found: Punishments, win: ForcedWin) -> SheetBoard:
    times = [f"×{win.times} by symmetry"] if win.times > 1 else []
    moves = " ".join(_name(found, cell) for cell in win.moves)
    own = win.position.marks(opponent(win.position.to_move))
    open_lines = [line for line in found.board.lines if set(line) - set(cells_of(own)) <= set(win.threats)]
    lines = [line for line in open_lines if (mask_of(line) & ~own).bit_count() == 1]
    return SheetBoard(marks_of(win.position), [moves, f"then {_threats(found, win)}", *times], lines)


def _name(found: Punishments, cell: Cell) -> str:
    return cell_name(found.board, cell)
