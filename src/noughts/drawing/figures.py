"""Figures of boards for a page, with a key and a caption; and pictures of other answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from noughts.analysis.explain.wording import counted, ending, in_moves, length_rule
from noughts.drawing.board import (
    CELL,
    GAP,
    BoardPicture,
    Frame,
    Key,
    Note,
    board_margins,
    board_text,
    draw_brackets,
    draw_keys,
    draw_note_shape,
    draw_on,
    draw_threat_mark,
)
from noughts.drawing.chart import Series, draw_chart, draw_shares
from noughts.drawing.glyphs import number, require_drawable, text_width, wrapped
from noughts.drawing.svg import Canvas, Svg
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture, key_words, verdict
from noughts.rules.arguments import integer, plain, text_of, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import Move, cell_name, parse_cell
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell, cells_of, opponent
from noughts.rules.position import Position, format_start
from noughts.rules.symmetry import Shape
from noughts.rules.values import begun

if TYPE_CHECKING:
    from noughts.analysis.explain.explanation import Explanation
    from noughts.analysis.explain.openings import OpeningMove, OpeningTheory
    from noughts.analysis.payoff.patterns import Patterns
    from noughts.analysis.payoff.playout import Match
    from noughts.analysis.payoff.points import Payoff
    from noughts.analysis.records.comparison import Comparison
    from noughts.counting.census import Census
    from noughts.solving.solution import PositionValue


_JOINT = re.compile(r"\s*(?:->|-|>|→)\s*")


def parse_arrows(board: Board, given: str | Iterable[object]) -> tuple[tuple[Cell, Cell], ...]:
    """Return the arrows of a text such as `a1-c3, b2-b3`, or of pairs of cells; each from a cell to another.

    Raises InputError for an invalid arrow, InvalidType for another type, InvalidCell for a cell outside the board.
    """
    if isinstance(given, str):
        given = [word for word in re.split(r"[\s,;]+", _JOINT.sub("-", plain(given.replace("→", "-")))) if word]
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise wrong_type("arrows", given, "text such as a1-c3, or pairs of cells")
    return tuple(_arrow(board, each) for each in given)


def _arrow(board: Board, given: object) -> tuple[Cell, Cell]:
    pair = _JOINT.split(plain(given.replace("→", "-")).strip()) if isinstance(given, str) else given
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        ends = f"{cell_name(board, 0)}-{cell_name(board, board.cells - 1)}"
        text = given if isinstance(given, str) else repr(given)
        raise InputError(f"{shown(text)} is not an arrow on {board}: write two cells with a dash between, as in {ends}")
    first, last = parse_cell(board, pair[0]), parse_cell(board, pair[1])
    if first == last:
        raise InputError(f"an arrow from {cell_name(board, first)} to itself is not possible: give two different cells")
    return first, last


# A board as a figure for a page: title, player to move, board, and key. Any finished picture can get a caption below
# it and another size.

SMALLEST, LARGEST = 40, 10_000
"""The allowed widths of a picture."""
_EDGE = 20.0
_TITLE, _TURN, _KEY = 11.0, 9.0, 7.5
_HEAD = re.compile(r'width="[0-9.]+" height="[0-9.]+" viewBox="0 0 [0-9.]+ [0-9.]+"')
_SHEET = re.compile(r'<rect width="[0-9.]+" height="[0-9.]+"')
_NARROWEST = 240.0


def draw_figure(picture: BoardPicture, title: str, turn: str, theme: str = "light") -> Svg:
    """Return the board with its title, the side to move and a key."""
    left, top = board_margins(picture)
    board = Frame(picture.shape, 0, 0, CELL, GAP)
    room = max(board.width + left + _EDGE, _NARROWEST)
    title = require_drawable("the title", title)
    titles, turns = wrapped(title, _TITLE, room - 2 * _EDGE), wrapped(turn, _TURN, room - 2 * _EDGE)
    canvas, y = Canvas(theme), _EDGE
    for size, lines, bold in ((_TITLE, titles, True), (_TURN, turns, False)):
        for line in lines:
            y += size
            canvas.text(_EDGE, y, line, size, anchor="start", bold=bold)
            y += size * 0.7
    frame = Frame(picture.shape, left + (room - board.width - left - _EDGE) / 2, y + top - 8, CELL, GAP)
    draw_on(canvas, frame, picture)
    keys, y = _keys(picture), frame.y + board.height
    height = draw_keys(canvas, keys, _EDGE, y + 27, _KEY, room - _EDGE) + 23 if keys else y + 20
    text = f"{title}\n{turn}\n{board_text(picture.shape, picture.marks)}"
    return canvas.picture(room, height, f"{title}: {turn}", text)


def _keys(picture: BoardPicture) -> list[Key]:
    """Return the entries of the key: the last move, completed lines, threats and verdicts in the picture."""
    found = []
    if picture.last is not None:
        found.append(Key("last move", partial(draw_brackets, side=20.0, pen=0.8)))
    if picture.lines:
        words = "completed line" + "s" * (len(picture.lines) > 1)
        found.append(Key(words, lambda canvas, x, y: canvas.line([(x - 6, y), (x + 6, y)], "mark-line", 9)))
    for player, cells in sorted(picture.threats.items()):
        if cells:
            found.append(
                Key(f"completes a line of {player}", partial(draw_threat_mark, player=player, small=6.0, side=40.0))
            )
    kinds = {note.kind: note.text.split()[-1] for note in picture.notes.values()}
    shown = [kind for kind in ("win", "draw", "loss") if kind in kinds]
    return found + [Key(f"a move here {kinds[kind]}", partial(draw_note_shape, kind=kind, half=6.0)) for kind in shown]


def captioned(picture: Svg, caption: str, theme: str) -> Svg:
    """Return a picture with a caption below it, wrapped to its width; wider only for a word that does not fit."""
    lines = wrapped(require_drawable("the caption", text_of("the caption", caption)), _TURN, picture.width - 2 * _EDGE)
    if not lines:
        return picture
    canvas, step = Canvas(theme), _TURN * 1.7
    for i, line in enumerate(lines):
        canvas.text(_EDGE, picture.height + (i + 0.7) * step, line, _TURN, anchor="start")
    width = float(ceil(max(picture.width, *(text_width(line, _TURN) + 2 * _EDGE for line in lines))))
    height = float(ceil(picture.height + len(lines) * step + _EDGE * 0.6))
    text = _HEAD.sub(_box(width, height, width, height), str(picture), count=1)
    text = _SHEET.sub(f'<rect width="{number(width)}" height="{number(height)}"', text, count=1)
    return Svg(text.removesuffix("</svg>\n") + "\n".join(canvas.parts) + "\n</svg>\n", width, height)


def resized(picture: Svg, size: int) -> Svg:
    """Return a picture scaled to a width. Raises InputError for a width out of bounds."""
    if not SMALLEST <= integer("the size", size) <= LARGEST:
        raise InputError(f"a picture {size:,} wide cannot be drawn: give a size from {SMALLEST} to {LARGEST:,}")
    height = round(size * picture.height / picture.width, 2)
    text = _HEAD.sub(_box(size, height, picture.width, picture.height), str(picture), count=1)
    return Svg(text, float(size), height)


def _box(width: float, height: float, inner_width: float, inner_height: float) -> str:
    drawn = f'viewBox="0 0 {number(inner_width)} {number(inner_height)}"'
    return f'width="{number(width)}" height="{number(height)}" {drawn}'


# Pictures of what the other rooms know: positions, explanations, opening theory, trees, patterns, censuses.


def shape_of(board: Board) -> Shape:
    """Return how to draw a board: its shape, or one row of cells for a board given by its lines."""
    return board.shape or (1, board.cells, 1)


def part_of(board: Board) -> str:
    """Return what a picture calls a layer: a board in games on several boards."""
    return "board" if board.rules.boards > 1 else "layer"


def marks_of(position: Position) -> str:
    """Return the marks in reading order, one character a cell."""
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def lines_of(position: Position) -> list[tuple[Cell, ...]]:
    """Return the completed lines, each in reading order."""
    return [tuple(cells_of(line)) for player in ("X", "O") for line in position.completed_lines(player)]


def tree_board(
    number: int, position: Position, outcome: str | None = "", captions: Sequence[str] = (), **more: Any
) -> TreeBoard:
    """Return a position as a board of a tree, with its completed lines; `last` is a move."""
    if more.get("last") is not None:
        more["last"] %= position.board.cells
    return TreeBoard(number, marks_of(position), outcome or "", captions, lines=lines_of(position), **more)


def position_picture(position: Position, last: Cell | None = None) -> BoardPicture:
    """Return a position with its completed lines."""
    return BoardPicture(
        shape_of(position.board),
        marks_of(position),
        None if last is None else last % position.board.cells,
        lines_of(position),
        numbered=position.board.shape is None,
        title=f"{position.board}: {position}",
        part=part_of(position.board),
    )


def ending_picture(facts: Explanation) -> TreePicture:
    """Return a finished game as a tree of one board."""
    position = facts.position
    words = facts.board.rules.named("drawn" if facts.outcome == "draw" else f"{facts.outcome} has won")
    node = tree_board(0, position, facts.outcome, [words])
    return TreePicture(shape_of(facts.board), [node], [], f"{facts.board}: {position}")


def explanation_picture(facts: Explanation) -> BoardPicture:
    """Return the position with threats, and on each blank cell the value of a move for the side to move.

    A finished game is shown with the lines that ended it.
    """
    if facts.is_terminal:
        return replace(position_picture(facts.position), title=f"{facts.board}: {ending(facts.position)}")
    kinds = {facts.to_move: "win", "draw": "draw", opponent(facts.to_move): "loss", None: ""}
    sign: dict[str | None, int] = {facts.to_move: 1, opponent(facts.to_move): -1}
    ranked = sorted(
        facts.moves, key=lambda m: (list(kinds).index(m.outcome), sign.get(m.outcome, 0) * (m.remoteness or 0))
    )
    notes = _by_cell((move.cell, Note(_brief(facts.verdict(move)), kinds[move.outcome])) for move in ranked)
    threats = {str(player): cells for player, cells in (facts.threats or {}).items()}
    return BoardPicture(
        shape_of(facts.board),
        marks_of(facts.position),
        threats=threats,
        notes=notes,
        numbered=facts.board.shape is None,
        title=f"{facts.board}, {turn_words(facts.position)}: {facts.label or 'value not found'}",
        caption=_key_figures(facts),
        part=part_of(facts.board),
    )


def _by_cell(notes: Iterable[tuple[Move, Note]]) -> dict[int, Note]:
    """Return the note of each cell from those of moves, best first: with the mark where those of a cell differ."""
    found: dict[int, list[tuple[Move, Note]]] = {}
    for move, note in notes:
        found.setdefault(move.cell, []).append((move, note))
    return {
        cell: first if len({note for _, note in there}) == 1 else replace(first, text=f"{str(move)[0]} {first.text}")
        for cell, there in found.items()
        for move, first in there[:1]
    }


def _brief(verdict: str) -> str:
    """Return a verdict that fits a cell, without its unit, which the caption has."""
    return {"not found": "?", "gives up the win": "draws"}.get(verdict, re.sub(" (moves?|ply|plies)$", "", verdict))


def _key_figures(facts: Explanation) -> str:
    """Return an explanation of the numbers on cells, if any, and of the small marks."""
    numbers = any(move.outcome != "draw" and move.remoteness is not None for move in facts.moves)
    notes = [f"Numbers: {counted(facts.board)}, the move there included."] * numbers
    threatened = facts.threats is not None and any(facts.threats.values())
    better = ["A cell with one mark shows the better move there."] * facts.board.rules.chooses_mark
    return " ".join([*notes, *["Small dashed marks: who completes a line there."] * threatened, *better])


def openings_picture(theory: OpeningTheory) -> TreePicture:
    """Return the openings and the replies to each, framed by outcome and named by cell."""
    start = theory.start
    nodes = [tree_board(0, start, theory.outcome, [verdict(theory.outcome, start)])]
    links, lengths = [], False

    def add(parent: int, move: OpeningMove) -> int:
        nonlocal lengths
        number = len(nodes)
        words = [verdict(move.outcome, move.position)]
        if move.outcome != "draw" and move.remoteness:
            words.append(in_moves(move.remoteness, length_rule(theory.board)))
            lengths = True
        who = theory.board.rules.name_of(opponent(move.position.to_move))
        words += [f"{who} loses"] * (move.loses is True) + [f"{who} gives up the win"] * (move.gives_up_win is True)
        nodes.append(tree_board(number, move.position, move.outcome, words, last=move.cell))
        links.append(TreeLink(parent, number, len(move.cells), str(move.cell)))
        return number

    for opening in theory.openings:
        parent = add(0, opening)
        for reply in opening.replies:
            add(parent, reply)
    title = f"{theory.board}: openings{format_start(start)}"
    note = f"{theory.summary}; lengths count {counted(theory.board)}" if lengths else theory.summary
    return TreePicture(shape_of(theory.board), nodes, links, title, note, words=key_words(nodes))


def patterns_picture(found: Patterns) -> TreePicture:
    """Return the drawn patterns side by side, with their names and numbers of boards."""
    nodes = [
        tree_board(i, p.position, "draw", [p.name, f"{p.boards} board{'s' * (p.boards > 1)}"])
        for i, p in enumerate(found.patterns)
    ]
    title = f"{found.board}: drawn patterns"
    return TreePicture(shape_of(found.board), nodes, [], title, f"{len(nodes):,} up to symmetry")


def match_chart(match: Match, theme: str = "light") -> Svg:
    """Return the probabilities of a match as bars."""
    x, o = match.board.rules.labels
    shares = (f"{x} wins", match.x_wins), (f"{o} wins", match.o_wins), ("draw", match.draws)
    return draw_shares(shares, f"{match.board}: {x} {match.x}, {o} {match.o}", theme)


def payoff_picture(found: Payoff) -> TreePicture:
    """Return the drawn patterns with the points that each gives to X and to O."""
    from noughts.analysis.drawn import drawn_classes

    nodes = []
    for i, pattern in enumerate(drawn_classes(found.board)):
        x, o = found.points[pattern.name]
        nodes.append(tree_board(i, pattern.position, "draw", [pattern.name, f"X {x}, O {o}"]))
    wins = [f"{end} wins: X {found.points[end][0]}, O {found.points[end][1]}" for end in ("X", "O")]
    title = f"{found.board}: X {found.x}, O {found.o}, difference {found.difference}"
    return TreePicture(shape_of(found.board), nodes, [], title, "; ".join(wins))


def census_chart(census: Census, theme: str = "light") -> Svg:
    """Return the games of a census that end at each ply, or else its paths or positions, with their number above."""
    from noughts.counting.question import SOURCE, convention

    board, totals, plies = census.question.board, census.totals, [row.ply for row in census.plies]
    what, column, total = "finished games", "finished", totals.finished
    if total is None:
        what, column = "position classes" if census.question.same != "labelled" else "positions", "positions"
        total = totals.positions
    elif census.plies[-1].paths != census.plies[-1].finished:
        what, column, total = "partial games", "paths", census.plies[-1].paths
    named = what.removeprefix("finished ") if total != 1 else what.removeprefix("finished ").removesuffix("s")
    title = f"{board}: {'' if total is None else f'{total:,} '}{named}"
    series = [Series(f"{what} at each ply", census.column(column))]
    return draw_chart(plies, series, title, convention(census.question), source=f"Source: {SOURCE}.", theme=theme)


# Figures of one board: a position with who is to move, or how the game ended; its values; two boards compared.

Arrows = Sequence[tuple[Cell, Cell]]


def turn_words(position: Position) -> str:
    """Return whose move it is, how the game ended, or why play cannot lead to such marks."""
    problems = position.problems()
    if problems:
        return f"cannot arise in play: {problems[0]}"
    return ending(position) if position.is_terminal else f"{position.board.rules.name_of(position.to_move)} to move"


def position_figure(
    position: Position, title: str | None, arrows: Arrows = (), last: Cell | None = None, theme: str = "light"
) -> Svg:
    """Return a position with a title (default: the board) and the side to move; `last` is highlighted."""
    picture = replace(position_picture(position, last), arrows=arrows)
    return _figure(picture, str(position.board) if title is None else title, turn_words(position), theme)


def value_figure(found: PositionValue, title: str | None, arrows: Arrows = (), theme: str = "light") -> Svg:
    """Return a position with the value of each move, and who wins with best play."""
    position = found.position
    notes = {"win": Note("wins", "win"), "draw": Note("draws", "draw"), "loss": Note("loses", "loss"), None: Note("?")}
    picture = replace(
        position_picture(position),
        arrows=arrows,
        notes=_by_cell((move.cell, notes[move.value]) for move in found.moves),
    )
    best = "a draw with best play"
    if found.outcome != "draw":
        best = f"{position.board.rules.name_of(found.outcome)} wins with best play"
    turn = turn_words(position) if position.is_terminal else f"{turn_words(position)}: {best}"
    return _figure(picture, str(position.board) if title is None else title, turn, theme)


def _figure(picture: BoardPicture, title: str, turn: str, theme: str) -> Svg:
    return draw_figure(picture, title, f"{begun(turn)}.", theme)


def comparison_picture(found: Comparison) -> TreePicture:
    """Return two boards side by side, and which turn or flip makes them the same."""
    nodes = [tree_board(0, found.first, "", ["the first"]), tree_board(1, found.second, "", ["the second"])]
    answer = (
        f"the same: {found.words[0]}"
        if found.is_same
        else f"different, however {'mirrored' if found.board.rules.by_column else 'turned or mirrored'}"
    )
    return TreePicture(shape_of(found.board), nodes, [], f"{found.board}: {answer}", words={})
