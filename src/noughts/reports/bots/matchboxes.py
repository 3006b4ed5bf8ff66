"""Labels for the boxes of a machine, and what a class does with them, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.bots.menace.boxes import Matchbox, bead_colour, bead_letter
from noughts.bots.menace.machine import Menace
from noughts.bots.menace.rules import BeadRules
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.matchboxes import BeadKey, BoxLabel, label_pages, label_sheet
from noughts.drawing.svg import Svg
from noughts.reports.bots.menace import curve
from noughts.strategy.sentences import listed

__all__ = ["alike_words", "goal_words", "instructions", "labels_pages", "labels_pdf", "labels_svg", "machine_picture"]

_MOST = 2_000
"""Labels that are printed: 80 pages."""
_GAMES = 10
"""Games that beads are held ready for."""


def labels_pdf(made: Menace) -> bytes:
    """Return the labels as A4 pages, after a page that says what to do. Raises InputError for more than 2,000 boxes."""
    from noughts.drawing.files import to_pdf

    return to_pdf(labels_pages(made, "a4"), "a4")


def labels_pages(made: Menace, paper: str) -> list[Svg]:
    """Return the labels on pages of a paper, after a page that says what to do.

    Raises InputError for more than 2,000 boxes.
    """
    return label_pages(
        shape_of(made.board), _labels(made), _keys(made), _title(made), [*instructions(made)], paper=paper
    )


def labels_svg(made: Menace) -> Svg:
    """Return the labels on one sheet. Raises InputError for more than 2,000 boxes."""
    return label_sheet(shape_of(made.board), _labels(made), _title(made))


def machine_picture(made: Menace, theme: str = "light") -> Svg:
    """Return the curve of what a machine was taught, or the labels of one that was taught nothing."""
    return curve(made, theme) if made.lessons[0].last.games else labels_svg(made)


def _title(made: Menace) -> str:
    return f"MENACE on {made.board} as {made.player}"


def _key(made: Menace, cell: int) -> BeadKey:
    return BeadKey(bead_letter(cell), bead_colour(cell), cell_name(made.board, cell), made.cabinet.start_of(cell))


def _keys(made: Menace) -> list[BeadKey]:
    """Return the beads that some box holds."""
    used = {cell for box in made.cabinet.boxes for cell in box.cells}
    return [_key(made, cell) for cell in sorted(used)]


def _labels(made: Menace) -> list[BoxLabel]:
    boxes = made.cabinet.boxes
    if not boxes:
        raise InputError(f"{made.player} never has a choice on {made.board}, so there is no box to label: try 3x3")
    if len(boxes) > _MOST:
        raise InputError(f"{len(boxes):,} labels are more than the {_MOST:,} that are printed: ask for a smaller board")
    return [
        BoxLabel(
            box.number, marks_of(box.position), {cell: _key(made, cell) for cell in box.cells}, _said(box, made.player)
        )
        for box in boxes
    ]


def _said(box: Matchbox, player: str) -> list[str]:
    turn, beads = f"{player}, turn {box.turn}", sum(box.start)
    if len(box.cells) == 1:
        return [turn, "to begin:", f"{beads} bead{'' if beads == 1 else 's'}"]
    return [turn, "to begin:", f"{box.beads} of each", f"= {beads} beads"]


def alike_words(board: Board) -> str:
    """Return what may be done to a board that stays the same: `turned or mirrored`; nothing where there is nothing."""
    if board.group().order == 1:
        return ""
    return "turned, mirrored or shifted" if board.torus else "turned or mirrored"


def goal_words(board: Board) -> str:
    """Return in a sentence or two what wins on a board, or loses, and which lines there are."""
    if not board.lines:
        return "There are no lines, so every game is a draw."
    ends = "has lost" if board.misere else "has won"
    if board.k is None:
        return f"Who first fills one of the {len(board.lines):,} lines {ends}."
    if board.k == 1:
        return f"Who makes a mark first {ends}."
    ways = listed([way for way in _WAYS if way in {_way(board, line) for line in board.lines}], "or")
    joined = " Opposite edges are joined, and lines run on across them." if board.torus else ""
    return f"Who first has {board.k} in a row, {ways}, {ends}.{joined}"


_WAYS = ("across", "down", "diagonally", "through the layers")


def _way(board: Board, line: Sequence[int]) -> str:
    """Return how a line runs."""
    rows, columns, _ = shape_of(board)
    places = [(cell // (rows * columns), cell // columns % rows, cell % columns) for cell in line]
    layers, down, across = (len({place[side] for place in places}) for side in range(3))
    if layers > 1:
        return "through the layers"
    return "across" if down == 1 else "down" if across == 1 else "diagonally"


def _reserve(made: Menace) -> str:
    """Return how many beads more ten games may take, at most."""
    rules, turns = made.cabinet.rules, len({box.turn for box in made.cabinet.boxes})
    most = max(rules.win, rules.draw, rules.loss) * turns * _GAMES
    return f", and up to {most:,} more for {_GAMES} games" if most > 0 else ""


def instructions(made: Menace) -> tuple[str, ...]:
    """Return what to do with the boxes, by the rules of this machine, step by step."""
    rules, rival = made.cabinet.rules, "O" if made.player == "X" else "X"
    boxes, beads = len(made.cabinet.boxes), sum(map(sum, made.cabinet.start))
    starts = "Its opponent plays X and moves first." if made.player == "O" else "It moves first."
    moved = alike_words(made.board)
    alike = (
        f"A bead stands for its cell and for all cells that look the same when the board is {moved}."
        if rules.symmetric == "once" and moved
        else "Every blank cell has a bead of its own."
    )
    found = f", {moved} if need be" if moved else ""
    return (
        f"1. Stick the {boxes:,} labels on {boxes:,} boxes and fill each as it says: {beads:,} beads in all"
        f"{_reserve(made)}. {alike}",
        f"2. {goal_words(made.board)} The machine plays {made.player}, you play {rival}. {starts} At its turn find the "
        f"box whose board is the one on the table{found}.",
        "3. Shake the box and draw one bead without looking. The machine plays in the cell of that bead on the label. "
        f"Leave the box open with the bead in front of it.{_forced(rules)}",
        f"4. After the game put the beads back: {_rewards(rules)}.",
        f"5. {_EMPTY[rules.empty]}",
        "6. Write down who won, game by game: the machine learns by nothing else.",
    )


_EMPTY = {
    "resign": "If the box is empty the machine resigns, and has lost the game.",
    "refill": "If a box is empty after that, fill it again as its label says.",
    "keep": "Never take the last bead of a box.",
}


def _forced(rules: BeadRules) -> str:
    return "" if rules.last_boxes else " With one blank cell left there is no box: it plays there."


def _rewards(rules: BeadRules) -> str:
    """Return what a win, a draw and a loss do to the beads drawn."""
    said = []
    for words, number in (("won", rules.win), ("drew", rules.draw), ("lost", rules.loss)):
        if number == -1:
            what = "keep the drawn beads out"
        elif number < 0:
            what = f"keep the drawn beads out and take {-number - 1} more of each such colour, as far as there are any"
        elif number == 0:
            what = "put them back and add none"
        else:
            what = f"put each back into its box and add {number} more of its colour"
        said.append(f"if the machine {words}, {what}")
    return "; ".join(said)
