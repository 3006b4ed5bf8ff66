"""Hints to a puzzle, step by step: what kind of move it is, which move is tempting and wrong, and a choice of a few."""

from __future__ import annotations

from noughts.domain.bits import Cell
from noughts.domain.cells import cell_name
from noughts.domain.position import completing_cells, opponent
from noughts.strategy.facts import Facts
from noughts.strategy.puzzles.grading import glance
from noughts.strategy.puzzles.setting import Setting
from noughts.strategy.puzzles.themes import WHO, themes_of
from noughts.strategy.sentences import listed, reason

__all__ = ["hints_of"]

_CHOICE = 3
"""Cells among which the last hint leaves the choice."""


def hints_of(setting: Setting, facts: Facts) -> tuple[str, ...]:
    """Return the hints, each saying more than the one before; none names the solution alone."""
    return (_kind(setting, facts), _wrong(setting, facts), _choice(setting))


def _kind(setting: Setting, facts: Facts) -> str:
    """Return what kind of move it is."""
    mover, other = facts.to_move, opponent(facts.to_move)
    themes = themes_of(setting)
    if setting.board.misere:
        slack, lost = facts.moves_giving_up_the_win, facts.losing_moves
        what = " or ".join(["gives up the win"] * bool(slack) + ["loses"] * bool(lost))
        return f"Whoever completes a line loses, and every move but one {what}."
    if "win at once" in themes:
        return f"{mover} has a line that lacks one mark only."
    if "fork" in themes:
        return f"One move makes two threats at once, and {other} can block only one."
    if "block" in themes:
        return f"{other} threatens to complete a line."
    if setting.goal == "win":
        return f"The move makes {'a' if _threatens(setting) else 'no'} threat, and wins by what follows."
    if WHO in themes:
        return f"Nobody has a threat yet, but after every move but one {other} can force a win."
    return f"After every move but one {other} wins."


def _threatens(setting: Setting) -> bool:
    after = setting.position.play(setting.cell)
    return bool(completing_cells(setting.board, after.marks(setting.position.to_move), after.blanks))


def _tempting(setting: Setting) -> list[Cell]:
    """Return the wrong moves, the most tempting first."""
    return sorted(setting.wrong, key=lambda cell: ([-part for part in glance(setting.position, cell)], cell))


def _wrong(setting: Setting, facts: Facts) -> str:
    """Return what the most tempting wrong move comes to, and why, unless that names the solution."""
    cell = _tempting(setting)[0]
    move = next(each for each in facts.moves if each.cell == cell)
    why = reason(facts, move)
    if cell_name(setting.board, setting.cell) in why.rstrip(".").split():
        why = ""
    return f"Not {cell_name(setting.board, cell)}: it {facts.verdict(move)}.{f' {why}' * bool(why)}"


def _choice(setting: Setting) -> str:
    """Return a few cells, the solution among them, and not the one that the hint before has ruled out."""
    cells = sorted([setting.cell, *_tempting(setting)[1:_CHOICE]])
    return f"It is {listed([cell_name(setting.board, cell) for cell in cells], 'or')}."
