"""What pages ask of the rooms below again and again, kept for a few boards: values, and records of positions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from noughts.analysis.explain.explanation import Explanation, explain, reason, unvalued
from noughts.analysis.explain.facts import ending, in_moves, moves_to_win, outlook, told
from noughts.analysis.policies.playing import WHOLE_CELLS, Playing, whole_values
from noughts.analysis.records.api import catalogue
from noughts.analysis.records.catalogue import Catalogue, GraphCatalogue, about_classes, require_listable
from noughts.analysis.records.record import Record, fraction_text
from noughts.analysis.solutions import solution_for, winning_chances
from noughts.present.forms import Forms, as_json
from noughts.present.report import PIPE
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError
from noughts.rules.game import Marks
from noughts.rules.marks import Cell, Outcome, Player
from noughts.rules.position import Position
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Solution
from noughts.verbs import draw as figure
from noughts.verbs.explain import forms
from noughts.web.boards import CellNote
from noughts.web.records import Entries, chance_words, explained, percent, plural, recorded

_SEARCH = SearchBudget(position=200_000, moves=200_000, whole=600_000, far=40_000)
"""What a search may spend for one page."""
_CLASSES = 100_000
"""Classes, by the bound, up to which pages have the record of a position."""


def is_valued_whole(board: Board) -> bool:
    """Tell whether all positions of a board are valued at once, so that its moves may be asked for without a search."""
    return whole_values(board) is not None


def soon_values_at(position: Position) -> Solution:
    """Return the values of a position and of what follows, as far as a page finds them in about a second.

    Where the whole board is valued they are those of `values_at`; elsewhere a search, begun anew, may leave more
    unknown. Raises BudgetError where no engine can value it.
    """
    return whole_values(position.board) or solution_for(position, _SEARCH)


def values_at(position: Position) -> Solution:
    """Return the values of a position and of what follows: those of the whole board where they cost little.

    Raises BudgetError where no engine can value it.
    """
    return whole_values(position.board) or solution_for(position)


@lru_cache(maxsize=4)
def catalogue_of(board: Board) -> Catalogue | None:
    """Return the catalogue of a board; None where it is not made while a reader waits."""
    if board.cells > WHOLE_CELLS:
        return None
    try:
        require_listable(board)
        return catalogue(board) if about_classes(board) <= _CLASSES else None
    except BudgetError:
        return None


@lru_cache(maxsize=8)
def _chances(found: GraphCatalogue, player: Player) -> list[Fraction]:
    return winning_chances(found.graph, player)


def chance_of(found: Catalogue, position: Position, player: Player) -> Fraction | None:
    """Return the greatest chance of a player to win from a position against random play; None on larger boards."""
    if not isinstance(found, GraphCatalogue):
        return None
    return _chances(found, player)[found.graph.number_of(Marks(position.x, position.o))]


# The moves of a position as pages show them: in order, and as notes on the board.


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


# What is known of a position: its explanation, and its record where the board is small enough to have one at once.


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


# Why a key of a board does nothing there, and what is read aloud after a move, in sentences.


def unkeyed(known: Known, told: bool) -> dict[str, str]:
    """Return why the keys of a position without a link have none; `told` is whether its answers are shown."""
    same = {"turn": "Turned or flipped, this board is the same."}
    if known.is_over:
        return same | dict.fromkeys(("best", "hint"), "The game is over.")
    if not told:
        return same | dict.fromkeys(("best", "hint"), "The answers are hidden here.")
    return same | dict.fromkeys(("best", "hint"), "What is best here is not known.")


def live(game: Playing) -> str:
    """Return what is read aloud of a game that is played: the last move, and how the game stands."""
    told = game.reply is not None and not game.position.is_terminal
    if not game.moves or told:
        return game.sentence
    mover = "XO"[(len(game.moves) - 1) % 2]
    return f"{mover} played {cell_name(game.board, game.moves[-1])}. {game.sentence}"
