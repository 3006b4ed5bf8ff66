"""Blindfold play: the function that solves it, strategies in words, walks through a strategy, and games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from noughts.blindfold.beliefs import InfoSet, MergedGame
from noughts.blindfold.both import (
    Weighted,
    both_blind,
    carried_bounds,
    has_value,
    image_of_plan,
    is_usual,
    phantom_bounds,
)
from noughts.blindfold.game import (
    GOALS,
    NO_CELL,
    Act,
    Answer,
    BlindRules,
    Call,
    Goal,
    Plan,
    Referee,
    Strategy,
    hostile_replies,
    learned,
    names,
)
from noughts.blindfold.inquiry import PARTS, BlindAnswer, Inquiry
from noughts.blindfold.knowledge import follow, history_of
from noughts.blindfold.truths import Ending, endings
from noughts.rules.arguments import flag, offered, text_of, wrong_type
from noughts.rules.board import Board, require_marking
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InputError, InvalidQuestion, shown
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.position import Position
from noughts.rules.values import begun, drawn


def solve_blindfold(
    board: Board | str = "3x3",
    rules: BlindRules | None = None,
    goal: Goal = "never-lose",
    *,
    first: Cell | str | None = None,
    opening: Cell | str | None = None,
    start: str | None = None,
    never_lose_too: bool = False,
    parts: Iterable[str] = (),
) -> BlindAnswer:
    """Return what a blind player can do: guarantees with their strategies, and on request chances and values.

    Parameters
    ----------
    board
        A board or its text.
    rules
        The rules; by default X is blind, and a collision is answered and retried.
    goal
        `never-lose`, `always-win` or `win-often`: the aim of the strategy.
    first
        The first call of the strategy.
    opening
        X's opening, with `opening_told`.
    start
        What the player knows when the question is asked: `X b2 a1, taken c3`, or a board with these marks.
    never_lose_too
        Restrict a `win-often` strategy to safe calls.
    parts
        Parts to compute at any cost; parts that are quick on the board are always included.

    Raises
    ------
    InvalidQuestion
        The arguments contradict each other.
    BudgetError
        A part is too large.

    Examples
    --------
    >>> answer = solve_blindfold("3x3")
    >>> answer.never_lose, answer.information_sets["safe"], answer.win_probability["never_lose"][4]
    (True, 1716, Fraction(181, 192))
    >>> solve_blindfold("3x3", start="X b2 a1, taken c3").safe_first_calls
    ()
    """
    board, rules = Board.parse(board), BlindRules() if rules is None else rules
    if not isinstance(rules, BlindRules):
        raise wrong_type("the rules", rules, "BlindRules")
    flag("never_lose_too", never_lose_too)
    first, opening = (None if cell is None else parse_cell(board, cell) for cell in (first, opening))
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        raise wrong_type("the parts", parts, f"a list of words out of {', '.join(PARTS)}")
    wanted = {text_of("a part", part) for part in parts}
    for part in wanted - set(PARTS):
        raise InvalidQuestion(f"the part {shown(part)} is unknown: choose from {offered(part, (*PARTS, 'all'))}")
    if text_of("the goal", goal) not in GOALS:
        raise InvalidQuestion(f"the goal {shown(goal)} is unknown: choose from {offered(goal, GOALS)}")
    if opening is not None and not rules.opening_told:
        raise InvalidQuestion("--opening needs a blind O who learns it: add --blind O --opening-told")
    if first is not None and first == opening:
        raise InvalidQuestion("the first call cannot be the cell of X's opening: choose another cell")
    history = () if start is None else history_of(board, rules, start, first, opening, wanted)
    require_marking(board, "blindfold play")
    if rules.blind == "both":
        others = [f"--with {part}" for part in sorted(wanted - {"value"})]
        for name in ["--first"] * (first is not None) + ["--goal"] * (goal != "never-lose") + others:
            raise InvalidQuestion(f"{name} needs one blind player: use --blind X or --blind O")
        return both_blind(board, rules, wanted)
    inquiry = Inquiry(
        board, rules, goal, wanted, first=first, opening=opening, history=history, never_lose_too=never_lose_too
    )
    return inquiry.answer()


# A strategy in words that a reader can follow: "Call b2. If b2 is taken, call a1.".

_STEP = "   "


def instructions(strategy: Strategy) -> list[str]:
    """Return the lines of a strategy: calls one below the other, and indented lines for calls that are taken.

    Each line says how the game can end before the next call.
    """
    if strategy.rules.is_silent:
        return [_list(strategy, answer, plan) for answer, plan in strategy.branches.items()]
    writer = _Writer(strategy)
    begun = {Answer("start"): follow(writer.game, strategy.history)} if strategy.history else {}
    starts = begun or dict(writer.game.start().branches)
    for answer, plan in strategy.branches.items():
        opened = f"If X opens at {names(strategy.board, answer.cells)}, call" if answer.cells else "Call"
        if answer.cells:
            writer.lines.append("")
        writer.write(plan, opened, 0, starts[answer])
    return [line for i, line in enumerate(writer.lines) if line or i]


def how_to_read(lines: Sequence[str]) -> str:
    """Return a sentence that explains indented lines of a strategy; empty if there are only plain lines."""
    if not any(line.startswith(" ") for line in lines):
        return ""
    return "If a cell is taken, follow the indented lines below it; if it is free, skip them."


def _list(strategy: Strategy, answer: Answer, plan: Plan) -> str:
    cells = [plan.call]
    while plan.branches:
        (plan,) = plan.branches.values()
        cells.append(plan.call)
    opened = f"If X opens at {names(strategy.board, answer.cells)}, call" if answer.cells else "Call"
    return f"{opened}, in this order, {', '.join(cell_name(strategy.board, cell) for cell in cells)}."


class _Writer:
    """Writes a strategy place by place, and says what can happen there by what the player knows."""

    def __init__(self, strategy: Strategy) -> None:
        self.board, self.rules = strategy.board, strategy.rules
        self.game = MergedGame(strategy.board, strategy.rules)
        self.mine, self.theirs, self.line_wins = self.rules.blind, self.rules.opponent, self.board.rules.line_wins
        self.lines: list[str] = []

    def write(self, plan: Plan, opening_words: str, depth: int, state: InfoSet) -> None:
        name = cell_name(self.board, plan.call)
        free, taken = self.game.parts(state, plan.call)
        self.lines.append(f"{_STEP * depth}{opening_words} {name}.{self._endings(plan, state, free, taken)}")
        after = {**dict(free.branches), **dict(taken.branches)}
        for answer, below in plan.branches.items():
            if answer.kind == "taken" and answer in after:
                self.write(below, self._taken(name, answer), depth + 1, after[answer])
        placed = Answer("free")
        if placed in plan.branches and placed in after:
            self.write(plan.branches[placed], "Next, call", depth, after[placed])

    def _taken(self, name: str, answer: Answer) -> str:
        cells = names(self.board, answer.cells)
        more = {"collision": "", "last-move": f" and the last move was {cells}", "all": f" and the marks are {cells}"}
        call = "next call" if self.rules.loses_turn else "call"
        return f"If {name} is taken{more[self.rules.told]}, {call}"

    def _endings(self, plan: Plan, state: InfoSet, free: Call[InfoSet], taken: Call[InfoSet]) -> str:
        """Return the sentences about how the game can end before the next call, and about forced answers."""
        if not _is_possible(free):
            # all remaining cells are taken, or the opponent would have a line by now
            left, done = self.board.cells - (state.own | state.known).bit_count(), "won" if self.line_wins else "lost"
            why = "It is taken for sure."
            if state.hidden - state.known.bit_count() != left:
                why = f"If the game is not over, it is taken: otherwise {self.theirs} would have {done} already."
            return f" {why}{self._reply(taken, 'Then')}"
        when = "If it is free," if _is_possible(taken) else ""
        own = state.own | 1 << plan.call
        if self.board.has_line(own):
            words = f"{when} it {'wins' if self.line_wins else 'loses'}."
        elif own.bit_count() + state.hidden == self.board.cells:
            words = f"{when} the board is full: a draw."
        else:
            words = self._reply(free, when)
        return _sentences(words) + self._reply(taken, "If it is taken,")

    def _reply(self, part: Call[InfoSet], when: str) -> str:
        """Return a sentence about how the reply can end the game; empty where it cannot."""
        lined, winner = (part.loses, self.theirs) if self.line_wins else (part.wins, self.mine)
        words = ""
        if lined and part.branches:
            words = f"{self.theirs} may {'win' if self.line_wins else 'lose'} with the reply."
        elif lined:
            start = "the reply ends the game: a draw, or" if part.draws else "every reply ends the game:"
            words = f"{start} {winner} wins."
        elif part.draws and not part.branches:
            words = "the reply fills the board: a draw."
        return _sentences(f"{when} {words}" if words else "")


def _is_possible(part: Call[InfoSet]) -> bool:
    return any(part[1:])


def _sentences(text: str) -> str:
    """Return a text with a capital letter at its start and a blank before it; an empty text stays empty."""
    return f" {begun(text.strip())}" if text.strip() else ""


# A walk through a strategy, call by call: the answers so far, what the player knows, and the possible next answers.


@dataclass(frozen=True)
class WalkStep:
    """A call and its answer; the call is None before the first call."""

    call: Cell | None
    answer: Answer


@dataclass(frozen=True)
class WalkPlace:
    """A place of a strategy: the steps so far, the marks that the player knows, and the next call.

    `call` is None before O learns X's opening. `onward` are the answers after which the player calls again, `ends` the
    ways in which the game can end before that.
    """

    strategy: Strategy
    steps: tuple[WalkStep, ...]
    own: Mask
    known: Mask
    call: Cell | None
    onward: tuple[Answer, ...]
    ends: tuple[Ending, ...]

    @property
    def position(self) -> Position:
        """The marks that the player knows; none where the referee says nothing."""
        if self.strategy.rules.is_silent:
            return Position(self.strategy.board)
        return Referee(self.strategy.board, self.strategy.rules).position(self.own, self.known)

    @property
    def heard(self) -> tuple[Answer, ...]:
        """The answers so far."""
        return tuple(step.answer for step in self.steps)


def answer_slug(strategy: Strategy, answer: Answer) -> str:
    """Return the text of an answer in a walk: `free`, `taken`, `taken.a1.b3`, `opening.a1`, `next`."""
    return ".".join([answer.kind, *names(strategy.board, answer.cells).split()])


def read_walk(strategy: Strategy, text: str) -> tuple[Answer, ...]:
    """Return the answers of a walk such as `free-taken`. Raises InputError, InvalidCell."""
    found = []
    for piece in filter(None, text.split("-")):
        kind, *cells = piece.split(".")
        if kind not in ("opening", "free", "taken", "next"):
            raise InputError(f"{shown(piece)} is not an answer: write free or taken, joined by -")
        found.append(Answer(kind, mask_of(parse_cell(strategy.board, cell) for cell in cells)))  # type: ignore[arg-type]
    return tuple(found)


def walk(strategy: Strategy, heard: Iterable[Answer]) -> WalkPlace:
    """Return the place of a strategy after these answers. Raises InputError where they are impossible.

    Cost: that of `endings`. Raises BudgetError where too many boards are possible.
    """
    ends = endings(strategy)
    steps: list[WalkStep] = []
    own, known = strategy.marks()
    plan: Plan | None = strategy.branches.get(Answer("start"))
    branches = strategy.branches if plan is None else plan.branches
    for answer in heard:
        if answer not in branches:
            there = ", ".join(answer_slug(strategy, each) for each in branches)
            after = f"choose from {there}" if there else "the game is over by then"
            raise InputError(f"{shown(answer_slug(strategy, answer))} cannot follow here: {after}")
        steps.append(WalkStep(None if plan is None else plan.call, answer))
        own, known = learned(own, known, NO_CELL if plan is None else plan.call, answer)
        plan = branches[answer]
        branches = plan.branches
    # free before taken
    onward = tuple(sorted(branches, key=lambda answer: (answer.kind == "taken", answer)))
    here = (None, onward, ()) if plan is None else (plan.call, onward, ends[id(plan)])
    return WalkPlace(strategy, tuple(steps), own, known, *here)


# A blindfold game between a person and the program, determined by the person's acts and a seed.

Role = Literal["blind", "sighted"]
Opposition = Literal["random", "hostile", "blind"]


class Session:
    """A blindfold game between a person, who plays `role`, and the program.

    `acts` are all acts so far, `truth` is what only the referee knows. Against a blind person the program chooses a
    reply by its `opposition`: where that is blind, too, by the mixed strategy that noughts carries. Against a sighted
    person it follows a strategy for the goal, or for `win-often` if the goal has none; `goal` is the strategy's goal.
    Raises InvalidQuestion where the program has no strategy.
    """

    def __init__(
        self,
        board: Board,
        rules: BlindRules,
        role: Role,
        choose: Callable[[list[Cell]], Cell],
        *,
        opposition: Opposition = "random",
        goal: Goal = "never-lose",
    ) -> None:
        if rules.blind == "both":
            raise InvalidQuestion(
                "the person is X or O: choose it as blind, and the opposition 'blind' for two such players"
            )
        require_marking(board, "blindfold play")
        self.board, self.rules, self.role = board, rules, role
        self.referee = Referee(board, rules)
        self.truth, self.acts = self.referee.start(), list[Act]()
        self._choose, self._opposition = choose, opposition
        mix = both_mixes(board, rules)[rules.opponent] if opposition == "blind" and role == "blind" else []
        self._mix = [plan for weight, plan in mix for _ in range(weight)]
        self._plan: Plan | None = None
        strategy = opposing(board, rules, goal) if role == "sighted" else None
        self.goal = None if strategy is None else strategy.goal
        self._branches = None if strategy is None else strategy.branches

    @property
    def person(self) -> str:
        """The person's player, X or O."""
        return self.rules.blind if self.role == "blind" else self.rules.opponent

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.truth.outcome is not None

    @property
    def position(self) -> Position:
        """All marks, which only the referee and the sighted player see; with `lose-turn` they may be unbalanced."""
        return self.referee.position(self.truth.own, self.truth.other)

    @property
    def known(self) -> Position:
        """The marks that the blind player knows; none where the referee says nothing."""
        if self.rules.is_silent:
            return Position(self.board)
        return self.referee.position(self.truth.own, self.truth.known & ~self.truth.own)

    @property
    def called(self) -> tuple[Cell, ...]:
        """The cells that the blind player has called, in order."""
        return tuple(act.cell for act in self.acts if act.who == self.rules.blind)

    @property
    def chosen(self) -> tuple[Cell, ...]:
        """The cells of the person's acts, in order."""
        return tuple(act.cell for act in self.acts if act.who == self.person)

    def as_dict(self, *, revealed: bool) -> dict[str, object]:
        """Return what the person may know as a record; everything if the game is over or `revealed`.

        `outcome` is for the blind player: win, draw or loss.
        """
        is_open = revealed or self.is_over

        def named(cells: Iterable[Cell]) -> list[str]:
            return [cell_name(self.board, cell) for cell in cells]

        return {
            "board": self.board.spec,
            **self.rules.as_dict(),
            "as": self.role,
            "acts": named(self.chosen),
            "over": self.is_over,
            "outcome": self.truth.outcome,
            "open": [] if revealed else named(self.open_cells),
            "known": str(self.known if self.role == "blind" else self.position),
            "position": str(self.position) if is_open or self.role == "sighted" else None,
            "revealed": [act.as_dict(self.board) for act in self.acts] if is_open else None,
        }

    @property
    def open_cells(self) -> tuple[Cell, ...]:
        """The cells that the person may choose: those not yet called or named, or the blank ones; none at the end."""
        if self.is_over:
            return ()
        closed = self.truth.known if self.role == "blind" else self.truth.own | self.truth.other
        return tuple(cells_of(self.board.full & ~closed))

    @property
    def waits(self) -> bool:
        """Whether the person is to act."""
        return not self.is_over and self.truth.blind_to_act == (self.role == "blind")

    def act(self, cell: Cell) -> None:
        """Let the person act. Raises InputError for a cell that the person may not choose."""
        if cell not in self.open_cells:
            why = (
                "was already called or named: call another" if self.role == "blind" else "is not blank: choose another"
            )
            raise InputError(f"{cell_name(self.board, cell)} {why} cell")
        self._continue(cell)

    def answer(self) -> None:
        """Let the program act."""
        if self._branches is not None:
            plan = self._branches[self.truth.answer]
            self._branches = plan.branches
            self._continue(plan.call)
        elif self._mix:
            self._continue(self._unseeing())
        else:
            hostile = self._opposition == "hostile"
            cells = hostile_replies(self.referee, self.truth) if hostile else self.referee.blanks(self.truth)
            self._continue(self._choose(cells))

    def _unseeing(self) -> Cell:
        """Return the next reply of a plan of the mix in a random image, which is chosen before the first reply."""
        blanks = self.referee.blanks(self.truth)
        if not self.truth.other:
            images = self.board.group().elements
            number, image = divmod(self._choose(list(range(len(self._mix) * len(images)))), len(images))
            self._plan = image_of_plan(self._mix[number], images[image])
        if len(blanks) == 1:
            return blanks[0]
        assert self._plan is not None
        while self.truth.own >> self._plan.call & 1:
            self._plan = self._plan.branches[Answer("taken")]
        cell, self._plan = self._plan.call, self._plan.branches.get(Answer("free"))
        return cell

    def _continue(self, cell: Cell) -> None:
        before = self.truth
        if before.blind_to_act:
            self.truth = self.referee.call(before, cell)
            self.acts.append(Act(self.rules.blind, cell, self.truth.own != before.own, self.truth.answer))
        else:
            self.truth = self.referee.reply(before, cell)
            opened = self.truth.answer if self.truth.answer.kind == "opening" else Answer("next")
            self.acts.append(Act(self.rules.opponent, cell, True, opened))


def both_mixes(board: Board, rules: BlindRules) -> dict[str, tuple[Weighted, ...]]:
    """Return each player's plans with their weights, where both are blind. Cost: seconds, unless noughts carries them.

    Raises InvalidQuestion for other rules, or a board on which they are not computed.
    """
    found = carried_bounds(board, rules)
    if found is None and is_usual(rules) and has_value(board):
        found = phantom_bounds(board)
    if found is None:
        raise InvalidQuestion(
            "the program plays blind only on 3x3, 3x3+torus and up to 2x4, under the usual rules of blindfold play"
        )
    return {"X": found.x_mix, "O": found.o_mix}


@lru_cache(maxsize=16)
def opposing(board: Board, rules: BlindRules, goal: Goal) -> Strategy:
    """Return the program's strategy as the blind player: for the goal, else a strategy that wins most often.

    Raises InvalidQuestion where there is none, BudgetError where it costs too much.
    """
    found = solve_blindfold(board, rules, goal).strategy
    if found is None and goal != "win-often":
        found = solve_blindfold(board, rules, "win-often").strategy
    if found is None:
        raise InvalidQuestion(f"the program has no strategy for a blind {rules.blind} on {board}: try 3x3")
    return found


def play_blindfold(
    board: Board,
    rules: BlindRules,
    role: Role,
    cells: tuple[Cell, ...],
    seed: str,
    *,
    opposition: Opposition = "random",
    goal: Goal = "never-lose",
) -> Session:
    """Return the game after the person's acts, continued by the program until the person is to act.

    Parameters
    ----------
    board, rules
        The board and the rules of the game.
    role
        Whether the person is `blind` or `sighted`.
    cells
        The person's acts so far.
    seed
        The seed of the program's choices.
    opposition
        The program's replies to a blind person: `random`, `hostile`, or `blind`, by an optimal mix of plans.
    goal
        The goal of the program's strategy against a sighted person.

    Raises
    ------
    InputError
        The person may not choose one of the cells.
    InvalidQuestion
        The program has no strategy.
    """

    def choose(cells: list[Cell]) -> Cell:
        marks = "".join(f" {act.who}{act.cell}" for act in session.acts)
        return cells[drawn(len(cells), f"{seed} {board.spec}{marks}")]

    session = Session(board, rules, role, choose, opposition=opposition, goal=goal)
    waiting = list(cells)
    while not session.is_over and (waiting or not session.waits):
        if session.waits:
            session.act(waiting.pop(0))
        else:
            session.answer()
    if waiting:
        raise InputError(f"the game is over before {cell_name(board, waiting[0])}: remove the acts after its end")
    return session
