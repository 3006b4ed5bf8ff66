"""The judge: plays every reply of the opponent against a strategy, with the referee, and counts the outcomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

from noughts.blindfold.game import (
    PAYOFF,
    PROOF_FORMAT,
    Act,
    BlindRules,
    Goal,
    Outcome,
    Plan,
    Referee,
    Strategy,
    Truth,
    label,
    marks_text,
    rules_in,
    state_text,
    text_in,
)
from noughts.blindfold.truths import starting
from noughts.machine.reading import require_version
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InputError, shown
from noughts.rules.marks import Cell, Mask, cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation
from noughts.rules.values import record, short

_BREACHES: dict[Goal, tuple[Outcome, ...]] = {
    "never-lose": ("loss",),
    "always-win": ("loss", "draw"),
    "win-often": (),
}
"""The outcomes that break the claim of each goal, the worst first."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """The judge's result about a strategy, for the blind player.

    `wins`, `draws` and `losses` count games, that is, sequences of replies. The chances are against uniformly random
    replies. `broken` is a game that breaks the strategy's claim, act by act, and `broken_outcome` is its outcome; both
    are None if the claim holds. It begins with the marks of `broken_from`. `unreached` counts places that no game
    reaches.
    """

    strategy: Strategy
    wins: int
    draws: int
    losses: int
    win_chance: Fraction
    draw_chance: Fraction
    loss_chance: Fraction
    places: int
    unreached: int
    broken: tuple[Act, ...] | None
    broken_outcome: Outcome | None
    broken_from: Position | None = None

    def __repr__(self) -> str:
        found = "holds" if self.holds else f"broken by a {self.broken_outcome}"
        return f"<Verdict on {short(self.strategy.board)}, {self.strategy.goal}: {found}, {self.games:,} games>"

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict for JSON, with counts and chances as text."""
        strategy = self.strategy
        counts = {"places": self.places, "unreached_places": self.unreached, "games": self.games}
        counts |= {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        chances = {"win": self.win_chance, "draw": self.draw_chance, "loss": self.loss_chance}
        return {
            "board": strategy.board.spec,
            "blind": strategy.rules.blind,
            "goal": strategy.goal,
            **({"from": state_text(strategy.board, strategy.rules, strategy.history)} if strategy.history else {}),
            "holds": self.holds,
            **{name: str(count) for name, count in counts.items()},
            **{f"{end}_probability": str(chance) for end, chance in chances.items()},
            "broken_by": None if self.broken is None else [act.as_dict(strategy.board) for act in self.broken],
            "broken_outcome": self.broken_outcome,
        }

    @property
    def games(self) -> int:
        """The number of all games."""
        return self.wins + self.draws + self.losses

    @property
    def holds(self) -> bool:
        """Whether the strategy's claim is true."""
        return self.broken is None


class _Tally(NamedTuple):
    """The result of all replies from a place on: games and chances, each for a win, a draw and a loss."""

    games: tuple[int, ...]
    chances: tuple[Fraction, ...]

    @classmethod
    def of(cls, parts: list[_Tally], shares: Iterable[Fraction] = ()) -> _Tally:
        """Return the result of several truths with these shares; without shares they are equally likely."""
        weights = list(shares) or [Fraction(1, len(parts))] * len(parts)
        games, chances = (list(zip(*each, strict=True)) for each in zip(*parts, strict=True))
        return cls(tuple(map(sum, games)), tuple(sum(map(mul, each, weights), Fraction()) for each in chances))

    def has(self, outcome: Outcome) -> bool:
        return self.games[list(PAYOFF).index(outcome)] > 0


_ENDS = {
    outcome: _Tally(tuple(int(outcome == end) for end in PAYOFF), tuple(Fraction(outcome == end) for end in PAYOFF))
    for outcome in PAYOFF
}


class _StrategyJudge:
    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.referee = Referee(strategy.board, strategy.rules)
        self.seen: dict[tuple[int, Truth], _Tally] = {}
        self.reached: set[int] = set()

    def tally(self, plan: Plan | None, truth: Truth) -> _Tally:
        """Return games and chances of the three outcomes from here. Raises InputError where the plan is broken."""
        if truth.outcome is not None:
            return _ENDS[truth.outcome]
        key = (id(plan), truth)
        found = self.seen.get(key)
        if found is None and truth.blind_to_act:
            below = self._below(plan, truth)
            self.reached.add(id(below))
            found = self.tally(below, self.referee.call(truth, below.call))
        elif found is None:
            found = _Tally.of([self.tally(plan, after) for after in self.referee.replies(truth)])
        self.seen[key] = found
        return found

    def _below(self, plan: Plan | None, truth: Truth) -> Plan:
        """Return the place after an answer. Raises InputError unless it exists and its call is open."""
        board, branches = self.strategy.board, self.strategy.branches if plan is None else plan.branches
        below = branches.get(truth.answer)
        if below is not None and not truth.known >> below.call & 1:
            return below
        cells = ", ".join(cell_name(board, cell) for cell in cells_of(truth.answer.cells))
        calls = ", ".join(cell_name(board, cell) for cell in cells_of(truth.known)) or "none"
        where = f"for the answer {truth.answer.kind!r}{f' ({cells})' * bool(cells)} with {calls} called or named"
        if below is None:
            raise InputError(f"the certificate has no branch {where}: every possible answer needs one")
        name = cell_name(board, below.call)
        raise InputError(f"the certificate calls {name} {where}: call a cell that is not known to be taken")

    def breach(self, plan: Plan | None, truth: Truth, bad: Outcome) -> tuple[Act, ...]:
        """Return the first game, in order of replies, with the bad outcome; one must exist."""
        rules = self.strategy.rules
        if truth.outcome is not None:
            return ()
        if truth.blind_to_act:
            below = self._below(plan, truth)
            after = self.referee.call(truth, below.call)
            act = Act(rules.blind, below.call, after.own != truth.own, after.answer)
            return (act, *self.breach(below, after, bad))
        for cell in self.referee.blanks(truth):
            after = self.referee.reply(truth, cell)
            if self.tally(plan, after).has(bad):
                return (Act(rules.opponent, cell, True, after.answer), *self.breach(plan, after, bad))
        raise AssertionError("no bad game although some were counted")


def judge(strategy: Strategy) -> Verdict:
    """Return the verdict about a strategy, after playing every reply of the opponent against it.

    Raises InputError where the strategy lacks a branch for a possible answer, or calls a cell that is known to be
    taken. Cost: the possible positions of all places of the strategy.
    """
    court = _StrategyJudge(strategy)
    starts = starting(strategy)
    tally = _Tally.of([court.tally(None, truth) for truth in starts], starts.values())
    broken_outcome = next(filter(tally.has, _BREACHES[strategy.goal]), None)
    broken, begun = None, None
    if broken_outcome is not None:
        truth = next(truth for truth in starts if court.tally(None, truth).has(broken_outcome))
        broken, begun = court.breach(None, truth, broken_outcome), court.referee.position(truth.own, truth.other)
    places = [id(plan) for root in strategy.branches.values() for plan in root.walk()]
    unreached = sum(place not in court.reached for place in places)
    (wins, draws, losses), (win, draw, loss) = tally
    return Verdict(
        strategy, wins, draws, losses, win, draw, loss, len(places), unreached, broken, broken_outcome, begun
    )


def chances(strategy: Strategy) -> tuple[Fraction, Fraction, Fraction]:
    """Return the blind player's chances to win, draw and lose against uniformly random replies.

    A strategy for only some of X's openings is played after these, each equally likely. Cost and errors are those of
    `judge`.
    """
    court, begun = _StrategyJudge(strategy), starting(strategy)
    if not strategy.history:
        starts = court.referee.replies(court.referee.start())
        played = [truth for truth in starts if truth.blind_to_act and truth.answer in strategy.branches]
        played = starts if len(played) == sum(truth.outcome is None for truth in starts) else played
        begun = dict.fromkeys(played, Fraction(1, len(played)))
    win, draw, loss = _Tally.of([court.tally(None, truth) for truth in begun], begun.values()).chances
    return win, draw, loss


# The judge of proofs of a value: computes what each player's part guarantees, by playing all moves of the other player.


@dataclass(frozen=True)
class ProofVerdict:
    """The claim of a proof and the guarantees of its parts: average payoffs for the blind player."""

    board: Board
    rules: BlindRules
    opening: Cell | None
    claimed: tuple[Fraction, Fraction]
    lower: Fraction
    upper: Fraction

    @property
    def holds(self) -> bool:
        """Whether the parts guarantee the claim."""
        return self.lower >= self.claimed[0] and self.upper <= self.claimed[1]

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict for JSON, with values as text."""
        return {
            "board": self.board.spec,
            "blind": self.rules.blind,
            **record(self, "holds", "claimed", "lower", "upper"),
        }


def judge_proof(document: dict[str, Any]) -> ProofVerdict:
    """Return the guarantees of both parts of a proof. Raises InputError where it is incomplete or cannot be read.

    Cost: the histories that each part can meet, times the replies or calls there.
    """
    try:
        return _judged_mixes(document) if document.get("blind") == "both" else _Court(document).verdict()
    except RecursionError:
        raise InputError("the proof is nested too deeply: games are shorter") from None


def _fraction(text: object, where: str) -> Fraction:
    try:
        if isinstance(text, str) and len(text) < 10_000 and re.fullmatch("-?[0-9]+(/[0-9]+)?", text):
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise InputError(f'{where} is {shown(repr(text))}: write a fraction such as "1/2"')


def _entry(value: object, key: str, where: str) -> Any:
    if not isinstance(value, dict) or key not in value:
        raise InputError(f"the proof lacks an entry {key!r} {where}: add it")
    return value[key]


_RULES = ("board", "blind", "opening_told", "collision", "told")
_HEAD = ("version", "format", *_RULES, "lower", "upper")


def _head(document: dict[str, Any], *parts: str, others: tuple[str, ...] = ()) -> tuple[Board, BlindRules]:
    """Return the board and the rules of a proof that has these parts, and may have others. Raises InputError."""
    for key in _HEAD:
        _entry(document, key, "at its head")
    require_version("the proof", document)
    if document["format"] != PROOF_FORMAT:
        raise InputError(f"the proof is not of the format {PROOF_FORMAT}, version 1")
    found = rules_in(document)
    for key in parts:
        _entry(document, key, "at its head")
    for key in document.keys() - {*_HEAD, *parts, *others}:
        raise InputError(f"the proof has an unknown entry {shown(key)} at its head: remove it")
    return found


def _claimed(document: dict[str, Any]) -> tuple[Fraction, Fraction]:
    return _fraction(document["lower"], "'lower'"), _fraction(document["upper"], "'upper'")


class _Court:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        others = ("by_position", "by_history", "openings")
        self.board, self.rules = _head(document, "opening", "blind_player", others=others)
        self.opening = None if document["opening"] is None else parse_cell(self.board, text_in(document, "opening"))
        if (self.opening is None) == self.rules.opening_told:
            raise InputError("a proof with --opening-told is for one opening")
        self.referee = Referee(self.board, self.rules)
        self.by_position: dict[Truth, Fraction] = {}

    def verdict(self) -> ProofVerdict:
        document = self.document
        claimed = _claimed(document)
        first = self.referee.start(self.opening)
        blind = document["blind_player"]
        lower = Fraction(-1) if blind is None else self.lower(lambda: blind, first)
        if document.get("by_position") is not None:
            upper = self.upper_by_position(document["by_position"], first)
        else:
            starts = {first: Fraction(1)}
            if not first.blind_to_act and first.outcome is None:
                shares = self.mix(_entry(document, "openings", "at its head"), self.referee.blanks(first))
                starts = {self.referee.reply(first, cell): share for cell, share in shares.items()}
            upper = self.upper(_entry(document, "by_history", "at its head"), starts)
        return ProofVerdict(self.board, self.rules, self.opening, claimed, lower, upper)

    def mix(self, value: object, allowed: list[Cell]) -> dict[Cell, Fraction]:
        """Return a mix of allowed cells, whose shares add up to 1. Raises InputError."""
        if not isinstance(value, dict):
            raise InputError("a mix is an object from cells to fractions that add up to 1")
        found = {
            parse_cell(self.board, name): _fraction(share, f"the share of {name}") for name, share in value.items()
        }
        if sum(found.values()) != 1 or any(share < 0 for share in found.values()):
            raise InputError(f"the shares of a mix ({shown(', '.join(value))}) are not fractions that add up to 1")
        for cell, share in found.items():
            if share and cell not in allowed:
                raise InputError(
                    f"the proof plays {cell_name(self.board, cell)}, which is taken or already called there"
                )
        return {cell: share for cell, share in found.items() if share}

    def lower(self, find: Callable[[], object], truth: Truth) -> Fraction:
        """Return what the blind player's part guarantees against every reply; `find` returns its next node."""
        following = self.referee.replies(truth)
        if any(one.outcome == "loss" for one in following):
            return Fraction(-1)
        ended = {Fraction(PAYOFF[one.outcome]) for one in following if one.outcome is not None}
        going = [one for one in following if one.outcome is None]
        node = find() if going else None
        return min(ended.union(self._called(node, one) for one in going))

    def _called(self, node: object, truth: Truth) -> Fraction:
        total = Fraction()
        shares = self.mix(_entry(node, "mix", "before a call"), self.referee.open_calls(truth))
        for cell, share in shares.items():
            called, name = self.referee.call(truth, cell), cell_name(self.board, cell)

            def find(called: Truth = called, name: str = name) -> object:
                below = _entry(_entry(node, "after", "after a call"), name, "after its call")
                return _entry(below, label(self.board, called.answer), f"after {name}")

            total += share * self.lower(find, called)
        return total

    def upper(self, node: object, weights: dict[Truth, Fraction]) -> Fraction:
        """Return the most that a blind player can get from weighted truths, against the opponent's part."""
        total = sum((w * PAYOFF[t.outcome] for t, w in weights.items() if t.outcome is not None), Fraction())
        going = {truth: weight for truth, weight in weights.items() if truth.outcome is None}
        if not going:
            return total
        cells = self.referee.open_calls(next(iter(going)))
        return total + max(self._upper_call(node, cell, going) for cell in cells)

    def _upper_call(self, node: object, cell: Cell, weights: dict[Truth, Fraction]) -> Fraction:
        name = cell_name(self.board, cell)
        total, groups = Fraction(), dict[str, dict[Truth, Fraction]]()
        for truth, weight in weights.items():
            called = self.referee.call(truth, cell)
            for after, share in self._replied(node, name, called).items():
                if after.outcome is not None:
                    total += weight * share * PAYOFF[after.outcome]
                else:
                    group = groups.setdefault(label(self.board, called.answer), {})
                    group[after] = group.get(after, Fraction()) + weight * share
        for heard, group in groups.items():
            below = _entry(_entry(node, name, "for a call"), "after", f"after {name}")
            total += self.upper(_entry(below, heard, f"after {name}"), group)
        return total

    def _replied(self, node: object, name: str, called: Truth) -> dict[Truth, Fraction]:
        if called.outcome is not None or called.blind_to_act:
            return {called: Fraction(1)}
        replies = _entry(_entry(node, name, "for a call"), "replies", f"after {name}")
        key = marks_text(self.board, self.rules.blind, called.own, called.other)
        shares = self.mix(_entry(replies, key, f"after {name}"), self.referee.blanks(called))
        return {self.referee.reply(called, cell): share for cell, share in shares.items()}

    def upper_by_position(self, replies: object, truth: Truth) -> Fraction:
        """Return the most that a player who sees everything can get against replies by position."""
        if truth.outcome is not None:
            return Fraction(PAYOFF[truth.outcome])
        if truth not in self.by_position:
            if truth.blind_to_act:
                after = [self.referee.call(truth, cell) for cell in self.referee.open_calls(truth)]
                found = max(self.upper_by_position(replies, one) for one in after)
            else:
                name = _entry(
                    replies, marks_text(self.board, self.rules.blind, truth.own, truth.other), "among its positions"
                )
                (cell,) = self.mix({name: "1"} if isinstance(name, str) else None, self.referee.blanks(truth))
                found = self.upper_by_position(replies, self.referee.reply(truth, cell))
            self.by_position[truth] = found
        return self.by_position[truth]


# The judge of mixes of plans, where both players are blind: computes the best response to each mix, in whole numbers.

_Place = tuple[Cell, Any, Any]
"""A call, and the places after it where the cell is free, and where it is taken; None where the file has null."""

_World = tuple[int, Permutation, _Place | None, Mask]
"""What the other player may be doing: the weight and the image of a plan, its next place, and the marks so far."""


def _judged_mixes(document: dict[str, Any]) -> ProofVerdict:
    board, rules = _head(document, "X", "O")
    if not rules.names_none:
        raise InputError("a proof with both players blind needs --told collision: a collision shows nothing more")
    lower, upper = -_Mix(board, "X", document["X"]).most(), _Mix(board, "O", document["O"]).most()
    return ProofVerdict(board, rules, None, _claimed(document), lower, upper)


class _Mix:
    """A player's mix of plans, each with a weight and in a random image, and the other player's best response to it.

    The last blank cell needs no call.
    """

    def __init__(self, board: Board, player: str, mix: object) -> None:
        self.board, self.player, self.group = board, player, board.group().elements
        self.known: dict[tuple[Mask, Mask, tuple[tuple[int, int, Mask], ...]], int] = {}
        if not isinstance(mix, list) or not mix:
            raise InputError(f"the mix of {player} is not a list of plans with weights")
        self.plans: list[tuple[int, _Place | None]] = []
        for one in mix:
            weight, plan = (_entry(one, key, f"in the mix of {player}") for key in ("weight", "plan"))
            if type(weight) is not int or not 0 < weight < 10**100:
                raise InputError(f"the weight of a plan of {player} is {shown(repr(weight))}: write a positive integer")
            self.plans.append((weight, self.place(plan, 0)))

    def place(self, value: object, called: Mask) -> _Place | None:
        """Return a place of a plan and all that follow. Raises InputError where it calls a cell twice."""
        if value is None:
            return None
        call, free, taken = (_entry(value, key, f"in a plan of {self.player}") for key in ("call", "free", "taken"))
        cell = parse_cell(self.board, text_in({"call": call}, "call"))
        if called >> cell & 1:
            raise InputError(f"a plan of {self.player} calls {cell_name(self.board, cell)} twice")
        called |= 1 << cell
        return cell, self.place(free, called), self.place(taken, called)

    def most(self) -> Fraction:
        """Return the most that the other player can get on average."""
        worlds: list[_World] = [(weight, g, place, 0) for weight, place in self.plans for g in self.group]
        total = sum(weight for weight, *_ in worlds)
        payoff, going = self.moved(worlds, 0) if self.player == "X" else (0, worlds)
        return Fraction(payoff + self.best(0, 0, going), total)

    def payoff(self, mine: Mask, marks: Mask) -> int | None:
        """Return the payoff for the other player, whose marks are `mine`; None if the game goes on."""
        outcome = self.board.rules.outcome(self.board, *((marks, mine) if self.player == "X" else (mine, marks)))
        return outcome if outcome is None else 0 if outcome == "draw" else -1 if outcome == self.player else 1

    def moved(self, worlds: list[_World], mine: Mask) -> tuple[int, list[_World]]:
        """Let the mix move; return the payoff of the games that end, and the worlds that go on."""
        total, going = 0, list[_World]()
        for weight, g, place, marks in worlds:
            blanks = self.board.full & ~(mine | marks)
            if blanks.bit_count() > 1:
                while place is not None and mine >> g[place[0]] & 1:
                    place = place[2]
                if place is None:
                    raise InputError(f"a plan of {self.player} ends before the game: every possible answer needs one")
                blanks, place = 1 << g[place[0]], place[1]
            payoff = self.payoff(mine, marks | blanks)
            if payoff is None:
                going.append((weight, g, place, marks | blanks))
            else:
                total += weight * payoff
        return total, going

    def best(self, mine: Mask, called: Mask, worlds: list[_World]) -> int:
        """Return the most that the other player gets from here, summed over worlds that give the same answers."""
        if not worlds:
            return 0
        key = mine, called, tuple((id(g), id(place), marks) for _, g, place, marks in worlds)
        if key not in self.known:
            self.known[key] = max(
                self.after(mine, called | 1 << cell, cell, worlds) for cell in self.calls(mine, called)
            )
        return self.known[key]

    def calls(self, mine: Mask, called: Mask) -> list[Cell]:
        """Return calls of which one is best.

        A call that completes a line wins, or is free of cost: the other player does not hear it. Equivalent first calls
        are worth the same, because a mix is played in all images.
        """
        cells = list(cells_of(self.board.full & ~called))
        if self.board.rules.line_wins:
            winning = [cell for cell in cells if self.board.has_line(mine | 1 << cell)]
            cells = winning[:1] or cells
        return cells if called else [cell for cell in cells if cell == min(g[cell] for g in self.group)]

    def after(self, mine: Mask, called: Mask, cell: Cell, worlds: list[_World]) -> int:
        """Return the most that the other player gets after a call."""
        taken = [world for world in worlds if world[3] >> cell & 1]
        total, moving, placed = 0, list[_World](), mine | 1 << cell
        for world in worlds:
            if not world[3] >> cell & 1:
                payoff = self.payoff(placed, world[3])
                if payoff is None:
                    moving.append(world)
                else:
                    total += world[0] * payoff
        ended, going = self.moved(moving, placed)
        return total + ended + self.best(placed, called, going) + self.best(mine, called, taken)
