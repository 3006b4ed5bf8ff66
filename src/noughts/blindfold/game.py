"""Blindfold games: calls and answers, rules, the referee, and strategies, as engines and judge share them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast

from noughts.rules.arguments import flag, offered, text_of
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError, InvalidQuestion, shown
from noughts.rules.linefiles import board_of_lines
from noughts.rules.marks import Cell, Mask, cells_of
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict, short

Kind = Literal["start", "opening", "free", "taken", "next"]
State = TypeVar("State")

NO_CELL: Cell = -1
"""Used in place of a call before the blind player's first call."""


class Answer(NamedTuple):
    """What the blind player hears: `free` (the mark is placed), `taken`, or `next` where the referee says nothing.

    `cells` are the cells that the referee names: X's opening, the opponent's last move, or all the opponent's marks.
    Before the first call the answer is `start`, or `opening` with the cell of X's first mark.
    """

    kind: Kind
    cells: Mask = 0


class Call(NamedTuple, Generic[State]):
    """All that can happen on a call, given what the player knows.

    `wins`, `draws` and `loses` say whether the game can end with that outcome, for the blind player, before the
    player's next call. `branches` are the answers after which the player calls again, with the new knowledge.
    """

    cell: Cell
    wins: bool
    draws: bool
    loses: bool
    branches: tuple[tuple[Answer, State], ...]


def after_opening(start: Call[State], opening: Cell) -> Call[State]:
    """Return what can happen before the first call once O knows X's opening.

    An opening that ends the game leaves no branches; the outcomes stay as they were.
    """
    branches = tuple((answer, state) for answer, state in start.branches if answer.cells == 1 << opening)
    if not branches:
        return start._replace(branches=())
    return start._replace(wins=False, draws=False, loses=False, branches=branches)


# The rules of blindfold play as a value: who is blind, what a collision costs, and what the referee says.

Blind = Literal["X", "O", "both"]
Collision = Literal["retry", "lose-turn"]
Feedback = Literal["collision", "last-move", "all", "nothing"]
Goal = Literal["never-lose", "always-win", "win-often"]

BLIND: tuple[Blind, ...] = ("X", "O", "both")
COLLISION: tuple[Collision, ...] = ("retry", "lose-turn")
FEEDBACK: tuple[Feedback, ...] = ("collision", "nothing", "last-move", "all")
GOALS: tuple[Goal, ...] = ("never-lose", "always-win", "win-often")


@dataclass(frozen=True)
class BlindRules:
    """The rules of one blindfold game.

    Parameters
    ----------
    blind
        The player who sees nothing: `X`, `O` or `both`. A sighted player sees everything.
    opening_told
        Whether a blind O learns X's opening.
    collision
        What happens on a *collision*, a call of a cell that the opponent holds: with `retry` the player calls again,
        with `lose-turn` the turn is over.
    told
        The referee's feedback on a collision: only the `collision`, also the opponent's `last-move`, or `all` the
        opponent's marks. With `nothing` the calls form a list, and the referee says nothing at all.

    Raises
    ------
    InvalidQuestion
        The rules contradict each other, or are not supported.
    """

    blind: Blind = "X"
    opening_told: bool = False
    collision: Collision = "retry"
    told: Feedback = "collision"

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("blind", self.blind, BLIND),
            ("collision", self.collision, COLLISION),
            ("told", self.told, FEEDBACK),
        ):
            if text_of(name, value) not in allowed:
                raise InvalidQuestion(f"{name} cannot be {shown(value)}: choose from {offered(value, allowed)}")
        flag("opening_told", self.opening_told)
        if self.opening_told and self.blind != "O":
            raise InvalidQuestion("only a blind O learns X's opening: add --blind O, or remove --opening-told")
        if self.blind == "both" and (self.collision != "retry" or self.is_silent):
            raise InvalidQuestion(
                "--blind both needs --collision retry, and --told collision, last-move or all: remove the other option"
            )

    @property
    def lead(self) -> int:
        """How many more marks the opponent has than the blind player, before the first collision."""
        return 1 if self.blind == "O" else 0

    @property
    def opponent(self) -> str:
        """The player who sees everything."""
        return "X" if self.blind == "O" else "O"

    @property
    def loses_turn(self) -> bool:
        """Whether a collision ends the turn."""
        return self.collision == "lose-turn"

    @property
    def is_silent(self) -> bool:
        """Whether calls have no answer and form a list."""
        return self.told == "nothing"

    @property
    def names_last(self) -> bool:
        """Whether a collision also names the opponent's last move."""
        return self.told == "last-move"

    @property
    def names_all(self) -> bool:
        """Whether a collision names all marks of the opponent."""
        return self.told == "all"

    @property
    def names_none(self) -> bool:
        """Whether a collision names no other mark of the opponent."""
        return self.told == "collision"

    def as_dict(self) -> dict[str, object]:
        """Return the rules for JSON."""
        return dict(vars(self))

    def sentence(self) -> str:
        """Return the rules in words."""
        if self.blind == "both":
            who = "neither player sees the other's moves"
        else:
            who = f"{self.blind} sees nothing and {self.opponent} sees everything"
        opening = "; O learns X's opening" if self.opening_told else ""
        if self.is_silent:
            cost = "a taken cell costs the turn" if self.loses_turn else "after a taken cell the next one is called"
            return f"{who}{opening}; the calls form a fixed list, the referee says nothing, and {cost}"
        learns = {
            "collision": "hears that it is taken",
            "last-move": "hears that it is taken and where the opponent moved last,",
            "all": "hears that it is taken and where all the opponent's marks are,",
        }[self.told]
        cost = "loses the turn" if self.loses_turn else "calls again"
        return f"{who}{opening}; a player who calls a taken cell {learns} and {cost}"


# The referee: holds the truth of one blindfold game, says who is to act, and answers calls by the rules.
#
# The rules of play decide how a game ends. The referee shares no code with the engines, so the judge can rely on it.

START, _FREE, _NEXT = Answer("start"), Answer("free"), Answer("next")

Outcome = Literal["win", "draw", "loss"]
"""For the blind player."""
PAYOFF: dict[Outcome, int] = {"win": 1, "draw": 0, "loss": -1}


class Truth(NamedTuple):
    """What only the referee knows: both players' marks, the opponent's last move, who is to act, the outcome.

    `known` are the cells that the blind player may not call: those already called, and those named as taken. `last` is
    NO_CELL unless the referee may name it, or it ended the game. `answer` is what the blind player hears before the
    next call.
    """

    own: Mask = 0
    other: Mask = 0
    known: Mask = 0
    last: Cell = NO_CELL
    blind_to_act: bool = True
    outcome: Outcome | None = None
    answer: Answer = START


class Act(NamedTuple):
    """One act: who marked or called a cell, whether the mark was placed, and what the blind player then heard."""

    who: str
    cell: Cell
    placed: bool
    heard: Answer

    def as_dict(self, board: Board) -> dict[str, object]:
        """Return the act for JSON, without the answer."""
        return {"player": self.who, "cell": cell_name(board, self.cell), "placed": self.placed}


class Referee:
    """The rules of blindfold play on one board, as moves from truth to truth."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board = board
        self.rules = rules
        self._outcomes: dict[tuple[Mask, Mask], Outcome | None] = {}

    def start(self, opening: Cell | None = None) -> Truth:
        """Return the empty board with X to act, or the board after X's opening against a blind O."""
        first = Truth(blind_to_act=self.rules.blind == "X")
        return first if opening is None else self.reply(first, opening)

    def position(self, own: Mask, other: Mask) -> Position:
        """Return the position with these marks of the blind player and the opponent."""
        return Position(self.board, own, other) if self.rules.blind == "X" else Position(self.board, other, own)

    def blanks(self, truth: Truth) -> list[Cell]:
        """Return the blank cells, in reading order."""
        return list(cells_of(self.board.full & ~(truth.own | truth.other)))

    def open_calls(self, truth: Truth) -> list[Cell]:
        """Return the cells that the blind player may call, in reading order."""
        return list(cells_of(self.board.full & ~truth.known))

    def _outcome(self, own: Mask, other: Mask) -> Outcome | None:
        marks = (own, other) if self.rules.blind == "X" else (other, own)
        if marks not in self._outcomes:
            ended = self.board.rules.outcome(self.board, *marks)
            found: Outcome = "draw" if ended == "draw" else "win" if ended == self.rules.blind else "loss"
            self._outcomes[marks] = None if ended is None else found
        return self._outcomes[marks]

    def call(self, truth: Truth, cell: Cell) -> Truth:
        """Return the truth after the blind player calls a new cell: the mark is placed, or it is a collision."""
        known, silent = truth.known | 1 << cell, self.rules.is_silent
        if truth.other >> cell & 1:
            named = truth.other if self.rules.names_all else 1 << truth.last if self.rules.names_last else 0
            answer = _NEXT if silent else Answer("taken", named)
            known |= answer.cells
            return Truth(truth.own, truth.other, known, truth.last, not self.rules.loses_turn, None, answer)
        own = truth.own | 1 << cell
        over = self._outcome(own, truth.other)
        return Truth(own, truth.other, known, truth.last, False, over, _NEXT if silent else _FREE)

    def reply(self, truth: Truth, cell: Cell) -> Truth:
        """Return the truth after the opponent marks a blank cell."""
        other = truth.other | 1 << cell
        answer, known = truth.answer, truth.known
        if not truth.other and self.rules.opening_told:
            answer, known = Answer("opening", 1 << cell), known | 1 << cell
        over = self._outcome(truth.own, other)
        last = cell if over or self.rules.names_last else NO_CELL
        return Truth(truth.own, other, known, last, True, over, answer)

    def replies(self, truth: Truth) -> list[Truth]:
        """Return the truth after each reply of the opponent, if the opponent is to act; else only this truth."""
        if truth.blind_to_act or truth.outcome:
            return [truth]
        return [self.reply(truth, cell) for cell in self.blanks(truth)]


# Cells, answers and positions of blindfold play as text in files.

FORMAT = "noughts-blindfold-strategy"
PROOF_FORMAT = "noughts-blindfold-value"


def text_in(record: Mapping[str, Any], key: str) -> str:
    """Return an entry of a file that must be a text. Raises InputError."""
    value = record[key]
    if not isinstance(value, str):
        raise InputError(f"{key!r} is {shown(repr(value))}: it must be a text")
    return value


def board_word(board: Board) -> str:
    """Return a board in one word for a file: its specification, or its lines, as in `cells-3;1-2;2-3`."""
    if board.specification is not None:
        return board.spec
    lines, symmetries = (
        ["-".join(str(cell + 1) for cell in row) for row in rows] for rows in (board.lines, board.given_symmetries)
    )
    return ";".join(
        [f"cells-{board.cells}", *["misere"] * board.misere, *(f"symmetry-{row}" for row in symmetries), *lines]
    )


def board_in(word: str) -> Board:
    """Return the board of a word of `board_word`. Raises InputError."""
    if not word.startswith("cells-"):
        return Board.parse(word)
    return replace(board_of_lines(word.replace(";", "\n").replace("-", " "), "the board"), name=None)


def rules_in(record: Mapping[str, Any]) -> tuple[Board, BlindRules]:
    """Return the board and the rules from the head of a file. Raises InputError."""
    board, opening_told = board_in(text_in(record, "board")), record["opening_told"]
    if not isinstance(opening_told, bool):
        raise InputError("'opening_told' must be true or false")
    blind, collision, feedback = (cast(Any, text_in(record, key)) for key in ("blind", "collision", "told"))
    return board, BlindRules(blind, opening_told, collision, feedback)


def names(board: Board, cells: Mask) -> str:
    """Return the names of a set of cells in reading order, separated by blanks."""
    return " ".join(cell_name(board, cell) for cell in cells_of(cells))


def label(board: Board, answer: Answer) -> str:
    """Return the name of an answer: `free`, `taken`, `taken a1 b3`, `next`."""
    return f"{answer.kind} {names(board, answer.cells)}".strip() if answer.kind == "taken" else answer.kind


def marks_text(board: Board, blind: str, own: Mask, other: Mask) -> str:
    """Return the marks of the blind player and the opponent in reading order, `.` for blank."""
    x, o = (own, other) if blind == "X" else (other, own)
    return "".join("X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(board.cells))


def learned(own: Mask, known: Mask, call: Cell, answer: Answer) -> tuple[Mask, Mask]:
    """Return the marks that the blind player knows, own and the opponent's, after a call and its answer."""
    if answer.kind == "free":
        return own | 1 << call, known
    return own, known | answer.cells | (1 << call if answer.kind == "taken" else 0)


History = tuple[tuple[Cell, Answer], ...]
"""Calls with their answers; the first is NO_CELL with the answer before the first call. Empty: the game begins."""


def marks_after(history: History) -> tuple[Mask, Mask]:
    """Return the marks that the blind player knows after a history: own and the opponent's."""
    own = known = 0
    for call, answer in history:
        own, known = learned(own, known, call, answer)
    return own, known


def state_text(board: Board, rules: BlindRules, history: History) -> str:
    """Return what the player knows after a history: `X b2 a1, taken c3`, as `read_state` reads it; empty at the start.

    Where a turn can be lost and more is heard than the collision, the number of the opponent's marks is a part of it.
    """
    (own, known), last, replies = marks_after(history), 0, rules.lead
    for _, answer in history:
        moves = answer.kind == "free" or (answer.kind == "taken" and rules.loses_turn)
        replies, last = replies + moves, 0 if moves else answer.cells
    if not history:
        return ""
    if rules.is_silent:
        words = ["called", *(cell_name(board, call) for call, _ in history if call != NO_CELL)]
        return " ".join([*(f"taken {names(board, known)}," for _ in range(bool(known))), *words])
    words = [f"{rules.blind} {names(board, own)}".strip()]
    words += [f"taken {names(board, known)}"] if known else []
    words += [f"last {names(board, last)}"] if last and rules.names_last else []
    words += [f"marks {replies}"] if rules.loses_turn and not rules.names_none else []
    return ", ".join(words)


# Strategies as trees of calls: one plan for each answer before the first call.


@dataclass(frozen=True, repr=False)
class Plan:
    """Call `call`, then follow the branch of the answer; an answer without a branch ends the game."""

    call: Cell
    branches: Branches = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", FrozenDict(self.branches))

    def __repr__(self) -> str:
        return f"<Plan that calls cell {self.call}, {self.places():,} places>"

    def places(self) -> int:
        """Return the number of calls in the plan."""
        return 1 + sum(plan.places() for plan in self.branches.values())

    def walk(self) -> Iterator[Plan]:
        """Yield this plan and all plans below it."""
        yield self
        for plan in self.branches.values():
            yield from plan.walk()


Branches = Mapping[Answer, Plan]


@dataclass(frozen=True, repr=False)
class Strategy:
    """A complete strategy of the blind player, and its claim.

    Parameters
    ----------
    board, rules
        The board and the rules of the game.
    goal
        The claim that the judge checks: `never-lose`, `always-win`, or `win-often`, which claims no guarantee.
    branches
        One plan for the answer `start`, or one for each of X's openings if a blind O learns them.
    history
        The calls and answers before the strategy begins, which then has one plan, for `start`.
    """

    board: Board
    rules: BlindRules
    goal: Goal
    branches: Branches
    history: History = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", FrozenDict(self.branches))

    def __repr__(self) -> str:
        return f"<Strategy of a blind {self.rules.blind} on {short(self.board)}, {self.goal}: {self.places():,} places>"

    def places(self) -> int:
        """Return the number of calls in the strategy."""
        return sum(plan.places() for plan in self.branches.values())

    def marks(self) -> tuple[Mask, Mask]:
        """Return the marks that the player knows when the strategy begins: own and the opponent's."""
        return marks_after(self.history)

    def as_dict(self) -> dict[str, Any]:
        """Return the strategy as a certificate: the rules, the claim, and the plan as nested calls.

        Each place is `{"call": cell, "free": place or null, "taken": place or null}`. Null means that the game is over
        or the answer is impossible. Where the referee names cells on a collision, `taken` is an object from these cells
        to places. Where the referee says nothing, the only branch is `next`. Where O learns X's opening, `plan` is
        `{"openings": {cell: place}}`. A strategy that begins later has the entry `from`.
        """
        places = {
            names(self.board, answer.cells): plan_to_json(self.board, self.rules, plan)
            for answer, plan in self.branches.items()
        }
        plan = {"openings": places} if self.rules.opening_told and not self.history else places.get("")
        head: dict[str, Any] = {"format": FORMAT, "version": 1, "board": board_word(self.board)}
        if self.history:
            head["from"] = state_text(self.board, self.rules, self.history)
        return {**head, **self.rules.as_dict(), "goal": self.goal, "plan": plan}


def plan_to_json(board: Board, rules: BlindRules, plan: Plan) -> dict[str, Any]:
    """Return a plan as nested calls."""
    place: dict[str, Any] = {"call": cell_name(board, plan.call)}
    after = {answer: plan_to_json(board, rules, below) for answer, below in plan.branches.items()}
    if rules.is_silent:
        return {**place, "next": after.get(Answer("next"))}
    taken = {names(board, answer.cells): below for answer, below in after.items() if answer.kind == "taken"}
    below = taken.get("") if rules.names_none else taken or None
    return {**place, "free": after.get(Answer("free")), "taken": below}


# A hostile opponent, who sees everything.


def hostile_replies(referee: Referee, truth: Truth) -> list[Cell]:
    """Return the replies that complete a line, else block one, else threaten most; under misere the reverse."""
    lines = referee.board.line_masks
    sign = 1 if referee.board.rules.line_wins else -1

    def harm(cell: Cell) -> tuple[int, int, int]:
        bit, yours = 1 << cell, truth.own
        mine = truth.other | bit
        completes = sum(line & mine == line for line in lines)
        blocks = sum(line & (yours | bit) == line for line in lines)
        threats = len({line & ~mine for line in lines if (line & ~mine).bit_count() == 1 and not line & ~mine & yours})
        reach = sum(not line & yours for line in lines if line & bit)
        return sign * completes, sign * blocks, sign * (10 * threats + reach)

    harms = {cell: harm(cell) for cell in referee.blanks(truth)}
    return [cell for cell, score in harms.items() if score == max(harms.values())]
