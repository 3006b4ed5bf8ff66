"""A game that is played through: the moves up to here, the line they are the first of, and the lines that were left.

All of it stands in the link: the moves in the path, `line` where it goes on from here, `also` the lines left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.facts import quality, told
from noughts.analysis.explain.mistakes import Course, Mistake, course
from noughts.drawing.chart import tug_of_war
from noughts.present.forms import Forms, as_json
from noughts.present.report import PIPE
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.marks import Cell, Player
from noughts.rules.position import Position
from noughts.rules.symmetry import next_turn
from noughts.verbs.explain import forms
from noughts.web.addresses import game_slug, read_game
from noughts.web.boards import DRAWN_CELLS, BoardView, board_view, picture
from noughts.web.links import Links, PageAnswer
from noughts.web.request import Ask
from noughts.web.values import Known, is_valued_whole, kind_of, known, notes, soon_values_at, unkeyed, values_at

_KEPT = 6
"""Lines left that are kept, the latest."""

Moves = tuple[Cell, ...]


@dataclass(frozen=True)
class GameLines:
    """Where a reader is: after `moves`, on `line`, which begins with them; `also` are the lines that were left."""

    board: Board
    moves: Moves
    line: Moves
    also: tuple[Moves, ...] = ()

    def at(self, ply: int) -> GameLines:
        """Return the same line after so many moves."""
        return replace(self, moves=self.line[:ply])

    def play(self, cell: Cell) -> GameLines:
        """Return what a move leads to: along the line, or to a new one, where the rest of the old is kept."""
        after = (*self.moves, cell)
        if self.line[: len(after)] == after:
            return replace(self, moves=after)
        left = self._with(self.line) if len(self.line) > len(self.moves) else self.also
        return GameLines(self.board, after, after, left)

    def switch(self, other: Moves) -> GameLines:
        """Return one of the lines left, at its end, with this one kept instead."""
        rest = tuple(line for line in self.also if line != other)
        return GameLines(self.board, other, other, replace(self, also=rest)._with(self.line))

    def _with(self, line: Moves) -> tuple[Moves, ...]:
        return (*[other for other in self.also if other != line], line)[-_KEPT:]

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the link."""
        found = {}
        if self.line != self.moves:
            found["line"] = game_slug(self.board, self.line)
        if self.also:
            found["also"] = ",".join(game_slug(self.board, line) for line in self.also)
        return found


def read_lines(ask: Ask) -> GameLines:
    """Return where a reader is, from the address. Raises NotFound for impossible moves, InputError for other lines."""
    assert ask.board is not None
    board = ask.board
    moves = read_game(board, ask.what)
    line, also = ask.given("line"), ask.given("also")
    whole = moves if line is None else read_game(board, line)
    if whole[: len(moves)] != moves:
        raise InputError(f"the line {shown(line or '')} does not begin with {shown(ask.what)}: leave out line=")
    left = [text for text in (also or "").split(",") if text]
    if len(left) > _KEPT:
        raise InputError(f"also= has {len(left)} lines and up to {_KEPT} are kept: leave some out")
    return GameLines(board, moves, whole, tuple(read_game(board, text) for text in left))


# The page of a game: played on by links, with undo and redo, its course, and which move gave it away and why.


class _Played(NamedTuple):
    """A move of the line: its number, player and cell, what it did, the shape for that, and its link."""

    number: int
    player: Player
    name: str
    verdict: str
    kind: str
    outcome: str
    wrong: bool
    to: str | None
    here: bool


class _Lesson(NamedTuple):
    """A mistake: the board before it, its link, what it did, what was better, and why."""

    picture: str
    to: str | None
    what: str
    why: tuple[str, ...]


def answer_game(ask: Ask) -> PageAnswer:
    """Return a game as far as it has been played. Raises NotFound for impossible moves, InputError for other lines."""
    at = read_lines(ask)
    position = _position(at)
    found = known(position)
    text = " ".join(cell_name(at.board, cell) for cell in at.moves)

    command = f"noughts explain {at.board} '{text}'" if text else f"noughts explain {at.board}"
    return PageAnswer(
        "game.html",
        _title(found),
        lambda links: _GamePage(at, found, ask, links).context(),
        _forms(at, found, text),
        command,
    )


def _position(at: GameLines) -> Position:
    position = Position(at.board)
    for cell in at.moves:
        position = position.play(cell)
    return position


def _title(found: Known) -> str:
    return "The game is over" if found.is_over else found.heading


def _forms(at: GameLines, found: Known, text: str) -> Forms:
    """Return the forms of the command line, which says of a finished game which of its moves gave it away."""
    if not found.is_over or not at.moves:
        return found.forms

    def asked() -> dict[str, object]:
        solution = values_at(Position(at.board)) if is_valued_whole(at.board) else None
        return explain(at.board, text, solution=solution).as_dict()

    return {**forms(explain(at.board, found.position), PIPE), "json": lambda: as_json(asked())}


@lru_cache(maxsize=64)
def _course(board: Board, moves: tuple[Cell, ...]) -> Course | None:
    """Return how the value went through a game, as far as a page finds it; None where nothing is found."""
    try:
        return course(board, moves, soon_values_at(Position(board)))
    except BudgetError:
        return None


class _GamePage:
    """A game seen from one page: its links keep the line, the lines left and the quiz."""

    def __init__(self, at: GameLines, found: Known, ask: Ask, links: Links) -> None:
        self.at, self.known, self.links = at, found, links
        self.board, self.quiz = at.board, ask.given("quiz")
        self.course = None if self.quiz and not found.is_over else self._course()

    def context(self) -> dict[str, Any]:
        """Return what the template shows."""
        at, told = self.at, self.course
        return {
            "known": self.known,
            "told": self.quiz is None or self.known.is_over,
            "quiz": self.quiz is not None,
            "view": self._view() if self.board.cells <= DRAWN_CELLS else None,
            "has_notes": bool(notes(self.known.moves)),
            "sentences": told.sentences if told else (),
            "lessons": [self._lesson(each) for each in told.mistakes] if told else [],
            "played": self._played(),
            "chart": self._chart() if told and len(told.outcomes) > 1 else "",
            "undo": self._to(at.at(len(at.moves) - 1)) if at.moves else None,
            "redo": self._to(at.at(len(at.moves) + 1)) if at.line != at.moves else None,
            "start": self._to(at.at(0)) if at.moves else None,
            "end": self._to(at.at(len(at.line))) if len(at.line) > len(at.moves) else None,
            "others": [(self._names(line), self._to(at.switch(line))) for line in at.also],
            "text": self._names(at.moves),
            "alone": self.links.game(at.moves),
            "here_position": self.links.position(self.known.position),
            "play": None if self.known.is_over else self.links.page("play", g=game_slug(self.board, at.moves)),
            "quiz_to": self._quiz_to(),
        }

    def _to(self, at: GameLines) -> str | None:
        return self.links.game(at.moves, **at.query, quiz=self.quiz)

    def _quiz_to(self) -> str | None:
        return self.links.game(self.at.moves, **self.at.query, quiz=None if self.quiz else "1")

    def _names(self, moves: Sequence[int]) -> str:
        return " ".join(cell_name(self.board, cell) for cell in moves)

    def _course(self) -> Course | None:
        return _course(self.board, self.at.moves)

    def _view(self) -> BoardView:
        found, at, shown = self.known, self.at, self.quiz is None
        best = [move for move in found.moves if move.best]
        last = found.position
        who = "" if not at.moves else f"{'O' if len(at.moves) % 2 == 0 else 'X'} plays {self._names(at.moves[-1:])}. "
        return board_view(
            last,
            to=lambda cell: self._to(at.play(cell)),
            notes=notes(found.moves) if shown else None,
            best=[move.cell for move in best] if shown and 0 < len(best) < len(found.moves) else (),
            last=at.moves[-1] if at.moves else None,
            threats=found.threats if shown else None,
            forks=found.forks if shown else None,
            label=f"{self.board}, {found.heading}",
            live=f"{who}{found.heading}. {found.lead if shown or found.is_over else ''}".strip(),
            hint=found.sentences[0] if found.sentences and shown else "",
            keys={
                "undo": self._to(at.at(len(at.moves) - 1)) if at.moves else None,
                "redo": self._to(at.at(len(at.moves) + 1)) if at.line != at.moves else None,
                "best": self._to(at.play(best[0].cell)) if best and shown else None,
                "turn": self._turned(),
            },
            unkeyed=unkeyed(found, shown),
        )

    def _turned(self) -> str | None:
        try:
            turn = next_turn(self.board.group(), [(cell,) for cell in self.at.moves])
        except BudgetError:
            return None
        if turn is None:
            return None

        def image(moves: Sequence[int]) -> tuple[int, ...]:
            return tuple(turn[cell] for cell in moves)

        at = self.at
        return self._to(GameLines(self.board, image(at.moves), image(at.line), tuple(image(line) for line in at.also)))

    def _value(self, ply: int) -> tuple[str, int | None] | None:
        """Return who wins after so many moves, and the plies to the end; None where that was not found."""
        told = self.course
        if told is None or not told.valued_from <= ply < told.valued_from + len(told.outcomes):
            return None
        return told.outcomes[ply - told.valued_from], told.remoteness[ply - told.valued_from]

    def _played(self) -> list[_Played]:
        """Return the moves of the line: what each did as far as the game has gone, the rest without."""
        entries = []
        for number, cell in enumerate(self.at.line, 1):
            mover: Player = "X" if number % 2 else "O"
            before, after = self._value(number - 1), self._value(number)
            said, wrong = "", False
            if after is not None:
                due: Any = before[0] if before else None
                now: Any = after[0]
                said = told(mover, due, now, after[1])
                wrong = quality(mover, due, now) in ("loses", "gives up a win")
            kind = "" if after is None else kind_of(mover, after[0])  # type: ignore[arg-type]
            to = self._to(self.at.at(number))
            here = number == len(self.at.moves)
            entries.append(
                _Played(
                    number, mover, cell_name(self.board, cell), said, kind, after[0] if after else "", wrong, to, here
                )
            )
        return entries

    def _chart(self) -> str:
        return tug_of_war([self._value(ply) for ply in range(len(self.at.moves) + 1)], self.board.cells)

    def _lesson(self, mistake: Mistake) -> _Lesson:
        """Return a mistake with the board before it, and why what was better is better."""
        why = known(mistake.before).sentences
        return _Lesson(picture(mistake.before), self.links.position(mistake.before), mistake.sentence, why)
