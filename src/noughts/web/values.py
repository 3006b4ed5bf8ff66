"""Facts about a position: its values, its moves in words, and its record on a small board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Literal

from noughts.analysis.explain.explanation import Explanation, explain, reason, unvalued
from noughts.analysis.explain.facts import PositionFacts, ValuedMove, last_move, previous_positions
from noughts.analysis.explain.wording import (
    ending_sentence,
    in_moves,
    length_rule,
    listed,
    moves_to_win,
    outlook,
    verdict,
    verdict_with_winner,
)
from noughts.analysis.policies.playing import WHOLE_CELLS, Playing, whole_values
from noughts.analysis.records.api import catalogue
from noughts.analysis.records.catalogue import Catalogue, GraphCatalogue, about_classes, require_listable
from noughts.analysis.records.record import fraction_text
from noughts.analysis.solutions import solution_for, winning_chances
from noughts.counting.question import command_of, play_words
from noughts.present.forms import Forms, as_json
from noughts.present.report import PIPE
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import BudgetError
from noughts.rules.game import Marks
from noughts.rules.marks import Cell, Outcome, Player
from noughts.rules.play import EndRule
from noughts.rules.position import Position
from noughts.rules.values import begun
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Solution
from noughts.verbs.explain import forms
from noughts.verbs.request import Caller
from noughts.web.boards import CellNote
from noughts.web.records import Entries, chance_words, percent, plural, record_facts, short, tactical_facts

_SEARCH = SearchBudget(position=200_000, moves=200_000, whole=600_000, far=40_000)
"""Limits of a search for one page."""
_CLASSES = 100_000
"""Classes, by the bound, up to which pages have the record of a position."""


def is_valued_whole(board: Board) -> bool:
    """Tell whether noughts values all positions of a board together, so that moves need no search."""
    return whole_values(board) is not None


def soon_values_at(position: Position) -> Solution:
    """Return the values of a position and its continuations, as far as a page finds them in about a second.

    If the whole board is valued, they are those of `values_at`; else a new search may leave more
    unknown. Raises BudgetError if no engine can value it.
    """
    return whole_values(position.board) or solution_for(position, _SEARCH, soon=True)


def values_at(position: Position) -> Solution:
    """Return the values of a position and its continuations: those of the whole board if they cost little.

    Raises BudgetError if no engine can value it.
    """
    return whole_values(position.board) or solution_for(position)


@lru_cache(maxsize=4)
def catalogue_of(board: Board) -> Catalogue | None:
    """Return the catalogue of a board; None if it takes too long for a page."""
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


@dataclass(frozen=True)
class MoveLine:
    """A move as a page shows it: its value for `mover`, in a game that ends at `end`.

    `remoteness` counts the plies after it. `games` are the finished games that continue with it, `chance` the
    greatest chance of its player to win against random play; both are None where unknown. Moves with the same letter
    `alike` lead to boards of one class.
    """

    cell: Cell
    name: str
    mover: Player
    outcome: Outcome | None
    remoteness: int | None
    verdict: str
    best: bool
    fork: bool | None
    after: Position
    games: int | None = None
    chance: Fraction | None = None
    alike: str = ""
    end: EndRule = "line"

    @property
    def kind(self) -> Literal["", "win", "draw", "loss"]:
        """Whether it wins, draws or loses for its player; empty if unknown."""
        return kind_of(self.mover, self.outcome)

    @property
    def chance_text(self) -> str:
        """The chance as a fraction and in percent, or `always` or `never`."""
        return "" if self.chance is None else chance_words(self.chance)

    @property
    def plies(self) -> int | None:
        """Plies to the end, this move included; None if unknown."""
        return None if self.remoteness is None else self.remoteness + 1

    @property
    def says(self) -> str:
        """The move's value in words: `X wins in 3 moves`, `a draw`."""
        if self.outcome is None:
            return "who wins is not known"
        if self.outcome == "draw":
            return "a draw" if self.verdict != "gives up the win" else "a draw, which gives up the win"
        winner = self.after.board.rules.name_of(self.outcome)
        return f"{winner} wins" + ("" if self.plies is None else f" {in_moves(self.plies, self.end)}")

    @property
    def brief(self) -> tuple[str, str]:
        """The value for its player in a cell's short form, words and a number: `wins in` and `3`."""
        if self.outcome is None:
            return "", "?"
        if self.outcome == "draw":
            return "draws", ""
        word = "wins" if self.kind == "win" else "loses"
        if self.plies is None or self.end == "decided":
            return word, ""
        return f"{word} in", f"{self.plies if self.end == 'full' else moves_to_win(self.plies):,}"


def kind_of(player: Player, outcome: Outcome | None) -> Literal["", "win", "draw", "loss"]:
    """Return an outcome for a player: win, draw, loss; empty if unknown."""
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


def notes(moves: Collection[MoveLine]) -> Mapping[Cell, Sequence[CellNote]]:
    """Return the notes on cells for each move, in overlays: value, plies, games, chance, alike.

    Empty if no move has a known value.
    """
    if all(move.outcome is None for move in moves):
        return {}
    return {move.cell: tuple(_notes(move)) for move in moves}


def _notes(move: MoveLine) -> Iterable[CellNote]:
    who = move.outcome or ""
    if who != "draw" and not move.after.board.rules.alternating:
        who = ""
    words, length = move.brief
    yield CellNote("value", length, move.kind, who, words, move.says)
    if move.plies is not None:
        yield CellNote("plies", str(move.plies), move.kind, who, "", plural(move.plies, "ply", "plies"))
    if move.games is not None:
        yield CellNote("games", f"{move.games:,}", aloud=plural(move.games, "game"))
    if move.chance is not None:
        words = "" if move.chance in (0, 1) else fraction_text(move.chance)
        mover = move.after.board.rules.name_of(move.mover)
        aloud = f"greatest chance of {mover} to win against random replies: {move.chance_text}"
        yield CellNote("chance", percent(move.chance), words=words, aloud=aloud)
    if move.alike:
        yield CellNote("alike", move.alike, aloud=f"kind {move.alike}")


@dataclass(frozen=True)
class Known:
    """The words of a page about a position. `lead` is the answer in a sentence, `best` gives its best moves.

    `is_listed`: the board is small enough to have records. `unknown` says why the winner is not known; it is empty
    otherwise. `before` gives the boards one move earlier with words, `why` why a move wins or loses. `forms`
    are those of the command line. `rules` are the rules that restrict play, in words.
    """

    facts: PositionFacts
    lead: str
    sentences: tuple[str, ...]
    entries: Entries
    moves: tuple[MoveLine, ...]
    is_listed: bool
    best: Callable[[Position], Sequence[Cell]]
    before: Callable[[], list[tuple[Position, str]]]
    why: Callable[[Cell], str]
    forms: Forms
    command: str
    unknown: str = ""
    rules: str = ""

    @property
    def heading(self) -> str:
        """Whose move it is, or that the game is over."""
        if self.facts.is_terminal:
            return "Game over"
        return f"{begun(self.facts.board.rules.name_of(self.facts.to_move))} to move"

    @property
    def best_moves(self) -> list[MoveLine]:
        """The best moves, best first."""
        return [move for move in self.moves if move.best]

    @property
    def marked(self) -> list[Cell]:
        """The cells of the best moves, none if all are equally good."""
        best = [move.cell for move in self.best_moves]
        return best if len(best) < len(self.moves) else []

    def line(self) -> list[Cell]:
        """Return one line of best play to the end; empty if unknown."""
        position, cells = self.facts.position, list[Cell]()
        while best := self.best(position)[:1]:
            cells += best
            position = position.play(best[0])
        return cells


def known(position: Position) -> Known:
    """Return the facts about a position. Without an engine its value is unknown: no BudgetError is raised."""
    board = position.board
    facts, unknown = _explained(position)
    is_whole = position.is_terminal or is_valued_whole(board)
    found = catalogue_of(board)
    return Known(
        facts,
        ending_sentence(position) if facts.is_terminal else _headline(facts),
        () if facts.is_terminal else facts.sentences,
        _entries(facts, found, at_most=facts.at_most),
        _moves(facts, found, {move.cell for move in facts.best_moves}),
        found is not None,
        _best_moves if is_whole else lambda at: (),
        partial(_before, position),
        lambda cell: next((reason(facts, move) for move in facts.moves if move.cell == cell), ""),
        forms(facts, PIPE) if is_whole else _searched_forms(facts),
        f"noughts explain {board}" + (f" '{position}'" if position.ply else ""),
        unknown,
    )


def _entries(
    facts: PositionFacts, found: Catalogue | None, end: EndRule = "line", at_most: int | None = None
) -> Entries:
    """Return the facts of a position: from its marks and its value, and from a catalogue, if there is one."""
    position, over = facts.position, facts.is_terminal
    entries = [("Moves played" if over else "Ply", f"{position.ply:,}")]
    entries += [] if over else tactical_facts(facts, end, at_most)
    return entries + ([] if found is None else record_facts(found.of_board(position), found[position]))


def _moves(
    facts: PositionFacts, found: Catalogue | None, best: Collection[Cell], by: EndRule | None = None
) -> tuple[MoveLine, ...]:
    """Return the moves of a position, best first; games and chances from a catalogue, if there is one.

    `by` is the end of games if rules restrict play: then forks and chances, which need free play, are omitted.
    """
    position, mover, end = facts.position, facts.to_move, length_rule(facts.board, by or "line")
    free = found if by is None and isinstance(found, GraphCatalogue) else None
    ways = [(move, cell) for move in facts.moves for cell in move.cells]
    alike = _letters(position, [cell for _, cell in ways]) if facts.outcome is not None else {}

    def line(move: ValuedMove, cell: Cell) -> MoveLine:
        after = position.play(cell)
        value = (mover, facts.outcome, move.outcome, move.remoteness)
        return MoveLine(
            cell,
            move_name(facts.board, cell),
            mover,
            move.outcome,
            move.remoteness,
            verdict(*value, end) if by not in (None, "line") else verdict_with_winner(facts.board, *value),
            cell in best,
            move.creates_fork if by is None else None,
            after,
            None if found is None else found[after].finishes,
            None if free is None else _chances(free, mover)[free.graph.number_of(Marks(after.x, after.o))],
            alike.get(cell, ""),
            end,
        )

    return tuple(sorted((line(move, cell) for move, cell in ways), key=_rank))


@lru_cache(maxsize=64)
def _explained(position: Position) -> tuple[Explanation, str]:
    """Return the explanation of a position, and why its value is unknown, empty if it is known."""
    solve = None if position.is_terminal else soon_values_at
    try:
        return explain(position.board, position, solution=solve and solve(position)), ""
    except BudgetError as error:
        return unvalued(position), str(error)


def _searched_forms(facts: Explanation) -> Forms:
    """Return data from a search as long as the command line's, and the picture of the page's values.

    Without values the picture shows only the marks.
    """
    board, position = facts.board, facts.position
    pictures = forms(facts, PIPE)
    if facts.outcome is None:
        from noughts.verbs.draw import DrawRequest  # only here: most positions have a value

        pictures = DrawRequest(board=board, position=str(position)).answer(Caller()).forms
    return {**pictures, "json": lambda: as_json(explain(board, position, solution=values_at(position)).as_dict())}


def _before(position: Position) -> list[tuple[Position, str]]:
    """Return the boards one move earlier, one of each class, with the moves that lead here."""
    try:
        earlier = previous_positions(position)
    except BudgetError:
        return []
    names = ((at, listed([move_name(at.board, cell) for cell in cells], "or")) for at, cells in earlier)
    return [(at, begun(f"{at.board.rules.name_of(at.to_move)} plays {name}")) for at, name in names]


def _headline(facts: Explanation) -> str:
    if facts.label is None or facts.outcome is None:
        return "Who wins was not found."
    end = length_rule(facts.board)
    return f"{begun(outlook(facts.label, facts.outcome, facts.remoteness, end, at_most=facts.at_most))}."


@lru_cache(maxsize=8192)
def _best_moves(position: Position) -> tuple[Cell, ...]:
    """Return the best moves of a position of a completely valued board; cached, because lines meet."""
    return () if position.is_terminal else tuple(values_at(position).best_moves(position) or ())


def known_by_rules(found: Catalogue, position: Position) -> Known:
    """Return the facts about a position under the rules of a catalogue, from its records."""
    record, question = found.of_board(position), found.question
    options = command_of(question).partition(" --same choices ")[2]
    rules = {"x_moves": question.x_moves, "o_moves": question.o_moves, "end": question.end}
    data = {"board": question.board.spec, **rules, **record.as_dict()}
    return Known(
        record,
        f"{begun(short(record, question.end))}.",
        (),
        _entries(record, found, question.end),
        _moves(record, found, record.best_moves, question.end),
        True,
        lambda at: found.of_board(at).best_moves,
        partial(_before_by_rules, found, position),
        lambda cell: "",
        {"json": lambda: as_json(data)},
        f"noughts positions {question.board} {options} --ply {position.ply}",
        rules=play_words(question),
    )


def _before_by_rules(found: Catalogue, position: Position) -> list[tuple[Position, str]]:
    """Return the boards from which a move that the rules allow leads here."""
    earlier, board = [], position.board
    for x, o in board.rules.before(board, position.x, position.o) if position.ply else ():
        parent, move = Position(board, x, o), last_move(position, x, o)
        if parent in found and any(move in each.cells for each in found.of_board(parent).moves):
            earlier.append((parent, begun(f"{board.rules.name_of(parent.to_move)} plays {move_name(board, move)}")))
    return earlier


def unkeyed(known: Known, shown: bool) -> dict[str, str]:
    """Return why keys of a position have no link; `shown` says whether the answers are shown."""
    same = {"turn": "Turned or flipped, this board is the same."}
    if known.facts.is_terminal:
        return same | dict.fromkeys(("best", "hint"), "The game is over.")
    if not shown:
        return same | dict.fromkeys(("best", "hint"), "The answers are hidden here.")
    return same | dict.fromkeys(("best", "hint"), "The best move here is not known.")


def live(game: Playing) -> str:
    """Return the words read aloud during a game: the last move, and the state of the game."""
    replied = game.reply is not None and not game.is_over
    if not game.moves or replied:
        return game.sentence
    mover = game.board.rules.players[(len(game.moves) - 1) % 2]
    return begun(f"{mover} played {game.moves[-1]}. {game.sentence}")
