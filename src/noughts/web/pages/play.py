"""The page to play on: a board whose cells are moves, an opponent who replies, hints, then what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError, shown
from noughts.domain.notation import parse_game
from noughts.domain.position import Player, Position
from noughts.domain.spelling import offered
from noughts.reports.forms import as_json
from noughts.strategy.guests import Guest, guest
from noughts.strategy.mistakes import Mistake
from noughts.strategy.opponents import manners, opponents
from noughts.strategy.playing import HUMAN, SIDES, Playing, play_on
from noughts.strategy.replying import reply_values_at
from noughts.strategy.reviewing import ExplainedMistake, review
from noughts.strategy.seating import hint_at
from noughts.web.addresses import game_slug
from noughts.web.ask import Ask
from noughts.web.boards import BoardView, board_view, picture
from noughts.web.keyed import live
from noughts.web.links import Links
from noughts.web.page import PageAnswer
from noughts.web.pages.blindplay import answer_blindplay, is_blind
from noughts.web.solved import is_valued_whole, soon_values_at

__all__ = ["Given", "Told", "answer_play", "begin", "board_of", "link_to"]


@dataclass(frozen=True)
class Given:
    """What stands in the address: who plays, the moves so far, the seed."""

    board: Board
    x: str
    o: str
    moves: tuple[Cell, ...]
    seed: str
    guests: tuple[Guest, ...] = ()
    """Who can play beside the usual opponents: the bots of the server that are for this board, and genomes seated."""

    def playing(self) -> Playing:
        """Return the game with the opponent's reply. Raises InputError."""
        others = {each.opponent: each.policy for each in self.guests}
        return play_on(self.board, self.x, self.o, self.moves, self.seed, reply_values_at, others)


@dataclass(frozen=True)
class Told:
    """A mistake as it is told after the game: what it was, a picture of the board before it, and what was to play."""

    mistake: Mistake
    picture: str
    sentences: tuple[str, ...]


def begin(ask: Ask) -> Given:
    """Return what stands in the address. Raises InputError."""
    assert ask.board is not None
    moves = parse_game(ask.board, (ask.given("g") or "").replace("-", " "))
    board, sides = ask.board, (ask.given("x") or HUMAN, ask.given("o") or "perfect")
    guests = {each.name: each for each in ask.guests if each.board == board}
    for name, side in zip("xo", sides, strict=True):
        found = guest(board, side, ask.guests)
        if found is None and side not in SIDES:
            raise InputError(f"{shown(side)} is no {name}: there are {offered(side, (*SIDES, *guests))}")
        if found is not None:
            _require_side(found, name.upper(), (*SIDES, *guests))
            guests[found.name] = found
    return Given(board, *sides, moves, ask.given("seed") or "0", tuple(guests.values()))


def _require_side(found: Guest, side: str, names: Sequence[str]) -> None:
    """Raise InputError where a bot cannot play a side to the end."""
    if side in found.sides:
        return
    at = next(each for player, each in found.lacks.items() if player == side)
    only = f": it plays {found.sides[0]} only" if found.sides else ""
    others = [name for name in names if name != found.name]
    raise InputError(
        f"{shown(found.name)} cannot play {side}, as it has no moves for {at}{only}; choose for {side} one of "
        f"{', '.join(others)}"
    )


def answer_play(ask: Ask) -> PageAnswer:
    """Return the game as it stands. Raises InputError."""
    if is_blind(ask):
        return answer_blindplay(ask)
    given = begin(ask)
    game = given.playing()

    return PageAnswer(
        "play.html",
        "Play",
        lambda links: _context(links, given, game, bool(ask.given("hint"))),
        {"json": lambda: as_json(game.as_dict())},
    )


def link_to(links: Links, given: Given, **other: Any) -> str | None:
    """Return the link to a game like this one but for what is given: x, o, g (cells), seed, hint."""
    board = given.board
    at = {"x": given.x, "o": given.o, "g": given.moves, "seed": given.seed, **other}
    usual = {"x": HUMAN, "o": "perfect", "seed": "0"}
    at["g"] = game_slug(board, at["g"])
    return links.to(_ask(board, {key: str(value) for key, value in at.items() if value not in ("", usual.get(key))}))


def _ask(board: Board, query: Mapping[str, str]) -> Ask:
    return Ask("play", board, query=tuple(sorted(query.items())))


def board_of(links: Links, given: Given, game: Playing, *, hint: str = "", best: tuple[Cell, ...] = ()) -> BoardView:
    """Return the board of a game, its blank cells leading on where a person is to move."""
    at = game.position
    turn = game.seat(at.to_move) == HUMAN

    def to(cell: Cell) -> str | None:
        return link_to(links, given, g=(*game.moves, cell)) if turn else None

    return board_view(
        at,
        to=to,
        best=best,
        last=game.moves[-1] if game.moves else None,
        label=f"{game.board}, {game.sentence}",
        live=hint or live(game),
        hint=hint,
        keys={
            "undo": _undo(links, given, game),
            "hint": link_to(links, given, g=game.moves, hint=1) if turn and not at.is_terminal else None,
            "best": to(best[0]) if best and turn else None,
        },
        unkeyed=_unkeyed(at.is_terminal, turn),
    )


def _unkeyed(is_over: bool, turn: bool) -> dict[str, str]:
    """Return why there is no hint, and no best move before a hint was asked for."""
    if is_over or not turn:
        return dict.fromkeys(("best", "hint"), "The game is over." if is_over else "It is not your move.")
    return {"best": "The best move is played once there is a hint: press h."}


def _undo(links: Links, given: Given, game: Playing) -> str | None:
    return None if game.undone is None else link_to(links, given, g=game.undone)


def _context(links: Links, given: Given, game: Playing, hinted: bool) -> dict[str, Any]:
    at = game.position
    sides = {each.name: each.sides for each in game.others}

    def can_play(name: str, side: Player) -> bool:
        return name not in sides or side in sides[name]

    hint, best = hint_at(at) if hinted and not at.is_terminal else ("", ())
    sentences, told = _course(game) if at.is_terminal else ((), ())
    fresh = str(int(given.seed) + 1)
    return {
        "game": game,
        "view": board_of(links, given, game, hint=hint, best=best),
        "hint": hint,
        "sentences": sentences,
        "told": told,
        "can_swap": given.x != given.o and can_play(given.o, "X") and can_play(given.x, "O"),
        "sides": [(player, given.x if player == "X" else given.o) for player in ("X", "O")],
        "seated": [(player, game.opponent(player)) for player in ("X", "O")],
        "choices": (*opponents(given.board), *game.others),
        "abouts": manners(given.board, whole=is_valued_whole(given.board))
        | {each.name: each.about for each in game.others},
        "seed": given.seed,
        "moves": _moves(game),
        "to": {
            "undo": _undo(links, given, game),
            "hint": link_to(links, given, g=game.moves, hint=1),
            "new": link_to(links, given, g=(), seed=fresh),
            "swap": link_to(links, given, x=given.o, o=given.x, g=(), seed=fresh),
            "next": None if game.awaited is None else link_to(links, given, g=(*game.moves, game.awaited)),
            "game": links.game(game.moves) if game.moves else None,
            "position": links.position(at),
        },
    }


def _moves(game: Playing) -> list[tuple[int, str, str]]:
    """Return the moves with their numbers and players."""
    return [(n + 1, "XO"[n % 2], cell_name(game.board, cell)) for n, cell in enumerate(game.moves)]


def _course(game: Playing) -> tuple[tuple[str, ...], tuple[Told, ...]]:
    """Return what is to be said of a finished game, and each mistake with what should have been played."""
    text = " ".join(cell_name(game.board, cell) for cell in game.moves)
    try:
        values = soon_values_at(Position(game.board))
    except BudgetError:
        return ("Which move gave it away was not found: this board is too large for a page to value.",), ()
    found = review(game.board, text, solution=values)
    return found.sentences, tuple(_told(lesson) for lesson in found.lessons)


def _told(lesson: ExplainedMistake) -> Told:
    mistake = lesson.mistake
    return Told(mistake, picture(mistake.before.play(mistake.cell), [mistake.cell]), lesson.why)
