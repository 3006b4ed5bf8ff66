"""The rules of play: a board of each to play on, who wins, and how many games there are."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from noughts.analysis.explain.facts import how_it_goes
from noughts.counting.census import Census
from noughts.counting.engines import answer as count_games
from noughts.counting.engines import ask as question_of
from noughts.counting.question import convention
from noughts.present.forms import as_json
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.rules.values import begun
from noughts.solving.api import solve
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
