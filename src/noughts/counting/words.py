"""Conventions in words: no number is shown without the sentence that gives it its meaning."""

from __future__ import annotations

from noughts.counting.question import Question, Sameness, Starts
from noughts.domain.rules import EndRule, MoveRule

__all__ = ["command_of", "convention", "end_words", "is_ruled", "moves_words", "play_words", "sameness_words"]

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


def is_ruled(question: Question) -> bool:
    """Return whether play is other than free moves to a line or a full board."""
    return not question.is_free or question.end != "line"


def play_words(question: Question) -> str:
    """Return in words how the players are bound and when a game ends: `both make any move and a game ends at ...`."""
    who = "both " if question.x_moves == question.o_moves else ""
    end = end_words(question.end, misere=question.board.misere)
    return f"{who}{moves_words(question.x_moves, question.o_moves).removeprefix('both ')} and {end}"


def convention(question: Question) -> str:
    """Return the whole convention of a question as one clause, such as

    `cells distinguishable, X starts, a game ends at a line or a full board`. Free moves go without saying.
    """
    board = question.board
    start = _STARTS[question.starts]
    if question.start is not None and question.first_ply > 0:
        start = f"play starts from {question.start}"
    start = start if question.other is None else str(question.other)
    lines = board.cells > 64 or bool(board.lines)
    parts = [sameness_words(question.same, question.symmetry), start]
    if not question.is_free:
        parts.append(moves_words(question.x_moves, question.o_moves))
    parts.append(end_words(question.end, misere=board.misere, lines=lines))
    if question.to_ply is not None and question.to_ply < board.cells:
        parts.append(f"counted up to ply {question.to_ply}")
    return ", ".join(parts)


def command_of(question: Question) -> str:
    """Return the command line that asks a question of this kind."""
    words = ["noughts count", question.board.spec, f"--same {question.same}"]
    if question.x_moves == question.o_moves:
        words.append(f"--moves {question.x_moves}")
    else:
        words += [f"--x-moves {question.x_moves}", f"--o-moves {question.o_moves}"]
    words.append(f"--end {question.end}")
    if question.starts != "X":
        words.append(f"--starts {question.starts}")
    if question.symmetry != "board":
        words.append(f"--symmetry {question.symmetry}")
    return " ".join(words)
