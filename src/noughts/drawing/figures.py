"""Pictures of what the other rooms know: positions, explanations, opening theory, trees, patterns, censuses."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from noughts.counting.words import convention
from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.geometry import Shape
from noughts.domain.notation import format_start
from noughts.domain.position import Position, opponent
from noughts.drawing.board import BoardPicture, Note
from noughts.drawing.chart import Series, draw_chart, draw_shares
from noughts.drawing.svg import Svg
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture
from noughts.drawing.verdicts import key_words, verdict
from noughts.strategy.ending import ending
from noughts.strategy.lengths import counted, in_moves
from noughts.strategy.patterns import drawn_classes

if TYPE_CHECKING:
    from noughts.counting.census import Census
    from noughts.strategy.explain import Explanation
    from noughts.strategy.openings import OpeningTheory
    from noughts.strategy.patterns import Patterns
    from noughts.strategy.payoff import Payoff
    from noughts.strategy.replies import ValuedMove
    from noughts.strategy.versus import Match

__all__ = [
    "census_chart",
    "ending_picture",
    "explanation_picture",
    "lines_of",
    "marks_of",
    "match_chart",
    "openings_picture",
    "patterns_picture",
    "payoff_picture",
    "position_picture",
    "shape_of",
]


def shape_of(board: Board) -> Shape:
    """Return how to draw a board: its shape, or one row of cells where it is given by its lines."""
    return board.shape or (1, board.cells, 1)


def marks_of(position: Position) -> str:
    """Return the marks in reading order, one character a cell."""
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def lines_of(position: Position) -> list[tuple[Cell, ...]]:
    """Return the completed lines, each in reading order."""
    return [tuple(cells_of(line)) for player in ("X", "O") for line in position.completed_lines(player)]


def position_picture(position: Position, last: Cell | None = None) -> BoardPicture:
    """Return a position with its completed lines."""
    return BoardPicture(
        shape_of(position.board),
        marks_of(position),
        last,
        lines_of(position),
        numbered=position.board.shape is None,
        title=f"{position.board}: {position}",
    )


def ending_picture(facts: Explanation) -> TreePicture:
    """Return a finished game as a tree of one board."""
    position = facts.position
    words = "drawn" if facts.outcome == "draw" else f"{facts.outcome} has won"
    node = TreeBoard(0, marks_of(position), facts.outcome or "", [words], lines=lines_of(position))
    return TreePicture(shape_of(facts.board), [node], [], f"{facts.board}: {position}")


def explanation_picture(facts: Explanation) -> BoardPicture:
    """Return the position with threats, and on each blank cell what a move there does for the side to move.

    A finished game is shown with the lines that ended it.
    """
    if facts.is_over:
        return replace(position_picture(facts.position), title=f"{facts.board}: {ending(facts.position)}")
    kinds = {facts.to_move: "win", "draw": "draw", opponent(facts.to_move): "loss", None: ""}
    notes = {move.cell: Note(_brief(facts.verdict(move)), kinds[move.outcome]) for move in facts.moves}
    threats = {str(player): cells for player, cells in (facts.threats or {}).items()}
    return BoardPicture(
        shape_of(facts.board),
        marks_of(facts.position),
        threats=threats,
        notes=notes,
        numbered=facts.board.shape is None,
        title=f"{facts.board}, {facts.to_move} to move: {facts.label or 'value not found'}",
        caption=_key(facts),
    )


def _brief(verdict: str) -> str:
    """Return a verdict that fits a cell: the unit is left to the caption."""
    return {"not found": "?", "gives up the win": "draws"}.get(verdict, re.sub(" moves?$", "", verdict))


def _key(facts: Explanation) -> str:
    """Return what the numbers on the cells count, where there are any, and what the small marks are."""
    numbers = any(move.outcome != "draw" and move.remoteness is not None for move in facts.moves)
    said = [f"Numbers: {counted(facts.board)}, the move there included."] * numbers
    threatened = facts.threats is not None and any(facts.threats.values())
    return " ".join([*said, *["Small dashed marks: who completes a line there."] * threatened])


def openings_picture(theory: OpeningTheory) -> TreePicture:
    """Return the openings and the replies to each, framed by outcome and named by cell."""
    start = theory.start
    nodes = [TreeBoard(0, marks_of(start), theory.outcome or "", [verdict(theory.outcome, start)])]
    links, lengths = [], False

    def add(parent: int, move: ValuedMove) -> int:
        nonlocal lengths
        number = len(nodes)
        words = [verdict(move.outcome, move.position)]
        if move.outcome != "draw" and move.remoteness:
            words.append(in_moves(move.remoteness))
            lengths = True
        who = opponent(move.position.to_move)
        words += [f"{who} loses"] * (move.loses is True) + [f"{who} gives up the win"] * (move.gives_up_win is True)
        nodes.append(TreeBoard(number, marks_of(move.position), move.outcome or "", words, last=move.cell))
        links.append(TreeLink(parent, number, move.cells.bit_count(), cell_name(theory.board, move.cell)))
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
        TreeBoard(i, marks_of(p.position), "draw", [p.name, f"{p.boards} board{'s' * (p.boards > 1)}"])
        for i, p in enumerate(found.patterns)
    ]
    title = f"{found.board}: drawn patterns"
    return TreePicture(shape_of(found.board), nodes, [], title, f"{len(nodes):,} up to symmetry")


def match_chart(match: Match, theme: str = "light") -> Svg:
    """Return the probabilities of a match as bars."""
    shares = [("X wins", match.x_wins), ("O wins", match.o_wins), ("draw", match.draws)]
    return draw_shares(shares, f"{match.board}: X {match.x}, O {match.o}", theme)


def payoff_picture(found: Payoff) -> TreePicture:
    """Return the drawn patterns with the points that each gives to X and to O."""
    nodes = []
    for i, pattern in enumerate(drawn_classes(found.board)):
        x, o = found.points[pattern.name]
        nodes.append(TreeBoard(i, marks_of(pattern.position), "draw", [pattern.name, f"X {x}, O {o}"]))
    wins = [f"{end} wins: X {found.points[end][0]}, O {found.points[end][1]}" for end in ("X", "O")]
    title = f"{found.board}: X {found.x}, O {found.o}, difference {found.difference}"
    return TreePicture(shape_of(found.board), nodes, [], title, "; ".join(wins))


def census_chart(census: Census, theme: str = "light") -> Svg:
    """Return the positions and finished games of a census by ply, on a logarithmic scale."""
    positions = "positions" if census.question.same == "labelled" else "position classes"
    series = [Series(positions, census.column("positions")), Series("finished games", census.column("finished"))]
    plies = [row.ply for row in census.plies]
    title = f"{census.question.board}: {positions} and finished games by ply"
    note = convention(census.question)
    return draw_chart(plies, series, title, note, logarithmic=True, theme=theme)
