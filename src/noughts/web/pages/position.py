"""The page of a position: the value of each move, the advice, the boards before it, and its class.

Rules that restrict play change the counts; a board with such rules has a page of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, reduce
from itertools import zip_longest
from typing import Any, NamedTuple

from noughts.analysis.explain.wording import counted, in_moves, length_rule
from noughts.analysis.records.api import alike, catalogue
from noughts.analysis.records.catalogue import Catalogue
from noughts.counting.census import Census
from noughts.counting.conventions import Answers
from noughts.counting.engines import ask as question_of
from noughts.counting.question import SAMENESSES, Question, Sameness, command_of, play_words
from noughts.machine.budget import Limits
from noughts.present.forms import as_json
from noughts.rules.cells import move_name, parse_move
from noughts.rules.errors import BudgetError
from noughts.rules.game import on_moves
from noughts.rules.marks import Cell, cells_of, mask_of
from noughts.rules.position import Position, is_game, way_to
from noughts.rules.symmetry import next_turn
from noughts.rules.turns import IMAGE_LIMIT, images
from noughts.rules.values import drawn
from noughts.web.addresses import address, game_slug, position_slug, read_game, read_position
from noughts.web.boards import BoardView, board_view, chosen_mark, mark_keys, picture
from noughts.web.links import Links, PageAnswer
from noughts.web.pages.story import bar, marks_shown
from noughts.web.records import Drawn, drawn_positions, plural, rules_of
from noughts.web.request import Ask
from noughts.web.values import Known, MoveLine, known, known_by_rules, notes, unkeyed

_PICTURED = 48
"""Maximum number of drawn boards of a class, or before a position: enough for every class outside cubes and tori."""
_LINE = 40
"""Maximum moves of a drawn line of best play."""
_MOVES = 60
"""Maximum moves in the table; beyond, it has only the best."""
_OVERLAYS = (
    ("value", "what happens", "what happens there under best play, and how soon"),
    ("plies", "plies", "plies to the end of the game, this move included"),
    ("games", "games", "finished games that continue with a move there"),
    ("chance", "chance", "the greatest chance to win from there against an opponent who plays at random"),
    ("alike", "alike", "cells with the same letter lead to the same board, perhaps turned or flipped"),
)
"""Notes for cells: their name, a label, and their meaning."""


def answer_position(ask: Ask) -> PageAnswer:
    """Return the page of a position. Raises NotFound, InvalidCell."""
    if is_game(ask.what.replace("-", " "), ask.on):  # columns stand apart by dashes, d-d-c
        position = reduce(Position.play, read_game(ask.on, ask.what), Position(ask.on))
        return PageAnswer(location=address(replace(ask, what=position_slug(position), framed=False)))
    return _answered(ask, known(read_position(ask.on, ask.what)))


def _answered(ask: Ask, found: Known) -> PageAnswer:
    shown = _shown(ask, found.facts.position)

    return PageAnswer(
        "position.html",
        found.heading,
        lambda links: _PositionPage(found, ask, links, shown).context(),
        found.forms,
        found.command,
    )


def _shown(ask: Ask, position: Position) -> tuple[Cell, ...] | None:
    """Return the cells whose answers a quiz shows, the latest last; None for all. Raises InvalidCell."""
    given = ask.given("shown") or ""
    if ask.given("quiz") is None or given == "all":
        return None
    return tuple(dict.fromkeys(parse_move(position.board, name) for name in given.split("-") if name))


class _PositionPage:
    """One position seen from one page: its links keep the quiz and the rules."""

    def __init__(self, found: Known, ask: Ask, links: Links, shown: tuple[Cell, ...] | None) -> None:
        self.known, self.links, self.shown = found, links, shown
        self.position, self.board = found.facts.position, found.facts.board
        self.rules = rules_of(ask)
        self.places = chosen_mark(ask, self.position)
        self.options: dict[str, Any] = {"quiz": ask.given("quiz"), "mark": ask.given("mark"), **self.rules}

    def context(self) -> dict[str, Any]:
        """Return what the template shows."""
        found, revealed = self.known, self.shown is None or self.known.facts.is_terminal
        return {
            "known": found,
            "position": self.position,
            "view": self._board(),
            "revealed": revealed,
            "quiz": self.options["quiz"] is not None,
            "overlays": self.overlays if revealed else [],
            "moves": [(move, self._to(move.after), marks_shown(move.after)) for move in found.moves[:_MOVES]]
            if revealed
            else [],
            "spread": _spread(found.moves) if revealed else [],
            "bar": bar(self.board, found.facts.outcome, found.facts.remoteness) if self.shown is None else "",
            "has_length": found.facts.outcome not in (None, "draw") and not found.facts.is_terminal,
            "more_moves": max(0, len(found.moves) - _MOVES),
            "mover": self.board.rules.name_of(self.position.to_move),
            "counted": counted(self.board, self.rules.get("end", "line")),
            "columns": {name for name, *_ in self.overlays},
            "line": self._line() if revealed else [],
            "line_text": self._names(self.best_line) if revealed else "",
            "line_game": self._line_game() if revealed else None,
            "before": drawn_positions(found.before()[:_PICTURED], self._to),
            "orbit": self._orbit(),
            "has_tactics": any(
                cells for both in (found.facts.threats, found.facts.forks) for cells in (both or {}).values()
            ),
            "links_here": self._links_here(),
            "answers": self.answers,
            "puzzles": self.links.page("puzzles", seed=_another(self.position)) if self._is_solved else None,
            "show_all": self._here(quiz="1", shown="all"),
            "quiz_on": self._here(quiz="1"),
            "quiz_off": self._here(),
            "is_bound": bool(found.moves) and len(found.moves) < self.position.playable.bit_count(),
            "whole": self.links.page("board", **self.rules) if self.rules else None,
        }

    def _here(self, **query: Any) -> str | None:
        return self.links.position(self.position, **self.rules, **({"mark": self.options["mark"]} | query))

    def _marked(self, mark: str | None) -> str | None:
        """Return the link to this page with a mark to place."""
        shown = None if self.shown is None else self._names(self.shown)
        return self._here(quiz=self.options["quiz"], shown=shown, mark=mark)

    def _to(self, position: Position) -> str | None:
        return self.links.position(position, **self.options)

    @cached_property
    def overlays(self) -> list[tuple[str, str, str]]:
        """The notes that the cells have."""
        there = {note.overlay for each in notes(self.known.moves).values() for note in each if note.text or note.kind}
        return [overlay for overlay in _OVERLAYS if overlay[0] in there]

    def _board(self) -> BoardView:
        found, is_open = self.known, self.shown is None
        visible = [move for move in found.moves if self.shown is None or move.cell in self.shown]
        hidden = {move.cell for move in found.moves} - {move.cell for move in visible}
        after = {move.cell: move.after for move in found.moves}
        live = f"{found.heading}. {found.lead if found.facts.is_terminal or is_open else ''}".strip()
        return board_view(
            self.position,
            to=lambda cell: self._ask(cell) if cell in hidden else self._to(after[cell]) if cell in after else None,
            notes=notes(visible),
            says=dict.fromkeys(hidden, "choose it to see its value"),
            best=found.marked if is_open else [],
            play=self.best_line if is_open else (),
            places=self.places,
            threats=found.facts.threats if is_open else None,
            forks=found.facts.forks if is_open else None,
            asks=sorted(hidden),
            label=f"{self.board}, {found.heading}",
            live=" ".join(self.answers[0]).strip() if self.answers and not found.facts.is_terminal else live,
            hint=found.sentences[0] if is_open and found.sentences else "",
            keys={
                "best": self._to(found.best_moves[0].after) if is_open and found.best_moves else None,
                "turn": self._turned(),
                **mark_keys(self.places, self._marked),
            },
            unkeyed=unkeyed(found, is_open),
        )

    @cached_property
    def answers(self) -> list[tuple[str, str]]:
        """The answers of a quiz, the latest first: the move, its value and the reason."""
        moves = {move.cell: move for move in self.known.moves}
        revealed = [moves[cell] for cell in reversed(self.shown or ()) if cell in moves]
        return [(f"{self._mark(move)}{move.name}: {_move_text(move)}.", self.known.why(move.cell)) for move in revealed]

    def _mark(self, move: MoveLine) -> str:
        """Return whether a move that was tried keeps what can be forced; empty where moves do not differ in that."""
        tried, outcomes = self.shown or (), {each.outcome for each in self.known.moves}
        if len(outcomes) < 2 or None in outcomes or len(tried) == len(self.known.moves):
            return ""
        return "Right. " if move.outcome == self.known.facts.outcome else "Not that one. "

    @property
    def _is_solved(self) -> bool:
        """Whether a move that was tried in a quiz is right."""
        return any(words.startswith("Right") for words, _ in self.answers)

    def _names(self, cells: tuple[Cell, ...]) -> str:
        return "-".join(move_name(self.board, cell) for cell in cells)

    @cached_property
    def best_line(self) -> tuple[Cell, ...]:
        """One line of best play to the end; empty if unknown."""
        return tuple(self.known.line())

    @property
    def _so_far(self) -> Sequence[Cell]:
        """Return moves that lead to the position."""
        if not self.board.rules.is_marking:
            return way_to(self.position)
        pairs = zip_longest(cells_of(self.position.x), cells_of(self.position.o))
        return [cell for pair in pairs for cell in pair if cell is not None]

    def _line_game(self) -> str | None:
        """Return the link to a game that stands here and continues with the line of best play."""
        if self.rules or not self.links.is_live or not self.best_line:
            return None
        moves = self._so_far
        return self.links.game(moves, line=game_slug(self.board, [*moves, *self.best_line]))

    def _ask(self, cell: Cell) -> str | None:
        return self._here(quiz="1", shown=self._names((*(self.shown or ()), cell)))

    def _turned(self) -> str | None:
        sides = (tuple(cells_of(self.position.x)), tuple(cells_of(self.position.o)))
        try:
            turn = next_turn(self.board.group(), sides)
        except BudgetError:
            return None
        if turn is None:
            return None
        x, o = (mask_of(turn[cell] for cell in side) for side in sides)
        moves = on_moves(self.board, turn)
        shown = self._names(tuple(moves[cell] for cell in self.shown or ()))
        return self.links.position(Position(self.board, x, o), **self.options, shown=shown)

    def _line(self) -> list[Drawn]:
        """Return the boards of one line of best play, each with its move."""
        position, boards = self.position, []
        for cell in self.best_line[:_LINE]:
            mover, position = position.to_move, position.play(cell)
            label = self.board.rules.labels[mover == "O"]
            words = f"{label} {self._names((cell,))}"
            boards.append(Drawn(picture(position, [cell % self.board.cells]), self._to(position), "", words))
        return boards

    def _orbit(self) -> tuple[int, list[tuple[str, str | None, str]]]:
        """Return the size of the class and its first boards: picture, link, and the symmetry that makes it."""
        try:
            boards = self.board.group().orbit(self.position.x, self.position.o)
        except BudgetError:
            return 0, []
        pictured = boards[:_PICTURED] if self.board.cells <= 200 else ()
        members = [Position(self.board, x, o) for x, o in pictured]
        words = {self.position: "this one"}
        if members and self.board.group().order <= IMAGE_LIMIT:
            for name, image in images(self.board, self.position).items():
                words.setdefault(image, name)
        return len(boards), [(picture(member), self._to(member), words.get(member, "")) for member in members]

    def _links_here(self) -> list[tuple[str, str]]:
        """Return links to further pages. An unfinished position gets a game with its marks in any order."""
        if self.known.facts.is_terminal or self.rules:
            return []
        moves = self._so_far
        start, links = str(self.position) if self.position.ply else None, self.links
        found = [
            ("Play from here", links.page("play", g=game_slug(self.board, moves))),
            ("A game from here", links.game(moves) if links.is_live else None),
            ("Count games from here", links.page("count", from_=start)),
            ("Openings from here", links.page("openings", from_=start)),
            ("Tree from here", links.page("tree", "reduced", from_=start)),
        ]
        return [(words, to) for words, to in found if to]


class Spread(NamedTuple):
    """The moves of one value: its symbol and words, their number, and that as a share of the largest in percent."""

    kind: str
    outcome: str
    words: str
    number: int
    share: int


def _spread(moves: Sequence[MoveLine]) -> list[Spread]:
    """Return how many moves have each value and length, best first; empty if all are alike or none is known."""
    found = Counter((move.kind, move.outcome or "", " ".join(move.brief).strip()) for move in moves if move.kind)
    most = max(found.values(), default=0)
    return [Spread(*key, number, round(100 * number / most)) for key, number in found.items()] if len(found) > 1 else []


def _another(position: Position) -> str:
    """Return a seed for more puzzles, another for each position."""
    return str(drawn(10**6, f"more {position}"))


def _move_text(move: MoveLine) -> str:
    """Return the answer of a quiz: `loses, X wins in 2 moves`, `wins in 3 moves`, `draws`."""
    return move.verdict.replace(" (", ", ").replace(")", "")


def answer_ruled(ask: Ask) -> PageAnswer:
    """Return the page of a board or a position within rules.

    Raises NotFound, InvalidQuestion, BudgetError for boards of too many classes.
    """
    question = question_of(ask.on, same="choices", **rules_of(ask))
    found = catalogue(question.board, x_moves=question.x_moves, o_moves=question.o_moves, end=question.end)
    if ask.page == "position":
        return _answered(ask, known_by_rules(found, read_position(ask.on, ask.what)))
    return _ruled_board(found, rules_of(ask), ask)


def _ruled_board(found: Catalogue, rules: dict[str, Any], ask: Ask) -> PageAnswer:
    question, start = found.question, Position(found.board)
    record = found[start]

    def context(links: Links) -> dict[str, Any]:
        within = known_by_rules(found, start)
        after = {move.cell: links.position(move.after, **rules) for move in within.moves}
        places = chosen_mark(ask, start)
        return {
            "rules": play_words(question),
            "view": board_view(
                start,
                to=after.get,
                notes=notes(within.moves),
                best=within.marked,
                places=places,
                keys=mark_keys(places, lambda mark: links.page("board", **rules, mark=mark)),
            ),
            "start": links.position(start, **rules),
            "sentence": _sentence(found),
            "is_decided": question.end == "decided",
            "censuses": _censuses(question),
            "plies": [(ply, links.page("positions", ply=str(ply), **rules)) for ply in range(found.plies)],
            "endings": links.page("endings", **rules),
        }

    def data() -> str:
        order = ("board", "x_moves", "o_moves", "end", "classes")
        sizes = {name: value for name, value in found.as_dict().items() if name in order}
        games = {"games": str(record.finishes), "games_by_choices": str(record.finishes_by_choices)}
        return as_json({**sizes, **games, "rules": play_words(question)})

    title = f"Every position of {found.board} by rules"
    options = command_of(question).partition(" --same choices ")[2]
    return PageAnswer("ruled-board.html", title, context, {"json": data}, f"noughts positions {found.board} {options}")


def _censuses(question: Question) -> dict[Sameness, Census]:
    """Return the counts by ply, the same on every machine; those that cost too much are omitted."""
    answers, found = Answers(Limits(2_000_000_000, 2.0)), {}
    for same in SAMENESSES:
        with suppress(BudgetError):
            found[same] = answers.census(replace(question, same=same))
    return found


def _sentence(found: Catalogue) -> str:
    start, ends = found[Position(found.board)], sum(record.is_terminal for record in found)
    best, length = "the game is a draw", ""
    if start.outcome != "draw":
        best = f"{found.board.rules.name_of(start.outcome)} wins"
        length = f" {in_moves(start.remoteness, length_rule(found.board, found.question.end))}"
    together = alike(found.board).replace("Boards", "boards")
    return (
        f"Within these rules {found.board} has {plural(len(found), 'position class', 'position classes')} "
        f"({plural(found.boards, 'board')}; {together} count once), {ends:,} of them "
        f"{'an ending' if ends == 1 else 'endings'}, and {plural(start.finishes, 'game')}. "
        f"With best play within them {best}{length}."
    )
