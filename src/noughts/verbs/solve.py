"""How the values of moves are known, and in which unit their lengths are given."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any, Protocol

from noughts.analysis.explain.facts import counted, ending, in_moves, verdict
from noughts.machine.budget import format_size
from noughts.present.forms import Forms
from noughts.present.report import Block, How, Look, Paragraph, Report, Table, Verbatim, as_markdown, try_next
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import Outcome
from noughts.rules.position import Position, format_position
from noughts.solving import retrograde, search
from noughts.solving.proofs import STEALING, Proof
from noughts.solving.solution import MoveValue, PositionValue


class _Valued(Protocol):
    """A move with its value."""

    @property
    def outcome(self) -> Outcome | None:
        """Who wins after it under best play."""

    @property
    def remoteness(self) -> int | None:
        """The plies to the end after it."""


def valued(moves: Iterable[_Valued], engine: str | None) -> str:
    """Return how the values of these moves are known, which that engine gave."""
    found = list(moves)
    if engine == retrograde.NAME:
        return "every continuation was valued, backward from the ends"
    if engine == search.CARRIED:
        return "by the proof that the package carries, or, where it says nothing, by search; noughts solve says more"
    if all(move.remoteness is not None for move in found):
        return "by search, bounds and pairings, not by going through every continuation; noughts solve says which"
    if all(move.outcome is not None for move in found):
        return "by search, which tells who wins and not how soon"
    return "by search, as far as its budget went"


def unit(board: Board, moves: Iterable[_Valued]) -> list[str]:
    """Return the sentence that says what verdicts count, where any of these moves has a length."""
    lengths = any(move.outcome not in (None, "draw") and move.remoteness is not None for move in moves)
    return [f"Lengths count {counted(board)}."] if lengths else []


# A proof that was written, in words: where it is, what it proves, how long it is, and how to have it judged.


@dataclass(frozen=True)
class WrittenProof:
    """A proof and the file that it is in."""

    proof: Proof
    path: Path

    def as_dict(self) -> dict[str, Any]:
        """Return what the file proves and how long it is."""
        return {"file": str(self.path), **self.proof.as_dict()}

    @property
    def sentence(self) -> str:
        """Where the proof is, how long it is and what each of its sections says."""
        parts = "; ".join(_says(title, lines) for title, lines in self.proof.sections)
        return f"Proof: {self.path}, {format_size(self.proof.size)}: {parts}."

    @property
    def command(self) -> str:
        """The command that judges it."""
        return f"noughts check {quote(str(self.path))}"


def _says(title: str, lines: int) -> str:
    if title == STEALING:
        return "O never wins, as X could play so too (strategy stealing)"
    kind, player, *_ = title.split()
    counted = f"({lines:,} line{'s' * (lines != 1)})"
    if kind == "win":
        return f"{player} wins by threats {counted}"
    if kind == "stop":
        return f"{player} is stopped by blocking alone {counted}"
    return f"{player} {'wins' if title.endswith('win') else 'does not lose'}, whatever the replies {counted}"


# What is known of a position under best play: in words first, then the board, the moves, and how we know.

BY_PLY_CELLS = 25
"""Up to so many cells all positions can be valued in minutes."""

_GROUPS = {"win": "winning", "draw": "drawing", "loss": "losing", None: ""}
_NAMED = 24
"""So many moves of one value are named; the JSON names them all."""
_SEARCHING = ("search", "threats")
"""Engines that value more moves when they are given more time."""


def forms(
    answer: PositionValue, look: Look, *, line: bool = False, all_moves: bool = False, proof: WrittenProof | None = None
) -> Forms:
    """Return what is known of a position in every form; `line` asks for one line of best play.

    `all_moves` says that moves were searched without end, `proof` is told of where one was written.
    """
    told = {} if proof is None else {"certificate": proof.as_dict()}
    return {
        "table": lambda: as_text(report(answer, line=line, all_moves=all_moves, proof=proof), look),
        "json": lambda: json.dumps({**answer.as_dict(), **told}) + "\n",
        "markdown": lambda: "\n\n".join([_markdown(answer), *([proof.sentence] if proof else [])]) + "\n",
    }


def sentence(answer: PositionValue) -> str:
    """Return who wins and how soon, in one or two sentences."""
    if answer.position.is_terminal:
        return f"The game is over: {_result(answer.position)}."
    if answer.outcome == "draw":
        if not answer.position.board.lines:
            return "Draw. The board has no line that anybody could complete."
        return "Draw. With best play the game fills the board."
    if answer.remoteness is None and answer.at_most is not None:
        return f"{answer.outcome} wins with best play, {in_moves(answer.at_most, at_most=True)}."
    if answer.remoteness is None:
        return f"{answer.outcome} wins with best play."
    return f"{answer.outcome} wins with best play, {in_moves(answer.remoteness)}."


def _result(position: Position) -> str:
    if position.winner is None:
        return "it is a draw, as the board is full and nobody has a line"
    return ending(position)


def report(
    answer: PositionValue, *, line: bool = False, all_moves: bool = False, proof: WrittenProof | None = None
) -> Report:
    """Return what there is to say about a position."""
    position = answer.position
    board = position.board
    head = [f"{board}: {sentence(answer)}"]
    if position.is_terminal:
        place = f" '{position}'" if position.ply else ""
        more = try_next(f"noughts explain {board}{place}", f"noughts openings {board}")
        return Report.of(head, [Verbatim(drawn(position))], [How("the lines were looked up on the board."), more])
    decided = "; however both play, it ends so" if answer.decided else ""
    moves: list[Block | str] = [f"{answer.to_move} to move{decided}."]
    moves += [Paragraph(group, "  ") for group in grouped_moves(answer)]
    moves += unit(board, answer.moves)
    if line or answer.line is not None:
        moves.append(Paragraph(f"One line of best play: {_line(answer)}", "  "))
    judge = [] if proof is None else [proof.command]
    return Report.of(
        head,
        [Verbatim(drawn(position))],
        moves,
        [proof.sentence] if proof else [],
        [
            How(f"{_how(answer)}."),
            try_next(*judge, *_next(answer, line=line, all_moves=all_moves, proved=proof is not None)),
        ],
    )


def _next(answer: PositionValue, *, line: bool, all_moves: bool, proved: bool) -> list[str]:
    """Return commands that go on from the answer: why it is so, the values of all moves, and a line of best play or the
    values of all plies; where the package carries a proof, the file of it, unless it was written."""
    board, start = answer.position.board, answer.position
    place = f" '{start}'" if start.ply else ""
    found = [f"noughts explain {board}{place}"]
    if not all_moves and answer.engine in _SEARCHING and any(move.value is None for move in answer.moves):
        found.append(f"noughts solve {board}{place} --all-moves")
    if answer.engine == search.CARRIED and not proved:
        found.append(f"noughts solve {board} --proof {str(board).replace(':', '-')}.proof")
    if answer.engine != search.CARRIED and answer.line is None and not line:
        found.append(f"noughts solve {board}{place} --line")
    elif board.cells <= BY_PLY_CELLS:
        found.append(f"noughts solve {board} --by-ply")
    return found


def drawn(position: Position) -> str:
    """Return the position as a drawing of characters."""
    from noughts.drawing.board import board_text

    shape = position.board.shape or (1, position.board.cells, 1)
    marks = "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))
    return board_text(shape, marks, names=True, numbered=position.board.shape is None)


def grouped_moves(answer: PositionValue) -> list[str]:
    """Return a sentence for each value: the moves that have it, best first, with how soon they win or are lost.

    More than a reader looks through are not named one by one where they are all moves, or all but those named.
    """
    found = []
    counts = Counter(move.value for move in answer.moves)
    crowd = counts.most_common(1)[0][0] if answer.moves else None
    for value, word in _GROUPS.items():
        moves = [move for move in answer.moves if move.value == value]
        if moves:
            timed = value != "draw" and any(move.remoteness is not None for move in moves)
            if value == crowd and len(moves) > _NAMED and not timed:
                listed = "every blank cell" if len(counts) == 1 else "all others"
            else:
                listed = _by_length(answer.position.board, moves)
            what = "move" if len(moves) == 1 else "moves"
            if value == answer.value == "loss":  # none of them loses what was lost before
                found.append(f"{len(moves)} {what}, {'all ' * (len(moves) > 1)}lost: {listed}")
                continue
            told = f"{word} {what}" if value else f"{what} whose value is {_unsettled(answer)}"
            found.append(f"{len(moves)} {told}: {listed}")
    return found


def _unsettled(answer: PositionValue) -> str:
    """Return why the values of some moves are not there."""
    return "not told by the proof" if answer.engine == search.CARRIED else "not settled within the budget"


def _by_length(board: Board, moves: Sequence[MoveValue]) -> str:
    """Return the names of moves of one value, those that take as long together: `in 2 moves b2; in 3 moves a1, c1`."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        length = "" if move.remoteness is None or move.value == "draw" else in_moves(move.remoteness + 1)
        groups.setdefault(length, []).append(cell_name(board, move.cell))
    return "; ".join(f"{length} {', '.join(names)}".strip() for length, names in groups.items())


def _line(answer: PositionValue) -> str:
    if answer.line is None:
        return "not found within the budget"
    return " ".join(cell_name(answer.position.board, cell) for cell in answer.line)


def _how(answer: PositionValue) -> str:
    nodes = "" if answer.nodes is None else f"; {answer.nodes:,} positions searched for the value"
    return f"{answer.proof}{nodes}"


def _markdown(answer: PositionValue) -> str:
    rows = [
        [
            cell_name(answer.position.board, move.cell),
            move.value or "-",
            verdict(answer.to_move, answer.outcome, move.outcome, move.remoteness),
            "best" if move.best else "",
        ]
        for move in answer.moves
    ]
    table = Table(["move", "value", "verdict", ""], rows, frozenset(range(4)))
    head = f"**{answer.position.board}** `{format_position(answer.position)}`: {sentence(answer)}"
    parts = [head, as_markdown(table)] if rows else [head]
    if answer.line is not None and rows:
        parts.append(f"One line of best play: {_line(answer)}")
    return "\n\n".join([*parts, *unit(answer.position.board, answer.moves)])
