"""Conventions in words: no number is shown without the sentence that gives it its meaning."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from noughts.counting.question import Question, Sameness, Starts
from noughts.domain.bits import cells_of
from noughts.domain.cells import cell_name
from noughts.domain.position import Position
from noughts.domain.rules import EndRule, MoveRule

__all__ = [
    "command_of",
    "convention",
    "end_words",
    "is_ruled",
    "moves_words",
    "play_words",
    "rules_words",
    "sameness_words",
    "shared_convention",
]

_MOVES: dict[MoveRule, str] = {
    "any": "make any move",
    "win": "complete a line when they can",
    "block": "complete a line when they can, else block one",
    "fork": "complete a line when they can, else block one, else make a fork when they can",
    "perfect": "make only moves that keep the best value",
    "quickest": "make only moves that keep the best value, and win as soon or lose as late as they can",
}
_ONE_MOVES: dict[MoveRule, str] = {
    "any": "makes any move",
    "win": "completes a line when possible",
    "block": "completes a line when possible, else blocks one",
    "fork": "completes a line when possible, else blocks one, else makes a fork when possible",
    "perfect": "makes only moves that keep the best value",
    "quickest": "makes only moves that keep the best value, and wins as soon or loses as late as possible",
}
_STARTS: dict[Starts, str] = {
    "X": "X starts",
    "O": "O starts",
    "either": "either player starts (a position reached both ways counts once)",
}
_END: dict[EndRule, str] = {
    "line": "a game ends at a line or a full board",
    "decided": "a game ends as soon as all continuations have the same outcome",
    "full": "a game ends at a full board only, and the first completed line gives the outcome",
}


def sameness_words(same: Sameness, symmetry: str = "board") -> str:
    """Return in words when two games count as one."""
    if same == "labelled":
        return "cells distinguishable"
    under = "the symmetries of the board" if symmetry == "board" else "all symmetries of the lines"
    if same == "symmetry":
        return f"games alike up to one of {under} counted once"
    return f"games alike when after each move the board is the same under {under}"


def moves_words(x_moves: MoveRule, o_moves: MoveRule) -> str:
    """Return in words which moves are allowed."""
    if x_moves == o_moves:
        return f"both {_MOVES[x_moves]}"
    return f"X {_ONE_MOVES[x_moves]}, O {_ONE_MOVES[o_moves]}"


def end_words(end: EndRule, *, misere: bool = False, lines: bool = True) -> str:
    """Return in words when a game is over, and under misere who wins."""
    loses = "; the player who completes a line loses" if misere else ""
    none = "; the board has no line, so every game is drawn" if not lines else ""
    return _END[end] + loses + none


def rules_words(question: Question) -> str:
    """Return in words how the players of a question are bound: by rules, or by somebody's moves."""
    if not question.is_played:
        return moves_words(question.x_moves, question.o_moves)
    x, o = question.plays("X"), question.plays("O")
    by_x = _ONE_MOVES[question.x_moves] if x is None else f"plays by {x.name}"
    by_o = _ONE_MOVES[question.o_moves] if o is None else f"plays by {o.name}"
    return f"X {by_x}, O {by_o}"


def is_ruled(question: Question) -> bool:
    """Return whether play is other than free moves to a line or a full board."""
    return not question.is_free or question.end != "line"


def play_words(question: Question) -> str:
    """Return in words how the players are bound and when a game ends: `both make any move and a game ends at ...`."""
    return f"{rules_words(question)} and {end_words(question.end, misere=question.board.misere)}"


def convention(question: Question) -> str:
    """Return the whole convention of a question as one clause, such as

    `cells distinguishable, X starts, a game ends at a line or a full board`. Free moves go without saying.
    """
    return shared_convention([question])


def shared_convention(questions: Sequence[Question]) -> str:
    """Return the convention of one question asked of several boards: what it says holds on every one of them.

    That a count is cut short is said where it is on any of them, for on the others it leaves nothing out.
    """
    first = questions[0]
    parts = [sameness_words(first.same, first.symmetry), _start_words(questions)]
    if not first.is_free:
        parts.append(rules_words(first))
    lines = any(question.board.cells > 64 or bool(question.board.lines) for question in questions)
    end = end_words(first.end, misere=first.board.misere, lines=lines)
    parts.append(end if len(questions) == 1 else end.replace("the board has no line", "no board has a line"))
    if first.to_ply is not None and any(first.to_ply < question.board.cells for question in questions):
        parts.append(f"counted up to ply {first.to_ply}")
    return ", ".join(parts)


def _start_words(questions: Sequence[Question]) -> str:
    """Return from where play starts: a position of one board as such, one of several by the cells marked."""
    first = questions[0]
    if first.other is not None:
        return str(first.other)
    starts = [question.start for question in questions if question.start is not None]
    if not starts or first.first_ply == 0:
        return _STARTS[first.starts]
    if len(starts) == 1:
        return f"play starts from {starts[0]}"
    marked = {_marked(start) for start in starts}
    return f"play starts with {marked.pop()}" if len(marked) == 1 else "play starts from a position of its own on each"


def _marked(position: Position) -> str:
    """Return which cells each player has marked: `X on a1 and O on b2, c3`."""
    sides = (("X", position.x), ("O", position.o))
    return " and ".join(
        f"{player} on {', '.join(cell_name(position.board, cell) for cell in cells_of(cells))}"
        for player, cells in sides
        if cells
    )


def command_of(question: Question) -> str:
    """Return the command line that asks a question of this kind."""
    words = ["noughts count", question.board.spec, f"--same {question.same}"]
    x, o = shlex.quote(question.moves_of("X")), shlex.quote(question.moves_of("O"))
    words += [f"--moves {x}"] if x == o else [f"--x-moves {x}", f"--o-moves {o}"]
    words.append(f"--end {question.end}")
    if question.starts != "X":
        words.append(f"--starts {question.starts}")
    if question.symmetry != "board":
        words.append(f"--symmetry {question.symmetry}")
    return " ".join(words)
