"""`noughts play`: a game in the terminal, with hints, undo and a review. `noughts engine`: an opponent for programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from random import SystemRandom
from typing import TYPE_CHECKING

from noughts.analysis.explain.wording import how_it_goes
from noughts.cli.progress import at_rest, attended
from noughts.cli.sink import screen
from noughts.rules.board import Board
from noughts.rules.cells import are_numbered, cell_name, column_name, move_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell
from noughts.rules.position import Position, read_move
from noughts.rules.values import begun
from noughts.verbs.request import Caller, VerbAnswer, VerbRequest, argument, option

if TYPE_CHECKING:
    from noughts.analysis.explain.review import Review
    from noughts.analysis.policies.playing import Seats
    from noughts.solving.solution import Solution


_WHO = "human|perfect|easy|medium|hard|random|...|FILE.json|genome:...|program:COMMAND"
_ORDERS = {
    "hint": ("h", "the best move, and why"),
    "why": ("w", "the effect of the last moves"),
    "undo": ("u", "take back your last move"),
    "board": ("b", "the board again, also in words"),
    "quit": ("q", "end the game"),
    "help": ("?", "this list"),
}
"""Commands beside a cell: the word, its letter, and its effect."""
_SPACED = re.compile(r"([a-z]+) +([0-9]+(?: *\. *[0-9]+)?)", re.IGNORECASE)
"""A cell with blanks in it."""
_SWAPPED = re.compile(r"([0-9]+) *([a-z]+)((?: *\. *[0-9]+)?)", re.IGNORECASE)
"""A cell with its row first."""


@dataclass(frozen=True, kw_only=True)
class PlayRequest(VerbRequest):
    """Game on BOARD, from the empty board or after MOVES. Type a cell such as b2, or hint, why, undo, board, quit.

    A review of every move follows. An opponent is one of the explorer, or any policy.
    """

    forms = ()

    board: str | Board = argument(default="3x3")
    moves: tuple[str, ...] = argument("[MOVES]", ())
    x: str = option("Player of X, who begins", "human", metavar=_WHO)
    o: str = option("Player of O, who moves second", "medium", metavar="WHO")
    seed: str | None = option("Random seed of the opponents", metavar="TEXT", usual="a new one")
    words: bool = option("Board in words, without a drawing", False)

    def answer(self, caller: Caller) -> VerbAnswer:
        """Play to the end, then review."""
        from noughts.analysis.policies.playing import seated

        on = Board.parse(self.board)
        seed = str(SystemRandom().getrandbits(32)) if self.seed is None else self.seed
        _Terminal(on, self.x, self.o, seed, self.words, seated(on, self.x, self.o)).run(" ".join(self.moves))
        return VerbAnswer(None, {})


@dataclass(frozen=True, kw_only=True)
class EngineRequest(VerbRequest):
    """Opponent for other programs by the protocol UGI: ugi, isready, position startpos moves a1 b2, go, quit.

    Standard input has one command per line. The options can also be set by setoption, as Board, Strength and Seed.
    """

    forms = ()

    board: str | Board = argument(default="3x3")
    strength: str = option(
        "Strength: any policy", "perfect", metavar="easy|medium|hard|perfect|random|...|FILE.json|genome:..."
    )
    seed: str | None = option("Random seed, for the same move on the same question", metavar="TEXT")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        return (
            (
                are_numbered(),
                "--cells numbers cannot be used with engine, whose protocol has cells a1, b1, ...: remove --cells",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Play until the other program quits."""
        from noughts.bots.engine import engine

        made = engine(self.board, self.strength, seed=self.seed)
        at_rest()
        if sys.stdin.isatty():
            print("noughts: type ugi, then position startpos moves a1, go; quit ends", file=sys.stderr)
        made.run(sys.stdin.buffer, sys.stdout.buffer)
        return VerbAnswer(None, {})


def _as_move(text: str, board: Board) -> str:
    """Return the name of a move typed with blanks or with its row first: `b2` for `b 2` and `2b`, `xb2` for `x 2b`."""
    mark = text[:1] if board.rules.chooses_mark and text[:1].lower() in ("x", "o") else ""
    cell = text.removeprefix(mark).strip()
    if swapped := _SWAPPED.fullmatch(cell):
        cell = f"{swapped[2]}{swapped[1]}{swapped[3]}"
    return mark + (cell.replace(" ", "") if swapped or _SPACED.fullmatch(cell) else cell)


class _Left(Exception):
    """The person leaves the game, or the input ends."""


class _Terminal:
    """A game at the terminal: a sentence, then the board, then the prompt."""

    def __init__(self, board: Board, x: str, o: str, seed: str, words: bool, others: Seats) -> None:
        self.board, self.x, self.o, self.seed, self.words, self.others = board, x, o, seed, words, others
        self.wanted = "mark and cell" if board.rules.chooses_mark else "cell"
        self.cells: tuple[Cell, ...] = ()
        self.values: Solution | None = None
        self.undone: tuple[Cell, ...] | None = None

    def run(self, moves: str) -> None:
        """Play to the end, then review."""
        from noughts.rules.position import parse_game

        self.cells = parse_game(self.board, moves)
        at_rest()
        self._say(self._begin())
        try:
            while self._step():
                pass
        except _Left as left:
            many = len(self.cells)
            self._say(f"Game left after {many} move{'s' * (many != 1)}.")
            if left.args[0] == "end of input":
                return
        if self.cells:
            print()
            self._review()

    def _begin(self) -> str:
        """Return the players and the possible input."""
        shape = self.board.shape
        by_column = shape is not None and self.board.rules.by_column
        such = f"column such as {column_name(shape[1] // 2)}" if shape and by_column else None
        such = such or f"{self.wanted} such as {move_name(self.board, self.board.part.cells // 2)}"
        typed = [f"Type a {such}, or ? for help."]
        lineless = [] if self.board.lines else ["The board has no line, so every game is a draw."]
        clause = filter(None, [how_it_goes(self.board)])
        return " ".join(
            [f"{self.board}.", *clause, *lineless, *self._opponents(), *(typed if "human" in (self.x, self.o) else [])]
        )

    def _opponents(self) -> list[str]:
        """Return the name and the play of each opponent on this board."""
        from noughts.analysis.policies.playing import OPPONENTS, manners, whole_values

        titles = {each.name: each.title for each in OPPONENTS}
        seats = [(player, name) for player, name in (("X", self.x), ("O", self.o)) if name in titles]
        with attended():
            how = manners(self.board, whole=whole_values(self.board) is not None) if seats else {}
        table_bots = {each.name: f"{each.title}. {each.about}" for each in self.others}
        about = {name: f"{titles[name]}. {manner}" for name, manner in how.items()} | table_bots
        names = zip(self.board.rules.players, (self.x, self.o), strict=True)
        return [begun(f"{player} is {about[name]}.") for player, name in names if name in about]

    def _step(self) -> bool:
        """Show the game and let the person act; return False if it is over."""
        from noughts.analysis.policies.playing import play_on, reply_values_at

        with attended():
            game = play_on(self.board, self.x, self.o, self.cells, self.seed, reply_values_at, self.others)
        self.cells = game.moves
        print()
        self._say(game.sentence)
        if game.known is not None:
            self._say(game.known.sentence)
        self._show()
        if game.is_over:
            return False
        if game.awaited is not None:
            self.cells = (*game.moves, game.awaited)
            return True
        self.undone = game.undone
        label = self.board.rules.labels[game.position.to_move == "O"]
        while not self._act(self._typed(f"{begun(label)}: ")):
            pass
        return True

    def _typed(self, prompt: str) -> str:
        """Return the input of the person; echo it if it comes through a pipe."""
        try:
            text = input(prompt)
        except EOFError:
            print()
            raise _Left("end of input") from None
        if not sys.stdin.isatty():
            print(text)
        return text.strip()

    def _act(self, text: str) -> bool:
        """Carry out the input; return True if the game has changed."""
        word, rules = text.lower(), self.board.rules
        columns = map(column_name, range((self.board.shape or (1, 1))[1])) if rules.by_column else ()
        is_move = word in columns  # b is a column there, and the letter of an order
        order = None if is_move else next((n for n, (letter, _) in _ORDERS.items() if word in (n, letter)), None)
        if order == "quit" or word == "exit":
            raise _Left("quit")
        if order == "undo":
            if self.undone is None:
                self._say("You have no move to take back.")
                return False
            self.cells = self.undone
            return True
        if order is not None:
            {"hint": self._hint, "why": self._why, "board": self._board, "help": self._help}[order]()
            return False
        return self._play(text)

    def _play(self, text: str) -> bool:
        at = self._position()
        try:
            move = read_move(at, _as_move(text, self.board))
        except InputError as error:
            self._say(f"{error}; or type ? for help." if text else f"Type a {self.wanted}, or ? for help.")
            return False
        if not at.blanks >> move % self.board.cells & 1:
            self._say(f"{cell_name(self.board, move % self.board.cells)} is not blank: choose another cell.")
            return False
        if not at.playable >> move & 1:
            moves = " ".join(map(str, at.moves()))
            line = ", as its board has a line" if self.board.rules.boards > 1 else ""
            self._say(f"{move_name(self.board, move)} cannot be played{line}: the moves are {moves}.")
            return False
        self.cells = (*self.cells, move)
        return True

    def _position(self) -> Position:
        return reduce(Position.play, self.cells, Position(self.board))

    def _hint(self) -> None:
        from noughts.analysis.policies.playing import hint_at

        with attended():
            hint, _ = hint_at(self._position())
        self._say(hint)

    def _why(self) -> None:
        """Print the effect of the last move of each side, better moves after a mistake, and threats."""
        if not self.cells:
            self._say("The game has no moves yet.")
            return
        found = self._reviewed()
        for move in found.moves[-2:]:
            better = [move.sentence, *move.why] if move.is_mistake else []
            mover = begun(self.board.rules.name_of(move.player))
            self._say(" ".join([f"{mover} {move.name}: {move.verdict}.", *better]))
        threatened = found.threatened
        if threatened:
            self._say(threatened)

    def _board(self) -> None:
        self._show()
        if not self.words:
            self._in_words()

    def _in_words(self) -> None:
        from noughts.web.boards import spoken

        self._say(f"{begun(spoken(self._position()))}.")

    def _help(self) -> None:
        for name, (letter, what) in _ORDERS.items():
            print(f"  {letter} or {name}: {what}")

    def _show(self) -> None:
        if self.words:
            self._in_words()
            return
        from noughts.present.text import drawn

        print(drawn(self._position()))

    def _say(self, sentence: str) -> None:
        from noughts.present.text import wrapped

        print(wrapped(sentence, screen()))

    def _values(self) -> Solution | None:
        """Return the values for a review, None where nothing values the board; those of all positions are kept."""
        from noughts.analysis.policies.playing import reply_values_at
        from noughts.analysis.solutions import solution_for

        for find in (reply_values_at, solution_for):
            with suppress(BudgetError):
                found = find(Position(self.board)) if self.values is None else self.values
                self.values = None if found.is_search else found
                return found
        return None

    def _reviewed(self) -> Review:
        from noughts.analysis.explain.review import review

        text = " ".join(move_name(self.board, move) for move in self.cells)
        with attended():
            return review(self.board, text, solution=self._values())

    def _review(self) -> None:
        from noughts.present.text import as_text
        from noughts.verbs.review import report

        print(as_text(report(self._reviewed()), screen()), end="")
