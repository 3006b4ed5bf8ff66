"""What is known of a position: its explanation, and its record where the board is small enough to have one at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from noughts.domain.bits import Cell
from noughts.domain.errors import BudgetError
from noughts.domain.position import Player, Position
from noughts.records.catalogue import Catalogue
from noughts.records.record import Record
from noughts.reports.forms import Forms, as_json
from noughts.reports.page import PIPE
from noughts.reports.play import figure
from noughts.reports.play.explanation import forms
from noughts.strategy.ending import ending
from noughts.strategy.explain import Explanation, explain, unvalued
from noughts.strategy.lengths import outlook
from noughts.strategy.sentences import reason
from noughts.web.factlist import Entries, explained, recorded
from noughts.web.moves import MoveLine, moves_of
from noughts.web.solved import catalogue_of, is_valued_whole, soon_values_at, values_at

__all__ = ["Known", "known"]


@dataclass(frozen=True)
class Known:
    """What a page says of a position. `lead` is the answer in a sentence, `line` makes one line of best play.

    `record` is that of the labelled board, None where the board is too large to have one at once; `unknown` says why
    nobody knows who wins, nothing where it is known. `forms` are those of the command line.
    """

    position: Position
    lead: str
    sentences: tuple[str, ...]
    facts: Entries
    moves: tuple[MoveLine, ...]
    threats: Mapping[str, Sequence[Cell]]
    forks: Mapping[str, Sequence[Cell]]
    record: Record | None
    found: Catalogue | None
    line: Callable[[], Sequence[Cell]]
    forms: Forms
    command: str
    is_over: bool
    unknown: str = ""

    def why(self, cell: Cell) -> str:
        """Return why a move wins or loses, in a sentence; nothing where there is none."""
        facts, _ = _explained(self.position)
        return next((reason(facts, move) for move in facts.moves if move.cell == cell), "")

    @property
    def heading(self) -> str:
        """Whose move it is, or that the game is over."""
        return "Game over" if self.is_over else f"{self.position.to_move} to move"


@lru_cache(maxsize=64)
def _explained(position: Position) -> tuple[Explanation, str]:
    """Return the explanation of a position, and why its value is not known, nothing where it is."""
    try:
        return explain(
            position.board, position, solution=None if position.is_terminal else soon_values_at(position)
        ), ""
    except BudgetError as error:
        return unvalued(position), str(error)


def known(position: Position) -> Known:
    """Return what is known of a position. What nobody values is said to be unknown: no BudgetError is raised."""
    board = position.board
    place = f" '{position}'" if position.ply else ""

    def asked() -> Explanation:
        return explain(board, position, solution=None if position.is_terminal else values_at(position))

    facts, unknown = _explained(position)
    if position.is_terminal or is_valued_whole(board):
        made = forms(facts, PIPE)
    else:
        made = {**_pictures(facts, position), "json": lambda: as_json(asked().as_dict())}
    found = catalogue_of(board)
    record = None if found is None else found.of_board(position)
    entries = [("Moves played", f"{position.ply:,}")] if facts.is_over else explained(facts)
    if record is not None and found is not None:
        entries += recorded(record, found[position])
    return Known(
        position,
        _sentence(ending(position)) if facts.is_over else _headline(facts),
        () if facts.is_over else facts.sentences,
        entries,
        moves_of(facts, found),
        _by_player(facts.threats),
        _by_player(facts.forks),
        record,
        found,
        lambda: _best_line(position) if is_valued_whole(board) and not facts.is_over else (),
        made,
        f"noughts explain {board}{place}",
        facts.is_over,
        unknown,
    )


def _by_player(found: Mapping[Player, tuple[Cell, ...]] | None) -> dict[str, Sequence[Cell]]:
    return {} if found is None else {str(player): cells for player, cells in found.items()}


def _pictures(facts: Explanation, position: Position) -> Forms:
    """Return the picture of what a page knows, without values that of the marks."""
    if facts.outcome is not None:
        return forms(facts, PIPE)
    return figure.forms(str(position.board), str(position), PIPE, size=None, title=None, caption=None, arrows=None)


def _headline(facts: Explanation) -> str:
    if facts.label is None or facts.outcome is None:
        return "Who wins was not found."
    return _sentence(outlook(facts.label, facts.outcome, facts.remoteness, at_most=facts.at_most))


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _best_line(position: Position) -> Sequence[Cell]:
    """Return one line of best play to the end, of a position of a board that is valued whole."""
    cells = []
    while not position.is_terminal:
        best = _best_cell(position)
        if best is None:
            return ()
        cells.append(best)
        position = position.play(best)
    return cells


@lru_cache(maxsize=8192)
def _best_cell(position: Position) -> Cell | None:
    """Return the first of the best moves, kept as the lines of many positions meet; None where none is known."""
    return next(iter(values_at(position).best_moves(position)), None)
