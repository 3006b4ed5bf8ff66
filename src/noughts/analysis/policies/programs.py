"""Programs of other people as players: what is said to them, what they answer, and what is no answer.

The protocol is the Universal Game Interface, UGI, as documented on the page `protocol` of the reference. Each question
is sent whole: `isready`, which marks where it begins, the position as the moves that lead to it, and `go`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from random import Random

from noughts.analysis.policies.policy import Policy, require_programs
from noughts.machine.programs import ProgramFailure, RunningProgram
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, cells_as, parse_cell
from noughts.rules.errors import CheckError, InputError, InvalidCell, shown
from noughts.rules.marks import Cell, Mask, cells_of
from noughts.rules.position import Position
from noughts.solving.solution import Solution

MOVE_SECONDS = 1.0
"""How long a program may take for a move."""
START_SECONDS = 10.0
"""How long it may take until it is ready."""


class Foul(Exception):
    """A program was asked and gave no move.

    `kind` is `illegal` (no blank cell), `late`, `ended` or `garbled` (too much, or out of turn); the text says what it
    did, as `it played b2, which is taken`.
    """

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind = kind


def command_of(given: object) -> tuple[str, ...]:
    """Return the program and its arguments: words, or one text that is split as a shell would. Raises InputError."""
    if isinstance(given, str):
        try:
            words = tuple(shlex.split(given))
        except ValueError as error:
            raise InputError(f"{shown(given)} is no command: {error}; close the quotes") from None
    elif isinstance(given, Sequence) and all(isinstance(word, str) for word in given):
        words = tuple(given)
    else:
        raise InputError("a command is a text, as in 'python3 bot.py', or a list of its words")
    if not words:
        raise InputError("there is no program to run: give a command, as in python3 bot.py")
    return words


def told_moves(position: Position, *, backwards: bool = False) -> tuple[Cell, ...]:
    """Return moves that lead to a position: X's marks in reading order and O's in reading order, in turn.

    Backwards each player's own are told from the last to the first.
    """
    order = -1 if backwards else 1
    both = zip_longest(list(cells_of(position.x))[::order], list(cells_of(position.o))[::order])
    return tuple(cell for cell in chain.from_iterable(both) if cell is not None)


class ExternalPlayer:
    """A program that is asked for moves. It is started when it is made, and again after each failure; close it.

    Raises InputError where it cannot be started, and CheckError where it does not greet as the protocol has it.
    `name` and `author` are what it says of itself, `asked` how many moves it was asked for.
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
        self.asked = 0
        self._move_seconds, self._start_seconds = move_seconds, start_seconds
        with cells_as("names"):
            self._names = [cell_name(board, cell) for cell in range(board.cells)]
        self._last: tuple[Cell, ...] = ()
        self._answered = ""
        """What it answered last since it was started, in words."""
        self._said = ""
        """What it said beside its last answer, in words."""
        self._program: RunningProgram | None = None
        self.restart()

    def __enter__(self) -> ExternalPlayer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def restart(self) -> None:
        """End the program, if it runs, and start it anew."""
        self.close()
        self._answered = self._said = ""
        program = self._program = RunningProgram(self.command)
        try:
            program.ask("ugi\n", self._start_seconds)
            _until(program, "ugiok", self._greeted)
            board = "" if self.board.shape is None else f"setoption name Board value {self.board.spec}\n"
            program.ask(f"{board}uginewgame\nisready\n", self._start_seconds)
            _until(program, "readyok")
        except ProgramFailure as failure:
            self.close()
            raise CheckError(
                f"the program {shown(shlex.join(self.command), 80)} did not greet: {failure}; it has to answer ugi "
                "with ugiok and isready with readyok"
            ) from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the program with all that it started."""
        program, self._program = self._program, None
        if program is not None:
            program.close("quit\n")

    def reply(self, moves: tuple[Cell, ...]) -> Cell:
        """Return the answer after these moves from the empty board, a blank cell. Raises Foul.

        A program that was late, ended or wrote what is no answer is not asked again as it is, but started anew.
        """
        self.asked += 1
        if self._program is None:
            self.restart()
        assert self._program is not None
        program, before = self._program, self._answered
        try:
            for line in program.held():
                _out_of_turn(line)
            program.ask(self._question(moves), self._move_seconds)
            self._last = moves
            self._said = ""
            _until(program, "readyok", self._noted)
            before = ""
            answer = _until(program, "bestmove", self._noted)
        except ProgramFailure as failure:
            program.close()
            self._program = None
            raise Foul(failure.kind, f"{failure}{before}") from None
        cell = self._cell(answer, moves)
        self._answered = f", before it took this question: it had answered {self._told(moves)} with {self._names[cell]}"
        return cell

    def _told(self, moves: tuple[Cell, ...]) -> str:
        return " ".join(self._names[cell] for cell in moves) or "the empty board"

    def _question(self, moves: tuple[Cell, ...]) -> str:
        new = "" if moves[: len(self._last)] == self._last else "uginewgame\n"
        told = "".join(f" {self._names[cell]}" for cell in moves)
        return f"{new}isready\nposition startpos{' moves' if told else ''}{told}\ngo\n"

    def _cell(self, answer: str, moves: tuple[Cell, ...]) -> Cell:
        words = answer.split()
        if not words:
            raise Foul("illegal", f"it named no cell{self._said}")
        try:
            cell = parse_cell(self.board, words[0] if words[0].isascii() else "")
        except InvalidCell:
            raise Foul("illegal", f"it played {shown(words[0])}, which is no cell{self._said}") from None
        if cell in moves:
            raise Foul("illegal", f"it played {cell_name(self.board, cell)}, which is taken")
        return cell

    def _noted(self, line: str) -> None:
        """Keep what the program says beside an answer: why it has none, for one."""
        _out_of_turn(line)
        if line.startswith("info string "):
            self._said = f"; it said {shown(line.removeprefix('info string ').strip(), 120)}"

    def _greeted(self, line: str) -> None:
        kind, _, said = line.partition(" ")
        what, _, text = said.strip().partition(" ")
        if kind == "id" and what in ("name", "author"):
            setattr(self, what, "".join(sign if sign.isprintable() else "?" for sign in text.strip())[:80])


def _until(program: RunningProgram, word: str, heard: Callable[[str], None] | None = None) -> str:
    """Return the rest of the first line that begins with a word; what comes before is handed to `heard`."""
    while True:
        line = program.line()
        first, _, rest = line.partition(" ")
        if first == word:
            return rest
        if heard is not None:
            heard(line)


def _out_of_turn(line: str) -> None:
    if line.partition(" ")[0] == "bestmove":
        raise ProgramFailure("garbled", f"it wrote {shown(line)} though it was not asked")


_FIRST = 32
"""So many positions are asked about again at once; they have the most blanks, so that lots show."""
_EVERY = 16
"""Then one of those asked before, after so many more."""
_LOTS = 5
"""So often a question that got two answers in two orders is asked as it was, to tell lots from order."""


class ProgramPolicy(Policy):
    """A program as a policy. It is asked once for each position, told by `told_moves`, and its answer is kept.

    About some positions it is asked again, told by other moves where there are others: what it plays has to follow from
    the marks, for what policies come to is exact or nothing. It is started when it is first asked, and runs as long as
    the policy is kept. Raises InputError where no programs are run.
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
    """That is not known: every position is asked about."""

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the one cell that the program plays. Raises CheckError where it plays none, or another when asked
        again."""
        key = (position.x, position.o)
        if key not in self._answers:
            try:
                self._answers[key] = self._asked(told_moves(position))
            except Foul as foul:
                raise CheckError(f"the policy {shown(self.name, 80)} gave no move in {position}: {foul}") from None
            self._ask_again(position)
        return 1 << self._answers[key]

    def _asked(self, moves: tuple[Cell, ...]) -> Cell:
        if self._player is None:
            self._player = ExternalPlayer(self.board, self.command)
        return self._player.reply(moves)

    def _ask_again(self, position: Position) -> None:
        """Ask some positions again, this one or one before it. Raises CheckError where an answer differs."""
        number = len(self._answers)
        if number > _FIRST:
            if number % _EVERY:
                return
            position = Position(self.board, *Random(number).choice(list(self._answers)))
        if position.ply == self.board.cells - 1:
            return
        told, other = told_moves(position), told_moves(position, backwards=True)
        first = f"it played {cell_name(self.board, self._answers[position.x, position.o])}"
        then = self._said(other)
        if then == first:
            return
        again = then if other == told else next((said for _ in range(_LOTS) if (said := self._said(told)) != first), "")
        where = f"{self._after(told)} {first}, and"
        why = f"it looks at the order of moves, for {where} {self._after(other)}, the same marks, {then}"
        if again:
            why = f"its answers vary, for {where} asked again {again}"
        judge = f"noughts referee {self.board} -- {shlex.join(self.command)}"
        raise CheckError(f"{shown(self.name, 80)} is no policy: {why}; judge it with {judge}")

    def _said(self, moves: tuple[Cell, ...]) -> str:
        try:
            return f"it played {cell_name(self.board, self._asked(moves))}"
        except Foul as foul:
            return str(foul)

    def _after(self, moves: tuple[Cell, ...]) -> str:
        named = " ".join(cell_name(self.board, cell) for cell in moves)
        return f"after {named}" if moves else "on the empty board"
