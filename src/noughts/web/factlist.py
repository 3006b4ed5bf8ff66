"""The facts of a position as pages list them: a word and a text each."""

from __future__ import annotations

from collections.abc import Mapping

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Player, opponent
from noughts.records.record import RandomPlay, Record
from noughts.strategy.explain import Explanation
from noughts.strategy.lengths import in_moves, within
from noughts.web.recorded import chance_words, plural

__all__ = ["Entries", "explained", "recorded"]

Entries = list[tuple[str, str]]
_ByPlayer = Mapping[Player, tuple[Cell, ...]]


def _how_it_ends(outcome: str | None, remoteness: int | None, at_most: int | None) -> str:
    """Return what best play leads to: `X wins in 3 moves (5 plies to the end)`."""
    if outcome is None:
        return "not known"
    best = "a draw" if outcome == "draw" else f"{outcome} wins"
    if remoteness is None:
        return best if at_most is None else f"{best} {within(at_most)} ({plural(at_most, 'ply', 'plies')})"
    if outcome != "draw":
        best += f" {in_moves(remoteness)}"
    return f"{best} ({plural(remoteness, 'ply', 'plies')} to the end)"


def _cells(board: Board, both: _ByPlayer | None) -> str:
    found = [
        f"{player}: {', '.join(cell_name(board, c) for c in cells)}" for player, cells in (both or {}).items() if cells
    ]
    return "; ".join(found)


def explained(facts: Explanation) -> Entries:
    """Return the facts of an unfinished position: whose move it is, what best play leads to, threats, forks, lines."""
    entries = [
        ("Ply", f"{facts.position.ply:,}"),
        ("Best play", _how_it_ends(facts.outcome, facts.remoteness, facts.at_most)),
    ]
    entries += _tactics(facts.board, facts.threats, facts.forks)
    if facts.is_trap:
        entries.append(("Trap", f"yes: {facts.to_move} has a move that loses and another that does not"))
    if facts.board.lines:
        lines = facts.lines
        open_x, open_o = len(lines.x_open), len(lines.o_open)
        entries.append(
            (
                "Lines",
                f"{len(facts.board.lines):,}: {open_x:,} open to X, {open_o:,} to O, {len(lines.blocked):,} blocked",
            )
        )
    return entries


def _tactics(board: Board, threats: _ByPlayer | None, forks: _ByPlayer | None) -> Entries:
    parts = (("Threats", _cells(board, threats)), ("Forks to make", _cells(board, forks)))
    return [(words, cells) for words, cells in parts if cells]


def recorded(record: Record, of_class: Record) -> Entries:
    """Return what the record of a labelled board and that of its class know besides: ways, games, chances, sizes."""
    entries: Entries = []
    if record.is_fork and not record.is_terminal:
        entries.append(("Fork", f"yes: {opponent(record.to_move)} has two or more threats"))
    entries += [
        (
            "Ways to reach it",
            f"{record.ways:,}; any board of its class {of_class.ways:,} (by choices {record.ways_by_choices:,})",
        ),
        ("Ways to finish", f"{record.finishes:,} (by choices {record.finishes_by_choices:,})"),
        (
            "Games through it",
            f"{record.games:,}; through its class {of_class.games:,} (by choices {record.games_by_choices:,})",
        ),
    ]
    if not record.is_terminal:
        entries.append(("If both play at random", _chances(record.random_play)))
    entries += [
        ("Boards of its class", f"{record.orbit:,}"),
        ("Symmetries that keep it", f"{record.stabiliser:,}"),
    ]
    if record.pattern:
        entries.append(("Pattern", record.pattern))
    return entries


def _chances(play: RandomPlay) -> str:
    """Return the chances of the outcomes as fractions and in percent, those that can come about."""
    parts = (("X wins", play.x_wins), ("draw", play.draw), ("O wins", play.o_wins))
    return "; ".join(f"{word} {chance_words(chance)}" for word, chance in parts if chance)
