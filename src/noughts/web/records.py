"""The record of a position on a page: its facts in words, and the boards before, after and alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from noughts.analysis.explain.explanation import Explanation
from noughts.analysis.explain.facts import in_moves, outlook, verdict
from noughts.analysis.records.catalogue import Catalogue
from noughts.analysis.records.record import RandomPlay, Record, RecordMove, fraction_text
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import Cell, Player, cells_of, mask_of, opponent
from noughts.rules.play import EndRule
from noughts.rules.position import Position
from noughts.web.boards import CellNote, picture
from noughts.web.kinds import RULE_NAMES
from noughts.web.links import Links
from noughts.web.request import Ask

_PICTURED = 48
"""Boards of a class that are drawn on its page: all but for cubes and tori."""


@dataclass(frozen=True)
class Drawn:
    """A small board, where it leads, and what stands under it: a few words in bold, and some more."""

    picture: str
    to: str | None
    head: str = ""
    words: str = ""


def plural(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 class`, `2,000 classes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ended(record: Record) -> str:
    """Return how a finished game ended: `X has won` or `drawn`, or without line or full board `decided for X`."""
    position = record.position
    if position.blanks and not position.completed_lines("X") and not position.completed_lines("O"):
        return "decided as a draw" if record.outcome == "draw" else f"decided for {record.outcome}"
    return "drawn" if record.outcome == "draw" else f"{record.outcome} has won"


def title_of(record: Record) -> str:
    """Return the verdict: `X to move: either can force a draw`, `Game over: X has won`."""
    if record.is_terminal:
        return f"Game over: {ended(record)}" + (f" ({record.pattern})" if record.pattern else "")
    return f"{record.to_move} to move: {record.label}"


def short(record: Record, end: EndRule = "line") -> str:
    """Return a short verdict: who has won, or who can force it and in how many moves."""
    if record.is_terminal:
        return ended(record)
    return outlook(record.label, record.outcome, record.remoteness, end)


_PERCENT = "\N{NO-BREAK SPACE}%"


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
    """Return a chance as a fraction and in percent, or that it is sure.

    >>> [chance_words(Fraction(*parts)) for parts in ((1, 1), (0, 1))]
    ['always', 'never']
    """
    if chance in (0, 1):
        return "always" if chance else "never"
    return f"{fraction_text(chance)} ({percent(chance)})"


class Recorded:
    """The record of one board of a catalogue, as a page tells it. All that it says is within the catalogue's rules."""

    def __init__(self, catalogue: Catalogue, position: Position, links: Links, **rules: str) -> None:
        self.catalogue, self.record = catalogue, catalogue.of_board(position)
        self.position, self.end = position, catalogue.question.end
        self._links, self._rules = links, rules

    def to(self, position: Position) -> str | None:
        """Return the link to the page of a position."""
        return self._links.position(position, **self._rules)

    @property
    def title(self) -> str:
        """The verdict on the board."""
        return title_of(self.record)

    def said(self, move: RecordMove) -> str:
        """Return what a move does for the player who makes it, in a few words."""
        words = verdict(self.record.to_move, self.record.outcome, move.outcome, move.remoteness, self.end)
        return f"{words} (best)" if move.best else words

    def notes(self) -> dict[Cell, list[CellNote]]:
        """Return what stands on the cells that may be taken: what a move there does."""
        found: dict[Cell, list[CellNote]] = {}
        for move in self.record.moves:
            kind = "draw" if move.outcome == "draw" else "win" if move.outcome == self.record.to_move else "loss"
            words = verdict(self.record.to_move, self.record.outcome, move.outcome, move.remoteness, self.end)
            for cell in move.cells:
                found[cell] = [CellNote("value", "", kind, move.outcome, words, words)]  # type: ignore[arg-type]
        return found

    def free(self, cell: Cell) -> str | None:
        """Return the link of a cell that the side to move may take."""
        return self.to(self.position.play(cell)) if self._allowed >> cell & 1 else None

    @property
    def bound(self) -> bool:
        """Whether the rules forbid some blank cell."""
        return bool(self.record.moves) and bool(self.position.blanks & ~self._allowed)

    @property
    def _allowed(self) -> int:
        return mask_of(cell for move in self.record.moves for cell in move.cells)

    def facts(self) -> list[tuple[str, str]]:
        """Return the facts of the record, a word and a few more for each."""
        record = self.record
        entries = [("Ply", str(record.ply))]
        if record.is_terminal:
            entries.append(("Game", f"over: {ended(record)}"))
        else:
            best = (
                "a draw"
                if record.outcome == "draw"
                else f"{record.outcome} wins {in_moves(record.remoteness, self.end)}"
            )
            to_end = "" if "decided" in best else f" ({plural(record.remoteness, 'ply', 'plies')} to the end)"
            entries += [("To move", record.to_move), ("Label", record.label), ("Best play", best + to_end)]
            entries += self._threats()
            if record.is_trap:
                entries.append(("Trap", f"yes: {record.to_move} has a move that loses and another that does not"))
        entries += [
            ("Ways to reach it", f"{record.ways:,} (its class by choices {record.ways_by_choices:,})"),
            ("Ways to finish", f"{record.finishes:,} (by choices {record.finishes_by_choices:,})"),
            ("Games through it", f"{record.games:,} (its class by choices {record.games_by_choices:,})"),
        ]
        if not record.is_terminal:
            entries.append(("Random play", self._chances()))
        alike = plural(record.orbit, "board")
        return [*entries, ("Boards of its class", alike), ("Symmetries that keep it", f"{record.stabiliser:,}")]

    def _threats(self) -> Iterator[tuple[str, str]]:
        for words, both in (("Threats", self.record.threats), ("Forks to make", self.record.forks)):
            if both and any(both.values()):
                found = [f"{player}: {', '.join(self.record.names(cells))}" for player, cells in both.items() if cells]
                yield words, "; ".join(found)
        if self.record.is_fork:
            yield "Fork", f"yes: {opponent(self.record.to_move)} has two or more threats"

    def _chances(self) -> str:
        chances = self.record.random_play
        parts = [("X wins", chances.x_wins), ("draw", chances.draw), ("O wins", chances.o_wins)]
        return "; ".join(f"{word} {chance_words(chance)}" for word, chance in parts if chance)

    def moves(self) -> list[tuple[str, list[Drawn]]]:
        """Return the moves by the label of what they lead to, best for the side to move first."""
        me = self.record.to_move
        order = [me, "draw", opponent(me)]
        groups: dict[tuple[int, bool, str], list[RecordMove]] = {}
        for move in self.record.moves:
            decided = move.label.endswith("wins") or move.label == "draw"
            rank = order.index(move.outcome)
            groups.setdefault((rank, decided if rank else not decided, move.label), []).append(move)
        found = []
        for (_, _, label), moves in sorted(groups.items()):
            moves.sort(key=lambda move: (not move.best, move.cells[0]))
            found.append((label[0].upper() + label[1:], [self._move(move) for move in moves]))
        return found

    def _move(self, move: RecordMove) -> Drawn:
        after = self.position.play(move.cells[0])
        names = ", ".join(self.record.names(move.cells))
        return Drawn(picture(after, [move.cells[0]]), self.to(after), names, self.said(move))

    def best_line(self) -> list[Drawn]:
        """Return one line of best play, each board the one before and one more mark."""
        position, here, found = self.position, self.record, []
        while here.moves:
            cell = next(move for move in here.moves if move.best).cells[0]
            played, position = f"{here.to_move} {cell_name(here.board, cell)}", position.play(cell)
            here = self.catalogue.of_board(position)
            found.append(Drawn(picture(position, [cell]), self.to(position), played, short(here, self.end)))
        return found

    def before(self) -> list[Drawn]:
        """Return the boards that one move leads here from."""
        found = []
        mover = opponent(self.record.to_move)
        for cell in cells_of(self.position.marks(mover)):
            parent = Position(self.record.board, self.position.x & ~(1 << cell), self.position.o & ~(1 << cell))
            if parent not in self.catalogue:
                continue
            record = self.catalogue.of_board(parent)
            if any(cell in move.cells for move in record.moves):
                words = f"{mover} plays {cell_name(record.board, cell)}"
                found.append(Drawn(picture(parent), self.to(parent), words, short(record, self.end)))
        return found

    def alike(self) -> list[Drawn]:
        """Return the boards of the class, those that are drawn."""
        boards = [Position(self.record.board, x, o) for x, o in self.catalogue.orbit(self.position)]
        return [
            Drawn(picture(board), None if board == self.position else self.to(board)) for board in boards[:_PICTURED]
        ]


# The facts of a position as pages list them: a word and a text each.

Entries = list[tuple[str, str]]
_ByPlayer = Mapping[Player, tuple[Cell, ...]]


def _how_it_ends(outcome: str | None, remoteness: int | None, at_most: int | None) -> str:
    """Return what best play leads to: `X wins in 3 moves (5 plies to the end)`."""
    if outcome is None:
        return "not known"
    best = "a draw" if outcome == "draw" else f"{outcome} wins"
    if remoteness is None:
        return (
            best if at_most is None else f"{best} {in_moves(at_most, at_most=True)} ({plural(at_most, 'ply', 'plies')})"
        )
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


# Records of positions as small boards on a page: in groups under headings, each with its link and what is said.


@dataclass(frozen=True)
class BoardGroup:
    """Some boards under a heading, with how many there are in all, of which these may be a part."""

    heading: str
    number: int
    boards: Sequence[Drawn]


def rules_of(ask: Ask) -> dict[str, str]:
    """Return the rules of play that an address gives."""
    return {name: value for name, value in ask.query if name in RULE_NAMES}


def label_of(record: Record) -> str:
    """Return the heading under which a record stands: `Game over: X has won`, or its label."""
    label = f"game over: {ended(record)}" if record.is_terminal else record.label
    return f"{label[0].upper()}{label[1:]}"


def drawn_records(
    records: Iterable[Record],
    links: Links,
    rules: Mapping[str, str],
    words: Callable[[Record], str],
    head: Callable[[Record], str] = lambda record: "",
) -> list[Drawn]:
    """Return records as small boards, each with a `head` in bold and the name of its pattern, or `words`."""
    return [
        Drawn(
            picture(record.position),
            links.position(record.position, **rules),
            head(record),
            record.pattern or words(record),
        )
        for record in records
    ]


def grouped_by(records: Sequence[Record], name: Callable[[Record], str]) -> dict[str, list[Record]]:
    """Return records by the names of their groups, which keep the order in which they are met."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(name(record), []).append(record)
    return found
