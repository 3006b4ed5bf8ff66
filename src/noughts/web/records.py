"""Records of positions on pages: their facts in words, and small boards in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noughts.analysis.explain.facts import PositionFacts, lines_of
from noughts.analysis.explain.wording import in_moves, length_rule, outlook
from noughts.analysis.records.record import Record, fraction_text
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import Cell, Outcome, Player, opponent
from noughts.rules.play import EndRule
from noughts.rules.position import Position
from noughts.rules.values import begun
from noughts.web.boards import picture
from noughts.web.kinds import RULE_NAMES
from noughts.web.links import Links
from noughts.web.request import Ask

Entries = list[tuple[str, str]]
"""Facts as pages list them: a word and a text each."""
_PERCENT = "\N{NO-BREAK SPACE}%"


@dataclass(frozen=True)
class Drawn:
    """A small board, its link, and the words below it, the first in bold."""

    picture: str
    to: str | None
    head: str = ""
    words: str = ""


def plural(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 class`, `2,000 classes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ended(record: Record, end: EndRule = "decided") -> str:
    """Return how a finished game ended: `X has won`, `drawn`, or without line or full board `decided for X`.

    Where games end at a line or a full board, a game that ends without either ends as a player concedes.
    """
    position, name = record.position, record.board.rules.name_of
    if record.outcome != "draw" and not record.board.rules.alternating:
        return f"{name(record.outcome)} has won"
    if position.blanks and not position.completed_lines("X") and not position.completed_lines("O"):
        if end == "line":
            return f"{record.to_move} concedes"
        return "decided as a draw" if record.outcome == "draw" else f"decided for {record.outcome}"
    return "drawn" if record.outcome == "draw" else f"{record.outcome} has won"


def short(record: Record, end: EndRule = "line") -> str:
    """Return a short verdict: who has won, or who can force it and in how many moves."""
    if record.is_terminal:
        return ended(record, end)
    return outlook(record.label, record.outcome, record.remoteness, length_rule(record.board, end))


def percent(fraction: Fraction) -> str:
    """Return a probability in percent with one decimal, rounded half up, in integers only; 0 and 100 are exact.

    The space before the sign does not break.

    >>> found = [percent(Fraction(*parts)) for parts in ((2, 3), (1, 1), (2999, 3000), (1, 3000), (0, 1))]
    >>> [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]
    ['66.7 %', '100 %', 'over 99.9 %', 'under 0.1 %', '0 %']
    """
    if fraction in (0, 1):
        return f"{100 * fraction}{_PERCENT}"
    tenths = (2000 * fraction.numerator + fraction.denominator) // (2 * fraction.denominator)
    if tenths in (0, 1000):
        return f"over 99.9{_PERCENT}" if tenths else f"under 0.1{_PERCENT}"
    return f"{tenths // 10}.{tenths % 10}{_PERCENT}"


def chance_words(chance: Fraction) -> str:
    """Return a chance as a fraction and in percent, or `always` or `never`.

    >>> [chance_words(Fraction(*parts)) for parts in ((1, 1), (0, 1))]
    ['always', 'never']
    """
    if chance in (0, 1):
        return "always" if chance else "never"
    return f"{fraction_text(chance)} ({percent(chance)})"


def tactical_facts(at: PositionFacts, end: EndRule = "line", at_most: int | None = None) -> Entries:
    """Return the facts of an unfinished position: its value, threats, forks, lines."""
    board = at.board
    entries = [("Best play", _how_it_ends(board, at.outcome, at.remoteness, at_most, end))]
    if at.completing:
        entries.append(("Moves that complete a line", " ".join(map(str, at.completing))))
    parts = (("Threats", _cells(board, at.threats)), ("Forks to make", _cells(board, at.forks)))
    entries += [(words, cells) for words, cells in parts if cells]
    if at.is_trap:
        entries.append(
            ("Trap", f"yes: {board.rules.name_of(at.to_move)} has a move that loses and another that does not")
        )
    if board.lines and board.rules.alternating:
        lines = lines_of(at.position)
        x, o, blocked = (len(each) for each in (lines.x_open, lines.o_open, lines.blocked))
        entries.append(("Lines", f"{len(board.lines):,}: {x:,} open to X, {o:,} to O, {blocked:,} blocked"))
    return entries


def _how_it_ends(
    board: Board, outcome: Outcome | None, remoteness: int | None, at_most: int | None, end: EndRule
) -> str:
    """Return the result of best play: `X wins in 3 moves (5 plies to the end)`."""
    if outcome is None:
        return "not known"
    best = "a draw" if outcome == "draw" else f"{board.rules.name_of(outcome)} wins"
    if remoteness is None:
        return (
            best if at_most is None else f"{best} {in_moves(at_most, at_most=True)} ({plural(at_most, 'ply', 'plies')})"
        )
    if outcome != "draw":
        best += f" {in_moves(remoteness, length_rule(board, end))}"
    return best if "(" in best else f"{best} ({plural(remoteness, 'ply', 'plies')} to the end)"


def _cells(board: Board, both: Mapping[Player, tuple[Cell, ...]] | None) -> str:
    named = {player: ", ".join(cell_name(board, cell) for cell in cells) for player, cells in (both or {}).items()}
    return "; ".join(f"{player}: {names}" for player, names in named.items() if names)


def record_facts(record: Record, of_class: Record) -> Entries:
    """Return further facts from the records of a board and of its class: ways, games, chances, sizes."""
    entries: Entries = []
    if record.is_fork and not record.is_terminal:
        entries.append(("Fork", f"yes: {opponent(record.to_move)} has two or more threats"))
    reached = f"{record.ways:,}; any board of its class {of_class.ways:,} (by choices {record.ways_by_choices:,})"
    through = f"{record.games:,}; through its class {of_class.games:,} (by choices {record.games_by_choices:,})"
    entries += [
        ("Ways to reach it", reached),
        ("Ways to finish", f"{record.finishes:,} (by choices {record.finishes_by_choices:,})"),
        ("Games through it", through),
    ]
    if not record.is_terminal:
        play = record.random_play
        x, o = record.board.rules.players
        parts = ((f"{x} wins", play.x_wins), ("draw", play.draw), (f"{o} wins", play.o_wins))
        chances = "; ".join(f"{word} {chance_words(chance)}" for word, chance in parts if chance)
        entries.append(("If both play at random", chances))
    entries += [("Boards of its class", f"{record.orbit:,}"), ("Symmetries that keep it", f"{record.stabiliser:,}")]
    return [*entries, ("Pattern", record.pattern)] if record.pattern else entries


@dataclass(frozen=True)
class BoardGroup:
    """Boards under a heading, and the number of all boards in the group."""

    heading: str
    number: int
    boards: Sequence[Drawn]


def rules_of(ask: Ask) -> dict[str, Any]:
    """Return the rules of play in an address."""
    return {name: value for name, value in ask.query if name in RULE_NAMES}


def label_of(record: Record) -> str:
    """Return the heading of a record's group: `Game over: X has won`, or its label."""
    label = f"game over: {ended(record)}" if record.is_terminal else record.label
    return begun(label)


def drawn_records(
    records: Iterable[Record],
    links: Links,
    rules: Mapping[str, str],
    words: Callable[[Record], str],
    head: Callable[[Record], str] = lambda record: "",
) -> list[Drawn]:
    """Return records as small boards, each with a `head` in bold and the name of its pattern, or `words`."""

    def drawn(record: Record) -> Drawn:
        to = links.position(record.position, **rules)
        return Drawn(picture(record.position), to, head(record), record.pattern or words(record))

    return [drawn(record) for record in records]


def grouped_by(records: Sequence[Record], name: Callable[[Record], str]) -> dict[str, list[Record]]:
    """Return records by the names of their groups, in the order of first appearance."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(name(record), []).append(record)
    return found


def drawn_positions(
    entries: Iterable[tuple[Position, str]], to: Callable[[Position], str | None], last: Cell | None = None
) -> list[Drawn]:
    """Return positions as small boards, each with its words."""
    return [Drawn(picture(at, [] if last is None else [last]), to(at), "", words) for at, words in entries]
