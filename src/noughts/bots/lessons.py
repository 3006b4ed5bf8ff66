"""Random numbers that a browser draws too: the same seed gives the same games in Python and on the page.

The generator is xoshiro128** of D. Blackman and S. Vigna, seeded by splitmix32: words of 32 bits, in a few operations
that JavaScript has as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm

from noughts.analysis.policies.policy import Policy
from noughts.analysis.solutions import solution_for
from noughts.bots.fitness import grown
from noughts.bots.matchboxes import Cabinet
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import Game, Marks
from noughts.rules.marks import Cell, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import Group, inverse
from noughts.solving.solution import Solution

_WORD = 0xFFFFFFFF
SEEDS = _WORD + 1
"""Seeds are whole numbers below this."""


def _splitmix(state: int) -> int:
    mixed = (state ^ state >> 16) * 0x21F0AAAD & _WORD
    mixed = (mixed ^ mixed >> 15) * 0x735A2D97 & _WORD
    return mixed ^ mixed >> 15


def _turned(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & _WORD


class Draws:
    """Numbers drawn one after the other, always the same for one seed."""

    def __init__(self, seed: int) -> None:
        self._state = [_splitmix(seed + n * 0x9E3779B9 & _WORD) for n in range(1, 5)]

    def word(self) -> int:
        """Return the next number below 2^32."""
        a, b, c, d = self._state
        c, d = c ^ a, d ^ b
        self._state = [a ^ d, b ^ c, c ^ b << 9 & _WORD, _turned(d, 11)]
        return _turned(b * 5 & _WORD, 7) * 9 & _WORD

    def below(self, whole: int) -> int:
        """Return a number below `whole`, which is at least 1: each is equally likely."""
        more = max(0, (whole - 1).bit_length() - 1) // 32
        fair = (1 << 32 * (more + 1)) // whole * whole
        while True:
            number = self.word()
            for _ in range(more):
                number = number << 32 | self.word()
            if number < fair:
                return number % whole

    def pick(self, weights: Sequence[int]) -> int:
        """Return a place in `weights`, as likely as its weight; nothing is drawn where there is one place only."""
        if len(weights) == 1:
            return 0
        number, place = self.below(sum(weights)), -1
        while number >= 0:
            place += 1
            number -= weights[place]
        return place


# All play of a machine against an opponent, as a graph: what is drawn at each place, and where each draw leads.

Filling = Mapping[Player, Sequence[Sequence[int]]]
"""For each machine the beads of each colour in each of its boxes."""
Parts = tuple[int, int, int]
"""What X wins and what is drawn, out of a whole, in lowest terms."""
Trail = list[tuple[Player, int, int]]
"""The boxes that were opened: whose, which, and the place of the colour drawn."""


@dataclass(frozen=True)
class PlayStep:
    """A place in the graph. `box` is that of the machine that moves, None where weights that never change are drawn.

    Where the game is over `outcome` says how, and there is nothing `after`.
    """

    mover: Player
    outcome: Outcome | None
    box: int | None
    weights: tuple[int, ...]
    after: tuple[int, ...]

    def weights_in(self, beads: Filling) -> Sequence[int]:
        """Return the weights of what is drawn: the beads of its box where it has one."""
        return self.weights if self.box is None else beads[self.mover][self.box]


@dataclass(frozen=True)
class GameChances:
    """The exact chances of the outcomes of a game: X wins, a draw, O wins."""

    x_wins: Fraction
    draws: Fraction
    o_wins: Fraction

    def of(self, player: Player) -> tuple[Fraction, Fraction, Fraction]:
        """Return the chances that a player wins, draws and loses."""
        return (self.x_wins, self.draws, self.o_wins) if player == "X" else (self.o_wins, self.draws, self.x_wins)

    def as_dict(self, player: Player) -> dict[str, str]:
        """Return the chances for JSON, as a player sees them."""
        return dict(zip(("win", "draw", "loss"), map(str, self.of(player)), strict=True))

    def value(self, player: Player) -> Fraction:
        """Return a player's chance to win less that to lose."""
        win, _, loss = self.of(player)
        return win - loss


class PlayGraph:
    """Play between two sides on a board: each a cabinet of boxes, or a policy.

    Places are position classes where the policies treat symmetric positions alike, else labelled positions; they stand
    in order of ply, the empty board first. Policies are asked once for each place.
    """

    def __init__(self, board: Board, sides: Mapping[Player, Cabinet | Policy]) -> None:
        self.board, self._sides = board, dict(sides)
        policies = [side for side in sides.values() if isinstance(side, Policy)]
        symmetric = all(each.is_symmetric for each in policies)
        self._game = Game(board, group=board.group() if symmetric else Group.trivial(board.cells))
        needy = any(each.needs_values for each in policies)
        self._solution: Solution | None = solution_for(Position(board)) if needy else None
        layers = grown(self._game.start, self._step)
        self.steps = tuple(replace(step, after=after) for layer in layers for _, step, after in layer)
        self._places: dict[tuple[Player, int | None], list[int]] = defaultdict(list)
        self._before: list[list[int]] = [[] for _ in self.steps]
        for number, step in enumerate(self.steps):
            self._places[step.mover, step.box].append(number)
            for child in step.after:
                self._before[child].append(number)

    def _step(self, state: Marks) -> tuple[PlayStep, list[Marks]]:
        game = self._game
        box, weights, cells = self._choices(state)
        then = [game.canonical(game.play(state, cell)) for cell in cells]
        return PlayStep(game.to_move(state), game.outcome(state), box, weights, ()), then

    def _choices(self, state: Marks) -> tuple[int | None, tuple[int, ...], Sequence[Cell]]:
        """Return the box that is opened, or the weights of what is drawn without one, and cells; none at the end."""
        if self._game.outcome(state) is not None:
            return None, (), ()
        side = self._sides[self._game.to_move(state)]
        if isinstance(side, Policy):
            chances = side.probabilities(Position(self.board, state.x, state.o), self._solution)
            whole = lcm(*(chance.denominator for chance in chances.values()))
            return None, tuple(int(chance * whole) for chance in chances.values()), tuple(chances)
        x, o, symmetry = self.board.group().to_canonical(state.x, state.o)
        place = side.places.get((x, o))
        if place is None:
            return None, (1,), tuple(cells_of(self._game.moves(state)))
        back = inverse(symmetry)
        return place, (), tuple(back[cell] for cell in side.boxes[place].cells)

    def played(self, beads: Filling, draws: Draws) -> tuple[Outcome, Trail]:
        """Return how a game ends whose moves are drawn, and the boxes opened; without weights the mover concedes."""
        trail: Trail = []
        step = self.steps[0]
        while step.outcome is None:
            weights = step.weights if step.box is None else beads[step.mover][step.box]
            if not any(weights):
                return opponent(step.mover), trail
            place = draws.pick(weights)
            if step.box is not None:
                trail.append((step.mover, step.box, place))
            step = self.steps[step.after[place]]
        return step.outcome, trail

    def chances(self, beads: Filling) -> GameChances:
        """Return the exact chances of a game with these beads: one backward pass over the graph, in whole numbers.

        An empty box loses the game.
        """
        return _as_chances(self.known(beads)[0])

    def known(self, beads: Filling) -> list[Parts]:
        """Return for each step what X wins and what is drawn, out of a whole."""
        known: list[Parts] = [(0, 0, 1)] * len(self.steps)
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            known[number] = _parts(step, step.weights_in(beads), [known[n] for n in step.after])
        return known

    def changed(self, known: Sequence[Parts], boxes: Iterable[tuple[Player, int]], beads: Filling) -> GameChances:
        """Return the chances after some boxes changed since `known`; only steps that lead to them are recomputed."""
        fresh: dict[int, Parts] = {}
        waiting = {number for box in boxes for number in self._places[box]}
        while waiting:
            number = max(waiting)
            step = self.steps[number]
            fresh[number] = _parts(step, step.weights_in(beads), [fresh.get(n) or known[n] for n in step.after])
            waiting = waiting - {number} | set(self._before[number])
        return _as_chances(fresh.get(0, known[0]))


_SURE: Mapping[str, Parts] = {"X": (1, 0, 1), "draw": (0, 1, 1), "O": (0, 0, 1)}
"""What X wins and what is drawn, out of a whole, where the outcome is sure."""


def _as_chances(parts: Parts) -> GameChances:
    x, draw, whole = parts
    return GameChances(Fraction(x, whole), Fraction(draw, whole), Fraction(whole - x - draw, whole))


def _parts(step: PlayStep, weights: Sequence[int], after: Sequence[Parts]) -> Parts:
    """Return the chances at a step, from those of the steps after it, in lowest terms."""
    if step.outcome is not None:
        return _SURE[step.outcome]
    if not any(weights):
        return _SURE[opponent(step.mover)]
    common = lcm(*[whole for _, _, whole in after])
    x = draw = total = 0
    for weight, (wins, drawn, whole) in zip(weights, after, strict=True):
        x += weight * wins * (common // whole)
        draw += weight * drawn * (common // whole)
        total += weight * common
    shared = gcd(x, draw, total)
    return x // shared, draw // shared, total // shared


# Teaching: games drawn one after the other, beads added and taken after each, and what the machine is worth.


@dataclass(frozen=True)
class Mark:
    """After so many games of a lesson: the exact chances of the next game, and how the games so far ended."""

    games: int
    chances: GameChances
    wins: int
    draws: int
    losses: int
    beads: int
    empty: int

    def as_dict(self, player: Player) -> dict[str, object]:
        """Return the mark for JSON, as the machine that plays `player` sees it."""
        ends = {"won": self.wins, "drawn": self.draws, "lost": self.losses}
        return {
            "games": self.games,
            **self.chances.as_dict(player),
            **ends,
            "beads": self.beads,
            "empty_boxes": self.empty,
        }


@dataclass(frozen=True)
class Lesson:
    """One run of games: the seed it was drawn from, its marks in order, and the beads in the end."""

    seed: int
    marks: tuple[Mark, ...]
    beads: tuple[tuple[int, ...], ...]

    @property
    def last(self) -> Mark:
        """The mark after the last game."""
        return self.marks[-1]


def box_after(cabinet: Cabinet, place: int, held: Sequence[int], colour: int, outcome: Outcome) -> list[int]:
    """Return the beads of a box that was opened, after the game: there are never fewer than none."""
    rules, box = cabinet.rules, list(held)
    box[colour] = max(0, box[colour] + rules.reward(cabinet.player, outcome))
    if not any(box) and rules.empty == "refill":
        return list(cabinet.boxes[place].start)
    box[colour] += not any(box) and rules.empty == "keep"
    return box


def taught(
    course: PlayGraph,
    cabinets: dict[Player, Cabinet],
    beads: Filling,
    player: Player,
    stops: Sequence[int],
    seed: int,
    progress: Progress = silent,
) -> Lesson:
    """Return a lesson of as many games as the last of `stops`, with a mark at each of them, in rising order."""
    held = {who: [list(box) for box in boxes] for who, boxes in beads.items()}
    draws, tally, marks, games = Draws(seed), Counter[str](), [], 0
    for stop in stops:
        while games < stop:
            outcome, trail = course.played(held, draws)
            for who, place, colour in trail:
                held[who][place] = box_after(cabinets[who], place, held[who][place], colour, outcome)
            tally[outcome] += 1
            games += 1
            if games % 256 == 0:
                progress(games, stops[-1], "games")
        counts = tally[player], tally["draw"], tally[opponent(player)], sum(map(sum, held[player]))
        marks.append(Mark(games, course.chances(held), *counts, sum(not any(box) for box in held[player])))
    return Lesson(seed, tuple(marks), tuple(map(tuple, held[player])))


# What a machine is worth on average after some games, over all that may be drawn in them: exact, where few enough.

OUTCOMES = 60_000
"""The most fillings of the boxes: some ten seconds on 3x3."""

_MOST_GAMES = 1_000
"""The most games of an average, where each game fills the boxes in one way."""

Changes = tuple[tuple[tuple[Player, int], tuple[int, ...]], ...]
"""The boxes whose beads are not those of the beginning, and what they hold."""


@dataclass(frozen=True)
class Expectation:
    """The chances of the next game after so many games, averaged over all that may be drawn in those.

    `fillings` is how many different fillings of the boxes those games can lead to.
    """

    games: int
    chances: GameChances
    fillings: int

    def as_dict(self, player: Player) -> dict[str, object]:
        """Return the expectation for JSON, as the machine that plays `player` sees it."""
        return {"games": self.games, **self.chances.as_dict(player), "fillings": str(self.fillings)}


def expectations(
    course: PlayGraph,
    cabinets: dict[Player, Cabinet],
    beads: Filling,
    games: int,
    progress: Progress = silent,
) -> tuple[Expectation, ...]:
    """Return what is expected after 0, 1, ... up to so many games.

    Raises BudgetError, before it begins, where there may be over OUTCOMES fillings.
    """
    if games > _MOST_GAMES:
        raise BudgetError(f"the average after {games:,} games is not computed: ask about at most {_MOST_GAMES:,}")
    known, states = course.known(beads), dict[Changes, Fraction]({(): Fraction(1)})
    found = [Expectation(0, course.chances(beads), 1)]
    ways = len({(tuple(trail), outcome) for trail, outcome, _ in _played(course, beads)}) if games else 0
    if ways**games > OUTCOMES:
        raise BudgetError(
            f"{games} game{'s' * (games > 1)} on {course.board} may fill the boxes in {ways**games:,} ways, over "
            f"{OUTCOMES:,}: ask about fewer games"
        )
    for game in range(1, games + 1):
        states = _after_one(course, cabinets, beads, states)
        x = draw = Fraction(0)
        for number, (changes, share) in enumerate(states.items()):
            if number % 256 == 0:
                progress(number, len(states), "fillings")
            chances = course.changed(known, dict(changes), _filled(beads, changes))
            x += share * chances.x_wins
            draw += share * chances.draws
        found.append(Expectation(game, GameChances(x, draw, 1 - x - draw), len(states)))
    return tuple(found)


def _filled(beads: Filling, changes: Changes) -> dict[Player, list[Sequence[int]]]:
    """Return the beads of all boxes, with these changes."""
    held = {player: list(boxes) for player, boxes in beads.items()}
    for (who, where), box in changes:
        held[who][where] = box
    return held


def _after_one(
    course: PlayGraph, cabinets: dict[Player, Cabinet], beads: Filling, states: dict[Changes, Fraction]
) -> dict[Changes, Fraction]:
    """Return the fillings after one more game, each with its probability."""
    following: dict[Changes, Fraction] = defaultdict(Fraction)
    for changes, share in states.items():
        held = _filled(beads, changes)
        for trail, outcome, chance in _played(course, held):
            after = dict(changes)
            for player, place, colour in trail:
                box = box_after(cabinets[player], place, held[player][place], colour, outcome)
                after[player, place] = tuple(box)
            following[tuple(sorted(after.items()))] += share * chance
    return following


def _played(course: PlayGraph, beads: Filling) -> Iterator[tuple[Trail, Outcome, Fraction]]:
    """Yield every way to play a game with these beads: the boxes opened, how it ends, and how likely that is."""
    stack: list[tuple[int, Trail, int, int]] = [(0, [], 1, 1)]
    while stack:
        number, trail, ways, of = stack.pop()
        step = course.steps[number]
        weights = step.weights_in(beads)
        whole = sum(weights)
        if not whole:
            yield trail, step.outcome or opponent(step.mover), Fraction(ways, of)
            continue
        for place, (weight, then) in enumerate(zip(weights, step.after, strict=True)):
            if weight:
                opened = trail if step.box is None else [*trail, (step.mover, step.box, place)]
                stack.append((then, opened, ways * weight, of * whole))
