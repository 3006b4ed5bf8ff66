"""The rules of play: a board of each to play on, who wins, and how many games there are."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from noughts.analysis.explain.wording import how_it_goes
from noughts.counting.carried import carried_census
from noughts.counting.census import Census
from noughts.counting.engines import answer as count_games
from noughts.counting.engines import ask as question_of
from noughts.counting.question import convention
from noughts.machine.budget import Limits
from noughts.present.forms import as_json
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.position import Position, parse_position
from noughts.rules.values import begun
from noughts.solving.api import solve
from noughts.solving.published import known_outcome
from noughts.solving.solution import PositionValue
from noughts.verbs.solve import sentence
from noughts.web.addresses import game_slug
from noughts.web.boards import BoardView, board_view
from noughts.web.links import Links, PageAnswer
from noughts.web.request import Ask

_RULES = (
    ("Tic-tac-toe", "3x3"),
    ("Misere", "3x3+misere"),
    ("Gravity, a small Connect Four", "4x4:4+gravity"),
    ("Wild", "3x3+wild"),
    ("Notakto", "3x3+notakto"),
    ("Notakto on two boards", "2x3:3+notakto*2"),
    ("Order and chaos", "3x3+order"),
    ("Exact lines", "2x4:2+exact"),
)
"""The title and the board of each rule."""
_BOARDS = {
    "3x3": ("Tic-tac-toe", "Three in a row.", "XO./.X./..O"),
    "4x4": ("Four in a row", "A larger board, four to complete.", "X..O/.X../..O./...X"),
    "5x5:4": ("Four of five", "Room to build, four in a row.", "...../.XO../..X../.O.X./....."),
    "3x3x3": ("Three dimensions", "Three layers, 49 lines.", "X../.../..O|.../.X./...|O../.../..X"),
    "3x3+torus": ("On a torus", "Edges are joined, lines run on.", "X../..O/.X."),
    "3x3+misere": ("Misere", "Who completes a line loses.", "X.O/.X./..."),
    "6x7:4+gravity": (
        "Connect Four",
        "Marks fall to the lowest cell.",
        "......./......./......./...O.../..OX.../..XXO..",
    ),
    "3x3+notakto*2": ("Notakto", "All place X, the last line loses.", "X../..X/...|.X./.../..."),
    "3x3+wild": ("Wild", "Each move places an X or an O.", "X../.O./..X"),
    "4x4:4+order": ("Order and chaos", "Order wants a line, Chaos none.", "XO../.X../..O./...."),
}
"""The boards of the start page: title, words, and a position for the picture."""
_COUNTED = Limits(96_000_000, 2.0)
"""What counting the games of one of them may take."""
_COUNTABLE = 20
"""Most cells of a board of which that is tried, where the package does not carry the number."""
_NORMAL = "X and O mark blank cells in turn, and the player who completes a line wins."


class Shown(NamedTuple):
    """A rule: its title and words, and the value and the games of its board."""

    title: str
    words: str
    value: PositionValue
    games: Census

    @property
    def board(self) -> Board:
        """Its board."""
        return self.value.position.board

    @property
    def verdict(self) -> str:
        """Who wins, in a sentence."""
        return begun(sentence(self.value))

    @property
    def convention(self) -> str:
        """What the number of games counts."""
        return begun(convention(self.games.question))

    def as_dict(self) -> dict[str, Any]:
        """Return the rule for JSON."""
        return {
            "rule": self.title,
            "board": self.board.spec,
            "words": self.words,
            "outcome": self.value.outcome,
            "remoteness": self.value.remoteness,
            "games": str(self.games.totals.finished),
            "convention": self.convention,
        }


@lru_cache(maxsize=1)
def gallery() -> tuple[Shown, ...]:
    """Return all rules, with their values and counts, which take a second together."""
    return tuple(_shown(title, Board.parse(spec)) for title, spec in _RULES)


def _shown(title: str, board: Board) -> Shown:
    value = solve(board).answer(line=False)
    return Shown(title, how_it_goes(board) or _NORMAL, value, count_games(question_of(board, same="labelled")))


class Tile(NamedTuple):
    """A board of the start page: who wins with best play, its games, empty where counting takes long, and a picture."""

    title: str
    words: str
    at: Position
    value: str
    games: str


@lru_cache(maxsize=1)
def tiles() -> dict[str, Tile]:
    """Return the boards of the start page, with their values and games, which take two seconds together."""
    return {spec: _tile(Board.parse(spec), *words) for spec, words in _BOARDS.items()}


def _tile(board: Board, title: str, words: str, at: str) -> Tile:
    outcome = known_outcome(Position(board)) or solve(board).answer(line=False).outcome
    value = "Draw" if outcome == "draw" else f"{begun(board.rules.name_of(outcome))} wins"
    question = question_of(board, same="labelled")
    census = carried_census(question, 0.0)
    if census is None and board.cells <= _COUNTABLE:  # on larger boards even the estimate takes long
        with suppress(BudgetError):
            census = count_games(question, columns="games", limits=_COUNTED)
    games = f"{census.totals.finished:,}" if census else ""
    return Tile(title, words, parse_position(board, at), value, games)


def answer_rules(ask: Ask) -> PageAnswer:
    """Return the page of all rules."""
    return PageAnswer(
        "rules.html", "Rules of play", _context, {"json": lambda: as_json([each.as_dict() for each in gallery()])}
    )


def _context(links: Links) -> dict[str, Any]:
    return {"rules": [(each, _view(each, links), _ways(each, links)) for each in gallery()]}


def _view(shown: Shown, links: Links) -> BoardView:
    """Return the empty board; a click on a cell begins a game there."""
    board, start = shown.board, Position(shown.board)
    return board_view(
        start,
        to=lambda cell: links.to(Ask("play", board, "", (("g", game_slug(board, [cell])),))),
        places="X" if board.rules.chooses_mark else "",
        label=f"{shown.title}, {board}",
        name=f"{board.spec}-",
    )


def _ways(shown: Shown, links: Links) -> dict[str, str | None]:
    """Return the links to other pages about the board."""
    return {
        "board": links.board(shown.board),
        "play": links.to(Ask("play", shown.board)),
        "count": links.to(Ask("count", shown.board)),
    }
