"""The parts of a verb: a request, whose fields describe the options of every interface, and an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from noughts.present.report import PIPE, Look
from noughts.rules.board import Board
from noughts.rules.errors import InputError, shown
from noughts.rules.game import LISTED_CLASSES, WAITED_FOR, class_bound
from noughts.rules.linefiles import board_of_lines
from noughts.rules.position import Position

if TYPE_CHECKING:
    from noughts.machine.budget import Limits
    from noughts.machine.workers import Progress, Workers
    from noughts.present.forms import Forms

PICTURES = ("svg", "png", "pdf")
DATA = ("csv", "markdown", "latex")


@dataclass(frozen=True)
class Option:
    """How an interface reads a field of a request: an option or argument of a command, or a parameter of a page.

    `name` is the parameter and, with dashes, the option. `usual` describes the default where its value says too little.
    `off` is the opposite of a switch, `bare` the value of an option without one, `implies` the form of the answer where
    neither a form nor a file is named. The interfaces that `others` names
    accept values beside the `choices`. `also` returns the choice that a text means, for a choice with other names.
    """

    help: str = ""
    name: str = ""
    kind: Literal["text", "words", "choice", "number", "decimal", "flag"] = "text"
    default: Any = None
    choices: tuple[str, ...] = ()
    also: Callable[[str], str | None] | None = None
    metavar: str = ""
    least: int | None = None
    most: int | None = None
    usual: str = ""
    off: str = ""
    bare: str = ""
    implies: str = ""
    short: str = ""
    others: Literal["nowhere", "commands", "everywhere"] = "nowhere"
    where: Literal["everywhere", "commands", "pages"] = "everywhere"
    is_argument: bool = False
    field: str = ""

    @property
    def unless_given(self) -> str | None:
        """The value of a missing parameter of a page, as text; None if it has none."""
        if self.default is None or self.default is MISSING or isinstance(self.default, bool):
            return self.usual if self.usual in self.choices else None
        return str(self.default)


def option(help: str, default: Any = None, **how: Any) -> Any:
    """Return a field that is an option of the verb."""
    return field(default=default, metadata={"option": Option(help, **how)})


def argument(metavar: str = "", default: Any = MISSING, **how: Any) -> Any:
    """Return a field that is an argument of the verb; one without a default has to be given."""
    return field(default=default, metadata={"option": Option(metavar=metavar, is_argument=True, **how)})


@dataclass(frozen=True)
class VerbAnswer:
    """The answer of a verb: a result and the forms in which it can be written.

    `finish` runs after a form has been written. It returns the exit code, or raises the error of the result.
    """

    result: Any
    forms: Forms
    finish: Callable[[], int] = lambda: 0


@dataclass(frozen=True)
class Caller:
    """What an interface gives to a verb: the look of the answer, callbacks, and the limits of a page.

    `bounds` are those limits. `output` is the file of the answer, `lines` are the lines of standard input. `note`
    receives a line for standard error, `aside` a function whose words are shown if the work takes long. `stack`
    releases the workers when the answer has been written. `ending` lets a signal end long work early; its list then
    holds the signal.
    """

    look: Look = PIPE
    progress: Progress | None = None
    note: Callable[[str], None] = lambda line: None
    aside: Callable[[Callable[[], str | None]], None] = lambda words: None
    bounds: Limits | None = None
    output: Path | None = None
    lines: Iterable[str] = ()
    ending: Callable[[], AbstractContextManager[list[int]]] = lambda: nullcontext([])
    stack: ExitStack = field(default_factory=ExitStack)

    def limits(self, memory: str | None, time: str | None = None) -> Limits:
        """Return the limits of the interface, else those given; note a limit above the free memory."""
        from noughts.machine.budget import Limits

        return self.bounds or Limits.of(None if memory is None else self.memory(memory), time)

    def memory(self, given: str | None) -> int:
        """Return the bytes of --memory, or three quarters of what is free."""
        from noughts.machine.budget import default_memory, format_size, free_memory, parse_size

        if given is None:
            return default_memory()
        size, free = parse_size(given), free_memory()
        if size > free:
            self.note(f"noughts: --memory {format_size(size)} is more than the {format_size(free)} of free memory")
        return size

    def workers(self, workers: int | None = None, on: str | None = None) -> Workers:
        """Return the workers of --workers or --on, else threads; a page has none. Note the address of the dashboard."""
        from noughts.machine.workers import SERIAL, workers_for

        if self.bounds is not None:
            return SERIAL
        if workers is None and on is None:
            return workers_for()
        from noughts.machine.cluster import working

        found = self.stack.enter_context(working(workers, on))
        if page := getattr(found, "page", None):
            threads = "1 thread" if found.count == 1 else f"{found.count} threads"
            self.note(f"noughts: {threads} of workers; dashboard: {page}")
        return found

    def text(self, most: int) -> str:
        """Return at most that many characters of standard input. Raises InputError if they are not text."""
        try:
            return "".join(islice(chain.from_iterable(self.lines), most))
        except UnicodeDecodeError:
            raise InputError("standard input is not text: give a certificate in JSON or text") from None

    def write(self, path: Path, content: bytes | Mapping[str, Any]) -> None:
        """Write another file than the answer, a mapping as JSON, and note its name."""
        from noughts.machine.files import write_file

        write_file(path, content if isinstance(content, bytes) else (json.dumps(content, indent=1) + "\n").encode())
        self.note(f"wrote {path}")


def place(start: Position) -> str:
    """Return ` --from` and ` --limit` for a command, each only where it is needed."""
    bound = class_bound(start)
    return from_option(start) + (f" --limit {bound}" if bound > LISTED_CLASSES else "")


def from_option(start: Position) -> str:
    """Return ` --from` for a command, nothing for the empty board."""
    return f" --from '{start}'" if start.ply else ""


def can_wait(start: Position) -> bool:
    """Return whether all position classes from a start can be listed in acceptable time."""
    return class_bound(start) < WAITED_FOR


def read_board(name: str) -> Board:
    """Return the board in a file of lines."""
    from noughts.machine.reading import read_text

    try:
        return board_of_lines(read_text(Path(name), 1 << 20), name)
    except UnicodeDecodeError:
        raise InputError(f"{shown(name)} is not text: write one line of the board per row, as in 1 2 3") from None


def writable(given: str | None, *, policy: bool = False) -> Path | None:
    """Return the path of a file to write, checked before any work. Raises FileError, InputError for a wrong ending."""
    from noughts.machine.files import require_writable

    if given is None:
        return None
    if policy and not given.endswith(".json"):
        raise InputError(f"--save {shown(given)} must name a policy file: end the name in .json")
    path = Path(given)
    require_writable(path)
    return path


@dataclass(frozen=True, kw_only=True)
class VerbRequest:
    """The options of one call of a verb. `given` names the fields that the user set, `form` the output format."""

    given: frozenset[str] = frozenset()
    form: str = "table"

    forms: ClassVar[tuple[str, ...]] = ("table", "json")
    papers: ClassVar[tuple[str, ...]] = ("a3", "a4")
    paper_help: ClassVar[str] = "Paper of a PDF: one A3 page, or A4 pages with whole boards"
    paper_wants: ClassVar[str] = "--paper needs a PDF: add --format pdf"
    is_paged: ClassVar[bool] = False

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the answer. Raises NoughtsError."""
        raise NotImplementedError

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options: whether each is broken, and its message."""
        return ()

    def require_sense(self) -> None:
        """Raise InputError for the first rule that is broken."""
        for wrong, sentence in self.contradictions():
            if wrong:
                raise InputError(sentence)

    def parts(self, *names: str) -> dict[str, Any]:
        """Return some fields under their names."""
        return {name: getattr(self, name) for name in names}

    @classmethod
    @cache
    def options(cls) -> tuple[Option, ...]:
        """Return the options: those of the verb itself before those that verbs share."""
        homes: dict[str, int] = {}
        for depth, home in enumerate(cls.__mro__):
            homes = dict.fromkeys(vars(home).get("__annotations__", ()), depth) | homes
        found: list[Option] = []
        for each in sorted(fields(cls), key=lambda each: homes[each.name]):
            if about := each.metadata.get("option"):
                kind = "choice" if about.choices else _KINDS.get(str(each.type).partition(" ")[0], "text")
                name = about.name or each.name.rstrip("_")
                found.append(replace(about, field=each.name, name=name, kind=kind, default=each.default))
        return tuple(found)

    @classmethod
    def read(cls, words: Mapping[str, str], **given: Any) -> Self:
        """Return the request for parsed parameters of an address and other fields."""
        present = [each for each in cls.options() if each.name in words]
        found = {each.field: {"number": int, "flag": bool}.get(each.kind, str)(words[each.name]) for each in present}
        return cls(given=frozenset(found), **(found | given))


_KINDS = {"bool": "flag", "int": "number", "float": "decimal", "tuple[str,": "words"}
"""The kind of an option by the first word of its type."""

END_WORDS = {"determined": "decided", "three in a row": "line", "full board": "full"}
MOVES = ("any", "win", "block", "fork", "perfect", "quickest", "concede")


@dataclass(frozen=True, kw_only=True)
class RuledRequest(VerbRequest):
    """The rules of play."""

    moves: str = option("Allowed moves", "any", choices=MOVES)
    x_moves: str | None = option("Rule for X, if different", choices=MOVES)
    o_moves: str | None = option("Rule for O, if different", choices=MOVES)
    end: str = option("End of the game", "line", choices=("line", "decided", "full"), also=END_WORDS.get)

    @property
    def play(self) -> dict[str, Any]:
        """The rules under their names."""
        return self.parts("moves", "x_moves", "o_moves", "end")


@dataclass(frozen=True, kw_only=True)
class Budgeted(VerbRequest):
    """Limits of the work."""

    memory: str | None = option(
        "Memory limit, such as 8GB", metavar="SIZE", usual="three quarters of the free memory", where="commands"
    )
    time: str | None = option("Limit on the estimated time, such as 10s or 5m", metavar="TIME", where="commands")


@dataclass(frozen=True, kw_only=True)
class Shared(VerbRequest):
    """Workers."""

    workers: int | None = option("Number of worker processes on this machine", least=1, metavar="N", where="commands")
    on: str | None = option("Scheduler of a cluster, such as tcp://host:8786", metavar="ADDRESS", where="commands")


@dataclass(frozen=True, kw_only=True)
class Limited(VerbRequest):
    """A limit on position classes."""

    limit: int = option("Maximum number of position classes", LISTED_CLASSES, least=1, metavar="N", where="commands")


@dataclass(frozen=True, kw_only=True)
class FromPosition(Limited):
    """A start position and a limit on position classes."""

    start: str | None = option("Start position", name="from", metavar="POSITION")
