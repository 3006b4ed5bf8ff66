"""Boards on pages: what stands on each cell, where it leads, and what is said of it, as plain values for a template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from noughts.analysis.explain.mistakes import PlayedMove
from noughts.analysis.explain.refutation import refutation
from noughts.drawing.board import named_thumbnail, thumbnail
from noughts.drawing.figures import lines_of, marks_of, part_of, shape_of
from noughts.drawing.overlay import BoardPlan, Threat, over_board, under_board
from noughts.present.report import Block, Commands, How, Paragraph, Table, Verbatim
from noughts.rules.board import Board
from noughts.rules.cells import are_numbered, cell_name, column_name
from noughts.rules.marks import Cell, Player, cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import coordinates
from noughts.rules.values import begun
from noughts.web.addresses import ask_of_command
from noughts.web.links import Links
from noughts.web.request import Ask

_KEPT_CELLS = 16
"""Cells up to which small pictures are kept, as pages show them again and again."""
_BOARD = "Board"
"""The word before the number of one of several boards."""
_DENSE = 6
"""Columns from which notes on cells are a shape and a number, without words."""
_LIT_LINES = 120
"""Maximum lines of a board whose lines through a cell light up: a torus, or a board of several layers."""
_SHOWN_MOVES = 5
"""Maximum moves of a line of play on a board: more cover each other."""


class Card(NamedTuple):
    """A way on from a page: its link, a title, what is there, and a small picture."""

    to: str | None
    title: str
    words: str
    picture: str


@dataclass(frozen=True)
class CellNote:
    """What stands on a blank cell in one of the board's overlays: a shape, words for it, and a short text.

    `kind` is a win, draw or loss for the side to move and chooses the shape; `who` is X, O or draw and chooses the
    colour. `words` are left out where cells are small. `aloud` is what is read aloud while the overlay is on.
    """

    overlay: str
    text: str = ""
    kind: Literal["", "win", "draw", "loss"] = ""
    who: str = ""
    words: str = ""
    aloud: str = ""


@dataclass(frozen=True)
class CellView:
    """A cell: its mark, or where a move there leads and what the page says about it.

    `place` names the cell in words. `says` is always read aloud, before the notes. `threats` are the players who
    complete a line there, `forks` the players who would create a fork. `lands`: marks fall, and the next one to here.
    `closed`: its board takes no more marks. `places` is the mark that a click puts there, where players choose it.
    `back`: where a click on its mark leads, which takes the move back. `look`: a hint says to look there.
    """

    cell: Cell
    name: str
    at: tuple[int, int, int]
    place: str
    mark: str = ""
    to: str | None = None
    says: str = ""
    notes: tuple[CellNote, ...] = ()
    best: bool = False
    last: bool = False
    lined: bool = False
    threats: str = ""
    forks: str = ""
    asks: bool = False
    lands: bool = False
    closed: bool = False
    places: str = ""
    back: str | None = None
    look: bool = False

    @property
    def label(self) -> str:
        """What is always read aloud: `b1, row 1, column 2, X`, or `b1, row 1, column 2, blank`."""
        parts = [self.place, self.mark or "blank"]
        parts += ["closed"] * (self.closed and not self.mark)
        parts += ["last move"] * self.last + ["on the completed line"] * self.lined
        parts += [f"place an {self.places} here"] * bool(self.places and self.to)
        return ", ".join(parts) + (f": {self.says}" if self.says else "")

    @property
    def tactics(self) -> str:
        """The threats and forks there, as they are read aloud: `X completes a line here, O makes a fork here`."""
        parts = [f"{player} completes a line here" for player in self.threats]
        return ", ".join(parts + [f"{player} makes a fork here" for player in self.forks])


@dataclass(frozen=True)
class LayerView:
    """A layer of a board, or one of several boards: its name, the letters of its columns, and its rows of cells.

    `closed`: it takes no more marks. `under` and `over` are pictures below and above its marks.
    """

    name: str
    letters: tuple[str, ...]
    rows: tuple[tuple[CellView, ...], ...]
    closed: bool = False
    under: str = ""
    over: str = ""


@dataclass(frozen=True)
class BoardView:
    """A board on a page. `aloud` is the position in words; `live` is read aloud when a move led to this page.

    `keys` are links: `undo`, `redo`, `best` (the best move), `turn` (the same turned or flipped), `hint`; `unkeyed`
    says of a key without a link why it has none. `hint` is a hint in words. `places` is the chosen mark, `mark` the
    one that the next move puts. `under` and `over` are pictures below and above the marks of a stack of layers.
    """

    label: str
    layers: tuple[LayerView, ...]
    columns: int
    torus: bool
    aloud: str
    live: str = ""
    hint: str = ""
    keys: Mapping[str, str | None] = field(default_factory=dict)
    unkeyed: Mapping[str, str] = field(default_factory=dict)
    numbered: bool = False
    places: str = ""
    name: str = ""
    """What the identifiers of its cells begin with, where a page has several boards."""
    mark: str = ""
    falls: bool = False
    under: str = ""
    over: str = ""

    @property
    def is_dense(self) -> bool:
        """Whether cells are too small for words."""
        return self.columns >= _DENSE

    @property
    def is_several(self) -> bool:
        """Whether its layers are boards of their own."""
        return self.layers[0].name.startswith(_BOARD)

    @property
    def has_ring(self) -> bool:
        """Whether copies of its cells stand around it."""
        return self.torus and len(self.layers) == 1

    @property
    def ringed(self) -> tuple[tuple[tuple[CellView, bool], ...], ...]:
        """The rows of a torus with the copies around it; each cell with whether it is a copy."""
        rows = self.layers[0].rows
        high, wide = len(rows), len(rows[0])
        return tuple(
            tuple(
                (rows[row % high][column % wide], not (0 <= row < high and 0 <= column < wide))
                for column in range(-1, wide + 1)
            )
            for row in range(-1, high + 1)
        )

    @property
    def cells(self) -> tuple[CellView, ...]:
        """All cells, in reading order."""
        return tuple(cell for layer in self.layers for row in layer.rows for cell in row)


def board_view(
    position: Position,
    *,
    to: Callable[[Cell], str | None] = lambda cell: None,
    notes: Mapping[Cell, Sequence[CellNote]] | None = None,
    says: Mapping[Cell, str] | None = None,
    best: Sequence[Cell] = (),
    last: Cell | None = None,
    threats: Mapping[Player, Sequence[Cell]] | None = None,
    forks: Mapping[Player, Sequence[Cell]] | None = None,
    asks: Sequence[Cell] = (),
    play: Sequence[Cell] = (),
    back: Mapping[Cell, str | None] | None = None,
    look: Sequence[Cell] = (),
    places: str = "",
    label: str = "",
    live: str = "",
    hint: str = "",
    keys: Mapping[str, str | None] | None = None,
    unkeyed: Mapping[str, str] | None = None,
    name: str = "",
) -> BoardView:
    """Return a position as a board for a page.

    `to` gives the link of a move, `notes` what stands on its cell, `says` what is read aloud there; `best` and `last`
    are moves, `asks` those whose answer is hidden. `play` is a line of play from here, `back` gives the links that take
    moves back by their cells, `look` are the cells of a hint. `places` is the mark of the moves that are shown, where
    players choose it. In a finished game no cell leads on.
    """
    board, shape = position.board, shape_of(position.board)
    lined = {cell for line in lines_of(position) for cell in line}
    over, is_numbered = position.is_terminal, board.shape is None or are_numbered()

    def players(found: Mapping[Player, Sequence[Cell]] | None, cell: Cell) -> str:
        return "".join(player for player, cells in (found or {}).items() if cell in cells)

    names = _names(board, are_numbered())
    landing, falls = _landings(position), board.rules.by_column
    closed, size = board.rules.closed(board, position.x, position.o), board.part.cells
    shift = board.cells if places == "O" else 0

    def view(cell: Cell) -> CellView:
        mark = position.mark_at(cell) or ""
        name, at, place = names[cell], coordinates(shape, cell), _place(board, cell, names[cell])
        if mark:
            is_last = last is not None and cell == last % board.cells
            return CellView(cell, name, at, place, mark, last=is_last, lined=cell in lined, back=(back or {}).get(cell))
        return CellView(
            cell,
            name,
            at,
            place,
            to=to(landing[cell] + shift) if cell in landing else None,
            says=(says or {}).get(cell + shift, "") or _falls(names, cell, landing.get(cell, cell)),
            closed=cell // size in closed,
            places=places,
            notes=tuple((notes or {}).get(cell + shift, ())),
            best=cell + shift in best,
            threats=players(threats, cell),
            forks=players(forks, cell),
            asks=cell + shift in asks,
            lands=falls and landing.get(cell) == cell,
            look=cell in look,
        )

    turn = "" if over else f"; {board.rules.name_of(position.to_move)} to move"
    label, aloud = label or f"{board}{turn}", f"{begun(spoken(position))}{turn}."
    layers = _layers(board, is_numbered, closed, view)
    below, above = _pictures(position, threats or {}, play)
    if len(layers) == 1:
        layers, below, above = (replace(layers[0], under=below, over=above),), "", ""
    return BoardView(
        label, layers, shape[1], board.torus, aloud, live, hint, keys or {}, unkeyed or {}, is_numbered, places, name,
        places or _next_mark(position), falls, below, above,
    )  # fmt: skip


def _next_mark(position: Position) -> str:
    """Return the mark that the next move puts; empty if there is none."""
    move = None if position.is_terminal else next(iter(position.moves()), None)
    return "" if move is None else position.play(move).mark_at(move % position.board.cells) or ""


def _pictures(position: Position, threats: Mapping[Player, Sequence[Cell]], play: Sequence[Cell]) -> tuple[str, str]:
    """Return what is drawn below and above the marks; empty for boards that have no places in a plane or a stack."""
    board, plan = position.board, BoardPlan(shape_of(position.board), position.board.torus)
    if board.shape is None or board.rules.boards > 1:
        return "", ""
    lines = [tuple(cells_of(line)) for line in board.line_masks] if threats or plan.is_stacked or board.torus else []
    found: list[Threat] = []
    for player, cells in threats.items():
        own = position.marks(player)
        found += [
            (player, line, cell) for cell in cells for line in lines
            if cell in line and all(own >> each & 1 for each in line if each != cell)
        ]  # fmt: skip
    lit = lines if (plan.is_stacked or board.torus) and len(lines) <= _LIT_LINES else []
    moves, at = list[tuple[str, Cell]](), position
    for move in play[:_SHOWN_MOVES]:
        at = at.play(move)
        moves.append((at.mark_at(move % board.cells) or "", move % board.cells))
    return under_board(plan, lines_of(position)), over_board(plan, threats=found, play=moves, through=lit)


def chosen_mark(ask: Ask, position: Position) -> str:
    """Return the mark whose moves a page shows, as its address says; empty where players do not choose one now."""
    if position.is_terminal or not position.board.rules.chooses_mark:
        return ""
    return ask.given("mark") or "X"


def mark_keys(places: str, to: Callable[[str | None], str | None]) -> dict[str, str | None]:
    """Return the links that choose a mark, by its key; empty where players do not choose one. `to` gets no X."""
    return {"x": to(None), "o": to("O")} if places else {}


def _falls(names: Sequence[str], cell: Cell, to: Cell) -> str:
    """Return where a mark falls that is dropped above, as it is read aloud."""
    return "" if cell == to else f"a mark falls to {names[to]}"


def _landings(position: Position) -> dict[Cell, Cell]:
    """Return for each blank cell the cell that a click there plays; under gravity that of its column."""
    playable, (_, columns, _) = position.playable & position.board.full, shape_of(position.board)
    if not position.board.rules.by_column:
        return {cell: cell for cell in cells_of(playable)}
    lowest = {cell % columns: cell for cell in cells_of(playable)}
    return {cell: lowest[cell % columns] for cell in cells_of(position.blanks) if cell % columns in lowest}


def _layers(
    board: Board, is_numbered: bool, closed: Sequence[int], view: Callable[[Cell], CellView]
) -> tuple[LayerView, ...]:
    """Return the cells of each layer row by row, with the letters of its columns."""
    rows, columns, layers = shape_of(board)
    word = _BOARD if board.rules.boards > 1 else "Layer"
    letters = () if is_numbered else tuple(map(column_name, range(columns)))
    runs = [tuple(map(view, range(at * columns, (at + 1) * columns))) for at in range(rows * layers)]
    return tuple(
        LayerView(
            f"{word} {at + 1}{', closed' * (at in closed)}" * (layers > 1),
            letters,
            tuple(runs[at * rows : (at + 1) * rows]),
            at in closed,
        )
        for at in range(layers)
    )


def _place(board: Board, cell: Cell, name: str) -> str:
    """Return where a cell is, its name first, by which all else on a page calls it: `b1, row 1, column 2`."""
    named = f"cell {name}" if name.isdecimal() else name
    if board.shape is None:
        return named
    row, column, layer = coordinates(board.shape, cell)
    return f"{named}, " + f"{part_of(board)} {layer + 1}, " * board.is_solid + f"row {row + 1}, column {column + 1}"


@lru_cache(maxsize=8)
def _names(board: Board, numbered: bool) -> tuple[str, ...]:
    """Return the names of all cells of a board: their numbers where `numbered`."""
    return tuple(cell_name(board, cell) for cell in range(board.cells))


def spoken(position: Position) -> str:
    """Return where the marks stand, to be read aloud: `X on a1, c1; O on b2`."""
    if not position.ply:
        return "empty board"
    names, parts = _names(position.board, are_numbered()), []
    for player in ("X", "O"):
        cells = [names[cell] for cell in cells_of(position.marks(player))]
        if cells:
            parts.append(f"{player} on {', '.join(cells)}")
    closed = position.board.rules.closed(position.board, position.x, position.o)
    parts += [f"board {number + 1} has a line and takes no more marks" for number in closed]
    return "; ".join(parts)


def picture(position: Position, last: Sequence[Cell] = ()) -> str:
    """Return a small picture of a position as an SVG element: completed lines, last moves, and the marks in words."""
    last = [move % position.board.cells for move in last]
    if position.board.cells > _KEPT_CELLS:
        return _drawn(position, tuple(last))
    return _cached_text(position, tuple(last), are_numbered())


def named_picture(position: Position, last: Sequence[Cell] = (), arrows: Sequence[tuple[Cell, Cell]] = ()) -> str:
    """Return the picture of a position with the names of its cells, for pages that speak of them."""
    board = position.board
    last = [move % board.cells for move in last]
    return named_thumbnail(
        shape_of(board),
        marks_of(position),
        spoken(position),
        lines=lines_of(position),
        last=last,
        numbered=board.shape is None,
        joined=board.torus,
        arrows=arrows,
        part=part_of(board),
    )


def mistake_picture(made: PlayedMove) -> str:
    """Return the board after a mistake, with arrows for the line or the fork that refutes it."""
    arrows = refutation(made.after).arrows if made.outcome != "draw" else ()
    return named_picture(made.after, [made.cell % made.before.board.cells], arrows)


@lru_cache(maxsize=8192)
def _cached_text(position: Position, last: tuple[Cell, ...], numbered: bool) -> str:
    return _drawn(position, last)


def _drawn(position: Position, last: tuple[Cell, ...]) -> str:
    return thumbnail(
        shape_of(position.board), marks_of(position), spoken(position), lines=lines_of(position), last=last
    )


# A report as a page lays it out: paragraphs, tables, and commands as links where pages answer them.


@dataclass(frozen=True)
class HtmlBlock:
    """One block: `kind` is text, verbatim, table, commands or how; the others are what that kind needs."""

    kind: str
    text: str = ""
    depth: int = 0
    table: Table | None = None
    commands: tuple[tuple[str, str | None], ...] = ()


def command_link(command: str, links: Links) -> str | None:
    """Return the link to the page that answers a command, None where there is none."""
    ask = ask_of_command(command)
    return None if ask is None else links.to(ask)


_PAGES = re.compile(r" \(docs/[\w/-]+\.md\)")
"""Pages of the documentation named in a sentence: a page does not link to them."""


def blocks_of(blocks: Iterable[Block | str], links: Links) -> list[HtmlBlock]:
    """Return blocks of a report for the macro `report` of the templates."""
    return [_block(block, links) for block in blocks]


def _block(block: Block | str, links: Links) -> HtmlBlock:
    if isinstance(block, str):
        return HtmlBlock("text", block)
    if isinstance(block, Table):
        return HtmlBlock("table", table=block)
    if isinstance(block, Commands):
        commands = tuple((command, command_link(command, links)) for command in block.commands)
        return HtmlBlock("commands", block.heading, commands=commands)
    if isinstance(block, How):
        return HtmlBlock("how", _PAGES.sub("", block.text))
    if isinstance(block, Paragraph):
        plain = block.text.lstrip(" ")
        return HtmlBlock("text", plain, (len(block.text) - len(plain) + len(block.indent)) // 2)
    assert isinstance(block, Verbatim)
    return HtmlBlock("verbatim", block.text)
