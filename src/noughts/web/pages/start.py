"""The start page: a board to play on at once, the three questions as switches, and where one can go from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from noughts.counting.api import ask as question_of
from noughts.counting.api import count
from noughts.counting.question import Sameness
from noughts.counting.words import convention
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.notation import parse_game, parse_position
from noughts.domain.position import Position
from noughts.domain.rules import EndRule, MoveRule
from noughts.drawing.questions import question_tree
from noughts.strategy.explain import explain
from noughts.strategy.opponents import OPPONENTS
from noughts.strategy.playing import HUMAN, Playing
from noughts.web.addresses import game_slug, position_slug
from noughts.web.ask import Ask
from noughts.web.boards import board_view, picture
from noughts.web.keyed import live
from noughts.web.links import Links
from noughts.web.page import PageAnswer
from noughts.web.pages.play import Given
from noughts.web.solved import soon_values_at

__all__ = ["QUESTIONS", "Card", "Counted", "Switch", "answer_start", "counted"]

_OPPONENT = "medium"
_HINTS = "Hints are on the page of this game: choose Hints and more, below the board."
_CHIPS = ("easy", "medium", "hard", "perfect")


_MOVES: tuple[tuple[MoveRule, str], ...] = (
    ("any", "any"),
    ("win", "win if you can"),
    ("block", "else block"),
    ("fork", "else fork"),
    ("perfect", "perfect"),
)
_ENDS: tuple[tuple[EndRule, str], ...] = (("line", "at a line"), ("decided", "when decided"), ("full", "when full"))
_SAMES: tuple[tuple[Sameness, str], ...] = (
    ("labelled", "same cells"),
    ("symmetry", "turned or flipped"),
    ("choices", "same choices"),
)


@dataclass(frozen=True)
class Switch:
    """One of the three questions: the parameter, the question, and its answers: value and words, the usual first."""

    name: str
    words: str
    answers: tuple[tuple[str, str], ...]


QUESTIONS = (
    Switch("moves", "Which moves are allowed?", _MOVES),
    Switch("end", "When is the game over?", _ENDS),
    Switch("same", "When are two games the same?", _SAMES),
)


@dataclass(frozen=True)
class Counted:
    """One answer to the three questions: how many games there are, and the convention in words."""

    answers: tuple[str, ...]
    games: int
    convention: str


@lru_cache(maxsize=1)
def counted() -> tuple[Counted, ...]:
    """Return the number of games of 3x3 for every answer to the three questions."""
    return tuple(_count(moves, end, same) for (moves, _), (end, _), (same, _) in product(_MOVES, _ENDS, _SAMES))


def _count(moves: MoveRule, end: EndRule, same: Sameness) -> Counted:
    games = count("3x3", moves=moves, end=end, same=same).totals.finished
    assert games is not None
    return Counted((moves, end, same), games, convention(question_of("3x3", moves=moves, end=end, same=same)))


@lru_cache(maxsize=1)
def _tree() -> str:
    answers = [[(f"{each.name}-{value}", words) for value, words in each.answers] for each in QUESTIONS]
    return question_tree(answers, f"A tree of the three questions with {len(counted())} answers, the chosen path lit")


def answer_start(ask: Ask) -> PageAnswer:
    """Return the start page. Raises InputError for a game that cannot be."""
    board = Board.parse("3x3")
    moves = parse_game(board, (ask.given("g") or "").replace("-", " "))
    given = Given(board, HUMAN, ask.given("o") or _OPPONENT, moves, ask.given("seed") or "0")
    game = given.playing()
    return PageAnswer("start.html", "Tic-tac-toe, exactly", lambda links: _context(links, ask, given, game))


def _context(links: Links, ask: Ask, given: Given, game: Playing) -> dict[str, Any]:
    chosen = tuple(ask.given(each.name) or each.answers[0][0] for each in QUESTIONS)
    at = game.position

    def here(**other: Any) -> str | None:
        query = {"o": given.o, "seed": given.seed, "g": given.moves, **dict(zip(_NAMES, chosen, strict=True)), **other}
        query["g"] = game_slug(game.board, query["g"])
        return links.to(Ask("start", None, "", _without_usual(query)))

    played = {"o": given.o, "seed": given.seed, "g": game_slug(game.board, game.moves)}
    on_3x3 = {key: value for key, value in played.items() if value and (key, value) != ("seed", "0")}
    return {
        "game": game,
        "view": board_view(
            at,
            to=lambda cell: here(g=(*game.moves, cell)),
            last=game.moves[-1] if game.moves else None,
            label=f"3x3, {game.sentence}",
            live=live(game),
            keys={"undo": None if game.undone is None else here(g=game.undone)},
            unkeyed=dict.fromkeys(("best", "hint"), "The game is over." if at.is_terminal else _HINTS),
        ),
        "undo": None if game.undone is None else here(g=game.undone),
        "new": here(g=(), seed=int(given.seed) + 1),
        "chips": [(each, here(o=each.name, g=())) for each in OPPONENTS if each.name in _CHIPS],
        "opponent": given.o,
        "more": links.to(Ask("play", game.board, "", tuple(sorted(on_3x3.items())))),
        "why": _why(game),
        "questions": QUESTIONS,
        "chosen": chosen,
        "kept": [(name, value) for name, value in ask.query if name not in _NAMES],
        "counted": [(each, _count_link(links, each)) for each in counted()],
        "tree": _tree(),
        "samples": [(each.games, links.to(Ask("whatis", None, "", (("n", str(each.games)),)))) for each in _samples()],
        "cards": _cards(links, game.board),
        "boards": _boards(links),
    }


_NAMES = tuple(each.name for each in QUESTIONS)
_USUAL = {"o": _OPPONENT, "seed": "0", "g": "", **{each.name: each.answers[0][0] for each in QUESTIONS}}


def _without_usual(query: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((key, str(value)) for key, value in query.items() if str(value) != _USUAL[key]))


def _count_link(links: Links, each: Counted) -> str | None:
    given = dict(zip(_NAMES, each.answers, strict=True))
    usual = {"moves": "any", "end": "line"}
    query = tuple(sorted((key, value) for key, value in given.items() if usual.get(key) != value))
    return links.to(Ask("count", Board.parse("3x3"), "", query))


def _samples() -> list[Counted]:
    """Return three answers that people give to one question: plain, up to symmetry, by choices."""
    return [each for each in counted() if each.answers[:2] == ("any", "line")]


def _why(game: Playing) -> str:
    """Return which move gave a finished game away, nothing while it goes on."""
    if not game.position.is_terminal:
        return ""
    moves = " ".join(cell_name(game.board, cell) for cell in game.moves)
    course = explain(game.board, moves, solution=soon_values_at(Position(game.board))).course
    return "" if course is None else course.sentences[0]


@dataclass(frozen=True)
class Card:
    """A way on from the start page: where to, a title, a sentence, and a picture."""

    to: str | None
    title: str
    words: str
    picture: str


def _cards(links: Links, board: Board) -> list[Card]:
    def page(kind: str, what: str = "", **query: str) -> str | None:
        return links.to(Ask(kind, board, what, tuple(sorted(query.items()))))

    def drawn(text: str) -> str:
        return picture(parse_position(board, text))

    trap = parse_position(board, "X../.O./..X")
    return [
        Card(page("position", position_slug(trap), quiz="1"), "Why did I lose?",
             "A trap: O is to move, and some of these moves lose. Which?", picture(trap)),
        Card(page("openings"), "How to begin",
             "Every first move, every reply, and what each is worth.", drawn(".../.X./...")),
        Card(page("tree", "reduced"), "All of it on one tree",
             "What is left when mirrors and moves without a choice are folded away.",
             question_tree([[("", "")] * 3, [("", "")] * 3], "a tree")),
        Card(page("blindfold"), "Without looking",
             "Can you be sure not to lose when you never see what the other one plays?",
             picture(parse_position(board, ".../.X./..."), [2])),
        Card(page("play"), "Against an opponent",
             "From one that plays at random to one that sets traps; each says how it chooses.", drawn("XO./.X./O..")),
        Card(page("crib"), "A card to carry",
             "The fewest boards to know so as never to lose, to print.",
             picture(parse_position(board, "O../.X./..."), [8])),
        Card(page("menace"), "Matchboxes that learn",
             "MENACE: beads in boxes, and a class that plays until they have learned.", drawn("X../.../...")),
        Card(page("puzzles"), "Puzzles",
             "One move alone is right. Which? With hints one by one, an answer that says why, and a new one each day.",
             drawn("X.O/.O./..X")),
        Card(page("sheets"), "To print",
             "Worksheets with their answers, flash cards, boards to play on, and posters.", drawn(".../.../...")),
        Card(page("positions"), "Every position",
             "All boards that play can lead to, each with a page of its own.", drawn("XO./.XO/...")),
        Card(page("endings"), "How it ends",
             "Every finished board, those that are the same turned or mirrored once.", drawn("XXX/OO./...")),
        Card(page("count"), "Every way to count",
             "All conventions side by side, in words, ply by ply, with a derivation.", drawn("XOX/OXO/OXO")),
    ]  # fmt: skip


_BOARDS = (
    ("4x4", "four in a row"),
    ("4x5:4", "a wider board"),
    ("3x3x3", "three dimensions"),
    ("3x3+torus", "edges joined"),
    ("3x3+misere", "who has a line loses"),
)


def _boards(links: Links) -> list[Card]:
    return [Card(links.board(spec), spec, words, picture(Position(Board.parse(spec)))) for spec, words in _BOARDS]
