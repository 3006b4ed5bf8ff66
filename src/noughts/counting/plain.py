"""The play of a question in plain Python: allowed moves and the end of games, and two engines that follow them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cache, partial

from noughts.counting.census import PlyCounts, exactly
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.machine.budget import Estimate, Limits
from noughts.machine.workers import Progress, silent
from noughts.rules.game import Game, Marks, best_moves, timed_value
from noughts.rules.marks import OUTCOMES, Mask, Outcome, cells_of, mask_of, opponent
from noughts.rules.symmetry import Permutation, inverse

_REPORTED = 1024
"""Progress is reported each time so many boards are reached."""


class QuestionPlay:
    """The rules of one question, as plain functions of a state of its game."""

    def __init__(self, question: Question, game: Game) -> None:
        self.question, self.game = question, game
        self.depth = question.last_ply - question.first_ply
        self.value_of = cache(self._value_of)
        self.sole_outcome = cache(self._sole_outcome)
        self.outcome = self.sole_outcome if question.end == "decided" else self._ended

    def _ended(self, state: Marks) -> Outcome | None:
        """Return the outcome where the game is over, by a line, a full board, or a player who concedes."""
        outcome, mover = self.game.outcome(state), self.game.to_move(state)
        rule = self.question.x_moves if mover == "X" else self.question.o_moves
        if outcome is None and rule == "concede" and not self.game.moves(state, rule):
            return opponent(mover)
        return outcome

    def _value_of(self, state: Marks) -> int:
        outcome = state.won or self.game.outcome(state)
        if outcome is not None:
            return timed_value(outcome, self.game.last_ply - self.game.ply(state))
        best = max if self.game.to_move(state) == "X" else min
        return best(self.value_of(self.game.play(state, move)) for move in cells_of(self.game.moves(state)))

    def _sole_outcome(self, state: Marks) -> Outcome | None:
        """Return the outcome that all continuations under the move rules share, or None where they differ."""
        outcome = self._ended(state)
        if outcome is not None:
            return outcome
        outcomes = {self.sole_outcome(child) for child in self.children(state)}
        return outcomes.pop() if len(outcomes) == 1 else None

    def moves(self, state: Marks) -> Mask:
        """Return the moves that the side to move may make, by its move rule or its table of moves."""
        game, mover = self.game, self.game.to_move(state)
        table = self.question.plays(mover)
        rule = self.question.x_moves if mover == "X" else self.question.o_moves
        if table is not None:
            return game.moves(state) if state.won else table.at(state.x, state.o)
        if rule == "perfect":
            return best_moves(game, state, lambda child: (self.value_of(child) > 0) - (self.value_of(child) < 0))
        if rule == "quickest":
            return best_moves(game, state, self.value_of)
        return game.moves(state, rule)

    def children(self, state: Marks, within: Mask = -1) -> list[Marks]:
        """Return the states after each allowed move `within` a set of cells."""
        return [self.game.play(state, move) for move in cells_of(self.moves(state) & within)]


# Engine `plain`: the definition as a memoised recursion, the reference for the other engines on small boards.
#
# The engine follows games move by move. For each position it counts the partial and finished games from there, by
# length. It shares no code with the other engines and weighs nothing by orbits: games up to symmetry are counted by
# Burnside's lemma, and positions by collecting them. A table of moves may treat symmetric positions differently, so
# Burnside's lemma does not hold, and the engine counts labelled games only.

_Ways = tuple[int, ...]
"""Four numbers for each number of further moves from a state: the games, and those that end there by outcome."""


def _follow(
    play: QuestionPlay, within: Mask = -1, *, by_class: bool = False, progress: Progress = silent
) -> tuple[_Ways, dict[Marks, Outcome | None]]:
    """Count the games from the start whose moves lie `within` a set; `by_class` counts games by choices.

    Returns the counts, and all states that were reached with their outcomes, None while play goes on.
    """
    last, canonical = play.question.last_ply, play.game.canonical
    most = play.game.bound(last)
    reached: dict[Marks, Outcome | None] = {}

    @cache
    def ways(state: Marks) -> _Ways:
        outcome = reached[state] = play.outcome(state)
        if len(reached) % _REPORTED == 0:
            progress(len(reached), most, "boards")
        here = (1, *(int(outcome == end) for end in OUTCOMES))
        none = (0,) * len(here) * (last - play.game.ply(state))
        if outcome is not None or not none:
            return here + none
        children = play.children(state, within)
        if by_class:
            children = list(set(map(canonical, children)))
        return here + tuple(map(sum, zip(none, *map(ways, children), strict=True)))

    return ways(play.game.start), reached


def _fixed_games(play: QuestionPlay, progress: Progress = silent) -> list[tuple[_Ways, dict[Marks, Outcome | None]]]:
    """Return for each symmetry that keeps the start the games that it fixes, move by move."""
    stabiliser = play.game.stabiliser(play.game.start)
    moved = map(play.game.on_moves, stabiliser)
    fixed = [sum(1 << move for move, image in enumerate(g) if move == image) for g in moved]
    return [_follow(play, moves, progress=progress) for moves in fixed]


def fixed_counts(question: Question) -> list[list[_Ways]]:
    """Return for each number of moves, for each symmetry that keeps the start, the games that it fixes.

    Each is four numbers: the paths, and the games that end there by outcome.
    """
    runs = [ways for ways, _ in _fixed_games(QuestionPlay(question, question.game))]
    return [[ways[at : at + 4] for ways in runs] for at in range(0, len(runs[0]), 4)]


def _positions(play: QuestionPlay, states: Iterable[Marks]) -> tuple[int, int, list[int] | None]:
    """Return how many positions states of a ply make, how many are terminal, and these by outcome.

    The outcomes are None under the end rule `full`, and where boards of one class are decided differently.
    """
    game, by_class = play.game, play.question.same != "labelled"
    found: dict[Hashable, set[Outcome]] = {}
    for state in states:
        outcome = play.outcome(state)
        position = game.position(game.canonical(state) if by_class else state)
        found.setdefault(position, set()).update({outcome} if outcome else ())
    terminal = [outcomes for outcomes in found.values() if outcomes]
    by = [sum(outcome in outcomes for outcomes in terminal) for outcome in OUTCOMES]
    is_split = play.question.end != "full" and all(len(outcomes) == 1 for outcomes in terminal)
    return len(found), len(terminal), by if is_split else None


def offer(request: Request, limits: Limits) -> CountingOffer | str:
    """Return an offer under any rules of play."""
    question = request.question
    if question.is_played and question.same != "labelled":
        return "counts players with a table of moves in labelled games only"
    states = question.game.bound(question.last_ply)
    runs = question.group.order if question.same == "symmetry" else 1
    detail = f"{states:,} boards to walk through in plain Python"
    estimate = Estimate(states * 2500, states * 2e-5 * (1 + runs / 2), detail)
    return CountingOffer("plain", estimate, question, partial(_rows, question))


def _rows(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    play = QuestionPlay(question, question.game)
    if question.same == "symmetry":
        runs = _fixed_games(play, run.progress)
        games = tuple(exactly(sum(column), len(runs)) for column in zip(*(ways for ways, _ in runs), strict=True))
        reached = max((found for _, found in runs), key=len)  # the identity fixes every move
    else:
        games, reached = _follow(play, by_class=question.same == "choices", progress=run.progress)
    layers: list[list[Marks]] = [[] for _ in range(play.depth + 1)]
    for state in reached:
        layers[play.game.ply(state) - question.first_ply].append(state)
    rows = []
    for depth, layer in enumerate(filter(None, layers)):
        paths, *ends = games[4 * depth : 4 * depth + 4]
        rows.append(PlyCounts.of(question.first_ply + depth, *_positions(play, layer), paths, ends))
    return tuple(rows)


# Engine `played`: games of players bound to a table of moves, which may treat symmetric boards differently.
#
# A bot seldom plays symmetrically: of two cells that a reflection exchanges it takes one. So the games that a table
# allows are not a union of classes, and neither Burnside's lemma nor the class graph counts them. This engine follows
# games that count as one together. A node holds every labelled way to reach the same point, and a ply is a table from
# nodes to the number of games that lead there.
#
# labelled   a node is one labelled position
# choices    a node is all labelled positions of one class that were reached by the same choices
# symmetry   a node is the positions at the end of one game and of those of its images that are played, each with the
#            symmetry from that game to the image; a next move is identified by its cell in the game itself, up to the
#            symmetries that fix all cells of the game
#
# With the end rule `decided` symmetric games may end differently; such games count separately.

Item = tuple[Marks, int]
"""A labelled state, and the number of the symmetry from the followed game to it; 0 where none is needed."""
Node = frozenset[Item]


class _Walk:
    """The nodes of a question, and the moves between them."""

    def __init__(self, question: Question) -> None:
        self.play = QuestionPlay(question, question.game)
        self.game = self.play.game
        self.same = question.same
        self.symmetries: list[Permutation] = list(self.game.stabiliser(self.game.start))
        self.back = [inverse(symmetry) for symmetry in self.symmetries]
        self.leasts = cache(self._leasts)

    @property
    def start(self) -> Node:
        """The node of the start; up to symmetry it holds the start once for each symmetry that keeps it."""
        many = len(self.symmetries) if self.same == "symmetry" else 1
        return frozenset((self.game.start, number) for number in range(many))

    def children(self, node: Node) -> Iterable[Node]:
        found: dict[Hashable, set[Item]] = {}
        for item in node:
            for key, child in self._moves(item):
                found.setdefault((key, self.play.outcome(child[0])), set()).add(child)
        return map(frozenset, found.values())

    def outcome(self, node: Node) -> Outcome | None:
        """Return the outcome of the games that lead to a node; None where they continue."""
        return self.play.outcome(next(iter(node))[0])

    def _moves(self, item: Item) -> Iterator[tuple[Hashable, Item]]:
        """Yield the items after each move, each with a key that is equal for games that count as one."""
        state, number = item
        moves = cells_of(self.play.moves(state))
        if self.same == "symmetry":
            back = self.back[number]
            least = self.leasts(mask_of(back[cell] for cell in cells_of(state.x | state.o)))
            for move in moves:
                if least[back[move]] == back[move]:
                    yield back[move], (self.game.play(state, move), number)
        else:
            for move in moves:
                child = self.game.play(state, move)
                yield child if self.same == "labelled" else self.game.canonical(child), (child, 0)

    def _leasts(self, marked: Mask) -> tuple[int, ...]:
        """Return for each cell its least image under the symmetries that keep the start and fix every marked cell."""
        fixed = tuple(cells_of(marked))
        among = [symmetry for symmetry in self.symmetries if all(symmetry[cell] == cell for cell in fixed)]
        return tuple(min(images) for images in zip(*among, strict=True))


def offer_played(request: Request, limits: Limits) -> CountingOffer:
    """Return an offer where a table of moves binds a player."""
    question = request.question
    tables = [table for table in (question.x_plays, question.o_plays) if table is not None]
    states = sum(1 + 2 * cells.bit_count() for table in tables for cells in table.cells.values()) + 1
    runs = question.group.order if question.same == "symmetry" else 1
    detail = f"{states:,} boards to walk through in plain Python"
    estimate = Estimate(states * runs * 1500, states * runs * 3e-5, detail)
    return CountingOffer("played", estimate, question, partial(_rows_played, question))


def _rows_played(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    walk, rows = _Walk(question), []
    games: dict[Node, int] = {walk.start: 1}
    for ply in range(question.first_ply, question.last_ply + 1):
        run.progress(ply - question.first_ply, question.last_ply - question.first_ply + 1, "plies")
        finished, following = dict.fromkeys(OUTCOMES, 0), dict[Node, int]()
        for node, many in games.items():
            outcome = walk.outcome(node)
            if outcome is not None:
                finished[outcome] += many
                continue
            for child in walk.children(node) if ply < question.last_ply else ():
                following[child] = following.get(child, 0) + many
        ended = tuple(finished[outcome] for outcome in OUTCOMES)
        places = _positions(walk.play, {state for node in games for state, _ in node})
        rows.append(PlyCounts.of(ply, *places, sum(games.values()), ended))
        games = following
        if not games:
            break
    return tuple(rows)
