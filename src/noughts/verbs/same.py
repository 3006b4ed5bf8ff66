"""`noughts same`: a comparison of two boards or two games, turned or mirrored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from shlex import quote

from noughts.analysis.explain.wording import listed
from noughts.analysis.records.comparison import Comparison, GameComparison, Parting, same, same_games
from noughts.counting.question import Sameness
from noughts.present.forms import Forms, as_json
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, Verbatim, try_next, without_empty
from noughts.present.text import as_text, rows_of
from noughts.rules.board import Board
from noughts.rules.marks import Cell
from noughts.rules.position import Position, is_game
from noughts.rules.symmetry import coordinates, is_identity
from noughts.verbs.request import Caller, VerbAnswer, VerbRequest, argument


@dataclass(frozen=True, kw_only=True)
class SameRequest(VerbRequest):
    """Comparison of FIRST and SECOND on BOARD: whether a turn or a mirror image makes them the same position.

    Positions are written X.O/.X./..O, or as the moves to them. If both are moves, such as 'a1 b2 c1', the answer
    compares the games too: by labels, by symmetry and by choices, with the first move that differs.
    """

    forms = ("text", "json")

    board: str | Board = argument()
    first: str = argument()
    second: str | None = argument(default=None)

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return that there must be a second board, with the verb that lists the images of one."""
        images = f"noughts explain {self.board} {quote(self.first)} lists the images of one"
        return ((self.second is None, f"the second position is missing: give two; {images}"),)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the comparison of the games, or of the positions."""
        on, second = Board.parse(self.board), self.second or ""
        if is_game(self.first, on) and is_game(second, on):
            games = same_games(self.board, self.first, second)
            return VerbAnswer(games, _forms(game_report(games), games, caller.look))
        found = same(self.board, self.first, second)
        return VerbAnswer(found, _forms(report(found), found, caller.look))


def _forms(made: Report, found: Comparison | GameComparison, look: Look) -> Forms:
    return {"text": lambda: as_text(made, look), "json": lambda: as_json(found.as_dict())}


def report(found: Comparison) -> Report:
    """Return the report on two positions."""
    number = found.board.group().order
    sentence = f"No, they differ on {found.board}: none of its {number:,} symmetries maps one to the other."
    if number == 1:
        sentence = f"No, they differ on {found.board}, which has no symmetry except the identity."
    first, second = found.canonical
    how = f"their canonical forms are '{first}' and '{second}'."
    if found.is_same:
        sentence = f"Yes, they are the same on {found.board}: {found.words[0]}."
        how = f"both have the canonical form '{first}'."
    return Report.of(
        [sentence],
        [Verbatim(drawn(found))],
        _others(found),
        image_blocks(found.images),
        [
            How(how),
            try_next(
                f"noughts explain {found.board} '{found.first}'",
                f"noughts positions {found.board} --ply {found.first.ply}",
            ),
        ],
    )


def drawn(found: Comparison) -> str:
    """Return both boards side by side, with an arrow between them if they are the same."""
    left, right = rows_of(found.first), rows_of(found.second)
    arrows = ["->" if found.is_same and (i == 1 or len(left) < 2) else "  " for i in range(len(left))]
    return "\n".join(f"  {a}  {arrow}  {b}".rstrip() for a, arrow, b in zip(left, arrows, right, strict=True))


_IMAGES = 12


def image_blocks(images: Mapping[str, Position] | None) -> list[Block | str]:
    """Return the images of a position as a table: each board with the symmetries that make it; none for None."""
    if images is None:
        return []
    names: dict[Position, list[str]] = {}
    for words, image in images.items():
        names.setdefault(image, []).append(words)
    if len(names) == 1:
        return [f"Each of the {len(images)} symmetries keeps {next(iter(names))}."] if len(images) > 1 else []
    many = 1 if len(images) > 8 else 4
    rows = [
        [str(image), "; ".join([*words[:many], *[f"{len(words) - many} more"] * (len(words) > many)])]
        for image, words in names.items()
    ]
    more = [f"and {len(rows) - _IMAGES:,} more boards: --format json lists them."] * (len(rows) > _IMAGES)
    return [Table([f"its {len(rows):,} images", "made by"], rows[:_IMAGES], frozenset((0, 1))), *more]


def _others(found: Comparison) -> list[str]:
    if len(found.words) < 2:
        return []
    more = f"; and {len(found.words) - 6:,} more" if len(found.words) > 6 else ""
    so = "So does" if len(found.words) == 2 else "So do"
    return [f"{so}: {'; '.join(found.words[1:6])}{more}."]


# In which senses two games are the same, and the first move that differs.

_SENSES: dict[Sameness, str] = {"labelled": "by labels", "symmetry": "by symmetry", "choices": "by choices"}


def game_report(found: GameComparison) -> Report:
    """Return the report on two games."""
    board = found.board
    game, order = " ".join(map(str, found.first)), board.group().order
    under = "without symmetries" if order == 1 else f"under each of the {order:,} symmetries"
    return Report.of(
        [_headline(found)],
        _senses(found),
        _moves(found),
        [_boards(found), Verbatim(drawn(found.boards))],
        [
            How(f"a comparison move by move, {under}, and of the classes of the positions after each move."),
            try_next(f"noughts explain {board} '{game}'", f"noughts count {board} --same choices"),
        ],
    )


def _headline(found: GameComparison) -> str:
    """Return the answer: in which senses the games are the same."""
    same = [words for sense, words in _SENSES.items() if sense in found.same]
    differ = [words for sense, words in _SENSES.items() if sense not in found.same]
    if not differ:
        return f"Yes, they are the same game on {found.board}, move by move."
    if not same:
        return f"No, they are different games on {found.board}, by labels, by symmetry and by choices."
    return f"They are the same game on {found.board} {' and '.join(same)}, but not {' or '.join(differ)}."


def _senses(found: GameComparison) -> list[Block]:
    """Return a paragraph for each sense."""
    senses = [
        ("By labels", "the same cells in the same order" if found.labelled is None else _parts(found.labelled)),
        ("By symmetry", _by_symmetry(found)),
        ("By choices", _by_choices(found)),
    ]
    return [Paragraph(f"{sense}: {words}.", "  ") for sense, words in senses]


def _moves(found: GameComparison) -> list[Block | str]:
    """Return what the first symmetry makes of each move of the first game, beside the second game."""
    if is_identity(found.symmetries[0]):
        return []
    board = found.board
    columns = (found.first, found.image, found.second)
    names = [["" if move is None else str(move) for move in row] for row in zip_longest(*columns)]
    rows = [
        [f"{ply} {board.rules.labels[1 - ply % 2]}", *row, "" if row[1] == row[2] else "differs"]
        for ply, row in enumerate(names, start=1)
    ]
    return [without_empty(["move", "first game", "its image", "second game", ""], rows)]


def _beside(found: GameComparison) -> str:
    """Return the moves beside the cells where two games part under a symmetry, if they differ; else nothing."""
    part, board = found.symmetry, found.board
    if part is None or board.shape is None or None in part.cells:
        return ""
    games, places = (found.first, found.second), []
    for cell, game in zip(part.cells, games, strict=True):
        assert cell is not None
        before = enumerate(game[: part.ply - 1], start=1)
        near = [ply for ply, other in before if _are_neighbours(board, cell.cell, other.cell)]
        places.append(f"next to move{'s' * (len(near) > 1)} {listed(list(map(str, near)))}" if near else "next to none")
    if places[0] == places[1]:
        return ""
    first, second = part.names
    then = places[1].removeprefix("next ") if first == second else f"{second} is {places[1]}"
    return f": {first} is {places[0]} in the first game, {then} in the second"


def _are_neighbours(board: Board, one: Cell, other: Cell) -> bool:
    """Return whether two cells have a side in common, on a torus across an edge too."""
    assert board.shape is not None
    apart = 0
    for a, b, side in zip(coordinates(board.shape, one), coordinates(board.shape, other), board.shape, strict=True):
        apart += min(abs(a - b), side - abs(a - b)) if board.torus else abs(a - b)
    return apart == 1


def _parts(part: Parting) -> str:
    player = part.positions[0].board.rules.players[1 - part.ply % 2]
    first, second = part.names
    if None in part.cells:
        longer, cell, other = ("first", first, "second") if part.cells[1] is None else ("second", second, "first")
        return (
            f"they first differ at move {part.ply}: in the {longer} game {player} plays {cell}, and the {other} stops"
        )
    return f"they first differ at move {part.ply}: {player} plays {first} in the first game and {second} in the second"


def _by_symmetry(found: GameComparison) -> str:
    if found.symmetry is None:
        return f"the same: {found.words[0]}"
    part = found.symmetry
    if part.ply == 1:
        return f"{_parts(part)}; no symmetry maps one cell to the other"
    before = "move 1" if part.ply == 2 else f"moves 1 to {part.ply - 1}"
    others = len(found.words) - 1
    more = f" (so do {others} other symmetries)" if others > 1 else " (so does another symmetry)" if others else ""
    if is_identity(found.symmetries[0]):
        return f"{before} {'is' if part.ply == 2 else 'are'} the same; then {_parts(part)}{_beside(found)}"
    takes = f"{found.words[0]}: that maps {before} to each other{more}"
    if None in part.cells:
        return f"{takes}; then {_parts(part)}"
    first, second = part.names
    image, player = found.image[part.ply - 1], found.board.rules.players[1 - part.ply % 2]
    return (
        f"{takes}; then they first differ at move {part.ply}. It takes {first} to {image}, but {player} plays {second} "
        f"in the second game{_beside(found)}"
    )


def _turned(board: Board) -> str:
    """Return what the symmetries of a board do: under gravity they only mirror it."""
    return "mirrored" if board.rules.by_column else "turned or mirrored"


def _by_choices(found: GameComparison) -> str:
    part = found.choices
    if part is None:
        return f"the same: after every move the boards are the same, {_turned(found.board)}"
    if None in part.cells:
        return _parts(part)
    first, second = part.positions
    return f"{_parts(part)}; {first} and {second} are boards of different classes"


def _boards(found: GameComparison) -> str:
    boards = found.boards
    if boards.first == boards.second:
        return "They lead to the same board."
    return (
        f"The boards they lead to are the same: {boards.words[0]}."
        if boards.is_same
        else "The boards they lead to differ"
        + (f", however they are {_turned(found.board)}." if found.board.group().order > 1 else ".")
    )
