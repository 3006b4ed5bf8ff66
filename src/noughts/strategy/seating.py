"""Who sits down to play: opponents of every door, and any other policy, a file, a genome or a program among them."""

from __future__ import annotations

from noughts.domain.arguments import text_of, wrong_type
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError, shown
from noughts.domain.notation import parse_game
from noughts.domain.players import Player
from noughts.domain.position import Position
from noughts.strategy.explain import explain
from noughts.strategy.lacking import lacking
from noughts.strategy.opponents import Opponent
from noughts.strategy.playing import SIDES, Playing, play_on
from noughts.strategy.policies import policy
from noughts.strategy.policy import Policy
from noughts.strategy.replying import reply_values_at
from noughts.strategy.tablepolicy import FilePolicy

__all__ = ["Seats", "hint_at", "play", "seated"]

Seats = dict[Opponent, Policy]
"""Who plays beside people and the usual opponents, each with how it plays."""


def play(
    board: Board | str = "3x3", moves: str = "", *, x: str = "human", o: str = "perfect", seed: int | str = 0
) -> Playing:
    """Return the game after `moves`, written in their order, and after the reply of an opponent whose turn it is.

    `x` and `o` say who plays: `human`, an opponent such as `perfect`, `medium` or `random`, or any policy: a file of
    moves, `genome:...`, `program:COMMAND`. Where both are opponents the move that comes next is `awaited`. The same
    seed gives the same replies. Raises InputError for moves that cannot be played, and for who is nobody.

    >>> play("3x3", "a1").sentence
    'O plays b2. Your move: you play X.'
    """
    board = Board.parse(board)
    cells = parse_game(board, text_of("the moves of a game", moves))
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise wrong_type("the seed", seed, "a number, or a text")
    return play_on(board, x, o, cells, str(seed), reply_values_at, seated(board, x, o))


def seated(board: Board, x: str, o: str) -> Seats:
    """Return who plays X or O and is neither a person nor one of the usual opponents. Raises InputError."""
    sides: tuple[tuple[Player, str], ...] = (("X", text_of("who plays X", x)), ("O", text_of("who plays O", o)))
    found: Seats = {}
    for player, name in sides:
        if name in SIDES:
            continue
        bot = policy(board, name)
        if isinstance(bot, FilePolicy):
            _require_moves(bot, board, player, name)
        found[Opponent(name, name, f"Plays by the policy {bot.name}")] = bot
    return found


def _require_moves(bot: FilePolicy, board: Board, player: Player, name: str) -> None:
    """Raise InputError where a table has no moves for a position that it can come to."""
    at = lacking(bot, board, player)
    if at is not None:
        raise InputError(
            f"{shown(name, 80)} cannot play {player}, as it has no moves for {at}: let it play the other side"
        )


def hint_at(position: Position) -> tuple[str, tuple[Cell, ...]]:
    """Return what to play and why, and the best cell; that it was not found where a short search does not find it."""
    try:
        found = explain(position.board, position, solution=reply_values_at(position))
    except BudgetError:
        return "What to play here was not found: a short search does not settle this position.", ()
    best = tuple(move.cell for move in found.best_moves)
    said = found.sentences[-1 if position.board.misere else 0]
    first = f"Play {cell_name(position.board, best[0])}" if best else ""
    return said if not best or said.startswith("Play ") else f"{first}. {said}", best[:1]
