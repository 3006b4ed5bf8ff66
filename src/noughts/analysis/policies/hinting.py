"""A hint in three steps: where to look, what threatens and who can force what, and which move to play."""

from __future__ import annotations

from typing import NamedTuple

from noughts.analysis.explain.explanation import Explanation, explain
from noughts.analysis.explain.wording import cell_kind, length_rule, named_cells, outlook
from noughts.analysis.policies.playing import hint_at, reply_values_at
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import coordinates
from noughts.rules.values import begun


class Hint(NamedTuple):
    """The sentences of a hint, each of which says more than the one before; where to look, and the best move."""

    steps: tuple[str, ...]
    region: tuple[Cell, ...]
    best: tuple[Cell, ...]


def hint_steps(position: Position) -> Hint:
    """Return a hint in three steps, or in one where a short search did not find the best move."""
    sentence, best = hint_at(position)
    if not best:
        return Hint((sentence,), (), ())
    try:
        facts = explain(position.board, position, solution=reply_values_at(position))
    except BudgetError:
        return Hint((sentence,), (), best)
    where, region = _where(facts, best[0])
    return Hint((where, _what(facts), sentence), region, best)


def _where(facts: Explanation, best: Cell) -> tuple[str, tuple[Cell, ...]]:
    """Return where to look, and the blank cells there."""
    position, board = facts.position, facts.board
    if len(facts.best_moves) == len(position.moves()):
        return "Look anywhere: every move is as good as any other here.", ()
    cell = best % board.cells
    blanks = list(cells_of(position.playable & board.full))
    kind = cell_kind(board, cell)
    if board.shape is None:
        names = [cell, *[each for each in blanks if each != cell][:2]]
        return f"Look at {named_cells(board, sorted(names), 'and')}.", tuple(sorted(names))
    if kind is not None and len(blanks) > 1:
        among = [each for each in blanks if cell_kind(board, each) == kind]
        return f"Look at the {kind}{'s' * (kind != 'centre')}.", tuple(among)
    row, column, layer = coordinates(board.shape, cell)
    words, part = ("board" if board.rules.boards > 1 else "layer", 2) if board.is_solid else ("row", 0)
    number = (row, column, layer)[part]
    if board.rules.by_column:
        half = (2 * column > board.shape[1] - 1) - (2 * column < board.shape[1] - 1)
        side = {-1: "left half", 0: "middle column", 1: "right half"}[half]
        columns = {each: 2 * (each % board.shape[1]) - board.shape[1] + 1 for each in blanks}
        return f"Look at the {side}.", tuple(each for each, at in columns.items() if (at > 0) - (at < 0) == half)
    among = [each for each in blanks if coordinates(board.shape, each)[part] == number]
    return f"Look at {words} {number + 1}.", tuple(among)


def _what(facts: Explanation) -> str:
    """Return who threatens what, where threats have a meaning, and what can be forced."""
    rules = facts.board.rules
    mover, other = rules.name_of(facts.to_move), rules.name_of(opponent(facts.to_move))
    words = []
    threats, forks = facts.threats, facts.forks
    if threats is not None and forks is not None:
        mine, theirs = facts.to_move, opponent(facts.to_move)
        if threats[mine]:
            words.append(f"{begun(mover)} can complete a line.")
        elif threats[theirs]:
            places = len(threats[theirs])
            words.append(f"{begun(other)} threatens to complete a line{f' at {places} cells' * (places > 1)}.")
        elif forks[mine]:
            words.append(f"{begun(mover)} can make two threats at once.")
        elif forks[theirs]:
            words.append(f"{begun(other)} could make two threats at once with the next move.")
        else:
            words.append("Neither side can complete a line, or make two threats at once, with one move.")
    if facts.label is not None and facts.outcome is not None:
        end = length_rule(facts.board)
        words.append(f"{begun(outlook(facts.label, facts.outcome, facts.remoteness, end, at_most=facts.at_most))}.")
    return " ".join(words)
