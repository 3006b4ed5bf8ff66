"""The pages of the catalogue itself: one for each ply and one for each class."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from noughts.domain.bits import Mask, cells_of, mask_of
from noughts.domain.cells import are_numbered, cell_name, column_name
from noughts.domain.position import Position, opponent
from noughts.domain.rules import EndRule
from noughts.exporting.site.html import Page, board_list, board_svg, facts, said, slug
from noughts.records.catalogue import Catalogue
from noughts.records.record import Move, Record, fraction_text
from noughts.strategy.lengths import counted, in_moves, outlook
from noughts.strategy.quality import verdict

__all__ = ["class_page", "ended", "ply_page", "ply_path", "short"]

_PICTURED = 48
"""Boards of a class that are drawn on its page: all but for cubes and tori."""


def ply_path(ply: int) -> str:
    """Return the path of the page of a ply."""
    return f"ply/{ply}"


def ended(record: Record) -> str:
    """Return how a finished game ended: `X has won` or `drawn`, or without line or full board `decided for X`."""
    position = record.position
    if position.blanks and not position.completed_lines("X") and not position.completed_lines("O"):
        return "decided as a draw" if record.outcome == "draw" else f"decided for {record.outcome}"
    return "drawn" if record.outcome == "draw" else f"{record.outcome} has won"


def short(record: Record, end: EndRule = "line") -> str:
    """Return a short verdict: who has won, or who can force it and in how many moves."""
    if record.is_terminal:
        return ended(record)
    return outlook(record.label, record.outcome, record.remoteness, end)


def ply_page(catalogue: Catalogue, ply: int, records: Sequence[Record]) -> Page:
    """Return the page of a ply: every class drawn, by label."""
    board = catalogue.board
    by_label: dict[str, list[Record]] = {}
    end = catalogue.question.end
    for record in records:
        by_label.setdefault(f"game over: {ended(record)}" if record.is_terminal else record.label, []).append(record)
    body = [
        f"<p>{said(len(records), 'position class', 'position classes')} with {said(ply, 'mark')}, "
        f"{said(sum(record.orbit for record in records), 'board')} in all. Under each: its label, and how soon it is "
        f"won, in {counted(board, catalogue.question.end)}.</p>"
    ]
    for heading, found in sorted(by_label.items()):
        body.append(f"<h2>{escape(heading[0].upper() + heading[1:])} ({len(found):,})</h2>")
        body.append(
            board_list((board_svg(r.position), f"../class/{slug(r.position)}.html", short(r, end)) for r in found)
        )
    data = {
        "board": board.spec,
        "ply": ply,
        "classes": [
            {"class": str(r.position), "label": r.label, "outcome": r.outcome, "orbit": str(r.orbit)} for r in records
        ],
    }
    return Page(ply_path(ply), f"Ply {ply}", "\n".join(body), data)


def class_page(catalogue: Catalogue, record: Record) -> Page:
    """Return the page of a class: the board to play on, facts, what comes before and after, best line, orbit."""
    position, end = record.position, catalogue.question.end
    body = [
        f'<p class="position">{escape(str(position))}</p>',
        f'<div class="page"><div>{_board_table(record, end)}</div><div>{_facts(record, end)}</div></div>',
    ]
    if record.moves:
        body += [f"<h2>Moves of {record.to_move}</h2>", f"<p>Lengths count {counted(record.board, end)}.</p>"]
        body.append(_moves(catalogue, record))
        body += ["<h2>Best line</h2>", _best_line(catalogue, record)]
    if record.predecessors:
        body += ["<h2>Before</h2>", _before(catalogue, record)]
    body += [f"<h2>All boards of this class ({record.orbit:,})</h2>", _orbit(catalogue, record)]
    data = {"board": record.board.spec, **record.as_dict()}
    return Page(f"class/{slug(position)}", _title(record), "\n".join(body), data, f", {position}")


def _title(record: Record) -> str:
    if record.is_terminal:
        return f"Game over: {ended(record)}" + (f" ({record.pattern})" if record.pattern else "")
    return f"{record.to_move} to move: {record.label}"


def _board_table(record: Record, end: EndRule) -> str:
    """Return the board as a table for each layer; blank cells that may be taken lead to the class after the move.

    Its edges have letters and numbers, unless the cells are numbered.
    """
    board, position = record.board, record.position
    rows, columns, layers = board.shape or (1, board.cells, 1)
    lined = 0
    for player in ("X", "O"):
        for line in position.completed_lines(player):
            lined |= line
    leads = {cell: move for move in record.moves for cell in move.cells}
    bound = record.position.blanks & ~_open(record)
    leads_on = "; a blank cell leads on" + (" where the rules allow it" if bound else "")
    tables = []
    for layer in range(layers):
        words = f"Layer {layer + 1}" if layers > 1 else "The board"
        words += leads_on if record.moves else ""
        letters = [column_name(column) if board.shape else str(column + 1) for column in range(columns)]
        names = "".join(f'<th scope="col">{letter}</th>' for letter in letters)
        head = "" if are_numbered() else f"<tr><th></th>{names}</tr>"
        body = []
        for row in range(rows):
            first = (layer * rows + row) * columns
            cells = "".join(_cell(record, first + column, leads, lined, end) for column in range(columns))
            side = "" if are_numbered() else f'<th scope="row">{row + 1 if board.shape else "cell"}</th>'
            body.append(f"<tr>{side}{cells}</tr>")
        tables.append(
            f'<div class="scroll"><table class="play"><caption>{words}</caption>{head}{"".join(body)}</table></div>'
        )
    return "".join(tables)


def _open(record: Record) -> Mask:
    """Return the cells that the side to move may take."""
    return mask_of(cell for move in record.moves for cell in move.cells)


def _cell(record: Record, cell: int, leads: dict[int, Move], lined: Mask, end: EndRule) -> str:
    mark = record.position.mark_at(cell)
    if mark:
        kind = ' class="line"' if lined >> cell & 1 else ""
        return f'<td{kind}><span class="mark {mark}">{mark}</span></td>'
    if cell not in leads:
        return f"<td>{cell + 1 if are_numbered() else ''}</td>"
    move, name = leads[cell], cell_name(record.board, cell)
    best, address = ' class="best"' if move.best else "", f"{slug(move.canonical)}.html"
    return f'<td><a{best} href="{address}"><span>{name}</span> <span>{_verdict(record, move, end)}</span></a></td>'


def _verdict(record: Record, move: Move, end: EndRule = "line") -> str:
    """Return what a move does for the player who makes it, in a few words."""
    said = verdict(record.to_move, record.outcome, move.outcome, move.remoteness, end)
    return f"{said} (best)" if move.best else said


def _facts(record: Record, end: EndRule) -> str:
    entries = [("Ply", str(record.ply))]
    if record.is_terminal:
        entries.append(("Game", f"over: {ended(record)}"))
    else:
        entries.append(("To move", record.to_move))
        entries.append(("Label", escape(record.label)))
        best = "a draw" if record.outcome == "draw" else f"{record.outcome} wins {in_moves(record.remoteness, end)}"
        to_end = "" if "decided" in best else f" ({said(record.remoteness, 'ply', 'plies')} to the end)"
        entries.append(("Best play", best + to_end))
        entries += _threat_facts(record)
        if record.is_trap:
            entries.append(("Trap", f"yes: {record.to_move} has a move that loses and another that does not"))
    entries += [
        ("Ways to reach it", f"{record.ways:,} (by choices {record.ways_by_choices:,})"),
        ("Ways to finish", f"{record.finishes:,} (by choices {record.finishes_by_choices:,})"),
        ("Games through it", f"{record.games:,} (by choices {record.games_by_choices:,})"),
    ]
    if not record.is_terminal:
        entries.append(("Random play", _chances(record)))
    entries += [
        ("Boards", f"{record.orbit:,}"),
        ("Symmetries that keep it", f"{record.stabiliser:,}"),
    ]
    return facts(entries)


def _threat_facts(record: Record) -> list[tuple[str, str]]:
    entries = []
    for words, both in (("Threats", record.threats), ("Forks to make", record.forks)):
        if both and any(both.values()):
            found = [f"{player}: {', '.join(record.names(cells))}" for player, cells in both.items() if cells]
            entries.append((words, "; ".join(found)))
    if record.is_fork:
        entries.append(("Fork", f"yes: {opponent(record.to_move)} has two or more threats"))
    return entries


def _chances(record: Record) -> str:
    chances = record.random_play
    parts = [("X wins", chances.x_wins), ("draw", chances.draw), ("O wins", chances.o_wins)]
    return "; ".join(f"{word} {fraction_text(chance)} ({_percent(chance)})" for word, chance in parts if chance)


def _percent(chance: Fraction) -> str:
    """Return a probability in percent with one decimal, rounded half up, in integers only."""
    tenths = (2000 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    return f"{tenths // 10}.{tenths % 10} %"


def _moves(catalogue: Catalogue, record: Record) -> str:
    """Return the moves drawn, by label, best for the side to move first."""
    me = record.to_move
    order = [me, "draw", opponent(me)]
    groups: dict[tuple[int, bool, str], list[Move]] = {}
    for move in record.moves:
        decided = move.label.endswith("wins") or move.label == "draw"
        rank = order.index(move.outcome)
        groups.setdefault((rank, decided if rank else not decided, move.label), []).append(move)
    body = []
    for (_, _, label), moves in sorted(groups.items()):
        body.append(f"<h3>{escape(label[0].upper() + label[1:])}</h3>")
        moves.sort(key=lambda move: (not move.best, move.cells[0]))
        body.append(board_list(_move_entry(record, move, catalogue.question.end) for move in moves))
    return "\n".join(body)


def _move_entry(record: Record, move: Move, end: EndRule) -> tuple[str, str, str]:
    first = move.cells[0]
    names = ", ".join(record.names(move.cells))
    under = f'<span class="cells">{names}</span>{_verdict(record, move, end)}'
    return board_svg(record.position.play(first), [first]), f"{slug(move.canonical)}.html", under


def _best_line(catalogue: Catalogue, record: Record) -> str:
    """Return one line of best play, its boards turned so that each is the one before and one more mark."""
    position, here, entries = record.position, record, []
    while here.moves:
        best = next(move for move in here.moves if move.best)
        after, cell = _follow(catalogue, position, here, best)
        here = catalogue[best.canonical]
        played = f"{position.to_move} {cell_name(record.board, cell)}"
        under = f'<span class="cells">{played}</span>{short(here, catalogue.question.end)}'
        entries.append((board_svg(after, [cell]), f"{slug(here.position)}.html", under))
        position = after
    return board_list(entries, ordered=True)


def _follow(catalogue: Catalogue, position: Position, here: Record, move: Move) -> tuple[Position, int]:
    """Return the board after a move of the class, made on a labelled board of it, and the cell of the move."""
    group = catalogue.group
    for cell in cells_of(position.blanks):
        after = position.play(cell)
        if group.canonical(after.x, after.o) == (move.canonical.x, move.canonical.o):
            return after, cell
    raise AssertionError("a move of the class leads on from each of its boards")


def _before(catalogue: Catalogue, record: Record) -> str:
    entries = []
    for position in record.predecessors:
        parent = catalogue[position]
        move = next(move for move in parent.moves if move.canonical == record.canonical)
        played = f"{parent.to_move} plays {', '.join(parent.names(move.cells))}"
        under = f'<span class="cells">{played}</span>{short(parent, catalogue.question.end)}'
        entries.append((board_svg(position), f"{slug(position)}.html", under))
    return board_list(entries)


def _orbit(catalogue: Catalogue, record: Record) -> str:
    boards = [Position(record.board, x, o) for x, o in catalogue.orbit(record)]
    shown = boards[:_PICTURED]
    more = f"<p>The first {_PICTURED} of {len(boards):,}.</p>" if len(boards) > len(shown) else ""
    return more + board_list((board_svg(board), None, "") for board in shown)
