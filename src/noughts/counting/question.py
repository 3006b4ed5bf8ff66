"""A question: which games are counted, which of them count as one, and the words for this convention."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, get_args

from noughts._version import __version__
from noughts.rules import game as extent
from noughts.rules.arguments import integer, offered, wrong_type
from noughts.rules.board import Board, SymmetryName
from noughts.rules.cells import cell_name
from noughts.rules.errors import InvalidQuestion, shown
from noughts.rules.game import Game, PlayTable
from noughts.rules.marks import Player, cells_of
from noughts.rules.play import END_RULES, MOVE_RULES, VALUE_RULES, EndRule, MoveRule
from noughts.rules.position import Position
from noughts.rules.symmetry import ELEMENT_LIMIT, Group
from noughts.rules.values import short

Sameness = Literal["labelled", "symmetry", "choices"]

Starts = Literal["X", "O", "either"]

SOURCE = f"noughts {__version__}, an exact count"
"""The source to print with a count."""
STARTS: tuple[Starts, ...] = get_args(Starts)
SAMENESSES: tuple[Sameness, ...] = get_args(Sameness)
SYMMETRIES: tuple[SymmetryName, ...] = get_args(SymmetryName)


@dataclass(frozen=True, repr=False)
class Question:
    """Which games are counted, and which of them count as one. Hashable; checked when made.

    Parameters
    ----------
    board
        The board.
    same
        When games count as one: `labelled`, `symmetry` or `choices`.
    x_moves, o_moves
        The move rule of each player.
    end
        When a game is over.
    symmetry
        The group that `same` refers to.
    start
        The first position; by default the empty board.
    to_ply
        The last ply to count; by default the full board.
    starts
        Who moves first on the empty board: `X`, `O` or `either`. With `either`, games that differ in who starts count
        separately; a position consists of marks alone, so it counts once.
    x_plays, o_plays
        A table of moves that binds a player instead of a rule, for each position without a line.

    Raises
    ------
    InvalidQuestion
        The parts contradict each other.
    """

    board: Board
    same: Sameness = "labelled"
    x_moves: MoveRule = "any"
    o_moves: MoveRule = "any"
    end: EndRule = "line"
    symmetry: SymmetryName = "board"
    start: Position | None = None
    to_ply: int | None = None
    starts: Starts = "X"
    x_plays: PlayTable | None = None
    o_plays: PlayTable | None = None

    def __repr__(self) -> str:
        parts = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self)[1:] if getattr(self, f.name) != f.default]
        whole = f"Question({', '.join([repr(self.board), *parts])})"
        return whole if len(whole) < 120 else f"<Question about {short(self.board)}: {short(', '.join(parts), 70)}>"

    @property
    def identity(self) -> str:
        """A text that is different for every other question; it names saved work.

        Unlike the repr it is complete: it has all lines of the board, its symmetries, and every move of a table.
        """
        board = (self.board.cells, self.board.lines, self.board.rules.suffix[1:], self.board.group().generators)
        plays = [table and (str(table.board), sorted(table.cells.items())) for table in (self.x_plays, self.o_plays)]
        start = self.start and (self.start.x, self.start.o)
        rest = (self.same, self.x_moves, self.o_moves, self.end, self.symmetry, self.to_ply, self.starts)
        return repr((board, start, rest, plays))

    def as_dict(self) -> dict[str, object]:
        """Return the question for JSON, with the keys of a census."""
        found: dict[str, object] = {"board": self.board.spec}
        found |= {"same": self.same, "x_moves": self.moves_of("X"), "o_moves": self.moves_of("O")}
        found |= {"end": self.end, "symmetry": self.symmetry}
        start = None if self.start is None else str(self.start)
        starts = None if self.starts == "X" else self.starts
        rest = {"from": start, "to_ply": self.to_ply, "starts": starts}
        return found | {name: value for name, value in rest.items() if value is not None}

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board):
            raise wrong_type("the board of a question", self.board, "a Board")
        if self.start is not None and not isinstance(self.start, Position):
            raise wrong_type("the start of a question", self.start, "a Position")
        if self.to_ply is not None:
            integer("the last ply", self.to_ply)
        given: tuple[tuple[str, object, tuple[str, ...]], ...] = (
            ("same", self.same, SAMENESSES),
            ("moves of X", self.x_moves, (*MOVE_RULES, "concede")),
            ("moves of O", self.o_moves, (*MOVE_RULES, "concede")),
            ("end", self.end, END_RULES),
            ("symmetry", self.symmetry, SYMMETRIES),
            ("who starts", self.starts, STARTS),
        )
        for what, word, allowed in given:
            if not isinstance(word, str):
                raise wrong_type(what, word, f"one of {', '.join(allowed)}")
            if word not in allowed:
                raise InvalidQuestion(f"{what} is {shown(word)}, but it must be one of {offered(word, allowed)}")
        if self.starts != "X" and self.start is not None and (self.start.x or self.start.o):
            raise InvalidQuestion(
                f"the position {self.start} already shows whose turn it is: remove who starts ({self.starts})"
            )
        self._check_rules()
        self._check_tables()
        self._check_start()
        if self.to_ply is not None and self.to_ply < self.first_ply:
            raise InvalidQuestion(f"the last ply {self.to_ply} comes before the first, {self.first_ply}: raise it")

    def _check_rules(self) -> None:
        rules = self.board.rules
        for rule in (self.x_moves, self.o_moves):
            if rule not in rules.all_move_rules:
                why = "" if rules.line_wins else ", where a completed line loses"
                raise InvalidQuestion(
                    f"the move rule {rule!r} has no meaning on {self.board}{why}: "
                    f"use {', '.join(rules.move_rules[:-1])} or {rules.move_rules[-1]}"
                )
        if self.concedes and self.end == "full":
            raise InvalidQuestion("a player who concedes ends the game, so the board is not filled: use --end line")
        if self.starts == "either" and not rules.order_free:
            raise InvalidQuestion(
                f"on {self.board} the order of marks matters, so either player cannot start: use --starts X or O"
            )
        if self.end not in end_rules(self.board) or (not rules.alternating and self.starts != "X"):
            raise InvalidQuestion(
                f"on {self.board} {rules.name_of('X')} starts, and a line ends the game: use --end line or decided"
            )

    def _check_tables(self) -> None:
        for player, rule, table in (("X", self.x_moves, self.x_plays), ("O", self.o_moves, self.o_plays)):
            if table is None:
                continue
            if not isinstance(table, PlayTable):
                raise wrong_type(f"the table of moves of {player}", table, "a PlayTable")
            if table.board != self.board:
                raise InvalidQuestion(f"{table.name} plays on {table.board}, not on {self.board}: ask about that board")
            if rule != "any":
                name = self.board.rules.named(player)
                raise InvalidQuestion(f"{name} plays by {table.name}, and by the rule {rule}: remove one of them")
            if self.starts != "X":
                raise InvalidQuestion(
                    f"{table.name} plays games that X starts: remove who starts ({self.starts}), or use a move rule"
                )

    def _check_start(self) -> None:
        start = self.start
        if start is None:
            return
        if start.board != self.board:
            raise InvalidQuestion(f"the start {start} is a position of {start.board}, not of {self.board}")
        if self.end != "full" or not self.board.rules.order_free:
            start.require_reachable()
            return
        problems = [problem for problem in start.problems() if problem.startswith(("too many", "both"))]
        if problems:
            raise InvalidQuestion(f"{start} cannot be a start on {self.board}: {'; '.join(problems)}")

    @property
    def first_ply(self) -> int:
        """The ply of the start position."""
        return self.start.ply if self.start else 0

    @property
    def last_ply(self) -> int:
        """The last ply to count."""
        last = self.board.cells
        return last if self.to_ply is None else min(self.to_ply, last)

    @property
    def is_free(self) -> bool:
        """Whether both players may make any move."""
        return self.x_moves == self.o_moves == "any" and not self.is_played

    @property
    def concedes(self) -> bool:
        """Whether a player may concede, so that a game can end without a move."""
        return "concede" in (self.x_moves, self.o_moves)

    @property
    def is_played(self) -> bool:
        """Whether a table of moves binds a player."""
        return self.x_plays is not None or self.o_plays is not None

    def plays(self, player: Player) -> PlayTable | None:
        """Return the table of moves that binds a player, None for a player bound by a rule."""
        return self.x_plays if player == "X" else self.o_plays

    def moves_of(self, player: Player) -> str:
        """Return the name of a player's table of moves, else the player's move rule."""
        table = self.plays(player)
        return table.name if table is not None else self.x_moves if player == "X" else self.o_moves

    @property
    def group(self) -> Group:
        """The symmetry group that `same` refers to."""
        return self.board.group(self.symmetry)

    @property
    def game(self) -> Game:
        """The play that is counted, from the start position."""
        return Game(self.board, self.start, "full" if self.end == "full" else "line", self.group)

    def position(self) -> Position:
        """Return the start position, by default the empty board."""
        return self.start if self.start is not None else Position(self.board)


def end_rules(board: Board) -> tuple[EndRule, ...]:
    """Return the end rules that have a meaning on a board."""
    return END_RULES if board.rules.alternating or board.rules.exact else ("line", "decided")


# Conventions in words: every printed number comes with the words that give it its meaning.

_MOVES: dict[MoveRule, str] = {
    "any": "make any move",
    "win": "complete a line when they can",
    "block": "complete a line when they can, else block one",
    "fork": "complete a line when they can, else block one, else make a fork when they can",
    "concede": "complete a line when they can, else block the only threat, and concede to two threats",
    "perfect": "make only moves that keep the best value",
    "quickest": "make only moves that keep the best value, and win as soon or lose as late as they can",
}
_ONE_MOVES: dict[MoveRule, str] = {
    "any": "makes any move",
    "win": "completes a line when possible",
    "block": "completes a line when possible, else blocks one",
    "fork": "completes a line when possible, else blocks one, else makes a fork when possible",
    "concede": "completes a line when possible, else blocks the only threat, and concedes to two threats",
    "perfect": "makes only moves that keep the best value",
    "quickest": "makes only moves that keep the best value, and wins as soon or loses as late as possible",
}
_STARTS: dict[Starts, str] = {
    "X": "X starts",
    "O": "O starts",
    "either": "either player starts (a position reached both ways counts once)",
}
_END: dict[EndRule, str] = {
    "line": "a game ends at a line or a full board",
    "decided": "a game ends as soon as all continuations have the same outcome",
    "full": "a game ends at a full board only, and the first completed line gives the outcome",
}


def sameness_words(same: Sameness, symmetry: str = "board") -> str:
    """Return the exact definition of when two games count as one."""
    if same == "labelled":
        return "cells distinguishable, every order of moves counted"
    under = "the symmetries of the board" if symmetry == "board" else "all symmetries of the lines"
    if same == "symmetry":
        return f"games that one of {under} maps to each other counted once"
    return f"games whose boards are the same under {under} after each move counted once"


def moves_words(x_moves: MoveRule, o_moves: MoveRule, x: str = "X", o: str = "O") -> str:
    """Return in words which moves are allowed to the players `x` and `o`."""
    if x_moves == o_moves:
        return f"both {_MOVES[x_moves]}"
    return f"{x} {_ONE_MOVES[x_moves]}, {o} {_ONE_MOVES[o_moves]}"


def end_words(end: EndRule, *, misere: bool = False, lines: bool = True) -> str:
    """Return in words when a game is over, and under misere who wins."""
    loses = "; the player who completes a line loses" if misere else ""
    none = "; the board has no line, so every game is drawn" if not lines else ""
    return _END[end] + loses + none


def rules_words(question: Question) -> str:
    """Return in words what binds the players of a question: move rules, or tables of moves."""
    first, second = question.board.rules.players
    if not question.is_played:
        return moves_words(question.x_moves, question.o_moves, first, second)
    x, o = question.plays("X"), question.plays("O")
    by_x = _ONE_MOVES[question.x_moves] if x is None else f"plays by {x.name}"
    by_o = _ONE_MOVES[question.o_moves] if o is None else f"plays by {o.name}"
    return f"{first} {by_x}, {second} {by_o}"


def is_ruled(question: Question) -> bool:
    """Return whether a question has other rules than free moves to a line or a full board."""
    return not question.is_free or question.end != "line"


def play_words(question: Question) -> str:
    """Return in words what binds the players and when a game ends: `both make any move and a game ends at ...`."""
    return f"{rules_words(question)} and {_ends(question)}"


def _ends(question: Question, *, lines: bool = True) -> str:
    """Return in words when a game of a question is over."""
    end = end_words(question.end, misere=question.board.misere, lines=lines)
    return end + ", or where a player concedes" * question.concedes


CountedThings = Literal["games", "positions"]

_SHORT_SAME: dict[tuple[CountedThings, bool], dict[Sameness, str]] = {
    ("games", True): {"labelled": "every order of moves counted"},
    ("games", False): {
        "symmetry": "symmetric games counted once",
        "choices": "moves to equivalent boards counted once",
    },
    ("positions", True): {"labelled": "symmetric boards counted separately"},
    ("positions", False): dict.fromkeys(("symmetry", "choices"), "symmetric boards counted once"),
}
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def convention(question: Question, *, of: CountedThings = "games", starter: bool = False) -> str:
    """Return the convention of a number as one clause: `every order of moves counted, play stops at three in a row`.

    X starts and moves are free unless the clause says otherwise; `starter` adds that X starts. `definition` is exact.
    """
    return shared_convention([question], of=of, starter=starter)


def shared_convention(questions: Sequence[Question], *, of: CountedThings = "games", starter: bool = False) -> str:
    """Return the clause that holds for one question asked of several boards.

    It mentions the last ply only where that shortens the count of at least one board.
    """
    first = questions[0]
    parts = [_short_sameness(first, of)]
    start = _start_words(questions)
    if starter or start != _STARTS["X"]:
        parts.append(start)
    if not first.is_free:
        parts.append(rules_words(first))
    parts += _stop_words(questions)
    if first.to_ply is not None and any(first.to_ply < question.board.cells for question in questions):
        parts.append(f"counted up to ply {first.to_ply}")
    return ", ".join(parts)


def in_print(question: Question, games: int) -> str:
    """Return a number of games with its convention as a sentence that can be printed alone."""
    same, when = convention(question).split(", ", 1)
    for last in ("play ", "the first line ", "the board "):
        when = when.replace(f", {last}", f", and {last}")
    where = "of tic-tac-toe" if question.board.spec == "3x3:3" else f"on {question.board}"
    are, s = ("is", "") if games == 1 else ("are", "s")
    return f"There {are} {games:,} game{s} {where}, with {same}, if {when}."


def definition(question: Question) -> str:
    """Return exactly what is counted: which games are the same, who starts, which moves are legal, when play ends."""
    same = sameness_words(question.same, question.symmetry)
    lines = question.board.cells > 64 or bool(question.board.lines)
    start, rules = _start_words([question]), question.board.rules
    if start == _STARTS["X"]:
        start = f"{rules.name_of('X')} starts"
    places = [rules.places] if rules.places else []
    return "; ".join([same, start, *places, rules_words(question), _ends(question, lines=lines)])


def legend_words(question: Question) -> tuple[str, str]:
    """Return when a game is over and when two games count as one: each as in `convention`, then exactly."""
    same, exact = _short_sameness(question, "games"), sameness_words(question.same, question.symmetry)
    stop = f"{', '.join(_stop_words([question]))}: {end_words(question.end)}"
    return stop, exact if same in exact else f"{same}: {exact}"


def _short_sameness(question: Question, of: CountedThings) -> str:
    clause = _SHORT_SAME[of, question.same == "labelled"][question.same]
    return clause if question.symmetry == "board" else f"{clause} (under all symmetries of the lines)"


def _stop_words(questions: Sequence[Question]) -> list[str]:
    """Return when play stops, and what a line means where that is not the usual."""
    first = questions[0]
    misere = first.board.misere
    lines = any(question.board.cells > 64 or bool(question.board.lines) for question in questions)
    lengths = {question.board.k for question in questions}
    k = lengths.pop() if len(lengths) == 1 else None
    rules = first.board.rules
    exactly = "exactly " * rules.exact
    line = "a completed line" if k is None or k < 2 else f"{exactly}{_SMALL[k] if k < len(_SMALL) else k} in a row"
    if first.end == "decided":
        stop = ["play stops when only one outcome is left", *["a completed line loses"] * misere]
    elif not lines:
        stop = ["play fills the board"]
    elif first.end == "full" and rules.exact:
        stop = ["play fills the board", f"only {line} on the full board counts"]
    elif first.end == "full":
        stop = ["play fills the board", f"the first line {'loses' if misere else 'wins'}"]
    elif rules.boards > 1:
        stop = [f"play stops when every board has {line}", "the last one loses"]
    elif not rules.alternating and "draw" not in rules.ends_for("X"):
        stop = [f"play stops at {line}, which {rules.name_of('O' if rules.ends_for('X')[0] == 'O' else 'X')} wins"]
    else:
        stop = [f"play stops at {line}{' or a concession' * first.concedes}{', which loses' if misere else ''}"]
    none = "the board has no line" if len(questions) == 1 else "no board has a line"
    return [*[rules.places] * bool(rules.places), *stop, *[f"{none}, so every game is drawn"] * (not lines)]


def _start_words(questions: Sequence[Question]) -> str:
    """Return in words where play starts: as a position on one board, by its marked cells on several boards."""
    first = questions[0]
    starts = [question.start for question in questions if question.start is not None]
    if not starts or first.first_ply == 0:
        return _STARTS[first.starts]
    if len(starts) == 1:
        return f"play starts from {starts[0]}"
    marked = {
        " and ".join(
            f"{player} on {', '.join(cell_name(start.board, cell) for cell in cells_of(cells))}"
            for player, cells in (("X", start.x), ("O", start.o))
            if cells
        )
        for start in starts
    }
    return f"play starts with {marked.pop()}" if len(marked) == 1 else "play starts from a different position on each"


def command_of(question: Question) -> str:
    """Return the command line that asks a question."""
    words = ["noughts count", question.board.spec, f"--same {question.same}"]
    x, o = shlex.quote(question.moves_of("X")), shlex.quote(question.moves_of("O"))
    words += [f"--moves {x}"] if x == o else [f"--x-moves {x}", f"--o-moves {o}"]
    words.append(f"--end {question.end}")
    if question.starts != "X":
        words.append(f"--starts {question.starts}")
    if question.symmetry != "board":
        words.append(f"--symmetry {question.symmetry}")
    if question.start is not None:
        words.append(f"--from '{question.start}'")
    if question.to_ply is not None:
        words.append(f"--to-ply {question.to_ply}")
    return " ".join(words)


# Upper bounds on the position classes that a question can reach, from the ways to place the marks of each ply.


def keeping_group(question: Question) -> Group:
    """Return the group under whose orbits paths are counted: the stabiliser of the start's marks.

    A labelled count may use any group. It uses all permutations that keep the lines, if they are few enough. Raises
    BudgetError where the question's group is too large to list.
    """
    start, group = question.position(), question.group
    if question.same == "labelled":
        group = question.board.group("lines")
        group = group if group.order <= ELEMENT_LIMIT else question.board.group()
    return group.stabiliser(start.x, start.o)


def layer_bounds(question: Question, *, to_end: bool, order: int | None = None) -> list[int]:
    """Return the bound on each layer of a question, see `rules.game.layer_bounds`.

    Parameters
    ----------
    question
        The question.
    to_end
        Give bounds up to the full board instead of the question's last ply.
    order
        The order of the group; by default that of `keeping_group`.
    """
    last = question.board.cells if to_end else question.last_ply
    return extent.layer_bounds(question.position(), order or keeping_group(question).order, last)


def needs_values(question: Question) -> bool:
    """Return whether a rule of the question depends on the values of positions."""
    return question.end == "decided" or not {question.x_moves, question.o_moves}.isdisjoint(VALUE_RULES)
