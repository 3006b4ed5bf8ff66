"""The moves of a position as pages show them: in order, and as notes on the board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from noughts.domain.bits import Cell
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Player, Position
from noughts.records.catalogue import Catalogue
from noughts.records.record import fraction_text
from noughts.strategy.explain import Explanation
from noughts.strategy.lengths import in_moves, moves_to_win
from noughts.strategy.quality import told
from noughts.web.boards import CellNote
from noughts.web.recorded import chance_words, percent, plural
from noughts.web.solved import chance_of

__all__ = ["MoveLine", "kind_of", "moves_of", "notes"]


@dataclass(frozen=True)
class MoveLine:
    """A move as a page shows it. `verdict` is what `told` returns of it, `remoteness` counts the plies after it.

    `games` are the finished games that go on with it, `chance` the greatest chance of its player to win against random
    play, None where nothing is known of them; `alike` is the letter of the moves that lead to boards of one class.
    """

    cell: Cell
    name: str
    mover: Player
    outcome: Outcome | None
    remoteness: int | None
    label: str | None
    verdict: str
    best: bool
    fork: bool | None
    after: Position
    games: int | None = None
    chance: Fraction | None = None
    alike: str = ""

    @property
    def kind(self) -> str:
        """Whether it wins, draws or loses for its player; nothing where that was not found."""
        return kind_of(self.mover, self.outcome)

    @property
    def chance_text(self) -> str:
        """The chance as a fraction and in percent, or that it is sure."""
        return "" if self.chance is None else chance_words(self.chance)

    @property
    def plies(self) -> int | None:
        """Plies to the end, this move included; None where they were not found."""
        return None if self.remoteness is None else self.remoteness + 1

    @property
    def says(self) -> str:
        """What happens there, whoever reads it: `X wins in 3 moves`, `a draw`."""
        if self.outcome is None:
            return "who wins is not known"
        if self.outcome == "draw":
            return "a draw" if self.verdict != "gives up the win" else "a draw, which gives up the win"
        return f"{self.outcome} wins" + ("" if self.plies is None else f" {in_moves(self.plies)}")


def kind_of(player: Player, outcome: Outcome | None) -> str:
    """Return what an outcome is for a player: win, draw, loss; nothing where it is not known."""
    return "" if outcome is None else "draw" if outcome == "draw" else "win" if outcome == player else "loss"


def _rank(move: MoveLine) -> tuple[int, int, Cell]:
    """Return a key that sorts better moves first: a win soon, a draw, a loss late."""
    order = {"win": 0, "draw": 1, "loss": 2, "": 3}
    sign = {"win": 1, "loss": -1}.get(move.kind, 0)
    return order[move.kind], sign * (move.remoteness or 0), move.cell


def _letters(position: Position, cells: Iterable[Cell]) -> dict[Cell, str]:
    """Return a letter for each cell, the same for those that lead to boards of one class: A, B, ..., AA, ..."""
    classes: dict[tuple[int, int], str] = {}
    found = {}
    try:
        for cell in cells:
            after = position.play(cell)
            key = position.board.group().canonical(after.x, after.o)
            found[cell] = classes.setdefault(key, _letter(len(classes)))
    except BudgetError:
        return {}
    return found


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def moves_of(facts: Explanation, found: Catalogue | None) -> tuple[MoveLine, ...]:
    """Return the moves of a position by its values, best first; games and chances from a catalogue, if there is one."""
    position, best = facts.position, {move.cell for move in facts.best_moves}
    alike = _letters(position, [move.cell for move in facts.moves]) if facts.outcome is not None else {}
    lines = []
    for move in facts.moves:
        after = position.play(move.cell)
        lines.append(
            MoveLine(
                move.cell,
                cell_name(facts.board, move.cell),
                facts.to_move,
                move.outcome,
                move.remoteness,
                move.label,
                told(facts.to_move, facts.outcome, move.outcome, move.remoteness),
                move.cell in best,
                move.creates_fork,
                after,
                None if found is None else found[after].finishes,
                None if found is None else chance_of(found, after, facts.to_move),
                alike.get(move.cell, ""),
            )
        )
    return tuple(sorted(lines, key=_rank))


def notes(moves: Collection[MoveLine]) -> Mapping[Cell, Sequence[CellNote]]:
    """Return what stands on the cells of a board for each move, an overlay each: value, plies, games, chance, alike.

    Nothing where no move has a value that is known.
    """
    if all(move.outcome is None for move in moves):
        return {}
    return {move.cell: tuple(_notes(move)) for move in moves}


def _notes(move: MoveLine) -> Iterable[CellNote]:
    kind, who = move.kind, move.outcome or ""
    words, length = _brief(move)
    yield CellNote("value", length, kind, who, words, move.says)  # type: ignore[arg-type]
    if move.plies is not None:
        yield CellNote("plies", str(move.plies), kind, who, "", plural(move.plies, "ply", "plies"))  # type: ignore[arg-type]
    if move.games is not None:
        yield CellNote("games", f"{move.games:,}", said=plural(move.games, "game"))
    if move.chance is not None:
        words = "" if move.chance in (0, 1) else fraction_text(move.chance)
        yield CellNote("chance", percent(move.chance), words=words, said=_chance_said(move))
    if move.alike:
        yield CellNote("alike", move.alike, said=f"kind {move.alike}")


def _chance_said(move: MoveLine) -> str:
    return f"greatest chance of {move.mover} to win against random replies: {move.chance_text}"


def _brief(move: MoveLine) -> tuple[str, str]:
    """Return what fits a cell, in words and a number: `X wins in` and `3`."""
    if move.outcome is None:
        return "", "?"
    if move.outcome == "draw":
        return move.verdict, ""
    return (
        (f"{move.outcome} wins", "")
        if move.plies is None
        else (f"{move.outcome} wins in", f"{moves_to_win(move.plies):,}")
    )
