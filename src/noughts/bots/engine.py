"""An engine: the players of noughts behind UGI, a protocol that programs for other games use.

The page `protocol` of the reference documents it. The engine answers an unreadable line with one line
`info string ...` and continues unchanged.
"""

from __future__ import annotations

from random import SystemRandom
from typing import IO

from noughts._version import __version__
from noughts.analysis.policies.playing import reply_values_at, think
from noughts.analysis.policies.policy import Policy, choose, no_programs, require_moves
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.rules.arguments import offered, seed_of
from noughts.rules.board import Board, require_size
from noughts.rules.cells import cells_as, move_name
from noughts.rules.errors import BudgetError, InputError, NoughtsError, shown
from noughts.rules.marks import Cell
from noughts.rules.position import Position, parse_moves, parse_position
from noughts.solving.solution import Solution

__all__ = ["LONGEST_ORDER", "NO_MOVE", "OPTIONS", "Engine", "engine"]

OPTIONS = ("Board", "Strength", "Seed")
LONGEST_ORDER = 2**16
"""Bytes of a line; a longer one is not read."""
NO_MOVE = "none"
"""The answer to `go` without a possible move."""
_SURE = ("perfect", "quickest", "trap:random", "trap:block")
"""Strengths whose moves are equally good: without a seed they play the first move, not a random one."""
_ORDERS = ("ugi", "isready", "uginewgame", "setoption", "position", "go", "query", "quit")
_SILENT = ("stop", "debug", "register", "ponderhit")
"""Orders without an answer."""


def engine(board: Board | str = "3x3", strength: PolicyLike = "perfect", *, seed: int | str | None = None) -> Engine:
    """Return an engine: `answer` returns the answers to a line, `run` serves two streams until the input ends.

    Parameters
    ----------
    board
        The board, or its name.
    strength
        Any policy.
    seed
        With a seed the same question gets the same move. Without one, players that choose among equally good moves
        (perfect, quickest, the trap-setters) play the first of them; others draw every move again.

    Returns
    -------
    Engine
        The engine, ready for the protocol.

    Raises
    ------
    InputError
        The board or the strength is unknown.
    BudgetError
        The board has more than 4,096 cells.

    >>> noughts_engine = engine("3x3")
    >>> noughts_engine.answer("position startpos moves a1 b2 c3")
    []
    >>> noughts_engine.answer("go")
    ['bestmove b1']
    """
    return Engine(Board.parse(board), strength, None if seed is None else seed_of(seed))


class Engine:
    """A player behind the protocol. `is_over` says that it received `quit`."""

    def __init__(self, board: Board, strength: PolicyLike = "perfect", seed: str | None = None) -> None:
        self.is_over = False
        require_size(board)
        self._board, self._strength, self._seed = board, strength, seed
        self._player = _answering(board, strength)
        self._position: Position | None = Position(board)

    def __repr__(self) -> str:
        return f"<Engine on {self._board}, {self._player.name}>"

    def run(self, source: IO[bytes], target: IO[bytes]) -> None:
        """Answer each line of `source` on `target` until the input ends or says `quit`."""
        while not self.is_over and (line := _next_line(source)) is not None:
            for answer in self.answer(line):
                target.write(answer.encode() + b"\n")
            target.flush()

    def answer(self, line: str) -> list[str]:
        """Return the answers to a line; some lines do not have one."""
        order, _, rest = line.strip().partition(" ")
        try:
            with cells_as("names"):
                return self._answered(order, rest.strip())
        except NoughtsError as error:
            return [_info(str(error))]

    def _answered(self, order: str, rest: str) -> list[str]:
        match order:
            case "ugi":
                return [
                    f"id name noughts {__version__} {self._player.name}",
                    "id author The noughts authors",
                    f"option name Board type string default {self._board}",
                    f"option name Strength type string default {self._player.name}",
                    f"option name Seed type string default {self._seed or '<empty>'}",
                    "ugiok",
                ]
            case "isready":
                if self._player.needs_values:  # computed before the answer, so that moves are quick
                    self._values(Position(self._board))
                return ["readyok"]
            case "uginewgame":
                self._position = Position(self._board)
            case "setoption":
                self._option(rest)
            case "position":
                self._set_position(rest)
            case "go":
                return self._go()
            case "query":
                return self._query(rest)
            case "quit":
                self.is_over = True
            case _ if order and order not in _SILENT:
                return [_info(f"unknown order {shown(order)}: use {offered(order, _ORDERS)}")]
        return []

    def _option(self, rest: str) -> None:
        name, _, value = rest.removeprefix("name ").partition(" value ")
        name, value = name.strip().lower(), value.strip()
        if name == "board":
            board = Board.parse(value)
            require_size(board)
            self._player = _answering(board, self._strength)
            self._board, self._position = board, Position(board)
        elif name == "strength":
            with no_programs():
                self._player, self._strength = _answering(self._board, value), value
        elif name == "seed":
            self._seed = None if value in ("", "<empty>") else value
        else:
            raise InputError(f"unknown option {shown(name)}: choose {offered(name, OPTIONS)}")

    def _set_position(self, rest: str) -> None:
        self._position = None
        text, _, moves = f"{rest} ".partition(" moves ")
        kind, _, marks = text.strip().partition(" ")
        if kind == "startpos" and not marks:
            self._position = parse_moves(self._board, moves)
        elif kind in ("fen", "board") and marks:
            at = parse_position(self._board, marks).require_reachable()
            for word in moves.split():
                if at.is_terminal:
                    raise InputError(f"the game is over at {at}: {shown(word)} cannot be played after it")
                at = at.play(word)
            self._position = at
        else:
            raise InputError(
                f"{shown(rest)} is not a position: write position startpos moves a1 b2, or position board X../.O./..."
            )

    def _go(self) -> list[str]:
        at = self._position
        if at is None or at.is_terminal:
            why = "the game is over" if at is not None else "the position could not be read"
            return [_info(f"no move is possible: {why}"), f"bestmove {NO_MOVE}"]
        try:
            return [f"bestmove {move_name(self._board, self._chosen(at))}"]
        except NoughtsError as error:
            return [_info(str(error)), f"bestmove {NO_MOVE}"]

    def _chosen(self, at: Position) -> Cell:
        player = self._player
        shares, _ = think(player, at, self._values(at) if player.needs_values else None)
        if self._seed is None and player.name in _SURE:
            return next(iter(shares))
        return choose(shares, at, str(SystemRandom().getrandbits(64)) if self._seed is None else self._seed)

    def _values(self, at: Position) -> Solution | None:
        try:
            return reply_values_at(at)
        except BudgetError:
            return None

    def _query(self, rest: str) -> list[str]:
        at = self._position
        if at is None:
            raise InputError("the position could not be read: give another")
        results = {"X": "p1win", "O": "p2win", "draw": "draw", None: "none"}
        answers = {
            "gameover": str(at.is_terminal).lower(),
            "p1turn": str(at.to_move == "X").lower(),
            "result": results[at.outcome],
        }
        if rest not in answers:
            raise InputError(f"unknown query {shown(rest)}: use {offered(rest, answers)}")
        return [f"response {answers[rest]}"]


def _answering(board: Board, strength: PolicyLike) -> Policy:
    """Return the policy of a strength. Raises InputError if it may concede: the protocol has no word for that."""
    player = policy(board, strength)
    require_moves(player, "a game by UGI")
    return player


def _info(sentence: str) -> str:
    return f"info string {' '.join(sentence.split())}"


def _next_line(source: IO[bytes]) -> str | None:
    """Return the next line, None at the end, or a word that replaces a line that is too long."""
    line = source.readline(LONGEST_ORDER)
    if len(line) < LONGEST_ORDER or line.endswith(b"\n"):
        return line.decode("utf-8", "replace") if line else None
    while (rest := source.readline(LONGEST_ORDER)) and not rest.endswith(b"\n"):
        pass
    return f"of-{LONGEST_ORDER}-bytes-or-more"
