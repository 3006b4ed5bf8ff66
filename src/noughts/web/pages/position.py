"""The page of a position: the board with what happens on each cell, the advice, what comes before, and its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from noughts.analysis.explain.facts import counted, in_moves, listed, previous_positions
from noughts.analysis.records.api import alike, catalogue
from noughts.analysis.records.catalogue import Catalogue
from noughts.analysis.records.record import Record
from noughts.counting.census import Census
from noughts.counting.conventions import Answers
from noughts.counting.engines import ask as question_of
from noughts.counting.question import SAMENESSES, Question, command_of, play_words
from noughts.machine.budget import Limits
from noughts.present.forms import as_json
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, cells_of, mask_of
from noughts.rules.position import Position, is_game
from noughts.rules.symmetry import Permutation, next_turn
from noughts.web.addresses import address, game_slug, position_slug, read_game, read_position
from noughts.web.boards import DRAWN_CELLS, BoardView, board_view, picture, spoken
from noughts.web.links import Links, PageAnswer
from noughts.web.records import Recorded, plural, rules_of, title_of
from noughts.web.request import Ask
from noughts.web.values import Known, MoveLine, known, notes, unkeyed

_PICTURED = 48
"""Boards of a class that are drawn on its page: all but for cubes and tori."""
_LINE = 40
"""Moves up to which a line of best play is drawn."""
_BEFORE = 48
"""Boards before a position that are drawn."""
_MOVES = 60
"""Moves up to which each is in the table; of more the best are."""
_OVERLAYS = (
    ("value", "what happens", "what happens there under best play, and how soon"),
    ("plies", "plies", "plies to the end of the game, this move included"),
    ("games", "games", "finished games that go on with a move there"),
    ("chance", "chance", "the greatest chance to win from there against an opponent who plays at random"),
    ("alike", "alike", "cells with the same letter lead to boards that are the same but for a turn or flip"),
)
"""What can be shown on the cells: the name of the notes, a word, and what they mean."""


def answer_position(ask: Ask) -> PageAnswer:
    """Return what there is to say about a position. Raises NotFound, InvalidCell."""
    assert ask.board is not None
    if is_game(ask.what):
        return _by_moves(ask, ask.board)
    position = read_position(ask.board, ask.what)
    shown = _shown(ask, position)
    found = known(position)

    return PageAnswer(
        "position.html",
        found.heading,
        lambda links: _PositionPage(found, ask, links, shown).context(),
        found.forms,
        found.command,
    )


def _by_moves(ask: Ask, board: Board) -> PageAnswer:
    """Return the way to the position that moves lead to. Raises NotFound."""
    position = Position(board)
    for cell in read_game(board, ask.what):
        position = position.play(cell)
    there = replace(ask, what=position_slug(position), framed=False)

    return PageAnswer(location=address(there))


def _shown(ask: Ask, position: Position) -> tuple[Cell, ...] | None:
    """Return the cells whose answers a quiz shows, the last asked for last; None for all. Raises InvalidCell."""
    given = ask.given("shown") or ""
    if ask.given("quiz") is None or given == "all":
        return None
    return tuple(dict.fromkeys(parse_cell(position.board, name) for name in given.split("-") if name))


class _PositionPage:
    """One position seen from one page: its links keep the quiz."""

    def __init__(self, found: Known, ask: Ask, links: Links, shown: tuple[Cell, ...] | None) -> None:
        self.known, self.ask, self.links, self.shown = found, ask, links, shown
        self.position, self.board = found.position, found.position.board
        self.kept: dict[str, Any] = {"quiz": ask.given("quiz")}

    def context(self) -> dict[str, Any]:
        """Return what the template shows."""
        found, shown = self.known, self.shown
        told = shown is None or found.is_over
        return {
            "known": found,
            "position": self.position,
            "view": self._board() if self.board.cells <= DRAWN_CELLS else None,
            "told": told,
            "quiz": self.ask.given("quiz") is not None,
            "overlays": self._overlays() if told else [],
            "moves": [(move, self._to(move.after)) for move in found.moves[:_MOVES]] if told else [],
            "more_moves": max(0, len(found.moves) - _MOVES),
            "counted": counted(self.board),
            "columns": {name for name, *_ in self._overlays()},
            "line": self._line() if told else [],
            "before": self._before(),
            "orbit": self._orbit(),
            "has_tactics": any([*found.threats.values(), *found.forks.values()]),
            "links_here": self._links_here(),
            "answers": self._answers(),
            "show_all": self._here(quiz="1", shown="all"),
            "quiz_on": self._here(quiz="1"),
            "quiz_off": self._here(),
        }

    def _here(self, **query: str) -> str | None:
        given: dict[str, Any] = {**query}
        return self.links.page("position", position_slug(self.position), **given)

    def _to(self, position: Position) -> str | None:
        return self.links.position(position, **self.kept)

    def _overlays(self) -> list[tuple[str, str, str]]:
        there = {note.overlay for each in notes(self.known.moves).values() for note in each if note.text or note.kind}
        return [overlay for overlay in _OVERLAYS if overlay[0] in there]

    def _board(self) -> BoardView:
        found, told = self.known, [m for m in self.known.moves if self.shown is None or m.cell in self.shown]
        best = [move for move in found.moves if move.best]
        asked = {move.cell for move in found.moves} - {move.cell for move in told}
        after = {move.cell: move.after for move in found.moves}
        said = "" if found.is_over or self.shown is not None else f" {found.lead}"
        return board_view(
            self.position,
            to=lambda cell: self._ask(cell) if cell in asked else self._to(after[cell]) if cell in after else None,
            notes=notes(told),
            says=dict.fromkeys(asked, "choose it to see what happens there"),
            best=[move.cell for move in best] if self.shown is None and 0 < len(best) < len(found.moves) else [],
            threats=found.threats if self.shown is None else None,
            forks=found.forks if self.shown is None else None,
            asks=sorted(asked),
            label=f"{self.board}, {found.heading}",
            live=" ".join(self._answers()[0]).strip()
            if self.shown and not found.is_over
            else f"{found.heading}.{said}"
            if not found.is_over
            else f"{found.heading}. {found.lead}",
            hint=self._hint() if self.shown is None else "",
            keys={"best": self._to(best[0].after) if best and self.shown is None else None, "turn": self._turned()},
            unkeyed=unkeyed(found, self.shown is None),
        )

    def _answers(self) -> list[tuple[str, str]]:
        """Return what a quiz has shown, the latest first: the move with what happens, and why."""
        moves = {move.cell: move for move in self.known.moves}
        asked = [moves[cell] for cell in reversed(self.shown or ()) if cell in moves]
        return [(f"{move.name}: {_answered(move)}.", self.known.why(move.cell)) for move in asked]

    def _hint(self) -> str:
        """Return the first sentence of the advice."""
        return self.known.sentences[0] if self.known.sentences else ""

    def _ask(self, cell: Cell) -> str | None:
        names = [cell_name(self.board, each) for each in (*(self.shown or ()), cell)]
        return self._here(quiz="1", shown="-".join(names))

    def _turned(self) -> str | None:
        sides = (tuple(cells_of(self.position.x)), tuple(cells_of(self.position.o)))
        try:
            turn = next_turn(self.board.group(), sides)
        except BudgetError:
            return None
        if turn is None:
            return None
        shown = {}
        if self.shown:
            shown["shown"] = "-".join(cell_name(self.board, turn[cell]) for cell in self.shown)
        return self.links.position(_image(self.position, turn), **self.kept, **shown)

    def _line(self) -> list[tuple[str, str | None, str]]:
        """Return the boards of one line of best play: picture, link, and the move."""
        position, boards = self.position, []
        for cell in self.known.line()[:_LINE]:
            mover, position = position.to_move, position.play(cell)
            boards.append((picture(position, [cell]), self._to(position), f"{mover} {cell_name(self.board, cell)}"))
        return boards

    def _before(self) -> list[tuple[str, str | None, str]]:
        """Return the boards one move earlier, one of each class: picture, link, and the moves that lead on."""
        entries: list[tuple[str, str | None, str]] = []
        try:
            earlier = previous_positions(self.position)
        except BudgetError:
            return []
        for position, cells in earlier:
            names = listed([cell_name(self.board, cell) for cell in cells], "or")
            entries.append((picture(position), self._to(position), f"{position.to_move} plays {names}"))
        return entries[:_BEFORE]

    def _orbit(self) -> tuple[int, list[tuple[str, str | None, bool]]]:
        """Return the number of boards of the class and the first of them: picture, link, whether it is this one."""
        try:
            boards = self.board.group().orbit(self.position.x, self.position.o)
        except BudgetError:
            return 0, []
        pictured = boards[:_PICTURED] if self.board.cells <= 200 else ()
        members = [Position(self.board, x, o) for x, o in pictured]
        return len(boards), [(picture(member), self._to(member), member == self.position) for member in members]

    def _moves(self) -> list[Cell]:
        """Return moves that lead here: in an open position any order of the marks is one that play allows."""
        x, o = list(cells_of(self.position.x)), list(cells_of(self.position.o))
        return [cell for pair in zip_longest(x, o) for cell in pair if cell is not None]

    def _links_here(self) -> Sequence[tuple[str, str | None]]:
        """Return what else can be asked from here."""
        if self.known.is_over:
            return []
        start = str(self.position) if self.position.ply else None
        found = [
            ("Play from here", self.links.page("play", g=game_slug(self.board, self._moves()))),
            ("A game from here", self.links.game(self._moves()) if self.links.is_live else None),
            ("Count games from here", self.links.page("count", from_=start)),
            ("Openings from here", self.links.page("openings", from_=start)),
            ("Tree from here", self.links.page("tree", "reduced", from_=start)),
        ]
        return [(words, to) for words, to in found if to]


def _answered(move: MoveLine) -> str:
    """Return the answer of a quiz: `loses, X wins in 2 moves`, `wins in 3 moves`, `draws`."""
    return move.verdict.replace(" (", ", ").replace(")", "")


def _image(position: Position, turn: Permutation) -> Position:
    x, o = (mask_of(turn[cell] for cell in cells_of(side)) for side in (position.x, position.o))
    return Position(position.board, x, o)


# A board and its positions where the players are bound by rules: what such play reaches, and no more.

_MEMORY = 2_000_000_000
_SECONDS = 2.0


def answer_ruled(ask: Ask) -> PageAnswer:
    """Return the page of a board or a position within rules.

    Raises NotFound, InvalidQuestion, BudgetError for boards of too many classes.
    """
    question = _question(ask)
    found = catalogue(question.board, x_moves=question.x_moves, o_moves=question.o_moves, end=question.end)
    page = {"board": _board, "position": _position}[ask.page]
    return page(ask, found)


def _question(ask: Ask) -> Question:
    assert ask.board is not None
    return question_of(ask.board, same="choices", **rules_of(ask))  # type: ignore[arg-type]


def _link(links: Links, page: str, parameters: dict[str, str]) -> str | None:
    return links.to(Ask(page, links.here.board, query=tuple(sorted(parameters.items()))))


def _options(question: Question) -> str:
    return command_of(question).partition(" --same choices ")[2]


def _command(question: Question, more: str = "") -> str:
    return f"noughts positions {question.board} {_options(question)}{more}"


def _rules_data(question: Question) -> dict[str, object]:
    return {"board": question.board.spec, "x_moves": question.x_moves, "o_moves": question.o_moves, "end": question.end}


def _position(ask: Ask, found: Catalogue) -> PageAnswer:
    assert ask.board is not None
    position = read_position(ask.board, ask.what)
    record = found.of_board(position)

    title = f"{title_of(record)}, {position}"

    def context(links: Links) -> dict[str, Any]:
        told = Recorded(found, position, links, **rules_of(ask))
        turn = "game over" if record.is_terminal else f"{record.to_move} to move"
        board = board_view(
            position, to=told.free, notes=told.notes(), best=record.best_moves, label=f"{ask.board}; {turn}"
        )
        said = spoken(position)
        return {
            "told": told,
            "board_view": replace(board, said=f"{said[0].upper()}{said[1:]}; {turn}."),
            "rules": play_words(found.question),
            "counted": counted(found.board, found.question.end),
            "whole": _link(links, "board", rules_of(ask)),
        }

    def data() -> str:
        return as_json({**_rules_data(found.question), **record.as_dict()})

    return PageAnswer(
        "ruled-position.html", title, context, {"json": data}, _command(found.question, f" --ply {position.ply}")
    )


def _board(ask: Ask, found: Catalogue) -> PageAnswer:
    question, start = found.question, found[Position(found.board)]
    answers = Answers(Limits(_MEMORY, _SECONDS))

    def context(links: Links) -> dict[str, Any]:
        rules = rules_of(ask)
        censuses = {same: census for same in SAMENESSES if (census := _census(question, same, answers)) is not None}
        told = Recorded(found, start.position, links, **rules)
        return {
            "rules": play_words(question),
            "board_view": board_view(start.position, to=told.free, notes=told.notes(), best=start.best_moves),
            "told": told,
            "sentence": _sentence(found, start),
            "is_decided": question.end == "decided",
            "censuses": censuses,
            "plies": [(ply, _link(links, "positions", {"ply": str(ply), **rules})) for ply in range(found.plies)],
            "endings": _link(links, "endings", rules),
        }

    def data() -> str:
        sizes = {"classes": str(len(found)), "games": str(start.finishes)}
        words = {"games_by_choices": str(start.finishes_by_choices), "rules": play_words(question)}
        return as_json({**_rules_data(question), **sizes, **words})

    title = f"Every position of {found.board} by rules"
    return PageAnswer("ruled-board.html", title, context, {"json": data}, _command(question))


def _census(question: Question, same: str, answers: Answers) -> Census | None:
    """Return the counts by ply, the same on every machine; None where they cost too much."""
    try:
        return answers.census(replace(question, same=same))  # type: ignore[arg-type]
    except BudgetError:
        return None


def _sentence(found: Catalogue, start: Record) -> str:
    ends = sum(record.is_terminal for record in found)
    best = {"X": "X wins", "O": "O wins", "draw": "the game is a draw"}[start.outcome]
    length = "" if start.outcome == "draw" else f" {in_moves(start.remoteness, found.question.end)}"
    together = alike(found.board).replace("Boards", "boards")
    return (
        f"Within these rules {found.board} has {plural(len(found), 'position class', 'position classes')} "
        f"({plural(found.boards, 'board')}; {together} count once), {ends:,} of them "
        f"{'an ending' if ends == 1 else 'endings'}, and {plural(start.finishes, 'game')}. "
        f"With best play within them {best}{length}."
    )
