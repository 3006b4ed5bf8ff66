"""What a verb is: a request whose fields say how every door asks for them, rules on what goes together, an answer."""

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
from noughts.rules.board import Board, board_of_lines
from noughts.rules.errors import InputError, shown
from noughts.rules.game import LISTED_CLASSES, WAITED_FOR, class_bound
from noughts.rules.position import Position

if TYPE_CHECKING:
    from noughts.machine.budget import Limits
    from noughts.machine.workers import Progress, Workers
    from noughts.present.forms import Forms

PICTURES = ("svg", "png", "pdf")
DATA = ("csv", "markdown", "latex")


@dataclass(frozen=True)
class Option:
    """How a field of a request is asked for: by an option or argument of a command, by a parameter of a page.

    `name` is that of the parameter and, with dashes, of the option; `default` is named as `usual` where that says more.
    `off` is the opposite of a switch, `bare` the value of an option that stands alone. Words beside the `choices` are
    taken by the doors that `others` names.
    """

    help: str = ""
    name: str = ""
    kind: Literal["text", "words", "choice", "number", "decimal", "flag"] = "text"
    default: Any = None
    choices: tuple[str, ...] = ()
    metavar: str = ""
    least: int | None = None
    most: int | None = None
    usual: str = ""
    off: str = ""
    bare: str = ""
    short: str = ""
    others: Literal["nowhere", "commands", "everywhere"] = "nowhere"
    where: Literal["everywhere", "commands", "pages"] = "everywhere"
    is_argument: bool = False
    field: str = ""

    @property
    def unless_given(self) -> str | None:
        """What a page takes where the parameter is not given, as text; None where nothing stands for that."""
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
    """What a verb answers: a result, and the forms in which it can be had.

    `finish` is called when a form has been written; it returns the exit code, or raises what is wrong with the result.
    """

    result: Any
    forms: Forms
    finish: Callable[[], int] = lambda: 0


@dataclass(frozen=True)
class Caller:
    """What a door lends to the work: how the answer looks, who hears of progress and notes, and what a page may cost.

    `output` is the file of the answer, `aside` takes words for a person who waits long, `lines` are the lines of
    standard input, and `stack` lets go of workers when the answer has been written. `show` takes the lines of long work
    for a terminal so wide, and the line for a log, if any; `ending` lets a signal end such work early, and knows which.
    """

    look: Look = PIPE
    progress: Progress | None = None
    note: Callable[[str], None] = lambda line: None
    aside: Callable[[Callable[[], str | None]], None] = lambda words: None
    bounds: Limits | None = None
    output: Path | None = None
    lines: Iterable[str] = ()
    show: Callable[[Callable[[int], list[str]], str | None], None] = lambda lines, log: None
    ending: Callable[[], AbstractContextManager[list[int]]] = lambda: nullcontext([])
    stack: ExitStack = field(default_factory=ExitStack)

    def limits(self, memory: str | None, time: str | None = None) -> Limits:
        """Return the limits of the door, else those asked for; note where they allow more memory than is free."""
        from noughts.machine.budget import Limits

        return self.bounds or Limits.of(None if memory is None else self.memory(memory), time)

    def memory(self, given: str | None) -> int:
        """Return the bytes of --memory, or three quarters of what is free."""
        from noughts.machine.budget import default_memory, format_size, free_memory, parse_size

        if given is None:
            return default_memory()
        size, free = parse_size(given), free_memory()
        if size > free:
            self.note(f"noughts: going on with {format_size(size)} as asked, though {format_size(free)} are free")
        return size

    def workers(self, workers: int | None = None, on: str | None = None) -> Workers:
        """Return the workers of --workers or --on, else threads, on a page none; note where to watch a cluster."""
        from noughts.machine.workers import SERIAL, workers_for

        if self.bounds is not None:
            return SERIAL
        if workers is None and on is None:
            return workers_for()
        from noughts.machine.cluster import working

        found = self.stack.enter_context(working(workers, on))
        if page := getattr(found, "page", None):
            threads = "1 thread" if found.count == 1 else f"{found.count} threads"
            self.note(f"noughts: {threads} of workers, to be watched at {page}")
        return found

    def text(self, most: int) -> str:
        """Return so many characters of standard input. Raises InputError for what is no text."""
        try:
            return "".join(islice(chain.from_iterable(self.lines), most))
        except UnicodeDecodeError:
            raise InputError("what came on standard input is not text: give a certificate in JSON or text") from None

    def write(self, path: Path, content: bytes | Mapping[str, Any]) -> None:
        """Write a file beside the answer, a record as JSON, and note it."""
        from noughts.machine.files import write_file

        write_file(path, content if isinstance(content, bytes) else (json.dumps(content, indent=1) + "\n").encode())
        self.note(f"wrote {path}")


def place(start: Position) -> str:
    """Return `--from` and `--limit` with a blank before each; neither where the command does without."""
    bound = class_bound(start)
    at = f" --from '{start}'" if start.ply else ""
    return at + (f" --limit {bound}" if bound > LISTED_CLASSES else "")


def can_wait(start: Position) -> bool:
    """Return whether somebody may be told to wait for all position classes from a start."""
    return class_bound(start) < WAITED_FOR


def read_board(name: str) -> Board:
    """Return the board in a file of lines."""
    from noughts.machine.reading import read_text

    try:
        return board_of_lines(read_text(Path(name), 1 << 20), name)
    except UnicodeDecodeError:
        raise InputError(f"{shown(name)} is no text: write one line of the board a row, as in 1 2 3") from None


def writable(given: str | None, *, policy: bool = False) -> Path | None:
    """Return the path of a file to write, before any work. Raises FileError, and InputError where it is no policy's."""
    from noughts.machine.files import require_writable

    if given is None:
        return None
    if policy and not given.endswith(".json"):
        raise InputError(f"--save {shown(given)} would be no policy file: end its name in .json")
    path = Path(given)
    require_writable(path)
    return path


@dataclass(frozen=True, kw_only=True)
class VerbRequest:
    """What is asked of a verb. `given` are the fields that were given, `form` the name of the form of the answer."""

    given: frozenset[str] = frozenset()
    form: str = "table"

    forms: ClassVar[tuple[str, ...]] = ("table", "json")
    papers: ClassVar[tuple[str, ...]] = ("a3", "a4")
    paper_help: ClassVar[str] = "Paper of a PDF: one A3 page, or A4 pages that hold whole boards."
    paper_wants: ClassVar[str] = "--paper is about the pages of a PDF: add --format pdf"
    is_paged: ClassVar[bool] = False

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the answer. Raises NoughtsError."""
        raise NotImplementedError

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return what does not go together: whether it is there, and the sentence to say of it."""
        return ()

    def require_sense(self) -> None:
        """Raise InputError with the first contradiction that is there."""
        for wrong, sentence in self.contradictions():
            if wrong:
                raise InputError(sentence)

    def parts(self, *names: str) -> dict[str, Any]:
        """Return some fields under their names."""
        return {name: getattr(self, name) for name in names}

    @classmethod
    @cache
    def options(cls) -> tuple[Option, ...]:
        """Return how the fields are asked for, those of the verb itself before those that verbs share."""
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
        """Return the request of the parameters of an address, which were read already, and other fields."""
        present = [each for each in cls.options() if each.name in words]
        found = {each.field: {"number": int, "flag": bool}.get(each.kind, str)(words[each.name]) for each in present}
        return cls(given=frozenset(found), **(found | given))


_KINDS = {"bool": "flag", "int": "number", "float": "decimal", "tuple[str,": "words"}
"""What the first word of the type of a field says of its option."""

MOVES = ("any", "win", "block", "fork", "perfect", "quickest")


@dataclass(frozen=True, kw_only=True)
class RuledRequest(VerbRequest):
    """The rules that bind play."""

    moves: str = option("Which moves are allowed.", "any", choices=MOVES)
    x_moves: str | None = option("The rule for X, where it differs.", choices=MOVES)
    o_moves: str | None = option("The rule for O, where it differs.", choices=MOVES)
    end: str = option("When the game is over.", "line", choices=("line", "decided", "full"))

    @property
    def play(self) -> dict[str, Any]:
        """The rules under their names."""
        return self.parts("moves", "x_moves", "o_moves", "end")


@dataclass(frozen=True, kw_only=True)
class Budgeted(VerbRequest):
    """What the work may take."""

    memory: str | None = option(
        "Refuse what needs more memory (three quarters of what is free): 8GB.", metavar="SIZE", where="commands"
    )
    time: str | None = option(
        "Refuse what takes longer, by the engine's estimate: 10s, 5m.", metavar="TIME", where="commands"
    )


@dataclass(frozen=True, kw_only=True)
class Shared(VerbRequest):
    """Who does the work."""

    workers: int | None = option("Work in so many processes of this machine.", least=1, metavar="N", where="commands")
    on: str | None = option(
        "Work on the cluster whose scheduler is there: tcp://host:8786.", metavar="ADDRESS", where="commands"
    )


@dataclass(frozen=True, kw_only=True)
class Limited(VerbRequest):
    """How many position classes may be gone through."""

    limit: int = option("Go through up to so many classes.", LISTED_CLASSES, least=1, metavar="N", where="commands")


@dataclass(frozen=True, kw_only=True)
class FromPosition(Limited):
    """From which position, and how many classes may be gone through."""

    start: str | None = option("Begin here.", name="from", metavar="POSITION")
