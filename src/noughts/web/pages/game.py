"""The page of a game: links to play on, undo and redo, the value after each move, and the losing move with its reason.

The address has the moves in its path, the whole line in `line`, and the abandoned lines in `also`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from noughts.analysis.explain.explanation import explain
from noughts.analysis.explain.wording import counted
from noughts.present.forms import as_json
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.game import on_moves
from noughts.rules.marks import Cell
from noughts.rules.position import Position
from noughts.rules.symmetry import next_turn
from noughts.rules.values import begun
from noughts.web.addresses import game_slug, read_game
from noughts.web.boards import BoardView, board_view, chosen_mark, mark_keys
from noughts.web.links import Links, PageAnswer
from noughts.web.pages.play import lessons_of
from noughts.web.pages.story import bar, chart, reviewed, story, value_after
from noughts.web.request import Ask
from noughts.web.values import Known, is_valued_whole, known, notes, unkeyed, values_at

_KEPT = 6
"""Maximum number of abandoned lines in an address; the latest stay."""

Moves = tuple[Cell, ...]


@dataclass(frozen=True)
class GameLines:
    """A reader's place: after `moves`, on `line`, which begins with them; `also` are the abandoned lines."""

    board: Board
    moves: Moves
    line: Moves
    also: tuple[Moves, ...] = ()

    def at(self, ply: int) -> GameLines:
        """Return the place on the same line after some moves."""
        return replace(self, moves=self.line[:ply])

    def play(self, cell: Cell) -> GameLines:
        """Return the place after a move: on the same line, or on a new one that saves the rest of the old."""
        after = (*self.moves, cell)
        if self.line[: len(after)] == after:
            return replace(self, moves=after)
        left = self._with(self.line) if len(self.line) > len(self.moves) else self.also
        return GameLines(self.board, after, after, left)

    def switch(self, other: Moves) -> GameLines:
        """Return the end of one abandoned line, with the current line saved instead."""
        rest = tuple(line for line in self.also if line != other)
        return GameLines(self.board, other, other, replace(self, also=rest)._with(self.line))

    def _with(self, line: Moves) -> tuple[Moves, ...]:
        return (*[other for other in self.also if other != line], line)[-_KEPT:]

    @property
    def query(self) -> dict[str, str | None]:
        """The parameters of the link."""
        line = game_slug(self.board, self.line) if self.line != self.moves else None
        return {"line": line, "also": ",".join(game_slug(self.board, line) for line in self.also)}


def read_lines(ask: Ask) -> GameLines:
    """Return a reader's place from the address. Raises NotFound for impossible moves, InputError for other lines."""
    board, moves = ask.on, read_game(ask.on, ask.what)
    line, also = ask.given("line"), ask.given("also")
    whole = moves if line is None else read_game(board, line)
    if whole[: len(moves)] != moves:
        raise InputError(f"the line {shown(line or '')} does not begin with {shown(ask.what)}: remove line=")
    left = [text for text in (also or "").split(",") if text]
    if len(left) > _KEPT:
        raise InputError(f"also= has {len(left)} lines and up to {_KEPT} are allowed: remove some")
    return GameLines(board, moves, whole, tuple(read_game(board, text) for text in left))


def answer_game(ask: Ask) -> PageAnswer:
    """Return the page of a game. Raises NotFound for impossible moves, InputError for other lines."""
    at = read_lines(ask)
    found = known(reduce(Position.play, at.moves, Position(at.board)))
    text = " ".join(move_name(at.board, cell) for cell in at.moves)

    def data() -> str:
        """Return the record of the command line; for a finished game it names the moves that gave it away."""
        solution = values_at(Position(at.board)) if is_valued_whole(at.board) else None
        return as_json(explain(at.board, text, solution=solution).as_dict())

    title = "The game is over" if found.facts.is_terminal else found.heading
    forms = {**found.forms, "json": data} if found.facts.is_terminal and at.moves else found.forms
    return PageAnswer(
        "game.html",
        title,
        lambda links: _GamePage(at, found, ask, links).context(),
        forms,
        f"noughts explain {at.board}" + f" '{text}'" * bool(text),
    )


class _GamePage:
    """A game on one page: its links keep the line, the abandoned lines and the quiz."""

    def __init__(self, at: GameLines, found: Known, ask: Ask, links: Links) -> None:
        self.at, self.known, self.links = at, found, links
        self.board, self.quiz, self.mark = at.board, ask.given("quiz"), ask.given("mark")
        self.places = chosen_mark(ask, found.facts.position)
        self.review = None if self.quiz and not found.facts.is_terminal else reviewed(at.board, at.line)
        self.course = self.review.course if self.review else None
        self.undo = self._to(at.at(len(at.moves) - 1)) if at.moves else None
        self.redo = self._to(at.at(len(at.moves) + 1)) if at.line != at.moves else None

    def context(self) -> dict[str, Any]:
        """Return what the template shows."""
        at, course, links = self.at, self.course, self.links
        is_over = self.known.facts.is_terminal
        is_won = course is not None and is_over and course.outcomes[-1:] not in ((), ("draw",))
        verdict = course.sentences[0] if course and is_won and course.sentences else ""
        facts = self.known.facts
        lessons = lessons_of(self.review, links) if self.review else []
        gave = next((each.made for each in lessons if each.made.number == len(at.moves)), None)
        return {
            "known": self.known,
            "revealed": self.quiz is None or self.known.facts.is_terminal,
            "quiz": self.quiz is not None,
            "view": self._view(),
            "has_notes": bool(notes(self.known.moves)),
            "verdict": verdict,
            "sentences": course.sentences[bool(verdict) :] if course else (),
            "lessons": lessons,
            "gave": None if is_over else gave,
            "counted": counted(self.board),
            "is_whole": course is not None and course.finished,
            "bar": bar(self.board, facts.outcome, facts.remoteness) if self.quiz is None else "",
            "played": story(self.board, at.line, course, lambda number: self._to(at.at(number)), len(at.moves)),
            "chart": chart(self.board, course, len(at.line), len(at.moves)),
            "undo": self.undo,
            "redo": self.redo,
            "start": self._to(at.at(0)) if at.moves else None,
            "end": self._to(at.at(len(at.line))) if len(at.line) > len(at.moves) else None,
            "others": [(*self._branch(line), self._to(at.switch(line))) for line in at.also],
            "text": self._names(at.moves),
            "alone": links.game(at.moves),
            "here_position": links.position(self.known.facts.position),
            "play": None if self.known.facts.is_terminal else links.page("play", g=game_slug(self.board, at.moves)),
            "quiz_to": links.game(at.moves, **at.query, quiz=None if self.quiz else "1", mark=self.mark),
            "mover": self.board.rules.name_of(self.known.facts.position.to_move),
        }

    def _branch(self, line: Moves) -> tuple[str, str, str]:
        """Return a line that was left: where it leaves this one, its moves, and what became of it."""
        pairs = enumerate(zip(line, self.at.line, strict=False))
        same = next((n for n, (a, b) in pairs if a != b), min(len(line), len(self.at.line)))
        course = None if self.quiz else getattr(reviewed(self.board, line), "course", None)
        value = value_after(course, len(line))
        words = ""
        if value is not None:
            outcome = value[0]
            words = "a draw" if outcome == "draw" else f"{self.board.rules.name_of(outcome)} wins"
        return f"What if, at move {same + 1}", self._names(line[same:] or line), words

    def _to(self, at: GameLines) -> str | None:
        return self.links.game(at.moves, **at.query, quiz=self.quiz, mark=self.mark)

    def _marked(self, mark: str | None) -> str | None:
        """Return the link to this page with a mark to place."""
        return self.links.game(self.at.moves, **self.at.query, quiz=self.quiz, mark=mark)

    def _names(self, moves: Moves) -> str:
        return " ".join(move_name(self.board, cell) for cell in moves)

    def _view(self) -> BoardView:
        found, at, is_open = self.known, self.at, self.quiz is None
        mover = self.board.rules.players[len(at.moves) % 2 == 0]
        who = f"{begun(mover)} plays {self._names(at.moves[-1:])}. " if at.moves else ""
        return board_view(
            found.facts.position,
            to=lambda cell: self._to(at.play(cell)),
            notes=notes(found.moves) if is_open else None,
            best=found.marked if is_open else (),
            last=at.moves[-1] if at.moves else None,
            play=found.line() if is_open and not found.facts.is_terminal else (),
            back={cell % self.board.cells: self._to(at.at(ply)) for ply, cell in enumerate(at.moves)},
            places=self.places,
            threats=found.facts.threats if is_open else None,
            forks=found.facts.forks if is_open else None,
            label=f"{self.board}, {found.heading}",
            live=f"{who}{found.heading}. {found.lead if is_open or found.facts.is_terminal else ''}".strip(),
            hint=found.sentences[0] if found.sentences and is_open else "",
            keys={
                "undo": self.undo,
                "redo": self.redo,
                "best": self._to(at.play(found.best_moves[0].cell)) if found.best_moves and is_open else None,
                "turn": self._turned(),
                **mark_keys(self.places, self._marked),
            },
            unkeyed=unkeyed(found, is_open),
        )

    def _turned(self) -> str | None:
        try:
            turn = next_turn(self.board.group(), [(cell % self.board.cells,) for cell in self.at.moves])
        except BudgetError:
            return None
        if turn is None:
            return None
        turn = on_moves(self.board, turn)
        moves, line, *also = (
            tuple(turn[cell] for cell in each) for each in (self.at.moves, self.at.line, *self.at.also)
        )
        return self._to(GameLines(self.board, moves, line, tuple(also)))
