"""External programs as players: the questions they receive, their answers, and their fouls.

The protocol is the Universal Game Interface, UGI; see the page `protocol` of the reference. A question is sent in one
piece: `isready`, which marks its start, the position as moves that lead to it, and `go`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import chain, zip_longest
from random import Random

from noughts.analysis.policies.policy import Policy, require_programs
from noughts.machine.programs import ProgramFailure, RunningProgram
from noughts.rules.board import Board
from noughts.rules.cells import cells_as, move_name
from noughts.rules.errors import CheckError, InputError, shown
from noughts.rules.marks import Cell, Mask, cells_of
from noughts.rules.position import Position, read_move, way_to
from noughts.solving.solution import Solution

MOVE_SECONDS = 1.0
"""The time limit of a move."""
START_SECONDS = 10.0
"""The time limit of the start."""


class Foul(Exception):
    """A program did not answer a question with a legal move.

    `kind` is `illegal` (not a blank cell), `late`, `ended` or `garbled` (too much, or out of turn). The text says what
    it did, such as `it played b2, which is taken`.
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def command_of(given: object) -> tuple[str, ...]:
    """Return a program and its arguments, from words or from a text that is split like a shell command.

    Raises InputError.
    """
    if isinstance(given, str):
        try:
            words = tuple(shlex.split(given))
        except ValueError as error:
            raise InputError(f"{shown(given)} is not a command: {error}; close the quotes") from None
    elif isinstance(given, Sequence) and all(isinstance(word, str) for word in given):
        words = tuple(given)
    else:
        raise InputError("a command is a text, such as 'python3 bot.py', or a list of its words")
    if not words:
        raise InputError("the command is empty: give a program, such as python3 bot.py")
    return words


def moves_to(position: Position, *, backwards: bool = False) -> tuple[Cell, ...]:
    """Return moves that lead to a position: the marks of each player in reading order, or backwards.

    Under other rules, one order that can be played.
    """
    if not position.board.rules.is_marking:
        return way_to(position)
    order = -1 if backwards else 1
    both = zip_longest(list(cells_of(position.x))[::order], list(cells_of(position.o))[::order])
    return tuple(cell for cell in chain.from_iterable(both) if cell is not None)


class ExternalPlayer:
    """A running program that answers questions. It starts at once, and again after each failure; the caller closes it.

    Raises InputError if it cannot be started, and CheckError if it does not greet by the protocol. `name` and `author`
    are its own words; `questions` is the number of questions so far.
    """

    def __init__(
        self,
        board: Board,
        command: Sequence[str],
        move_seconds: float = MOVE_SECONDS,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self.board = board
        self.command = tuple(command)
        self.name = self.author = ""
        self.questions = 0
        self._move_seconds, self._start_seconds = move_seconds, start_seconds
        with cells_as("names"):
            self._names = [move_name(board, move) for move in range(board.move_count)]
        self._last: tuple[Cell, ...] = ()
        self._answered = ""
        """The last answer since the start, in words."""
        self._comment = ""
        """The comment with its last answer, in words."""
        self._program: RunningProgram | None = None
        self.restart()

    def __enter__(self) -> ExternalPlayer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def restart(self) -> None:
        """End the program if it runs, and start it again."""
        self.close()
        self._answered = self._comment = ""
        program = self._program = RunningProgram(self.command)
        try:
            self._greet(program)
            board = "" if self.board.shape is None else f"setoption name Board value {self.board.spec}\n"
            program.ask(f"{board}uginewgame\nisready\n", self._start_seconds)
            _until(program, "readyok")
        except ProgramFailure as failure:
            self.close()
            held = failure.kind == "held"
            remedy = "flush standard output after each line" if held else "answer ugi with ugiok, isready with readyok"
            raise CheckError(
                f"the program {shown(shlex.join(self.command), 80)} did not greet: {failure}; {remedy}"
            ) from None
        except BaseException:
            self.close()
            raise

    def _greet(self, program: RunningProgram) -> None:
        """Await the greeting. Raises ProgramFailure, early for a program that holds its answers back."""
        first = min(_FIRST_WAIT, self._start_seconds)
        program.ask("ugi\n", first)
        try:
            _until(program, "ugiok", self._greeted)
            return
        except ProgramFailure as failure:
            if failure.kind != "late" or first == self._start_seconds:
                raise
        if _holds_back(self.command):
            raise ProgramFailure("held", "it answers only when its input ends")
        program.wait_longer(self._start_seconds - first)
        _until(program, "ugiok", self._greeted)

    def close(self) -> None:
        """End the program and all processes that it started."""
        program, self._program = self._program, None
        if program is not None:
            program.close("quit\n")

    def reply(self, moves: tuple[Cell, ...]) -> Cell:
        """Return the answer, a blank cell, after these moves from the empty board. Raises Foul.

        After a foul of the kinds late, ended or garbled the program is started again for the next question.
        """
        self.questions += 1
        if self._program is None:
            self.restart()
        assert self._program is not None
        program, before = self._program, self._answered
        try:
            for line in program.held():
                _out_of_turn(line)
            program.ask(self._question(moves), self._move_seconds)
            self._last = moves
            self._comment = ""
            _until(program, "readyok", self._noted)
            before = ""
            answer = _until(program, "bestmove", self._noted)
        except ProgramFailure as failure:
            program.close()
            self._program = None
            raise Foul(failure.kind, f"{failure}{before}") from None
        cell = self._cell(answer, moves)
        self._answered = f", before this question; it had answered {self._in_names(moves)} with {self._names[cell]}"
        return cell

    def _in_names(self, moves: tuple[Cell, ...]) -> str:
        return " ".join(self._names[cell] for cell in moves) or "the empty board"

    def _question(self, moves: tuple[Cell, ...]) -> str:
        new = "" if moves[: len(self._last)] == self._last else "uginewgame\n"
        named = "".join(f" {self._names[cell]}" for cell in moves)
        return f"{new}isready\nposition startpos{' moves' if named else ''}{named}\ngo\n"

    def _cell(self, answer: str, moves: tuple[Cell, ...]) -> Cell:
        words = answer.split()
        if not words:
            raise Foul("illegal", f"it named no cell{self._comment}")
        is_free, start = self.board.rules.any_blank, Position(self.board)
        at = start if is_free else reduce(Position.play, moves, start)
        try:
            cell = read_move(at, words[0] if words[0].isascii() else "")
        except InputError:
            marked = self.board.rules.chooses_mark
            wrong = "move: the mark stands first, as in Xa1" if marked else "cell"
            raise Foul("illegal", f"it played {shown(words[0])}, which is not a {wrong}{self._comment}") from None
        if cell in moves:
            raise Foul("illegal", f"it played {move_name(self.board, cell)}, which is taken")
        if not is_free and not at.playable >> cell & 1:
            wrong = "above a blank cell" if self.board.rules.by_column else "not a move there"
            raise Foul("illegal", f"it played {move_name(self.board, cell)}, which is {wrong}")
        return cell

    def _noted(self, line: str) -> None:
        """Store the comment of a program, such as the reason why it has no answer."""
        _out_of_turn(line)
        if line.startswith("info string "):
            self._comment = f"; it said {shown(line.removeprefix('info string ').strip(), 120)}"

    def _greeted(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        what, _, text = rest.strip().partition(" ")
        if kind == "id" and what in ("name", "author"):
            setattr(self, what, "".join(sign if sign.isprintable() else "?" for sign in text.strip())[:80])


def _until(program: RunningProgram, word: str, heard: Callable[[str], None] | None = None) -> str:
    """Return the rest of the first line that begins with a word; `heard` receives the lines before it."""
    while True:
        line = program.line()
        first, _, rest = line.partition(" ")
        if first == word:
            return rest
        if heard is not None:
            heard(line)


_FIRST_WAIT = 1.0
"""Seconds without a greeting after which another run of the program shows whether it holds its answers back."""


def _holds_back(command: Sequence[str]) -> bool:
    """Return whether a program that does not greet does so when its input ends: it does not flush its output."""
    other = RunningProgram(command)
    try:
        other.ask("ugi\nquit\n", _FIRST_WAIT / 2)
        other.end_input()
        _until(other, "ugiok")
    except ProgramFailure:
        return False
    finally:
        other.close()
    return True


def _out_of_turn(line: str) -> None:
    if line.partition(" ")[0] == "bestmove":
        raise ProgramFailure("garbled", f"it wrote {shown(line)} without a question")


_FIRST = 32
"""The first so many positions are asked again at once: they have the most blanks, so random answers show."""
_EVERY = 16
"""Later, one earlier position is asked again after so many new ones."""
_REPEATS = 5
"""A question with two answers in two orders is repeated so often, to tell random answers from order."""


class ProgramPolicy(Policy):
    """A program as a policy. It answers once for each position, given as `moves_to`, and the answer is stored.

    Some positions are asked again, by other moves if possible: its moves must depend on the marks alone, because the
    results of policies are exact. The program starts with the first question and runs as long as the policy exists.
    Raises InputError where programs are not allowed.
    """

    def __init__(self, board: Board, command: object) -> None:
        require_programs()
        self.board: Board = board
        self.command = command_of(command)
        self.name = f"program:{shlex.join(self.command)}"
        self._answers: dict[tuple[Mask, Mask], Cell] = {}
        self._player: ExternalPlayer | None = None

    def __reduce__(self) -> tuple[type[ProgramPolicy], tuple[Board, tuple[str, ...]]]:
        return ProgramPolicy, (self.board, self.command)

    is_symmetric = False
    """Unknown, so every position is asked."""

    def moves(self, position: Position, solution: Solution | None = None) -> Mask:
        """Return the cell that the program plays.

        Raises CheckError if it does not answer with a move, or answers differently when asked again.
        """
        key = (position.x, position.o)
        if key not in self._answers:
            try:
                self._answers[key] = self._answer_to(moves_to(position))
            except Foul as foul:
                raise CheckError(f"the policy {shown(self.name, 80)} gave no move in {position}: {foul}") from None
            self._ask_again(position)
        return 1 << self._answers[key]

    def _answer_to(self, moves: tuple[Cell, ...]) -> Cell:
        if self._player is None:
            self._player = ExternalPlayer(self.board, self.command)
        return self._player.reply(moves)

    def _ask_again(self, position: Position) -> None:
        """Ask this position or an earlier one again. Raises CheckError if the answer differs."""
        number = len(self._answers)
        if number > _FIRST:
            if number % _EVERY:
                return
            position = Position(self.board, *Random(number).choice(list(self._answers)))
        if position.ply == self.board.cells - 1:
            return
        line, other = moves_to(position), moves_to(position, backwards=True)
        first = f"it played {move_name(self.board, self._answers[position.x, position.o])}"
        then = self._played_after(other)
        if then == first:
            return
        again = (
            then
            if other == line
            else next((answer for _ in range(_REPEATS) if (answer := self._played_after(line)) != first), "")
        )
        where = f"{self._after(line)} {first}, and"
        why = f"it depends on the order of moves: {where} {self._after(other)}, the same marks, {then}"
        if again:
            why = f"its answers vary: {where} asked again {again}"
        judge = f"noughts referee {self.board} -- {shlex.join(self.command)}"
        raise CheckError(f"{shown(self.name, 80)} is not a policy: {why}; judge it with {judge}")

    def _played_after(self, moves: tuple[Cell, ...]) -> str:
        try:
            return f"it played {move_name(self.board, self._answer_to(moves))}"
        except Foul as foul:
            return str(foul)

    def _after(self, moves: tuple[Cell, ...]) -> str:
        named = " ".join(move_name(self.board, cell) for cell in moves)
        return f"after {named}" if moves else "on the empty board"
