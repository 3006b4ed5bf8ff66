"""What a call can lead to: the vocabulary that the engines, the strategies and the judge have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from noughts.rules.arguments import flag, offered, text_of
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InvalidQuestion, shown
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.values import FrozenDict, short

Kind = Literal["start", "opening", "free", "taken", "next"]
State = TypeVar("State")

NO_CELL: Cell = -1
"""Stands for the call in what happens before the blind player's first call."""


class Answer(NamedTuple):
    """What the blind player hears: `free` (the mark is placed), `taken`, or `next` where nothing is told.

    `told` holds the cells named with it: X's opening, the opponent's last move, or all the opponent's marks.
    Before the first call the answer is `start`, or `opening` with the cell of X's first mark.
    """

    kind: Kind
    told: Mask = 0


class Call(NamedTuple, Generic[State]):
    """All that can happen on a call, given what the player knows.

    `wins`, `draws`, `loses` tell whether the game can be over with that outcome, for the blind player, before the
    player's next call; `branches` are the answers after which the player calls again, with the knowledge then.
    """

    cell: Cell
    wins: bool
    draws: bool
    loses: bool
    branches: tuple[tuple[Answer, State], ...]


def after_opening(start: Call[State], opening: Cell) -> Call[State]:
    """Return what can happen before the first call once O is told of this opening.

    An opening that ends the game leaves no branches, and what the start said of outcomes.
    """
    kept = tuple((answer, state) for answer, state in start.branches if answer.told == 1 << opening)
    if not kept:
        return start._replace(branches=())
    return start._replace(wins=False, draws=False, loses=False, branches=kept)


# The rules of blindfold play as a value: who is blind, what a collision costs, and what is told.

Blind = Literal["X", "O", "both"]
Collision = Literal["retry", "lose-turn"]
Told = Literal["collision", "last-move", "all", "nothing"]
Goal = Literal["never-lose", "always-win", "win-often"]

BLIND: tuple[Blind, ...] = ("X", "O", "both")
COLLISION: tuple[Collision, ...] = ("retry", "lose-turn")
TOLD: tuple[Told, ...] = ("collision", "nothing", "last-move", "all")
GOALS: tuple[Goal, ...] = ("never-lose", "always-win", "win-often")


@dataclass(frozen=True)
class BlindRules:
    """The rules of one blindfold game.

    `blind` is the player who sees nothing; the other sees everything. `opening_told` tells a blind O where X opened.
    A *collision* is a call of a cell that the opponent holds: with `retry` the player calls again, with `lose-turn`
    the turn is over. Upon a collision the player is told of the `collision` alone, of the opponent's `last-move`, or
    of `all` the opponent's marks; with `nothing` the calls form a list, and a taken cell is passed over in silence.
    """

    blind: Blind = "X"
    opening_told: bool = False
    collision: Collision = "retry"
    told: Told = "collision"

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("blind", self.blind, BLIND),
            ("collision", self.collision, COLLISION),
            ("told", self.told, TOLD),
        ):
            if text_of(name, value) not in allowed:
                raise InvalidQuestion(f"{name} cannot be {shown(value)}: choose from {offered(value, allowed)}")
        flag("opening_told", self.opening_told)
        if self.opening_told and self.blind != "O":
            raise InvalidQuestion("only a blind O can be told X's opening: add --blind O, or leave out --opening-told")
        if self.blind == "both" and (self.collision != "retry" or self.told == "nothing"):
            raise InvalidQuestion(
                "with both players blind only --collision retry is measured, told collision, last-move or all: "
                "leave out the other option"
            )

    @property
    def lead(self) -> int:
        """How many marks the opponent has more than the blind player when the blind player has not collided yet."""
        return 1 if self.blind == "O" else 0

    @property
    def opponent(self) -> str:
        """The player who sees everything."""
        return "X" if self.blind == "O" else "O"

    @property
    def loses_turn(self) -> bool:
        """Whether a collision ends the turn."""
        return self.collision == "lose-turn"

    def as_dict(self) -> dict[str, object]:
        """Return the rules for JSON."""
        return dict(vars(self))

    def sentence(self) -> str:
        """Return the rules in words."""
        if self.blind == "both":
            who = "neither player sees the other's moves"
        else:
            who = f"{self.blind} sees nothing and {self.opponent} sees everything"
        opening = "; O is told where X opened" if self.opening_told else ""
        if self.told == "nothing":
            cost = "a taken cell costs the turn" if self.loses_turn else "a taken cell is passed over for the next"
            return f"{who}{opening}; the calls form a fixed list, nothing is said, and {cost}"
        said = {
            "collision": "is told so",
            "last-move": "is told so, and where the opponent moved last,",
            "all": "is told so, and where all the opponent's marks are,",
        }[self.told]
        cost = "loses the turn" if self.loses_turn else "calls again"
        return f"{who}{opening}; who calls a taken cell {said} and {cost}"


# The referee: holds the truth of one blindfold game, says who is to act, and answers calls by the rules.
#
# Plain sets of cells and the board's lines, nothing shared with the engines, so that the judge can rely on it.

START = Answer("start")

Outcome = Literal["win", "draw", "loss"]
"""For the blind player."""


@dataclass(frozen=True)
class Truth:
    """What only the referee knows: both players' marks, the opponent's last move, whose act it is, the outcome.

    `known` are the cells that the blind player may not call (again): those called, and those told to be taken.
    `answer` is what the blind player is to hear before the next call.
    """

    own: frozenset[Cell] = frozenset()
    other: frozenset[Cell] = frozenset()
    known: frozenset[Cell] = frozenset()
    last: Cell | None = None
    blind_to_act: bool = True
    outcome: Outcome | None = None
    answer: Answer = START


class Referee:
    """The rules of blindfold play on one board, as moves from truth to truth."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board = board
        self.rules = rules
        self.lines = tuple(frozenset(line) for line in board.lines)
        self.cells = frozenset(range(board.cells))

    def start(self, opening: Cell | None = None) -> Truth:
        """Return the empty board, X to act; or the board after X's opening, against a blind O."""
        first = Truth(blind_to_act=self.rules.blind == "X")
        return first if opening is None else self.reply(first, opening)

    def blanks(self, truth: Truth) -> list[Cell]:
        """Return the blank cells, in reading order."""
        return sorted(self.cells - truth.own - truth.other)

    def _over(self, own: frozenset[Cell], other: frozenset[Cell], marks: frozenset[Cell]) -> Outcome | None:
        if any(line <= marks for line in self.lines):
            return "win" if (marks is own) != self.board.misere else "loss"
        return "draw" if len(own) + len(other) == len(self.cells) else None

    def call(self, truth: Truth, cell: Cell) -> Truth:
        """Return the truth after the blind player calls a cell not yet called: placed or a collision."""
        known = truth.known | {cell}
        if cell in truth.other:
            answer = Answer("next") if self.rules.told == "nothing" else Answer("taken", self._told(truth))
            known |= frozenset(cells_of(answer.told))
            return replace(truth, known=known, answer=answer, blind_to_act=not self.rules.loses_turn)
        own = truth.own | {cell}
        answer = Answer("next" if self.rules.told == "nothing" else "free")
        over = self._over(own, truth.other, own)
        return replace(truth, own=own, known=known, answer=answer, blind_to_act=False, outcome=over)

    def _told(self, truth: Truth) -> int:
        if self.rules.told == "all":
            return mask_of(truth.other)
        if self.rules.told == "last-move" and truth.last is not None:
            return 1 << truth.last
        return 0

    def reply(self, truth: Truth, cell: Cell) -> Truth:
        """Return the truth after the opponent marks a blank cell."""
        other = truth.other | {cell}
        answer, known = truth.answer, truth.known
        if not truth.other and self.rules.opening_told:
            answer, known = Answer("opening", 1 << cell), known | {cell}
        over = self._over(truth.own, other, other)
        return replace(truth, other=other, known=known, last=cell, blind_to_act=True, outcome=over, answer=answer)


# How cells, answers and positions of blindfold play are spelt in files.

FORMAT = "noughts-blindfold-strategy"
PROOF_FORMAT = "noughts-blindfold-value"


def names(board: Board, cells: Mask) -> str:
    """Return the names of a set of cells, in reading order, with blanks between."""
    return " ".join(cell_name(board, cell) for cell in cells_of(cells))


def label(board: Board, answer: Answer) -> str:
    """Return the name of an answer: `free`, `taken`, `taken a1 b3`, `next`."""
    return f"{answer.kind} {names(board, answer.told)}".strip() if answer.kind == "taken" else answer.kind


def marks_text(board: Board, blind: str, truth: Truth) -> str:
    """Return the marks in reading order, `.` for blank."""
    seen = {"X": "O", "O": "X"}[blind]
    return "".join(blind if c in truth.own else seen if c in truth.other else "." for c in range(board.cells))


# Strategies as trees of calls: one plan for each thing that can happen before the first call.


@dataclass(frozen=True, repr=False)
class Plan:
    """Call `call`, and go on as the branch of the answer says; without a branch the game is over by then."""

    call: Cell
    branches: Branches = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", FrozenDict(self.branches))

    def __repr__(self) -> str:
        return f"<Plan that calls cell {self.call}, {self.places():,} places>"

    def places(self) -> int:
        """Return how many places of the plan say what to call."""
        return 1 + sum(plan.places() for plan in self.branches.values())

    def depth(self) -> int:
        """Return the largest number of calls in one game."""
        return 1 + max((plan.depth() for plan in self.branches.values()), default=0)

    def walk(self) -> Iterator[Plan]:
        """Yield this plan and all plans below it."""
        yield self
        for plan in self.branches.values():
            yield from plan.walk()


Branches = Mapping[Answer, Plan]


@dataclass(frozen=True, repr=False)
class Strategy:
    """A complete strategy of the blind player, and what it claims.

    `branches` has one plan for `start`, or one for each opening that is told. `goal` is the claim that the judge
    checks: `never-lose`, `always-win`, or `win-often`, which claims nothing but what is counted.
    """

    board: Board
    rules: BlindRules
    goal: Goal
    branches: Branches

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", FrozenDict(self.branches))

    def __repr__(self) -> str:
        return f"<Strategy of a blind {self.rules.blind} on {short(self.board)}, {self.goal}: {self.places():,} places>"

    def places(self) -> int:
        """Return how many places of the strategy say what to call."""
        return sum(plan.places() for plan in self.branches.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the strategy as a certificate has it: the rules, the claim, and the plan as nested calls.

        Each place is `{"call": cell, "free": place or null, "taken": place or null}`: null where the game is over by
        then or the answer is impossible. Where more is told upon a collision, `taken` is an object from the cells told
        to the place; where nothing is told there is one branch, `next`; where X's opening is told, `plan` is
        `{"openings": {cell: place}}`.
        """
        rules = self.rules
        return {
            "format": FORMAT,
            "version": 1,
            "board": self.board.spec,
            "blind": rules.blind,
            "opening_told": rules.opening_told,
            "collision": rules.collision,
            "told": rules.told,
            "goal": self.goal,
            "plan": _roots_to_json(self),
        }


def _roots_to_json(strategy: Strategy) -> dict[str, Any] | None:
    board, branches = strategy.board, strategy.branches
    if strategy.rules.opening_told:
        return {
            "openings": {names(board, a.told): _plan_to_json(board, strategy.rules, p) for a, p in branches.items()}
        }
    plan = branches.get(Answer("start"))
    return None if plan is None else _plan_to_json(board, strategy.rules, plan)


def _plan_to_json(board: Board, rules: BlindRules, plan: Plan) -> dict[str, Any]:
    place: dict[str, Any] = {"call": cell_name(board, plan.call)}
    after = {answer: _plan_to_json(board, rules, below) for answer, below in plan.branches.items()}
    if rules.told == "nothing":
        return {**place, "next": after.get(Answer("next"))}
    place["free"] = after.get(Answer("free"))
    if rules.told == "collision":
        return {**place, "taken": after.get(Answer("taken"))}
    told = {names(board, answer.told): below for answer, below in after.items() if answer.kind == "taken"}
    return {**place, "taken": told or None}


# Opponents who see everything: one replies at random, the other does harm.


def random_reply(referee: Referee, truth: Truth, chance: Random) -> Cell:
    """Return one of the blank cells, each equally likely."""
    return chance.choice(referee.blanks(truth))


def hostile_reply(referee: Referee, truth: Truth, chance: Random) -> Cell:
    """Return one of `hostile_replies`, each equally likely."""
    return chance.choice(hostile_replies(referee, truth))


def hostile_replies(referee: Referee, truth: Truth) -> list[Cell]:
    """Return the replies that complete a line, or else block one, or else threaten most; under misere the reverse.

    They block only what the blind player may call: a threat through a cell the player knows to be taken is none.
    """
    sign = -1 if referee.board.misere else 1

    def harm(cell: Cell) -> tuple[int, int, int]:
        mine, yours = truth.other | {cell}, truth.own
        completes = sum(line <= mine for line in referee.lines)
        blocks = sum(line <= yours | {cell} for line in referee.lines)
        threats = len({c for line in referee.lines for c in line - mine if len(line - mine) == 1 and c not in yours})
        reach = sum(not line & yours for line in referee.lines if cell in line)
        return sign * completes, sign * blocks, sign * (10 * threats + reach)

    scored = [(harm(cell), cell) for cell in referee.blanks(truth)]
    best = max(score for score, _ in scored)
    return [cell for score, cell in scored if score == best]


# How the games of a strategy end: at each place the outcomes that some reply leads to before the next call.

TRUTHS = 1_000_000
"""Boards that are looked at for all places together, at most."""


class Ending(NamedTuple):
    """A way in which the game can be over before the next call: what the player hears, and the outcome then.

    `truth` is a board on which it is over so, the first of `boards` in the order of the marks.
    """

    answer: Answer
    outcome: Outcome
    truth: Truth
    boards: int


_ORDER: tuple[Outcome, ...] = ("win", "draw", "loss")


def endings(strategy: Strategy) -> dict[int, tuple[Ending, ...]]:
    """Return for each place of a strategy, by `id(plan)`, how the game can end before the next call: `win` first.

    Outcomes are for the blind player. Every board that is possible at a place is played on by the referee, with every
    reply. Cost: places times the boards that are possible there. Raises BudgetError where there are over TRUTHS.
    """
    walker = _Walker(strategy)
    first = walker.referee.start()
    starts = {first} if first.blind_to_act else set(walker.replies(first))
    for answer, plan in strategy.branches.items():
        walker.visit(plan, {truth for truth in starts if truth.answer == answer and truth.outcome is None})
    return {
        place: tuple(
            sorted(found, key=lambda ending: (ending.answer.kind, _ORDER.index(ending.outcome), ending.answer))
        )
        for place, found in walker.found.items()
    }


class _Walker:
    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.referee = Referee(strategy.board, strategy.rules)
        self.found: dict[int, list[Ending]] = {}
        self.looked_at = 0

    def visit(self, plan: Plan, truths: set[Truth]) -> None:
        """Play the call of a place on every board that is possible there, and all places below."""
        self.looked_at += len(truths)
        if self.looked_at > TRUTHS:
            raise BudgetError(
                f"the strategy for {self.strategy.board} is possible on more than {TRUTHS:,} boards, too many to say "
                "how each branch ends: ask for --format text, which says what to call"
            )
        over, after = dict[tuple[Answer, Outcome], set[Truth]](), dict[Answer, set[Truth]]()
        for truth in truths:
            called = self.referee.call(truth, plan.call)
            on = called.outcome is None and not called.blind_to_act
            for reached in self.replies(called) if on else [called]:
                if reached.outcome is not None:
                    over.setdefault((reached.answer, reached.outcome), set()).add(reached)
                else:
                    after.setdefault(reached.answer, set()).add(reached)
        self.found[id(plan)] = [Ending(*end, min(boards, key=_order), _count(boards)) for end, boards in over.items()]
        for answer, below in plan.branches.items():
            self.visit(below, after.get(answer, set()))

    def replies(self, truth: Truth) -> list[Truth]:
        """Return the board after every reply; which was the last is forgotten where nobody is told."""
        found = [self.referee.reply(truth, cell) for cell in self.referee.blanks(truth)]
        told = self.strategy.rules.told == "last-move"
        return [each if told or each.outcome else replace(each, last=None) for each in found]


def _order(truth: Truth) -> tuple[list[int], list[int], int]:
    return sorted(truth.own), sorted(truth.other), -1 if truth.last is None else truth.last


def _count(boards: set[Truth]) -> int:
    """Count the boards that differ in their marks."""
    return len({(truth.own, truth.other) for truth in boards})
