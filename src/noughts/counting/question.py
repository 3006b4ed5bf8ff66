"""A question: the three answers that give a count its meaning, as one value."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from noughts.domain.arguments import integer, wrong_type
from noughts.domain.board import Board, SymmetryName
from noughts.domain.errors import InvalidQuestion, shown
from noughts.domain.frozen import short
from noughts.domain.game import Game, MarkingGame
from noughts.domain.players import Player
from noughts.domain.playtable import PlayTable
from noughts.domain.position import Position
from noughts.domain.rules import END_RULES, MOVE_RULES, EndRule, MoveRule, move_rules
from noughts.domain.spelling import offered
from noughts.domain.symmetry import Group

__all__ = ["SAMENESSES", "STARTS", "SYMMETRIES", "Question", "Sameness", "Starts"]

Sameness = Literal["labelled", "symmetry", "choices"]

Starts = Literal["X", "O", "either"]

STARTS: tuple[Starts, ...] = get_args(Starts)
SAMENESSES: tuple[Sameness, ...] = get_args(Sameness)
SYMMETRIES: tuple[SymmetryName, ...] = get_args(SymmetryName)


@dataclass(frozen=True, repr=False)
class Question:
    """Which games are counted, and which of them are the same; hashable, checked when made.

    `same`: `labelled`, `symmetry` or `choices`. `x_moves`, `o_moves`: the move rule of each player. `end`: when the
    game is over. `symmetry`: the group that `same` refers to. `start`: count from this position (the empty board unless
    given). `to_ply`: give rows up to this ply only. `other`: another game than marking on this board, with its own
    start, end and symmetries. `starts`: who moves first on the empty board, X or O, or `either` of them: then a game is
    told by who starts it, too, and a position, which is marks alone, counts once though both reach it. `x_plays` and
    `o_plays`: the moves that a player is held to in place of a rule, position by position, until there is a line.
    Raises InvalidQuestion where the parts contradict each other.
    """

    board: Board
    same: Sameness = "labelled"
    x_moves: MoveRule = "any"
    o_moves: MoveRule = "any"
    end: EndRule = "line"
    symmetry: SymmetryName = "board"
    start: Position | None = None
    to_ply: int | None = None
    other: Game[Any] | None = None
    starts: Starts = "X"
    x_plays: PlayTable | None = None
    o_plays: PlayTable | None = None

    def __repr__(self) -> str:
        parts = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self)[1:] if getattr(self, f.name) != f.default]
        whole = f"Question({', '.join([repr(self.board), *parts])})"
        return whole if len(whole) < 120 else f"<Question about {short(self.board)}: {short(', '.join(parts), 70)}>"

    @property
    def identity(self) -> str:
        """Text that another question does not have, however long the two are: what is kept of a count is named by it.

        Unlike the repr it leaves nothing out: lines of the board, its symmetries, every move of a table of moves.
        """
        board = (self.board.cells, self.board.lines, self.board.misere, self.board.group().generators)
        plays = [table and (str(table.board), sorted(table.cells.items())) for table in (self.x_plays, self.o_plays)]
        start = self.start and (self.start.x, self.start.o)
        rest = (self.same, self.x_moves, self.o_moves, self.end, self.symmetry, self.to_ply, self.other, self.starts)
        return repr((board, start, rest, plays))

    def as_dict(self) -> dict[str, object]:
        """Return the question for JSON, with the names that a census has."""
        found: dict[str, object] = {"board": self.board.spec}
        found |= {"same": self.same, "x_moves": self.moves_of("X"), "o_moves": self.moves_of("O")}
        found |= {"end": self.end, "symmetry": self.symmetry}
        if self.start is not None:
            found["from"] = str(self.start)
        if self.to_ply is not None:
            found["to_ply"] = self.to_ply
        if self.starts != "X":
            found["starts"] = self.starts
        return found

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board):
            raise wrong_type("the board of a question", self.board, "a Board")
        if self.start is not None and not isinstance(self.start, Position):
            raise wrong_type("the start of a question", self.start, "a Position")
        if self.to_ply is not None:
            integer("the last ply", self.to_ply)
        _one_of("same", self.same, SAMENESSES)
        _one_of("moves of X", self.x_moves, MOVE_RULES)
        _one_of("moves of O", self.o_moves, MOVE_RULES)
        _one_of("end", self.end, END_RULES)
        _one_of("symmetry", self.symmetry, SYMMETRIES)
        _one_of("who starts", self.starts, STARTS)
        self._check_starts()
        self._check_rules()
        self._check_tables()
        self._check_start()
        if self.to_ply is not None and self.to_ply < self.first_ply:
            raise InvalidQuestion(f"the last ply {self.to_ply} comes before the first, {self.first_ply}: raise it")

    def _check_starts(self) -> None:
        if self.starts == "X":
            return
        if self.other is not None or (self.start is not None and (self.start.x or self.start.o)):
            where = str(self.other) if self.other is not None else f"play from {self.start}"
            raise InvalidQuestion(
                f"who starts is asked of the empty board, and {where} says itself whose turn it is: leave out who "
                f"starts ({self.starts})"
            )

    def _check_rules(self) -> None:
        for rule in (self.x_moves, self.o_moves):
            if self.other is not None and rule not in self.other.move_rules:
                raise InvalidQuestion(
                    f"the move rule {rule!r} has no meaning in {self.other}: use {' or '.join(self.other.move_rules)}"
                )
            if rule not in move_rules(self.board):
                raise InvalidQuestion(
                    f"the move rule {rule!r} has no meaning on {self.board}, where a completed line loses: "
                    f"use {', '.join(move_rules(self.board)[:-1])} or {move_rules(self.board)[-1]}"
                )
        if self.other is not None and (self.end == "full" or self.symmetry != "board" or self.start is not None):
            raise InvalidQuestion(
                f"{self.other} has its own start, end and symmetries: ask with the end rule line or decided, with the "
                "symmetries of the board, and from no other position"
            )

    def _check_tables(self) -> None:
        for player, rule, table in (("X", self.x_moves, self.x_plays), ("O", self.o_moves, self.o_plays)):
            if table is None:
                continue
            if not isinstance(table, PlayTable):
                raise wrong_type(f"the moves that {player} is held to", table, "a PlayTable")
            if table.board != self.board or self.other is not None:
                on = self.board if self.other is None else self.other
                raise InvalidQuestion(f"{table.name} plays on {table.board}, not on {on}: ask about that board")
            if rule != "any":
                raise InvalidQuestion(f"{player} plays by {table.name}, and by the rule {rule}: leave one of them out")
            if self.starts != "X":
                raise InvalidQuestion(
                    f"{table.name} plays games that X starts: leave out who starts ({self.starts}), or ask by a rule"
                )

    def _check_start(self) -> None:
        start = self.start
        if start is None:
            return
        if start.board != self.board:
            raise InvalidQuestion(f"the start {start} is a position of {start.board}, not of {self.board}")
        if self.end != "full":
            start.require_reachable()
            return
        problems = [problem for problem in start.problems() if problem.startswith(("too many", "both"))]
        if problems:
            raise InvalidQuestion(f"{start} cannot be a start on {self.board}: {'; '.join(problems)}")

    @property
    def first_ply(self) -> int:
        """The ply of the start position."""
        if self.other is not None:
            return self.other.ply(self.other.start)
        return self.start.ply if self.start else 0

    @property
    def last_ply(self) -> int:
        """The last ply that is asked for."""
        last = self.board.cells if self.other is None else self.other.last_ply
        return last if self.to_ply is None else min(self.to_ply, last)

    @property
    def is_free(self) -> bool:
        """Whether both players may make any move."""
        return self.x_moves == self.o_moves == "any" and not self.is_played

    @property
    def is_played(self) -> bool:
        """Whether a player is held to a table of moves."""
        return self.x_plays is not None or self.o_plays is not None

    def plays(self, player: Player) -> PlayTable | None:
        """Return the table that a player is held to, None for one bound by a rule."""
        return self.x_plays if player == "X" else self.o_plays

    def moves_of(self, player: Player) -> str:
        """Return what a player goes by: the name of the table, else the move rule."""
        table = self.plays(player)
        return table.name if table is not None else self.x_moves if player == "X" else self.o_moves

    @property
    def group(self) -> Group:
        """The symmetry group that `same` refers to."""
        return self.board.group(self.symmetry) if self.other is None else self.other.group

    @property
    def game(self) -> Game[Any]:
        """The game that is played: marking the board from the start position, unless it is another."""
        if self.other is not None:
            return self.other
        return MarkingGame(self.board, self.start, "full" if self.end == "full" else "line", self.group)

    def position(self) -> Position:
        """Return the start position, the empty board unless given."""
        return self.start if self.start is not None else Position(self.board)


def _one_of(what: str, given: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(given, str):
        raise wrong_type(what, given, f"one of {', '.join(allowed)}")
    if given not in allowed:
        raise InvalidQuestion(f"{what} is {shown(given)}, but it must be one of {offered(given, allowed)}")
